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
    /// @return the probability of roulette at present; 1 unless overridden
    virtual double GetEpsilon() const;
    /// @return the learning rate at present
    double GetLearningRate() const;
    /// @return the network
    Ptr<OdcnNetwork> GetNetwork() const;

  protected:
    /// Defaults of the Attributes that learners do not agree on.
    struct Defaults
    {
        double gamma;            //!< Gamma
        bool useMask;            //!< UseMask
        bool normalizeAdvantage; //!< NormalizeAdvantage
        double clipGradient;     //!< ClipGradient
    };

    /// One batch, gathered from all environments, or a part of one.
    struct Batch
    {
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

    /// Improve the network by a batch. @param batch observations, masks, actions and chances
    virtual void Learn(Batch& batch) = 0;

    /// Logits and values of a batch, for Backward() after. @param batch with observations
    void Forward(Batch& batch);

    /// Estimate() for every environment, and normalise. @param batch with values
    void ComputeAdvantages(Batch& batch);

    /**
     * The loss of a batch after Forward(), and one step down it.
     * @param batch with targets
     * @param term policy loss of a sample
     * @param learningRate step size
     */
    void Descend(Batch& batch, const PolicyTerm& term, double learningRate);

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

    /**
     * Learn for an epoch, or up to the total.
     * @param total decisions
     * @return whether it was not stopped
     */
    bool RunEpoch(uint64_t total);

    /// Take the next batch out of the experience. @param cloning whether a teacher made it
    void Gather(bool cloning);

    /// Fit the network to a batch of the teacher's, by cross entropy.
    void Imitate();

    /**
     * Losses of a batch and their derivatives.
     * @param batch with logits and values
     * @param term policy loss of a sample
     */
    void ComputeLosses(Batch& batch, const PolicyTerm& term);

    /// Forget what was learnt from.
    void DropSamples();

    /// Tell the progress function. @param report what is not known here
    void Report(OdcnTrainingProgress report);

    /// Put the parameters of the last boundary back.
    void Restore();

    double m_gamma;                 //!< gamma
    double m_gaeLambda;             //!< lambda of GAE
    double m_entropyWeight;         //!< beta
    double m_valueWeight;           //!< Of the value loss in the sum
    double m_learningRate;          //!< At the start
    double m_finalLearningRate;     //!< Fraction at the end of the schedule
    uint64_t m_scheduleDecisions;   //!< Length of the schedule
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

#endif /* ODCN_ACTOR_CRITIC_LEARNER_H */
