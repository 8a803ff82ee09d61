// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-ccf-policy.h"

#include "odcn-rule.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnCcfPolicy);

TypeId
OdcnCcfPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::odcn::OdcnCcfPolicy")
                            .SetParent<DecisionPolicy>()
                            .SetGroupName("Odcn")
                            .AddConstructor<OdcnCcfPolicy>();
    return tid;
}

uint32_t
OdcnCcfPolicy::Decide(const DecisionProblem& problem)
{
    const OdcnScheduling& scheduling = AsScheduling(problem);
    const OdcnComputeLedger& servers = scheduling.GetManager()->GetServers();
    const auto fits = [&](RackId rack)
    { return servers.Find(rack, scheduling.GetVm()) != NO_SERVER; };
    const RackId last = scheduling.GetLastRack();
    if (last != NO_RACK && fits(last))
    {
        return last;
    }
    return OrAny(BestRack(servers.GetNRacks(),
                          fits,
                          [&](RackId rack)
                          { return static_cast<double>(servers.GetRackFree(rack).milli[0]); }));
}

} // namespace ns3::odcn
