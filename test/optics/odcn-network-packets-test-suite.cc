// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The packet engine for electrical networks against the same packets in ns-3, and spreading in
 * rounds.
 */

#include "../core/odcn-test-case.h"
#include "odcn-loop-worlds.h"
#include "odcn-picoseconds.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-flow-application.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-network-packets.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/odcn-plane-run.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/udp-socket-factory.h"

#include <array>
#include <map>
#include <set>
#include <sstream>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

NS_OBJECT_ENSURE_REGISTERED(PullTransport);

/// FlowApplication::Order by ExactPackets::Order.
const std::vector<std::string> NETWORK_ORDERS{"RoundRobin", "Fifo", "ShortestRemaining"};
/// Values of PacketSwitch::Spreading.
const std::vector<std::string> SPREADINGS{"PerFlow", "PerPacket", "RoundRobin", "ByHost"};
/// Kinds of networks, see GetKind().
const std::vector<std::string> KINDS{"ideal", "leaf-spine", "fat tree", "centre"};
/// First random stream of a network.
constexpr int64_t NETWORK_STREAM = 100;

/// @param kind index in KINDS
/// @return a network of 12 hosts or more; the leaf-spine is over-subscribed 3:1
PacketTopology
GetKind(uint32_t kind)
{
    return kind == 0   ? PacketTopology::Ideal(4, 3)
           : kind == 1 ? PacketTopology::LeafSpine(4, 6, 2, 2)
           : kind == 2 ? PacketTopology::FatTree(6, 9, 3)
                       : PacketTopology::Centre(3, 14);
}

/// A network with flows, for ns-3 and for the engine.
struct NetworkScenario
{
    PacketNetworkHelper helper;        //!< builds it
    uint32_t kind{0};                  //!< index in KINDS
    uint32_t failed{0};                //!< first switches that lose their last port
    NetworkPackets::Settings settings; //!< of hosts
    Traffic flows;                     //!< the flows
    Traffic traffic;                   //!< messages, instead of flows
    Time until;                        //!< end of the run
    WorldFaults faults;                //!< what fails

    /// @return the network
    Ptr<PacketNetwork> Build() const
    {
        const Ptr<PacketNetwork> network = helper.Build(GetKind(kind));
        for (uint32_t i = 0; i < failed; ++i)
        {
            const Ptr<PacketSwitch> at = network->GetSwitch(i);
            at->GetPort(at->GetNPorts() - 1)->Fail();
        }
        network->UpdateRoutes();
        return network;
    }

    /// @return its model, of what is built or of what would be
    NetworkModel GetModel() const
    {
        return failed > 0 ? NetworkModel(*Build()) : helper.GetModel(GetKind(kind));
    }
};

/// What a scenario results in.
struct NetworkOutcome
{
    std::vector<int64_t> times; //!< completion times of flows, or when messages were received, ps;
                                //!< negative for incomplete ones
    int64_t end{0};             //!< of the run, ps
    std::pair<uint64_t, double> faults;      //!< see SumFaults()
    PacketCounts counts;                     //!< packets by outcome
    uint64_t hops{0};                        //!< packets sent between switches
    std::vector<double> goodput;             //!< by window
    FlowApplication::MessageCounts messages; //!< of messages, and of transports with answers

    /// @param o another
    /// @return the first difference, "" if there is none
    std::string FindDifference(const NetworkOutcome& o) const
    {
        const auto differ = std::mismatch(times.begin(), times.end(), o.times.begin());
        std::ostringstream text;
        if (differ.first != times.end())
        {
            text << "flow or message " << differ.first - times.begin() << " at " << *differ.first
                 << " ps, not " << *differ.second;
        }
        else if (end != o.end)
        {
            text << "end at " << end << " ps, not " << o.end;
        }
        else if (faults != o.faults)
        {
            text << faults.first << " faults, not " << o.faults.first << ", or availability "
                 << faults.second << ", not " << o.faults.second;
        }
        else if (!(counts == o.counts))
        {
            text << "packets sent " << counts.sent << ", not " << o.counts.sent << ", received "
                 << counts.received << ", not " << o.counts.received << ", in flight "
                 << counts.inFlight << ", not " << o.counts.inFlight;
            for (std::size_t i = 0; i < OCS_DROP_CAUSES; ++i)
            {
                const auto cause = static_cast<OcsDropCause>(i);
                text << ", " << cause << " " << counts.dropped[cause] << ", not "
                     << o.counts.dropped[cause];
            }
        }
        else if (hops != o.hops || messages.packets != o.messages.packets ||
                 messages.again != o.messages.again ||
                 messages.duplicates != o.messages.duplicates ||
                 messages.requests != o.messages.requests)
        {
            text << "hops " << hops << ", not " << o.hops << ", or counts of messages";
        }
        return text.str();
    }
};

