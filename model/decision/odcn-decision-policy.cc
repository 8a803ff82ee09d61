// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-decision-policy.h"

#include "ns3/odcn-object-text.h"

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

Ptr<OdcnDecisionPolicy>
OdcnDecisionPolicy::Create(const std::string& words, const std::string& others)
{
    const auto text = OdcnObjectText::Parse("policy", words);
    const std::string expected =
        others + "the TypeId name of a policy in this build (agents need LibTorch)";
    return DynamicCast<OdcnDecisionPolicy>(text.Create("policy", GetTypeId(), expected));
}

void
OdcnDecisionPolicy::Configure(OdcnDecisionProblem& /* problem */)
{
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
