// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Training jobs that share a network: when they start and where, their times alone and together,
 * and the same jobs in packets and in the exact engine.
 */

#include "../core/odcn-test-case.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-fabric-design-helper.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/odcn-plane-traffic.h"
#include "ns3/odcn-switch-flow-level.h"
#include "ns3/odcn-training-bound.h"
#include "ns3/odcn-training-cluster.h"
#include "ns3/odcn-training-model.h"
#include "ns3/odcn-training-waits.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

using TrainingCollective = Collective::Operation;

/// @param hosts number of end points
/// @return a switch of 100 Gb/s that never limits traffic
Ptr<MessagePlane>
MakeSwitchPlane(uint32_t hosts)
{
    const Ptr<SwitchFlowLevel> level = CreateObject<SwitchFlowLevel>();
    level->SetNEndPoints(hosts);
    return level;
}

/// A job of computations and all-reduces in turn.
struct PlainTrainingJob
{
    uint32_t ranks;           //!< their number
    uint32_t iterations;      //!< their number
    Time computation;         //!< of each iteration
    uint64_t bytes;           //!< of the all-reduce
    bool isOverlapped{false}; //!< whether half of the computation goes on beside it

    /// @return the job
    std::shared_ptr<TrainingJob> Make() const
    {
        auto job = std::make_shared<TrainingJob>("plain", ranks);
        std::vector<uint32_t> all(ranks);
        std::iota(all.begin(), all.end(), 0);
        job->AddCommunicator("all", {all});
        TrainingProgram program;
        TrainingProgram::Operation compute;
        compute.duration = isOverlapped ? computation / 2 : computation;
        const std::vector<uint32_t> first{program.Add(compute)};
        TrainingProgram::Operation collective;
        collective.kind = TrainingProgram::Kind::COLLECTIVE;
        collective.bytes = bytes;
        program.Add(collective, first);
        if (isOverlapped)
        {
            program.Add(compute, first);
        }
        job->AddProgram(program, all);
        job->SetIterations(iterations);
        return job;
    }
};

/// @param plane carries the messages
/// @param cluster of jobs
void
RunTrainingCluster(const Ptr<MessagePlane>& plane, const Ptr<TrainingCluster>& cluster)
{
    CreateObject<PlaneTraffic>()->Start(plane, *PeekPointer(cluster));
    Simulator::Run();
    Simulator::Destroy();
}

/// @param settings Attributes
/// @param endPoints their number
/// @param perRack how many are in a rack
/// @return a cluster
Ptr<TrainingCluster>
MakeTrainingCluster(const std::string& settings, uint32_t endPoints, uint32_t perRack)
{
    const Ptr<TrainingCluster> cluster = CreateObject<TrainingCluster>();
    Configure(cluster, settings);
    cluster->SetEndPoints(endPoints, perRack);
    return cluster;
}

/// A case that checks what holds for all jobs that have ended.
struct TrainingClusterCase : TestCase
{
    using TestCase::TestCase;

    /// @param cluster one that has ended
    void CheckEnd(const Ptr<TrainingCluster>& cluster)
    {
        NS_TEST_EXPECT_MSG_EQ(cluster->DescribeUnfinished(), "", "all end");
        NS_TEST_EXPECT_MSG_EQ(cluster->CountWaiting(), 0, "none waits");
        for (const TrainingCluster::Outcome& job : cluster->GetOutcomes())
        {
            using Times = TrainingTimes;
            NS_TEST_EXPECT_MSG_EQ(job.times.GetSum(), job.end - job.arrival, "sum of the causes");
            NS_TEST_EXPECT_MSG_EQ(job.times.Get(Times::QUEUE), job.start - job.arrival, "queue");
            NS_TEST_EXPECT_MSG_EQ(job.iterationEnds.back(), job.end - job.start, "last iteration");
            Time parts;
            for (uint8_t part = 0; part < Times::N_PARTS; ++part)
            {
                const Time time = job.times.Get(static_cast<Times::Part>(part));
                NS_TEST_EXPECT_MSG_EQ(time.IsStrictlyNegative(), false, "part " << int(part));
                parts += time;
            }
            NS_TEST_EXPECT_MSG_EQ(parts, job.end - job.arrival, "to the time step");
            const Time computation = TrainingBound::GetComputeTime(*job.job);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(job.end - job.start, computation, "computations");
        }
    }
};

