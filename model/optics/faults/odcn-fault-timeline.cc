// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fault-timeline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace ns3::odcn
{

FaultTimeline::FaultTimeline(const FaultPlan& plan, const FaultParts& parts, Time detection)
    : m_parts(parts)
{
    plan.Check([&](FaultPart part)
               { return parts.contains(part) ? parts.at(part) : FaultSizes(); });

    /// Start or end of a fault.
    struct Edge
    {
        double time;        //!< when, in s
        bool starts;        //!< at equal times starts come first, so that faults join
        const Fault* fault; //!< the fault
    };

    const auto seconds = [](Time time)
    { return time == Time::Max() ? std::numeric_limits<double>::infinity() : time.GetSeconds(); };
    std::vector<Edge> edges;
    for (const Fault& fault : plan.Get())
    {
        edges.push_back({seconds(fault.start), true, &fault});
        edges.push_back({seconds(fault.end), false, &fault});
    }
    std::stable_sort(edges.begin(),
                     edges.end(),
                     [](const Edge& a, const Edge& b)
                     { return a.time != b.time ? a.time < b.time : a.starts && !b.starts; });
    std::map<std::tuple<FaultPart, uint32_t, uint32_t>, std::pair<uint32_t, double>> down;
    for (const Edge& edge : edges)
    {
        const Fault& fault = *edge.fault;
        auto& [count, since] = down[{fault.part, fault.first, fault.second}];
        count += edge.starts ? 1 : -1;
        if (count == (edge.starts ? 1U : 0U))
        {
            if (edge.starts)
            {
                since = edge.time;
            }
            else
            {
                m_outages.push_back({fault.part, fault.first, fault.second, since, edge.time});
            }
            const double told = edge.time > 0 ? edge.time + detection.GetSeconds() : 0;
            if (told < std::numeric_limits<double>::infinity())
            {
                m_changes.push_back({told, fault.part, fault.first, fault.second, edge.starts});
            }
        }
    }
}

double
FaultTimeline::GetAvailability(double until) const
{
    std::array<double, FAULT_PARTS> down{};
    for (const Outage& outage : m_outages)
    {
        down[static_cast<std::size_t>(outage.part)] +=
            std::max(0.0, std::min(outage.to, until) - outage.from);
    }
    double least = 1;
    for (const auto& [part, sizes] : m_parts)
    {
        const double parts = std::accumulate(sizes.begin(), sizes.end(), 0.0);
        const double all = parts * until;
        least = std::min(least, all > 0 ? 1 - down[static_cast<std::size_t>(part)] / all : 1);
    }
    return least;
}

std::set<std::tuple<FaultPart, uint32_t, uint32_t>>
FaultTimeline::GetFailed(double time) const
{
    std::set<std::tuple<FaultPart, uint32_t, uint32_t>> failed;
    for (const Outage& outage : m_outages)
    {
        if (outage.from <= time && time < outage.to)
        {
            failed.emplace(outage.part, outage.first, outage.second);
        }
    }
    return failed;
}

InterruptedWork
InterruptedWork::Of(FaultPlan::AfterFailure after, double done, double left, double checkpoints)
{
    if (after == FaultPlan::END)
    {
        return {done, 0};
    }
    const double since = checkpoints > 0 ? std::fmod(done, checkpoints) : done;
    const double lost = after == FaultPlan::RESTART ? since : 0;
    return {lost, left + lost};
}

} // namespace ns3::odcn
