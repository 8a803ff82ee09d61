// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-topology-drawing.h"

#include "ns3/channel.h"
#include "ns3/data-rate.h"
#include "ns3/names.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/ocs-fabric.h"
#include "ns3/ocs-switch.h"
#include "ns3/odcn-packet-network.h"
#include "ns3/odcn-packet-switch.h"
#include "ns3/otn-node.h"
#include "ns3/rddc-fabric.h"
#include "ns3/tor-switch.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace ns3::odcn
{

void
TopologyDrawing::SetLabels(bool show)
{
    m_labels = show;
}

uint32_t
TopologyDrawing::AddPlace(const Place& place)
{
    const auto index = static_cast<uint32_t>(m_places.size());
    const uint32_t number = m_numbers[place.kind]++;
    m_places.push_back(place);
    if (place.label.empty())
    {
        static const std::map<Kind, std::string> names{{Kind::HOST, "host "},
                                                       {Kind::RACK_SWITCH, "rack "},
                                                       {Kind::PACKET_SWITCH, "switch "},
                                                       {Kind::OPTICAL_SWITCH, "optical "},
                                                       {Kind::GATEWAY, "gateway "}};
        const auto name = names.find(place.kind);
        m_places.back().label =
            (name == names.end() ? "site " : name->second) + std::to_string(number);
    }
    m_arranged = false;
    return index;
}

void
TopologyDrawing::AddLine(const Line& line, bool both)
{
    const bool forward = line.a < line.b;
    const auto key = std::make_tuple(std::min(line.a, line.b),
                                     std::max(line.a, line.b),
                                     line.plane,
                                     line.unit,
                                     line.rate);
    const auto [found, isNew] = m_byEnds.emplace(key, m_lines.size());
    if (isNew)
    {
        m_lines.push_back(line);
        m_lines.back().a = std::get<0>(key);
        m_lines.back().b = std::get<1>(key);
    }
    auto& count = m_lines[found->second].count;
    count[forward ? 0 : 1] += 1;
    count[forward ? 1 : 0] += both ? 1 : 0;
}

void
TopologyDrawing::AddNodes(const NodeContainer& nodes)
{
    NodeContainer added;
    for (auto i = nodes.Begin(); i != nodes.End(); ++i)
    {
        if (m_byNode.contains((*i)->GetId()))
        {
            continue;
        }
        added.Add(*i);
        Place place;
        place.node = *i;
        place.label = Names::FindName(*i);
        if (const auto tor = (*i)->GetObject<TorSwitch>())
        {
            place.kind = Kind::RACK_SWITCH;
            place.label =
                place.label.empty() ? "rack " + std::to_string(tor->GetRack()) : place.label;
        }
        else if (const auto electrical = (*i)->GetObject<PacketSwitch>())
        {
            static const std::array<const char*, 5> layers{"",
                                                           "edge ",
                                                           "agg ",
                                                           "core ",
                                                           "gateway "};
            const PacketSwitchPlace& at = electrical->GetPlace();
            place.kind = at.layer == PacketSwitchPlace::EDGE      ? Kind::RACK_SWITCH
                         : at.layer == PacketSwitchPlace::GATEWAY ? Kind::GATEWAY
                                                                  : Kind::PACKET_SWITCH;
            place.label = at.layer == PacketSwitchPlace::NONE
                              ? place.label
                              : layers.at(at.layer) + std::to_string(at.index);
        }
        else if ((*i)->GetObject<OcsSwitch>())
        {
            place.kind = Kind::OPTICAL_SWITCH;
        }
        else if ((*i)->GetObject<OtnNode>())
        {
            place.kind = Kind::SITE;
        }
        m_byNode[(*i)->GetId()] = AddPlace(place);
    }
    std::set<uint32_t> done; // nodes whose links have been added in this call
    for (auto i = added.Begin(); i != added.End(); ++i)
    {
        done.insert((*i)->GetId());
        for (uint32_t d = 0; d < (*i)->GetNDevices(); ++d)
        {
            const Ptr<NetDevice> device = (*i)->GetDevice(d);
            const Ptr<Channel> channel = device->GetChannel();
            DataRateValue rate;
            device->GetAttributeFailSafe("DataRate", rate);
            for (std::size_t e = 0; channel && e < channel->GetNDevices(); ++e)
            {
                const Ptr<Node> other = channel->GetDevice(e)->GetNode();
                const auto found = other ? m_byNode.find(other->GetId()) : m_byNode.end();
                // Each pair of devices once: the other node was added before, or comes later.
                if (found != m_byNode.end() && !done.contains(other->GetId()))
                {
                    AddLine({m_byNode.at((*i)->GetId()),
                             found->second,
                             NO_PLANE,
                             double(rate.Get().GetBitRate()),
                             "bit/s"});
                }
            }
        }
    }
}

void
TopologyDrawing::AddNetwork(const PacketNetwork& network)
{
    AddNodes(NodeContainer(network.GetSwitchNodes(), network.GetServers()));
    for (RackId rack = 0; rack < network.GetNRacks(); ++rack)
    {
        // The ideal network has one switch for all racks.
        const Ptr<Node> node = network.GetSwitchOf(rack)->GetObject<Node>();
        Place& place = m_places[m_byNode.at(node->GetId())];
        if (network.GetNSwitches() > 1)
        {
            m_numbers[place.kind] -= 1;
            place.kind = Kind::RACK_SWITCH;
            m_numbers[place.kind] += 1;
            place.label = "rack " + std::to_string(rack);
        }
    }
}

void
TopologyDrawing::AddFabric(const OcsFabric& fabric)
{
    m_layout = Layout::RING;
    NodeContainer nodes(fabric.GetTorNodes(), fabric.GetServers());
    nodes.Add(fabric.GetSwitchNodes());
    nodes.Add(fabric.GetSpineNodes());
    AddNodes(nodes);
    for (RackId rack = 0; rack < fabric.GetSize().racks; ++rack)
    {
        const uint32_t from = m_byNode.at(fabric.GetTorNodes().Get(rack)->GetId());
        for (uint32_t port = 0; port < fabric.GetSize().GetNUplinks(rack); ++port)
        {
            const auto rate = double(fabric.GetUplink(rack, port)->GetDataRate().GetBitRate());
            const uint32_t plane = fabric.GetSwitchOf(port);
            const uint32_t to = m_byNode.at(fabric.GetSwitchNodes().Get(plane)->GetId());
            AddLine({from, to, NO_PLANE, rate, "bit/s", false});
            const RackId peer = fabric.GetTor(rack)->GetCircuit(port);
            if (peer != NO_RACK)
            {
                const uint32_t far = m_byNode.at(fabric.GetTorNodes().Get(peer)->GetId());
                AddLine({from, far, plane, rate, "bit/s"}, false);
            }
        }
    }
}

void
TopologyDrawing::AddFabric(const RddcFabric& fabric)
{
    const RddcNetwork& network = *fabric.GetNetwork();
    const auto first = static_cast<uint32_t>(m_places.size());
    AddNodes(NodeContainer(fabric.GetServers(), fabric.GetSwitchNodes()));
    for (uint32_t node = network.GetNServers(); node < network.GetNNodes(); ++node)
    {
        const uint32_t number = node - network.GetNServers();
        const uint32_t racks = network.GetNRacks();
        const uint32_t below = racks + network.GetSizes().clusters * network.GetSizes().rackUplinks;
        m_places[first + node].label = number < racks   ? "rack " + std::to_string(number)
                                       : number < below ? "agg " + std::to_string(number - racks)
                                                        : "core " + std::to_string(number - below);
    }
    for (LinkId link = 0; link < network.GetNLinks(); ++link)
    {
        const auto& [a, b] = network.GetEnds(link);
        for (uint32_t channel = 0; channel < network.GetChannels(link); ++channel)
        {
            AddLine({first + a, first + b, NO_PLANE, 1, "channel"});
        }
    }
}

void
TopologyDrawing::AddMesh(const OtnMesh& mesh)
{
    m_layout = Layout::MAP;
    constexpr double WIDTH = 11; // inches
    double west = 360;
    double east = -360;
    double south = 90;
    double north = -90;
    for (uint32_t s = 0; s < mesh.GetNSites(); ++s)
    {
        west = std::min(west, mesh.GetSite(s).longitude);
        east = std::max(east, mesh.GetSite(s).longitude);
        south = std::min(south, mesh.GetSite(s).latitude);
        north = std::max(north, mesh.GetSite(s).latitude);
    }
    const double shrink = std::cos((south + north) / 2 * M_PI / 180);
    const double extent = std::max((east - west) * shrink, north - south);
    const auto first = static_cast<uint32_t>(m_places.size());
    for (uint32_t s = 0; s < mesh.GetNSites(); ++s)
    {
        const OtnSite& site = mesh.GetSite(s);
        Place place;
        place.label = site.name.empty() ? site.id : site.name;
        place.kind = site.area == OtnArea::BUSINESS      ? Kind::BUSINESS
                     : site.area == OtnArea::RESIDENTIAL ? Kind::RESIDENTIAL
                                                         : Kind::SITE;
        // Without positions on a circle.
        const double angle = 2 * M_PI * s / mesh.GetNSites();
        place.x = extent > 0 ? (site.longitude - west) * shrink / extent * WIDTH
                             : WIDTH / 2 * (1 + std::sin(angle));
        place.y = extent > 0 ? (site.latitude - south) / extent * WIDTH
                             : WIDTH / 2 * (1 + std::cos(angle));
        AddPlace(place);
    }
    for (uint32_t l = 0; l < mesh.GetNLinks(); ++l)
    {
        const OtnLink& link = mesh.GetLink(l);
        AddLine({first + link.a, first + link.b, NO_PLANE, double(link.wavelengths), "wavelength"});
    }
}

std::vector<uint32_t>
TopologyDrawing::FindPlaces(Kind kind) const
{
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < m_places.size(); ++i)
    {
        if (m_places[i].kind == kind)
        {
            found.push_back(i);
        }
    }
    return found;
}

