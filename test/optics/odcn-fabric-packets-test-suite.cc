// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Whole fabrics: no packet is ever lost without a cause, TCP survives reconfigurations, and a
 * pcap file has the packets of the wire.
 */

#include "../core/odcn-test-case.h"
#include "ocs-test-fabric.h"

#include "ns3/inet-socket-address.h"
#include "ns3/node.h"
#include "ns3/queue-size.h"
#include "ns3/random-variable-stream.h"
#include "ns3/socket.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/udp-socket-factory.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// The pcap file of a port has the bare IP packets. First, because ascii traces print packets,
/// which ns-3 must know before any is made.
ODCN_TEST_CASE(PcapTestCase, "A pcap file of a port holds bare IP packets, in nanoseconds")
{
    const std::string name = CreateTempDirFilename("odcn-tor.pcap");
    const std::string ascii = CreateTempDirFilename("odcn-tor.tr");
    {
        OcsHelper helper;
        TestFabric t({2, 1, 1, 1}, helper);
        t.fabric->PresetAllToAll();
        helper.EnablePcap(name, t.fabric->GetUplink(0, 0), true, true);
        helper.EnableAscii(ascii, t.fabric->GetUplink(0, 0), true);
        t.Send(0, 1);
        t.Send(0, 1);
        Simulator::Run();
    }
    std::ifstream file(name, std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)),
                                  std::istreambuf_iterator<char>());
    const auto word = [&bytes](std::size_t at)
    {
        uint32_t w = 0;
        for (std::size_t i = 0; i < 4; ++i)
        {
            w |= uint32_t(uint8_t(bytes[at + i])) << 8 * i;
        }
        return w;
    };
    NS_TEST_ASSERT_MSG_EQ(bytes.size(), 24 + 2 * (16 + 296), "two packets");
    NS_TEST_EXPECT_MSG_EQ(word(0), 0xa1b23c4d, "nanoseconds");
    NS_TEST_EXPECT_MSG_EQ(word(20), 101, "LINKTYPE_RAW");
    NS_TEST_EXPECT_MSG_EQ(word(24 + 4), 0, "when the first bit left");
    NS_TEST_EXPECT_MSG_EQ(word(24 + 12), 296, "size");
    NS_TEST_EXPECT_MSG_EQ(int(uint8_t(bytes[24 + 16])), 0x45, "IPv4");
    NS_TEST_EXPECT_MSG_EQ(word(24 + 312 + 4), TEST_SERVICE_NS, "the next one");
    const std::string events = SumOf<std::string>(LinesOf(std::ifstream(ascii)),
                                                  [](auto& line) { return line.substr(0, 1); });
    NS_TEST_EXPECT_MSG_EQ(events, "+-+-", "ascii: in and out of the queue");
    NS_TEST_EXPECT_MSG_NE(
        GetRefusal(
            [&]
            {
                OcsHelper helper;
                TestFabric t({2, 1, 1, 1}, helper);
                helper.EnablePcap("/nowhere/x.pcap", t.fabric->GetUplink(0, 0), true, true);
            }),
        "",
        "a file that cannot be written");
}

/// sent = received + dropped by cause + in flight, at each place and at all times.
struct FabricConservationFixture : ParameterCase<std::pair<bool, int64_t>>
{
    using ParameterCase::ParameterCase;

    static constexpr uint32_t RACKS = 6;
    static constexpr uint32_t SERVERS = 3;
    static constexpr uint32_t UPLINKS = 5;
    static constexpr uint32_t SWITCHES = 2;
    static constexpr int64_t DARK = 500000;
    static constexpr int64_t END = 150000000;

    uint32_t Pick(uint32_t n)
    {
        return m_random->GetInteger(0, n - 1);
    }

    void SendSome()
    {
        const RackId from = Pick(RACKS);
        Ptr<Packet> packet = MakeTestPacket(m_fabric, from, Pick(RACKS), Pick(50));
        m_fabric->GetServerDevice(from, Pick(SERVERS))->Transmit(packet);
        if (Simulator::Now().GetNanoSeconds() < END)
        {
            Simulator::Schedule(NanoSeconds(Pick(2500)),
                                &FabricConservationFixture::SendSome,
                                this);
        }
    }

