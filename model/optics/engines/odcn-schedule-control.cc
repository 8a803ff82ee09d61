// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-schedule-control.h"

#include "odcn-schedule-optics.h"

#include "ns3/odcn-take-index.h"

#include <map>
#include <utility>

namespace ns3::odcn
{

SchedulePackets::FabricEngine::Control::Control(FabricEngine& engine,
                                                std::shared_ptr<CircuitLogic> logic)
    : m_engine(engine),
      m_logic(std::move(logic)),
      m_offered(std::size_t(engine.m_model.racks) * engine.m_model.racks)
{
}

void
SchedulePackets::FabricEngine::Control::CountOffered(RackId from, RackId to, uint32_t bytes)
{
    m_offered[std::size_t(from) * m_engine.m_model.racks + to] += bytes;
}

void
SchedulePackets::FabricEngine::Control::Begin()
{
    m_logic->Begin(*this);
}

void
SchedulePackets::FabricEngine::Control::Take(uint32_t step)
{
    const std::function<void()> call = std::exchange(m_steps[step], nullptr);
    m_freeSteps.push_back(step);
    call();
}

Time
SchedulePackets::FabricEngine::Control::Now() const
{
    return PicoSeconds(m_engine.m_events.Now());
}

void
SchedulePackets::FabricEngine::Control::After(Time delay, std::function<void()> step)
{
    const uint32_t number = TakeIndex(m_steps, m_freeSteps);
    m_steps[number] = std::move(step);
    m_engine.m_events.Schedule(delay.GetPicoSeconds(), Happening::CONTROL, number, 1);
}

uint32_t
SchedulePackets::FabricEngine::Control::GetNRacks() const
{
    return m_engine.m_model.racks;
}

uint32_t
SchedulePackets::FabricEngine::Control::GetNPlanes() const
{
    return m_engine.m_model.uplinks;
}

DataRate
SchedulePackets::FabricEngine::Control::GetUplinkRate() const
{
    return DataRate(static_cast<uint64_t>(m_engine.m_model.uplinkRate));
}

DataRate
SchedulePackets::FabricEngine::Control::GetElectricalRate() const
{
    return DataRate(0); // see OcsHelper::GetModel()
}

bool
SchedulePackets::FabricEngine::Control::HasRack(RackId) const
{
    return true;
}

uint64_t
SchedulePackets::FabricEngine::Control::GetOffered(RackId from, RackId to) const
{
    return m_offered[std::size_t(from) * m_engine.m_model.racks + to];
}

uint64_t
SchedulePackets::FabricEngine::Control::GetHeld(RackId from, RackId to) const
{
    const Tor& tor = m_engine.m_tors[from];
    return tor.local[to].bytes + (tor.relay.empty() ? 0 : tor.relay[to].bytes);
}

bool
SchedulePackets::FabricEngine::Control::HasFailedPaths() const
{
    return m_engine.m_nFailed > 0;
}

bool
SchedulePackets::FabricEngine::Control::IsUsable(uint32_t plane, RackId from, RackId to) const
{
    return m_engine.IsUsable(from, plane, to);
}

Time
SchedulePackets::FabricEngine::Control::GetDrainTime() const
{
    const FabricModel& model = m_engine.m_model;
    return PicoSeconds(TransmissionTime(model.uplinkRate, model.mtu) + model.uplinkDelay) +
           GetGuard();
}

Time
SchedulePackets::FabricEngine::Control::GetGuard() const
{
    return m_engine.m_settings.guard;
}

void
SchedulePackets::FabricEngine::Control::Start(Ptr<CircuitSchedule> schedule)
{
    m_engine.SetSchedule(std::move(schedule), 0);
    for (uint32_t plane = 0; plane < m_engine.m_model.uplinks; ++plane)
    {
        m_engine.StartSlot(plane, true);
    }
}

void
SchedulePackets::FabricEngine::Control::Change(Ptr<CircuitSchedule> schedule)
{
    const uint32_t racks = m_engine.m_model.racks;
    const uint32_t uplinks = m_engine.m_model.uplinks;
    const int64_t now = m_engine.m_events.Now();
    const int64_t guard = GetGuard().GetPicoSeconds();
    m_engine.SetSchedule(schedule, now + GetDrainTime().GetPicoSeconds());
    std::vector<std::vector<uint32_t>> cleared(racks);
    std::vector<std::vector<bool>> stays(uplinks);
    for (uint32_t plane = 0; plane < uplinks; ++plane)
    {
        const uint32_t slot = schedule->Find(plane, Time(0)).slot;
        stays[plane] =
            m_engine.m_optics->FindPresent(plane, schedule->GetPlane(plane).slots[slot].to);
        for (RackId rack = 0; rack < racks; ++rack)
        {
            if (!stays[plane][rack])
            {
                cleared[rack].push_back(plane);
            }
        }
    }
    for (RackId rack = 0; rack < racks; ++rack)
    {
        m_engine.ClearCircuits(rack, cleared[rack]);
    }
    for (uint32_t plane = 0; plane < uplinks; ++plane)
    {
        // Circuits that stay are used without a pause; some may still be dark.
        std::map<int64_t, std::vector<bool>> stay;
        for (RackId rack = 0; rack < racks; ++rack)
        {
            if (stays[plane][rack])
            {
                const int64_t up = m_engine.m_upFrom[rack * uplinks + plane];
                std::vector<bool>& from = stay[std::max(now, up + guard)];
                from.resize(racks, false);
                from[rack] = true;
            }
        }
        const CircuitSchedule::Place place = schedule->Find(plane, Time(0));
        for (const auto& [from, which] : stay)
        {
            const uint32_t window = TakeIndex(m_engine.m_slots, m_engine.m_freeSlots);
            m_engine.m_slots[window] = {plane,
                                        place.slot,
                                        m_engine.GetLastUse(place),
                                        false,
                                        m_engine.m_generation,
                                        true,
                                        which};
            const int64_t open = std::max(now, from - m_engine.m_model.uplinkDelay);
            m_engine.m_events.Schedule(open - now, Happening::OPEN, window);
        }
        m_engine.m_events.Schedule(m_engine.m_origin - now,
                                   Happening::SLOT,
                                   plane,
                                   m_engine.m_generation);
    }
}

} // namespace ns3::odcn
