// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Packets of JobFlowApplication, against its sources in an event list: the same packets to
 * the picosecond, for all arrival laws, with random sizes and bursts.
 */

#include "../core/odcn-test-case.h"

#include "ns3/ocs-helper.h"
#include "ns3/odcn-job-flow-application.h"

#include <tuple>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

constexpr int64_t STREAM = 4000;

/// A packet that was sent: time, flow and size.
using SentPacket = std::tuple<int64_t, uint32_t, uint32_t>;

/// Two servers, of which the first one sends.
class Sender
{
  public:
    Sender()
    {
        OcsHelper helper;
        OcsFabricSize size;
        size.racks = 2;
        size.serversPerRack = 1;
        size.uplinks = 1;
        m_fabric = helper.Build(size);
        helper.InstallServers(m_fabric);
        m_app = CreateObject<JobFlowApplication>();
        m_app->AssignStreams(STREAM);
        m_fabric->GetServers().Get(0)->AddApplication(m_app);
        Listen(m_app, "Tx", [this](const FlowHeader& header) { m_flow = header.GetFlow(); });
        const auto left = [this](Ptr<const Packet> packet)
        { packets.emplace_back(Simulator::Now().GetTimeStep(), m_flow, packet->GetSize()); };
        Listen(m_fabric->GetServerDevice(0, 0), "MacTx", left);
    }

    /// @return the application
    const Ptr<JobFlowApplication>& GetApp() const
    {
        return m_app;
    }

    /// @return address of the receiver
    Ipv4Address GetPeer() const
    {
        return m_fabric->GetServerAddress(1, 0);
    }

    /// Add flows and run. @param rates of the flows  @param until end of the window
    void Window(const std::vector<BitRate>& rates, Time until)
    {
        Simulator::Schedule(Seconds(0), &Sender::Open, this, rates);
        RunFor(until - Simulator::Now());
        m_app->ClearFlows();
    }

    std::vector<SentPacket> packets; //!< packets sent

  private:
    /// @param rates of the flows
    void Open(std::vector<BitRate> rates)
    {
        for (uint32_t i = 0; i < rates.size(); ++i)
        {
            m_app->AddFlow(i, m_fabric->GetServerAddress(1, 0), rates[i]);
        }
    }

    Ptr<OcsFabric> m_fabric;       //!< the fabric
    Ptr<JobFlowApplication> m_app; //!< on the first server
    uint32_t m_flow{0};            //!< of the last packet
    SimulationEnd end;             //!< of the simulation
};

/// @param type description of a variable, or nothing  @return the variable, or null
Ptr<RandomVariableStream>
Variable(const std::string& type)
{
    if (type.empty())
    {
        return nullptr;
    }
    PointerValue value;
    value.DeserializeFromString(type, MakePointerChecker<RandomVariableStream>());
    return value.Get<RandomVariableStream>();
}

/// A law of packets.
struct PacketsCase
{
    std::string name;                //!< of the case
    std::string sizes;               //!< of packets
    std::string bursts;              //!< of packets
    std::string arrivals{"Poisson"}; //!< Attribute
};

const std::string MIXED_SIZES = "ns3::odcn::MixRandomVariable[Mix=64:3,200:1,336:3]";
const std::string UNIFORM_BURSTS = "ns3::UniformRandomVariable[Min=1|Max=7]";

