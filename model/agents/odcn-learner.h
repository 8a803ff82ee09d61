// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_LEARNER_H
#define ODCN_LEARNER_H

#include "ns3/object.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-decision-problem.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

class PolicyNetwork;
class Ranks;
struct Archive;

/// The state of a training, as given to the progress function.
struct TrainingProgress
{
    bool cloning{false};    //!< Whether a teacher is being cloned before learning begins
    bool epochEnded{false}; //!< Whether this is the report of a whole epoch
    uint64_t epoch{0};      //!< Number of finished epochs
    uint64_t decisions{0};  //!< Decisions learnt from, without those of a cloned teacher
    uint64_t updates{0};    //!< Of the network
    double rate{0};         //!< Decisions per second since the last report
    double score{0};        //!< Mean score of the training problems in this epoch
    bool evaluated{false};  //!< Whether the policy was evaluated at the end of this epoch
    double evaluation{0};   //!< Score of that evaluation; lower is better
    double bestScore{0};    //!< Score of the best evaluation so far
    bool isBest{false};     //!< Whether this evaluation is the best
    std::map<std::string, double> figures; //!< The learner's own, e.g. "entropy"
};

/// Result of an evaluation.
struct Evaluation
{
    double score{0};       //!< Mean score of the evaluation problems; lower is better
    double reward{0};      //!< Mean reward of a decision
    bool isComplete{true}; //!< False if RequestStop() ended it: then the others mean nothing
};

/**
 * @ingroup odcn
 *
 * Base class of learners: any learner trains any network on any problem. A learner is given the
 * network (SetNetwork()), the problems to learn from (SetProblems()), those to be evaluated on
 * (SetEvaluation()) and, if it needs one, a teacher; Train() then learns.
 *
 * Training proceeds in epochs. At the start of each, the problems are reset and get streams that
 * depend only on the number of the epoch, so a training that was interrupted and resumed from
 * SaveState() gives the same network, bit for bit, as an uninterrupted one (except A3cLearner with
 * several threads). Evaluations always use the same streams, which no training uses.
 *
 * Subclasses implement RunEpoch() and DoEvaluate(), and add what they need to the saved state.
 */
