// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-circuit-flow-level.h"

#include "odcn-valiant-trains.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-circuit-hops.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"
#include "ns3/tor-routing.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(CircuitFlowLevel);

TypeId
CircuitFlowLevel::GetTypeId()
{
    using T = CircuitFlowLevel;
    static TypeId tid =
        TypeIdOf<CircuitFlowLevel, FlowLevel>("ns3::odcn::CircuitFlowLevel")
            .Add(
                Attribute("Routing", &T::m_routing, "DirectRouting"),
                "TorRouting that messages are forwarded as: DirectRouting, ExpanderRouting, "
                "ValiantRouting[Spread=Random], or one that says so (TorRouting::GetForwarding()).")
            .Add(Attribute("TrainLength", &T::m_trainLength, 4, 1, 65535),
                 "Most packets that leave a server or a ToR switch together, for two hops; "
                 "at most an eighth of those of the shortest slot. More is faster, and coarser.")
            .Add(Attribute("Guard", &T::m_guard, Time(0), Time(0)),
                 "Time unused at both ends of a circuit that changes.")
            .Add(Attribute("Hold", &T::m_hold, false),
                 "Whether each server of a rack has an equal share of each circuit, used or "
                 "not, as with FlowApplication::Hold; for DirectRouting.");
    return tid;
}

CircuitFlowLevel::CircuitFlowLevel() = default;

CircuitFlowLevel::~CircuitFlowLevel() = default;

void
CircuitFlowLevel::DoDispose()
{
    m_schedule = nullptr;
    FlowLevel::DoDispose();
}

std::string
CircuitFlowLevel::WhyNot(const TorForwarding& forwarding)
{
    if (forwarding.HasClasses())
    {
        return "short flows are forwarded in another way";
    }
    switch (forwarding.bulk.kind)
    {
    case TorForwarding::DIRECT:
    case TorForwarding::TRANSIT_RANDOM:
        return "";
    case TorForwarding::SHORTEST:
        return forwarding.bulk.paths == 1 ? "" : "packets choose among longer paths, too";
    case TorForwarding::TRANSIT_IDLE:
        return "idle circuits choose the rack of transit";
    case TorForwarding::TRANSIT_AGREED:
        return "racks agree on what they relay";
    case TorForwarding::OTHER:
        break;
    }
    return "its routing does not say how it forwards";
}

void
CircuitFlowLevel::SetFabric(const FabricModel& model, Ptr<CircuitSchedule> schedule)
{
    model.Check();
    if (m_schedule || schedule->GetNRacks() != model.racks ||
        schedule->GetNPlanes() != model.uplinks)
    {
        throw OdcnError("CircuitFlowLevel: a schedule of " + std::to_string(schedule->GetNRacks()) +
                        " racks and " + std::to_string(schedule->GetNPlanes()) +
                        " planes, expected one of " + std::to_string(model.racks) + " and " +
                        std::to_string(model.uplinks) + ", set once");
    }
    const TorForwarding forwarding = TorRouting::Create(m_routing)->GetForwarding();
    if (const std::string whyNot = WhyNot(forwarding); !whyNot.empty())
    {
        throw OdcnError::InOption(
            "CircuitFlowLevel::Routing",
            m_routing,
            "DirectRouting, ExpanderRouting, ValiantRouting[Spread=Random], or "
            "one that says it forwards so; " +
                whyNot);
    }
    if (m_hold && forwarding.bulk.kind != TorForwarding::DIRECT)
    {
        throw OdcnError::InOption("CircuitFlowLevel::Hold", "true", "Routing=DirectRouting");
    }
    m_forwarding = forwarding.bulk;
    m_model = model;
    m_schedule = schedule;
    m_packet = PicoSeconds(TransmissionTime(model.uplinkRate, GetPacketSize()));
    m_serverPacket = PicoSeconds(TransmissionTime(model.serverRate, GetPacketSize()));
    try
    {
        if (m_forwarding.kind == TorForwarding::SHORTEST)
        {
            FindDistances();
        }
        if (m_forwarding.kind == TorForwarding::TRANSIT_RANDOM)
        {
            m_valiant = std::make_unique<ValiantTrains>(*this);
        }
    }
    catch (...)
    {
        m_schedule = nullptr;
        m_neighbours.clear();
        throw;
    }
    for (uint32_t i = 0; i < model.GetNServers(); ++i)
    {
        m_send.push_back(AddLink(static_cast<double>(model.serverRate)));
        m_receive.push_back(AddLink(static_cast<double>(model.serverRate)));
    }
}

int64_t
CircuitFlowLevel::AssignStreams(int64_t stream)
{
    if (!m_schedule)
    {
        throw OdcnError("CircuitFlowLevel: AssignStreams() before SetFabric()");
    }
    return m_valiant ? m_valiant->AssignStreams(stream) : 0;
}

void
CircuitFlowLevel::DoSend(const Message& message)
{
    if (m_valiant)
    {
        m_valiant->Send(message);
    }
    else
    {
        FlowLevel::DoSend(message);
    }
}

bool
CircuitFlowLevel::Resume(Message& message)
{
    return m_valiant && m_valiant->Resume(message);
}

