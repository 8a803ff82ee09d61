// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Multi-step scheduling as a decision problem: observations and rewards, by hand; and that
 * changes of a copy do not affect the original.
 */

#include "../optics/odcn-packet-fates.h"
#include "odcn-test-system.h"

#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-packet-fabric.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-schedule-packets.h"
#include "ns3/odcn-throughput-bound.h"
#include "ns3/otn-mesh.h"

#include <csignal>
#include <memory>
#include <numeric>
#include <random>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

const OdcnResources SMALL_SERVER = OdcnResources::Of(32, 100, 1000);
const OdcnResources VM = OdcnResources::Of(8, 10, 100);

/// @param n number of VMs  @param duration T_j  @param gbps rate of a ring over them  @return a job
OdcnJob
Ring(uint32_t n, double duration, double gbps)
{
    std::vector<OdcnDemand> demands;
    for (uint32_t k = 0; n > 1 && k < n; ++k)
    {
        demands.push_back({k, (k + 1) % n, GbpsToBitRate(gbps)});
    }
    return TestJob(1, duration, std::vector<OdcnResources>(n, VM), demands);
}

/// @param system a data centre  @return the term alpha / l of a reward, at the default alpha
double
LatencyReward(const TestSystem& system)
{
    return 100 / system.network->GetMeanLatencyNs();
}

} // namespace

TEST(Rewards, OfAJobServicedAtOnce)
{
    TestSystem system(3, 1, SMALL_SERVER);
    system.Start({Ring(2, 10, 7), TestJob(2, 1, {VM})});
    system.Act({0});
    EXPECT_TRUE(system.Rewards().empty()) << "not known before the job's fate is";
    system.Act({1});
    const auto reward = static_cast<float>(1 + LatencyReward(system));
    EXPECT_GT(reward, 2.5F) << "100 / 59.2 and a little less";
    EXPECT_LT(reward, 2.7F);
    EXPECT_EQ(system.Rewards(), (std::vector<float>{reward, reward}));
    EXPECT_TRUE(system.Rewards().empty()) << "taken once";
}

TEST(Rewards, OfAReconfiguredJob)
{
    for (const char* charge : {"OnceAJob", "EachStep"})
    {
        TestSystem system(3, 1, SMALL_SERVER);
        system.Set(std::string("PhiReconf=24|Charge=") + charge);
        system.Start({Ring(2, 10, 50), TestJob(2, 1, {VM})});
        system.Act({0, 1});
        ASSERT_EQ(system.manager->GetCounters().Reconfigurations(), 1U);
        const double cost = std::string(charge) == "OnceAJob" ? 12 : 24;
        const auto reward = static_cast<float>(1 + LatencyReward(system) - cost);
        EXPECT_EQ(system.Rewards(), (std::vector<float>{reward, reward}));
    }
}

TEST(Rewards, WithoutTheLatencyTerm)
{
    TestSystem system(3, 1, SMALL_SERVER);
    system.problem->SetAttribute("Alpha", DoubleValue(0));
    system.Start({Ring(3, 10, 7), TestJob(2, 1, {VM})});
    system.Act({0, 1, 2});
    EXPECT_EQ(system.Rewards(), (std::vector<float>{1, 1, 1}));
}

TEST(Rewards, OfAJobBlockedInAStep)
{
    TestSystem system(3, 1, SMALL_SERVER);
    const OdcnResources half = OdcnResources::Of(20, 10, 100);
    system.Start({TestJob(1, 1, {half, half, half, half}),
                  TestJob(2, 1, {half, half, half, half}),
                  TestJob(3, 1, {half})});
    system.Act({2, 0, 2});
    EXPECT_EQ(system.Rewards(), (std::vector<float>{0.5, 0.5, -4})) << "step 3 of 4";
    EXPECT_EQ(system.manager->GetCounters().outcome,
              (std::array<uint64_t, ODCN_OUTCOMES>{0, 0, 0, 1, 0}))
        << "rack 1 would have had a server";
    system.Act({0, 1, 2, 0});
    EXPECT_EQ(system.Rewards(), (std::vector<float>{0.5, 0.5, 0.5, -4}));
    EXPECT_EQ(system.manager->GetCounters().outcome,
              (std::array<uint64_t, ODCN_OUTCOMES>{0, 0, 1, 1, 0}));
    EXPECT_EQ(system.manager->GetServers().GetUsed(), OdcnResources());
}

TEST(Rewards, OfAJobBlockedByBandwidth)
{
    TestSystem system(3, 1, SMALL_SERVER);
    system.network->SetAttribute("Reconfigurable", BooleanValue(false));
    system.Start({Ring(3, 10, 41), TestJob(2, 1, {VM})});
    system.Act({0, 1, 2});
    EXPECT_EQ(system.Rewards(), (std::vector<float>{0.5, 0.5, -3})) << "as if in the last step";
    EXPECT_EQ(system.manager->GetCounters().outcome,
              (std::array<uint64_t, ODCN_OUTCOMES>{0, 0, 0, 0, 1}));
}

TEST(Rewards, OfAJobOfOneVm)
{
    TestSystem system(2, 1, SMALL_SERVER);
    system.problem->SetAttribute("Alpha", DoubleValue(0));
    system.Start({TestJob(1, 9, {SMALL_SERVER}), TestJob(2, 1, {VM}), TestJob(3, 1, {VM})});
    system.Act({0, 0});
    EXPECT_EQ(system.Rewards(), (std::vector<float>{1, -1}));
}

