// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Fault plans: the file format and its refusals, and sampled faults against the closed form of
 * availability.
 */

#include "../core/odcn-folder-test.h"

#include "ns3/odcn-fault-plan.h"

#include <tuple>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param text of a file of faults, without the header
/// @return its name
std::string
MakeFile(const std::string& text)
{
    static const TemporaryPath file("faults");
    return file.Write("part,index,start_us,end_us,cause\n" + text);
}

TEST(FaultPlan, ReadsWhatItWrites)
{
    const std::string path =
        MakeFile("uplink,3:1,250.001,900,laser\nocs,0,0,,\"fuse, \"\"B\"\"\"\n");
    FaultPlan plan = FaultPlan::Read(path);
    ASSERT_EQ(plan.Get().size(), 2);
    const Fault laser{FaultPart::UPLINK, 3, 1, NanoSeconds(250001), MicroSeconds(900), "laser"};
    EXPECT_EQ(plan.Get()[0], laser);
    EXPECT_EQ(plan.Get()[1].end, Time::Max());
    EXPECT_EQ(plan.Get()[1].cause, "fuse, \"B\"");
    plan.Sample(FaultPart::TOR, {1, 1, 1}, MicroSeconds(50), MicroSeconds(5), MilliSeconds(1), 7);
    EXPECT_GT(plan.Get().size(), 30);
    plan.Write(path);
    EXPECT_EQ(FaultPlan::Read(path).Get(), plan.Get());
}

TEST(FaultPlan, RefusesMalformedLines)
{
    const std::vector<std::pair<std::string, std::string>> refused{
        {"laser,0,0,1,", "found 'laser'"},
        {"uplink,3,0,1,", "two numbers"},
        {"tor,3:1,0,1,", "a number, for tor"},
        {"uplink,3:1:2,0,1,", "found '3:1:2'"},
        {"uplink,3:-1,0,1,", "found '3:-1'"},
        {"uplink,3:99999999,0,1,", "found '3:99999999'"},
        {"tor,3,-1,1,", "found '-1'"},
        {"tor,3,nan,1,", "found 'nan'"},
        {"tor,3,1e13,,", "found '1e13'"},
        {"tor,3,5,5,", "a time after start_us"},
        {"tor,3,5,6", "5 columns"},
        {"tor,3,5,6," + std::string(65, 'x'), "64 characters"}};
    for (const auto& [line, expected] : refused)
    {
        const std::string path = MakeFile("ocs,0,1,2,\n" + line + "\n");
        const std::string error = GetRefusal([&] { FaultPlan::Read(path); });
        EXPECT_TRUE(Has(error, expected));
        EXPECT_TRUE(Has(error, path + ":3"));
    }
    FaultPlan plan;
    EXPECT_THROW(plan.Add({FaultPart::TOR, 0, 0, Seconds(1), Seconds(1), ""}), OdcnError);
    EXPECT_THROW(plan.Sample(FaultPart::TOR, {1}, Seconds(0), Seconds(1), Seconds(1), 1),
                 OdcnError);
    EXPECT_THROW(FaultPlan::ParsePart("--mtbf", "laser"), OdcnError);
}

/// MTTR / (MTBF + MTTR), at any time and over time.
TEST(FaultPlan, SampledPartsHaveTheStationaryAvailability)
{
    constexpr double DOWN = 0.1;
    constexpr uint32_t PARTS = 1000;
    const Time until = MilliSeconds(100);
    const auto sample = [until](int64_t stream)
    {
        FaultPlan plan;
        plan.Sample(FaultPart::UPLINK,
                    std::vector<uint32_t>(PARTS / 4, 4),
                    MilliSeconds(9),
                    MilliSeconds(1),
                    until,
                    stream);
        return plan.Get();
    };
    const auto faults = sample(5);
    std::vector<double> down(PARTS, 0);
    std::vector<uint32_t> at(2, 0);
    for (const Fault& fault : faults)
    {
        const Time end = std::min(fault.end, until);
        down[4 * fault.first + fault.second] += (end - fault.start).GetSeconds() / 0.1;
        at[0] += fault.start.IsZero();
        at[1] += fault.start <= until / 2 && fault.end > until / 2;
    }
    SampleMean share;
    std::for_each(down.begin(), down.end(), [&](double x) { share.Add(x); });
    EXPECT_LT(share.GetError(), 0.003);
    EXPECT_NEAR(share.Get(), DOWN, 4 * share.GetError());
    for (const uint32_t n : at)
    {
        EXPECT_NEAR(n, DOWN * PARTS, 4 * std::sqrt(PARTS * DOWN * (1 - DOWN)));
    }
    EXPECT_EQ(sample(5), faults);
    EXPECT_NE(sample(6), faults);
}

TEST(FaultTimeline, JoinsFaultsOfAPart)
{
    FaultPlan plan;
    plan.Add({FaultPart::LINK, 1, 0, Seconds(4), Seconds(6), ""});
    plan.Add({FaultPart::LINK, 1, 0, Seconds(2), Seconds(4), ""});
    plan.Add({FaultPart::LINK, 1, 0, Seconds(3), Seconds(5), ""});
    plan.Add({FaultPart::LINK, 0, 0, Time(0), Time::Max(), ""});
    // One ends when the other one starts.
    plan.Add({FaultPart::LINK, 1, 0, Seconds(8), Seconds(9), ""});
    plan.Add({FaultPart::LINK, 1, 0, Seconds(9), Seconds(10), ""});
    const FaultParts parts{{FaultPart::LINK, {1, 1}}, {FaultPart::NODE, {1}}};
    const FaultTimeline timeline(plan, parts, Seconds(1));
    const auto& changes = timeline.GetChanges();
    ASSERT_EQ(changes.size(), 5U);
    EXPECT_TRUE(changes[0].time == 0 && changes[0].first == 0 && changes[0].failed);
    EXPECT_TRUE(changes[1].time == 3 && changes[1].first == 1 && changes[1].failed);
    EXPECT_TRUE(changes[2].time == 7 && changes[2].first == 1 && !changes[2].failed);
    EXPECT_TRUE(changes[3].time == 9 && changes[3].first == 1 && changes[3].failed);
    EXPECT_TRUE(changes[4].time == 11 && changes[4].first == 1 && !changes[4].failed);
    EXPECT_EQ(timeline.GetTime(2), 7);
    EXPECT_TRUE(std::isinf(timeline.GetTime(5)));
    EXPECT_DOUBLE_EQ(timeline.GetAvailability(5), 1 - (5 + 3) / 10.0);
    EXPECT_EQ(timeline.GetAvailability(0), 1);
    const std::tuple always{FaultPart::LINK, 0U, 0U};
    const std::tuple joined{FaultPart::LINK, 1U, 0U};
    EXPECT_EQ(timeline.GetFailed(1.9), std::set{always});
    EXPECT_EQ(timeline.GetFailed(2), (std::set{always, joined})); // control is told at 3
    EXPECT_EQ(timeline.GetFailed(6), std::set{always});
    plan.Add({FaultPart::NODE, 1, 0, Seconds(1), Seconds(2), ""});
    EXPECT_THROW(FaultTimeline(plan, parts, Time(0)), OdcnError);
}

} // namespace
