// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-first-policy.h"

#include "odcn-rule.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(IcciFirstPolicy);

TypeId
IcciFirstPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::odcn::IcciFirstPolicy")
                            .SetParent<DecisionPolicy>()
                            .SetGroupName("Odcn")
                            .AddConstructor<IcciFirstPolicy>();
    return tid;
}

uint32_t
IcciFirstPolicy::Decide(const DecisionProblem& problem)
{
    const IcciMigration& migration = AsMigration(problem);
    m_mask.resize(problem.GetNActions());
    problem.Mask(m_mask.data());
    for (uint32_t action = 1; action < m_mask.size(); ++action)
    {
        if (m_mask[action] && migration.GetChoice(action).slot == 0)
        {
            return action;
        }
    }
    return 0;
}

} // namespace ns3::odcn
