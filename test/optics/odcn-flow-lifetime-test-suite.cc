// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Flows whose helpers are temporaries, whose traces send, stop and dispose, whose circuits are dark
 * for long, and whose packets are marked or choose between paths on the way.
 */

#include "../core/odcn-test-case.h"

#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ocs-helper.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/red-queue-disc.h"
#include "ns3/tcp-socket-base.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Two racks of two servers with circuits in both directions.
struct FlowWorld
{
    /// @param ocs helper with Attributes
    explicit FlowWorld(OcsHelper ocs = OcsHelper())
    {
        fabric = ocs.Build({2, 2, 1, 1});
        ocs.InstallServers(fabric);
        fabric->PresetAllToAll();
    }

    /// @param index of an application of @p applications
    Ptr<FlowApplication> Get(uint32_t index) const
    {
        return DynamicCast<FlowApplication>(applications.Get(index));
    }

    /// @return address of a server @param host its number
    Ipv4Address GetAddress(uint32_t host) const
    {
        return fabric->GetServerAddress(host / 2, host % 2);
    }

    Ptr<OcsFabric> fabric;             //!< hosts 0 and 1 in rack 0, 2 and 3 in rack 1
    ApplicationContainer applications; //!< one a host
    SimulationEnd end;                 //!< of the simulation
};

/// A recorder is kept by the applications that it records.
ODCN_TEST_CASE(FlowHelperTestCase, "a helper may end before the run, and install twice")
{
    {
        FlowWorld world;
        world.applications = FlowHelper().Install(world.fabric, {{0, 2, 100000, Time(0)}});
        std::size_t completed = 0;
        Listen(world.Get(2), "FlowCompleted", [&](uint32_t, Time) { ++completed; });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(completed, 1, "the flow of a temporary helper");
    }
    FlowWorld world;
    FlowHelper helper;
    helper.Install(world.fabric, {{0, 2, 10000, Time(0)}});
    const Ptr<FlowRecorder> first = helper.GetRecorder();
    helper.SetAttribute("Port", UintegerValue(6000));
    helper.Install(world.fabric, {{1, 3, 10000, MilliSeconds(1)}, {3, 0, 10, Time(0)}});
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(first->GetNCompleted(), 1, "flows of the first");
    NS_TEST_EXPECT_MSG_EQ(helper.GetRecorder()->GetNCompleted(), 2, "flows of the second");
}

/// Sinks send, stop and dispose.
ODCN_TEST_CASE(FlowSinkTestCase, "sinks of an application's traces may send, stop and dispose")
{
    for (const std::string transport : {"Udp", "Tcp"})
    {
        for (const std::string what : {"send", "stop", "dispose"})
        {
            for (const std::string trace :
                 {"FlowStarted", "Rx", "FlowCompleted", "MessageReceived"})
            {
                FlowWorld world;
                FlowHelper helper;
                helper.SetAttribute("Transport", StringValue(transport));
                helper.SetAttribute("Repair", StringValue(transport == "Udp" ? "Nack" : "None"));
                world.applications = helper.Install(
                    world.fabric,
                    {{0, 2, 100000, Time(0)}, {2, 0, 100000, Time(0)}, {2, 1, 100000, Seconds(1)}});
                uint32_t fired = 0;
                std::size_t received = 0;
                const Ptr<FlowApplication> watched = world.Get(2);
                const auto act = [&]
                {
                    if (++fired > 1)
                    {
                        return;
                    }
                    if (what == "send")
                    {
                        // More than fit where the first flows are kept.
                        for (int i = 0; i < 50; ++i)
                        {
                            watched->Send(world.GetAddress(1), 1000, 7);
                        }
                    }
                    else if (what == "stop")
                    {
                        watched->SetStopTime(Simulator::Now());
                        Simulator::ScheduleNow(&Simulator::Stop);
                    }
                    else
                    {
                        watched->Dispose();
                    }
                };
                for (uint32_t host = 0; host < 4; ++host)
                {
                    world.Get(host)->AcceptMessages();
                }
                Listen(world.Get(1), "MessageReceived", [&](const FlowMessage&) { ++received; });
                if (trace == "FlowStarted")
                {
                    Listen(watched, trace, [&](uint32_t) { act(); });
                }
                else if (trace == "Rx")
                {
                    Listen(watched, trace, [&](uint32_t, uint32_t) { act(); });
                }
                else if (trace == "FlowCompleted")
                {
                    Listen(watched, trace, [&](uint32_t, Time) { act(); });
                }
                else
                {
                    Listen(watched, trace, [&](const FlowMessage&) { act(); });
                    world.Get(0)->Send(world.GetAddress(2), 5000, 1);
                }
                Simulator::Stop(Seconds(2));
                Simulator::Run();
                NS_TEST_EXPECT_MSG_GT(fired, 0, transport << ", " << trace << " was fired");
                NS_TEST_EXPECT_MSG_EQ(received,
                                      (what == "send" ? 50 : 0),
                                      transport << ", " << trace << ", " << what);
            }
        }
    }
}

