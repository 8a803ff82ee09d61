// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-a2c-learner.h"

#include "ns3/double.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnA2cLearner);

TypeId
OdcnA2cLearner::GetTypeId()
{
    static TypeId tid = AddRouletteAttributes(AddAttributes(TypeId("ns3::odcn::OdcnA2cLearner")
                                                                .SetParent<OdcnActorCriticLearner>()
                                                                .SetGroupName("Odcn")
                                                                .AddConstructor<OdcnA2cLearner>(),
                                                            {}));
    return tid;
}

TypeId
OdcnA2cLearner::AddRouletteAttributes(TypeId tid)
{
    return tid
        .AddAttribute("Window",
                      "L: rewards that are summed up for one sample (Eq. 2).",
                      UintegerValue(50),
                      MakeUintegerAccessor(&OdcnA2cLearner::m_window),
                      MakeUintegerChecker<uint32_t>(1, 1000000))
        .AddAttribute("UpdateSamples",
                      "Samples that each environment brings to an update; 0 for as many "
                      "as Window.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&OdcnA2cLearner::m_updateSamples),
                      MakeUintegerChecker<uint32_t>(0, 1000000))
        .AddAttribute("Returns",
                      "What advantages are made from.",
                      CompatEnumValue<ReturnKind>(WINDOW),
                      CompatEnumAccessor<ReturnKind>(&OdcnA2cLearner::m_returns),
                      MakeEnumChecker(WINDOW, "Window", GAE, "Gae"))
        .AddAttribute("Epsilon",
                      "Probability at the start that an action is drawn by roulette; "
                      "otherwise the likeliest is taken.",
                      DoubleValue(1.0),
                      MakeDoubleAccessor(&OdcnA2cLearner::m_epsilon),
                      MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("EpsilonStep",
                      "epsilon_0: what each update takes off Epsilon.",
                      DoubleValue(1e-05),
                      MakeDoubleAccessor(&OdcnA2cLearner::m_epsilonStep),
                      MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("EpsilonMin",
                      "epsilon_min: where that ends.",
                      DoubleValue(0.5),
                      MakeDoubleAccessor(&OdcnA2cLearner::m_epsilonMin),
                      MakeDoubleChecker<double>(0.0, 1.0));
}

double
OdcnA2cLearner::GetEpsilon() const
{
    return std::max(m_epsilon - m_epsilonStep * static_cast<double>(GetUpdates()), m_epsilonMin);
}

uint32_t
OdcnA2cLearner::GetSamples() const
{
    return m_updateSamples ? m_updateSamples : m_window;
}

uint32_t
OdcnA2cLearner::GetNeeded() const
{
    return m_returns == GAE ? OdcnActorCriticLearner::GetNeeded() : GetSamples() + m_window - 1;
}

bool
OdcnA2cLearner::IsBootstrapping() const
{
    return m_returns == GAE;
}

void
OdcnA2cLearner::Estimate(std::span<const float> rewards,
                         std::span<const uint8_t> ends,
                         std::span<const float> values,
                         std::span<float> targets,
                         std::span<float> advantages) const
{
    if (m_returns == GAE)
    {
        OdcnActorCriticLearner::Estimate(rewards, ends, values, targets, advantages);
        return;
    }
    OdcnWindowReturns(rewards, ends, m_window, GetGamma(), targets);
    for (std::size_t k = 0; k < targets.size(); ++k)
    {
        advantages[k] = targets[k] - values[k];
    }
}

void
OdcnA2cLearner::Learn(Batch& batch)
{
    Forward(batch);
    ComputeAdvantages(batch);
    const auto term =
        [&](std::size_t i, std::span<const float> chances, double weight, std::span<float> dLogits)
    {
        return OdcnPolicyLoss(chances,
                              batch.actions[i],
                              batch.advantages[i],
                              GetEntropyWeight(),
                              weight,
                              dLogits);
    };
    Descend(batch, term, batch.learningRate);
}

} // namespace odcn
} // namespace ns3
