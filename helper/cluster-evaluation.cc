// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-evaluation.h"

#include <numeric>

namespace ns3
{
namespace odcn
{

const char*
ClusterEvaluation::GetName(Figure figure)
{
    static const std::array<const char*, FIGURES> NAMES{"slowdown",
                                                        "cycling_time",
                                                        "waiting_time",
                                                        "unscheduled",
                                                        "reward",
                                                        "slots"};
    return NAMES[figure];
}

void
ClusterEvaluation::Run(ClusterScheduling& problem,
                       OdcnDecisionPolicy& policy,
                       uint32_t sets,
                       const std::function<void()>& done)
{
    std::vector<float> rewards;
    for (uint32_t i = 0; i < sets; ++i)
    {
        if (i > 0)
        {
            problem.Reset();
        }
        policy.Reset();
        Set set;
        while (!problem.IsDone())
        {
            problem.Act(policy.Decide(problem));
            rewards.clear();
            problem.TakeRewards(rewards);
            set.reward = std::accumulate(rewards.begin(), rewards.end(), set.reward);
            ++set.decisions;
        }
        set.counters = problem.GetCounters();
        set.slots = problem.GetNow();
        m_sets.push_back(set);
        if (done)
        {
            done();
        }
    }
}

std::array<double, 2>
ClusterEvaluation::GetRatio(Figure figure, const Set& set)
{
    const ClusterCounters& c = set.counters;
    const auto scheduled = static_cast<double>(c.scheduled);
    switch (figure)
    {
    case SLOWDOWN:
        return {c.slowdown, scheduled};
    case CYCLING_TIME:
        return {static_cast<double>(c.cyclingTime), scheduled};
    case WAITING_TIME:
        return {static_cast<double>(c.waitingTime), scheduled};
    case UNSCHEDULED:
        return {static_cast<double>(c.offered - c.scheduled), static_cast<double>(c.offered)};
    case REWARD:
        return {set.reward, 1};
    default:
        return {static_cast<double>(set.slots), 1};
    }
}

OdcnEstimate
ClusterEvaluation::GetMean(Figure figure) const
{
    std::vector<double> totals;
    std::vector<double> counts;
    for (const Set& set : m_sets)
    {
        const auto [total, count] = GetRatio(figure, set);
        totals.push_back(total);
        counts.push_back(count);
    }
    return OdcnRatioOfReplications(totals, counts);
}

OdcnEstimate
ClusterEvaluation::GetDifference(Figure figure, const ClusterEvaluation& other) const
{
    std::vector<double> own;
    std::vector<double> others;
    for (std::size_t i = 0; i < m_sets.size(); ++i)
    {
        const auto [total, count] = GetRatio(figure, m_sets[i]);
        const auto [otherTotal, otherCount] = GetRatio(figure, other.m_sets.at(i));
        if (count > 0 && otherCount > 0)
        {
            own.push_back(total / count);
            others.push_back(otherTotal / otherCount);
        }
    }
    return OdcnPairedDifference(own, others);
}

} // namespace odcn
} // namespace ns3
