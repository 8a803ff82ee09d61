// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Training jobs that fail, are preempted or are moved: their times by hand, and the sums of random
 * ones.
 */

#include "../core/odcn-test-case.h"

#include "ns3/double.h"
#include "ns3/odcn-plane-traffic.h"
#include "ns3/odcn-switch-flow-level.h"
#include "ns3/odcn-training-bound.h"
#include "ns3/odcn-training-cluster.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param ranks number of ranks
/// @param iterations their number
/// @param computation of each iteration
/// @param bytes of the all-reduce after it; 0 for none
/// @return a job
std::shared_ptr<TrainingJob>
MakeRestartedJob(uint32_t ranks, uint32_t iterations, Time computation, uint64_t bytes = 0)
{
    auto job = std::make_shared<TrainingJob>("restarted", ranks);
    std::vector<uint32_t> all(ranks);
    std::iota(all.begin(), all.end(), 0);
    job->AddCommunicator("all", {all});
    TrainingProgram program;
    TrainingProgram::Operation compute;
    compute.duration = computation;
    const std::vector<uint32_t> first{program.Add(compute)};
    TrainingProgram::Operation collective;
    collective.kind = TrainingProgram::Kind::COLLECTIVE;
    collective.bytes = bytes;
    program.Add(collective, first);
    job->AddProgram(program, all);
    job->SetIterations(iterations);
    return job;
}

/// @param settings Attributes
/// @param endPoints their number, two in a rack
/// @return a cluster
Ptr<TrainingCluster>
MakeRestartCluster(const std::string& settings, uint32_t endPoints)
{
    const auto cluster = CreateObject<TrainingCluster>();
    Configure(cluster, settings);
    cluster->SetEndPoints(endPoints, 2);
    return cluster;
}

/// @param cluster runs on a switch until all of its jobs have ended
void
RunRestartCluster(const Ptr<TrainingCluster>& cluster)
{
    const auto plane = CreateObject<SwitchFlowLevel>();
    plane->SetNEndPoints(cluster->GetNEndPoints());
    CreateObject<PlaneTraffic>()->Start(plane, *PeekPointer(cluster));
    Simulator::Run();
    Simulator::Destroy();
}

/// A case that checks times in microseconds.
struct TrainingRestartCase : TestCase
{
    using TestCase::TestCase;

    /// @param job what became of a job
    /// @param end when it ended, us
    /// @param expected times of some causes, us
    void CheckTimes(const TrainingCluster::Outcome& job,
                    int64_t end,
                    const std::vector<std::pair<TrainingTimes::Part, int64_t>>& expected)
    {
        NS_TEST_EXPECT_MSG_EQ(job.end, MicroSeconds(end), "end");
        Time sum;
        for (const auto& [part, time] : expected)
        {
            NS_TEST_EXPECT_MSG_EQ(job.times.Get(part),
                                  MicroSeconds(time),
                                  TrainingTimes::GetName(part));
            sum += MicroSeconds(time);
        }
        NS_TEST_EXPECT_MSG_EQ(job.times.GetSum(), sum, "no other cause");
        NS_TEST_EXPECT_MSG_EQ(job.times.GetSum(), job.end - job.arrival, "all of its time");
        NS_TEST_EXPECT_MSG_EQ(job.iterationEnds.size(), job.job->GetIterations(), "iterations");
        NS_TEST_EXPECT_MSG_EQ(job.iterationEnds.back(), job.end - job.start, "the last one");
    }
};

using RestartTimes = TrainingTimes;

} // namespace

ODCN_TEST_CASE_F(TrainingRestartCase,
                 TrainingFailuresByHand,
                 "A failure takes the work since the last checkpoint")
{
    // Iterations of 100 us end at 100 and 210 us, with checkpoints of 10 us. Both end points fail
    // at 250 us and are repaired at 350 us; the job goes on from 370 us.
    const auto cluster = MakeRestartCluster("CheckpointIterations=1|CheckpointTime=10us|"
                                            "RestartTime=20us",
                                            2);
    cluster->SetAttribute("Failures", StringValue("ns3::ConstantRandomVariable[Constant=250e-6]"));
    cluster->SetAttribute("Repairs", StringValue("ns3::ConstantRandomVariable[Constant=100e-6]"));
    cluster->Add(MakeRestartedJob(2, 4, MicroSeconds(100)), Time(0));
    RunRestartCluster(cluster);
    const TrainingCluster::Outcome& job = cluster->GetOutcomes()[0];
    CheckTimes(job,
               580,
               {{RestartTimes::COMPUTATION, 400},
                {RestartTimes::CHECKPOINT, 30},
                {RestartTimes::LOST, 30},
                {RestartTimes::QUEUE, 100},
                {RestartTimes::RESTART, 20}});
    NS_TEST_EXPECT_MSG_EQ(job.failures, 1, "one failure");
    NS_TEST_EXPECT_MSG_EQ(job.iterationEnds[2], MicroSeconds(470), "again");
    // Without checkpoints all of its work is lost, each time.
    const auto never = MakeRestartCluster("", 2);
    const auto failures = CreateObject<SequentialRandomVariable>();
    failures->SetAttribute("Min", DoubleValue(0.0001));
    failures->SetAttribute("Max", DoubleValue(1));
    failures->SetAttribute("Increment",
                           StringValue("ns3::ConstantRandomVariable[Constant=0.00035]"));
    never->SetAttribute("Failures", PointerValue(failures));
    never->Add(MakeRestartedJob(2, 4, MicroSeconds(100)), Time(0));
    RunRestartCluster(never);
    // The end points fail at 100 us and 450 us, and again at 900 us.
    CheckTimes(never->GetOutcomes()[0],
               850,
               {{RestartTimes::COMPUTATION, 400}, {RestartTimes::LOST, 450}});
    NS_TEST_EXPECT_MSG_EQ(never->GetOutcomes()[0].failures, 2, "two failures");
}

