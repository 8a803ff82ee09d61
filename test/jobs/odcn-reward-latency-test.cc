// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Rewards of Eq. 1 with the latency of packets.
 */

#include "odcn-test-system.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param latency "Formula" or "Packets"
/// @param stream first stream
/// @return the latency terms of the rewards of 400 jobs at 8 racks, one a job
std::vector<double>
LatencyTerms(const std::string& latency, int64_t stream)
{
    TestSystem system(8, 16, OdcnResources::Of(32, 256, 3584));
    system.Set("RewardPackets=1000|PhiReconf=0|RewardLatency=" + latency);
    system.problem->SetJobSource(TestGenerator(4, 1));
    system.problem->AssignStreams(stream);
    system.problem->Reset();
    RandomRack policy(7, 0.9, 1);
    std::vector<double> terms;
    for (uint64_t job = 0; job < 400; ++job)
    {
        while (system.problem->GetNJobs() == job)
        {
            system.problem->Act(policy.Decide(*system.problem));
        }
        const float reward = system.Rewards().back();
        if (reward > 0)
        {
            terms.push_back(reward - 1);
        }
    }
    return terms;
}

/// @param values sample, not empty
/// @return its mean
double
Mean(const std::vector<double>& values)
{
    double sum = SumOf<double>(values, std::identity());
    return sum / static_cast<double>(values.size());
}

} // namespace

TEST(RewardLatency, OfPacketsIsThatOfTheFormulaOnAverage)
{
    const auto formula = LatencyTerms("Formula", 10);
    const auto packets = LatencyTerms("Packets", 10);
    ASSERT_EQ(formula.size(), packets.size());
    ASSERT_GT(formula.size(), 100U);
    EXPECT_NE(formula, packets);
    EXPECT_LT(Mean(formula), 100 / 59.2) << "circuits are in use";
    EXPECT_NEAR(Mean(packets), Mean(formula), 0.01 * Mean(formula));
}

TEST(RewardLatency, OfPacketsFollowsTheStream)
{
    const auto once = LatencyTerms("Packets", 10);
    EXPECT_EQ(LatencyTerms("Packets", 10), once);
}
