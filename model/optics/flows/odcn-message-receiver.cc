// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-message-receiver.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::odcn
{

MessageReceiver::MessageReceiver(const Settings& settings, Answer answer, Answer credit)
    : m_settings(settings),
      m_answer(std::move(answer)),
      m_credit(std::move(credit))
{
}

MessageReceiver::~MessageReceiver()
{
    m_silence.Cancel();
    for (auto& [key, message] : m_incoming)
    {
        message.gap.Cancel();
        message.again.Cancel();
    }
}

MessageReceiver::Progress
MessageReceiver::Receive(Ipv4Address from,
                         bool isShort,
                         const FlowHeader& flow,
                         const MessageHeader& header,
                         uint32_t bytes,
                         uint32_t payload)
{
    const Key key{from.Get(), flow.GetFlow()};
    if (m_settings.repair && IsComplete(key))
    {
        ++m_duplicates;
        m_answer(from, RepairHeader(key.second, {}));
        return NOTHING;
    }
    const auto [found, isNew] = m_incoming.try_emplace(key);
    Incoming& message = found->second;
    if (isNew)
    {
        message.left = header.GetBytes();
        message.timeout = m_settings.timeout;
        message.isShort = isShort;
        message.got.resize(m_settings.repair ? (header.GetBytes() - 1) / payload + 1 : 0);
    }
    if (m_settings.repair)
    {
        const uint32_t sequence = flow.GetSequence();
        const bool isNewPacket = !message.got[sequence];
        if (m_settings.window > 0)
        {
            CountArrival(key, message, isNewPacket);
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
        Watch(key, message);
    }
    message.left -= bytes;
    if (message.left > 0)
    {
        return NEW;
    }
    message.gap.Cancel();
    message.again.Cancel();
    m_incoming.erase(found);
    if (m_settings.repair)
    {
        SetComplete(key);
        m_answer(from, RepairHeader(key.second, {}));
    }
    return COMPLETED;
}

void
MessageReceiver::CountArrival(const Key& key, Incoming& message, bool isNew)
{
    Class& messages = m_classes[message.isShort];
    const auto packets = static_cast<uint32_t>(message.got.size());
    const bool isFirst = message.credit == 0;
    message.last = Simulator::Now();
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
    if (!waiting.empty() && m_silence.IsExpired())
    {
        m_silence = Simulator::Schedule(m_settings.timeout, &MessageReceiver::FindSilent, this);
    }
}

void
MessageReceiver::FindSilent()
{
    for (auto& [key, message] : m_incoming)
    {
        if (!message.isSilent && message.last + m_settings.timeout <= Simulator::Now())
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
    m_credit(Ipv4Address(key.first), RepairHeader(key.second, {{0, message.credit}}));
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
MessageReceiver::Watch(const Key& key, Incoming& message)
{
    if (std::max(message.next, message.asked) < message.end && message.next < message.end &&
        message.gap.IsExpired())
    {
        message.mark = message.end;
        message.gap =
            Simulator::Schedule(m_settings.reorderTime, &MessageReceiver::AskForGap, this, key);
    }
}

void
MessageReceiver::AskForGap(Key key)
{
    Incoming& message = m_incoming.at(key);
    if (Ask(key, message, std::max(message.next, message.asked), message.mark) &&
        message.again.IsExpired())
    {
        message.again = Simulator::Schedule(message.timeout, &MessageReceiver::AskAgain, this, key);
    }
    message.asked = std::max(message.asked, message.mark);
    Watch(key, message);
}

void
MessageReceiver::AskAgain(Key key)
{
    Incoming& message = m_incoming.at(key);
    if (Ask(key, message, message.next, message.asked))
    {
        message.timeout =
            std::min(message.timeout * int64_t(2), m_settings.timeout * MOST_TIMEOUTS);
        message.again = Simulator::Schedule(message.timeout, &MessageReceiver::AskAgain, this, key);
    }
}

bool
MessageReceiver::Ask(const Key& key, const Incoming& message, uint32_t first, uint32_t end)
{
    // An answer is one packet of a usual size.
    constexpr std::size_t MAX_RANGES = 128;
    std::vector<RepairHeader::Range> ranges;
    bool any = false;
    const auto send = [&]
    {
        ++m_requests;
        m_answer(Ipv4Address(key.first), RepairHeader(key.second, std::move(ranges)));
        ranges.clear();
    };
    for (uint32_t i = first; i < end; ++i)
    {
        if (message.got[i])
        {
            continue;
        }
        any = true;
        if (!ranges.empty() && ranges.back().first + ranges.back().second == i)
        {
            ++ranges.back().second;
            continue;
        }
        if (ranges.size() == MAX_RANGES)
        {
            send();
        }
        ranges.emplace_back(i, 1);
    }
    if (!ranges.empty())
    {
        send();
    }
    return any;
}

} // namespace ns3::odcn
