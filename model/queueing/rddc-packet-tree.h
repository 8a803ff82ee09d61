// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_PACKET_TREE_H
#define RDDC_PACKET_TREE_H

#include "ns3/odcn-units.h"
#include "ns3/rddc-channel-ledger.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::odcn
{

/// What an RddcPacketTree consists of.
struct RddcTreeModel
{
    /// How the channels of a link become ports of electrical switches.
    enum Form
    {
        TRUNKS, //!< all channels of a link are one port of their joint rate
        PORTS,  //!< every channel is a port; flows are hashed over them
    };

    Form form{TRUNKS};                                           //!< how links are made
    BitRate channelRate{40000000000};                            //!< bit/s of a channel
    uint32_t cardQueue{1000};                                    //!< packets that wait in a server
    uint32_t switchQueue{100};                                   //!< packets that wait in a port
    std::array<int64_t, RddcNetwork::TIERS> fibreDelay{0, 0, 0}; //!< propagation in ps, by tier
    int64_t switchDelay{0}; //!< ps from a packet's last bit in to where it is queued
};

/// A packet that a server sends.
struct RddcTreePacket
{
    int64_t time{0};   //!< ps, when it is handed to the network card
    uint32_t flow{0};  //!< index of its flow
    uint32_t bytes{0}; //!< size on the line
};

/**
 * @ingroup odcn
 *
 * What an electrical packet-switched tree of the capacity of an RddcNetwork would do to packets:
 * store-and-forward switches with a drop-tail queue ahead of every port, exact to the picosecond
 * and without events.
 *
 * A packet goes up and down again, so ports fall into six stages that feed only later ones, and one
 * stage after the other is computed with FifoQueue. Of packets that reach a port in the same
 * picosecond, the one that was given first comes first; a packet that leaves makes room first.
 *
 * As trunks, each link is one port of the joint rate of its channels, and a flow goes the way of
 * its lightpath: so no port is ever offered more than it carries, and only chance makes packets
 * wait. As ports, each channel is a port of its own: a server spreads its flows over its network
 * cards in turn, and from there on a hash of the flow chooses one of the shortest paths and, on
 * each link, a port (equal-cost multi-path): flows may meet.
 */
class RddcPacketTree
{
  public:
    /// What becomes of a packet that finds a queue full.
    static constexpr int64_t LOST = -1;

    /**
     * @param network whose links and paths
     * @param model what it consists of
     * @throws OdcnError when a rate or a queue is 0
     */
    RddcPacketTree(std::shared_ptr<const RddcNetwork> network, const RddcTreeModel& model);

    /**
     * Send packets through the empty tree.
     *
     * @param flows by index: between whom, and (as trunks) which way
     * @param packets in order of time
     * @param [out] arrivals for each packet, when its last bit is at the receiver in ps, or LOST
     */
    void Run(const std::vector<RddcLightpath>& flows,
             const std::vector<RddcTreePacket>& packets,
             std::vector<int64_t>& arrivals) const;

  private:
    /// A flow's way: ports in order; a port is a directed link and a channel of it.
    struct Hop
    {
        uint64_t port{0};  //!< number of the port
        LinkId link{0};    //!< its link
        uint32_t stage{0}; //!< 0 to 5, from server up to server down
    };

    /// @param flow between whom  @param index of the flow  @param card its number among the flows
    /// of its sender  @return its way
    std::vector<Hop> Route(const RddcLightpath& flow, uint64_t index, uint32_t card) const;

    std::shared_ptr<const RddcNetwork> m_network; //!< links and paths
    RddcTreeModel m_model;                        //!< what it consists of
};

} // namespace ns3::odcn

#endif /* RDDC_PACKET_TREE_H */
