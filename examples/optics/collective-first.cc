// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * A first collective: an all-reduce of sixteen servers over four rotor switches.
 *
 *      server 0    ToR switch            4 rotor switches, uplinks of 10 Gb/s
 *      40 Gb/s --> queue for rack 1  --> uplink 0 ==> switch 0: matchings  0,  4,  8, 12
 *              -->   ...             --> uplink 3 ==> switch 3: matchings  3,  7, 11, 15
 *
 * A ring sends each step to one other rack only, which has a circuit a quarter of the time at most.
 * An all-to-all uses all circuits; a ring may, too, if its packets take two hops (Valiant).
 *
 *     ./ns3 run collective-first                                          a ring, one hop
 *     ./ns3 run "collective-first --routing=ValiantRouting"               a ring, two hops
 *     ./ns3 run "collective-first --collective=all-to-all:direct"         what rotors are made for
 *     ./ns3 run "collective-first --collective=all-reduce:halving-doubling"
 */

#include "ns3/boolean.h"
#include "ns3/ocs-helper.h"
#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-circuit-animation.h"
#include "ns3/odcn-circuit-flow-level.h"
#include "ns3/odcn-collective-run.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-throughput-bound.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <iostream>
#include <numeric>

using namespace ns3;
using namespace ns3::odcn;

/// @param seconds a time
/// @return text of it in milliseconds
static std::string
Milliseconds(double seconds)
{
    return FormatFixed(seconds * 1e3, 3) + " ms";
}

int
main(int argc, char* argv[])
try
{
    std::string name = "all-reduce:ring";
    std::string routing = "DirectRouting";
    uint64_t bytes = 16000000;
    OdcnCommandLine cmd(argc, argv, "An all-reduce over rotor switches, and its textbook time.");
    cmd.AddValue("collective", "all-reduce:ring, all-to-all:direct, ...", name);
    cmd.AddValue("routing", "DirectRouting, ValiantRouting, RotorLbRouting", routing);
    CircuitAnimation animation; // SVG, or XML for NetAnim
    animation.AddOptions(cmd);
    cmd.AddRange("bytes", "Bytes of a server's vector", bytes, uint64_t{16}, uint64_t(1e9));
    cmd.Parse();
    Time::SetResolution(Time::PS);

    // 1. The schedule of the circuits, and the collective as fluid over them, one rank a server.
    const OcsFabricSize size{16, 1, 4, 4}; // racks, servers of a rack, uplinks of a rack, switches
    OcsHelper helper;
    helper.SetTorAttribute("NoCircuit", StringValue("Hold")); // packets wait for a circuit
    helper.SetTorAttribute("Routing", StringValue(routing));
    helper.SetUplinkAttribute("DataRate", StringValue("10Gbps"));
    helper.SetServerAttribute("DataRate", StringValue("40Gbps"));
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("100000p"));
    Ptr<CircuitSchedule> plan = CircuitSchedule::Create("RotorSchedule");
    plan->AssignStreams(1000);
    plan->Build(size.racks, size.uplinks);
    const Collective collective = Collective::Make(name, size.racks, bytes);
    Ptr<CircuitFlowLevel> level = CreateObject<CircuitFlowLevel>(); // direct circuits only
    level->SetFabric(helper.GetModel(size), plan);
    Ptr<CollectiveRun> fluid = CreateObject<CollectiveRun>();
    fluid->Start(level, collective, {});
    Simulator::Run();
    Simulator::Destroy();

    // 2. The same in packets, on a fabric that follows the schedule.
    Ptr<OcsFabric> fabric = helper.Build(size);
    helper.InstallServers(fabric);
    fabric->AssignStreams(1);
    Ptr<OcsScheduleFollower> follower = CreateObject<OcsScheduleFollower>();
    follower->Start(fabric, plan);
    FlowHelper flows;
    // Messages wait in their servers for a circuit, if they take no other way.
    flows.SetAttribute("Hold", BooleanValue(routing == "DirectRouting"));
    Ptr<CollectiveRun> packets = CreateObject<CollectiveRun>();
    packets->Start(flows.InstallMessages(fabric), collective, {}, [] { Simulator::Stop(); });
    TopologyDrawing drawing;
    drawing.AddFabric(*fabric);
    animation.Start(drawing);
    Simulator::Stop(Seconds(100));
    Simulator::Run();
    animation.Finish(std::cout);
    const std::string open = packets->DescribeUnfinished();
    const PacketCounts counts = fabric->Count();
    Simulator::Destroy();
    if (!open.empty())
    {
        throw OdcnError(name + " in packets within 100 s: " + open);
    }

    // 3. Beside it: an idle network that never changes, and the most that circuits can carry.
    const double alpha = helper.GetModel(size).GetLinksTime(1500) * 1e-12;
    const double textbook = collective.GetLeastTime({alpha, 4e10, 1440, 60});
    std::vector<RackId> racks(size.racks);
    std::iota(racks.begin(), racks.end(), 0);
    const DemandMatrix traffic = collective.GetTraffic(racks, size.racks);
    const ThroughputBound bound(plan->GetCapacity(), traffic);
    const double wire = 8 / 1e10 * 1500 / 1440; // seconds for a byte of data, with headers
    std::cout << name << " of " << size.racks << " servers, " << bytes << " bytes, " << routing
              << "\nPackets      " << Milliseconds(packets->GetTime().GetSeconds()) << ", "
              << counts.sent << " packets\n"
              << "Flow level   " << Milliseconds(fluid->GetTime().GetSeconds()) << ", "
              << level->GetNEvents() << " events, one hop\n"
              << "Idle network " << Milliseconds(textbook) << " at least, by the textbook\n"
              << "Circuits     " << Milliseconds(wire / bound.GetDirect())
              << " at least with one hop, " << Milliseconds(wire / bound.GetBest())
              << " with any number\n";
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
