// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-matching-schedule.h"

#include "odcn-matching.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(MatchingSchedule);

TypeId
MatchingSchedule::GetTypeId()
{
    static TypeId tid =
        TypeIdBuilder(
            AddTimes(TypeIdOf<MatchingSchedule, CircuitSchedule>("ns3::odcn::MatchingSchedule"),
                     MicroSeconds(400),
                     MicroSeconds(10),
                     "Period",
                     "Time after which the matchings repeat"))
            .Add(Attribute("Algorithm", &MatchingSchedule::m_algorithm, "VermilionMatching"),
                 "MatchingAlgorithm with Attributes");
    return tid;
}

void
MatchingSchedule::SetDemand(const DemandMatrix& bytes, DataRate circuit, DataRate packets)
{
    m_demand = bytes;
    m_circuit = circuit;
    m_packets = packets;
}

std::vector<CircuitSchedule::Plane>
MatchingSchedule::DoBuild(uint32_t racks, uint32_t planes)
{
    if (m_demand.GetNRacks() != racks)
    {
        throw OdcnError::InOption("demand of a schedule",
                                  std::to_string(m_demand.GetNRacks()) + " racks",
                                  std::to_string(racks) + " racks");
    }
    const auto matchings =
        MatchingAlgorithm::Create(m_algorithm)
            ->Compute(m_demand, {planes, m_circuit, m_packets, GetReconfigurationTime()});
    double weights = 0;
    for (const WeightedMatching& m : matchings)
    {
        weights += m.weight;
    }
    if (matchings.empty())
    {
        throw OdcnError::InOption("demand of a schedule", "no traffic", "a demand above 0");
    }
    const int64_t period = GetSlot().GetTimeStep();
    const int64_t dark = GetReconfigurationTime().GetTimeStep();
    // Position on all planes end to end, which the matchings fill. What is left of weights that
    // rounding made slightly less than 1 is no time for reconfiguration.
    const double rest = weights < 1 - 1e-9 ? (1 - weights) / double(matchings.size()) : 0;
    const double all = rest > 0 ? 1 : weights;
    const auto at = [&](double weight)
    { return static_cast<int64_t>(std::llround(weight / all * planes * double(period))); };
    std::vector<Plane> built(planes);
    double weight = 0;
    int64_t from = 0;
    for (std::size_t i = 0; i < matchings.size(); ++i)
    {
        const WeightedMatching& m = matchings[i];
        weight = i + 1 < matchings.size() ? weight + m.weight + rest : all;
        for (const int64_t to = at(weight); from < to;)
        {
            std::vector<Slot>& slots = built[from / period].slots;
            const int64_t end = std::min(to, (from / period + 1) * period);
            const Time duration = TimeStep(end - from);
            // A short one that is the first is left to the next matching of this plane, or to a
            // plane that holds nothing else.
            if (end - from > dark || slots.empty())
            {
                slots.push_back({duration, m.to});
            }
            else
            {
                slots.back().duration += duration;
            }
            from = end;
        }
    }
    for (Plane& plane : built)
    {
        if (plane.slots.size() > 1 && plane.slots[0].duration.GetTimeStep() <= dark)
        {
            plane.slots[1].duration += plane.slots[0].duration;
            plane.slots.erase(plane.slots.begin());
        }
    }
    return built;
}

} // namespace ns3::odcn
