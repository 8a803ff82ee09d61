// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-solstice-matching.h"

#include "odcn-perfect-matching.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(SolsticeMatching);

TypeId
SolsticeMatching::GetTypeId()
{
    using T = SolsticeMatching;
    static TypeId tid = TypeIdOf<SolsticeMatching, MatchingAlgorithm>("ns3::odcn::SolsticeMatching")
                            .Add(Attribute("Slot", &T::m_slot, MicroSeconds(1), Seconds(0)),
                                 "Durations are multiples of it; above 0.");
    return tid;
}

SolsticeSchedule
SolsticeMatching::Solve(const DemandMatrix& bytes, const MatchingFabric& fabric) const
{
    Check(bytes, fabric);
    const double slot = m_slot.GetSeconds();
    if (slot <= 0)
    {
        throw OdcnError("SolsticeMatching: Slot must be above 0");
    }
    if (fabric.circuit.GetBitRate() == 0)
    {
        throw OdcnError("SolsticeMatching: found no rate of circuits, expected one, and traffic in "
                        "bytes: see MatchingSchedule::SetDemand()");
    }
    // Bytes that all planes carry in a slot.
    const double whole =
        static_cast<double>(fabric.circuit.GetBitRate()) * fabric.planes * slot / 8;
    constexpr double MAX_SLOTS = 1e12;
    if (bytes.GetMaxLoad() / whole > MAX_SLOTS)
    {
        throw OdcnError::InOption("demand",
                                  std::to_string(bytes.GetMaxLoad()) + " bytes of a rack",
                                  "at most 1e12 slots");
    }

    const uint32_t racks = bytes.GetNRacks();
    std::vector<int64_t> needed(std::size_t(racks) * racks);
    std::vector<int64_t> sent(racks, 0);
    std::vector<int64_t> received(racks, 0);
    for (std::size_t i = 0; i < needed.size(); ++i)
    {
        const auto from = static_cast<RackId>(i / racks);
        const auto to = static_cast<RackId>(i % racks);
        // A whole number of slots that rounding made slightly larger takes no slot more.
        const double traffic = bytes.Get(from, to);
        needed[i] = std::max<int64_t>(std::llround(std::ceil(traffic / whole * (1 - 1e-12))),
                                      traffic > 0 ? 1 : 0);
        sent[from] += needed[i];
        received[to] += needed[i];
    }
    auto left = needed;
    Stuff(left,
          racks,
          std::max(*std::max_element(sent.begin(), sent.end()),
                   *std::max_element(received.begin(), received.end())));

    SolsticeSchedule schedule;
    schedule.packets = bytes;
    const double reconfiguration = fabric.reconfiguration.GetSeconds() / slot;
    const double packetBytes = static_cast<double>(fabric.packets.GetBitRate()) * slot / 8;
    int64_t threshold = 1;
    while (threshold <= *std::max_element(left.begin(), left.end()) / 2)
    {
        threshold *= 2;
    }
    PerfectMatching matching(racks);
    while (schedule.packets.GetMaxLoad() > packetBytes * schedule.period)
    {
        if (!matching.Find([&](uint32_t row, uint32_t column)
                           { return left[std::size_t(row) * racks + column] >= threshold; }))
        {
            threshold /= 2;
            continue;
        }
        int64_t duration = INT64_MAX;
        for (RackId from = 0; from < racks; ++from)
        {
            duration =
                std::min(duration, left[std::size_t(from) * racks + matching.GetColumns()[from]]);
        }
        for (RackId from = 0; from < racks; ++from)
        {
            const RackId to = matching.GetColumns()[from];
            const std::size_t pair = std::size_t(from) * racks + to;
            left[pair] -= duration;
            needed[pair] = std::max<int64_t>(0, needed[pair] - duration);
            // Counted in slots, nothing is left by rounding.
            schedule.packets.Set(from,
                                 to,
                                 needed[pair] == 0 ? 0
                                                   : schedule.packets.Get(from, to) -
                                                         whole * static_cast<double>(duration));
        }
        schedule.matchings.push_back({matching.GetReceivers(), static_cast<double>(duration)});
        schedule.period += static_cast<double>(duration) + reconfiguration;
    }
    return schedule;
}

std::vector<WeightedMatching>
SolsticeMatching::DoCompute(const DemandMatrix& bytes, const MatchingFabric& fabric) const
{
    auto schedule = Solve(bytes, fabric);
    for (auto& matching : schedule.matchings)
    {
        matching.weight /= schedule.period;
    }
    return std::move(schedule.matchings);
}

} // namespace ns3::odcn