ODCN_TEST_CASE_F(TrainingRestartCase,
                 TrainingPreemptionByHand,
                 "A job that goes before another one gets its end points at a checkpoint")
{
    for (const std::string queue : {"shortest-remaining", "priority"})
    {
        const auto cluster = MakeRestartCluster("CheckpointIterations=1|CheckpointTime=5us|"
                                                "RestartTime=7us|Queue=" +
                                                    queue,
                                                4);
        cluster->Add(MakeRestartedJob(4, 10, MicroSeconds(100)), Time(0), MicroSeconds(1000), 1);
        cluster->Add(MakeRestartedJob(4, 1, MicroSeconds(50)),
                     MicroSeconds(130),
                     MicroSeconds(50),
                     2);
        cluster->Add(MakeRestartedJob(4, 20, MicroSeconds(50)),
                     MicroSeconds(131),
                     MicroSeconds(1000),
                     0);
        RunRestartCluster(cluster);
        CheckTimes(cluster->GetOutcomes()[1],
                   260,
                   {{RestartTimes::QUEUE, 80}, {RestartTimes::COMPUTATION, 50}});
        CheckTimes(cluster->GetOutcomes()[0],
                   1102,
                   {{RestartTimes::COMPUTATION, 1000},
                    {RestartTimes::CHECKPOINT, 45},
                    {RestartTimes::QUEUE, 50},
                    {RestartTimes::RESTART, 7}});
        NS_TEST_EXPECT_MSG_EQ(cluster->GetOutcomes()[0].preemptions, 1, queue);
        NS_TEST_EXPECT_MSG_EQ(cluster->GetOutcomes()[2].start, MicroSeconds(1102), "the last");
    }
}

ODCN_TEST_CASE_F(TrainingRestartCase,
                 TrainingMigrationByHand,
                 "A job is moved to fewer racks at a checkpoint")
{
    // End point 0 is free again at 150 us, when the other job has 1 and 2.
    const auto cluster =
        MakeRestartCluster("CheckpointIterations=1|RestartTime=9us|Migration=true|Placement=first",
                           4);
    cluster->Add(MakeRestartedJob(1, 1, MicroSeconds(150)), Time(0));
    cluster->Add(MakeRestartedJob(2, 4, MicroSeconds(100)), MicroSeconds(1));
    RunRestartCluster(cluster);
    const TrainingCluster::Outcome& job = cluster->GetOutcomes()[1];
    CheckTimes(job, 410, {{RestartTimes::COMPUTATION, 400}, {RestartTimes::RESTART, 9}});
    NS_TEST_EXPECT_MSG_EQ(job.migrations, 1, "once");
    NS_TEST_EXPECT_MSG_EQ((job.places == std::vector<uint32_t>{0, 1}), true, "one rack");
}

