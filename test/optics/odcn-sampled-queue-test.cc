// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Queues measured by packets against the closed form.
 */

#include "../core/odcn-gtest-kit.h"

#include "ns3/odcn-queue-table.h"
#include "ns3/odcn-sampled-queue.h"

using namespace ns3::odcn;

namespace
{

constexpr uint32_t WAITING = 15;

/// @param packets measured in a run  @return a sampler on stream 3
SampledQueue
Sampler(uint32_t packets)
{
    return {WAITING, packets, RandomStream(3)};
}

} // namespace

TEST(SampledQueue, AgreesWithTheClosedForm)
{
    const QueueTable table(WAITING + 1);
    for (const double rho : {0.1, 0.5, 0.8, 0.95, 1.3})
    {
        const auto exact = table.Get(rho);
        const auto measured = Sampler(1'000'000).Get(0, rho);
        EXPECT_NEAR(measured.sojourn, exact.sojourn, 0.01 * exact.sojourn) << rho;
        EXPECT_NEAR(measured.loss, exact.loss, 1e-4 + 0.02 * exact.loss) << rho;
    }
}

TEST(SampledQueue, ATransmitterAloneLosesWhatComesMeanwhile)
{
    for (const double rho : {0.1, 0.9, 3.0})
    {
        const auto measured = SampledQueue(0, 1'000'000, RandomStream(3)).Get(0, rho);
        EXPECT_NEAR(measured.loss, rho / (1 + rho), 2e-3) << rho; // Erlang's formula
        EXPECT_EQ(measured.sojourn, 1) << rho;
    }
}

TEST(SampledQueue, RunsAgainJustWhenTheLoadOfThePlaceChanges)
{
    auto queue = Sampler(50);
    const auto first = queue.Get(2, 0.9);
    EXPECT_EQ(queue.Get(2, 0.9).sojourn, first.sojourn);
    const auto elsewhere = queue.Get(0, 0.9);
    EXPECT_NE(elsewhere.sojourn, first.sojourn) << "other packets";
    EXPECT_EQ(queue.Get(2, 0.9).sojourn, first.sojourn);
    EXPECT_NE(queue.Get(2, 0.8).sojourn, first.sojourn);
    EXPECT_NE(queue.Get(2, 0.9).sojourn, first.sojourn) << "run anew";
}

TEST(SampledQueue, ShortRunsAreRightOnAverage)
{
    const double rho = 0.7;
    auto queue = Sampler(100);
    double sum = 0;
    constexpr int RUNS = 4000;
    for (int i = 0; i < RUNS; ++i)
    {
        sum += queue.Get(0, rho).sojourn;
        queue.Get(0, 0.3);
    }
    const double exact = QueueTable(WAITING + 1).Get(rho).sojourn;
    EXPECT_NEAR(sum / RUNS, exact, 0.02 * exact);
}

TEST(SampledQueue, RefusesToMeasureNoPackets)
{
    EXPECT_THROW(Sampler(0), OdcnError);
}
