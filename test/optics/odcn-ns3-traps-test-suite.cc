// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * What ns-3 itself does under a fabric that goes dark: the rows of doc/optics/dark.rst. A case that
 * fails with a newer ns-3 says that the row is to be written anew.
 */

#include "../core/odcn-test-case.h"

#include "ns3/error-model.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/node-container.h"
#include "ns3/ocs-helper.h"
#include "ns3/odcn-flow-report.h"
#include "ns3/simple-net-device-helper.h"
#include "ns3/simple-net-device.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// UDP port of receivers.
constexpr uint16_t TRAP_PORT = 9;

/// @param node a node  @return a UDP socket there
Ptr<Socket>
OpenUdp(const Ptr<Node>& node)
{
    const auto socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), TRAP_PORT));
    return socket;
}

/// Nodes in a row, each with a link to the next one.
struct Row
{
    /// @param n number of nodes  @param rate of the links
    explicit Row(uint32_t n, const std::string& rate = "10Mbps")
    {
        nodes.Create(n);
        InternetStackHelper().Install(nodes);
        SimpleNetDeviceHelper links;
        links.SetNetDevicePointToPointMode(true);
        links.SetDeviceAttribute("DataRate", StringValue(rate));
        links.SetChannelAttribute("Delay", StringValue("1ms"));
        links.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("10p"));
        Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
        for (uint32_t i = 0; i + 1 < n; ++i)
        {
            devices.push_back(links.Install(NodeContainer(nodes.Get(i), nodes.Get(i + 1))));
            interfaces.push_back(addresses.Assign(devices.back()));
            addresses.NewNetwork();
        }
    }

    /// @return address of the last node
    Ipv4Address GetLast() const
    {
        return interfaces.back().GetAddress(1);
    }

    NodeContainer nodes;                            //!< the nodes
    std::vector<NetDeviceContainer> devices;        //!< of each link
    std::vector<Ipv4InterfaceContainer> interfaces; //!< of each link
    SimulationEnd end;                              //!< of the simulation
};

/// A monitor's view of packets that wait.
struct Seen
{
    uint64_t received; //!< packets
    uint64_t lost;     //!< packets
    double delay;      //!< mean, s
};

/// @param monitor of one flow  @return what it has seen
Seen
Look(const Ptr<FlowMonitor>& monitor)
{
    const auto flow = monitor->GetFlowStats().begin()->second;
    return {flow.rxPackets, flow.lostPackets, flow.delaySum.GetSeconds() / flow.rxPackets};
}

/**
 * Packets 0 to 19 leave every 0.5 s and wait for a circuit until 13.7 s.
 * @param watch called before the run with the servers
 * @return packets that have arrived
 */
uint64_t
WaitForCircuit(const std::function<void(const NodeContainer&)>& watch)
{
    OcsHelper helper;
    helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
    const Ptr<OcsFabric> fabric = helper.Build({2, 1, 1, 1});
    helper.InstallServers(fabric);
    watch(fabric->GetServers());
    const auto sender = OpenUdp(fabric->GetServer(0, 0));
    const auto receiver = OpenUdp(fabric->GetServer(1, 0));
    for (int64_t i = 0; i < 20; ++i)
    {
        Simulator::Schedule(MilliSeconds(500 * i),
                            [=]
                            {
                                sender->SendTo(
                                    Create<Packet>(1000),
                                    0,
                                    InetSocketAddress(fabric->GetServerAddress(1, 0), TRAP_PORT));
                            });
    }
    Simulator::Schedule(MilliSeconds(13700), &OcsFabric::PresetAllToAll, fabric);
    RunFor(Seconds(20));
    uint64_t arrived = 0;
    while (receiver->Recv())
    {
        ++arrived;
    }
    return arrived;
}

/// A packet that waits for ten seconds.
ODCN_TEST_CASE(MonitorTestCase,
               "FlowMonitor counts a packet that waits 10 s as lost; FlowReport does not")
{
    FlowMonitorHelper helper;
    Ptr<FlowMonitor> monitor;
    uint64_t arrived =
        WaitForCircuit([&](const NodeContainer& nodes) { monitor = helper.Install(nodes); });
    const Seen theirs = Look(monitor);
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(arrived, 20, "all arrive");
    NS_TEST_EXPECT_MSG_EQ(theirs.lost, 7, "those that wait for 10 s at 13 s");
    NS_TEST_EXPECT_MSG_EQ(theirs.received, 13, "the others");
    NS_TEST_EXPECT_MSG_EQ_TOL(theirs.delay, 13.7 - 6.5, 0.01, "of the others");
    FlowReport report(MicroSeconds(1));
    arrived = WaitForCircuit([&](const NodeContainer& nodes) { report.Install(nodes); });
    const Seen ours = Look(report.GetMonitor());
    NS_TEST_EXPECT_MSG_EQ(arrived, 20, "all arrive");
    NS_TEST_EXPECT_MSG_EQ(ours.lost, 0, "none");
    NS_TEST_EXPECT_MSG_EQ(ours.received, 20, "all");
    NS_TEST_EXPECT_MSG_EQ_TOL(ours.delay, 13.7 - 4.75, 0.01, "of all");
    Simulator::Destroy();
}