    void Disturb()
    {
        const RackId rack = Pick(RACKS);
        const uint32_t port = Pick(UPLINKS);
        const uint32_t what = Pick(10);
        if (what == 0)
        {
            const uint32_t server = Pick(SERVERS);
            const std::vector<Ptr<OcsNetDevice>> ports{m_fabric->GetUplink(rack, port),
                                                       m_fabric->GetServerDevice(rack, server),
                                                       m_fabric->GetTor(rack)->GetDownlink(server)};
            Ptr<OcsNetDevice> device = ports[Pick(3)];
            device->Fail();
            Simulator::Schedule(MicroSeconds(Pick(2000)), &OcsNetDevice::Repair, device);
        }
        else if (what == 1)
        {
            Ptr<OcsSwitch> ocs = m_fabric->GetSwitch(m_fabric->GetSwitchOf(port));
            const uint32_t p = m_fabric->GetSwitchPort(rack, port);
            const OcsPortSide side = Pick(2) ? OcsPortSide::INPUT : OcsPortSide::OUTPUT;
            ocs->FailPort(p, side);
            Simulator::Schedule(MicroSeconds(Pick(2000)), &OcsSwitch::RepairPort, ocs, p, side);
        }
        else
        {
            // Take the circuits to two receive sides of one switch, and exchange or drop them.
            const RackId a = Pick(RACKS);
            const RackId b = (a + 1 + Pick(RACKS - 1)) % RACKS;
            const OcsCircuit x = m_fabric->GetCircuit(a, port);
            const OcsCircuit y = m_fabric->GetCircuit(b, port);
            std::vector<OcsCircuit> batch{{a, port, y.to, y.inPort}, {b, port, x.to, x.inPort}};
            if (what == 2)
            {
                batch[0].to = NO_RACK;
            }
            try
            {
                m_moved += m_fabric->Apply(batch);
            }
            catch (const OdcnError&)
            {
                // a circuit to its own rack
            }
        }
        if (Simulator::Now().GetNanoSeconds() < END)
        {
            Simulator::Schedule(NanoSeconds(Pick(300000)),
                                &FabricConservationFixture::Disturb,
                                this);
        }
    }

    void Check()
    {
        NS_TEST_EXPECT_MSG_EQ(FindImbalance(m_fabric), "", "at " << Simulator::Now());
        m_busy += m_fabric->Count().inFlight > 20;
        for (uint32_t w = 0; w < SWITCHES; ++w)
        {
            const OcsSwitch& s = *m_fabric->GetSwitch(w);
            NS_TEST_EXPECT_MSG_EQ(s.GetReceived(),
                                  s.GetForwarded() + s.GetInFlight() + s.GetDropped().Total(),
                                  "OCS at " << Simulator::Now());
        }
        if (Simulator::Now().GetNanoSeconds() < END)
        {
            Simulator::Schedule(NanoSeconds(100000), &FabricConservationFixture::Check, this);
        }
    }

    const bool m_detour = parameter.first;    //!< with detours
    const int64_t m_delay = parameter.second; //!< of all fibres
    Ptr<OcsFabric> m_fabric;                  //!< the fabric
    Ptr<UniformRandomVariable> m_random;      //!< for all events
    OcsDropCounts m_traced;                   //!< losses traced by switches
    uint64_t m_portDrops{0};                  //!< losses traced by ports
    uint32_t m_moved{0};                      //!< circuits moved
    uint32_t m_busy{0};                       //!< checks with many packets in flight
};

