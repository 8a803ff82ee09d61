// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_CIRCUIT_HOST_H
#define OCS_CIRCUIT_HOST_H

#include "ocs-fabric.h"
#include "ocs-schedule-follower.h"
#include "odcn-circuit-host.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A fabric of ns-3 for a CircuitLogic: counters of its ToR switches, and a follower that changes
 * its circuits.
 */
class OcsCircuitHost : public CircuitHost
{
  public:
    /// @param fabric whose racks are equal
    /// @param follower not started
    OcsCircuitHost(Ptr<OcsFabric> fabric, Ptr<OcsScheduleFollower> follower);

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
    Ptr<OcsFabric> m_fabric;             //!< the fabric
    Ptr<OcsScheduleFollower> m_follower; //!< lets its switches follow schedules
};

} // namespace ns3::odcn

#endif /* OCS_CIRCUIT_HOST_H */
