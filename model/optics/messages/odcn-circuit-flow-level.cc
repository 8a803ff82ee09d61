// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-circuit-flow-level.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <string>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(CircuitFlowLevel);

TypeId
CircuitFlowLevel::GetTypeId()
{
    using T = CircuitFlowLevel;
    static TypeId tid =
        TypeIdOf<CircuitFlowLevel, FlowLevel>("ns3::odcn::CircuitFlowLevel")
            .Add(Attribute("Routing",
                           &T::m_routing,
                           DIRECT,
                           {{DIRECT, "Direct"}, {SHORTEST_PATHS, "ShortestPaths"}}),
                 "Which circuits a message may take: Direct, or ShortestPaths.")
            .Add(Attribute("Guard", &T::m_guard, Time(0), Time(0)),
                 "Time unused at both ends of a circuit that changes.")
            .Add(Attribute("Hold", &T::m_hold, false),
                 "Whether each server of a rack has an equal share of each circuit, used or "
                 "not, as with FlowApplication::Hold; for Routing=Direct.");
    return tid;
}

void
CircuitFlowLevel::DoDispose()
{
    m_schedule = nullptr;
    FlowLevel::DoDispose();
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
    m_model = model;
    m_schedule = schedule;
    m_packet = PicoSeconds(TransmissionTime(model.uplinkRate, GetPacketSize()));
    for (uint32_t i = 0; i < model.GetNServers(); ++i)
    {
        m_send.push_back(AddLink(static_cast<double>(model.serverRate)));
        m_receive.push_back(AddLink(static_cast<double>(model.serverRate)));
    }
    if (m_hold && m_routing != DIRECT)
    {
        throw OdcnError::InOption("CircuitFlowLevel::Hold", "true", "Routing=Direct");
    }
    if (m_routing == SHORTEST_PATHS)
    {
        FindDistances();
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
                    throw OdcnError(
                        "CircuitFlowLevel: Routing=ShortestPaths, but circuits of rack " +
                        std::to_string(rack) + " change, expected a static schedule");
                }
            }
            if (slots.front().to[rack] != NO_RACK)
            {
                m_neighbours[rack].push_back(slots.front().to[rack]);
            }
        }
    }
    std::vector<std::vector<RackId>> before(m_model.racks);
    for (RackId rack = 0; rack < m_model.racks; ++rack)
    {
        for (const RackId next : m_neighbours[rack])
        {
            before[next].push_back(rack);
        }
    }
    m_distances.assign(m_model.racks, std::vector<uint32_t>(m_model.racks, UINT32_MAX));
    for (RackId to = 0; to < m_model.racks; ++to)
    {
        std::vector<RackId> queue{to};
        m_distances[to][to] = 0;
        for (std::size_t i = 0; i < queue.size(); ++i)
        {
            for (const RackId rack : before[queue[i]])
            {
                if (m_distances[to][rack] == UINT32_MAX)
                {
                    m_distances[to][rack] = m_distances[to][queue[i]] + 1;
                    queue.push_back(rack);
                }
            }
        }
    }
}

std::vector<RackId>
CircuitFlowLevel::FindRacks(RackId from, RackId to, uint64_t number) const
{
    if (m_routing == DIRECT)
    {
        return {to};
    }
    if (m_distances[to][from] == UINT32_MAX)
    {
        throw OdcnError("CircuitFlowLevel: no circuits lead from rack " + std::to_string(from) +
                        " to rack " + std::to_string(to));
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
    const auto [found, isNew] = m_links.try_emplace(key, 0);
    if (isNew)
    {
        found->second = AddLink(0);
        m_pools.push_back({from, to, m_hold ? 1.0 / m_model.serversPerRack : 1.0});
    }
    return found->second;
}

FlowLevel::Path
CircuitFlowLevel::FindPath(const Message& message)
{
    const RackId from = message.from / m_model.serversPerRack;
    const RackId to = message.to / m_model.serversPerRack;
    const auto server = static_cast<double>(m_model.serverRate);
    Path path;
    path.links.push_back(m_send[message.from]);
    path.hops.push_back(server);
    path.propagation = PicoSeconds(2 * m_model.serverDelay);
    if (from != to)
    {
        RackId at = from;
        for (const RackId rack : FindRacks(from, to, message.number))
        {
            path.links.push_back(FindPool(m_hold ? message.from : 0, at, rack));
            path.hops.push_back(static_cast<double>(m_model.uplinkRate));
            path.propagation += PicoSeconds(2 * m_model.uplinkDelay);
            at = rack;
        }
    }
    path.links.push_back(m_receive[message.to]);
    path.hops.push_back(server);
    return path;
}

CircuitFlowLevel::PlaneState
CircuitFlowLevel::FindState(uint32_t plane, Time now) const
{
    // Packets leave the ToR switch before they meet the optical switch.
    const Time ahead = PicoSeconds(m_model.uplinkDelay);
    const auto place = m_schedule->Find(plane, now + ahead);
    const Time up = place.start + m_schedule->GetReconfigurationTime() + m_guard - ahead;
    const int64_t packets = ((place.end - m_guard - ahead - up) / m_packet).GetHigh();
    const Time over = up + m_packet * packets;
    const Time end = place.end - ahead;
    return {place.slot, now >= up, now >= over, now < up ? up : now < over ? over : end};
}

double
CircuitFlowLevel::GetCapacity(RackId from, RackId to) const
{
    uint32_t circuits = 0;
    for (uint32_t plane = 0; plane < m_states.size(); ++plane)
    {
        const PlaneState& state = m_states[plane];
        if (m_schedule->GetPlane(plane).slots[state.slot].to[from] != to)
        {
            continue;
        }
        const bool begun = state.isUp || !m_schedule->Changes(plane, state.slot, from);
        const bool over =
            state.isOver && m_schedule->GetExtension(plane, state.slot, from).IsZero();
        circuits += begun && !over;
    }
    return static_cast<double>(m_model.uplinkRate) * circuits;
}

Time
CircuitFlowLevel::UpdateCapacities()
{
    m_states.clear();
    Time next = Time::Max();
    for (uint32_t plane = 0; plane < m_model.uplinks; ++plane)
    {
        m_states.push_back(FindState(plane, Simulator::Now()));
        if (m_schedule->GetPlane(plane).slots.size() > 1)
        {
            next = std::min(next, m_states.back().next);
        }
    }
    const uint32_t first = 2 * m_model.GetNServers();
    for (uint32_t i = 0; i < m_pools.size(); ++i)
    {
        if (IsUsed(first + i))
        {
            const auto& [from, to, share] = m_pools[i];
            SetCapacity(first + i, GetCapacity(from, to) * share);
        }
    }
    return next;
}

} // namespace ns3::odcn
