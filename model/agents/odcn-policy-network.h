// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_POLICY_NETWORK_H
#define ODCN_POLICY_NETWORK_H

#include "ns3/odcn-decision-problem.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <torch/torch.h>
#include <vector>

/**
 * @file
 * @ingroup odcn
 *
 * Networks of agents, for authors of networks. This is the only public header of odcn that includes
 * LibTorch.
 */

namespace ns3::odcn
{

/// Largest number of hidden layers of a network that is given by options.
constexpr int64_t MAX_NETWORK_LAYERS = 64;

/// The sizes that a network is built for.
struct ProblemShape
{
    std::vector<int64_t> observation;              //!< Dimensions of one observation
    int64_t actions{0};                            //!< Number of actions
    std::shared_ptr<const GraphObservation> graph; //!< Null if an observation is no graph
    std::vector<std::string> features;             //!< Names of GetFeatures() values; may be empty

    ProblemShape() = default;
    /// @param problem to be decided
    explicit ProblemShape(const DecisionProblem& problem);

    /// @return floats of one observation
    int64_t GetSize() const;

    /// @return number of values that describe one action: those of a block layout {features,
    /// actions}, or of a candidate node of a graph  @throws OdcnError without such a layout
    int64_t GetFeatures() const;

    /**
     * @param name of a feature of an action; its index, if no feature has that name
     * @param option of a network, for errors
     * @return its index
     * @throws OdcnError when there is no such feature
     */
    int64_t FindFeature(const std::string& name, const std::string& option) const;

    /// @param observations [n, observation...]  @return the values of each action, [n, actions,
    /// GetFeatures()]
    torch::Tensor GetActions(const torch::Tensor& observations) const;
};

/// Output of a network for n observations.
struct PolicyOutput
{
    torch::Tensor logits; //!< [n, actions]
    torch::Tensor values; //!< [n]; zeros if the network estimates none
};

/**
 * @ingroup odcn
 *
 * A policy and a value estimate in one trainable module. A new network derives from this class,
 * registers its layers as in any torch::nn::Module, and is registered by ODCN_REGISTER_NETWORK:
 *
 * @code
 * struct TwoLayers : PolicyNetwork
 * {
 *     torch::nn::Linear hidden, policy, value;
 *     explicit TwoLayers(const ProblemShape& shape)
 *         : hidden(register_module("hidden", torch::nn::Linear(shape.GetSize(), 64))),
 *           policy(register_module("policy", torch::nn::Linear(64, shape.actions))),
 *           value(register_module("value", torch::nn::Linear(64, 1)))
 *     {
 *     }
 *     PolicyOutput forward(torch::Tensor x) override
 *     {
 *         x = torch::relu(hidden(x.flatten(1)));
 *         return {policy(x), value(x).flatten()};
 *     }
 * };
 * ODCN_REGISTER_NETWORK(TwoLayers)
 * @endcode
 *
 * Options are a nested struct Options with NLOHMANN_DEFINE_TYPE_INTRUSIVE_WITH_DEFAULT, passed as
 * the constructor's second argument; users set them as text, "TwoLayers[units=32|hidden=8,8]".
 *
 * The output of forward() for a row must not depend on the other rows of a batch. Several threads
 * call forward() at once; it must not change the module.
 */
class PolicyNetwork : public torch::nn::Module
{
  public:
    /// @param observations [n, observation...], float  @return logits and values
    virtual PolicyOutput forward(torch::Tensor observations) = 0;

    /// Logits alone; override if the value takes extra work. @param observations see forward()
    /// @return [n, actions]
    virtual torch::Tensor GetLogits(torch::Tensor observations);

    /// @return whether the logits are the same with and without gradients; else actions are sampled
    /// from another policy than the one whose gradient is computed, which only cloning allows
    virtual bool LearnsAsItActs() const;

    /// @return whether the logits of an observation are the same, to the last bit, whatever the
    /// other observations of a batch of the same size are; true unless overridden
    virtual bool IsRowIndependent() const;

    /// @return number of samples that a learner differentiates at once, at most; batches are split
    /// for threads and for caches
    virtual int64_t GetShardSamples() const;

    /// Weighted sums: the weight of each feature of an action (ProblemShape::GetFeatures()).
    using Sums = std::vector<std::vector<float>>;

