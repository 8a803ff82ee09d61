// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packet-order.h"

#include "ns3/odcn-error.h"

namespace ns3
{
namespace odcn
{

namespace
{

/// Position of what an event does with its packet, ahead of what it does for the next one.
constexpr uint32_t WITH_PACKET = 0;
/// Position of the next transmission, or of a flow's next packet.
constexpr uint32_t NEXT = 1;

} // namespace

OdcnPacketOrder::OdcnPacketOrder(const OdcnFabricModel& model,
                                 const std::vector<OdcnPacketFlow>& flows,
                                 int64_t opened,
                                 const History& ports)
    : m_model(model),
      m_flows(flows),
      m_opened(opened),
      m_ports(ports),
      m_numbers{model.GetNServers(), 2 * model.GetNServers()},
      m_refused(model.GetNServers())
{
}

bool
OdcnPacketOrder::ArrivesBefore(uint32_t port, const OdcnPassage& a, const OdcnPassage& b) const
{
    return Before(FindArrival(port, a), FindArrival(port, b));
}

bool
OdcnPacketOrder::ArrivesBeforeDeparture(uint32_t port, const OdcnPassage& a, uint32_t index) const
{
    return Before(FindArrival(port, a), FindCompletion(port, index));
}

void
OdcnPacketOrder::Refused(uint32_t port, const OdcnPassage& packet)
{
    m_refused[port].push_back(packet);
}

bool
OdcnPacketOrder::Before(Event a, Event b) const
{
    uint32_t positionA = WITH_PACKET;
    uint32_t positionB = NEXT;
    while (a.time == b.time && !(a == b))
    {
        // Nothing is earlier than the beginning.
        if (a.kind == Kind::OPEN || b.kind == Kind::OPEN)
        {
            return a.kind == Kind::OPEN;
        }
        const Parent parentA = FindParent(a);
        const Parent parentB = FindParent(b);
        a = parentA.event;
        b = parentB.event;
        positionA = parentA.position;
        positionB = parentB.position;
    }
    return a == b ? positionA < positionB : a.time < b.time;
}

OdcnPacketOrder::Parent
OdcnPacketOrder::FindParent(const Event& event) const
{
    const uint32_t port = event.port;
    const uint32_t index = event.index;
    switch (event.kind)
    {
    case Kind::SEND:
        if (index == 0)
        {
            return {{Kind::OPEN, 0, 0, m_opened}, port};
        }
        return {{Kind::SEND, port, index - 1, FindSent(port, index - 1)}, NEXT};
    case Kind::REACH:
        if (port >= m_numbers.firstUplink)
        {
            return {{Kind::LEAVE, port, index, event.time - m_model.uplinkDelay}, WITH_PACKET};
        }
        [[fallthrough]];
    case Kind::LEAVE:
        return {FindCompletion(port, index), WITH_PACKET};
    case Kind::COMPLETE:
    case Kind::OPEN:
        break;
    }
    const OdcnPassage& packet = m_ports[port][index];
    if (index > 0)
    {
        const int64_t before = m_ports[port][index - 1].depart;
        if (before > packet.arrive || (before == packet.arrive && CameBefore(port, index)))
        {
            return {FindCompletion(port, index - 1), NEXT};
        }
    }
    return {FindArrival(port, packet), WITH_PACKET};
}

bool
OdcnPacketOrder::CameBefore(uint32_t port, uint32_t index) const
{
    // Asked again and again where packets crowd: without a memory the work would double each time.
    const uint64_t key = uint64_t(port) << 32 | index;
    {
        const std::lock_guard lock(m_mutex);
        const auto known = m_known.find(key);
        if (known != m_known.end())
        {
            return known->second;
        }
    }
    const bool result = ArrivesBeforeDeparture(port, m_ports[port][index], index - 1);
    const std::lock_guard lock(m_mutex);
    m_known.emplace(key, result);
    return result;
}

OdcnPacketOrder::Event
OdcnPacketOrder::FindArrival(uint32_t port, const OdcnPassage& packet) const
{
    if (port < m_numbers.firstDownlink)
    {
        return {Kind::SEND, packet.flow, packet.sequence, packet.sent};
    }
    const int64_t delay =
        packet.fromPort < m_numbers.firstUplink ? m_model.serverDelay : m_model.uplinkDelay;
    if (delay == 0)
    {
        return FindCompletion(packet.fromPort, packet.from);
    }
    return {Kind::REACH, packet.fromPort, packet.from, packet.arrive};
}

OdcnPacketOrder::Event
OdcnPacketOrder::FindCompletion(uint32_t port, uint32_t index) const
{
    return {Kind::COMPLETE, port, index, m_ports[port][index].depart};
}

int64_t
OdcnPacketOrder::FindSent(uint32_t flow, uint32_t sequence) const
{
    const ServerId server = m_flows[flow].from;
    for (const auto* packets : {&m_ports[server], &m_refused[server]})
    {
        for (auto p = packets->rbegin(); p != packets->rend(); ++p)
        {
            if (p->flow == flow && p->sequence <= sequence)
            {
                if (p->sequence == sequence)
                {
                    return p->sent;
                }
                break;
            }
        }
    }
    throw OdcnError("packet " + std::to_string(sequence) + " of flow " + std::to_string(flow) +
                    " was forgotten");
}

} // namespace odcn
} // namespace ns3