/// The same packets from both.
ODCN_TEST_CASES(SamePacketsTestCase,
                PacketsCase,
                parameter.name,
                {"one size", "", ""},
                {"drawn sizes", MIXED_SIZES, ""},
                {"bursts", "", UNIFORM_BURSTS},
                {"both", MIXED_SIZES, UNIFORM_BURSTS},
                {"Deterministic", "", "", "Deterministic"},
                {"both", MIXED_SIZES, UNIFORM_BURSTS, "Deterministic"},
                {"OnOff", "", "", "OnOff"},
                {"both", MIXED_SIZES, UNIFORM_BURSTS, "OnOff"},
                {"trace", "", "", "Trace"})
{
    Sender sender;
    sender.GetApp()->SetAttribute("PacketSize", UintegerValue(200));
    for (const auto& [attribute, type] :
         {std::pair("SizeVariable", parameter.sizes), std::pair("BurstVariable", parameter.bursts)})
    {
        if (!type.empty())
        {
            sender.GetApp()->SetAttribute(attribute, StringValue(type));
        }
    }
    sender.GetApp()->SetAttribute("Arrivals", StringValue(parameter.arrivals));
    sender.GetApp()->SetAttribute("OnTime", TimeValue(PicoSeconds(3000000)));
    sender.GetApp()->SetAttribute("OffTime", TimeValue(PicoSeconds(1000000)));
    const std::string file = CreateTempDirFilename("packets.csv");
    std::ofstream(file) << "0,64\n1,336\n1,200\n3,200\n";
    sender.GetApp()->SetAttribute("TraceFile", StringValue(file));
    const PacketLaw law = sender.GetApp()->GetLaw(1500);
    std::vector<PacketSource> sources;
    std::vector<SentPacket> drawn;
    const std::vector<std::vector<BitRate>> windows{
        {1000000000, 2000000000, 300000000},
        {700000000},
        {500000000, 500000000, 500000000, 500000000, 900000000}};
    int64_t now = 0;
    for (const auto& rates : windows)
    {
        // The event order of ns-3: by time, then by scheduling.
        std::map<std::pair<int64_t, uint64_t>, uint32_t> events;
        uint64_t scheduled = 0;
        for (uint32_t i = 0; i < rates.size(); ++i)
        {
            if (i == sources.size())
            {
                sources.emplace_back(law, STREAM + i);
            }
            const double gap = PacketSource::MeanGap(rates[i], 200);
            events[{now + sources[i].Start(gap, 200), scheduled++}] = i;
        }
        now += 300000000;
        while (events.begin()->first.first < now)
        {
            const auto [time, i] = std::pair(events.begin()->first.first, events.begin()->second);
            events.erase(events.begin());
            const uint32_t packets = sources[i].NextBurst();
            for (uint32_t k = 0; k < packets; ++k)
            {
                drawn.emplace_back(time, i, sources[i].NextSize());
            }
            events[{time + sources[i].NextGap(packets), scheduled++}] = i;
        }
        sender.Window(rates, TimeStep(now));
    }
    NS_TEST_ASSERT_MSG_GT(drawn.size(), 300, "some packets");
    NS_TEST_ASSERT_MSG_EQ(drawn.size(), sender.packets.size(), "as many packets");
    double bytes = 0;
    for (std::size_t i = 0; i < drawn.size(); ++i)
    {
        NS_TEST_ASSERT_MSG_EQ((drawn[i] == sender.packets[i]), true, "packet " << i);
        bytes += std::get<2>(drawn[i]);
    }
    // 3.3 + 0.7 + 2.9 Gb/s for 300 us each, for any bursts and sizes.
    NS_TEST_EXPECT_MSG_EQ_TOL(bytes * 8 / (6.9e9 * 300e-6), 1, 0.25, "the rate holds");
}

/// Flows that end one by one.
ODCN_TEST_CASE(RemovedFlowTestCase, "a removed flow stops, others go on, and one may follow it")
{
    const Time half = MicroSeconds(150);
    // removes: whether the first flow ends at half; adds: and another follows; result: the packets
    const auto run = [&](bool removes, bool adds) -> std::vector<SentPacket>
    {
        Sender sender;
        const auto app = sender.GetApp();
        if (removes)
        {
            Simulator::Schedule(half, &JobFlowApplication::RemoveFlow, app, 0);
        }
        if (adds)
        {
            const Ipv4Address peer = sender.GetPeer();
            Simulator::Schedule(half, &JobFlowApplication::AddFlow, app, 7, peer, 1000000000);
        }
        sender.Window({1000000000, 2000000000}, 2 * half);
        NS_TEST_EXPECT_MSG_NE(GetRefusal([&] { app->RemoveFlow(0); }), "", "no such flow");
        return sender.packets;
    };
    const auto select = [](const std::vector<SentPacket>& packets, uint32_t flow, Time until)
    {
        std::vector<SentPacket> some;
        std::ranges::copy_if(packets,
                             std::back_inserter(some),
                             [&](const SentPacket& packet) {
                                 return std::get<1>(packet) == flow &&
                                        std::get<0>(packet) < until.GetTimeStep();
                             });
        return some;
    };
    const auto plain = run(false, false);
    const auto removed = run(true, false);
    const auto followed = run(true, true);
    for (const auto& packets : {removed, followed})
    {
        NS_TEST_EXPECT_MSG_EQ((select(packets, 1, 2 * half) == select(plain, 1, 2 * half)),
                              true,
                              "the other flow");
        NS_TEST_EXPECT_MSG_EQ((select(packets, 0, 2 * half) == select(plain, 0, half)),
                              true,
                              "the removed flow");
    }
    NS_TEST_EXPECT_MSG_GT(select(plain, 0, half).size(), 20, "packets before");
    NS_TEST_EXPECT_MSG_GT(select(followed, 7, 2 * half).size(), 20, "packets of the next");
    NS_TEST_EXPECT_MSG_EQ(select(followed, 7, half).size(), 0, "too early");
}

