// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-epoch-matching.h"

#include "odcn-matching-schedule.h"
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

/// @param algorithm type and Attributes  @param bytes by pair of racks  @param fabric rates and
/// planes  @param epoch length  @return the schedule
Ptr<CircuitSchedule>
MakeMatchingSchedule(const std::string& algorithm,
                     const DemandMatrix& bytes,
                     const MatchingFabric& fabric,
                     Time epoch)
{
    auto schedule = CreateObjectWithAttributes<MatchingSchedule>("Algorithm",
                                                                 StringValue(algorithm),
                                                                 "Period",
                                                                 TimeValue(epoch),
                                                                 "ReconfigurationTime",
                                                                 TimeValue(fabric.reconfiguration));
    schedule->SetDemand(bytes, fabric.circuit, fabric.packets);
    schedule->Build(bytes.GetNRacks(), fabric.planes);
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

/// MakeEpochSchedule() with failures and demand. @param made the algorithm  @param text it as text
/// @param bytes by pair of racks  @param present matching of each plane
/// @param fabric rates and planes  @param epoch length  @param usable circuits that may be set up
/// @return the schedule
Ptr<CircuitSchedule>
MakeAroundFailures(const MatchingAlgorithm& made,
                   const std::string& text,
                   const DemandMatrix& bytes,
                   const std::vector<Matching>& present,
                   const MatchingFabric& fabric,
                   Time epoch,
                   const CircuitFilter& usable)
{
    const uint32_t planes = fabric.planes;
    const uint32_t racks = bytes.GetNRacks();
    const Time dark = fabric.reconfiguration;
    if (const auto* maxWeight = dynamic_cast<const MaxWeightMatching*>(&made))
    {
        auto wanted = maxWeight->FindPlanes(bytes, planes, usable);
        return MakeEpochSchedule(AssignToPlanes(std::move(wanted), present, usable), epoch, dark);
    }
    MatchingFabric one = fabric;
    one.planes = 1;
    one.packets = DataRate(fabric.packets.GetBitRate() / planes);
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
                    served.Set(from, to, bytes.Get(from, to) / planes);
                }
            }
        }
        if (made.Compute(served, one).empty())
        {
            laid.push_back({Time(0), {{epoch, kept[plane]}}});
        }
        else
        {
            laid.push_back(MakeMatchingSchedule(text, served, one, epoch)->GetPlane(0));
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

/// Set up a matching on a plane, where circuits stay if nothing new needs their ends.
/// @param wanted the matching  @param present that of the plane  @param plane its index
/// @param usable circuits that may be set up; all if empty  @return the circuits after that
Matching
SetUp(const Matching& wanted, const Matching& present, uint32_t plane, const CircuitFilter& usable)
{
    const auto racks = static_cast<RackId>(present.size());
    const auto works = [&](RackId rack, RackId receiver)
    { return receiver != NO_RACK && (!usable || usable(plane, rack, receiver)); };
    Matching to(racks, NO_RACK);
    std::vector<bool> taken(racks, false);
    for (RackId rack = 0; rack < racks; ++rack)
    {
        if (works(rack, wanted.at(rack)))
        {
            to[rack] = wanted[rack];
            taken[to[rack]] = true;
        }
    }
    for (RackId rack = 0; rack < racks; ++rack)
    {
        const RackId before = present.at(rack);
        if (to[rack] == NO_RACK && works(rack, before) && !taken[before])
        {
            to[rack] = before;
        }
    }
    return to;
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
    DemandMatrix weights(planes);
    for (uint32_t m = 0; m < planes; ++m)
    {
        for (uint32_t plane = 0; plane < planes; ++plane)
        {
            const Matching set = SetUp(wanted[m], present[plane], plane, usable);
            weights.Set(m, plane, 1);
            for (std::size_t rack = 0; rack < racks; ++rack)
            {
                const bool up = set[rack] != NO_RACK;
                weights.Add(m, plane, up && set[rack] == present[plane][rack] ? 1 : 0);
                if (usable && up && set[rack] == wanted[m][rack])
                {
                    weights.Add(m, plane, static_cast<double>(racks * planes + 1));
                }
            }
        }
    }
    const std::vector<RackId> planeOf = MaxWeightMatching::Find(weights);
    std::vector<Matching> result(planes);
    for (uint32_t m = 0; m < planes; ++m)
    {
        result[planeOf[m]] = SetUp(wanted[m], present[planeOf[m]], planeOf[m], usable);
    }
    return result;
}

Ptr<CircuitSchedule>
MakeEpochSchedule(const std::string& algorithm,
                  const DemandMatrix& bytes,
                  const std::vector<Matching>& present,
                  const MatchingFabric& fabric,
                  Time epoch,
                  const CircuitFilter& usable)
{
    const uint32_t planes = fabric.planes;
    if (present.size() != planes)
    {
        throw OdcnError::InOption("matchings of an epoch",
                                  std::to_string(present.size()) + " planes",
                                  std::to_string(planes) + ", as the fabric has");
    }
    const auto made = MatchingAlgorithm::Create(algorithm);
    MatchingAlgorithm::Check(bytes, fabric);
    if (bytes.GetMaxLoad() == 0)
    {
        return nullptr;
    }
    if (usable)
    {
        return MakeAroundFailures(*made, algorithm, bytes, present, fabric, epoch, usable);
    }
    const auto matchings = made->Compute(bytes, fabric);
    if (matchings.empty())
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
        return MakeEpochSchedule(AssignToPlanes(std::move(wanted), present),
                                 epoch,
                                 fabric.reconfiguration);
    }
    return MakeMatchingSchedule(algorithm, bytes, fabric, epoch);
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
