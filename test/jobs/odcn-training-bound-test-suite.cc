// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Least times of training jobs: by hand, and never longer than any run on any design; uneven
 * traffic of experts.
 */

#include "../core/odcn-test-case.h"

#include "ns3/odcn-fabric-design-helper.h"
#include "ns3/odcn-packet-messages.h"
#include "ns3/odcn-plane-traffic.h"
#include "ns3/odcn-switch-flow-level.h"
#include "ns3/odcn-throughput-bound.h"
#include "ns3/odcn-training-bound.h"
#include "ns3/odcn-training-cluster.h"
#include "ns3/odcn-training-model.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <memory>
#include <numeric>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/**
 * Run jobs on a design, on the flow level or by the exact engine.
 * @param design a design
 * @param engine an engine
 * @param cluster the jobs
 * @return the schedule of circuits, or null
 */
Ptr<CircuitSchedule>
RunBoundedJobs(const FabricDesign& design, FabricEngine engine, const Ptr<TrainingCluster>& cluster)
{
    const FabricDesignHelper helper;
    const Ptr<FabricNetwork> network = helper.BuildNetwork(design);
    network->AssignStreams(1);
    network->SetCircuits(DemandMatrix::Make("uniform", design.GetSize().racks), 1000);
    if (engine == FabricEngine::EXACT)
    {
        const auto exact =
            helper.MakeExact(design, network->GetSchedule(), design.MakeSettings(0), 1000);
        exact->AssignStreams(1);
        exact->Run(*PeekPointer(cluster), Seconds(10));
    }
    else
    {
        const auto plane =
            helper.MakePlane(network, engine, FabricDesignHelper::MakeHosts(design, 0));
        CreateObject<PlaneTraffic>()->Start(plane, *PeekPointer(cluster));
        Simulator::Stop(Seconds(10));
        Simulator::Run();
    }
    Simulator::Destroy();
    return network->GetSchedule();
}

/// @param places end point of each rank
/// @param perRack end points of a rack
/// @return rack of each rank
std::vector<RackId>
GetRacksOf(std::vector<uint32_t> places, uint32_t perRack)
{
    for (uint32_t& place : places)
    {
        place /= perRack;
    }
    return places;
}

} // namespace

