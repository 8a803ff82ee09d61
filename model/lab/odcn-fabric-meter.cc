// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fabric-meter.h"

#include "ns3/ocs-net-device.h"
#include "ns3/ocs-switch.h"
#include "ns3/odcn-packet-switch.h"
#include "ns3/simulator.h"
#include "ns3/tor-switch.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// @param time a time
/// @return milliseconds
double
ToMs(Time time)
{
    return time.GetSeconds() * 1e3;
}

} // namespace

void
FabricMeter::AddChange(ReportChart& chart,
                       const std::string& facet,
                       std::size_t& drawn,
                       Time time,
                       RackId rack,
                       uint32_t uplink,
                       RackId to)
{
    if (++drawn > MOST_CHANGES)
    {
        chart.note = "At most the first " + std::to_string(MOST_CHANGES) +
                     " changes of a circuit of each, in one run.";
        return;
    }
    chart.rows.push_back({facet,
                          time.GetSeconds() * 1e6,
                          double(rack),
                          double(uplink),
                          to == NO_RACK ? ReportChart::Cell("") : ReportChart::Cell(double(to))});
}

FabricMeter::FabricMeter(const Ptr<OcsFabric>& fabric)
    : m_fabric(fabric),
      m_uplinks(fabric->GetSize().uplinks)
{
    const OcsFabricSize& size = fabric->GetSize();
    for (uint32_t w = 0; w < size.switches; ++w)
    {
        fabric->GetSwitch(w)->TraceConnectWithoutContext("ReconfigurationStart",
                                                         MakeCallback(&FabricMeter::Change, this));
    }
    for (RackId rack = 0; rack < size.racks; ++rack)
    {
        const std::vector<Time> down(size.GetNUplinks(rack), TimeStep(0) - TimeStep(1));
        m_racks.push_back({.meter = this, .rack = rack, .up = down});
    }
    for (Rack& rack : m_racks)
    {
        const Ptr<TorSwitch> tor = fabric->GetTor(rack.rack);
        tor->TraceConnectWithoutContext("Held", MakeBoundCallback(&FabricMeter::Held, &rack));
        tor->TraceConnectWithoutContext("Circuit", MakeBoundCallback(&FabricMeter::Circuit, &rack));
        for (uint32_t port = 0; port < rack.up.size(); ++port)
        {
            const Ptr<OcsNetDevice> device = fabric->GetUplink(rack.rack, port);
            device->TraceConnectWithoutContext(
                "PhyTxBegin",
                MakeBoundCallback(&FabricMeter::Sent, &rack, device));
        }
    }
}

void
FabricMeter::SetCharts(const Charts& charts, const std::string& facet)
{
    m_charts = charts;
    m_facet = facet;
}

void
FabricMeter::SetLimit(Time until)
{
    m_limit = until;
}

void
FabricMeter::Finish()
{
    m_end = Simulator::Now();
    for (Rack& rack : m_racks)
    {
        Held(&rack, 0, rack.held);
        for (const Time& up : rack.up)
        {
            m_up += up.IsStrictlyNegative() ? Time(0) : Clip(m_end) - Clip(up);
        }
    }
    if (m_charts.use)
    {
        m_use.Put(*m_charts.use, m_facet, 1, ToMs(m_end));
    }
    if (m_charts.held)
    {
        m_held.Put(*m_charts.held, m_facet, 1e-3, ToMs(m_end));
    }
}

double
FabricMeter::GetReconfigurations() const
{
    return double(m_changes) / Clip(m_end).GetSeconds();
}

double
FabricMeter::GetDuty() const
{
    return double(m_used.GetTimeStep()) / double(m_up.GetTimeStep());
}

double
FabricMeter::GetMeanHeld() const
{
    double sum = 0;
    for (const Rack& rack : m_racks)
    {
        sum += rack.sum;
    }
    return sum / double(Clip(m_end).GetTimeStep()) / double(m_racks.size());
}

uint64_t
FabricMeter::GetMostHeld() const
{
    uint64_t most = 0;
    for (const Rack& rack : m_racks)
    {
        most = std::max(most, rack.most);
    }
    return most;
}

uint64_t
FabricMeter::GetSent() const
{
    uint64_t sent = 0;
    for (const Rack& rack : m_racks)
    {
        sent += m_fabric->GetTor(rack.rack)->GetSentElectrically();
        for (uint32_t port = 0; port < rack.up.size(); ++port)
        {
            sent += m_fabric->GetUplink(rack.rack, port)->GetSent();
        }
    }
    for (uint32_t spine = 0; spine < m_fabric->GetSpineNodes().GetN(); ++spine)
    {
        sent += m_fabric->GetSpine(spine)->GetSent();
    }
    return sent;
}

