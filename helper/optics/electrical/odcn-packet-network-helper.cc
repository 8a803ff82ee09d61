// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packet-network-helper.h"

#include "ns3/data-rate.h"
#include "ns3/node.h"
#include "ns3/odcn-error.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

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
PacketNetworkHelper::Start(uint32_t racks, uint32_t serversPerRack)
{
    Ptr<PacketNetwork> network = CreateObject<PacketNetwork>();
    network->Start(racks, serversPerRack);
    return network;
}

uint32_t
PacketNetworkHelper::AddSwitch(Ptr<PacketNetwork> network) const
{
    Ptr<Node> node = CreateObject<Node>();
    Ptr<PacketSwitch> packetSwitch = m_switch.Create<PacketSwitch>();
    node->AggregateObject(packetSwitch);
    return network->AddSwitch(node, packetSwitch);
}

void
PacketNetworkHelper::AddRack(Ptr<PacketNetwork> network, uint32_t index, uint32_t servers) const
{
    network->AddRack(index);
    for (uint32_t s = 0; s < servers; ++s)
    {
        network->AddServer(AddPort(CreateObject<Node>(), m_server, m_serverQueue),
                           AddPort(network->GetSwitchNodes().Get(index), m_server, m_serverQueue),
                           m_serverFiber.Create<OcsFiber>());
    }
}

void
PacketNetworkHelper::Join(Ptr<PacketNetwork> network,
                          uint32_t a,
                          uint32_t b,
                          const ObjectFactory& device) const
{
    const NodeContainer nodes = network->GetSwitchNodes();
    network->AddLink(a,
                     AddPort(nodes.Get(a), device, m_uplinkQueue),
                     b,
                     AddPort(nodes.Get(b), device, m_uplinkQueue),
                     m_uplinkFiber.Create<OcsFiber>());
}

Ptr<PacketNetwork>
PacketNetworkHelper::BuildLeafSpine(uint32_t racks,
                                    uint32_t serversPerRack,
                                    uint32_t spines,
                                    uint32_t uplinks) const
{
    if (spines < 1 || uplinks < 1 || uplinks % spines != 0)
    {
        throw OdcnError::InOption("leaf-spine network",
                                  std::to_string(uplinks) + " uplinks to " +
                                      std::to_string(spines) + " spines",
                                  "uplinks that are a multiple of the spines");
    }
    Ptr<PacketNetwork> network = Start(racks, serversPerRack);
    for (uint32_t i = 0; i < racks + spines; ++i)
    {
        AddSwitch(network);
    }
    for (uint32_t rack = 0; rack < racks; ++rack)
    {
        AddRack(network, rack, serversPerRack);
        for (uint32_t p = 0; p < uplinks; ++p)
        {
            Join(network, rack, racks + p % spines, m_uplink);
        }
    }
    network->UpdateRoutes();
    return network;
}

Ptr<PacketNetwork>
PacketNetworkHelper::BuildFatTree(uint32_t k, uint32_t racks, uint32_t serversPerRack) const
{
    const uint32_t half = k / 2;
    if (k < 2 || k % 2 != 0 || racks > uint64_t(k) * half || serversPerRack > half)
    {
        throw OdcnError::InOption("fat tree of switches with " + std::to_string(k) + " ports",
                                  std::to_string(racks) + " racks of " +
                                      std::to_string(serversPerRack) + " servers",
                                  "an even number k of ports, at most k^2/2 racks of at most k/2 "
                                  "servers");
    }
    Ptr<PacketNetwork> network = Start(racks, serversPerRack);
    const uint32_t pods = (racks + half - 1) / half;
    for (uint32_t i = 0; i < racks + pods * half + half * half; ++i)
    {
        AddSwitch(network);
    }
    JoinTree(network, half, racks, racks * serversPerRack);
    network->UpdateRoutes();
    return network;
}

void
PacketNetworkHelper::JoinTree(Ptr<PacketNetwork> network,
                              uint32_t half,
                              uint32_t racks,
                              uint32_t servers) const
{
    const uint32_t pods = (racks + half - 1) / half;
    const uint32_t cores = racks + pods * half;
    for (uint32_t rack = 0; rack < racks; ++rack)
    {
        AddRack(network,
                rack,
                std::min(network->GetServersPerRack(), servers - network->GetNServers()));
        for (uint32_t i = 0; i < half; ++i)
        {
            Join(network, rack, racks + rack / half * half + i, m_uplink);
        }
    }
    for (uint32_t i = 0; i < pods * half; ++i)
    {
        for (uint32_t j = 0; j < half; ++j)
        {
            Join(network, racks + i, cores + i % half * half + j, m_uplink);
        }
    }
}

uint32_t
PacketNetworkHelper::GetCentrePorts(uint32_t gpus)
{
    uint32_t k = 2;
    const auto fits = [&k] { return k * k / 2 <= OcsAddressPlan::MAX_NETWORKS; };
    while (k * k * k / 4 < gpus && fits())
    {
        k += 2;
    }
    if (gpus == 0 || !fits())
    {
        throw OdcnError::InOption("GPUs of a centre", std::to_string(gpus), "1 to 2662");
    }
    return k;
}

Ptr<PacketNetwork>
PacketNetworkHelper::BuildCentre(uint32_t number, uint32_t gpus) const
{
    using Place = PacketSwitchPlace;
    const uint32_t half = GetCentrePorts(gpus) / 2;
    const uint32_t edges = 2 * half * half;
    Ptr<PacketNetwork> network = CreateObject<PacketNetwork>();
    network->StartCentre(number, edges, half);
    for (const auto& [layer, n] : {std::pair{Place::EDGE, edges},
                                   std::pair{Place::AGGREGATION, edges},
                                   std::pair{Place::CORE, half * half},
                                   std::pair{Place::GATEWAY, 1U}})
    {
        for (uint32_t i = 0; i < n; ++i)
        {
            network->GetSwitch(AddSwitch(network))->SetPlace({layer, half, i});
        }
    }
    JoinTree(network, half, edges, gpus);
    for (uint32_t core = 2 * edges; core < 2 * edges + half * half; ++core)
    {
        Join(network, core, 2 * edges + half * half, m_gateway);
    }
    network->UpdateRoutes();
    return network;
}

Ptr<PacketNetwork>
PacketNetworkHelper::BuildIdeal(uint32_t racks, uint32_t serversPerRack) const
{
    Ptr<PacketNetwork> network = Start(racks, serversPerRack);
    const uint32_t index = AddSwitch(network);
    for (uint32_t rack = 0; rack < racks; ++rack)
    {
        AddRack(network, index, serversPerRack);
    }
    network->UpdateRoutes();
    return network;
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
