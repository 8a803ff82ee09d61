// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-animation-format.h"

#include "ns3/node.h"
#include "ns3/odcn-safe-text.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>

namespace ns3::odcn
{

namespace
{

/// Units of NetAnim for an inch of a drawing.
constexpr double SCALE = 20;

/// @param time a time  @return seconds, to the picosecond
std::string
ToSeconds(Time time)
{
    const int64_t ps = time.GetPicoSeconds();
    const std::string digits = std::to_string(ps % 1000000000000);
    return std::to_string(ps / 1000000000000) + "." + std::string(12 - digits.size(), '0') + digits;
}

/// Begin the update of a node. @param os file  @param what property  @param node the node
/// @param time when  @return the file
std::ostream&
Update(std::ostream& os, char what, uint32_t node, Time time = Time(0))
{
    return os << "<nu p=\"" << what << "\" t=\"" << ToSeconds(time) << "\" id=\"" << node << "\"";
}

/// Add a node. @param os file  @param id its id  @param label its name  @param hue "#rrggbb"
/// @param size diameter  @param x position  @param y position
void
AddNode(std::ostream& os,
        uint32_t id,
        const std::string& label,
        const std::string& hue,
        double size,
        double x,
        double y)
{
    os << "<node id=\"" << id << "\" sysId=\"0\" descr=\"" << EscapeXml(label) << "\" locX=\"" << x
       << "\" locY=\"" << y << "\"/>\n";
    const auto part = [&hue](std::size_t at) { return std::stoul(hue.substr(at, 2), nullptr, 16); };
    Update(os, 'c', id) << " r=\"" << part(1) << "\" g=\"" << part(3) << "\" b=\"" << part(5)
                        << "\"/>\n";
    Update(os, 's', id) << " w=\"" << size << "\" h=\"" << size << "\"/>\n";
}

/// An animation for NetAnim 3.108 and later, in XML.
class NetAnimFormat : public AnimationFormat
{
  public:
    /// @param os the file
    explicit NetAnimFormat(std::ostream& os)
        : m_os(os)
    {
    }

    bool ListsPackets() const override
    {
        return true;
    }

    void Begin(const TopologyDrawing& drawing, const std::vector<Rack>& racks) override;
    void AddCircuit(Time now, std::size_t rack, uint32_t port, std::size_t to) override;
    void AddPacket(const Crossing& crossing) override;

    void End(Time) override
    {
        m_os << "</anim>\n";
    }

  private:
    /// A ToR switch and its uplinks.
    struct Switch
    {
        RackId rack;          //!< its number
        uint32_t node;        //!< id of its node
        uint32_t firstMarker; //!< id of the node of its first uplink; others follow
        double x;             //!< position
        double y;             //!< position
    };

    std::ostream& m_os;             //!< the file
    std::vector<uint32_t> m_nodes;  //!< id of each node of the drawing
    std::vector<Switch> m_switches; //!< by rack
};

void
NetAnimFormat::Begin(const TopologyDrawing& drawing, const std::vector<Rack>& racks)
{
    const auto& places = drawing.GetPlaces();
    m_os << "<anim ver=\"netanim-3.108\" filetype=\"animation\">\n";
    double left = 0;
    double top = 0;
    uint32_t last = 0;
    for (const auto& place : places)
    {
        left = std::min(left, place.x);
        top = std::max(top, place.y);
        last = std::max(last, place.node->GetId());
        m_nodes.push_back(place.node->GetId());
    }
    // NetAnim's vertical axis points downwards.
    const auto scale = [](double inches) { return std::round(100 * SCALE * inches) / 100; };
    const auto x = [&](const TopologyDrawing::Place& place) { return scale(place.x - left); };
    const auto y = [&](const TopologyDrawing::Place& place) { return scale(top - place.y); };
    for (const auto& place : places)
    {
        const bool host = place.kind == TopologyDrawing::Kind::HOST;
        AddNode(m_os,
                place.node->GetId(),
                host ? " " : place.label, // NetAnim shows the id in place of no name
                TopologyDrawing::GetHue(place.kind),
                host ? 2 : 5,
                x(place),
                y(place));
    }
    for (const Rack& rack : racks)
    {
        const auto& place = places[rack.place];
        m_switches.push_back({rack.rack, m_nodes[rack.place], last + 1, x(place), y(place)});
        for (uint32_t port = 0; port < rack.opticals.size(); ++port)
        {
            AddNode(m_os, ++last, " ", TopologyDrawing::GetHue(port), 0.8, x(place), y(place));
        }
    }
    const auto link = [this](uint32_t from, uint32_t to) {
        m_os << "<link fromId=\"" << from << "\" toId=\"" << to << "\" fd=\"\" td=\"\" ld=\"\"/>\n";
    };
    for (const auto& line : drawing.GetLines())
    {
        // Not the fibres to optical switches, among which circuits would not be seen.
        if (line.plane == TopologyDrawing::NO_PLANE && line.routed)
        {
            link(m_nodes[line.a], m_nodes[line.b]);
        }
    }
    for (std::size_t i = 0; i < racks.size(); ++i)
    {
        for (uint32_t port = 0; port < racks[i].opticals.size(); ++port)
        {
            link(m_switches[i].node, m_switches[i].firstMarker + port);
        }
    }
}

void
NetAnimFormat::AddCircuit(Time now, std::size_t rack, uint32_t port, std::size_t to)
{
    const bool up = to < m_switches.size();
    const Switch& from = m_switches[rack];
    const Switch& end = up ? m_switches[to] : from;
    // Beside the far switch, each uplink at a place of its own.
    const double shift = up ? 2.2 : 0;
    m_os << "<linkupdate t=\"" << ToSeconds(now) << "\" fromId=\"" << from.node << "\" toId=\""
         << from.firstMarker + port << "\" ld=\"";
    if (up)
    {
        m_os << "to rack " << end.rack;
    }
    m_os << "\"/>\n";
    Update(m_os, 'p', from.firstMarker + port, now)
        << " x=\"" << end.x + shift * std::cos(port) << "\" y=\"" << end.y + shift * std::sin(port)
        << "\"/>\n";
}

void
NetAnimFormat::AddPacket(const Crossing& crossing)
{
    // As long as it takes to leave; an optical switch on the way does not store it.
    const Time firstArrival = crossing.arrival - (crossing.lastBit - crossing.firstBit);
    m_os << "<p fId=\"" << m_nodes[crossing.from] << "\" fbTx=\"" << ToSeconds(crossing.firstBit)
         << "\" lbTx=\"" << ToSeconds(crossing.lastBit) << "\" meta-info=\"packet " << crossing.uid
         << ", " << crossing.size << " bytes\" tId=\"" << m_nodes[crossing.to] << "\" fbRx=\""
         << ToSeconds(firstArrival) << "\" lbRx=\"" << ToSeconds(crossing.arrival) << "\"/>\n";
}

} // namespace

std::unique_ptr<AnimationFormat>
AnimationFormat::MakeNetAnim(std::ostream& os)
{
    return std::make_unique<NetAnimFormat>(os);
}

} // namespace ns3::odcn
