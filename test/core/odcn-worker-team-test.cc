// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-gtest-kit.h"

#include "ns3/odcn-worker-team.h"

#include <chrono>
#include <numeric>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace ns3::odcn
{
namespace
{

using WorkerTeamSizes = testing::TestWithParam<uint32_t>;

TEST_P(WorkerTeamSizes, RunsEachTaskOnceInEachCall)
{
    WorkerTeam team(GetParam());
    for (const std::size_t tasks : {0, 1, 2, 7, 64})
    {
        std::vector<uint32_t> runs(tasks);
        for (uint32_t call = 1; call <= 300; ++call)
        {
            team.Run(tasks,
                     [&](std::size_t begin, std::size_t end)
                     {
                         for (std::size_t i = begin; i < end; ++i)
                         {
                             ++runs[i];
                         }
                     });
            ASSERT_EQ(runs, std::vector<uint32_t>(tasks, call));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Threads, WorkerTeamSizes, testing::Values(1, 2, 3, 5));

TEST(WorkerTeam, GivesAThreadTheSameTasks)
{
    WorkerTeam team(3);
    const auto find = [&]()
    {
        std::vector<std::thread::id> threads(8);
        team.Run(threads.size(),
                 [&](std::size_t begin, std::size_t end)
                 {
                     for (std::size_t i = begin; i < end; ++i)
                     {
                         threads[i] = std::this_thread::get_id();
                     }
                 });
        return threads;
    };
    const auto threads = find();
    EXPECT_EQ(threads.front(), std::this_thread::get_id());
    EXPECT_NE(threads.front(), threads.back());
    // Longer than threads poll.
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_EQ(find(), threads);
}

TEST(WorkerTeam, RethrowsWhenAllAreDone)
{
    WorkerTeam team(2);
    std::vector<uint32_t> runs(2);
    for (const std::size_t bad : {0, 1})
    {
        const auto run = [&]()
        {
            team.Run(2,
                     [&](std::size_t begin, std::size_t)
                     {
                         ++runs[begin];
                         if (begin == bad)
                         {
                             throw std::runtime_error("task " + std::to_string(begin));
                         }
                     });
        };
        try
        {
            run();
            FAIL() << "no exception";
        }
        catch (const std::runtime_error& error)
        {
            EXPECT_EQ(error.what(), "task " + std::to_string(bad));
        }
    }
    EXPECT_EQ(runs, (std::vector<uint32_t>{2, 2}));
    team.Run(2, [&](std::size_t begin, std::size_t) { ++runs[begin]; });
    EXPECT_EQ(runs, (std::vector<uint32_t>{3, 3}));
}

TEST(WorkerTeam, RunsAllTasksInAForkedProcess)
{
    WorkerTeam team(2);
    const pid_t child = fork();
    if (child == 0)
    {
        std::vector<int> tasks(5);
        team.Run(tasks.size(),
                 [&](std::size_t begin, std::size_t end)
                 { std::fill(tasks.begin() + begin, tasks.begin() + end, 1); });
        _exit(std::accumulate(tasks.begin(), tasks.end(), 0));
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 5);
}

} // namespace
} // namespace ns3::odcn
