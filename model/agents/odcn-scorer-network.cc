// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-policy-network.h"

#include "ns3/odcn-error.h"

#include <algorithm>

namespace ns3::odcn
{

namespace
{

/// Inputs for each feature of an action, with inputs=relative.
constexpr int64_t RELATIVE_INPUTS = 8;
/// Inputs of the value for each feature of an action.
constexpr int64_t POOLED_INPUTS = 4;

/// Ranks from 0 (lowest) to 1; equal numbers share the mean of their ranks. @param x numbers
/// @param n number of them  @param [out] ranks first rank  @param step distance of two ranks
void
WriteRanks(const float* x, int64_t n, float* ranks, int64_t step)
{
    // Counting is faster than sorting for the tens of actions that problems have.
    const float scale = n > 1 ? 0.5F / static_cast<float>(n - 1) : 0.0F;
    for (int64_t a = 0; a < n; ++a)
    {
        int twiceBelow = -1;
        for (int64_t b = 0; b < n; ++b)
        {
            twiceBelow += (x[b] < x[a] ? 1 : 0) + (x[b] <= x[a] ? 1 : 0);
        }
        ranks[a * step] = static_cast<float>(twiceBelow) * scale;
    }
}

/**
 * One small network that scores an action, the same for all actions; the scores are the logits.
 *
 * An observation is F blocks of one number per action (the ODCN state is F = 2: all IT features,
 * then all bandwidth features), where a negative number marks an action as infeasible. The inputs
 * of an action are, for each of its F features x: x; whether x < 0; the mean, minimum and maximum x
 * of the feasible actions; the rank of x among all actions, from 0 to 1; x - minimum; maximum - x.
 * That is 8 F = 16 inputs for the ODCN state, with inputs=relative; with inputs=own it is x alone,
 * for features that are sufficient alone. Feasible means that no feature is negative; if no action
 * is feasible, mean, minimum and maximum are taken over all.
 *
 * If the observation is a graph, the candidates' node features take the place of the blocks; links
 * and global features are not used.
 *
 * The value is a separate network on the pooled state: for each feature mean, minimum, maximum over
 * the feasible actions and the fraction of negative ones, then the fraction of feasible actions
 * (4 F + 1).
 *
 * No parameter depends on the number of actions, so a network trained with 16 racks works with 64.
 */
class Scorer : public DenseNetwork
{
  public:
    /// Options of the network.
    struct Options
    {
        std::string inputs{"relative"};           //!< Of an action: "own" features, or "relative"
        std::vector<int64_t> hidden{64, 64};      //!< Hidden layers of the scorer
        std::vector<int64_t> valueHidden{64, 64}; //!< Hidden layers of the value network
        std::string activation{"Elu"};            //!< After each hidden layer
        NLOHMANN_DEFINE_TYPE_INTRUSIVE_WITH_DEFAULT(Options,
                                                    inputs,
                                                    hidden,
                                                    valueHidden,
                                                    activation)
    };

    Scorer(const ProblemShape& shape, const Options& options)
        : m_graph(shape.graph),
          m_actions(shape.actions),
          m_features(shape.GetFeatures()),
          m_relative(options.inputs == "relative")
    {
        if (!m_relative && options.inputs != "own")
        {
            throw OdcnError::InOption("inputs", options.inputs, "relative or own");
        }
        SetStacks(
            shape,
            MakeStack(GetWidth(), options.hidden, 1, options.activation),
            MakeStack(POOLED_INPUTS * m_features + 1, options.valueHidden, 1, options.activation));
    }

    void Describe(const float* observation, float* rows, float* pooled) const override
    {
        const auto blocks =
            m_graph ? GatherBlocks(observation)
                    : std::vector<float>(observation, observation + m_actions * m_features);
        if (m_relative)
        {
            DescribeRelative(blocks.data(), rows, pooled);
            return;
        }
        for (int64_t i = 0; i < m_actions * m_features; ++i)
        {
            rows[i] = blocks[i % m_features * m_actions + i / m_features];
        }
        if (pooled)
        {
            std::vector<float> unused(m_actions * RELATIVE_INPUTS * m_features);
            DescribeRelative(blocks.data(), unused.data(), pooled);
        }
    }

  private:
    /// @return inputs of the scorer
    int64_t GetWidth() const
    {
        return (m_relative ? RELATIVE_INPUTS : 1) * m_features;
    }

    /// @param observation of a graph  @return features of its candidates, in blocks
    std::vector<float> GatherBlocks(const float* observation) const
    {
        std::vector<float> blocks(m_actions * m_features);
        for (int64_t a = 0; a < m_actions; ++a)
        {
            const float* x = m_graph->GetNodes(observation) + m_graph->candidates[a] * m_features;
            for (int64_t f = 0; f < m_features; ++f)
            {
                blocks[f * m_actions + a] = x[f];
            }
        }
        return blocks;
    }

    /// @param blocks [F][actions]  @param [out] rows [actions][8 F]  @param [out] pooled or null
    void DescribeRelative(const float* blocks, float* rows, float* pooled) const
    {
        const int64_t width = RELATIVE_INPUTS * m_features;
        std::vector<uint8_t> feasible(m_actions, 1);
        for (int64_t f = 0; f < m_features; ++f)
        {
            for (int64_t a = 0; a < m_actions; ++a)
            {
                feasible[a] &= blocks[f * m_actions + a] >= 0.0F ? 1 : 0;
            }
        }
        const auto nFeasible = std::count(feasible.begin(), feasible.end(), 1);
        for (int64_t f = 0; f < m_features; ++f)
        {
            const float* x = blocks + f * m_actions;
            float minimum = 0.0F;
            float maximum = 0.0F;
            float sum = 0.0F;
            int64_t counted = 0;
            int64_t negative = 0;
            for (int64_t a = 0; a < m_actions; ++a)
            {
                negative += x[a] < 0.0F ? 1 : 0;
                if (feasible[a] || nFeasible == 0)
                {
                    minimum = counted ? std::min(minimum, x[a]) : x[a];
                    maximum = counted ? std::max(maximum, x[a]) : x[a];
                    sum += x[a];
                    ++counted;
                }
            }
            const float mean = sum / static_cast<float>(counted);
            for (int64_t a = 0; a < m_actions; ++a)
            {
                float* out = rows + a * width + RELATIVE_INPUTS * f;
                out[0] = x[a];
                out[1] = x[a] < 0.0F ? 1.0F : 0.0F;
                out[2] = mean;
                out[3] = minimum;
                out[4] = maximum;
                out[6] = x[a] - minimum;
                out[7] = maximum - x[a];
            }
            WriteRanks(x, m_actions, rows + RELATIVE_INPUTS * f + 5, width);
            if (pooled)
            {
                float* out = pooled + POOLED_INPUTS * f;
                out[0] = mean;
                out[1] = minimum;
                out[2] = maximum;
                out[3] = static_cast<float>(negative) / static_cast<float>(m_actions);
            }
        }
        if (pooled)
        {
            pooled[POOLED_INPUTS * m_features] =
                static_cast<float>(nFeasible) / static_cast<float>(m_actions);
        }
    }

    std::shared_ptr<const GraphObservation> m_graph; //!< Null for blocks
    int64_t m_actions;                               //!< Number of actions
    int64_t m_features;                              //!< F
    bool m_relative;                                 //!< Whether inputs=relative
};

ODCN_REGISTER_NETWORK(Scorer)

} // namespace

} // namespace ns3::odcn
