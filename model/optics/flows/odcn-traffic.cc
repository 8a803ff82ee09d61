// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-traffic.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <utility>

namespace ns3::odcn
{

uint32_t
Traffic::Add(uint32_t from,
             uint32_t to,
             uint64_t bytes,
             std::span<const uint32_t> after,
             Time start)
{
    const std::size_t index = m_items.size();
    if (from == to || bytes > Message::MAX_BYTES || start.IsStrictlyNegative() ||
        index >= uint32_t{1} << 31 ||
        std::any_of(after.begin(), after.end(), [&](uint32_t i) { return i >= index; }))
    {
        throw OdcnError("Traffic: message " + std::to_string(index) + " of " +
                        std::to_string(bytes) + " bytes from " + std::to_string(from) + " to " +
                        std::to_string(to) +
                        ": expected at most 2^53 bytes between two different end points, after "
                        "messages with lower numbers, with a start of 0 or more, and at most 2^31 "
                        "messages");
    }
    m_items.push_back(
        {from, to, bytes, start, m_after.size(), static_cast<uint32_t>(after.size())});
    m_after.insert(m_after.end(), after.begin(), after.end());
    return static_cast<uint32_t>(index);
}

TrafficRun::TrafficRun(Traffic traffic)
    : m_traffic(std::move(traffic))
{
}

void
TrafficRun::Start(std::vector<Message>& send)
{
    const std::size_t n = m_traffic.GetItems().size();
    m_order = MessageOrder(static_cast<uint32_t>(n),
                           [this](uint32_t i) { return m_traffic.GetAfter(i); });
    m_sent.assign(n, TimeStep(0) - TimeStep(1));
    m_received = m_sent;
    m_end = Time(0);
    SendReady(Time(0), send);
}

void
TrafficRun::Receive(const Message& message, Time now, std::vector<Message>& send)
{
    Count(static_cast<uint32_t>(message.tag), now);
    SendReady(now, send);
}

void
TrafficRun::SendReady(Time now, std::vector<Message>& send)
{
    while (m_order.HasReady())
    {
        const uint32_t index = m_order.TakeReady();
        const Traffic::Item& item = m_traffic.GetItems()[index];
        m_sent[index] = std::max(now, item.start);
        for (const uint32_t before : m_traffic.GetAfter(index))
        {
            // One without bytes counts as received at its start, which may be later.
            m_sent[index] = std::max(m_sent[index], m_received[before]);
        }
        if (item.bytes == 0)
        {
            Count(index, m_sent[index]);
            continue;
        }
        send.push_back({0, item.from, item.to, item.bytes, index, m_sent[index]});
    }
}

void
TrafficRun::Count(uint32_t index, Time now)
{
    m_received[index] = now;
    m_end = std::max(m_end, now);
    m_order.SetReceived(index);
}

std::string
TrafficRun::DescribeUnfinished() const
{
    if (IsDone())
    {
        return "";
    }
    const auto& items = m_traffic.GetItems();
    std::string text = std::to_string(items.size() - CountReceived()) + " of " +
                       std::to_string(items.size()) + " messages were not received";
    for (uint32_t i = 0; i < m_sent.size(); ++i)
    {
        if (!m_sent[i].IsStrictlyNegative() && m_received[i].IsStrictlyNegative())
        {
            return text + "; the first has " + std::to_string(items[i].bytes) + " bytes from " +
                   std::to_string(items[i].from) + " to " + std::to_string(items[i].to) +
                   ", sent at " + std::to_string(m_sent[i].GetSeconds()) + " s";
        }
    }
    return text;
}

} // namespace ns3::odcn
