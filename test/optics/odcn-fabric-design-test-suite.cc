// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Networks of designs: packets and messages cross those of every design, and the exact engine gives
 * the packets of ns-3.
 */

#include "../core/odcn-test-case.h"

#include "ns3/inet-socket-address.h"
#include "ns3/node-list.h"
#include "ns3/odcn-collective.h"
#include "ns3/odcn-fabric-design-helper.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/packet.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Small enough for all designs.
const FabricSize g_small{.racks = 8, .servers = 2, .uplinks = 4, .slot = 20, .dark = 2};

ODCN_TEST_CASE(SocketTestCase, "a packet of a socket crosses the network of each design")
{
    for (const FabricDesign& design : FabricDesign::GetAll(g_small))
    {
        const SimulationEnd end;
        const Ptr<FabricNetwork> network = FabricDesignHelper().Build(design);
        const NodeContainer servers = network->GetServers();
        NS_TEST_ASSERT_MSG_EQ(servers.GetN(), 16, design.GetName());
        NS_TEST_EXPECT_MSG_EQ(!network->GetFabric(), design.IsElectrical(), design.GetName());
        const auto receiver = Socket::CreateSocket(servers.Get(15), UdpSocketFactory::GetTypeId());
        receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        const auto sender = Socket::CreateSocket(servers.Get(0), UdpSocketFactory::GetTypeId());
        sender->SendTo(Create<Packet>(1000),
                       0,
                       InetSocketAddress(network->GetServerAddress(15), 9));
        Simulator::Stop(MilliSeconds(2));
        Simulator::Run();
        const Ptr<Packet> packet = receiver->Recv();
        NS_TEST_EXPECT_MSG_EQ(packet && packet->GetSize() == 1000, true, design.GetName());
        NS_TEST_EXPECT_MSG_EQ(network->Count().received, 1, design.GetName());
    }
}

ODCN_TEST_CASE(PlanesTestCase, "messages cross each design in each engine that carries them")
{
    for (const FabricDesign& design : FabricDesign::GetAll(g_small))
    {
        for (const FabricEngine engine : {FabricEngine::PACKETS, FabricEngine::FLOWS})
        {
            const SimulationEnd end;
            FabricDesignHelper helper;
            const Ptr<FabricNetwork> network = helper.Build(design);
            const std::string why = design.WhyNot(engine);
            if (!why.empty())
            {
                const std::string text = GetRefusal([&] { helper.MakePlane(network, engine); });
                NS_TEST_EXPECT_MSG_EQ(text,
                                      "design " + design.GetName() + ": engine flows: " + why,
                                      "the reason");
                continue;
            }
            const Ptr<MessagePlane> plane = helper.MakePlane(network, engine);
            NS_TEST_ASSERT_MSG_EQ(plane->GetNEndPoints(), 16, design.GetName());
            for (uint32_t from = 0; from < 16; ++from)
            {
                plane->Send(from, (from + 5) % 16, 20000);
            }
            Simulator::Stop(MilliSeconds(5));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(plane->CountMessages().delivered,
                                  16,
                                  design.GetName() << ", " << ns3::odcn::GetName(engine));
        }
    }
}

