// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-max-weight-matching.h"

#include "ns3/odcn-attributes.h"

#include <algorithm>
#include <limits>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(MaxWeightMatching);

TypeId
MaxWeightMatching::GetTypeId()
{
    using T = MaxWeightMatching;
    static TypeId tid =
        TypeIdOf<MaxWeightMatching, MatchingAlgorithm>("ns3::odcn::MaxWeightMatching")
            .Add(Attribute("Capacity", &T::m_capacity, 0, 0),
                 "Bytes that one circuit serves in an epoch (more generally, in the unit of "
                 "the demand); 0 for all of its pair's demand.");
    return tid;
}

std::vector<RackId>
MaxWeightMatching::Find(const DemandMatrix& weights)
{
    const uint32_t n = weights.GetNRacks();
    // The cost of a pair is -weight; reduced by potentials it is never negative. Column n is where
    // the row that is being assigned starts from.
    std::vector<double> rowPotential(n, 0);
    std::vector<double> columnPotential(n + 1, 0);
    std::vector<uint32_t> rowOf(n + 1, NO_RACK);
    std::vector<uint32_t> previous(n);
    std::vector<double> distance(n);
    for (uint32_t start = 0; start < n; ++start)
    {
        std::vector<bool> reached(n + 1, false);
        std::fill(distance.begin(), distance.end(), std::numeric_limits<double>::infinity());
        uint32_t column = n;
        rowOf[n] = start;
        while (rowOf[column] != NO_RACK)
        {
            reached[column] = true;
            const uint32_t row = rowOf[column];
            double least = std::numeric_limits<double>::infinity();
            uint32_t nearest = n;
            for (uint32_t j = 0; j < n; ++j)
            {
                if (reached[j])
                {
                    continue;
                }
                const double reduced =
                    -weights.Get(row, j) - rowPotential[row] - columnPotential[j];
                if (reduced < distance[j])
                {
                    distance[j] = reduced;
                    previous[j] = column;
                }
                if (distance[j] < least)
                {
                    least = distance[j];
                    nearest = j;
                }
            }
            for (uint32_t j = 0; j <= n; ++j)
            {
                if (reached[j])
                {
                    rowPotential[rowOf[j]] += least;
                    columnPotential[j] -= least;
                }
                else if (j < n)
                {
                    distance[j] -= least;
                }
            }
            column = nearest;
        }
        for (; column != n; column = previous[column])
        {
            rowOf[column] = rowOf[previous[column]];
        }
    }
    std::vector<RackId> to(n, NO_RACK);
    for (RackId j = 0; j < n; ++j)
    {
        if (weights.Get(rowOf[j], j) > 0)
        {
            to[rowOf[j]] = j;
        }
    }
    return to;
}

std::vector<std::vector<RackId>>
MaxWeightMatching::FindPlanes(const DemandMatrix& demand,
                              uint32_t planes,
                              const CircuitFilter& usable) const
{
    const uint32_t racks = demand.GetNRacks();
    const double capacity = m_capacity > 0 ? m_capacity : std::numeric_limits<double>::infinity();
    DemandMatrix left = demand;
    std::vector<std::vector<RackId>> found;
    for (uint32_t plane = 0; plane < planes; ++plane)
    {
        DemandMatrix served(racks);
        for (RackId from = 0; from < racks; ++from)
        {
            for (RackId to = 0; to < racks; ++to)
            {
                const bool serves = !usable || usable(plane, from, to);
                served.Set(from, to, serves ? std::min(left.Get(from, to), capacity) : 0);
            }
        }
        found.push_back(Find(served));
        for (RackId from = 0; from < racks; ++from)
        {
            if (const RackId to = found.back()[from]; to != NO_RACK)
            {
                left.Add(from, to, -served.Get(from, to));
            }
        }
    }
    return found;
}

std::vector<WeightedMatching>
MaxWeightMatching::DoCompute(const DemandMatrix& bytes, const MatchingFabric& fabric) const
{
    std::vector<WeightedMatching> matchings;
    for (auto& to : FindPlanes(bytes, fabric.planes, {}))
    {
        if (std::all_of(to.begin(), to.end(), [](RackId rack) { return rack == NO_RACK; }))
        {
            break;
        }
        matchings.push_back({std::move(to), 1.0 / fabric.planes});
    }
    return matchings;
}

} // namespace ns3::odcn