/// @param scenario to run in ns-3
/// @return its outcome
NetworkOutcome
RunNetworkEvents(const NetworkScenario& scenario)
{
    const Ptr<PacketNetwork> network = scenario.Build();
    scenario.helper.InstallServers(network);
    network->AssignStreams(NETWORK_STREAM);
    // By kind of network in turn: through IP, and past it.
    static std::array<bool, 4> isDirect{};
    isDirect[scenario.kind] = !isDirect[scenario.kind];
    Config::SetDefault("ns3::odcn::LogicFlowTransport::Direct",
                       BooleanValue(isDirect[scenario.kind]));
    const NetworkPackets::Settings& settings = scenario.settings;
    FlowHelper flows;
    flows.SetAttribute("Order", StringValue(NETWORK_ORDERS[int(settings.order)]));
    flows.SetAttribute("PacketSize", UintegerValue(settings.packetSize));
    flows.SetAttribute("ShortFlows", UintegerValue(settings.shortFlows));
    flows.SetAttribute("Port", UintegerValue(settings.port));
    SetLoops(flows, settings);
    flows.SetRecorderAttribute("GoodputWindow", TimeValue(settings.goodputWindow));
    NetworkOutcome outcome;
    Ptr<PlaneRun> messages;
    if (scenario.traffic.empty())
    {
        flows.Install(network->GetServers(), scenario.flows);
        StopAtEnd(*flows.GetRecorder());
    }
    else
    {
        messages = flows.InstallMessages(network->GetServers())
                       ->Send(scenario.traffic, [] { Simulator::Stop(); });
    }
    const Ptr<FaultInjector> injector = MakeInjector(scenario.faults);
    injector->SetPacketNetwork(network);
    injector->Start(scenario.faults.plan);
    RunFor(scenario.until);
    outcome.end = Simulator::Now().GetPicoSeconds();
    outcome.faults = SumFaults(*injector);
    for (uint32_t i = 0; i < network->GetNServers(); ++i)
    {
        outcome.messages +=
            DynamicCast<FlowApplication>(network->GetServers().Get(i)->GetApplication(0))
                ->GetMessageCounts();
    }
    std::vector<Time> times;
    if (messages)
    {
        times = messages->GetResult().received;
    }
    for (uint32_t i = 0; i < scenario.flows.size(); ++i)
    {
        times.push_back(flows.GetRecorder()->GetCompletionTime(i));
    }
    outcome.times = ToPicoseconds(times);
    const PacketCounts counts = network->Count();
    outcome.counts = {counts.sent, counts.received, counts.inFlight, counts.dropped};
    outcome.hops = network->GetSent();
    outcome.goodput = flows.GetRecorder()->GetGoodput();
    Config::SetDefault("ns3::odcn::LogicFlowTransport::Direct", BooleanValue(false));
    Simulator::Destroy();
    return outcome;
}

/// @param scenario to run in the engine, after another run
/// @return its outcome
NetworkOutcome
RunNetworkEngine(const NetworkScenario& scenario)
{
    NetworkPackets engine(scenario.GetModel(), scenario.settings);
    engine.AssignStreams(NETWORK_STREAM);
    engine.Run({{0, 1, 50000, Time(0)}, {1, 2, 50000, Time(0)}}, Seconds(1));
    engine.SetFaults(scenario.faults.plan, scenario.faults.detection);
    NetworkOutcome outcome;
    NetworkPackets::Result result;
    if (scenario.traffic.empty())
    {
        result = engine.Run(scenario.flows, scenario.until);
        outcome.times = ToPicoseconds(result.GetTimes());
    }
    else
    {
        TrafficRun messages(scenario.traffic);
        result = engine.Run(messages, scenario.until);
        outcome.times = ToPicoseconds(messages.GetResult().received);
    }
    outcome.end = result.end.GetPicoSeconds();
    outcome.faults = {result.faults, result.availability};
    outcome.counts = result.counts;
    outcome.hops = result.hops;
    outcome.goodput = result.goodput;
    outcome.messages = result.messages;
    Simulator::Destroy();
    return outcome;
}

/// Random networks.
struct NetworkEqualityCase
{
    bool alike;    //!< whether rates, sizes and starts are equal, so that most packets meet
    bool messages; //!< whether messages are sent, some after others, instead of flows
};

/// @copybrief NetworkEqualityCase
struct NetworkEqualityFixture : ParameterCase<NetworkEqualityCase>
{
    using ParameterCase::ParameterCase;

    /// @param least value
    /// @param greatest value
    /// @return a random one
    uint32_t Draw(uint32_t least, uint32_t greatest)
    {
        return m_random->GetInteger(least, greatest);
    }

