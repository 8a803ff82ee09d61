// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packet-switch.h"

#include "ns3/log.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("PacketSwitch");

NS_OBJECT_ENSURE_REGISTERED(PacketSwitch);

TypeId
PacketSwitch::GetTypeId()
{
    using T = PacketSwitch;
    static TypeId tid =
        TypeIdOf<PacketSwitch, Object>("ns3::odcn::PacketSwitch")
            .Add(Attribute("Spreading",
                           &T::m_spreading,
                           PacketSpreading::PER_FLOW,
                           {{PacketSpreading::PER_FLOW, "PerFlow"},
                            {PacketSpreading::PER_PACKET, "PerPacket"},
                            {PacketSpreading::BY_HOST, "ByHost"},
                            {PacketSpreading::ROUND_ROBIN, "RoundRobin"}}),
                 "How packets spread over the ports on shortest paths: PerFlow (hash), "
                 "PerPacket (at random), ByHost (by the receiving server's index) or "
                 "RoundRobin (in turn, in an order drawn for each round to each rack)")
            .Add(Attribute("Perturbation", &T::m_perturbation, 0),
                 "Number that the hash of flows depends on. Switches with the same one "
                 "make the same choices, and leave some paths unused (polarisation), so that "
                 "networks add the switch's index; not used in computing centres")
            .Add(Attribute("QueueDisc", &T::m_queueDisc, ""),
                 "Queue disc of each port, such as ns3::RedQueueDisc[UseEcn=true]; empty "
                 "for the ports' own queues. To be set before ports are added")
            .Add(Trace("Drop", &T::m_dropTrace, "DropTracedCallback"),
                 "A packet was lost: the packet and the cause");
    return tid;
}

PacketSwitch::PacketSwitch()
{
    NS_LOG_FUNCTION(this);
    m_buffer.SetDropCallback(MakeCallback(&PacketSwitch::DiscDropped, this));
}

void
PacketSwitch::DoDispose()
{
    for (const Ptr<OcsNetDevice>& device : m_ports)
    {
        device->SetUser(nullptr, 0);
    }
    Object::DoDispose();
}

uint32_t
PacketSwitch::AddPort(Ptr<OcsNetDevice> device)
{
    if (m_ports.empty())
    {
        m_buffer.Configure(QueueSize("0p"), QueueSize("0B"), false, m_queueDisc, device);
    }
    const uint32_t port = GetNPorts();
    m_ports.push_back(device);
    device->SetUser(this, port);
    return port;
}

uint32_t
PacketSwitch::AddServerPort(RackId rack, Ptr<OcsNetDevice> device)
{
    const uint32_t port = AddPort(device);
    m_servers.resize(std::max<std::size_t>(m_servers.size(), rack + 1));
    m_servers[rack].push_back(port);
    return port;
}

void
PacketSwitch::SetRoutes(std::vector<std::vector<uint32_t>> ports, std::vector<uint32_t> away)
{
    ports.push_back(std::move(away));
    std::map<std::vector<uint32_t>, uint32_t> known;
    std::vector<Group> groups;
    std::vector<uint32_t> groupTo;
    for (const std::vector<uint32_t>& route : ports)
    {
        if (std::any_of(route.begin(),
                        route.end(),
                        [this](uint32_t p) { return p >= GetNPorts(); }))
        {
            throw OdcnError("route of a packet switch: it has only " + std::to_string(GetNPorts()) +
                            " ports");
        }
        const auto [it, isNew] = known.try_emplace(route, static_cast<uint32_t>(groups.size()));
        if (isNew)
        {
            groups.push_back({route, {}});
            Update(groups.back());
        }
        groupTo.push_back(it->second);
    }
    m_groups = std::move(groups);
    m_away = groupTo.back();
    groupTo.pop_back();
    m_groupTo = std::move(groupTo);
}

void
PacketSwitch::AddRoute(uint32_t network, Ptr<OcsNetDevice> transponder)
{
    if (m_place.layer != PacketSwitchPlace::GATEWAY || network >= OcsAddressPlan::MAX_NETWORKS ||
        network == m_plan.GetNetwork(0))
    {
        throw OdcnError::InOption("route of a gateway",
                                  std::to_string(network),
                                  "another centre, below 256");
    }
    const auto known = std::find(m_ports.begin(), m_ports.end(), transponder);
    const auto port = static_cast<uint32_t>(known - m_ports.begin());
    if (known == m_ports.end())
    {
        m_firstTransponder = std::min(m_firstTransponder, AddPort(transponder));
    }
    m_lightpaths.resize(OcsAddressPlan::MAX_NETWORKS);
    m_lightpaths[network].push_back(port);
}

void
PacketSwitch::RemoveRoute(uint32_t network, Ptr<OcsNetDevice> transponder)
{
    if (network < m_lightpaths.size())
    {
        std::erase_if(m_lightpaths[network],
                      [&](uint32_t port) { return m_ports[port] == transponder; });
    }
}

const std::vector<uint32_t>&
PacketSwitch::GetRoute(RackId rack) const
{
    return m_groups.at(m_groupTo.at(rack)).working;
}

void
PacketSwitch::Update(Group& group) const
{
    group.working.clear();
    std::copy_if(group.ports.begin(),
                 group.ports.end(),
                 std::back_inserter(group.working),
                 [this](uint32_t port) { return !m_ports[port]->IsFailed(); });
}

uint64_t
PacketSwitch::GetSent() const
{
    uint64_t sum = 0;
    for (const Ptr<OcsNetDevice>& device : m_ports)
    {
        sum += device->GetSent();
    }
    return sum;
}

