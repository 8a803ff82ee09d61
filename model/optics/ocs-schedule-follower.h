// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_SCHEDULE_FOLLOWER_H
#define OCS_SCHEDULE_FOLLOWER_H

#include "ocs-fabric.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Lets the switches of a fabric follow a CircuitSchedule by their clocks, without control messages.
 * Plane p of the schedule is uplink p of all racks.
 *
 * At the start of a slot the optical switch reconfigures the circuits that change. A ToR switch
 * uses such a circuit so that the optical switch meets its packets between the end of the dark time
 * plus Guard and the end of the slot minus Guard: the propagation delay to the optical switch is
 * accounted for. With the clocks of ToR switches off by at most Guard no packet is lost.
 *
 * ToR switches need NoCircuit=Hold.
 */
class OcsScheduleFollower : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    OcsScheduleFollower();

    /**
     * Follow a schedule from now on. Circuits in place now are up at once.
     *
     * @param fabric a fabric
     * @param schedule a schedule for its racks with as many planes as a rack has uplinks at most,
     * after Build(), without circuits of uplinks that do not exist
     * @throws OdcnError when it is none
     */
    void Start(Ptr<OcsFabric> fabric, Ptr<CircuitSchedule> schedule);

    /// @param stream first stream number to use  @return number of streams used
    int64_t AssignStreams(int64_t stream);

    /**
     * TracedCallback signature of Slot.
     *
     * @param plane index
     * @param slot index of the slot that starts
     */
    typedef void (*SlotTracedCallback)(uint32_t plane, uint32_t slot);

  protected:
    void DoDispose() override;

  private:
    /// @param fabric a fabric  @param schedule a schedule; throws OdcnError unless it fits
    static void Check(const OcsFabric& fabric, const CircuitSchedule& schedule);

    /// A slot starts. @param plane index
    void StartSlot(uint32_t plane);

    /// Schedule what ToR switches do in a slot. @param plane index
    /// @param place the slot  @param initial whether circuits are up already
    void ScheduleTors(uint32_t plane, const CircuitSchedule::Place& place, bool initial);

    /// Racks with the same clock may use new circuits. @param plane index  @param slot index
    /// @param end end of the slot by their clock  @param group index of the racks
    /// @param all whether also those whose circuits do not change
    void Open(uint32_t plane, uint32_t slot, Time end, uint32_t group, bool all);

    /// Circuits that end soon leave the paths over several racks. @param plane index
    /// @param slot index  @param group index of the racks
    void Withdraw(uint32_t plane, uint32_t slot, uint32_t group);

    /// Racks with the same clock stop using circuits that end. @param plane index
    /// @param slot index of the slot that ends  @param group index of the racks
    void Close(uint32_t plane, uint32_t slot, uint32_t group);

    Ptr<OcsFabric> m_fabric;                        //!< the fabric
    Ptr<CircuitSchedule> m_schedule;                //!< the schedule
    Time m_guard;                                   //!< unused time at both ends of a circuit
    Time m_pathMargin;                              //!< see Attribute PathMargin
    Time m_delay;                                   //!< propagation from ToR to optical switch
    Ptr<RandomVariableStream> m_skew;               //!< of clocks, ns
    std::vector<Time> m_groupSkews;                 //!< clock skew by group
    std::vector<std::vector<RackId>> m_groups;      //!< racks with the same clock skew
    TracedCallback<uint32_t, uint32_t> m_slotTrace; //!< Slot
};

} // namespace ns3::odcn

#endif /* OCS_SCHEDULE_FOLLOWER_H */