TEST(Rewards, TheNthBelongsToTheNthAction)
{
    TestSystem system(4, 6, SMALL_SERVER);
    system.Set("Alpha=0|MayRefuse=false"); // so that circuits move
    auto jobs = TestGenerator(20, 1);
    Configure(jobs,
              "MaxJobs=5000|VmCount=ns3::UniformRandomVariable[Min=1|Max=8]|"
              "VmTypes=4:15:80,16:32:320,32:32:320|"
              "DemandGbps=ns3::UniformRandomVariable[Min=5|Max=25]");
    jobs->AssignStreams(1); // also of the variables just made
    RandomRack policy(3, 0.8, 0.9);
    system.Start(jobs);
    std::vector<float> rewards;
    uint64_t decided = 0;
    std::size_t begun = 0; // actions before the present job
    std::size_t actions = 0;
    while (!system.problem->IsDone())
    {
        const auto size = static_cast<float>(system.problem->GetJob().vms.size());
        const auto before = system.manager->GetCounters();
        system.problem->Act(policy.Decide(*system.problem));
        ++actions;
        if (actions % 7 == 0 || actions == begun + 1)
        {
            system.problem->TakeRewards(rewards);
        }
        if (system.problem->GetNJobs() == decided)
        {
            continue;
        }
        ++decided;
        system.problem->TakeRewards(rewards);
        ASSERT_EQ(rewards.size(), actions) << "all that is decided is rewarded";
        const auto& now = system.manager->GetCounters();
        for (std::size_t n = begun; n < actions; ++n)
        {
            if (now.Blocked() > before.Blocked())
            {
                ASSERT_EQ(rewards[n], n + 1 < actions ? 0.5F : -size);
            }
            else
            {
                const float phi = now.Reconfigurations() > before.Reconfigurations() ? 25 : 0;
                ASSERT_EQ(actions - begun, size) << "one action a VM";
                ASSERT_FLOAT_EQ(rewards[n], 1 - phi / size);
            }
        }
        begun = actions;
    }
    const auto& counters = system.manager->GetCounters();
    EXPECT_EQ(counters.Offered(), 5000U);
    EXPECT_EQ(decided, 5000U);
    for (std::size_t outcome = 0; outcome < ODCN_OUTCOMES; ++outcome)
    {
        EXPECT_GT(counters.outcome[outcome], 20U)
            << OdcnOutcomeName(static_cast<OdcnOutcome>(outcome)) << " hardly occurred";
    }
}

TEST(Observation, OfAnEmptyDataCentre)
{
    TestSystem system(3, 2, SMALL_SERVER);
    system.Start({Ring(2, 10, 10)});
    EXPECT_EQ(system.problem->GetObservationShape(), (std::vector<uint32_t>{6}));
    // Cores are the constraint: 64 - 8 of 64 in the rack; 24 of 32 in the server.
    EXPECT_EQ(system.Observe(), (std::vector<float>{0.875, 0.875, 0.875, 1, 1, 1}));
    system.problem->SetAttribute("ComputeState", StringValue("Server"));
    EXPECT_EQ(system.Observe(), (std::vector<float>{0.75, 0.75, 0.75, 1, 1, 1}));
}

TEST(Observation, CountsTheVmAndTheJobsPlacedVms)
{
    TestSystem system(3, 2, SMALL_SERVER);
    // A ring 0 -> 1 -> 2 -> 0.
    system.Start({Ring(3, 10, 10)});
    system.Act({0});
    // VM 1 receives from VM 0: 10 of 40 Gb/s on 0 -> rack, counted at the rack it would go to.
    EXPECT_EQ(system.Observe(), (std::vector<float>{0.75, 0.875, 0.875, 1, 0.75, 0.75}));
    system.Act({1});
    // VM 2 receives from rack 1 and sends to rack 0; 0 -> 1 carries 10 already.
    EXPECT_EQ(system.Observe(), (std::vector<float>{0.75, 0.75, 0.875, 0.75, 0.75, 0.75}));
    system.problem->SetAttribute("ComputeState", StringValue("Server"));
    // Worst fit takes the other server, so the least is still 24 of 32.
    EXPECT_EQ(system.Observe(), (std::vector<float>{0.75, 0.75, 0.75, 0.75, 0.75, 0.75}));
}

TEST(Observation, DemandsOfOneRackAddUp)
{
    TestSystem system(3, 4, SMALL_SERVER);
    // VM 2 sends 15 to each of VM 0 and VM 1, and receives 5 from VM 1.
    system.Start(
        {TestJob(1,
                 1,
                 {VM, VM, VM},
                 {{2, 0, 15 * TEST_GBPS}, {1, 2, 5 * TEST_GBPS}, {2, 1, 15 * TEST_GBPS}})});
    system.Act({0, 0});
    const auto seen = system.Observe();
    EXPECT_EQ(std::vector<float>(seen.begin() + 3, seen.end()),
              (std::vector<float>{1, 0.25, 0.25}));
}

TEST(Observation, MinusOneWhereADemandIsUnmet)
{
    TestSystem system(3, 1, SMALL_SERVER);
    const OdcnResources most = OdcnResources::Of(28, 10, 100);
    // The first job fills rack 0's cores and puts 35 Gb/s on 0 -> 1.
    system.Start({TestJob(1, 99, {most, VM}, {{0, 1, 35 * TEST_GBPS}}),
                  TestJob(2, 99, {VM, VM}, {{0, 1, 6 * TEST_GBPS}}),
                  TestJob(3, 99, {VM, VM}, {{0, 1, 6 * TEST_GBPS}})});
    system.Act({0, 1});
    // At racks 0 and 1, 0 -> 1 has 5 of 40 left. The VM does not fit in rack 0.
    EXPECT_EQ(system.Observe(), (std::vector<float>{-1, 0.5, 0.75, 0.125, 0.125, 1}));
    EXPECT_EQ(system.Mask(), (std::vector<uint8_t>{0, 1, 1}));
    system.Act({0});
    // That job is blocked; the next has the same observation, and its first VM goes to rack 2.
    EXPECT_EQ(system.Observe(), (std::vector<float>{-1, 0.5, 0.75, 0.125, 0.125, 1}));
    system.Act({2});
    EXPECT_EQ(system.Observe(), (std::vector<float>{-1, 0.5, 0.5, 0.125, 0.125, 1}));
}

