// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-topology-svg.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-safe-text.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <limits>
#include <map>
#include <sstream>

namespace ns3::odcn
{

namespace
{

/// Pixels of an inch.
constexpr double INCH = 72;

/// Space around the picture, pixels.
constexpr double MARGIN = 0.2 * INCH;

/// Width of a picture, in units of its text's size, at which a phone shows text of 9 pixels in
/// pages that leave 338 pixels for pictures.
constexpr double READABLE_WIDTH = 37;

/// Places of a name beside its node.
constexpr uint32_t NAME_CHOICES = 8;

/// Size of a title, in units of the text's size.
constexpr double TITLE_SIZE = 1.3;

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
    const char* name; //!< in the legend
    const char* hue;  //!< colour
    char symbol;      //!< see TopologySvg::LegendRow
};

/// @param kind of a node
/// @return how it is drawn
const Look&
GetLook(TopologyDrawing::Kind kind)
{
    static constexpr std::array<Look, 8> looks{{{"host", "#475569", 'o'},
                                                {"switch of a rack", "#1f6fb4", 's'},
                                                {"packet switch", "#0e7490", 's'},
                                                {"optical circuit switch", "#facc15", 's'},
                                                {"gateway", "#7c3aed", 's'},
                                                {"business area", "#1f6fb4", 's'},
                                                {"residential area", "#15803d", 'd'},
                                                {"site in another area", "#64748b", 'o'}}};
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

/// @param text UTF-8
/// @return its number of characters
std::size_t
CountCharacters(const std::string& text)
{
    return std::count_if(text.begin(),
                         text.end(),
                         [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
}

/// Write a symbol. @param os the file  @param symbol see TopologySvg::LegendRow
/// @param at its centre  @param half half of its width and height  @param hue its colour
void
WriteSymbol(std::ostream& os,
            char symbol,
            TopologySvg::Point at,
            TopologySvg::Point half,
            const std::string& hue)
{
    const auto f = &TopologySvg::Format;
    const std::string style = "\" fill=\"" + hue + "\" stroke=\"#000000\" stroke-width=\"0.7\"/>";
    if (symbol == 'o')
    {
        os << "<ellipse cx=\"" << f(at.x) << "\" cy=\"" << f(at.y) << "\" rx=\"" << f(half.x)
           << "\" ry=\"" << f(half.y) << style;
    }
    else if (symbol == 's')
    {
        os << "<rect x=\"" << f(at.x - half.x) << "\" y=\"" << f(at.y - half.y) << "\" width=\""
           << f(2 * half.x) << "\" height=\"" << f(2 * half.y) << style;
    }
    else
    {
        os << "<polygon points=\"" << f(at.x - half.x) << "," << f(at.y) << " " << f(at.x) << ","
           << f(at.y - half.y) << " " << f(at.x + half.x) << "," << f(at.y) << " " << f(at.x) << ","
           << f(at.y + half.y) << style;
    }
}

} // namespace

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
    const bool within = m_places[line.a].kind == Kind::HOST || m_places[line.b].kind == Kind::HOST;
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

void
TopologyDrawing::WriteSvg(std::ostream& os)
{
    const TopologySvg svg(*this);
    const auto legend = svg.MakeLegend();
    svg.Begin(os, legend);
    svg.WriteLines(os);
    svg.WriteNodes(os);
    svg.WriteLegend(os, legend);
    TopologySvg::End(os);
}

void
TopologyDrawing::Write(OutputFiles& files, const std::string& name)
{
    AtomicFile file(files.Path(name));
    WriteSvg(file.Stream());
    files.Commit(file, "the picture, for a browser");
}

std::string
TopologySvg::Format(double value)
{
    PlainStream os;
    os << std::fixed << std::setprecision(2) << std::round(value * 100) / 100 + 0.0;
    return os.str();
}

bool
TopologySvg::IsMap() const
{
    return m_drawing.m_layout == TopologyDrawing::Layout::MAP;
}

bool
TopologySvg::IsNamed(uint32_t place) const
{
    return m_hostsNamed || m_drawing.m_places[place].kind != TopologyDrawing::Kind::HOST;
}

double
TopologySvg::GetWidth(const std::string& text) const
{
    return 0.62 * m_font * double(CountCharacters(text));
}

double
TopologySvg::GetOverlap(const Box& a, const Box& b)
{
    const double width = std::min(a.right, b.right) - std::max(a.left, b.left);
    const double height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
    return width > 0 && height > 0 ? width * height : 0;
}

TopologySvg::TopologySvg(TopologyDrawing& drawing)
    : m_drawing(drawing),
      m_hostsNamed(drawing.FindPlaces(TopologyDrawing::Kind::HOST).size() <= 8)
{
    drawing.Arrange();
    double left = 0;
    double right = 0;
    for (const auto& place : drawing.m_places)
    {
        left = std::min(left, place.x);
        right = std::max(right, place.x);
    }
    // Text is as legible in a wide picture as in a narrow one.
    m_font = std::max(10.0, (right - left) * 0.4) * INCH / 72;
    double scale = INCH;
    if (IsMap())
    {
        // A map has the least size at which names do not overlap, within limits, since sites may
        // share a place. Then it grows as far as it can be read on a phone.
        scale = 0;
        for (const double step : {1.5, 1.05})
        {
            for (scale = std::max(INCH / 8, scale / 1.5);
                 PlaceNames(scale) > 0 && scale < 20 * INCH;)
            {
                scale *= step;
            }
        }
        const double most = READABLE_WIDTH * m_font - 2 * MARGIN;
        for (double larger = 1.05 * scale; larger < INCH && PlaceNames(larger) == 0; larger *= 1.05)
        {
            Measure();
            if (m_extent.right - m_extent.left > most)
            {
                break;
            }
            scale = larger;
        }
        PlaceNames(scale);
    }
    else
    {
        SetScale(scale);
        // Names grow until the picture can be read on a phone, or they touch each other.
        const double least = m_font;
        while (m_font * READABLE_WIDTH < (right - left) * INCH + 4 * MARGIN && !Touch())
        {
            m_font *= 1.02;
            SetScale(scale);
        }
        if (m_font > least && Touch())
        {
            m_font /= 1.02;
            SetScale(scale);
        }
    }
    Measure();
}

void
TopologySvg::Measure()
{
    constexpr double LEAST = std::numeric_limits<double>::lowest();
    m_extent = {-LEAST, -LEAST, LEAST, LEAST};
    for (uint32_t i = 0; i < m_centres.size(); ++i)
    {
        Widen(GetBox(i));
        if (IsMap())
        {
            Widen(m_names[i].box);
        }
    }
    if (m_centres.empty())
    {
        m_extent = {0, 0, 0, 0};
    }
}

TopologySvg::Box
TopologySvg::GetBox(uint32_t place) const
{
    const Point at = m_centres[place];
    const Point half = m_halves[place];
    return {at.x - half.x, at.y - half.y, at.x + half.x, at.y + half.y};
}

void
TopologySvg::Widen(const Box& box)
{
    m_extent.left = std::min(m_extent.left, box.left);
    m_extent.top = std::min(m_extent.top, box.top);
    m_extent.right = std::max(m_extent.right, box.right);
    m_extent.bottom = std::max(m_extent.bottom, box.bottom);
}

void
TopologySvg::SetScale(double scale)
{
    m_centres.clear();
    m_halves.clear();
    for (uint32_t i = 0; i < m_drawing.m_places.size(); ++i)
    {
        const auto& place = m_drawing.m_places[i];
        m_centres.push_back({place.x * scale, -place.y * scale});
        if (IsMap())
        {
            m_halves.push_back({0.5 * m_font, 0.5 * m_font});
        }
        else if (IsNamed(i))
        {
            m_halves.push_back({GetWidth(place.label) / 2 + 0.06 * INCH, 0.75 * m_font});
        }
        else
        {
            m_halves.push_back({0.08 * INCH, 0.08 * INCH});
        }
    }
}

bool
TopologySvg::Touch() const
{
    for (uint32_t i = 0; i < m_centres.size(); ++i)
    {
        for (uint32_t j = 0; j < i; ++j)
        {
            if ((IsNamed(i) || IsNamed(j)) && GetOverlap(GetBox(i), GetBox(j)) > 0)
            {
                return true;
            }
        }
    }
    return false;
}

double
TopologySvg::PlaceNames(double scale)
{
    SetScale(scale);
    const auto n = uint32_t(m_centres.size());
    // A descent may end where no name alone can move, so several begin at different places.
    const uint32_t descents = std::clamp(40000 / std::max(1U, n * n), 1U, 30U);
    std::vector<Name> best;
    double least = std::numeric_limits<double>::infinity();
    for (uint32_t descent = 0; descent < descents && least > 0; ++descent)
    {
        m_names.clear();
        for (uint32_t i = 0; i < n; ++i)
        {
            m_names.push_back(GetName(i, (i * i * descent + 3 * i + descent) % NAME_CHOICES));
        }
        double before = std::numeric_limits<double>::infinity();
        for (double sum = before / 2; sum > 0; before = sum)
        {
            sum = 0;
            for (uint32_t i = 0; i < n; ++i)
            {
                sum += PlaceName(i);
            }
            if (sum < least)
            {
                least = sum;
                best = m_names;
            }
            if (sum >= before)
            {
                break;
            }
        }
    }
    m_names = best;
    return n == 0 ? 0 : least;
}

double
TopologySvg::PlaceName(uint32_t index)
{
    double best = std::numeric_limits<double>::infinity();
    for (uint32_t choice = 0; choice < NAME_CHOICES; ++choice)
    {
        const Name name = GetName(index, choice);
        double overlap = 0;
        for (uint32_t other = 0; other < m_centres.size() && overlap < best; ++other)
        {
            overlap += GetOverlap(name.box, GetBox(other));
            overlap += other == index ? 0 : GetOverlap(name.box, m_names[other].box);
        }
        if (overlap < best)
        {
            best = overlap;
            m_names[index] = name;
        }
    }
    return best;
}

TopologySvg::Name
TopologySvg::GetName(uint32_t index, uint32_t choice) const
{
    const double width = GetWidth(m_drawing.m_places[index].label);
    const double gap = m_halves[index].x + 0.2 * m_font;
    const Point centre = m_centres[index];
    const double base = 0.35 * m_font; // from the middle of a name to its base line
    // Anchor, and position of the base line.
    const std::array<std::pair<const char*, Point>, NAME_CHOICES> choices{
        {{"start", {centre.x + gap, centre.y + base}},
         {"end", {centre.x - gap, centre.y + base}},
         {"middle", {centre.x, centre.y - gap - 0.2 * m_font}},
         {"middle", {centre.x, centre.y + gap + 0.8 * m_font}},
         {"start", {centre.x + 0.75 * gap, centre.y - 0.7 * gap - 0.1 * m_font}},
         {"start", {centre.x + 0.75 * gap, centre.y + 0.7 * gap + 0.8 * m_font}},
         {"end", {centre.x - 0.75 * gap, centre.y - 0.7 * gap - 0.1 * m_font}},
         {"end", {centre.x - 0.75 * gap, centre.y + 0.7 * gap + 0.8 * m_font}}}};
    const auto& [anchor, at] = choices[choice];
    const double left = at.x - (anchor[0] == 's' ? 0 : anchor[0] == 'e' ? width : width / 2);
    return {at, anchor, {left, at.y - 0.85 * m_font, left + width, at.y + 0.25 * m_font}};
}

std::vector<TopologySvg::LegendRow>
TopologySvg::MakeLegend() const
{
    std::vector<LegendRow> legend;
    const auto& places = m_drawing.m_places;
    const bool loaded = m_drawing.m_loaded;
    const bool used = std::any_of(places.begin(),
                                  places.end(),
                                  [](const auto& place) { return !std::isnan(place.load); });
    for (const auto& [kind, number] : m_drawing.m_numbers)
    {
        const Look& look = GetLook(kind);
        legend.push_back(
            {used ? "#000000" : look.hue, look.symbol, std::to_string(number) + " x " + look.name});
    }
    std::map<std::string, uint32_t> rates;
    std::map<uint32_t, uint32_t> planes;
    uint32_t circuits = 0;
    for (const auto& line : m_drawing.m_lines)
    {
        if (line.plane == TopologyDrawing::NO_PLANE)
        {
            rates[TopologyDrawing::GetRate(line)] += 1;
        }
        else
        {
            planes[line.plane] += line.count[0] + line.count[1];
            circuits += line.count[0] + line.count[1];
        }
    }
    for (const auto& [rate, number] : rates)
    {
        legend.push_back({"#94a3b8", '-', FormatCount(number, "link") + " of " + rate});
    }
    if (loaded && circuits > 0)
    {
        legend.push_back({"#000000", '-', FormatCount(circuits, "circuit")});
    }
    for (const auto& [plane, number] : planes)
    {
        if (!loaded)
        {
            legend.push_back(
                {TopologyDrawing::GetHue(plane),
                 '-',
                 FormatCount(number, "circuit") + " of switch " + std::to_string(plane)});
        }
    }
    if (loaded || used)
    {
        const std::string what = loaded && used ? "links, sites" : loaded ? "links" : "sites";
        legend.push_back({"#000000", ' ', "load of " + what, true});
        for (const LoadClass& load : LOADS)
        {
            legend.push_back({load.hue, loaded ? '-' : 's', load.text, false, 4});
        }
    }
    return legend;
}

TopologySvg::LegendGrid
TopologySvg::ArrangeLegend(const std::vector<LegendRow>& legend) const
{
    LegendGrid grid;
    for (const LegendRow& row : legend)
    {
        grid.width = std::max(grid.width, GetWidth(row.text) + 4 * m_font);
    }
    const double room = std::max(m_extent.right - m_extent.left, grid.width);
    const auto columns = std::max<std::size_t>(1, std::size_t(room / std::max(grid.width, 1.0)));
    grid.rows = (legend.size() + columns - 1) / columns;
    grid.columns = grid.rows == 0 ? 1 : (legend.size() + grid.rows - 1) / grid.rows;
    return grid;
}

std::vector<std::string>
TopologySvg::WrapTitle(double width) const
{
    const double most = std::max(20.0, width / (TITLE_SIZE * GetWidth("m")));
    std::vector<std::string> lines;
    std::istringstream paragraphs(m_drawing.m_title);
    for (std::string paragraph; std::getline(paragraphs, paragraph);)
    {
        lines.emplace_back();
        std::istringstream words(paragraph);
        for (std::string word; words >> word;)
        {
            const std::string longer = lines.back() + (lines.back().empty() ? "" : " ") + word;
            if (lines.back().empty() || double(CountCharacters(longer)) <= most)
            {
                lines.back() = longer;
            }
            else
            {
                lines.push_back(word);
            }
        }
    }
    return lines;
}

void
TopologySvg::Begin(std::ostream& os, const std::vector<LegendRow>& legend) const
{
    const LegendGrid grid = ArrangeLegend(legend);
    double content = std::max(m_extent.right - m_extent.left, grid.width * double(grid.columns));
    const std::vector<std::string> titles = WrapTitle(content);
    for (const std::string& title : titles)
    {
        content = std::max(content, TITLE_SIZE * GetWidth(title));
    }
    const double titleHeight = 1.7 * m_font * double(titles.size());
    const double width = content + 2 * MARGIN;
    const double left = (m_extent.left + m_extent.right - width) / 2;
    const double top = m_extent.top - MARGIN - titleHeight;
    const double height = m_extent.bottom + (1.5 * double(grid.rows) + 0.7) * m_font + MARGIN - top;
    os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << Format(width) << "\" height=\""
       << Format(height) << "\" viewBox=\"" << Format(left) << " " << Format(top) << " "
       << Format(width) << " " << Format(height)
       << "\" font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"" << Format(m_font)
       << "\">\n<rect x=\"" << Format(left) << "\" y=\"" << Format(top) << "\" width=\""
       << Format(width) << "\" height=\"" << Format(height) << "\" fill=\"#ffffff\"/>\n";
    for (std::size_t i = 0; i < titles.size(); ++i)
    {
        os << "<text class=\"title\" x=\"" << Format(left + width / 2) << "\" y=\""
           << Format(top + 1.5 * m_font * double(i + 1)) << "\" text-anchor=\"middle\" font-size=\""
           << Format(TITLE_SIZE * m_font) << "\">" << EscapeXml(MakeUtf8(titles[i])) << "</text>\n";
    }
}

void
TopologySvg::End(std::ostream& os)
{
    os << "</svg>\n";
}

void
TopologySvg::WriteLegend(std::ostream& os, const std::vector<LegendRow>& legend) const
{
    const LegendGrid grid = ArrangeLegend(legend);
    const double first = (m_extent.left + m_extent.right - grid.width * double(grid.columns)) / 2;
    os << "<g class=\"legend\">\n";
    for (std::size_t i = 0; i < legend.size(); ++i)
    {
        const LegendRow& row = legend[i];
        const double left = first + grid.width * double(i / grid.rows);
        const double y = m_extent.bottom + (1.5 * double(i % grid.rows) + 2.0) * m_font;
        const Point at{left + m_font, y - 0.35 * m_font};
        if (row.symbol == '-')
        {
            os << "<line x1=\"" << Format(at.x - m_font) << "\" y1=\"" << Format(at.y) << "\" x2=\""
               << Format(at.x + m_font) << "\" y2=\"" << Format(at.y) << "\" stroke=\"" << row.hue
               << "\" stroke-width=\"" << Format(row.width) << "\"/>";
        }
        else if (row.symbol != ' ')
        {
            WriteSymbol(os, row.symbol, at, {0.45 * m_font, 0.45 * m_font}, row.hue);
        }
        os << "<text x=\"" << Format(row.symbol == ' ' ? left : left + 2.6 * m_font) << "\" y=\""
           << Format(y) << "\"" << (row.bold ? " font-weight=\"bold\"" : "") << ">"
           << EscapeXml(row.text) << "</text>\n";
    }
    os << "</g>\n";
}

void
TopologySvg::WriteLines(std::ostream& os, bool circuits) const
{
    // Circuits are drawn above the fibres that they use.
    for (const bool routed : {false, true})
    {
        for (const auto& line : m_drawing.m_lines)
        {
            const bool fixed = line.routed && line.plane == TopologyDrawing::NO_PLANE;
            if (line.routed == routed && (circuits || fixed))
            {
                WriteLine(os, line);
            }
        }
    }
}

void
TopologySvg::WriteLine(std::ostream& os, const TopologyDrawing::Line& line) const
{
    const bool circuit = line.plane != TopologyDrawing::NO_PLANE;
    const double load = m_drawing.GetLoad(line);
    const bool loaded = !std::isnan(load);
    PlainStream text;
    text << TopologyDrawing::GetRate(line);
    if (loaded)
    {
        text << ", " << std::round(100 * load) << " %";
    }
    const double count = std::max(line.count[0], line.count[1]);
    const double width = loaded        ? 1 + 4 * std::min(load, 1.0)
                         : circuit     ? 1.2 + 0.6 * std::log2(count)
                         : line.routed ? 0.7 + 0.4 * std::log2(count)
                                       : 0.3;
    const std::string hue = loaded        ? LOADS[FindLoad(load)].hue
                            : circuit     ? TopologyDrawing::GetHue(line.plane)
                            : line.routed ? "#94a3b8"
                                          : "#cbd5e1";
    const Point a = m_centres[line.a];
    const Point b = m_centres[line.b];
    os << "<g class=\"link\"><title>"
       << EscapeXml(MakeUtf8(m_drawing.m_places[line.a].label + " to " +
                             m_drawing.m_places[line.b].label + ": " + text.str()))
       << "</title><line x1=\"" << Format(a.x) << "\" y1=\"" << Format(a.y) << "\" x2=\""
       << Format(b.x) << "\" y2=\"" << Format(b.y) << "\" stroke=\"" << hue << "\" stroke-width=\""
       << Format(width) << "\"/>";
    if (line.count[0] == 0 || line.count[1] == 0)
    {
        // A circuit in one direction has an arrow, in its middle.
        const Point from = line.count[1] == 0 ? a : b;
        const Point to = line.count[1] == 0 ? b : a;
        const double turn = std::atan2(to.y - from.y, to.x - from.x) * 180 / M_PI;
        os << "<polygon class=\"arrow\" points=\"5,0 -5,-4 -5,4\" fill=\"" << hue
           << "\" transform=\"translate(" << Format((a.x + b.x) / 2) << ","
           << Format((a.y + b.y) / 2) << ") rotate(" << Format(turn) << ")\"/>";
    }
    if (m_drawing.m_labels && line.routed)
    {
        os << "<text x=\"" << Format((a.x + b.x) / 2) << "\" y=\""
           << Format((a.y + b.y) / 2 + 0.28 * m_font) << "\" text-anchor=\"middle\" font-size=\""
           << Format(0.8 * m_font)
           << "\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\">"
           << EscapeXml(loaded ? std::to_string(std::lround(100 * load)) + " %" : text.str())
           << "</text>";
    }
    os << "</g>\n";
}

void
TopologySvg::WriteNodes(std::ostream& os) const
{
    for (uint32_t i = 0; i < m_centres.size(); ++i)
    {
        WriteNode(os, i);
    }
}

void
TopologySvg::WriteNode(std::ostream& os, uint32_t index) const
{
    const auto& place = m_drawing.m_places[index];
    const Look& look = GetLook(place.kind);
    const bool loaded = !std::isnan(place.load);
    const std::size_t load = loaded ? FindLoad(place.load) : 0;
    const Point at = m_centres[index];
    PlainStream tip;
    tip << place.label;
    if (loaded)
    {
        tip << ", " << std::round(100 * place.load) << " % in use";
    }
    os << "<g class=\"node\"><title>" << EscapeXml(MakeUtf8(tip.str())) << "</title>";
    WriteSymbol(os, look.symbol, at, m_halves[index], loaded ? LOADS[load].hue : look.hue);
    if (IsMap())
    {
        const Name& name = m_names[index];
        os << "<text x=\"" << Format(name.at.x) << "\" y=\"" << Format(name.at.y)
           << "\" text-anchor=\"" << name.anchor
           << "\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\">"
           << EscapeXml(MakeUtf8(place.label)) << "</text>";
    }
    else if (IsNamed(index))
    {
        const bool light =
            place.kind == TopologyDrawing::Kind::OPTICAL_SWITCH || load == 1 || load == 2;
        os << "<text x=\"" << Format(at.x) << "\" y=\"" << Format(at.y + 0.35 * m_font)
           << "\" text-anchor=\"middle\" fill=\"" << (light ? "#000000" : "#ffffff") << "\">"
           << EscapeXml(MakeUtf8(place.label)) << "</text>";
    }
    os << "</g>\n";
}

} // namespace ns3::odcn