class Learner : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    Learner();
    ~Learner() override;

    /// @param words short or full TypeId name with Attributes, "PpoLearner[Gamma=0.95|Passes=3]"
    /// @return a new learner  @throws OdcnError when there is no such learner or Attribute
    static Ptr<Learner> Create(const std::string& words);

    /// Train a new network. @param words its name with options, e.g. "Scorer[hidden=64,64]"
    void SetNetwork(const std::string& words);

    /// Train an existing network, e.g. that of a checkpoint. @param network made by PolicyNetwork
    void SetNetwork(std::shared_ptr<PolicyNetwork> network);

    /// @param problems to learn from, each with its own sources
    void SetProblems(const std::vector<Ptr<DecisionProblem>>& problems);

    /// Set where the policy is evaluated at the end of epochs; the best policy is kept.
    /// @param problems of the same form as those of SetProblems()
    void SetEvaluation(const std::vector<Ptr<DecisionProblem>>& problems);

    /// @param teacher whose decisions are cloned or fill the problems, if Attributes require it
    void SetTeacher(Ptr<DecisionPolicy> teacher)
    {
        m_teacher = teacher;
    }

    /// @param getSums for PolicyNetwork::AdoptSums() of a network that is built for this training
    void SetSums(std::function<std::vector<std::vector<float>>()> getSums)
    {
        m_getSums = std::move(getSums);
    }

    /// @param progress called every ProgressSeconds and at the end of each epoch
    void SetProgress(std::function<void(const TrainingProgress&)> progress);

    /**
     * Train by several processes, which give the same result as one: each makes its share of the
     * decisions, gradients and evaluations, in one thread. (A3cLearner: see there.) All of them set
     * the same network, problems, teacher and seed, and call Train() alike. A teacher must use no
     * random numbers and keep no state between problems, since each process has its own.
     * @param ranks the processes; outlive the training
     */
    void SetRanks(Ranks& ranks);

    /// @param stream first stream number to use, for parameters, problems and actions; unless it is
    /// called, DEFAULT_STREAM, so that no training meets the jobs that an Experiment measures
    /// @return number of streams reserved
    int64_t AssignStreams(int64_t stream);

    /// First stream unless AssignStreams() is called, beyond those of experiments.
    static constexpr int64_t DEFAULT_STREAM = 1LL << 42;

    /// Build the network unless it is built; Train(), Evaluate() and LoadState() call this.
    /// @throws OdcnError when network and problems do not fit each other
    void Prepare();

    /**
     * Learn from the given number of decisions in total, including those of a resumed state.
     * After RequestStop() it returns early; the next call repeats the interrupted epoch.
     *
     * @param decisions total number of decisions
     * @return whether the total was reached
     * @throws OdcnError when the training diverges; the state of the last whole epoch is kept
     */
    bool Train(uint64_t decisions);

    /// Make Train() return soon. May be called by a signal handler.
    void RequestStop();

    /// Evaluate the present policy. @return the result on the evaluation problems
    Evaluation Evaluate();

    /**
     * Write all that is needed to resume at the beginning of the present epoch.
     * @param path file, replaced as a whole
     * @param note any text of the caller, returned by LoadState()
     */
    void SaveState(const std::string& path, const std::string& note = "") const;

    /**
     * Restore a state written by SaveState().
     * @param path file
     * @return the note
     * @throws OdcnError when it is no such file, or of another learner, network, problem, number of
     * problems, seed, run or Attributes; all but Threads and ProgressSeconds count
     */
    std::string LoadState(const std::string& path);

    /// @param note see SaveState()  @return what SaveState() writes
    std::string GetStateBytes(const std::string& note = "") const;

    /// @param bytes of GetStateBytes()  @param path for errors  @return the note  @throws OdcnError
    /// as LoadState()
    std::string SetStateBytes(const std::string& bytes, const std::string& path);

    /// @param path file of SaveState()  @return the note, without restoring anything
    /// @throws OdcnError when it is no such file
    static std::string ReadNote(const std::string& path);

    /// @return whether the policy kept is that of the best evaluation, else of the last whole epoch
    bool IsBestKept() const;

    /**
     * Evaluate the policy that IsBestKept() tells on streams that nothing else uses. The evaluation
     * by which the best of several policies was chosen is optimistic, this one is not.
     * @return the result; equal in each call
     * @throws OdcnError as Evaluate()
     */
    Evaluation EvaluateKept();

    /// @return the evaluation by which the policy was chosen that IsBestKept() tells
    const Evaluation& GetBest() const
    {
        return m_best;
    }

    /// Write the policy that IsBestKept() tells.
    /// @param path file, replaced as a whole  @param provenance for information, e.g. "command"
    void SaveCheckpoint(const std::string& path,
                        const std::map<std::string, std::string>& provenance);

    /// @return the policy that IsBestKept() tells
    Ptr<DecisionPolicy> CreatePolicy();

    /// @return number of decisions learnt from
    uint64_t GetDecisions() const
    {
        return m_decisions;
    }

    /// @return number of updates of the network
    uint64_t GetUpdates() const
    {
        return m_updates;
    }

    /// @return number of finished epochs
    uint64_t GetEpochs() const
    {
        return m_epoch;
    }

    /// @return the network; null before Prepare()
    std::shared_ptr<PolicyNetwork> GetNetwork() const
    {
        return m_network;
    }

    /// @return all parameters in order, flat
    virtual std::vector<float> GetParameters() const;

    /// @return the learner's own figures for the learning curve, always with the same names
    virtual std::map<std::string, double> GetFigures() const = 0;

  protected:
    /// Streams reserved for one epoch. Block 0 is for evaluations, block 1 for Begin().
    static constexpr int64_t EPOCH_STREAMS = 1LL << 20;
    /// Offset in a block of the streams that sample actions.
    static constexpr int64_t ACTION_STREAMS = 1LL << 19;
    /// Offset, beyond all blocks, of the streams for the order of samples.
    static constexpr int64_t SHUFFLE_STREAMS = 1LL << 40;

    void DoDispose() override;

    /// @param tid of a learner  @param threads default  @return it with this class's Attributes
    static TypeId AddLearnerAttributes(TypeId tid, uint32_t threads);

    /// Forget what was learnt: SetNetwork() begins another training. Nothing unless overridden.
    virtual void DoRestart();

    /// Prepare learning; the network is built. Called once for each set of problems.
    virtual void DoPrepare() = 0;

    /// @return whether Begin() has something to do
    virtual bool HasBeginning() const
    {
        return false;
    }

    /// Run what precedes the first epoch, e.g. cloning. @return whether it was not stopped
    virtual bool Begin();

    /// Learn for one epoch, or up to the total. @return whether it was not stopped
    virtual bool RunEpoch() = 0;

    /// @param stream first of EPOCH_STREAMS  @return result of the present policy on the evaluation
    /// problems
    virtual Evaluation DoEvaluate(int64_t stream) = 0;

    /// @param evaluation a result  @return what evaluations are ranked by; lower is better
    virtual double GetMerit(const Evaluation& evaluation) const
    {
        return evaluation.score;
    }

    /// @return whether the training has reached its end
    virtual bool IsOver() const
    {
        return m_decisions >= m_total;
    }

    /// Build m_network unless it is built; learners of other policies override it.
    virtual void BuildNetwork();

    /// @param archive gets the present policy
    virtual void WritePolicy(Archive& archive) const;
    /// @param archive of WritePolicy(), becomes the present policy  @param path for errors
    virtual void ReadPolicy(const Archive& archive, const std::string& path);
    /// @param archive gets the tensors that the subclass needs to resume, besides the policy
    /// @param header gets numbers and texts, by names that the subclass chooses
    virtual void WriteState(Archive& archive, nlohmann::json& header) const = 0;
    /// @param archive of WriteState()  @param header of WriteState()  @param path for errors
    virtual void ReadState(const Archive& archive,
                           const nlohmann::json& header,
                           const std::string& path) = 0;

    /// @param path file  @param provenance for information; the present policy is written
    virtual void WriteCheckpoint(const std::string& path,
                                 const std::map<std::string, std::string>& provenance) const;

    /// @return the present policy
    virtual Ptr<DecisionPolicy> MakePolicy() const;

    /// Complete a report and call the progress function. @param progress what is known so far
    void Report(TrainingProgress progress);

    /// @return mean score of the problems since the epoch began
    virtual double TakeScore() = 0;

    /// Count decisions learnt from. @param decisions number of further decisions
    void Count(uint64_t decisions)
    {
        m_decisions += decisions;
    }

    /// Count an update of the network.
    void CountUpdate()
    {
        ++m_updates;
    }

    /// Set the number of updates, e.g. to 0 after cloning. @param updates new number
    void SetUpdates(uint64_t updates)
    {
        m_updates = updates;
    }

    /// @return whether a report is due
    bool IsReportDue() const;

    /// @return whether RequestStop() was called
    bool IsStopping() const
    {
        return m_stop;
    }

    /// @return first stream of the present epoch
    int64_t GetEpochStream() const
    {
        return m_stream + static_cast<int64_t>(m_epoch + 2) * EPOCH_STREAMS;
    }

    /// @param attribute that needs a teacher  @throws OdcnError when there is none
    void RequireTeacher(const std::string& attribute) const;

    /// @return the processes that share the training
    Ranks& GetRanks() const
    {
        return *m_ranks;
    }

    /// @return number of threads: Threads, or 1 in each of several processes
    uint32_t GetThreads() const;

    /// @return seconds on a steady clock
    static double Seconds();

    std::vector<Ptr<DecisionProblem>> m_problems;               //!< To learn from
    std::vector<Ptr<DecisionProblem>> m_evaluation;             //!< To be evaluated on
    Ptr<DecisionPolicy> m_teacher;                              //!< May be null
    std::function<std::vector<std::vector<float>>()> m_getSums; //!< Of SetSums(); may be empty
    std::string m_words;                      //!< Name and options of a network to be built
    std::shared_ptr<PolicyNetwork> m_network; //!< The network being trained
    int64_t m_stream{DEFAULT_STREAM};         //!< First stream
    uint64_t m_total{0};                      //!< Decisions at which Train() ends
    uint64_t m_evaluationWarmUp{0};           //!< Decisions of each problem before its score counts
    uint64_t m_evaluationDecisions{0};        //!< Decisions of each problem that count
    bool m_useMask{false};                    //!< Whether infeasible actions are excluded

  private:
    /// States and policies that are kept.
    struct Kept;

    /// @return the present policy, by WritePolicy()
    Archive GetPolicy() const;
    /// @return all that is needed to resume from here
    Archive GetState() const;
    /// @param state of GetState()  @param path for errors
    void SetState(const Archive& state, const std::string& path);
    /// Continue to the end of the training. @return whether it was not stopped
    bool RunEpochs();
    /// End an epoch or Begin().
    /// @param progress of it
    /// @param evaluate whether an evaluation is due
    /// @return whether the evaluation was not stopped; else the phase is repeated
    bool EndPhase(TrainingProgress progress, bool evaluate);
    /// @throws OdcnError when not all ranks have the same parameters
    void RequireSameParameters() const;

    /// @param stream first of EPOCH_STREAMS  @return DoEvaluate()
    /// @throws OdcnError when nothing is set to be evaluated on, or it was stopped
    Evaluation EvaluateAt(int64_t stream);
    /// Call a function while the best policy, or else that of the last epoch, is the present one.
    /// @param body the function
    void WithKeptPolicy(const std::function<void()>& body);

    std::unique_ptr<Kept> m_kept;                                //!< Never null
    std::function<void(const TrainingProgress&)> m_progress;     //!< May be empty
    Ranks* m_ranks;                                              //!< Processes that share the work
    uint32_t m_threads{1};                                       //!< Number of threads
    std::atomic<bool> m_stop{false};                             //!< RequestStop() was called
    bool m_prepared{false};                                      //!< DoPrepare() was called
    bool m_begun{false};                                         //!< Whether Begin() is over
    uint64_t m_epoch{0};                                         //!< Number of finished epochs
    std::atomic<uint64_t> m_decisions{0};                        //!< Number learnt from
    std::atomic<uint64_t> m_updates{0};                          //!< Of the network
    double m_bestMerit{std::numeric_limits<double>::infinity()}; //!< Of the best evaluation
    Evaluation m_best;                                           //!< The best evaluation
    bool m_keepBest{true};                                       //!< Or the last epoch's
    uint64_t m_evaluationEpochs{1};                              //!< Epochs between evaluations
    double m_progressSeconds{1};                                 //!< Between reports
    double m_reportedAt{0};                                      //!< Time of the last report, s
    uint64_t m_reportedDecisions{0};                             //!< Decisions at that time
};

} // namespace ns3::odcn

#endif /* ODCN_LEARNER_H */
