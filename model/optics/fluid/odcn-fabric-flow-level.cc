// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fabric-flow-level.h"

#include "odcn-circuit-flow-level.h"

#include "ns3/ocs-fabric.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"
#include "ns3/tor-routing.h"

#include <string>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(FabricFlowLevel);

namespace
{

/// No link yet.
constexpr uint32_t NO_LINK = UINT32_MAX;

/// @param device a port
/// @return its rate, bit/s
double
GetRate(const OcsNetDevice& device)
{
    return static_cast<double>(device.GetDataRate().GetBitRate());
}

/// @param device a port
/// @return delay of its fibre
Time
GetDelay(const OcsNetDevice& device)
{
    return DynamicCast<OcsFiber>(device.GetChannel())->GetDelay();
}

} // namespace

TypeId
FabricFlowLevel::GetTypeId()
{
    using T = FabricFlowLevel;
    static TypeId tid =
        TypeIdOf<FabricFlowLevel, FlowLevel>("ns3::odcn::FabricFlowLevel")
            .Add(Attribute("Routing", &T::m_routing, "DirectRouting"),
                 "TorRouting that messages are forwarded as: DirectRouting or ExpanderRouting.");
    return tid;
}

FabricFlowLevel::FabricFlowLevel() = default;

void
FabricFlowLevel::SetFabric(Ptr<OcsFabric> fabric)
{
    if (m_fabric)
    {
        throw OdcnError("FabricFlowLevel: SetFabric() for the second time, expected one call");
    }
    const TorForwarding forwarding = TorRouting::Create(m_routing)->GetForwarding();
    if (!CircuitFlowLevel::WhyNot(forwarding).empty() || forwarding.bulk.IsTransit())
    {
        throw OdcnError::InOption("FabricFlowLevel::Routing",
                                  m_routing,
                                  "DirectRouting or ExpanderRouting with one path");
    }
    m_maxHops = forwarding.bulk.GetMaxHops();
    m_fabric = fabric;
    const uint32_t racks = fabric->GetSize().racks;
    m_links.assign(std::size_t{racks} * racks, NO_LINK);
    for (RackId rack = 0; rack < racks; ++rack)
    {
        const Ptr<TorSwitch> tor = fabric->GetTor(rack);
        for (uint32_t i = 0; i < tor->GetNDownlinks(); ++i)
        {
            const auto card = fabric->GetServerDevice(rack, i);
            const double send = GetRate(*card);
            const double receive = GetRate(*tor->GetDownlink(i));
            m_servers.push_back(
                {rack, AddLink(send), AddLink(receive), send, receive, GetDelay(*card)});
        }
        Rack& added = m_racks.emplace_back();
        added.tor = tor;
        for (uint32_t port = 0; port < tor->GetNUplinks(); ++port)
        {
            added.reached.push_back(tor->GetCircuit(port));
            added.rate = GetRate(*tor->GetUplink(port));
            added.delay = GetDelay(*tor->GetUplink(port));
        }
        added.sink = MakeBoundCallback(&FabricFlowLevel::NoteCircuit, this, rack);
        tor->TraceConnectWithoutContext("Circuit", added.sink);
    }
    fabric->TraceConnectWithoutContext("PathChanged",
                                       MakeCallback(&FabricFlowLevel::PathChanged, this));
}

void
FabricFlowLevel::DoDispose()
{
    for (const Rack& rack : m_racks)
    {
        rack.tor->TraceDisconnectWithoutContext("Circuit", rack.sink);
    }
    if (m_fabric)
    {
        m_fabric->TraceDisconnectWithoutContext("PathChanged",
                                                MakeCallback(&FabricFlowLevel::PathChanged, this));
    }
    m_renewal.Cancel();
    m_racks.clear();
    m_servers.clear();
    m_fabric = nullptr;
    FlowLevel::DoDispose();
}

void
FabricFlowLevel::NoteCircuit(FabricFlowLevel* level,
                             RackId from,
                             uint32_t port,
                             RackId to,
                             Time /* until */)
{
    level->CircuitChanged(from, port, to);
}

void
FabricFlowLevel::CircuitChanged(RackId from, uint32_t port, RackId to)
{
    for (const RackId rack : {std::exchange(m_racks[from].reached[port], to), to})
    {
        if (rack != NO_RACK)
        {
            Update(from, rack);
        }
    }
    RenewSoon();
}

void
FabricFlowLevel::PathChanged(RackId, uint32_t, bool, bool)
{
    for (RackId from = 0; from < m_racks.size(); ++from)
    {
        for (RackId to = 0; to < m_racks.size(); ++to)
        {
            Update(from, to);
        }
    }
    RenewSoon();
}

void
FabricFlowLevel::RenewSoon()
{
    if (!m_lost.empty() && m_renewal.IsExpired())
    {
        m_renewal = Simulator::ScheduleNow(&FabricFlowLevel::Renew, this);
    }
}