void
TopologyDrawing::SetDemand(const std::vector<uint32_t>& places, const DemandMatrix& demand)
{
    m_loaded = true;
    const std::size_t n = m_places.size();
    // The links into each node: index of the link, and its direction.
    std::vector<std::vector<std::pair<uint32_t, bool>>> into(n);
    for (uint32_t l = 0; l < m_lines.size(); ++l)
    {
        m_lines[l].traffic = {};
        for (const bool forward : {true, false})
        {
            if (m_lines[l].routed && m_lines[l].count[forward ? 0 : 1] > 0)
            {
                into[forward ? m_lines[l].b : m_lines[l].a].emplace_back(l, forward);
            }
        }
    }
    const auto tail = [this](const std::pair<uint32_t, bool>& hop)
    { return hop.second ? m_lines[hop.first].a : m_lines[hop.first].b; };
    for (RackId to = 0; to < places.size(); ++to)
    {
        // Nodes by hops to the destination; then traffic from the farthest ones on.
        std::vector<uint32_t> hops(n, UINT32_MAX);
        std::vector<uint32_t> order{places[to]};
        hops[places[to]] = 0;
        std::vector<std::vector<std::pair<uint32_t, bool>>> next(n);
        for (std::size_t i = 0; i < order.size(); ++i)
        {
            for (const auto& hop : into[order[i]])
            {
                const uint32_t from = tail(hop);
                if (hops[from] == UINT32_MAX)
                {
                    hops[from] = hops[order[i]] + 1;
                    order.push_back(from);
                }
                if (hops[from] == hops[order[i]] + 1)
                {
                    next[from].push_back(hop);
                }
            }
        }
        std::vector<double> traffic(n);
        for (RackId from = 0; from < places.size(); ++from)
        {
            traffic[places[from]] += from == to ? 0 : demand.Get(from, to);
        }
        for (auto node = order.rbegin(); node != order.rend() && *node != places[to]; ++node)
        {
            double links = 0;
            for (const auto& hop : next[*node])
            {
                links += m_lines[hop.first].count[hop.second ? 0 : 1];
            }
            for (const auto& hop : next[*node])
            {
                Line& line = m_lines[hop.first];
                const int direction = hop.second ? 0 : 1;
                const double part = traffic[*node] * line.count[direction] / links;
                line.traffic[direction] += part;
                traffic[direction == 0 ? line.b : line.a] += part;
            }
        }
    }
}

void
TopologyDrawing::SetUse(uint32_t index, double share)
{
    m_loaded = true;
    Line& line = m_lines.at(index);
    line.traffic = {share * line.count[0] * line.rate, share * line.count[1] * line.rate};
}

} // namespace ns3::odcn
