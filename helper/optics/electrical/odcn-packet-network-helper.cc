// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packet-network-helper.h"

#include "ns3/data-rate.h"
#include "ns3/node.h"
#include "ns3/uinteger.h"

#include <map>

namespace ns3::odcn
{

PacketNetworkHelper::PacketNetworkHelper()
    : OcsRackHelper(QueueSize("1000p"))
{
    m_switch.SetTypeId("ns3::odcn::PacketSwitch");
    m_gateway.SetTypeId("ns3::odcn::OcsNetDevice");
}

PacketNetworkHelper::~PacketNetworkHelper() = default;

PacketNetworkHelper
PacketNetworkHelper::ForCentres()
{
    PacketNetworkHelper helper;
    for (ObjectFactory* factory : {&helper.m_server, &helper.m_uplink, &helper.m_gateway})
    {
        factory->Set("DataRate", DataRateValue(DataRate("100Gbps")));
        factory->Set("Mtu", UintegerValue(9000));
    }
    return helper;
}

Ptr<PacketNetwork>
PacketNetworkHelper::Build(const PacketTopology& topology) const
{
    Ptr<PacketNetwork> network = CreateObject<PacketNetwork>();
    network->Start(topology);
    for (uint32_t i = 0; i < topology.GetNSwitches(); ++i)
    {
        Ptr<Node> node = CreateObject<Node>();
        Ptr<PacketSwitch> packetSwitch = m_switch.Create<PacketSwitch>();
        node->AggregateObject(packetSwitch);
        network->AddSwitch(node, packetSwitch);
    }
    const NodeContainer nodes = network->GetSwitchNodes();
    for (const PacketTopology::Link& link : topology.GetLinks())
    {
        const bool isServer = link.kind == PacketTopology::SERVER;
        const ObjectFactory& device = GetDevice(link.kind);
        const ObjectFactory& queue = isServer ? m_serverQueue : m_uplinkQueue;
        const ObjectFactory& fiber = isServer ? m_serverFiber : m_uplinkFiber;
        network->AddLink(
            AddPort(isServer ? CreateObject<Node>() : nodes.Get(link.a), device, queue),
            AddPort(nodes.Get(link.b), device, queue),
            fiber.Create<OcsFiber>());
    }
    network->UpdateRoutes();
    return network;
}

NetworkModel
PacketNetworkHelper::GetModel(const PacketTopology& topology) const
{
    std::map<PacketTopology::LinkKind, NetworkModel::PortKind> kinds;
    for (const PacketTopology::Link& link : topology.GetLinks())
    {
        if (kinds.contains(link.kind))
        {
            continue;
        }
        const bool isServer = link.kind == PacketTopology::SERVER;
        const auto port = GetDevice(link.kind).Create<OcsNetDevice>();
        port->SetQueue((isServer ? m_serverQueue : m_uplinkQueue).Create<Queue<Packet>>());
        const auto fiber = (isServer ? m_serverFiber : m_uplinkFiber).Create<OcsFiber>();
        kinds[link.kind] = NetworkModel::PortKind::Of(*port, fiber->GetDelay());
    }
    return NetworkModel(topology, kinds, *m_switch.Create<PacketSwitch>());
}

const ObjectFactory&
PacketNetworkHelper::GetDevice(PacketTopology::LinkKind kind) const
{
    return kind == PacketTopology::SERVER   ? m_server
           : kind == PacketTopology::UPLINK ? m_uplink
                                            : m_gateway;
}

Ptr<PacketNetwork>
PacketNetworkHelper::BuildLeafSpine(uint32_t racks,
                                    uint32_t serversPerRack,
                                    uint32_t spines,
                                    uint32_t uplinks) const
{
    return Build(PacketTopology::LeafSpine(racks, serversPerRack, spines, uplinks));
}

Ptr<PacketNetwork>
PacketNetworkHelper::BuildFatTree(uint32_t k, uint32_t racks, uint32_t serversPerRack) const
{
    return Build(PacketTopology::FatTree(k, racks, serversPerRack));
}

Ptr<PacketNetwork>
PacketNetworkHelper::BuildIdeal(uint32_t racks, uint32_t serversPerRack) const
{
    return Build(PacketTopology::Ideal(racks, serversPerRack));
}

Ptr<PacketNetwork>
PacketNetworkHelper::BuildCentre(uint32_t number, uint32_t gpus) const
{
    return Build(PacketTopology::Centre(number, gpus));
}

void
PacketNetworkHelper::InstallServers(Ptr<PacketNetwork> network) const
{
    for (ServerId server = 0; server < network->GetNServers(); ++server)
    {
        InstallIpv4(network->GetServerDevice(server),
                    network->GetServerAddress(server),
                    OcsAddressPlan::GetMask());
    }
}

} // namespace ns3::odcn
