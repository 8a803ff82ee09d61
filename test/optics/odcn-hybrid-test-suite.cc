// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Hybrid fabrics, with electrical uplinks beside the circuits, and fabrics whose racks differ:
 * completion times and throughput against values computed by hand, classes, failures, refusals.
 * Conservation of packets in both is in odcn-schedule-test-suite.cc.
 */

#include "../core/odcn-test-case.h"
#include "ocs-scheduled-fabric.h"

#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-packet-switch.h"

#include <iostream>
#include <sstream>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Routing by size of flows.
const std::string SPLIT = "ClassRouting[Short=ElectricalRouting|Bulk=";

/// Flows in a fabric of three racks.
ODCN_TEST_CASE(CompletionTestCase,
               "Flows take circuits or electrical uplinks, with exact completion times")
{
    // routing: a TorRouting; flows: the flows; result: completion times, ns
    const auto run = [&](const std::string& routing, const Traffic& flows) -> std::vector<int64_t>
    {
        OcsHelper helper;
        helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
        helper.SetTorAttribute("Routing", StringValue(routing));
        helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
        helper.SetUplinkAttribute("DataRate", StringValue("10Gbps"));
        helper.SetElectricalAttribute("DataRate", StringValue("1Gbps"));
        helper.SetServerFiberAttribute("Delay", StringValue("100ns"));
        helper.SetUplinkFiberAttribute("Delay", StringValue("250ns"));
        helper.SetElectricalFiberAttribute("Delay", StringValue("300ns"));
        // Rack i has a circuit to rack i + 1 until 100 us, and to rack i + 2 from 110 us.
        const Ptr<OcsFabric> fabric = helper.Build({3, 1, 1, 1, 1});
        helper.InstallServers(fabric);
        const Ptr<CircuitSchedule> plan = CircuitSchedule::Create("RoundRobinSchedule");
        plan->Build(3, 1);
        const Ptr<OcsScheduleFollower> follower = CreateObject<OcsScheduleFollower>();
        follower->Start(fabric, plan);
        FlowHelper flowHelper;
        flowHelper.SetAttribute("ShortFlows", UintegerValue(2000));
        flowHelper.Install(fabric->GetServers(), flows);
        RunFor(MicroSeconds(400));
        auto times = ListOf<int64_t>(
            flows.size(),
            [&](uint32_t i)
            { return flowHelper.GetRecorder()->GetCompletionTime(i).GetNanoSeconds(); });
        Simulator::Destroy();
        return times;
    };
    const Time start = MicroSeconds(5);
    // Packets of 1000 bytes: 0.8 us at 10 Gb/s, 8 us at 1 Gb/s. Links: server, ToR switch to
    // packet switch, packet switch to ToR switch, server.
    const int64_t electrical = 800 + 100 + 8000 + 300 + 8000 + 300 + 800 + 100;
    // Server, ToR switch to ToR switch, server.
    const int64_t circuit = 800 + 100 + 800 + 2 * 250 + 800 + 100;
    // The first bit of the first of two packets of 1500 bytes meets the optical switch at
    // 110 us; 1.2 us each, once more on the link to the server.
    const int64_t bulk = 110000 + 2 * 1200 + 250 + 1200 + 100 - 5000;
    const Traffic mix{{0, 2, 956, start}, {1, 0, 2912, start}};
    const std::vector<int64_t> split = run(SPLIT + "DirectRouting]", mix);
    // With a class that no packet has, all take the other routing, and a warning says so.
    std::ostringstream said;
    auto* terminal = std::cerr.rdbuf(said.rdbuf());
    run("ClassRouting[Short=ElectricalRouting|Values=1|Bulk=DirectRouting]", mix);
    const std::string warned = said.str();
    said.str("");
    run(SPLIT + "DirectRouting]", mix);
    std::cerr.rdbuf(terminal);
    NS_TEST_EXPECT_MSG_EQ(warned,
                          "warning: ClassRouting: no packet was of the class Short, so all took "
                          "DirectRouting (FlowApplication: ShortFlows)\n",
                          "the warning");
    NS_TEST_EXPECT_MSG_EQ(said.str(), "", "no warning with short flows");
    NS_TEST_EXPECT_MSG_EQ(split[0], electrical, "a short flow does not wait");
    NS_TEST_EXPECT_MSG_EQ(split[1], bulk, "another waits for its circuit");

    // The circuit from 0 to 1 carries what has left the ToR switch by 100 us - 250 ns.
    const Traffic hybrid{{0, 1, 956, start},
                         {1, 0, 956, start},
                         {0, 1, 956, NanoSeconds(98000)},
                         {2, 0, 956, NanoSeconds(98100)}};
    const std::vector<int64_t> times = run("HybridRouting", hybrid);
    NS_TEST_EXPECT_MSG_EQ(times[0], circuit, "there is a circuit");
    NS_TEST_EXPECT_MSG_EQ(times[1], electrical, "there is no circuit");
    NS_TEST_EXPECT_MSG_EQ(times[2], circuit, "just before its end");
    NS_TEST_EXPECT_MSG_EQ(times[3], electrical, "too late for it");
}

