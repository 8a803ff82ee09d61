// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-rack-views.h"

#include <algorithm>

namespace ns3::odcn
{

void
OdcnRackViews::Begin(const CsMgr& manager, const OdcnResources& vm, ComputeState form)
{
    m_manager = &manager;
    m_form = form;
    // Jobs consist of few kinds of VM, and a placement changes one rack only: the views of the
    // others stay valid.
    constexpr std::size_t MAX_KINDS = 8;
    const uint32_t racks = manager.GetServers().GetNRacks();
    const uint32_t actions = racks * manager.GetNFits();
    const auto kind =
        std::find_if(m_kinds.begin(),
                     m_kinds.end(),
                     [&](const ComputeSeen& seen) { return seen.vm == vm && seen.form == form; });
    m_kind = kind - m_kinds.begin();
    if (kind == m_kinds.end())
    {
        if (m_kinds.size() < MAX_KINDS)
        {
            m_kinds.emplace_back();
        }
        else
        {
            m_kind = m_oldestKind++ % MAX_KINDS;
        }
        m_kinds[m_kind].vm = vm;
        m_kinds[m_kind].form = form;
        m_kinds[m_kind].racks.assign(actions, Seen());
    }
    m_bandwidthSeen.assign(racks, Seen());

    m_neighbours.clear();
    const uint32_t k = manager.GetVmIndex();
    for (const OdcnDemand& demand : manager.GetDemands(k))
    {
        const bool out = demand.from == k;
        const uint32_t other = out ? demand.to : demand.from;
        const RackId rack = manager.GetServers().GetRack(manager.GetServer(other));
        auto n = std::find_if(m_neighbours.begin(),
                              m_neighbours.end(),
                              [rack](const auto& x) { return x.rack == rack; });
        if (n == m_neighbours.end())
        {
            n = m_neighbours.insert(n, {rack, 0, 0});
        }
        (out ? n->out : n->in) += demand.rate;
    }
}

float
OdcnRackViews::GetCompute(RackId rack) const
{
    ComputeSeen& kind = m_kinds[m_kind];
    if (kind.form != m_form)
    {
        kind.form = m_form;
        std::fill(kind.racks.begin(), kind.racks.end(), Seen());
    }
    Seen& seen = kind.racks[rack];
    const uint64_t version = m_manager->GetVersion(m_manager->GetRack(rack));
    if (seen.version != version)
    {
        seen = {version, FindCompute(rack)};
    }
    return seen.value;
}

float
OdcnRackViews::GetBandwidth(RackId rack) const
{
    rack = m_manager->GetRack(rack);
    Seen& seen = m_bandwidthSeen[rack];
    const uint64_t version = m_manager->GetNetwork()->GetVersion();
    if (seen.version != version)
    {
        seen = {version, FindBandwidth(rack)};
    }
    return seen.value;
}

float
OdcnRackViews::FindCompute(RackId rack) const
{
    const OdcnComputeLedger& servers = m_manager->GetServers();
    const OdcnResources& vm = m_kinds[m_kind].vm;
    const ServerId server = m_manager->FindServer(servers, rack, vm);
    rack = m_manager->GetRack(rack);
    if (server == NO_SERVER)
    {
        return -1;
    }
    const auto least = [](const OdcnResources& free, const OdcnResources& capacity)
    {
        double x = 1;
        for (std::size_t i = 0; i < OdcnResources::KINDS; ++i)
        {
            if (capacity.milli[i] > 0)
            {
                x = std::min(x,
                             static_cast<double>(free.milli[i]) /
                                 static_cast<double>(capacity.milli[i]));
            }
        }
        return x;
    };
    if (m_form == RACK)
    {
        OdcnResources free = servers.GetRackFree(rack);
        free -= vm;
        return static_cast<float>(least(free, servers.GetRackCapacity(rack)));
    }
    double x = 1;
    for (uint32_t i = 0; i < servers.GetNServers(rack); ++i)
    {
        const ServerId s = rack * servers.GetServersPerRack() + i;
        OdcnResources free = servers.GetFree(s);
        if (s == server)
        {
            free -= vm;
        }
        x = std::min(x, least(free, servers.GetServerCapacity()));
    }
    return static_cast<float>(x);
}

float
OdcnRackViews::FindBandwidth(RackId rack) const
{
    const NMgr& network = *PeekPointer(m_manager->GetNetwork());
    const OdcnCircuitLedger& circuits = network.GetCircuits();
    float least = circuits.GetMinResidualFraction(rack);
    for (const auto& n : m_neighbours)
    {
        if (n.rack == rack)
        {
            continue;
        }
        const auto check = [&](RackId u, RackId v, BitRate rate)
        {
            if (rate == 0)
            {
                return true;
            }
            if (!network.Fits(u, v, rate))
            {
                return false;
            }
            const auto left = static_cast<double>(circuits.GetResidual(u, v) - rate);
            least = std::min(
                least,
                static_cast<float>(left / static_cast<double>(circuits.GetCapacity(u, v))));
            return true;
        };
        if (!check(rack, n.rack, n.out) || !check(n.rack, rack, n.in))
        {
            return -1;
        }
    }
    // Less than 0 if oversubscribed by demands staged before, or by the loss of a circuit.
    return std::max(0.0F, least);
}

float
OdcnRackViews::GetAggregateBandwidth(RackId rack) const
{
    rack = m_manager->GetRack(rack);
    const OdcnCircuitLedger& circuits = m_manager->GetNetwork()->GetCircuits();
    BitRate capacityOut = 0;
    BitRate capacityIn = 0;
    BitRate leftOut = 0;
    BitRate leftIn = 0;
    for (RackId v = 0; v < circuits.GetNRacks(); ++v)
    {
        capacityOut += circuits.GetCapacity(rack, v);
        capacityIn += circuits.GetCapacity(v, rack);
        leftOut += circuits.GetResidual(rack, v);
        leftIn += circuits.GetResidual(v, rack);
    }
    for (const auto& n : m_neighbours)
    {
        leftOut -= n.rack == rack ? 0 : n.out;
        leftIn -= n.rack == rack ? 0 : n.in;
    }
    if (leftOut < 0 || leftIn < 0)
    {
        return -1;
    }
    const auto fraction = [](BitRate left, BitRate capacity)
    {
        return capacity
                   ? static_cast<float>(static_cast<double>(left) / static_cast<double>(capacity))
                   : 1.0F;
    };
    return std::min(fraction(leftOut, capacityOut), fraction(leftIn, capacityIn));
}

} // namespace ns3::odcn
