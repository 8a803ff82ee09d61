// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_NETWORK_HELPER_H
#define ODCN_PACKET_NETWORK_HELPER_H

#include "ns3/object-factory.h"
#include "ns3/ocs-device-helper.h"
#include "ns3/odcn-packet-network.h"
#include "ns3/ptr.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <string>

namespace ns3
{

class AttributeValue;

namespace odcn
{

/**
 * @ingroup odcn
 *
 * Builds electrical data centres, with the servers that OcsHelper builds for optical ones.
 *
 * A leaf-spine network with an over-subscription of 3:1, 12 servers over 4 uplinks of their rate:
 * @code
 *   PacketNetworkHelper helper;
 *   Ptr<PacketNetwork> network = helper.BuildLeafSpine(8, 12, 4, 4);
 *   helper.InstallServers(network);
 *   // sockets, applications or FlowHelper on network->GetServers()
 * @endcode
 *
 * Two computing centres of 100 GPUs at two sites of an optical transport mesh:
 * @code
 *   auto centres = PacketNetworkHelper::ForCentres();
 *   Ptr<PacketNetwork> a = centres.BuildCentre(0, 100);
 *   Ptr<PacketNetwork> b = centres.BuildCentre(1, 100);
 *   centres.InstallServers(a);
 *   centres.InstallServers(b);
 *   Ptr<OtnNetwork> otn = OtnHelper().Build(mesh, {a->GetGatewayNode(), b->GetGatewayNode()});
 *   control->SetNetwork(otn);
 *   PacketNetwork::Connect(a, b, control->SetUp(0, 1, 4));
 *   // now any server of a reaches any server of b
 * @endcode
 *
 * "Uplink" means any port between two switches. With the Attribute QueueDisc of PacketSwitch, the
 * queues set here remain in use in servers only.
 */
class PacketNetworkHelper : public OcsRackHelper
{
  public:
    PacketNetworkHelper();
    ~PacketNetworkHelper() override;

    /// @return a helper whose ports have 100 Gb/s and an MTU of 9000 bytes
    static PacketNetworkHelper ForCentres();

    /// @param name Attribute of PacketSwitch  @param value its value for all switches
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value)
    {
        m_switch.Set(name, value);
    }

    /// @param name Attribute of OcsNetDevice
    /// @param value its value for ports between a computing centre's cores and its gateway
    void SetGatewayAttribute(const std::string& name, const AttributeValue& value)
    {
        m_gateway.Set(name, value);
    }

    /**
     * Uplink p of each leaf leads to spine p mod @p spines. The over-subscription is servers x
     * their rate / (uplinks x their rate). Switches: leaves by rack, then spines.
     *
     * @param racks number of racks, one leaf each
     * @param serversPerRack servers of each
     * @param spines number of spine switches
     * @param uplinks uplinks of each leaf, a multiple of @p spines
     * @return the network; servers have no IP stack
     * @throws OdcnError when there is no such network
     */
    Ptr<PacketNetwork> BuildLeafSpine(uint32_t racks,
                                      uint32_t serversPerRack,
                                      uint32_t spines,
                                      uint32_t uplinks) const;

    /**
     * A three-tier fat tree of switches with k ports: pods of k/2 edge and k/2 aggregation
     * switches, and (k/2)^2 cores; core c is connected to aggregation switch c / (k/2) of each pod.
     * Racks fill the pods in order; edge switches without servers, and pods without any, are left
     * out. Switches: edges by rack, aggregation switches pod by pod, cores.
     *
     * @param k ports of a switch, even
     * @param racks number of racks, one edge switch each, at most k^2/2
     * @param serversPerRack servers of each, at most k/2
     * @return the network; servers have no IP stack
     * @throws OdcnError when there is no such network
     */
    Ptr<PacketNetwork> BuildFatTree(uint32_t k, uint32_t racks, uint32_t serversPerRack) const;

    /**
     * One switch that all servers join: their own links are the only limit. An upper bound.
     *
     * @param racks number of racks  @param serversPerRack servers of each
     * @return the network; servers have no IP stack
     * @throws OdcnError when there is no such network
     */
    Ptr<PacketNetwork> BuildIdeal(uint32_t racks, uint32_t serversPerRack) const;

    /**
     * A computing centre: the smallest fat tree of k-port switches with room for all GPUs, each a
     * server, and the gateway above its cores. Its k^2/2 racks are filled in order. Addresses
     * determine the routes: 10.C.E.H is server H - 1 of edge switch E of centre C. Switches: edges
     * and aggregation switches pod by pod, cores, the gateway.
     *
     * @param number of the centre, 0 to 255
     * @param gpus number of servers
     * @return the centre; servers have no IP stack
     * @throws OdcnError when the addresses do not suffice
     */
    Ptr<PacketNetwork> BuildCentre(uint32_t number, uint32_t gpus) const;

    /**
     * @param gpus number of servers of a computing centre
     * @return k, ports of its switches, even: k^3/4 is at least @p gpus
     * @throws OdcnError when @p gpus is 0 or above 2662, the limit of the addresses
     */
    static uint32_t GetCentrePorts(uint32_t gpus);

    /// Install an IPv4 stack on each server, and assign its address. @param network a network
    void InstallServers(Ptr<PacketNetwork> network) const;

  private:
    /// @param racks number of racks  @param serversPerRack servers of each  @return no switches yet
    static Ptr<PacketNetwork> Start(uint32_t racks, uint32_t serversPerRack);

    /// @param network a network  @return index of a new switch
    uint32_t AddSwitch(Ptr<PacketNetwork> network) const;

    /// Add the servers of the next rack. @param network a network  @param index of their switch
    /// @param servers their number
    void AddRack(Ptr<PacketNetwork> network, uint32_t index, uint32_t servers) const;

    /// @param network a network  @param a index of a switch  @param b index of another
    /// @param device creates both ports
    void Join(Ptr<PacketNetwork> network,
              uint32_t a,
              uint32_t b,
              const ObjectFactory& device) const;

    /**
     * Join the servers and switches of a fat tree, in the order of BuildFatTree().
     * @param network with all switches
     * @param half k / 2
     * @param racks number of racks
     * @param servers number of servers, which fill the racks in order
     */
    void JoinTree(Ptr<PacketNetwork> network,
                  uint32_t half,
                  uint32_t racks,
                  uint32_t servers) const;

    ObjectFactory m_switch;  //!< creates PacketSwitch
    ObjectFactory m_gateway; //!< creates OcsNetDevice between cores and a gateway
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_PACKET_NETWORK_HELPER_H */
