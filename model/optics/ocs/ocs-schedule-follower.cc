// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ocs-schedule-follower.h"

#include "ns3/log.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"

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
    using T = OcsScheduleFollower;
    static TypeId tid =
        TypeIdOf<OcsScheduleFollower, Object>("ns3::odcn::OcsScheduleFollower")
            .Add(Attribute("Guard", &T::m_guard, Time(0), Time(0)),
                 "Time that ToR switches leave unused at both ends of a circuit")
            .Add(Attribute("PathMargin", &T::m_pathMargin, Time(0), Time(0)),
                 "How long before its end a circuit leaves the paths over several racks "
                 "(ExpanderRouting); it still carries other packets")
            .Add(Attribute("ClockSkew", &T::m_skew, "ns3::ConstantRandomVariable[Constant=0]"),
                 "How late the clock of a ToR switch is, in nanoseconds, drawn once for "
                 "each rack; negative if early")
            .Add(Trace("Slot", &T::m_slotTrace, "SlotTracedCallback"),
                 "A slot starts: plane and index of the slot");
    return tid;
}

void
OcsScheduleFollower::DoDispose()
{
    m_update.Cancel();
    ++m_generation;
    if (m_fabric)
    {
        m_fabric->TraceDisconnectWithoutContext(
            "PathChanged",
            MakeCallback(&OcsScheduleFollower::PathChanged, this));
    }
    m_fabric = nullptr;
    m_schedule = nullptr;
    Object::DoDispose();
}

int64_t
OcsScheduleFollower::AssignStreams(int64_t stream)
{
    m_skew->SetStream(stream);
    return 1;
}

void
OcsScheduleFollower::CheckFit(const CircuitSchedule& schedule, const OcsFabric& fabric)
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
OcsScheduleFollower::Start(Ptr<OcsFabric> fabric, Ptr<CircuitSchedule> schedule)
{
    NS_LOG_FUNCTION(this);
    const OcsFabricSize& size = fabric->GetSize();
    if (m_fabric)
    {
        throw OdcnError("a schedule follower follows one schedule at a time: use Change()");
    }
    CheckFit(*schedule, *fabric);
    std::vector<std::vector<OcsPortChange>> changes(size.switches);
    for (uint32_t plane = 0; plane < size.uplinks; ++plane)
    {
        const CircuitSchedule::Place place = schedule->Find(plane, Simulator::Now());
        const Matching& to = schedule->GetPlane(plane).slots[place.slot].to;
        for (RackId rack = 0; rack < size.racks; ++rack)
        {
            const uint32_t output =
                to[rack] == NO_RACK ? OCS_NO_PORT : fabric->GetSwitchPort(to[rack], plane);
            changes[fabric->GetSwitchOf(plane)].push_back(
                {fabric->GetSwitchPort(rack, plane), output});
        }
    }
    for (uint32_t w = 0; w < size.switches; ++w)
    {
        fabric->GetSwitch(w)->Check(changes[w]);
    }
    m_fabric = fabric;
    const auto fiber = DynamicCast<OcsFiber>(FindUplinks().front()->GetChannel());
    if (!fiber)
    {
        m_fabric = nullptr;
        throw OdcnError("a schedule follower needs a fabric whose uplinks have fibres");
    }
    m_delay = fiber->GetDelay();
    m_usesEnding = true;
    for (RackId rack = 0; rack < size.racks; ++rack)
    {
        m_usesEnding = m_usesEnding && fabric->GetTor(rack)->UsesEndingCircuits();
    }
    fabric->SetTorsFollowSwitches(false);
    SetSchedule(schedule, Time(0));
    fabric->TraceConnectWithoutContext("PathChanged",
                                       MakeCallback(&OcsScheduleFollower::PathChanged, this));
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
    m_upFrom.assign(size.uplinks, std::vector<Time>(size.racks));
    for (uint32_t w = 0; w < size.switches; ++w)
    {
        fabric->GetSwitch(w)->Preset(changes[w]);
    }
    for (uint32_t plane = 0; plane < size.uplinks; ++plane)
    {
        const Slot slot = FindSlot(plane, Simulator::Now());
        ScheduleOpen(slot, std::vector<bool>(size.racks, true), Simulator::Now());
        ScheduleEnd(slot, Simulator::Now());
    }
}

