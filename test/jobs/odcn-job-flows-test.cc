// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-test-system.h"

#include "ns3/object-factory.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-job-flows.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Begin and end of the stretch of the tests, job time units.
constexpr double FROM = 40;
constexpr double UNTIL = 90;

/// @return jobs that arrive in the stretch and before
std::vector<OdcnJob>
MakeJobs()
{
    const Ptr<OdcnJobGenerator> source = TestGenerator(20, 1);
    std::vector<OdcnJob> jobs;
    for (OdcnJob job; source->Next(job) && job.arrival < UNTIL;)
    {
        jobs.push_back(job);
    }
    return jobs;
}

/// @param sizes of flows  @param stream first stream  @return a workload with 100 us a unit
Ptr<JobFlowWorkload>
MakeWorkload(const std::string& sizes, int64_t stream)
{
    auto workload = CreateObjectWithAttributes<JobFlowWorkload>("Sizes",
                                                                StringValue(sizes),
                                                                "Use",
                                                                DoubleValue(0.25),
                                                                "TimeUnit",
                                                                TimeValue(MicroSeconds(100)));
    workload->AssignStreams(stream);
    return workload;
}

/// @param job a job  @return for how long it lives in the stretch, job time units
double
GetLife(const OdcnJob& job)
{
    return std::max(0.0, std::min(job.arrival + job.duration, UNTIL) - std::max(job.arrival, FROM));
}

TEST(JobFlowWorkload, FlowsLieWithinTheLifeOfTheirJobAndOnItsEdges)
{
    const auto jobs = MakeJobs();
    const auto flows =
        MakeWorkload(ODCN_DATA_DIR "/flow-cdf/websearch.csv", 20)->Generate(jobs, FROM, UNTIL);
    ASSERT_GT(flows.size(), 100U);
    Time last;
    for (const JobFlow& flow : flows)
    {
        const OdcnJob& job = jobs.at(flow.job);
        ASSERT_EQ(job.id, flow.job);
        EXPECT_LT(flow.demand, job.demands.size());
        EXPECT_GE(flow.bytes, 1U);
        EXPECT_LE(flow.bytes, 28589215U);
        // Whole nanoseconds, of which a unit of job time has 100000.
        const double start = FROM + double(flow.start.GetNanoSeconds()) / 100000;
        EXPECT_GE(start, std::max(job.arrival, FROM) - 1e-5);
        EXPECT_LT(start, std::min(job.arrival + job.duration, UNTIL));
        EXPECT_GE(flow.start, last);
        last = flow.start;
    }
}

TEST(JobFlowWorkload, TheSameStreamsGiveTheSameFlows)
{
    const auto jobs = MakeJobs();
    const auto flows = MakeWorkload("30000", 20)->Generate(jobs, FROM, UNTIL);
    EXPECT_EQ(flows, MakeWorkload("30000", 20)->Generate(jobs, FROM, UNTIL));
    EXPECT_NE(flows, MakeWorkload("30000", 22)->Generate(jobs, FROM, UNTIL));
    // A later call goes on with the random numbers, also those of sizes.
    const auto workload = MakeWorkload(ODCN_DATA_DIR "/flow-cdf/websearch.csv", 20);
    std::multiset<uint64_t> sizes;
    for (const JobFlow& flow : workload->Generate(jobs, FROM, UNTIL))
    {
        sizes.insert(flow.bytes);
    }
    std::size_t again = 0;
    for (const JobFlow& flow : workload->Generate(jobs, FROM, UNTIL))
    {
        again += sizes.contains(flow.bytes);
    }
    EXPECT_LT(again, sizes.size() / 2);
}