uint64_t
PacketSwitch::GetWaiting() const
{
    uint64_t sum = m_buffer.GetNPackets();
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        sum += IsTransponder(port) ? 0 : m_ports[port]->GetWaiting();
    }
    return sum;
}

PacketCounts
PacketSwitch::Count() const
{
    PacketCounts counts;
    counts.inFlight = GetWaiting();
    counts.dropped = GetDropped();
    for (uint32_t port = 0; port < GetNPorts(); ++port)
    {
        const auto device = GetPort(port);
        if (IsTransponder(port))
        {
            counts.left += device->GetOffered();
            counts.came += device->GetReceived();
        }
        else
        {
            counts.dropped += device->GetRxDropped();
        }
    }
    return counts;
}

int64_t
PacketSwitch::AssignStreams(int64_t stream)
{
    m_random = RandomStream(stream);
    m_buffer.AssignStreams(stream);
    return 1;
}

void
PacketSwitch::PortReceived(uint32_t port, const Ptr<Packet>& packet)
{
    ++m_received;
    Forward(packet, IsTransponder(port));
}

uint32_t
PacketSwitch::Spread(uint32_t flow, RackId rack, uint32_t server, uint32_t ways, bool lightpath)
{
    if (ways == 1)
    {
        return 0;
    }
    const auto draw = [this](uint32_t n) { return m_random.NextInteger(n); };
    switch (m_spreading)
    {
    case PacketSpreading::PER_PACKET:
        return draw(ways);
    case PacketSpreading::ROUND_ROBIN:
        return m_rounds.Next(rack, ways, draw);
    case PacketSpreading::PER_FLOW:
    case PacketSpreading::BY_HOST:
        break;
    }
    return GetSpreading().Choose(flow, rack, server, ways, lightpath);
}

void
PacketSwitch::Forward(const Ptr<Packet>& packet, bool home)
{
    OcsPacketHeader header;
    RackId rack;
    uint32_t server;
    if (!header.Read(packet, m_spreading == PacketSpreading::PER_FLOW) ||
        !m_plan.Find(header.destination, rack, server))
    {
        Drop(packet, OcsDropCause::MISROUTED);
        return;
    }
    if (rack < m_servers.size() && server < m_servers[rack].size())
    {
        Send(m_servers[rack][server], packet);
        return;
    }
    const uint32_t network = m_plan.GetNetwork(rack);
    const bool away = m_place.layer != PacketSwitchPlace::NONE && network != m_plan.GetNetwork(0);
    const bool lightpath = away && m_place.layer == PacketSwitchPlace::GATEWAY;
    // One of this switch's racks lacks the server; another rack without a route does not exist.
    const bool own = (rack < m_servers.size() && !m_servers[rack].empty()) ||
                     (m_place.layer == PacketSwitchPlace::EDGE && rack == m_place.index);
    if (own || (away ? home : rack >= m_groupTo.size()))
    {
        Drop(packet, OcsDropCause::MISROUTED);
        return;
    }
    static const std::vector<uint32_t> none;
    const std::vector<uint32_t>& ports = lightpath
                                             ? (m_lightpaths.empty() ? none : m_lightpaths[network])
                                             : m_groups[away ? m_away : m_groupTo[rack]].working;
    if (ports.empty())
    {
        Drop(packet, lightpath ? OcsDropCause::NO_CIRCUIT : OcsDropCause::PORT_FAILED);
        return;
    }
    const auto ways = static_cast<uint32_t>(ports.size());
    Send(ports[Spread(header.flow, rack, server, ways, lightpath)], packet);
}

void
PacketSwitch::Send(uint32_t port, const Ptr<Packet>& packet)
{
    const Ptr<OcsNetDevice> device = m_ports[port];
    if (m_queueDisc.empty() || device->IsFailed() || IsTransponder(port))
    {
        device->Transmit(packet);
        return;
    }
    m_buffer.Enqueue({TorQueueKind::PORT, port}, packet);
    PortIdle(port);
}

void
PacketSwitch::PortIdle(uint32_t port)
{
    const Ptr<OcsNetDevice> device = m_ports[port];
    if (device->IsFailed() || device->IsTransmitting())
    {
        return;
    }
    if (const Ptr<Packet> packet = m_buffer.Dequeue({TorQueueKind::PORT, port}))
    {
        device->Transmit(packet);
    }
}

void
PacketSwitch::PortDropped(uint32_t port, Ptr<const Packet> packet, OcsDropCause cause)
{
    if (IsTransponder(port))
    {
        m_dropTrace(packet, cause);
        return;
    }
    Drop(packet, cause);
}

void
PacketSwitch::PortChanged(uint32_t port, bool up)
{
    NS_LOG_FUNCTION(this << port << up);
    if (IsTransponder(port))
    {
        return; // Lightpaths in use are up to the controller of the mesh.
    }
    for (Group& group : m_groups)
    {
        Update(group);
    }
    if (up)
    {
        return; // Nothing waits: what came for the port meanwhile was sent elsewhere or lost.
    }
    std::vector<Ptr<Packet>> waiting = m_ports[port]->TakeWaiting();
    while (Ptr<Packet> packet = m_buffer.Dequeue({TorQueueKind::PORT, port}))
    {
        waiting.push_back(packet);
    }
    for (const Ptr<Packet>& packet : waiting)
    {
        Forward(packet, false);
    }
}

void
PacketSwitch::DiscDropped(Ptr<const Packet> packet)
{
    Drop(packet, OcsDropCause::QUEUE_OVERFLOW);
}

void
PacketSwitch::Drop(Ptr<const Packet> packet, OcsDropCause cause)
{
    NS_LOG_LOGIC("lost: " << cause);
    ++m_dropped[cause];
    m_dropTrace(packet, cause);
}

} // namespace ns3::odcn