void
OcsScheduleFollower::Change(Ptr<CircuitSchedule> schedule)
{
    NS_LOG_FUNCTION(this);
    if (!m_fabric)
    {
        throw OdcnError("a schedule follower changes its schedule after Start() only");
    }
    CheckFit(*schedule, *m_fabric);
    const Time now = Simulator::Now();
    SetSchedule(schedule, now + GetDrainTime());
    const OcsFabricSize& size = m_fabric->GetSize();
    std::vector<std::vector<uint32_t>> cleared(size.racks);
    std::vector<Slot> first;
    for (uint32_t plane = 0; plane < size.uplinks; ++plane)
    {
        first.push_back(FindSlot(plane, m_origin));
        for (RackId rack = 0; rack < size.racks; ++rack)
        {
            if (!IsPresent(first[plane], rack))
            {
                cleared[rack].push_back(plane);
            }
        }
    }
    const Ptr<OcsFabric> fabric = m_fabric;
    const uint32_t generation = m_generation;
    for (RackId rack = 0; rack < cleared.size(); ++rack)
    {
        if (!cleared[rack].empty())
        {
            fabric->GetTor(rack)->ClearCircuits(cleared[rack]);
        }
    }
    if (generation != m_generation)
    {
        return; // changed again, or disposed of, by a sink of the trace Circuit
    }
    for (const Slot& slot : first)
    {
        // Circuits that stay are used without a pause; some may still be dark.
        std::map<Time, std::vector<bool>> stay;
        for (RackId rack = 0; rack < size.racks; ++rack)
        {
            if (IsPresent(slot, rack))
            {
                const Time from = std::max(now, m_upFrom[slot.plane][rack] + m_guard);
                stay[from].resize(size.racks, false);
                stay[from][rack] = true;
            }
        }
        for (const auto& [from, racks] : stay)
        {
            ScheduleOpen(slot, racks, from);
        }
        Simulator::Schedule(m_origin - now,
                            &OcsScheduleFollower::StartSlot,
                            Ptr<OcsScheduleFollower>(this),
                            slot.plane,
                            m_generation);
    }
}

std::vector<Ptr<OcsNetDevice>>
OcsScheduleFollower::FindUplinks() const
{
    std::vector<Ptr<OcsNetDevice>> uplinks;
    for (RackId rack = 0; rack < m_fabric->GetSize().racks; ++rack)
    {
        if (m_fabric->GetSize().GetNUplinks(rack) > 0)
        {
            uplinks.push_back(m_fabric->GetUplink(rack, 0));
        }
    }
    return uplinks;
}

Time
OcsScheduleFollower::GetDrainTime() const
{
    Time longest;
    for (const auto& uplink : FindUplinks())
    {
        longest = std::max(longest, uplink->GetTxTime(uplink->GetMtu()));
    }
    return longest + m_delay + m_guard;
}

uint64_t
OcsScheduleFollower::GetNReconfigured() const
{
    return m_nReconfigured;
}

void
OcsScheduleFollower::SetSchedule(Ptr<CircuitSchedule> schedule, Time origin)
{
    m_schedule = schedule;
    m_origin = origin;
    ++m_generation;
    for (uint32_t w = 0; w < m_fabric->GetSize().switches; ++w)
    {
        m_fabric->GetSwitch(w)->SetAttribute("ReconfigurationTime",
                                             TimeValue(schedule->GetReconfigurationTime()));
    }
    if (m_fabric->HasFailedPaths())
    {
        UpdateCutOff();
    }
}

void
OcsScheduleFollower::PathChanged(RackId, uint32_t, bool, bool)
{
    // Once for all paths that change now.
    if (m_fabric && m_update.IsExpired())
    {
        m_update = Simulator::ScheduleNow(&OcsScheduleFollower::UpdateCutOff, this);
    }
}

void
OcsScheduleFollower::UpdateCutOff()
{
    const auto isUsable = [this](RackId from, uint32_t plane, RackId to) {
        return m_fabric->IsUsable({from, plane, to, plane});
    };
    m_fabric->GetTor(0)->GetCircuitTable().SetCutOff(
        m_fabric->HasFailedPaths() ? FindCutOff(*m_schedule, isUsable) : std::vector<bool>());
}

std::vector<bool>
OcsScheduleFollower::FindCutOff(const CircuitSchedule& schedule,
                                const std::function<bool(RackId, uint32_t, RackId)>& isUsable)
{
    const uint32_t racks = schedule.GetNRacks();
    std::vector<bool> works(std::size_t(racks) * racks, false);
    std::vector<bool> failed(works.size(), false);
    for (uint32_t plane = 0; plane < schedule.GetNPlanes(); ++plane)
    {
        for (const CircuitSchedule::Slot& slot : schedule.GetPlane(plane).slots)
        {
            for (RackId from = 0; from < racks; ++from)
            {
                if (const RackId to = slot.to[from]; to != NO_RACK)
                {
                    (isUsable(from, plane, to) ? works : failed)[std::size_t(from) * racks + to] =
                        true;
                }
            }
        }
    }
    for (std::size_t pair = 0; pair < works.size(); ++pair)
    {
        failed[pair] = failed[pair] && !works[pair];
    }
    return failed;
}

OcsScheduleFollower::Slot
OcsScheduleFollower::FindSlot(uint32_t plane, Time time) const
{
    const CircuitSchedule::Place place = m_schedule->Find(plane, time - m_origin);
    return {plane, place.slot, m_origin + place.end, m_generation};
}

uint32_t
OcsScheduleFollower::GetOutput(const Slot& slot, RackId rack) const
{
    const RackId to = m_schedule->GetPlane(slot.plane).slots[slot.index].to[rack];
    return to == NO_RACK ? OCS_NO_PORT : m_fabric->GetSwitchPort(to, slot.plane);
}

