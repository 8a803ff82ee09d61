// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * ToR switches: queues, routing, and the ports that serve them.
 */

#include "odcn-schedule-agreement.h"
#include "odcn-schedule-control.h"
#include "odcn-schedule-engine.h"
#include "odcn-schedule-optics.h"

#include <algorithm>
#include <bit>

namespace ns3::odcn
{

namespace
{

/// @param limit a limit, 0 for none  @param packets packets  @param bytes bytes
/// @return whether they exceed it
bool
Exceeds(const QueueSize& limit, uint64_t packets, uint64_t bytes)
{
    const uint64_t used = limit.GetUnit() == QueueSizeUnit::PACKETS ? packets : bytes;
    return limit.GetValue() > 0 && used > limit.GetValue();
}

} // namespace

void
SchedulePackets::FabricEngine::NoteHeld(Tor& tor) const
{
    tor.sum += double(tor.bytes) * double(Clip(m_events.Now()) - Clip(tor.since));
    tor.since = m_events.Now();
}

void
SchedulePackets::FabricEngine::FromHost(uint32_t packet, ServerId host)
{
    if (m_expedited.paths > 1)
    {
        m_ways.resize(m_packets.size());
        m_ways[packet].next = m_ways[packet].racks.size();
    }
    const RackId from = m_rackOf[host];
    const RackId to = m_rackOf[m_packets[packet].to];
    if (m_control && from != to)
    {
        m_control->CountOffered(from, to, m_packets[packet].bytes);
    }
    Forward(from, packet, false);
}

void
SchedulePackets::FabricEngine::Forward(RackId rack, uint32_t p, bool fromRack, uint32_t from)
{
    Packet& packet = m_packets[p];
    const RackId to = m_rackOf[packet.to];
    if (to == rack)
    {
        ForwardDown(p);
        return;
    }
    Tor& tor = m_tors[rack];
    if (m_bulk == TorForwarding::SHORTEST ||
        (m_expedited.kind == TorForwarding::SHORTEST && packet.isShort))
    {
        if (fromRack && ++packet.hops >= m_expedited.maxHops)
        {
            Drop(p, OcsDropCause::MISROUTED);
            return;
        }
        const uint32_t port = ChoosePort(rack, p, fromRack);
        if (port != NONE && Enqueue(rack, p, tor.port[port], false))
        {
            Serve(rack, port);
        }
        if (port != NONE)
        {
            return;
        }
        if (m_bulk == TorForwarding::SHORTEST)
        {
            Drop(p, OcsDropCause::NO_CIRCUIT);
            return;
        }
        fromRack = false; // a short one waits as others do, see ClassRouting
    }
    if (m_bulk == TorForwarding::DIRECT && fromRack) // by a stuck mirror
    {
        Drop(p, OcsDropCause::MISROUTED);
        return;
    }
    if (m_bulk == TorForwarding::TRANSIT_AGREED && fromRack)
    {
        m_agreements[rack]->GetLogic().Relay(from, to, packet.bytes);
    }
    RackId by = to;
    if (m_bulk == TorForwarding::TRANSIT_RANDOM && !fromRack)
    {
        by = DrawTransit(rack, to);
    }
    if (!Enqueue(rack, p, fromRack ? tor.relay[by] : tor.local[by], !fromRack))
    {
        return;
    }
    // An idle uplink may have found no time for the first packet to its rack, which another uplink
    // has sent since.
    const auto hasWaiting = [&tor](RackId peer)
    { return tor.local[peer].packets > 0 || (!tor.relay.empty() && tor.relay[peer].packets > 0); };
    for (uint32_t port = 0; port < m_model.uplinks; ++port)
    {
        const Uplink& uplink = GetUplink(rack, port);
        if (uplink.idle && (uplink.peer == by || m_bulk == TorForwarding::TRANSIT_IDLE ||
                            m_bulk == TorForwarding::TRANSIT_AGREED || hasWaiting(uplink.peer)))
        {
            Serve(rack, port);
        }
    }
}

bool
SchedulePackets::FabricEngine::Enqueue(RackId rack, uint32_t p, PacketQueue& queue, bool local)
{
    Tor& tor = m_tors[rack];
    const uint32_t bytes = m_packets[p].bytes;
    if (Exceeds(m_settings.bufferSize, tor.packets + 1, tor.bytes + bytes) ||
        Exceeds(m_settings.queueSize, queue.packets + 1, queue.bytes + bytes))
    {
        Drop(p, OcsDropCause::QUEUE_OVERFLOW);
        return false;
    }
    Append(queue, {}, p);
    NoteHeld(tor);
    ++tor.packets;
    tor.bytes += bytes;
    tor.most = std::max(tor.most, tor.bytes);
    if (local && queue.place == NONE)
    {
        queue.place = static_cast<uint32_t>(tor.busy.size());
        tor.busy.push_back(static_cast<uint32_t>(&queue - tor.local.data()));
    }
    return true;
}

uint32_t
SchedulePackets::FabricEngine::Dequeue(RackId rack, PacketQueue& queue, bool local)
{
    Tor& tor = m_tors[rack];
    const uint32_t p = TakeFirst(queue);
    NoteHeld(tor);
    --tor.packets;
    tor.bytes -= m_packets[p].bytes;
    if (local && queue.packets == 0)
    {
        // As TorBuffer, whose order of busy queues TRANSIT_IDLE sees.
        tor.local[tor.busy.back()].place = queue.place;
        tor.busy[queue.place] = tor.busy.back();
        tor.busy.pop_back();
        queue.place = NONE;
    }
    return p;
}

uint32_t
SchedulePackets::FabricEngine::ChoosePort(RackId rack, uint32_t p, bool fromRack)
{
    const RackId to = m_rackOf[m_packets[p].to];
    if (m_expedited.paths == 1)
    {
        return ChooseAmong(rack, m_table.GetNextPorts(rack, to), to);
    }
    Way& way = m_ways[p];
    if (!fromRack)
    {
        const auto& paths = m_table.GetDisjointPaths(rack, to, m_expedited.paths);
        if (!paths.empty())
        {
            way.racks = paths[Spread(rack, static_cast<uint32_t>(paths.size()), to)];
            way.next = 0;
        }
    }
    if (way.next < way.racks.size())
    {
        const RackId peer = way.racks[way.next++];
        const uint32_t port = ChooseAmong(rack, GetPortsTo(rack, peer), peer);
        if (port != NONE)
        {
            return port;
        }
    }
    way.next = way.racks.size();
    return ChooseAmong(rack, m_table.GetNextPorts(rack, to), to);
}

uint64_t
SchedulePackets::FabricEngine::GetPortsTo(RackId rack, RackId peer)
{
    uint64_t ports = 0;
    for (uint32_t port = 0; port < m_model.uplinks; ++port)
    {
        const Uplink& uplink = GetUplink(rack, port);
        ports |= uint64_t{uplink.peer == peer && uplink.Works()} << port;
    }
    return ports;
}

uint32_t
SchedulePackets::FabricEngine::ChooseAmong(RackId rack, uint64_t ports, RackId to)
{
    if (ports == 0)
    {
        return NONE;
    }
    for (uint32_t k = Spread(rack, std::popcount(ports), to); k > 0; --k)
    {
        ports &= ports - 1;
    }
    return std::countr_zero(ports);
}

uint32_t
SchedulePackets::FabricEngine::Spread(RackId rack, uint32_t n, RackId to)
{
    if (n == 1)
    {
        return 0;
    }
    Tor& tor = m_tors[rack];
    return m_model.spreading == Spreading::ROUND_ROBIN ? tor.turns[to]++ % n
                                                       : tor.random.spreading.NextInteger(n);
}

void
SchedulePackets::FabricEngine::Serve(RackId rack, uint32_t port)
{
    Uplink& uplink = GetUplink(rack, port);
    const RackId peer = uplink.peer;
    if (peer == NO_RACK || uplink.sending || !uplink.Works())
    {
        return;
    }
    Tor& tor = m_tors[rack];
    if (SendHeld(rack, port, tor.port[port], false) > 0)
    {
        uplink.idle = false;
        return;
    }
    if (m_bulk == TorForwarding::DIRECT)
    {
        SendHeld(rack, port, tor.local[peer], true);
    }
    else if (m_bulk == TorForwarding::TRANSIT_AGREED)
    {
        m_agreements[rack]->GetLogic().Serve(port, peer);
    }
    else if (m_bulk != TorForwarding::SHORTEST &&
             SendHeld(rack, port, tor.relay[peer], false) == 0 &&
             SendHeld(rack, port, tor.local[peer], true) == 0 &&
             m_bulk == TorForwarding::TRANSIT_IDLE && !tor.busy.empty())
    {
        SendAny(rack, port);
    }
    uplink.idle = !uplink.sending;
}

bool
SchedulePackets::FabricEngine::HasTime(const Uplink& uplink, int64_t tx) const
{
    return uplink.until == NEVER || m_events.Now() + tx <= uplink.until;
}

RackId
SchedulePackets::FabricEngine::DrawTransit(RackId rack, RackId to)
{
    RandomStream& random = m_tors[rack].random.transit;
    const RackId other = random.NextInteger(m_model.racks - 1);
    const RackId transit = other + (other >= rack ? 1 : 0);
    if (Leads(rack, transit, to))
    {
        return transit;
    }
    std::vector<RackId> leading;
    for (RackId each = 0; each < m_model.racks; ++each)
    {
        if (each != rack && Leads(rack, each, to))
        {
            leading.push_back(each);
        }
    }
    return leading.empty() ? transit
                           : leading[random.NextInteger(static_cast<uint32_t>(leading.size()))];
}

void
SchedulePackets::FabricEngine::SendAny(RackId rack, uint32_t port)
{
    Tor& tor = m_tors[rack];
    const uint32_t turn = tor.turn++;
    for (uint32_t i = 0; i < tor.busy.size(); ++i)
    {
        const RackId to = tor.busy[(turn + i) % tor.busy.size()];
        if (Leads(rack, GetUplink(rack, port).peer, to))
        {
            SendHeld(rack, port, tor.local[to], true);
            return;
        }
    }
}

int64_t
SchedulePackets::FabricEngine::GetTx(uint32_t packet) const
{
    return packet & MESSAGE
               ? TransmissionTime(m_model.uplinkRate, m_messages[packet & ~MESSAGE].GetSize())
               : m_uplinkTx[m_packets[packet].bytes];
}

void
SchedulePackets::FabricEngine::StartSending(RackId rack, uint32_t port, uint32_t packet)
{
    Uplink& uplink = GetUplink(rack, port);
    const uint32_t index = rack * m_model.uplinks + port;
    uplink.sending = true;
    ++m_result.hops;
    uplink.sendingTo = uplink.peer * m_model.uplinks + port;
    uplink.tx = GetTx(packet);
    const int64_t tx = uplink.tx;
    if (m_optics && m_model.uplinkDelay == 0)
    {
        m_optics->FirstBit(packet, index);
    }
    else if (m_optics)
    {
        m_events.Schedule(m_model.uplinkDelay, Happening::OCS_REACHED, packet, index);
    }
    m_events.Schedule(tx, Happening::UPLINK_SENT, packet, index);
}

uint32_t
SchedulePackets::FabricEngine::SendHeld(RackId rack,
                                        uint32_t port,
                                        PacketQueue& queue,
                                        bool local,
                                        uint64_t most)
{
    if (queue.packets == 0)
    {
        return 0;
    }
    const uint32_t bytes = m_packets[queue.first].bytes;
    const int64_t tx = m_uplinkTx[bytes];
    if (bytes > most || !HasTime(GetUplink(rack, port), tx))
    {
        return 0;
    }
    StartSending(rack, port, Dequeue(rack, queue, local));
    return bytes;
}

void
SchedulePackets::FabricEngine::UplinkSent(uint32_t packet, uint32_t index)
{
    Uplink& uplink = m_uplinks[index];
    uplink.sending = false;
    const int64_t now = m_events.Now();
    m_used += Clip(now) - Clip(now - uplink.tx);
    const uint32_t at = m_optics ? index | uplink.state.TakeTruncated() : uplink.sendingTo;
    if (m_model.uplinkDelay > 0)
    {
        m_events.Schedule(m_model.uplinkDelay, Happening::OCS_SENT, packet, at);
    }
    else if (m_optics)
    {
        m_optics->LastBit(packet, at);
    }
    else
    {
        ReachUplink(packet, at);
    }
    Serve(index / m_model.uplinks, index % m_model.uplinks);
}

void
SchedulePackets::FabricEngine::ReachUplink(uint32_t packet, uint32_t index)
{
    if (m_optics && m_uplinks[index].state.Misses(m_events.Now(), GetTx(packet)))
    {
        Lose(packet, OcsDropCause::PORT_FAILED);
    }
    else if (packet & MESSAGE)
    {
        MessageReceived(packet & ~MESSAGE, index);
    }
    else
    {
        Forward(index / m_model.uplinks, packet, true, index % m_model.uplinks);
    }
}

void
SchedulePackets::FabricEngine::Lose(uint32_t packet, OcsDropCause cause)
{
    if (!(packet & MESSAGE))
    {
        Drop(packet, cause);
        return;
    }
    FreeMessage(packet & ~MESSAGE);
    ++m_result.counts.dropped[cause];
}

} // namespace ns3::odcn
