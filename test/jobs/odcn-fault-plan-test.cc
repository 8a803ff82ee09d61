// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Fault plans: the file format and its refusals, sampled faults against the closed form of
 * availability, and what failures do to jobs and ledgers.
 */

#include "../core/odcn-folder-test.h"
#include "odcn-test-system.h"

#include "ns3/odcn-fault-plan.h"

#include <tuple>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param text of a file of faults, without the header  @return its name
std::string
MakeFile(const std::string& text)
{
    static const TemporaryPath file("faults");
    return file.Write("part,index,start_us,end_us,cause\n" + text);
}

TEST(FaultPlan, ReadsWhatItWrites)
{
    const std::string path = MakeFile("uplink,3:1,250.001,900,laser\nocs,0,0,,power\n");
    FaultPlan plan = FaultPlan::Read(path);
    ASSERT_EQ(plan.Get().size(), 2);
    const Fault laser{FaultPart::UPLINK, 3, 1, NanoSeconds(250001), MicroSeconds(900), "laser"};
    EXPECT_EQ(plan.Get()[0], laser);
    EXPECT_EQ(plan.Get()[1].end, Time::Max());
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

/// A job of two VMs that fill a server each, with a demand between them.
OdcnJob
PairJob(double arrival, double duration)
{
    return TestJob(arrival,
                   duration,
                   {OdcnResources::Of(32, 256, 3584), OdcnResources::Of(32, 256, 3584)},
                   {{0, 1, 30 * TEST_GBPS}});
}

/// Remaining work, lost work and blocking after a failure.
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

TEST(Failures, InterruptedJobsEndOrAreOfferedAgain)
{
    struct Case
    {
        std::string after; //!< AfterFailure
        double interval;   //!< CheckpointInterval
        double lost;       //!< work lost
        double departure;  //!< of the job offered again; 0 for none
    };

    // Accepted at 0 for 100, interrupted at 25; the next job arrives at 30.
    for (const Case& c : {Case{"End", 0, 25, 0},
                          Case{"Replace", 0, 0, 25 + 75},
                          Case{"Restart", 0, 25, 25 + 100},
                          Case{"Restart", 10, 5, 25 + 80}})
    {
        TestSystem system(4, 1, OdcnResources::Of(32, 256, 3584));
        system.manager->SetAttribute("AfterFailure", StringValue(c.after));
        system.manager->SetAttribute("CheckpointInterval", DoubleValue(c.interval));
        std::vector<OdcnPlacedJob> placed;
        Record(system.manager, "JobPlaced", placed);
        system.Start({PairJob(0, 100), PairJob(25, 1), PairJob(30, 1)});
        system.Act({0, 1});
        system.manager->SetServerFailed(1, true);
        EXPECT_FALSE(system.Mask()[1]);
        EXPECT_TRUE(system.Mask()[0]);
        const OdcnCounters& counters = system.manager->GetCounters();
        EXPECT_EQ(counters.interrupted, 1);
        EXPECT_DOUBLE_EQ(counters.lostWork, c.lost);
        system.problem->Act(2);
        EXPECT_THROW(system.manager->SetServerFailed(1, false), OdcnError);
        EXPECT_THROW(system.manager->SetPortFailed(0, 0, true, true), OdcnError);
        system.problem->Act(3); // the job of 25 is complete
        system.manager->SetServerFailed(1, false);
        system.Act({0, 1}); // offered again, or the job of 30
        EXPECT_EQ(counters.offeredAgain, c.departure > 0);
        EXPECT_DOUBLE_EQ(placed.back().departure, c.departure > 0 ? c.departure : 31);
        EXPECT_EQ(counters.Accepted(), 3);
    }
    TestSystem system(4, 1, OdcnResources::Of(32, 256, 3584));
    system.Start({PairJob(0, 1)});
    EXPECT_THROW(system.manager->SetServerFailed(4, true), OdcnError);
}

/// The circuit of a job fails: it is interrupted, and the next one takes another path.
TEST(Failures, LostCircuitsInterruptTheJobsAcceptedLast)
{
    TestSystem system(3, 4, OdcnResources::Of(32, 256, 3584));
    system.network->SetAttribute("PortsPerTor", UintegerValue(4));
    auto small = [](double arrival)
    {
        OdcnJob job = PairJob(arrival, 1000);
        job.demands[0].rate = 25 * TEST_GBPS;
        return job;
    };
    system.Start({small(0), small(1), small(2), small(3)});
    system.Act({0, 1});
    system.Act({0, 1});
    const OdcnCircuitLedger& circuits = system.network->GetCircuits();
    ASSERT_EQ(circuits.GetCircuits(0, 1), 2); // 80 Gb/s of which 50 are used
    uint32_t port = 0;
    while (circuits.GetOut(0, port).rack != 1)
    {
        ++port;
    }
    const OdcnCircuitChange lost = system.manager->SetPortFailed(0, port, true, true);
    EXPECT_EQ(lost.from, 0);
    EXPECT_EQ(system.manager->GetCounters().interrupted, 1);
    EXPECT_EQ(circuits.GetUsed(0, 1), 25 * TEST_GBPS);
    EXPECT_EQ(system.manager->GetNActive(), 1);
}

/// All-or-nothing, and identities, whatever fails.
TEST(Failures, IdentitiesHoldAndLedgersAreRestored)
{
    for (const std::string sharing : {"Pooled", "Pinned"})
    {
        for (const std::string after : {"End", "Replace", "Restart"})
        {
            TestSystem system(5, 4, OdcnResources::Of(32, 256, 3584));
            system.Set("PortsPerTor=8|Sharing=" + sharing + "|AfterFailure=" + after);
            uint64_t released = 0;
            uint64_t interrupted = 0;
            const auto count = [&](const char* source, uint64_t& n)
            { Listen(system.manager, source, [&n](const OdcnPlacedJob&) { ++n; }); };
            count("JobReleased", released);
            count("JobInterrupted", interrupted);
            system.Start(TestGenerator(30, 100));
            RandomRack policy(3, 0.5, 0.8);
            std::mt19937_64 random(11);
            std::set<ServerId> servers;
            std::set<uint32_t> ports;
            for (int i = 0; i < 1500; ++i)
            {
                system.problem->RunJob(policy);
                if (i % 3 == 0)
                {
                    const auto server = static_cast<ServerId>(random() % 20);
                    const bool fails = servers.erase(server) == 0;
                    fails ? void(servers.insert(server)) : void();
                    system.manager->SetServerFailed(server, fails);
                    const auto port = static_cast<uint32_t>(random() % 80);
                    const bool failsToo = ports.erase(port) == 0 && ports.size() < 20;
                    failsToo ? void(ports.insert(port)) : void();
                    system.manager->SetPortFailed(port / 16, port / 2 % 8, port % 2, failsToo);
                }
                const OdcnCounters& c = system.manager->GetCounters();
                ASSERT_EQ(c.Offered(), c.Accepted() + c.Blocked());
                ASSERT_EQ(c.interrupted, interrupted);
                ASSERT_EQ(c.Accepted(), released + interrupted + system.manager->GetNActive());
                ASSERT_LE(c.offeredAgain, interrupted);
                system.manager->ForEachActive(
                    [&](const OdcnPlacedJob& job)
                    {
                        for (const ServerId server : job.servers)
                        {
                            ASSERT_FALSE(servers.contains(server)) << "runs on a failed server";
                        }
                    });
            }
            EXPECT_GT(interrupted, 50) << sharing << after;
            EXPECT_EQ(system.manager->GetCounters().offeredAgain > 30, after != "End");
            for (const ServerId server : servers)
            {
                system.manager->SetServerFailed(server, false);
            }
            for (uint32_t server = 0; server < 20; ++server) // whatever runs still, ends
            {
                system.manager->SetServerFailed(server, true);
                system.manager->SetServerFailed(server, false);
            }
            EXPECT_EQ(system.manager->GetNActive(), 0);
            EXPECT_EQ(system.manager->GetServers().GetUsed(), OdcnResources());
            const OdcnCircuitLedger& circuits = system.network->GetCircuits();
            for (RackId u = 0; u < 5; ++u)
            {
                for (RackId v = 0; v < 5; ++v)
                {
                    EXPECT_EQ(circuits.GetUsed(u, v), 0);
                }
                for (uint32_t p = 0; p < 8; ++p)
                {
                    EXPECT_EQ(circuits.GetPinned(u, p), 0);
                }
            }
        }
    }
}

} // namespace
