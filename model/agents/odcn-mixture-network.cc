// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-policy-network.h"

#include "ns3/odcn-error.h"

#include <cmath>

namespace ns3::odcn
{

namespace
{

/**
 * A mixture of experts (Jacobs, Jordan, Nowlan and Hinton, Adaptive Mixtures of Local Experts,
 * 1991). Each expert e scores an action by a weighted sum of its features, w_e . x[a], the same for
 * all actions. The gate, a stack of dense layers with a softmax, reads those features that describe
 * the state (gate), the means over all actions, and gives the experts' weights g_e. While it learns
 * the probability of action a is
 *
 *   sum over e of g_e softmax(w_e . x)[a]
 *
 * over the actions without a negative feature, which marks what is infeasible (over all if there is
 * none). Without gradients the expert with the greatest weight decides alone, so the mixture can be
 * cloned and evolved, but learners that sample from it while they differentiate it refuse it. Sums
 * that are imitated become the experts (AdoptSums()) and stay as they are while fixed is true: what
 * is learnt then is which of them decides in which state, and the network decides exactly as that
 * sum does.
 *
 * The value is a separate network of the means of all features. No parameter depends on the number
 * of actions.
 */
class Mixture : public PolicyNetwork
{
  public:
    /// Options of the network.
    struct Options
    {
        int64_t experts{2};                       //!< Number of experts
        std::vector<std::string> gate{""};        //!< Names of the features that the gate reads
        std::vector<int64_t> hidden{32};          //!< Hidden layers of the gate
        std::vector<int64_t> valueHidden{64, 64}; //!< Hidden layers of the value network
        std::string activation{"Elu"};            //!< After each hidden layer
        bool fixed{true};                         //!< Whether learners leave the experts alone
        NLOHMANN_DEFINE_TYPE_INTRUSIVE_WITH_DEFAULT(Options,
                                                    experts,
                                                    gate,
                                                    hidden,
                                                    valueHidden,
                                                    activation,
                                                    fixed)
    };

    Mixture(const ProblemShape& shape, const Options& options)
        : m_isFixed(options.fixed)
    {
        const int64_t features = shape.GetFeatures();
        if (options.experts < 1 || options.experts > MAX_EXPERTS)
        {
            throw OdcnError::InOption("experts",
                                      std::to_string(options.experts),
                                      "1 to " + std::to_string(MAX_EXPERTS));
        }
        std::vector<int64_t> read;
        for (const std::string& name : options.gate)
        {
            read.push_back(shape.FindFeature(name, "gate"));
        }
        if (read.empty())
        {
            throw OdcnError::InOption("gate", "", "names of the features that the gate reads");
        }
        const auto inputs = static_cast<int64_t>(read.size());
        m_read = torch::tensor(read, torch::kInt64);
        m_gate =
            register_module("gate",
                            MakeStack(inputs, options.hidden, options.experts, options.activation));
        m_value = register_module("value",
                                  MakeStack(features, options.valueHidden, 1, options.activation));
        m_experts = register_parameter("experts",
                                       torch::randn({features, options.experts}) /
                                           std::sqrt(static_cast<double>(features)));
    }

    PolicyOutput forward(torch::Tensor observations) override
    {
        const auto actions = GetShape().GetActions(observations);
        return {Score(actions), m_value->forward(actions.mean(1)).flatten()};
    }

    torch::Tensor GetLogits(torch::Tensor observations) override
    {
        return Score(GetShape().GetActions(observations));
    }

    bool LearnsAsItActs() const override
    {
        return false;
    }

    void AdoptSums(const std::function<Sums()>& getSums) override
    {
        const auto sums = getSums();
        if (sums.empty())
        {
            return;
        }
        const torch::NoGradGuard guard;
        if (static_cast<int64_t>(sums.size()) != m_experts.size(1))
        {
            throw OdcnError::InOption("experts",
                                      std::to_string(m_experts.size(1)),
                                      std::to_string(sums.size()) +
                                          ", the number of sums among the teachers");
        }
        for (std::size_t e = 0; e < sums.size(); ++e)
        {
            m_experts.select(1, static_cast<int64_t>(e)).copy_(SHARPNESS * torch::tensor(sums[e]));
        }
    }

  private:
    /// Greatest number of experts.
    static constexpr int64_t MAX_EXPERTS = 1024;

    /// Factor of the sums that are adopted. It changes no decision, but a choice by the wrong sum
    /// then costs the gate much, and the right one little.
    static constexpr float SHARPNESS = 100;

    /// Taken from the scores of infeasible actions, so that they have no probability.
    static constexpr float INFEASIBLE = 1e4;

    /// @param actions [n, actions, features]
    /// @return logits [n, actions]
    torch::Tensor Score(const torch::Tensor& actions)
    {
        const auto gate = m_gate->forward(actions.index_select(2, m_read).mean(1));
        const auto scores = actions.matmul(m_isFixed ? m_experts.detach() : m_experts);
        if (!torch::GradMode::is_enabled())
        {
            const auto chosen = gate.argmax(1).view({-1, 1, 1}).expand({-1, scores.size(1), 1});
            return scores.gather(2, chosen).squeeze(2);
        }
        const auto marked = actions.lt(0).any(2);
        const auto infeasible = marked.logical_and(marked.all(1, true).logical_not());
        const auto own = torch::log_softmax(scores - INFEASIBLE * infeasible.unsqueeze(2), 1);
        return torch::logsumexp(own + torch::log_softmax(gate, 1).unsqueeze(1), 2);
    }

    bool m_isFixed;                         //!< Whether the experts are left alone
    torch::Tensor m_read;                   //!< Indices of the features that the gate reads
    torch::nn::Sequential m_gate{nullptr};  //!< State to the experts' weights, before the softmax
    torch::nn::Sequential m_value{nullptr}; //!< Means of the features to the value
    torch::Tensor m_experts;                //!< [features, experts]
};

ODCN_REGISTER_NETWORK(Mixture)

} // namespace

} // namespace ns3::odcn