ODCN_TEST_CASE(TrainingBoundByHand, "Bounds of small jobs are those by hand")
{
    // Ranks 0 to 3 compute for 1 ms and send 1000 full packets each to ranks 4 to 7, which compute
    // for 2 ms: 4 x 1,500,000 bytes at 10 Gb/s.
    auto job = std::make_shared<TrainingJob>("sends", 8);
    TrainingProgram::Operation compute;
    compute.duration = MilliSeconds(1);
    TrainingProgram::Operation message;
    message.bytes = 1440000;
    TrainingProgram sender;
    const std::vector<uint32_t> first{sender.Add(compute)};
    message.kind = TrainingProgram::Kind::SEND;
    message.peer = 4;
    sender.Add(message, first);
    TrainingProgram receiver;
    message.kind = TrainingProgram::Kind::RECEIVE;
    message.peer = -4;
    const std::vector<uint32_t> received{receiver.Add(message)};
    compute.duration = MilliSeconds(2);
    receiver.Add(compute, received);
    job->AddProgram(sender, std::vector<uint32_t>{0, 1, 2, 3});
    job->AddProgram(receiver, std::vector<uint32_t>{4, 5, 6, 7});
    const FabricSize size{.racks = 2, .servers = 4, .uplinks = 1, .delay = 0};
    const auto design = FabricDesign::Parse("ExpanderSchedule;ExpanderRouting", size);
    const auto cluster = CreateObject<TrainingCluster>();
    cluster->SetEndPoints(8, 4);
    cluster->Add(job, Time(0));
    const Ptr<CircuitSchedule> schedule = RunBoundedJobs(design, FabricEngine::FLOWS, cluster);
    const auto& places = cluster->GetOutcomes()[0].places;
    const auto transfers = TrainingBound::GetTransfers(*job, GetRacksOf(places, 4), 2);
    NS_TEST_EXPECT_MSG_EQ(transfers.size(), 1, "sends only");
    const FabricLeastTimes fabric(design, schedule);
    const auto times = TrainingBound::GetNetworkTimes(transfers, fabric);
    // After the last byte no rank that sends computes.
    NS_TEST_EXPECT_MSG_EQ(times.cut, MicroSeconds(5800), "cut");
    NS_TEST_EXPECT_MSG_EQ(times.flow, MicroSeconds(5800), "flow");
    const TrainingBound::Transfer none{"none", DemandMatrix(2), Time::Max(), Time(0)};
    NS_TEST_EXPECT_MSG_EQ(TrainingBound::GetNetworkTimes({none}, fabric).flow, Time(0), "none");
    const Time end = cluster->GetOutcomes()[0].end;
    NS_TEST_EXPECT_MSG_GT_OR_EQ(end, MicroSeconds(5800), "the run");
    NS_TEST_EXPECT_MSG_LT(end, MicroSeconds(7820), "and no more than the last computation");

    // One circuit of 90 of 300 us, and 1.5 times its bytes of a period: a period, and 35 us at the
    // full rate, as 10 us at time 0 may not be dark.
    const FabricSize four{.racks = 4, .servers = 1, .uplinks = 1};
    const auto rotor = FabricDesign::Parse("RoundRobinSchedule[Slot={slot}us|ReconfigurationTime="
                                           "{dark}us];DirectRouting",
                                           four);
    const auto uniform = DemandMatrix::Make("uniform", 4);
    const FabricLeastTimes rotating(rotor, rotor.MakeSchedule(uniform, 0));
    DemandMatrix bytes(4);
    bytes.Set(1, 2, 1.5 * 90e-6 * 10e9 / 8 * 1440 / 1500);
    NS_TEST_EXPECT_MSG_EQ(rotating.Get(bytes).cut, MicroSeconds(35), "any of three ways");
    NS_TEST_EXPECT_MSG_EQ(rotating.Get(bytes).flow, MicroSeconds(335), "direct");

    // Two jobs on 4 end points: of 4 ranks for 10 s, then of 2 for 1 s at 1 s. Together 10.5 s; the
    // short one goes first.
    const std::vector<TrainingBound::Share> jobs{{Seconds(0), 4, Seconds(10)},
                                                 {Seconds(1), 2, Seconds(1)}};
    NS_TEST_EXPECT_MSG_EQ(TrainingBound::GetMakespan(jobs, 4), MilliSeconds(10500), "makespan");
    NS_TEST_EXPECT_MSG_EQ(TrainingBound::GetMeanTime(jobs, 4), MilliSeconds(5500), "mean");
    const std::vector<TrainingBound::Share> equal{{Seconds(0), 4, Seconds(10)},
                                                  {Seconds(0), 4, Seconds(2)}};
    NS_TEST_EXPECT_MSG_EQ(TrainingBound::GetMeanTime(equal, 4), Seconds(7), "(2 + 12) / 2");
}

