// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Circuits: slots of the schedule, and what their begin and end change.
 */

#include "odcn-schedule-agreement.h"
#include "odcn-schedule-engine.h"
#include "odcn-schedule-optics.h"

#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-take-index.h"

#include <algorithm>
#include <vector>

namespace ns3::odcn
{

void
SchedulePackets::FabricEngine::SetSchedule(Ptr<CircuitSchedule> schedule, int64_t origin)
{
    m_schedule = std::move(schedule);
    m_origin = origin;
    ++m_generation;
    if (m_nFailed > 0)
    {
        UpdateCutOff();
    }
}

void
SchedulePackets::FabricEngine::UpdateCutOff()
{
    m_table.SetCutOff(m_nFailed == 0 ? std::vector<bool>()
                                     : OcsScheduleFollower::FindCutOff(
                                           *m_schedule,
                                           [this](RackId rack, uint32_t port, RackId to)
                                           { return IsUsable(rack, port, to); }));
}

int64_t
SchedulePackets::FabricEngine::GetLastUse(const CircuitSchedule::Place& place) const
{
    return m_origin + (place.end - m_settings.guard).GetPicoSeconds() - m_model.uplinkDelay;
}

void
SchedulePackets::FabricEngine::StartSlot(uint32_t plane, bool initial)
{
    const int64_t now = m_events.Now();
    const CircuitSchedule::Place place = m_schedule->Find(plane, PicoSeconds(now - m_origin));
    const int64_t end = GetLastUse(place);
    const int64_t up = now + GetDarkTime();
    const int64_t open =
        initial ? now : std::max(now, up + m_settings.guard.GetPicoSeconds() - m_model.uplinkDelay);
    const uint32_t window = TakeIndex(m_slots, m_freeSlots);
    m_slots[window] = {plane, place.slot, end, initial, m_generation};
    if (m_optics)
    {
        const Matching& to = m_schedule->GetPlane(plane).slots[place.slot].to;
        m_slots[window].changed = m_optics->Command(plane, to, initial);
        for (RackId rack = 0; !initial && rack < m_model.racks; ++rack)
        {
            if (m_slots[window].changed[rack])
            {
                m_upFrom[rack * m_model.uplinks + plane] = up;
            }
        }
    }
    for (RackId rack = 0; !m_optics && !initial && now < m_average && rack < m_model.racks; ++rack)
    {
        m_result.reconfigured += m_schedule->Changes(plane, place.slot, rack) ? 1 : 0;
    }
    int64_t margin = m_settings.pathMargin.GetPicoSeconds();
    if (!m_expedited.ending)
    {
        const Time slice = m_schedule->GetLastSlice(place.end, m_settings.guard);
        margin = std::max(margin, slice.GetPicoSeconds());
    }
    m_events.Schedule(open - now, Happening::OPEN, window);
    m_events.Schedule(std::max(end - margin, open) - now, Happening::WITHDRAW, window);
    m_events.Schedule(std::max(end, open) - now, Happening::CLOSE, window);
    m_events.Schedule(m_origin + place.end.GetPicoSeconds() - now,
                      Happening::SLOT,
                      plane,
                      m_generation);
}

void
SchedulePackets::FabricEngine::Open(const Window& window)
{
    if (window.generation != m_generation)
    {
        return;
    }
    const Matching& to = m_schedule->GetPlane(window.plane).slots[window.slot].to;
    for (RackId rack = 0; rack < m_model.racks; ++rack)
    {
        const bool changes =
            m_optics ? window.changed[rack]
                     : window.initial || m_schedule->Changes(window.plane, window.slot, rack);
        if (to[rack] == NO_RACK || !changes)
        {
            continue;
        }
        const Time extension = m_schedule->GetExtension(window.plane, window.slot, rack);
        Uplink& uplink = GetUplink(rack, window.plane);
        uplink.until = extension == Time::Max() ? NEVER : window.end + extension.GetPicoSeconds();
        uplink.withdrawn = false;
        if (uplink.peer != to[rack])
        {
            ClearCircuit(rack, window.plane);
            uplink.usable = IsUsable(rack, window.plane, to[rack]);
            uplink.peer = to[rack];
            uplink.since = m_events.Now();
        }
        else
        {
            SetUsable(rack, window.plane);
        }
        UpdatePath(rack, window.plane);
        for (uint32_t s = 0; m_settings.hold && s < m_model.serversPerRack; ++s)
        {
            Tell(rack * m_model.serversPerRack + s, {window.plane, uplink.peer, uplink.until});
        }
        if (m_bulk == TorForwarding::TRANSIT_AGREED)
        {
            m_agreements[rack]->GetLogic().CircuitUp(window.plane,
                                                     uplink.peer,
                                                     PicoSeconds(uplink.until));
        }
        Serve(rack, window.plane);
    }
}

void
SchedulePackets::FabricEngine::Withdraw(const Window& window)
{
    for (RackId rack = 0; window.generation == m_generation && rack < m_model.racks; ++rack)
    {
        if (m_schedule->GetExtension(window.plane, window.slot, rack).IsZero())
        {
            GetUplink(rack, window.plane).withdrawn = true;
            UpdatePath(rack, window.plane);
        }
    }
}

void
SchedulePackets::FabricEngine::Close(const Window& window)
{
    for (RackId rack = 0; window.generation == m_generation && rack < m_model.racks; ++rack)
    {
        if (m_schedule->GetExtension(window.plane, window.slot, rack).IsZero())
        {
            ClearCircuit(rack, window.plane);
        }
    }
}

void
SchedulePackets::FabricEngine::ClearCircuit(RackId rack, uint32_t port)
{
    ClearCircuits(rack, {port});
}

void
SchedulePackets::FabricEngine::ClearCircuits(RackId rack, const std::vector<uint32_t>& ports)
{
    for (const uint32_t port : ports)
    {
        Uplink& uplink = GetUplink(rack, port);
        if (uplink.peer != NO_RACK)
        {
            uplink.peer = NO_RACK;
            uplink.idle = false;
            m_up += Clip(m_events.Now()) - Clip(uplink.since);
            UpdatePath(rack, port);
        }
    }
    for (const uint32_t port : ports)
    {
        Respread(rack, port);
    }
}

void
SchedulePackets::FabricEngine::Respread(RackId rack, uint32_t port)
{
    std::vector<uint32_t> held;
    PacketQueue& queue = m_tors[rack].port[port];
    while (queue.packets > 0)
    {
        held.push_back(Dequeue(rack, queue, false));
    }
    for (const uint32_t packet : held)
    {
        Forward(rack, packet, false);
    }
}

void
SchedulePackets::FabricEngine::UpdatePath(RackId rack, uint32_t port)
{
    if (m_expedited.kind == TorForwarding::SHORTEST)
    {
        const Uplink& uplink = GetUplink(rack, port);
        m_table.SetPort(rack, port, uplink.withdrawn || !uplink.Works() ? NO_RACK : uplink.peer);
    }
}

} // namespace ns3::odcn
