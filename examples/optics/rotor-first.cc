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
#include "ns3/odcn-circuit-animation.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-fabric-design-helper.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-throughput-bound.h"
#include "ns3/odcn-udp-flow-transport.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <iostream>
#include <string>

using namespace ns3;
using namespace ns3::odcn;

/// Options of the program.
struct Options
{
    std::string schedule{"RotorSchedule"}; //!< of circuits
    std::string routing{"DirectRouting"};  //!< of packets
    std::string pattern{"uniform"};        //!< of the demand
    double load{0.4};                      //!< of the servers' line rate
    double milliseconds{20};               //!< in which flows arrive
    CircuitAnimation animation;            //!< of the run

    /// Add the options. @param cmd command line
    void AddTo(OdcnCommandLine& cmd)
    {
        cmd.AddValue("schedule", "RotorSchedule, OperaSchedule, RoundRobinSchedule, ...", schedule);
        cmd.AddValue("routing", "DirectRouting, ValiantRouting, ClassRouting, ...", routing);
        cmd.AddValue("demand", "uniform, permutation, skewed:0.25, hot:8, ...", pattern);
        cmd.AddRange("load", "Offered data as a share of the servers' line rate", load, 0.001, 1.0);
        cmd.AddRange("duration", "Time in which flows arrive, ms", milliseconds, 0.1, 10000.0);
        animation.AddOptions(cmd);
    }

    /// @return time in which flows arrive
    Time GetDuration() const
    {
        return MicroSeconds(std::llround(milliseconds * 1000));
    }

    /// @param racks number of racks
    /// @return demand between them, the busiest of them 1
    DemandMatrix MakeDemand(uint32_t racks) const
    {
        Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(2000);
        return DemandMatrix::Make(pattern, racks, random);
    }
};

/// @return flows of 100 kB at random times, or whatever your workload is
static Traffic
MakeFlows(const Options& o, const DemandMatrix& demand, uint32_t servers)
{
    Ptr<FlowWorkload> workload = CreateObject<FlowWorkload>();
    workload->SetAttribute("Load", DoubleValue(o.load));
    workload->SetAttribute("Sizes", StringValue("100000"));
    workload->SetAttribute("Duration", TimeValue(o.GetDuration()));
    workload->AssignStreams(3000);
    return workload->Generate(demand, servers);
}

/// Report what arrived while flows arrived, after a warm-up, beside what can arrive at most: the
/// bound, in uplinks of a rack.
static void
Report(Options& o,
       const FabricNetwork& network,
       const FlowRecorder& recorder,
       const DemandMatrix& demand)
{
    const ThroughputBound bound(network.GetSchedule()->GetCapacity(), demand);
    const auto goodput = recorder.GetGoodput(); // in quarters of the time in which flows arrive
    const double rate = 1e10 * network.GetServers().GetN();
    const double wire = 1500.0 / (1500 - UdpFlowTransport::HEADERS); // with headers
    double carried = 0;
    for (std::size_t i = 1; i < 4 && i < goodput.size(); ++i)
    {
        carried += goodput[i] / 3 / rate * wire;
    }
    const uint32_t uplinks = network.GetDesign().GetUplinks();
    const FlowSummary all = recorder.Summarise().back();
    const PacketCounts counts = network.Count();
    // A percentile is infinite if it reaches into flows that are not complete.
    const auto show = [](double value, int digits, const std::string& unit)
    { return std::isinf(value) ? "not reached" : FormatFixed(value, digits) + unit; };
    std::cout << "Offered       " << FormatFixed(o.load * wire, 3)
              << " of the line rate, headers included\n"
              << "Carried       " << FormatFixed(carried, 3) << "\n"
              << "Exact bounds  " << FormatFixed(bound.GetDirect() / uplinks, 3)
              << " with one hop, " << FormatFixed(bound.GetBest() / uplinks, 3)
              << (ThroughputBound::HasSolver() ? " with any number\n" : " by cuts (no GLPK)\n")
              << "Flows         " << all.flows << ", of which " << all.incomplete
              << " are not complete\n"
              << "Completion    p50 " << show(all.time.p50 * 1e6, 1, " us") << ", p99 "
              << show(all.time.p99 * 1e6, 1, " us") << "\n"
              << "Slowdown      p50 " << show(all.slowdown.p50, 2, "") << ", p99 "
              << show(all.slowdown.p99, 2, "") << " of the bytes at line rate; p50 "
              << show(all.unloadedSlowdown.p50, 2, "") << ", p99 "
              << show(all.unloadedSlowdown.p99, 2, "") << " of the flow alone\n"
              << "Packets       " << counts.sent << " sent = " << counts.received << " received + "
              << counts.inFlight << " held or in flight + " << counts.dropped.Total()
              << " dropped\n";
    // The run measures a load, which circuits may not carry: it ends well nevertheless.
    const std::string open = recorder.DescribeIncomplete();
    std::cout << (open.empty() ? "" : "Incomplete    " + open + "\n");
    o.animation.Finish(std::cout);
}

int
main(int argc, char* argv[])
try
{
    Options o;
    OdcnCommandLine cmd(argc, argv, "A fabric of rotor switches, and its exact throughput.");
    o.AddTo(cmd);
    cmd.Parse();
    Time::SetResolution(Time::PS);

    // 1. The design: a schedule, which all switches follow by their clocks, and a routing.
    const FabricSize size{.racks = 16, .servers = 4, .uplinks = 4}; // of 10 Gb/s
    const auto design = FabricDesign::Parse(o.schedule + ";" + o.routing, size);
    const DemandMatrix demand = o.MakeDemand(size.racks);
    Ptr<FabricNetwork> network = FabricDesignHelper().BuildNetwork(design);
    network->AssignStreams(1);
    network->SetCircuits(demand, 1000);
    network->StartCircuits();

    // 2. Its traffic.
    FlowHelper flows;
    flows.SetAttribute("ShortFlows", UintegerValue(1000000)); // what ClassRouting sends at once
    flows.SetRecorderAttribute("GoodputWindow", TimeValue(o.GetDuration() / 4));
    flows.Install(network, MakeFlows(o, demand, size.servers));
    TopologyDrawing drawing;
    drawing.AddFabric(*network->GetFabric());
    o.animation.Start(drawing);

    // 3. Run for as long again, so that queues may drain, and report.
    Simulator::Stop(o.GetDuration() * 2);
    Simulator::Run();
    std::cout << o.schedule << ", " << o.routing << ", " << o.pattern << " demand\n";
    Report(o, *network, *flows.GetRecorder(), demand);
    Simulator::Destroy();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
