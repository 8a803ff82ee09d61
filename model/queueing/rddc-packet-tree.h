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

/// Parameters of an RddcPacketTree.
struct RddcTreeModel
{
    /// Mapping of the channels of a link to ports of electrical switches.
    enum Form
    {
        TRUNKS, //!< all channels of a link form one port of their total rate
        PORTS,  //!< each channel is a port; flows are hashed over the ports
    };

    Form form{TRUNKS};                //!< how links become ports
    BitRate channelRate{40000000000}; //!< rate of a channel, bit/s
    uint32_t cardQueue{1000};         //!< queue limit of a network card, packets
    uint32_t switchQueue{100};        //!< queue limit of a switch port, packets
    std::array<int64_t, RddcNetwork::TIERS> fibreDelay{0, 0, 0}; //!< propagation in ps, by tier
    int64_t switchDelay{0}; //!< ps from reception of a packet's last bit to queueing
};

/// A packet that a server sends.
struct RddcTreePacket
{
    int64_t time{0};   //!< when it is handed to the network card, ps
    uint32_t flow{0};  //!< index of its flow
    uint32_t bytes{0}; //!< size on the line, bytes
};

/**
 * @ingroup odcn
 *
 * An electrical packet-switched tree with the capacity of an RddcNetwork: store-and-forward
 * switches with a drop-tail queue at every port, simulated without events and exact to the
 * picosecond.
 *
 * Packets go up and down the tree, so the ports form six stages, each of which feeds only later
 * stages; the stages are computed one after the other with FifoQueue. Packets that reach a port in
 * the same picosecond are served in the order of the input; departures precede arrivals.
 *
 * With TRUNKS each link is one port of the total rate of its channels, and a flow follows the path
 * of its lightpath: no port is overloaded, and packets wait only because of random bursts. With
 * PORTS each channel is a separate port: a server distributes its flows round-robin over its
 * network cards; from there a hash of the flow selects one of the shortest paths and a port of each
 * link (equal-cost multi-path), so flows may share a port.
 */
class RddcPacketTree
{
  public:
    /// Arrival time of a packet that finds a queue full.
    static constexpr int64_t LOST = -1;

    /**
     * @param network network with the links and paths
     * @param model its parameters
     * @throws OdcnError when a rate or a queue is 0
     */
    RddcPacketTree(std::shared_ptr<const RddcNetwork> network, const RddcTreeModel& model);

    /**
     * Send packets through the empty tree.
     *
     * @param flows flows by index: endpoints and (TRUNKS) path
     * @param packets in order of time
     * @param [out] arrivals arrival time of each packet's last bit at the receiver, ps, or LOST
     */
    void Run(const std::vector<RddcLightpath>& flows,
             const std::vector<RddcTreePacket>& packets,
             std::vector<int64_t>& arrivals) const;

  private:
    /// One hop of a flow's path; a port is a directed link and a channel of it.
    struct Hop
    {
        uint64_t port{0};  //!< number of the port
        LinkId link{0};    //!< its link
        uint32_t stage{0}; //!< stage, 0 (server up) to 5 (server down)
    };

    /// @param flow endpoints and path  @param index index of the flow  @param card its index among
    /// the flows of its sender  @return its path
    std::vector<Hop> Route(const RddcLightpath& flow, uint64_t index, uint32_t card) const;

    std::shared_ptr<const RddcNetwork> m_network; //!< network with the links and paths
    RddcTreeModel m_model;                        //!< parameters
};

} // namespace ns3::odcn

#endif /* RDDC_PACKET_TREE_H */
