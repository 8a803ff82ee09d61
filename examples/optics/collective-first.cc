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

#include "ns3/odcn-circuit-animation.h"
#include "ns3/odcn-collective.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-fabric-design-helper.h"
#include "ns3/odcn-flow-level.h"
#include "ns3/odcn-packet-messages.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-throughput-bound.h"
#include "ns3/simulator.h"

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

/// Print the least times of a collective: of an idle network, and over circuits on average.
static void
ReportBounds(const FabricDesign& design, const Collective& collective)
{
    const double alpha = FabricDesignHelper().GetModel(design).GetLinksTime(1500) * 1e-12;
    const double textbook = collective.GetLeastTime(PacketMessages::GetLink(alpha, 4e10));
    std::vector<RackId> racks(collective.GetNRanks());
    std::iota(racks.begin(), racks.end(), 0);
    const DemandMatrix traffic = collective.GetTraffic(racks, design.GetSize().racks);
    const ThroughputBound bound(design.MakeSchedule(traffic, 1000)->GetCapacity(), traffic);
    const Collective::Link uplink = PacketMessages::GetLink(alpha, 1e10);
    const double wire =
        8 / uplink.rate * (uplink.payload + uplink.headers) / uplink.payload; // s/byte
    std::cout << "Idle network " << Milliseconds(textbook) << " at least, by the textbook\n"
              << "Circuits     " << Milliseconds(wire / bound.GetDirect())
              << " at least with one hop, " << Milliseconds(wire / bound.GetBest())
              << " with any number\n";
}

/// A run of a collective.
struct Outcome
{
    double seconds{0};   //!< that it took
    uint64_t packets{0}; //!< sent
    uint64_t events{0};  //!< of the flow level
};

/// @return a collective on a design, one rank a server, in an engine
/// @throws OdcnError when it does not end within a limit, s
static Outcome
Run(const FabricDesign& design,
    FabricEngine engine,
    const Collective& collective,
    CircuitAnimation& animation,
    double limit)
{
    const FabricDesignHelper helper;
    Ptr<FabricNetwork> network = helper.BuildNetwork(design);
    network->AssignStreams(1);
    network->SetCircuits(DemandMatrix::Make("uniform", design.GetSize().racks), 1000);
    const bool inPackets = engine == FabricEngine::PACKETS;
    if (inPackets)
    {
        network->StartCircuits(); // the flow level reads the schedule
    }
    Ptr<MessagePlane> plane = helper.MakePlane(network, engine);
    Ptr<PlaneRun> run = plane->Send(collective.GetMessages(), [] { Simulator::Stop(); });
    TopologyDrawing drawing;
    if (inPackets)
    {
        drawing.AddFabric(*network->GetFabric());
        animation.Start(drawing);
    }
    Simulator::Stop(Seconds(limit));
    Simulator::Run();
    if (inPackets)
    {
        animation.Finish(std::cout);
    }
    const std::string open = run->DescribeUnfinished();
    const auto level = DynamicCast<FlowLevel>(plane);
    const uint64_t sent = network->Count().sent;
    const uint64_t events = level ? level->GetNEvents() : 0;
    Simulator::Destroy();
    if (!open.empty())
    {
        throw OdcnError(std::string(GetName(engine)) + " within " + Milliseconds(limit) +
                        (inPackets ? ", 100 times the flow level: " : ": ") + open);
    }
    return {run->GetTime().GetSeconds(), sent, events};
}

int
main(int argc, char* argv[])
try
{
    std::string name = "all-reduce:ring";
    std::string routing = "DirectRouting";
    uint64_t bytes = 16000000;
    CircuitAnimation animation;
    OdcnCommandLine cmd(argc, argv, "An all-reduce over rotor switches, and its textbook time.");
    cmd.AddValue("collective", "all-reduce:ring, all-to-all:direct, ...", name);
    cmd.AddValue("routing", "DirectRouting, ValiantRouting, RotorLbRouting", routing);
    animation.AddOptions(cmd);
    cmd.AddRange("bytes", "Bytes of a server's vector", bytes, uint64_t{16}, uint64_t(1e9));
    cmd.Parse();
    Time::SetResolution(Time::PS);

    // 1. Racks of one server of 40 Gb/s, uplinks of 10 Gb/s; the collective as fluid, one hop.
    const FabricSize size{.racks = 16, .servers = 1, .uplinks = 4, .delay = 0, .serverGbps = 40};
    const Collective collective = Collective::Make(name, size.racks, bytes);
    const auto direct = FabricDesign::Parse("RotorSchedule;DirectRouting", size);
    const Outcome fluid = Run(direct, FabricEngine::FLOWS, collective, animation, 100);

    // 2. The same in packets. Messages wait in their servers, if they take no other way.
    const std::string hold = routing == "DirectRouting" ? ";hold" : "";
    const auto design = FabricDesign::Parse("RotorSchedule;" + routing + hold, size);
    const double limit = 100 * fluid.seconds; // of packets that never arrive, none arrives later
    const Outcome packets = Run(design, FabricEngine::PACKETS, collective, animation, limit);

    // 3. Beside it: an idle network that never changes, and the most that circuits can carry.
    std::cout << name << " of " << size.racks << " servers, " << bytes << " bytes, " << routing
              << "\nPackets      " << Milliseconds(packets.seconds) << ", " << packets.packets
              << " packets\nFlow level   " << Milliseconds(fluid.seconds) << ", " << fluid.events
              << " events, one hop\n";
    ReportBounds(direct, collective);
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
