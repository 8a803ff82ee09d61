// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Fat trees of GPUs: all pairs of hosts are connected by address only, in exact time, over all
 * uplinks; two trees over a lightpath.
 */

#include "../core/odcn-test-case.h"
#include "ocs-test-fabric.h"
#include "otn-test-sink.h"

#include "ns3/odcn-packet-network-helper.h"
#include "ns3/otn-controller.h"
#include "ns3/otn-helper.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

constexpr int64_t US = 1000000;  //!< ps
constexpr int64_t HOP = 170000;  //!< ps: 1500 bytes at 100 Gb/s, and 10 m
constexpr int64_t FIBER = 50000; //!< ps: 10 m

/// A centre whose hosts record arrivals.
struct Centre
{
    /// @param number of the centre  @param gpus their number  @param helper builds it
    Centre(uint32_t number, uint32_t gpus, PacketNetworkHelper helper)
        : sinks(gpus)
    {
        helper.SetServerFiberAttribute("Delay", TimeValue(PicoSeconds(FIBER)));
        helper.SetUplinkFiberAttribute("Delay", TimeValue(PicoSeconds(FIBER)));
        tree = helper.BuildCentre(number, gpus);
        for (uint32_t host = 0; host < gpus; ++host)
        {
            tree->GetServerDevice(host)->SetUser(&sinks[host], 0);
        }
    }

    ~Centre()
    {
        Simulator::Destroy();
        tree->Dispose();
    }

    /// Send now. @param host sender  @param to address  @param port of it  @return uid
    uint64_t Send(uint32_t host, Ipv4Address to, uint16_t port = 1000) const
    {
        auto packet = MakeTestPacket(tree->GetServerAddress(host), to, port, 1500);
        tree->GetServerDevice(host)->Transmit(packet);
        return packet->GetUid();
    }

    Ptr<PacketNetwork> tree;     //!< the centre
    std::vector<TestSink> sinks; //!< its hosts
};

#define EXPECT_TREE_CONSERVED(tree)                                                                \
    do                                                                                             \
    {                                                                                              \
        const PacketCounts c = (tree)->Count();                                                    \
        NS_TEST_EXPECT_MSG_EQ(c.sent + c.came,                                                     \
                              c.received + c.left + c.inFlight + c.dropped.Total(),                \
                              "conserved");                                                        \
    } while (false)

/// Sizes of trees.
ODCN_TEST_CASE(SizeTestCase, "the smallest tree with room for the GPUs")
{
    const std::pair<uint32_t, uint32_t> expected[] =
        {{1, 2}, {2, 2}, {3, 4}, {16, 4}, {54, 6}, {100, 8}, {128, 8}, {129, 10}, {2662, 22}};
    for (const auto& [gpus, k] : expected)
    {
        NS_TEST_EXPECT_MSG_EQ(PacketTopology::GetCentrePorts(gpus), k, gpus << " GPUs");
    }
    for (uint32_t gpus : {0U, 2663U})
    {
        NS_TEST_EXPECT_MSG_NE(GetRefusal([&] { PacketTopology::GetCentrePorts(gpus); }),
                              "",
                              gpus << " GPUs");
    }
    const auto tree = PacketNetworkHelper::ForCentres().BuildCentre(21, 100);
    std::array<uint32_t, 5> switches{};
    for (uint32_t i = 0; i < tree->GetNSwitches(); ++i)
    {
        ++switches.at(tree->GetSwitch(i)->GetPlace().layer);
    }
    NS_TEST_EXPECT_MSG_EQ(switches[PacketSwitchPlace::EDGE], 32, "edges");
    NS_TEST_EXPECT_MSG_EQ(switches[PacketSwitchPlace::AGGREGATION], 32, "aggregations");
    NS_TEST_EXPECT_MSG_EQ(switches[PacketSwitchPlace::CORE], 16, "cores");
    NS_TEST_EXPECT_MSG_EQ(tree->GetServers().GetN(), 100, "hosts");
    NS_TEST_EXPECT_MSG_EQ(tree->GetServerAddress(99), Ipv4Address("10.21.24.4"), "address");
    tree->Dispose();
}

