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

constexpr int64_t EXPANSION = 2;

/// One pre-norm block of a transformer: self-attention, then a feed-forward part for each action.
struct AttentionBlock : torch::nn::Module
{
    AttentionBlock(int64_t units, int64_t heads)
        : heads(heads),
          norm(register_module("norm", MakeNorm(units))),
          queryKeyValue(register_module("queryKeyValue", torch::nn::Linear(units, 3 * units))),
          output(register_module("output", torch::nn::Linear(units, units))),
          feedForward(
              register_module("feedForward",
                              torch::nn::Sequential(MakeNorm(units),
                                                    torch::nn::Linear(units, EXPANSION * units),
                                                    torch::nn::ReLU(),
                                                    torch::nn::Linear(EXPANSION * units, units))))
    {
    }

    /// @param units of an embedding  @return the layer
    static torch::nn::LayerNorm MakeNorm(int64_t units)
    {
        return torch::nn::LayerNorm(torch::nn::LayerNormOptions({units}));
    }

    /// @param x embeddings [n, actions, units]  @return new embeddings, of the same shape
    torch::Tensor forward(torch::Tensor x)
    {
        const int64_t n = x.size(0);
        const int64_t actions = x.size(1);
        const int64_t units = x.size(2);
        // [3, n, heads, actions, units / heads]
        const auto parts = queryKeyValue(norm(x))
                               .view({n, actions, 3, heads, units / heads})
                               .permute({2, 0, 3, 1, 4});
        const double scale = 1.0 / std::sqrt(static_cast<double>(units / heads));
        const auto weights = (parts[0] * scale).matmul(parts[1].transpose(2, 3)).softmax(3);
        const auto mixed = weights.matmul(parts[2]).transpose(1, 2).reshape({n, actions, units});
        x = x + output(mixed);
        return x + feedForward->forward(x);
    }

    int64_t heads;                     //!< Number of attention heads
    torch::nn::LayerNorm norm;         //!< Before the attention
    torch::nn::Linear queryKeyValue;   //!< Projections of all heads
    torch::nn::Linear output;          //!< Projection of all heads together
    torch::nn::Sequential feedForward; //!< With its norm
};

/**
 * Attention over the actions (racks, servers, slots): the features of each action are embedded,
 * blocks of self-attention relate every action to all others, and a linear layer computes the logit
 * of each embedding. The value is computed from the mean embedding. The input is that of
 * ProblemShape::GetActions(); any number of actions is supported.
 */
class Attention : public PolicyNetwork
{
  public:
    /// Options of the network.
    struct Options
    {
        int64_t units{64}; //!< Units of an embedding
        int64_t heads{4};  //!< Attention heads, which share the units equally
        int64_t layers{2}; //!< Number of blocks
        NLOHMANN_DEFINE_TYPE_INTRUSIVE_WITH_DEFAULT(Options, units, heads, layers)
    };

    Attention(const ProblemShape& shape, const Options& options)
        : m_problem(shape)
    {
        if (options.layers < 0 || options.layers > MAX_NETWORK_LAYERS)
        {
            throw OdcnError::InOption("layers",
                                      std::to_string(options.layers),
                                      "from 0 to " + std::to_string(MAX_NETWORK_LAYERS));
        }
        if (options.heads < 1 || options.units % options.heads != 0)
        {
            throw OdcnError::InOption("heads",
                                      std::to_string(options.heads),
                                      "a divisor of the " + std::to_string(options.units) +
                                          " units");
        }
        // The first stack checks the number of units.
        m_embedding =
            register_module("embedding",
                            MakeStack(shape.GetFeatures(), {options.units}, options.units, "Relu"));
        m_blocks = register_module("blocks", torch::nn::Sequential());
        for (int64_t k = 0; k < options.layers; ++k)
        {
            m_blocks->push_back(AttentionBlock(options.units, options.heads));
        }
        m_norm = register_module("norm", AttentionBlock::MakeNorm(options.units));
        m_logit = register_module("logit", torch::nn::Linear(options.units, 1));
        m_value = register_module("value", MakeStack(options.units, {options.units}, 1, "Relu"));
    }

    PolicyOutput forward(torch::Tensor observations) override
    {
        auto x = m_embedding->forward(m_problem.GetActions(observations));
        x = m_blocks->is_empty() ? x : m_blocks->forward(x);
        x = m_norm(x);
        return {m_logit(x).squeeze(2), m_value->forward(x.mean(1)).flatten()};
    }

  private:
    ProblemShape m_problem;                     //!< Shape it was built for
    torch::nn::Sequential m_embedding{nullptr}; //!< Features to embeddings
    torch::nn::Sequential m_blocks{nullptr};    //!< Attention blocks
    torch::nn::LayerNorm m_norm{nullptr};       //!< After the last block
    torch::nn::Linear m_logit{nullptr};         //!< Embedding to logit
    torch::nn::Sequential m_value{nullptr};     //!< Mean embedding to value
};

ODCN_REGISTER_NETWORK(Attention)

} // namespace

} // namespace ns3::odcn