/// Throughput of a hybrid.
ODCN_TEST_CASE(ThroughputTestCase,
               "A hybrid RotorNet carries a permutation at its exact throughput")
{
    // bulk: routing of half of the packets; result: received, in rates of an uplink
    const auto run = [&](const std::string& bulk) -> double
    {
        ScheduledFabric t({8, 1, 4, 4, 1}, "Rotor", SPLIT + bulk + "]");
        for (RackId rack = 0; rack < 8; ++rack)
        {
            t.servers[rack].next = [&t, rack, isShort = false]() mutable
            {
                isShort = !isShort;
                return t.Make(rack, (rack + 3) % 8, isShort ? 46 << 2 : 0);
            };
            t.servers[rack].PortIdle(0);
        }
        // Measured: twenty periods of two slots.
        return 4 * t.Measure(MicroSeconds(4000), MicroSeconds(4000));
    };
    // The electrical uplink, and one of 8 matchings on 4 uplinks, for 90 us of 100.
    const double direct = 1 + 4 * 0.9 / 8;
    NS_TEST_EXPECT_MSG_EQ_TOL(run("DirectRouting"), direct, 1e-3, "one hop");
    // With two hops half of what the circuits carry, except for the direct ones.
    const double twoHops = 1 + 4 * 0.9 / 8 * (1 + 6 / 2.0);
    // Packets relayed before the measurement arrive in it, and others after it.
    NS_TEST_EXPECT_MSG_EQ_TOL(run("ValiantRouting"), twoHops, 0.01 * twoHops, "two hops");
}