bool
OcsScheduleFollower::IsPresent(const Slot& slot, RackId rack) const
{
    return m_fabric->GetSwitch(m_fabric->GetSwitchOf(slot.plane))
               ->GetOutput(m_fabric->GetSwitchPort(rack, slot.plane)) == GetOutput(slot, rack);
}

void
OcsScheduleFollower::StartSlot(uint32_t plane, uint32_t generation)
{
    if (generation != m_generation)
    {
        return;
    }
    const Time now = Simulator::Now();
    const Slot slot = FindSlot(plane, now);
    NS_LOG_FUNCTION(this << plane << slot.index);
    const Time up = now + m_schedule->GetReconfigurationTime();
    std::vector<OcsPortChange> changes;
    std::vector<bool> changed(m_upFrom[plane].size(), false);
    for (RackId rack = 0; rack < changed.size(); ++rack)
    {
        if (!IsPresent(slot, rack))
        {
            changed[rack] = true;
            m_upFrom[plane][rack] = up;
        }
        // All are commanded: those in place may be so because a mirror has not obeyed before.
        changes.push_back({m_fabric->GetSwitchPort(rack, plane), GetOutput(slot, rack)});
    }
    m_nReconfigured += m_fabric->GetSwitch(m_fabric->GetSwitchOf(plane))->Reconfigure(changes);
    m_slotTrace(plane, slot.index);
    ScheduleOpen(slot, changed, up + m_guard);
    ScheduleEnd(slot, up + m_guard);
}

void
OcsScheduleFollower::ScheduleOpen(const Slot& slot, const std::vector<bool>& racks, Time from)
{
    const Time now = Simulator::Now();
    for (uint32_t group = 0; group < m_groups.size(); ++group)
    {
        const Time shift = m_groupSkews[group] - m_delay;
        const Time end = slot.end - m_guard + shift;
        const Time open = std::max(now, from + shift);
        Simulator::Schedule(open - now,
                            &OcsScheduleFollower::Open,
                            Ptr<OcsScheduleFollower>(this),
                            slot,
                            end,
                            group,
                            racks);
    }
}

void
OcsScheduleFollower::ScheduleEnd(const Slot& slot, Time from)
{
    const Time now = Simulator::Now();
    Time margin = m_pathMargin;
    if (!m_usesEnding)
    {
        margin = std::max(margin, m_schedule->GetLastSlice(slot.end - m_origin, m_guard));
    }
    for (uint32_t group = 0; group < m_groups.size(); ++group)
    {
        const Time shift = m_groupSkews[group] - m_delay;
        const Time end = slot.end - m_guard + shift;
        const Time open = std::max(now, from + shift);
        Simulator::Schedule(std::max(end - margin, open) - now,
                            &OcsScheduleFollower::Withdraw,
                            Ptr<OcsScheduleFollower>(this),
                            slot,
                            group);
        Simulator::Schedule(std::max(end, open) - now,
                            &OcsScheduleFollower::Close,
                            Ptr<OcsScheduleFollower>(this),
                            slot,
                            group);
    }
    // Last, so that a circuit is closed before it is reconfigured at the same time.
    Simulator::Schedule(slot.end - now,
                        &OcsScheduleFollower::StartSlot,
                        Ptr<OcsScheduleFollower>(this),
                        slot.plane,
                        slot.generation);
}

void
OcsScheduleFollower::Open(Slot slot, Time end, uint32_t group, std::vector<bool> racks)
{
    if (slot.generation != m_generation)
    {
        return;
    }
    const Ptr<OcsFabric> fabric = m_fabric;
    const Ptr<CircuitSchedule> schedule = m_schedule;
    const Matching& to = schedule->GetPlane(slot.plane).slots[slot.index].to;
    for (const RackId rack : m_groups[group])
    {
        // A sink of the trace Circuit may change the schedule, or dispose of this.
        if (to[rack] != NO_RACK && racks[rack] && slot.generation == m_generation)
        {
            const Time extension = schedule->GetExtension(slot.plane, slot.index, rack);
            fabric->UseCircuit({rack, slot.plane, to[rack], slot.plane},
                               extension == Time::Max() ? extension : end + extension);
        }
    }
}

void
OcsScheduleFollower::Withdraw(Slot slot, uint32_t group)
{
    if (slot.generation != m_generation)
    {
        return;
    }
    for (const RackId rack : m_groups[group])
    {
        if (slot.plane < m_fabric->GetSize().GetNUplinks(rack) &&
            m_schedule->GetExtension(slot.plane, slot.index, rack).IsZero())
        {
            m_fabric->GetTor(rack)->Withdraw(slot.plane);
        }
    }
}

void
OcsScheduleFollower::Close(Slot slot, uint32_t group)
{
    if (slot.generation != m_generation)
    {
        return;
    }
    for (const RackId rack : m_groups[group])
    {
        // As in Open().
        if (slot.generation == m_generation && slot.plane < m_fabric->GetSize().GetNUplinks(rack) &&
            m_schedule->GetExtension(slot.plane, slot.index, rack).IsZero())
        {
            m_fabric->GetTor(rack)->ClearCircuit(slot.plane);
        }
    }
}

} // namespace ns3::odcn
