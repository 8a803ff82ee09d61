// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_NETWORK_MODEL_H
#define ODCN_NETWORK_MODEL_H

#include "ns3/nstime.h"
#include "ns3/odcn-packet-spreading.h"
#include "ns3/odcn-packet-topology.h"
#include "ns3/odcn-units.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::odcn
{

class OcsNetDevice;
class PacketNetwork;
class PacketSwitch;

/**
 * @ingroup odcn
 *
 * Parameters of an electrical data centre for NetworkPackets: what PacketNetworkHelper builds, in
 * numbers.
 */
struct NetworkModel
{
    /// No kind, no switch.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// What ports with equal devices, queues and fibres have in common.
    struct PortKind
    {
        BitRate rate{0};         //!< line rate, bit/s
        int64_t delay{0};        //!< of the fibre, ps
        uint32_t mtu{0};         //!< OcsNetDevice::Mtu, bytes
        bool isKnown{false};     //!< whether the queue is a DropTailQueue, FairQueue or TrimQueue
        bool isFair{false};      //!< whether it is a FairQueue
        uint64_t mostPackets{0}; //!< its limit, packets; UINT64_MAX for none
        uint64_t mostBytes{0};   //!< its limit, bytes; UINT64_MAX for none
        uint32_t data{0};        //!< TrimQueue::DataPackets, or 0
        uint32_t headers{0};     //!< TrimQueue::HeaderSize, or 0

        /// @param device a port with a queue
        /// @param delay of its fibre
        /// @return its kind
        static PortKind Of(const OcsNetDevice& device, Time delay);

        /// @param o another
        /// @return whether they are equal
        bool operator==(const PortKind& o) const = default;
    };

    /// A port of a switch, or a network card.
    struct Port
    {
        uint32_t kind{NONE};  //!< index in kinds; NONE for a transponder
        bool isFailed{false}; //!< whether it does not work
        uint32_t peer{NONE};  //!< index of the switch at the other end; NONE for a server, or
                              //!< another network
        uint32_t peerPort{0}; //!< port of that switch, or the server
    };

    /// A switch.
    struct Switch
    {
        PacketSpreading spreading; //!< of its packets
        bool hasQueueDiscs{false}; //!< whether packets wait in queue discs
        std::vector<Port> ports{}; //!< by number
    };

    /**
     * A network of the ports that a helper makes.
     *
     * @param links topology
     * @param kindOf kinds of ports by that of their link, all that occur
     * @param prototype of switches
     */
    NetworkModel(const PacketTopology& links,
                 const std::map<PacketTopology::LinkKind, PortKind>& kindOf,
                 const PacketSwitch& prototype);

    /// A network as it is now. @param network the network
    explicit NetworkModel(const PacketNetwork& network);

    PacketTopology topology;       //!< racks and links
    std::vector<PortKind> kinds;   //!< kinds of ports
    std::vector<Port> cards;       //!< network cards by server
    std::vector<Switch> switches;  //!< by index
    PacketTopology::Routes routes; //!< working ports by switch and rack

  private:
    /// Join all ports.
    void Join();

    /// @param kind of a port
    /// @return its index in kinds
    uint32_t FindKind(const PortKind& kind);
};

} // namespace ns3::odcn

#endif /* ODCN_NETWORK_MODEL_H */