TEST(JobFlowWorkload, RatesAreTheShareOfTheDemands)
{
    constexpr double SIZE = 30000;
    const auto jobs = MakeJobs();
    std::map<std::pair<JobId, uint32_t>, uint64_t> counts;
    for (const JobFlow& flow : MakeWorkload("30000", 20)->Generate(jobs, FROM, UNTIL))
    {
        ++counts[{flow.job, flow.demand}];
    }
    double expected = 0;
    double total = 0;
    double chiSquare = 0;
    double edges = 0;
    for (const OdcnJob& job : jobs)
    {
        for (uint32_t demand = 0; demand < job.demands.size(); ++demand)
        {
            const double seconds = GetLife(job) * 1e-4;
            const double mean = 0.25 * double(job.demands[demand].rate) * seconds / (8 * SIZE);
            const auto count = double(counts[{job.id, demand}]);
            expected += mean;
            total += count;
            if (mean >= 1)
            {
                chiSquare += (count - mean) * (count - mean) / mean;
                ++edges;
            }
        }
    }
    ASSERT_GT(expected, 1000);
    ASSERT_GT(edges, 100);
    EXPECT_NEAR(total, expected, 4 * std::sqrt(expected));
    EXPECT_NEAR(chiSquare, edges, 4 * std::sqrt(3 * edges));
}

TEST(JobFlowWorkload, RefusesAnEmptyStretchAndBadSizes)
{
    EXPECT_THROW(MakeWorkload("30000", 20)->Generate({}, 1, 1), OdcnError);
    EXPECT_THROW(MakeWorkload("nothing", 20)->Generate({}, 1, 2), OdcnError);
    EXPECT_TRUE(MakeWorkload("30000", 20)->Generate({}, 1, 2).empty());
}

/// A data centre in which jobs are blocked and circuits are reconfigured.
struct BusySystem : TestSystem
{
    BusySystem()
        : TestSystem(8, 6, OdcnResources::Of(32, 256, 3584))
    {
        network->SetAttribute("PortRate", DataRateValue(DataRate("20Gbps")));
        Start(Ptr<OdcnJobSource>(TestGenerator(20, 1)));
    }

    /// Packs racks without regard to bandwidth.
    Ptr<DecisionPolicy> policy{DecisionPolicy::Create("ns3::odcn::OdcnCcfPolicy")};
};

TEST(JobPlacement, RecordsWhatTheManagersGrant)
{
    BusySystem recorded;
    const JobPlacement placement = PlaceJobs(*recorded.problem, *recorded.policy, FROM, UNTIL);

    BusySystem watched;
    OdcnScheduling& problem = *watched.problem;
    std::map<JobId, std::vector<ServerId>> servers;
    std::size_t accepted = 0;
    uint64_t offered = 0;
    std::size_t batch = 0;
    std::map<std::pair<RackId, uint32_t>, OdcnCircuitLedger::End> circuits;
    for (const OdcnCircuitChange& c : placement.circuits)
    {
        EXPECT_EQ(c.oldTo, NO_RACK);
        circuits[{c.from, c.outPort}] = {c.newTo, c.newInPort};
    }
    while (problem.GetJob().arrival < UNTIL)
    {
        const OdcnJob job = problem.GetJob();
        if (problem.RunJob(*watched.policy) <= OdcnOutcome::RECONFIGURED)
        {
            watched.manager->ForEachActive(
                [&](const OdcnPlacedJob& placed)
                {
                    if (placed.departure > FROM)
                    {
                        servers[placed.id] = placed.servers;
                    }
                });
            if (job.arrival + job.duration > FROM)
            {
                ++accepted;
                EXPECT_EQ(placement.jobs.count(job.id), 1U);
            }
        }
        else
        {
            EXPECT_EQ(placement.jobs.count(job.id), 0U);
        }
        if (job.arrival < FROM)
        {
            continue;
        }
        ++offered;
        for (; batch < placement.batches.size() && placement.batches[batch].time <= job.arrival;
             ++batch)
        {
            for (const OdcnCircuitChange& c : placement.batches[batch].changes)
            {
                circuits[{c.from, c.outPort}] = {c.newTo, c.newInPort};
            }
        }
        const OdcnCircuitLedger& ledger = watched.network->GetCircuits();
        for (RackId rack = 0; rack < 8; ++rack)
        {
            for (uint32_t port = 0; port < ledger.GetPorts(); ++port)
            {
                const OdcnCircuitLedger::End present = circuits[{rack, port}];
                ASSERT_EQ(present.rack, ledger.GetOut(rack, port).rack);
                ASSERT_TRUE(present.rack == NO_RACK || present == ledger.GetOut(rack, port));
            }
        }
    }
    EXPECT_EQ(placement.offered, offered);
    EXPECT_GT(placement.blocked, 0U);
    EXPECT_LT(placement.blocked, offered);
    EXPECT_GT(placement.batches.size(), 3U);
    EXPECT_EQ(batch, placement.batches.size());
    EXPECT_EQ(placement.jobs.size(), accepted);
    ASSERT_GT(servers.size(), 10U); // without those that leave before the next arrival
    for (const auto& [id, list] : servers)
    {
        EXPECT_EQ(placement.jobs.at(id).servers, list);
    }
}

