// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-rack-scorer-network.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/string.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnRackScorerNetwork);

TypeId
OdcnRackScorerNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnRackScorerNetwork")
            .SetParent<OdcnDenseNetwork>()
            .SetGroupName("Odcn")
            .AddConstructor<OdcnRackScorerNetwork>()
            .AddAttribute("Inputs",
                          "By what an action is told: its own features, or also how they stand "
                          "among those of the others.",
                          CompatEnumValue<Inputs>(Inputs::RELATIVE),
                          CompatEnumAccessor<Inputs>(&OdcnRackScorerNetwork::m_inputs),
                          MakeEnumChecker(Inputs::RELATIVE, "Relative", Inputs::OWN, "Own"))
            .AddAttribute("Hidden",
                          "Units of each hidden layer of the scorer, between commas.",
                          StringValue("64,64"),
                          MakeStringAccessor(&OdcnRackScorerNetwork::m_hidden),
                          MakeStringChecker())
            .AddAttribute("ValueHidden",
                          "Units of each hidden layer of the value network, between commas.",
                          StringValue("64,64"),
                          MakeStringAccessor(&OdcnRackScorerNetwork::m_valueHidden),
                          MakeStringChecker())
            .AddAttribute("Activation",
                          "Activation of the hidden layers.",
                          CompatEnumValue<OdcnActivation>(ODCN_ELU),
                          CompatEnumAccessor<OdcnActivation>(&OdcnRackScorerNetwork::m_activation),
                          MakeEnumChecker(ODCN_ELU, "Elu", ODCN_RELU, "Relu", ODCN_TANH, "Tanh"));
    return tid;
}

void
OdcnRackScorerNetwork::DoBuild()
{
    if (!GetGraph() && GetObservationSize() % GetNActions() != 0)
    {
        throw OdcnError("a rack scorer needs as many observed numbers for every action, found " +
                        std::to_string(GetObservationSize()) + " for " +
                        std::to_string(GetNActions()) + " actions");
    }
    m_features = GetGraph() ? GetGraph()->nodeFeatures : GetObservationSize() / GetNActions();
    m_policy = AddStack(GetInputsPerFeature() * m_features,
                        OdcnParseSizes("Hidden", m_hidden),
                        1,
                        m_activation);
    m_value =
        AddStack(4 * m_features + 1, OdcnParseSizes("ValueHidden", m_valueHidden), 1, m_activation);
}

std::vector<uint32_t>
OdcnRackScorerNetwork::GetSignature() const
{
    return {m_features};
}

std::vector<float>
OdcnRackScorerNetwork::TakeBlocks(const float* observation) const
{
    const uint32_t n = GetNActions();
    const float* nodes = GetGraph()->GetNodes(observation);
    std::vector<float> blocks(std::size_t(n) * m_features);
    for (uint32_t a = 0; a < n; ++a)
    {
        const float* x = nodes + std::size_t(GetGraph()->candidates[a]) * m_features;
        for (uint32_t f = 0; f < m_features; ++f)
        {
            blocks[std::size_t(f) * n + a] = x[f];
        }
    }
    return blocks;
}

void
OdcnRackScorerNetwork::Describe(const float* observation, float* actions, float* pooled) const
{
    std::vector<float> blocks;
    if (GetGraph())
    {
        blocks = TakeBlocks(observation);
        observation = blocks.data();
    }
    const uint32_t n = GetNActions();
    const uint32_t each = GetInputsPerFeature();
    const uint32_t width = each * m_features;
    uint32_t nFeasible = 0;
    for (uint32_t a = 0; a < n; ++a)
    {
        bool feasible = true;
        for (uint32_t f = 0; f < m_features; ++f)
        {
            feasible = feasible && observation[f * n + a] >= 0.0F;
        }
        // Parked where the first input goes, until that is written.
        actions[std::size_t(a) * width] = feasible ? 1.0F : 0.0F;
        nFeasible += feasible ? 1 : 0;
    }
    const bool all = nFeasible == 0;
    for (uint32_t f = m_features; f-- > 0;)
    {
        const float* x = observation + std::size_t(f) * n;
        float least = 0.0F;
        float greatest = 0.0F;
        float sum = 0.0F;
        uint32_t counted = 0;
        uint32_t negative = 0;
        for (uint32_t a = 0; a < n; ++a)
        {
            negative += x[a] < 0.0F ? 1 : 0;
            if (all || actions[std::size_t(a) * width] > 0.0F)
            {
                least = counted ? std::min(least, x[a]) : x[a];
                greatest = counted ? std::max(greatest, x[a]) : x[a];
                sum += x[a];
                ++counted;
            }
        }
        const float mean = sum / static_cast<float>(counted);
        if (m_inputs == RELATIVE)
        {
            OdcnRanks(x, n, actions + each * f + 5, width);
        }
        for (uint32_t a = 0; a < n; ++a)
        {
            // The last feature is written first, so that the parked flags outlive their use.
            float* out = actions + std::size_t(a) * width + each * f;
            if (m_inputs == OWN)
            {
                out[0] = x[a];
                continue;
            }
            out[7] = greatest - x[a];
            out[6] = x[a] - least;
            out[4] = greatest;
            out[3] = least;
            out[2] = mean;
            out[1] = x[a] < 0.0F ? 1.0F : 0.0F;
            out[0] = x[a];
        }
        if (pooled)
        {
            pooled[4 * f] = mean;
            pooled[4 * f + 1] = least;
            pooled[4 * f + 2] = greatest;
            pooled[4 * f + 3] = static_cast<float>(negative) / static_cast<float>(n);
        }
    }
    if (pooled)
    {
        pooled[4 * m_features] = static_cast<float>(nFeasible) / static_cast<float>(n);
    }
}

std::optional<OdcnWeightedSum>
OdcnRackScorerNetwork::GetWeightedSum() const
{
    if (m_inputs != OWN || m_policy.layers.size() > 1 || GetGraph())
    {
        return std::nullopt;
    }
    return OdcnWeightedSum{GetParameters().subspan(m_policy.layers[0].weight, m_features),
                           GetParameters()[m_policy.layers[0].bias]};
}

void
OdcnRackScorerNetwork::Infer(const float* observations,
                             uint32_t n,
                             float* logits,
                             Scratch& scratch) const
{
    if (m_inputs != OWN || m_policy.layers.size() > 1)
    {
        OdcnDenseNetwork::Infer(observations, n, logits, scratch);
        return;
    }
    // A weighted sum: features lie one after the other for all actions, so add them up as they lie.
    const uint32_t nActions = GetNActions();
    const float* weight = GetParameters().data() + m_policy.layers[0].weight;
    const float bias = GetParameters()[m_policy.layers[0].bias];
    for (uint32_t i = 0; i < n; ++i)
    {
        const float* x = observations + std::size_t(i) * GetObservationSize();
        float* y = logits + std::size_t(i) * nActions;
        if (const auto* graph = GetGraph())
        {
            for (uint32_t a = 0; a < nActions; ++a)
            {
                const float* node = x + std::size_t(graph->candidates[a]) * m_features;
                y[a] = std::inner_product(weight, weight + m_features, node, bias);
            }
            continue;
        }
        std::fill_n(y, nActions, bias);
        for (uint32_t f = 0; f < m_features; ++f, x += nActions)
        {
            for (uint32_t a = 0; a < nActions; ++a)
            {
                y[a] += weight[f] * x[a];
            }
        }
    }
}

} // namespace odcn
} // namespace ns3
