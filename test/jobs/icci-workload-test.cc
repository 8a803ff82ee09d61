// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Training tasks as in the DeepHM paper, Eqs. 1 to 3, and the tide.
 */

#include "../core/odcn-gtest-kit.h"

#include "ns3/icci-task-generator.h"
#include "ns3/icci-tide.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

TEST(IcciTaskTest, NeedsWhatTheEquationsSay)
{
    IcciTask task;
    task.dataGb = 1000;
    task.parameters = 100;
    task.deadline = 60000;
    task.iterations = 30000;
    task.workers = 4;
    const IcciDemand demand = IcciGetDemand(task, {});
    // Eq. 1: 2 s an iteration, of which 70 % compute.
    EXPECT_DOUBLE_EQ(demand.compute, 1.4);
    EXPECT_DOUBLE_EQ(demand.compute + demand.transfer, 2);
    // Eq. 2: 10^15 / (2 10^13 x 4 x 1.4) = 8.93; Eq. 3: 6 x 10^11 / (4 x 10^11 x 0.6) = 2.5.
    EXPECT_EQ(demand.cus, 9U);
    EXPECT_EQ(demand.bus, 3U);
    // An exact quotient is not rounded up.
    IcciRates rates;
    rates.computeShare = 0.5;
    task.dataGb = 800;
    task.parameters = 200;
    EXPECT_EQ(IcciGetDemand(task, rates).cus, 10U);
    EXPECT_EQ(IcciGetDemand(task, rates).bus, 3U);
}

TEST(IcciTaskTest, IsDrawnInThePapersRanges)
{
    auto generator = CreateObject<IcciTaskGenerator>();
    EXPECT_EQ(generator->AssignStreams(5), 8);
    double workers = 0;
    double cus = 0;
    std::size_t n = 0;
    std::set<std::size_t> sizes;
    for (int day = 0; day < 200; ++day)
    {
        const auto tasks = generator->Draw(22);
        sizes.insert(tasks.size());
        for (std::size_t i = 0; i < tasks.size(); ++i)
        {
            const IcciTask& task = tasks[i];
            EXPECT_EQ(task.id, i);
            EXPECT_TRUE(i == 0 || tasks[i - 1].arrival <= task.arrival);
            EXPECT_TRUE(task.arrival >= 0 && task.arrival < 36000);
            EXPECT_TRUE(task.dataGb >= 700 && task.dataGb <= 2000);
            EXPECT_TRUE(task.parameters >= 70 && task.parameters <= 200);
            EXPECT_TRUE(task.accuracy >= 0.1 && task.accuracy <= 0.4);
            EXPECT_TRUE(task.deadline >= 36000 && task.deadline <= 86400);
            EXPECT_TRUE(task.workers >= 3 && task.workers <= 10);
            EXPECT_LT(task.source, 22U);
            EXPECT_EQ(task.iterations, std::round(-2.6e4 * std::log(task.accuracy)));
            workers += task.workers;
            cus += task.workers * IcciGetDemand(task, {}).cus;
        }
        n += tasks.size();
    }
    EXPECT_EQ(sizes, (std::set<std::size_t>{18, 19, 20}));
    EXPECT_NEAR(workers / static_cast<double>(n), 4.6, 0.1);
    EXPECT_NEAR(cus / static_cast<double>(n), 65, 5);
    // The same streams give the same days.
    auto other = CreateObject<IcciTaskGenerator>();
    other->AssignStreams(5);
    generator->AssignStreams(5);
    EXPECT_EQ(generator->Draw(22), other->Draw(22));
    EXPECT_LE(other->Draw(3).front().workers, 3U);
    EXPECT_THROW(other->Draw(2), OdcnError);
    other->SetAttribute("Deadline", StringValue("ns3::ConstantRandomVariable[Constant=0]"));
    EXPECT_THROW(other->Draw(22), OdcnError);
}