    /// @param greatest ns
    /// @return a random time in ps, 0 in a third of the cases
    Time DrawTime(uint32_t greatest)
    {
        return Draw(0, 2) == 0 ? Time(0) : PicoSeconds(Draw(1, greatest * 1000));
    }

    /// @param k index
    /// @return a scenario
    NetworkScenario Make(uint32_t k)
    {
        NetworkScenario s;
        const auto rate = [this](uint32_t least, uint32_t greatest)
        {
            return DataRateValue(DataRate(
                parameter.alike ? 10'000'000'000 : Draw(least, greatest) * uint64_t(1000) + 7));
        };
        s.kind = k % 4;
        s.helper.SetSwitchAttribute("Spreading", StringValue(SPREADINGS[k / 4 % 4]));
        s.helper.SetServerAttribute("DataRate", rate(8'000'000, 20'000'000));
        s.helper.SetUplinkAttribute("DataRate", rate(5'000'000, 20'000'000));
        s.helper.SetServerFiberAttribute("Delay", TimeValue(DrawTime(500)));
        s.helper.SetUplinkFiberAttribute("Delay", TimeValue(DrawTime(1000)));
        // Small buffers in two thirds of the cases.
        const std::vector<std::string> sizes{"1000p", "6p", "9001B"};
        const std::vector<std::string> types{"ns3::DropTailQueue", "ns3::odcn::FairQueue"};
        s.helper.SetServerQueue(types[k % 5 == 1], QueueSize(sizes[k % 3]));
        s.helper.SetUplinkQueue(types[k % 7 == 2], QueueSize(sizes[(k + k / 3) % 3]));
        s.failed = s.kind == 0 ? 0 : k % 3;
        s.settings.order = static_cast<NetworkPackets::Order>(k / 16 % 3);
        s.settings.shortFlows = k % 2 == 0 ? Draw(1, 40000) : 0;
        s.settings.port += Draw(0, 5);
        s.settings.goodputWindow = MicroSeconds(50);
        s.settings.packetSize = parameter.alike ? 1500 : Draw(300, 1500);
        const uint32_t hosts = GetKind(s.kind).GetNServers();
        for (uint32_t i = 0; i < (parameter.messages ? 0 : 12 * hosts); ++i)
        {
            const ServerId from = Draw(0, hosts - 1);
            const ServerId to = (from + Draw(1, hosts - 1)) % hosts;
            s.flows.Add({from,
                         to,
                         parameter.alike ? 29120 : Draw(1, 40000),
                         PicoSeconds(parameter.alike ? 0 : Draw(0, 300'000'000))});
        }
        for (uint32_t i = 0; i < (parameter.messages ? 12 * hosts : 0); ++i)
        {
            const ServerId from = Draw(0, hosts - 1);
            // Few pairs, so that messages follow each other.
            const ServerId to = (from + Draw(1, 3)) % hosts;
            std::vector<uint32_t> after;
            if (i > hosts && Draw(0, 2) == 0)
            {
                after.push_back(i - Draw(1, hosts));
            }
            s.traffic.Add({from,
                           to,
                           parameter.alike ? 1440 * Draw(1, 12) : Draw(1, 40000),
                           MicroSeconds(parameter.alike ? 50 * Draw(0, 3) : Draw(0, 300))},
                          after);
        }
        s.until = MicroSeconds(k % 5 == 0 ? 200 : 3000);
        return s;
    }

    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; //!< for scenarios
};

/// @copybrief NetworkEqualityCase
ODCN_TEST_CASES_F(NetworkEqualityFixture,
                  NetworkEqualityTestCase,
                  std::string("The engine has the packets of ns-3 in electrical networks") +
                      (parameter.messages ? ", messages" : "") +
                      (parameter.alike ? ", ties included" : ""),
                  {false, false},
                  {true, false},
                  {false, true},
                  {true, true})
{
    m_random->SetStream((parameter.alike ? 1 : 2) + (parameter.messages ? 2 : 0));
    uint64_t completed = 0;
    uint64_t incomplete = 0;
    uint64_t flying = 0;
    PacketCounts sum;
    for (uint32_t k = 0; k < 48; ++k)
    {
        const NetworkScenario scenario = Make(k);
        const NetworkOutcome a = RunNetworkEvents(scenario);
        const NetworkOutcome b = RunNetworkEngine(scenario);
        std::ostringstream text;
        text << "case " << k << ", " << KINDS[scenario.kind] << ", " << SPREADINGS[k / 4 % 4]
             << ", " << NETWORK_ORDERS[k / 16 % 3];
        const std::string what = text.str();
        for (std::size_t i = 0; i < a.times.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(b.times[i], a.times[i], what << ", flow " << i);
            ++(a.times[i] < 0 ? incomplete : completed);
        }
        NS_TEST_EXPECT_MSG_EQ(b.FindDifference(a), "", what);
        NS_TEST_EXPECT_MSG_EQ((parameter.messages || b.goodput == a.goodput), true, what);
        sum.received += b.counts.received;
        sum.dropped += b.counts.dropped;
        flying += b.counts.inFlight;
    }
    // The cases are not trivial.
    NS_TEST_EXPECT_MSG_GT(completed, 2000, "flows or messages complete");
    NS_TEST_EXPECT_MSG_GT(incomplete, 1000, "flows or messages stay incomplete");
    NS_TEST_EXPECT_MSG_GT(flying, 100, "packets are on their way at the end");
    NS_TEST_EXPECT_MSG_GT(sum.received, 50000, "packets are received");
    NS_TEST_EXPECT_MSG_GT(sum.dropped[OcsDropCause::QUEUE_OVERFLOW], 2000, "overflows");
}

/// What hosts have seen.
struct DirectOutcome
{
    std::vector<std::pair<Time, std::vector<uint8_t>>> packets; //!< at devices: time and bytes
    uint64_t ipPackets{0};                                      //!< received by IP
    uint64_t otherBytes{0};                                     //!< of another application

    /// @copydoc DirectOutcome @param packet at a device
    void See(Ptr<const Packet> packet)
    {
        std::vector<uint8_t> bytes(packet->GetSize());
        packet->CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
        packets.emplace_back(Simulator::Now(), std::move(bytes));
    }

    /// @param outcome of this run
    static void SeeIp(DirectOutcome* outcome, Ptr<const Packet>, Ptr<Ipv4>, uint32_t)
    {
        ++outcome->ipPackets;
    }

    /// @param outcome of this run
    /// @param socket of another application
    static void SeeOther(DirectOutcome* outcome, Ptr<Socket> socket)
    {
        while (const Ptr<Packet> packet = socket->Recv())
        {
            outcome->otherBytes += packet->GetSize();
        }
    }
};

/// @param isDirect whether flows go past IP
/// @return flows with credits, and a packet of another application, over two switches
DirectOutcome
RunDirect(bool isDirect)
{
    Config::SetDefault("ns3::odcn::LogicFlowTransport::Direct", BooleanValue(isDirect));
    PacketNetworkHelper helper;
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("12p"));
    const Ptr<PacketNetwork> network = helper.BuildLeafSpine(2, 3, 1, 1);
    helper.InstallServers(network);
    network->AssignStreams(NETWORK_STREAM);
    FlowHelper flows;
    flows.SetAttribute("Repair", StringValue("Nack"));
    flows.SetAttribute("Window", UintegerValue(10));
    flows.SetAttribute("ShortFlows", UintegerValue(20000));
    flows.Install(network->GetServers(),
                  Traffic{{0, 4, 90000, Time(0)},
                          {1, 4, 90000, Time(0)},
                          {3, 4, 10000, MicroSeconds(20)},
                          {4, 0, 50000, Time(0)}});
    const NodeContainer servers = network->GetServers();
    DirectOutcome outcome;
    for (uint32_t i = 0; i < servers.GetN(); ++i)
    {
        network->GetServerDevice(i)->TraceConnectWithoutContext(
            "Sniffer",
            MakeCallback(&DirectOutcome::See, &outcome));
        servers.Get(i)->GetObject<Ipv4L3Protocol>()->TraceConnectWithoutContext(
            "Rx",
            MakeBoundCallback(&DirectOutcome::SeeIp, &outcome));
    }
    constexpr uint16_t OTHER_PORT = 9;
    const auto factory = UdpSocketFactory::GetTypeId();
    const Ptr<Socket> sink = Socket::CreateSocket(servers.Get(4), factory);
    sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), OTHER_PORT));
    sink->SetRecvCallback(MakeBoundCallback(&DirectOutcome::SeeOther, &outcome));
    const Ptr<Socket> source = Socket::CreateSocket(servers.Get(2), factory);
    const Ipv4Address to = servers.Get(4)->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
    source->SendTo(Create<Packet>(700), 0, InetSocketAddress(to, OTHER_PORT));
    StopAtEnd(*flows.GetRecorder());
    RunFor(MilliSeconds(20));
    Config::SetDefault("ns3::odcn::LogicFlowTransport::Direct", BooleanValue(false));
    Simulator::Destroy();
    return outcome;
}