/// A device that cannot take more.
ODCN_TEST_CASE(QueueTestCase, "A full device queue without a queue disc is a drop of TcDrop alone")
{
    Row t(2);
    TrafficControlHelper().Uninstall(t.devices[0].Get(0));
    const auto device = DynamicCast<SimpleNetDevice>(t.devices[0].Get(0));
    uint32_t byQueue = 0;
    uint32_t byLayer = 0;
    Listen(device->GetQueue(), "Drop", [&](Ptr<const Packet>) { ++byQueue; });
    Listen(t.nodes.Get(0)->GetObject<TrafficControlLayer>(),
           "TcDrop",
           [&](Ptr<const Packet>) { ++byLayer; });
    uint32_t byIp = 0;
    Listen(
        t.nodes.Get(0)->GetObject<Ipv4L3Protocol>(),
        "Drop",
        [&](const Ipv4Header&, Ptr<const Packet>, Ipv4L3Protocol::DropReason, Ptr<Ipv4>, uint32_t)
        { ++byIp; });
    const auto receiver = OpenUdp(t.nodes.Get(1));
    const auto sender = OpenUdp(t.nodes.Get(0));
    Simulator::Schedule(
        Seconds(1),
        [&]
        {
            for (int i = 0; i < 100; ++i)
            {
                sender->SendTo(Create<Packet>(1000), 0, InetSocketAddress(t.GetLast(), TRAP_PORT));
            }
        });
    RunFor(Seconds(2));
    uint32_t arrived = 0;
    while (receiver->Recv())
    {
        ++arrived;
    }
    NS_TEST_EXPECT_MSG_LT(arrived, 15, "what the device holds");
    NS_TEST_EXPECT_MSG_EQ(byLayer, 100 - arrived, "all others");
    NS_TEST_EXPECT_MSG_EQ(byQueue, 0, "not the queue");
    NS_TEST_EXPECT_MSG_EQ(byIp, 0, "not IP");
}

/// An interface that is down.
ODCN_TEST_CASE(InterfaceTestCase, "A router whose outgoing interface is down drops without a trace")
{
    Row t(4);
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    const Ptr<Node> router = t.nodes.Get(1);
    const auto ipv4 = router->GetObject<Ipv4L3Protocol>();
    uint32_t dropped = 0;
    Listen(
        ipv4,
        "Drop",
        [&](const Ipv4Header&, Ptr<const Packet>, Ipv4L3Protocol::DropReason, Ptr<Ipv4>, uint32_t)
        { ++dropped; });
    const auto layer = router->GetObject<TrafficControlLayer>();
    Listen(layer, "TcDrop", [&](Ptr<const Packet>) { ++dropped; });
    uint32_t came = 0;
    Listen(ipv4, "Rx", [&](Ptr<const Packet>, Ptr<Ipv4>, uint32_t) { ++came; });
    const auto receiver = OpenUdp(t.nodes.Get(3));
    const auto sender = OpenUdp(t.nodes.Get(0));
    const auto send = [&]
    { sender->SendTo(Create<Packet>(1000), 0, InetSocketAddress(t.GetLast(), TRAP_PORT)); };
    Simulator::Schedule(Seconds(1), send);
    Simulator::Schedule(Seconds(2), [&] { ipv4->SetDown(2); });
    for (int64_t ms = 3000; ms < 3100; ms += 10)
    {
        Simulator::Schedule(MilliSeconds(ms), send);
    }
    RunFor(Seconds(5));
    uint32_t arrived = 0;
    while (receiver->Recv())
    {
        ++arrived;
    }
    NS_TEST_EXPECT_MSG_EQ(arrived, 1, "the first one only");
    NS_TEST_EXPECT_MSG_EQ(came, 11, "the router has all");
    NS_TEST_EXPECT_MSG_EQ(dropped, 0, "and drops ten of them unseen");
}

