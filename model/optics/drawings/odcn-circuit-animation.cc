// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-circuit-animation.h"

#include "odcn-svg-animation.h"

#include "ns3/callback.h"
#include "ns3/node.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"
#include "ns3/tor-switch.h"

#include <ostream>
#include <utility>
#include <vector>

namespace ns3::odcn
{

CircuitAnimation::CircuitAnimation() = default;

CircuitAnimation::~CircuitAnimation() = default;

void
CircuitAnimation::AddOptions(OdcnCommandLine& cmd)
{
    cmd.AddValue("animation",
                 "File of an animation for a browser, NAME.svg; empty for none",
                 m_path);
}

void
CircuitAnimation::SetOptions(const CircuitAnimation& options, const std::string& name)
{
    m_path = OdcnCommandLine::Expand(options.m_path, name);
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
    if (!m_path.ends_with(".svg"))
    {
        throw OdcnError::InOption("animation", m_path, "the name of a file that ends in .svg");
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
    m_picture = std::make_unique<SvgAnimation>(m_file->Stream());
    drawing.Arrange();
    const auto& places = drawing.GetPlaces();
    std::map<RackId, Ptr<TorSwitch>> tors;
    std::map<RackId, uint32_t> placeOf;
    for (uint32_t i = 0; i < places.size(); ++i)
    {
        if (const auto tor = places[i].node->GetObject<TorSwitch>())
        {
            tors[tor->GetRack()] = tor;
            placeOf[tor->GetRack()] = i;
        }
    }
    std::vector<SvgAnimation::Rack> racks;
    for (const auto& [rack, tor] : tors)
    {
        m_racks[rack] = {this, racks.size()};
        racks.push_back({placeOf.at(rack), places[placeOf.at(rack)].opticals});
        racks.back().opticals.resize(tor->GetNUplinks(), SvgAnimation::NO_PLACE);
    }
    m_picture->Begin(drawing, racks);
    for (uint32_t i = 0; i < places.size(); ++i)
    {
        AddPorts(*places[i].node, i);
    }
    for (auto& [number, rack] : m_racks)
    {
        Follow(rack, *tors.at(number));
    }
}

void
CircuitAnimation::AddPorts(const Node& node, uint32_t place)
{
    const auto tor = node.GetObject<TorSwitch>();
    std::map<Ptr<NetDevice>, uint32_t> uplinks;
    for (uint32_t port = 0; tor && port < tor->GetNUplinks(); ++port)
    {
        uplinks[tor->GetUplink(port)] = port;
    }
    for (uint32_t d = 0; d < node.GetNDevices(); ++d)
    {
        if (const auto device = DynamicCast<OcsNetDevice>(node.GetDevice(d)))
        {
            const auto uplink = uplinks.find(device);
            m_ports.push_back({this,
                               device,
                               place,
                               uplink == uplinks.end() ? SvgAnimation::NO_UPLINK : uplink->second});
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
    CircuitAnimation& all = *rack->all;
    if (!all.m_picture)
    {
        return;
    }
    Interruption::Check();
    const auto found = all.m_racks.find(to);
    const std::size_t end = found == all.m_racks.end() ? all.m_racks.size() : found->second.index;
    all.m_picture->AddCircuit(Simulator::Now(), rack->index, port, end);
    ++all.m_changes;
}

void
CircuitAnimation::NoteSent(Port* port, Ptr<const Packet> packet)
{
    // Devices hand over the object that they got. One that is lost leaves an entry behind, which
    // the next packet at the same address replaces before it arrives.
    if (port->all->m_picture)
    {
        Interruption::Check();
        const Time now = Simulator::Now();
        port->all->m_flights[PeekPointer(packet)] =
            {port->place, port->uplink, now, now + port->device->GetTxTime(packet->GetSize())};
    }
}

void
CircuitAnimation::NoteReceived(Port* port, Ptr<const Packet> packet)
{
    CircuitAnimation& all = *port->all;
    const auto flight = all.m_flights.find(PeekPointer(packet));
    if (!all.m_picture || flight == all.m_flights.end())
    {
        return;
    }
    ++all.m_packets;
    all.m_picture->AddPacket({flight->second.place,
                              port->place,
                              flight->second.uplink,
                              flight->second.firstBit,
                              flight->second.lastBit,
                              Simulator::Now(),
                              packet->GetSize()});
    all.m_flights.erase(flight);
}

void
CircuitAnimation::Finish(std::ostream& os)
{
    if (!m_picture)
    {
        return;
    }
    Interruption::Check();
    m_picture->End(Simulator::Now());
    m_picture.reset();
    m_file->Commit();
    m_file.reset();
    m_guard.reset();
    os << "Animation   " << m_path << ": " << m_changes << " changes of circuits, " << m_packets
       << " packets on links\n";
}

} // namespace ns3::odcn