ODCN_TEST_CASE(NetworkDirectTestCase, "packets past IP are those through IP")
{
    const DirectOutcome a = RunDirect(false);
    const DirectOutcome b = RunDirect(true);
    NS_TEST_ASSERT_MSG_EQ(b.packets.size(), a.packets.size(), "packets at devices");
    for (std::size_t i = 0; i < a.packets.size(); ++i)
    {
        NS_TEST_ASSERT_MSG_EQ(b.packets[i].first, a.packets[i].first, "time of packet " << i);
        const auto& expected = a.packets[i].second;
        const auto& bytes = b.packets[i].second;
        NS_TEST_ASSERT_MSG_EQ(bytes.size(), expected.size(), "size of packet " << i);
        const auto differ = std::mismatch(bytes.begin(), bytes.end(), expected.begin());
        NS_TEST_EXPECT_MSG_EQ(differ.first - bytes.begin(),
                              std::ptrdiff_t(bytes.size()),
                              "bytes of packet " << i << " that are equal");
    }
    NS_TEST_EXPECT_MSG_GT(a.ipPackets, 100, "through IP");
    NS_TEST_EXPECT_MSG_EQ(b.ipPackets, 1, "the packet of the other application");
    NS_TEST_EXPECT_MSG_EQ(a.otherBytes, 700, "it arrives");
    NS_TEST_EXPECT_MSG_EQ(b.otherBytes, 700, "it arrives past DirectUdp, too");
}

