// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_NETWORK_HELPER_H
#define ODCN_PACKET_NETWORK_HELPER_H

#include "ns3/object-factory.h"
#include "ns3/ocs-device-helper.h"
#include "ns3/odcn-network-model.h"
#include "ns3/odcn-packet-network.h"
#include "ns3/odcn-packet-topology.h"
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
     * @param topology of the network
     * @return the network; servers have no IP stack
     */
    Ptr<PacketNetwork> Build(const PacketTopology& topology) const;

    /**
     * @param topology of a network
     * @return the network that Build() would build, for NetworkPackets
     */
    NetworkModel GetModel(const PacketTopology& topology) const;

    /**
     * Build PacketTopology::LeafSpine(). The over-subscription is servers x their rate / (uplinks x
     * their rate).
     *
     * @param racks see there
     * @param serversPerRack see there
     * @param spines see there
     * @param uplinks see there
     * @return the network; servers have no IP stack
     * @throws OdcnError when there is no such network
     */
    Ptr<PacketNetwork> BuildLeafSpine(uint32_t racks,
                                      uint32_t serversPerRack,
                                      uint32_t spines,
                                      uint32_t uplinks) const;

    /**
     * Build PacketTopology::FatTree().
     *
     * @param k see there
     * @param racks see there
     * @param serversPerRack see there
     * @return the network; servers have no IP stack
     * @throws OdcnError when there is no such network
     */
    Ptr<PacketNetwork> BuildFatTree(uint32_t k, uint32_t racks, uint32_t serversPerRack) const;

    /**
     * Build PacketTopology::Ideal().
     *
     * @param racks number of racks
     * @param serversPerRack servers of each
     * @return the network; servers have no IP stack
     * @throws OdcnError when there is no such network
     */
    Ptr<PacketNetwork> BuildIdeal(uint32_t racks, uint32_t serversPerRack) const;

    /**
     * Build PacketTopology::Centre(). Addresses determine the routes: 10.C.E.H is server H - 1 of
     * edge switch E of centre C.
     *
     * @param number of the centre, 0 to 255
     * @param gpus number of servers
     * @return the centre; servers have no IP stack
     * @throws OdcnError when the addresses do not suffice
     */
    Ptr<PacketNetwork> BuildCentre(uint32_t number, uint32_t gpus) const;

    /// Install an IPv4 stack on each server, and assign its address. @param network a network
    void InstallServers(Ptr<PacketNetwork> network) const;

  private:
    /// @param kind of a link
    /// @return creates its ports
    const ObjectFactory& GetDevice(PacketTopology::LinkKind kind) const;

    ObjectFactory m_switch;  //!< creates PacketSwitch
    ObjectFactory m_gateway; //!< creates OcsNetDevice between cores and a gateway
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_PACKET_NETWORK_HELPER_H */
