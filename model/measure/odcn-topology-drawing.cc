// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-topology-drawing.h"

#include "odcn-table.h"

#include "ns3/channel.h"
#include "ns3/data-rate.h"
#include "ns3/icci-switch.h"
#include "ns3/names.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/ocs-fabric.h"
#include "ns3/ocs-switch.h"
#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-packet-network.h"
#include "ns3/odcn-packet-switch.h"
#include "ns3/odcn-text.h"
#include "ns3/otn-node.h"
#include "ns3/rddc-fabric.h"
#include "ns3/tor-switch.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <queue>
#include <sstream>

namespace ns3::odcn
{

namespace
{

/// Share in use from which on a line or node has a colour, in ascending order.
struct LoadClass
{
    double from;      //!< share
    const char* hue;  //!< colour
    const char* text; //!< for the legend
};

constexpr std::array<LoadClass, 6> LOADS{{{0, "#4575b4", "below 20 %"},
                                          {0.2, "#74add1", "20 to 40 %"},
                                          {0.4, "#fdae61", "40 to 60 %"},
                                          {0.6, "#f46d43", "60 to 80 %"},
                                          {0.8, "#a50026", "80 to 100 %"},
                                          {1.0000001, "#000000", "above 100 %"}}};

/// @param load share in use  @return index of its class
std::size_t
FindLoad(double load)
{
    std::size_t index = LOADS.size() - 1;
    while (index > 0 && load < LOADS[index].from)
    {
        --index;
    }
    return index;
}

/// @param text any text  @return it for the HTML of DOT
std::string
Escape(const std::string& text)
{
    std::string escaped;
    for (const char c : text)
    {
        escaped += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    }
    return escaped;
}

/// @param text any text  @return it in quotes, for DOT
std::string
Quote(const std::string& text)
{
    std::ostringstream os;
    os << std::quoted(text);
    return os.str();
}

/// @param inches a length  @return points with two decimals, never -0.00
std::string
Points(double inches)
{
    std::ostringstream os;
    os << std::fixed << std::setprecision(2) << std::round(inches * 7200) / 100 + 0.0;
    return os.str();
}

/// @param path a file  @return it as a word of a shell
std::string
QuoteForShell(const std::string& path)
{
    std::string quoted = "'";
    for (const char c : path)
    {
        quoted += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return quoted + "'";
}

/// @param place a node  @return whether packets end there
bool
IsHost(const TopologyDrawing::Place& place)
{
    return place.kind == TopologyDrawing::Kind::HOST;
}

} // namespace

void
TopologyDrawing::SetTitle(const std::string& title)
{
    m_title = title;
}

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
    for (auto i = nodes.Begin(); i != nodes.End(); ++i)
    {
        Place place;
        place.node = *i;
        place.label = Names::FindName(*i);
        if (const auto tor = (*i)->GetObject<TorSwitch>())
        {
            place.kind = Kind::RACK_SWITCH;
            place.label =
                place.label.empty() ? "rack " + std::to_string(tor->GetRack()) : place.label;
        }
        else if (const auto layered = (*i)->GetObject<IcciSwitch>())
        {
            static const std::array<const char*, 4> layers{"edge ", "agg ", "core ", "gateway "};
            const IcciPlace& at = layered->GetPlace();
            place.kind = at.layer == IcciLayer::EDGE      ? Kind::RACK_SWITCH
                         : at.layer == IcciLayer::GATEWAY ? Kind::GATEWAY
                                                          : Kind::PACKET_SWITCH;
            place.label = layers.at(std::size_t(at.layer)) + std::to_string(at.index);
        }
        else if ((*i)->GetObject<PacketSwitch>())
        {
            place.kind = Kind::PACKET_SWITCH;
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
    for (auto i = nodes.Begin(); i != nodes.End(); ++i)
    {
        for (uint32_t d = 0; d < (*i)->GetNDevices(); ++d)
        {
            const Ptr<NetDevice> device = (*i)->GetDevice(d);
            const Ptr<Channel> channel = device->GetChannel();
            DataRateValue rate;
            device->GetAttributeFailSafe("DataRate", rate);
            for (std::size_t e = 0; channel && e < channel->GetNDevices(); ++e)
            {
                const Ptr<Node> other = channel->GetDevice(e)->GetNode();
                const auto found = m_byNode.find(other->GetId());
                // Each pair of devices once.
                if (found != m_byNode.end() && other->GetId() > (*i)->GetId())
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

std::vector<uint32_t>
TopologyDrawing::FindTiers() const
{
    std::vector<std::vector<uint32_t>> neighbours(m_places.size());
    for (const Line& line : m_lines)
    {
        neighbours[line.a].push_back(line.b);
        neighbours[line.b].push_back(line.a);
    }
    std::vector<uint32_t> tiers(m_places.size(), UINT32_MAX);
    std::queue<uint32_t> waiting;
    for (const uint32_t host : FindPlaces(Kind::HOST))
    {
        tiers[host] = 0;
        waiting.push(host);
    }
    for (; !waiting.empty(); waiting.pop())
    {
        for (const uint32_t neighbour : neighbours[waiting.front()])
        {
            if (tiers[neighbour] == UINT32_MAX)
            {
                tiers[neighbour] = tiers[waiting.front()] + 1;
                waiting.push(neighbour);
            }
        }
    }
    for (std::size_t i = 0; i < tiers.size(); ++i)
    {
        tiers[i] = tiers[i] == UINT32_MAX ? (IsHost(m_places[i]) ? 0 : 1) : tiers[i];
    }
    return tiers;
}

void
TopologyDrawing::ArrangeTiers(const std::vector<uint32_t>& tiers)
{
    std::map<uint32_t, std::vector<uint32_t>> rows;
    double width = 6;
    for (uint32_t i = 0; i < m_places.size(); ++i)
    {
        rows[tiers[i]].push_back(i);
    }
    for (const auto& [tier, row] : rows)
    {
        width = std::max(width, double(row.size()) * (tier == 0 ? 0.3 : 1.05));
    }
    for (const auto& [tier, row] : rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            m_places[row[i]].x = (double(i) + 0.5) * width / double(row.size());
            // Long rows are staggered to make room for names.
            const std::size_t levels = tier == 0 ? 1 : 1 + row.size() / 24;
            m_places[row[i]].y =
                tier * std::max(1.2, width / 9) + 0.012 * width * double(i % levels);
        }
    }
}

void
TopologyDrawing::ArrangeRing(const std::vector<uint32_t>& tiers)
{
    const std::vector<uint32_t> racks = FindPlaces(Kind::RACK_SWITCH);
    const double step = 2 * M_PI / double(racks.size());
    const double turn = racks.size() == 2 ? -M_PI / 2 : 0; // two side by side
    const double radius = std::max(2.2, double(racks.size()) * 0.95 / (2 * M_PI));
    std::vector<uint32_t> rackOf(m_places.size(), UINT32_MAX);
    std::vector<std::vector<uint32_t>> hosts(racks.size());
    const auto set = [this, turn](uint32_t place, double angle, double distance)
    {
        m_places[place].x = distance * std::sin(angle + turn);
        m_places[place].y = distance * std::cos(angle + turn);
    };
    for (uint32_t r = 0; r < racks.size(); ++r)
    {
        rackOf[racks[r]] = r;
        set(racks[r], step * r, radius);
    }
    for (const Line& line : m_lines)
    {
        for (const auto& [a, b] : {std::pair(line.a, line.b), std::pair(line.b, line.a)})
        {
            if (rackOf[a] != UINT32_MAX && IsHost(m_places[b]))
            {
                hosts[rackOf[a]].push_back(b);
            }
        }
    }
    for (uint32_t r = 0; r < racks.size(); ++r)
    {
        // Rows behind the rack, as wide as its part of the ring.
        const double room = 0.85 * std::min(step, 0.6) * (radius + 0.8);
        const auto columns = std::max<std::size_t>(1, std::size_t(room / 0.25));
        for (std::size_t h = 0; h < hosts[r].size(); ++h)
        {
            const std::size_t row = h / columns;
            const std::size_t inRow = std::min(columns, hosts[r].size() - row * columns);
            const double distance = radius + 0.75 + 0.28 * double(row);
            const double shift = (double(h % columns) - double(inRow - 1) / 2) * 0.25 / distance;
            set(hosts[r][h], step * r + shift, distance);
        }
    }
    std::vector<uint32_t> inner;
    for (uint32_t i = 0; i < m_places.size(); ++i)
    {
        if (tiers[i] > 1)
        {
            inner.push_back(i);
        }
    }
    for (std::size_t i = 0; i < inner.size(); ++i)
    {
        set(inner[i],
            2 * M_PI * (double(i) + 0.5) / double(inner.size()),
            inner.size() > 1 ? std::max(radius * 0.3, 0.16 * double(inner.size())) : 0);
    }
}

void
TopologyDrawing::Arrange()
{
    if (!m_arranged && m_layout == Layout::TIERS)
    {
        ArrangeTiers(FindTiers());
    }
    else if (!m_arranged && m_layout == Layout::RING)
    {
        ArrangeRing(FindTiers());
    }
    m_arranged = true;
}

std::vector<TopologyDrawing::Place>&
TopologyDrawing::GetPlaces()
{
    return m_places;
}

const std::vector<TopologyDrawing::Line>&
TopologyDrawing::GetLines() const
{
    return m_lines;
}

const std::array<std::string, 2>&
TopologyDrawing::GetLook(Kind kind)
{
    static const std::map<Kind, std::array<std::string, 2>> looks{
        {Kind::HOST, {"host", "#475569"}},
        {Kind::RACK_SWITCH, {"switch of a rack", "#1f6fb4"}},
        {Kind::PACKET_SWITCH, {"packet switch", "#0e7490"}},
        {Kind::OPTICAL_SWITCH, {"optical circuit switch", "#facc15"}},
        {Kind::GATEWAY, {"gateway", "#7c3aed"}},
        {Kind::BUSINESS, {"business area", "#1f6fb4"}},
        {Kind::RESIDENTIAL, {"residential area", "#15803d"}},
        {Kind::SITE, {"site in another area", "#64748b"}}};
    return looks.at(kind);
}

const std::string&
TopologyDrawing::GetHue(uint32_t plane)
{
    static const std::array<std::string, 10> hues{"#c2410c",
                                                  "#15803d",
                                                  "#7c3aed",
                                                  "#0e7490",
                                                  "#be185d",
                                                  "#a16207",
                                                  "#1e3a8a",
                                                  "#4d7c0f",
                                                  "#b91c1c",
                                                  "#86198f"};
    return hues[plane % hues.size()];
}

double
TopologyDrawing::GetLoad(const Line& line) const
{
    double load = std::nan("");
    const bool within = IsHost(m_places[line.a]) || IsHost(m_places[line.b]);
    for (const int direction : {0, 1})
    {
        if (m_loaded && line.routed && !within && line.count[direction] > 0 && line.rate > 0)
        {
            load = std::fmax(load, line.traffic[direction] / (line.count[direction] * line.rate));
        }
    }
    return load;
}

std::string
TopologyDrawing::GetRate(const Line& line)
{
    const uint32_t count = std::max(line.count[0], line.count[1]);
    std::ostringstream os;
    if (line.unit == "bit/s")
    {
        os << (count > 1 ? std::to_string(count) + " x " : "");
        line.rate > 0 ? os << line.rate / 1e9 << " Gb/s" : os << "link";
    }
    else
    {
        os << count * line.rate << " " << line.unit << (count * line.rate == 1 ? "" : "s");
    }
    return os.str();
}

std::string
TopologyDrawing::MakeLegend() const
{
    std::ostringstream os;
    const auto row = [&os](const std::string& hue, const char* symbol, const std::string& text)
    {
        os << "<TR><TD ALIGN=\"LEFT\"><FONT COLOR=\"" << hue << "\">" << symbol << "</FONT> "
           << Escape(text) << "</TD></TR>";
    };
    const bool used = std::any_of(m_places.begin(),
                                  m_places.end(),
                                  [](const Place& place) { return !std::isnan(place.load); });
    for (const auto& [kind, number] : m_numbers)
    {
        const char* symbol = kind == Kind::HOST || kind == Kind::SITE ? "&#9679;"
                             : kind == Kind::OPTICAL_SWITCH || kind == Kind::RESIDENTIAL
                                 ? "&#9670;"
                                 : "&#9632;";
        row(used ? "#000000" : GetLook(kind)[1],
            symbol,
            std::to_string(number) + " x " + GetLook(kind)[0]);
    }
    std::map<std::string, uint32_t> rates;
    std::map<uint32_t, uint32_t> planes;
    uint32_t circuits = 0;
    for (const Line& line : m_lines)
    {
        if (line.plane == NO_PLANE)
        {
            rates[GetRate(line)] += 1;
        }
        else
        {
            planes[line.plane] += line.count[0] + line.count[1];
            circuits += line.count[0] + line.count[1];
        }
    }
    for (const auto& [rate, number] : rates)
    {
        row("#94a3b8", "&#9473;&#9473;", std::to_string(number) + " links of " + rate);
    }
    if (m_loaded && circuits > 0)
    {
        row("#000000", "&#8594;", std::to_string(circuits) + " circuits");
    }
    for (const auto& [plane, number] : planes)
    {
        if (!m_loaded)
        {
            row(GetHue(plane),
                "&#9473;&#9473;",
                std::to_string(number) + " circuits of switch " + std::to_string(plane));
        }
    }
    if (m_loaded || used)
    {
        os << "<TR><TD ALIGN=\"LEFT\"><B>load of "
           << (m_loaded && used ? "links, sites"
               : m_loaded       ? "links"
                                : "sites")
           << "</B></TD></TR>";
        for (const LoadClass& load : LOADS)
        {
            row(load.hue, m_loaded ? "&#9473;&#9473;" : "&#9632;", load.text);
        }
    }
    return os.str();
}

void
TopologyDrawing::WriteDot(std::ostream& os)
{
    Arrange();
    double left = 0;
    double right = 0;
    double top = 0;
    double bottom = 0;
    for (const Place& place : m_places)
    {
        left = std::min(left, place.x);
        right = std::max(right, place.x);
        bottom = std::min(bottom, place.y);
        top = std::max(top, place.y);
    }
    // Text is as legible in a wide picture as in a narrow one.
    const double font = std::max(10.0, (right - left) * 0.4);
    os << "// Draw with: neato -n2 -Tsvg\n"
       << "graph topology {\n"
       << "  graph [outputorder=edgesfirst, splines=line, pad=0.4, bgcolor=white, "
          "fontname=\"DejaVu "
          "Sans\", fontsize="
       << 1.3 * font << ", labelloc=t, label=" << Quote(m_title) << "];\n"
       << "  node [fontname=\"DejaVu Sans\", fontsize=" << font
       << ", style=filled, margin=\"0.06,0.03\", width=0, height=0, penwidth=0.7];\n"
       << "  edge [fontname=\"DejaVu Sans\", fontsize=" << 0.8 * font << "];\n";
    const std::size_t hosts = FindPlaces(Kind::HOST).size();
    for (std::size_t i = 0; i < m_places.size(); ++i)
    {
        const Place& place = m_places[i];
        const bool named = !IsHost(place) || hosts <= 8;
        const bool light = place.kind == Kind::OPTICAL_SWITCH || FindLoad(place.load) == 1 ||
                           FindLoad(place.load) == 2;
        std::ostringstream tip;
        tip << place.label;
        if (!std::isnan(place.load))
        {
            tip << ", " << std::round(100 * place.load) << " % in use";
        }
        os << "  n" << i << " [pos=\"" << Points(place.x) << "," << Points(place.y) << "\", shape="
           << (place.kind == Kind::OPTICAL_SWITCH          ? "box, style=\"filled,rounded\""
               : place.kind == Kind::RESIDENTIAL           ? "hexagon"
               : IsHost(place) || place.kind == Kind::SITE ? "ellipse"
                                                           : "box")
           << ", label=" << (named ? Quote(place.label) : "\"\"")
           << (named ? "" : ", width=0.16, height=0.16, fixedsize=true")
           << ", tooltip=" << Quote(tip.str()) << ", fontcolor=\""
           << (light ? "#000000" : "#ffffff") << "\", fillcolor=\""
           << (std::isnan(place.load) ? GetLook(place.kind)[1] : LOADS[FindLoad(place.load)].hue)
           << "\"];\n";
    }
    for (const Line& line : m_lines)
    {
        const bool circuit = line.plane != NO_PLANE;
        const double load = GetLoad(line);
        std::ostringstream text;
        text << GetRate(line);
        if (!std::isnan(load))
        {
            text << ", " << std::round(100 * load) << " %";
        }
        const double count = std::max(line.count[0], line.count[1]);
        const double width = !std::isnan(load) ? 1 + 4 * std::min(load, 1.0)
                             : circuit         ? 1.2 + 0.6 * std::log2(count)
                             : line.routed     ? 0.7 + 0.4 * std::log2(count)
                                               : 0.3;
        // One-way circuits have an arrow.
        const char* arrow = line.count[1] == 0   ? ", dir=forward, arrowsize=0.6"
                            : line.count[0] == 0 ? ", dir=back, arrowsize=0.6"
                                                 : "";
        os << "  n" << line.a << " -- n" << line.b << " [color=\""
           << (!std::isnan(load) ? LOADS[FindLoad(load)].hue
               : circuit         ? GetHue(line.plane)
               : line.routed     ? "#94a3b8"
                                 : "#cbd5e1")
           << "\", penwidth=" << FormatFixed(width, 2) << ", tooltip="
           << Quote(m_places[line.a].label + " to " + m_places[line.b].label + ": " + text.str());
        if (m_labels && line.routed)
        {
            os << ", label="
               << Quote(std::isnan(load) ? text.str() : FormatFixed(100 * load, 0) + " %");
        }
        os << arrow << "];\n";
    }
    os << "  legend [shape=plain, fillcolor=white, pos=\"" << Points(right + 0.5 + font * 10 / 72)
       << "," << Points((top + bottom) / 2)
       << "\", label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\">" << MakeLegend()
       << "</TABLE>>];\n}\n";
}

void
TopologyDrawing::Write(OutputFiles& files, const std::string& name, const std::string& format)
{
    const std::string dot = name + ".dot";
    AtomicFile file(files.Path(dot));
    WriteDot(file.Stream());
    file.Commit();
    files.Written(dot, "the picture for Graphviz");
    if (format == "dot")
    {
        return;
    }
    if (std::system("command -v neato >/dev/null 2>&1") != 0)
    {
        std::cout << "No ." << format << ": there is no Graphviz (Debian: apt install graphviz).\n";
        return;
    }
    const std::string picture = name + "." + format;
    const std::string command = "neato -n2 -T" + format + " -o " +
                                QuoteForShell(files.Temporary(picture)) + " " +
                                QuoteForShell(files.Path(dot)) + " 2>/dev/null";
    if (std::system(command.c_str()) != 0)
    {
        throw OdcnError(files.Path(picture) + ": Graphviz failed");
    }
    files.Keep(picture, "the picture");
}

} // namespace ns3::odcn
