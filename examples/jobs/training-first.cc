// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Two training jobs on a rotor fabric: how long they take, and where the time goes.
 *
 *      small: racks 0 to 3         compute, all-reduce, compute, all-reduce, ...
 *      large: racks 4 to 7         the same, with more of both
 *
 *      2 rotor switches            each rack has a circuit to each other one now and then
 *
 * Jobs on racks of their own do not disturb each other: they wait for circuits alone. Two ranks of
 * a rack share its circuits.
 *
 *     ./ns3 run training-first
 *     ./ns3 run "training-first --servers=2"               two ranks a rack
 *     ./ns3 run "training-first --slot=20"                 circuits change more often, us
 *     ./ns3 run "training-first --engine=packets"
 */

#include "ns3/boolean.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-fabric-design-helper.h"
#include "ns3/odcn-plane-traffic.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-training-cluster.h"
#include "ns3/odcn-training-waits.h"
#include "ns3/simulator.h"

#include <iostream>

using namespace ns3;
using namespace ns3::odcn;

/// @param name of the job
/// @param compute time of the computation of an iteration
/// @param bytes of the gradients, which the ranks add after it
/// @return a job of four ranks and three iterations
static std::shared_ptr<TrainingJob>
MakeJob(const std::string& name, Time compute, uint64_t bytes)
{
    const std::vector<uint32_t> ranks{0, 1, 2, 3};
    auto job = std::make_shared<TrainingJob>(name, ranks.size());
    TrainingProgram program;
    TrainingProgram::Operation operation;
    operation.duration = compute;
    const std::vector<uint32_t> first{program.Add(operation)};
    operation.kind = TrainingProgram::Kind::COLLECTIVE;
    operation.what = Collective::Operation::ALL_REDUCE;
    operation.communicator = job->AddCommunicator("all", {ranks});
    operation.bytes = bytes;
    program.Add(operation, first);
    job->AddProgram(program, ranks);
    job->SetIterations(3);
    return job;
}

/// Run jobs on a design, on the flow level or in packets.
static void
Run(const FabricDesign& design, FabricEngine engine, TrainingCluster& cluster)
{
    const FabricDesignHelper helper;
    const Ptr<FabricNetwork> network = helper.Build(design);
    TrainingWaits waits(design.GetSize(), network->GetSchedule());
    cluster.SetExplain([&](const Message& message, Time received, TrainingTimes& times)
                       { return waits.Explain(message, received, times); });
    FlowHelper flows;
    flows.SetAttribute("Hold", BooleanValue(true));
    const Ptr<PlaneTraffic> traffic = CreateObject<PlaneTraffic>();
    traffic->Start(helper.MakePlane(network, engine, flows), cluster);
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    traffic->Dispose();
    Simulator::Destroy();
    if (!cluster.IsDone())
    {
        throw OdcnError(cluster.DescribeUnfinished());
    }
}

/// Print where the time of jobs went.
static void
Report(const TrainingCluster& cluster)
{
    using Times = TrainingTimes;
    Table table(
        {"Time, us", "All", "Queue", "Computation", "All-reduce", "Circuits", "Dark", "Sharing"});
    for (const TrainingCluster::Outcome& job : cluster.GetOutcomes())
    {
        const auto format = [](Time time) { return FormatFixed(time.GetSeconds() * 1e6, 3); };
        std::vector<std::string> row{job.job->GetName(), format(job.times.GetSum())};
        for (const Times::Part part : {Times::QUEUE,
                                       Times::COMPUTATION,
                                       Times::ALL_REDUCE,
                                       Times::CIRCUITS,
                                       Times::DARK,
                                       Times::SHARING})
        {
            row.push_back(format(job.times.Get(part)));
        }
        table.AddRow(row);
    }
    table.Print(std::cout);
}

int
main(int argc, char* argv[])
try
{
    std::string engine = "flows";
    FabricSize size{.racks = 8, .servers = 1, .uplinks = 2, .slot = 100, .dark = 10};
    OdcnCommandLine cmd(argc, argv, "Two training jobs on a rotor fabric.");
    size.AddOptions(cmd);
    cmd.AddWord("engine", "flows, the flow level, or packets", engine, {"flows", "packets"});
    cmd.Parse();
    size.Check("--");
    Time::SetResolution(Time::PS);

    // 1. A fabric whose circuits change all the time; servers wait for direct ones.
    const auto design = FabricDesign::Parse("RotorSchedule[Slot={slot}us|ReconfigurationTime="
                                            "{dark}us];DirectRouting;hold",
                                            size);

    // 2. Two jobs that come one after the other.
    const Ptr<TrainingCluster> cluster = CreateObject<TrainingCluster>();
    cluster->SetEndPoints(size.racks * size.servers, size.servers);
    cluster->Add(MakeJob("small", MicroSeconds(200), 100000), Time(0));
    cluster->Add(MakeJob("large", MicroSeconds(500), 1000000), MicroSeconds(50));
    Run(design, FindEngine(engine), *PeekPointer(cluster));

    // 3. Where the time went.
    Report(*cluster);
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