TEST(IcciTideTest, FollowsItsMean)
{
    auto tide = CreateObject<IcciTide>();
    EXPECT_EQ(tide->AssignStreams(3), 1);
    const std::vector<OtnArea> areas{OtnArea::BUSINESS, OtnArea::RESIDENTIAL, OtnArea::OTHER};
    // 150 a minute, 6 s each: 15 Erlang at the business peak, in the middle of the hour.
    EXPECT_DOUBLE_EQ(tide->GetMeanRequests(OtnArea::BUSINESS, 11.5 * 3600), 15);
    EXPECT_DOUBLE_EQ(tide->GetProfile(OtnArea::BUSINESS, 4 * 3600), 0.15);
    EXPECT_DOUBLE_EQ(tide->GetProfile(OtnArea::RESIDENTIAL, 21.5 * 3600), 1);
    EXPECT_DOUBLE_EQ(tide->GetProfile(OtnArea::RESIDENTIAL, (24 + 21.5) * 3600), 1);
    double peak = 0;
    for (int minute = 0; minute < 1440; ++minute)
    {
        peak = std::max(peak, tide->GetProfile(OtnArea::OTHER, 60 * minute + 0.0));
    }
    EXPECT_NEAR(peak, 0.4, 1e-3);

    // Hour by hour over many days: the mean, and the variance of a Poisson variable.
    constexpr int DAYS = 20;
    std::vector<std::vector<double>> sum(3, std::vector<double>(24, 0));
    double squares = 0;
    double products = 0;
    for (int day = 0; day < DAYS; ++day)
    {
        const IcciBackground load = *tide->Draw(areas);
        ASSERT_EQ(load.samples, 8640U);
        ASSERT_EQ(load.step, 10);
        for (uint32_t centre = 0; centre < 3; ++centre)
        {
            for (std::size_t k = 0; k < load.samples; ++k)
            {
                ASSERT_EQ(load.Of(centre)[k] % 4500, 0);
                const double requests = load.Of(centre)[k] / 4500.0;
                sum[centre][k / 360] += requests / 360 / DAYS;
                if (centre == 0 && k / 360 == 11)
                {
                    squares += (requests - 15) * (requests - 15) / 360 / DAYS;
                    const double next = load.Of(centre)[k + 1] / 4500.0;
                    products += (requests - 15) * (next - 15) / 360 / DAYS;
                }
            }
        }
    }
    for (uint32_t centre = 0; centre < 3; ++centre)
    {
        for (int hour = 0; hour < 24; ++hour)
        {
            double mean = 0;
            for (int part = 0; part < 60; ++part)
            {
                mean += tide->GetMeanRequests(areas[centre], 3600 * hour + 60 * part + 30.0) / 60;
            }
            EXPECT_NEAR(sum[centre][hour], mean, 0.3) << centre << " " << hour;
        }
    }
    EXPECT_NEAR(squares, 15, 1);
    // A request present at a sample is still present at the next with probability exp(-10 s / 6 s).
    EXPECT_NEAR(products, 15 * std::exp(-10.0 / 6), 1);
}

TEST(IcciTideTest, IsTheSameForTheSameStreams)
{
    const std::vector<OtnArea> areas{OtnArea::BUSINESS, OtnArea::BUSINESS};
    auto a = CreateObject<IcciTide>();
    auto b = CreateObject<IcciTide>();
    a->AssignStreams(9);
    b->AssignStreams(9);
    const auto first = a->Draw(areas);
    EXPECT_EQ(first->milli, b->Draw(areas)->milli);
    EXPECT_NE(first->milli, a->Draw(areas)->milli);
    // The cached day depends on these streams, areas and Attributes only.
    b->SetAttribute("Remember", UintegerValue(1));
    b->AssignStreams(9);
    const auto kept = b->Draw(areas);
    EXPECT_EQ(kept->milli, first->milli);
    b->AssignStreams(9);
    EXPECT_EQ(b->Draw(areas), kept);
    EXPECT_NE(b->Draw(areas)->milli, kept->milli);
    b->AssignStreams(9);
    EXPECT_NE(b->Draw(areas), kept);
    b->SetAttribute("CusPerRequest", DoubleValue(3.6));
    b->AssignStreams(9);
    EXPECT_NE(b->Draw(areas)->milli, first->milli);
    b->SetAttribute("Step", DoubleValue(7));
    EXPECT_THROW(b->Draw(areas), OdcnError);
}

} // namespace
