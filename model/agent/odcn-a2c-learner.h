// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_A2C_LEARNER_H
#define ODCN_A2C_LEARNER_H

#include "odcn-checkpoint.h"
#include "odcn-dense-stack.h"
#include "odcn-network.h"
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
    bool epochEnded{false}; //!< Whether this tells of a whole epoch
    uint64_t epoch{0};      //!< Epochs finished
    uint64_t decisions{0};  //!< Decisions learnt from, cloned ones not counted
    uint64_t updates{0};    //!< Updates of the network
    double rate{0};         //!< Decisions per second since the last report
    double score{0};        //!< Mean score of the environments since the last report, exploring
    double policyLoss{0};   //!< Eq. 4 of the last update
    double valueLoss{0};    //!< Eq. 5 of the last update
    double entropy{0};      //!< Mean entropy of the policy in the last update, nats
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
 * Advantage actor-critic as in section 4.B and Algorithm 1 of the ODCN paper. The defaults are the
 * paper's numbers; with one environment they are its algorithm: when 2L-1 samples are complete, the
 * first L are learnt from by Eqs. 2 to 5 and removed. f_theta_v(s_n) is computed at the update.
 *
 * With several environments, each brings its share: an update takes the first UpdateSamples of
 * every one. UseMask, NormalizeAdvantage, RewardScale, ClipGradient, Returns and cloning a teacher
 * first are what makes training reliable; all are off by default.
 *
 * Training goes in epochs. At the start of each, the environments are reset and get streams that
 * depend only on the number of the epoch, so that a training that was interrupted and resumed from
 * SaveState() gives the same network, bit for bit, as one that was not. Threads change nothing.
 */
class OdcnA2cLearner : public Object
{
  public:
    /// From what advantages are made.
    enum ReturnKind
    {
        WINDOW, //!< Eqs. 2 and 3: the rewards of the next L samples
        GAE     //!< Generalised advantage estimation
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    OdcnA2cLearner();
    ~OdcnA2cLearner() override;

    /// @param network what to train; built and given random parameters by Prepare() if it is not
    void SetNetwork(Ptr<OdcnNetwork> network);

    /// @param problems where to learn, each with sources of its own
    void SetEnvironments(const std::vector<Ptr<OdcnDecisionProblem>>& problems);

    /**
     * Where the greedy network is scored after each epoch, always on the same streams; the best
     * parameters are kept.
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
     * @return mean score of the evaluation problems, greedy
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
    /// @return the probability of roulette at present
    double GetEpsilon() const;
    /// @return the learning rate at present
    double GetLearningRate() const;
    /// @return the network
    Ptr<OdcnNetwork> GetNetwork() const;

  protected:
    void DoDispose() override;

  private:
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

    /// One batch, gathered from all environments.
    struct Batch
    {
        std::vector<float> observations; //!< s_n
        std::vector<uint8_t> masks;      //!< Empty where not used
        std::vector<uint32_t> actions;   //!< a_n
        std::vector<float> targets;      //!< What the value is fitted to
        std::vector<float> advantages;   //!< aleph_n
        std::vector<float> logits;       //!< Of the network
        std::vector<float> values;       //!< Of the network
        std::vector<float> dLogits;      //!< Derivatives
        std::vector<float> dValues;      //!< Derivatives
    };

    /// @return samples that each environment brings to an update
    uint32_t GetSamples() const;
    /// @return complete samples that each environment must have before an update
    uint32_t GetNeeded() const;

    /// @param problem what the network is for; throws OdcnError when it is of another size
    void RequireFit(const OdcnDecisionProblem& problem) const;

    /// @param attribute that asks for a teacher; throws OdcnError when there is none
    void RequireTeacher(const std::string& attribute) const;

    /// Clone the teacher. @return whether it was not stopped
    bool Clone();

    /**
     * Learn for an epoch, or up to the total.
     * @param total decisions
     * @return whether it was not stopped
     */
    bool RunEpoch(uint64_t total);

    /// Take the next batch out of the experience. @param cloning whether a teacher made it
    void Gather(bool cloning);

    /// Sigma and aleph of the batch; the network has been asked for its values.
    void ComputeAdvantages();

    /// Losses of the batch and their derivatives. @param cloning as Update()
    void ComputeLosses(bool cloning);

    /// One update. @param cloning cross entropy to the teacher in place of Eq. 4
    void Update(bool cloning);

    /// Tell the progress function. @param report what is not known here
    void Report(OdcnTrainingProgress report);

    /// Put the parameters of the last boundary back.
    void Restore();

    uint32_t m_window;              //!< L
    uint32_t m_updateSamples;       //!< 0 for L
    double m_gamma;                 //!< gamma
    ReturnKind m_returns;           //!< Where advantages come from
    double m_gaeLambda;             //!< lambda of GAE
    double m_entropyWeight;         //!< beta
    double m_valueWeight;           //!< Of Eq. 5 in the sum
    double m_learningRate;          //!< At the start
    double m_finalLearningRate;     //!< Fraction at the end of the schedule
    uint64_t m_scheduleDecisions;   //!< Length of the schedule
    double m_epsilon;               //!< At the start
    double m_epsilonStep;           //!< epsilon_0
    double m_epsilonMin;            //!< epsilon_min
    bool m_useMask;                 //!< Whether infeasible actions are excluded
    bool m_normalizeAdvantage;      //!< Per batch
    double m_rewardScale;           //!< Of all rewards
    double m_clipGradient;          //!< Greatest norm
    uint64_t m_cloneDecisions;      //!< How many of the teacher
    double m_cloneLearningRate;     //!< While cloning
    uint64_t m_epochDecisions;      //!< Length of an epoch
    uint64_t m_warmUpDecisions;     //!< By the teacher, in each environment, before an epoch
    uint64_t m_evaluationEpochs;    //!< Epochs from one evaluation to the next
    uint64_t m_evaluationWarmUp;    //!< Decisions before the score counts, in each problem
    uint64_t m_evaluationDecisions; //!< Decisions that count, in each problem
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
    State m_state;                                               //!< At present
    State m_boundary;                                            //!< When the epoch began
    Batch m_batch;                                               //!< Of the last update
    OdcnTrainingProgress m_last;                                 //!< Losses of the last update
    double m_reportedAt{0};                                      //!< Seconds, last report
    uint64_t m_reportedDecisions{0};                             //!< Decisions then
    uint64_t m_phaseDecisions{0};                                //!< Decisions of this epoch
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_A2C_LEARNER_H */
