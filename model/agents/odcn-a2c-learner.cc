// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-a2c-learner.h"

#include "ns3/double.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/odcn-returns.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(A2cLearner);

TypeId
A2cLearner::GetTypeId()
{
    static TypeId tid = AddA2cAttributes(AddAttributes(TypeId("ns3::odcn::A2cLearner")
                                                           .SetParent<GradientLearner>()
                                                           .SetGroupName("Odcn")
                                                           .AddConstructor<A2cLearner>(),
                                                       {}));
    return tid;
}

TypeId
A2cLearner::AddA2cAttributes(TypeId tid)
{
    return tid
        .AddAttribute("Window",
                      "L: number of rewards in the return of a sample (Eq. 2).",
                      UintegerValue(50),
                      MakeUintegerAccessor(&A2cLearner::m_window),
                      MakeUintegerChecker<uint32_t>(1, 1000000))
        .AddAttribute("UpdateSamples",
                      "Number of samples of each problem in an update; 0 for as many "
                      "as Window.",
                      UintegerValue(0),
                      MakeUintegerAccessor(&A2cLearner::m_updateSamples),
                      MakeUintegerChecker<uint32_t>(0, 1000000))
        .AddAttribute("Returns",
                      "How advantages are estimated.",
                      CompatEnumValue<ReturnKind>(WINDOW),
                      CompatEnumAccessor<ReturnKind>(&A2cLearner::m_returns),
                      MakeEnumChecker(WINDOW, "Window", GAE, "Gae"))
        .AddAttribute("Epsilon",
                      "Initial probability that an action is sampled; otherwise the "
                      "likeliest is taken.",
                      DoubleValue(1.0),
                      MakeDoubleAccessor(&A2cLearner::m_epsilon),
                      MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("EpsilonStep",
                      "epsilon_0: decrease of Epsilon with each update.",
                      DoubleValue(1e-05),
                      MakeDoubleAccessor(&A2cLearner::m_epsilonStep),
                      MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("EpsilonMin",
                      "epsilon_min: lower limit of Epsilon.",
                      DoubleValue(0.5),
                      MakeDoubleAccessor(&A2cLearner::m_epsilonMin),
                      MakeDoubleChecker<double>(0.0, 1.0));
}

double
A2cLearner::GetEpsilon() const
{
    return std::max(m_epsilon - m_epsilonStep * static_cast<double>(GetUpdates()), m_epsilonMin);
}

std::map<std::string, double>
A2cLearner::GetFigures() const
{
    auto figures = GradientLearner::GetFigures();
    figures["epsilon"] = GetEpsilon();
    return figures;
}

uint32_t
A2cLearner::GetSamples() const
{
    return m_updateSamples ? m_updateSamples : m_window;
}

uint32_t
A2cLearner::GetNeeded() const
{
    return m_returns == GAE ? GradientLearner::GetNeeded() : GetSamples() + m_window - 1;
}

void
A2cLearner::Estimate(std::span<const float> rewards,
                     std::span<const uint8_t> ends,
                     std::span<const float> values,
                     std::span<float> targets,
                     std::span<float> advantages) const
{
    if (m_returns == GAE)
    {
        GradientLearner::Estimate(rewards, ends, values, targets, advantages);
        return;
    }
    WindowReturns(rewards, ends, m_window, m_gamma, targets);
    for (std::size_t k = 0; k < targets.size(); ++k)
    {
        advantages[k] = targets[k] - values[k];
    }
}

} // namespace ns3::odcn
