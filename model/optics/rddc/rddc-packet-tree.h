// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_PACKET_TREE_H
#define RDDC_PACKET_TREE_H

#include "rddc-channel-ledger.h"

#include "ns3/odcn-fabric-model.h"
#include "ns3/odcn-units.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/// Parameters of RunPacketTree().
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
 * Send packets through an empty electrical packet-switched tree with the capacity of an
 * RddcNetwork: store-and-forward switches with a drop-tail queue at every port, without events and
 * exact to the picosecond.
 *
 * Where packets go up and then down the tree, the ports form six stages, each of which feeds only
 * later stages; the stages are computed one after the other. Where the path of a flow goes up
 * again, packets are taken in the order of time instead, with the same result. Packets that reach a
 * port in the same picosecond are served in the order of the input; departures precede arrivals.
 *
 * With TRUNKS each link is one port of the total rate of its channels, and a flow follows the path
 * of its lightpath: no port is overloaded, and packets wait only because of random bursts. With
 * PORTS each channel is a separate port: a server distributes its flows round-robin over its
 * network cards; from there a hash of the flow selects one of the shortest paths and a port of each
 * link (equal-cost multi-path), so flows may share a port.
 *
 * @param network network with the links and paths
 * @param model parameters of the tree
 * @param flows flows by index: endpoints and (TRUNKS) path
 * @param packets in order of time
 * @return the outcome of each packet, whose sequence number is its index
 * @throws OdcnError when a rate or a queue is 0
 */
std::vector<PacketFate> RunPacketTree(const RddcNetwork& network,
                                      const RddcTreeModel& model,
                                      const std::vector<RddcLightpath>& flows,
                                      const std::vector<RddcTreePacket>& packets);

} // namespace ns3::odcn

#endif /* RDDC_PACKET_TREE_H */
