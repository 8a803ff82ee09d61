// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fabric-parts.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-row-reader.h"
#include "ns3/odcn-text.h"

#include <algorithm>

namespace ns3::odcn
{

namespace
{

/// @param schedule a schedule
/// @return whether some circuit is set anew
bool
HasChanges(const CircuitSchedule& schedule)
{
    for (uint32_t plane = 0; plane < schedule.GetNPlanes(); ++plane)
    {
        for (uint32_t slot = 0; slot < schedule.GetPlane(plane).slots.size(); ++slot)
        {
            for (RackId rack = 0; rack < schedule.GetNRacks(); ++rack)
            {
                if (schedule.Changes(plane, slot, rack))
                {
                    return true;
                }
            }
        }
    }
    return false;
}

} // namespace

FabricParts::FabricParts(const std::string& path)
    : m_path(path)
{
    RowReader rows(path);
    rows.SetComments(true);
    rows.ReadHeader({{"part"}, {"gbps"}, {"watts"}, {"price"}});
    std::vector<std::string> names;
    for (uint8_t kind = 0; kind < N_KINDS; ++kind)
    {
        names.emplace_back(GetName(static_cast<Kind>(kind)));
    }
    const NumberRange positive{1e-9, 1e9, "a number above 0"};
    const NumberRange any{0, 1e12, "a number of 0 or more"};
    while (rows.NextRow())
    {
        const auto kind = std::find(names.begin(), names.end(), rows[0]);
        if (kind == names.end())
        {
            rows.RefuseField(0, "one of " + JoinWords(names));
        }
        m_parts[kind - names.begin()].push_back(
            {rows.Number(1, positive), rows.Number(2, any), rows.Number(3, any)});
    }
    for (uint8_t kind = 0; kind < N_KINDS; ++kind)
    {
        if (m_parts[kind].empty())
        {
            rows.Refuse(names[kind], "a row of each of " + JoinWords(names));
        }
        std::stable_sort(m_parts[kind].begin(),
                         m_parts[kind].end(),
                         [](const Part& a, const Part& b) { return a.gbps < b.gbps; });
    }
}

const char*
FabricParts::GetName(Kind kind)
{
    constexpr std::array<const char*, N_KINDS> NAMES{"nic", "port", "transceiver", "ocs"};
    return NAMES[kind];
}

uint32_t
FabricParts::GetTreePorts(const FabricSize& size)
{
    uint32_t k = 2 * size.servers;
    while (k * k / 2 < size.racks)
    {
        k += 2;
    }
    return k;
}

std::vector<FabricParts::Count>
FabricParts::CountParts(const FabricDesign& design, const Ptr<CircuitSchedule>& schedule)
{
    const FabricSize& size = design.GetSize();
    const uint64_t servers = uint64_t{size.racks} * size.servers;
    std::vector<Count> counts{{NIC, size.GetServerGbps(), servers},
                              {PORT, size.GetServerGbps(), servers}};
    const auto add = [&](Kind kind, double gbps, uint64_t number)
    {
        if (number > 0)
        {
            counts.push_back({kind, gbps, number});
        }
    };
    uint64_t links = 0; // between packet switches
    double gbps = size.gbps;
    if (design.IsElectrical())
    {
        if (design.GetRouting() == "clos")
        {
            links = uint64_t{size.racks} * design.GetSpines();
            gbps *= design.GetLinks() / design.GetSpines();
        }
        else if (design.GetRouting() == "fat-tree")
        {
            const uint64_t half = GetTreePorts(size) / 2;
            const uint64_t pods = (size.racks + half - 1) / half;
            links = size.racks * half + pods * half * half;
        }
    }
    else
    {
        links = design.IsHybrid() ? size.racks : 0;
        const uint64_t uplinks = uint64_t{size.racks} * design.GetUplinks();
        add(PORT, size.gbps, uplinks);
        add(TRANSCEIVER, size.gbps, uplinks);
        add(OCS, size.gbps, schedule && !HasChanges(*schedule) ? 0 : uplinks);
    }
    add(PORT, gbps, 2 * links);
    add(TRANSCEIVER, gbps, 2 * links);
    return counts;
}

double
FabricParts::GetPower(const std::vector<Count>& counts) const
{
    double sum = 0;
    for (const Count& count : counts)
    {
        sum += double(count.number) * Find(count).watts;
    }
    return sum;
}

double
FabricParts::GetPrice(const std::vector<Count>& counts) const
{
    double sum = 0;
    for (const Count& count : counts)
    {
        sum += double(count.number) * Find(count).price;
    }
    return sum;
}

const FabricParts::Part&
FabricParts::Find(const Count& count) const
{
    for (const Part& part : m_parts[count.kind])
    {
        if (part.gbps >= count.gbps * (1 - 1e-9))
        {
            return part;
        }
    }
    throw OdcnError(m_path + ": no part " + GetName(count.kind) + " of " +
                    FormatNumber(count.gbps) + " Gb/s, expected one of that rate or a higher one");
}

} // namespace ns3::odcn
