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
#include <limits>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(FlowLevel);

namespace
{

/// No time.
constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

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
    m_event.Cancel();
    m_waiting.clear();
    m_flows.clear();
    m_links.clear();
    MessagePlane::DoDispose();
}

uint32_t
FlowLevel::AddLink(double capacity)
{
    m_links.emplace_back().capacity = capacity / StepsPerSecond();
    return static_cast<uint32_t>(m_links.size() - 1);
}

void
FlowLevel::SetCapacity(uint32_t link, double capacity)
{
    const double steps = capacity / StepsPerSecond();
    if (m_links[link].capacity != steps)
    {
        m_links[link].capacity = steps;
        ++m_nEvents;
        MarkDirty(link);
    }
}

void
FlowLevel::MarkDirty(uint32_t link)
{
    if (!m_links[link].isDirty)
    {
        m_links[link].isDirty = true;
        m_dirty.push_back(link);
    }
}

void
FlowLevel::DoSend(const Message& message)
{
    const auto [found, isFirst] = m_waiting.try_emplace({message.from, message.to});
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
    const auto found = m_waiting.find({message.from, message.to});
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
    const Path path = FindPath(message);
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
    Flow& flow = m_flows[index];
    const uint64_t payload = m_packetSize - m_headers;
    const uint64_t packets = (message.bytes - 1) / payload + 1;
    const uint64_t wire = message.bytes + packets * m_headers;
    // The last packet follows a full one through each switch, unless it is alone.
    const double last = 8 * static_cast<double>(packets > 1 ? m_packetSize : wire);
    double sum = 0;
    double most = 0;
    for (const double rate : path.hops)
    {
        sum += last / rate;
        most = std::max(most, last / rate);
    }
    flow.message = message;
    flow.left = 8 * static_cast<double>(wire);
    flow.rate = 0;
    flow.updated = Simulator::Now().GetTimeStep();
    flow.done = NEVER;
    flow.rest = path.propagation +
                TimeStep(static_cast<uint64_t>(std::llround((sum - most) * StepsPerSecond())));
    flow.places.clear();
    for (const uint32_t link : path.links)
    {
        auto& flows = m_links[link].flows;
        m_isNew |= flows.empty();
        flows.emplace_back(index, static_cast<uint32_t>(flow.places.size()));
        flow.places.push_back({link, static_cast<uint32_t>(flows.size() - 1)});
        MarkDirty(link);
    }
    ++m_nFlows;
    ++m_nEvents;
}

void
FlowLevel::Wake()
{
    Arm(Simulator::Now().GetTimeStep());
}

void
FlowLevel::Arm(int64_t time)
{
    if (time == NEVER || (!m_event.IsExpired() && m_eventTime <= time))
    {
        return;
    }
    m_event.Cancel();
    m_eventTime = time;
    m_event = Simulator::Schedule(TimeStep(static_cast<uint64_t>(time)) - Simulator::Now(),
                                  &FlowLevel::Run,
                                  this);
}

void
FlowLevel::Run()
{
    const int64_t now = Simulator::Now().GetTimeStep();
    std::vector<uint32_t> ended;
    while (!m_ends.empty() && m_ends.top().first <= now)
    {
        const auto [time, index] = m_ends.top();
        m_ends.pop();
        if (m_flows[index].done == time)
        {
            m_flows[index].done = NEVER;
            Remove(index);
            ended.push_back(index);
        }
    }
    for (const uint32_t index : ended)
    {
        const Flow& flow = m_flows[index];
        Simulator::Schedule(flow.rest,
                            &FlowLevel::Deliver,
                            Ptr<FlowLevel>(this),
                            flow.message.number);
        const Message message = flow.message;
        m_unused.push_back(index);
        BeginNext(message);
    }
    if (m_nFlows > 0 && (m_isNew || m_change <= now))
    {
        m_isNew = false;
        const Time change = UpdateCapacities();
        m_change = change == Time::Max() ? NEVER : change.GetTimeStep();
    }
    if (!m_dirty.empty())
    {
        ComputeRates();
    }
    while (!m_ends.empty() && m_flows[m_ends.top().second].done != m_ends.top().first)
    {
        m_ends.pop();
    }
    if (m_nFlows > 0)
    {
        Arm(std::min(m_ends.empty() ? NEVER : m_ends.top().first, m_change));
    }
}

void
FlowLevel::Remove(uint32_t index)
{
    for (const auto& [link, position] : m_flows[index].places)
    {
        auto& flows = m_links[link].flows;
        flows[position] = flows.back();
        flows.pop_back();
        if (position < flows.size())
        {
            const auto& [moved, place] = flows[position];
            m_flows[moved].places[place].position = position;
        }
        MarkDirty(link);
    }
    --m_nFlows;
    ++m_nEvents;
}

void
FlowLevel::FindComponent()
{
    ++m_computation;
    m_component.clear();
    m_componentFlows.clear();
    const auto add = [this](uint32_t index)
    {
        Link& link = m_links[index];
        if (link.seen != m_computation)
        {
            link.seen = m_computation;
            link.free = link.capacity;
            link.nOpen = static_cast<uint32_t>(link.flows.size());
            m_component.push_back(index);
        }
    };
    for (const uint32_t link : m_dirty)
    {
        m_links[link].isDirty = false;
        add(link);
    }
    m_dirty.clear();
    for (std::size_t i = 0; i < m_component.size(); ++i)
    {
        for (const auto& [index, place] : m_links[m_component[i]].flows)
        {
            Flow& flow = m_flows[index];
            if (flow.seen != m_computation)
            {
                flow.seen = m_computation;
                flow.isFrozen = false;
                m_componentFlows.push_back(index);
                for (const auto& [link, position] : flow.places)
                {
                    add(link);
                }
            }
        }
    }
}

void
FlowLevel::ComputeRates()
{
    FindComponent();
    m_nRates += m_componentFlows.size();
    // The share of a link never falls while others freeze, so an outdated one is only too small.
    using Share = std::pair<double, uint32_t>;
    std::priority_queue<Share, std::vector<Share>, std::greater<>> shares;
    for (const uint32_t link : m_component)
    {
        if (m_links[link].nOpen > 0)
        {
            shares.emplace(m_links[link].free / m_links[link].nOpen, link);
        }
    }
    while (!shares.empty())
    {
        const auto [share, index] = shares.top();
        shares.pop();
        Link& link = m_links[index];
        if (link.nOpen == 0)
        {
            continue;
        }
        const double current = link.free / link.nOpen;
        if (current > share)
        {
            shares.emplace(current, index);
            continue;
        }
        for (const auto& [f, place] : link.flows)
        {
            Flow& flow = m_flows[f];
            if (flow.isFrozen)
            {
                continue;
            }
            flow.isFrozen = true;
            SetRate(f, share);
            for (const auto& [other, position] : flow.places)
            {
                m_links[other].free = std::max(0.0, m_links[other].free - share);
                --m_links[other].nOpen;
            }
        }
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
    flow.done = steps < static_cast<double>(NEVER - now) / 2 ? now + std::llround(steps) : NEVER;
    if (flow.done != NEVER)
    {
        m_ends.emplace(flow.done, index);
    }
}

} // namespace ns3::odcn