ODCN_TEST_CASE(ExactTestCase, "the exact engine sends the packets of ns-3, by the same two calls")
{
    std::vector<Traffic::Item> items;
    for (uint32_t i = 0; i < 200; ++i)
    {
        items.push_back(
            {i % 16, (i * 7 + 3) % 16, 1000 + 700 * (i % 9), MicroSeconds(3) * (i / 4)});
    }
    std::erase_if(items, [](const Traffic::Item& flow) { return flow.from == flow.to; });
    const Traffic flows(items);
    uint32_t designs = 0;
    uint32_t agents = 0;
    for (const FabricDesign& design : FabricDesign::GetAll(g_small))
    {
        if (!design.WhyNot(FabricEngine::EXACT).empty())
        {
            continue;
        }
        ++designs;
        agents += design.GetName() == "agent" ? 1 : 0;
        const SimulationEnd end;
        FabricDesignHelper helper;
        helper.SetFairQueues(designs % 2 == 0);
        const auto exact = helper.RunExact(design, flows, MilliSeconds(3), 7);
        const std::vector<Time> times = exact.GetTimes();
        const Ptr<FabricNetwork> network = helper.Build(design, 7);
        FlowHelper hosts;
        hosts.Install(network, flows);
        Simulator::Stop(MilliSeconds(3));
        Simulator::Run();
        for (uint32_t i = 0; i < flows.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(times[i],
                                  hosts.GetRecorder()->GetCompletionTime(i),
                                  design.GetName() << ", flow " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(exact.counts.received, network->Count().received, design.GetName());
    }
    // Where there are agents, their design, too.
    NS_TEST_EXPECT_MSG_EQ(designs, 16 + agents, "designs in the exact engine");
}

ODCN_TEST_CASE(TrafficTestCase, "one traffic in every engine, with one type of result")
{
    // A ring, then flows with starts of their own, of which some wait for it.
    Traffic traffic = Collective::Make("all-reduce:ring", 16, 160000).GetMessages();
    const auto ring = static_cast<uint32_t>(traffic.size());
    for (uint32_t i = 0; i < 40; ++i)
    {
        const Traffic::Item flow{i % 16, (i + 5) % 16, 500 * (i % 7), MicroSeconds(40) * (i % 9)};
        traffic.Add(flow, std::vector<uint32_t>(i % 2, (37 * i) % ring));
    }
    uint32_t runs = 0;
    for (const FabricDesign& design : FabricDesign::GetAll(g_small))
    {
        if (!design.WhyNot(FabricEngine::EXACT).empty())
        {
            continue;
        }
        const SimulationEnd end;
        const FabricDesignHelper helper;
        const TrafficResult exact = helper.RunExact(design, traffic, MilliSeconds(30), 7);
        NS_TEST_EXPECT_MSG_EQ((exact.engine == FabricEngine::EXACT), true, design.GetName());
        for (const FabricEngine engine : {FabricEngine::PACKETS, FabricEngine::FLOWS})
        {
            if (!design.WhyNot(engine).empty())
            {
                continue;
            }
            ++runs;
            const Ptr<FabricNetwork> network = helper.Build(design, 7);
            const Ptr<PlaneRun> run = helper.MakePlane(network, engine)->Send(traffic);
            RunFor(MilliSeconds(30));
            const TrafficResult& seen = run->GetResult();
            const std::string what = design.GetName() + ", " + ns3::odcn::GetName(engine);
            NS_TEST_EXPECT_MSG_EQ((seen.engine == engine), true, what);
            NS_TEST_EXPECT_MSG_EQ(seen.CountReceived(), run->CountReceived(), what);
            const bool isPackets = engine == FabricEngine::PACKETS;
            NS_TEST_EXPECT_MSG_EQ((seen.sent == exact.sent), isPackets, what);
            NS_TEST_EXPECT_MSG_EQ((seen.received == exact.received), isPackets, what);
            NS_TEST_EXPECT_MSG_EQ((isPackets || run->IsDone()), true, what);
            Simulator::Destroy();
        }
    }
    NS_TEST_EXPECT_MSG_GT(runs, 16, "runs");
}

ODCN_TEST_CASE(DroppedTestCase,
               "circuits go on without the object, and nodes are as many as needed")
{
    const SimulationEnd end;
    Ptr<OcsFabric> fabric;
    {
        const auto network = FabricDesignHelper().Build(FabricDesign::Find("helios", g_small));
        fabric = network->GetFabric();
        FlowHelper().Install(network, {{0, 15, 100000, Time(0)}});
    }
    Simulator::Stop(MilliSeconds(5));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(fabric->Count().received, 69, "packets of 1456 bytes");
    // Questions about a design create no node.
    const uint32_t nodes = NodeList::GetNNodes();
    const FabricDesign design = FabricDesign::Find("opera-hold", g_small);
    design.WhyNot(FabricEngine::EXACT);
    design.MakeSettings(1000);
    FabricDesignHelper().GetModel(design);
    NS_TEST_EXPECT_MSG_EQ(NodeList::GetNNodes(), nodes, "nodes");
}

ODCN_TEST_CASE(PodTestCase, "slices of a pod are tori: messages within each, none between")
{
    // Of 32 chips, cubes 0 and 1 are a slice, cube 2 another, and cube 3 is free.
    const auto pod = FabricDesign::Parse("TorusPodSchedule[Pod=TorusPod[Cubes=4|Side=2]|"
                                         "Slices=t2x2x4,2x2x2];ExpanderRouting[MaxHops=255]",
                                         {.racks = 32, .servers = 1});
    for (const FabricEngine engine : {FabricEngine::PACKETS, FabricEngine::FLOWS})
    {
        const SimulationEnd end;
        FabricDesignHelper helper;
        const Ptr<FabricNetwork> network = helper.Build(pod);
        const Ptr<MessagePlane> plane = helper.MakePlane(network, engine);
        for (uint32_t from = 0; from < 16; ++from)
        {
            plane->Send(from, (from + 9) % 16, 20000);
        }
        plane->Send(17, 22, 20000);
        Simulator::Stop(MilliSeconds(5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(plane->CountMessages().delivered, 17, ns3::odcn::GetName(engine));
    }
    const auto plan = pod.MakeSchedule(DemandMatrix(32), 1);
    NS_TEST_ASSERT_MSG_EQ(plan->GetNPlanes(), 6, "directions");
    const DemandMatrix capacity = plan->GetCapacity();
    for (RackId from = 0; from < 32; ++from)
    {
        double links = 0;
        for (RackId to = 0; to < 32; ++to)
        {
            const bool same = from / 16 == to / 16 && (from < 16 || from / 8 == to / 8);
            links += capacity.Get(from, to);
            const bool isStray = capacity.Get(from, to) > 0 && !same;
            NS_TEST_EXPECT_MSG_EQ(isStray, false, from << " to " << to);
        }
        // A chip of the free cube has the three links of its cube.
        NS_TEST_EXPECT_MSG_EQ_TOL(links, (from < 24 ? 6 : 3), 1e-9, "links of chip " << from);
    }
}

/// Refusals.
using DesignRefusal = RefusalFixture;

ODCN_TEST_CASE_F(DesignRefusal, RefusalTestCase, "what cannot be built is refused, by design")
{
    const SimulationEnd end;
    FabricDesignHelper helper;
    const auto demand = DemandMatrix::Make("uniform", 8);
    const FabricDesign rotor = FabricDesign::Find("rotornet-direct", g_small);
    const Ptr<FabricNetwork> network = helper.BuildNetwork(rotor);
    ExpectRefusal("SetCircuits() comes before", [&] { network->StartCircuits(); });
    network->SetCircuits(demand, 1);
    ExpectRefusal("set once", [&] { network->SetCircuits(demand, 1); });
    network->StartCircuits();
    ExpectRefusal("started once", [&] { network->StartCircuits(); });
    ExpectRefusal("messages at any time", [&] { helper.MakePlane(network, FabricEngine::EXACT); });
    const auto more =
        FabricDesign::Parse("RotorSchedule;DirectRouting;more", g_small, "x", "--own");
    ExpectRefusal("--own: design x: racks of a rotor schedule: found '8'",
                  [&] { helper.Build(more); });
    const auto none = FabricDesign::Parse("RotorSchedule;Nobody", g_small, "x", "--own");
    ExpectRefusal("--own: design x: routing of a ToR switch: found 'Nobody'",
                  [&] { helper.Build(none); });
    ExpectRefusal("design hybrid: engine exact: some uplinks are electrical",
                  [&]
                  { helper.RunExact(FabricDesign::Find("hybrid", g_small), {}, MilliSeconds(1)); });
    const std::string text = "TorusPodSchedule[Pod=TorusPod[Cubes=2|Side=2]|Slices=";
    const auto wide = FabricDesign::Parse(text + "2x2x2];DirectRouting", g_small, "x", "--own");
    ExpectRefusal("--own: design x: pod of 2 cubes: found '8 racks, 6 planes', expected 16 racks",
                  [&] { helper.Build(wide); });
    const auto many = FabricDesign::Parse(text + "2x2x2,2x2x4];DirectRouting", {}, "x", "--own");
    ExpectRefusal("--own: design x: Slices of a pod: found '2x2x2,2x2x4', expected",
                  [&] { helper.Build(many); });
    // Two hops need circuits between all racks.
    const auto sparse = FabricDesign::Parse("ExpanderSchedule;ValiantRouting[Spread=Random]",
                                            g_small,
                                            "x",
                                            "--own");
    const Ptr<FabricNetwork> expander = helper.Build(sparse);
    ExpectRefusal("--own: design x: ", [&] { helper.MakePlane(expander, FabricEngine::FLOWS); });
}

/// Designs.
PicosecondSuite g_fabricDesignTestSuite("odcn-fabric-design");

} // namespace