/// All pairs of hosts.
ODCN_TEST_CASES(PairsTestCase,
                std::string,
                "everybody reaches everybody in as many hops as it takes, " + parameter,
                "PerFlow",
                "ByHost")
{
    auto helper = PacketNetworkHelper::ForCentres();
    helper.SetSwitchAttribute("Spreading", StringValue(parameter));
    // k = 6, and the last pod is not full.
    constexpr uint32_t N = 50;
    Centre centre(3, N, helper);
    ForPairs(
        N,
        [&](uint32_t a, uint32_t b)
        {
            if (a == b)
            {
                return;
            }
            const int64_t now = Simulator::Now().GetPicoSeconds();
            const uint64_t uid = centre.Send(a, centre.tree->GetServerAddress(b));
            Simulator::Run();
            const int hops = a / 3 == b / 3 ? 2 : a / 9 == b / 9 ? 4 : 6;
            NS_TEST_EXPECT_MSG_EQ(centre.sinks[b].times[uid], now + hops * HOP, a << " to " << b);
        });
    EXPECT_TREE_CONSERVED(centre.tree);
    NS_TEST_EXPECT_MSG_EQ(centre.tree->Count().received, N * (N - 1), "all");
    // No such host, no such edge, no such centre, not our address range.
    for (const char* address : {"10.3.16.3", "10.3.18.1", "10.3.0.5", "10.3.0.0", "11.3.0.1"})
    {
        centre.Send(0, Ipv4Address(address));
    }
    centre.Send(0, Ipv4Address("10.4.0.1"));
    Simulator::Run();
    const auto counts = centre.tree->Count();
    NS_TEST_EXPECT_MSG_EQ(counts.dropped[OcsDropCause::MISROUTED], 5, "misrouted");
    NS_TEST_EXPECT_MSG_EQ(counts.dropped[OcsDropCause::NO_CIRCUIT], 1, "no lightpath");
    EXPECT_TREE_CONSERVED(centre.tree);
}

/// Uplinks are used equally.
ODCN_TEST_CASE(SpreadTestCase, "flows spread over all cores")
{
    Centre centre(0, 128, PacketNetworkHelper::ForCentres());
    constexpr uint32_t FLOWS = 3200;
    constexpr uint32_t FIRST_CORE = 64;
    for (uint32_t i = 0; i < FLOWS; ++i)
    {
        // From the first pod to the last; the same flow twice takes the same path.
        const uint32_t from = i % 16;
        const auto to = centre.tree->GetServerAddress(112 + i / 16 % 16);
        centre.Send(from, to, static_cast<uint16_t>(1000 + i));
        Simulator::Run();
    }
    for (uint32_t core = 0; core < 16; ++core)
    {
        const auto seen = centre.tree->GetSwitch(FIRST_CORE + core)->GetReceived();
        // 200 each; standard deviation 14.
        NS_TEST_EXPECT_MSG_GT(seen, 140, "core " << core);
        NS_TEST_EXPECT_MSG_LT(seen, 260, "core " << core);
    }
    const uint64_t before = centre.tree->GetSwitch(FIRST_CORE)->GetReceived();
    uint64_t after = before;
    for (int i = 0; i < 20; ++i)
    {
        centre.Send(0, centre.tree->GetServerAddress(127), 77);
        Simulator::Run();
    }
    after = centre.tree->GetSwitch(FIRST_CORE)->GetReceived();
    NS_TEST_EXPECT_MSG_EQ((after == before || after == before + 20), true, "a flow has one way");
}

/// Queues overflow, and ports fail.
ODCN_TEST_CASE(LossTestCase, "no packet is lost without a cause")
{
    auto helper = PacketNetworkHelper::ForCentres();
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("5p"));
    helper.SetUplinkQueue("ns3::DropTailQueue", QueueSize("5p"));
    Centre centre(0, 16, helper);
    const auto port = centre.tree->GetSwitch(7)->GetPort(1);
    Simulator::Schedule(MicroSeconds(3), &OcsNetDevice::Fail, port);
    for (int64_t round = 0; round < 40; ++round)
    {
        for (uint32_t from = 0; from < 15; ++from)
        {
            centre.Send(from, centre.tree->GetServerAddress(15), static_cast<uint16_t>(round));
        }
        RunFor(NanoSeconds(150));
        EXPECT_TREE_CONSERVED(centre.tree);
    }
    Simulator::Run();
    const auto counts = centre.tree->Count();
    NS_TEST_EXPECT_MSG_EQ(counts.sent, 600, "sent");
    NS_TEST_EXPECT_MSG_EQ(counts.inFlight, 0, "all over");
    NS_TEST_EXPECT_MSG_GT(counts.received, 10, "some arrive");
    NS_TEST_EXPECT_MSG_GT(counts.dropped[OcsDropCause::QUEUE_OVERFLOW], 10, "overflow");
    NS_TEST_EXPECT_MSG_GT(counts.dropped[OcsDropCause::PORT_FAILED], 10, "failed");
    EXPECT_TREE_CONSERVED(centre.tree);
}

