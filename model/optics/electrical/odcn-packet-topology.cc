// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packet-topology.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <limits>
#include <string>
#include <utility>

namespace ns3::odcn
{

PacketTopology
PacketTopology::LeafSpine(uint32_t racks,
                          uint32_t serversPerRack,
                          uint32_t spines,
                          uint32_t uplinks)
{
    if (spines < 1 || uplinks < 1 || uplinks % spines != 0)
    {
        throw OdcnError::InOption("leaf-spine network",
                                  std::to_string(uplinks) + " uplinks to " +
                                      std::to_string(spines) + " spines",
                                  "uplinks that are a multiple of the spines");
    }
    PacketTopology topology;
    topology.Start(racks, serversPerRack);
    topology.AddSwitches(racks + spines);
    for (RackId rack = 0; rack < racks; ++rack)
    {
        topology.AddRack(rack, serversPerRack);
        for (uint32_t p = 0; p < uplinks; ++p)
        {
            topology.Join(rack, racks + p % spines);
        }
    }
    return topology;
}

PacketTopology
PacketTopology::FatTree(uint32_t k, uint32_t racks, uint32_t serversPerRack)
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
    PacketTopology topology;
    topology.Start(racks, serversPerRack);
    const uint32_t pods = (racks + half - 1) / half;
    topology.AddSwitches(racks + pods * half + half * half);
    topology.JoinTree(half, racks * serversPerRack);
    return topology;
}

PacketTopology
PacketTopology::Ideal(uint32_t racks, uint32_t serversPerRack)
{
    PacketTopology topology;
    topology.Start(racks, serversPerRack);
    topology.AddSwitches(1);
    for (RackId rack = 0; rack < racks; ++rack)
    {
        topology.AddRack(0, serversPerRack);
    }
    return topology;
}

uint32_t
PacketTopology::GetCentrePorts(uint32_t gpus)
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

PacketTopology
PacketTopology::Centre(uint32_t number, uint32_t gpus)
{
    using Place = PacketSwitchPlace;
    const uint32_t half = GetCentrePorts(gpus) / 2;
    const uint32_t edges = 2 * half * half;
    if (number >= OcsAddressPlan::MAX_NETWORKS)
    {
        throw OdcnError::InOption("centre", std::to_string(number), "0 to 255");
    }
    PacketTopology topology;
    topology.Start(edges, half);
    topology.m_addresses.firstRack = number * OcsAddressPlan::MAX_NETWORKS;
    topology.AddSwitches(2 * edges + half * half + 1);
    uint32_t index = 0;
    for (const auto& [layer, n] : {std::pair{Place::EDGE, edges},
                                   std::pair{Place::AGGREGATION, edges},
                                   std::pair{Place::CORE, half * half},
                                   std::pair{Place::GATEWAY, 1U}})
    {
        for (uint32_t i = 0; i < n; ++i)
        {
            topology.m_places[index++] = {layer, half, i};
        }
    }
    topology.JoinTree(half, gpus);
    for (uint32_t core = 2 * edges; core < 2 * edges + half * half; ++core)
    {
        topology.Join(core, 2 * edges + half * half, GATEWAY);
    }
    return topology;
}

uint32_t
PacketTopology::GetNServersOf(RackId rack) const
{
    return std::min(m_serversPerRack, m_servers - std::min(m_servers, rack * m_serversPerRack));
}

PacketTopology::Routes
PacketTopology::FindRoutes(const std::function<bool(uint32_t, uint32_t)>& isFailed) const
{
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
    Graph graph(GetNSwitches());
    std::vector<Link> links;
    for (const Link& link : m_links)
    {
        if (link.kind != SERVER && !isFailed(link.a, link.portA) && !isFailed(link.b, link.portB))
        {
            links.push_back(link);
            boost::add_edge(link.a, link.b, graph);
        }
    }
    // Other networks are reached by the last switch, if it is a gateway.
    std::vector<uint32_t> ends = m_switchOf;
    ends.push_back(GetNSwitches() - 1);
    Routes routes(GetNSwitches(), std::vector<std::vector<uint32_t>>(ends.size()));
    for (RackId rack = 0; rack < ends.size(); ++rack)
    {
        // An unreachable switch has only links to others, which are as far.
        std::vector<uint32_t> hops(GetNSwitches(), std::numeric_limits<uint32_t>::max());
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
PacketTopology::Start(uint32_t racks, uint32_t serversPerRack)
{
    if (racks < 1 || serversPerRack < 1)
    {
        throw OdcnError::InOption("racks x servers",
                                  std::to_string(racks) + " x " + std::to_string(serversPerRack),
                                  "one or more racks of one or more servers");
    }
    m_addresses = OcsAddressPlan::For(racks, serversPerRack);
    m_racks = racks;
    m_serversPerRack = serversPerRack;
}

void
PacketTopology::AddSwitches(uint32_t n)
{
    m_places.resize(m_places.size() + n);
    m_ports.resize(m_places.size());
}

void
PacketTopology::AddRack(uint32_t index, uint32_t servers)
{
    m_switchOf.push_back(index);
    for (uint32_t i = 0; i < servers; ++i)
    {
        m_links.push_back({SERVER, m_servers++, 0, index, m_ports[index]++});
    }
}

void
PacketTopology::Join(uint32_t a, uint32_t b, LinkKind kind)
{
    m_links.push_back({kind, a, m_ports[a]++, b, m_ports[b]++});
}

void
PacketTopology::JoinTree(uint32_t half, uint32_t servers)
{
    const uint32_t pods = (m_racks + half - 1) / half;
    const uint32_t cores = m_racks + pods * half;
    for (RackId rack = 0; rack < m_racks; ++rack)
    {
        AddRack(rack, std::min(m_serversPerRack, servers - m_servers));
        for (uint32_t i = 0; i < half; ++i)
        {
            Join(rack, m_racks + rack / half * half + i);
        }
    }
    for (uint32_t i = 0; i < pods * half; ++i)
    {
        for (uint32_t j = 0; j < half; ++j)
        {
            Join(m_racks + i, cores + i % half * half + j);
        }
    }
}

} // namespace ns3::odcn