/// @param job a plain one
/// @return time of its collective alone on a switch
Time
GetCollectiveTime(const PlainTrainingJob& job)
{
    const Collective ring = Collective::Make("all-reduce:ring", job.ranks, job.bytes);
    const Ptr<PlaneRun> run = MakeSwitchPlane(16)->Send(ring.GetMessages());
    Simulator::Run();
    Simulator::Destroy();
    return run->GetTime();
}

} // namespace

ODCN_TEST_CASE_F(TrainingClusterCase,
                 TrainingAlone,
                 "A job alone takes its computations and collectives")
{
    // Six ranks divide the second vector, so that all end together and begin the next iteration.
    const PlainTrainingJob once{6, 1, NanoSeconds(12345), 1000003};
    const PlainTrainingJob often{6, 3, NanoSeconds(12345), 1000002};
    for (const PlainTrainingJob& plain : {once, often})
    {
        const Ptr<TrainingCluster> cluster = MakeTrainingCluster("", 16, 4);
        cluster->Add(plain.Make(), MicroSeconds(7));
        RunTrainingCluster(MakeSwitchPlane(16), cluster);
        CheckEnd(cluster);
        const TrainingCluster::Outcome& job = cluster->GetOutcomes()[0];
        const int64_t n = plain.iterations;
        const Time collectives = n * GetCollectiveTime(plain);
        const Time computations = n * plain.computation;
        NS_TEST_EXPECT_MSG_EQ(job.start, MicroSeconds(7), "at once");
        NS_TEST_EXPECT_MSG_EQ(job.end - job.start, computations + collectives, "to the bit");
        NS_TEST_EXPECT_MSG_EQ(job.times.Get(TrainingTimes::COMPUTATION), computations, "");
        NS_TEST_EXPECT_MSG_EQ(job.times.Get(TrainingTimes::ALL_REDUCE), collectives, "");
        NS_TEST_EXPECT_MSG_EQ(job.messages, 2 * 5 * 6 * plain.iterations, "messages of rings");
    }
}

ODCN_TEST_CASE_F(TrainingClusterCase,
                 TrainingOverlap,
                 "TrainingCollective is computed beside a collective hides it")
{
    PlainTrainingJob plain{4, 5, MicroSeconds(10), 100000, true};
    const Time collective = GetCollectiveTime(plain);
    for (const bool isLong : {false, true})
    {
        plain.computation = isLong ? collective * int64_t{4} : collective;
        const Ptr<TrainingCluster> cluster = MakeTrainingCluster("", 16, 4);
        cluster->Add(plain.Make(), Time(0));
        RunTrainingCluster(MakeSwitchPlane(16), cluster);
        CheckEnd(cluster);
        const TrainingTimes& times = cluster->GetOutcomes()[0].times;
        const Time half = plain.computation / 2;
        NS_TEST_EXPECT_MSG_EQ(times.Get(TrainingTimes::ALL_REDUCE),
                              isLong ? Time(0) : 5 * collective,
                              "exposed");
        NS_TEST_EXPECT_MSG_EQ(times.Get(TrainingTimes::COMPUTATION),
                              5 * (isLong ? 2 * half : half),
                              "on the critical path");
    }
}

