// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Circuits that follow a demand that moves: eight racks, each of which sends most of its traffic to
 * one other rack, another one every 5 ms.
 *
 *      ToR switches count bytes --report--> controller: which matching next? --command--> switches
 *
 * Beside a rotor schedule, which does not know the demand, controllers decide every 200 us by a
 * matching algorithm, by a rule, or by an agent, which matching-agent trains without packets.
 *
 *     ./ns3 run matching-first
 *     ./ns3 run "matching-first --designs=RotorSchedule,SolsticeMatching --hot=0.5"
 */

#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/ocs-helper.h"
#include "ns3/odcn-agent-library.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-matching-controller.h"
#include "ns3/odcn-table.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <iostream>

using namespace ns3;
using namespace ns3::odcn;

static const OcsFabricSize SIZE{8, 2, 2, 2}; // racks, servers of a rack, uplinks, switches
static const uint32_t PHASES = 4, PHASE = 5; // demands one after the other, ms for which one holds

/// @return flows of all phases; a hot share of a rack's traffic is to one other rack
static Traffic
MakeFlows(double load, double hot)
{
    Traffic flows;
    for (uint32_t phase = 0; phase < PHASES; ++phase)
    {
        const uint32_t distance = 1 + (3 + 2 * phase) % (SIZE.racks - 1); // 4, 6, 1, 3
        DemandMatrix demand = DemandMatrix::Make("uniform", SIZE.racks);
        demand.Scale(1 - hot);
        for (RackId rack = 0; rack < SIZE.racks; ++rack)
        {
            demand.Add(rack, (rack + distance) % SIZE.racks, hot);
        }
        auto workload = CreateObject<FlowWorkload>();
        workload->SetAttribute("Load", DoubleValue(load));
        workload->SetAttribute("Sizes", StringValue("100000"));
        workload->SetAttribute("Duration", TimeValue(MilliSeconds(PHASE)));
        workload->AssignStreams(1000 + 100 * phase);
        for (Traffic::Item flow : workload->Generate(demand, SIZE.serversPerRack))
        {
            flow.start += MilliSeconds(PHASE * phase);
            flows.Add(flow);
        }
    }
    return flows;
}

/// Run the flows over a design, a schedule or the policy of a controller, and add its row.
static void
RunPackets(const std::string& design, const Traffic& flows, Table& table)
{
    const bool blind = design.find("Schedule") != std::string::npos;
    OcsHelper helper;
    helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
    helper.SetTorAttribute("Routing", StringValue(blind ? "ValiantRouting" : "DirectRouting"));
    helper.SetUplinkAttribute("DataRate", StringValue("10Gbps"));
    helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("100000p"));
    helper.SetUplinkFiberAttribute("Delay", StringValue("250ns"));
    Ptr<OcsFabric> fabric = helper.Build(SIZE);
    helper.InstallServers(fabric);
    fabric->AssignStreams(1);

    auto controller = CreateObject<MatchingController>(); // an application on a node of its own
    controller->SetFabric(fabric);
    controller->AssignStreams(10);
    if (blind)
    {
        auto plan = CircuitSchedule::Create(design);
        plan->AssignStreams(100);
        plan->Build(SIZE.racks, SIZE.uplinks);
        controller->SetSchedule(plan);
        controller->SetAttribute("DecisionTime", StringValue("0s"));
    }
    else
    {
        controller->SetAttribute("Policy", StringValue(design));
    }
    CreateObject<Node>()->AddApplication(controller);
    FlowHelper helperOfFlows;
    helperOfFlows.Install(fabric->GetServers(), flows);
    Simulator::Stop(MilliSeconds(PHASE * PHASES + 2));
    Simulator::Run();
    const FlowSummary all = helperOfFlows.GetRecorder()->Summarise().back();
    table.AddRow(
        {design.substr(design.rfind('/') + 1),
         std::to_string(all.flows),
         std::to_string(all.incomplete),
         FormatFixed(all.time.p50 * 1e6, 0),
         FormatFixed(all.time.p99 * 1e6, 0),
         FormatFixed(double(controller->GetFollower()->GetNReconfigured()) / (PHASE * PHASES), 1),
         std::to_string(fabric->Count().dropped.Total())});
    Simulator::Destroy();
}

int
main(int argc, char* argv[])
try
{
    std::string designs =
        "RotorSchedule,MaxWeightMatching,SolsticeMatching,max-weight-steady,greedy";
    if (AgentLibrary::IsPresent())
    {
        designs += "," + GetDataFile("matching-agent.pt");
    }
    double load = 0.4;
    double hot = 0.8;
    Time delay = MicroSeconds(20);
    Config::SetDefault("ns3::odcn::MatchingController::Epoch", StringValue("200us"));
    OdcnCommandLine cmd(argc, argv, "Controllers that match circuits to a demand that moves.");
    cmd.AddValue("designs", "schedules, MatchingAlgorithms, rules, files of agents", designs);
    cmd.AddRange("load", "offered data as a share of the servers' line rate", load, 0.001, 1.0);
    cmd.AddRange("hot", "share of a rack's traffic to one other rack", hot, 0.0, 1.0);
    cmd.AddValue("epoch", "ns3::odcn::MatchingController::Epoch");
    cmd.AddValue("delay", "delay of reports, and time of decisions", delay);
    cmd.Parse();
    Config::SetDefault("ns3::odcn::MatchingController::ReportDelay", TimeValue(delay));
    Config::SetDefault("ns3::odcn::MatchingController::DecisionTime", TimeValue(delay));
    Time::SetResolution(Time::PS);
    const auto flows = MakeFlows(load, hot);
    Table table({"design", "flows", "incomplete", "p50 us", "p99 us", "circuits/ms", "lost"});
    for (const std::string& design : OdcnCommandLine::SplitList(designs, "designs"))
    {
        RunPackets(design, flows, table);
    }
    table.Print(std::cout);
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
