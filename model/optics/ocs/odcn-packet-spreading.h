// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_SPREADING_H
#define ODCN_PACKET_SPREADING_H

#include "ns3/odcn-units.h"

#include <cstdint>

namespace ns3::odcn
{

/// Position of a switch in a computing centre, a fat tree with a gateway above it.
struct PacketSwitchPlace
{
    /// Layer of switches.
    enum Layer
    {
        NONE,        //!< in another network
        EDGE,        //!< joins the servers of a rack
        AGGREGATION, //!< joins the edge switches of a pod
        CORE,        //!< joins the pods
        GATEWAY,     //!< joins all cores with lightpaths
    };

    Layer layer{NONE}; //!< layer
    uint32_t half{1};  //!< k / 2
    RackId index{0};   //!< index in the layer, pod by pod; of an edge switch: its rack
};

/// How a packet switch spreads packets over the ports on shortest paths.
struct PacketSpreading
{
    /// What the choice depends on.
    enum Mode
    {
        PER_FLOW,   //!< a hash of addresses, protocol and ports: no reordering (ECMP)
        PER_PACKET, //!< nothing: uniformly at random
        BY_HOST,    //!< the server's index in its rack (second level of Al-Fares et al.)
        ROUND_ROBIN //!< for each rack, every port once a round, in a random order drawn for each
                    //!< round, as NDP's senders do with paths
    };

    Mode mode{PER_FLOW};       //!< what it depends on
    uint32_t perturbation{0};  //!< PacketSwitch::Perturbation, with the index of the switch
    PacketSwitchPlace place{}; //!< position in a computing centre
    uint32_t racks{0};         //!< last rack of the switch's own servers plus 1; 0 without any

    /**
     * The choice of PER_FLOW and BY_HOST.
     *
     * @param flow OcsPacketHeader::flow, for PER_FLOW
     * @param rack destination
     * @param server index in the rack
     * @param ways number of alternatives, above 0
     * @param lightpath whether they are lightpaths
     * @return one of them, 0 to ways - 1
     */
    uint32_t Choose(uint32_t flow,
                    RackId rack,
                    uint32_t server,
                    uint32_t ways,
                    bool lightpath) const;
};

} // namespace ns3::odcn

#endif /* ODCN_PACKET_SPREADING_H */
