// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-explicit-schedule.h"

#include "ns3/odcn-error.h"

#include <string>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(ExplicitSchedule);

TypeId
ExplicitSchedule::GetTypeId()
{
    static TypeId tid = AddTimes(TypeId("ns3::odcn::ExplicitSchedule")
                                     .SetParent<CircuitSchedule>()
                                     .SetGroupName("Odcn")
                                     .AddConstructor<ExplicitSchedule>(),
                                 MilliSeconds(1),
                                 MicroSeconds(10));
    return tid;
}

void
ExplicitSchedule::SetPlanes(const std::vector<Matching>& planes)
{
    m_matchings = planes;
    m_planes.clear();
}

void
ExplicitSchedule::SetPlanes(std::vector<Plane> planes)
{
    m_planes = std::move(planes);
}

std::vector<Matching>
ExplicitSchedule::MakeShifts(uint32_t racks, uint32_t planes)
{
    std::vector<Matching> matchings(planes, Matching(racks));
    for (uint32_t plane = 0; plane < planes; ++plane)
    {
        for (RackId rack = 0; rack < racks; ++rack)
        {
            matchings[plane][rack] = (rack + 1 + plane % (racks - 1)) % racks;
        }
    }
    return matchings;
}

std::vector<CircuitSchedule::Plane>
ExplicitSchedule::DoBuild(uint32_t, uint32_t planes)
{
    std::vector<Plane> built = m_planes;
    const std::size_t given = built.empty() ? m_matchings.size() : built.size();
    if (given != planes)
    {
        throw OdcnError::InOption("matchings of a schedule",
                                  std::to_string(given),
                                  std::to_string(planes) + ", one for each plane");
    }
    if (!built.empty())
    {
        return built;
    }
    for (const Matching& to : m_matchings)
    {
        built.push_back({Time(0), {{GetSlot(), to}}});
    }
    return built;
}

} // namespace ns3::odcn
