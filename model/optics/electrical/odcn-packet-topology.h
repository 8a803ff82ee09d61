// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_TOPOLOGY_H
#define ODCN_PACKET_TOPOLOGY_H

#include "ns3/ocs-address-plan.h"
#include "ns3/odcn-packet-spreading.h"
#include "ns3/odcn-units.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Topology of an electrical data centre, in numbers: racks of servers, packet switches, and links
 * in the order in which PacketNetworkHelper builds them.
 *
 * Packets take shortest paths by hops, all of equal length being used.
 */
class PacketTopology
{
  public:
    /// What a link joins.
    enum LinkKind : uint8_t
    {
        SERVER, //!< a server and the switch of its rack
        UPLINK, //!< two switches
        GATEWAY //!< a core and the gateway of a computing centre
    };

    /// A link.
    struct Link
    {
        LinkKind kind;  //!< what it joins
        uint32_t a;     //!< a switch, or the server
        uint32_t portA; //!< its port; 0 of a server
        uint32_t b;     //!< the other switch
        uint32_t portB; //!< its port
    };

    /// Ports on shortest paths, of each switch, to each rack and, at last, to other networks.
    using Routes = std::vector<std::vector<std::vector<uint32_t>>>;

    /**
     * Uplink p of each leaf leads to spine p mod @p spines. Switches: leaves by rack, then spines.
     *
     * @param racks number of racks, one leaf each
     * @param serversPerRack servers of each
     * @param spines number of spine switches
     * @param uplinks uplinks of each leaf, a multiple of @p spines
     * @return the topology
     * @throws OdcnError when there is no such network
     */
    static PacketTopology LeafSpine(uint32_t racks,
                                    uint32_t serversPerRack,
                                    uint32_t spines,
                                    uint32_t uplinks);

    /**
     * A three-tier fat tree of switches with k ports: pods of k/2 edge and k/2 aggregation
     * switches, and (k/2)^2 cores; core c is connected to aggregation switch c / (k/2) of each pod.
     * Racks fill the pods in order; edge switches without servers, and pods without any, are left
     * out. Switches: edges by rack, aggregation switches pod by pod, cores.
     *
     * @param k ports of a switch, even
     * @param racks number of racks, one edge switch each, at most k^2/2
     * @param serversPerRack servers of each, at most k/2
     * @return the topology
     * @throws OdcnError when there is no such network
     */
    static PacketTopology FatTree(uint32_t k, uint32_t racks, uint32_t serversPerRack);

    /**
     * One switch that all servers join: their own links are the only limit. An upper bound.
     *
     * @param racks number of racks
     * @param serversPerRack servers of each
     * @return the topology
     * @throws OdcnError when there is no such network
     */
    static PacketTopology Ideal(uint32_t racks, uint32_t serversPerRack);

    /**
     * A computing centre: the smallest fat tree of k-port switches with room for all GPUs, each a
     * server, and the gateway above its cores. Its k^2/2 racks are filled in order. Switches: edges
     * and aggregation switches pod by pod, cores, the gateway.
     *
     * @param number of the centre, 0 to 255
     * @param gpus number of servers
     * @return the topology
     * @throws OdcnError when the addresses do not suffice
     */
    static PacketTopology Centre(uint32_t number, uint32_t gpus);

    /**
     * @param gpus number of servers of a computing centre
     * @return k, ports of its switches, even: k^3/4 is at least @p gpus
     * @throws OdcnError when @p gpus is 0 or above 2662, the limit of the addresses
     */
    static uint32_t GetCentrePorts(uint32_t gpus);

    /// @return number of racks
    uint32_t GetNRacks() const
    {
        return m_racks;
    }

    /// @return most servers of a rack
    uint32_t GetServersPerRack() const
    {
        return m_serversPerRack;
    }

    /// @return number of servers; the last racks of a computing centre are not full
    uint32_t GetNServers() const
    {
        return m_servers;
    }

    /// @param rack a rack
    /// @return its servers; the last racks may have fewer than others
    uint32_t GetNServersOf(RackId rack) const;

    /// @return number of switches
    uint32_t GetNSwitches() const
    {
        return static_cast<uint32_t>(m_places.size());
    }

    /// @param index of a switch
    /// @return its position in a computing centre
    const PacketSwitchPlace& GetPlace(uint32_t index) const
    {
        return m_places.at(index);
    }

    /// @param rack a rack
    /// @return index of its switch
    uint32_t GetSwitchIndexOf(RackId rack) const
    {
        return m_switchOf.at(rack);
    }

    /// @return all links; a port of a switch has the number of its links before
    const std::vector<Link>& GetLinks() const
    {
        return m_links;
    }

    /// @return encoding of rack and server in addresses
    const OcsAddressPlan& GetAddressPlan() const
    {
        return m_addresses;
    }

    /// @param server its number, rack by rack
    /// @return its address
    Ipv4Address GetServerAddress(ServerId server) const
    {
        return m_addresses.GetAddress(server / m_serversPerRack, server % m_serversPerRack);
    }

    /**
     * @param isFailed (index of a switch, its port): whether a port does not work
     * @return routes over the links whose ports both work
     */
    Routes FindRoutes(const std::function<bool(uint32_t, uint32_t)>& isFailed) const;

  private:
    /**
     * @param racks number of racks
     * @param serversPerRack servers of each
     * @throws OdcnError when there are none, or too many for the addresses
     */
    void Start(uint32_t racks, uint32_t serversPerRack);

    /// @param n number of switches added
    void AddSwitches(uint32_t n);

    /// Add the next rack.
    /// @param index of its switch
    /// @param servers their number
    void AddRack(uint32_t index, uint32_t servers);

    /// Add a link between two switches.
    /// @param a index of a switch
    /// @param b index of another
    /// @param kind of link
    void Join(uint32_t a, uint32_t b, LinkKind kind = UPLINK);

    /**
     * Join the servers and switches of a fat tree.
     * @param half k / 2
     * @param servers number of servers, which fill the racks in order
     */
    void JoinTree(uint32_t half, uint32_t servers);

    uint32_t m_racks{0};                     //!< number of racks
    uint32_t m_serversPerRack{0};            //!< most servers of each
    uint32_t m_servers{0};                   //!< number of servers
    OcsAddressPlan m_addresses;              //!< encoding of addresses
    std::vector<PacketSwitchPlace> m_places; //!< by switch
    std::vector<uint32_t> m_ports;           //!< by switch: number of its links
    std::vector<uint32_t> m_switchOf;        //!< by rack: index of its switch
    std::vector<Link> m_links;               //!< of servers, and between switches
};

} // namespace ns3::odcn

#endif /* ODCN_PACKET_TOPOLOGY_H */
