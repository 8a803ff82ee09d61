// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-jcb-policy.h"

#include "odcn-scheduling.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-rule.h"

#include <algorithm>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnJcbPolicy);

TypeId
OdcnJcbPolicy::GetTypeId()
{
    using T = OdcnJcbPolicy;
    static TypeId tid =
        TypeIdOf<OdcnJcbPolicy, DecisionPolicy>("ns3::odcn::OdcnJcbPolicy")
            .Add(Attribute("Bandwidth",
                           &T::m_bandwidth,
                           Bandwidth::PER_LINK,
                           {{Bandwidth::PER_LINK, "PerLink"}, {Bandwidth::AGGREGATE, "Aggregate"}}),
                 "How the bandwidth of a rack is evaluated.");
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
        return m_bandwidth == Bandwidth::PER_LINK
                   ? scheduling.GetViews().GetBandwidth(rack)
                   : scheduling.GetViews().GetAggregateBandwidth(rack);
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
    const RackId best = FindBestAction(servers.GetNRacks(), feasible, score);
    return best != NO_RACK ? best : OrAny(FindBestAction(servers.GetNRacks(), fits, score));
}

} // namespace ns3::odcn
