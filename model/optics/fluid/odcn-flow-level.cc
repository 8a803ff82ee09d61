// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-flow-level.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-flow-application.h"
#include "ns3/odcn-message-header.h"
#include "ns3/odcn-take-index.h"
#include "ns3/odcn-udp-flow-transport.h"
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

/// Flows whose memory is given back when none of them occupies links any more.
constexpr std::size_t MANY = 65536;

/// @return time steps in a second
double
StepsPerSecond()
{
    return static_cast<double>(Time::FromInteger(1, Time::S).GetTimeStep());
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
                           UdpFlowTransport::HEADERS + MessageHeader::SIZE,
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
    m_pairs.Clear();
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
    uint32_t pair = m_pairs.Find(message.from, message.to);
    if (pair != FlowPairs::NONE && m_pairs[pair].isBusy)
    {
        m_pairs.AddWaiting(pair, static_cast<uint32_t>(message.number));
        return;
    }
    RenewPath(message); // before anything that changes state, since it may throw
    pair = pair == FlowPairs::NONE ? m_pairs.Add(message.from, message.to) : pair;
    m_pairs[pair].isBusy = true;
    Begin(message, pair, m_pairs[pair].time);
    Wake();
}

void
FlowLevel::BeginNext(uint32_t pair)
{
    m_pairs[pair].isBusy = m_pairs.HasWaiting(pair);
    if (m_pairs[pair].isBusy)
    {
        const Message next = GetInFlight(GetFullNumber(m_pairs.TakeWaiting(pair)));
        RenewPath(next);
        Begin(next, pair, m_pairs[pair].time);
    }
}

void
FlowLevel::RenewPath(const Message& message)
{
    m_path.links.clear();
    m_path.hops.clear();
    m_path.propagation = Time();
    m_path.wire.reset();
    FindPath(message, m_path);
}

void
FlowLevel::OccupyPath(uint32_t index)
{
    for (const uint32_t link : m_path.links)
    {
        m_isNew |= !m_rates.IsUsed(link);
    }
    m_rates.AddFlow(index, m_path.links);
    ++m_nEvents;
}

void
FlowLevel::Reroute(uint32_t link)
{
    for (const uint32_t index : m_rates.GetFlows(link))
    {
        const Flow& flow = m_flows[index];
        const FlowPairs::Pair& pair = m_pairs[flow.pair];
        RenewPath({GetFullNumber(flow.number), pair.from, pair.to, 0, 0, Time()});
        SetRate(index, 0, Simulator::Now().GetTimeStep());
        m_rates.RemoveFlow(index);
        OccupyPath(index);
    }
}

void
FlowLevel::Begin(const Message& message, uint32_t pair, int64_t delivery)
{
    const uint64_t packets = (message.bytes - 1) / GetPayload() + 1;
    const uint64_t wire = message.bytes + packets * m_headers;
    const double rest = FindRest(packets, wire);
    const uint32_t index = TakeIndex(m_flows, m_unused);
    Flow& flow = m_flows[index];
    flow.number = static_cast<uint32_t>(message.number);
    flow.pair = pair;
    flow.rate = 0;
    flow.left = 8 * static_cast<double>(m_path.wire.value_or(wire));
    flow.updated = Simulator::Now().GetTimeStep();
    flow.rest = m_path.propagation.GetTimeStep() + std::llround(rest * StepsPerSecond());
    // Its last packet is received behind that of the message before it; trains keep their order.
    const uint64_t last = wire - (packets - 1) * m_packetSize;
    const double own = 8 * static_cast<double>(last) / m_path.hops.back();
    m_pairs[pair].time =
        delivery > 0 && !m_path.wire ? delivery + std::llround(own * StepsPerSecond()) : 0;
    OccupyPath(index);
    ++m_nFlows;
}

double
FlowLevel::FindRest(uint64_t packets, uint64_t wire) const
{
    const double full = 8 * static_cast<double>(packets > 1 ? m_packetSize : wire);
    const double last = 8 * static_cast<double>(wire - (packets - 1) * m_packetSize);
    const double slowest = *std::min_element(m_path.hops.begin(), m_path.hops.end());
    // Packets leave the slowest hop without gaps, and so the last one when the fluid has left plus
    // what the first one took to get there. From there on it is sent as soon as it has been
    // received and the full one before it has been sent.
    double first = 0;    // when the first packet has been sent
    double rest = 0;     // from when the fluid has left until the last packet has been sent
    bool isPast = false; // whether the slowest hop is behind
    for (const double rate : m_path.hops)
    {
        first += full / rate;
        rest = isPast ? std::max(rest, first - (full + last) / slowest) + last / rate
                      : first - full / rate;
        isPast |= rate == slowest;
    }
    return rest;
}

void
FlowLevel::Wake()
{
    if (!m_isAwake)
    {
        m_isAwake = true;
        m_now = Simulator::ScheduleNow(&FlowLevel::Run, this);
    }
}

void
FlowLevel::Arm()
{
    int64_t time = std::min(m_nFlows > 0 ? m_change : NEVER, m_due.GetTime());
    time = m_deliveries.IsEmpty() ? time : std::min(time, m_deliveries.GetFirst().time);
    // Capacities may have changed while no message was on a link.
    time = std::max(time, Simulator::Now().GetTimeStep());
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
    m_due.TakeUntil(now, m_left);
    for (const uint32_t index : m_left)
    {
        m_rates.RemoveFlow(index);
    }
    m_nFlows -= m_left.size();
    m_nEvents += m_left.size();
    if (m_nFlows == 0 && m_left.size() >= MANY)
    {
        m_rates.FreeMemory();
        m_due = {};
    }
    for (const uint32_t index : m_left)
    {
        const Flow flow = m_flows[index];
        FlowPairs::Pair& pair = m_pairs[flow.pair];
        pair.time = std::max<int64_t>(now + flow.rest, pair.time);
        m_deliveries.Add({pair.time, m_nLeft++, flow.number, flow.pair});
        m_unused.push_back(index);
        Message message{flow.number, pair.from, pair.to, 0, 0, Time()};
        if (Resume(message))
        {
            RenewPath(message);
            Begin(message, flow.pair, 0);
        }
        else
        {
            BeginNext(flow.pair);
        }
    }
    while (!m_deliveries.IsEmpty() && m_deliveries.GetFirst().time <= now)
    {
        const Delivery& delivery = m_deliveries.GetFirst();
        m_delivered.push_back(delivery.number);
        if (delivery.pair != FlowPairs::NONE && !m_pairs[delivery.pair].isBusy &&
            m_pairs[delivery.pair].time <= now)
        {
            m_pairs.Remove(delivery.pair);
        }
        m_deliveries.RemoveFirst();
    }
}

void
FlowLevel::Run()
{
    const Ptr<FlowLevel> self(this);
    m_isAwake = m_isAwake && !m_now.IsExpired(); // this may be the event of Arm()
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
FlowLevel::Arrive(uint32_t number)
{
    Deliver(GetFullNumber(number));
}

void
FlowLevel::ArriveAt(Time time, uint32_t number)
{
    m_deliveries.Add({time.GetTimeStep(), m_nLeft++, number, FlowPairs::NONE});
    Arm();
}

void
FlowLevel::UpdateRates()
{
    const int64_t now = Simulator::Now().GetTimeStep();
    m_rates.Update(
        [this, now](uint32_t index)
        {
            ++m_nRates;
            SetRate(index, m_rates.GetRate(index), now);
        });
}

void
FlowLevel::SetRate(uint32_t index, double rate, int64_t now)
{
    Flow& flow = m_flows[index];
    if (rate == flow.rate)
    {
        return;
    }
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
