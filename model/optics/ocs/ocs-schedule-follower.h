// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_SCHEDULE_FOLLOWER_H
#define OCS_SCHEDULE_FOLLOWER_H

#include "ocs-fabric.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Lets the switches of a fabric follow a CircuitSchedule by their clocks, without control messages,
 * until a controller commands another one (Change()). Plane p of the schedule is uplink p of all
 * racks.
 *
 * At the start of a slot the optical switch reconfigures the circuits that change. A ToR switch
 * uses such a circuit so that the optical switch meets its packets between the end of the dark time
 * plus Guard and the end of the slot minus Guard: the propagation delay to the optical switch is
 * accounted for. With the clocks of ToR switches off by at most Guard no packet is lost.
 *
 * When the schedule is changed, the end of the present circuits was not known in advance. ToR
 * switches then stop using circuits that change at once, and the first slot starts GetDrainTime()
 * later, when the last packet has passed the optical switch.
 *
 * ToR switches need NoCircuit=Hold.
 *
 * A follower that runs is held by its events, so nobody else needs to keep it. Dispose() ends it:
 * circuits do not change any more, and ToR switches use them until the end of the slot at most.
 */
class OcsScheduleFollower : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Follow a schedule from now on. Circuits in place now are up at once.
     *
     * @param fabric a fabric
     * @param schedule a schedule for its racks with as many planes as a rack has uplinks at most,
     * after Build(), without circuits of uplinks that do not exist
     * @throws OdcnError when it is none
     */
    void Start(Ptr<OcsFabric> fabric, Ptr<CircuitSchedule> schedule);

    /**
     * Follow another schedule: its time 0 is GetDrainTime() from now. Circuits of its first slots
     * that are in place stay, without dark time.
     *
     * @param schedule as for Start()
     * @throws OdcnError before Start(), and when the schedule does not fit the fabric
     */
    void Change(Ptr<CircuitSchedule> schedule);

    /// @return time from Change() to the first slot: transmission of the largest packet,
    /// propagation to the optical switch, and Guard; valid after Start()
    Time GetDrainTime() const;

    /// @return Attribute Guard
    Time GetGuard() const
    {
        return m_guard;
    }

    /**
     * @param schedule circuits of all planes
     * @param isUsable (rack, plane, receiving rack): whether control takes a circuit to work
     * @return [from][to]: whether there are circuits between them, none of which works
     */
    static std::vector<bool> FindCutOff(
        const CircuitSchedule& schedule,
        const std::function<bool(RackId, uint32_t, RackId)>& isUsable);

    /// @return circuits reconfigured since Start(), those that were removed included
    uint64_t GetNReconfigured() const;

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
    /// A slot of a schedule.
    struct Slot
    {
        uint32_t plane;      //!< index of the plane
        uint32_t index;      //!< index of the slot in the plane
        Time end;            //!< simulated time of its end
        uint32_t generation; //!< see m_generation
    };

    /// @param schedule a schedule  @param fabric a fabric
    /// @throws OdcnError unless they are of the same size and all circuits have their uplinks
    static void CheckFit(const CircuitSchedule& schedule, const OcsFabric& fabric);

    /// @return the first uplink of each rack that has any
    std::vector<Ptr<OcsNetDevice>> FindUplinks() const;

    /// Replace the schedule. @param schedule the new one  @param origin simulated time of its time
    /// 0
    void SetSchedule(Ptr<CircuitSchedule> schedule, Time origin);

    /// Control has learnt of a failed or repaired path, see OcsFabric::PathTracedCallback.
    void PathChanged(RackId, uint32_t, bool, bool);

    /// Tell ToR switches which pairs of racks all circuits of the schedule fail.
    void UpdateCutOff();

    /// @param plane index  @param time simulated time, from the origin on  @return the slot then
    Slot FindSlot(uint32_t plane, Time time) const;

    /// @param slot a slot  @param rack sender  @return output port of its circuit in the slot
    uint32_t GetOutput(const Slot& slot, RackId rack) const;

    /// @param slot a slot  @param rack sender  @return whether its circuit is in place now
    bool IsPresent(const Slot& slot, RackId rack) const;

    /// A slot starts. @param plane index  @param generation see m_generation
    void StartSlot(uint32_t plane, uint32_t generation);

    /// Schedule when ToR switches start to use circuits. @param slot the slot
    /// @param racks whether the circuit of a rack is to be used  @param from when the optical
    /// switch may meet their packets
    void ScheduleOpen(const Slot& slot, const std::vector<bool>& racks, Time from);

    /// Schedule the end of a slot. @param slot the slot  @param from as in ScheduleOpen()
    void ScheduleEnd(const Slot& slot, Time from);

    /// Racks with the same clock may use circuits. @param slot the slot
    /// @param end end of the slot by their clock  @param group index of the racks
    /// @param racks see ScheduleOpen()
    void Open(Slot slot, Time end, uint32_t group, std::vector<bool> racks);

    /// Circuits that end soon leave the paths over several racks. @param slot the slot
    /// @param group index of the racks
    void Withdraw(Slot slot, uint32_t group);

    /// Racks with the same clock stop using circuits that end. @param slot the slot
    /// @param group index of the racks
    void Close(Slot slot, uint32_t group);

    Ptr<OcsFabric> m_fabric;                        //!< the fabric
    Ptr<CircuitSchedule> m_schedule;                //!< the schedule
    Time m_origin;                                  //!< simulated time of the schedule's time 0
    uint32_t m_generation{0};                       //!< events of earlier schedules are ignored
    bool m_usesEnding{true};                        //!< TorRouting::UsesEndingCircuits() of all
    std::vector<std::vector<Time>> m_upFrom;        //!< [plane][rack]: end of the last dark time
    uint64_t m_nReconfigured{0};                    //!< see GetNReconfigured()
    Time m_guard;                                   //!< unused time at both ends of a circuit
    Time m_pathMargin;                              //!< see Attribute PathMargin
    Time m_delay;                                   //!< propagation from ToR to optical switch
    Ptr<RandomVariableStream> m_skew;               //!< of clocks, ns
    std::vector<Time> m_groupSkews;                 //!< clock skew by group
    std::vector<std::vector<RackId>> m_groups;      //!< racks with the same clock skew
    EventId m_update;                               //!< of UpdateCutOff()
    TracedCallback<uint32_t, uint32_t> m_slotTrace; //!< Slot
};

} // namespace ns3::odcn

#endif /* OCS_SCHEDULE_FOLLOWER_H */
