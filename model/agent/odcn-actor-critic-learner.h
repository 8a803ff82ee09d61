// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ACTOR_CRITIC_LEARNER_H
#define ODCN_ACTOR_CRITIC_LEARNER_H

#include "odcn-checkpoint.h"
#include "odcn-dense-stack.h"
#include "odcn-network.h"
#include "odcn-returns.h"
#include "odcn-rollout.h"

#include "ns3/object.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-decision-problem.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace ns3
{
namespace odcn
{

/// How a training stands, as given to the progress function.
struct OdcnTrainingProgress
{
    bool cloning{false};    //!< Whether a teacher is being cloned
    uint64_t clonePass{0};  //!< Then passes through what it decided, with ClonePasses
    double accuracy{0};     //!< And the part of unseen decisions that the network takes, too
    bool epochEnded{false}; //!< Whether this tells of a whole epoch
    uint64_t epoch{0};      //!< Epochs finished
    uint64_t decisions{0};  //!< Decisions learnt from, cloned ones not counted
    uint64_t updates{0};    //!< Updates of the network
    double rate{0};         //!< Decisions per second since the last report
    double score{0};        //!< Mean score of the environments since the last report, exploring
    double policyLoss{0};   //!< Of the last update, with the entropy's share
    double valueLoss{0};    //!< Mean square error of the last update
    double entropy{0};      //!< Mean entropy of the policy in the last update, nats
    double clipped{0};      //!< Part of the samples that a clipped loss left out, last update
    double epsilon{0};      //!< Probability of roulette
    double learningRate{0}; //!< Of the last update
    bool evaluated{false};  //!< Whether the network was evaluated at the end of this epoch
    double evaluation{0};   //!< Then its score, greedy; lower is better
    double bestScore{0};    //!< Best such score so far
    bool isBest{false};     //!< Whether this is it
};

/**
 * @ingroup odcn
 *
 * What learners of a policy and a value by gradients share: environments side by side, epochs,
 * evaluation, cloning a teacher first, optimiser, files. A learner of this kind says how many
 * samples an update takes and what it does with them.
 *
 * Each environment brings its share: an update takes the first GetSamples() of every one. UseMask,
 * NormalizeAdvantage, RewardScale, ClipGradient and cloning a teacher first are what makes training
 * reliable.
 *
 * Training goes in epochs. At the start of each, the environments are reset and get streams that
 * depend only on the number of the epoch, so that a training that was interrupted and resumed from
 * SaveState() gives the same network, bit for bit, as one that was not. Threads change nothing.
 */
class OdcnActorCriticLearner : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    OdcnActorCriticLearner();
    ~OdcnActorCriticLearner() override;

    /// @param network what to train; built and given random parameters by Prepare() if it is not
    void SetNetwork(Ptr<OdcnNetwork> network);

    /// @param problems where to learn, each with sources of its own
    void SetEnvironments(const std::vector<Ptr<OdcnDecisionProblem>>& problems);

    /**
     * Where the network is scored after each epoch, greedy unless EvaluationDrawn, always on the
     * same streams; the best parameters are kept.
     * @param problems as SetEnvironments()
     */
    void SetEvaluation(const std::vector<Ptr<OdcnDecisionProblem>>& problems);

    /// @param teacher whom to clone first (CloneDecisions), who fills systems (WarmUpDecisions)
    void SetTeacher(Ptr<OdcnDecisionPolicy> teacher);

    /// @param progress called every ProgressSeconds and at each epoch's end
    void SetProgress(std::function<void(const OdcnTrainingProgress&)> progress);

    /**
     * @param stream first stream number to use, for parameters and environments alike
     * @return how many streams are set aside
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Build and randomise the network if it is not built. Train() and LoadState() do so themselves.
     * @throws OdcnError when network and environments do not fit each other
     */
    void Prepare();

    /**
     * Learn until this many decisions were learnt from in all, those of a resumed state included.
     * After RequestStop() it returns early; it then continues with the epoch that was interrupted.
     *
     * @param decisions the total
     * @return whether the total was reached
     */
    bool Train(uint64_t decisions);

    /// Make Train() return soon. May be called by a signal handler.
    void RequestStop();

    /**
     * Score the network as it is.
     * @return mean score of the evaluation problems
     */
    double Evaluate();

    /**
     * Write all that is needed to resume, as it was when the present epoch began.
     * @param path file, replaced whole
     */
    void SaveState(const std::string& path) const;

    /**
     * Continue what SaveState() wrote.
     * @param path file
     * @throws OdcnError when it is no such file or of another network
     */
    void LoadState(const std::string& path);

    /**
     * Write the best network (without evaluation: the present one) for OdcnAgentPolicy.
     * @param path file, replaced whole
     * @param provenance what people may want to know, e.g. "command"
     */
    void SaveCheckpoint(const std::string& path,
                        const std::map<std::string, std::string>& provenance) const;

    /// @return decisions learnt from
    uint64_t GetDecisions() const;
    /// @return updates made
    uint64_t GetUpdates() const;
    /// @return the probability of roulette at present; 1 unless overridden
    virtual double GetEpsilon() const;
    /// @return the learning rate at present
    double GetLearningRate() const;
    /// @return the network
    Ptr<OdcnNetwork> GetNetwork() const;

  protected:
    /// Streams set aside for one epoch, for the evaluation (first), and for cloning (second).
    static constexpr int64_t EPOCH_STREAMS = 1LL << 20;

    /// Defaults of the Attributes that learners do not agree on.
    struct Defaults
    {
        double gamma{0.9};              //!< Gamma
        double entropyWeight{0.01};     //!< EntropyWeight
        double learningRate{0.001};     //!< LearningRate
        bool rmsProp{false};            //!< Optimizer=RmsProp
        bool useMask{false};            //!< UseMask
        bool normalizeAdvantage{false}; //!< NormalizeAdvantage
        double clipGradient{0.0};       //!< ClipGradient
        uint32_t threads{2};            //!< Threads
        bool critic{true};              //!< What learners have that fit a value
    };

    /// What an update was like.
    struct Losses
    {
        double policy{0};  //!< With the entropy's share
        double value{0};   //!< Mean square error
        double entropy{0}; //!< Mean, nats
    };

    /// One batch, gathered from environments that lie side by side, or a part of one.
    struct Batch
    {
        /// Who evaluates it, by the calling thread alone; null for the learner's network, by all.
        OdcnNetwork* network{nullptr};
        std::size_t first{0};            //!< First environment
        std::size_t environments{0};     //!< How many; 0 for all
        double learningRate{0};          //!< To be taken
        Losses losses;                   //!< As they turned out
        std::vector<float> observations; //!< s_n
        std::vector<uint8_t> masks;      //!< Empty where not used
        std::vector<uint32_t> actions;   //!< a_n
        std::vector<float> chances;      //!< What a_n was drawn with; 1 where it was not drawn
        std::vector<float> targets;      //!< What the value is fitted to
        std::vector<float> advantages;   //!< aleph_n
        std::vector<float> logits;       //!< Of the network
        std::vector<float> values;       //!< Of the network
        std::vector<float> dLogits;      //!< Derivatives
        std::vector<float> dValues;      //!< Derivatives

        /// Make room for what the network says. @param nActions number of actions
        void Resize(std::size_t nActions);

        /**
         * Become some samples of another batch, with room for what the network says.
         * @param from the other
         * @param rows which samples
         * @param nActions number of actions
         */
        void Take(const Batch& from, std::span<const uint32_t> rows, std::size_t nActions);
    };

    /**
     * What sample i of a batch adds to the policy loss: its number, the probabilities of the
     * actions, the weight of a sample, its derivatives by the logits (to be filled in).
     */
    using PolicyTerm = std::function<
        OdcnPolicyTerm(std::size_t, std::span<const float>, double, std::span<float>)>;

    /// @param tid of a learner  @param defaults its own  @return with the Attributes of this class
    static TypeId AddAttributes(TypeId tid, const Defaults& defaults);

    void DoDispose() override;

    /// @return samples that each environment brings to an update
    virtual uint32_t GetSamples() const = 0;

    /// @return complete samples that each environment must have before an update
    virtual uint32_t GetNeeded() const;

    /// @return whether Estimate() needs the value of the state that the last action led to
    virtual bool IsBootstrapping() const;

    /// An epoch begins: all environments were emptied.
    virtual void BeginEpoch();

    /**
     * Gather some experience and learn from it; a whole update of all environments unless
     * overridden.
     * @return whether an epoch may end here
     */
    virtual bool Advance();

    /**
     * Targets and advantages of one environment's samples; by generalised advantage estimation
     * unless overridden.
     * @param rewards scaled, GetNeeded() of them or more
     * @param ends nonzero where an episode ends after the sample
     * @param values of the network, one more than samples if IsBootstrapping()
     * @param [out] targets what the values are fitted to
     * @param [out] advantages of the actions
     */
    virtual void Estimate(std::span<const float> rewards,
                          std::span<const uint8_t> ends,
                          std::span<const float> values,
                          std::span<float> targets,
                          std::span<float> advantages) const;

    /// Learn from a batch. @param batch observations, masks, actions and chances
    virtual void Learn(Batch& batch) = 0;

    /// Logits and values of a batch, for Backward() after. @param batch with observations
    void Forward(Batch& batch);

    /// Estimate() for every environment, and normalise. @param batch with values
    void ComputeAdvantages(Batch& batch);

    /**
     * Losses of a batch after Forward(), and its network's gradient.
     * @param batch with targets
     * @param term policy loss of a sample
     */
    void Differentiate(Batch& batch, const PolicyTerm& term);

    /**
     * Differentiate(), and one step down the gradient.
     * @param batch with targets
     * @param term policy loss of a sample
     * @param learningRate step size
     */
    void Descend(Batch& batch, const PolicyTerm& term, double learningRate);

    /**
     * One step of the optimiser on the learner's network. May be called by several threads.
     * @param gradient of all parameters
     * @param losses to be told
     * @param learningRate step size
     */
    void Apply(std::span<const float> gradient, const Losses& losses, double learningRate);

    /// Take the next batch out of the experience. @param batch of which environments
    void Gather(Batch& batch);

    /// Forget what was learnt from. @param batch of which environments
    void DropSamples(const Batch& batch);

    /// Decisions were made to be learnt from. @param decisions how many
    void Count(uint64_t decisions);

    /// @return whether the epoch has all its decisions, or the training has
    bool IsEpochOver() const;

    /// @return whether RequestStop() was called
    bool IsStopping() const
    {
        return m_stop;
    }

    /// @return how actions are to be chosen now
    OdcnExploration GetExploration() const;

    /// @return all environments
    OdcnRollout& GetRollout()
    {
        return *m_rollout;
    }

    /// @return who works
    OdcnThreadTeam& GetTeam()
    {
        return *m_team;
    }

    /// @return a network like the learner's, with parameters of its own, all 0
    Ptr<OdcnNetwork> MakePlayer() const;

    /**
     * Make rewards to learn from.
     * @param rewards as they came
     * @return scaled
     */
    std::vector<float> Scale(const std::vector<float>& rewards) const;

    /// @return whether advantages are normalised
    bool IsNormalizing() const
    {
        return m_normalizeAdvantage;
    }

    /// @return seconds on a steady clock
    static double Seconds();

    /// @return seconds from one report to the next
    double GetProgressSeconds() const
    {
        return m_progressSeconds;
    }

    /// Who changes what all threads of a training share.
    std::mutex& GetLock()
    {
        return m_lock;
    }

    /// @return the discount factor
    double GetGamma() const
    {
        return m_gamma;
    }

    /// @return weight of the policy's entropy
    double GetEntropyWeight() const
    {
        return m_entropyWeight;
    }

    /// @return first stream number
    int64_t GetStream() const
    {
        return m_stream;
    }

    /// @param part of the samples that a clipped loss left out, for reports
    void SetClipped(double part)
    {
        m_last.clipped = part;
    }

  private:
    /// What finds the way down.
    enum OptimizerKind
    {
        ADAM,
        RMS_PROP
    };

    /// @param tid of a learner with a critic  @return with the Attributes of such
    static TypeId AddCriticAttributes(TypeId tid);

    /// All that a resumed training needs.
    struct State
    {
        std::vector<float> parameters; //!< Of the network
        OdcnAdam adam;                 //!< Of the optimiser
        uint64_t epoch{0};             //!< Epochs finished
        uint64_t decisions{0};         //!< Decisions learnt from
        uint64_t updates{0};           //!< Updates made
        bool cloned{false};            //!< Whether the teacher was cloned
        std::vector<float> best;       //!< Parameters of the best evaluation
        double bestScore{std::numeric_limits<double>::infinity()}; //!< And its score
    };

    /// @param attribute that asks for a teacher; throws OdcnError when there is none
    void RequireTeacher(const std::string& attribute) const;

    /// Clone the teacher. @return whether it was not stopped
    bool Clone();

    /// Clone by samples seen once. @param report to be told  @return whether it was not stopped
    bool CloneStream(OdcnTrainingProgress& report);

    /// Clone by passes through a set. @param report to be told  @return whether it was not stopped
    bool CloneSet(OdcnTrainingProgress& report);

    /// @param batch gets what the teacher decides next
    void CollectFromTeacher(Batch& batch);

    /// @return samples of the teacher, none twice
    Batch MakeCloneSet();

    /**
     * @param set samples
     * @param rows which of them
     * @return part of them in which the network's likeliest action is the teacher's
     */
    double MeasureAccuracy(const Batch& set, std::span<const uint32_t> rows);

    /// Learn for an epoch, or up to the total. @return whether it was not stopped
    bool RunEpoch();

    /// One step towards the teacher's decisions, by cross entropy. @param batch with targets
    void Imitate(Batch& batch);

    /**
     * Losses of a batch and their derivatives.
     * @param batch with logits and values
     * @param term policy loss of a sample
     */
    void ComputeLosses(Batch& batch, const PolicyTerm& term);

    /// @param batch whose work it is  @param tasks how many  @param body takes number and worker
    void ForEach(const Batch& batch,
                 std::size_t tasks,
                 const std::function<void(std::size_t, std::size_t)>& body);

    /// @param batch of which environments  @return how many
    std::size_t CountEnvironments(const Batch& batch) const;

    /// @param batch of samples  @return who evaluates it
    OdcnNetwork& NetworkOf(const Batch& batch) const;

    /// Tell the progress function. @param report what is not known here
    void Report(OdcnTrainingProgress report);

    /// Put the parameters of the last boundary back.
    void Restore();

    double m_gamma;                 //!< gamma
    double m_gaeLambda{0.95};       //!< lambda of GAE
    double m_entropyWeight;         //!< beta
    double m_valueWeight{1.0};      //!< Of the value loss in the sum
    double m_learningRate;          //!< At the start
    double m_finalLearningRate;     //!< Fraction at the end of the schedule
    uint64_t m_scheduleDecisions;   //!< Length of the schedule
    bool m_useMask;                 //!< Whether infeasible actions are excluded
    bool m_normalizeAdvantage;      //!< Per batch
    double m_rewardScale;           //!< Of all rewards
    double m_clipGradient;          //!< Greatest norm
    OptimizerKind m_optimizer;      //!< What finds the way down
    double m_rmsDecay;              //!< Of RMSProp's mean square
    double m_rmsEpsilon;            //!< What RMSProp adds to it
    uint64_t m_cloneDecisions;      //!< How many of the teacher
    double m_cloneLearningRate;     //!< While cloning
    uint32_t m_clonePasses;         //!< Through a set of samples; 0 for a stream
    uint32_t m_cloneSamples;        //!< Of a step, with a set
    double m_cloneValidation;       //!< Part of a set that is not learnt from
    double m_cloneAccuracy;         //!< Where cloning ends, on that part
    uint64_t m_epochDecisions;      //!< Length of an epoch
    uint64_t m_warmUpDecisions{0};  //!< By the teacher, in each environment, before an epoch
    uint64_t m_evaluationEpochs;    //!< Epochs from one evaluation to the next
    uint64_t m_evaluationWarmUp;    //!< Decisions before the score counts, in each problem
    uint64_t m_evaluationDecisions; //!< Decisions that count, in each problem
    bool m_evaluationDrawn;         //!< Whether actions are drawn there
    uint32_t m_threads;             //!< For stepping environments
    double m_progressSeconds;       //!< Between reports

    Ptr<OdcnNetwork> m_network;                                  //!< What is trained
    Ptr<OdcnDecisionPolicy> m_teacher;                           //!< Whom to clone
    std::vector<Ptr<OdcnDecisionProblem>> m_problems;            //!< Where to learn
    std::vector<Ptr<OdcnDecisionProblem>> m_evaluation;          //!< Where to be scored
    std::shared_ptr<OdcnThreadTeam> m_team;                      //!< Who works
    std::unique_ptr<OdcnRollout> m_rollout;                      //!< Runs m_problems
    std::unique_ptr<OdcnRollout> m_judge;                        //!< Runs m_evaluation
    std::function<void(const OdcnTrainingProgress&)> m_progress; //!< Who is told
    int64_t m_stream{0};                                         //!< First stream
    std::atomic<bool> m_stop{false};                             //!< RequestStop()
    std::mutex m_lock;                                           //!< Of parameters and state
    State m_state;                                               //!< At present
    State m_boundary;                                            //!< When the epoch began
    Batch m_batch;                                               //!< Of the last update
    OdcnTrainingProgress m_last;                                 //!< What the last update was like
    double m_reportedAt{0};                                      //!< Seconds, last report
    uint64_t m_reportedDecisions{0};                             //!< Decisions then
    uint64_t m_phaseDecisions{0};                                //!< Decisions of this epoch
    uint64_t m_total{0};                                         //!< Decisions of Train()
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_ACTOR_CRITIC_LEARNER_H */
