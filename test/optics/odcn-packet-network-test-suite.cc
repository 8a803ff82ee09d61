// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Electrical networks: leaf-spine, fat tree and one ideal switch.
 *
 * Packets have 1500 bytes. Servers have 10 Gb/s (1200 ns a packet) and fibres of 100 ns; uplinks
 * have fibres of 250 ns, and 40 Gb/s (300 ns) unless a test says otherwise.
 */

#include "../core/odcn-test-case.h"
#include "ocs-test-fabric.h"

#include "ns3/config.h"
#include "ns3/odcn-fault-injector.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-packet-network-helper.h"

#include <deque>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Bytes of a packet.
constexpr uint32_t SIZE = 1500;
/// Transmission time at a server, ns.
constexpr int64_t SERVICE = 1200;

/// @param spreading Attribute of the switches  @param uplinkRate Attribute of the uplinks
/// @return a helper with the times above
PacketNetworkHelper
MakeNetworkHelper(const std::string& spreading = "PerFlow",
                  const std::string& uplinkRate = "40Gbps")
{
    PacketNetworkHelper helper;
    helper.SetSwitchAttribute("Spreading", StringValue(spreading));
    helper.SetServerAttribute("DataRate", DataRateValue(DataRate("10Gbps")));
    helper.SetUplinkAttribute("DataRate", DataRateValue(DataRate(uplinkRate)));
    helper.SetServerFiberAttribute("Delay", TimeValue(NanoSeconds(100)));
    helper.SetUplinkFiberAttribute("Delay", TimeValue(NanoSeconds(250)));
    return helper;
}

/// Replaces a server: takes packets off its network card and records when.
struct Host : public QuietUser
{
    void PortReceived(uint32_t, const Ptr<Packet>&) override
    {
        ++received;
        last = Simulator::Now();
    }

    uint64_t received{0}; //!< packets received
    Time last;            //!< time of the last one
};

/// A network whose servers are Hosts, numbered rack by rack.
class TestNetwork
{
  public:
    /// @param built a network
    explicit TestNetwork(Ptr<PacketNetwork> built)
        : network(built),
          hosts(built->GetServers().GetN())
    {
        for (uint32_t i = 0; i < hosts.size(); ++i)
        {
            GetCard(i)->SetUser(&hosts[i], 0);
        }
        network->AssignStreams(1);
    }

    /// @param host a host  @return its network card
    Ptr<OcsNetDevice> GetCard(uint32_t host) const
    {
        return network->GetServerDevice(host / network->GetServersPerRack(),
                                        host % network->GetServersPerRack());
    }

    /// @param host a host  @return its address
    Ipv4Address GetAddress(uint32_t host) const
    {
        return network->GetServerAddress(host / network->GetServersPerRack(),
                                         host % network->GetServersPerRack());
    }

    /// @param from a host  @param to a host  @param flow source port
    void Send(uint32_t from, uint32_t to, uint16_t flow = 1)
    {
        GetCard(from)->Transmit(MakeTestPacket(GetAddress(from), GetAddress(to), flow, SIZE));
    }

    /// @param from a host  @param to chooses the receiver of each packet  @param n packets to send
    void SendAtLineRate(uint32_t from, const std::function<uint32_t()>& to, uint32_t n)
    {
        Send(from, to());
        if (n > 1)
        {
            Simulator::Schedule(NanoSeconds(SERVICE),
                                &TestNetwork::SendAtLineRate,
                                this,
                                from,
                                to,
                                n - 1);
        }
    }

    /// @return packets received by all hosts
    uint64_t GetReceived() const
    {
        return SumOf<uint64_t>(hosts, [&](const Host& host) { return host.received; });
    }

    /// @return packets received by each switch
    std::vector<uint64_t> GetReceivedBySwitch() const
    {
        return ListOf<uint64_t>(network->GetNSwitches(),
                                [&](uint32_t i) { return network->GetSwitch(i)->GetReceived(); });
    }

