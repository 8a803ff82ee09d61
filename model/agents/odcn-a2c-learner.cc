// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-a2c-learner.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-returns.h"

#include <algorithm>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(A2cLearner);

TypeId
A2cLearner::GetTypeId()
{
    static TypeId tid = TypeIdBuilder(AddA2cAttributes(
        AddAttributes(TypeIdOf<A2cLearner, GradientLearner>("ns3::odcn::A2cLearner"), {})));
    return tid;
}

TypeId
A2cLearner::AddA2cAttributes(TypeId tid)
{
    return TypeIdBuilder(tid)
        .Add(Attribute("Window", &A2cLearner::m_window, 50, 1, 1000000),
             "L: number of rewards in the return of a sample (Eq. 2).")
        .Add(Attribute("UpdateSamples", &A2cLearner::m_updateSamples, 0, 0, 1000000),
             "Number of samples of each problem in an update; 0 for as many "
             "as Window.")
        .Add(Attribute("Returns",
                       &A2cLearner::m_returns,
                       WINDOW,
                       {{WINDOW, "Window"}, {GAE, "Gae"}}),
             "How advantages are estimated.")
        .Add(Attribute("Epsilon", &A2cLearner::m_epsilon, 1.0, 0.0, 1.0),
             "Initial probability that an action is sampled; otherwise the "
             "likeliest is taken.")
        .Add(Attribute("EpsilonStep", &A2cLearner::m_epsilonStep, 1e-05, 0.0, 1.0),
             "epsilon_0: decrease of Epsilon with each update.")
        .Add(Attribute("EpsilonMin", &A2cLearner::m_epsilonMin, 0.5, 0.0, 1.0),
             "epsilon_min: lower limit of Epsilon.");
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
