// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-random-policy.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(ClusterRandomPolicy);

TypeId
ClusterRandomPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::odcn::ClusterRandomPolicy")
                            .SetParent<DecisionPolicy>()
                            .SetGroupName("Odcn")
                            .AddConstructor<ClusterRandomPolicy>();
    return tid;
}

ClusterRandomPolicy::ClusterRandomPolicy()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

uint32_t
ClusterRandomPolicy::Decide(const DecisionProblem& problem)
{
    return m_random->GetInteger(0, problem.GetNActions() - 1);
}

int64_t
ClusterRandomPolicy::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ns3::odcn