ODCN_TEST_CASE_F(TrainingRestartCase,
                 TrainingRandomRestarts,
                 "Where the time went adds up after random failures, preemptions and migrations")
{
    const auto random = CreateObject<UniformRandomVariable>();
    uint32_t failures = 0;
    uint32_t preemptions = 0;
    uint32_t migrations = 0;
    std::vector<std::vector<Time>> ends(2);
    for (int run = 0; run < 16; ++run)
    {
        // Each run twice.
        random->SetStream(100 + run / 2);
        const std::vector<std::string> queues{"first-come",
                                              "backfill",
                                              "priority",
                                              "shortest-remaining"};
        const auto cluster = MakeRestartCluster("CheckpointIterations=2|CheckpointTime=3us|"
                                                "RestartTime=11us|Migration=true|Queue=" +
                                                    queues[run / 2 % 4],
                                                12);
        cluster->SetAttribute("Failures",
                              StringValue("ns3::ExponentialRandomVariable[Mean=0.004]"));
        cluster->SetAttribute("Repairs",
                              StringValue("ns3::ExponentialRandomVariable[Mean=0.0003]"));
        cluster->AssignStreams(1000 + run / 2 * 100);
        std::vector<TrainingBound::Share> shares;
        for (int i = 0; i < 10; ++i)
        {
            const auto job = MakeRestartedJob(random->GetInteger(1, 8),
                                              random->GetInteger(1, 8),
                                              MicroSeconds(random->GetInteger(1, 40)),
                                              random->GetInteger(0, 200000));
            const Time arrival = MicroSeconds(random->GetInteger(0, 500));
            const Time least = TrainingBound::GetComputeTime(*job);
            cluster->Add(job, arrival, 2 * least, static_cast<int32_t>(random->GetInteger(0, 2)));
            shares.push_back({arrival, job->GetNRanks(), least});
        }
        RunRestartCluster(cluster);
        NS_TEST_ASSERT_MSG_EQ(cluster->DescribeUnfinished(), "", "all end, run " << run);
        NS_TEST_EXPECT_MSG_EQ(cluster->CountFree() + cluster->CountFailed(), 12, "end points");
        Time last;
        for (const TrainingCluster::Outcome& job : cluster->GetOutcomes())
        {
            NS_TEST_EXPECT_MSG_EQ(job.times.GetSum(), job.end - job.arrival, "sum of the causes");
            NS_TEST_EXPECT_MSG_EQ(job.iterationEnds.size(), job.job->GetIterations(), "iterations");
            NS_TEST_EXPECT_MSG_EQ(job.iterationEnds.back(), job.end - job.start, "the last one");
            NS_TEST_EXPECT_MSG_EQ(
                std::is_sorted(job.iterationEnds.begin(), job.iterationEnds.end()),
                true,
                "one after another");
            for (uint8_t part = 0; part < TrainingTimes::N_PARTS; ++part)
            {
                const Time time = job.times.Get(static_cast<TrainingTimes::Part>(part));
                NS_TEST_EXPECT_MSG_EQ(time.IsStrictlyNegative(), false, "part " << int(part));
            }
            failures += job.failures;
            preemptions += job.preemptions;
            migrations += job.migrations;
            last = std::max(last, job.end);
            ends[run % 2].push_back(job.end);
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(last, TrainingBound::GetMakespan(shares, 12), "work");
    }
    NS_TEST_EXPECT_MSG_EQ((ends[0] == ends[1]), true, "the same streams");
    NS_TEST_EXPECT_MSG_GT(failures, 10, "failures of jobs");
    NS_TEST_EXPECT_MSG_GT(preemptions, 2, "preemptions");
    NS_TEST_EXPECT_MSG_GT(migrations, 2, "migrations");
}

ODCN_TEST_CASE_F(TrainingRestartCase,
                 TrainingMessagesOfFailures,
                 "A message of a failed run is never taken as one of a later run")
{
    // Computations of 1 us, then messages that take 10 us. The end points fail every 2 us, 128
    // times. Messages sent before a time are received when the job is sending for the last time.
    const auto run = [&](Time slow)
    {
        const auto cluster = MakeRestartCluster("", 2);
        const auto times = CreateObject<DeterministicRandomVariable>();
        std::vector<double> values(256, 2e-6);
        values.resize(258, 1);
        times->SetValueArray(values.data(), values.size());
        cluster->SetAttribute("Failures", PointerValue(times));
        cluster->Add(MakeRestartedJob(2, 1, MicroSeconds(1), 1000), Time(0));
        std::multimap<Time, Message> arrivals;
        std::vector<Message> send;
        cluster->Start(send);
        for (Time now; !cluster->IsDone() && !(arrivals.empty() && send.empty());)
        {
            for (const Message& message : send)
            {
                const Time usual = message.sent + MicroSeconds(message.bytes > 0 ? 10 : 0);
                const bool isSlow = message.bytes > 0 && message.sent < slow;
                arrivals.emplace(isSlow ? NanoSeconds(257500) : usual, message);
            }
            send.clear();
            const Message message = arrivals.begin()->second;
            now = arrivals.begin()->first;
            arrivals.erase(arrivals.begin());
            cluster->Receive(message, now, send);
        }
        return cluster->GetOutcomes()[0];
    };
    for (const int64_t slow : {0, 2, 100})
    {
        const TrainingCluster::Outcome job = run(MicroSeconds(slow));
        NS_TEST_EXPECT_MSG_EQ(job.failures, 128, slow);
        CheckTimes(job,
                   277,
                   {{RestartTimes::LOST, 256},
                    {RestartTimes::COMPUTATION, 1},
                    {RestartTimes::ALL_REDUCE, 20}});
    }
    const std::string refusal = GetRefusal([&] { run(MicroSeconds(300)); });
    NS_TEST_EXPECT_MSG_NE(refusal.find("128 failed runs of it are under way"),
                          std::string::npos,
                          refusal);
}

static PicosecondSuite g_trainingRestartSuite("odcn-training-restart");
