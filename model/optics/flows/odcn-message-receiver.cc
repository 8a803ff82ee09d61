// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-message-receiver.h"

#include "odcn-flow-application.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::odcn
{

MessageReceiver::MessageReceiver(const Settings& settings, Complete complete, Answer answer)
    : m_settings(settings),
      m_complete(std::move(complete)),
      m_answer(std::move(answer))
{
}

MessageReceiver::~MessageReceiver()
{
    for (auto& [key, message] : m_incoming)
    {
        message.gap.Cancel();
        message.again.Cancel();
    }
}

void
MessageReceiver::Receive(Ipv4Address from,
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
        return;
    }
    const auto [found, isNew] = m_incoming.try_emplace(key);
    Incoming& message = found->second;
    if (isNew)
    {
        message.left = header.GetBytes();
        message.timeout = m_settings.timeout;
        message.got.resize(m_settings.repair ? (header.GetBytes() - 1) / payload + 1 : 0);
    }
    if (m_settings.repair)
    {
        const uint32_t sequence = flow.GetSequence();
        if (message.got[sequence])
        {
            ++m_duplicates;
            return;
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
    if (message.left == 0)
    {
        message.gap.Cancel();
        message.again.Cancel();
        m_incoming.erase(found);
        if (m_settings.repair)
        {
            SetComplete(key);
            m_answer(from, RepairHeader(key.second, {}));
        }
        m_complete({from, header.GetBytes(), header.GetTag(), flow.GetSent()});
    }
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
        message.timeout = message.timeout * int64_t(2);
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
