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

/**
 * The networks of the ODCN paper: one for the policy and one of the same form for the value, each
 * with five fully connected layers of 128 units with ELU. Any observation is read as a flat row.
 */
class Mlp : public DenseNetwork
{
  public:
    /// Options of the network.
    struct Options
    {
        int64_t layers{5};             //!< Hidden layers of either stack
        int64_t units{128};            //!< Units of each hidden layer
        std::string activation{"Elu"}; //!< After each hidden layer
        NLOHMANN_DEFINE_TYPE_INTRUSIVE_WITH_DEFAULT(Options, layers, units, activation)
    };

    Mlp(const ProblemShape& shape, const Options& options)
        : m_size(shape.GetSize())
    {
        if (options.layers < 0 || options.layers > MAX_NETWORK_LAYERS)
        {
            throw OdcnError::InOption("layers",
                                      std::to_string(options.layers),
                                      "from 0 to " + std::to_string(MAX_NETWORK_LAYERS));
        }
        const std::vector<int64_t> hidden(options.layers, options.units);
        SetStacks(shape,
                  MakeStack(m_size, hidden, shape.actions, options.activation),
                  MakeStack(m_size, hidden, 1, options.activation));
    }

    void Describe(const float* observation, float* rows, float* pooled) const override
    {
        std::copy_n(observation, m_size, rows);
        if (pooled)
        {
            std::copy_n(observation, m_size, pooled);
        }
    }

  private:
    int64_t m_size; //!< Floats of an observation
};

ODCN_REGISTER_NETWORK(Mlp)

} // namespace

} // namespace ns3::odcn