/// @copybrief FabricConservationFixture
ODCN_TEST_CASES_F(FabricConservationFixture,
                  FabricConservationTestCase,
                  std::string("No packet is lost without a cause, ") +
                      (parameter.first ? "with" : "without") + " detours, delay " +
                      std::to_string(parameter.second) + " ns",
                  {false, 0},
                  {true, 0},
                  {false, 5000},
                  {true, 5000},
                  {false, 700000},
                  {true, 700000})
{
    m_random = CreateObject<UniformRandomVariable>();
    m_random->SetStream(m_delay + m_detour);
    OcsHelper helper;
    helper.SetTorAttribute("NoCircuit", StringValue(m_detour ? "Detour" : "Drop"));
    helper.SetSwitchAttribute("ReconfigurationTime", TimeValue(NanoSeconds(DARK)));
    helper.SetUplinkFiberAttribute("Delay", TimeValue(NanoSeconds(m_delay)));
    helper.SetServerFiberAttribute("Delay", TimeValue(NanoSeconds(m_delay)));
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("3p"));
    TestFabric t({RACKS, SERVERS, UPLINKS, SWITCHES}, helper);
    m_fabric = t.fabric;
    m_fabric->PresetAllToAll();
    const auto count = [this](Ptr<const Packet>) { ++m_portDrops; };
    const auto connectPort = [&count](const Ptr<OcsNetDevice>& port)
    { Listen(port, "PhyRxDrop", count); };
    for (RackId rack = 0; rack < RACKS; ++rack)
    {
        Ptr<TorSwitch> tor = m_fabric->GetTor(rack);
        Listen(tor, "Drop", [this](Ptr<const Packet>, OcsDropCause cause) { ++m_traced[cause]; });
        for (uint32_t s = 0; s < SERVERS; ++s)
        {
            Ptr<OcsNetDevice> nic = m_fabric->GetServerDevice(rack, s);
            connectPort(nic);
            connectPort(tor->GetDownlink(s));
            for (const char* drop : {"MacTxDrop", "PhyTxDrop"})
            {
                Listen(nic, drop, count);
            }
        }
        for (uint32_t p = 0; p < UPLINKS; ++p)
        {
            connectPort(m_fabric->GetUplink(rack, p));
        }
    }
    for (uint32_t w = 0; w < SWITCHES; ++w)
    {
        Listen(m_fabric->GetSwitch(w),
               "Drop",
               [this](Ptr<const Packet>, uint32_t, OcsDropCause cause) { ++m_traced[cause]; });
    }
    SendSome();
    Disturb();
    Check();
    Simulator::Run();
    const PacketCounts c = m_fabric->Count();
    NS_TEST_EXPECT_MSG_EQ(c.inFlight, 0, "none is left");
    NS_TEST_EXPECT_MSG_GT(m_busy, 100, "the identity was tried with packets in flight");
    NS_TEST_EXPECT_MSG_GT(m_moved, 300, "circuits moved");
    NS_TEST_EXPECT_MSG_GT(c.received, 10000, "packets came through");
    uint64_t seen =
        SumOf<uint64_t>(t.servers, [&](const TestServer& server) { return server.uids.size(); });
    NS_TEST_EXPECT_MSG_EQ(seen, c.received, "servers have what was counted");
    NS_TEST_EXPECT_MSG_EQ(m_traced.Total() + m_portDrops, c.dropped.Total(), "all traced");
    for (std::size_t i = 0; i < OCS_DROP_CAUSES; ++i)
    {
        const auto cause = static_cast<OcsDropCause>(i);
        // Only packets in flight to a circuit find it dark, or leading elsewhere;
        // with detours they continue from there. Neither fibres are cut nor switches restart.
        const bool met = cause == OcsDropCause::DARK ? m_delay > 0
                         : cause == OcsDropCause::MISROUTED
                             ? m_delay > DARK && !m_detour
                             : cause != OcsDropCause::FIBER_CUT && cause != OcsDropCause::REBOOT;
        if (met)
        {
            NS_TEST_EXPECT_MSG_GT(c.dropped[cause], 0, cause);
        }
    }
    m_fabric = nullptr;
}

/// A TCP transfer over the only circuit, while it moves away and back.
struct TcpFixture : TestCase
{
    using TestCase::TestCase;

    static constexpr uint32_t BYTES = 3000000;

    static uint8_t ByteAt(uint32_t i)
    {
        return static_cast<uint8_t>(i * 2654435761U >> 24);
    }

    void Fill(Ptr<Socket> socket, uint32_t)
    {
        while (m_sent < BYTES && socket->GetTxAvailable() > 0)
        {
            std::vector<uint8_t> chunk(
                std::min({BYTES - m_sent, socket->GetTxAvailable(), uint32_t(1000)}));
            for (uint32_t i = 0; i < chunk.size(); ++i)
            {
                chunk[i] = ByteAt(m_sent + i);
            }
            const int n = socket->Send(Create<Packet>(chunk.data(), chunk.size()));
            if (n <= 0)
            {
                return;
            }
            m_sent += n;
        }
        if (m_sent == BYTES)
        {
            socket->Close();
        }
    }

    void Connected(Ptr<Socket> socket)
    {
        Fill(socket, 0);
    }

    void Accept(Ptr<Socket> socket, const Address&)
    {
        socket->SetRecvCallback(MakeCallback(&TcpFixture::Receive, this));
    }

    void Receive(Ptr<Socket> socket)
    {
        while (Ptr<Packet> packet = socket->Recv())
        {
            std::vector<uint8_t> bytes(packet->GetSize());
            packet->CopyData(bytes.data(), packet->GetSize());
            for (uint8_t byte : bytes)
            {
                m_wrong += byte != ByteAt(m_received++);
            }
        }
    }

    uint32_t m_sent{0};     //!< bytes
    uint32_t m_received{0}; //!< bytes
    uint32_t m_wrong{0};    //!< wrong bytes
};

