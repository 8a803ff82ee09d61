// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-random-policy.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(RddcRandomPolicy);

TypeId
RddcRandomPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::odcn::RddcRandomPolicy")
                            .SetParent<DecisionPolicy>()
                            .SetGroupName("Odcn")
                            .AddConstructor<RddcRandomPolicy>();
    return tid;
}

RddcRandomPolicy::RddcRandomPolicy()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

uint32_t
RddcRandomPolicy::Decide(const DecisionProblem& problem)
{
    const uint32_t n = problem.GetNActions();
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
RddcRandomPolicy::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ns3::odcn