/// Two centres over a lightpath.
ODCN_TEST_CASE(MeshTestCase, "two centres over lightpaths")
{
    Centre a(0, 16, PacketNetworkHelper::ForCentres());
    Centre b(1, 16, PacketNetworkHelper::ForCentres());
    const std::vector<OtnSite> sites{{"a"}, {"b"}};
    const auto mesh = std::make_shared<OtnMesh>(sites, std::vector<OtnLink>{{0, 1, 20}});
    NodeContainer gateways(a.tree->GetGatewayNode(), b.tree->GetGatewayNode());
    const auto otn = OtnHelper().Build(mesh, gateways);
    auto control = CreateObject<OtnController>();
    control->SetNetwork(otn);
    const auto lightpath = control->SetUp(0, 1, 4);
    PacketNetwork::Connect(a.tree, b.tree, lightpath);
    Simulator::Run();
    ForPairs(16,
             [&](uint32_t i, uint32_t j)
             {
                 const int64_t now = Simulator::Now().GetPicoSeconds();
                 const uint64_t there = a.Send(i, b.tree->GetServerAddress(j));
                 const uint64_t back = b.Send(j, a.tree->GetServerAddress(i));
                 Simulator::Run();
                 // Four hops up, four down; 30 ns at 400 Gb/s, two O-E-O, 20 km.
                 const int64_t latency = 8 * HOP + 30000 + 200 * US + 100 * US;
                 NS_TEST_EXPECT_MSG_EQ(b.sinks[j].times[there], now + latency, i << " to " << j);
                 NS_TEST_EXPECT_MSG_EQ(a.sinks[i].times[back], now + latency, j << " to " << i);
             });
    // A second lightpath takes its share; after the first is removed, all.
    const auto second = control->SetUp(0, 1, 1);
    PacketNetwork::Connect(a.tree, b.tree, second);
    Simulator::Run();
    const auto send = [&]
    {
        for (uint16_t port = 1; port <= 400; ++port)
        {
            a.Send(port % 16, b.tree->GetServerAddress(port / 16 % 16), port);
            Simulator::Run();
        }
    };
    send();
    NS_TEST_EXPECT_MSG_GT(second->GetDelivered(), 150, "half of them");
    NS_TEST_EXPECT_MSG_LT(second->GetDelivered(), 250, "half of them");
    PacketNetwork::Disconnect(a.tree, b.tree, lightpath);
    const uint64_t before = second->GetDelivered();
    send();
    NS_TEST_EXPECT_MSG_EQ(second->GetDelivered(), before + 400, "all of them");
    // Cut in the middle of a stream: all losses are accounted for.
    for (uint16_t port = 1; port <= 100; ++port)
    {
        a.Send(0, b.tree->GetServerAddress(0), port);
    }
    Simulator::Schedule(MicroSeconds(205), &OtnNetwork::CutLink, otn, 0);
    Simulator::Run();
    const auto lost = otn->Count().dropped;
    NS_TEST_EXPECT_MSG_GT(lost[OcsDropCause::FIBER_CUT], 0, "cut");
    NS_TEST_EXPECT_MSG_EQ(lost[OcsDropCause::FIBER_CUT], lost.Total(), "nothing else");
    EXPECT_TREE_CONSERVED(a.tree);
    EXPECT_TREE_CONSERVED(b.tree);
    const auto ca = a.tree->Count();
    const auto cb = b.tree->Count();
    NS_TEST_EXPECT_MSG_EQ(ca.sent + cb.sent,
                          ca.received + cb.received + lost.Total(),
                          "sent = received + lost");
    NS_TEST_EXPECT_MSG_EQ(ca.left + cb.left, ca.came + cb.came + lost.Total(), "on lightpaths");
    control->Dispose();
    otn->Dispose();
}

/// Fat trees.
PicosecondSuite g_icciFatTreeTestSuite("icci-fat-tree");

} // namespace