ODCN_TEST_CASE(TrainingBoundsHold, "No run is shorter than any bound")
{
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(23);
    const FabricSize size{.racks = 8, .servers = 2, .uplinks = 2, .slot = 50, .dark = 5};
    const std::vector<std::string> texts{
        "electrical;ideal",
        "electrical;clos",
        "ExpanderSchedule;ExpanderRouting;more",
        "RotorSchedule[Slot={slot}us|ReconfigurationTime={dark}us];DirectRouting",
        "RoundRobinSchedule[Slot={slot}us|ReconfigurationTime={dark}us];DirectRouting",
        "TorusSchedule[Shape={torus}];ExpanderRouting[MaxHops=255]"};
    int tight = 0;
    for (int run = 0; run < 24; ++run)
    {
        const auto design = FabricDesign::Parse(texts[run % texts.size()], size);
        const auto engine = run % 4 == 3 ? FabricEngine::EXACT : FabricEngine::FLOWS;
        const auto cluster = CreateObject<TrainingCluster>();
        cluster->SetAttribute("Placement", StringValue(run % 2 == 0 ? "random" : "packing"));
        cluster->SetAttribute("Queue", StringValue(run % 3 == 0 ? "backfill" : "first-come"));
        cluster->SetEndPoints(16, 2);
        cluster->AssignStreams(100 * run);
        std::vector<TrainingBound::Share> shares;
        for (int i = 0; i < 4; ++i)
        {
            const TrainingModel model{"small", 2, 64, 128, 4, 2, 3, 4, 2};
            TrainingParallelism how;
            how.data = 2 * random->GetInteger(1, 2);
            how.tensor = random->GetInteger(1, 2);
            how.pipeline = random->GetInteger(1, 2);
            how.expert = random->GetInteger(1, 2);
            how.microBatches = random->GetInteger(1, 3);
            how.length = 32;
            how.flops = 1e12;
            how.expertSkew = run % 2;
            how.expertDrift = 0.5;
            const auto job = std::make_shared<TrainingJob>(model.MakeJob(how, 2, random));
            const Time least = TrainingBound::GetLeastTime(*job, PacketMessages::GetLink(0, 10e9));
            const Time arrival = MicroSeconds(random->GetInteger(0, 300));
            cluster->Add(job, arrival, least);
            shares.push_back({arrival, how.GetNRanks(), least});
        }
        const Ptr<CircuitSchedule> schedule = RunBoundedJobs(design, engine, cluster);
        NS_TEST_ASSERT_MSG_EQ(cluster->DescribeUnfinished(), "", texts[run % texts.size()]);
        const FabricLeastTimes fabric(design, schedule);
        TrainingBound::Transfer together{"all", DemandMatrix(8), Time::Max(), Time(0)};
        Time makespan;
        Time sum;
        for (std::size_t i = 0; i < shares.size(); ++i)
        {
            const TrainingCluster::Outcome& job = cluster->GetOutcomes()[i];
            const auto transfers =
                TrainingBound::GetTransfers(*job.job, GetRacksOf(job.places, 2), 8);
            const auto times = TrainingBound::GetNetworkTimes(transfers, fabric);
            const Time took = job.end - job.start;
            const std::string what = texts[run % texts.size()] + ", run " + std::to_string(run);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(took, times.cut, "cut, " << what);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(took, times.flow, "flow, " << what);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(times.flow, times.cut, "one of all ways, " << what);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(took, shares[i].least, "links, " << what);
            tight += times.flow * int64_t{2} > took;
            makespan = std::max(makespan, job.end);
            sum += job.end - job.arrival;
            together.before = std::min(together.before, job.arrival);
            if (!transfers.empty())
            {
                together.Add(transfers.back().bytes);
            }
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(makespan,
                                    TrainingBound::GetNetworkTimes({together}, fabric).flow,
                                    "all bytes");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(makespan, TrainingBound::GetMakespan(shares, 16), "work");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(sum / int64_t{4},
                                    TrainingBound::GetMeanTime(shares, 16),
                                    "mean");
    }
    NS_TEST_EXPECT_MSG_GT(tight, 10, "bounds of half the time and more");
}

ODCN_TEST_CASE_F(RefusalFixture, TrainingExperts, "Experts get tokens by Zipf's law, which moves")
{
    const TrainingModel model{"small", 2, 64, 128, 4, 4, 3, 8, 1};
    TrainingParallelism how;
    how.data = 8;
    how.expert = 4;
    how.length = 64;
    how.expertSkew = 1;
    how.expertDrift = 0.5;
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(5);
    const TrainingJob job = model.MakeJob(how, 3, random);
    random->SetStream(5);
    const TrainingJob again = model.MakeJob(how, 3, random);
    const auto& operations = job.GetPrograms()[0].GetOperations();
    bool moves = false;
    std::vector<const TrainingProgram::Operation*> exchanges;
    for (const TrainingProgram::Operation& operation : operations)
    {
        if (operation.what == Collective::Operation::ALL_TO_ALL &&
            operation.kind == TrainingProgram::Kind::COLLECTIVE)
        {
            exchanges.push_back(&operation);
        }
    }
    NS_TEST_ASSERT_MSG_EQ(exchanges.size(), 8, "4 a layer");
    const std::vector<RackId> racks{0, 1, 2, 3};
    const auto make = [&](const TrainingJob& from, std::size_t i, uint32_t iteration)
    {
        return from
            .MakeCollective(*exchanges[i], "all-to-all:direct", 4, exchanges[i]->bytes, iteration)
            .GetTraffic(racks, 4);
    };
    for (uint32_t iteration = 0; iteration < 3; ++iteration)
    {
        const DemandMatrix out = make(job, 0, iteration);
        const DemandMatrix back = make(job, 1, iteration);
        const DemandMatrix same = make(again, 0, iteration);
        for (RackId i = 0; i < 4; ++i)
        {
            for (RackId j = 0; j < 4; ++j)
            {
                NS_TEST_EXPECT_MSG_EQ(back.Get(j, i), out.Get(i, j), "tokens return");
                NS_TEST_EXPECT_MSG_EQ(same.Get(i, j), out.Get(i, j), "the same stream");
                moves = moves || out.Get(i, j) != make(job, 0, 0).Get(i, j);
            }
        }
        // Of 8 experts by Zipf's law, two a rank: a rank's received / others' sent is its weight.
        const double bytes = double(exchanges[0]->bytes);
        double sum = 0;
        double most = 0;
        for (RackId j = 0; j < 4; ++j)
        {
            const double weight = out.GetReceived(j) / 3 / bytes;
            sum += weight;
            most = std::max(most, weight);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum, 1, 1e-3, "all tokens");
        const double zipf = 2.717857; // 1 + 1/2 + ... + 1/8
        NS_TEST_EXPECT_MSG_GT(most, 1 / zipf, "the first expert, and another");
        NS_TEST_EXPECT_MSG_LT(most, 1.5 / zipf + 1e-3, "at most the first two");
    }
    NS_TEST_EXPECT_MSG_EQ(moves, true, "drift");

    // In a run: what is sent is what the weights say.
    how.expertDrift = 0;
    const auto even = std::make_shared<TrainingJob>(model.MakeJob({.data = 8, .expert = 4}, 2));
    const auto uneven = std::make_shared<TrainingJob>(model.MakeJob(how, 2, random));
    std::vector<Time> times;
    for (const auto& shared : {even, uneven})
    {
        const auto run = CreateObject<TrainingRun>();
        run->SetJob(shared, {});
        const auto plane = CreateObject<SwitchFlowLevel>();
        plane->SetNEndPoints(8);
        CreateObject<PlaneTraffic>()->Start(plane, *PeekPointer(run));
        Simulator::Run();
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(run->DescribeUnfinished(), "", "ends");
        times.push_back(run->GetTimes().Get(TrainingTimes::ALL_TO_ALL));
    }
    NS_TEST_EXPECT_MSG_EQ(times[0].IsStrictlyPositive(), true, "exposed");

    ExpectRefusal("no random numbers", [&] { model.MakeJob(how); });
    ExpectRefusal("found skew -1",
                  [&]
                  {
                      how.expertSkew = -1;
                      model.MakeJob(how, 1, random);
                  });
    ExpectRefusal("whose sum is 1", [&] { TrainingJob("a", 2).AddWeights({{0.5, 0.4}}); });
    ExpectRefusal("all-to-all:direct",
                  [&]
                  {
                      const auto run = CreateObject<TrainingRun>();
                      run->SetAttribute("AllToAll", StringValue("ring"));
                      run->SetJob(uneven, {});
                  });
}

static PicosecondSuite g_trainingBoundSuite("odcn-training-bound");