TEST(Observation, MinusOneWhereBandwidthIsMissing)
{
    TestSystem system(3, 2, SMALL_SERVER);
    system.Start({TestJob(1, 99, {VM, VM}, {{0, 1, 35 * TEST_GBPS}}),
                  TestJob(2, 99, {VM, VM, VM}, {{0, 1, 6 * TEST_GBPS}, {2, 0, 40 * TEST_GBPS}})});
    system.Act({0, 1, 0});
    // From rack 0, rack 1 cannot be reached at 6 Gb/s; within rack 0 nothing is needed.
    EXPECT_EQ(system.Observe(), (std::vector<float>{0.625, 0.75, 0.875, 0.125, -1, 0.85F}));
    EXPECT_EQ(system.Mask(), (std::vector<uint8_t>{1, 0, 1}));
    system.problem->SetAttribute("MaskBandwidth", BooleanValue(false));
    EXPECT_EQ(system.Mask(), (std::vector<uint8_t>{1, 1, 1}));
    // It may still go there: 0 -> 1 is then oversubscribed, and no bandwidth is left.
    system.Act({1});
    EXPECT_EQ(system.Observe(), (std::vector<float>{0.625, 0.625, 0.875, 0, 0, 0}));
}

TEST(PlacementState, TellsWhatAChoiceDependsOn)
{
    using F = OdcnRackFeatures;
    const OdcnResources large = OdcnResources::Of(16, 10, 100);
    TestSystem system(3, 2, SMALL_SERVER);
    system.Set("State=Placement|SlotVms=16:60:100,16:10:100");
    const OdcnResources small = OdcnResources::Of(4, 10, 100);
    // VM 2 receives 8 Gb/s from VM 0 and sends 12 to VM 1.
    system.Start(
        {TestJob(1, 99, {large, large, small}, {{0, 2, 8 * TEST_GBPS}, {2, 1, 12 * TEST_GBPS}})});
    ASSERT_EQ(system.problem->GetObservationShape(),
              (std::vector<uint32_t>{3, static_cast<uint32_t>(F::COUNT), 3}));
    system.Act({0, 1});
    const auto seen = system.Observe();
    const auto at = [&](uint32_t size, uint32_t feature, RackId rack)
    { return seen[(size * F::COUNT + feature) * 3 + rack]; };
    for (uint32_t i = 0; i < 2 * F::COUNT * 3; ++i)
    {
        ASSERT_EQ(seen[i], 0) << "the blocks of other sizes of VM";
    }
    const std::vector<std::vector<float>> expected{
        {0, 0, 0},               // marker
        {0.75, 0.75, 1},         // free-cores: 16 of 64 taken
        {0.75, 0.75, 1},         // large-slots: 3, 3 and 4 of 4
        {1, 1, 1},               // large-lost: worst fit takes an empty server
        {1, 1, 1},               // hard-slots: 60 GB fit once into either's memory of 100
        {0, 0, 0},               // hard-lost: and after the VM
        {0, 0, 0},               // stranded
        {0, 0, 0},               // no-large
        {0.8F, 1.2F, 0},         // kept, in means of 10 Gb/s
        {0.3F, 0.2F, 0.3F},      // path-load: 0 -> 1 with 12, 0 -> 1 with 8, and both
        {0, 0, 0},               // rack-load
        {0, 0, 0},               // mean-load
        {0, 0, 0},               // job-load
        {0, 0, 0},               // backlog: below
        {0, 1, 0},               // last
        {1, 1, 0},               // visited
        {1 / 3.0F, 1 / 3.0F, 0}, // share
        {0, 0, 0},               // room: no large VM is to come
    };
    ASSERT_EQ(expected.size(), static_cast<std::size_t>(F::COUNT));
    for (uint32_t f = 0; f < F::COUNT; ++f)
    {
        for (RackId rack = 0; rack < 3 && f != F::BACKLOG; ++rack)
        {
            EXPECT_FLOAT_EQ(at(2, f, rack), expected[f][rack]) << F::GetName(f) << " " << rack;
        }
    }
    const auto backlog = [&](double load)
    { return static_cast<float>(system.network->GetBacklog(load)); };
    EXPECT_FLOAT_EQ(at(2, F::BACKLOG, 0), backlog(0.3));
    EXPECT_FLOAT_EQ(at(2, F::BACKLOG, 2), backlog(0.2) + backlog(0.3));
}

TEST(PlacementState, TellsTheTrafficOfTheJob)
{
    TestSystem system(3, 2, SMALL_SERVER);
    system.problem->SetAttribute("State", StringValue("Traffic"));
    // VM 1 of 4: 8 Gb/s with VM 0, 4 with VM 2. VM 0 exchanges 20 with VM 3. Circuits have 40 Gb/s.
    system.Start({TestJob(1,
                          99,
                          {VM, VM, VM, VM},
                          {{0, 1, 8 * TEST_GBPS},
                           {1, 2, 4 * TEST_GBPS},
                           {0, 3, 10 * TEST_GBPS},
                           {3, 0, 10 * TEST_GBPS}})});
    const uint32_t features = 3 * OdcnRackFeatures::COUNT + OdcnScheduling::TRAFFIC_FEATURES;
    ASSERT_EQ(system.problem->GetObservationShape(), (std::vector<uint32_t>{features, 3}));
    ASSERT_EQ(system.problem->GetFeatureNames().size(), features);
    system.Act({2});
    const auto seen = system.Observe();
    const std::vector<std::vector<float>> expected{
        {4 / 12.0F, 4 / 12.0F, 4 / 12.0F}, // job-pairs: 4 of 12
        {2 / 6.0F, 2 / 6.0F, 2 / 6.0F},    // vm-pairs: 2 of 6
        {3 / 6.0F, 3 / 6.0F, 3 / 6.0F},    // most-pairs: VM 0
        {0.03F, 0.03F, 0.03F},             // vm-demand: 12 of 400
        {0.75F, 0.75F, 0.75F},             // to-place: 3 of 4
        {0.01F, 0.01F, 0.01F + 0.05F},     // coming: 4, and in rack 2 also 20 of VM 0
    };
    for (uint32_t f = 0; f < OdcnScheduling::TRAFFIC_FEATURES; ++f)
    {
        for (RackId rack = 0; rack < 3; ++rack)
        {
            EXPECT_FLOAT_EQ(seen[(3 * OdcnRackFeatures::COUNT + f) * 3 + rack], expected[f][rack])
                << f << " of rack " << rack;
        }
    }
    // The rest is that of State=Placement, and so is the mask.
    system.problem->SetAttribute("State", StringValue("Placement"));
    const auto mask = system.Mask();
    const auto placement = system.Observe();
    EXPECT_TRUE(std::equal(placement.begin(), placement.end(), seen.begin()));
    system.problem->SetAttribute("State", StringValue("Traffic"));
    EXPECT_EQ(system.Mask(), mask);
}

