// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-evaluation.h"

#include <cmath>
#include <limits>

namespace ns3
{
namespace odcn
{

const char*
IcciEvaluation::GetName(Figure figure)
{
    static const std::array<const char*, FIGURES> NAMES{"hot_share",
                                                        "hot_blocks",
                                                        "hot_business",
                                                        "hot_residential",
                                                        "hot_other",
                                                        "moved_workers",
                                                        "migrations",
                                                        "refused",
                                                        "use_business",
                                                        "use_residential",
                                                        "use_other",
                                                        "variance_business",
                                                        "variance_residential",
                                                        "variance_other",
                                                        "hops",
                                                        "first_hops",
                                                        "bandwidth",
                                                        "bandwidth_business",
                                                        "bandwidth_residential",
                                                        "bandwidth_other",
                                                        "downtime",
                                                        "migration_downtime",
                                                        "ahead_of_time",
                                                        "migrated_ahead_of_time",
                                                        "blocked",
                                                        "lost"};
    return NAMES[figure];
}

void
IcciEvaluation::Run(IcciMigration& problem, OdcnDecisionPolicy& policy)
{
    problem.Reset();
    policy.Reset();
    std::vector<float> rewards;
    while (!problem.IsDone())
    {
        problem.Act(policy.Decide(problem));
        rewards.clear();
        problem.TakeRewards(rewards);
    }
    Add(problem);
}

void
IcciEvaluation::Add(const IcciMigration& problem)
{
    const IcciManager& manager = *PeekPointer(problem.GetManager());
    const IcciPool& pool = manager.GetPool();
    const auto areas = problem.GetAreas();
    constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
    Day day{};

    std::array<double, ICCI_AREAS> n{};
    std::array<double, ICCI_AREAS> sum{};
    std::array<double, ICCI_AREAS> squares{};
    double lost = 0;
    double used = 0;
    for (uint32_t centre = 0; centre < areas.size(); ++centre)
    {
        const auto area = static_cast<std::size_t>(areas[centre]);
        for (std::size_t block = 0; block < pool.GetNBlocks(); ++block)
        {
            const double share = pool.GetBlockUse(centre, block) / pool.GetCapacity(centre);
            n[area] += 1;
            sum[area] += share;
            squares[area] += share * share;
            used += pool.GetBlockUse(centre, block) * pool.GetRules().block;
            day[HOT_BUSINESS + area] += pool.IsHotBlock(centre, block);
        }
        lost += pool.GetLost(centre);
    }
    for (std::size_t area = 0; area < ICCI_AREAS; ++area)
    {
        const double mean = n[area] > 0 ? sum[area] / n[area] : NONE;
        day[HOT_BLOCKS] += day[HOT_BUSINESS + area];
        day[USE_BUSINESS + area] = mean;
        day[VARIANCE_BUSINESS + area] = 1e4 * (squares[area] / n[area] - mean * mean);
        day[BANDWIDTH_BUSINESS + area] = manager.GetWavelengthUse(static_cast<OtnArea>(area));
    }
    day[HOT_SHARE] = day[HOT_BLOCKS] / (n[0] + n[1] + n[2]);
    day[LOST] = lost / (lost + used);
    day[BANDWIDTH] = manager.GetWavelengthUse();

    double deployed = 0;
    double migrated = 0;
    double migratedAhead = 0;
    for (const auto& task : manager.GetTasks())
    {
        if (task.phase == IcciTaskState::BLOCKED)
        {
            day[BLOCKED] += 1;
            continue;
        }
        deployed += 1;
        day[HOPS] += task.lastHops;
        day[FIRST_HOPS] += task.firstHops;
        day[DOWNTIME] += task.downtime;
        day[AHEAD_OF_TIME] += task.GetAheadOfTime();
        if (task.moves > 0)
        {
            migrated += 1;
            migratedAhead += task.GetAheadOfTime();
        }
    }
    for (const Figure figure : {HOPS, FIRST_HOPS, AHEAD_OF_TIME})
    {
        day[figure] = deployed > 0 ? day[figure] / deployed : NONE;
    }
    day[BLOCKED] /= std::max(1.0, deployed + day[BLOCKED]);
    day[MIGRATED_AHEAD_OF_TIME] = migrated > 0 ? migratedAhead / migrated : NONE;
    double moves = 0;
    double downtime = 0;
    for (const auto& migration : manager.GetMigrations())
    {
        const bool complete = migration.phase == IcciMigrationRecord::COMPLETE;
        day[REFUSED] += !complete;
        day[MIGRATIONS] += complete;
        if (complete && !migration.moves.empty())
        {
            moves += 1;
            downtime += migration.downtime;
        }
    }
    day[MOVED_WORKERS] = static_cast<double>(manager.GetCounters().movedWorkers);
    day[MIGRATION_DOWNTIME] = moves > 0 ? downtime / moves : NONE;
    m_days.push_back(day);
}

std::vector<double>
IcciEvaluation::GetValues(Figure figure) const
{
    std::vector<double> values;
    for (const auto& day : m_days)
    {
        values.push_back(day[figure]);
    }
    return values;
}

OdcnEstimate
IcciEvaluation::GetMean(Figure figure) const
{
    auto values = GetValues(figure);
    std::erase_if(values, [](double value) { return std::isnan(value); });
    return OdcnMeanOfReplications(values);
}

OdcnEstimate
IcciEvaluation::GetChange(Figure figure, const IcciEvaluation& other) const
{
    auto change = GetValues(figure);
    const auto before = other.GetValues(figure);
    for (std::size_t day = 0; day < change.size(); ++day)
    {
        change[day] -= before[day];
    }
    return OdcnRatioOfReplications(change, before);
}

OdcnEstimate
IcciEvaluation::GetBlocksPerMove(const IcciEvaluation& other) const
{
    auto less = other.GetValues(HOT_BLOCKS);
    const auto after = GetValues(HOT_BLOCKS);
    for (std::size_t day = 0; day < less.size(); ++day)
    {
        less[day] -= after[day];
    }
    return OdcnRatioOfReplications(less, GetValues(MOVED_WORKERS));
}

} // namespace odcn
} // namespace ns3
