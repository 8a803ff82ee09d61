// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packing-policy.h"

#include "odcn-rule.h"

#include "ns3/double.h"

#include <algorithm>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnPackingPolicy);

TypeId
OdcnPackingPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnPackingPolicy")
            .SetParent<DecisionPolicy>()
            .SetGroupName("Odcn")
            .AddConstructor<OdcnPackingPolicy>()
            .AddAttribute("LargeCores",
                          "Number of cores from which a VM is large.",
                          DoubleValue(16),
                          MakeDoubleAccessor(&OdcnPackingPolicy::m_largeCores),
                          MakeDoubleChecker<double>(0))
            .AddAttribute(
                "BandwidthWeight",
                "Weight of a rack's residual bandwidth fraction against its residual core "
                "fraction; 0 packs by cores alone, larger values spread the traffic.",
                DoubleValue(3),
                MakeDoubleAccessor(&OdcnPackingPolicy::m_bandwidthWeight),
                MakeDoubleChecker<double>(0));
    return tid;
}

uint32_t
OdcnPackingPolicy::Decide(const DecisionProblem& problem)
{
    const OdcnScheduling& scheduling = AsScheduling(problem);
    const OdcnComputeLedger& servers = scheduling.GetManager()->GetServers();
    const OdcnResources& vm = scheduling.GetVm();
    const auto fits = [&](RackId rack) { return servers.Find(rack, vm) != NO_SERVER; };
    const auto feasible = [&](RackId rack)
    { return fits(rack) && scheduling.ViewBandwidth(rack) >= 0; };
    const auto score = [&](RackId rack)
    {
        const auto capacity = static_cast<double>(servers.GetRackCapacity(rack).milli[0]);
        return m_bandwidthWeight * std::max(0.0F, scheduling.ViewBandwidth(rack)) -
               static_cast<double>(servers.GetRackFree(rack).milli[0]) / capacity;
    };
    RackId best = NO_RACK;
    if (vm.Cores() >= m_largeCores)
    {
        const RackId last = scheduling.GetLastRack();
        if (last != NO_RACK && feasible(last))
        {
            return last;
        }
    }
    else
    {
        const OdcnResources large = OdcnResources::Of(m_largeCores, 0, 0);
        best = BestRack(
            servers.GetNRacks(),
            [&](RackId rack) { return feasible(rack) && servers.Find(rack, large) == NO_SERVER; },
            score);
    }
    if (best == NO_RACK)
    {
        best = BestRack(servers.GetNRacks(), feasible, score);
    }
    return best != NO_RACK ? best : OrAny(BestRack(servers.GetNRacks(), fits, score));
}

} // namespace ns3::odcn
