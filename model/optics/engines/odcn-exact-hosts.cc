// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Hosts: which flow sends when, what is received, and the ports of switches to them.
 */

#include "odcn-exact-engine.h"

#include <algorithm>

namespace ns3::odcn
{

void
ExactPackets::Engine::StartFlows(ServerId h)
{
    Host& host = m_hosts[h];
    const int64_t now = m_events.Now();
    for (; host.next < host.end && m_outgoing[host.next].start <= now; ++host.next)
    {
        const auto i = static_cast<uint32_t>(host.next);
        const RackId to = m_rackOf[m_outgoing[i].to];
        const bool waits =
            m_links.hold && to != m_rackOf[h] && m_outgoing[i].left >= m_settings.shortFlows;
        AddFlow(waits ? host.held[to] : host.active, i);
        ScheduleNext(h);
    }
    if (host.next < host.end)
    {
        m_events.Schedule(m_outgoing[host.next].start - now, Happening::FLOW_START, h);
    }
}

void
ExactPackets::Engine::AddFlow(FlowQueue& queue, uint32_t i)
{
    Outgoing& flow = m_outgoing[i];
    uint32_t before = queue.last;
    if (m_settings.order == Order::SHORTEST_REMAINING)
    {
        before = NONE;
        for (uint32_t j = queue.first; j != NONE && m_outgoing[j].left <= flow.left;
             j = m_outgoing[j].next)
        {
            before = j;
        }
    }
    uint32_t& link = queue.first == NONE || before == NONE ? queue.first : m_outgoing[before].next;
    if (queue.first == NONE || before == queue.last)
    {
        queue.last = i;
        flow.next = NONE;
    }
    else
    {
        flow.next = link;
    }
    link = i;
}

void
ExactPackets::Engine::Tell(ServerId host, const Signal& signal)
{
    m_signals.push_back(signal);
    m_events.Schedule(m_links.delay, Happening::CIRCUIT, host);
}

void
ExactPackets::Engine::UseCircuit(ServerId h)
{
    const Signal signal = m_signals.front();
    m_signals.pop_front();
    const int64_t packet = m_links.turn;
    m_hosts[h].circuits[signal.port] = {
        signal.rack,
        m_events.Now() + packet * (h % m_links.hostsPerRack),
        signal.until == NEVER ? NEVER : signal.until - m_links.delay - packet};
    ScheduleNext(h);
}

int64_t
ExactPackets::Engine::FindNext(Host& host, FlowQueue*& queue, HostCircuit*& circuit)
{
    const int64_t free = std::max(host.free, m_events.Now());
    queue = host.active.first == NONE ? nullptr : &host.active;
    circuit = nullptr;
    if (queue)
    {
        return free;
    }
    for (HostCircuit& c : host.circuits)
    {
        if (c.rack == NO_RACK || host.held[c.rack].first == NONE ||
            (circuit && circuit->next <= c.next))
        {
            continue;
        }
        const uint64_t left = m_outgoing[host.held[c.rack].first].left + HEADERS;
        const int64_t tx = m_serverTx[std::min<uint64_t>(left, m_settings.packetSize)];
        if (std::max(free, c.next) + tx <= c.until)
        {
            queue = &host.held[c.rack];
            circuit = &c;
        }
    }
    return circuit ? std::max(free, circuit->next) : free;
}

void
ExactPackets::Engine::ScheduleNext(ServerId h)
{
    Host& host = m_hosts[h];
    FlowQueue* queue;
    HostCircuit* circuit;
    const int64_t at = FindNext(host, queue, circuit);
    if (queue && at < host.sendTime)
    {
        host.sendTime = at;
        host.sendOrder = m_events.Schedule(at - m_events.Now(), Happening::HOST_SEND, h);
    }
}

void
ExactPackets::Engine::SendPacket(ServerId h)
{
    Host& host = m_hosts[h];
    FlowQueue* queue;
    HostCircuit* circuit;
    host.sendTime = NEVER;
    if (FindNext(host, queue, circuit) > m_events.Now() || !queue)
    {
        ScheduleNext(h);
        return;
    }
    const uint32_t i = queue->first;
    Outgoing& flow = m_outgoing[i];
    const auto bytes =
        static_cast<uint32_t>(std::min<uint64_t>(flow.left, m_settings.packetSize - HEADERS));
    uint32_t packet = m_freePacket;
    if (packet == NONE)
    {
        packet = static_cast<uint32_t>(m_packets.size());
        m_packets.emplace_back();
    }
    else
    {
        m_freePacket = m_packets[packet].next;
    }
    const uint32_t size = bytes + HEADERS;
    m_packets[packet] = {flow.flow, flow.to, NONE, static_cast<uint16_t>(size), 0};
    ++m_result.counts.sent;
    ++m_result.counts.inFlight;
    flow.left -= bytes;
    if (flow.left == 0)
    {
        queue->first = flow.next;
        --m_unsent;
    }
    else if (m_settings.order == Order::ROUND_ROBIN && flow.next != NONE)
    {
        queue->first = flow.next;
        m_outgoing[queue->last].next = i;
        queue->last = i;
        flow.next = NONE;
        Prefetch(m_outgoing[queue->first]);
    }
    host.free = m_events.Now() + m_serverTx[size];
    if (circuit)
    {
        const int64_t turn = m_links.turn * m_links.hostsPerRack;
        circuit->next = std::max(circuit->next, m_events.Now() - turn) + turn;
    }
    const int64_t next = FindNext(host, queue, circuit);
    const bool atOnce = queue && next == host.free;
    m_events.Schedule(m_serverTx[size],
                      atOnce ? Happening::HOST_SENT_NEXT : Happening::HOST_SENT,
                      packet,
                      h);
    if (atOnce)
    {
        host.sendTime = next;
        host.sendOrder = 0;
    }
    else
    {
        ScheduleNext(h);
    }
}

void
ExactPackets::Engine::Receive(uint32_t packet)
{
    const uint32_t flow = m_packets[packet].flow;
    const uint32_t bytes = m_packets[packet].bytes - HEADERS;
    const auto window = static_cast<std::size_t>(m_events.Now() / m_window);
    if (window >= m_windows.size())
    {
        m_windows.resize(window + 1, 0);
    }
    m_windows[window] += bytes;
    m_missing[flow] -= bytes;
    if (m_missing[flow] == 0)
    {
        m_result.times[flow] = PicoSeconds(m_events.Now()) - m_flows[flow].start;
    }
    ++m_result.counts.received;
    Free(packet);
}

void
ExactPackets::Engine::Append(PacketQueue& queue, uint32_t packet)
{
    (queue.packets == 0 ? queue.first : m_packets[queue.last].next) = packet;
    queue.last = packet;
    ++queue.packets;
    queue.bytes += m_packets[packet].bytes;
}

uint32_t
ExactPackets::Engine::TakeFirst(PacketQueue& queue)
{
    const uint32_t first = queue.first;
    const Packet& packet = m_packets[first];
    queue.first = packet.next;
    --queue.packets;
    queue.bytes -= packet.bytes;
    if (queue.packets > 0)
    {
        Prefetch(m_packets[queue.first]);
    }
    return first;
}

void
ExactPackets::Engine::ForwardDown(uint32_t p)
{
    const ServerId to = m_packets[p].to;
    PacketQueue& queue = m_hosts[to].down;
    if (queue.packets >= m_links.queuePackets ||
        queue.bytes + m_packets[p].bytes > m_links.queueBytes)
    {
        Drop(p, OcsDropCause::QUEUE_OVERFLOW);
        return;
    }
    Append(queue, p);
    StartDown(to);
}

void
ExactPackets::Engine::StartDown(ServerId h)
{
    Host& host = m_hosts[h];
    if (host.downBusy || host.down.packets == 0)
    {
        return;
    }
    const uint32_t packet = TakeFirst(host.down);
    host.downBusy = true;
    Prefetch(m_missing[m_packets[packet].flow]);
    m_events.Schedule(m_serverTx[m_packets[packet].bytes], Happening::DOWNLINK_SENT, packet, h);
}

void
ExactPackets::Engine::Drop(uint32_t packet, OcsDropCause cause)
{
    ++m_result.counts.dropped[cause];
    Free(packet);
}

void
ExactPackets::Engine::Free(uint32_t packet)
{
    --m_result.counts.inFlight;
    m_packets[packet].next = m_freePacket;
    m_freePacket = packet;
}

} // namespace ns3::odcn
