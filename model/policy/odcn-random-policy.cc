// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-random-policy.h"

#include "ns3/boolean.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(RandomPolicy);

TypeId
RandomPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::RandomPolicy")
            .SetParent<DecisionPolicy>()
            .SetGroupName("Odcn")
            .AddConstructor<RandomPolicy>()
            .AddAttribute("Feasible",
                          "Whether only actions that the problem's mask allows are taken.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RandomPolicy::m_feasible),
                          MakeBooleanChecker());
    return tid;
}

RandomPolicy::RandomPolicy()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

uint32_t
RandomPolicy::Decide(const DecisionProblem& problem)
{
    const uint32_t n = problem.GetNActions();
    if (!m_feasible)
    {
        return m_random->GetInteger(0, n - 1);
    }
    m_mask.resize(n);
    problem.Mask(m_mask.data());
    m_allowed.clear();
    for (uint32_t action = 0; action < n; ++action)
    {
        if (m_mask[action])
        {
            m_allowed.push_back(action);
        }
    }
    if (m_allowed.empty())
    {
        return 0;
    }
    return m_allowed[m_random->GetInteger(0, static_cast<uint32_t>(m_allowed.size() - 1))];
}

int64_t
RandomPolicy::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ns3::odcn