ODCN_TEST_CASE(NetworkDirectRefusedTestCase, "queue discs of hosts are not passed by")
{
    Config::SetDefault("ns3::odcn::LogicFlowTransport::Direct", BooleanValue(true));
    PacketNetworkHelper helper;
    const Ptr<PacketNetwork> network = helper.BuildIdeal(1, 2);
    helper.InstallServers(network);
    TrafficControlHelper control;
    control.SetRootQueueDisc("ns3::FifoQueueDisc");
    control.Install(network->GetServerDevice(0));
    FlowHelper flows;
    flows.Install(network->GetServers(), Traffic{{0, 1, 1000, Time(0)}});
    std::string error;
    try
    {
        RunFor(MicroSeconds(1));
    }
    catch (const OdcnError& e)
    {
        error = e.what();
    }
    NS_TEST_EXPECT_MSG_NE(error.find("queue disc"), std::string::npos, error);
    Config::SetDefault("ns3::odcn::LogicFlowTransport::Direct", BooleanValue(false));
    Simulator::Destroy();
}

/// @copybrief NetworkEqualityCase
ODCN_TEST_CASES_F(NetworkEqualityFixture,
                  NetworkLoopsTestCase,
                  std::string("The engine has the transports of ns-3 with answers") +
                      (parameter.messages ? ", messages" : "") +
                      (parameter.alike ? ", ties included" : ""),
                  {false, false},
                  {true, false},
                  {false, true},
                  {true, true})
{
    m_random->SetStream((parameter.alike ? 5 : 6) + (parameter.messages ? 2 : 0));
    uint64_t completed = 0;
    FlowApplication::MessageCounts sum;
    for (uint32_t k = 0; k < GetNWorlds(3); ++k)
    {
        NetworkScenario scenario = Make(7 * k + 4);
        // No message starts at the end, where ns-3 still handles what was scheduled before.
        scenario.until = std::min(scenario.until, MicroSeconds(800)) + PicoSeconds(1);
        DrawLoops(m_random, k, scenario.settings);
        if (k % 2 == 0)
        {
            scenario.helper.SetServerQueue("ns3::odcn::TrimQueue",
                                           QueueSize(Draw(0, 1) ? "1000p" : "12p"));
            scenario.helper.SetUplinkQueue("ns3::odcn::TrimQueue", QueueSize("1000p"));
        }
        if (!IsWorldWanted(k))
        {
            continue;
        }
        const NetworkOutcome a = RunNetworkEvents(scenario);
        const NetworkOutcome b = RunNetworkEngine(scenario);
        std::ostringstream text;
        text << "world " << k << ", " << KINDS[scenario.kind] << ", "
             << DescribeLoops(scenario.settings);
        NS_TEST_ASSERT_MSG_EQ(b.times.size(), a.times.size(), text.str());
        NS_TEST_EXPECT_MSG_EQ(b.FindDifference(a), "", text.str());
        NS_TEST_EXPECT_MSG_EQ((parameter.messages || b.goodput == a.goodput), true, text.str());
        completed +=
            std::count_if(a.times.begin(), a.times.end(), [](int64_t t) { return t >= 0; });
        sum += a.messages;
    }
    if (!GetOnlyWorld().empty())
    {
        return;
    }
    // The worlds are not trivial.
    NS_TEST_EXPECT_MSG_GT(completed, 100, "flows or messages complete");
    NS_TEST_EXPECT_MSG_GT(sum.packets, 1000, "packets of messages");
    NS_TEST_EXPECT_MSG_GT(sum.again, 20, "packets are sent again");
    NS_TEST_EXPECT_MSG_GT(sum.requests, 10, "packets are asked for");
}

