// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The CUs of centres: utilisation, hotspots and blocks against sums over every second.
 */

#include "../core/odcn-gtest-kit.h"

#include "ns3/icci-pool.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

constexpr std::size_t SAMPLES = 2160; // of 10 s: six hours

/// @param seed of the numbers  @param centres their number  @return demand in thousandths of a CU
std::vector<int32_t>
MakeSamples(uint64_t seed, uint32_t centres)
{
    std::mt19937_64 random(seed);
    std::vector<int32_t> samples(centres * SAMPLES);
    for (auto& sample : samples)
    {
        sample = static_cast<int32_t>(random() % 80) * 1500;
    }
    return samples;
}

TEST(IcciPoolTest, MeasuresWhatASumOverSecondsMeasures)
{
    constexpr uint32_t CENTRES = 3;
    const auto samples = MakeSamples(1, CENTRES);
    IcciPoolRules rules;
    rules.duration = 6 * 3600;
    IcciPool pool({100, 60, 100}, rules, samples.data(), SAMPLES, 10);
    std::mt19937_64 random(2);
    // Held CUs change at random whole seconds.
    std::vector<std::vector<uint32_t>> held(21600, std::vector<uint32_t>(CENTRES));
    for (int second = 0; second < 21600; ++second)
    {
        if (random() % 200 == 0)
        {
            const auto centre = static_cast<uint32_t>(random() % CENTRES);
            pool.AdvanceTo(second);
            const auto some = static_cast<uint32_t>(random() % 40);
            if (random() % 2)
            {
                pool.Take(centre, std::min(some, pool.GetFree(centre)));
            }
            else
            {
                pool.Give(centre, std::min(some, pool.GetHeld(centre)));
            }
        }
        for (uint32_t centre = 0; centre < CENTRES; ++centre)
        {
            ASSERT_EQ(pool.GetHeld(centre) + pool.GetFree(centre), pool.GetCapacity(centre));
            held[second][centre] = pool.GetHeld(centre);
        }
    }
    pool.AdvanceTo(21600);
    pool.AdvanceTo(30000);
    ASSERT_EQ(pool.GetNBlocks(), 6U);
    EXPECT_EQ(pool.GetTime(), 30000);
    std::size_t hot = 0;
    for (uint32_t centre = 0; centre < CENTRES; ++centre)
    {
        const double capacity = pool.GetCapacity(centre);
        double lost = 0;
        std::vector<double> use(36, 0);
        for (int second = 0; second < 21600; ++second)
        {
            const double asked = samples[centre * SAMPLES + second / 10] / 1000.0;
            const double all = asked + held[second][centre];
            use[second / 600] += std::min(all, capacity) / 600;
            lost += std::max(0.0, all - capacity);
        }
        EXPECT_NEAR(pool.GetLost(centre), lost, 1e-6 * lost);
        EXPECT_NEAR(pool.GetRecentUse(centre), use[35], 1e-9 * capacity);
        for (std::size_t block = 0; block < 6; ++block)
        {
            double mean = SumOf<double>(6, [&](std::size_t i) { return use[6 * block + i] / 6; });
            EXPECT_NEAR(pool.GetBlockUse(centre, block), mean, 1e-9 * capacity);
            EXPECT_EQ(pool.IsHotBlock(centre, block), mean >= 0.8 * capacity);
            hot += pool.IsHotBlock(centre, block);
        }
    }
    EXPECT_GT(hot, 0U);
    EXPECT_LT(hot, 18U);
}

TEST(IcciPoolTest, KnowsHotspotsByTheLastWindow)
{
    std::vector<int32_t> samples(SAMPLES, 30000);
    IcciPoolRules rules;
    rules.duration = 6 * 3600;
    IcciPool pool({100}, rules, samples.data(), SAMPLES, 10);
    EXPECT_EQ(pool.GetAsked(0), 30);
    EXPECT_EQ(pool.GetRecentAsked(0), 30);
    pool.AdvanceTo(600);
    EXPECT_EQ(pool.GetRecentUse(0), 30);
    pool.Take(0, 50);
    pool.AdvanceTo(1199);
    EXPECT_FALSE(pool.IsHot(0));
    pool.AdvanceTo(1200);
    // 80 of 100 is hot (Eq. 5).
    EXPECT_TRUE(pool.IsHot(0));
    pool.Give(0, 1);
    pool.AdvanceTo(1800);
    EXPECT_FALSE(pool.IsHot(0));
    EXPECT_EQ(pool.GetUseIf(0, 60, 5, 25), 90);
    EXPECT_EQ(pool.GetUseIf(0, 90, 1000, 3000), 100);
    EXPECT_EQ(pool.GetLost(0), 0);
}

} // namespace
