// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_POLICY_NETWORK_H
#define ODCN_POLICY_NETWORK_H

#include "ns3/odcn-decision-problem.h"
#include "ns3/odcn-graph-observation.h"

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
 * Networks of agents, for those who write one. This is the only public header of odcn that includes
 * LibTorch.
 */

namespace ns3::odcn
{

/// The sizes that a network is built for.
struct ProblemShape
{
    std::vector<int64_t> observation;              //!< Dimensions of one observation
    int64_t actions{0};                            //!< Number of actions
    std::shared_ptr<const GraphObservation> graph; //!< Null where an observation is no graph

    ProblemShape() = default;
    /// @param problem to decide
    explicit ProblemShape(const DecisionProblem& problem);

    /// @return floats of one observation
    int64_t GetSize() const;

    /// @return numbers that describe one action: those of a block layout {features, actions}, or of
    /// a candidate node of a graph  @throws OdcnError when the observation has no such layout
    int64_t GetFeatures() const;

    /// @param observations [n, observation...]  @return the numbers of each action, [n, actions,
    /// GetFeatures()]
    torch::Tensor GetActions(const torch::Tensor& observations) const;
};

/// Output of a network for n observations.
struct PolicyOutput
{
    torch::Tensor logits; //!< [n, actions]
    torch::Tensor values; //!< [n]; zeros where a network estimates none
};

/**
 * @ingroup odcn
 *
 * A policy and a value estimate in one trainable module. A network of one's own derives from it,
 * registers its layers as in any torch::nn::Module, and is made known by ODCN_REGISTER_NETWORK:
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
 * the constructor's second argument; users set them in words, "TwoLayers[units=32|hidden=8,8]".
 *
 * forward() must not depend on the other rows of a batch, and is called by several threads at once
 * without changing the module.
 */
class PolicyNetwork : public torch::nn::Module
{
  public:
    /// @param observations [n, observation...], float  @return logits and values
    virtual PolicyOutput forward(torch::Tensor observations) = 0;

    /// Logits alone, where the value takes extra work. @param observations as of forward()
    /// @return [n, actions]
    virtual torch::Tensor GetLogits(torch::Tensor observations);

    /// forward(), checked. @param observations as of forward()  @return logits and values
    /// @throws OdcnError when they have another form
    PolicyOutput Evaluate(const torch::Tensor& observations);

    /**
     * GetLogits() of a batch, without gradients, checked.
     * @param observations [n][observation size]
     * @param n number of observations
     * @param [out] logits [n][actions]
     * @throws OdcnError when GetLogits() returns a tensor of another form
     */
    void Infer(const float* observations, std::size_t n, float* logits);

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
     * As Create(), from a file's data.
     * @param name of a registered network
     * @param options JSON object; defaults replace what it leaves out
     * @param shape of the problem
     * @return the network, parameters as its constructor leaves them
     */
    static std::shared_ptr<PolicyNetwork> Build(const std::string& name,
                                                const std::string& options,
                                                const ProblemShape& shape);

    /// @return names of all registered networks, sorted
    static std::vector<std::string> GetNames();

    /// @return a network of the same kind with equal parameters
    std::shared_ptr<PolicyNetwork> Copy() const;

    /// @return the name it was created by
    const std::string& GetName() const
    {
        return m_name;
    }

    /// @return all its options as a JSON object
    const std::string& GetOptions() const
    {
        return m_options;
    }

    /// @return what it was built for
    const ProblemShape& GetShape() const
    {
        return m_shape;
    }

    /// @param problem to decide  @throws OdcnError when built for another size or another graph
    void RequireFit(const DecisionProblem& problem) const;

    /// @param where for the error, e.g. a file name  @throws OdcnError that names the first
    /// parameter with a number that is not finite
    void RequireFinite(const std::string& where) const;

    /// @return those parameters() that the logits depend on, in their order
    std::vector<torch::Tensor> GetPolicyParameters();

    /// Makes a network of given options and shape.
    using Maker = std::function<std::shared_ptr<PolicyNetwork>(const nlohmann::json& options,
                                                               const ProblemShape& shape)>;