/// @copybrief NetworkEqualityCase
ODCN_TEST_CASES_F(NetworkEqualityFixture,
                  NetworkFaultsTestCase,
                  std::string("The engine has the faults of ns-3") +
                      (parameter.messages ? ", messages" : "") +
                      (parameter.alike ? ", ties included" : ""),
                  {false, false},
                  {true, false},
                  {false, true},
                  {true, true})
{
    m_random->SetStream((parameter.alike ? 9 : 10) + (parameter.messages ? 2 : 0));
    uint64_t completed = 0;
    uint64_t faults = 0;
    PacketCounts sum;
    for (uint32_t k = 0; k < GetNWorlds(8); ++k)
    {
        NetworkScenario scenario = Make(7 * k + 4);
        scenario.until = std::min(scenario.until, MicroSeconds(800)) + PicoSeconds(1);
        if (k % 2 == 0)
        {
            DrawLoops(m_random, k / 2, scenario.settings);
        }
        if (k % 4 == 2)
        {
            scenario.helper.SetServerQueue("ns3::odcn::TrimQueue", QueueSize("1000p"));
            scenario.helper.SetUplinkQueue("ns3::odcn::TrimQueue", QueueSize("1000p"));
        }
        const FaultParts parts = NetworkPackets(scenario.Build(), scenario.settings).GetParts();
        scenario.faults = DrawFaults(m_random, parts, scenario.until);
        if (!IsWorldWanted(k))
        {
            continue;
        }
        const NetworkOutcome a = RunNetworkEvents(scenario);
        const NetworkOutcome b = RunNetworkEngine(scenario);
        std::ostringstream text;
        text << "world " << k << ", " << KINDS[scenario.kind] << ", "
             << DescribeLoops(scenario.settings) << "," << scenario.faults.described;
        NS_TEST_EXPECT_MSG_EQ(b.FindDifference(a), "", text.str());
        completed +=
            std::count_if(a.times.begin(), a.times.end(), [](int64_t t) { return t >= 0; });
        faults += a.faults.first;
        sum += a.counts;
    }
    if (!GetOnlyWorld().empty())
    {
        return;
    }
    // The worlds are not trivial.
    NS_TEST_EXPECT_MSG_GT(completed, 100, "flows or messages complete");
    NS_TEST_EXPECT_MSG_GT(faults, 10, "faults");
    NS_TEST_EXPECT_MSG_GT(sum.dropped[OcsDropCause::PORT_FAILED], 100, "packets are lost");
}