TEST(PlacementState, MarksWhatCannotBe)
{
    TestSystem system(3, 1, SMALL_SERVER);
    system.problem->SetAttribute("State", StringValue("Placement"));
    const OdcnResources most = OdcnResources::Of(28, 10, 100);
    system.Start({TestJob(1, 99, {most, most}, {{0, 1, 35 * TEST_GBPS}}),
                  TestJob(2, 99, {OdcnResources::Of(4, 1, 1), VM}, {{0, 1, 6 * TEST_GBPS}})});
    system.Act({0, 1, 0});
    // The VM of 8 cores fits only in rack 2; from rack 0 to rack 2 there is bandwidth.
    auto seen = system.Observe();
    const std::size_t block = std::size_t{2} * OdcnRackFeatures::COUNT * 3;
    EXPECT_EQ(std::vector<float>(seen.begin() + block, seen.begin() + block + 3),
              (std::vector<float>{-2, -2, 0}));
    EXPECT_EQ(seen[block + OdcnRackFeatures::FREE_CORES * 3], 0);
    system.Act({2});
    EXPECT_THROW(system.problem->SetAttribute("SlotVms", StringValue("16:122")), OdcnError);
    EXPECT_THROW(system.problem->SetAttribute("SlotVms", StringValue("0.5:1:1")), OdcnError);
    EXPECT_EQ(SettingOf(system.problem, "SlotVms"), "16:122:3200,16:32:320");
}

TEST(PlacementState, MaskIsThatOfThePapersState)
{
    TestSystem system(4, 3, OdcnResources::Of(32, 256, 3584));
    system.problem->SetAttribute("State", StringValue("Placement"));
    system.Start(TestGenerator(4, 7));
    RandomRack policy(3, 0.3, 0.7);
    uint64_t unlike = 0;
    for (int i = 0; i < 20000; ++i)
    {
        const auto before = system.Mask();
        const auto seen = system.Observe();
        ASSERT_EQ(system.Mask(), before) << "step " << i;
        unlike += std::count(before.begin(), before.end(), 0) > 0;
        system.problem->Act(policy.Decide(*system.problem));
    }
    EXPECT_GT(unlike, 1000U);
}

TEST(PlacementState, MarksMissingBandwidth)
{
    TestSystem system(3, 2, SMALL_SERVER);
    system.problem->SetAttribute("State", StringValue("Placement"));
    system.Start({TestJob(1, 99, {VM, VM}, {{0, 1, 35 * TEST_GBPS}}),
                  TestJob(2, 99, {VM, VM}, {{0, 1, 6 * TEST_GBPS}})});
    system.Act({0, 1, 0});
    const auto seen = system.Observe();
    const std::size_t block = std::size_t{2} * OdcnRackFeatures::COUNT * 3;
    EXPECT_EQ(std::vector<float>(seen.begin() + block, seen.begin() + block + 3),
              (std::vector<float>{0, -1, 0}));
}

TEST(Observation, IsNeverOfEarlier)
{
    // More VM types than are cached, jobs that leave, blocked jobs, failing ports.
    TestSystem system(4, 2, SMALL_SERVER);
    std::mt19937_64 random(11);
    std::vector<OdcnJob> jobs;
    for (int j = 0; j < 400; ++j)
    {
        OdcnJob job = Ring(2 + random() % 4, 1 + static_cast<double>(random() % 5), 6);
        job.arrival = j;
        for (auto& vm : job.vms)
        {
            vm = OdcnResources::Of(1 + static_cast<double>(random() % 12), 10, 100);
        }
        jobs.push_back(job);
    }
    system.Start(jobs);
    RandomRack rule(3, 0.3, 0.8);
    int feasible = 0;
    for (int i = 0; !system.problem->IsDone(); ++i)
    {
        system.problem->SetAttribute("ComputeState", StringValue(i / 9 % 2 ? "Server" : "Rack"));
        for (RackId rack = 0; rack < 4; ++rack)
        {
            const auto before = system.problem->GetViews().Get(rack);
            // The clone has other versions, so it recomputes; the result must be the same.
            auto fresh = system.problem->Clone(CreateObject<OdcnJobGenerator>());
            fresh->GetManager()->GetNetwork()->Release({});
            fresh->SetAttribute("ComputeState", StringValue(i / 9 % 2 ? "Rack" : "Server"));
            fresh->GetViews().Get(rack);
            fresh->SetAttribute("ComputeState", StringValue(i / 9 % 2 ? "Server" : "Rack"));
            const auto after = fresh->GetViews().Get(rack);
            ASSERT_EQ(before.compute, after.compute) << i << " " << rack;
            ASSERT_EQ(before.bandwidth, after.bandwidth) << i << " " << rack;
            feasible += before.Feasible() ? 1 : 0;
        }
        system.problem->Act(rule.Decide(*system.problem));
    }
    EXPECT_GT(feasible, 1000);
}

