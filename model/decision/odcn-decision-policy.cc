// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-decision-policy.h"

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnDecisionPolicy);

TypeId
OdcnDecisionPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnDecisionPolicy").SetParent<Object>().SetGroupName("Odcn");
    return tid;
}

void
OdcnDecisionPolicy::Reset()
{
}

int64_t
OdcnDecisionPolicy::AssignStreams(int64_t)
{
    return 0;
}

} // namespace odcn
} // namespace ns3
