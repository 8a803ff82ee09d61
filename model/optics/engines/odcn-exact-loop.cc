// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-exact-loop.h"

#include <algorithm>

namespace ns3::odcn
{

ExactPackets::Engine::Loop::Loop(Engine& engine, ServerId host)
    : m_engine(engine),
      m_host(host),
      m_logic(TransportLogic::Make(engine.m_settings.transport, engine.m_settings.repair)),
      m_card(MakeQueue(engine.m_links.card.fair))
{
    static_assert(int(Order::FIFO) == FlowApplication::FIFO);
    static_assert(int(Order::SHORTEST_REMAINING) == FlowApplication::SHORTEST_REMAINING);
    const HostSettings& s = engine.m_settings;
    m_logic->Attach(*this,
                    {static_cast<FlowApplication::Order>(s.order),
                     s.packetSize,
                     engine.m_links.hold,
                     s.windowPerMessage,
                     s.reorderTime.GetPicoSeconds(),
                     s.repairTimeout.GetPicoSeconds(),
                     s.window,
                     s.creditPackets});
    m_logic->Start();
}

int64_t
ExactPackets::Engine::Loop::Now() const
{
    return m_engine.m_events.Now();
}

int64_t
ExactPackets::Engine::Loop::GetTxTime(uint32_t bytes) const
{
    return m_engine.m_serverTx[bytes];
}

void
ExactPackets::Engine::Loop::SetTimer(uint32_t timer, int64_t delay)
{
    m_timers.resize(std::max<std::size_t>(m_timers.size(), timer + 1));
    m_timers[timer] = m_engine.m_events.Schedule(delay, Happening::TIMER, m_host, timer);
}

void
ExactPackets::Engine::Loop::CancelTimer(uint32_t timer)
{
    if (IsPending(timer))
    {
        m_timers[timer] = 0;
    }
}

bool
ExactPackets::Engine::Loop::IsPending(uint32_t timer) const
{
    return timer < m_timers.size() && m_timers[timer] != 0;
}

void
ExactPackets::Engine::Loop::Expired(uint32_t timer, uint64_t order)
{
    if (m_timers[timer] == order) // else it was cancelled or set again
    {
        CancelTimer(timer);
        m_logic->TimerExpired(timer);
    }
}

void
ExactPackets::Engine::Loop::Send(const TransportPacket& packet)
{
    const uint32_t p = m_engine.TakePacket();
    m_engine.m_contents.resize(m_engine.m_packets.size());
    Content& content = m_engine.m_contents[p];
    content.packet = packet;
    content.from = m_host;
    content.headers = m_logic->GetHeaders(packet);
    content.ranges.assign(packet.ranges.begin(), packet.ranges.end());
    content.offset = m_logic->GetOffset(packet);
    content.hash = m_engine.FindHash(content);
    m_engine.m_packets[p] = {NONE,
                             packet.peer,
                             NONE,
                             static_cast<uint16_t>(packet.bytes + content.headers),
                             0,
                             packet.isShort};
    const QueueKind& kind = m_engine.m_links.card;
    if (!m_engine.m_cards.empty() && m_engine.m_cards[m_host].isFailed)
    {
        m_engine.Drop(p, OcsDropCause::PORT_FAILED);
        return;
    }
    if (!m_engine.HasRoom(m_card, kind, p))
    {
        m_engine.Drop(p, OcsDropCause::QUEUE_OVERFLOW);
        return;
    }
    m_engine.Append(m_card, kind, p);
    if (!m_isSending)
    {
        StartNext();
    }
}

void
ExactPackets::Engine::Loop::StartNext()
{
    const uint32_t packet = m_engine.TakeFirst(m_card);
    m_isSending = true;
    m_engine.m_events.Schedule(m_engine.m_serverTx[m_engine.m_packets[packet].bytes],
                               Happening::HOST_SENT,
                               packet,
                               m_host);
}

void
ExactPackets::Engine::Loop::Sent(uint32_t packet)
{
    m_isSending = false;
    m_engine.LeaveCard(packet, m_host);
    if (!m_isSending && m_card.packets > 0)
    {
        StartNext();
    }
}

void
ExactPackets::Engine::Loop::LoseWaiting()
{
    while (m_card.packets > 0)
    {
        m_engine.Drop(m_engine.TakeFirst(m_card), OcsDropCause::PORT_FAILED);
    }
}

void
ExactPackets::Engine::Loop::Received(uint32_t packet)
{
    Content& content = m_engine.m_contents[packet];
    TransportPacket arrived = content.packet;
    arrived.peer = content.from;
    arrived.bytes = m_engine.m_packets[packet].bytes - content.headers;
    m_ranges.swap(content.ranges);
    arrived.ranges = m_ranges;
    m_engine.Free(packet);
    m_logic->Receive(arrived);
}

void
ExactPackets::Engine::Loop::DeliverBytes(uint32_t flow, uint32_t bytes)
{
    uint64_t& missing = m_engine.m_missing[flow];
    m_engine.CountGoodput(bytes);
    if (missing == 0)
    {
        return;
    }
    missing -= std::min<uint64_t>(missing, bytes);
    if (missing == 0)
    {
        m_engine.Complete(flow);
    }
}

void
ExactPackets::Engine::Loop::DeliverMessage(const TransportPacket& packet)
{
    const auto place = static_cast<uint32_t>(packet.tag);
    m_engine.CountGoodput(packet.size);
    m_engine.m_missing[place] = 0;
    m_engine.Complete(place);
}

RackId
ExactPackets::Engine::Loop::FindRack(uint32_t peer) const
{
    const RackId rack = m_engine.m_rackOf[peer];
    return m_engine.m_links.hold && rack != m_engine.m_rackOf[m_host] ? rack : NO_RACK;
}

TransportHost::Uplink
ExactPackets::Engine::Loop::GetUplink(uint32_t) const
{
    const HostLinks& links = m_engine.m_links;
    return {links.turn, links.delay, m_host % links.hostsPerRack, links.hostsPerRack};
}

} // namespace ns3::odcn
