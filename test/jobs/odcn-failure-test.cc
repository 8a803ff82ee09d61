// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * What failures do to jobs and ledgers.
 */

#include "odcn-test-system.h"

#include "ns3/odcn-fault-plan.h"

#include <tuple>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

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
