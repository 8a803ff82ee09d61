// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fabric-least-times.h"

#include "ns3/odcn-packet-messages.h"
#include "ns3/odcn-throughput-bound.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::odcn
{

FabricLeastTimes::FabricLeastTimes(FabricDesign design,
                                   Ptr<CircuitSchedule> schedule,
                                   uint32_t mostRacks)
    : m_design(std::move(design)),
      m_schedule(m_design.IsScheduled() && !m_design.IsHybrid() ? std::move(schedule) : nullptr)
{
    m_scope.mostRacks = mostRacks;
    const FabricSize& size = m_design.GetSize();
    // The links of the one switch are those of the servers.
    const bool isIdeal = m_design.IsElectrical() && m_design.GetRouting() == "ideal";
    const double gbps = isIdeal ? std::max(size.gbps, size.GetServerGbps()) : size.gbps;
    const Collective::Link link = PacketMessages::GetLink(0, gbps * 1e9);
    m_perByte = 8 / link.rate * (link.payload + link.headers) / link.payload;
    if (!m_schedule)
    {
        return;
    }
    m_capacity = m_schedule->GetCapacity();
    const uint32_t racks = m_schedule->GetNRacks();
    DemandMatrix peak(racks); // planes with such a circuit at any time
    for (uint32_t plane = 0; plane < m_schedule->GetNPlanes(); ++plane)
    {
        DemandMatrix isThere(racks);
        for (const CircuitSchedule::Slot& slot : m_schedule->GetPlane(plane).slots)
        {
            for (RackId from = 0; from < racks; ++from)
            {
                if (const RackId to = slot.to[from]; to != NO_RACK && isThere.Get(from, to) == 0)
                {
                    isThere.Set(from, to, 1);
                    peak.Add(from, to, 1);
                }
            }
        }
    }
    for (RackId from = 0; from < racks; ++from)
    {
        for (RackId to = 0; to < racks; ++to)
        {
            if (const double mean = m_capacity.Get(from, to); mean > 0)
            {
                m_peak = std::max(m_peak, peak.Get(from, to) / mean);
            }
        }
    }
    if (m_peak > 1)
    {
        m_period = m_schedule->GetPeriod().GetSeconds();
        m_dark = m_schedule->GetReconfigurationTime().GetSeconds();
    }
}

FabricLeastTimes::Times
FabricLeastTimes::Get(const DemandMatrix& bytes) const
{
    if (bytes.GetMaxLoad() == 0)
    {
        return {};
    }
    const double flow = m_design.GetBound(bytes, m_scope, m_schedule);
    const double cut = m_schedule ? ThroughputBound(m_capacity, bytes).GetCut() : flow;
    return {GetTime(m_perByte / cut), GetTime(m_perByte / flow)};
}

Time
FabricLeastTimes::GetTime(double mean) const
{
    if (std::isinf(mean))
    {
        return Time::Max();
    }
    double least = mean;
    if (m_period > 0)
    {
        const double periods = std::max(0.0, mean / m_period - m_peak * m_dark / m_period);
        const double whole = std::max(0.0, std::ceil(periods) - 1);
        least = m_period * (whole + (periods - whole) / m_peak);
    }
    // A run takes whole steps, so the next one is a bound, too, but for the rounding errors.
    const double steps = least * static_cast<double>(Seconds(1).GetTimeStep());
    return Time(static_cast<int64_t>(std::llround(steps * (1 - 1e-13))));
}

} // namespace ns3::odcn
