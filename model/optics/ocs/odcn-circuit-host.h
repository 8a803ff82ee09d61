// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CIRCUIT_HOST_H
#define ODCN_CIRCUIT_HOST_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <functional>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * What a CircuitLogic sees of its fabric, and what it can do there: an OcsFabric of ns-3 with its
 * OcsScheduleFollower (OcsCircuitHost), or a run of the exact engine (SchedulePackets).
 *
 * A circuit of plane p is between uplinks p of two racks.
 */
class CircuitHost
{
  public:
    virtual ~CircuitHost() = default;

    /// @return the time
    virtual Time Now() const = 0;

    /**
     * Call a function later.
     * @param delay from now, above 0
     * @param step the function
     */
    virtual void After(Time delay, std::function<void()> step) = 0;

    /// @return number of racks
    virtual uint32_t GetNRacks() const = 0;

    /// @return number of uplinks of a rack
    virtual uint32_t GetNPlanes() const = 0;

    /// @return rate of an uplink
    virtual DataRate GetUplinkRate() const = 0;

    /// @return rate of all electrical uplinks of a rack together
    virtual DataRate GetElectricalRate() const = 0;

    /// @param rack a rack
    /// @return whether its counters can be read here, not in another process
    virtual bool HasRack(RackId rack) const = 0;

    /**
     * @param from rack
     * @param to another rack
     * @return what its servers have sent to the other rack, in bytes: TorSwitch::GetDemand()
     */
    virtual uint64_t GetOffered(RackId from, RackId to) const = 0;

    /**
     * @param from rack
     * @param to another rack
     * @return what its ToR switch holds for the other rack, in bytes
     */
    virtual uint64_t GetHeld(RackId from, RackId to) const = 0;

    /// @return whether control knows of paths that have failed
    virtual bool HasFailedPaths() const = 0;

    /**
     * @param plane of a circuit
     * @param from rack
     * @param to rack
     * @return whether control takes the circuit to work
     */
    virtual bool IsUsable(uint32_t plane, RackId from, RackId to) const = 0;

    /// @return OcsScheduleFollower::GetDrainTime()
    virtual Time GetDrainTime() const = 0;

    /// @return OcsScheduleFollower::Guard
    virtual Time GetGuard() const = 0;

    /// Set up the first circuits, once. @param schedule from now on, see
    /// OcsScheduleFollower::Start()
    virtual void Start(Ptr<CircuitSchedule> schedule) = 0;

    /// Change circuits. @param schedule see OcsScheduleFollower::Change()
    virtual void Change(Ptr<CircuitSchedule> schedule) = 0;
};

/**
 * @ingroup odcn
 *
 * A controller of circuits as far as it needs a CircuitHost only, so that the same object controls
 * a fabric of ns-3 and one of the exact engine.
 */
class CircuitLogic
{
  public:
    virtual ~CircuitLogic() = default;

    /**
     * Set up circuits now, and control them from now on.
     * @param host outlives this object
     */
    virtual void Begin(CircuitHost& host) = 0;
};

} // namespace ns3::odcn

#endif /* ODCN_CIRCUIT_HOST_H */