/// The circuits of host 0's rack fail for a time.
/// @param world racks  @param from begin  @param to end
void
Darken(const FlowWorld& world, Time from, Time to)
{
    const Ptr<OcsNetDevice> uplink = world.fabric->GetUplink(0, 0);
    Simulator::Schedule(from, &OcsNetDevice::Fail, uplink);
    Simulator::Schedule(to, &OcsNetDevice::Repair, uplink);
}

/// TCP flows and messages outlive long dark times.
ODCN_TEST_CASE(DarkTimeTestCase, "TCP goes on after dark times of any length")
{
    for (const bool begun : {false, true})
    {
        FlowWorld world;
        FlowHelper::SetDataCentreTcp({});
        FlowHelper helper;
        helper.SetAttribute("Transport", StringValue("Tcp"));
        // ns-3's own six retries are over after 62 ms.
        Darken(world, begun ? MilliSeconds(1) : Time(0), MilliSeconds(400));
        helper.Install(world.fabric, {{0, 2, 20000000, begun ? Time(0) : MilliSeconds(1)}});
        Simulator::Stop(Seconds(5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(helper.GetRecorder()->GetNCompleted(), 1, "complete");
        const double seconds = helper.GetRecorder()->GetCompletionTime(0).GetSeconds();
        NS_TEST_EXPECT_MSG_GT(seconds, 0.39, "after the dark time");
        NS_TEST_EXPECT_MSG_LT(seconds, 1.2, "at most about as long again");
        Config::Reset();
    }
}

/// A host stops, to which another has a connection for messages.
ODCN_TEST_CASE(ClosedStreamTestCase, "a message by a connection that was closed is refused")
{
    FlowWorld world;
    FlowHelper helper;
    helper.SetAttribute("Transport", StringValue("Tcp"));
    world.applications = helper.Install(world.fabric, {{1, 3, 1000, Time(0)}});
    std::size_t received = 0;
    for (uint32_t host = 0; host < 4; ++host)
    {
        world.Get(host)->AcceptMessages();
        Listen(world.Get(host), "MessageReceived", [&](const FlowMessage&) { ++received; });
    }
    world.Get(2)->SetStopTime(MilliSeconds(50));
    world.Get(0)->Send(world.GetAddress(2), 1000, 1);
    std::string said;
    Simulator::Schedule(
        MilliSeconds(100),
        [&] { said = GetRefusal([&] { world.Get(0)->Send(world.GetAddress(2), 1000, 2); }); });
    Simulator::Schedule(MilliSeconds(101),
                        [&] { world.Get(0)->Send(world.GetAddress(3), 1000, 3); });
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(received, 2, "the one before, and the one to another host");
    NS_TEST_EXPECT_MSG_NE(said.find("closed"), std::string::npos, "what was said: " << said);
}

/// The congestion mark of a switch leaves the IPv4 header valid.
ODCN_TEST_CASE(MarkedChecksumTestCase, "marked packets have a valid IPv4 checksum")
{
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    for (const std::string noCircuit : {"Hold", "Detour"})
    {
        OcsHelper ocs;
        ocs.SetTorAttribute("NoCircuit", StringValue("Hold"));
        ocs.SetTorAttribute("Routing",
                            StringValue(noCircuit == "Hold" ? "DirectRouting" : "ExpanderRouting"));
        ocs.SetTorAttribute(
            "QueueDisc",
            StringValue("ns3::RedQueueDisc[UseEcn=true|MinTh=2|MaxTh=4|MaxSize=100p]"));
        ocs.SetUplinkAttribute("DataRate", StringValue("5Gbps"));
        DataCentreTcp tcp;
        tcp.congestionControl = "ns3::TcpDctcp";
        FlowHelper::SetDataCentreTcp(tcp);
        FlowWorld world(ocs);
        uint32_t bad = 0;
        uint32_t marked = 0;
        for (uint32_t host = 0; host < 4; ++host)
        {
            const Ptr<Node> node = world.fabric->GetServers().Get(host);
            Listen(node->GetObject<Ipv4L3Protocol>(),
                   "Drop",
                   [&](const Ipv4Header&,
                       Ptr<const Packet>,
                       Ipv4L3Protocol::DropReason reason,
                       Ptr<Ipv4>,
                       uint32_t) { bad += reason == Ipv4L3Protocol::DROP_BAD_CHECKSUM ? 1 : 0; });
            Listen(node->GetObject<Ipv4L3Protocol>(),
                   "LocalDeliver",
                   [&](const Ipv4Header& ip, Ptr<const Packet>, uint32_t)
                   { marked += ip.GetEcn() == Ipv4Header::ECN_CE ? 1 : 0; });
        }
        FlowHelper helper;
        helper.SetAttribute("Transport", StringValue("Tcp"));
        helper.Install(world.fabric, {{0, 2, 1000000, Time(0)}, {1, 3, 1000000, Time(0)}});
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(helper.GetRecorder()->GetNCompleted(), 2, "complete");
        NS_TEST_EXPECT_MSG_GT(marked, 0, "packets with a mark were delivered");
        NS_TEST_EXPECT_MSG_EQ(bad, 0, "packets with a wrong checksum");
        Config::Reset();
    }
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
}

/// Flows from racks 0 and 1 over 2 and 3, then over 4 to 7, to rack 8.
ODCN_TEST_CASE(PolarisationTestCase, "flows that chose alike once do not do so for ever")
{
    SimulationEnd end;
    OcsHelper ocs;
    ocs.SetTorAttribute("NoCircuit", StringValue("Hold"));
    ocs.SetTorAttribute("Routing", StringValue("ExpanderRouting"));
    ocs.SetTorAttribute("Spreading", StringValue("PerFlow"));
    const Ptr<OcsFabric> fabric = ocs.Build({9, 1, 4, 4});
    ocs.InstallServers(fabric);
    std::vector<OcsCircuit> circuits;
    const auto add = [&](RackId from, uint32_t port, RackId to, uint32_t in) {
        circuits.push_back({from, port, to, in});
    };
    add(0, 0, 2, 0);
    add(0, 1, 3, 1);
    add(1, 0, 3, 0);
    add(1, 1, 2, 1);
    add(2, 0, 4, 0);
    add(2, 1, 5, 1);
    add(3, 0, 6, 0);
    add(3, 1, 7, 1);
    for (uint32_t i = 0; i < 4; ++i)
    {
        add(4 + i, i, 8, i);
    }
    fabric->Preset(circuits);
    Traffic flows;
    for (uint32_t i = 0; i < 512; ++i)
    {
        flows.Add({i % 2, 8, 10 * 1456, MicroSeconds(20) * int64_t(i)});
    }
    FlowHelper helper;
    helper.Install(fabric, flows);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(helper.GetRecorder()->GetNCompleted(), 512, "complete");
    for (uint32_t i = 0; i < 4; ++i)
    {
        // Of 512 flows each link has 128 on average, with a standard deviation of 10.
        const uint64_t packets = fabric->GetUplink(4 + i, i)->GetSent();
        NS_TEST_EXPECT_MSG_GT(packets, 880, "packets by rack " << 4 + i);
        NS_TEST_EXPECT_MSG_LT(packets, 1680, "packets by rack " << 4 + i);
    }
}

/// RED drops at random; the run is that of its streams.
ODCN_TEST_CASE(DiscStreamsTestCase, "queue discs draw from the streams of their switch")
{
    std::vector<uint64_t> dropped;
    for (const int64_t stream : {5, 5, 1000005})
    {
        SimulationEnd end;
        OcsHelper ocs;
        ocs.SetTorAttribute("NoCircuit", StringValue("Hold"));
        ocs.SetTorAttribute(
            "QueueDisc",
            StringValue("ns3::RedQueueDisc[MinTh=5|MaxTh=90|LInterm=5|QW=0.1|MaxSize=100p]"));
        ocs.SetUplinkAttribute("DataRate", StringValue("5Gbps"));
        const Ptr<OcsFabric> fabric = ocs.Build({2, 2, 1, 1});
        ocs.InstallServers(fabric);
        fabric->PresetAllToAll();
        fabric->AssignStreams(stream);
        FlowHelper helper;
        Time last;
        helper.Install(fabric, {{0, 2, 3000000, Time(0)}, {1, 3, 3000000, Time(0)}});
        uint64_t fingerprint = 0;
        Listen(fabric->GetTor(0),
               "Drop",
               [&](Ptr<const Packet>, OcsDropCause)
               { fingerprint = fingerprint * 31 + uint64_t(Simulator::Now().GetTimeStep()); });
        Simulator::Run();
        dropped.push_back(fingerprint);
    }
    NS_TEST_EXPECT_MSG_NE(dropped[0], 0, "packets were dropped");
    NS_TEST_EXPECT_MSG_EQ(dropped[0], dropped[1], "the same streams");
    NS_TEST_EXPECT_MSG_NE(dropped[0], dropped[2], "other streams");
}

/// Servers are installed once.
ODCN_TEST_CASE(InstallTwiceTestCase, "servers get one address")
{
    SimulationEnd end;
    OcsHelper ocs;
    const Ptr<OcsFabric> fabric = ocs.Build({2, 2, 1, 1});
    ocs.InstallServers(fabric);
    const std::string said = GetRefusal([&] { ocs.InstallServers(fabric); });
    NS_TEST_EXPECT_MSG_NE(said.find("before"), std::string::npos, said);
    NS_TEST_EXPECT_MSG_EQ(fabric->GetServers().Get(0)->GetObject<Ipv4>()->GetNInterfaces(),
                          2,
                          "loopback and the card");
}

/// The suite.
PicosecondSuite g_flowLifetimeTestSuite("odcn-flow-lifetime");

} // namespace