TEST(Observation, SeesPortsFail)
{
    TestSystem system(2, 1, SMALL_SERVER);
    system.Start({TestJob(1, 10, {VM}), TestJob(2, 1, {VM, VM}, {{0, 1, 7 * TEST_GBPS}})});
    system.Act({1, 0});
    EXPECT_GT(system.problem->GetViews().Get(1).bandwidth, 0.8F);
    auto broken = system.problem->Clone(CreateObject<OdcnJobGenerator>());
    auto network = broken->GetManager()->GetNetwork();
    network->Unstage();
    network->SetPortFailed(0, 0, true, true);
    EXPECT_EQ(broken->GetViews().Get(1).bandwidth, -1)
        << "the only circuit from rack 0 to rack 1 is gone";
    EXPECT_GT(system.problem->GetViews().Get(1).bandwidth, 0.8F) << "a clone's failure is its own";
}

TEST(Mask, WithoutBandwidthAnywhereEveryRackWithAServerWillDo)
{
    TestSystem system(3, 2, SMALL_SERVER);
    // VM 1 talks to VM 0 in rack 0 at more than a circuit; rack 0 itself is full.
    system.Start({TestJob(1, 1, {SMALL_SERVER, SMALL_SERVER, VM}, {{0, 2, 41 * TEST_GBPS}})});
    system.Act({0, 0});
    EXPECT_EQ(system.Mask(), (std::vector<uint8_t>{1, 1, 1})) << "a job may be refused";
    system.problem->SetAttribute("MayRefuse", BooleanValue(false));
    EXPECT_EQ(system.Mask(), (std::vector<uint8_t>{0, 1, 1}));
    EXPECT_EQ(system.Observe()[4], -1);
}

TEST(Mask, IsAllZeroWhenNoRackHasAServer)
{
    TestSystem system(2, 2, SMALL_SERVER);
    system.Start({TestJob(1, 1, {OdcnResources::Of(32.001, 1, 1)}),
                  TestJob(2, 1, {OdcnResources::Of(1, 1, 1000.001)}),
                  TestJob(3, 1, {VM})});
    EXPECT_EQ(system.Mask(), (std::vector<uint8_t>{0, 0}));
    EXPECT_EQ(system.Observe()[0], -1);
    system.Act({0, 1});
    EXPECT_EQ(system.manager->GetCounters().outcome,
              (std::array<uint64_t, ODCN_OUTCOMES>{0, 0, 2, 0, 0}));
    EXPECT_EQ(system.Mask(), (std::vector<uint8_t>{1, 1}));
}

