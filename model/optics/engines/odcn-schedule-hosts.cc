// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Hosts: which flow sends when, and what is received.
 */

#include "odcn-schedule-engine.h"

#include <algorithm>

namespace ns3::odcn
{

void
SchedulePackets::Engine::StartFlows(ServerId h)
{
    Host& host = m_hosts[h];
    const int64_t now = m_events.Now();
    for (; host.next < host.end && m_outgoing[host.next].start <= now; ++host.next)
    {
        const auto i = static_cast<uint32_t>(host.next);
        const RackId to = m_rackOf[m_outgoing[i].to];
        const bool waits =
            m_settings.hold && to != m_rackOf[h] && m_outgoing[i].left >= m_settings.shortFlows;
        AddFlow(waits ? host.held[to] : host.active, i);
        ScheduleNext(h);
    }
    if (host.next < host.end)
    {
        m_events.Schedule(m_outgoing[host.next].start - now, Happening::FLOW_START, h);
    }
}

void
SchedulePackets::Engine::AddFlow(FlowQueue& queue, uint32_t i)
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
SchedulePackets::Engine::UseCircuit(ServerId h)
{
    const Signal signal = m_signals.front();
    m_signals.pop_front();
    const int64_t packet = m_uplinkTx.back();
    m_hosts[h].circuits[signal.port] = {
        signal.rack,
        m_events.Now() + packet * (h % m_model.serversPerRack),
        signal.until == NEVER ? NEVER : signal.until - m_model.serverDelay - packet};
    ScheduleNext(h);
}

int64_t
SchedulePackets::Engine::FindNext(Host& host, FlowQueue*& queue, HostCircuit*& circuit)
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
SchedulePackets::Engine::ScheduleNext(ServerId h)
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
SchedulePackets::Engine::SendPacket(ServerId h)
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
    if (m_expedited.paths > 1)
    {
        m_ways.resize(m_packets.size());
        m_ways[packet].next = m_ways[packet].racks.size();
    }
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
        const int64_t turn = m_uplinkTx.back() * m_model.serversPerRack;
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
SchedulePackets::Engine::Receive(uint32_t packet)
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

} // namespace ns3::odcn
