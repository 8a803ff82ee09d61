// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-message-receiver.h"

#include "ns3/odcn-take-index.h"

#include <algorithm>

namespace ns3::odcn
{

MessageReceiver::MessageReceiver(const TransportLogic::Settings& settings,
                                 bool repair,
                                 TransportHost& host)
    : m_settings(settings),
      m_repair(repair),
      m_host(&host)
{
}

MessageReceiver::Progress
MessageReceiver::Receive(const TransportPacket& packet)
{
    const Key key{packet.peer, packet.number};
    if (m_repair && IsComplete(key))
    {
        ++m_duplicates;
        Send(ANSWER, key, {});
        return NOTHING;
    }
    constexpr uint32_t HEADERS = 28 + FlowHeader::SIZE + MessageHeader::SIZE;
    const auto [found, isNew] = m_incoming.try_emplace(key);
    Incoming& message = found->second;
    if (isNew)
    {
        message.left = packet.size;
        message.timeout = m_settings.repairTimeout;
        message.isShort = packet.isShort;
        if (m_repair)
        {
            message.got.resize((packet.size - 1) / (m_settings.packetSize - HEADERS) + 1);
            message.place = TakeIndex(m_places, m_freePlaces);
            m_places[message.place] = key;
        }
    }
    if (m_repair)
    {
        const uint32_t sequence = packet.sequence;
        const uint64_t payload = m_settings.packetSize - HEADERS;
        if (packet.bytes < std::min(payload, packet.size - sequence * payload))
        {
            message.end = std::max(message.end, sequence + 1); // cut on the way: asked for as lost
            Watch(message);
            return NOTHING;
        }
        const bool isNewPacket = !message.got[sequence];
        if (m_settings.window > 0)
        {
            m_settings.windowPerMessage ? CountInMessage(key, message, isNewPacket)
                                        : CountArrival(key, message, isNewPacket);
        }
        if (!isNewPacket)
        {
            ++m_duplicates;
            return NOTHING;
        }
        message.got[sequence] = true;
        message.end = std::max(message.end, sequence + 1);
        while (message.next < message.end && message.got[message.next])
        {
            ++message.next;
        }
        Watch(message);
    }
    message.left -= packet.bytes;
    if (message.left > 0)
    {
        return NEW;
    }
    if (m_repair)
    {
        CancelTimers(message);
        m_freePlaces.push_back(message.place);
    }
    m_incoming.erase(found);
    if (m_repair)
    {
        SetComplete(key);
        Send(ANSWER, key, {});
    }
    return COMPLETED;
}

uint32_t
MessageReceiver::GetTimer(const Incoming& message)
{
    return FIRST_TIMER + (TIMERS + 1) * message.place;
}

void
MessageReceiver::CancelTimers(const Incoming& message)
{
    m_host->CancelTimer(GetTimer(message));
    m_host->CancelTimer(GetTimer(message) + 1);
}

void
MessageReceiver::TimerExpired(uint32_t timer)
{
    if (timer == SILENCE_TIMER)
    {
        FindSilent();
        return;
    }
    const Key key = m_places[(timer - FIRST_TIMER) / (TIMERS + 1)];
    const bool isFirst = (timer - FIRST_TIMER) % (TIMERS + 1) == 0;
    isFirst ? AskForGap(key) : AskAgain(key);
}

void
MessageReceiver::CountArrival(const Key& key, Incoming& message, bool isNew)
{
    Class& messages = m_classes[message.isShort];
    const auto packets = static_cast<uint32_t>(message.got.size());
    const bool isFirst = message.credit == 0;
    message.last = m_host->Now();
    if (isFirst)
    {
        message.credit = std::min(packets, m_settings.window);
        message.rank = GetRank(message);
    }
    if (isFirst || message.isSilent)
    {
        message.isSilent = false;
        messages.onTheirWay += message.credit - message.received;
        if (message.credit < packets)
        {
            messages.waiting.emplace(message.rank, key);
        }
    }
    if (isNew)
    {
        ++message.received;
        --messages.onTheirWay;
    }
    else if (message.credit > m_settings.window)
    {
        SendCredit(key, message); // the last one may have been lost
    }
    GiveCredits(messages);
}

void
MessageReceiver::CountInMessage(const Key& key, Incoming& message, bool isNew)
{
    const auto packets = static_cast<uint32_t>(message.got.size());
    message.credit = std::max(message.credit, std::min(packets, m_settings.window));
    message.received += isNew ? 1 : 0;
    const uint32_t credit = std::min(packets, message.received + m_settings.window);
    const uint32_t least = std::min(m_settings.creditPackets, m_settings.window);
    if (credit >= message.credit + least || (credit == packets && credit > message.credit))
    {
        message.credit = credit;
        SendCredit(key, message);
    }
    else if (!isNew && message.credit > m_settings.window)
    {
        SendCredit(key, message); // the last one may have been lost
    }
}

uint64_t
MessageReceiver::GetRank(const Incoming& message)
{
    switch (m_settings.order)
    {
    case FlowApplication::FIFO:
        return message.rank > 0 ? message.rank : ++m_turn;
    case FlowApplication::SHORTEST_REMAINING:
        return message.got.size() - message.credit;
    default:
        return ++m_turn;
    }
}

void
MessageReceiver::GiveCredits(Class& messages)
{
    auto& [waiting, onTheirWay] = messages;
    while (onTheirWay < int64_t(m_settings.window) && !waiting.empty())
    {
        const Key key = waiting.begin()->second;
        Incoming& message = m_incoming.at(key);
        const uint32_t packets =
            std::min({m_settings.creditPackets,
                      m_settings.window,
                      static_cast<uint32_t>(message.got.size()) - message.credit});
        if (onTheirWay + packets > m_settings.window)
        {
            break;
        }
        auto first = waiting.extract(waiting.begin());
        message.credit += packets;
        onTheirWay += packets;
        SendCredit(key, message);
        if (message.credit < message.got.size())
        {
            message.rank = GetRank(message);
            first.value().first = message.rank;
            waiting.insert(std::move(first));
        }
    }
    if (!waiting.empty() && !m_host->IsPending(SILENCE_TIMER))
    {
        m_host->SetTimer(SILENCE_TIMER, m_settings.repairTimeout);
    }
}

void
MessageReceiver::FindSilent()
{
    for (auto& [key, message] : m_incoming)
    {
        if (!message.isSilent && message.last + m_settings.repairTimeout <= m_host->Now())
        {
            Class& messages = m_classes[message.isShort];
            message.isSilent = true;
            messages.onTheirWay -= message.credit - message.received;
            messages.waiting.erase({message.rank, key});
        }
    }
    for (Class& messages : m_classes)
    {
        GiveCredits(messages);
    }
}

void
MessageReceiver::SendCredit(const Key& key, const Incoming& message)
{
    const TransportPacket::Range range{0, message.credit};
    Send(CREDIT, key, {&range, 1});
}

void
MessageReceiver::Send(Kind kind, const Key& key, std::span<const TransportPacket::Range> ranges)
{
    TransportPacket packet;
    packet.peer = key.first;
    packet.kind = kind;
    packet.number = key.second;
    packet.isShort = true;
    packet.ranges = ranges;
    m_host->Send(packet);
}

bool
MessageReceiver::IsComplete(const Key& key) const
{
    const auto found = m_known.find(key.first);
    return found != m_known.end() &&
           (key.second < found->second.below || found->second.above.contains(key.second));
}

void
MessageReceiver::SetComplete(const Key& key)
{
    Known& known = m_known[key.first];
    known.above.insert(key.second);
    while (!known.above.empty() && *known.above.begin() == known.below)
    {
        known.above.erase(known.above.begin());
        ++known.below;
    }
}

void
MessageReceiver::Watch(Incoming& message)
{
    if (std::max(message.next, message.asked) < message.end && message.next < message.end &&
        !m_host->IsPending(GetTimer(message)))
    {
        message.mark = message.end;
        m_host->SetTimer(GetTimer(message), m_settings.reorderTime);
    }
}

void
MessageReceiver::AskForGap(const Key& key)
{
    Incoming& message = m_incoming.at(key);
    if (Ask(key, message, std::max(message.next, message.asked), message.mark) &&
        !m_host->IsPending(GetTimer(message) + 1))
    {
        m_host->SetTimer(GetTimer(message) + 1, message.timeout);
    }
    message.asked = std::max(message.asked, message.mark);
    Watch(message);
}

void
MessageReceiver::AskAgain(const Key& key)
{
    Incoming& message = m_incoming.at(key);
    if (Ask(key, message, message.next, message.asked))
    {
        message.timeout = std::min(message.timeout * 2, m_settings.repairTimeout * MOST_TIMEOUTS);
        m_host->SetTimer(GetTimer(message) + 1, message.timeout);
    }
}

bool
MessageReceiver::Ask(const Key& key, const Incoming& message, uint32_t first, uint32_t end)
{
    bool any = false;
    m_ranges.clear();
    const auto send = [&]
    {
        ++m_requests;
        Send(ANSWER, key, m_ranges);
        m_ranges.clear();
    };
    for (uint32_t i = first; i < end; ++i)
    {
        if (message.got[i])
        {
            continue;
        }
        any = true;
        if (!m_ranges.empty() && m_ranges.back().first + m_ranges.back().second == i)
        {
            ++m_ranges.back().second;
            continue;
        }
        if (m_ranges.size() == TransportLogic::MAX_RANGES)
        {
            send();
        }
        m_ranges.emplace_back(i, 1);
    }
    if (!m_ranges.empty())
    {
        send();
    }
    return any;
}

} // namespace ns3::odcn