    /// For ODCN_REGISTER_NETWORK. @return true  @throws OdcnError when the name is taken
    static bool Register(const std::string& name, const nlohmann::json& defaults, Maker maker);

    /// Register network T under a name. @return true  @throws OdcnError when the name is taken
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

    std::string m_name;    //!< Registered
    std::string m_options; //!< JSON object
    ProblemShape m_shape;  //!< Built for
};

/**
 * @ingroup odcn
 *
 * A network of two stacks of dense layers: one maps rows of numbers to logits, the other one row to
 * the value. Describe() makes the rows from an observation, without parameters. AgentPolicy decides
 * by such a network without LibTorch's overhead for a single state (its Attribute FastPath).
 */
class DenseNetwork : public PolicyNetwork
{
  public:
    PolicyOutput forward(torch::Tensor observations) override;
    torch::Tensor GetLogits(torch::Tensor observations) override;

    /**
     * @param observation one observation
     * @param [out] rows [actions / outputs of the policy stack][its inputs]
     * @param [out] pooled input of the value stack; null when not wanted
     */
    virtual void Describe(const float* observation, float* rows, float* pooled) const = 0;

    /// @return the layers that compute logits
    const torch::nn::Sequential& GetPolicy() const
    {
        return m_policy;
    }

  protected:
    /// Set both stacks; in the constructor. @param shape of the problem  @param policy MakeStack()
    /// @param value MakeStack()
    void SetStacks(const ProblemShape& shape,
                   torch::nn::Sequential policy,
                   torch::nn::Sequential value);

  private:
    /// @param observations [n, observation...]  @param [out] pooled or null  @return rows
    torch::Tensor DescribeAll(const torch::Tensor& observations, torch::Tensor* pooled) const;

    torch::nn::Sequential m_policy{nullptr}; //!< Rows to logits
    torch::nn::Sequential m_value{nullptr};  //!< Pooled row to the value
    int64_t m_actions{0};                    //!< Of the problem
    int64_t m_size{0};                       //!< Floats of an observation
    int64_t m_policyInputs{0};               //!< Of a row
    int64_t m_valueInputs{0};                //!< Of the pooled row
    int64_t m_rows{0};                       //!< Of an observation
};

/// @param activation Elu, Relu or Tanh  @return the layer  @throws OdcnError for any other name
torch::nn::AnyModule MakeActivation(const std::string& activation);

/**
 * Make linear layers with an activation between them.
 * @param inputs of the first
 * @param hidden outputs of each hidden layer; empty for a linear map
 * @param outputs of the last
 * @param activation Elu, Relu or Tanh
 * @return the layers
 * @throws OdcnError when a size or the name of the activation is wrong
 */
torch::nn::Sequential MakeStack(int64_t inputs,
                                const std::vector<int64_t>& hidden,
                                int64_t outputs,
                                const std::string& activation);

/// Samples to learn from; n is the number of samples.
struct TrainingBatch
{
    torch::Tensor observations;  //!< [n, observation...]
    torch::Tensor masks;         //!< [n, actions], bool, 1 for allowed; undefined without masks
    torch::Tensor actions;       //!< [n], int64
    torch::Tensor probabilities; //!< [n], of the action when sampled; 1 where it was not sampled
    torch::Tensor targets;       //!< [n], of the value
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

    /// @param rows [m], int64  @return those samples, copied
    TrainingBatch Take(const torch::Tensor& rows) const;

    /// @param parts batches with the same fields  @return their samples, copied
    static TrainingBatch Join(const std::vector<TrainingBatch>& parts);
};

/// A loss and its parts.
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
 * Make a network known by its class name to programs, learners and checkpoints.
 * @param type class that derives from ns3::odcn::PolicyNetwork
 */
#define ODCN_REGISTER_NETWORK(type)                                                                \
    [[maybe_unused]] static const bool g_registered##type =                                        \
        ::ns3::odcn::PolicyNetwork::Register<type>(#type);

#endif /* ODCN_POLICY_NETWORK_H */