void
CircuitFlowLevel::Arrive(uint32_t number)
{
    if (m_valiant)
    {
        m_valiant->Arrive(number);
    }
    else
    {
        FlowLevel::Arrive(number);
    }
}

void
CircuitFlowLevel::FindDistances()
{
    m_neighbours.resize(m_model.racks);
    for (uint32_t plane = 0; plane < m_model.uplinks; ++plane)
    {
        const auto& slots = m_schedule->GetPlane(plane).slots;
        for (RackId rack = 0; rack < m_model.racks; ++rack)
        {
            for (const auto& slot : slots)
            {
                if (slot.to[rack] != slots.front().to[rack])
                {
                    throw OdcnError("CircuitFlowLevel: Routing=" + m_routing +
                                    ", but circuits of rack " + std::to_string(rack) +
                                    " change, expected a static schedule");
                }
            }
            if (slots.front().to[rack] != NO_RACK)
            {
                m_neighbours[rack].push_back(slots.front().to[rack]);
            }
        }
    }
    const RackLinks before = ReverseLinks(m_neighbours);
    m_distances.clear();
    for (RackId to = 0; to < m_model.racks; ++to)
    {
        m_distances.push_back(FindHops(before, to));
    }
}

std::vector<RackId>
CircuitFlowLevel::FindRacks(RackId from, RackId to, uint64_t number) const
{
    if (m_forwarding.kind == TorForwarding::DIRECT)
    {
        return {to};
    }
    if (m_distances[to][from] > m_forwarding.maxHops)
    {
        throw OdcnError("CircuitFlowLevel: no circuits lead from rack " + std::to_string(from) +
                        " to rack " + std::to_string(to) + " within " +
                        std::to_string(m_forwarding.maxHops) + " hops");
    }
    std::vector<RackId> racks;
    uint64_t hash = number;
    for (RackId at = from; at != to; at = racks.back())
    {
        std::vector<RackId> next;
        for (const RackId rack : m_neighbours[at])
        {
            if (m_distances[to][rack] + 1 == m_distances[to][at])
            {
                next.push_back(rack);
            }
        }
        // Knuth's multiplicative hash, so that consecutive messages spread at each rack.
        hash = (hash + at + 1) * 0x9E3779B97F4A7C15U;
        racks.push_back(next[(hash >> 33) % next.size()]);
    }
    return racks;
}

uint32_t
CircuitFlowLevel::FindPool(uint32_t server, RackId from, RackId to)
{
    const uint64_t key = (uint64_t(server) * m_model.racks + from) * m_model.racks + to;
    const auto [found, isNew] = m_index.try_emplace(key, static_cast<uint32_t>(m_pools.size()));
    if (isNew)
    {
        Pool& pool = m_pools.emplace_back();
        pool.share = m_hold ? 1.0 / m_model.serversPerRack : 1.0;
        pool.server = server % m_model.serversPerRack;
        pool.link = AddLink(0);
        for (uint32_t plane = 0; plane < m_model.uplinks; ++plane)
        {
            AddEdges(plane, from, to, pool);
        }
        std::stable_sort(pool.edges.begin(),
                         pool.edges.end(),
                         [](const Edge& a, const Edge& b) { return a.at < b.at; });
    }
    return found->second;
}

void
CircuitFlowLevel::AddEdges(uint32_t plane, RackId from, RackId to, Pool& pool) const
{
    const auto& [offset, slots] = m_schedule->GetPlane(plane);
    Time start = offset;
    for (uint32_t slot = 0; slot < slots.size(); start += slots[slot++].duration)
    {
        if (slots[slot].to[from] != to)
        {
            continue;
        }
        const Time extension = m_schedule->GetExtension(plane, slot, from);
        if (extension == Time::Max())
        {
            ++pool.first; // for ever, in all slots
            return;
        }
        if (m_schedule->Changes(plane, slot, from))
        {
            AddWindow(start, start + slots[slot].duration + extension, pool);
        }
    }
}

int64_t
CircuitFlowLevel::CountPackets(Time duration, uint32_t server) const
{
    const Time length = duration - m_schedule->GetReconfigurationTime() - m_guard - m_guard;
    if (!m_hold)
    {
        return std::max<int64_t>(0, Div(length, m_packet));
    }
    // See FlowApplication::UseCircuit(): a server hears of the circuit, waits for its first turn,
    // and starts no packet that would not be at the ToR switch one packet before the end.
    const Time first = PicoSeconds(m_model.serverDelay) + m_packet * int64_t(server);
    const Time last = length - PicoSeconds(m_model.serverDelay) - m_packet - m_serverPacket;
    return last < first ? 0 : Div(last - first, m_packet * int64_t(m_model.serversPerRack)) + 1;
}

bool
CircuitFlowLevel::Carries(uint32_t plane, uint32_t slot, RackId from) const
{
    const Time extension = m_schedule->GetExtension(plane, slot, from);
    const Time duration = m_schedule->GetPlane(plane).slots[slot].duration;
    return extension == Time::Max() ||
           (m_schedule->Changes(plane, slot, from) && CountPackets(duration + extension, 0) > 0);
}

