// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ocs-schedule-follower.h"

#include "ns3/log.h"
#include "ns3/odcn-error.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("OcsScheduleFollower");

NS_OBJECT_ENSURE_REGISTERED(OcsScheduleFollower);

TypeId
OcsScheduleFollower::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OcsScheduleFollower")
            .SetParent<Object>()
            .SetGroupName("Odcn")
            .AddConstructor<OcsScheduleFollower>()
            .AddAttribute("Guard",
                          "Time that ToR switches leave unused at both ends of a circuit",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&OcsScheduleFollower::m_guard),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PathMargin",
                          "How long before its end a circuit leaves the paths over several racks "
                          "(ExpanderRouting); it still carries other packets",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&OcsScheduleFollower::m_pathMargin),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ClockSkew",
                          "How late the clock of a ToR switch is, in nanoseconds, drawn once for "
                          "each rack; negative if early",
                          StringValue("ns3::ConstantRandomVariable[Constant=0]"),
                          MakePointerAccessor(&OcsScheduleFollower::m_skew),
                          MakePointerChecker<RandomVariableStream>())
            .AddTraceSource("Slot",
                            "A slot starts: plane and index of the slot",
                            MakeTraceSourceAccessor(&OcsScheduleFollower::m_slotTrace),
                            "ns3::odcn::OcsScheduleFollower::SlotTracedCallback");
    return tid;
}

OcsScheduleFollower::OcsScheduleFollower()
{
    NS_LOG_FUNCTION(this);
}

void
OcsScheduleFollower::DoDispose()
{
    m_fabric = nullptr;
    m_schedule = nullptr;
    m_skew = nullptr;
    Object::DoDispose();
}

int64_t
OcsScheduleFollower::AssignStreams(int64_t stream)
{
    m_skew->SetStream(stream);
    return 1;
}

void
OcsScheduleFollower::Start(Ptr<OcsFabric> fabric, Ptr<CircuitSchedule> schedule)
{
    NS_LOG_FUNCTION(this);
    const OcsFabricSize& size = fabric->GetSize();
    if (m_fabric)
    {
        throw OdcnError("a schedule follower follows one schedule");
    }
    Check(*PeekPointer(fabric), *PeekPointer(schedule));
    m_fabric = fabric;
    m_schedule = schedule;
    RackId first = 0;
    while (size.GetNUplinks(first) == 0)
    {
        ++first;
    }
    m_delay = DynamicCast<OcsFiber>(fabric->GetUplink(first, 0)->GetChannel())->GetDelay();
    fabric->SetTorsFollowSwitches(false);
    for (uint32_t w = 0; w < size.switches; ++w)
    {
        fabric->GetSwitch(w)->SetAttribute("ReconfigurationTime",
                                           TimeValue(schedule->GetReconfigurationTime()));
    }
    std::map<Time, std::vector<RackId>> bySkew;
    for (RackId rack = 0; rack < size.racks; ++rack)
    {
        // In time steps, so that fractions of a nanosecond count at a finer resolution.
        const double steps = m_skew->GetValue() * NanoSeconds(1).GetTimeStep();
        bySkew[TimeStep(std::llround(steps))].push_back(rack);
    }
    for (const auto& [skew, racks] : bySkew)
    {
        m_groupSkews.push_back(skew);
        m_groups.push_back(racks);
    }
    for (uint32_t plane = 0; plane < size.uplinks; ++plane)
    {
        const CircuitSchedule::Place place = schedule->Find(plane, Simulator::Now());
        const Matching& to = schedule->GetPlane(plane).slots[place.slot].to;
        std::vector<OcsPortChange> changes;
        for (RackId rack = 0; rack < size.racks; ++rack)
        {
            changes.push_back(
                {fabric->GetSwitchPort(rack, plane),
                 to[rack] == NO_RACK ? OCS_NO_PORT : fabric->GetSwitchPort(to[rack], plane)});
        }
        fabric->GetSwitch(fabric->GetSwitchOf(plane))->Preset(changes);
        ScheduleTors(plane, place, true);
        Simulator::Schedule(place.end - Simulator::Now(),
                            &OcsScheduleFollower::StartSlot,
                            this,
                            plane);
    }
}

