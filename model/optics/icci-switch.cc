// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-switch.h"

#include "ns3/log.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <string>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("IcciSwitch");

NS_OBJECT_ENSURE_REGISTERED(IcciSwitch);

TypeId
IcciSwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::IcciSwitch")
            .SetParent<Object>()
            .SetGroupName("Odcn")
            .AddConstructor<IcciSwitch>()
            .AddAttribute("Spreading",
                          "How packets spread over equivalent ports: PerFlow (hash) or ByHost",
                          CompatEnumValue<SpreadingMode>(PER_FLOW),
                          CompatEnumAccessor<SpreadingMode>(&IcciSwitch::m_spreading),
                          MakeEnumChecker(PER_FLOW, "PerFlow", BY_HOST, "ByHost"))
            .AddTraceSource("Drop",
                            "A packet was lost here or in a port: the packet and the cause",
                            MakeTraceSourceAccessor(&IcciSwitch::m_dropTrace),
                            "ns3::odcn::IcciSwitch::DropTracedCallback");
    return tid;
}

IcciSwitch::IcciSwitch() = default;

IcciSwitch::~IcciSwitch() = default;

void
IcciSwitch::DoDispose()
{
    for (const Ptr<OcsNetDevice>& port : m_ports)
    {
        if (port)
        {
            port->SetUser(nullptr, 0);
        }
    }
    m_ports.clear();
    Object::DoDispose();
}

void
IcciSwitch::SetPlace(const IcciPlace& place)
{
    m_place = place;
}

const IcciPlace&
IcciSwitch::GetPlace() const
{
    return m_place;
}

void
IcciSwitch::SetPort(uint32_t port, Ptr<OcsNetDevice> device)
{
    m_ports.resize(std::max<std::size_t>(m_ports.size(), port + 1));
    m_ports[port] = device;
    device->SetUser(this, port);
}

Ptr<OcsNetDevice>
IcciSwitch::GetPort(uint32_t port) const
{
    return port < m_ports.size() ? m_ports[port] : nullptr;
}

uint32_t
IcciSwitch::GetNPorts() const
{
    return static_cast<uint32_t>(m_ports.size());
}

void
IcciSwitch::AddRoute(uint32_t centre, Ptr<OcsNetDevice> device)
{
    if (m_place.layer != IcciLayer::GATEWAY || centre >= IcciAddress::MAX_CENTRES ||
        centre == m_place.centre)
    {
        throw OdcnError::InOption("route of a gateway",
                                  std::to_string(centre),
                                  "another centre, below 256");
    }
    const auto known = std::find(m_ports.begin(), m_ports.end(), device);
    const auto port = static_cast<uint32_t>(known - m_ports.begin());
    if (known == m_ports.end())
    {
        SetPort(port, device);
    }
    m_routes.resize(IcciAddress::MAX_CENTRES);
    m_routes[centre].push_back(port);
}

void
IcciSwitch::RemoveRoute(uint32_t centre, Ptr<OcsNetDevice> device)
{
    if (centre < m_routes.size())
    {
        std::erase_if(m_routes[centre], [&](uint32_t port) { return m_ports[port] == device; });
    }
}

uint64_t
IcciSwitch::GetReceived() const
{
    return m_received;
}

const OcsDropCounts&
IcciSwitch::GetDropped() const
{
    return m_dropped;
}

void
IcciSwitch::PortReceived(uint32_t port, const Ptr<Packet>& packet)
{
    ++m_received;
    OcsPacketHeader header;
    OcsDropCause cause = OcsDropCause::MISROUTED;
    const uint32_t to =
        header.Read(packet, m_spreading == PER_FLOW) ? Choose(header, port, cause) : NO_PORT;
    if (to < m_ports.size() && m_ports[to])
    {
        m_ports[to]->Transmit(packet);
        return;
    }
    NS_LOG_LOGIC("lost: " << cause);
    ++m_dropped[cause];
    m_dropTrace(packet, cause);
}

uint32_t
IcciSwitch::Spread(const OcsPacketHeader& header,
                   const IcciAddress& to,
                   uint32_t ways,
                   uint32_t level) const
{
    if (m_spreading == BY_HOST)
    {
        // The shift spreads packets to equal host numbers from or to different edges.
        const uint32_t shift = m_place.layer == IcciLayer::EDGE          ? m_place.index
                               : m_place.layer == IcciLayer::AGGREGATION ? to.edge
                                                                         : m_place.half * to.edge;
        return (to.host + shift) % ways;
    }
    // Choices must be independent of those at lower levels, or some uplinks stay idle.
    uint32_t flow = header.flow;
    for (uint32_t i = 0; i < level; ++i)
    {
        flow /= m_place.half;
    }
    return flow % ways;
}

uint32_t
IcciSwitch::Choose(const OcsPacketHeader& header, uint32_t from, OcsDropCause& cause) const
{
    const uint32_t half = m_place.half;
    const IcciAddress to = IcciAddress::Of(header.destination);
    const bool here = to.centre == m_place.centre;
    if (to.centre >= IcciAddress::MAX_CENTRES || (here && to.edge >= 2 * half * half) ||
        to.host >= half)
    {
        return NO_PORT;
    }
    switch (m_place.layer)
    {
    case IcciLayer::EDGE:
        return here && to.edge == m_place.index ? to.host : half + Spread(header, to, half, 0);
    case IcciLayer::AGGREGATION:
        return here && to.edge / half == m_place.index / half ? to.edge % half
                                                              : half + Spread(header, to, half, 1);
    case IcciLayer::CORE:
        return here ? to.edge / half : 2 * half;
    case IcciLayer::GATEWAY:
        break;
    }
    if (here)
    {
        return Spread(header, to, half * half, 0);
    }
    // Packets from lightpaths must be for this centre; otherwise a route is wrong.
    if (from >= half * half)
    {
        return NO_PORT;
    }
    if (m_routes.empty() || m_routes[to.centre].empty())
    {
        cause = OcsDropCause::NO_CIRCUIT;
        return NO_PORT;
    }
    const auto& ports = m_routes[to.centre];
    return ports[Spread(header, to, static_cast<uint32_t>(ports.size()), 2)];
}

void
IcciSwitch::PortDropped(uint32_t, Ptr<const Packet> packet, OcsDropCause cause)
{
    m_dropTrace(packet, cause);
}

void
IcciSwitch::PortChanged(uint32_t, bool)
{
}

} // namespace ns3::odcn
