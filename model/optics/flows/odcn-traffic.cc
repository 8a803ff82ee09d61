// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-traffic.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// @return time of what has not happened yet
Time
NotYet()
{
    return TimeStep(0) - TimeStep(1);
}

} // namespace

void
Traffic::Check(const Item& message, std::size_t index, std::span<const uint32_t> after)
{
    if (message.from == message.to || message.bytes > Message::MAX_BYTES ||
        message.start.IsStrictlyNegative() || index >= uint32_t{1} << 31 ||
        std::any_of(after.begin(), after.end(), [&](uint32_t i) { return i >= index; }))
    {
        throw OdcnError("Traffic: message " + std::to_string(index) + " of " +
                        std::to_string(message.bytes) + " bytes from " +
                        std::to_string(message.from) + " to " + std::to_string(message.to) +
                        ": expected at most 2^53 bytes between two different end points, after "
                        "messages with lower numbers, with a start of 0 or more, and at most 2^31 "
                        "messages");
    }
}

Traffic::Traffic(const std::vector<Item>& messages)
{
    Reserve(messages.size());
    for (const Item& message : messages)
    {
        Add(message);
    }
}

Traffic::Traffic(std::initializer_list<Item> messages)
    : Traffic(std::vector<Item>(messages))
{
}

uint32_t
Traffic::Add(const Item& message, std::span<const uint32_t> after)
{
    const std::size_t index = m_data.size();
    Check(message, index, after);
    m_data.push_back({message.from, message.to, message.bytes});
    if (!message.start.IsZero())
    {
        m_starts.resize(index, Time(0));
        m_starts.push_back(message.start);
    }
    if (!after.empty())
    {
        m_ends.resize(index, m_after.size());
        m_after.insert(m_after.end(), after.begin(), after.end());
        m_ends.push_back(m_after.size());
    }
    return static_cast<uint32_t>(index);
}

uint64_t
TrafficResult::CountReceived() const
{
    return static_cast<uint64_t>(std::count_if(received.begin(),
                                               received.end(),
                                               [](const Time& time)
                                               { return !time.IsStrictlyNegative(); }));
}

std::vector<Time>
TrafficResult::GetTimes() const
{
    std::vector<Time> times = received;
    for (std::size_t i = 0; i < times.size(); ++i)
    {
        times[i] = received[i].IsStrictlyNegative() ? received[i] : received[i] - sent[i];
    }
    return times;
}

TrafficRun::TrafficRun(Traffic traffic, Received received, FabricEngine engine)
    : m_traffic(std::move(traffic)),
      m_notify(std::move(received)),
      m_engine(engine)
{
}

void
TrafficRun::Start(std::vector<Message>& send)
{
    const std::size_t n = m_traffic.size();
    m_order = MessageOrder(static_cast<uint32_t>(n),
                           [this](uint32_t i) { return m_traffic.GetAfter(i); });
    m_now = Time(0);
    m_end = Time(0);
    m_received.clear();
    m_isStarted = true;
    send.reserve(m_traffic.Waits() ? 0 : std::min(n, m_batch));
    SendReady(send);
}

void
TrafficRun::Receive(const Message& message, Time now, std::vector<Message>& send)
{
    m_now = now;
    Count(static_cast<uint32_t>(message.tag), now);
    SendReady(send);
}

bool
TrafficRun::SendMore(std::vector<Message>& send)
{
    const std::size_t before = send.size();
    SendReady(send);
    return send.size() > before;
}

void
TrafficRun::SendReady(std::vector<Message>& send)
{
    for (std::size_t n = 0; n < m_batch && m_order.HasReady();)
    {
        const uint32_t index = m_order.TakeReady();
        const Traffic::Item& item = m_traffic[index];
        const Time sent = std::max(m_now, GetSent(index));
        if (item.bytes == 0)
        {
            Count(index, sent);
            continue;
        }
        send.push_back({0, item.from, item.to, item.bytes, index, sent});
        ++n;
    }
}

Time
TrafficRun::GetSent(uint32_t index) const
{
    // A message is sent when its start has come and the last of those before it was received. One
    // without bytes counts as received at its start, which may be later than the present.
    Time sent = m_traffic[index].start;
    for (const uint32_t before : m_traffic.GetAfter(index))
    {
        const Time received = GetReceived(before);
        if (received.IsStrictlyNegative())
        {
            return received;
        }
        sent = std::max(sent, received);
    }
    return sent;
}

Time
TrafficRun::GetReceived(uint32_t index) const
{
    return m_received.empty() ? NotYet() : m_received[index];
}

TrafficResult
TrafficRun::GetResult() const
{
    TrafficResult result;
    result.engine = m_engine;
    const std::size_t n = m_isStarted ? m_traffic.size() : 0;
    result.sent.reserve(n);
    result.received.reserve(n);
    for (uint32_t i = 0; i < n; ++i)
    {
        result.sent.push_back(GetSent(i));
        result.received.push_back(GetReceived(i));
    }
    return result;
}

void
TrafficRun::Count(uint32_t index, Time now)
{
    if (m_received.empty())
    {
        m_received.assign(m_traffic.size(), NotYet());
    }
    m_received[index] = now;
    m_end = std::max(m_end, now);
    m_order.SetReceived(index);
    if (m_notify)
    {
        m_notify(index);
    }
}

std::string
TrafficRun::DescribeUnfinished() const
{
    if (IsDone())
    {
        return "";
    }
    std::string text = std::to_string(m_traffic.size() - CountReceived()) + " of " +
                       std::to_string(m_traffic.size()) + " messages were not received";
    for (uint32_t i = 0; i < m_traffic.size(); ++i)
    {
        if (GetReceived(i).IsStrictlyNegative() && !GetSent(i).IsStrictlyNegative())
        {
            return text + "; the first has " + std::to_string(m_traffic[i].bytes) + " bytes from " +
                   std::to_string(m_traffic[i].from) + " to " + std::to_string(m_traffic[i].to) +
                   ", sent at " + std::to_string(GetSent(i).GetSeconds()) + " s";
        }
    }
    return text;
}

} // namespace ns3::odcn
