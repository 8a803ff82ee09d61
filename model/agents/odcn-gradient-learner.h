// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_GRADIENT_LEARNER_H
#define ODCN_GRADIENT_LEARNER_H

#include "odcn-learner.h"

#include "ns3/odcn-rollout.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace at
{
class Tensor;
} // namespace at

namespace torch::optim
{
class Optimizer;
} // namespace torch::optim

namespace ns3::odcn
{

struct LossTerms;
struct PolicyOutput;
struct TrainingBatch;

/**
 * @ingroup odcn
 *
 * Base class of learners that follow the gradient of a loss, by LibTorch's autograd and optimisers.
 * All problems are stepped in parallel; an update takes the first GetSamples() complete samples of
 * each. A subclass defines how many samples it takes, how advantages are estimated, and its loss.
 * To change only the loss of a learner, override ComputeLoss().
 *
 * A batch is split into shards of a fixed number of samples that threads share, so the result does
 * not depend on Threads. With CloneDecisions the teacher is cloned first, by cross entropy.
 */
class GradientLearner : public Learner
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    GradientLearner();
    ~GradientLearner() override;

    /// @return the present learning rate
    double GetLearningRate() const;

    /// @return present probability that an action is sampled; otherwise the likeliest is taken
    virtual double GetEpsilon() const
    {
        return 1.0;
    }

    std::map<std::string, double> GetFigures() const override;

  protected:
    /// Offset in a block of the teacher's streams.
    static constexpr int64_t TEACHER_STREAMS = ACTION_STREAMS + (1LL << 18);

    /// Defaults of the Attributes that differ between learners.
    struct Defaults
    {
        double gamma{0.9};              //!< Gamma
        double entropyWeight{0.01};     //!< EntropyWeight
        double learningRate{0.001};     //!< LearningRate
        std::string optimizer{"Adam"};  //!< Optimizer
        double optimizerEpsilon{1e-8};  //!< OptimizerEpsilon
        bool useMask{false};            //!< UseMask
        bool normalizeAdvantage{false}; //!< NormalizeAdvantage
        double clipGradient{0.0};       //!< ClipGradient
        uint32_t threads{2};            //!< Threads
        bool critic{true};              //!< Whether the value is fitted
    };

    /// @param tid of a learner  @param defaults its own  @return it with this class's Attributes
    static TypeId AddAttributes(TypeId tid, const Defaults& defaults);

    void DoDispose() override;
    void DoPrepare() override;

    /// @return whether it learns from actions that the network takes; false if a teacher's choices
    /// are all that counts
    virtual bool LearnsFromOwnActions() const
    {
        return true;
    }

    bool HasBeginning() const override;
    bool Begin() override;
    bool RunEpoch() override;
    Evaluation DoEvaluate(int64_t stream) override;
    double TakeScore() override;
    void WriteState(Archive& archive, nlohmann::json& header) const override;
    void ReadState(const Archive& archive,
                   const nlohmann::json& header,
                   const std::string& path) override;

    /// @return number of samples of each problem in an update
    virtual uint32_t GetSamples() const = 0;

    /// @return complete samples that each problem must have before an update; by default one more
    virtual uint32_t GetNeeded() const;

    /// Called at the beginning of an epoch, after all problems were reset.
    virtual void BeginEpoch();

    /// Gather experience and learn from it. @return whether an epoch may end here
    virtual bool Advance();

    /// Make an update; called by the default Advance(). @param network the learner's, or a copy
    /// @param batch without targets and advantages  @param first index of its first problem
    virtual void Learn(PolicyNetwork& network, TrainingBatch& batch, std::size_t first);

    /// @param network as Learn()  @param batch as Learn(), gets targets and advantages  @param
    /// first as Learn()  @return gradient of ComputeLoss() by each parameter
    std::vector<at::Tensor> ComputeGradient(PolicyNetwork& network,
                                            TrainingBatch& batch,
                                            std::size_t first);

    /**
     * The loss that an update minimises; by default that of A2C,
     * mean(-log pi(a) advantage - beta entropy + value weight (value - target)^2).
     * @param batch samples
     * @param output of the network for them, with gradients
     * @return means over the samples
     */
    virtual LossTerms ComputeLoss(const TrainingBatch& batch, const PolicyOutput& output) const;