void
OcsScheduleFollower::Check(const OcsFabric& fabric, const CircuitSchedule& schedule)
{
    const OcsFabricSize& size = fabric.GetSize();
    if (schedule.GetNRacks() != size.racks || schedule.GetNPlanes() != size.uplinks)
    {
        throw OdcnError::InOption("schedule of a fabric",
                                  std::to_string(schedule.GetNRacks()) + " racks, " +
                                      std::to_string(schedule.GetNPlanes()) + " planes",
                                  std::to_string(size.racks) + " racks, " +
                                      std::to_string(size.uplinks) + " planes");
    }
    for (uint32_t plane = 0; plane < size.uplinks; ++plane)
    {
        for (const CircuitSchedule::Slot& slot : schedule.GetPlane(plane).slots)
        {
            for (RackId from = 0; from < size.racks; ++from)
            {
                const RackId to = slot.to[from];
                if (to != NO_RACK &&
                    (plane >= size.GetNUplinks(from) || plane >= size.GetNUplinks(to)))
                {
                    throw OdcnError::InOption(
                        "schedule of a fabric, plane " + std::to_string(plane),
                        "a circuit from rack " + std::to_string(from) + " to " + std::to_string(to),
                        "circuits between uplinks that exist: CircuitSchedule::Build() with the "
                        "uplinks of each rack");
                }
            }
        }
    }
}

void
OcsScheduleFollower::StartSlot(uint32_t plane)
{
    const CircuitSchedule::Place place = m_schedule->Find(plane, Simulator::Now());
    NS_LOG_FUNCTION(this << plane << place.slot);
    const Matching& to = m_schedule->GetPlane(plane).slots[place.slot].to;
    std::vector<OcsPortChange> changes;
    for (RackId rack = 0; rack < to.size(); ++rack)
    {
        if (m_schedule->Changes(plane, place.slot, rack))
        {
            changes.push_back(
                {m_fabric->GetSwitchPort(rack, plane),
                 to[rack] == NO_RACK ? OCS_NO_PORT : m_fabric->GetSwitchPort(to[rack], plane)});
        }
    }
    m_fabric->GetSwitch(m_fabric->GetSwitchOf(plane))->Reconfigure(changes);
    m_slotTrace(plane, place.slot);
    ScheduleTors(plane, place, false);
    Simulator::Schedule(place.end - place.start, &OcsScheduleFollower::StartSlot, this, plane);
}

void
OcsScheduleFollower::ScheduleTors(uint32_t plane, const CircuitSchedule::Place& place, bool initial)
{
    const Time now = Simulator::Now();
    const Time dark = initial ? Time(0) : m_schedule->GetReconfigurationTime() + m_guard;
    for (uint32_t group = 0; group < m_groups.size(); ++group)
    {
        const Time shift = m_groupSkews[group] - m_delay;
        const Time end = place.end - m_guard + shift;
        const Time open = std::max(now, (initial ? now : place.start) + dark + shift);
        const auto at = [&now](Time time) { return std::max(time, now) - now; };
        Simulator::Schedule(at(open),
                            &OcsScheduleFollower::Open,
                            this,
                            plane,
                            place.slot,
                            end,
                            group,
                            initial);
        Simulator::Schedule(at(std::max(end - m_pathMargin, open)),
                            &OcsScheduleFollower::Withdraw,
                            this,
                            plane,
                            place.slot,
                            group);
        Simulator::Schedule(at(std::max(end, open)),
                            &OcsScheduleFollower::Close,
                            this,
                            plane,
                            place.slot,
                            group);
    }
}

void
OcsScheduleFollower::Open(uint32_t plane, uint32_t slot, Time end, uint32_t group, bool all)
{
    const Matching& to = m_schedule->GetPlane(plane).slots[slot].to;
    for (const RackId rack : m_groups[group])
    {
        if (to[rack] != NO_RACK && (all || m_schedule->Changes(plane, slot, rack)))
        {
            const Time extension = m_schedule->GetExtension(plane, slot, rack);
            m_fabric->GetTor(rack)->SetCircuit(plane,
                                               to[rack],
                                               extension == Time::Max() ? extension
                                                                        : end + extension);
        }
    }
}

void
OcsScheduleFollower::Withdraw(uint32_t plane, uint32_t slot, uint32_t group)
{
    for (const RackId rack : m_groups[group])
    {
        if (plane < m_fabric->GetSize().GetNUplinks(rack) &&
            m_schedule->GetExtension(plane, slot, rack).IsZero())
        {
            m_fabric->GetTor(rack)->Withdraw(plane);
        }
    }
}

void
OcsScheduleFollower::Close(uint32_t plane, uint32_t slot, uint32_t group)
{
    for (const RackId rack : m_groups[group])
    {
        if (plane < m_fabric->GetSize().GetNUplinks(rack) &&
            m_schedule->GetExtension(plane, slot, rack).IsZero())
        {
            m_fabric->GetTor(rack)->ClearCircuit(plane);
        }
    }
}

} // namespace ns3::odcn