/// A device that receives nothing for a time, and marks packets that may be marked.
class TestMedium : public ErrorModel
{
  public:
    Time from;          //!< begin of the dark time
    Time until;         //!< its end
    bool marks{false};  //!< whether it marks
    uint32_t marked{0}; //!< packets with data

  private:
    bool DoCorrupt(Ptr<Packet> packet) override
    {
        Ipv4Header ip;
        packet->RemoveHeader(ip);
        if (marks && ip.GetEcn() != Ipv4Header::ECN_NotECT && packet->GetSize() > 100)
        {
            ip.SetEcn(Ipv4Header::ECN_CE);
            ++marked;
        }
        packet->AddHeader(ip);
        return Simulator::Now() >= from && Simulator::Now() < until;
    }

    void DoReset() override
    {
    }
};

/// A TCP connection with segments of 1000 bytes over a link of 10 Mb/s, always 131072 bytes ahead.
class TestTransfer
{
  public:
    /// @param from congestion control of the sender
    /// @param to that of the receiver
    /// @param all bytes to send, from 1 s on
    TestTransfer(const std::string& from, const std::string& to, uint32_t all)
        : m_left(all)
    {
        const std::string types[] = {from, to};
        for (uint32_t i = 0; i < 2; ++i)
        {
            const auto device = DynamicCast<SimpleNetDevice>(m_row.devices[0].Get(i));
            device->GetQueue()->SetMaxSize(QueueSize("1000p"));
            device->SetReceiveErrorModel(media[i]);
            m_row.nodes.Get(i)->GetObject<TcpL4Protocol>()->SetAttribute(
                "SocketType",
                TypeIdValue(TypeId::LookupByName(types[i])));
        }
        m_listener = Open(1);
        m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), TRAP_PORT));
        m_listener->Listen();
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeCallback(&TestTransfer::Accept, this));
        m_sender = Open(0);
        m_sender->SetSendCallback(MakeCallback(&TestTransfer::Send, this));
        Listen(m_sender,
               "SlowStartThreshold",
               [this](uint32_t, uint32_t threshold) { thresholds.push_back(threshold); });
        Listen(m_sender,
               "CongState",
               [this](TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t state)
               { reductions += state == TcpSocketState::CA_CWR ? 1 : 0; });
        Simulator::Schedule(Seconds(1),
                            [this]
                            { m_sender->Connect(InetSocketAddress(m_row.GetLast(), TRAP_PORT)); });
    }

    /// Both directions are dark. @param from begin  @param until end
    void Darken(Time from, Time until)
    {
        for (const auto& medium : media)
        {
            medium->from = from;
            medium->until = until;
        }
    }

    std::array<Ptr<TestMedium>, 2> media{CreateObject<TestMedium>(),
                                         CreateObject<TestMedium>()}; //!< of sender and receiver
    std::vector<uint32_t> thresholds; //!< of slow start, after each change
    uint32_t reductions{0};           //!< of the window, for marks
    uint32_t received{0};             //!< bytes
    Time last;                        //!< when the last of them came

  private:
    /// @param i index of a node  @return a socket there
    Ptr<Socket> Open(uint32_t i)
    {
        const auto socket = Socket::CreateSocket(m_row.nodes.Get(i), TcpSocketFactory::GetTypeId());
        for (const auto& [name, value] : {std::pair("SegmentSize", 1000),
                                          std::pair("SndBufSize", 131072),
                                          std::pair("RcvBufSize", 131072),
                                          std::pair("DataRetries", 1000)})
        {
            socket->SetAttribute(name, UintegerValue(value));
        }
        socket->SetAttribute("MinRto", TimeValue(MilliSeconds(200)));
        return socket;
    }

    /// @param socket with room
    void Send(Ptr<Socket> socket, uint32_t)
    {
        while (m_left > 0 && socket->GetTxAvailable() > 0)
        {
            const uint32_t bytes = std::min(m_left, socket->GetTxAvailable());
            socket->Send(Create<Packet>(bytes));
            m_left -= bytes;
        }
    }

    /// @param socket of the receiver
    void Accept(Ptr<Socket> socket, const Address&)
    {
        socket->SetRecvCallback(MakeCallback(&TestTransfer::Receive, this));
    }

    /// @param socket with data
    void Receive(Ptr<Socket> socket)
    {
        while (const Ptr<Packet> packet = socket->Recv())
        {
            received += packet->GetSize();
            last = Simulator::Now();
        }
    }

    Row m_row{2};           //!< sender and receiver
    Ptr<Socket> m_listener; //!< of the receiver
    Ptr<Socket> m_sender;   //!< of the sender
    uint32_t m_left;        //!< bytes not sent yet
};

