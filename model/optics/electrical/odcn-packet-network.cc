// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packet-network.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/odcn-attributes.h"
#include "ns3/uinteger.h"

#include <cstddef>
#include <utility>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("PacketNetwork");

NS_OBJECT_ENSURE_REGISTERED(PacketNetwork);

TypeId
PacketNetwork::GetTypeId()
{
    static TypeId tid = TypeIdOf<PacketNetwork, Object>("ns3::odcn::PacketNetwork");
    return tid;
}

void
PacketNetwork::Start(PacketTopology topology)
{
    m_topology = std::move(topology);
}

void
PacketNetwork::AddSwitch(Ptr<Node> node, Ptr<PacketSwitch> packetSwitch)
{
    const uint32_t index = GetNSwitches();
    UintegerValue given;
    packetSwitch->GetAttribute("Perturbation", given);
    packetSwitch->SetAttribute("Perturbation", UintegerValue(given.Get() + index));
    packetSwitch->SetAddressPlan(GetAddressPlan());
    packetSwitch->SetPlace(m_topology.GetPlace(index));
    m_switchNodes.Add(node);
    m_switches.push_back(packetSwitch);
}

void
PacketNetwork::AddLink(Ptr<OcsNetDevice> a, Ptr<OcsNetDevice> b, Ptr<OcsFiber> fiber)
{
    const PacketTopology::Link& link = m_topology.GetLinks().at(m_fibers.size());
    if (link.kind == PacketTopology::SERVER)
    {
        m_switches[link.b]->AddServerPort(link.a / GetServersPerRack(), b);
        m_servers.Add(a->GetNode());
        m_serverDevices.push_back(a);
    }
    else
    {
        m_switches[link.a]->AddPort(a);
        m_switches[link.b]->AddPort(b);
    }
    fiber->Connect(a, b);
    m_fibers.push_back(fiber);
}

void
PacketNetwork::UpdateRoutes()
{
    PacketTopology::Routes routes = m_topology.FindRoutes(
        [this](uint32_t at, uint32_t port) { return m_switches[at]->GetPort(port)->IsFailed(); });
    for (std::size_t i = 0; i < m_switches.size(); ++i)
    {
        std::vector<uint32_t> away = std::move(routes[i].back());
        routes[i].pop_back();
        m_switches[i]->SetRoutes(std::move(routes[i]), std::move(away));
    }
}

NetDeviceContainer
PacketNetwork::GetServerDevices() const
{
    NetDeviceContainer devices;
    for (const auto& device : m_serverDevices)
    {
        devices.Add(device);
    }
    return devices;
}

Ptr<OcsNetDevice>
PacketNetwork::GetServerDevice(ServerId server) const
{
    return m_serverDevices.at(server);
}

Ipv4Address
PacketNetwork::GetServerAddress(ServerId server) const
{
    return m_topology.GetServerAddress(server);
}

Ptr<OcsNetDevice>
PacketNetwork::GetServerDevice(RackId rack, uint32_t server) const
{
    return GetServerDevice(rack * GetServersPerRack() + server);
}

Ipv4Address
PacketNetwork::GetServerAddress(RackId rack, uint32_t server) const
{
    return GetAddressPlan().GetAddress(rack, server);
}

Ptr<PacketSwitch>
PacketNetwork::GetSwitchOf(RackId rack) const
{
    return m_switches.at(m_topology.GetSwitchIndexOf(rack));
}

Ptr<Node>
PacketNetwork::GetGatewayNode() const
{
    return m_switchNodes.Get(GetNSwitches() - 1);
}

void
PacketNetwork::Connect(Ptr<PacketNetwork> a, Ptr<PacketNetwork> b, Ptr<OtnLightpath> lightpath)
{
    a->m_switches.back()->AddRoute(b->GetAddressPlan().GetNetwork(0), lightpath->GetTransponder(0));
    b->m_switches.back()->AddRoute(a->GetAddressPlan().GetNetwork(0), lightpath->GetTransponder(1));
}

void
PacketNetwork::Disconnect(Ptr<PacketNetwork> a, Ptr<PacketNetwork> b, Ptr<OtnLightpath> lightpath)
{
    a->m_switches.back()->RemoveRoute(b->GetAddressPlan().GetNetwork(0),
                                      lightpath->GetTransponder(0));
    b->m_switches.back()->RemoveRoute(a->GetAddressPlan().GetNetwork(0),
                                      lightpath->GetTransponder(1));
}

uint64_t
PacketNetwork::GetSent() const
{
    uint64_t sent = 0;
    for (const PacketTopology::Link& link : m_topology.GetLinks())
    {
        if (link.kind == PacketTopology::SERVER)
        {
            continue;
        }
        sent += m_switches[link.a]->GetPort(link.portA)->GetSent() +
                m_switches[link.b]->GetPort(link.portB)->GetSent();
    }
    return sent;
}

PacketCounts
PacketNetwork::Count() const
{
    PacketCounts counts;
    for (const auto& device : m_serverDevices)
    {
        counts.sent += device->GetOffered();
        counts.received += device->GetReceived();
        counts.inFlight += device->GetWaiting();
        counts.dropped += device->GetTxDropped();
        counts.dropped += device->GetRxDropped();
    }
    for (const auto& packetSwitch : m_switches)
    {
        counts += packetSwitch->Count();
    }
    for (const auto& fiber : m_fibers)
    {
        counts.inFlight += fiber->GetInFlight();
    }
    return counts;
}

int64_t
PacketNetwork::AssignStreams(int64_t stream)
{
    int64_t used = 0;
    for (const auto& packetSwitch : m_switches)
    {
        used += packetSwitch->AssignStreams(stream + used);
    }
    return used;
}

} // namespace ns3::odcn
