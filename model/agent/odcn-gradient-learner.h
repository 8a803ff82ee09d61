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
#include <span>
#include <string>
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
 * Base of learners that follow the gradient of a loss, by LibTorch's autograd and optimisers. All
 * problems are stepped side by side; an update takes the first GetSamples() complete samples of
 * each. A subclass says how many samples it takes, how advantages are estimated, and what its loss
 * is. To change only the loss of a learner, override ComputeLoss().
 *
 * A batch is cut into shards of a fixed number of samples that threads share, so the result does
 * not depend on Threads. CloneDecisions first clones the teacher, by cross entropy.
 */
class GradientLearner : public Learner
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    GradientLearner();
    ~GradientLearner() override;

    /// @return the learning rate at present
    double GetLearningRate() const;

    /// @return the probability that an action is sampled at present; the likeliest is taken else
    virtual double GetEpsilon() const;

    std::map<std::string, double> GetFigures() const override;

  protected:
    /// Streams within a block from which a teacher decides.
    static constexpr int64_t TEACHER_STREAMS = ACTION_STREAMS + (1LL << 18);

    /// Defaults of the Attributes that learners do not agree on.
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

    /// @param tid of a learner  @param defaults its own  @return with the Attributes of this class
    static TypeId AddAttributes(TypeId tid, const Defaults& defaults);

    void DoDispose() override;
    void DoPrepare() override;
    bool HasBeginning() const override;
    bool Begin() override;
    bool RunEpoch() override;
    Evaluation DoEvaluate() override;
    double TakeScore() override;
    void WriteState(Archive& archive, nlohmann::json& header) const override;
    void ReadState(const Archive& archive,
                   const nlohmann::json& header,
                   const std::string& path) override;

    /// @return samples that each problem brings to an update
    virtual uint32_t GetSamples() const = 0;

    /// @return complete samples that each problem must have before an update; one more by default
    virtual uint32_t GetNeeded() const;

    /// An epoch begins: all problems were reset.
    virtual void BeginEpoch();

    /// Gather experience and learn from it. @return whether an epoch may end here
    virtual bool Advance();

    /// Make an update, unless Advance() is overridden. @param network the learner's, or a copy of
    /// it
    /// @param batch without targets and advantages  @param first problem of the batch
    virtual void Learn(PolicyNetwork& network, TrainingBatch& batch, std::size_t first);

    /**
     * The loss that an update descends: that of A2C by default,
     * mean(-log pi(a) advantage - beta entropy + value weight (value - target)^2).
     * @param batch samples
     * @param output of the network for them, with gradients
     * @return means over the samples
     */
    virtual LossTerms ComputeLoss(const TrainingBatch& batch, const PolicyOutput& output) const;

    /**
     * Targets and advantages of one problem's samples; by generalised advantage estimation by
     * default.
     * @param rewards scaled, GetNeeded() of them or more
     * @param ends nonzero where an episode ends after the sample
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
    virtual bool IsBootstrapping() const;

    /// @param first problem  @param problems how many; 0 for all  @return the oldest GetSamples()
    /// of each, without targets and advantages
    TrainingBatch Gather(std::size_t first = 0, std::size_t problems = 0);

    /// Forget the samples of Gather(). @param first problem  @param problems how many; 0 for all
    void Drop(std::size_t first = 0, std::size_t problems = 0);

    /// A loss of samples and of what the network makes of them.
    using LossFunction = std::function<LossTerms(const TrainingBatch&, const PolicyOutput&)>;

    /// @param network evaluates the batch, by several threads unless it is an actor's copy
    /// @param batch samples  @return output of each shard, with gradients if they are enabled
    std::vector<PolicyOutput> Forward(PolicyNetwork& network, const TrainingBatch& batch) const;

    /// Estimate() for every problem of a batch, and normalise. @param network for the values of
    /// the states reached  @param batch gets targets and advantages  @param values of the samples,
    /// [n]  @param first problem of the batch
    void ComputeAdvantages(PolicyNetwork& network,
                           TrainingBatch& batch,
                           const at::Tensor& values,
                           std::size_t first) const;

    /**
     * @param network whose parameters
     * @param batch samples with targets and advantages
     * @param loss of them
     * @param outputs of Forward() with gradients; empty to compute them shard by shard
     * @return gradient of the loss by each parameter; undefined where it does not depend on it
     * @throws OdcnError when the loss is not finite
     */
    std::vector<at::Tensor> Differentiate(PolicyNetwork& network,
                                          const TrainingBatch& batch,
                                          const LossFunction& loss,
                                          std::vector<PolicyOutput> outputs = {});

    /// @return ComputeLoss() as a function
    LossFunction GetLoss() const;

    /// One step of the optimiser on the learner's network. @param gradient of all parameters
    /// @param learningRate step size  @throws OdcnError when the gradient is not finite
    void Step(const std::vector<at::Tensor>& gradient, double learningRate);

    /// @return whether the epoch has all its decisions, or the training has
    bool IsEpochOver() const;

    /// @return how actions are to be chosen now
    Exploration GetExploration() const;

    /// @param network any  @return its logits, for rollouts
    static Inference InferenceOf(PolicyNetwork& network);

    /// @return rewards as learnt from  @param rewards as they came
    std::vector<float> Scale(const std::vector<float>& rewards) const;

    /// Reset the teacher, with random streams of its own. @param attribute that asks for a teacher;
    /// throws OdcnError when there is none  @param stream first stream of the present block
    void RestartTeacher(const std::string& attribute, int64_t stream);

    /// @return the teacher's next GetSamples() samples of each problem
    TrainingBatch CollectFromTeacher();

    /// One step towards the teacher's decisions. @param batch samples  @param values whether they
    /// are fitted to the teacher's rewards  @param learningRate step size
    void Imitate(TrainingBatch& batch, bool values, double learningRate);

    /// @return a stream for the order of an update's samples, another for each update
    int64_t GetShuffleStream() const;

    /// @return samples of one problem as views  @param i problem  @param n number of samples
    TrainingBatch View(std::size_t i, std::size_t n);

    std::unique_ptr<Rollout> m_rollout; //!< Steps the problems
    double m_gamma{0};                  //!< Discount factor
    double m_entropyWeight{0};          //!< beta
    double m_valueWeight{0};            //!< Of the value's loss
    bool m_normalizeAdvantage{false};   //!< For each update

    std::map<std::string, double> m_figures; //!< Of the last update; under m_lock
    std::mutex m_lock;                       //!< For learners whose threads share the network

  private:
    /// @param tid of a learner that fits a value  @return with the Attributes of such
    static TypeId AddCriticAttributes(TypeId tid);
    /// Clone by samples seen once. @return whether it was not stopped
    bool CloneStream();
    /// Clone by passes through a set of samples. @return whether it was not stopped
    bool CloneByPasses();
    /// @return samples of the teacher, none twice
    TrainingBatch CollectCloneSet();
    /// @param set samples  @return part in which the network's likeliest action is the teacher's
    double MeasureAccuracy(const TrainingBatch& set);
    /// Call the progress function if it is due.
    void ReportCloning();
    /// Make m_optimizer anew.
    void MakeOptimizer();
    /// @param n samples  @return number of shards they are cut into
    std::size_t GetShards(int64_t n) const;
    /// @param network of the learner or a copy  @return threads that may share a batch
    uint32_t GetBatchThreads(const PolicyNetwork& network) const;

    double m_gaeLambda{0};           //!< lambda
    double m_learningRate{0};        //!< At the start
    double m_finalLearningRate{0};   //!< Fraction at the end of the schedule
    uint64_t m_scheduleDecisions{0}; //!< Length of the schedule
    std::string m_optimizerName;     //!< LibTorch's
    double m_momentum{0};            //!< SGD, RMSprop
    double m_weightDecay{0};         //!< All
    double m_rmsDecay{0};            //!< RMSprop
    double m_optimizerEpsilon{0};    //!< Adam, AdamW, RMSprop, Adagrad
    double m_rewardScale{0};         //!< Of all rewards
    double m_clipGradient{0};        //!< Greatest norm; 0 for none
    uint64_t m_epochDecisions{0};    //!< Length of an epoch
    uint64_t m_warmUpDecisions{0};   //!< By the teacher, in each problem, before an epoch
    bool m_evaluationSampled{false}; //!< Whether evaluations sample actions
    uint64_t m_cloneDecisions{0};    //!< Of the teacher
    double m_cloneLearningRate{0};   //!< While cloning
    uint32_t m_clonePasses{0};       //!< Through a set; 0 for a stream
    uint32_t m_cloneSamples{0};      //!< Of a step in a pass
    double m_cloneValidation{0};     //!< Part of a set that is not learnt from
    double m_cloneAccuracy{0};       //!< On that part, where cloning ends

    std::unique_ptr<Rollout> m_evaluationRollout;         //!< Steps the evaluation problems
    std::unique_ptr<torch::optim::Optimizer> m_optimizer; //!< Of m_network
    uint64_t m_epochBegun{0};                             //!< Decisions when the epoch began
    uint64_t m_cloned{0};                                 //!< Decisions of the teacher so far
};

} // namespace ns3::odcn

#endif /* ODCN_GRADIENT_LEARNER_H */
