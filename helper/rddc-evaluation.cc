// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-evaluation.h"

#include <algorithm>

namespace ns3
{
namespace odcn
{

RddcEvaluation::RddcEvaluation(uint64_t last)
    : m_last(last)
{
}

const char*
RddcEvaluation::GetName(Figure figure)
{
    static const std::array<const char*, FIGURES> NAMES{"acceptance",
                                                        "overall_acceptance",
                                                        "cpu_use",
                                                        "memory_use",
                                                        "tier_1_use",
                                                        "tier_2_use",
                                                        "tier_3_use",
                                                        "servers_per_grant",
                                                        "racks_per_grant"};
    return NAMES[figure];
}

void
RddcEvaluation::Run(RddcAllocation& problem, OdcnDecisionPolicy& policy)
{
    problem.Reset();
    policy.Reset();
    const RddcManager& manager = *PeekPointer(problem.GetManager());
    std::vector<Episode> path;
    uint64_t granted = 0;
    while (!problem.IsDone())
    {
        granted += problem.RunRequest(policy);
        Episode now{};
        now[ACCEPTANCE] =
            static_cast<double>(granted) / static_cast<double>(problem.GetNRequests());
        now[CPU_USE] = manager.GetServers().GetCpuUse();
        now[MEMORY_USE] = manager.GetServers().GetMemoryUse();
        for (std::size_t tier = 0; tier < RddcNetwork::TIERS; ++tier)
        {
            const RddcChannelLedger& channels = manager.GetChannels();
            now[TIER_1_USE + tier] =
                static_cast<double>(channels.GetUsed(tier)) /
                static_cast<double>(channels.GetNetwork()->GetTierChannels(tier));
        }
        path.push_back(now);
    }
    Episode mean{};
    const std::size_t last = std::min<std::size_t>(m_last, path.size());
    for (auto now = path.end() - static_cast<std::ptrdiff_t>(last); now != path.end(); ++now)
    {
        for (std::size_t i = 0; i < FIGURES; ++i)
        {
            mean[i] += (*now)[i] / static_cast<double>(last);
        }
    }
    const RddcCounters& counters = manager.GetCounters();
    const double grants = std::max<double>(1, static_cast<double>(counters.granted));
    mean[OVERALL_ACCEPTANCE] = path.empty() ? 0 : path.back()[ACCEPTANCE];
    mean[SERVERS] = static_cast<double>(counters.servers) / grants;
    mean[RACKS] = static_cast<double>(counters.racks) / grants;
    m_episodes.push_back(mean);
}

std::vector<double>
RddcEvaluation::GetValues(Figure figure) const
{
    std::vector<double> values;
    for (const auto& episode : m_episodes)
    {
        values.push_back(episode[figure]);
    }
    return values;
}

OdcnEstimate
RddcEvaluation::GetMean(Figure figure) const
{
    return OdcnMeanOfReplications(GetValues(figure));
}

OdcnEstimate
RddcEvaluation::GetDifference(Figure figure, const RddcEvaluation& other) const
{
    return OdcnPairedDifference(GetValues(figure), other.GetValues(figure));
}

} // namespace odcn
} // namespace ns3