/// A server fails at the time of a message, whose first packets are sent at once.
ODCN_TEST_CASE(NetworkFaultTieTestCase,
               "A message comes before a fault of the same time, since the fault is set later")
{
    NetworkScenario scenario;
    scenario.helper.SetServerQueue("ns3::DropTailQueue", QueueSize("6p"));
    scenario.settings.transport = "PullTransport[First=11]";
    scenario.traffic.Add({0, 4, 72'000, MicroSeconds(100)}); // 50 packets
    scenario.faults.plan.Add({FaultPart::SERVER, 0, 0, MicroSeconds(100), Time::Max(), ""});
    scenario.until = MilliSeconds(1);
    const NetworkOutcome a = RunNetworkEvents(scenario);
    const NetworkOutcome b = RunNetworkEngine(scenario);
    NS_TEST_EXPECT_MSG_EQ(b.FindDifference(a), "", "both");
    NS_TEST_EXPECT_MSG_EQ(a.counts.sent, 11, "packets");
    NS_TEST_EXPECT_MSG_EQ(a.counts.dropped[OcsDropCause::QUEUE_OVERFLOW], 4, "found no room");
    // One is being sent, and six wait.
    NS_TEST_EXPECT_MSG_EQ(a.counts.dropped[OcsDropCause::PORT_FAILED], 7, "are lost by the fault");
}

/// A sender with four ways to the receiver's rack.
ODCN_TEST_CASE(SpreadingRoundsTestCase, "In each round, every port is used once, in another order")
{
    SpreadingRounds rounds;
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    const auto draw = [&random](uint32_t n) { return random->GetInteger(0, n - 1); };
    std::map<std::vector<uint32_t>, uint32_t> orders;
    constexpr uint32_t ROUNDS = 2400;
    for (uint32_t k = 0; k < ROUNDS; ++k)
    {
        std::vector<uint32_t> order;
        for (uint32_t i = 0; i < 4; ++i)
        {
            order.push_back(rounds.Next(5, 4, draw));
            if (k % 2 == 0)
            {
                rounds.Next(2, 3, draw); // another rack has rounds of its own
            }
        }
        ++orders[order];
        std::sort(order.begin(), order.end());
        NS_TEST_ASSERT_MSG_EQ((order == std::vector<uint32_t>{0, 1, 2, 3}), true, "round " << k);
    }
    NS_TEST_EXPECT_MSG_EQ(orders.size(), 24, "all orders");
    for (const auto& [order, n] : orders)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(double(n), ROUNDS / 24.0, 4 * std::sqrt(ROUNDS / 24.0), "alike");
    }
    // A port fails within a round.
    rounds.Next(5, 4, draw);
    std::set<uint32_t> left;
    for (uint32_t i = 0; i < 3; ++i)
    {
        left.insert(rounds.Next(5, 3, draw));
    }
    NS_TEST_EXPECT_MSG_EQ((left == std::set<uint32_t>{0, 1, 2}), true, "a new round");
}

/// A permutation that ECMP carries badly and spraying well, as NDP's.
ODCN_TEST_CASE(NetworkSprayTestCase,
               "Spraying by packet carries a permutation in nearly its least time")
{
    PacketNetworkHelper helper;
    helper.SetServerAttribute("DataRate", StringValue("100Gbps"));
    helper.SetUplinkAttribute("DataRate", StringValue("100Gbps"));
    helper.SetUplinkQueue("ns3::DropTailQueue", QueueSize("1000000p"));
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("1000000p"));
    Traffic flows;
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    const DemandMatrix demand = DemandMatrix::Make("permutation", 54, random);
    for (ServerId from = 0; from < 54; ++from)
    {
        for (ServerId to = 0; to < 54; ++to)
        {
            if (demand.Get(from, to) > 0)
            {
                flows.Add({from, to, 1'456'000, Time(0)}); // 1000 packets
            }
        }
    }
    std::map<std::string, double> ratio; // slowest flow to its time alone in the network
    for (const std::string spreading : {"PerFlow", "PerPacket", "RoundRobin"})
    {
        helper.SetSwitchAttribute("Spreading", StringValue(spreading));
        NetworkPackets engine(helper.BuildFatTree(6, 18, 3), {});
        engine.AssignStreams(1);
        const auto result = engine.Run(flows, Seconds(1));
        const Time most = *std::max_element(result.received.begin(), result.received.end());
        ratio[spreading] = most.GetSeconds() / engine.GetUnloadedTimes(flows)[0].GetSeconds();
        Simulator::Destroy();
    }
    NS_TEST_EXPECT_MSG_GT(ratio["PerFlow"], 2, "flows share links");
    NS_TEST_EXPECT_MSG_LT(ratio["PerPacket"], 1.2, "at random");
    NS_TEST_EXPECT_MSG_LT(ratio["RoundRobin"], 1.1, "in rounds");
    NS_TEST_EXPECT_MSG_LT(ratio["RoundRobin"], ratio["PerPacket"], "rounds spread better");
}

