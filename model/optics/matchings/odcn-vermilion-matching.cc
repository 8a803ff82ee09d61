// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-vermilion-matching.h"

#include "odcn-perfect-matching.h"

#include "ns3/odcn-attributes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(VermilionMatching);

TypeId
VermilionMatching::GetTypeId()
{
    using T = VermilionMatching;
    static TypeId tid =
        TypeIdOf<VermilionMatching, MatchingAlgorithm>("ns3::odcn::VermilionMatching")
            .Add(Attribute("K", &T::m_k, 3, 2, 1000),
                 "Slots of a period for each rack and plane, divided by the "
                 "number of racks: one part is oblivious, the rest follows "
                 "the demand.");
    return tid;
}

std::vector<uint32_t>
VermilionMatching::GetSlots(const DemandMatrix& demand) const
{
    Check(demand, {});
    const uint32_t racks = demand.GetNRacks();
    const uint32_t period = m_k * racks;
    const double load = demand.GetMaxLoad();
    const double scale = load > 0 ? (m_k - 1) * racks / load : 0;
    if (!std::isfinite(scale))
    {
        DemandMatrix scaled = demand;
        scaled.Normalize();
        return GetSlots(scaled);
    }

    std::vector<uint32_t> slots(std::size_t(racks) * racks, 0);
    std::vector<uint32_t> sent(racks, 0);
    std::vector<uint32_t> received(racks, 0);
    const auto add = [&](RackId from, RackId to, uint32_t count)
    {
        slots[std::size_t(from) * racks + to] += count;
        sent[from] += count;
        received[to] += count;
    };
    std::vector<std::pair<double, std::size_t>> remainders;
    for (RackId from = 0; from < racks; ++from)
    {
        for (RackId to = 0; to < racks; ++to)
        {
            if (from == to)
            {
                continue;
            }
            // A sum of 1 that rounding made slightly smaller still counts as 1.
            constexpr double ROUNDING = 1e-9;
            const double exact = scale * demand.Get(from, to);
            const double whole = std::floor(exact + ROUNDING);
            add(from, to, static_cast<uint32_t>(whole) + 1);
            if (exact - whole > ROUNDING)
            {
                remainders.emplace_back(whole - exact, std::size_t(from) * racks + to);
            }
        }
    }
    const auto addIfRoom = [&](RackId from, RackId to)
    {
        const bool room = sent[from] < period && received[to] < period;
        if (room)
        {
            add(from, to, 1);
        }
        return room;
    };
    std::sort(remainders.begin(), remainders.end());
    for (const auto& [minus, pair] : remainders)
    {
        addIfRoom(static_cast<RackId>(pair / racks), static_cast<RackId>(pair % racks));
    }
    for (bool added = true; added;)
    {
        added = false;
        for (uint32_t distance = 1; distance < racks; ++distance)
        {
            for (RackId from = 0; from < racks; ++from)
            {
                added |= addIfRoom(from, (from + distance) % racks);
            }
        }
    }
    // What is left is between a rack and itself.
    for (RackId rack = 0; rack < racks; ++rack)
    {
        add(rack, rack, period - sent[rack]);
    }
    return slots;
}

std::vector<WeightedMatching>
VermilionMatching::DoCompute(const DemandMatrix& demand, const MatchingFabric&) const
{
    const uint32_t racks = demand.GetNRacks();
    const uint32_t period = m_k * racks;
    auto left = GetSlots(demand);
    std::vector<WeightedMatching> matchings;
    PerfectMatching matching(racks);
    // A regular bipartite multigraph contains a perfect matching, and is regular without it.
    for (uint32_t used = 0; used < period;)
    {
        matching.Find([&](uint32_t row, uint32_t column)
                      { return left[std::size_t(row) * racks + column] > 0; });
        uint32_t count = period;
        for (RackId from = 0; from < racks; ++from)
        {
            count = std::min(count, left[std::size_t(from) * racks + matching.GetColumns()[from]]);
        }
        for (RackId from = 0; from < racks; ++from)
        {
            left[std::size_t(from) * racks + matching.GetColumns()[from]] -= count;
        }
        used += count;
        const auto to = matching.GetReceivers();
        if (std::any_of(to.begin(), to.end(), [](RackId rack) { return rack != NO_RACK; }))
        {
            matchings.push_back({to, double(count) / period});
        }
    }
    return matchings;
}

} // namespace ns3::odcn
