// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-first-fit-policy.h"

#include <algorithm>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(FirstFitPolicy);

TypeId
FirstFitPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::odcn::FirstFitPolicy")
                            .SetParent<DecisionPolicy>()
                            .SetGroupName("Odcn")
                            .AddConstructor<FirstFitPolicy>();
    return tid;
}

uint32_t
FirstFitPolicy::Decide(const DecisionProblem& problem)
{
    m_mask.resize(problem.GetNActions());
    problem.Mask(m_mask.data());
    const auto first = std::find(m_mask.begin(), m_mask.end(), 1);
    return first == m_mask.end() ? 0 : static_cast<uint32_t>(first - m_mask.begin());
}

} // namespace ns3::odcn
