// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-circuit-animation.h"

#include "ns3/callback.h"
#include "ns3/node.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-safe-text.h"
#include "ns3/simulator.h"
#include "ns3/tor-switch.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ostream>
#include <sstream>

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

} // namespace

CircuitAnimation::CircuitAnimation() = default;

CircuitAnimation::~CircuitAnimation() = default;

void
CircuitAnimation::AddOptions(OdcnCommandLine& cmd)
{
    cmd.AddValue("animation", "XML file for NetAnim; empty for none", m_path);
    cmd.AddValue("animationPackets", "Most packets of the animation", m_maxPackets);
    cmd.Restrict({"animationPackets"}, {"animation"});
}

void
CircuitAnimation::SetOptions(const CircuitAnimation& options, const std::string& name)
{
    m_path = OdcnCommandLine::Expand(options.m_path, name);
    m_maxPackets = options.m_maxPackets;
}

void
CircuitAnimation::Start(TopologyDrawing& drawing)
{
    if (m_path.empty())
    {
        return;
    }
    if (!m_ports.empty())
    {
        throw OdcnError("an animation records one run");
    }
    for (const auto& place : drawing.GetPlaces())
    {
        if (!place.node)
        {
            throw OdcnError("an animation needs nodes of ns-3; the drawing has '" + place.label +
                            "' without one");
        }
    }
    m_guard.emplace();
    m_file = std::make_unique<AtomicFile>(m_path);
    AtomicFile::RemoveTemporaries(m_path);
    drawing.Arrange();
    const auto& places = drawing.GetPlaces();
    std::ostream& os = m_file->Stream();
    os << "<anim ver=\"netanim-3.108\" filetype=\"animation\">\n";
    double left = 0;
    double top = 0;
    uint32_t last = 0;
    for (const auto& place : places)
    {
        left = std::min(left, place.x);
        top = std::max(top, place.y);
        last = std::max(last, place.node->GetId());
    }
    // NetAnim's vertical axis points downwards.
    const auto scale = [](double inches) { return std::round(100 * SCALE * inches) / 100; };
    const auto x = [&](const TopologyDrawing::Place& place) { return scale(place.x - left); };
    const auto y = [&](const TopologyDrawing::Place& place) { return scale(top - place.y); };
    for (const auto& place : places)
    {
        const bool host = place.kind == TopologyDrawing::Kind::HOST;
        AddNode(os,
                place.node->GetId(),
                host ? " " : place.label, // NetAnim shows the id in place of no name
                TopologyDrawing::GetHue(place.kind),
                host ? 2 : 5,
                x(place),
                y(place));
        AddPorts(*place.node);
    }
    std::map<uint32_t, Ptr<TorSwitch>> tors;
    for (const auto& place : places)
    {
        if (const auto tor = place.node->GetObject<TorSwitch>())
        {
            Rack& rack = m_racks[tor->GetRack()];
            rack = {this, place.node->GetId(), last + 1, x(place), y(place)};
            for (uint32_t port = 0; port < tor->GetNUplinks(); ++port)
            {
                AddNode(os, ++last, " ", TopologyDrawing::GetHue(port), 0.8, rack.x, rack.y);
            }
            tors[tor->GetRack()] = tor;
        }
    }
    for (const auto& line : drawing.GetLines())
    {
        // Not the fibres to optical switches, among which circuits would not be seen.
        if (line.plane == TopologyDrawing::NO_PLANE && line.routed)
        {
            os << "<link fromId=\"" << places[line.a].node->GetId() << "\" toId=\""
               << places[line.b].node->GetId() << "\" fd=\"\" td=\"\" ld=\"\"/>\n";
        }
    }
    for (auto& [number, rack] : m_racks)
    {
        Follow(rack, *tors.at(number));
    }
}

void
CircuitAnimation::AddPorts(const Node& node)
{
    for (uint32_t d = 0; d < node.GetNDevices(); ++d)
    {
        if (const auto device = DynamicCast<OcsNetDevice>(node.GetDevice(d)))
        {
            m_ports.push_back({this, device});
            Port* port = &m_ports.back();
            device->TraceConnectWithoutContext("PhyTxBegin", MakeBoundCallback(&NoteSent, port));
            device->TraceConnectWithoutContext("PhyRxEnd", MakeBoundCallback(&NoteReceived, port));
        }
    }
}

