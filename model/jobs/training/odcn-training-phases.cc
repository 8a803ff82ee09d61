// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-phases.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-interruption.h"

#include <algorithm>
#include <queue>
#include <set>
#include <string>

namespace ns3::odcn
{

namespace
{

/// A message that will be received.
struct Arrival
{
    Time time;       //!< when it will be received
    uint64_t order;  //!< of sending
    Message message; //!< the message
    uint32_t phase;  //!< its phase; UINT32_MAX if it is not between racks

    /// @param other another one
    /// @return whether it comes later
    bool operator>(const Arrival& other) const
    {
        return time != other.time ? time > other.time : order > other.order;
    }
};

} // namespace

TrainingPhases::TrainingPhases(TrainingRun& run,
                               uint32_t job,
                               CircuitRule::Unit unit,
                               const Links& links)
    : m_unit(unit),
      m_links(links)
{
    std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals;
    std::map<uint32_t, Time> free;                          // by sender: when its link is free
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> sent; // bytes by phase and sender
    uint64_t order = 0;
    std::vector<Message> send;
    auto lines = std::make_shared<Lines>();
    SetPlaces(run.GetPlaces());
    const auto take = [&](Time now)
    {
        for (const Message& message : send)
        {
            if (message.bytes == 0)
            {
                arrivals.push({message.sent, order++, message, NONE});
                continue;
            }
            const bool isBetween = IsBetween(message);
            const double rate =
                isBetween ? std::min(links.serverRate, links.uplinkRate) : links.serverRate;
            Time& end = free[message.from];
            end = std::max(end, now) + Seconds(8 * static_cast<double>(message.bytes) / rate);
            uint32_t phase = NONE;
            if (isBetween)
            {
                const TrainingRun::Purpose purpose = run.GetPurpose(message);
                phase = Join(message, purpose, *run.GetJob());
                TrainingPhase& joined = m_phases[phase];
                const bool isFirst = joined.busiest == 0;
                joined.begin = isFirst ? now : std::min(joined.begin, now);
                uint64_t& bytes = sent[{phase, message.from}];
                bytes += message.bytes;
                joined.busiest = std::max(joined.busiest, bytes);
                Line& line = (*lines)[GetKey(message, purpose)];
                if (line.phases.empty())
                {
                    line.index = static_cast<uint32_t>(lines->size() - 1);
                }
                line.phases.push_back(phase);
            }
            arrivals.push({end + (isBetween ? links.delay : Time(0)), order++, message, phase});
        }
        send.clear();
    };
    run.Begin(Time(0), Time(0), send);
    take(Time(0));
    while (!arrivals.empty())
    {
        const Arrival arrival = arrivals.top();
        arrivals.pop();
        if (arrival.phase != NONE)
        {
            --m_underWay[{arrival.phase, arrival.message.from / links.servers}];
            --m_underWay[{arrival.phase, arrival.message.to / links.servers}];
            m_phases[arrival.phase].end = arrival.time;
        }
        Interruption::Check();
        run.Receive(arrival.message, arrival.time, send);
        take(arrival.time);
    }
    m_underWay.clear();
    m_taken.assign(lines->size(), 0);
    m_lines = std::move(lines);
    for (uint32_t i = 0; i < m_phases.size(); ++i)
    {
        TrainingPhase& phase = m_phases[i];
        phase.job = job;
        phase.index = i;
        std::set<RackId> racks;
        for (const auto& [pair, bytes] : m_bytes[i])
        {
            racks.insert({pair.first, pair.second});
        }
        phase.racks.assign(racks.begin(), racks.end());
        const auto n = static_cast<uint32_t>(racks.size());
        phase.bytes = phase.reductions = DemandMatrix(n);
        const auto getIndex = [&](RackId rack)
        {
            return static_cast<uint32_t>(
                std::lower_bound(phase.racks.begin(), phase.racks.end(), rack) -
                phase.racks.begin());
        };
        for (const auto& [pair, bytes] : m_bytes[i])
        {
            phase.bytes.Set(getIndex(pair.first), getIndex(pair.second), bytes);
        }
        for (const auto& [pair, bytes] : m_reductions[i])
        {
            phase.reductions.Set(getIndex(pair.first), getIndex(pair.second), bytes);
        }
        if (m_unit == CircuitRule::ITERATION || m_unit == CircuitRule::JOB)
        {
            for (const RackId rack : phase.racks)
            {
                m_order[rack].push_back(i);
            }
        }
    }
    m_bytes.clear();
    m_reductions.clear();
}

TrainingPhases::TrainingPhases(const TrainingPhases& equal,
                               uint32_t job,
                               const std::vector<uint32_t>& places)
    : m_unit(equal.m_unit),
      m_links(equal.m_links),
      m_lines(equal.m_lines),
      m_taken(equal.m_taken.size(), 0)
{
    SetPlaces(places);
    std::map<RackId, RackId> racks; // by rack of the other job
    for (std::size_t rank = 0; rank < places.size(); ++rank)
    {
        racks[equal.m_places[rank] / m_links.servers] = places[rank] / m_links.servers;
    }
    for (const TrainingPhase& known : equal.m_phases)
    {
        std::vector<std::pair<RackId, RackId>> order; // rack, index in the phase of the other job
        for (RackId i = 0; i < known.racks.size(); ++i)
        {
            order.emplace_back(racks.at(known.racks[i]), i);
        }
        std::sort(order.begin(), order.end());
        const auto n = static_cast<uint32_t>(order.size());
        TrainingPhase& phase = m_phases.emplace_back(known);
        phase.job = job;
        for (RackId from = 0; from < n; ++from)
        {
            const RackId oldFrom = order[from].second;
            phase.racks[from] = order[from].first;
            for (RackId to = 0; to < n; ++to)
            {
                const RackId oldTo = order[to].second;
                phase.bytes.Set(from, to, known.bytes.Get(oldFrom, oldTo));
                phase.reductions.Set(from, to, known.reductions.Get(oldFrom, oldTo));
            }
        }
    }
    for (const auto& known : equal.m_messages)
    {
        std::map<Pair, uint32_t>& messages = m_messages.emplace_back();
        for (const auto& [pair, count] : known)
        {
            messages[{racks.at(pair.first), racks.at(pair.second)}] = count;
        }
    }
    for (const auto& [rack, phases] : equal.m_order)
    {
        m_order[racks.at(rack)] = phases;
    }
}

std::vector<uint32_t>
TrainingPhases::FindRacks(const std::vector<uint32_t>& places, uint32_t servers)
{
    std::map<RackId, uint32_t> numbers;
    std::vector<uint32_t> racks;
    for (const uint32_t place : places)
    {
        const auto next = static_cast<uint32_t>(numbers.size());
        racks.push_back(numbers.try_emplace(place / servers, next).first->second);
    }
    return racks;
}

void
TrainingPhases::SetPlaces(const std::vector<uint32_t>& places)
{
    m_places = places;
    for (uint32_t rank = 0; rank < places.size(); ++rank)
    {
        m_ranks[places[rank]] = rank;
    }
}

TrainingPhases::Key
TrainingPhases::GetKey(const Message& message, const TrainingRun::Purpose& purpose) const
{
    return {m_ranks.at(message.from), m_ranks.at(message.to), GetLabel(purpose)};
}

TrainingPhases::Label
TrainingPhases::GetLabel(const TrainingRun::Purpose& purpose) const
{
    switch (m_unit)
    {
    case CircuitRule::ITERATION:
        return {purpose.iteration, 0, 0};
    case CircuitRule::PHASE:
        return {purpose.communicator, 0, 0};
    case CircuitRule::STEP:
        return {purpose.communicator, purpose.number, purpose.round};
    default:
        return {};
    }
}

bool
TrainingPhases::IsBetween(const Message& message) const
{
    return message.bytes > 0 && message.from / m_links.servers != message.to / m_links.servers;
}

uint32_t
TrainingPhases::GetOpen(RackId rack) const
{
    const auto found = m_order.find(rack);
    return found == m_order.end() ? NONE : found->second.back();
}

uint32_t
TrainingPhases::Join(const Message& message,
                     const TrainingRun::Purpose& purpose,
                     const TrainingJob& job)
{
    const Label label = GetLabel(purpose);
    const Pair pair{message.from / m_links.servers, message.to / m_links.servers};
    uint32_t phase = NONE;
    if (m_unit == CircuitRule::ITERATION || m_unit == CircuitRule::JOB)
    {
        const auto found = std::find(m_labels.begin(), m_labels.end(), label);
        phase = found == m_labels.end() ? NONE : static_cast<uint32_t>(found - m_labels.begin());
    }
    else
    {
        for (const RackId rack : {pair.first, pair.second})
        {
            const uint32_t open = GetOpen(rack);
            phase = phase == NONE || (open != NONE && open > phase) ? open : phase;
        }
        const auto isUnderWay = [&](RackId rack)
        {
            const auto found = m_underWay.find({phase, rack});
            return found != m_underWay.end() && found->second > 0;
        };
        const bool overlaps = m_unit == CircuitRule::PHASE && phase != NONE &&
                              (isUnderWay(pair.first) || isUnderWay(pair.second));
        phase = phase != NONE && (m_labels[phase] == label || overlaps) ? phase : NONE;
    }
    if (phase == NONE)
    {
        phase = static_cast<uint32_t>(m_phases.size());
        m_labels.push_back(label);
        m_messages.emplace_back();
        m_bytes.emplace_back();
        m_reductions.emplace_back();
        TrainingPhase& added = m_phases.emplace_back();
        added.name = m_unit == CircuitRule::JOB         ? "job"
                     : m_unit == CircuitRule::ITERATION ? "iteration"
                     : purpose.communicator == TrainingRun::Purpose::SEND
                         ? "send"
                         : job.GetCommunicators()[purpose.communicator].name;
    }
    ++m_messages[phase][pair];
    const auto bytes = static_cast<double>(message.bytes);
    m_bytes[phase][pair] += bytes;
    if (purpose.communicator != TrainingRun::Purpose::SEND &&
        purpose.what != Collective::Operation::ALL_TO_ALL)
    {
        m_reductions[phase][pair] += bytes;
    }
    for (const RackId rack : {pair.first, pair.second})
    {
        ++m_underWay[{phase, rack}];
        if (m_unit != CircuitRule::ITERATION && m_unit != CircuitRule::JOB &&
            GetOpen(rack) != phase)
        {
            m_order[rack].push_back(phase);
        }
    }
    return phase;
}

uint32_t
TrainingPhases::Take(const Message& message, const TrainingRun::Purpose& purpose)
{
    const auto found = m_lines->find(GetKey(message, purpose));
    const std::size_t known = found == m_lines->end() ? 0 : found->second.phases.size();
    if (known == 0 || m_taken[found->second.index] == known)
    {
        throw OdcnError("TrainingPhases: " + std::to_string(known + 1) +
                        " messages from end point " + std::to_string(message.from) + " to " +
                        std::to_string(message.to) + ", expected " + std::to_string(known) +
                        ", as in a network without contention");
    }
    return found->second.phases[m_taken[found->second.index]++];
}

} // namespace ns3::odcn
