// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Flows over an optical fabric: completion times against times computed by hand.
 *
 * Servers have 10 Gb/s and fibres of 100 ns, uplinks 40 Gb/s and fibres of 250 ns. After a full
 * packet has left its host (1200 ns), it takes 100 + 300 + 500 + 1200 + 100 = 2200 ns.
 */

#include "../core/odcn-test-case.h"

#include "ns3/config.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-flow-probe.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4.h"
#include "ns3/ocs-device-helper.h"
#include "ns3/ocs-helper.h"
#include "ns3/ocs-packet-monitor.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-flow-report.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/odcn-schedule-packets.h"
#include "ns3/queue-size.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/udp-socket-factory.h"

#include <cstdlib>
#include <map>
#include <random>
#include <set>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Bytes of a full UDP packet.
constexpr uint64_t FULL = 1456;
/// Time of a full packet after it has left its host, ns.
constexpr int64_t REST = 2200;

/// Two racks of two servers.
class Network
{
  public:
    Network()
    {
        OcsHelper ocs;
        ocs.SetServerAttribute("DataRate", DataRateValue(DataRate("10Gbps")));
        ocs.SetServerFiberAttribute("Delay", TimeValue(NanoSeconds(100)));
        ocs.SetUplinkFiberAttribute("Delay", TimeValue(NanoSeconds(250)));
        ocs.SetUplinkQueue("ns3::DropTailQueue", QueueSize("1000p"));
        OcsFabricSize size;
        size.racks = 2;
        size.serversPerRack = 2;
        fabric = ocs.Build(size);
        ocs.InstallServers(fabric);
        fabric->PresetAllToAll();
    }

    /// @param flows to run to the end
    void Run(const Traffic& flows)
    {
        helper.Install(fabric->GetServers(), flows);
        Simulator::Run();
    }

    /// @param flow number  @return completion time in ps
    int64_t GetTime(uint32_t flow) const
    {
        return helper.GetRecorder()->GetCompletionTime(flow).GetPicoSeconds();
    }

    Ptr<OcsFabric> fabric; //!< hosts 0 and 1 in rack 0, 2 and 3 in rack 1
    FlowHelper helper;     //!< installs the flows
    SimulationEnd end;     //!< of the simulation
};