/// A dark time of several time-outs.
ODCN_TEST_CASE(ThresholdTestCase, "TCP takes its threshold anew at the second time-out")
{
    // dark: length of the dark time; result: thresholds from then on, time of the last byte in s
    const auto run = [](Time dark)
    {
        TestTransfer t("ns3::TcpNewReno", "ns3::TcpNewReno", 10000000);
        t.Darken(Seconds(3), Seconds(3) + dark);
        Simulator::Schedule(Seconds(3), [&] { t.thresholds.clear(); });
        RunFor(Seconds(100));
        return std::pair(t.thresholds, t.received == 10000000 ? t.last.GetSeconds() : HUGE_VAL);
    };
    const auto [none, free] = run(Time(0));
    const auto [one, brief] = run(MilliSeconds(200));
    const auto [two, lengthy] = run(MilliSeconds(900));
    NS_TEST_ASSERT_MSG_EQ(one.size(), 1, "one time-out");
    NS_TEST_EXPECT_MSG_EQ_TOL(one[0], 65536, 1000, "half of what was under way");
    NS_TEST_ASSERT_MSG_EQ((two.size() >= 2), true, "two time-outs");
    NS_TEST_EXPECT_MSG_EQ_TOL(two[0], 65536, 1000, "half of what was under way");
    NS_TEST_EXPECT_MSG_EQ(two[1], 2000, "two segments");
    NS_TEST_EXPECT_MSG_LT(brief, free + 1, "the dark time, and little more");
    NS_TEST_EXPECT_MSG_LT(lengthy, HUGE_VAL, "complete");
    NS_TEST_EXPECT_MSG_EQ(none.size(), 0, "no time-out");
}

/// Nine seconds of darkness.
ODCN_TEST_CASE(BbrTestCase, "TcpBbr of ns-3.37 does not recover from 9 s; TcpCubic does")
{
    for (const std::string type : {"ns3::TcpBbr", "ns3::TcpCubic"})
    {
        TestTransfer t(type, type, 20000000);
        t.Darken(Seconds(5), Seconds(14));
        RunFor(Seconds(100));
        const bool recovers = type != "ns3::TcpBbr" || ODCN_NS3_VERSION >= 344;
        if (recovers)
        {
            NS_TEST_EXPECT_MSG_EQ(t.received, 20000000, type);
        }
        else if (ODCN_NS3_VERSION == 337)
        {
            // A segment in each time-out.
            NS_TEST_EXPECT_MSG_LT(t.received, 8000000, type);
            NS_TEST_EXPECT_MSG_GT(t.last, Seconds(98), "it still tries");
        }
    }
}

/// The sender's congestion control alone.
ODCN_TEST_CASE(OneSidedDctcpTestCase, "TcpDctcp at the sender alone answers no mark")
{
    for (const std::string receiver : {"ns3::TcpDctcp", "ns3::TcpNewReno"})
    {
        TestTransfer t("ns3::TcpDctcp", receiver, 1000000);
        t.media[1]->marks = true;
        RunFor(Seconds(10));
        if (receiver == "ns3::TcpDctcp")
        {
            NS_TEST_EXPECT_MSG_GT(t.reductions, 2, "each window");
            NS_TEST_EXPECT_MSG_LT(t.received, 500000, "a segment or two at a time");
        }
        else
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(t.media[1]->marked, 1000, "all are marked");
            NS_TEST_EXPECT_MSG_EQ(t.reductions, 0, "none is answered");
            NS_TEST_EXPECT_MSG_EQ(t.received, 1000000, "at full rate");
        }
    }
}

/// Times of short packets on fast links.
ODCN_TEST_CASE(ResolutionTestCase, "At nanoseconds 66 bytes take as long at 400 Gbps as at 800")
{
    const bool nanoseconds = Time::GetResolution() == Time::NS;
    const auto steps = [](const char* rate)
    { return DataRate(rate).CalculateBytesTxTime(66).GetTimeStep(); };
    NS_TEST_EXPECT_MSG_EQ(steps("400Gbps"), nanoseconds ? 1 : 1320, "400 Gb/s");
    NS_TEST_EXPECT_MSG_EQ(steps("800Gbps"), nanoseconds ? 1 : 660, "800 Gb/s");
    NS_TEST_EXPECT_MSG_EQ(steps("1600Gbps"), nanoseconds ? 0 : 330, "1.6 Tb/s");
}

/// Behaviour of ns-3.
CaseSuite g_ns3TrapsTestSuite("odcn-ns3-traps");

} // namespace
