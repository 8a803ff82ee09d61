// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_ORDER_H
#define ODCN_PACKET_ORDER_H

#include "odcn-fabric-model.h"

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace odcn
{

/// A packet that a port has accepted, or is about to.
struct OdcnPassage
{
    int64_t arrive;    //!< when it came, ps
    int64_t depart;    //!< when its last bit leaves, ps
    int64_t sent;      //!< when its server sent it, ps
    uint32_t fromPort; //!< port that it came from; of a network card no meaning
    uint32_t from;     //!< its index there
    uint32_t flow;     //!< its flow
    uint32_t sequence; //!< in the flow
};

/// Ports are numbered: network cards, ports to servers, uplinks.
struct OdcnPortNumbers
{
    uint32_t firstDownlink; //!< number of servers
    uint32_t firstUplink;   //!< twice that
};

/**
 * Tells which of two events of one time step comes first in ns-3, from what became of packets
 * before. ns-3 executes events of one time step in the order in which they were scheduled. Each was
 * scheduled by another one, its parent; so the parents' order decides, and if they are of one time
 * step, too, their parents' order, and so on. Children of one parent come in the order in which it
 * schedules them.
 *
 * The parents: a packet was sent by an event that the sending of the flow's last packet scheduled.
 * A transmission was completed by an event that was scheduled as it began, either by the packet's
 * arrival at an idle port or by the completion before it. A packet arrives within the completion
 * at the other end of its fibre if that has no delay, else by an event scheduled there; behind an
 * optical switch there are two such fibres.
 *
 * Few packets meet another one in a time step, so nothing is prepared: parents are found in what
 * the ports have kept.
 */
class OdcnPacketOrder
{
  public:
    /// What ports have kept, in order.
    using History = std::vector<std::vector<OdcnPassage>>;

    /**
     * @param model of the fabric
     * @param flows who sends
     * @param opened when flows began, in their order, ps
     * @param ports by number, all that they have accepted
     */
    OdcnPacketOrder(const OdcnFabricModel& model,
                    const std::vector<OdcnPacketFlow>& flows,
                    int64_t opened,
                    const History& ports);

    /**
     * @param port a port  @param a a packet that arrives there  @param b another one, then too
     * @return whether @p a comes first
     */
    bool ArrivesBefore(uint32_t port, const OdcnPassage& a, const OdcnPassage& b) const;

    /**
     * @param port a port
     * @param a a packet that arrives there
     * @param index of one that leaves there in the same time step
     * @return whether @p a arrives before that one has left
     */
    bool ArrivesBeforeDeparture(uint32_t port, const OdcnPassage& a, uint32_t index) const;

    /**
     * @param port a network card
     * @param packet that it refused; the order of its flow's packets must be known
     */
    void Refused(uint32_t port, const OdcnPassage& packet);

  private:
    /// What an event does.
    enum class Kind : uint8_t
    {
        OPEN,     //!< flows begin
        SEND,     //!< a packet is sent; port: its flow, index: its sequence number
        COMPLETE, //!< a transmission is complete
        LEAVE,    //!< a last bit leaves an optical switch
        REACH     //!< a packet reaches the port at the other end
    };

    /// An event.
    struct Event
    {
        Kind kind;      //!< what
        uint32_t port;  //!< whose packet
        uint32_t index; //!< which packet
        int64_t time;   //!< when, ps

        /// @param o other  @return whether it is the same event
        bool operator==(const Event& o) const = default;
    };

    /// An event, and the order of a child within it.
    struct Parent
    {
        Event event;       //!< the event
        uint32_t position; //!< of the child
    };

    /// @param a an event  @param b another one  @return whether @p a comes first
    bool Before(Event a, Event b) const;
    /// @param event not OPEN  @return what scheduled it
    Parent FindParent(const Event& event) const;
    /// @param port a port  @param index of a packet that came as the one before it left
    /// @return whether it came before that one had left
    bool CameBefore(uint32_t port, uint32_t index) const;
    /// @param port a port  @param packet that arrives there  @return the event in which it does
    Event FindArrival(uint32_t port, const OdcnPassage& packet) const;
    /// @param port a port  @param index of a packet  @return the event when its last bit leaves
    Event FindCompletion(uint32_t port, uint32_t index) const;
    /// @param flow a flow  @param sequence number of its packet  @return when it was sent
    int64_t FindSent(uint32_t flow, uint32_t sequence) const;

    const OdcnFabricModel& m_model;                     //!< of the fabric
    const std::vector<OdcnPacketFlow>& m_flows;         //!< who sends
    int64_t m_opened;                                   //!< when flows began
    const History& m_ports;                             //!< see History
    OdcnPortNumbers m_numbers;                          //!< of ports
    std::vector<std::vector<OdcnPassage>> m_refused;    //!< by network card
    mutable std::mutex m_mutex;                         //!< of m_known: racks run side by side
    mutable std::unordered_map<uint64_t, bool> m_known; //!< results of CameBefore()
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_PACKET_ORDER_H */
