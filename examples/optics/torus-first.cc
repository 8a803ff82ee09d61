// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * An all-to-all on a torus, and on a twisted torus of the same nodes and links.
 *
 * In a twisted torus, links that close a ring of k nodes lead k further along the sides of 2k. So
 * paths are shorter, and the long sides no longer carry more than the short ones.
 *
 *     ./ns3 run torus-first                           4 x 4 x 8: twisted is 1.745 times as fast
 *     ./ns3 run "torus-first --shape=4x8x8 --packets=4"                      1.391 times
 *     ./ns3 run "torus-first --shape=4x8 --packets=50 --spreading=PerPacket"     at random
 */

#include "ns3/odcn-collective.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-fabric-design-helper.h"
#include "ns3/odcn-link-loads.h"
#include "ns3/odcn-packet-messages.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/odcn-throughput-bound.h"
#include "ns3/odcn-torus.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <iomanip>
#include <iostream>

using namespace ns3;
using namespace ns3::odcn;

static constexpr double RATE = 1e10; // of a link, bit/s; servers have four times as much

/// @return a torus of one server of 40 Gb/s a node, packets on its shortest paths
static FabricDesign
MakeDesign(const Torus& torus)
{
    const std::string twisted = torus.IsTwisted() ? "|Twisted=true" : "";
    const FabricSize size{.racks = torus.GetNNodes(),
                          .servers = 1,
                          .uplinks = torus.GetNDirections(),
                          .delay = 0,
                          .serverGbps = 40};
    return FabricDesign::Parse("TorusSchedule[Shape=" + torus.GetText() + twisted +
                                   "];ExpanderRouting[MaxHops=255]",
                               size,
                               torus.IsTwisted() ? "twisted" : "torus");
}

/// @return time in seconds of an all-to-all: each node sends so many packets to each other one
/// @throws OdcnError when it takes longer than the limit in seconds
static double
Measure(const FabricDesign& torus, uint32_t packets, const std::string& spreading, double limit)
{
    FabricDesignHelper helper;
    helper.SetTorAttribute("Spreading", spreading); // over all shortest paths
    Ptr<FabricNetwork> network = helper.Build(torus);
    Ptr<MessagePlane> messages = helper.MakePlane(network, FabricEngine::PACKETS);
    const uint32_t nodes = torus.GetSize().racks;
    const uint64_t payload = PacketMessages::GetLink(0, 1).payload;
    const auto all = Collective::Make("all-to-all:direct", nodes, payload * packets * nodes);
    Ptr<PlaneRun> run = messages->Send(all.GetMessages(), [] { Simulator::Stop(); });
    Simulator::Stop(Seconds(limit));
    Simulator::Run();
    const std::string open = run->DescribeUnfinished(); // nothing: no queue is ever full
    Simulator::Destroy();
    if (!open.empty())
    {
        throw OdcnError("all-to-all within " + std::to_string(limit) + " s: " + open);
    }
    return run->GetTime().GetSeconds();
}

/// Report on a torus.
/// @return its throughput: bound, and in packets
static std::pair<double, double>
Report(const std::string& shape, bool twisted, uint32_t packets, const std::string& spreading)
{
    const Torus graph(shape, twisted);
    const FabricDesign torus = MakeDesign(graph);
    // Each node sends 1 in units of a link. All nodes are alike, so the links of node 0 say all.
    const DemandMatrix demand = DemandMatrix::Make("uniform", graph.GetNNodes());
    const DemandMatrix capacity = torus.MakeSchedule(demand, 1)->GetCapacity();
    const LinkLoads loads(capacity, demand, LinkLoads::Split::NEXT_HOP);
    const double bound = std::min(loads.GetBound(), ThroughputBound(capacity, demand).GetCut());
    const double sent = 1500.0 * 8 * packets * (graph.GetNNodes() - 1) / RATE;
    const double carried = sent / Measure(torus, packets, spreading, 100 * sent / bound);
    std::cout << (twisted ? "twisted" : "torus  ");
    for (const double value : {bound, loads.GetThroughput(), carried, carried / bound})
    {
        std::cout << std::setw(10) << value;
    }
    for (uint32_t direction = 0; direction < graph.GetNDirections(); direction += 2)
    {
        std::cout << std::setw(10) << loads.Get().Get(0, graph.GetNeighbour(0, direction));
    }
    std::cout << std::endl;
    return {bound, carried};
}

int
main(int argc, char* argv[])
try
{
    std::string shape = "4x4x8";
    std::string spreading = "RoundRobin";
    uint32_t packets = 10;
    OdcnCommandLine cmd(argc, argv, "An all-to-all on a torus and on a twisted torus.");
    cmd.AddValue("shape", "Sides k and 2k, such as 4x8, 4x4x8 or 4x8x8", shape);
    cmd.AddRange("packets", "Full packets from each node to each other one", packets, 1U, 1000U);
    cmd.AddWord("spreading", "Choice of a path", spreading, {"RoundRobin", "PerPacket", "PerFlow"});
    cmd.Parse();
    try
    {
        Torus(shape, true);
    }
    catch (const OdcnError& error)
    {
        throw OdcnError(std::string("--shape: ") + error.what());
    }
    Time::SetResolution(Time::PS);
    std::cout << std::fixed << std::setprecision(4)
              << "            bound  by loads   packets  of bound  loads by dimension\n";
    const auto [bound, carried] = Report(shape, false, packets, spreading);
    const auto [bound2, carried2] = Report(shape, true, packets, spreading);
    std::cout << "Twisted / torus: " << std::setprecision(3) << bound2 / bound << " by bounds, "
              << carried2 / carried << " in packets\n";
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
