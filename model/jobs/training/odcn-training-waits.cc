// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-waits.h"

#include "ns3/odcn-packet-messages.h"

#include <algorithm>

namespace ns3::odcn
{

TrainingWaits::TrainingWaits(const FabricSize& size, Ptr<CircuitSchedule> schedule)
    : m_size(size),
      m_schedule(schedule),
      m_near(PacketMessages::GetLink(0, size.GetServerGbps() * 1e9)),
      m_far(PacketMessages::GetLink(0, std::min(size.gbps, size.GetServerGbps()) * 1e9))
{
}

Time
TrainingWaits::Explain(const Message& message, Time received, TrainingTimes& times)
{
    const RackId from = message.from / m_size.servers;
    const RackId to = message.to / m_size.servers;
    const double wire = (from == to ? m_near : m_far).GetTime(message.bytes);
    const double alone = wire + (from == to ? 0 : m_size.delay * 1e-9); // s
    const Time took = received - message.sent;
    const Time own = std::min(took, Seconds(alone));
    Time rest = took - own;
    if (m_schedule && from != to)
    {
        const Circuits circuits = GetCircuits(from, to, message.sent, received);
        const Time none = std::min(rest, took - circuits.up - circuits.dark);
        rest -= none;
        const Time dark = std::min(rest, circuits.dark);
        rest -= dark;
        times.Add(TrainingTimes::CIRCUITS, none);
        times.Add(TrainingTimes::DARK, dark);
    }
    times.Add(TrainingTimes::SHARING, rest);
    return own;
}

TrainingWaits::Circuits
TrainingWaits::GetCircuits(RackId from, RackId to, Time begin, Time end)
{
    std::vector<Change>& changes = m_changes[{from, to}];
    if (changes.empty())
    {
        changes = FindChanges(from, to);
    }
    const Circuits before = Sum(changes, begin);
    const Circuits after = Sum(changes, end);
    return {after.up - before.up, after.dark - before.dark};
}

std::vector<TrainingWaits::Change>
TrainingWaits::FindChanges(RackId from, RackId to) const
{
    const Time period = m_schedule->GetPeriod();
    std::map<Time, std::pair<int, int>> steps{{Time(0), {0, 0}}, {period, {0, 0}}}; // up, dark
    const auto add = [&](Time begin, Time end, bool isUp)
    {
        const auto change = [&](Time at, int by)
        { (isUp ? steps[at].first : steps[at].second) += by; };
        for (Time shift = Time(0) - period; shift <= period; shift += period)
        {
            const Time first = std::max(Time(0), begin + shift);
            const Time last = std::min(period, end + shift);
            if (first < last)
            {
                change(first, 1);
                change(last, -1);
            }
        }
    };
    for (uint32_t p = 0; p < m_schedule->GetNPlanes(); ++p)
    {
        const CircuitSchedule::Plane& plane = m_schedule->GetPlane(p);
        Time start = plane.offset;
        for (uint32_t s = 0; s < plane.slots.size(); ++s)
        {
            const Time end = start + plane.slots[s].duration;
            if (plane.slots[s].to[from] == to)
            {
                const bool changes = m_schedule->Changes(p, s, from);
                const Time up = start + (changes ? m_schedule->GetReconfigurationTime() : Time(0));
                add(start, up, false);
                add(up, end, true);
            }
            start = end;
        }
    }
    std::vector<Change> changes;
    Circuits sums{};
    int up = 0;
    int dark = 0;
    for (const auto& [at, step] : steps)
    {
        if (!changes.empty())
        {
            const Change& last = changes.back();
            sums.up += last.isUp ? at - last.at : Time(0);
            sums.dark += last.isDark ? at - last.at : Time(0);
        }
        up += step.first;
        dark += step.second;
        changes.push_back({at, up > 0, up == 0 && dark > 0, sums});
    }
    return changes;
}

TrainingWaits::Circuits
TrainingWaits::Sum(const std::vector<Change>& changes, Time time) const
{
    const int64_t period = m_schedule->GetPeriod().GetTimeStep();
    const int64_t periods = time.GetTimeStep() / period;
    const Time rest(time.GetTimeStep() % period);
    const auto next = std::upper_bound(changes.begin(),
                                       changes.end(),
                                       rest,
                                       [](Time t, const Change& change) { return t < change.at; });
    const Change& last = *(next - 1);
    const Circuits& all = changes.back().sums;
    return {periods * all.up + last.sums.up + (last.isUp ? rest - last.at : Time(0)),
            periods * all.dark + last.sums.dark + (last.isDark ? rest - last.at : Time(0))};
}

} // namespace ns3::odcn
