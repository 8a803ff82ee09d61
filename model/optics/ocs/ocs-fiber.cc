// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ocs-fiber.h"

#include "ocs-net-device.h"
#include "ocs-switch.h"

#include "ns3/event-impl.h"
#include "ns3/log.h"
#include "ns3/make-event.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"

#include <string>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("OcsFiber");

NS_OBJECT_ENSURE_REGISTERED(OcsFiber);

TypeId
OcsFiber::GetTypeId()
{
    using T = OcsFiber;
    static TypeId tid = TypeIdOf<OcsFiber, OcsMedium>("ns3::odcn::OcsFiber")
                            .Add(Attribute("Delay", &T::m_delay, Time(0), Time(0)),
                                 "Propagation delay of either strand");
    return tid;
}

OcsFiber::OcsFiber() = default;

OcsFiber::~OcsFiber()
{
    for (const Strand& strand : m_strands)
    {
        if (strand.arrival)
        {
            strand.arrival->Cancel();
        }
        for (std::size_t i = strand.first; i < strand.packets.size(); ++i)
        {
            strand.packets[i].packet->Unref();
        }
    }
}

void
OcsFiber::DoDispose()
{
    m_ends = {};
    OcsMedium::DoDispose();
}

void
OcsFiber::Connect(Ptr<OcsNetDevice> a, Ptr<OcsNetDevice> b)
{
    NS_LOG_FUNCTION(this << a << b);
    if (!IsFree() || a->GetChannel() || b->GetChannel() || a == b)
    {
        throw OdcnError("a fibre joins two devices that have none yet, once");
    }
    m_ends[0].device = a;
    m_ends[1].device = b;
    a->Plug(this, 0);
    b->Plug(this, 1);
}

void
OcsFiber::Connect(Ptr<OcsNetDevice> device, Ptr<OcsSwitch> ocs, uint32_t port)
{
    NS_LOG_FUNCTION(this << device << ocs << port);
    if (!IsFree() || device->GetChannel())
    {
        throw OdcnError("a fibre joins a device that has none yet to a switch, once");
    }
    ocs->Plug(port, this, 1, false);
    m_ends[0].device = device;
    m_ends[1].ocs = ocs;
    m_ends[1].port = port;
    device->Plug(this, 0);
}

void
OcsFiber::Connect(Ptr<OcsSwitch> a, uint32_t portA, Ptr<OcsSwitch> b, uint32_t portB)
{
    NS_LOG_FUNCTION(this << a << portA << b << portB);
    if (!IsFree() || a == b)
    {
        throw OdcnError("a fibre joins two switches, once");
    }
    a->Plug(portA, this, 0, true);
    b->Plug(portB, this, 1, true);
    m_ends[0].ocs = a;
    m_ends[0].port = portA;
    m_ends[1].ocs = b;
    m_ends[1].port = portB;
}

void
OcsFiber::Divide()
{
    if (m_delay <= RankArrivals::GetNotice())
    {
        throw OdcnError::InOption("OcsFiber::Delay of a network divided among ranks",
                                  std::to_string(m_delay.GetTimeStep()) + " time steps",
                                  "more than one, since it is the look-ahead");
    }
    for (uint32_t end = 0; end < 2; ++end)
    {
        if (m_ends[end].device)
        {
            m_ends[end].arrivals =
                RankArrivals::Install(m_ends[end].device,
                                      MakeBoundCallback(&OcsFiber::ReceiveRemote, this, end));
        }
    }
}

uint32_t
OcsFiber::FirstBit(uint32_t end, const Ptr<Packet>& packet, const Time& txTime)
{
    const End& far = m_ends[1 - end];
    if (far.device)
    {
        ++m_inFlight;
        return GetPeerContext(end);
    }
    if (!far.ocs)
    {
        return NO_CONTEXT; // disposed of
    }
    if (m_delay.IsZero())
    {
        return far.ocs->FirstBit(far.port, packet, txTime);
    }
    ++m_inFlight;
    Simulator::Schedule(m_delay,
                        &OcsFiber::ReachSwitch,
                        Ptr<OcsFiber>(this),
                        1 - end,
                        packet,
                        txTime);
    return NO_CONTEXT;
}

void
OcsFiber::LastBit(uint32_t end, const Ptr<Packet>& packet, bool whole)
{
    const End& far = m_ends[1 - end];
    if (far.device)
    {
        if (m_delay.IsZero())
        {
            ReachDevice(1 - end, packet, whole);
            return;
        }
        if (far.arrivals && far.arrivals->IsRemote())
        {
            far.arrivals->Send(*far.device, packet, m_delay);
            return;
        }
        ScheduleArrival(1 - end, packet, whole);
        return;
    }
    if (!far.ocs)
    {
        return; // disposed of
    }
    if (m_delay.IsZero())
    {
        far.ocs->LastBit(far.port, packet, whole);
        return;
    }
    Simulator::Schedule(m_delay,
                        &OcsFiber::LeaveSwitch,
                        Ptr<OcsFiber>(this),
                        1 - end,
                        packet,
                        whole);
}

