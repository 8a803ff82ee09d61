// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packet-network.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <limits>
#include <string>

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
PacketNetwork::Start(uint32_t racks, uint32_t serversPerRack)
{
    if (racks < 1 || serversPerRack < 1)
    {
        throw OdcnError::InOption("racks x servers",
                                  std::to_string(racks) + " x " + std::to_string(serversPerRack),
                                  "one or more racks of one or more servers");
    }
    m_plan = OcsAddressPlan::For(racks, serversPerRack);
    m_racks = racks;
    m_serversPerRack = serversPerRack;
}

void
PacketNetwork::StartCentre(uint32_t number, uint32_t racks, uint32_t serversPerRack)
{
    if (number >= OcsAddressPlan::MAX_NETWORKS)
    {
        throw OdcnError::InOption("centre", std::to_string(number), "0 to 255");
    }
    Start(racks, serversPerRack);
    m_plan.firstRack = number * OcsAddressPlan::MAX_NETWORKS;
}

uint32_t
PacketNetwork::AddSwitch(Ptr<Node> node, Ptr<PacketSwitch> packetSwitch)
{
    const uint32_t index = GetNSwitches();
    UintegerValue given;
    packetSwitch->GetAttribute("Perturbation", given);
    packetSwitch->SetAttribute("Perturbation", UintegerValue(given.Get() + index));
    packetSwitch->SetAddressPlan(m_plan);
    m_switchNodes.Add(node);
    m_switches.push_back(packetSwitch);
    return index;
}

void
PacketNetwork::AddServer(Ptr<OcsNetDevice> card, Ptr<OcsNetDevice> port, Ptr<OcsFiber> fiber)
{
    const RackId rack = GetNServers() / m_serversPerRack;
    GetSwitchOf(rack)->AddServerPort(rack, port);
    fiber->Connect(card, port);
    m_fibers.push_back(fiber);
    m_servers.Add(card->GetNode());
    m_serverDevices.push_back(card);
}

void
PacketNetwork::AddLink(uint32_t a,
                       Ptr<OcsNetDevice> portA,
                       uint32_t b,
                       Ptr<OcsNetDevice> portB,
                       Ptr<OcsFiber> fiber)
{
    m_links.push_back({a, m_switches[a]->AddPort(portA), b, m_switches[b]->AddPort(portB)});
    fiber->Connect(portA, portB);
    m_fibers.push_back(fiber);
}

PacketNetwork::Routes
PacketNetwork::FindRoutes(const std::function<bool(uint32_t, uint32_t)>& isFailed) const
{
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
    Graph graph(m_switches.size());
    std::vector<Link> links;
    for (const Link& link : m_links)
    {
        if (!isFailed(link.a, link.portA) && !isFailed(link.b, link.portB))
        {
            links.push_back(link);
            boost::add_edge(link.a, link.b, graph);
        }
    }
    // Other networks are reached by the last switch, if it is a gateway.
    std::vector<uint32_t> ends = m_switchOf;
    ends.push_back(GetNSwitches() - 1);
    Routes routes(m_switches.size(), std::vector<std::vector<uint32_t>>(ends.size()));
    for (RackId rack = 0; rack < ends.size(); ++rack)
    {
        // An unreachable switch has only links to others, which are as far.
        std::vector<uint32_t> hops(m_switches.size(), std::numeric_limits<uint32_t>::max());
        hops[ends[rack]] = 0;
        const auto visitor =
            boost::make_bfs_visitor(boost::record_distances(hops.data(), boost::on_tree_edge()));
        boost::breadth_first_search(graph, ends[rack], boost::visitor(visitor));
        for (const Link& link : links)
        {
            if (hops[link.a] > hops[link.b])
            {
                routes[link.a][rack].push_back(link.portA);
            }
            else if (hops[link.b] > hops[link.a])
            {
                routes[link.b][rack].push_back(link.portB);
            }
        }
    }
    return routes;
}

void
PacketNetwork::UpdateRoutes()
{
    Routes routes = FindRoutes([this](uint32_t at, uint32_t port)
                               { return m_switches[at]->GetPort(port)->IsFailed(); });
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
    return m_plan.GetAddress(server / m_serversPerRack, server % m_serversPerRack);
}

Ptr<OcsNetDevice>
PacketNetwork::GetServerDevice(RackId rack, uint32_t server) const
{
    return GetServerDevice(rack * m_serversPerRack + server);
}

Ipv4Address
PacketNetwork::GetServerAddress(RackId rack, uint32_t server) const
{
    return m_plan.GetAddress(rack, server);
}

Ptr<PacketSwitch>
PacketNetwork::GetSwitchOf(RackId rack) const
{
    return m_switches.at(m_switchOf.at(rack));
}

Ptr<Node>
PacketNetwork::GetGatewayNode() const
{
    return m_switchNodes.Get(GetNSwitches() - 1);
}

void
PacketNetwork::Connect(Ptr<PacketNetwork> a, Ptr<PacketNetwork> b, Ptr<OtnLightpath> lightpath)
{
    a->m_switches.back()->AddRoute(b->m_plan.GetNetwork(0), lightpath->GetTransponder(0));
    b->m_switches.back()->AddRoute(a->m_plan.GetNetwork(0), lightpath->GetTransponder(1));
}

void
PacketNetwork::Disconnect(Ptr<PacketNetwork> a, Ptr<PacketNetwork> b, Ptr<OtnLightpath> lightpath)
{
    a->m_switches.back()->RemoveRoute(b->m_plan.GetNetwork(0), lightpath->GetTransponder(0));
    b->m_switches.back()->RemoveRoute(a->m_plan.GetNetwork(0), lightpath->GetTransponder(1));
}

uint64_t
PacketNetwork::GetSent() const
{
    uint64_t sent = 0;
    for (const Link& link : m_links)
    {
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
