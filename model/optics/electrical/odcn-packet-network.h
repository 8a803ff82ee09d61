// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_NETWORK_H
#define ODCN_PACKET_NETWORK_H

#include "ns3/ipv4-address.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/object.h"
#include "ns3/ocs-address-plan.h"
#include "ns3/ocs-fabric.h"
#include "ns3/ocs-fiber.h"
#include "ns3/ocs-net-device.h"
#include "ns3/odcn-packet-switch.h"
#include "ns3/odcn-packet-topology.h"
#include "ns3/odcn-units.h"
#include "ns3/otn-lightpath.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * An electrical data centre of any topology: racks of servers, packet switches and links between
 * them. Servers, addresses and counters are those of an OcsFabric, so both can be compared.
 * PacketNetworkHelper builds it.
 *
 * Packets take shortest paths by hops, all of equal length being used.
 *
 * A computing centre has a gateway above its cores, and lightpaths from there to other centres.
 * The packets that it counts as left and came (PacketCounts) are those of lightpaths.
 */
class PacketNetwork : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return the topology
    const PacketTopology& GetTopology() const
    {
        return m_topology;
    }

    /// @return number of racks
    uint32_t GetNRacks() const
    {
        return m_topology.GetNRacks();
    }

    /// @param rack a rack
    /// @return its servers; the last racks may have fewer than others
    uint32_t GetNServersOf(RackId rack) const
    {
        return m_topology.GetNServersOf(rack);
    }

    /// @return most servers of a rack
    uint32_t GetServersPerRack() const
    {
        return m_topology.GetServersPerRack();
    }

    /// @return number of servers; the last racks of a computing centre are not full
    uint32_t GetNServers() const
    {
        return m_servers.GetN();
    }

    /// @return encoding of rack and server in addresses
    const OcsAddressPlan& GetAddressPlan() const
    {
        return m_topology.GetAddressPlan();
    }

    /// @return all servers, rack by rack
    NodeContainer GetServers() const
    {
        return m_servers;
    }

    /// @return all servers' network cards, rack by rack
    NetDeviceContainer GetServerDevices() const;

    /// @return all switches' nodes, by index
    NodeContainer GetSwitchNodes() const
    {
        return m_switchNodes;
    }

    /// @param server its number, rack by rack
    /// @return the server
    Ptr<Node> GetServer(ServerId server) const
    {
        return m_servers.Get(server);
    }

    /// @param server its number, rack by rack
    /// @return its network card
    Ptr<OcsNetDevice> GetServerDevice(ServerId server) const;

    /// @param server its number, rack by rack
    /// @return its address
    Ipv4Address GetServerAddress(ServerId server) const;

    /// @param rack the rack  @param server index in the rack  @return its network card
    Ptr<OcsNetDevice> GetServerDevice(RackId rack, uint32_t server) const;

    /// @param rack the rack  @param server index in the rack  @return its address
    Ipv4Address GetServerAddress(RackId rack, uint32_t server) const;

    /// @return number of switches
    uint32_t GetNSwitches() const
    {
        return static_cast<uint32_t>(m_switches.size());
    }

    /// @param index of a switch, in the order given by the helper  @return the switch
    Ptr<PacketSwitch> GetSwitch(uint32_t index) const
    {
        return m_switches.at(index);
    }

    /// @param rack the rack  @return the switch of its servers
    Ptr<PacketSwitch> GetSwitchOf(RackId rack) const;

    /// @return the node of a computing centre's gateway
    Ptr<Node> GetGatewayNode() const;

    /**
     * Use a lightpath between two computing centres; flows spread over all lightpaths in use.
     * @param a centre at end 0
     * @param b centre at end 1
     * @param lightpath between their gateways
     */
    static void Connect(Ptr<PacketNetwork> a, Ptr<PacketNetwork> b, Ptr<OtnLightpath> lightpath);

    /// Undo Connect().
    /// @param a at end 0
    /// @param b at end 1
    /// @param lightpath between them
    static void Disconnect(Ptr<PacketNetwork> a, Ptr<PacketNetwork> b, Ptr<OtnLightpath> lightpath);

    /**
     * Compute all routes, over the links whose ports both work. The helper calls it once; later it
     * stands for a routing protocol that has learnt of failures and repairs.
     */
    void UpdateRoutes();

    /// @return packets by outcome
    PacketCounts Count() const;

    /// @return packets sent between switches, each counted once on every link
    uint64_t GetSent() const;

    /**
     * @param stream first stream number to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    // Called by the helper.

    /**
     * Begin, without switches and servers.
     * @param topology of the network
     */
    void Start(PacketTopology topology);

    /// @param node node of the next switch
    /// @param packetSwitch the switch
    void AddSwitch(Ptr<Node> node, Ptr<PacketSwitch> packetSwitch);

    /**
     * Add the next link of the topology.
     *
     * @param a network card of a server, or port of a switch
     * @param b port of a switch
     * @param fiber joins them here
     */
    void AddLink(Ptr<OcsNetDevice> a, Ptr<OcsNetDevice> b, Ptr<OcsFiber> fiber);

  private:
    PacketTopology m_topology;                      //!< all of it
    NodeContainer m_servers;                        //!< nodes, rack by rack
    NodeContainer m_switchNodes;                    //!< nodes by index
    std::vector<Ptr<OcsNetDevice>> m_serverDevices; //!< network cards, rack by rack
    std::vector<Ptr<PacketSwitch>> m_switches;      //!< switches by index
    std::vector<Ptr<OcsFiber>> m_fibers;            //!< of links, in their order
};

} // namespace ns3::odcn

#endif /* ODCN_PACKET_NETWORK_H */
