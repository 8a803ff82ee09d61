// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-topology-drawing.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-safe-text.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <map>
#include <queue>
#include <string>
#include <utility>
#include <vector>

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

/// How nodes of a kind are drawn.
struct Look
{
    const char* name;   //!< in the legend
    const char* hue;    //!< colour
    const char* symbol; //!< in the legend
    const char* shape;  //!< of DOT
};

constexpr const char* CIRCLE = "&#9679;";
constexpr const char* SQUARE = "&#9632;";
constexpr const char* DIAMOND = "&#9670;";

/// @param kind of a node
/// @return how it is drawn
const Look&
GetLook(TopologyDrawing::Kind kind)
{
    static constexpr std::array<Look, 8> looks{
        {{"host", "#475569", CIRCLE, "ellipse"},
         {"switch of a rack", "#1f6fb4", SQUARE, "box"},
         {"packet switch", "#0e7490", SQUARE, "box"},
         {"optical circuit switch", "#facc15", DIAMOND, "box, style=\"filled,rounded\""},
         {"gateway", "#7c3aed", SQUARE, "box"},
         {"business area", "#1f6fb4", SQUARE, "box"},
         {"residential area", "#15803d", DIAMOND, "hexagon"},
         {"site in another area", "#64748b", CIRCLE, "ellipse"}}};
    return looks.at(std::size_t(kind));
}

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

/// @param text any text  @return it in quotes, for DOT
std::string
QuoteForDot(const std::string& text)
{
    PlainStream os;
    os << std::quoted(MakeUtf8(text));
    return os.str();
}

/// @param number number of things  @param thing one of them  @return "2 things"
std::string
Count(uint32_t number, const std::string& thing)
{
    return std::to_string(number) + " " + thing + (number == 1 ? "" : "s");
}

/// @param inches a length  @return points with two decimals, never -0.00
std::string
Points(double inches)
{
    PlainStream os;
    os << std::fixed << std::setprecision(2) << std::round(inches * 7200) / 100 + 0.0;
    return os.str();
}

/// @param place a node  @return whether packets end there
bool
IsHost(const TopologyDrawing::Place& place)
{
    return place.kind == TopologyDrawing::Kind::HOST;
}

} // namespace

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

const char*
TopologyDrawing::GetHue(Kind kind)
{
    return GetLook(kind).hue;
}

const char*
TopologyDrawing::GetHue(uint32_t plane)
{
    static constexpr std::array<const char*, 10> hues{"#c2410c",
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
    PlainStream os;
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
    PlainStream os;
    const auto row = [&os](const std::string& hue, const char* symbol, const std::string& text)
    {
        os << "<TR><TD ALIGN=\"LEFT\"><FONT COLOR=\"" << hue << "\">" << symbol << "</FONT> "
           << EscapeXml(text) << "</TD></TR>";
    };
    const bool used = std::any_of(m_places.begin(),
                                  m_places.end(),
                                  [](const Place& place) { return !std::isnan(place.load); });
    for (const auto& [kind, number] : m_numbers)
    {
        const Look& look = GetLook(kind);
        row(used ? "#000000" : look.hue, look.symbol, std::to_string(number) + " x " + look.name);
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
        row("#94a3b8", "&#9473;&#9473;", Count(number, "link") + " of " + rate);
    }
    if (m_loaded && circuits > 0)
    {
        row("#000000", "&#8594;", Count(circuits, "circuit"));
    }
    for (const auto& [plane, number] : planes)
    {
        if (!m_loaded)
        {
            row(GetHue(plane),
                "&#9473;&#9473;",
                Count(number, "circuit") + " of switch " + std::to_string(plane));
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
TopologyDrawing::WriteNode(std::ostream& os, std::size_t index, bool hostsNamed) const
{
    const Place& place = m_places[index];
    const Look& look = GetLook(place.kind);
    const bool named = !IsHost(place) || hostsNamed;
    const std::size_t load = FindLoad(place.load);
    const bool light = place.kind == Kind::OPTICAL_SWITCH || load == 1 || load == 2;
    PlainStream tip;
    tip << place.label;
    if (!std::isnan(place.load))
    {
        tip << ", " << std::round(100 * place.load) << " % in use";
    }
    os << "  n" << index << " [pos=\"" << Points(place.x) << "," << Points(place.y)
       << "\", shape=" << look.shape << ", label=" << (named ? QuoteForDot(place.label) : "\"\"")
       << (named ? "" : ", width=0.16, height=0.16, fixedsize=true")
       << ", tooltip=" << QuoteForDot(tip.str()) << ", fontcolor=\""
       << (light ? "#000000" : "#ffffff") << "\", fillcolor=\""
       << (std::isnan(place.load) ? look.hue : LOADS[load].hue) << "\"];\n";
}

void
TopologyDrawing::WriteLine(std::ostream& os, const Line& line) const
{
    const bool circuit = line.plane != NO_PLANE;
    const double load = GetLoad(line);
    const bool loaded = !std::isnan(load);
    PlainStream text;
    text << GetRate(line);
    if (loaded)
    {
        text << ", " << std::round(100 * load) << " %";
    }
    const double count = std::max(line.count[0], line.count[1]);
    const double width = loaded        ? 1 + 4 * std::min(load, 1.0)
                         : circuit     ? 1.2 + 0.6 * std::log2(count)
                         : line.routed ? 0.7 + 0.4 * std::log2(count)
                                       : 0.3;
    os << "  n" << line.a << " -- n" << line.b << " [color=\""
       << (loaded        ? LOADS[FindLoad(load)].hue
           : circuit     ? GetHue(line.plane)
           : line.routed ? "#94a3b8"
                         : "#cbd5e1")
       << "\", penwidth=" << FormatFixed(width, 2) << ", tooltip="
       << QuoteForDot(m_places[line.a].label + " to " + m_places[line.b].label + ": " + text.str());
    if (m_labels && line.routed)
    {
        os << ", label=" << QuoteForDot(loaded ? FormatFixed(100 * load, 0) + " %" : text.str());
    }
    // One-way circuits have an arrow.
    os << (line.count[1] == 0   ? ", dir=forward, arrowsize=0.6"
           : line.count[0] == 0 ? ", dir=back, arrowsize=0.6"
                                : "")
       << "];\n";
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
       << 1.3 * font << ", labelloc=t, label=" << QuoteForDot(m_title) << "];\n"
       << "  node [fontname=\"DejaVu Sans\", fontsize=" << font
       << ", style=filled, margin=\"0.06,0.03\", width=0, height=0, penwidth=0.7];\n"
       << "  edge [fontname=\"DejaVu Sans\", fontsize=" << 0.8 * font << "];\n";
    const bool hostsNamed = FindPlaces(Kind::HOST).size() <= 8;
    for (std::size_t i = 0; i < m_places.size(); ++i)
    {
        WriteNode(os, i, hostsNamed);
    }
    // Circuits are drawn above the fibres that they use.
    std::vector<Line> lines = m_lines;
    std::stable_partition(lines.begin(), lines.end(), [](const Line& l) { return !l.routed; });
    for (const Line& line : lines)
    {
        WriteLine(os, line);
    }
    os << "  legend [shape=plain, fillcolor=white, pos=\"" << Points(right + 0.5 + font * 10 / 72)
       << "," << Points((top + bottom) / 2)
       << "\", label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\">" << MakeLegend()
       << "</TABLE>>];\n}\n";
}

void
TopologyDrawing::Write(OutputFiles& files, const std::string& name)
{
    AtomicFile file(files.Path(name));
    WriteDot(file.Stream());
    files.Commit(file, "the picture for Graphviz");
}

} // namespace ns3::odcn
