// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "otn-lightpath.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("OtnLightpath");

NS_OBJECT_ENSURE_REGISTERED(OtnLightpath);

namespace
{

/// @param state of a lightpath that is not up  @return cause of losing a packet that enters
OcsDropCause
WhyNot(OtnLightpath::State state)
{
    switch (state)
    {
    case OtnLightpath::DARK:
        return OcsDropCause::DARK;
    case OtnLightpath::CUT:
        return OcsDropCause::FIBER_CUT;
    case OtnLightpath::UP:
    case OtnLightpath::DOWN:
        break;
    }
    return OcsDropCause::NO_CIRCUIT;
}

} // namespace

TypeId
OtnLightpath::GetTypeId()
{
    using T = OtnLightpath;
    static TypeId tid = TypeIdOf<OtnLightpath, OcsMedium>("ns3::odcn::OtnLightpath")
                            .AddAttribute("Delay",
                                          "Look-ahead of ns-3's distributed simulators: the "
                                          "shorter latency of both directions, less the notice of "
                                          "RankArrivals; a day if no path is set",
                                          TypeId::ATTR_GET,
                                          TimeValue(Days(1)),
                                          MakeTimeAccessor(&T::GetLookAhead),
                                          MakeTimeChecker())
                            .Add(Trace("Drop", &T::m_dropTrace, "DropTracedCallback"),
                                 "A packet was lost: the packet and the cause");
    return tid;
}

OtnLightpath::OtnLightpath() = default;

OtnLightpath::~OtnLightpath() = default;

void
OtnLightpath::DoDispose()
{
    m_state = DOWN;
    m_ways = {};
    OcsMedium::DoDispose();
}

void
OtnLightpath::Connect(Ptr<OcsNetDevice> a, Ptr<OcsNetDevice> b)
{
    if (m_ways[0].device || a->GetChannel() || b->GetChannel() || a == b)
    {
        throw OdcnError("a lightpath joins two transponders that have none yet, once");
    }
    m_ways[0].device = a;
    m_ways[1].device = b;
    a->Plug(this, 0);
    b->Plug(this, 1);
}

void
OtnLightpath::Divide()
{
    for (uint32_t end = 0; end < 2; ++end)
    {
        m_ways[end].arrivals =
            RankArrivals::Install(m_ways[end].device,
                                  MakeBoundCallback(&OtnLightpath::ReceiveRemote, this, end));
    }
}

bool
OtnLightpath::JoinsRanks() const
{
    return m_ways[0].arrivals &&
           m_ways[0].device->GetNode()->GetSystemId() != m_ways[1].device->GetNode()->GetSystemId();
}

void
OtnLightpath::CheckOneRank(const char* change) const
{
    if (JoinsRanks() && Simulator::Now().IsStrictlyPositive())
    {
        throw OdcnError(std::string("a lightpath between ranks cannot be ") + change +
                        " during the run: its packets are in another process");
    }
}

Time
OtnLightpath::GetLookAhead() const
{
    Time least = Days(1);
    for (const Direction& d : m_ways)
    {
        least = d.way.fibers.empty() ? least : std::min(least, d.way.latency);
    }
    return least - RankArrivals::GetNotice();
}

const std::vector<uint32_t>&
OtnLightpath::GetFibers(uint32_t end) const
{
    return m_ways.at(end).way.fibers;
}

Time
OtnLightpath::GetLatency(uint32_t end) const
{
    return m_ways.at(end).way.latency;
}

uint64_t
OtnLightpath::GetInFlight() const
{
    uint64_t sum = m_remote;
    for (const Direction& d : m_ways)
    {
        sum += d.flights.size() + (d.leaving ? 1 : 0);
    }
    return sum;
}

void
OtnLightpath::Prepare(const Way& there, const Way& back)
{
    NS_LOG_FUNCTION(this);
    CheckOneRank("set up");
    Stop();
    m_ways[0].way = there;
    m_ways[1].way = back;
    m_state = DARK;
}

bool
OtnLightpath::Light()
{
    if (m_state != DARK)
    {
        return false;
    }
    m_state = UP;
    return true;
}

