// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_ORDER_H
#define ODCN_PACKET_ORDER_H

#include "odcn-fabric-model.h"
#include "odcn-port-log.h"

#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * Tells which of two events of one time step comes first in ns-3, from what became of packets
 * before. ns-3 executes events of one time step in the order in which they were scheduled. Each was
 * scheduled by another one, its parent; so the parents' order decides, and if they are of one time
 * step, too, their parents' order, and so on. Children of one parent come in the order in which it
 * schedules them.
 *
 * The parents: a packet or a burst was sent by an event that the flow's sending before scheduled.
 * A transmission was completed by an event that was scheduled as it began, either by the packet's
 * arrival at an idle port or by the completion before it. A packet arrives within the completion
 * at the other end of its fibre if that has no delay, else by an event scheduled there; behind an
 * optical switch there are two such fibres.
 *
 * Few packets meet another one in a time step, so next to nothing is prepared: parents are found in
 * what the ports remember.
 */
class OdcnPacketOrder
{
  public:
    /**
     * @param model of the fabric
     * @param flows who sends
     * @param ports by number
     */
    OdcnPacketOrder(const OdcnFabricModel& model,
                    const std::vector<OdcnFlowLog>& flows,
                    std::vector<OdcnPortLog>& ports);

    /// A run begins. @param opened when flows begin, in their order, ps
    void Begin(int64_t opened);

    /**
     * @param port a port  @param a a packet that arrives there  @param b another one, then too
     * @return whether @p a comes first
     * @throws OdcnError when what would tell was forgotten
     */
    bool ArrivesBefore(uint32_t port, const OdcnPassage& a, const OdcnPassage& b) const;

    /**
     * @param port a port
     * @param a a packet that arrives there
     * @param index of one that leaves there in the same time step
     * @return whether @p a arrives before that one has left
     * @throws OdcnError when what would tell was forgotten
     */
    bool ArrivesBeforeDeparture(uint32_t port, const OdcnPassage& a, uint32_t index) const;

    /// Remember what led to a port's last run, as its first packet may be forgotten.
    /// @param port the port
    void Keep(uint32_t port);

    /// What was found out of packets of long ago may be forgotten.
    void Tidy();

  private:
    /// An event on the way back, and how to go on from there.
    struct Cursor
    {
        OdcnPastEvent event;             //!< the event
        uint32_t position{0};            //!< of its child
        uint32_t repeat{0};              //!< completions right before it
        int64_t stride{0};               //!< time between them, ps
        const OdcnPastRun* run{nullptr}; //!< goes on along this one's steps
        std::size_t step{0};             //!< of these
        /// of a packet sent: when its flow sent before, if known beforehand
        int64_t before{std::numeric_limits<int64_t>::min()};
    };

    /// @param a an event  @param b another one, in that time step  @return whether @p a comes first
    /// @throws OdcnError when what would tell was forgotten
    bool Before(const OdcnPastEvent& a, const OdcnPastEvent& b) const;
    /// @param a an event  @param b another one  @return whether @p a comes first, if that is known
    std::optional<bool> FindOut(const OdcnPastEvent& a, const OdcnPastEvent& b) const;
    /// @param [in,out] cursor goes on to the parent  @return whether that is known
    bool StepBack(Cursor& cursor) const;
    /// @param [in,out] cursor goes to its step of a remembered run
    static void Load(Cursor& cursor);
    /// @param [in,out] cursor at a sending, goes on to the one before  @return as StepBack()
    bool StepBackSend(Cursor& cursor) const;
    /// @param port a port  @param index of a packet that came as the one before it left
    /// @return whether it came before that one had left, if that is known
    std::optional<bool> CameBefore(uint32_t port, uint32_t index) const;
    /// @param port a port  @return first packet of its last run, now that it can be told which ones
    /// belong there of those that came just as the one before them left
    uint32_t FindRunFirst(uint32_t port) const;
    /// @param port a port  @param packet that arrives there  @return the event in which it does
    OdcnPastEvent FindArrival(uint32_t port, const OdcnPassage& packet) const;

    const OdcnFabricModel& m_model;                     //!< of the fabric
    const std::vector<OdcnFlowLog>& m_flows;            //!< who sends
    std::vector<OdcnPortLog>& m_ports;                  //!< by number
    OdcnPortNumbers m_numbers;                          //!< of ports
    int64_t m_opened{0};                                //!< when flows began
    mutable std::mutex m_mutex;                         //!< of m_known: racks run side by side
    mutable std::unordered_map<uint64_t, bool> m_known; //!< results of CameBefore()
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_PACKET_ORDER_H */