void
CircuitAnimation::Follow(Rack& rack, TorSwitch& tor)
{
    for (uint32_t port = 0; port < tor.GetNUplinks(); ++port)
    {
        m_file->Stream() << "<link fromId=\"" << rack.node << "\" toId=\""
                         << rack.firstMarker + port << "\" fd=\"\" td=\"\" ld=\"\"/>\n";
        if (tor.GetCircuit(port) != NO_RACK)
        {
            NoteCircuit(&rack, port, tor.GetCircuit(port), Time());
        }
    }
    tor.TraceConnectWithoutContext("Circuit", MakeBoundCallback(&NoteCircuit, &rack));
}

void
CircuitAnimation::NoteCircuit(Rack* rack, uint32_t port, RackId to, Time)
{
    if (!rack->all->m_file)
    {
        return;
    }
    Interruption::Check();
    std::ostream& os = rack->all->m_file->Stream();
    const Time now = Simulator::Now();
    const auto found = rack->all->m_racks.find(to);
    const bool up = found != rack->all->m_racks.end();
    const Rack& end = up ? found->second : *rack;
    // Beside the far switch, each uplink at a place of its own.
    const double shift = up ? 2.2 : 0;
    os << "<linkupdate t=\"" << ToSeconds(now) << "\" fromId=\"" << rack->node << "\" toId=\""
       << rack->firstMarker + port << "\" ld=\"";
    if (up)
    {
        os << "to rack " << to;
    }
    os << "\"/>\n";
    Update(os, 'p', rack->firstMarker + port, now)
        << " x=\"" << end.x + shift * std::cos(port) << "\" y=\"" << end.y + shift * std::sin(port)
        << "\"/>\n";
    ++rack->all->m_changes;
}

void
CircuitAnimation::NoteSent(Port* port, Ptr<const Packet> packet)
{
    // Devices hand over the object that they got. One that is lost leaves an entry behind, which
    // the next packet at the same address replaces before it arrives.
    if (port->all->m_file)
    {
        Interruption::Check();
        const Time now = Simulator::Now();
        port->all->m_flights[PeekPointer(packet)] = {
            port->device->GetNode()->GetId(),
            now,
            now + port->device->GetTxTime(packet->GetSize())};
    }
}

void
CircuitAnimation::NoteReceived(Port* port, Ptr<const Packet> packet)
{
    CircuitAnimation& all = *port->all;
    const auto flight = all.m_flights.find(PeekPointer(packet));
    if (!all.m_file || flight == all.m_flights.end())
    {
        return;
    }
    const Time now = Simulator::Now();
    if (all.m_packets == all.m_maxPackets)
    {
        ++all.m_left;
    }
    else
    {
        ++all.m_packets;
        all.m_lastPacket = now;
        all.m_file->Stream() << "<p fId=\"" << flight->second.node << "\" fbTx=\""
                             << ToSeconds(flight->second.firstBit) << "\" lbTx=\""
                             << ToSeconds(flight->second.lastBit) << "\" meta-info=\"packet "
                             << packet->GetUid() << ", " << packet->GetSize() << " bytes\" tId=\""
                             << port->device->GetNode()->GetId() << "\" fbRx=\"" << ToSeconds(now)
                             << "\" lbRx=\"" << ToSeconds(now) << "\"/>\n";
    }
    all.m_flights.erase(flight);
}

void
CircuitAnimation::Finish(std::ostream& os)
{
    if (!m_file)
    {
        return;
    }
    Interruption::Check();
    m_file->Stream() << "</anim>\n";
    m_file->Commit();
    m_file.reset();
    m_guard.reset();
    os << "Animation   " << m_path << ": " << m_changes << " changes of circuits, " << m_packets
       << " packets on links";
    if (m_left > 0)
    {
        os << "; the " << m_left << " packets after " << m_lastPacket.GetSeconds() * 1e3
           << " ms are left out (--animationPackets)";
    }
    os << "\n";
}

} // namespace ns3::odcn