/// Seven senders to one, with queues that cut packets.
ODCN_TEST_CASE(NetworkTrimTestCase, "Repair asks for packets that a queue has cut")
{
    PacketNetworkHelper helper;
    helper.SetServerQueue("ns3::odcn::TrimQueue", QueueSize("1000p"));
    helper.SetUplinkQueue("ns3::odcn::TrimQueue", QueueSize("1000p"));
    Traffic flows;
    for (ServerId from = 1; from < 8; ++from)
    {
        flows.Add({from, 0, 72'000, Time(0)}); // 50 packets
    }
    NetworkPackets::Settings settings;
    settings.repair = FlowApplication::NACK;
    settings.reorderTime = MicroSeconds(20);
    settings.repairTimeout = MicroSeconds(200);
    NetworkPackets engine(helper.BuildIdeal(2, 4), settings);
    const NetworkPackets::Result result = engine.Run(flows, Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(result.CountReceived(), 7, "flows");
    NS_TEST_EXPECT_MSG_GT(result.cut, 0, "packets are cut");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(result.messages.again, result.cut, "and sent again");
    NS_TEST_EXPECT_MSG_EQ(result.messages.packets, 350, "each once before");
    Simulator::Destroy();
}

/// Flows far apart in time.
ODCN_TEST_CASE(NetworkUnloadedTestCase, "A flow that is alone takes the time that paths say")
{
    for (uint32_t kind = 0; kind < KINDS.size(); ++kind)
    {
        PacketNetworkHelper helper;
        helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
        helper.SetUplinkAttribute("DataRate", StringValue("7Gbps"));
        helper.SetServerFiberAttribute("Delay", StringValue("30ns"));
        helper.SetUplinkFiberAttribute("Delay", StringValue("500ns"));
        NetworkPackets engine(helper.Build(GetKind(kind)), {});
        Traffic flows;
        for (ServerId to = 1; to < 12; ++to)
        {
            flows.Add({0, to, to * 2000, MilliSeconds(to)});
        }
        const auto result = engine.Run(flows, Seconds(1));
        NS_TEST_EXPECT_MSG_EQ((result.GetTimes() == engine.GetUnloadedTimes(flows)),
                              true,
                              KINDS[kind]);
        Simulator::Destroy();
    }
}

/// Networks that cannot be computed.
ODCN_TEST_CASE(NetworkRefusalTestCase,
               "What the engine cannot compute is refused with a clear line")
{
    const auto refusal = [](const std::function<void(PacketNetworkHelper&)>& set,
                            const NetworkPackets::Settings& settings = {})
    {
        PacketNetworkHelper helper;
        set(helper);
        const Ptr<PacketNetwork> network = helper.BuildLeafSpine(2, 2, 1, 1);
        const std::string text = GetRefusal([&] { NetworkPackets(network, settings); });
        Simulator::Destroy();
        return text;
    };
    const auto none = [](PacketNetworkHelper&) {};
    NS_TEST_EXPECT_MSG_EQ(refusal(none), "", "a plain network");
    NS_TEST_EXPECT_MSG_EQ(
        refusal([](PacketNetworkHelper& h)
                { h.SetSwitchAttribute("QueueDisc", StringValue("ns3::FifoQueueDisc")); }),
        "exact packets: network: found 'its switches have queue discs', expected drop-tail or "
        "fair queues, and equal links of servers",
        "queue discs");
    NetworkPackets::Settings large;
    large.packetSize = 1501;
    NS_TEST_EXPECT_MSG_EQ(refusal(none, large),
                          "exact packets: PacketSize: found '1501', expected at most the Mtu, 1500",
                          "larger than the Mtu");
    NetworkPackets::Settings hosts;
    hosts.transport = "TcpFlowTransport";
    NS_TEST_EXPECT_MSG_EQ(refusal(none, hosts),
                          "exact packets: transport: found 'FlowApplication::Transport is "
                          "TcpFlowTransport, which has packets of ns-3 only', expected Udp or a "
                          "TransportLogic",
                          "TCP");
    hosts.transport = "PullTransport[Frist=3]";
    NS_TEST_EXPECT_MSG_NE(refusal(none, hosts).find("did you mean First"),
                          std::string::npos,
                          refusal(none, hosts));
    hosts.transport = "Udp";
    hosts.window = 3;
    NS_TEST_EXPECT_MSG_NE(refusal(none, hosts).find("the transport has no credits"),
                          std::string::npos,
                          refusal(none, hosts));
    hosts = {};
    hosts.transport = "PullTransport";
    const auto cut = [](PacketNetworkHelper& h)
    { h.SetUplinkQueue("ns3::odcn::TrimQueue", QueueSize("9p")); };
    NS_TEST_EXPECT_MSG_EQ(refusal(cut, hosts), "", "headers of 64 bytes");
    Config::SetDefault("ns3::odcn::TrimQueue<Packet>::HeaderSize", UintegerValue(60));
    NS_TEST_EXPECT_MSG_EQ(
        refusal(cut, hosts),
        "exact packets: TrimQueue::HeaderSize: found '60', expected at least the headers of the "
        "transport, 64",
        "headers that would be cut");
    Config::SetDefault("ns3::odcn::TrimQueue<Packet>::HeaderSize", UintegerValue(64));
    PacketNetworkHelper helper;
    const Ptr<PacketNetwork> network = helper.BuildIdeal(2, 2);
    network->GetServerDevice(3)->SetDataRate(DataRate("1Gbps"));
    NS_TEST_EXPECT_MSG_EQ(NetworkPackets::WhyNot(NetworkModel(*network)),
                          "links of its servers differ",
                          "rates");
    network->GetServerDevice(3)->SetDataRate(network->GetServerDevice(0)->GetDataRate());
    NS_TEST_EXPECT_MSG_EQ(NetworkPackets::WhyNot(NetworkModel(*network)), "", "equal again");
    network->GetServerDevice(3)->Fail();
    NS_TEST_EXPECT_MSG_EQ(NetworkPackets::WhyNot(NetworkModel(*network)),
                          "links of its servers have failed",
                          "failed");
    network->GetServerDevice(3)->Repair();
    NetworkPackets engine(network, {});
    NS_TEST_EXPECT_MSG_EQ(GetRefusal(
                              [&] {
                                  engine.Run({{0, 4, 1, Time(0)}}, Seconds(1));
                              }),
                          "exact packets: flow 0 from host 0 to 4 of 1 bytes: expected two "
                          "different hosts below 4, 1 byte or more, and a start of 0 or more",
                          "no such host");
    Simulator::Destroy();
}

/// The packet engine for electrical networks.
PicosecondSuite g_networkPacketsTestSuite("odcn-network-packets");

} // namespace