void
OtnLightpath::Cut(const std::vector<uint32_t>& fibers)
{
    NS_LOG_FUNCTION(this);
    CheckOneRank("cut");
    m_wasUp = m_state == UP || (m_state == CUT && m_wasUp);
    m_state = CUT;
    const Time now = Simulator::Now();
    std::vector<Ptr<Packet>> lost;
    for (Direction& d : m_ways)
    {
        // Packets that have not passed the last of the cut fibres are lost.
        Time passed;
        for (std::size_t i = 0; i < d.way.fibers.size(); ++i)
        {
            if (std::find(fibers.begin(), fibers.end(), d.way.fibers[i]) != fibers.end())
            {
                passed = d.way.passed[i];
            }
        }
        for (auto flight = d.flights.begin(); flight != d.flights.end();)
        {
            if (now >= flight->second.left + passed)
            {
                ++flight;
                continue;
            }
            lost.push_back(flight->second.packet);
            flight = d.flights.erase(flight);
        }
        if (d.leaving)
        {
            lost.push_back(std::exchange(d.leaving, nullptr));
        }
    }
    DropAll(lost, OcsDropCause::FIBER_CUT);
}

bool
OtnLightpath::Mend()
{
    if (m_state == CUT)
    {
        m_state = m_wasUp ? UP : DARK;
    }
    return m_state == UP;
}

void
OtnLightpath::Stop()
{
    NS_LOG_FUNCTION(this);
    if (m_state != DOWN)
    {
        CheckOneRank("torn down");
    }
    m_state = DOWN;
    std::vector<Ptr<Packet>> lost;
    for (Direction& d : m_ways)
    {
        for (const auto& [number, flight] : d.flights)
        {
            lost.push_back(flight.packet);
        }
        d.flights.clear();
        d.way = {};
        if (d.leaving)
        {
            lost.push_back(std::exchange(d.leaving, nullptr));
        }
    }
    DropAll(lost, OcsDropCause::CUT);
}

uint32_t
OtnLightpath::FirstBit(uint32_t end, const Ptr<Packet>& packet, const Time&)
{
    ++m_entered;
    if (m_state == UP)
    {
        m_ways[end].leaving = packet;
    }
    else
    {
        Drop(packet, WhyNot(m_state));
    }
    return NO_CONTEXT;
}

void
OtnLightpath::LastBit(uint32_t end, const Ptr<Packet>& packet, bool whole)
{
    Direction& d = m_ways[end];
    if (!d.leaving)
    {
        return; // lost meanwhile
    }
    d.leaving = nullptr;
    const Direction& far = m_ways[1 - end];
    if (far.arrivals && far.arrivals->IsRemote())
    {
        if (!whole)
        {
            Drop(packet, OcsDropCause::PORT_FAILED);
            return;
        }
        ++m_remote;
        far.arrivals->Send(*far.device, packet, d.way.latency);
        return;
    }
    d.flights.emplace_hint(d.flights.end(), d.next, Flight{packet, whole, Simulator::Now()});
    Simulator::ScheduleWithContext(far.context,
                                   far.arrivals ? d.way.latency - RankArrivals::GetNotice()
                                                : d.way.latency,
                                   &OtnLightpath::Deliver,
                                   Ptr<OtnLightpath>(this),
                                   end,
                                   d.next++);
}

void
OtnLightpath::Deliver(uint32_t end, uint64_t number)
{
    auto flight = m_ways[end].flights.extract(number);
    if (flight.empty())
    {
        return; // lost meanwhile
    }
    Receive(1 - end, flight.mapped());
}

void
OtnLightpath::Receive(uint32_t end, const Flight& flight)
{
    ++m_delivered;
    const Direction& at = m_ways[end];
    if (at.arrivals)
    {
        at.arrivals->Announce(at.device, flight.packet, flight.whole);
        return;
    }
    const Ptr<OcsNetDevice> device = at.device;
    device->Receive(flight.packet, flight.whole);
}

void
OtnLightpath::ReceiveRemote(OtnLightpath* lightpath, uint32_t end, Ptr<Packet> packet)
{
    --lightpath->m_remote;
    lightpath->Receive(end, {packet, true, {}});
}

void
OtnLightpath::DropAll(const std::vector<Ptr<Packet>>& packets, OcsDropCause cause)
{
    for (const Ptr<Packet>& packet : packets)
    {
        Drop(packet, cause);
    }
}

void
OtnLightpath::Drop(Ptr<const Packet> packet, OcsDropCause cause)
{
    NS_LOG_LOGIC("lost: " << cause);
    ++m_dropped[cause];
    m_dropTrace(packet, cause);
}

std::size_t
OtnLightpath::GetNDevices() const
{
    return m_ways[0].device ? 2 : 0;
}

} // namespace ns3::odcn