TEST(Mask, AgreesWithTheObservation)
{
    for (const char* sharing : {"Pooled", "Pinned"})
    {
        TestSystem system(5, 6, SMALL_SERVER);
        system.network->SetAttribute("Sharing", StringValue(sharing));
        auto jobs = TestGenerator(12, 1);
        Configure(jobs, "VmCount=ns3::UniformRandomVariable[Min=1|Max=6]|Pattern=tree");
        RandomRack policy(8, 0.7);
        system.Start(jobs);
        for (int step = 0; step < 20'000; ++step)
        {
            const auto seen = system.Observe();
            const auto mask = system.Mask();
            bool both = false;
            for (RackId rack = 0; rack < 5; ++rack)
            {
                const auto view = system.problem->GetViews().Get(rack);
                ASSERT_EQ(seen[rack], view.compute);
                ASSERT_EQ(seen[5 + rack], view.bandwidth);
                for (float x : {view.compute, view.bandwidth})
                {
                    ASSERT_TRUE(x == -1 || (x >= 0 && x <= 1)) << x;
                }
                both = both || view.Feasible();
            }
            for (RackId rack = 0; rack < 5; ++rack)
            {
                ASSERT_EQ(mask[rack] == 1,
                          both ? seen[rack] >= 0 && seen[5 + rack] >= 0 : seen[rack] >= 0);
            }
            system.problem->Act(policy.Decide(*system.problem));
        }
        EXPECT_GT(system.manager->GetCounters().Accepted(), 100U);
        EXPECT_GT(system.manager->GetCounters().Blocked(), 100U);
    }
}

TEST(AggregateBandwidth, TakesARacksCircuitsTogether)
{
    TestSystem system(3, 4, SMALL_SERVER);
    system.Start({TestJob(1, 99, {VM, VM}, {{0, 1, 40 * TEST_GBPS}}),
                  TestJob(2, 99, {VM, VM}, {{0, 1, 20 * TEST_GBPS}}),
                  TestJob(3, 99, {VM, VM}, {{0, 1, 81 * TEST_GBPS}})});
    system.Act({0, 1, 0});
    // 0 -> 1 is full. VM 1 in rack 1 would take 20 of the 40 Gb/s that rack 1 can still receive.
    EXPECT_EQ(system.problem->GetViews().GetBandwidth(1), -1);
    EXPECT_EQ(system.problem->GetViews().GetAggregateBandwidth(1), 0.25F);
    EXPECT_EQ(system.problem->GetViews().GetAggregateBandwidth(2), 0.75F);
    EXPECT_EQ(system.problem->GetViews().GetAggregateBandwidth(0), 0.5F);
    system.Act({0, 0});
    EXPECT_EQ(system.problem->GetViews().GetAggregateBandwidth(2), -1);
}

TEST(Scheduling, ACloneGoesItsOwnWay)
{
    std::vector<OdcnJob> first{Ring(2, 50, 30), Ring(3, 50, 30), Ring(4, 9, 1)};
    for (auto& vm : first[2].vms)
    {
        vm = OdcnResources::Of(1, 2, 3);
    }
    std::vector<OdcnJob> more;
    for (int i = 0; i < 40; ++i)
    {
        more.push_back(Ring(1 + i % 5, 7 + i % 11, 15));
        more.back().arrival = 2 + 0.5 * i;
        more.back().id = i;
    }
    std::vector<OdcnJob> all = first;
    all.insert(all.end(), more.begin(), more.end());
    TestSystem system(4, 2, SMALL_SERVER);
    system.Start(all);
    system.Act({0, 1, 1, 2, 3, 0, 1}); // in the middle of the third job

    const auto seen = system.Observe();
    const OdcnComputeLedger servers = system.manager->GetServers();
    const OdcnCircuitLedger circuits = system.network->GetCircuits();
    std::vector<OdcnPlacedJob> placed;
    Record(system.manager, "JobPlaced", placed);
    auto copy = system.problem->Clone(CreateObject<ListedJobs>(more));
    auto late = system.problem->Clone(CreateObject<ListedJobs>(more));
    EXPECT_EQ(copy->GetJob(), system.problem->GetJob());
    EXPECT_EQ(copy->GetVmIndex(), 2U);

    const auto live = [](OdcnScheduling& problem)
    {
        RandomRack policy(17, 0.5);
        std::vector<float> history;
        while (!problem.IsDone())
        {
            const auto view = ObservationOf(problem);
            history.insert(history.end(), view.begin(), view.end());
            problem.Act(policy.Decide(problem));
            problem.TakeRewards(history);
        }
        history.push_back(static_cast<float>(problem.GetScore()));
        return history;
    };
    const auto ofCopy = live(*copy);
    EXPECT_EQ(system.Observe(), seen);
    EXPECT_EQ(system.manager->GetServers(), servers);
    EXPECT_EQ(system.network->GetCircuits(), circuits);
    EXPECT_EQ(system.manager->GetCounters().Offered(), 2U);
    EXPECT_GT(copy->GetManager()->GetCounters().Accepted(), 10U);
    EXPECT_TRUE(placed.empty()) << "a clone has no trace sinks";
    const auto ofOriginal = live(*system.problem);
    EXPECT_EQ(ofCopy, ofOriginal);
    EXPECT_EQ(live(*late), ofOriginal) << "nor does the original disturb its clone";
    EXPECT_EQ(copy->GetManager()->GetServers(), system.manager->GetServers());
    EXPECT_EQ(copy->GetManager()->GetNetwork()->GetCircuits(), system.network->GetCircuits());
    EXPECT_EQ(copy->GetManager()->GetCounters().busy, system.manager->GetCounters().busy);
}

TEST(Scheduling, ABranchMeetsTheSameLaterJobs)
{
    // Two data centres of the same random jobs, of which one is copied now and then.
    TestSystem plain(4, 8, TEST_SERVER);
    TestSystem copied(4, 8, TEST_SERVER);
    plain.Start(TestGenerator(8, 5));
    copied.Start(TestGenerator(8, 5));
    const auto step = [](DecisionProblem& problem)
    {
        const auto mask = MaskOf(problem);
        const auto first = std::find(mask.begin(), mask.end(), 1);
        problem.Act(first == mask.end() ? 0 : static_cast<uint32_t>(first - mask.begin()));
        return ObservationOf(problem);
    };
    Ptr<DecisionProblem> last;
    std::vector<std::vector<float>> ahead;
    for (int i = 0; i < 3000; ++i)
    {
        if (i % 300 == 0)
        {
            last = copied.problem->Branch();
            // A copy of a copy reads ahead, too.
            RandomRack other(3, 0.5);
            last->Branch()->RunEpisode(other, 20);
            ahead.clear();
            for (int k = 0; k < 200; ++k)
            {
                ahead.push_back(step(*last));
            }
        }
        const auto seen = step(*copied.problem);
        ASSERT_EQ(step(*plain.problem), seen) << "step " << i;
        if (i % 300 < 200)
        {
            ASSERT_EQ(seen, ahead[i % 300]) << "step " << i;
        }
    }
    EXPECT_GT(copied.problem->GetNDecided(), 100U);
    const auto late = copied.problem->Branch();
    copied.problem->RunJob(*CreateObject<RandomRack>(3, 0.5));
    RandomRack any(3, 0.5);
    EXPECT_REFUSAL(late->RunEpisode(any, 2), "before the original goes on");
}

TEST(Scheduling, DescribesWhatItObservesInEveryState)
{
    TestSystem system(3, 2, SMALL_SERVER);
    system.Start({TestJob(1, 99, {VM, VM, VM}, {{0, 1, TEST_GBPS}, {2, 1, TEST_GBPS}})});
    constexpr float UNWRITTEN = -99;
    for (uint32_t vm = 0; vm < 2; ++vm)
    {
        for (const std::string state :
             {"Paper", "Placement", "Opening", "Traffic", "Ahead", "Whole", "Packets"})
        {
            system.Set("State=" + state);
            const std::size_t size = system.problem->GetObservationSize();
            EXPECT_EQ(system.problem->GetFeatureNames().size() * 3, size) << state;
            const auto bounds = system.problem->GetObservationBounds();
            ASSERT_EQ(bounds.size(), size) << state;
            std::vector<float> seen(size + 1, UNWRITTEN);
            system.problem->Observe(seen.data());
            EXPECT_EQ(seen.back(), UNWRITTEN) << state;
            for (std::size_t i = 0; i < size; ++i)
            {
                EXPECT_GE(seen[i], bounds[i].first) << state << " " << i;
                EXPECT_LE(seen[i], bounds[i].second) << state << " " << i;
            }
        }
        system.Act({vm});
    }
    // The positions that checkpoints of version 0.3 have.
    system.Set("State=Ahead");
    const auto names = system.problem->GetFeatureNames();
    ASSERT_EQ(names.size(), 118U);
    EXPECT_EQ(names[54], "job-pairs");
    EXPECT_EQ(names[116], "mean-degree");
    EXPECT_EQ(names[117], "most-degree");
}

TEST(Scheduling, SeesHowMuchOfTheJobEachRackTakes)
{
    // Racks of two servers, each for one VM; one circuit of 40 Gb/s between any two racks.
    TestSystem system(3, 2, SMALL_SERVER);
    system.Set("State=Ahead");
    const auto pairs = std::vector<OdcnDemand>{{0, 1, 15 * TEST_GBPS}, {1, 0, 15 * TEST_GBPS}};
    system.Start({TestJob(1, 1, {SMALL_SERVER}),
                  TestJob(1.5, 1, std::vector<OdcnResources>(4, SMALL_SERVER), pairs)});
    const std::size_t blocks = std::size_t{3} * OdcnRackFeatures::COUNT;
    const std::size_t added = blocks + OdcnRackOutlook::COUNT;
    system.Act({0});
    const auto first = system.Observe();
    ASSERT_EQ(first.size(), (blocks + OdcnScheduling::TRAFFIC_FEATURES + added + 2) * 3);
    ASSERT_EQ(system.problem->GetFeatureNames().size() * 3, first.size());
    const auto tail = [&](const std::vector<float>& seen)
    { return std::vector<float>(seen.end() - 3 * (OdcnRackOutlook::COUNT + 2), seen.end()); };
    // Rack 0 has a server left, the others two; 2 of the 4 VMs may be behind each circuit; one
    // demand a VM, two the most.
    EXPECT_EQ(tail(first),
              (std::vector<float>{0.25F, 0.5F, 0.5F, 1, 1, 1, 0.1F, 0.1F, 0.1F, 0.2F, 0.2F, 0.2F}));
    const auto begin = first.end() - static_cast<std::ptrdiff_t>(3 * (added + 2));
    EXPECT_TRUE(std::equal(first.begin(), first.begin() + 3 * blocks, begin))
        << "those of the first VM again";
    EXPECT_NE(std::count(first.begin(), first.begin() + 3 * blocks, 0.0F), 3 * blocks);
    system.Set("State=Opening");
    const auto opening = system.Observe();
    ASSERT_EQ(opening.size(), (blocks + added) * 3);
    EXPECT_TRUE(std::equal(opening.begin() + 3 * blocks, opening.end(), begin));
    system.Act({1, 1});
    const auto later = system.Observe();
    EXPECT_EQ(std::count(later.begin() + 3 * blocks, later.end(), 0.0F), 3 * added)
        << "nothing is added for later VMs";
    system.Set("State=Ahead");
    EXPECT_EQ(tail(system.Observe()),
              (std::vector<float>{0, 0, 0, 0, 0, 0, 0.1F, 0.1F, 0.1F, 0.2F, 0.2F, 0.2F}));
}

TEST(Scheduling, APolicyMayChooseTheServersFit)
{
    constexpr uint32_t RACKS = 2;
    TestSystem system(RACKS, 3, SMALL_SERVER);
    system.Set("Placement=Policy");
    const auto small = OdcnResources::Of(4, 1, 1);
    const auto large = OdcnResources::Of(16, 1, 1);
    const OdcnJob last = TestJob(2, 99, {small});
    system.Start({TestJob(1, 99, {small, large}), last, last, last});
    ASSERT_EQ(system.problem->GetNActions(), 3 * RACKS);
    EXPECT_EQ(system.Mask(), std::vector<uint8_t>(3 * RACKS, 1));
    const ServerId first = 3;
    system.Act({1, 1});
    const OdcnComputeLedger& servers = system.manager->GetServers();
    const auto cores = [&]()
    {
        return std::vector<double>{servers.GetFree(first).Cores(),
                                   servers.GetFree(first + 1).Cores(),
                                   servers.GetFree(first + 2).Cores()};
    };
    ASSERT_EQ(cores(), (std::vector<double>{28, 16, 32})) << "without a fit, worst fit";
    system.Act({1});
    EXPECT_EQ(cores(), (std::vector<double>{28, 16, 28})) << "worst fit";
    system.Act({RACKS + 1});
    EXPECT_EQ(cores(), (std::vector<double>{28, 12, 28})) << "best fit";
    system.Act({2 * RACKS + 1});
    EXPECT_EQ(cores(), (std::vector<double>{24, 12, 28})) << "first fit";
    system.Set("Placement=BestFit");
    system.problem->Reset();
    EXPECT_EQ(system.problem->GetNActions(), RACKS);
}

TEST(Scheduling, ObservesWhatEachFitLeaves)
{
    // The features of a fit are those of a data centre that always places by it.
    for (const std::string state : {"Paper|ComputeState=Server", "Placement", "Opening", "Whole"})
    {
        const auto start = [&state](const std::string& placement)
        {
            auto system = std::make_unique<TestSystem>(3, 4, TEST_SERVER);
            system->Set("State=" + state + "|Placement=" + placement);
            system->Start(Ptr<OdcnJobSource>(TestGenerator(3, 5)));
            return system;
        };
        const auto policy = start("Policy");
        const auto balanced = start("Balanced");
        const auto best = start("BestFit");
        std::mt19937_64 random(1);
        std::size_t differences = 0;
        for (int step = 0; step < 400; ++step)
        {
            const auto all = policy->Observe();
            const std::size_t n = policy->problem->GetNActions();
            ASSERT_EQ(n, 9U);
            // Worst fit until here, so that both data centres are in the same state.
            const auto one = balanced->Observe();
            for (std::size_t i = 0; i < one.size(); ++i)
            {
                ASSERT_EQ(one[i], all[i / 3 * n + i % 3]) << state << " " << i;
                differences += one[i] != all[i / 3 * n + 3 + i % 3];
            }
            const auto rack = static_cast<uint32_t>(random() % 3);
            policy->Act({rack});
            balanced->Act({rack});
        }
        EXPECT_GT(differences, 0U) << state;
        // Best fit from the beginning.
        const auto fresh = start("Policy");
        for (int step = 0; step < 400; ++step)
        {
            const auto all = fresh->Observe();
            const auto one = best->Observe();
            for (std::size_t i = 0; i < one.size(); ++i)
            {
                ASSERT_EQ(one[i], all[i / 3 * 9 + 3 + i % 3]) << state << " " << i;
            }
            const auto rack = static_cast<uint32_t>(random() % 3);
            fresh->Act({3 + rack});
            best->Act({rack});
        }
    }
}

TEST(Scheduling, RulesPlaceByWorstFitWhereTheyMayChoose)
{
    for (const std::string rule :
         {"odcn-ccf", "odcn-jcb", "odcn-best-fit", "odcn-packing", "odcn-score"})
    {
        std::vector<std::vector<double>> values;
        for (const std::string placement : {"Balanced", "Policy"})
        {
            TestSystem system(4, 6, TEST_SERVER);
            system.Set("Placement=" + placement);
            system.Start(Ptr<OdcnJobSource>(TestGenerator(4, 5)));
            const auto policy = PolicyRegistry::Find("ns3::odcn::OdcnScheduling", rule).Create();
            policy->Configure(*system.problem);
            system.Run(300, *policy);
            auto& kept = values.emplace_back();
            for (const auto& value : system.problem->MeasureFigures())
            {
                kept.push_back(value.total);
            }
        }
        EXPECT_EQ(values[0], values[1]) << rule;
    }
}

TEST(Scheduling, ScoresBlockedJobs)
{
    TestSystem system(2, 1, SMALL_SERVER);
    system.Start({TestJob(1, 9, {SMALL_SERVER}),
                  TestJob(2, 9, {VM}),
                  TestJob(3, 9, {VM}),
                  TestJob(4, 9, {VM})});
    EXPECT_EQ(system.problem->GetScoreName(), "blocked or reconfigured");
    EXPECT_EQ(system.problem->GetScore(), 0);
    system.Act({0, 0});
    EXPECT_EQ(system.problem->GetScore(), 0.5);
    system.problem->ClearScore();
    EXPECT_EQ(system.problem->GetScore(), 0);
    system.Act({1});
    EXPECT_EQ(system.problem->GetScore(), 0);
    EXPECT_FALSE(system.problem->IsDone());
    system.Act({0});
    EXPECT_EQ(system.problem->GetScore(), 0.5);
    EXPECT_TRUE(system.problem->IsDone());
    EXPECT_EQ(system.problem->GetNJobs(), 4U);
}

TEST(Scheduling, ANewEpisodeIsEmptyAndOfOtherJobs)
{
    TestSystem system(4, 4, SMALL_SERVER);
    RandomRack policy(4, 0.9);
    system.Start(TestGenerator(20, 1));
    const OdcnJob job = system.problem->GetJob();
    system.Run(500, policy);
    const double time = system.manager->GetTime();
    const double score = system.problem->GetScore();
    system.problem->Reset();
    EXPECT_EQ(system.manager->GetServers().GetUsed(), OdcnResources());
    EXPECT_EQ(system.manager->GetNActive(), 0U);
    EXPECT_EQ(system.manager->GetCounters().Offered(), 0U);
    EXPECT_EQ(system.problem->GetNJobs(), 0U);
    EXPECT_EQ(system.problem->GetScore(), score) << "ClearScore() alone restarts it";
    EXPECT_TRUE(system.Rewards().empty());
    EXPECT_GE(system.manager->GetTime(), time) << "the stream goes on";
    EXPECT_EQ(system.manager->GetCounters().since, system.manager->GetTime())
        << "the empty time before is not counted";
    EXPECT_FALSE(system.problem->GetJob() == job);
}

TEST(Scheduling, RunJobDecidesOneJob)
{
    TestSystem system(4, 4, SMALL_SERVER);
    RandomRack policy(4, 1);
    system.Start({Ring(3, 10, 1), Ring(2, 10, 1), TestJob(2, 1, {VM})});
    EXPECT_EQ(system.problem->RunJob(policy), OdcnOutcome::ACCEPTED);
    EXPECT_EQ(system.problem->GetNJobs(), 1U);
    EXPECT_EQ(system.problem->GetVmIndex(), 0U);
    EXPECT_EQ(system.problem->GetLastRack(), NO_RACK);
    EXPECT_EQ(system.manager->GetCounters().placedVms, 3U);
    EXPECT_TRUE(system.Rewards().empty());
}

TEST(Interruption, EndsLongLoops)
{
    const Interruption::Guard guard;
    TestSystem system(4, 2, SMALL_SERVER);
    system.Start(TestGenerator(30, 100));
    RandomRack policy(1);
    PacketFabric fabric{FabricModel{}};
    PacketFates fates(2);
    FabricModel model;
    model.racks = 4;
    model.uplinks = 2;
    const auto schedule = CreateObject<RoundRobinSchedule>();
    schedule->Build(model.racks, model.uplinks);
    SchedulePackets packets(model, schedule, {});
    const DemandMatrix uniform = DemandMatrix::Make("uniform", 4);
    const auto workload = CreateObject<FlowWorkload>();
    std::vector<Episode> episodes(1);
    episodes[0].problem = system.problem;
    episodes[0].policy = Ptr<DecisionPolicy>(&policy);
    const std::vector<std::function<void()>> loops{
        [&] { system.problem->RunEpisode(policy, 1); },
        [&] { DecisionProblem::RunEpisodes(episodes, 1, nullptr); },
        [&] {
            fabric.Run(0, 1000000, {{0, 1, 1000, 100, 0}}, fates);
        },
        [&] {
            packets.Run({{0, 1, 1, Time(0)}}, Seconds(1));
        },
        [&] { ThroughputBound(uniform, uniform).GetCut(); },
        [&] { workload->Generate(uniform, 2); },
        [&] {
            OtnMesh({OtnSite{"a"}, OtnSite{"b"}}, {{0, 1, 1}});
        }};
    for (std::size_t i = 0; i < loops.size(); ++i)
    {
        std::raise(SIGTERM);
        EXPECT_THROW(loops[i](), Interruption) << "loop " << i;
        Interruption::Clear();
        EXPECT_NO_THROW(loops[i]()) << "loop " << i;
    }
}