/// Racks that differ.
ODCN_TEST_CASE(UnequalTestCase,
               "Racks with fewer uplinks or other rates carry exactly what these allow")
{
    OcsFabricSize size{8, 1, 2, 2};
    size.serversByRack = {1, 3, 1, 1, 1, 1, 1, 2};
    size.uplinksByRack = {2, 2, 2, 2, 2, 1, 2, 2};
    size.uplinkRates.assign(8, DataRate("10Gbps"));
    size.uplinkRates[3] = DataRate("2.5Gbps");
    size.serverRates.assign(8, DataRate("20Gbps"));
    size.serverRates[6] = DataRate("1Gbps");
    ScheduledFabric t(size, "RoundRobin", "DirectRouting");
    t.Saturate([](RackId from) { return (from + 1) % 8; });
    const Time period = t.plan->GetPeriod();
    NS_TEST_ASSERT_MSG_EQ(period, MicroSeconds(700), "seven shifts");
    RunFor(2 * period);
    auto before = ListOf<uint64_t>(t.servers,
                                   [&](const SaturatingServer& server) { return server.received; });
    RunFor(10 * period);
    // Of each plane a period has one slot of 90 us for the pair: 75 packets of 1.2 us, or 18
    // of 4.8 us.
    const std::vector<uint64_t> expected{2 * 75, 2 * 75, 2 * 18, 2 * 18, 75, 0, 0, 2 * 75};
    for (RackId from = 0; from < 8; ++from)
    {
        const RackId to = (from + 1) % 8;
        const uint64_t packets = (t.servers[to].received - before[to]) / SIZE;
        if (from == 5 || from == 6)
        {
            // Limited by a server's link of 1 Gb/s, 12 us for a packet.
            NS_TEST_EXPECT_MSG_EQ_TOL(double(packets), 7000.0 / 12, 1, "from " << from);
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(packets, 10 * expected[from], "from " << from);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(t.fabric->Count().dropped.Total(), 0, "nothing is lost");
    NS_TEST_EXPECT_MSG_EQ(t.fabric->GetServers().GetN(), 11, "servers");
    NS_TEST_EXPECT_MSG_EQ(t.fabric->GetServerAddress(7, 1), Ipv4Address("10.0.7.2"), "address");
    NS_TEST_EXPECT_MSG_EQ(t.fabric->GetServer(7, 1), t.fabric->GetServers().Get(10), "by rack");
}

/// Classes, spreading, failures.
ODCN_TEST_CASE(ElectricalTestCase,
               "Classes by destination and port; failures of electrical uplinks")
{
    // routing: a TorRouting; result: of packets from rack 0 to racks 1, 2 and 3: how many
    // went electrically
    const auto classify = [&](const std::string& routing) -> uint64_t
    {
        ScheduledFabric t({4, 1, 1, 1, 1}, "RoundRobin", routing);
        for (const RackId to : {1, 2, 3})
        {
            t.servers[0].device->Transmit(t.Make(0, to));
        }
        RunFor(2 * t.plan->GetPeriod());
        NS_TEST_EXPECT_MSG_EQ(t.CountBytes(), 3 * SIZE, "all arrive");
        return t.fabric->GetTor(0)->GetSentElectrically();
    };
    const std::string classes = "ClassRouting[Short=ElectricalRouting|By=";
    NS_TEST_EXPECT_MSG_EQ(classify(classes + "Rack|Values=2-3]"), 2, "racks 2 and 3");
    NS_TEST_EXPECT_MSG_EQ(classify(classes + "Port|Values=80,5-9]"), 3, "to port 9");
    NS_TEST_EXPECT_MSG_EQ(classify(classes + "Port|Values=1000]"), 0, "from port 1000");
    NS_TEST_EXPECT_MSG_EQ(classify(classes + "Dscp|Values=0]"), 3, "DSCP 0");

    OcsHelper helper;
    helper.SetTorAttribute("Spreading", StringValue("RoundRobin"));
    ScheduledFabric t({4, 1, 1, 1, 2}, "RoundRobin", "ElectricalRouting", helper);
    const auto send = [&t](uint32_t packets)
    {
        const uint64_t before = t.servers[1].received;
        for (uint32_t i = 0; i < packets; ++i)
        {
            t.servers[0].device->Transmit(t.Make(0, 1));
        }
        RunFor(MicroSeconds(100));
        return (t.servers[1].received - before) / SIZE;
    };
    NS_TEST_EXPECT_MSG_EQ(send(10), 10, "all arrive");
    NS_TEST_EXPECT_MSG_EQ(t.fabric->GetSpine(0)->GetReceived(), 5, "each second one");
    NS_TEST_EXPECT_MSG_EQ(t.fabric->GetSpine(1)->GetReceived(), 5, "each second one");
    t.fabric->GetTor(1)->GetElectrical(0)->Fail();
    NS_TEST_EXPECT_MSG_EQ(send(10), 5, "the far rack does not know");
    t.fabric->UpdateElectricalRoutes();
    NS_TEST_EXPECT_MSG_EQ(send(10), 10, "now it does");
    t.fabric->GetTor(0)->GetElectrical(1)->Fail();
    NS_TEST_EXPECT_MSG_EQ(send(10), 0, "no way is left");
    const PacketCounts counts = t.fabric->Count();
    NS_TEST_EXPECT_MSG_EQ(counts.dropped[OcsDropCause::PORT_FAILED], 15, "cause");
    NS_TEST_EXPECT_MSG_EQ(counts.dropped.Total(), 15, "no other cause");

    // What comes electrically for another rack is refused.
    t.fabric->GetSpine(1)->GetPort(2)->Transmit(t.Make(0, 3));
    RunFor(MicroSeconds(100));
    NS_TEST_EXPECT_MSG_EQ(t.fabric->GetTor(2)->GetDropped()[OcsDropCause::MISROUTED], 1, "");
}

/// Fabrics that do not exist.
ODCN_TEST_CASE_F(RefusalFixture,
                 HybridRefusalTestCase,
                 "Sizes, circuits and engines that do not fit are refused")
{
    OcsHelper helper;
    ExpectRefusal("NoCircuit=Hold", [&] { helper.Build({4, 1, 2, 2, 1}); });
    helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
    ExpectRefusal("packet switches", [&] { helper.Build({4, 1, 2, 2, 1, 2}); });
    OcsFabricSize size{4, 1, 2, 2};
    size.serversByRack = {1, 1, 1};
    ExpectRefusal("serversByRack", [&] { helper.Build(size); });
    size.serversByRack = {1, 1, 0, 1};
    ExpectRefusal("rack 2 has none", [&] { helper.Build(size); });
    size.serversByRack.clear();
    size.uplinksByRack = {2, 0, 1, 2};
    ExpectRefusal("rack 1 has no uplink", [&] { helper.Build(size); });
    size.electrical = 1; // reached electrically only
    const Ptr<OcsFabric> fabric = helper.Build(size);
    ExpectRefusal("uplink 1 of rack 2", [&] { fabric->Preset({{0, 1, 2, 1}}); });
    ExpectRefusal("server 1 of rack 0", [&] { fabric->GetServer(0, 1); });
    fabric->PresetAllToAll();
    NS_TEST_EXPECT_MSG_EQ(fabric->GetNCircuits(2, 3), 1, "only uplink 0 of rack 2");

    ExpectRefusal("racks that differ", [&] { helper.GetModel(size); });
    ExpectRefusal("1 electrical uplinks", [&] { helper.GetModel({4, 1, 2, 2, 1}); });
    helper.SetTorAttribute("Routing", StringValue("HybridRouting"));
    ExpectRefusal("OcsFabricSize::electrical",
                  [&] {
                      helper.Build({4, 1, 2, 2})->AssignStreams(1);
                  });
    ExpectRefusal("9-5", [] { TorRouting::Create("ClassRouting[Values=9-5]"); });
    Simulator::Destroy();
}

/// Hybrid fabrics and racks that differ.
CaseSuite g_hybridTestSuite("odcn-hybrid");

} // namespace