/// One flow alone, between racks and within one.
ODCN_TEST_CASE(AloneTestCase, "one flow alone takes transmission and latencies")
{
    {
        Network network;
        network.helper.SetRecorderAttribute("BaseLatency", TimeValue(NanoSeconds(REST)));
        network.helper.SetRecorderAttribute("GoodputWindow", TimeValue(MicroSeconds(4)));
        // 6 full packets and one of 1264 + 44 bytes, whose downlink is busy with the sixth.
        network.Run({{0, 2, 10000, MicroSeconds(3)}});
        NS_TEST_EXPECT_MSG_EQ(network.GetTime(0), 7200000 + 1046400 + REST * 1000, "time");
        const Ptr<FlowRecorder> recorder = network.helper.GetRecorder();
        NS_TEST_EXPECT_MSG_EQ_TOL(recorder->GetSlowdown(0), 1, 1e-12, "as the ideal time");
        // Arrivals at 6.4, 7.6, 8.8, 10, 11.2, 12.4 and 13.4464 us.
        const std::vector<double> bytes{0, 2 * FULL, 3 * FULL, FULL + 1264};
        const std::vector<double> goodput = recorder->GetGoodput();
        NS_TEST_ASSERT_MSG_EQ(goodput.size(), bytes.size(), "windows");
        for (std::size_t i = 0; i < bytes.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(goodput[i] * 4e-6 / 8, bytes[i], 1e-6, "window " << i);
        }
    }
    Network network;
    const Traffic flows{{1, 0, FULL, Time(0)}, {2, 3, 1, MicroSeconds(5)}};
    network.helper.Install(network.fabric->GetServers(), flows);
    Time end;
    Listen(network.helper.GetRecorder(), "AllCompleted", [&] { end += Simulator::Now(); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(network.GetTime(0), 2 * 1200000 + 2 * 100000, "within a rack");
    NS_TEST_EXPECT_MSG_EQ(network.GetTime(1), 2 * 36000 + 2 * 100000, "45 bytes");
    NS_TEST_EXPECT_MSG_EQ(end, MicroSeconds(5) + PicoSeconds(272000), "the last flow");
}

/// Rates of servers and uplinks in Gb/s, and what is sent again.
struct AloneSetting
{
    int server;         //!< rate of servers
    int uplink;         //!< rate of uplinks
    const char* rate;   //!< FlowApplication::Rate
    const char* repair; //!< FlowApplication::Repair
};

/// A flow alone takes the time that the unloaded slowdown divides by, to the picosecond.
ODCN_TEST_CASES(UnloadedTestCase,
                AloneSetting,
                "the unloaded slowdown of a flow alone is 1: servers of " +
                    std::to_string(parameter.server) + " Gbps, uplinks of " +
                    std::to_string(parameter.uplink) + ", Rate=" + parameter.rate +
                    ", Repair=" + parameter.repair,
                {10, 40, "0bps", "None"},
                {40, 10, "0bps", "None"},
                {10, 10, "0bps", "Nack"},
                {7, 3, "5Gbps", "None"},
                {3, 7, "2Gbps", "Nack"})
{
    const auto gbps = [](int rate) { return DataRateValue(DataRate(uint64_t(rate) * 1000000000)); };
    const auto prepare = [&](FlowHelper& flows)
    {
        flows.SetAttribute("Rate", StringValue(parameter.rate));
        flows.SetAttribute("Repair", StringValue(parameter.repair));
    };
    for (const uint64_t bytes : {1, 1000, 1440, 1456, 1457, 2912, 2913, 10000, 100001})
    {
        // Between racks and within one.
        for (const ServerId to : {2, 1})
        {
            const Traffic one{{0, to, bytes, MicroSeconds(3)}};
            SimulationEnd end;
            OcsHelper ocs;
            ocs.SetServerAttribute("DataRate", gbps(parameter.server));
            ocs.SetUplinkAttribute("DataRate", gbps(parameter.uplink));
            ocs.SetServerFiberAttribute("Delay", TimeValue(NanoSeconds(100)));
            ocs.SetUplinkFiberAttribute("Delay", TimeValue(NanoSeconds(250)));
            ocs.SetUplinkQueue("ns3::DropTailQueue", QueueSize("1000p"));
            const Ptr<OcsFabric> fabric = ocs.Build({2, 2, 1, 1});
            ocs.InstallServers(fabric);
            fabric->PresetAllToAll();
            FlowHelper optical;
            prepare(optical);
            optical.Install(fabric, one);

            PacketNetworkHelper leaves;
            leaves.SetServerAttribute("DataRate", gbps(parameter.server));
            leaves.SetUplinkAttribute("DataRate", gbps(parameter.uplink));
            leaves.SetUplinkFiberAttribute("Delay", TimeValue(NanoSeconds(70)));
            const Ptr<PacketNetwork> network = leaves.BuildLeafSpine(2, 2, 1, 1);
            leaves.InstallServers(network);
            FlowHelper electrical;
            prepare(electrical);
            electrical.Install(network->GetServers(), one);
            Simulator::Run();
            for (const auto& recorder : {optical.GetRecorder(), electrical.GetRecorder()})
            {
                NS_TEST_EXPECT_MSG_EQ(recorder->GetUnloadedSlowdown(0),
                                      1,
                                      bytes << " bytes to host " << to);
                NS_TEST_EXPECT_MSG_GT(recorder->GetSlowdown(0), 1, "of the bytes at line rate");
            }
            if (std::string(parameter.repair) == "None" && std::string(parameter.rate) == "0bps")
            {
                ocs.SetTorAttribute("NoCircuit", StringValue("Hold"));
                const auto plan = CircuitSchedule::Create("RotorSchedule");
                plan->Build(2, 1);
                const SchedulePackets exact(ocs.GetModel({2, 2, 1, 1}), plan, {});
                NS_TEST_EXPECT_MSG_EQ(exact.GetUnloadedTimes(one)[0],
                                      optical.GetRecorder()->GetCompletionTime(0),
                                      "the exact engine");
            }
        }
    }
}

/// What the two slowdowns divide by.
ODCN_TEST_CASE(SlowdownTestCase, "both slowdowns of flows that share, and of TCP")
{
    {
        // One byte waits in the switch for the last packet of 100: 45 bytes take 36 ns.
        Network network;
        network.helper.Install(network.fabric, {{0, 2, 100 * FULL, Time(0)}, {1, 2, 1, Time(0)}});
        Simulator::Run();
        const Ptr<FlowRecorder> recorder = network.helper.GetRecorder();
        const double alone = 2 * 36 + 9 + 700; // 3 transmissions, one at 40 Gb/s, and fibres
        NS_TEST_EXPECT_MSG_EQ_TOL(recorder->GetUnloadedSlowdown(1),
                                  double(network.GetTime(1)) / 1000 / alone,
                                  1e-12,
                                  "alone");
        NS_TEST_EXPECT_MSG_EQ_TOL(recorder->GetSlowdown(1),
                                  double(network.GetTime(1)) / 1000 / 36,
                                  1e-12,
                                  "at line rate");
        const FlowSummary all = recorder->Summarise().back();
        NS_TEST_EXPECT_MSG_EQ(
            all.unloadedSlowdown.p99,
            std::max(recorder->GetUnloadedSlowdown(0), recorder->GetUnloadedSlowdown(1)),
            "the greater one");
    }
    FlowHelper::SetDataCentreTcp();
    Network network;
    network.helper.SetAttribute("Transport", StringValue("Tcp"));
    network.helper.Install(network.fabric, {{0, 2, 10000000, Time(0)}});
    Simulator::Run();
    const double slowdown = network.helper.GetRecorder()->GetUnloadedSlowdown(0);
    NS_TEST_EXPECT_MSG_GT(slowdown, 1, "set-up and slow start");
    NS_TEST_EXPECT_MSG_LT(slowdown, 1.02, "of a long flow");
    Config::Reset();
}

/// Flows that a run leaves open, by what they wait for.
ODCN_TEST_CASE(StagesTestCase, "what flows do that are not complete")
{
    for (const std::string transport : {"Udp", "Tcp"})
    {
        Network network;
        network.helper.SetAttribute("Transport", StringValue(transport));
        network.helper.SetAttribute("Hold", BooleanValue(transport == "Udp"));
        network.fabric->Apply(std::vector<OcsCircuit>{{0, 0, NO_RACK, 0}});
        const Traffic flows{{0, 2, 1000, MicroSeconds(1)},
                            {0, 1, 10000000, MicroSeconds(1)},
                            {1, 0, 1000, MicroSeconds(1)},
                            {1, 0, 1000, Seconds(1)}};
        network.helper.Install(network.fabric, flows);
        RunFor(MicroSeconds(500));
        NS_TEST_EXPECT_MSG_EQ(network.helper.GetRecorder()->DescribeIncomplete(),
                              "3 of 4 flows were not received in full (start later: 1, " +
                                  std::string(transport == "Udp"
                                                  ? "wait in their hosts for a circuit: 1"
                                                  : "without a connection: 1") +
                                  ", being sent: 1); the first is flow 0, 1000 bytes from host 0 "
                                  "to host 2, which starts at 1e-06 s",
                              transport);
    }
}

/// Racks of different sizes: hosts hear of the circuits of their own one.
ODCN_TEST_CASE(UnequalRacksTestCase, "held flows of racks that differ")
{
    OcsHelper ocs;
    OcsFabricSize size{2, 3, 1, 1};
    size.serversByRack = {1, 3};
    const Ptr<OcsFabric> fabric = ocs.Build(size);
    ocs.InstallServers(fabric);
    fabric->PresetAllToAll();
    SimulationEnd end;
    FlowHelper flows;
    flows.SetAttribute("Hold", BooleanValue(true));
    flows.Install(fabric, {{1, 0, 1000, Time(0)}, {3, 0, 1000, Time(0)}, {0, 2, 1000, Time(0)}});
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(flows.GetRecorder()->GetNCompleted(), 3, "completed");
}

/// A host cannot have more connections than ports.
ODCN_TEST_CASE_F(RefusalFixture, TcpPortsTestCase, "more TCP connections of a host than ports")
{
    FlowHelper::SetDataCentreTcp();
    // n: flows  @param gap from one to the next
    const auto install = [](uint32_t n, Time gap)
    {
        Network network;
        network.helper.SetAttribute("Transport", StringValue("Tcp"));
        Traffic flows;
        for (uint32_t i = 0; i < n; ++i)
        {
            flows.Add({0, 2, 1, gap * int64_t(i)});
        }
        network.helper.Install(network.fabric, flows);
    };
    install(16384, Time(0));
    install(16385, NanoSeconds(250)); // the first port is free again
    ExpectRefusal("flow 16384 is number 16385 of those by TCP that host 0 starts within 0.004 s: "
                  "expected at most 16384",
                  [&] { install(16385, NanoSeconds(244)); });
    Config::Reset();
}

/// Several flows of one host share its line.
ODCN_TEST_CASE(OrderTestCase, "the order of packets over active flows")
{
    // order: Attribute; flows: the flows; rate: Attribute; 0 for the device's
    // result: completion times, ns
    const auto run = [&](const std::string& order,
                         const Traffic& flows,
                         DataRate rate = DataRate(0)) -> std::vector<int64_t>
    {
        Network network;
        network.helper.SetAttribute("Order", StringValue(order));
        network.helper.SetAttribute("Rate", DataRateValue(rate));
        network.Run(flows);
        return ListOf<int64_t>(flows.size(), [&](uint32_t i) { return network.GetTime(i) / 1000; });
    };
    using Times = std::vector<int64_t>;
    const Traffic equal{{0, 2, 10 * FULL, Time(0)}, {0, 3, 10 * FULL, Time(0)}};
    const bool robin = run("RoundRobin", equal) == Times{19 * 1200 + REST, 20 * 1200 + REST};
    NS_TEST_EXPECT_MSG_EQ(robin, true, "packet by packet");
    const bool fifo = run("Fifo", equal) == Times{10 * 1200 + REST, 20 * 1200 + REST};
    NS_TEST_EXPECT_MSG_EQ(fifo, true, "one after the other");

    // The second starts while the third packet of the first leaves, from 2400 to 3600 ns; the
    // third flow starts long after the line has become idle.
    const Traffic late{{0, 2, 10 * FULL, Time(0)},
                       {0, 3, FULL, NanoSeconds(3000)},
                       {0, 3, FULL, MicroSeconds(50)}};
    const bool shortest =
        run("ShortestRemaining", late) == Times{11 * 1200 + REST, 600 + 1200 + REST, 1200 + REST};
    NS_TEST_EXPECT_MSG_EQ(shortest, true, "the short flow overtakes");
    const bool first =
        run("Fifo", late) == Times{10 * 1200 + REST, 11 * 1200 - 3000 + REST, 1200 + REST};
    NS_TEST_EXPECT_MSG_EQ(first, true, "the short flow waits");

    // At half the rate a packet begins each 2400 ns, and the device is idle in between.
    const bool half = run("Fifo", late, DataRate("5Gbps")) ==
                      Times{9 * 2400 + 1200 + REST, 10 * 2400 - 3000 + 1200 + REST, 1200 + REST};
    NS_TEST_EXPECT_MSG_EQ(half, true, "Rate paces packets");
}

/// Lost packets leave flows incomplete, and visible.
ODCN_TEST_CASE(IncompleteTestCase, "a flow that loses packets is incomplete")
{
    Network network;
    network.helper.SetRecorderAttribute("ClassEdges", StringValue("2000,20000"));
    const Traffic flows{{0, 2, 3 * FULL, Time(0)},
                        {0, 3, 20000, MicroSeconds(9)},
                        {2, 3, 1000, Time(0)},
                        {3, 2, 1000, Seconds(9)}};
    network.helper.Install(network.fabric->GetServers(), flows);
    const Ptr<FlowRecorder> recorder = network.helper.GetRecorder();
    // The circuit is lost during the second flow.
    Simulator::Schedule(MicroSeconds(15),
                        &OcsFabric::Apply,
                        network.fabric,
                        std::vector<OcsCircuit>{{0, 0, NO_RACK, 0}});
    RunFor(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(recorder->GetNStarted(), 3, "started");
    NS_TEST_EXPECT_MSG_EQ(recorder->GetNCompleted(), 2, "completed");
    NS_TEST_EXPECT_MSG_EQ(std::isnan(recorder->GetSlowdown(1)), true, "no slowdown");
    NS_TEST_EXPECT_MSG_EQ(recorder->DescribeIncomplete(),
                          "2 of 4 flows were not received in full (start later: 1, sent, but not "
                          "received in full: 1); the first is flow 1, 20000 bytes from host 0 to "
                          "host 3, which starts at 9e-06 s",
                          "how many and why");
    const std::vector<FlowSummary> rows = recorder->Summarise();
    NS_TEST_ASSERT_MSG_EQ(rows.size(), 4, "three classes and the sum");
    const std::vector<std::pair<uint64_t, uint64_t>> expected{{2, 1}, {1, 0}, {1, 1}, {4, 2}};
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(rows[i].flows, expected[i].first, "flows of class " << i);
        NS_TEST_EXPECT_MSG_EQ(rows[i].incomplete, expected[i].second, "incomplete in " << i);
    }
    // Incomplete flows are later than all others.
    NS_TEST_EXPECT_MSG_EQ(rows[2].time.mean, HUGE_VAL, "no completed flow of this class");
    NS_TEST_EXPECT_MSG_EQ_TOL(rows[3].time.p50, 3 * 1200e-9 + REST * 1e-9, 1e-15, "two of four");
    NS_TEST_EXPECT_MSG_EQ(rows[3].time.p99, HUGE_VAL, "p99 of all");
    NS_TEST_EXPECT_MSG_EQ(rows[3].slowdown.p90, HUGE_VAL, "p90 of the slowdown of all");
    NS_TEST_EXPECT_MSG_EQ_TOL(rows[1].time.p99, 3 * 1200e-9 + REST * 1e-9, 1e-15, "one flow");

    const std::string path = CreateTempDirFilename("flows.csv");
    recorder->WriteFlows(path);
    const std::vector<std::string> flowLines = LinesOf(std::ifstream(path));
    NS_TEST_ASSERT_MSG_EQ(flowLines.size(), 5, "header and flows");
    NS_TEST_EXPECT_MSG_EQ(flowLines[0],
                          "flow,source,destination,bytes,start_ns,completion_ns,slowdown,"
                          "unloaded_slowdown",
                          "header");
    NS_TEST_EXPECT_MSG_EQ(flowLines[1].find("0,0,2,4368,0,5800,1."), 0, flowLines[1]);
    NS_TEST_EXPECT_MSG_EQ(flowLines[2], "1,0,3,20000,9000,,,", "incomplete");
    recorder->WriteSummary(path);
    const std::vector<std::string> summaryLines = LinesOf(std::ifstream(path));
    NS_TEST_ASSERT_MSG_EQ(summaryLines.size(), 5, "header, classes and sum");
    NS_TEST_EXPECT_MSG_EQ(summaryLines[2].find("2000,20000,1,0,5.8e-06,5.8e-06,"),
                          0,
                          summaryLines[2]);
    NS_TEST_EXPECT_MSG_EQ(summaryLines[3],
                          "20000,,1,1,inf,inf,inf,inf,inf,inf,inf,inf,,,,",
                          "no completed flow");
    recorder->WriteGoodput(path);
    // 4368 and 1000 bytes, and four packets of the second flow before the circuit is lost.
    const std::vector<std::string> goodputLines = LinesOf(std::ifstream(path));
    NS_TEST_ASSERT_MSG_EQ(goodputLines.size(), 2, "header and 1 ms");
    const double gbps = std::stod(goodputLines[1].substr(goodputLines[1].find(',') + 1));
    NS_TEST_EXPECT_MSG_EQ_TOL(gbps, (5368 + 4 * 1456) * 8e-6, 1e-12, goodputLines[1]);

    NS_TEST_EXPECT_MSG_NE(
        GetRefusal([&] { recorder->SetAttribute("ClassEdges", StringValue("10,10")); }),
        "",
        "edges that do not increase");
}

/// As above, for some time without a circuit, and what is lost is sent again.
ODCN_TEST_CASES(RepairTestCase,
                uint32_t,
                "a flow that loses packets is repaired, window " + std::to_string(parameter),
                0,
                4)
{
    Network network;
    network.helper.SetAttribute("Repair", StringValue("Nack"));
    network.helper.SetAttribute("ReorderTime", TimeValue(MicroSeconds(50)));
    network.helper.SetAttribute("RepairTimeout", TimeValue(MicroSeconds(200)));
    network.helper.SetAttribute("Window", UintegerValue(parameter));
    network.helper.SetRecorderAttribute("BaseLatency", TimeValue(NanoSeconds(REST)));
    // A packet has 16 bytes more of headers.
    constexpr uint64_t FULL_AGAIN = FULL - 16;
    const Traffic flows{{0, 2, 3 * FULL_AGAIN, Time(0)}, {0, 3, 20 * FULL_AGAIN, MicroSeconds(9)}};
    const auto hosts = network.helper.Install(network.fabric->GetServers(), flows);
    for (const auto& [at, rack] : std::vector<std::pair<uint32_t, RackId>>{{15, NO_RACK}, {100, 1}})
    {
        Simulator::Schedule(MicroSeconds(at),
                            &OcsFabric::Apply,
                            network.fabric,
                            std::vector<OcsCircuit>{{0, 0, rack, 0}});
    }
    Simulator::Run();
    const Ptr<FlowRecorder> recorder = network.helper.GetRecorder();
    NS_TEST_EXPECT_MSG_EQ(recorder->GetNCompleted(), 2, "completed");
    NS_TEST_EXPECT_MSG_EQ(network.GetTime(0), 3 * 1200000 + REST * 1000, "not lost");
    NS_TEST_EXPECT_MSG_EQ_TOL(recorder->GetSlowdown(0), 1, 1e-12, "headers count");
    // The switch takes 10 ms, and timeouts double.
    NS_TEST_EXPECT_MSG_GT(recorder->GetCompletionTime(1), MilliSeconds(10), "after the outage");
    NS_TEST_EXPECT_MSG_LT(recorder->GetCompletionTime(1), MilliSeconds(21), "in twice the time");
    const auto counts = DynamicCast<FlowApplication>(hosts.Get(0))->GetMessageCounts();
    NS_TEST_EXPECT_MSG_EQ(counts.packets, 23, "each once");
    NS_TEST_EXPECT_MSG_GT(counts.again, 0, "and some again");
}

/// Uplinks of two rates.
ODCN_TEST_CASE(HoldRateTestCase, "held flows are paced by the circuit that they wait for")
{
    const SimulationEnd end;
    OcsHelper ocs;
    ocs.SetTorAttribute("NoCircuit", StringValue("Hold"));
    ocs.SetServerAttribute("DataRate", DataRateValue(DataRate("10Gbps")));
    const Ptr<OcsFabric> fabric = ocs.Build({3, 1, 2, 2});
    ocs.InstallServers(fabric);
    fabric->GetUplink(0, 0)->SetDataRate(DataRate("1Gbps"));
    fabric->GetUplink(0, 1)->SetDataRate(DataRate("10Gbps"));
    fabric->Preset({{0, 0, 1, 0}, {0, 1, 2, 1}});
    FlowHelper helper;
    helper.SetAttribute("Hold", BooleanValue(true));
    helper.Install(fabric, {{0, 2, 100 * FULL, Time(0)}});
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(helper.GetRecorder()->GetNCompleted(), 1, "complete");
    // 100 packets of 1.2 us; it was 1.2 ms, by the other uplink's rate.
    NS_TEST_EXPECT_MSG_GT(helper.GetRecorder()->GetCompletionTime(0), MicroSeconds(120), "time");
    NS_TEST_EXPECT_MSG_LT(helper.GetRecorder()->GetCompletionTime(0), MicroSeconds(130), "time");
}

/// What a monitor sees of held packets.
ODCN_TEST_CASE(HeldMonitorTestCase, "a monitor counts packets that wait for a circuit")
{
    const SimulationEnd end;
    OcsHelper ocs;
    ocs.SetTorAttribute("NoCircuit", StringValue("Hold"));
    const Ptr<OcsFabric> fabric = ocs.Build({2, 1, 1, 1});
    ocs.InstallServers(fabric);
    FlowHelper helper;
    helper.Install(fabric, {{0, 1, 10 * FULL, Time(0)}});
    const Ptr<OcsPacketMonitor> monitor = CreateObject<OcsPacketMonitor>();
    monitor->SetFabric(fabric);
    QueueLength waiting;
    Simulator::Schedule(MilliSeconds(1), [&] { waiting = monitor->GetTorQueue(0); });
    Simulator::Schedule(MilliSeconds(2), &OcsFabric::PresetAllToAll, fabric);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(waiting.packets, 10, "all of them");
    NS_TEST_EXPECT_MSG_EQ(waiting.bytes, 10 * 1500, "with headers");
    NS_TEST_EXPECT_MSG_EQ(monitor->GetTorQueue(0).packets, 0, "sent");
    NS_TEST_EXPECT_MSG_EQ(helper.GetRecorder()->GetNCompleted(), 1, "complete");
}

/// Packets bear the class of their flow.
ODCN_TEST_CASES(ClassTestCase, std::string, "DSCP by class, " + parameter, "Udp", "Tcp")
{
    std::map<std::pair<Ipv4Address, uint8_t>, uint32_t> packets; // by sender and TOS
    std::map<uint8_t, std::set<std::pair<int, int>>> portPairs;  // by TOS
    const auto leaves = [&](Ptr<const Packet> packet)
    {
        Ipv4Header ip;
        packet->PeekHeader(ip);
        ++packets[{ip.GetSource(), ip.GetTos()}];
        // UDP and TCP headers begin with the ports.
        uint8_t bytes[24];
        packet->CopyData(bytes, sizeof(bytes));
        portPairs[ip.GetTos()].insert({bytes[20] << 8 | bytes[21], bytes[22] << 8 | bytes[23]});
    };
    Network network;
    network.helper.SetAttribute("Transport", StringValue(parameter));
    network.helper.SetAttribute("ShortFlows", UintegerValue(10000));
    for (uint32_t i = 0; i < 4; ++i)
    {
        Listen(network.fabric->GetServerDevices().Get(i), "PhyTxBegin", leaves);
    }
    network.Run({{0, 2, 9999, Time(0)}, {1, 3, 10000, Time(0)}});
    NS_TEST_ASSERT_MSG_EQ(network.helper.GetRecorder()->GetNCompleted(), 2, "completed");
    for (uint32_t host = 0; host < 4; ++host)
    {
        const Ipv4Address address = network.fabric->GetServerAddress(host / 2, host % 2);
        const uint8_t tos = host % 2 == 0 ? FlowApplication::SHORT_TOS : 0;
        const bool sends = parameter == "Tcp" || host < 2;
        const uint32_t right = packets[{address, tos}];
        const uint32_t wrong = packets[{address, uint8_t(FlowApplication::SHORT_TOS - tos)}];
        NS_TEST_EXPECT_MSG_EQ((right >= (sends ? 5 : 0)), true, "packets of host " << host);
        NS_TEST_EXPECT_MSG_EQ((right > 0), sends, "packets of host " << host);
        NS_TEST_EXPECT_MSG_EQ(wrong, 0, "of another class");
    }
    for (const auto& [key, count] : packets)
    {
        const bool known = key.second == 0 || key.second == FlowApplication::SHORT_TOS;
        NS_TEST_EXPECT_MSG_EQ(known, true, "no third class");
    }
    for (const auto& [tos, pairs] : portPairs)
    {
        const int port = tos == 0 ? 48700 : 48701;
        for (const auto& [source, destination] : pairs)
        {
            NS_TEST_EXPECT_MSG_EQ((source == port || destination == port), true, "port");
        }
    }
    // One flow of each class; with TCP acknowledgements go the other way.
    NS_TEST_EXPECT_MSG_EQ(portPairs[0].size(), (parameter == "Tcp" ? 2 : 1), "one flow");
}

/// Ports that Wireshark takes for other protocols would hide the packets of a pcap file in their
/// columns. .ci/check-ports asks tshark about these, and about the files that are written here.
ODCN_TEST_CASES(OwnPortsTestCase,
                std::string,
                "ports that no dissector claims, by " + parameter,
                "Udp",
                "Nack",
                "Tcp")
{
    const bool tcp = parameter == "Tcp";
    FlowHelper::SetDataCentreTcp();
    Network network;
    network.helper.SetAttribute("Transport", StringValue(tcp ? "Tcp" : "Udp"));
    network.helper.SetAttribute("Repair", StringValue(parameter == "Nack" ? "Nack" : "None"));
    network.helper.SetAttribute("Window", UintegerValue(parameter == "Nack" ? 2 : 0));
    network.helper.SetAttribute("ShortFlows", UintegerValue(1000));
    std::set<int> ports;
    const auto leaves = [&](Ptr<const Packet> packet)
    {
        uint8_t bytes[24]; // up to the ports
        packet->CopyData(bytes, sizeof(bytes));
        ports.insert({bytes[20] << 8 | bytes[21], bytes[22] << 8 | bytes[23]});
    };
    OcsDeviceHelper devices;
    for (uint32_t i = 0; i < 4; ++i)
    {
        const Ptr<NetDevice> device = network.fabric->GetServerDevices().Get(i);
        Listen(device, "PhyTxBegin", leaves);
        const std::string name = "ports-" + parameter + "-" + std::to_string(i) + ".pcap";
        devices.EnablePcap(CreateTempDirFilename(name), device, false, true);
    }
    // Enough for source ports to begin again.
    Traffic flows(std::vector<Traffic::Item>(tcp ? 20 : 5600, {0, 2, 1, Time(0)}));
    flows.Add({1, 3, 20000, Time(0)});
    const ApplicationContainer hosts = network.helper.Install(network.fabric->GetServers(), flows);
    for (uint32_t i = 0; i < 4; ++i)
    {
        DynamicCast<FlowApplication>(hosts.Get(i))->AcceptMessages();
    }
    uint32_t messages = 0;
    Listen(hosts.Get(0), "MessageReceived", [&](const FlowMessage&) { ++messages; });
    const auto sender = DynamicCast<FlowApplication>(hosts.Get(3));
    sender->Send(network.fabric->GetServerAddress(0, 0), 999, 1);
    sender->Send(network.fabric->GetServerAddress(0, 0), 20000, 2);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(network.helper.GetRecorder()->GetNCompleted(), flows.size(), "flows");
    NS_TEST_EXPECT_MSG_EQ(messages, 2, "messages");
    for (const int port : ports)
    {
        const bool own = port >= 48700 && port <= 48705;
        const bool source = tcp ? port > 49152 && port < 49200 : port >= 60002 && port < 65535;
        NS_TEST_EXPECT_MSG_EQ((own || source), true, "port " << port);
    }
    constexpr std::size_t listening = 4;
    NS_TEST_EXPECT_MSG_EQ(
        std::distance(ports.begin(), ports.lower_bound(48710)),
        listening,
        "flows and messages of both classes; by Nack messages, answers and credits");
    if (!tcp)
    {
        NS_TEST_EXPECT_MSG_EQ((ports.size() - listening), 5533, "source ports");
    }
    Config::Reset();
}

/// All others listen on a port that their Attribute sets.
ODCN_TEST_CASE(PortsTestCase, "every Attribute Port is one that no dissector claims")
{
    std::map<std::string, std::string> ports;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        TypeId::AttributeInformation port;
        if (type.GetName().rfind("ns3::odcn::", 0) == 0 &&
            type.LookupAttributeByName("Port", &port))
        {
            ports[type.GetName().substr(11)] = port.initialValue->SerializeToString(port.checker);
        }
    }
    const std::map<std::string, std::string> expected{{"BulkMigrationApplication", "49300"},
                                                      {"FlowApplication", "48700"},
                                                      {"JobFlowApplication", "48710"},
                                                      {"ManagementNetwork", "49153"},
                                                      {"RingAllReduceApplication", "49200"}};
    for (const auto& [type, port] : ports)
    {
        const auto found = expected.find(type);
        NS_TEST_ASSERT_MSG_EQ((found != expected.end()), true, type << " at " << port);
        NS_TEST_EXPECT_MSG_EQ(port, found->second, type);
    }
    NS_TEST_EXPECT_MSG_EQ(ports.size(), expected.size(), "types");
}

/// A host that stops closes its connections, wherever their sockets lie in memory.
ODCN_TEST_CASE(StopTestCase, "an application closes its connections in the order of their numbers")
{
    FlowHelper::SetDataCentreTcp();
    // Free places for sockets, in any order.
    constexpr std::size_t PLACES = 400;
    std::vector<void*> places(PLACES);
    std::generate(places.begin(), places.end(), [] { return std::malloc(sizeof(TcpSocketBase)); });
    std::vector<int> closed; // ports at the other end
    const auto leaves = [&closed](Ptr<const Packet> packet)
    {
        const Ptr<Packet> copy = packet->Copy();
        Ipv4Header ip;
        TcpHeader tcp;
        copy->RemoveHeader(ip);
        copy->RemoveHeader(tcp);
        if ((tcp.GetFlags() & TcpHeader::FIN) != 0)
        {
            closed.push_back(tcp.GetDestinationPort());
        }
    };
    Network network;
    network.helper.SetAttribute("Transport", StringValue("Tcp"));
    const Traffic flows(std::vector<Traffic::Item>(8, {0, 2, 1000000000, Time(0)}));
    const auto hosts = network.helper.Install(network.fabric->GetServers(), flows);
    hosts.Get(2)->SetStopTime(MicroSeconds(500));
    Listen(network.fabric->GetServerDevices().Get(2), "PhyTxBegin", leaves);
    // Neighbours would become one place.
    const auto odd = std::stable_partition(places.begin(),
                                           places.end(),
                                           [i = 0](void*) mutable { return ++i % 2 == 0; });
    std::shuffle(places.begin(), odd, std::mt19937(1));
    std::for_each(places.begin(), odd, std::free);
    RunFor(MicroSeconds(600));
    std::for_each(odd, places.end(), std::free);
    NS_TEST_EXPECT_MSG_EQ(closed.size(), flows.size(), "all are closed");
    NS_TEST_EXPECT_MSG_EQ(std::is_sorted(closed.begin(), closed.end()), true, "by number");
}

/// Flows by TCP.
ODCN_TEST_CASE(FlowTcpTestCase, "flows by TCP")
{
    FlowHelper::SetDataCentreTcp();
    {
        Network network;
        network.helper.SetAttribute("Transport", StringValue("Tcp"));
        network.Run({{0, 2, 1000, MicroSeconds(7)}, {3, 1, 5000000, Time(0)}});
        // SYN and SYN-ACK of 60 bytes or fewer, then ACK and data of 1000 + 16 + 52 bytes; a
        // packet of b bytes takes 700 ns and 1.8 ns a byte from host to host.
        const int64_t three = network.GetTime(0) / 1000;
        const int64_t data = 700 + 1068 * 18 / 10;
        NS_TEST_EXPECT_MSG_EQ((three >= 2 * (700 + 40 * 18 / 10) + data), true, "set-up");
        NS_TEST_EXPECT_MSG_EQ((three <= 3 * (700 + 60 * 18 / 10) + data), true, "set-up");
        const double slowdown = network.helper.GetRecorder()->GetSlowdown(1);
        NS_TEST_EXPECT_MSG_EQ((slowdown > 1 && slowdown < 1.02), true, "4 ms at line rate");
    }
    DataCentreTcp settings;
    settings.congestionControl = "ns3::TcpDctcp";
    FlowHelper::SetDataCentreTcp(settings);
    {
        Network network;
        network.helper.SetAttribute("Transport", StringValue("Tcp"));
        network.helper.SetAttribute("PacketSize", UintegerValue(1000));
        uint32_t capable = 0; // packets that may be marked
        uint32_t largest = 0;
        const auto leaves = [&](Ptr<const Packet> packet)
        {
            Ipv4Header ip;
            packet->PeekHeader(ip);
            capable += ip.GetEcn() != Ipv4Header::ECN_NotECT;
            largest = std::max(largest, packet->GetSize());
        };
        Listen(network.fabric->GetServerDevice(0, 0), "PhyTxBegin", leaves);
        // The circuit is dark from the first SYN on: the SYN is repeated after 2 ms.
        network.fabric->Apply(std::vector<OcsCircuit>{{0, 0, NO_RACK, 0}});
        Simulator::Schedule(MilliSeconds(1),
                            &OcsFabric::Preset,
                            network.fabric,
                            std::vector<OcsCircuit>{{0, 0, 1, 0}});
        network.Run({{0, 2, 100000, Time(0)}});
        const int64_t time = network.GetTime(0) / 1000;
        NS_TEST_EXPECT_MSG_EQ((time > 2000000 && time < 2200000), true, "after one timeout");
        NS_TEST_EXPECT_MSG_EQ((capable >= 105), true, "ECN-capable packets");
        NS_TEST_EXPECT_MSG_EQ(largest, 1000, "PacketSize");
    }
    Config::Reset();
}

/// Wrong calls are refused in one line and change nothing.
ODCN_TEST_CASE(FlowRefusalTestCase, "flows that cannot be")
{
    // helper: installs; hosts: the hosts; flow: the only flow; result: the error
    const auto refuse =
        [&](FlowHelper helper, const NodeContainer& hosts, const Traffic::Item& flow) -> std::string
    {
        return GetRefusal(
            [&]
            {
                helper.Install(hosts, {flow});
                Simulator::Run();
            });
    };
    const Traffic::Item good{0, 2, 1000, Time(0)};
    {
        Network network;
        const NodeContainer hosts = network.fabric->GetServers();
        for (const Traffic::Item& flow : {Traffic::Item{0, 4, 1000, Time(0)},
                                          Traffic::Item{4, 0, 1000, Time(0)},
                                          Traffic::Item{2, 2, 1000, Time(0)},
                                          Traffic::Item{0, 2, 0, Time(0)},
                                          Traffic::Item{0, 2, 1000, Time(0) - TimeStep(1)}})
        {
            NS_TEST_EXPECT_MSG_NE(refuse(network.helper, hosts, flow), "", "refused");
            NS_TEST_EXPECT_MSG_EQ(hosts.Get(0)->GetNApplications(), 0, "not installed");
        }
        NS_TEST_EXPECT_MSG_EQ(
            refuse(network.helper, NodeContainer(CreateObject<Node>(), CreateObject<Node>()), good),
            "FlowHelper: host 0 has no IPv4 address",
            "no stack");
        NS_TEST_EXPECT_MSG_EQ(refuse(network.helper, hosts, good), "", "accepted");
    }
    {
        Network network;
        const NodeContainer hosts = network.fabric->GetServers();
        FlowHelper other;
        other.SetAttribute("Port", UintegerValue(48702));
        other.Install(hosts, {good});
        NS_TEST_EXPECT_MSG_EQ(refuse(network.helper, hosts, good), "", "other ports");
        NS_TEST_EXPECT_MSG_EQ(other.GetRecorder()->GetNCompleted(), 1, "both complete");
    }
    {
        Network network;
        const NodeContainer hosts = network.fabric->GetServers();
        network.helper.Install(hosts, {good});
        const std::string node = std::to_string(hosts.Get(0)->GetId());
        NS_TEST_EXPECT_MSG_EQ(refuse(network.helper, hosts, good),
                              "FlowApplication::Port: found '48700', expected two ports that "
                              "are free on node " +
                                  node,
                              "the same ports");
    }
    for (const std::string transport : {"Udp", "Tcp"})
    {
        Network network;
        network.helper.SetAttribute("Hold", BooleanValue(true));
        network.helper.SetAttribute("Transport", StringValue(transport));
        NS_TEST_EXPECT_MSG_EQ(refuse(network.helper, network.fabric->GetServers(), good),
                              "FlowApplication::Hold: found 'true', expected Transport=Udp, "
                              "and FlowHelper::Install() with an OcsFabric",
                              "no ToR switch to wait for");
    }
    {
        // The circuit is up already; the host hears of it after 100 ns.
        Network network;
        network.helper.SetAttribute("Hold", BooleanValue(true));
        network.helper.Install(network.fabric, {{0, 2, FULL, Time(0)}});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.GetTime(0), (100 + 1200 + REST) * 1000, "held");
    }
    Network network;
    network.helper.SetAttribute("PacketSize", UintegerValue(1501));
    NS_TEST_EXPECT_MSG_EQ(refuse(network.helper, network.fabric->GetServers(), good),
                          "FlowApplication::PacketSize: found '1501', expected up to the Mtu "
                          "of 1500 bytes",
                          "too large");
    DataCentreTcp settings;
    settings.congestionControl = "ns3::TcpNoSuch";
    const std::string error = GetRefusal([&] { FlowHelper::SetDataCentreTcp(settings); });
    NS_TEST_EXPECT_MSG_EQ(error,
                          "congestion control: found 'ns3::TcpNoSuch', expected a "
                          "TcpCongestionOps, for example ns3::TcpDctcp",
                          "unknown");
}