void
CircuitFlowLevel::AddWindow(Time start, Time end, Pool& pool) const
{
    const int64_t packets = CountPackets(end - start, pool.server);
    if (packets == 0)
    {
        return;
    }
    // Packets leave the ToR switch before they meet the optical switch.
    const Time ahead = PicoSeconds(m_model.uplinkDelay);
    const Time up = start + m_schedule->GetReconfigurationTime() + m_guard - ahead;
    const Time turn = m_packet * int64_t(m_hold ? m_model.serversPerRack : 1);
    const int64_t period = m_schedule->GetPeriod().GetTimeStep();
    const auto within = [period](Time time)
    { return TimeStep(((time.GetTimeStep() % period) + period) % period); };
    // The last turn of a server may end after the circuit, even periods later.
    const Time length = turn * packets;
    const Time on = within(up);
    const Time off = within(up + length);
    pool.edges.push_back({on, 1});
    pool.edges.push_back({off, -1});
    pool.first += static_cast<int32_t>(length.GetTimeStep() / period) + (on > off);
}

void
CircuitFlowLevel::UpdatePool(uint32_t index)
{
    Pool& pool = m_pools[index];
    pool.circuits = pool.first;
    if (!pool.edges.empty())
    {
        const int64_t now = Simulator::Now().GetTimeStep();
        const int64_t period = m_schedule->GetPeriod().GetTimeStep();
        const int64_t start = now - now % period;
        pool.change = start + period + pool.edges.front().at.GetTimeStep();
        for (const Edge& edge : pool.edges)
        {
            if (start + edge.at.GetTimeStep() > now)
            {
                pool.change = start + edge.at.GetTimeStep();
                break;
            }
            pool.circuits += edge.change;
        }
        if (!pool.isQueued)
        {
            pool.isQueued = true;
            m_changes[pool.change].push_back(index);
        }
    }
    SetCapacity(pool.link, static_cast<double>(m_model.uplinkRate) * pool.circuits * pool.share);
}

uint32_t
CircuitFlowLevel::GetRoom(RackId from, RackId to)
{
    const Pool& pool = m_pools[FindPool(0, from, to)];
    const int64_t left = pool.change - Simulator::Now().GetTimeStep();
    if (pool.circuits == 0 || left <= 0)
    {
        return 0;
    }
    // Trains end within a few time steps of the grid of packets.
    const int64_t packet = m_packet.GetTimeStep();
    const int64_t packets = (left + packet / 16) / packet;
    return static_cast<uint32_t>(std::clamp<int64_t>(packets, 1, UINT32_MAX / pool.circuits)) *
           static_cast<uint32_t>(pool.circuits);
}

void
CircuitFlowLevel::AddHop(uint32_t server, RackId from, RackId to, Path& path)
{
    const uint32_t index = FindPool(server, from, to);
    if (m_pools[index].first == 0 && m_pools[index].edges.empty())
    {
        throw OdcnError("CircuitFlowLevel: no circuit leads from rack " + std::to_string(from) +
                        " to rack " + std::to_string(to) + " long enough for a packet of " +
                        std::to_string(GetPacketSize()) + " bytes");
    }
    const uint32_t link = m_pools[index].link;
    if (!IsUsed(link))
    {
        m_new.push_back(index);
    }
    path.links.push_back(link);
    path.hops.push_back(static_cast<double>(m_model.uplinkRate));
    path.propagation += PicoSeconds(2 * m_model.uplinkDelay);
}

void
CircuitFlowLevel::FindPath(const Message& message, Path& path)
{
    if (m_valiant)
    {
        m_valiant->FindPath(message, path);
        return;
    }
    const RackId from = message.from / m_model.serversPerRack;
    const RackId to = message.to / m_model.serversPerRack;
    const auto server = static_cast<double>(m_model.serverRate);
    path.links.push_back(m_send[message.from]);
    path.hops.push_back(server);
    path.propagation = PicoSeconds(2 * m_model.serverDelay);
    if (from != to)
    {
        RackId at = from;
        for (const RackId rack : FindRacks(from, to, message.number))
        {
            AddHop(m_hold ? message.from : 0, at, rack, path);
            at = rack;
        }
    }
    path.links.push_back(m_receive[message.to]);
    path.hops.push_back(server);
}

Time
CircuitFlowLevel::UpdateCapacities()
{
    const int64_t now = Simulator::Now().GetTimeStep();
    while (!m_changes.empty() && m_changes.begin()->first <= now)
    {
        std::vector<uint32_t> pools = std::move(m_changes.begin()->second);
        m_changes.erase(m_changes.begin());
        std::sort(pools.begin(), pools.end());
        for (const uint32_t index : pools)
        {
            m_pools[index].isQueued = false;
            if (IsUsed(m_pools[index].link))
            {
                UpdatePool(index);
            }
        }
    }
    for (const uint32_t index : m_new)
    {
        UpdatePool(index);
    }
    m_new.clear();
    return m_changes.empty() ? Time::Max()
                             : Time(TimeStep(static_cast<uint64_t>(m_changes.begin()->first)));
}

} // namespace ns3::odcn