/// @copybrief TcpFixture
ODCN_TEST_CASE_F(TcpFixture, TcpTestCase, "A TCP transfer crosses reconfigurations byte for byte")
{
    OcsHelper helper;
    helper.SetUplinkAttribute("DataRate", DataRateValue(DataRate("40Mbps")));
    helper.SetServerAttribute("DataRate", DataRateValue(DataRate("400Mbps")));
    helper.SetUplinkFiberAttribute("Delay", TimeValue(MicroSeconds(10)));
    helper.SetSwitchAttribute("ReconfigurationTime", TimeValue(MilliSeconds(25)));
    Ptr<OcsFabric> f = helper.Build({3, 1, 1, 1});
    helper.InstallServers(f);
    f->Preset({{0, 0, 1, 0}, {1, 0, 0, 0}});
    Ptr<Socket> sink = Socket::CreateSocket(f->GetServer(1, 0), TcpSocketFactory::GetTypeId());
    sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), 5000));
    sink->Listen();
    sink->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                            MakeCallback(&TcpFixture::Accept, this));
    Ptr<Socket> source = Socket::CreateSocket(f->GetServer(0, 0), TcpSocketFactory::GetTypeId());
    source->SetConnectCallback(MakeCallback(&TcpFixture::Connected, this),
                               MakeNullCallback<void, Ptr<Socket>>());
    source->SetSendCallback(MakeCallback(&TcpFixture::Fill, this));
    source->Connect(InetSocketAddress(f->GetServerAddress(1, 0), 5000));
    // The circuit goes to rack 2 for a while, twice.
    for (int64_t ms : {100, 350})
    {
        Simulator::Schedule(MilliSeconds(ms), [f] { f->Apply({{0, 0, 2, 0}}); });
        Simulator::Schedule(MilliSeconds(ms + 60), [f] { f->Apply({{0, 0, 1, 0}}); });
    }
    RunFor(Seconds(60));
    NS_TEST_EXPECT_MSG_EQ(m_received, BYTES, "all bytes");
    NS_TEST_EXPECT_MSG_EQ(m_wrong, 0, "in order");
    NS_TEST_EXPECT_MSG_GT(f->Count().dropped.Total(), 0, "although some packets were lost");
    NS_TEST_EXPECT_MSG_EQ(f->Count().inFlight, 0, "none is left");
    Simulator::Destroy();
}

/// Servers' network cards use flow control if enabled.
ODCN_TEST_CASE(FlowControlTestCase,
               "With flow control a burst waits in the queue disc, without it is lost")
{
    // flowControl: whether it is enabled; result: outcome of a burst of 50 packets
    const auto doBurst = [&](bool flowControl) -> PacketCounts
    {
        OcsHelper helper;
        helper.SetServerQueue("ns3::DropTailQueue", QueueSize("3p"));
        if (flowControl)
        {
            helper.EnableFlowControl();
        }
        Ptr<OcsFabric> f = helper.Build({2, 1, 1, 1});
        helper.InstallServers(f);
        f->PresetAllToAll();
        Ptr<Socket> sink = Socket::CreateSocket(f->GetServer(1, 0), UdpSocketFactory::GetTypeId());
        sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        Ptr<Socket> source =
            Socket::CreateSocket(f->GetServer(0, 0), UdpSocketFactory::GetTypeId());
        Simulator::Schedule(NanoSeconds(1),
                            [&]
                            {
                                for (uint32_t k = 0; k < 50; ++k)
                                {
                                    source->SendTo(Create<Packet>(268),
                                                   0,
                                                   InetSocketAddress(f->GetServerAddress(1, 0), 9));
                                }
                            });
        RunFor(MilliSeconds(100));
        const PacketCounts counts = f->Count();
        Simulator::Destroy();
        return counts;
    };
    const PacketCounts with = doBurst(true);
    NS_TEST_EXPECT_MSG_EQ(with.received, 50, "all come");
    NS_TEST_EXPECT_MSG_EQ(with.dropped.Total(), 0, "none is lost");
    const PacketCounts without = doBurst(false);
    NS_TEST_EXPECT_MSG_EQ(without.sent, 50, "no queue disc keeps any back");
    NS_TEST_EXPECT_MSG_EQ(without.received, 4, "one leaves and three wait");
    NS_TEST_EXPECT_MSG_EQ(without.dropped[OcsDropCause::QUEUE_OVERFLOW], 46, "counted");
}

/// Whole fabrics.
CaseSuite g_fabricTestSuite("odcn-fabric-packets");

} // namespace
