// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SCHEDULE_CONTROL_H
#define ODCN_SCHEDULE_CONTROL_H

#include "odcn-schedule-engine.h"

#include "ns3/odcn-circuit-host.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace ns3::odcn
{

/**
 * A controller of circuits in a run, with what it sees and does there: counters of ToR switches,
 * and schedules that follow each other as with OcsScheduleFollower.
 */
class SchedulePackets::FabricEngine::Control : public CircuitHost
{
  public:
    /// @param engine outlives this object
    /// @param logic of the run
    Control(FabricEngine& engine, std::shared_ptr<CircuitLogic> logic);

    /// A packet of a server is to go to another rack.
    /// @param from rack
    /// @param to rack
    /// @param bytes of the packet
    void CountOffered(RackId from, RackId to, uint32_t bytes);

    /// The controller starts.
    void Begin();
    /// What After() has scheduled is due.
    /// @param step its number
    void Take(uint32_t step);

    Time Now() const override;
    void After(Time delay, std::function<void()> step) override;
    uint32_t GetNRacks() const override;
    uint32_t GetNPlanes() const override;
    DataRate GetUplinkRate() const override;
    DataRate GetElectricalRate() const override;
    bool HasRack(RackId rack) const override;
    uint64_t GetOffered(RackId from, RackId to) const override;
    uint64_t GetHeld(RackId from, RackId to) const override;
    bool HasFailedPaths() const override;
    bool IsUsable(uint32_t plane, RackId from, RackId to) const override;
    Time GetDrainTime() const override;
    Time GetGuard() const override;
    void Start(Ptr<CircuitSchedule> schedule) override;
    void Change(Ptr<CircuitSchedule> schedule) override;

  private:
    FabricEngine& m_engine;                     //!< that it is a part of
    std::shared_ptr<CircuitLogic> m_logic;      //!< the controller
    std::vector<uint64_t> m_offered;            //!< bytes by pair of racks
    std::vector<std::function<void()>> m_steps; //!< not due, and free ones
    std::vector<uint32_t> m_freeSteps;          //!< numbers of the free ones
};

} // namespace ns3::odcn

#endif /* ODCN_SCHEDULE_CONTROL_H */