    /**
     * Targets and advantages of one problem's samples; by default with generalised advantage
     * estimation.
     * @param rewards scaled, GetNeeded() of them or more
     * @param ends nonzero if an episode ends after the sample
     * @param values of the network: of the samples, and of the state reached by the last
     * @param [out] targets that values are fitted to
     * @param [out] advantages of the actions
     */
    virtual void Estimate(std::span<const float> rewards,
                          std::span<const uint8_t> ends,
                          std::span<const float> values,
                          std::span<float> targets,
                          std::span<float> advantages) const;

    /// @return whether Estimate() needs the value of the state reached
    virtual bool IsBootstrapping() const
    {
        return true;
    }

    /// @param first index of a problem  @param problems their number; 0 for all  @return the oldest
    /// GetSamples() samples of each, without targets and advantages
    TrainingBatch Gather(std::size_t first = 0, std::size_t problems = 0);

    /// Remove the samples of Gather(). @param first problem  @param problems number; 0 for all
    void Drop(std::size_t first = 0, std::size_t problems = 0);

    /// A loss, given samples and the network's output for them.
    using LossFunction = std::function<LossTerms(const TrainingBatch&, const PolicyOutput&)>;

    /// @param network evaluates the batch, in several threads or ranks unless it is an actor's copy
    /// @param batch samples  @return output of each shard, with gradients if they are enabled and
    /// the shard is this rank's
    std::vector<PolicyOutput> Forward(PolicyNetwork& network, const TrainingBatch& batch) const;

    /// Estimate() for every problem of a batch, and normalise. @param network for the values of
    /// the states reached  @param batch gets targets and advantages  @param values of the samples,
    /// [n]  @param first index of the batch's first problem
    void ComputeAdvantages(PolicyNetwork& network,
                           TrainingBatch& batch,
                           const at::Tensor& values,
                           std::size_t first) const;

    /// The same by the network's present values, without gradients. @param network see above
    /// @param batch see above  @param first see above
    void EstimateAdvantages(PolicyNetwork& network, TrainingBatch& batch, std::size_t first) const;

    /**
     * @param network whose parameters are concerned
     * @param batch samples with targets and advantages
     * @param loss loss function
     * @param outputs of Forward() with gradients; none: they are computed shard by shard
     * @return gradient of the loss by each parameter; undefined if it does not depend on it
     * @throws OdcnError when the loss is not finite
     */
    std::vector<at::Tensor> Differentiate(PolicyNetwork& network,
                                          const TrainingBatch& batch,
                                          const LossFunction& loss,
                                          std::vector<PolicyOutput> outputs);

    /// @param parcel passes a gradient
    /// @param [in,out] gradient by each parameter
    void PassGradient(Parcel& parcel, std::vector<at::Tensor>& gradient) const;

    /// @return ComputeLoss() as a function
    LossFunction GetLoss() const;

    /// One step of the optimiser on the learner's network. @param gradient of all parameters
    /// @param learningRate step size  @throws OdcnError when the gradient is not finite
    void Step(const std::vector<at::Tensor>& gradient, double learningRate);

    /// @return whether the epoch or the training has all its decisions
    bool IsEpochOver() const;

    /// @return how actions are chosen at present
    Exploration GetExploration() const;

    /// @param network a network  @return its logits, for rollouts
    static Inference InferenceOf(PolicyNetwork& network);

    /// @param rewards as received  @return rewards to learn from
    std::vector<float> Scale(const std::vector<float>& rewards) const;

    /// Reset the teacher and assign its random streams. @param attribute for the error
    /// @param stream first stream of the present block  @throws OdcnError without a teacher
    void RestartTeacher(const std::string& attribute, int64_t stream);

    /// @return the teacher's next GetSamples() samples of each problem
    TrainingBatch CollectFromTeacher();

    /// One step towards the teacher's decisions. @param batch samples  @param values whether to fit
    /// them to the teacher's rewards  @param learningRate step size
    void Imitate(TrainingBatch& batch, bool values, double learningRate);

    /// @return a stream for the order of an update's samples; different for each update
    int64_t GetShuffleStream() const;

    /// @param i index of a problem  @param n number of samples  @return views of its samples
    TrainingBatch View(std::size_t i, std::size_t n);

    std::unique_ptr<Rollout> m_rollout; //!< Steps the problems
    double m_gamma{0};                  //!< Discount factor
    double m_entropyWeight{0};          //!< beta
    double m_valueWeight{0};            //!< Weight of the value loss
    bool m_normalizeAdvantage{false};   //!< Whether to normalise in each update

    std::map<std::string, double> m_figures; //!< Of the last update; protected by m_lock
    std::mutex m_lock;                       //!< For learners whose threads share the network

