// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * What networks and learners are computed with.
 */

#include "ns3/odcn-dense-stack.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-thread-team.h"

#include <atomic>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

using namespace ns3::odcn;

TEST(OdcnAdam, StepsWorkedByHand)
{
    // 19 parameters: whole vectors and a rest, whatever the width.
    constexpr std::size_t N = 19;
    OdcnAdam adam;
    adam.Reset(N);
    std::vector<float> p(N, 1.0F);
    std::vector<float> g(N);
    for (std::size_t i = 0; i < N; ++i)
    {
        g[i] = static_cast<float>(i) - 9.0F;
    }
    // The first step is the step size against the sign of the gradient, whatever its length.
    adam.Step(p.data(), g.data(), 0.1, 0.5);
    for (std::size_t i = 0; i < N; ++i)
    {
        EXPECT_NEAR(p[i], i < 9 ? 1.1 : i > 9 ? 0.9 : 1.0, 1e-6) << i;
    }
    // The second, with gradient 0: first moment 0.9 x 0.1 g, second 0.999 x 0.001 g^2.
    const std::vector<float> zero(N, 0.0F);
    adam.Step(p.data(), zero.data(), 0.1, 1.0);
    const double step = 0.1 * (0.09 / (1 - 0.81)) / std::sqrt(0.999e-3 / (1 - 0.999 * 0.999));
    EXPECT_NEAR(p[0], 1.1 + step, 1e-6);
    EXPECT_NEAR(p[18], 0.9 - step, 1e-6);
}

TEST(OdcnThreadTeam, DoesEachTaskOnce)
{
    for (uint32_t threads : {1U, 2U, 5U})
    {
        OdcnThreadTeam team(threads);
        EXPECT_EQ(team.GetSize(), threads);
        for (std::size_t tasks : {0U, 1U, 2U, 100U})
        {
            std::vector<int> done(tasks);
            std::vector<int> busy(threads);
            team.Run(tasks,
                     [&](std::size_t task, std::size_t worker)
                     {
                         EXPECT_EQ(busy.at(worker)++, 0) << "a worker does one task at a time";
                         ++done.at(task);
                         --busy.at(worker);
                     });
            EXPECT_EQ(done, std::vector<int>(tasks, 1));
        }
    }
}

TEST(OdcnThreadTeam, PassesErrorsOnAndGoesOn)
{
    OdcnThreadTeam team(3);
    for (int twice = 0; twice < 2; ++twice)
    {
        const auto fail = [](std::size_t task, std::size_t)
        {
            if (task == 17)
            {
                throw OdcnError("task 17");
            }
        };
        EXPECT_THROW(team.Run(50, fail), OdcnError);
        std::atomic<int> done{0};
        team.Run(50, [&](std::size_t, std::size_t) { ++done; });
        EXPECT_EQ(done, 50);
    }
}

TEST(OdcnSumOfSquares, AddsAll)
{
    std::vector<float> x(19);
    std::iota(x.begin(), x.end(), 1.0F);
    EXPECT_EQ(OdcnSumOfSquares(x.data(), x.size()), 19 * 20 * 39 / 6);
}

TEST(OdcnRanks, EqualNumbersShareTheMean)
{
    // More than a vector, and a rest.
    std::vector<float> x{4, 1, 4, -2, 4, 0};
    std::vector<float> rank(12, 9.0F);
    OdcnRanks(x.data(), 6, rank.data() + 1, 2);
    EXPECT_EQ(rank, (std::vector<float>{9, 0.8F, 9, 0.4F, 9, 0.8F, 9, 0, 9, 0.8F, 9, 0.2F}));
    OdcnRanks(x.data(), 1, rank.data(), 1);
    EXPECT_EQ(rank[0], 0);
    x.resize(37);
    std::iota(x.rbegin(), x.rend(), 1.0F);
    rank.resize(37);
    OdcnRanks(x.data(), 37, rank.data(), 1);
    for (std::size_t i = 0; i < 37; ++i)
    {
        EXPECT_EQ(rank[i], static_cast<float>(36 - i) / 36) << i;
    }
}
