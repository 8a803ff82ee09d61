// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-stay-policy.h"

#include "odcn-rule.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(IcciStayPolicy);

TypeId
IcciStayPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::odcn::IcciStayPolicy")
                            .SetParent<DecisionPolicy>()
                            .SetGroupName("Odcn")
                            .AddConstructor<IcciStayPolicy>();
    return tid;
}

uint32_t
IcciStayPolicy::Decide(const DecisionProblem& problem)
{
    AsMigration(problem);
    return 0;
}

} // namespace ns3::odcn
