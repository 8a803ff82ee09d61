// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-epoch-matching.h"

#include "odcn-matching.h"
#include "odcn-max-weight-matching.h"

#include "ns3/object-factory.h"
#include "ns3/odcn-error.h"
#include "ns3/string.h"

#include <cmath>
#include <string>

namespace ns3::odcn
{

namespace
{

/// @param algorithm type and Attributes  @param demand by pair of racks  @param planes number
/// @param epoch length  @param dark reconfiguration time  @return the schedule
Ptr<CircuitSchedule>
MakeMatchingSchedule(const std::string& algorithm,
                     const DemandMatrix& demand,
                     uint32_t planes,
                     Time epoch,
                     Time dark)
{
    auto schedule = CreateObjectWithAttributes<MatchingSchedule>("Algorithm",
                                                                 StringValue(algorithm),
                                                                 "Period",
                                                                 TimeValue(epoch),
                                                                 "ReconfigurationTime",
                                                                 TimeValue(dark));
    schedule->SetDemand(demand);
    schedule->Build(demand.GetNRacks(), planes);
    return schedule;
}

/// @param epoch length  @param dark reconfiguration time  @return a schedule without planes
Ptr<ExplicitSchedule>
MakeExplicitSchedule(Time epoch, Time dark)
{
    return CreateObjectWithAttributes<ExplicitSchedule>("Slot",
                                                        TimeValue(epoch),
                                                        "ReconfigurationTime",
                                                        TimeValue(dark));
}

/// MakeEpochSchedule() with failures. @param made the algorithm  @param text it as text
/// @param demand by pair of racks  @param present matching of each plane  @param epoch length
/// @param dark reconfiguration time  @param usable circuits that may be set up
/// @return the schedule
Ptr<CircuitSchedule>
MakeAroundFailures(const MatchingAlgorithm& made,
                   const std::string& text,
                   const DemandMatrix& demand,
                   const std::vector<Matching>& present,
                   Time epoch,
                   Time dark,
                   const CircuitFilter& usable)
{
    const auto planes = static_cast<uint32_t>(present.size());
    const uint32_t racks = demand.GetNRacks();
    if (const auto* maxWeight = dynamic_cast<const MaxWeightMatching*>(&made))
    {
        auto wanted = maxWeight->FindPlanes(demand, planes, usable);
        return MakeEpochSchedule(AssignToPlanes(std::move(wanted), present, usable), epoch, dark);
    }
    const std::vector<Matching> kept = AssignToPlanes({}, present, usable);
    std::vector<CircuitSchedule::Plane> laid;
    for (uint32_t plane = 0; plane < planes; ++plane)
    {
        DemandMatrix served(racks);
        for (RackId from = 0; from < racks; ++from)
        {
            for (RackId to = 0; to < racks; ++to)
            {
                if (from != to && usable(plane, from, to))
                {
                    served.Set(from, to, demand.Get(from, to));
                }
            }
        }
        if (made.Compute(served, 1).empty())
        {
            laid.push_back({Time(0), {{epoch, kept[plane]}}});
        }
        else
        {
            laid.push_back(MakeMatchingSchedule(text, served, 1, epoch, dark)->GetPlane(0));
        }
        // Algorithms may add circuits without demand.
        for (CircuitSchedule::Slot& slot : laid.back().slots)
        {
            for (RackId from = 0; from < racks; ++from)
            {
                RackId& to = slot.to[from];
                to = to != NO_RACK && usable(plane, from, to) ? to : NO_RACK;
            }
        }
    }
    auto schedule = MakeExplicitSchedule(epoch, dark);
    schedule->SetPlanes(std::move(laid));
    schedule->Build(racks, planes);
    return schedule;
}

} // namespace

std::vector<Matching>
AssignToPlanes(std::vector<Matching> wanted,
               const std::vector<Matching>& present,
               const CircuitFilter& usable)
{
    const auto planes = static_cast<uint32_t>(present.size());
    if (wanted.size() > planes)
    {
        throw OdcnError::InOption("matchings of an epoch",
                                  std::to_string(wanted.size()),
                                  "not more than " + std::to_string(planes) + " planes");
    }
    const std::size_t racks = present.at(0).size();
    wanted.resize(planes, Matching(racks, NO_RACK));
    // Circuits that stay, by matching and plane; 1 more, since only weights above 0 are matched.
    DemandMatrix same(planes);
    for (uint32_t m = 0; m < planes; ++m)
    {
        for (uint32_t plane = 0; plane < planes; ++plane)
        {
            same.Set(m, plane, 1);
            for (std::size_t rack = 0; rack < racks; ++rack)
            {
                const RackId to = wanted[m].at(rack);
                same.Add(m, plane, to != NO_RACK && to == present[plane].at(rack) ? 1 : 0);
                if (usable && to != NO_RACK && usable(plane, static_cast<RackId>(rack), to))
                {
                    same.Add(m, plane, static_cast<double>(racks * planes + 1));
                }
            }
        }
    }
    const std::vector<RackId> planeOf = MaxWeightMatching::Find(same);
    std::vector<Matching> result(planes);
    for (uint32_t m = 0; m < planes; ++m)
    {
        Matching& to = result[planeOf[m]];
        to = std::move(wanted[m]);
        const auto works = [&](std::size_t rack, RackId receiver)
        { return !usable || usable(planeOf[m], static_cast<RackId>(rack), receiver); };
        for (std::size_t rack = 0; rack < racks; ++rack)
        {
            to[rack] = to[rack] != NO_RACK && works(rack, to[rack]) ? to[rack] : NO_RACK;
        }
        std::vector<bool> taken(racks, false);
        for (const RackId receiver : to)
        {
            if (receiver != NO_RACK)
            {
                taken[receiver] = true;
            }
        }
        for (std::size_t rack = 0; rack < racks; ++rack)
        {
            const RackId before = present[planeOf[m]][rack];
            if (to[rack] == NO_RACK && before != NO_RACK && !taken[before] && works(rack, before))
            {
                to[rack] = before;
            }
        }
    }
    return result;
}

Ptr<CircuitSchedule>
MakeEpochSchedule(const std::string& algorithm,
                  const DemandMatrix& demand,
                  const std::vector<Matching>& present,
                  Time epoch,
                  Time dark,
                  const CircuitFilter& usable)
{
    const auto planes = static_cast<uint32_t>(present.size());
    const auto made = MatchingAlgorithm::Create(algorithm);
    if (usable)
    {
        return MakeAroundFailures(*made, algorithm, demand, present, epoch, dark, usable);
    }
    const auto matchings = made->Compute(demand, planes);
    if (matchings.empty() || demand.GetMaxLoad() == 0)
    {
        return nullptr;
    }
    // Weights that are whole numbers of planes, but for rounding.
    std::vector<Matching> wanted;
    bool whole = true;
    for (const WeightedMatching& m : matchings)
    {
        const double share = std::round(m.weight * planes);
        whole = whole && share >= 1 && std::abs(m.weight * planes - share) < 1e-9;
        wanted.insert(wanted.end(), static_cast<std::size_t>(share), m.to);
    }
    if (whole)
    {
        return MakeEpochSchedule(AssignToPlanes(std::move(wanted), present), epoch, dark);
    }
    return MakeMatchingSchedule(algorithm, demand, planes, epoch, dark);
}

Ptr<CircuitSchedule>
MakeEpochSchedule(const std::vector<Matching>& planes, Time epoch, Time dark)
{
    auto schedule = MakeExplicitSchedule(epoch, dark);
    schedule->SetPlanes(planes);
    schedule->Build(static_cast<uint32_t>(planes.at(0).size()),
                    static_cast<uint32_t>(planes.size()));
    return schedule;
}

} // namespace ns3::odcn
