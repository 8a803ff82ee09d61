// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-epoch-matching.h"

#include "odcn-max-weight-matching.h"

#include "ns3/object-factory.h"
#include "ns3/odcn-error.h"
#include "ns3/string.h"

#include <cmath>
#include <string>

namespace ns3::odcn
{

std::vector<Matching>
AssignToPlanes(std::vector<Matching> wanted, const std::vector<Matching>& present)
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
            }
        }
    }
    const std::vector<RackId> planeOf = MaxWeightMatching::Find(same);
    std::vector<Matching> result(planes);
    for (uint32_t m = 0; m < planes; ++m)
    {
        Matching& to = result[planeOf[m]];
        to = std::move(wanted[m]);
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
            if (to[rack] == NO_RACK && before != NO_RACK && !taken[before])
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
                  Time dark)
{
    const auto planes = static_cast<uint32_t>(present.size());
    const auto matchings = MatchingAlgorithm::Create(algorithm)->Compute(demand, planes);
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

Ptr<CircuitSchedule>
MakeEpochSchedule(const std::vector<Matching>& planes, Time epoch, Time dark)
{
    auto schedule = CreateObjectWithAttributes<ExplicitSchedule>("Slot",
                                                                 TimeValue(epoch),
                                                                 "ReconfigurationTime",
                                                                 TimeValue(dark));
    schedule->SetPlanes(planes);
    schedule->Build(static_cast<uint32_t>(planes.at(0).size()),
                    static_cast<uint32_t>(planes.size()));
    return schedule;
}

} // namespace ns3::odcn