ODCN_TEST_CASE_F(TrainingClusterCase,
                 TrainingDisjoint,
                 "Jobs on disjoint circuits take their times alone")
{
    const PlainTrainingJob first{8, 4, MicroSeconds(3), 700000};
    const PlainTrainingJob second{5, 7, MicroSeconds(1), 300001};
    std::vector<Time> times;
    for (const int which : {0, 1, 2})
    {
        const Ptr<TrainingCluster> cluster = MakeTrainingCluster("", 16, 16);
        if (which != 1)
        {
            cluster->Add(first.Make(), Time(0));
        }
        if (which != 0)
        {
            cluster->Add(second.Make(), MicroSeconds(2));
        }
        RunTrainingCluster(MakeSwitchPlane(16), cluster);
        CheckEnd(cluster);
        for (const TrainingCluster::Outcome& job : cluster->GetOutcomes())
        {
            times.push_back(job.end - job.arrival);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(times[2], times[0], "first");
    NS_TEST_EXPECT_MSG_EQ(times[3], times[1], "second");
}

ODCN_TEST_CASE_F(TrainingClusterCase,
                 TrainingQueues,
                 "Jobs start in order, or where they delay no other")
{
    // 12 of 16 end points are taken for 100 us; the next job wants 14. A job of 50 us may go before
    // it, one of 500 us may not.
    const PlainTrainingJob jobs[] = {{12, 1, MicroSeconds(100), 0},
                                     {14, 1, MicroSeconds(100), 0},
                                     {4, 1, MicroSeconds(50), 0},
                                     {12, 1, MicroSeconds(10), 0},
                                     {4, 1, MicroSeconds(500), 0}};
    const int64_t starts[2][5] = {{0, 100, 200, 200, 210}, {0, 100, 2, 200, 200}};
    for (const bool isBackfill : {false, true})
    {
        const Ptr<TrainingCluster> cluster =
            MakeTrainingCluster(isBackfill ? "Queue=backfill" : "", 16, 4);
        for (int i = 0; i < 5; ++i)
        {
            cluster->Add(jobs[i].Make(), MicroSeconds(i), jobs[i].computation);
        }
        RunTrainingCluster(MakeSwitchPlane(16), cluster);
        CheckEnd(cluster);
        for (int i = 0; i < 5; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(cluster->GetOutcomes()[i].start.GetMicroSeconds(),
                                  starts[isBackfill][i],
                                  "job " << i << ", backfill " << isBackfill);
        }
    }
}

ODCN_TEST_CASE_F(TrainingClusterCase,
                 TrainingPlaces,
                 "Rules of placement choose the end points they say")
{
    // Racks of 4: after a job of 6, there are 2 free in the second rack.
    const std::vector<std::pair<std::string, std::vector<uint32_t>>> rules{{"packing", {6, 7, 8}},
                                                                           {"locality", {8, 9, 10}},
                                                                           {"first", {6, 7, 8}}};
    for (const auto& [rule, places] : rules)
    {
        const Ptr<TrainingCluster> cluster = MakeTrainingCluster("Placement=" + rule, 16, 4);
        cluster->Add(PlainTrainingJob{6, 1, MicroSeconds(9), 0}.Make(), Time(0));
        cluster->Add(PlainTrainingJob{3, 1, MicroSeconds(9), 0}.Make(), MicroSeconds(1));
        RunTrainingCluster(MakeSwitchPlane(16), cluster);
        CheckEnd(cluster);
        NS_TEST_EXPECT_MSG_EQ((cluster->GetOutcomes()[1].places == places), true, rule);
    }
    // Ranks 0 and 2, and 1 and 3, exchange the most: each pair gets a rack of 2.
    auto pairs = std::make_shared<TrainingJob>("pairs", 4);
    pairs->AddCommunicator("pairs", {{0, 2}, {1, 3}});
    const std::vector<uint32_t> all{0, 1, 2, 3};
    TrainingProgram program;
    TrainingProgram::Operation exchange;
    exchange.kind = TrainingProgram::Kind::COLLECTIVE;
    exchange.bytes = 1000;
    program.Add(exchange);
    pairs->AddProgram(program, all);
    const Ptr<TrainingCluster> weighted = MakeTrainingCluster("Placement=max-weight", 6, 2);
    weighted->Add(pairs, Time(0));
    weighted->Add(PlainTrainingJob{2, 1, MicroSeconds(9), 0}.Make(), Time(0));
    RunTrainingCluster(MakeSwitchPlane(6), weighted);
    CheckEnd(weighted);
    NS_TEST_EXPECT_MSG_EQ((weighted->GetOutcomes()[0].places == std::vector<uint32_t>{0, 2, 1, 3}),
                          true,
                          "pairs");
    NS_TEST_EXPECT_MSG_EQ((weighted->GetOutcomes()[1].places == std::vector<uint32_t>{4, 5}),
                          true,
                          "the fullest rack that has enough");
    std::set<uint32_t> seen;
    for (int64_t stream = 0; stream < 50; ++stream)
    {
        const Ptr<TrainingCluster> cluster = MakeTrainingCluster("Placement=random", 7, 4);
        cluster->AssignStreams(stream);
        cluster->Add(PlainTrainingJob{3, 1, MicroSeconds(9), 0}.Make(), Time(0));
        RunTrainingCluster(MakeSwitchPlane(7), cluster);
        CheckEnd(cluster);
        const auto& places = cluster->GetOutcomes()[0].places;
        NS_TEST_EXPECT_MSG_EQ(std::set<uint32_t>(places.begin(), places.end()).size(), 3, "");
        seen.insert(places[0]);
    }
    NS_TEST_EXPECT_MSG_EQ(seen.size(), 7, "all end points");
}

/// A placement of a user's own: the end points in Places, or none while a job runs.
class ListedPlacement : public TrainingPlacement
{
  public:
    std::vector<uint32_t> Choose(const TrainingCluster& cluster, uint32_t) override
    {
        ++asked;
        return waits && cluster.CountFree() < cluster.GetNEndPoints() ? std::vector<uint32_t>{}
                                                                      : places;
    }

    std::vector<uint32_t> places; //!< what it chooses
    bool waits{false};            //!< whether for an empty cluster
    int asked{0};                 //!< how often
};

ODCN_TEST_CASE_F(
    TrainingClusterCase,
    TrainingOwnPlacement,
    "A placement of one's own may let jobs wait, and is refused what it may not choose")
{
    const Ptr<ListedPlacement> listed = CreateObject<ListedPlacement>();
    listed->places = {5, 2};
    listed->waits = true;
    const Ptr<TrainingCluster> cluster = MakeTrainingCluster("", 8, 4);
    cluster->SetPlacement(listed);
    cluster->Add(PlainTrainingJob{2, 1, MicroSeconds(9), 0}.Make(), Time(0));
    cluster->Add(PlainTrainingJob{2, 1, MicroSeconds(9), 0}.Make(), MicroSeconds(1));
    RunTrainingCluster(MakeSwitchPlane(8), cluster);
    CheckEnd(cluster);
    NS_TEST_EXPECT_MSG_EQ(cluster->GetOutcomes()[1].start, MicroSeconds(9), "waits for the first");
    NS_TEST_EXPECT_MSG_EQ((cluster->GetOutcomes()[1].places == listed->places), true, "");
    NS_TEST_EXPECT_MSG_EQ(listed->asked, 3, "");
    for (const std::vector<uint32_t>& places :
         std::vector<std::vector<uint32_t>>{{}, {1}, {1, 1}, {1, 8}, {0, 1}})
    {
        listed->places = places;
        listed->waits = false;
        const Ptr<TrainingCluster> other = MakeTrainingCluster("", 8, 4);
        other->SetPlacement(listed);
        other->Add(PlainTrainingJob{2, 1, MicroSeconds(9), 0}.Make(), Time(0));
        other->Add(PlainTrainingJob{2, 1, MicroSeconds(9), 0}.Make(), Time(0));
        bool isRefused = false;
        try
        {
            RunTrainingCluster(MakeSwitchPlane(8), other);
        }
        catch (const OdcnError&)
        {
            isRefused = true;
        }
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(isRefused, true, places.size() << " end points");
    }
}

ODCN_TEST_CASE_F(TrainingClusterCase,
                 TrainingPolicyPlaces,
                 "Policies of the decision problem choose what the rules of the same name do")
{
    FabricSize size;
    size.racks = 8;
    size.servers = 4;
    const FabricDesign design = FabricDesign::Find("torus", size);
    for (const std::string rule : {"packing", "locality", "first", "max-weight"})
    {
        std::vector<std::vector<uint32_t>> places[2];
        for (const bool isPolicy : {false, true})
        {
            const Ptr<TrainingCluster> cluster = MakeTrainingCluster("", 32, 4);
            const Ptr<TrainingPlacement> placement =
                TrainingPlacement::Create(isPolicy ? "policy[Policy=" + rule + "]" : rule);
            placement->SetDesign(design);
            cluster->SetPlacement(placement);
            for (int64_t i = 0; i < 30; ++i)
            {
                const TrainingModel model{"small", 2, 64, 128, 4, 2, 3, 1, 1};
                TrainingParallelism how;
                how.data = 1 + i % 3;
                how.tensor = 1 + i % 4;
                how.length = 16;
                how.flops = 1e12;
                auto job = std::make_shared<TrainingJob>(model.MakeJob(how, 2 + i % 2));
                cluster->Add(job, MicroSeconds(10 * i));
            }
            cluster->AssignStreams(1);
            RunTrainingCluster(MakeSwitchPlane(32), cluster);
            CheckEnd(cluster);
            for (const TrainingCluster::Outcome& job : cluster->GetOutcomes())
            {
                places[isPolicy].push_back(job.places);
            }
        }
        NS_TEST_EXPECT_MSG_EQ((places[0] == places[1]), true, rule);
    }
    bool isRefused = false;
    try
    {
        TrainingPlacement::Create("policy[Policy=bound]")->SetDesign(design);
    }
    catch (const OdcnError&)
    {
        isRefused = true;
    }
    NS_TEST_EXPECT_MSG_EQ(isRefused, true, "a bound places nothing");
}

ODCN_TEST_CASE_F(TrainingClusterCase,
                 TrainingRandomJobs,
                 "Where the time went adds up after random jobs")
{
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(17);
    for (int run = 0; run < 12; ++run)
    {
        const Ptr<TrainingCluster> cluster = MakeTrainingCluster(
            run % 2 == 0 ? "Queue=backfill|Placement=random" : "Placement=locality",
            16,
            4);
        if (run % 3 == 0)
        {
            cluster->SetRunAttribute("MessageOverhead", TimeValue(NanoSeconds(123)));
            cluster->SetRunAttribute("Splits", UintegerValue(3));
            cluster->SetRunAttribute("Jitter",
                                     StringValue("ns3::UniformRandomVariable[Min=0.5|Max=2]"));
            cluster->SetRunAttribute("Straggling",
                                     StringValue("ns3::UniformRandomVariable[Min=1|Max=1.5]"));
        }
        cluster->AssignStreams(1000 * run);
        for (int i = 0; i < 10; ++i)
        {
            const TrainingModel model{"small", 2, 64, 128, 4, 2, 3, 4, 2};
            TrainingParallelism how;
            how.data = random->GetInteger(1, 2);
            how.tensor = random->GetInteger(1, 2);
            how.pipeline = random->GetInteger(1, 2);
            how.context = random->GetInteger(1, 2);
            how.expert = how.data;
            how.microBatches = random->GetInteger(1, 4);
            how.length = 64;
            how.flops = 1e12;
            auto job = std::make_shared<TrainingJob>(model.MakeJob(how, 2));
            cluster->Add(job,
                         MicroSeconds(random->GetInteger(0, 300)),
                         2 * TrainingBound::GetComputeTime(*job));
        }
        RunTrainingCluster(MakeSwitchPlane(16), cluster);
        // Jitter may make a job shorter than its computations; the sums hold all the same.
        if (run % 3 != 0)
        {
            CheckEnd(cluster);
        }
        NS_TEST_EXPECT_MSG_EQ(cluster->DescribeUnfinished(), "", "all end");
        for (const TrainingCluster::Outcome& job : cluster->GetOutcomes())
        {
            NS_TEST_EXPECT_MSG_EQ(job.times.GetSum(), job.end - job.arrival, "sum of the causes");
        }
        NS_TEST_EXPECT_MSG_EQ(cluster->CountFree(), 16, "all end points are free again");
    }
}

ODCN_TEST_CASE(TrainingOwnRandomNumbers, "Random times of a job do not depend on other jobs")
{
    const PlainTrainingJob kind{2, 6, MicroSeconds(10), 1000};
    for (const uint32_t checkpoint : {0, 2})
    {
        const auto run = [&](Time other, bool isText)
        {
            const Ptr<TrainingCluster> cluster = MakeTrainingCluster("", 8, 8);
            cluster->SetAttribute("CheckpointIterations", UintegerValue(checkpoint));
            for (const std::string name : {"Jitter", "Straggling"})
            {
                const auto variable = CreateObject<UniformRandomVariable>();
                variable->SetAttribute("Max", DoubleValue(2));
                const StringValue text("ns3::UniformRandomVariable[Max=2]");
                isText ? cluster->SetRunAttribute(name, text)
                       : cluster->SetRunAttribute(name, PointerValue(variable));
            }
            cluster->Add(kind.Make(), Time(0));
            if (!other.IsZero())
            {
                cluster->Add(kind.Make(), other);
            }
            cluster->AssignStreams(7);
            RunTrainingCluster(MakeSwitchPlane(8), cluster);
            return cluster->GetOutcomes();
        };
        const auto alone = run(Time(0), true);
        for (const Time& other : {NanoSeconds(1), MicroSeconds(25)})
        {
            for (const bool isText : {true, false})
            {
                const auto both = run(other, isText);
                NS_TEST_EXPECT_MSG_EQ((both[0].iterationEnds == alone[0].iterationEnds),
                                      true,
                                      "the same with another job, checkpoints " << checkpoint);
                NS_TEST_EXPECT_MSG_EQ((both[1].iterationEnds == both[0].iterationEnds),
                                      false,
                                      "each has its own");
            }
        }
        const auto& ends = alone[0].iterationEnds;
        NS_TEST_EXPECT_MSG_NE(ends[3] - ends[2], ends[1] - ends[0], "drawn anew");
    }
}

ODCN_TEST_CASE(TrainingRareFailures, "No end point fails before its time, however late that is")
{
    const auto cluster = MakeTrainingCluster("", 4, 4);
    const auto never = CreateObject<ConstantRandomVariable>();
    const auto repair = CreateObject<ConstantRandomVariable>();
    never->SetAttribute("Constant", DoubleValue(3e7)); // in picoseconds beyond 64 bits
    repair->SetAttribute("Constant", DoubleValue(1));
    cluster->SetAttribute("Failures", PointerValue(never));
    cluster->SetAttribute("Repairs", PointerValue(repair));
    cluster->Add(PlainTrainingJob{4, 2, MicroSeconds(10), 1000}.Make(), Time(0));
    std::vector<Message> send;
    cluster->Start(send);
    NS_TEST_ASSERT_MSG_EQ(send.size(), 5, "an arrival and failures");
    for (std::size_t i = 1; i < send.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_GT(send[i].sent, Seconds(1e6), "later than any run");
    }
}

ODCN_TEST_CASE_F(TrainingClusterCase,
                 TrainingEngines,
                 "Packets and the exact engine tell the same times")
{
    const FabricSize size{.racks = 4, .servers = 2, .uplinks = 2, .slot = 50, .dark = 5};
    const auto design =
        FabricDesign::Parse("RotorSchedule[Slot={slot}us|ReconfigurationTime={dark}us];"
                            "DirectRouting;hold",
                            size);
    std::vector<std::vector<Time>> ends(2);
    for (const bool isExact : {false, true})
    {
        const Ptr<TrainingCluster> cluster = MakeTrainingCluster("", 8, 2);
        cluster->Add(PlainTrainingJob{4, 2, MicroSeconds(30), 20000}.Make(), MicroSeconds(5));
        cluster->Add(PlainTrainingJob{3, 3, MicroSeconds(11), 30000}.Make(), MicroSeconds(9));
        cluster->Add(PlainTrainingJob{5, 1, MicroSeconds(11), 10000}.Make(), MicroSeconds(12));
        const FabricDesignHelper helper;
        const Ptr<FabricNetwork> network = helper.BuildNetwork(design);
        network->AssignStreams(1);
        network->SetCircuits(DemandMatrix::Make("uniform", size.racks), 1000);
        if (isExact)
        {
            const auto engine =
                helper.MakeExact(design, network->GetSchedule(), design.MakeSettings(0), 1000);
            engine->AssignStreams(1);
            engine->Run(*PeekPointer(cluster), Seconds(1));
            Simulator::Destroy();
        }
        else
        {
            network->StartCircuits();
            FlowHelper flows;
            flows.SetAttribute("Hold", BooleanValue(true));
            const Ptr<MessagePlane> plane = helper.MakePlane(network, FabricEngine::PACKETS, flows);
            CreateObject<PlaneTraffic>()->Start(plane, *PeekPointer(cluster));
            Simulator::Stop(Seconds(1));
            Simulator::Run();
            Simulator::Destroy();
        }
        CheckEnd(cluster);
        for (const TrainingCluster::Outcome& job : cluster->GetOutcomes())
        {
            ends[isExact].push_back(job.end);
        }
    }
    for (std::size_t i = 0; i < ends[0].size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(ends[1][i], ends[0][i], "job " << i);
    }
}

ODCN_TEST_CASE(TrainingWaitsOfCircuits, "Times with and without circuits are those of the schedule")
{
    const FabricSize size{.racks = 6, .servers = 2, .uplinks = 3, .slot = 50, .dark = 7};
    for (const std::string circuits : {"RotorSchedule[Slot=50us|ReconfigurationTime=7us]",
                                       "OperaSchedule[Slot=50us|ReconfigurationTime=7us]"})
    {
        const Ptr<CircuitSchedule> schedule = CircuitSchedule::Create(circuits);
        schedule->AssignStreams(3);
        schedule->Build(size.racks, size.uplinks);
        TrainingWaits waits(size, schedule);
        // Time by time, from what the schedule says.
        const Time step = MicroSeconds(1);
        for (RackId to = 1; to < size.racks; ++to)
        {
            Time up;
            Time dark;
            for (Time at = MicroSeconds(30); at < MicroSeconds(930); at += step)
            {
                bool isUp = false;
                bool isDark = false;
                for (uint32_t plane = 0; plane < size.uplinks; ++plane)
                {
                    const auto place = schedule->Find(plane, at);
                    isUp = isUp || schedule->GetPeer(plane, 0, at) == to;
                    isDark = isDark || schedule->GetPlane(plane).slots[place.slot].to[0] == to;
                }
                up += isUp ? step : Time(0);
                dark += isDark && !isUp ? step : Time(0);
            }
            const auto sums = waits.GetCircuits(0, to, MicroSeconds(30), MicroSeconds(930));
            NS_TEST_EXPECT_MSG_EQ(sums.up, up, circuits << " to " << to);
            NS_TEST_EXPECT_MSG_EQ(sums.dark, dark, circuits << " to " << to);
            NS_TEST_EXPECT_MSG_EQ(dark.IsStrictlyPositive(), true, "not only circuits");
            // A message of ten full packets has waited the rest of the time.
            TrainingTimes times;
            const Message message{0, 1, 2 * to, 14400, 0, MicroSeconds(30)};
            const Time own = waits.Explain(message, MicroSeconds(930), times);
            NS_TEST_EXPECT_MSG_EQ(own, NanoSeconds(12500), "15,000 bytes at 10 Gb/s, and 500 ns");
            NS_TEST_EXPECT_MSG_EQ(own + times.GetSum(), MicroSeconds(900), "all of its time");
            NS_TEST_EXPECT_MSG_EQ(times.Get(TrainingTimes::DARK), dark, "dark");
            NS_TEST_EXPECT_MSG_EQ(times.Get(TrainingTimes::CIRCUITS),
                                  MicroSeconds(900) - up - dark,
                                  "no circuit");
        }
    }
}

ODCN_TEST_CASE_F(RefusalFixture, TrainingRefusals, "Jobs that do not fit are refused")
{
    const auto make = [] { return MakeTrainingCluster("", 4, 2); };
    ExpectRefusal("at most 4 ranks",
                  [&] {
                      make()->Add(PlainTrainingJob{5, 1, Time(1), 1}.Make(), Time(0));
                  });
    ExpectRefusal("a time of 0 or more",
                  [&] {
                      make()->Add(PlainTrainingJob{2, 1, Time(1), 1}.Make(), Time(-1));
                  });
    ExpectRefusal("1 or more of both", [&] { MakeTrainingCluster("", 4, 0); });
    ExpectRefusal("one of gpt3-13b", [&] { TrainingModel::Find("gpt"); });
    TrainingParallelism how;
    how.pipeline = 3;
    ExpectRefusal("40 layers in 3 stages", [&] { TrainingModel::Find("gpt3-13b").MakeJob(how); });
    how.pipeline = 1;
    how.expert = 8;
    ExpectRefusal("8 experts over 8 ranks",
                  [&] { TrainingModel::Find("mixtral-8x7b").MakeJob(how); });
}

ODCN_TEST_CASE(TrainingModels, "Models have the parameters of their papers")
{
    // Without embeddings, 10^9.
    const std::vector<std::pair<std::string, double>> models{{"gpt3-13b", 12.68},
                                                             {"gpt3-175b", 173.9},
                                                             {"llama-7b", 6.476},
                                                             {"llama-70b", 68.45},
                                                             {"mixtral-8x7b", 46.44}};
    for (const auto& [name, parameters] : models)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(TrainingModel::Find(name).GetParameters() / 1e9,
                                  parameters,
                                  0.01 * parameters,
                                  name);
    }
    // 64 ranks: 8 x 2 x 4. In each of 32 layers, forward and backward, two all-reduces of 8 ranks.
    TrainingParallelism how;
    how.tensor = 8;
    how.data = 2;
    how.context = 4;
    how.expert = 4;
    const TrainingJob job = TrainingModel::Find("mixtral-8x7b").MakeJob(how);
    NS_TEST_EXPECT_MSG_EQ(job.GetNRanks(), 64, "");
    NS_TEST_EXPECT_MSG_EQ(job.GetPrograms().size(), 1, "one stage");
    std::map<std::pair<std::string, TrainingCollective>, int> counts;
    for (const auto& operation : job.GetPrograms()[0].GetOperations())
    {
        if (operation.kind == TrainingProgram::Kind::COLLECTIVE)
        {
            const auto& communicator = job.GetCommunicators()[operation.communicator];
            ++counts[{communicator.name, operation.what}];
        }
    }
    NS_TEST_EXPECT_MSG_EQ((counts[{"TP", TrainingCollective::ALL_REDUCE}]), 128, "");
    NS_TEST_EXPECT_MSG_EQ((counts[{"CP", TrainingCollective::ALL_GATHER}]), 32, "");
    NS_TEST_EXPECT_MSG_EQ((counts[{"EP", TrainingCollective::ALL_TO_ALL}]), 128, "");
    NS_TEST_EXPECT_MSG_EQ((counts[{"DP", TrainingCollective::ALL_REDUCE}]), 32, "");
    NS_TEST_EXPECT_MSG_EQ((counts[{"EDP", TrainingCollective::ALL_REDUCE}]), 32, "");
}

static PicosecondSuite g_trainingClusterSuite("odcn-training-cluster");