    /// @return whether no packet is unaccounted for, in the network and in each switch
    bool IsConserved() const
    {
        const PacketCounts counts = network->Count();
        bool holds = counts.sent == counts.received + counts.inFlight + counts.dropped.Total();
        for (uint32_t i = 0; i < network->GetNSwitches(); ++i)
        {
            const Ptr<PacketSwitch> s = network->GetSwitch(i);
            holds = holds &&
                    s->GetReceived() == s->GetSent() + s->GetWaiting() + s->GetDropped().Total();
        }
        return holds;
    }

    Ptr<PacketNetwork> network; //!< the network
    std::vector<Host> hosts;    //!< by number
    SimulationEnd end;          //!< of the simulation
};

/// Latencies computed by hand, and the number of switches on the path of each pair.
ODCN_TEST_CASE(PathTestCase,
               "Every pair of hosts is joined by a shortest path, whose latency is exact")
{
    // network: a network; hops: expected switches on the path between two racks
    const auto check =
        [&](Ptr<PacketNetwork> network, const std::function<uint32_t(RackId, RackId)>& hops)
    {
        TestNetwork t(network);
        const auto n = static_cast<uint32_t>(t.hosts.size());
        for (uint32_t from = 0; from < n; ++from)
        {
            for (uint32_t to = 0; to < n; ++to)
            {
                if (from == to)
                {
                    continue;
                }
                uint64_t visits = 0;
                for (uint64_t received : t.GetReceivedBySwitch())
                {
                    visits -= received;
                }
                const uint64_t before = t.hosts[to].received;
                const Time start = Simulator::Now();
                t.Send(from, to);
                Simulator::Run();
                for (uint64_t received : t.GetReceivedBySwitch())
                {
                    visits += received;
                }
                const uint32_t switches =
                    hops(from / network->GetServersPerRack(), to / network->GetServersPerRack());
                NS_TEST_ASSERT_MSG_EQ(t.hosts[to].received, before + 1, from << " to " << to);
                NS_TEST_EXPECT_MSG_EQ(visits, switches, from << " to " << to);
                const Time latency = NanoSeconds(2 * (SERVICE + 100) + (switches - 1) * 550);
                NS_TEST_EXPECT_MSG_EQ(t.hosts[to].last - start, latency, from << " to " << to);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(t.IsConserved(), true, "conserved");
    };
    for (const char* disc : {"", "ns3::FifoQueueDisc"})
    {
        PacketNetworkHelper helper = MakeNetworkHelper();
        helper.SetSwitchAttribute("QueueDisc", StringValue(disc));
        check(helper.BuildLeafSpine(4, 3, 2, 4), [](RackId u, RackId v) { return u == v ? 1 : 3; });
        // Two full pods and one edge switch of a third.
        // clang-format off
        const auto pods = [](RackId u, RackId v) {
            return u == v ? 1 : u / 2 == v / 2 ? 3 : 5;
        };
        // clang-format on
        check(helper.BuildFatTree(4, 5, 2), pods);
        check(helper.BuildIdeal(3, 4), [](RackId, RackId) { return 1; });
    }
    // More servers than 8 bits of the address can name.
    TestNetwork t(MakeNetworkHelper().BuildIdeal(2, 300));
    t.Send(0, 599);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(t.hosts[599].received, 1, "server 299 of rack 1");
    for (const char* address : {"192.168.0.1", "10.0.3.255", "10.0.4.1", "10.0.0.0"})
    {
        t.GetCard(0)->Transmit(MakeTestPacket(t.GetAddress(0), Ipv4Address(address), 1));
    }
    t.GetCard(0)->Transmit(Create<Packet>(100));
    Simulator::Run();
    const PacketCounts counts = t.network->Count();
    NS_TEST_EXPECT_MSG_EQ(counts.dropped[OcsDropCause::MISROUTED], 5, "no such server");
    NS_TEST_EXPECT_MSG_EQ(counts.sent, 6, "sent");
    NS_TEST_EXPECT_MSG_EQ(counts.inFlight, 0, "none is left");
}

/// Flows over the 16 cores between two pods of a fat tree of switches with 8 ports.
ODCN_TEST_CASE(SpreadingTestCase, "Packets spread over all shortest paths, and a flow keeps to one")
{
    constexpr uint32_t CORES = 16;
    constexpr uint32_t FIRST_CORE = 16;
    constexpr uint32_t FLOWS = 3200;
    // spreading: Attribute; polarised: whether all switches share one hash
    // used: cores used by each flow, by number of cores
    // result: packets by core
    const auto run = [&](const std::string& spreading,
                         bool polarised,
                         std::map<std::size_t, uint32_t>& used) -> std::vector<uint64_t>
    {
        TestNetwork t(MakeNetworkHelper(spreading).BuildFatTree(8, 8, 1));
        for (uint32_t i = 0; polarised && i < t.network->GetNSwitches(); ++i)
        {
            t.network->GetSwitch(i)->SetAttribute("Perturbation", UintegerValue(0));
        }
        const auto cores = [&t]
        {
            const std::vector<uint64_t> all = t.GetReceivedBySwitch();
            return std::vector<uint64_t>(all.begin() + FIRST_CORE, all.end());
        };
        used.clear();
        for (uint32_t flow = 0; flow < FLOWS; ++flow)
        {
            const auto before = cores();
            t.Send(0, 7, flow);
            t.Send(0, 7, flow);
            Simulator::Run();
            const auto after = cores();
            std::size_t n =
                SumOf<std::size_t>(CORES,
                                   [&](uint32_t core) { return after[core] > before[core]; });
            ++used[n];
        }
        return cores();
    };
    const double share = double(FLOWS) / CORES;
    const double sigma = std::sqrt(share * (1 - 1.0 / CORES));
    std::map<std::size_t, uint32_t> used;
    for (uint64_t packets : run("PerFlow", false, used))
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(double(packets), 2 * share, 2 * 4 * sigma, "flows");
    }
    NS_TEST_EXPECT_MSG_EQ(used[1], FLOWS, "each flow keeps to one core");
    uint32_t idle =
        SumOf<uint32_t>(run("PerFlow", true, used), [&](uint64_t packets) { return packets == 0; });
    NS_TEST_EXPECT_MSG_EQ(idle, CORES - 4, "one hash in all switches leaves cores unused");
    for (uint64_t packets : run("PerPacket", false, used))
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(double(packets), 2 * share, 4 * std::sqrt(2) * sigma, "packets");
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(double(used[1]), share, 4 * sigma, "both on one by chance");
    for (uint64_t packets : run("RoundRobin", false, used))
    {
        NS_TEST_EXPECT_MSG_EQ(packets, 2 * FLOWS / CORES, "in rounds");
    }
    NS_TEST_EXPECT_MSG_EQ(used[2], FLOWS, "both are of one round of four");
}

/// Spreading by the receiving server, outside of a computing centre.
ODCN_TEST_CASE(ByHostTestCase, "By receiving server, all links of a fat tree carry packets alike")
{
    // Each of 54 hosts sends to all others over switches with 6 ports.
    TestNetwork t(MakeNetworkHelper("ByHost").BuildFatTree(6, 18, 3));
    for (uint32_t from = 0; from < 54; ++from)
    {
        for (uint32_t to = 0; to < 54; ++to)
        {
            if (from != to)
            {
                t.Send(from, to);
            }
        }
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(t.GetReceived(), 54 * 53, "all arrive");
    std::map<uint64_t, uint32_t> ports; // by packets sent
    for (uint32_t i = 0; i < t.network->GetNSwitches(); ++i)
    {
        const Ptr<PacketSwitch> node = t.network->GetSwitch(i);
        for (uint32_t port = 0; port < node->GetNPorts(); ++port)
        {
            ++ports[node->GetPort(port)->GetSent()];
        }
    }
    // A server receives 53, an edge sends 3 x 51 by three links, and a pod 9 x 45 by nine.
    NS_TEST_EXPECT_MSG_EQ(ports.contains(0), false, "no idle port");
    NS_TEST_EXPECT_MSG_EQ(ports.size(), 3, "equal loads of equal ports");
    NS_TEST_EXPECT_MSG_EQ(ports[53], 54, "ports to servers");
    NS_TEST_EXPECT_MSG_EQ(ports[51], 108, "between edges and aggregations");
    NS_TEST_EXPECT_MSG_EQ(ports[45], 108, "between aggregations and cores");
}

/// Hosts that send at their line rate.
ODCN_TEST_CASE(PacketNetworkThroughputTestCase,
               "Saturated networks deliver what their bisection allows")
{
    // network: a network; to: receiver of a host's next packet
    // drops: whether packets may be lost
    // result: share of the line rate delivered after a warm-up
    const auto run = [&](Ptr<PacketNetwork> network,
                         const std::function<uint32_t(uint32_t)>& to,
                         bool drops) -> double
    {
        constexpr uint32_t WARM_UP = 200;
        constexpr uint32_t PACKETS = 2000;
        TestNetwork t(network);
        const auto n = static_cast<uint32_t>(t.hosts.size());
        for (uint32_t host = 0; host < n; ++host)
        {
            // clang-format off
            t.SendAtLineRate(
                host,
                [&to, host] { return to(host); },
                WARM_UP + PACKETS);
            // clang-format on
        }
        RunFor(NanoSeconds(WARM_UP * SERVICE));
        const uint64_t before = t.GetReceived();
        RunFor(NanoSeconds(PACKETS * SERVICE));
        const uint64_t received = t.GetReceived() - before;
        NS_TEST_EXPECT_MSG_EQ(t.IsConserved(), true, "conserved");
        NS_TEST_EXPECT_MSG_EQ((network->Count().dropped.Total() > 0), drops, "drops");
        return double(received) / PACKETS / n;
    };
    // 6 servers over 2 uplinks of the same rate; all servers of other racks in turn.
    PacketNetworkHelper helper = MakeNetworkHelper("PerPacket", "10Gbps");
    helper.SetUplinkQueue("ns3::DropTailQueue", QueueSize("100p"));
    std::vector<uint32_t> turn(24);
    const auto others = [&turn](uint32_t host)
    { return (host / 6 * 6 + 6 + (host + turn[host]++) % 18) % 24; };
    const double third = run(helper.BuildLeafSpine(4, 6, 2, 2), others, true);
    NS_TEST_EXPECT_MSG_EQ_TOL(third, 1.0 / 3, 0.02 / 3, "over-subscription of 3:1");

    const auto opposite = [](uint32_t host) { return (host + 8) % 16; };
    const double ideal = run(helper.BuildIdeal(8, 2), opposite, false);
    NS_TEST_EXPECT_MSG_EQ(ideal, 1, "ideal switch");
    // At a load of exactly 1, random spreading leaves ports idle for about the square root of
    // the number of packets.
    helper.SetUplinkQueue("ns3::DropTailQueue", QueueSize("1000p"));
    const double tree = run(helper.BuildFatTree(4, 8, 2), opposite, false);
    NS_TEST_EXPECT_MSG_GT(tree, 0.96, "fat tree");
    const double spines = run(helper.BuildLeafSpine(8, 2, 2, 2), opposite, false);
    NS_TEST_EXPECT_MSG_GT(spines, 0.96, "leaf-spine without over-subscription");
}

/// Ports that fail.
struct PacketNetworkFailureFixture : TestCase
{
    using TestCase::TestCase;

    using Ports = std::vector<uint32_t>;

    /// One leaf loses its uplinks one after the other. @param disc Attribute QueueDisc
    void RunUplinks(const std::string& disc)
    {
        PacketNetworkHelper helper = MakeNetworkHelper();
        helper.SetSwitchAttribute("QueueDisc", StringValue(disc));
        TestNetwork t(helper.BuildLeafSpine(3, 1, 2, 2));
        const Ptr<PacketSwitch> leaf = t.network->GetSwitchOf(0);
        const Ptr<PacketSwitch> other = t.network->GetSwitchOf(2);
        const auto dropped = [&t] { return t.network->Count().dropped[OcsDropCause::PORT_FAILED]; };
        // Port 0 leads to the server.
        NS_TEST_EXPECT_MSG_EQ((leaf->GetRoute(1) == Ports{1, 2}), true, "both spines");
        for (uint16_t flow = 0; flow < 20; ++flow)
        {
            leaf->PortReceived(0, MakeTestPacket(t.GetAddress(0), t.GetAddress(1), flow, SIZE));
        }
        NS_TEST_EXPECT_MSG_EQ(leaf->GetWaiting(), 18, "two leave");
        leaf->GetPort(1)->Fail();
        NS_TEST_EXPECT_MSG_EQ(leaf->GetWaiting(), 18, "all wait for the other port");
        NS_TEST_EXPECT_MSG_EQ((leaf->GetRoute(1) == Ports{2}), true, "one spine");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(t.hosts[1].received, 19, "all but the truncated one");
        NS_TEST_EXPECT_MSG_EQ(dropped(), 1, "truncated");

        for (uint16_t flow = 0; flow < 20; ++flow)
        {
            t.Send(2, 0, flow);
        }
        Simulator::Run();
        const uint64_t lost = dropped() - 1;
        NS_TEST_EXPECT_MSG_GT(lost, 0, "the other leaf does not know");
        NS_TEST_EXPECT_MSG_EQ(t.hosts[0].received, 20 - lost, "the rest comes");
        t.network->UpdateRoutes();
        NS_TEST_EXPECT_MSG_EQ((other->GetRoute(0) == Ports{2}), true, "now it knows");
        NS_TEST_EXPECT_MSG_EQ((other->GetRoute(1) == Ports{1, 2}), true, "others as before");

        leaf->GetPort(2)->Fail();
        t.Send(0, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(dropped(), lost + 2, "no port");
        t.network->UpdateRoutes();
        t.Send(2, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(dropped(), lost + 3, "no path");
        leaf->GetPort(1)->Repair();
        leaf->GetPort(2)->Repair();
        t.network->UpdateRoutes();
        t.Send(2, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(t.hosts[0].received, 21 - lost, "repaired");
        // The server's own port: nothing waits for its repair.
        leaf->GetPort(0)->Fail();
        t.Send(2, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(dropped(), lost + 4, "server's port");
        NS_TEST_EXPECT_MSG_EQ(leaf->GetWaiting(), 0, "server's port");
    }

    /// Random traffic and random failures. @param disc Attribute QueueDisc
    void RunRandom(const std::string& disc)
    {
        PacketNetworkHelper helper = MakeNetworkHelper("PerPacket", "10Gbps");
        helper.SetSwitchAttribute("QueueDisc", StringValue(disc));
        helper.SetUplinkQueue("ns3::DropTailQueue", QueueSize("10p"));
        TestNetwork t(helper.BuildFatTree(4, 8, 2));
        auto ports = ListOf<Ptr<OcsNetDevice>>(16, [&](uint32_t host) { return t.GetCard(host); });
        for (uint32_t i = 0; i < t.network->GetNSwitches(); ++i)
        {
            for (uint32_t p = 0; p < t.network->GetSwitch(i)->GetNPorts(); ++p)
            {
                ports.push_back(t.network->GetSwitch(i)->GetPort(p));
            }
        }
        const Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(1000);
        for (uint32_t host = 0; host < 16; ++host)
        {
            t.SendAtLineRate(
                host,
                [&random, host] { return (host + random->GetInteger(1, 15)) % 16; },
                1000);
        }
        std::deque<Ptr<OcsNetDevice>> failed;
        for (uint32_t step = 0; step < 200; ++step)
        {
            RunFor(MicroSeconds(6));
            NS_TEST_ASSERT_MSG_EQ(t.IsConserved(), true, "at step " << step);
            failed.push_back(ports[random->GetInteger(0, ports.size() - 1)]);
            failed.back()->Fail();
            if (failed.size() > 6)
            {
                failed.front()->Repair();
                failed.pop_front();
            }
            if (random->GetInteger(0, 3) == 0)
            {
                t.network->UpdateRoutes();
            }
            NS_TEST_ASSERT_MSG_EQ(t.IsConserved(), true, "after step " << step);
        }
        const PacketCounts busy = t.network->Count();
        NS_TEST_EXPECT_MSG_GT(busy.dropped[OcsDropCause::PORT_FAILED], 0, "failures");
        NS_TEST_EXPECT_MSG_GT(busy.dropped[OcsDropCause::QUEUE_OVERFLOW], 0, "overflows");
        for (const Ptr<OcsNetDevice>& port : failed)
        {
            port->Repair();
        }
        t.network->UpdateRoutes();
        Simulator::Run();
        const PacketCounts counts = t.network->Count();
        NS_TEST_EXPECT_MSG_EQ(counts.sent, 16000, "sent");
        NS_TEST_EXPECT_MSG_EQ(counts.inFlight, 0, "none is left");
        NS_TEST_EXPECT_MSG_EQ(counts.received, t.GetReceived(), "received");
        NS_TEST_EXPECT_MSG_EQ(t.IsConserved(), true, "in the end");
    }
};

/// @copybrief PacketNetworkFailureFixture
ODCN_TEST_CASE_F(PacketNetworkFailureFixture,
                 PacketNetworkFailureTestCase,
                 "Switches avoid their failed ports, and no packet is unaccounted for")
{
    for (const char* disc : {"", "ns3::FifoQueueDisc[MaxSize=5p]"})
    {
        RunRandom(disc);
    }
    for (const char* disc : {"", "ns3::FifoQueueDisc"})
    {
        RunUplinks(disc);
    }
}

/// Faults of a Clos: what is lost before control knows, and after.
ODCN_TEST_CASE(ElectricalFaultTestCase,
               "Uplinks, ToR switches and servers of electrical networks fail and are repaired")
{
    TestNetwork t(MakeNetworkHelper().BuildLeafSpine(3, 2, 2, 2));
    const auto makeInjector = [](Ptr<PacketNetwork> network)
    {
        const auto injector =
            CreateObjectWithAttributes<FaultInjector>("DetectionTime",
                                                      TimeValue(MicroSeconds(100)));
        injector->SetPacketNetwork(network);
        return injector;
    };
    const Ptr<FaultInjector> injector = makeInjector(t.network);
    NS_TEST_EXPECT_MSG_EQ((injector->GetSizes(FaultPart::UPLINK) == FaultSizes{2, 2, 2}), true, "");
    NS_TEST_EXPECT_MSG_EQ((injector->GetSizes(FaultPart::TOR) == FaultSizes{1, 1, 1}), true, "");
    NS_TEST_EXPECT_MSG_EQ((injector->GetSizes(FaultPart::SERVER) == FaultSizes{2, 2, 2}), true, "");
    FaultPlan plan;
    plan.Add({FaultPart::UPLINK, 0, 1, MicroSeconds(1), MicroSeconds(400), ""});
    plan.Add({FaultPart::TOR, 1, 0, MicroSeconds(601), MicroSeconds(1000), ""});
    plan.Add({FaultPart::SERVER, 2, 1, MicroSeconds(1201), MicroSeconds(1400), ""});
    injector->Start(plan);

    /// Packets between two hosts.
    struct Trial
    {
        int64_t time;      //!< when they are sent, us
        uint32_t from;     //!< sender, two hosts a rack
        uint32_t to;       //!< receiver
        uint32_t least;    //!< fewest lost, of 20
        uint32_t greatest; //!< most lost
    };

    const auto dropped = [&t] { return t.network->Count().dropped[OcsDropCause::PORT_FAILED]; };
    for (const Trial& trial : {Trial{2, 4, 0, 1, 19}, // the other leaves do not know yet
                               Trial{102, 4, 0, 0, 0},
                               Trial{502, 4, 0, 0, 0},
                               Trial{602, 0, 2, 20, 20},
                               Trial{702, 2, 3, 20, 20}, // within the rack
                               Trial{1102, 0, 2, 0, 0},
                               Trial{1202, 0, 5, 20, 20},
                               Trial{1302, 0, 4, 0, 0},
                               Trial{1402, 0, 5, 0, 0}})
    {
        RunFor(MicroSeconds(trial.time) - Simulator::Now());
        const uint64_t before = dropped();
        const uint64_t received = t.hosts[trial.to].received;
        for (uint16_t flow = 0; flow < 20; ++flow)
        {
            t.Send(trial.from, trial.to, flow);
        }
        RunFor(MicroSeconds(60));
        const uint64_t lost = dropped() - before;
        NS_TEST_EXPECT_MSG_EQ((lost >= trial.least && lost <= trial.greatest),
                              true,
                              lost << " lost at " << trial.time);
        NS_TEST_EXPECT_MSG_EQ(t.hosts[trial.to].received - received, 20 - lost, trial.time);
        NS_TEST_EXPECT_MSG_EQ(t.IsConserved(), true, "at " << trial.time);
    }
    const auto& routes = t.network->GetSwitchOf(2)->GetRoute(0);
    NS_TEST_EXPECT_MSG_EQ(routes.size(), 2, "both uplinks are used again");
    for (const FaultPart part : {FaultPart::UPLINK, FaultPart::TOR, FaultPart::SERVER})
    {
        NS_TEST_EXPECT_MSG_EQ(injector->GetNFaults(part), 1, FaultPartName(part));
        NS_TEST_EXPECT_MSG_LT(injector->GetAvailability(part), 1, FaultPartName(part));
    }
    // One switch for all racks has no uplinks, and is no ToR switch.
    const Ptr<FaultInjector> ideal = makeInjector(MakeNetworkHelper().BuildIdeal(3, 2));
    for (const FaultPart part : {FaultPart::UPLINK, FaultPart::TOR})
    {
        FaultPlan none;
        none.Add({part, 0, 0, Time(0), Seconds(1), ""});
        NS_TEST_EXPECT_MSG_NE(GetRefusal([&] { ideal->Start(none); }), "", FaultPartName(part));
    }
}

/// Four servers send to one: DCTCP with marks, and TCP without.
ODCN_TEST_CASE(DctcpTestCase, "Queue discs of the switches mark packets for DCTCP")
{
    uint64_t marked = 0; // packets marked on their way to host 0
    // congestionControl: of TCP; disc: Attribute QueueDisc
    // result: packets by outcome, after all flows have completed
    const auto run = [&](const std::string& congestionControl,
                         const std::string& disc) -> PacketCounts
    {
        DataCentreTcp tcp;
        tcp.congestionControl = congestionControl;
        FlowHelper::SetDataCentreTcp(tcp);
        PacketNetworkHelper helper = MakeNetworkHelper();
        helper.SetSwitchAttribute("QueueDisc", StringValue(disc));
        helper.SetServerQueue("ns3::DropTailQueue", QueueSize("100p"));
        const Ptr<PacketNetwork> network = helper.BuildLeafSpine(3, 2, 2, 2);
        network->AssignStreams(1);
        helper.InstallServers(network);
        marked = 0;
        const auto received = [&](Ptr<const Packet> packet)
        {
            Ipv4Header ip;
            packet->PeekHeader(ip);
            marked += ip.GetEcn() == Ipv4Header::ECN_CE;
        };
        Listen(network->GetServerDevice(0, 0), "MacRx", received);
        FlowHelper flows;
        flows.SetAttribute("Transport", StringValue("Tcp"));
        Traffic all;
        for (uint32_t from = 2; from < 6; ++from)
        {
            all.Add({from, 0, 2000000, Time(0)});
        }
        flows.Install(network->GetServers(), all);
        RunFor(Seconds(1));
        for (uint32_t flow = 0; flow < all.size(); ++flow)
        {
            NS_TEST_EXPECT_MSG_LT(flows.GetRecorder()->GetCompletionTime(flow),
                                  MilliSeconds(20),
                                  "8 MB take 6.6 ms at line rate");
        }
        const PacketCounts counts = network->Count();
        NS_TEST_EXPECT_MSG_EQ(counts.sent,
                              counts.received + counts.inFlight + counts.dropped.Total(),
                              "conserved");
        Simulator::Destroy();
        return counts;
    };
    const std::string red = "ns3::RedQueueDisc[MaxSize=100p|MinTh=20|MaxTh=20.000001|QW=1|"
                            "UseEcn=true|UseHardDrop=false|Gentle=false|MeanPktSize=1500]";
    const uint64_t dropped = run("ns3::TcpDctcp", red).dropped.Total();
    NS_TEST_EXPECT_MSG_GT(marked, 100, "marked");
    NS_TEST_EXPECT_MSG_EQ(dropped, 0, "marks keep the queue short");
    NS_TEST_EXPECT_MSG_GT(run("ns3::TcpNewReno", "").dropped[OcsDropCause::QUEUE_OVERFLOW],
                          0,
                          "overflow without marks");
    NS_TEST_EXPECT_MSG_EQ(marked, 0, "no marks without a queue disc");
    Config::Reset();
}

/// Networks that cannot be built.
ODCN_TEST_CASE(MisuseTestCase, "A network that cannot be built is refused with a clear line")
{
    PacketNetworkHelper helper = MakeNetworkHelper();
    NS_TEST_EXPECT_MSG_EQ(GetRefusal([&] { helper.BuildLeafSpine(4, 2, 3, 4); }),
                          "leaf-spine network: found '4 uplinks to 3 spines', expected uplinks "
                          "that are a multiple of the spines",
                          "uplinks");
    NS_TEST_EXPECT_MSG_EQ(GetRefusal([&] { helper.BuildFatTree(4, 9, 2); }),
                          "fat tree of switches with 4 ports: found '9 racks of 2 servers', "
                          "expected an even number k of ports, at most k^2/2 racks of at most "
                          "k/2 servers",
                          "racks");
    NS_TEST_EXPECT_MSG_EQ(GetRefusal([&] { helper.BuildIdeal(0, 4); }),
                          "racks x servers: found '0 x 4', expected one or more racks of one "
                          "or more servers",
                          "servers");
    const std::vector<std::function<void()>> others{
        [&] { helper.BuildLeafSpine(4, 2, 0, 4); },
        [&] { helper.BuildLeafSpine(4, 2, 2, 0); },
        [&] { helper.BuildLeafSpine(4, 0, 2, 2); },
        [&] { helper.BuildFatTree(3, 4, 1); },
        [&] { helper.BuildFatTree(0, 0, 0); },
        [&] { helper.BuildFatTree(4, 8, 3); },
        [&] { helper.BuildIdeal(70000, 300); },
        [&] { helper.BuildIdeal(2, 2)->GetSwitch(0)->SetRoutes({{4}}); },
        [&]
        {
            helper.SetSwitchAttribute("QueueDisc", StringValue("ns3::NoSuchQueueDisc"));
            helper.BuildIdeal(2, 2);
        },
    };
    for (std::size_t i = 0; i < others.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_NE(GetRefusal(others[i]), "", "case " << i);
    }
    Simulator::Destroy();
}

/// Electrical networks.
CaseSuite g_packetNetworkTestSuite("odcn-packet-network");

} // namespace