void
FabricMeter::AddCircuits(ReportChart& chart,
                         const std::string& facet,
                         const CircuitSchedule& plan,
                         Time delay,
                         Time end)
{
    // By time; at the same time circuits end before others begin.
    struct Slot
    {
        uint32_t plane;
        Time start; // negative or 0: circuits are up from 0 on
        bool begins;
    };

    std::multimap<std::pair<Time, bool>, Slot> events;
    const auto add = [&](const Slot& slot)
    {
        const bool first = !slot.start.IsStrictlyPositive();
        const Time up =
            first ? Time(0) : std::max(Time(0), slot.start + plan.GetReconfigurationTime() - delay);
        const Time down =
            std::max(plan.Find(slot.plane, std::max(Time(0), slot.start)).end - delay, up);
        const Time at = slot.begins ? up : down;
        if (at <= end)
        {
            events.emplace(std::pair(at, slot.begins), slot);
        }
    };
    for (uint32_t plane = 0; plane < plan.GetNPlanes(); ++plane)
    {
        add({plane, plan.Find(plane, Time(0)).start, true});
    }
    std::size_t drawn = 0;
    while (!events.empty() && drawn <= MOST_CHANGES)
    {
        const auto [key, slot] = *events.begin();
        events.erase(events.begin());
        const bool first = !slot.start.IsStrictlyPositive();
        const auto place = plan.Find(slot.plane, std::max(Time(0), slot.start));
        const Matching& to = plan.GetPlane(slot.plane).slots[place.slot].to;
        for (RackId rack = 0; rack < plan.GetNRacks(); ++rack)
        {
            const bool changes = slot.begins
                                     ? first || plan.Changes(slot.plane, place.slot, rack)
                                     : plan.GetExtension(slot.plane, place.slot, rack).IsZero();
            if (changes && to[rack] != NO_RACK)
            {
                AddChange(chart,
                          facet,
                          drawn,
                          key.first,
                          rack,
                          slot.plane,
                          slot.begins ? to[rack] : NO_RACK);
            }
        }
        if (slot.begins)
        {
            add({slot.plane, slot.start, false});
            add({slot.plane, place.end, true});
        }
    }
}

void
FabricMeter::Change(const std::vector<OcsPortChange>& ports)
{
    m_changes += m_limit.IsZero() || Simulator::Now() < m_limit ? ports.size() : 0;
}

void
FabricMeter::Held(Rack* rack, uint64_t, uint64_t bytes)
{
    FabricMeter& meter = *rack->meter;
    const Time now = Simulator::Now();
    const auto held = double(rack->held);
    rack->sum += held * double((meter.Clip(now) - meter.Clip(rack->since)).GetTimeStep());
    rack->most = std::max(rack->most, bytes);
    if (meter.m_charts.held)
    {
        meter.m_held.Add(ToMs(rack->since), ToMs(now), rack->rack, held);
    }
    rack->held = bytes;
    rack->since = now;
}

void
FabricMeter::Circuit(Rack* rack, uint32_t port, RackId to, Time)
{
    FabricMeter& meter = *rack->meter;
    const Time now = Simulator::Now();
    Time& since = rack->up[port];
    if (to == NO_RACK)
    {
        meter.m_up += since.IsStrictlyNegative() ? Time(0) : meter.Clip(now) - meter.Clip(since);
        since = TimeStep(0) - TimeStep(1);
    }
    else if (since.IsStrictlyNegative())
    {
        since = now;
    }
    if (meter.m_charts.circuits)
    {
        AddChange(*meter.m_charts.circuits,
                  meter.m_facet,
                  meter.m_drawn,
                  now,
                  rack->rack,
                  port,
                  to);
    }
}

void
FabricMeter::Sent(Rack* rack, Ptr<OcsNetDevice> device, Ptr<const Packet> packet)
{
    FabricMeter& meter = *rack->meter;
    const Time now = Simulator::Now();
    const Time time = device->GetTxTime(packet->GetSize());
    meter.m_used += meter.Clip(now + time) - meter.Clip(now);
    if (meter.m_charts.use)
    {
        meter.m_use.Add(ToMs(now), ToMs(now + time), rack->rack, 1.0 / meter.m_uplinks);
    }
}

} // namespace ns3::odcn
