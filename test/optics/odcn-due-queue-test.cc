// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/odcn-due-queue.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

using ns3::odcn::DueQueue;

TEST(DueQueue, RandomChangesGiveThePartsOfASortedSet)
{
    constexpr uint32_t FLOWS = 40;
    std::mt19937 random(1); // NOLINT: the same numbers in each run
    DueQueue queue;
    std::map<uint32_t, int64_t> times;
    std::set<std::pair<int64_t, uint32_t>> sorted;
    const auto take = [&](int64_t now)
    {
        std::vector<uint32_t> flows{7};
        queue.TakeUntil(now, flows);
        std::vector<uint32_t> expected{7};
        while (!sorted.empty() && sorted.begin()->first <= now)
        {
            expected.push_back(sorted.begin()->second);
            times.erase(expected.back());
            sorted.erase(sorted.begin());
        }
        EXPECT_EQ(flows, expected);
    };
    for (int i = 0; i < 20000; ++i)
    {
        const auto flow = static_cast<uint32_t>(random() % FLOWS);
        const auto found = times.find(flow);
        if (found != times.end())
        {
            sorted.erase({found->second, flow});
            times.erase(found);
        }
        if (random() % 3 == 0)
        {
            queue.Remove(flow);
        }
        else
        {
            const auto time = static_cast<int64_t>(random() % 30); // many at the same time
            queue.Set(flow, time);
            times[flow] = time;
            sorted.emplace(time, flow);
        }
        ASSERT_EQ(queue.GetTime(), sorted.empty() ? DueQueue::NEVER : sorted.begin()->first);
        if (random() % 20 == 0)
        {
            take(static_cast<int64_t>(random() % 30)); // some, none or all of them
        }
    }
    take(30);
    EXPECT_EQ(queue.GetTime(), DueQueue::NEVER);
}
