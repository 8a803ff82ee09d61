// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-flow-level.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-flow-application.h"
#include "ns3/odcn-message-header.h"
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
    m_last.clear();
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
    uint32_t index = static_cast<uint32_t>(m_flows.size());
    if (m_unused.empty())
    {
        m_flows.emplace_back();
    }
    else
    {
        index = m_unused.back();
        m_unused.pop_back();
    }
    m_flows[index] = {message};
    const auto [last, isFirst] =
        m_last.try_emplace(uint64_t(message.from) << 32 | message.to, index);
    if (isFirst)
    {
        Begin(index);
        Wake();
    }
    else
    {
        m_flows[last->second].next = index;
        last->second = index;
    }
}

void
FlowLevel::BeginNext(uint32_t index)
{
    const Flow& flow = m_flows[index];
    if (flow.next != NO_FLOW)
    {
        Begin(flow.next);
    }
    else
    {
        m_last.erase(uint64_t(flow.message.from) << 32 | flow.message.to);
    }
}

void
FlowLevel::Begin(uint32_t index)
{
    Flow& flow = m_flows[index];
    m_path.links.clear();
    m_path.hops.clear();
    m_path.propagation = Time();
    FindPath(flow.message, m_path);
    const uint64_t payload = m_packetSize - m_headers;
    const uint64_t packets = (flow.message.bytes - 1) / payload + 1;
    const uint64_t wire = flow.message.bytes + packets * m_headers;
    // The last packet follows a full one through each switch, unless it is alone.
    const double last = 8 * static_cast<double>(packets > 1 ? m_packetSize : wire);
    double sum = 0;
    double most = 0;
    for (const double rate : m_path.hops)
    {
        sum += last / rate;
        most = std::max(most, last / rate);
    }
    flow.left = 8 * static_cast<double>(wire);
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
    const int64_t time = std::min(m_nFlows > 0 ? m_change : NEVER, m_due.GetTime());
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
        const uint32_t index = m_due.GetFirst();
        m_due.Remove(index);
        Flow& flow = m_flows[index];
        if (flow.hasLeft)
        {
            m_delivered.push_back(flow.message.number);
            m_unused.push_back(index);
            continue;
        }
        flow.hasLeft = true;
        m_rates.RemoveFlow(index);
        m_left.push_back(index);
        --m_nFlows;
        ++m_nEvents;
    }
    for (const uint32_t index : m_left)
    {
        // At the same time, flows leave their links first, and are then delivered in that order.
        m_due.Set(index, now + m_flows[index].rest.GetTimeStep(), (uint64_t{1} << 32) + m_nLeft++);
        BeginNext(index);
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
        Deliver(m_delivered[i]);
    }
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
        m_due.Set(index, now + std::llround(steps), index);
    }
    else
    {
        m_due.Remove(index);
    }
}

} // namespace ns3::odcn