    /**
     * Begin with weighted sums that are to be imitated (Learner::SetSums()). A network that has no
     * use for them does not ask (the default).
     * @param getSums returns the sums among the teachers, each once
     */
    virtual void AdoptSums(const std::function<Sums()>& getSums);

    /// forward(), with a check of its output. @param observations see forward()  @return logits and
    /// values  @throws OdcnError when they have another form
    PolicyOutput Evaluate(const torch::Tensor& observations);

    /**
     * GetLogits() of a batch, without gradients, with a check of its output.
     * @param observations [n][observation size]
     * @param n number of observations
     * @param [out] logits [n][actions]
     * @throws OdcnError when GetLogits() returns a tensor of another form
     */
    void Infer(const float* observations, std::size_t n, float* logits);

    /// Infer(). Arguments: observations [n][observation size], n, [out] logits [n][actions].
    using Inference = std::function<void(const float*, std::size_t, float*)>;

    /**
     * Override where decisions can be evaluated with less overhead than by Infer(), the default.
     * @return Infer() with the present parameters, for one thread, while the network exists
     */
    virtual Inference Freeze();

    /**
     * Build a registered network with random parameters.
     * @param words its name, with options in brackets: "Scorer[hidden=64,64]"
     * @param shape of the problem
     * @param seed of the parameters
     * @return the network
     * @throws OdcnError when there is no such network or option, or it cannot read such a problem
     */
    static std::shared_ptr<PolicyNetwork> Create(const std::string& words,
                                                 const ProblemShape& shape,
                                                 uint64_t seed);

    /**
     * As Create(), with the data of a file.
     * @param name of a registered network
     * @param options JSON object; missing options have their defaults
     * @param shape of the problem
     * @return the network, with the parameters of its constructor
     */
    static std::shared_ptr<PolicyNetwork> Build(const std::string& name,
                                                const std::string& options,
                                                const ProblemShape& shape);

    /// @return names of all registered networks, sorted
    static std::vector<std::string> GetNames();

    /// @return a network of the same kind with equal parameters
    std::shared_ptr<PolicyNetwork> Copy() const;

    /// @return the name it was created with
    const std::string& GetName() const
    {
        return m_name;
    }

    /// @return all its options as a JSON object
    const std::string& GetOptions() const
    {
        return m_options;
    }

    /// @return the shape it was built for
    const ProblemShape& GetShape() const
    {
        return m_shape;
    }

    /// @param problem to be decided  @throws OdcnError if built for another size or another graph
    void RequireFit(const DecisionProblem& problem) const;

    /// @param where for the error, e.g. a file name  @throws OdcnError that names the first
    /// parameter with a number that is not finite
    void RequireFinite(const std::string& where) const;

    /// @return those parameters() that the logits depend on, in their order
    std::vector<torch::Tensor> GetPolicyParameters();

    /// Creates a network with given options and shape.
    using Maker = std::function<std::shared_ptr<PolicyNetwork>(const nlohmann::json& options,
                                                               const ProblemShape& shape)>;

    /// For ODCN_REGISTER_NETWORK. @param name unique, else OdcnError  @param defaults options
    /// @param maker creates it  @return true
    static bool Register(const std::string& name, const nlohmann::json& defaults, Maker maker);

    /// Register network T. @param name unique  @return true  @throws OdcnError when it is taken
    template <typename T>
    static bool Register(const std::string& name)
    {
        if constexpr (requires { typename T::Options; })
        {
            using Options = typename T::Options;
            return Register(name,
                            Options{},
                            [](const nlohmann::json& json, const auto& shape)
                            { return std::make_shared<T>(shape, json.get<Options>()); });
        }
        else
        {
            const auto make = [](const auto&, const auto& s) { return std::make_shared<T>(s); };
            return Register(name, nlohmann::json::object(), make);
        }
    }

  private:
    /// @param n number of observations  @return {n, observation...}
    std::vector<int64_t> GetSizes(int64_t n) const;

    std::string m_name;    //!< Registered name
    std::string m_options; //!< JSON object
    ProblemShape m_shape;  //!< Shape it was built for
};

/**
 * @ingroup odcn
 *
 * A network of two stacks of dense layers: one maps rows of numbers to logits, the other one row to
 * the value. Describe() computes the rows from an observation, without parameters.
 */
class DenseNetwork : public PolicyNetwork
{
  public:
    PolicyOutput forward(torch::Tensor observations) override;
    torch::Tensor GetLogits(torch::Tensor observations) override;
    Inference Freeze() override;

