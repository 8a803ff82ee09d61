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

#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/ocs-helper.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-matching-controller.h"
#include "ns3/odcn-table.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

// clang-format off
static const OcsFabricSize SIZE{8, 2, 2, 2};   // racks, servers of a rack, uplinks, switches
static const uint32_t PHASES = 4, PHASE = 5;   // demands one after the other, ms for which one holds

/// @param load of the servers  @param hot share to one rack  @return flows of all phases
static std::vector<DataFlow> MakeFlows(double load, double hot)
{
    std::vector<DataFlow> flows;
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
        for (DataFlow flow : workload->Generate(demand, SIZE.serversPerRack))
        {
            flow.start += MilliSeconds(PHASE * phase);
            flows.push_back(flow);
        }
    }
    return flows;
}

/// @param design a schedule, or the policy of a controller  @param epoch of controllers
/// @param delay of their reports, and of their decisions  @param flows the flows  @return its row
static std::vector<std::string> RunPackets(const std::string& design, Time epoch, Time delay,
                                           const std::vector<DataFlow>& flows)
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
    }
    else
    {
        controller->SetAttribute("Policy", StringValue(design));
        controller->SetAttribute("Epoch", TimeValue(epoch));
        controller->SetAttribute("ReportDelay", TimeValue(delay));
        controller->SetAttribute("DecisionTime", TimeValue(delay));
    }
    CreateObject<Node>()->AddApplication(controller);
    FlowHelper helperOfFlows;
    helperOfFlows.Install(fabric->GetServers(), flows);
    Simulator::Stop(MilliSeconds(PHASE * PHASES + 2));
    Simulator::Run();
    const FlowSummary all = helperOfFlows.GetRecorder()->Summarise().back();
    const std::vector<std::string> row{
        design.substr(design.rfind('/') + 1), std::to_string(all.flows), std::to_string(all.incomplete),
        FormatFixed(all.time.p50 * 1e6, 0), FormatFixed(all.time.p99 * 1e6, 0),
        FormatFixed(double(controller->GetFollower()->GetNReconfigured()) / (PHASE * PHASES), 1),
        std::to_string(fabric->Count().dropped.Total())};
    Simulator::Destroy();
    return row;
}

/// The program. @param argc number of arguments  @param argv arguments
static void Run(int argc, char* argv[])
{
    std::string designs = "RotorSchedule,MaxWeightMatching,SolsticeMatching,max-weight-steady,greedy";
#ifdef ODCN_HAVE_TRAINING // the library has agents
    designs += "," + GetDataFile("matching-agent.pt");
#endif
    double load = 0.4, hot = 0.8;
    std::string epoch = "200us", delay = "20us";
    OdcnCommandLine cmd(argc, argv, "Controllers that match circuits to a demand that moves.");
    cmd.AddValue("designs", "schedules, MatchingAlgorithms, rules, files of agents", designs);
    cmd.AddRange("load", "offered data as a share of the servers' line rate", load, 0.001, 1.0);
    cmd.AddRange("hot", "share of a rack's traffic to one other rack", hot, 0.0, 1.0);
    cmd.AddValue("epoch", "time between decisions", epoch);
    cmd.AddValue("delay", "delay of reports, and time of decisions", delay);
    cmd.Parse();
    Time::SetResolution(Time::PS);
    const auto flows = MakeFlows(load, hot);
    Table table({"design", "flows", "incomplete", "p50 us", "p99 us", "circuits/ms", "lost"});
    const Time every = OdcnCommandLine::ParseTime(epoch, "epoch"), late = OdcnCommandLine::ParseTime(delay, "delay");
    for (const std::string& design : OdcnCommandLine::SplitList(designs, "designs"))
    {
        table.AddRow(RunPackets(design, every, late, flows));
    }
    table.Print(std::cout);
}

int main(int argc, char* argv[])
try
{
    Run(argc, argv);
}
catch (const std::exception& error) { return OdcnCommandLine::Report(error); }
