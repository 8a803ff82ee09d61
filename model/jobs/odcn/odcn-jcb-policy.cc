// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-jcb-policy.h"

#include "odcn-best-rack.h"

#include "ns3/odcn-ns3-compat.h"
#include "ns3/odcn-rule.h"

#include <algorithm>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnJcbPolicy);

TypeId
OdcnJcbPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnJcbPolicy")
            .SetParent<DecisionPolicy>()
            .SetGroupName("Odcn")
            .AddConstructor<OdcnJcbPolicy>()
            .AddAttribute(
                "Bandwidth",
                "How the bandwidth of a rack is evaluated.",
                CompatEnumValue<Bandwidth>(Bandwidth::PER_LINK),
                CompatEnumAccessor<Bandwidth>(&OdcnJcbPolicy::m_bandwidth),
                MakeEnumChecker(Bandwidth::PER_LINK, "PerLink", Bandwidth::AGGREGATE, "Aggregate"));
    return tid;
}

uint32_t
OdcnJcbPolicy::Decide(const DecisionProblem& problem)
{
    const auto& scheduling = AsProblem<OdcnScheduling>(problem);
    const OdcnComputeLedger& servers = scheduling.GetManager()->GetServers();
    const auto fits = [&](RackId rack)
    { return servers.Find(rack, scheduling.GetVm()) != NO_SERVER; };
    const auto bandwidth = [&](RackId rack)
    {
        return m_bandwidth == Bandwidth::PER_LINK ? scheduling.ViewBandwidth(rack)
                                                  : scheduling.ViewAggregateBandwidth(rack);
    };
    const auto feasible = [&](RackId rack) { return fits(rack) && bandwidth(rack) >= 0; };
    const RackId last = scheduling.GetLastRack();
    if (last != NO_RACK && feasible(last))
    {
        return last;
    }
    const auto score = [&](RackId rack)
    {
        const auto capacity = static_cast<double>(servers.GetRackCapacity(rack).milli[0]);
        const auto left =
            static_cast<double>(servers.GetRackFree(rack).milli[0] - scheduling.GetVm().milli[0]);
        return left / capacity + std::max(0.0F, bandwidth(rack));
    };
    const RackId best = BestRack(servers.GetNRacks(), feasible, score);
    return best != NO_RACK ? best : OrAny(BestRack(servers.GetNRacks(), fits, score));
}

} // namespace ns3::odcn