/// A sink of Tx changes the flows.
ODCN_TEST_CASE(TxSinkTestCase, "a sink of Tx may remove the flow that sends, and add another")
{
    for (const bool clear : {false, true})
    {
        for (const bool add : {false, true})
        {
            Sender sender;
            const Ptr<JobFlowApplication> app = sender.GetApp();
            std::vector<Time> sent;
            Listen(app,
                   "Tx",
                   [&](const FlowHeader& header)
                   {
                       sent.push_back(Simulator::Now());
                       if (sent.size() != 5)
                       {
                           return;
                       }
                       clear ? app->ClearFlows() : app->RemoveFlow(header.GetFlow());
                       if (add)
                       {
                           app->AddFlow(1, sender.GetPeer(), 1000000000);
                       }
                   });
            sender.Window({1000000000}, MilliSeconds(10));
            const std::string title = clear ? "all cleared" : "one removed";
            if (!add)
            {
                NS_TEST_EXPECT_MSG_EQ(sent.size(), 5, title);
                continue;
            }
            // 10 ms of 1 Gb/s, in packets of 296 bytes: 4,223, not twice as many.
            NS_TEST_EXPECT_MSG_GT(sent.size(), 3900, title);
            NS_TEST_EXPECT_MSG_LT(sent.size(), 4600, title);
        }
    }
}

/// Invalid settings are refused in one line.
ODCN_TEST_CASE(JobFlowRefusalTestCase, "sizes and bursts that cannot be")
{
    // attribute: of the application; value: invalid; result: the error
    const auto refuse = [&](const std::string& attribute,
                            const AttributeValue& value) -> std::string
    {
        Sender sender;
        sender.GetApp()->SetAttribute(attribute, value);
        return GetRefusal([&] { sender.Window({1000000000}, MicroSeconds(100)); });
    };
    NS_TEST_EXPECT_MSG_EQ(refuse("PacketSize", UintegerValue(1500)), "", "as large as the Mtu");
    NS_TEST_EXPECT_MSG_EQ(refuse("PacketSize", UintegerValue(1501)),
                          "JobFlowApplication::PacketSize: found '1501', expected up to "
                          "the Mtu of 1500 bytes",
                          "larger than the Mtu");
    for (const std::string size : {"43", "1501"})
    {
        const std::string type = "ns3::ConstantRandomVariable[Constant=" + size + "]";
        NS_TEST_EXPECT_MSG_EQ(refuse("SizeVariable", PointerValue(Variable(type))),
                              "packet size drawn from ns3::ConstantRandomVariable: found '" + size +
                                  "', expected 44 to 1500 bytes",
                              "out of bounds");
    }
    NS_TEST_EXPECT_MSG_EQ(
        refuse("BurstVariable", PointerValue(Variable("ns3::ConstantRandomVariable[Constant=0]"))),
        "burst drawn from ns3::ConstantRandomVariable: found '0', expected 1 to 65536 packets",
        "no packet");
    NS_TEST_EXPECT_MSG_NE(
        refuse("SizeVariable", PointerValue(CreateObject<EmpiricalRandomVariable>())),
        "",
        "not told by Attributes");
}

/// JobFlowApplication.
PicosecondSuite g_jobFlowTestSuite("odcn-job-flow");

} // namespace