/// FlowReport counts what ns-3's own probes count.
ODCN_TEST_CASES(FlowReportTestCase,
                bool,
                std::string("as ns-3's probes, packets dropped by ") +
                    (parameter ? "queue discs" : "devices"),
                false,
                true)
{
    const bool flowControl = parameter; // hosts have queue discs, which drop in place of the device
    Config::SetDefault("ns3::FqCoDelQueueDisc::MaxSize", StringValue("20p"));
    OcsHelper ocs;
    ocs.SetServerAttribute("DataRate", DataRateValue(DataRate("10Gbps")));
    ocs.SetServerQueue("ns3::DropTailQueue", QueueSize("5p"));
    if (flowControl)
    {
        ocs.EnableFlowControl();
    }
    OcsFabricSize size;
    size.racks = 2;
    size.serversPerRack = 2;
    const Ptr<OcsFabric> fabric = ocs.Build(size);
    ocs.InstallServers(fabric);
    fabric->PresetAllToAll();
    FlowMonitorHelper helper;
    const Ptr<FlowMonitor> stock = helper.Install(fabric->GetServers());
    FlowReport report(MilliSeconds(1));
    report.Install(fabric->GetServers());

    const uint16_t port = 9;
    for (uint32_t i = 0; i < 4; ++i)
    {
        const Ptr<Node> node = fabric->GetServer(i / 2, i % 2);
        const Ptr<Socket> socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
        // To another rack, to nobody, and from rack 0 over an interface that goes down.
        for (const auto& to : {fabric->GetServerAddress(1 - i / 2, 0), Ipv4Address("10.0.0.77")})
        {
            for (uint32_t packet = 0; packet < 40; ++packet)
            {
                Simulator::Schedule(
                    NanoSeconds(300 * packet + 7 * i),
                    [=]()
                    { socket->SendTo(Create<Packet>(1000), 0, InetSocketAddress(to, port)); });
            }
        }
    }
    const Ptr<Ipv4> down = fabric->GetServer(0, 1)->GetObject<Ipv4>();
    Simulator::Schedule(MicroSeconds(6), [=]() { down->SetDown(1); });
    RunFor(Seconds(1));

    std::ostringstream mine;
    report.Write(mine);
    std::ostringstream theirs;
    theirs.precision(15);
    stock->CheckForLostPackets();
    stock->SerializeToXmlStream(theirs, 0, true, false);
    NS_TEST_EXPECT_MSG_EQ(mine.str(), theirs.str(), "the same XML");
    const auto reason = flowControl ? Ipv4FlowProbe::DROP_QUEUE_DISC : Ipv4FlowProbe::DROP_QUEUE;
    uint64_t received = 0;
    uint64_t dropped = 0;
    for (const auto& [id, flow] : report.GetMonitor()->GetFlowStats())
    {
        received += flow.rxPackets;
        dropped += flow.packetsDropped.size() > reason ? flow.packetsDropped[reason] : 0;
    }
    NS_TEST_EXPECT_MSG_GT(received, 20, "some arrive");
    NS_TEST_EXPECT_MSG_GT(dropped, 10, "some are lost");
    Simulator::Destroy();
    Config::Reset();
}

/// FlowApplication, FlowRecorder and FlowHelper.
PicosecondSuite g_flowTestSuite("odcn-flow");

} // namespace
