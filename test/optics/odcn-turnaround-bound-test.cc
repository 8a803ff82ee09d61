// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "../core/odcn-gtest-kit.h"

#include "ns3/odcn-turnaround-bound.h"

using namespace ns3::odcn;

namespace
{

/// A job with integer times and units.
struct Task
{
    int arrival;
    int length;
    std::vector<int> units;
    double weight;
};

/// @return least weighted turnaround time of all schedules with integer starts, by trying them all
double
TryAll(const std::vector<Task>& tasks, int capacity, std::size_t next, std::vector<int>& starts)
{
    if (next == tasks.size())
    {
        return SumOf<double>(
            tasks.size(),
            [&](std::size_t i)
            { return tasks[i].weight * (starts[i] + tasks[i].length - tasks[i].arrival); });
    }
    double best = std::numeric_limits<double>::infinity();
    const Task& task = tasks[next];
    for (int start = task.arrival; start < 14; ++start)
    {
        bool fits = true;
        for (int t = start; t < start + task.length && fits; ++t)
        {
            for (std::size_t r = 0; r < task.units.size(); ++r)
            {
                int used = task.units[r];
                for (std::size_t i = 0; i < next; ++i)
                {
                    const bool runs = starts[i] <= t && t < starts[i] + tasks[i].length;
                    used += runs ? tasks[i].units[r] : 0;
                }
                fits = fits && used <= capacity;
            }
        }
        if (fits)
        {
            starts[next] = start;
            best = std::min(best, TryAll(tasks, capacity, next + 1, starts));
        }
    }
    return best;
}

} // namespace

TEST(TurnaroundBound, IsExactForJobsThatNeedAllOfOneResource)
{
    // Together at time 0: 1, then 1 + 2, whatever the order given.
    EXPECT_DOUBLE_EQ(TurnaroundBound({{0, 2, {1}, 1}, {0, 1, {1}, 1}}), 4);
    // Weights: 2 x 2 first, then 1 x 3.
    EXPECT_DOUBLE_EQ(TurnaroundBound({{0, 2, {1}, 2.5}, {0, 1, {1}, 1}}), 5 + 3);
    // No contention: weight x length.
    EXPECT_DOUBLE_EQ(TurnaroundBound({{0, 4, {0.5}, 1}, {9, 2, {0.25}, 3}}), 4 + 6);
    EXPECT_DOUBLE_EQ(TurnaroundBound({}), 0);
}

TEST(TurnaroundBound, InterruptsForAShorterJob)
{
    // The server works on the first from 0 to 1 and 2 to 11: mean 0.1 x 0.5 + 0.9 x 6.5 = 5.9, plus
    // half the length 5: finish at 10.9 at least. The second: 1 to 2.
    EXPECT_NEAR(TurnaroundBound({{0, 10, {1}, 1}, {1, 1, {1}, 1}}), 10.9 + 1, 1e-12);
}

TEST(TurnaroundBound, IsNeverAboveTheBestSchedule)
{
    std::mt19937 random(7);
    const auto draw = [&](int low, int high)
    { return low + static_cast<int>(random() % static_cast<uint32_t>(high - low + 1)); };
    int tight = 0;
    for (int trial = 0; trial < 300; ++trial)
    {
        const int capacity = draw(1, 3);
        std::vector<Task> tasks;
        std::vector<TurnaroundJob> jobs;
        for (int i = draw(1, 4); i > 0; --i)
        {
            Task task{draw(0, 2), draw(1, 3), {draw(0, capacity), draw(0, capacity)}, 1};
            task.weight = trial % 2 ? 1 : 1.0 / task.length;
            tasks.push_back(task);
            jobs.push_back({double(task.arrival),
                            double(task.length),
                            {double(task.units[0]) / capacity, double(task.units[1]) / capacity},
                            task.weight});
        }
        std::vector<int> starts(tasks.size());
        const double best = TryAll(tasks, capacity, 0, starts);
        const double bound = TurnaroundBound(jobs);
        ASSERT_LE(bound, best + 1e-9) << "trial " << trial;
        tight += bound > 0.95 * best;
    }
    EXPECT_GT(tight, 150);
}

TEST(TurnaroundBound, RefusesWhatIsNoJob)
{
    EXPECT_THROW(TurnaroundBound({{0, 0, {1}, 1}}), OdcnError);
    EXPECT_THROW(TurnaroundBound({{-1, 1, {1}, 1}}), OdcnError);
    EXPECT_THROW(TurnaroundBound({{0, 1, {1.5}, 1}}), OdcnError);
    EXPECT_THROW(TurnaroundBound({{0, 1, {1}, 0}}), OdcnError);
    EXPECT_THROW(TurnaroundBound({{0, 1, {1}, 1}, {0, 1, {1, 1}, 1}}), OdcnError);
    EXPECT_THROW(TurnaroundBound({{0, NAN, {1}, 1}}), OdcnError);
}
