// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RANK_ARRIVALS_H
#define ODCN_RANK_ARRIVALS_H

#include "ns3/callback.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <deque>

namespace ns3
{

class Node;

namespace odcn
{

class OcsNetDevice;

/**
 * @ingroup odcn
 *
 * Packets that arrive at a node of a network divided among the ranks (processes) of ns-3's
 * distributed simulators. It is aggregated to the node.
 *
 * Every rank builds the whole network, and each node has a rank that simulates it (its system id).
 * A packet to a node of another rank goes there in a message when its last bit leaves, so the delay
 * of the fibre is the look-ahead; the medium of the same device receives it in the other process.
 *
 * ns-3 carries out events of the same time in the order in which they were scheduled, and a packet
 * from another rank is scheduled when its message is read. So that results do not depend on the
 * number of ranks, a medium announces each packet one time step before its last bit arrives, and
 * packets of the same time are received in the order of the devices' indices, after all events of
 * that time that were scheduled earlier than the announcement.
 */
class RankArrivals : public Object
{
  public:
    /// Called with a packet from another rank when it is to be announced.
    using Receiver = Callback<void, Ptr<Packet>>;

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return number of ranks of the simulator; 1 without MPI
    static uint32_t GetNRanks();

    /// @param index of a part of a network, for example a rack  @param n number of parts
    /// @return rank that simulates it, in groups of neighbours; 0 in a process alone
    static uint32_t FindRank(uint32_t index, uint32_t n);

    /// @param node a node  @return whether another rank simulates it
    static bool IsRemote(const Node& node);

    /// @return time from the announcement of a packet to the arrival of its last bit
    static Time GetNotice();

    /**
     * Tell ns-3's distributed simulators the look-ahead between all pairs of ranks, by fibres that
     * carry no packets: those simulators look for channels between two devices, and an optical
     * switch has none.
     * @param delay of the shortest fibre between two ranks, above GetNotice()
     */
    static void Link(Time delay);

    /**
     * Order the packets that a device receives.
     * @param device of any rank, with a node
     * @param receiver see Receiver
     * @return the object of its node
     */
    static Ptr<RankArrivals> Install(const Ptr<OcsNetDevice>& device, const Receiver& receiver);

    /// @return whether another rank simulates the node
    bool IsRemote() const
    {
        return m_remote;
    }

    /**
     * Send a packet to the rank of the node. An event may send one to each rank: with null messages
     * the first says that the next comes from a later event.
     * @param device at which it arrives  @param packet the packet, whole
     * @param delay from now until the arrival of its last bit
     */
    void Send(const OcsNetDevice& device, const Ptr<Packet>& packet, Time delay) const;

    /**
     * A packet arrives after GetNotice().
     * @param device at which it arrives  @param packet the packet  @param whole not truncated
     */
    void Announce(const Ptr<OcsNetDevice>& device, const Ptr<Packet>& packet, bool whole);

  protected:
    void DoDispose() override;

  private:
    /// An announced packet.
    struct Arrival
    {
        Time time;                //!< when its last bit arrives
        Ptr<OcsNetDevice> device; //!< where
        Ptr<Packet> packet;       //!< the packet
        bool whole;               //!< not truncated
    };

    /// Receive the packets of this time.
    void Arrive();

    bool m_remote{false};           //!< see IsRemote()
    std::deque<Arrival> m_arrivals; //!< announced packets, by time
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_RANK_ARRIVALS_H */