  private:
    /// @param tid of a learner with a critic  @return it with the critic's Attributes
    static TypeId AddCriticAttributes(TypeId tid);
    /// Clone with samples used once. @return whether it was not stopped
    bool CloneStream();
    /// Clone with passes through a set of samples. @return whether it was not stopped
    bool CloneByPasses();
    /// @return samples of the teacher without duplicates
    TrainingBatch CollectCloneSet();
    /// @param set samples  @return share in which the network's likeliest action is the teacher's
    double MeasureAccuracy(const TrainingBatch& set);
    /// Call the progress function if it is due.
    void ReportBeginning();
    /// Clone a teacher. @return whether it was not stopped
    bool Clone();
    /// Learn the value alone. @return whether it was not stopped
    bool LearnCritic();
    /// Create m_optimizer.
    void MakeOptimizer();
    /// @param n number of samples  @return number of shards
    std::size_t GetShards(int64_t n) const;
    /// @param network of the learner or a copy  @return number of threads that may share a batch
    uint32_t GetBatchThreads(const PolicyNetwork& network) const;
    /// @param network of the learner or a copy  @return ranks that share a batch
    Ranks& GetBatchRanks(const PolicyNetwork& network) const;
    /**
     * @param network whose parameters are concerned
     * @param loss loss function
     * @param part samples of a shard
     * @param output of the network for them, with gradients; none: it is computed
     * @param weight of the shard
     * @param [out] figures of the loss, weighted
     * @return gradient of the weighted loss by each parameter
     * @throws OdcnError when the loss is no number that depends on the parameters
     */
    std::vector<at::Tensor> DifferentiateShard(PolicyNetwork& network,
                                               const LossFunction& loss,
                                               const TrainingBatch& part,
                                               std::optional<PolicyOutput> output,
                                               double weight,
                                               std::map<std::string, double>& figures) const;
    /// @param ranks that share the shards  @param gradients by shard, those of this rank's share
    /// @param defined whether any shard has a gradient, by parameter, if there are several ranks
    /// @return sum in the order of the shards
    std::vector<at::Tensor> SumShards(Ranks& ranks,
                                      std::vector<std::vector<at::Tensor>>& gradients,
                                      const std::vector<uint8_t>& defined) const;

    double m_gaeLambda{0};           //!< lambda of GAE
    double m_learningRate{0};        //!< Initial
    double m_finalLearningRate{0};   //!< Fraction left at the end of the schedule
    uint64_t m_scheduleDecisions{0}; //!< Length of the schedule
    std::string m_optimizerName;     //!< LibTorch's name
    double m_momentum{0};            //!< SGD, RMSprop
    double m_weightDecay{0};         //!< All
    double m_rmsDecay{0};            //!< RMSprop
    double m_optimizerEpsilon{0};    //!< Adam, AdamW, RMSprop, Adagrad
    double m_rewardScale{0};         //!< Factor on rewards
    double m_clipGradient{0};        //!< Largest norm; 0 for no limit
    uint64_t m_epochDecisions{0};    //!< Length of an epoch
    uint64_t m_warmUpDecisions{0};   //!< In each problem, before an epoch
    bool m_warmUpByTeacher{true};    //!< Whether the teacher makes these
    bool m_evaluationSampled{false}; //!< Whether evaluations sample actions
    uint64_t m_criticDecisions{0};   //!< Decisions from which only the value is learnt
    uint64_t m_cloneDecisions{0};    //!< Decisions of the teacher to clone
    double m_cloneLearningRate{0};   //!< While cloning
    double m_cloneOwnStates{0};      //!< Last share of cloning in the network's own states
    uint32_t m_clonePasses{0};       //!< Through a set; 0 to use samples once
    uint32_t m_cloneSamples{0};      //!< Per step in a pass
    double m_cloneValidation{0};     //!< Share of a set used for validation
    double m_cloneAccuracy{0};       //!< Validation accuracy at which cloning ends

    std::unique_ptr<Rollout> m_evaluationRollout;         //!< Steps the evaluation problems
    std::unique_ptr<torch::optim::Optimizer> m_optimizer; //!< Of m_network
    uint64_t m_epochBegun{0};                             //!< Decisions when the epoch began
    uint64_t m_cloned{0};                                 //!< Decisions of the teacher so far
};

} // namespace ns3::odcn

#endif /* ODCN_GRADIENT_LEARNER_H */