void
OcsFiber::ScheduleArrival(uint32_t end, const Ptr<Packet>& packet, bool whole)
{
    const End& at = m_ends[end];
    Strand& strand = m_strands[end];
    const Time delay = at.arrivals ? m_delay - RankArrivals::GetNotice() : m_delay;
    const Time arrival = Simulator::Now() + delay;
    if (strand.first < strand.packets.size() && arrival < strand.last)
    {
        // The delay was set to less: this packet overtakes those on the strand.
        Simulator::ScheduleWithContext(at.context,
                                       delay,
                                       &OcsFiber::ReachDevice,
                                       Ptr<OcsFiber>(this),
                                       end,
                                       packet,
                                       whole);
        return;
    }
    if (!strand.arrival)
    {
        strand.arrival = Ptr<EventImpl>(MakeEvent(&OcsFiber::Arrive, this, end), false);
    }
    packet->Ref();
    strand.packets.push_back({PeekPointer(packet), whole});
    strand.last = arrival;
    strand.arrival->Ref();
    Simulator::ScheduleWithContext(at.context, delay, PeekPointer(strand.arrival));
}

void
OcsFiber::Arrive(uint32_t end)
{
    Strand& strand = m_strands[end];
    const Transit transit = strand.packets[strand.first];
    const Ptr<Packet> packet(transit.packet, false);
    ++strand.first;
    if (strand.first == strand.packets.size())
    {
        strand.packets.clear();
        strand.first = 0;
    }
    else if (2 * strand.first > strand.packets.capacity())
    {
        // The strand of a busy line is never empty.
        strand.packets.erase(strand.packets.begin(),
                             strand.packets.begin() + static_cast<std::ptrdiff_t>(strand.first));
        strand.first = 0;
    }
    if (strand.first < strand.packets.size())
    {
        // Thousands of packets are on their way, so the next one is rarely in the cache.
        __builtin_prefetch(strand.packets[strand.first].packet);
    }
    ReachDevice(end, packet, transit.whole);
}

uint32_t
OcsFiber::FirstBitFromSwitch(uint32_t end, const Ptr<Packet>& packet, const Time& txTime)
{
    // A packet for a device is counted by the switch until its last bit.
    return m_ends[1 - end].device ? GetPeerContext(end) : FirstBit(end, packet, txTime);
}

void
OcsFiber::LastBitFromSwitch(uint32_t end, const Ptr<Packet>& packet)
{
    m_inFlight += bool(m_ends[1 - end].device);
    LastBit(end, packet, true);
}

void
OcsFiber::LoseTailFromSwitch(uint32_t end, const Ptr<Packet>& packet)
{
    const End& far = m_ends[1 - end];
    if (!far.ocs)
    {
        return;
    }
    if (m_delay.IsZero())
    {
        far.ocs->LoseTail(far.port, packet);
        return;
    }
    Simulator::Schedule(m_delay, &OcsFiber::EndAtSwitch, Ptr<OcsFiber>(this), 1 - end, packet);
}

uint32_t
OcsFiber::GetPeerContext(uint32_t end) const
{
    return m_delay.IsZero() ? m_ends[1 - end].context : NO_CONTEXT;
}

void
OcsFiber::ReachSwitch(uint32_t end, const Ptr<Packet>& packet, const Time& txTime)
{
    --m_inFlight;
    if (m_ends[end].ocs)
    {
        m_ends[end].ocs->FirstBit(m_ends[end].port, packet, txTime);
    }
}

void
OcsFiber::ReachDevice(uint32_t end, const Ptr<Packet>& packet, bool whole)
{
    --m_inFlight;
    const End& at = m_ends[end];
    if (at.arrivals)
    {
        at.arrivals->Announce(at.device, packet, whole);
        return;
    }
    if (const Ptr<OcsNetDevice> device = at.device)
    {
        device->Receive(packet, whole);
    }
}

void
OcsFiber::ReceiveRemote(OcsFiber* fiber, uint32_t end, Ptr<Packet> packet)
{
    fiber->ReachDevice(end, packet, true);
}

void
OcsFiber::LeaveSwitch(uint32_t end, const Ptr<Packet>& packet, bool whole)
{
    if (m_ends[end].ocs)
    {
        m_ends[end].ocs->LastBit(m_ends[end].port, packet, whole);
    }
}

void
OcsFiber::EndAtSwitch(uint32_t end, const Ptr<Packet>& packet)
{
    if (m_ends[end].ocs)
    {
        m_ends[end].ocs->LoseTail(m_ends[end].port, packet);
    }
}

std::size_t
OcsFiber::GetNDevices() const
{
    return std::size_t(bool(m_ends[0].device)) + std::size_t(bool(m_ends[1].device));
}

Ptr<NetDevice>
OcsFiber::GetDevice(std::size_t i) const
{
    // A fibre to a switch has one device; ns-3's distributed simulators ask each point-to-point
    // channel for two.
    const Ptr<OcsNetDevice>& device = m_ends.at(i).device;
    return device ? device : m_ends[1 - i].device;
}

} // namespace ns3::odcn
