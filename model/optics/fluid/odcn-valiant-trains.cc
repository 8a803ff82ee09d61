// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-valiant-trains.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-take-index.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::odcn
{

CircuitFlowLevel::ValiantTrains::ValiantTrains(CircuitFlowLevel& level)
    : m_level(level),
      m_length(level.m_trainLength),
      m_carriers(level.m_model.GetNServers() +
                 std::size_t(level.m_model.racks) * level.m_model.racks),
      m_ports(level.m_model.GetNServers())
{
    const uint32_t racks = level.m_model.racks;
    std::vector<bool> carries(std::size_t(racks) * racks); // [from][to]
    for (uint32_t plane = 0; plane < level.m_model.uplinks; ++plane)
    {
        const auto& slots = level.m_schedule->GetPlane(plane).slots;
        for (uint32_t slot = 0; slot < slots.size(); ++slot)
        {
            const int64_t packets = Div(slots[slot].duration, level.m_packet);
            if (slots.size() > 1 && packets < 8 * int64_t(m_length))
            {
                m_length = static_cast<uint32_t>(std::max<int64_t>(1, packets / 8));
            }
            for (RackId from = 0; from < racks; ++from)
            {
                const RackId to = slots[slot].to[from];
                if (to != NO_RACK && !carries[from * racks + to])
                {
                    carries[from * racks + to] = level.Carries(plane, slot, from);
                }
            }
        }
    }
    for (uint32_t i = 0; i < racks * racks; ++i)
    {
        if (i / racks != i % racks && !carries[i])
        {
            throw OdcnError("CircuitFlowLevel: Routing=" + level.m_routing +
                            ", but no circuit leads from rack " + std::to_string(i / racks) +
                            " to rack " + std::to_string(i % racks) +
                            " long enough for a packet, expected circuits between all racks");
        }
    }
    for (RackId rack = 0; rack < racks; ++rack)
    {
        m_random.push_back(CreateObject<UniformRandomVariable>());
    }
}

int64_t
CircuitFlowLevel::ValiantTrains::AssignStreams(int64_t stream)
{
    // A ToR switch has two streams, of which the second is that of its routing.
    for (std::size_t rack = 0; rack < m_random.size(); ++rack)
    {
        m_random[rack]->SetStream(stream + 2 * static_cast<int64_t>(rack) + 1);
    }
    return 2 * static_cast<int64_t>(m_random.size());
}

uint32_t
CircuitFlowLevel::ValiantTrains::GetCircuits(RackId from, RackId to) const
{
    return static_cast<uint32_t>(m_ports.size()) + from * m_level.m_model.racks + to;
}

std::pair<RackId, RackId>
CircuitFlowLevel::ValiantTrains::GetRacks(uint32_t carrier) const
{
    const FabricModel& model = m_level.m_model;
    if (IsServer(carrier))
    {
        return {carrier / model.serversPerRack, carrier / model.serversPerRack};
    }
    const uint32_t circuits = carrier - static_cast<uint32_t>(m_ports.size());
    return {circuits / model.racks, circuits % model.racks};
}

bool
CircuitFlowLevel::ValiantTrains::IsServer(uint32_t carrier) const
{
    return carrier < m_ports.size();
}

uint64_t
CircuitFlowLevel::ValiantTrains::GetWire(const Part& part) const
{
    const uint32_t headers = m_level.GetPacketSize() - m_level.GetPayload();
    return part.bytes + uint64_t(part.packets) * headers;
}

void
CircuitFlowLevel::ValiantTrains::Send(const Message& message)
{
    const uint32_t job = TakeIndex(m_jobs, m_freeJobs);
    m_jobs[job] = {message, message.bytes, message.bytes};
    std::list<uint32_t>& pair = m_pairs[uint64_t(message.from) << 32 | message.to];
    pair.push_back(job);
    if (pair.size() == 1)
    {
        m_carriers[message.from].turns.push_back(job);
        Begin(message.from);
    }
}

void
CircuitFlowLevel::ValiantTrains::Begin(uint32_t carrier)
{
    if (!m_carriers[carrier].isBusy)
    {
        m_carriers[carrier].isBusy = true;
        // What leaves by circuits is decided when they are up.
        const uint32_t number = TakeTrain(carrier, IsServer(carrier) ? m_length : 0);
        m_level.FlowLevel::DoSend({number, carrier, carrier, 1, 0, Simulator::Now()});
    }
}

bool
CircuitFlowLevel::ValiantTrains::Resume(Message& train)
{
    const uint32_t index = train.from;
    Carrier& carrier = m_carriers[index];
    carrier.isBusy = !carrier.turns.empty() || !carrier.relay.empty() || !carrier.local.empty();
    if (carrier.isBusy)
    {
        const auto [from, to] = GetRacks(index);
        train.bytes = 1;
        train.number =
            TakeTrain(index,
                      IsServer(index) ? m_length : std::min(m_length, m_level.GetRoom(from, to)));
    }
    return carrier.isBusy;
}

uint32_t
CircuitFlowLevel::ValiantTrains::TakeTrain(uint32_t index, uint32_t most)
{
    const uint32_t journey = TakeIndex(m_journeys, m_freeJourneys);
    m_journeys[journey] = {index};
    Train& train = m_journeys[journey].train;
    Fill(m_carriers[index].turns, most, train);
    Fill(m_carriers[index].relay, most, train);
    Fill(m_carriers[index].local, most, train);
    return 2 * journey;
}

void
CircuitFlowLevel::ValiantTrains::Fill(std::list<uint32_t>& turns, uint32_t most, Train& train)
{
    for (; !turns.empty() && train.packets < most; ++train.packets)
    {
        const uint32_t index = turns.front();
        Job& job = m_jobs[index];
        const Part packet{index, 1, std::min<uint64_t>(job.unsent, m_level.GetPayload())};
        train.wire += GetWire(packet);
        train.parts.push_back(packet);
        job.unsent -= packet.bytes;
        if (job.unsent > 0)
        {
            turns.splice(turns.end(), turns, turns.begin());
            continue;
        }
        turns.pop_front();
        const auto pair = m_pairs.find(uint64_t(job.message.from) << 32 | job.message.to);
        pair->second.pop_front();
        if (pair->second.empty())
        {
            m_pairs.erase(pair);
        }
        else
        {
            turns.push_back(pair->second.front());
        }
    }
}

void
CircuitFlowLevel::ValiantTrains::Fill(Parts& parts, uint32_t most, Train& train) const
{
    while (!parts.empty() && train.packets < most)
    {
        Part& first = parts.front();
        const uint32_t packets = std::min(first.packets, most - train.packets);
        if (packets == first.packets)
        {
            train.parts.splice(train.parts.end(), parts, parts.begin());
        }
        else
        {
            const uint64_t bytes = uint64_t(packets) * m_level.GetPayload();
            train.parts.push_back({first.job, packets, bytes});
            first.packets -= packets;
            first.bytes -= bytes;
        }
        train.packets += packets;
        train.wire += GetWire(train.parts.back());
    }
}

void
CircuitFlowLevel::ValiantTrains::FindPath(const Message& message, Path& path)
{
    const FabricModel& model = m_level.m_model;
    const auto& [carrier, train] = m_journeys[message.number / 2];
    path.wire = train.wire;
    if (IsServer(carrier))
    {
        path.links.push_back(m_level.m_send[carrier]);
        path.hops.push_back(static_cast<double>(model.serverRate));
        path.propagation = PicoSeconds(model.serverDelay);
    }
    else
    {
        const auto [from, to] = GetRacks(carrier);
        m_level.AddHop(0, from, to, path);
    }
}

void
CircuitFlowLevel::ValiantTrains::Arrive(uint32_t number)
{
    const FabricModel& model = m_level.m_model;
    const uint32_t index = number / 2;
    if (number % 2 == 1)
    {
        m_freeJobs.push_back(index);
        m_level.Deliver(m_jobs[index].message.number); // the last thing: it may send or dispose
        return;
    }
    auto [carrier, train] = std::move(m_journeys[index]);
    m_freeJourneys.push_back(index);
    const bool isFirst = IsServer(carrier);
    const BitRate rate = isFirst ? model.serverRate : model.uplinkRate;
    const RackId rack = GetRacks(carrier).second;
    auto behind = static_cast<uint32_t>(train.wire);
    for (; !train.parts.empty(); train.parts.pop_front())
    {
        const Part& part = train.parts.front();
        const RackId to = m_jobs[part.job].message.to / model.serversPerRack;
        behind -= static_cast<uint32_t>(GetWire(part));
        if (to == rack)
        {
            Receive(part, Simulator::Now() - PicoSeconds(TransmissionTime(rate, behind)), rate);
        }
        else if (isFirst)
        {
            Spread(rack, part);
        }
        else
        {
            m_longer.push_back(GetCircuits(rack, to));
            m_carriers[m_longer.back()].relay.push_back(part);
        }
    }
    for (const uint32_t longer : m_longer)
    {
        Begin(longer);
    }
    m_longer.clear();
}

void
CircuitFlowLevel::ValiantTrains::Spread(RackId rack, const Part& packet)
{
    const uint32_t other = m_random[rack]->GetInteger(0, m_level.m_model.racks - 2);
    m_longer.push_back(GetCircuits(rack, other + (other >= rack ? 1 : 0)));
    Parts& local = m_carriers[m_longer.back()].local;
    if (local.empty() || local.back().job != packet.job)
    {
        local.push_back({packet.job, 0, 0});
    }
    ++local.back().packets;
    local.back().bytes += packet.bytes;
}

void
CircuitFlowLevel::ValiantTrains::Receive(const Part& part, Time arrived, BitRate rate)
{
    Job& job = m_jobs[part.job];
    const uint32_t full = m_level.GetPacketSize();
    const auto wire = static_cast<uint32_t>(GetWire(part));
    const uint32_t last = wire - (part.packets - 1) * full;
    const BitRate portRate = m_level.m_model.serverRate;
    // Packets leave one by one, while those behind them arrive without gaps: so the last full one
    // waits for those before it since the first one has come, or not at all.
    Time& port = m_ports[job.message.to];
    if (part.packets > 1)
    {
        const Time turn = PicoSeconds(TransmissionTime(portRate, full));
        const Time first = arrived - PicoSeconds(TransmissionTime(rate, wire - full));
        port = std::max(std::max(port, first) + turn * int64_t(part.packets - 1),
                        arrived - PicoSeconds(TransmissionTime(rate, last)) + turn);
    }
    port = std::max(port, arrived) + PicoSeconds(TransmissionTime(portRate, last));
    job.open -= part.bytes;
    if (job.open == 0)
    {
        const Time end = port + PicoSeconds(m_level.m_model.serverDelay);
        m_level.ArriveAt(std::max(end, Simulator::Now()), 2 * part.job + 1);
    }
}

} // namespace ns3::odcn