    /// Where an observation is several rows of the products, OpenBLAS's kernels round a row by its
    /// place among more than four.
    bool IsRowIndependent() const override
    {
        return m_rows == 1;
    }

    /**
     * @param observation one observation
     * @param [out] rows [actions / outputs of the policy stack][its inputs]
     * @param [out] pooled input of the value stack; may be null
     */
    virtual void Describe(const float* observation, float* rows, float* pooled) const = 0;

  protected:
    /// Set both stacks; for constructors. @param shape of the problem  @param policy MakeStack()
    /// @param value MakeStack()
    void SetStacks(const ProblemShape& shape,
                   torch::nn::Sequential policy,
                   torch::nn::Sequential value);

  private:
    /// @param observations n observations  @param n number of them  @param [out] pooled may be null
    /// @return rows
    torch::Tensor DescribeAll(const float* observations, int64_t n, torch::Tensor* pooled) const;

    torch::nn::Sequential m_policy{nullptr}; //!< Rows to logits
    torch::nn::Sequential m_value{nullptr};  //!< Pooled row to the value
    int64_t m_actions{0};                    //!< Number of actions
    int64_t m_size{0};                       //!< Floats of an observation
    int64_t m_policyInputs{0};               //!< Numbers of a row
    int64_t m_valueInputs{0};                //!< Numbers of the pooled row
    int64_t m_rows{0};                       //!< Rows of an observation
};

/// @param activation Elu, Relu or Tanh  @return the layer  @throws OdcnError for any other name
torch::nn::AnyModule MakeActivation(const std::string& activation);

/**
 * Make linear layers with an activation between them.
 * @param inputs inputs of the first layer
 * @param hidden outputs of each hidden layer; empty for a linear map
 * @param outputs outputs of the last layer
 * @param activation Elu, Relu or Tanh
 * @return the layers
 * @throws OdcnError when a size or the name of the activation is wrong
 */
torch::nn::Sequential MakeStack(int64_t inputs,
                                const std::vector<int64_t>& hidden,
                                int64_t outputs,
                                const std::string& activation);

/// Samples to learn from; n is their number.
struct TrainingBatch
{
    torch::Tensor observations;  //!< [n, observation...]
    torch::Tensor masks;         //!< [n, actions], bool, 1 for allowed; undefined without masks
    torch::Tensor actions;       //!< [n], int64
    torch::Tensor probabilities; //!< [n], of the action when sampled; 1 where it was not sampled
    torch::Tensor targets;       //!< [n], targets of the value
    torch::Tensor advantages;    //!< [n]

    /// All fields.
    static const std::array<torch::Tensor TrainingBatch::*, 6> FIELDS;

    /// @return n
    int64_t GetN() const
    {
        return actions.size(0);
    }

    /// @param begin first sample  @param end one past the last  @return a view of them
    TrainingBatch Slice(int64_t begin, int64_t end) const;

    /// @param rows [m], int64, indices  @return these samples, copied
    TrainingBatch Take(const torch::Tensor& rows) const;

    /// @param parts batches with the same fields  @return their samples, copied
    static TrainingBatch Join(const std::vector<TrainingBatch>& parts);
};

/// A loss and its components.
struct LossTerms
{
    torch::Tensor total;                          //!< Scalar, mean over the samples; minimised
    std::map<std::string, torch::Tensor> figures; //!< Scalars for the learning curve, by name
};

/**
 * Log-probabilities of the actions; masked actions have probability 0. A mask that allows nothing
 * is ignored.
 * @param logits [n, actions]
 * @param masks [n, actions], bool; undefined for none
 * @return [n, actions]
 */
torch::Tensor MaskedLogSoftmax(const torch::Tensor& logits, const torch::Tensor& masks);

/// @param logProbabilities MaskedLogSoftmax()  @return entropy of each row in nats, [n]
torch::Tensor Entropy(const torch::Tensor& logProbabilities);

} // namespace ns3::odcn

/**
 * @ingroup odcn
 *
 * Register a network under its class name, for programs, learners and checkpoints.
 * @param type class that derives from ns3::odcn::PolicyNetwork
 */
#define ODCN_REGISTER_NETWORK(type)                                                                \
    [[maybe_unused]] static const bool g_registered##type =                                        \
        ::ns3::odcn::PolicyNetwork::Register<type>(#type);

#endif /* ODCN_POLICY_NETWORK_H */
