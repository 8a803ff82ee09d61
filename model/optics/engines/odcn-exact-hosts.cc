// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Hosts: which flow sends when, what is received, and the ports of switches to them.
 */

#include "odcn-exact-engine.h"
#include "odcn-exact-loop.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-take-index.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::odcn
{

void
ExactPackets::Engine::StartFlows(ServerId h)
{
    Host& host = m_hosts[h];
    const int64_t now = m_events.Now();
    const auto getStart = [this](std::size_t i)
    { return m_flows[m_outgoing[i].flow].start.GetPicoSeconds(); };
    for (; host.next < host.end && getStart(host.next) <= now; ++host.next)
    {
        if (m_hasLoops)
        {
            const Outgoing& flow = m_outgoing[host.next];
            m_loops[h]->GetLogic().SendFlow(flow.flow, flow.to, flow.left, flow.isShort);
            continue;
        }
        Activate(h, static_cast<uint32_t>(host.next));
        ScheduleNext(h);
    }
    if (host.next < host.end)
    {
        m_events.Schedule(getStart(host.next) - now, Happening::FLOW_START, h);
    }
    for (const uint32_t i : std::exchange(host.early, {}))
    {
        StartMessage(i);
    }
}

void
ExactPackets::Engine::Accept(const Message& message)
{
    const int64_t now = m_events.Now();
    const int64_t start = message.sent.GetPicoSeconds();
    const bool isWake = message.bytes == 0 && start >= now;
    if (!isWake && (message.from >= m_hosts.size() || message.to >= m_hosts.size() ||
                    message.from == message.to || message.bytes == 0 ||
                    message.bytes > Message::MAX_BYTES || start < now))
    {
        throw OdcnError("exact packets: a message of " + std::to_string(message.bytes) +
                        " bytes from " + std::to_string(message.from) + " to " +
                        std::to_string(message.to) + " at " + std::to_string(start) +
                        " ps: expected 1 to 2^53 bytes between two different hosts below " +
                        std::to_string(m_hosts.size()) + ", not before " + std::to_string(now) +
                        " ps");
    }
    const uint32_t i = TakeIndex(m_messages, m_freePlaces);
    m_messages[i] = message;
    m_missing.resize(m_messages.size());
    m_outgoing.resize(m_messages.size());
    m_missing[i] = message.bytes;
    m_outgoing[i] = {i, message.to, message.bytes, 0, message.bytes < m_settings.shortFlows};
    ++m_open;
    ++m_unsent;
    if (start > now || isWake)
    {
        m_events.Schedule(start - now, Happening::MESSAGE_SEND, i);
    }
    else if (m_isRunning)
    {
        StartMessage(i);
    }
    else
    {
        m_hosts[message.from].early.push_back(i);
    }
}

void
ExactPackets::Engine::StartMessage(uint32_t i)
{
    if (i == NONE) // see WaitForEnd()
    {
        --m_open;
        --m_unsent;
        return;
    }
    Message& message = m_messages[i];
    if (message.bytes == 0)
    {
        --m_unsent;
        Complete(i);
        return;
    }
    m_outgoing[i].order = message.number = m_sent++;
    if (m_hasLoops)
    {
        m_loops[message.from]->GetLogic().SendMessage(message.to,
                                                      message.bytes,
                                                      i,
                                                      m_outgoing[i].isShort);
        return;
    }
    MessageStarted(i, message, m_outgoing[i].isShort);
    const auto [last, isFirst] = m_lastOfStream.try_emplace(GetStream(i), i);
    if (!isFirst)
    {
        m_outgoing[last->second].behind = i;
        last->second = i;
        return;
    }
    Activate(message.from, i);
    ScheduleNext(message.from);
}

uint64_t
ExactPackets::Engine::GetStream(uint32_t i) const
{
    const Message& message = m_messages[i];
    return (uint64_t(message.from) * m_hosts.size() + message.to) * 2 + m_outgoing[i].isShort;
}

bool
ExactPackets::Engine::LeaveStream(uint32_t i)
{
    const uint32_t behind = m_outgoing[i].behind;
    if (behind == NONE)
    {
        m_lastOfStream.erase(GetStream(i));
        return false;
    }
    Activate(m_messages[i].from, behind);
    return true;
}

bool
ExactPackets::Engine::IsBefore(const Outgoing& a, const Outgoing& b) const
{
    switch (m_settings.order)
    {
    case Order::FIFO:
        return a.order < b.order;
    case Order::SHORTEST_REMAINING:
        return a.left < b.left || (a.left == b.left && a.order < b.order);
    default:
        return false;
    }
}

RackId
ExactPackets::Engine::FindHold(ServerId h, uint32_t i) const
{
    const RackId to = m_rackOf[m_outgoing[i].to];
    return m_links.hold && to != m_rackOf[h] && !m_outgoing[i].isShort ? to : NO_RACK;
}

void
ExactPackets::Engine::Activate(ServerId h, uint32_t i)
{
    Host& host = m_hosts[h];
    Outgoing& flow = m_outgoing[i];
    const RackId rack = FindHold(h, i);
    FlowQueue& queue = rack == NO_RACK ? host.active : host.held[rack];
    uint32_t before = queue.last;
    if (queue.first != NONE && IsBefore(flow, m_outgoing[queue.last]))
    {
        before = NONE;
        for (uint32_t j = queue.first; IsBefore(m_outgoing[j], flow); j = m_outgoing[j].next)
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
    if (m_hasLoops)
    {
        m_loops[h]->GetLogic().UseCircuit(signal.port, signal.rack, signal.until);
        return;
    }
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
        const uint64_t left = m_outgoing[host.held[c.rack].first].left + m_headers;
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
        static_cast<uint32_t>(std::min<uint64_t>(flow.left, m_settings.packetSize - m_headers));
    const uint32_t packet = TakePacket();
    const uint32_t size = bytes + m_headers;
    m_packets[packet] =
        {flow.flow, flow.to, NONE, static_cast<uint16_t>(size), 0, flow.isShort != 0};
    flow.left -= bytes;
    bool isNext = false; // whether a message that has waited for this one begins
    if (flow.left == 0)
    {
        queue->first = flow.next;
        --m_unsent;
        isNext = m_source && LeaveStream(i);
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
    HostCircuit* const used = circuit;
    const auto endTurn = [&]
    {
        if (used)
        {
            const int64_t turn = m_links.turn * m_links.hostsPerRack;
            used->next = std::max(used->next, m_events.Now() - turn) + turn;
        }
    };
    if (!isNext) // else FlowApplication looks for the next packet before the turn ends
    {
        endTurn();
    }
    const int64_t next = FindNext(host, queue, circuit);
    const bool atOnce = queue && next == host.free;
    if (!m_cards.empty() && m_cards[h].isFailed) [[unlikely]]
    {
        Drop(packet, OcsDropCause::PORT_FAILED);
        ScheduleNext(h);
    }
    else
    {
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
        if (!m_areSending.empty())
        {
            m_areSending[h] = true;
        }
    }
    if (isNext)
    {
        endTurn();
    }
}

uint32_t
ExactPackets::Engine::TakePacket()
{
    ++m_result.counts.sent;
    ++m_result.counts.inFlight;
    const uint32_t packet = m_freePacket;
    if (packet == NONE)
    {
        m_packets.emplace_back();
        return static_cast<uint32_t>(m_packets.size() - 1);
    }
    m_freePacket = m_packets[packet].next;
    return packet;
}

void
ExactPackets::Engine::CountGoodput(uint64_t bytes)
{
    if (m_events.Now() >= m_windowEnd)
    {
        const int64_t windows = m_events.Now() / m_window + 1;
        m_windows.resize(windows, 0);
        m_windowEnd = windows * m_window;
    }
    m_windows.back() += bytes;
}

void
ExactPackets::Engine::Receive(uint32_t packet, uint32_t truncated)
{
    if (!m_cards.empty() &&
        (truncated > 0 ||
         m_cards[m_packets[packet].to].Misses(m_events.Now(), m_serverTx[m_packets[packet].bytes])))
        [[unlikely]]
    {
        Drop(packet, OcsDropCause::PORT_FAILED);
        return;
    }
    if (m_hasLoops)
    {
        ++m_result.counts.received;
        m_loops[m_packets[packet].to]->Received(packet);
        return;
    }
    const uint32_t flow = m_packets[packet].flow;
    const uint32_t bytes = m_packets[packet].bytes - m_headers;
    CountGoodput(bytes);
    m_missing[flow] -= bytes;
    ++m_result.counts.received;
    Free(packet);
    if (m_missing[flow] == 0)
    {
        Complete(flow);
    }
}

void
ExactPackets::Engine::Complete(uint32_t flow)
{
    const Time now = PicoSeconds(m_events.Now());
    --m_open;
    if (!m_source)
    {
        m_result.received[flow] = now;
        return;
    }
    m_freePlaces.push_back(flow);
    m_toSend.clear();
    m_source->Receive(Message(m_messages[flow]), now, m_toSend);
    for (const Message& message : m_toSend)
    {
        Accept(message);
    }
    WaitForEnd();
}

void
ExactPackets::Engine::WaitForEnd()
{
    const auto* run = dynamic_cast<const TrafficRun*>(m_source);
    if (m_open > 0 || !run || !run->IsDone())
    {
        return;
    }
    const int64_t left = run->GetTime().GetPicoSeconds() - m_events.Now();
    if (left > 0) // as PlaneRun
    {
        ++m_open;
        ++m_unsent;
        m_events.Schedule(left, Happening::MESSAGE_SEND, NONE);
    }
}

void
ExactPackets::Engine::NoteStages()
{
    const int64_t now = m_events.Now();
    std::vector<TransportLogic::Stages> begun; // by host
    for (const auto& loop : m_loops)
    {
        begun.push_back(loop->GetLogic().GetStages());
    }
    // A message is sent until it is complete, since the sender does not know before.
    const auto findStage = [&](ServerId from, uint32_t flow)
    {
        const auto found = begun[from].find(flow);
        return m_source                     ? FlowApplication::SENDING
               : found == begun[from].end() ? FlowApplication::SENT
                                            : found->second;
    };
    for (uint32_t i = 0; i < m_outgoing.size(); ++i)
    {
        const Outgoing& flow = m_outgoing[i];
        if (m_missing[flow.flow] == 0)
        {
            continue;
        }
        const ServerId from = m_source ? m_messages[i].from : m_flows[flow.flow].from;
        const bool isStarted =
            m_source ? m_messages[i].sent.GetPicoSeconds() < now : i < m_hosts[from].next;
        m_result.stages.emplace_back(m_source ? m_messages[i].tag : flow.flow,
                                     !isStarted                     ? FlowApplication::NOT_STARTED
                                     : m_hasLoops                   ? findStage(from, flow.flow)
                                     : flow.left == 0               ? FlowApplication::SENT
                                     : FindHold(from, i) != NO_RACK ? FlowApplication::HELD
                                                                    : FlowApplication::SENDING);
    }
}

ExactPackets::Engine::PacketQueue
ExactPackets::Engine::MakeQueue(bool fair)
{
    PacketQueue queue;
    if (fair)
    {
        queue.fair = std::make_unique<FairOrder<uint32_t>>();
    }
    return queue;
}

ServerId
ExactPackets::Engine::GetSender(uint32_t packet) const
{
    const uint32_t flow = m_packets[packet].flow;
    return m_hasLoops ? m_contents[packet].from
           : m_source ? m_messages[flow].from
                      : m_flows[flow].from;
}

bool
ExactPackets::Engine::HasRoom(const PacketQueue& queue, const QueueKind& kind, uint32_t p)
{
    Packet& packet = m_packets[p];
    if (kind.data > 0 && packet.bytes > kind.headers && queue.packets - queue.headers >= kind.data)
        [[unlikely]]
    {
        packet.bytes = static_cast<uint16_t>(kind.headers);
        ++m_result.cut;
    }
    return queue.packets < kind.packets && queue.bytes + packet.bytes <= kind.bytes;
}

void
ExactPackets::Engine::Append(PacketQueue& queue, const QueueKind& kind, uint32_t packet)
{
    if (queue.fair) [[unlikely]]
    {
        const Packet& p = m_packets[packet];
        queue.fair->Push(uint64_t(GetSender(packet)) << 32 | p.to, p.bytes, packet);
        queue.first = queue.fair->GetFirst();
    }
    else if (m_packets[packet].bytes <= kind.headers) // goes first
    {
        uint32_t& link = queue.headers == 0 ? queue.first : m_packets[queue.lastHeader].next;
        queue.last = queue.packets == queue.headers ? packet : queue.last;
        m_packets[packet].next = queue.packets == 0 ? NONE : link;
        link = packet;
        queue.lastHeader = packet;
        ++queue.headers;
    }
    else
    {
        (queue.packets == 0 ? queue.first : m_packets[queue.last].next) = packet;
        queue.last = packet;
    }
    ++queue.packets;
    queue.bytes += m_packets[packet].bytes;
}

uint32_t
ExactPackets::Engine::TakeFirst(PacketQueue& queue)
{
    const uint32_t first = queue.first;
    const Packet& packet = m_packets[first];
    if (queue.fair) [[unlikely]]
    {
        queue.fair->Pop();
        queue.first = queue.fair->IsEmpty() ? NONE : queue.fair->GetFirst();
    }
    else
    {
        queue.first = packet.next;
    }
    --queue.packets;
    queue.headers -= queue.headers > 0 ? 1 : 0;
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
    if (!m_downs.empty() && m_downs[to].isFailed) [[unlikely]]
    {
        Drop(p, OcsDropCause::PORT_FAILED);
        return;
    }
    if (!HasRoom(queue, m_links.down, p))
    {
        Drop(p, OcsDropCause::QUEUE_OVERFLOW);
        return;
    }
    Append(queue, m_links.down, p);
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
    if (!m_hasLoops)
    {
        Prefetch(m_missing[m_packets[packet].flow]);
    }
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