TEST(JobPlacement, FlowsOfAcceptedJobsRunBetweenTheirServers)
{
    BusySystem system;
    const JobPlacement placement = PlaceJobs(*system.problem, *system.policy, FROM, UNTIL);
    const auto all = MakeWorkload("30000", 20)->Generate(MakeJobs(), FROM, UNTIL);
    const auto flows = placement.GetFlows(all);
    std::size_t next = 0;
    uint64_t blocked = 0;
    uint64_t local = 0;
    for (const JobFlow& flow : all)
    {
        const auto job = placement.jobs.find(flow.job);
        if (job == placement.jobs.end())
        {
            ++blocked;
            continue;
        }
        const OdcnDemand& demand = job->second.demands[flow.demand];
        const ServerId source = job->second.servers[demand.from];
        const ServerId destination = job->second.servers[demand.to];
        if (source == destination)
        {
            ++local;
            continue;
        }
        ASSERT_LT(next, flows.size());
        EXPECT_EQ(flows[next], (Traffic::Item{source, destination, flow.bytes, flow.start}));
        ++next;
    }
    EXPECT_EQ(next, flows.size());
    EXPECT_GT(blocked, 0U);
    EXPECT_GT(local, 0U);
}

TEST(JobPlacement, MeanDemandByHand)
{
    // Racks of one server with 4 cores: each VM has a rack of its own, by most free cores.
    TestSystem system(4, 1, OdcnResources::Of(4, 16, 100));
    const OdcnResources vm = OdcnResources::Of(4, 8, 10);
    OdcnJob first = TestJob(1, 5, {vm, vm}, {{0, 1, 6 * TEST_GBPS}, {1, 0, 2 * TEST_GBPS}});
    OdcnJob second = TestJob(8, 10, {vm, vm}, {{0, 1, 5 * TEST_GBPS}});
    first.id = 0;
    second.id = 1;
    system.Start(std::vector<OdcnJob>{first, second, TestJob(30, 1, {vm})});
    const auto policy = DecisionPolicy::Create("ns3::odcn::OdcnCcfPolicy");
    // The first job holds 2 of 10 units of the stretch, the second 6.
    const JobPlacement placement = PlaceJobs(*system.problem, *policy, 4, 14);
    EXPECT_EQ(placement.offered, 1U);
    EXPECT_EQ(placement.blocked, 0U);
    EXPECT_EQ(placement.jobs.at(0).servers, (std::vector<ServerId>{0, 1}));
    EXPECT_EQ(placement.jobs.at(1).servers, (std::vector<ServerId>{0, 1}));
    const DemandMatrix demand = placement.GetMeanDemand();
    EXPECT_NEAR(demand.Get(0, 1), 0.2 * 6e9 + 0.6 * 5e9, 1);
    EXPECT_NEAR(demand.Get(1, 0), 0.2 * 2e9, 1);
    EXPECT_NEAR(demand.GetSent(2) + demand.GetSent(3), 0, 0);
}

TEST(JobPlacement, RefusesAStretchThatIsEmptyOrPast)
{
    BusySystem system;
    EXPECT_THROW(PlaceJobs(*system.problem, *system.policy, 5, 5), OdcnError);
    PlaceJobs(*system.problem, *system.policy, FROM, UNTIL);
    EXPECT_THROW(PlaceJobs(*system.problem, *system.policy, FROM, UNTIL), OdcnError);
}

} // namespace
