// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-flow-level.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-flow-application.h"
#include "ns3/odcn-message-header.h"
#include "ns3/odcn-take-index.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(FlowLevel);

namespace
{

/// No time.
constexpr int64_t NEVER = DueQueue::NEVER;

/// @return time steps in a second
double
StepsPerSecond()
{
    return static_cast<double>(Seconds(1).GetTimeStep());
}

} // namespace

TypeId
FlowLevel::GetTypeId()
{
    using T = FlowLevel;
    static TypeId tid =
        TypeIdOf<FlowLevel, MessagePlane>("ns3::odcn::FlowLevel")
            .Add(Attribute("PacketSize", &T::m_packetSize, 1500, 64, 65535),
                 "Size of a full packet in bytes, all headers included.")
            .Add(Attribute("HeaderSize",
                           &T::m_headers,
                           FlowApplication::UDP_HEADERS + MessageHeader::SIZE,
                           0,
                           63),
                 "Bytes of headers in each packet; the default is that of a message by UDP.");
    return tid;
}

FlowLevel::FlowLevel() = default;

void
FlowLevel::DoDispose()
{
    m_now.Cancel();
    m_next.Cancel();
    m_waiting.clear();
    m_flows.clear();
    m_delivered.clear();
    MessagePlane::DoDispose();
}

uint32_t
FlowLevel::AddLink(double capacity)
{
    return m_rates.AddLink(capacity / StepsPerSecond());
}

void
FlowLevel::SetCapacity(uint32_t link, double capacity)
{
    m_nEvents += m_rates.SetCapacity(link, capacity / StepsPerSecond());
}

void
FlowLevel::DoSend(const Message& message)
{
    const auto [found, isFirst] = m_waiting.try_emplace(uint64_t(message.from) << 32 | message.to);
    if (isFirst)
    {
        Begin(message);
        Wake();
    }
    else
    {
        found->second.push_back(message);
    }
}

void
FlowLevel::BeginNext(const Message& message)
{
    const auto found = m_waiting.find(uint64_t(message.from) << 32 | message.to);
    if (found->second.empty())
    {
        m_waiting.erase(found);
        return;
    }
    const Message next = found->second.front();
    found->second.pop_front();
    Begin(next);
}

void
FlowLevel::Begin(const Message& message)
{
    const uint32_t index = TakeIndex(m_flows, m_unused);
    Flow& flow = m_flows[index];
    flow.message = message;
    flow.rate = 0;
    m_path.links.clear();
    m_path.hops.clear();
    m_path.propagation = Time();
    const uint64_t packets = (message.bytes - 1) / GetPayload() + 1;
    const uint64_t wire = message.bytes + packets * m_headers;
    m_path.wire.reset();
    FindPath(message, m_path);
    // The last packet follows a full one through each switch, unless it is alone.
    const double last = 8 * static_cast<double>(packets > 1 ? m_packetSize : wire);
    double sum = 0;
    double most = 0;
    for (const double rate : m_path.hops)
    {
        sum += last / rate;
        most = std::max(most, last / rate);
    }
    flow.left = 8 * static_cast<double>(m_path.wire.value_or(wire));
    flow.updated = Simulator::Now().GetTimeStep();
    flow.rest = m_path.propagation +
                TimeStep(static_cast<uint64_t>(std::llround((sum - most) * StepsPerSecond())));
    for (const uint32_t link : m_path.links)
    {
        m_isNew |= !m_rates.IsUsed(link);
    }
    m_rates.AddFlow(index, m_path.links);
    ++m_nFlows;
    ++m_nEvents;
}

void
FlowLevel::Wake()
{
    if (m_now.IsExpired())
    {
        m_now = Simulator::ScheduleNow(&FlowLevel::Run, this);
    }
}

void
FlowLevel::Arm()
{
    int64_t time = std::min(m_nFlows > 0 ? m_change : NEVER, m_due.GetTime());
    time = m_deliveries.empty() ? time : std::min(time, m_deliveries.top().time);
    if (time != NEVER && (m_next.IsExpired() || m_nextTime > time))
    {
        m_next.Cancel();
        m_nextTime = time;
        m_next = Simulator::Schedule(TimeStep(static_cast<uint64_t>(time)) - Simulator::Now(),
                                     &FlowLevel::Run,
                                     this);
    }
}

void
FlowLevel::TakeDue()
{
    const int64_t now = Simulator::Now().GetTimeStep();
    m_left.clear();
    m_delivered.clear();
    while (m_due.GetTime() <= now)
    {
        m_left.push_back(m_due.GetFirst());
        m_due.Remove(m_left.back());
        m_rates.RemoveFlow(m_left.back());
        --m_nFlows;
        ++m_nEvents;
    }
    for (const uint32_t index : m_left)
    {
        const Flow& flow = m_flows[index];
        Message message = flow.message;
        m_deliveries.push({now + flow.rest.GetTimeStep(), m_nLeft++, message.number});
        m_unused.push_back(index);
        if (Resume(message))
        {
            Begin(message);
        }
        else
        {
            BeginNext(message);
        }
    }
    while (!m_deliveries.empty() && m_deliveries.top().time <= now)
    {
        m_delivered.push_back(m_deliveries.top().number);
        m_deliveries.pop();
    }
}

void
FlowLevel::Run()
{
    const Ptr<FlowLevel> self(this);
    TakeDue();
    if (m_nFlows > 0 && (m_isNew || m_change <= Simulator::Now().GetTimeStep()))
    {
        m_isNew = false;
        const Time change = UpdateCapacities();
        m_change = change == Time::Max() ? NEVER : change.GetTimeStep();
    }
    if (m_rates.HasChanged())
    {
        UpdateRates();
    }
    Arm();
    // What is called may send, and dispose of this.
    for (std::size_t i = 0; i < m_delivered.size(); ++i)
    {
        Arrive(m_delivered[i]);
    }
}

bool
FlowLevel::Resume(Message&)
{
    return false;
}

void
FlowLevel::Arrive(uint64_t number)
{
    Deliver(number);
}

void
FlowLevel::ArriveAt(Time time, uint64_t number)
{
    m_deliveries.push({time.GetTimeStep(), m_nLeft++, number});
    Arm();
}

void
FlowLevel::UpdateRates()
{
    const std::vector<uint32_t>& changed = m_rates.Update();
    m_nRates += changed.size();
    for (const uint32_t index : changed)
    {
        SetRate(index, m_rates.GetRate(index));
    }
}

void
FlowLevel::SetRate(uint32_t index, double rate)
{
    Flow& flow = m_flows[index];
    if (rate == flow.rate)
    {
        return;
    }
    const int64_t now = Simulator::Now().GetTimeStep();
    flow.left = std::max(0.0, flow.left - flow.rate * static_cast<double>(now - flow.updated));
    flow.updated = now;
    flow.rate = rate;
    const double steps = rate > 0 ? flow.left / rate : static_cast<double>(NEVER);
    if (steps < static_cast<double>(NEVER - now) / 2)
    {
        m_due.Set(index, now + std::llround(steps));
    }
    else
    {
        m_due.Remove(index);
    }
}

} // namespace ns3::odcn