void
FabricFlowLevel::Renew()
{
    for (const auto& [from, to] : std::exchange(m_lost, {}))
    {
        const uint32_t link = GetLink(from, to);
        if (IsUsed(link) && FindCapacity(from, to) == 0)
        {
            m_lost.emplace(from, to); // until its messages have left it
            Reroute(link);
        }
    }
    Wake();
}

void
FabricFlowLevel::Update(RackId from, RackId to, bool isUsed)
{
    const uint32_t link = GetLink(from, to);
    if (link == NO_LINK || !(isUsed || IsUsed(link)))
    {
        return;
    }
    const double capacity = FindCapacity(from, to);
    SetCapacity(link, capacity);
    if (capacity == 0 && m_maxHops > 1)
    {
        m_lost.emplace(from, to);
    }
    Wake();
}

double
FabricFlowLevel::FindCapacity(RackId from, RackId to) const
{
    const Rack& rack = m_racks[from];
    double capacity = 0;
    for (uint32_t port = 0; port < rack.reached.size(); ++port)
    {
        const bool carries = rack.reached[port] == to && rack.tor->Works(port);
        capacity += carries ? GetRate(*rack.tor->GetUplink(port)) : 0;
    }
    return capacity;
}

void
FabricFlowLevel::FindCircuits()
{
    bool changed = m_next.empty();
    for (Rack& rack : m_racks)
    {
        rack.works.resize(rack.reached.size(), NO_RACK);
        for (uint32_t port = 0; port < rack.reached.size(); ++port)
        {
            const RackId peer = rack.tor->Works(port) ? rack.reached[port] : NO_RACK;
            changed = std::exchange(rack.works[port], peer) != peer || changed;
        }
    }
    if (!changed)
    {
        return;
    }
    m_next = FindLinks();
    m_hops.clear();
}

RackLinks
FabricFlowLevel::FindLinks() const
{
    RackLinks links;
    for (const Rack& rack : m_racks)
    {
        std::vector<RackId>& next = links.emplace_back();
        for (uint32_t port = 0; port < rack.reached.size(); ++port)
        {
            if (rack.reached[port] != NO_RACK && rack.tor->Works(port))
            {
                next.push_back(rack.reached[port]);
            }
        }
    }
    return links;
}

std::vector<RackId>
FabricFlowLevel::FindRacks(RackId from, RackId to, uint64_t number)
{
    if (m_maxHops == 1)
    {
        return {to};
    }
    FindCircuits();
    std::vector<uint32_t>& distances = m_hops[to];
    if (distances.empty())
    {
        distances = FindHops(ReverseLinks(m_next), to);
    }
    if (distances[from] > m_maxHops)
    {
        return {to};
    }
    std::vector<RackId> racks;
    uint64_t hash = number;
    for (RackId at = from; at != to; at = racks.back())
    {
        std::vector<RackId> next = m_next[at];
        std::erase_if(next, [&](RackId rack) { return distances[rack] + 1 != distances[at]; });
        // As CircuitFlowLevel::FindRacks().
        hash = (hash + at + 1) * 0x9E3779B97F4A7C15U;
        racks.push_back(next[(hash >> 33) % next.size()]);
    }
    return racks;
}

void
FabricFlowLevel::AddHop(RackId from, RackId to, Path& path)
{
    uint32_t& link = GetLink(from, to);
    if (link == NO_LINK)
    {
        link = AddLink(0);
    }
    if (!IsUsed(link))
    {
        Update(from, to, true);
    }
    path.links.push_back(link);
    path.hops.push_back(m_racks[from].rate);
    path.propagation += m_racks[from].delay + m_racks[to].delay;
}

void
FabricFlowLevel::FindPath(const Message& message, Path& path)
{
    const Server& from = m_servers[message.from];
    const Server& to = m_servers[message.to];
    path.links.push_back(from.send);
    path.hops.push_back(from.sendRate);
    path.propagation = from.delay + to.delay;
    if (from.rack != to.rack)
    {
        RackId at = from.rack;
        for (const RackId rack : FindRacks(from.rack, to.rack, message.number))
        {
            AddHop(at, rack, path);
            at = rack;
        }
    }
    path.links.push_back(to.receive);
    path.hops.push_back(to.receiveRate);
}

std::string
FabricFlowLevel::FindObstacle(const Message& message) const
{
    const RackId from = m_servers[message.from].rack;
    const RackId to = m_servers[message.to].rack;
    const std::string between =
        " from rack " + std::to_string(from) + " to rack " + std::to_string(to);
    if (m_maxHops == 1)
    {
        return from == to || FindCapacity(from, to) > 0 ? "" : "no working circuit leads" + between;
    }
    return FindHops(ReverseLinks(FindLinks()), to)[from] <= m_maxHops
               ? ""
               : "no path of working circuits leads" + between;
}

} // namespace ns3::odcn
