// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * A first fabric that follows a schedule: sixteen racks joined by four rotor switches.
 *
 *      4 servers    ToR switch           4 rotor switches
 *      10 Gb/s ---> queue for rack 1 --> uplink 0 ==> switch 0: matchings  0,  4,  8, 12
 *              ---> queue for rack 2 --> uplink 1 ==> switch 1: matchings  1,  5,  9, 13
 *              --->   ...            --> uplink 2 ==> switch 2: matchings  2,  6, 10, 14
 *              ---> queue for rack 15 -> uplink 3 ==> switch 3: matchings  3,  7, 11, 15
 *
 * Each switch steps through its four matchings, one every 100 us, of which it is dark for 10 us. In
 * 400 us each rack has had a circuit to every other one. Packets wait at the ToR switch for a
 * circuit to their destination, or take two hops over any other rack (Valiant).
 *
 *     ./ns3 run rotor-first                                        uniform demand, one hop
 *     ./ns3 run "rotor-first --demand=permutation"                 one hop is not enough: 0.056
 *     ./ns3 run "rotor-first --demand=permutation --routing=ValiantRouting"     two hops: 0.450
 *     ./ns3 run "rotor-first --schedule=OperaSchedule --routing=ClassRouting --load=0.1"   at once
 */

#include "ns3/double.h"
#include "ns3/ocs-helper.h"
#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-circuit-animation.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-throughput-bound.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <iostream>

using namespace ns3;
using namespace ns3::odcn;

/// @return a fabric whose ToR switches have this routing
static Ptr<OcsFabric>
BuildFabric(const OcsFabricSize& size, const std::string& routing)
{
    OcsHelper helper;
    helper.SetTorAttribute("NoCircuit", StringValue("Hold")); // packets wait for a circuit
    helper.SetTorAttribute("Routing", StringValue(routing));
    helper.SetUplinkAttribute("DataRate", StringValue("10Gbps"));
    helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("100000p"));
    helper.SetUplinkFiberAttribute("Delay", StringValue("250ns"));
    Ptr<OcsFabric> fabric = helper.Build(size);
    helper.InstallServers(fabric);
    fabric->AssignStreams(1);
    return fabric;
}

/// Report what arrived while flows arrived, after a warm-up, beside what can arrive at most: the
/// bound, in uplinks of a rack.
static void
Report(const OcsFabric& fabric, const FlowRecorder& recorder, const ThroughputBound& bound)
{
    const auto goodput = recorder.GetGoodput(); // in quarters of the time in which flows arrive
    const double rate = 1e10 * fabric.GetServers().GetN();
    double carried = 0;
    for (std::size_t i = 1; i < 4 && i < goodput.size(); ++i)
    {
        carried += goodput[i] / 3 / rate * 1500 / 1456; // of a packet's 1500 bytes 44 are headers
    }
    const uint32_t uplinks = fabric.GetSize().uplinks;
    const FlowSummary all = recorder.Summarise().back();
    const PacketCounts counts = fabric.Count();
    std::cout << "Carried       " << FormatFixed(carried, 3) << "\n"
              << "Exact bounds  " << FormatFixed(bound.GetDirect() / uplinks, 3)
              << " with one hop, " << FormatFixed(bound.GetBest() / uplinks, 3)
              << (ThroughputBound::HasSolver() ? " with any number\n" : " by cuts (no GLPK)\n")
              << "Flows         " << all.flows << ", of which " << all.incomplete
              << " are not complete\n"
              << "Completion    p50 " << FormatFixed(all.time.p50 * 1e6, 1) << " us, p99 "
              << FormatFixed(all.time.p99 * 1e6, 1) << " us\n"
              << "Slowdown      p50 " << FormatFixed(all.slowdown.p50, 2) << ", p99 "
              << FormatFixed(all.slowdown.p99, 2) << " of the bytes at line rate; p50 "
              << FormatFixed(all.unloadedSlowdown.p50, 2) << ", p99 "
              << FormatFixed(all.unloadedSlowdown.p99, 2) << " of the flow alone\n"
              << "Packets       " << counts.sent << " sent = " << counts.received << " received + "
              << counts.inFlight << " held or in flight + " << counts.dropped.Total()
              << " dropped\n";
    // The run measures a load, which circuits may not carry: it ends well nevertheless.
    const std::string open = recorder.DescribeIncomplete();
    std::cout << (open.empty() ? "" : "Incomplete    " + open + "\n");
}

int
main(int argc, char* argv[])
try
{
    std::string schedule = "RotorSchedule";
    std::string routing = "DirectRouting";
    std::string pattern = "uniform";
    double load = 0.4;
    double milliseconds = 20;
    CircuitAnimation animation; // for NetAnim
    OdcnCommandLine cmd(argc, argv, "A fabric of rotor switches, and its exact throughput.");
    cmd.AddValue("schedule", "RotorSchedule, OperaSchedule, RoundRobinSchedule, ...", schedule);
    cmd.AddValue("routing", "DirectRouting, ValiantRouting, ClassRouting, ...", routing);
    cmd.AddValue("demand", "uniform, permutation, skewed:0.25, hot:8, ...", pattern);
    cmd.AddRange("load", "Offered data as a share of the servers' line rate", load, 0.001, 1.0);
    cmd.AddRange("duration", "Time in which flows arrive, ms", milliseconds, 0.1, 10000.0);
    animation.AddOptions(cmd);
    cmd.Parse();
    Time::SetResolution(Time::PS);
    const Time duration = MicroSeconds(std::llround(milliseconds * 1000));

    // 1. The fabric, and the schedule, which all switches follow by their clocks.
    const OcsFabricSize size{16, 4, 4, 4}; // racks, servers of a rack, uplinks of a rack, switches
    Ptr<OcsFabric> fabric = BuildFabric(size, routing);
    Ptr<CircuitSchedule> plan = CircuitSchedule::Create(schedule);
    plan->AssignStreams(1000);
    plan->Build(size.racks, size.uplinks);
    Ptr<OcsScheduleFollower> follower = CreateObject<OcsScheduleFollower>();
    follower->Start(fabric, plan);

    // 2. Flows of 100 kB at random times, or whatever your workload is.
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(2000);
    const DemandMatrix demand = DemandMatrix::Make(pattern, size.racks, random);
    Ptr<FlowWorkload> workload = CreateObject<FlowWorkload>();
    workload->SetAttribute("Load", DoubleValue(load));
    workload->SetAttribute("Sizes", StringValue("100000"));
    workload->SetAttribute("Duration", TimeValue(duration));
    workload->AssignStreams(3000);
    FlowHelper flows;
    flows.SetAttribute("ShortFlows", UintegerValue(1000000)); // what ClassRouting sends at once
    flows.SetRecorderAttribute("GoodputWindow", TimeValue(duration / 4));
    flows.Install(fabric, workload->Generate(demand, size.serversPerRack));

    // 3. Run for as long again, so that queues may drain, and report.
    TopologyDrawing drawing;
    drawing.AddFabric(*fabric);
    animation.Start(drawing);
    Simulator::Stop(duration * 2);
    Simulator::Run();
    std::cout << schedule << ", " << routing << ", " << pattern << " demand\n"
              << "Offered       " << FormatFixed(load * 1500 / 1456, 3)
              << " of the line rate, headers included\n";
    Report(*fabric, *flows.GetRecorder(), ThroughputBound(plan->GetCapacity(), demand));
    animation.Finish(std::cout);
    Simulator::Destroy();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
