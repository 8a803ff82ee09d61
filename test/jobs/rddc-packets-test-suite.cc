// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The disaggregated data centre in packets: lightpaths have serialisation and propagation delay,
 * no losses, and do not interact; packets without a lightpath are lost with a cause.
 */

#include "../core/odcn-test-case.h"

#include "ns3/flow-monitor-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/rddc-allocation-scheduler.h"
#include "ns3/rddc-fabric-helper.h"
#include "ns3/rddc-helper.h"
#include "ns3/rddc-topology.h"
#include "ns3/rddc-window-recorder.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"

#include <tuple>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// 296 bytes of IPv4 at 40 Gb/s, in ps.
constexpr int64_t SERVICE_PS = 59200;
/// Payload of 296 bytes of IPv4 and UDP.
constexpr uint32_t PAYLOAD = 268;
/// Fibres of 3 m, 20 m and 100 m at 5 ns a metre, in ps.
constexpr std::array<int64_t, 3> DELAY_PS{15000, 100000, 500000};
/// Reconfiguration time of the switches.
constexpr int64_t DARK_PS = 1000000;

/// @param ps time  @return the same as Time
Time
Ps(int64_t ps)
{
    return PicoSeconds(ps);
}

/// 2 clusters of 2 racks of 4 servers, 4 channels a server, at packet level.
class RddcPacketsBench
{
  public:
    /// A packet that has arrived.
    struct Arrival
    {
        ServerId server; //!< receiver
        int64_t time;    //!< arrival time, ps
        uint32_t bytes;  //!< payload
    };

    /// @param queue capacity of a network card's queue
    explicit RddcPacketsBench(uint32_t queue = 1000)
    {
        auto topology = Make<RddcTopology>("ServersPerRack=4|Channels=4|Tier2Oversubscription=2|"
                                           "Tier3Oversubscription=1");
        network = topology->Build();
        helper.SetSwitchAttribute("ReconfigurationTime", TimeValue(Ps(DARK_PS)));
        helper.SetCardQueue(queue);
        fabric = helper.Build(network);
        helper.InstallServers(fabric);
        for (ServerId server = 0; server < network->GetNServers(); ++server)
        {
            auto socket = Socket::CreateSocket(fabric->GetServers().Get(server),
                                               UdpSocketFactory::GetTypeId());
            socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
            socket->SetRecvCallback(MakeCallback(&RddcPacketsBench::Receive, this));
            sockets.push_back(socket);
        }
    }

    ~RddcPacketsBench()
    {
        Simulator::Destroy();
    }

    /// Send a packet now. @param from server  @param to server  @param card there
    /// @return result of the socket
    int Send(ServerId from, ServerId to, uint32_t card)
    {
        return sockets[from]->SendTo(Create<Packet>(payload),
                                     0,
                                     InetSocketAddress(fabric->GetAddress(to, card), 9));
    }

    /// Send over a circuit at a time, one way. @param at time in ps  @param circuit to use
    /// @param back whether in the other direction
    void SendAt(int64_t at, const RddcCircuit& circuit, bool back = false)
    {
        const RddcLightpath& l = circuit.lightpath;
        Simulator::Schedule(Ps(at) - Simulator::Now(),
                            &RddcPacketsBench::SendVoid,
                            this,
                            back ? l.to : l.from,
                            back ? l.from : l.to,
                            back ? circuit.GetFromCard() : circuit.GetToCard());
    }

    /// @param lightpaths to set up  @return their group, which is up
    RddcFabric::GroupId Connect(const std::vector<RddcLightpath>& lightpaths)
    {
        const auto group = fabric->Connect(lightpaths);
        RunFor(DARK_PS);
        return group;
    }

    /// @param ps length of the run
    void RunFor(int64_t ps)
    {
        Simulator::Stop(Ps(ps));
        Simulator::Run();
    }

    std::shared_ptr<const RddcNetwork> network; //!< the network
    RddcFabricHelper helper;                    //!< built the fabric
    Ptr<RddcFabric> fabric;                     //!< the fabric
    std::vector<Ptr<Socket>> sockets;           //!< by server
    std::vector<Arrival> arrivals;              //!< all packets that arrived
    int lastResult{0};                          //!< result of the last socket
    uint32_t payload{PAYLOAD};                  //!< bytes of a packet without headers

  private:
    /// As Send(). @param from server  @param to server  @param card there
    void SendVoid(ServerId from, ServerId to, uint32_t card)
    {
        lastResult = Send(from, to, card);
    }

    /// @param socket with packets to receive
    void Receive(Ptr<Socket> socket)
    {
        ServerId server = 0;
        while (sockets[server] != socket)
        {
            ++server;
        }
        while (Ptr<Packet> packet = socket->Recv())
        {
            arrivals.push_back({server, Simulator::Now().GetPicoSeconds(), packet->GetSize()});
        }
    }
};

/// A lightpath in a rack, one in a cluster, one between clusters.
const std::vector<RddcLightpath> THREE_TIERS{{0, 3, 0}, {0, 5, 1}, {13, 1, 2}};

/// @param tier highest tier of a lightpath, 0 to 2  @return its propagation delay in ps
int64_t
Propagation(std::size_t tier)
{
    int64_t ps = 0;
    for (std::size_t t = 0; t <= tier; ++t)
    {
        ps += 2 * DELAY_PS[t];
    }
    return ps;
}

/// pcap, ascii and FlowMonitor record the packets. First, because ascii traces print packets, which
/// ns-3 must know before any is made.
ODCN_TEST_CASE(TracesTestCase, "pcap, ascii and FlowMonitor see the packets of a lightpath")
{
    const std::string pcap = CreateTempDirFilename("rddc.pcap");
    const std::string ascii = CreateTempDirFilename("rddc.tr");
    {
        RddcPacketsBench bench;
        const auto group = bench.Connect({THREE_TIERS[2]});
        const RddcCircuit circuit = bench.fabric->GetCircuits(group)[0];
        const auto card = bench.fabric->GetCard(circuit.lightpath.from, circuit.GetFromCard());
        bench.helper.EnablePcap(pcap, card, true, true);
        bench.helper.EnableAscii(ascii, card, true);
        FlowMonitorHelper flows;
        Ptr<FlowMonitor> monitor = flows.Install(bench.fabric->GetServers());
        bench.SendAt(2 * DARK_PS, circuit);
        bench.SendAt(3 * DARK_PS, circuit);
        bench.RunFor(10 * DARK_PS);
        monitor->CheckForLostPackets();
        const auto stats = monitor->GetFlowStats();
        NS_TEST_ASSERT_MSG_EQ(stats.size(), 1, "one flow");
        const auto& flow = stats.begin()->second;
        NS_TEST_EXPECT_MSG_EQ(flow.txPackets, 2, "sent");
        NS_TEST_EXPECT_MSG_EQ(flow.rxPackets, 2, "received");
        NS_TEST_EXPECT_MSG_EQ(flow.lostPackets, 0, "none lost");
        NS_TEST_EXPECT_MSG_EQ(flow.delaySum,
                              Ps(2 * (SERVICE_PS + Propagation(2))),
                              "serialisation and propagation");
    }
    const std::string bytes = ReadText(pcap);
    NS_TEST_EXPECT_MSG_EQ(bytes.size(), 24 + 2 * (16 + 296), "two packets of 296 bytes");
    std::ifstream lines(ascii);
    std::string events;
    for (std::string line; std::getline(lines, line);)
    {
        events += line.substr(0, 1);
    }
    NS_TEST_EXPECT_MSG_EQ(events, "+-+-", "in and out of the queue");
}

/// Serialisation once, and propagation; queueing only at the sender.
ODCN_TEST_CASE(RddcPacketsLatencyTestCase,
               "A lightpath takes serialisation once and propagation, to the picosecond")
{
    for (std::size_t tier = 0; tier < 3; ++tier)
    {
        for (const bool back : {false, true})
        {
            RddcPacketsBench bench;
            const auto group = bench.Connect({THREE_TIERS[tier]});
            const RddcCircuit& circuit = bench.fabric->GetCircuits(group)[0];
            NS_TEST_ASSERT_MSG_EQ(circuit.links.size(), 2 + 2 * tier, "links of tier " << tier);
            NS_TEST_EXPECT_MSG_EQ(bench.fabric->GetDelay(circuit),
                                  Ps(Propagation(tier)),
                                  "propagation");
            // The first three at once: the second waits for the first, the third for both.
            const int64_t at = 2 * DARK_PS;
            for (const int64_t later : {int64_t{0}, int64_t{0}, int64_t{0}, 3 * SERVICE_PS})
            {
                bench.SendAt(at + later, circuit, back);
            }
            bench.RunFor(10 * DARK_PS);
            NS_TEST_ASSERT_MSG_EQ(bench.arrivals.size(), 4, "all come");
            for (int64_t n = 0; n < 4; ++n)
            {
                NS_TEST_EXPECT_MSG_EQ(bench.arrivals[n].time,
                                      at + (n + 1) * SERVICE_PS + Propagation(tier),
                                      "packet " << n << " of tier " << tier);
                NS_TEST_EXPECT_MSG_EQ(bench.arrivals[n].server,
                                      (back ? circuit.lightpath.from : circuit.lightpath.to),
                                      "who receives");
            }
        }
    }
}

/// Every pair of many servers at once, each circuit at its full rate: no waiting, no losses.
ODCN_TEST_CASE(ContentionFreeTestCase,
               "Full lightpaths of several requests neither wait nor lose, and others' changes "
               "do not touch them")
{
    RddcPacketsBench bench;
    RddcChannelLedger ledger(bench.network);
    // All pairs of some servers, as granted by the manager.
    const auto grant = [&](const std::vector<ServerId>& servers)
    {
        std::vector<RddcLightpath> lightpaths;
        std::vector<ServerId> chosen;
        for (ServerId server : servers)
        {
            const RddcRouting routing{RddcRouting::LEAST_USED, 16};
            NS_TEST_EXPECT_MSG_EQ(ledger.Connect(server, chosen, routing, lightpaths),
                                  true,
                                  "there are paths");
            chosen.push_back(server);
        }
        return bench.fabric->Connect(lightpaths);
    };
    const std::vector<RddcFabric::GroupId> groups{grant({0, 1, 4, 8}), grant({2, 5, 9, 12})};
    for (LinkId link = 0; link < bench.network->GetNLinks(); ++link)
    {
        NS_TEST_EXPECT_MSG_EQ(bench.fabric->GetFree(link),
                              ledger.GetFree(link),
                              "channels of link " << link);
    }
    bench.RunFor(DARK_PS);
    uint64_t sent = 0;
    constexpr int64_t PACKETS = 40;
    for (const auto group : groups)
    {
        for (const auto& circuit : bench.fabric->GetCircuits(group))
        {
            for (int64_t n = 0; n < PACKETS; ++n)
            {
                bench.SendAt(2 * DARK_PS + n * SERVICE_PS, circuit, false);
                bench.SendAt(2 * DARK_PS + n * SERVICE_PS, circuit, true);
                sent += 2;
            }
        }
    }
    // A third request arrives and leaves while they send.
    bench.RunFor(DARK_PS + 10 * SERVICE_PS);
    const auto third = grant({3, 6});
    bench.RunFor(10 * SERVICE_PS);
    bench.fabric->Disconnect(third);
    bench.RunFor(10 * DARK_PS);
    NS_TEST_EXPECT_MSG_EQ(bench.arrivals.size(), sent, "all come");
    int64_t last = 0;
    for (const auto& arrival : bench.arrivals)
    {
        last = std::max(last, arrival.time);
    }
    NS_TEST_EXPECT_MSG_EQ(last,
                          2 * DARK_PS + PACKETS * SERVICE_PS + Propagation(2),
                          "none of the last ones waited");
    const PacketCounts counts = bench.fabric->Count();
    NS_TEST_EXPECT_MSG_EQ(counts.sent, sent, "sent");
    NS_TEST_EXPECT_MSG_EQ(counts.received, sent, "received");
    NS_TEST_EXPECT_MSG_EQ(counts.dropped.Total(), 0, "a granted lightpath loses nothing");
    for (const auto group : groups)
    {
        bench.fabric->Disconnect(group);
    }
    for (LinkId link = 0; link < bench.network->GetNLinks(); ++link)
    {
        NS_TEST_EXPECT_MSG_EQ(bench.fabric->GetFree(link),
                              bench.network->GetChannels(link),
                              "all channels of link " << link << " are back");
    }
}

/// Places and causes of packet losses.
struct RddcPacketsLossFixture : TestCase
{
    using TestCase::TestCase;

    /// @param bench after a run  @param cause expected  @param lost packets  @param sent packets
    void Expect(const RddcPacketsBench& bench, OcsDropCause cause, uint64_t lost, uint64_t sent)
    {
        const PacketCounts counts = bench.fabric->Count();
        NS_TEST_EXPECT_MSG_EQ(counts.sent, sent, "sent");
        NS_TEST_EXPECT_MSG_EQ(counts.dropped[cause], lost, "lost: " << cause);
        NS_TEST_EXPECT_MSG_EQ(counts.dropped.Total(), lost, "nothing lost for another cause");
        NS_TEST_EXPECT_MSG_EQ(counts.received, sent - lost, "the others came");
        NS_TEST_EXPECT_MSG_EQ(bench.arrivals.size(), sent - lost, "up to the sockets");
        for (uint32_t s = bench.network->GetNServers(); s < bench.network->GetNNodes(); ++s)
        {
            Ptr<OcsSwitch> ocs = bench.fabric->GetSwitch(s);
            NS_TEST_EXPECT_MSG_EQ(ocs->GetInFlight(), 0, "nothing is left in switch " << s);
            NS_TEST_EXPECT_MSG_EQ(ocs->GetReceived(),
                                  ocs->GetForwarded() + ocs->GetDropped().Total() +
                                      ocs->GetCutShort(),
                                  "switch " << s << " adds up");
        }
    }
};

/// @copybrief RddcPacketsLossFixture
ODCN_TEST_CASE_F(RddcPacketsLossFixture,
                 RddcPacketsLossTestCase,
                 "Losses have a place and a cause: dark, cut, no circuit, full queue")
{
    {
        // Half a service before the switches are ready, and just in time.
        RddcPacketsBench bench;
        const auto group = bench.fabric->Connect(std::vector{THREE_TIERS[2]});
        const RddcCircuit circuit = bench.fabric->GetCircuits(group)[0];
        bench.SendAt(DARK_PS - DELAY_PS[0] - 1, circuit);
        bench.SendAt(2 * DARK_PS, circuit);
        bench.RunFor(10 * DARK_PS);
        Expect(bench, OcsDropCause::DARK, 1, 2);
    }
    {
        // Torn down during a packet that crosses three switches: the first one counts it.
        RddcPacketsBench bench;
        bench.payload = 1472;
        const auto group = bench.Connect({THREE_TIERS[1]});
        const RddcCircuit circuit = bench.fabric->GetCircuits(group)[0];
        const int64_t at = 2 * DARK_PS;
        bench.SendAt(at, circuit);
        bench.RunFor(at + DELAY_PS[0] + 2 * DELAY_PS[1] + 1000 - DARK_PS);
        bench.fabric->Disconnect(group);
        bench.RunFor(10 * DARK_PS);
        Expect(bench, OcsDropCause::CUT, 1, 1);
        const uint32_t rack = bench.network->GetNServers();
        NS_TEST_EXPECT_MSG_EQ(bench.fabric->GetSwitch(rack)->GetDropped().Total(), 1, "here");
        NS_TEST_EXPECT_MSG_EQ(bench.fabric->GetSwitch(rack + 1)->GetCutShort(), 1, "not here");
    }
    {
        // A switch on the path is changed by another caller: the packet is lost from there on.
        RddcPacketsBench bench;
        const auto group = bench.Connect({THREE_TIERS[1]});
        const RddcCircuit circuit = bench.fabric->GetCircuits(group)[0];
        const uint32_t agg = bench.network->GetEnds(circuit.links[1]).second;
        const uint32_t port = bench.fabric->GetFirstPort(circuit.links[1], agg);
        bench.SendAt(2 * DARK_PS, circuit);
        bench.SendAt(3 * DARK_PS, circuit, true);
        bench.RunFor(DARK_PS + DELAY_PS[0] + DELAY_PS[1] + SERVICE_PS / 2);
        bench.fabric->GetSwitch(agg)->Reconfigure({{port + circuit.channels[1], OCS_NO_PORT}});
        bench.RunFor(10 * DARK_PS);
        Expect(bench, OcsDropCause::CUT, 1, 2);
        NS_TEST_EXPECT_MSG_EQ(bench.fabric->GetSwitch(agg)->GetDropped().Total(), 1, "there");
    }
    {
        // Torn down with one on the long fibre to the core: the circuits there are gone.
        RddcPacketsBench bench;
        const auto group = bench.Connect({THREE_TIERS[2]});
        const RddcCircuit circuit = bench.fabric->GetCircuits(group)[0];
        const int64_t at = 2 * DARK_PS;
        bench.SendAt(at, circuit);
        bench.RunFor(at + DELAY_PS[0] + DELAY_PS[1] + DELAY_PS[2] / 2 - DARK_PS);
        bench.fabric->Disconnect(group);
        bench.RunFor(10 * DARK_PS);
        Expect(bench, OcsDropCause::NO_CIRCUIT, 1, 1);
    }
    {
        // Without a lightpath nothing is sent: the socket has no route.
        RddcPacketsBench bench;
        const auto group = bench.Connect({THREE_TIERS[2]});
        const RddcCircuit circuit = bench.fabric->GetCircuits(group)[0];
        bench.fabric->Disconnect(group);
        bench.SendAt(2 * DARK_PS, circuit);
        bench.RunFor(10 * DARK_PS);
        NS_TEST_EXPECT_MSG_EQ(bench.lastResult, -1, "refused");
        Expect(bench, OcsDropCause::NO_CIRCUIT, 0, 0);
    }
    {
        // More than the channel's rate: lost at the server's own queue, nowhere else.
        RddcPacketsBench bench(5);
        const auto group = bench.Connect({THREE_TIERS[1], THREE_TIERS[2]});
        for (const auto& circuit : bench.fabric->GetCircuits(group))
        {
            for (int n = 0; n < 10; ++n)
            {
                bench.SendAt(2 * DARK_PS, circuit);
            }
        }
        bench.RunFor(10 * DARK_PS);
        // One is in transmission and five wait.
        Expect(bench, OcsDropCause::QUEUE_OVERFLOW, 2 * 4, 2 * 10);
        NS_TEST_EXPECT_MSG_EQ(bench.fabric->GetCard(THREE_TIERS[1].from, 0)->GetTxDropped().Total(),
                              4,
                              "at the sender");
    }
}

/// A connection that fails changes nothing.
ODCN_TEST_CASE(RddcPacketsRefusalTestCase, "Lightpaths are set all or none")
{
    RddcPacketsBench bench;
    const auto first = bench.fabric->Connect(std::vector<RddcLightpath>{{0, 1, 0}, {0, 2, 0}});
    const std::vector<RddcLightpath> more{{3, 5, 0}, {0, 3, 0}, {0, 4, 0}, {0, 5, 0}};
    const std::string said = GetRefusal([&] { bench.fabric->Connect(more); });
    NS_TEST_EXPECT_MSG_EQ(said,
                          "lightpath: found '0 to 5', expected a free channel on link 0",
                          "server 0 has four channels");
    NS_TEST_EXPECT_MSG_EQ(bench.fabric->GetFree(0), 2, "as before");
    NS_TEST_EXPECT_MSG_EQ(bench.fabric->GetFree(3), 4, "as before");
    NS_TEST_EXPECT_MSG_EQ(bench.fabric->GetNGroups(), 1, "as before");
    const auto again = bench.fabric->Connect(std::vector<RddcLightpath>{{3, 5, 0}, {0, 3, 0}});
    NS_TEST_EXPECT_MSG_EQ(bench.fabric->GetCircuits(again)[1].GetFromCard(), 2, "lowest free");
    bench.fabric->Disconnect(first);
    NS_TEST_EXPECT_MSG_NE(GetRefusal([&] { bench.fabric->Disconnect(first); }),
                          "",
                          "a group goes away once");
}

/// Begin an episode. @param problem the problem  @return the tuned rule for it
Ptr<DecisionPolicy>
Begin(const Ptr<RddcAllocation>& problem)
{
    const auto choice = PolicyRegistry::Find(*problem, "tetris-tuned");
    auto policy = choice.Create();
    choice.Configure(*problem, *policy);
    problem->AssignStreams(1);
    problem->Reset();
    return policy;
}

/// What carries the packets of an episode's requests.
struct EpisodePackets
{
    /// @param helper of the data centre
    /// @param problem that the tuned rule decides
    /// @param settings of the scheduler
    /// @param queue capacity of a network card
    EpisodePackets(const RddcHelper& helper,
                   const Ptr<RddcAllocation>& problem,
                   const std::string& settings,
                   uint32_t queue)
    {
        scheduler->SetAttribute("Policy", PointerValue(Begin(problem)));
        Configure(scheduler, "MaxJobs=60|WindowWarmUp=0s|" + settings);
        RddcFabricHelper fabrics;
        fabrics.SetCardQueue(queue);
        fabric = fabrics.Build(helper.GetNetwork());
        fabrics.InstallServers(fabric);
        flows = RddcFabricHelper::InstallFlows(fabric, 1500);
        scheduler->SetProblem(problem);
        scheduler->SetFabric(fabric, flows);
        CreateObject<Node>()->AddApplication(scheduler);
    }

    ~EpisodePackets()
    {
        Simulator::Destroy();
    }

    Ptr<AllocationScheduler> scheduler{CreateObject<AllocationScheduler>()}; //!< decides
    Ptr<RddcFabric> fabric;                                                  //!< circuits
    std::vector<Ptr<JobFlowApplication>> flows;                              //!< by server
};

/// An episode of requests in packets.
struct EpisodeFixture : TestCase
{
    using TestCase::TestCase;

    /// Results of an episode.
    struct Result
    {
        std::array<uint64_t, 3> sent{};  //!< by tier
        std::array<double, 3> leastNs{}; //!< by tier
        std::array<double, 3> meanNs{};  //!< by tier
        uint64_t lost{0};                //!< on circuits
        PacketCounts counts;             //!< of the fabric
        std::size_t rows{0};             //!< requests in windows
    };

    /// @param run an episode  @param manager of its requests; circuits must agree with its grants
    void CheckCircuits(const AllocationScheduler& run, const RddcManager& manager)
    {
        const RddcFabric& fabric = *run.GetFabric();
        NS_TEST_EXPECT_MSG_EQ(run.GetNHeld(), manager.GetNActive(), "as many requests");
        uint64_t otherwise = 0;
        for (LinkId link = 0; link < fabric.GetNetwork()->GetNLinks(); ++link)
        {
            otherwise += fabric.GetFree(link) != manager.GetChannels().GetFree(link);
        }
        NS_TEST_EXPECT_MSG_EQ(otherwise, 0, "links with other free channels than the ledger's");
        uint64_t lit = 0;
        uint64_t oneWay = 0;
        for (uint32_t s = fabric.GetNetwork()->GetNServers(); s < fabric.GetNetwork()->GetNNodes();
             ++s)
        {
            const OcsSwitch& ocs = *fabric.GetSwitch(s);
            for (uint32_t port = 0; port < ocs.GetNPorts(); ++port)
            {
                const uint32_t output = ocs.GetOutput(port);
                lit += output != OCS_NO_PORT;
                oneWay += output != OCS_NO_PORT && ocs.GetOutput(output) != port;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(oneWay, 0, "mirrors without a way back");
        // A channel ends in two ports, or in one port and a network card.
        const RddcChannelLedger& channels = manager.GetChannels();
        NS_TEST_EXPECT_MSG_EQ(lit,
                              channels.GetUsed(0) + 2 * channels.GetUsed(1) +
                                  2 * channels.GetUsed(2),
                              "mirrors that are set");
    }

    /// @param load of a lightpath  @param queue capacity of a network card  @return results
    Result Run(double load, uint32_t queue)
    {
        RddcHelper helper;
        helper.SetTopologyAttribute("Channels", UintegerValue(16));
        auto problem = helper.CreateProblem();
        const EpisodePackets packets(helper,
                                     problem,
                                     "WindowAfter=30|WindowSpacing=30|WindowLength=5us",
                                     queue);
        const auto& [scheduler, fabric, flows] = packets;
        int64_t stream = 1000;
        for (const auto& flow : flows)
        {
            stream += flow->AssignStreams(stream);
        }
        scheduler->SetAttribute("Load", DoubleValue(load));
        const auto decided = [&, run = PeekPointer(scheduler)](bool)
        {
            if (run->GetNJobs() % 10 == 0)
            {
                CheckCircuits(*run, *problem->GetManager());
            }
        };
        Listen(scheduler, "Decided", decided);
        Result result;
        {
            RddcWindowRecorder run(scheduler, flows, 100, NanoSeconds(300));
            Simulator::Run();
            for (std::size_t tier = 0; tier < 3; ++tier)
            {
                const ScopePackets& packets =
                    run.GetPackets(RddcWindowRecorder::CIRCUITS).GetTotal(tier);
                result.sent[tier] = packets.measured.sent;
                result.leastNs[tier] = packets.latency.GetMinNs();
                result.meanNs[tier] = packets.latency.GetMeanNs();
                result.lost += packets.measured.sent - packets.measured.received;
            }
            result.counts = fabric->Count();
            result.rows = run.GetRequests().size();
            uint64_t sum = 0;
            for (const auto& row : run.GetRequests())
            {
                const JobPackets& packets = row.packets[RddcWindowRecorder::CIRCUITS];
                sum += packets.counts.sent;
                NS_TEST_EXPECT_MSG_EQ((load > 1 || packets.GetLost() == 0),
                                      true,
                                      "request " << row.request << " loses nothing");
            }
            NS_TEST_EXPECT_MSG_EQ(sum, result.counts.sent, "every packet is some request's");
        }
        return result;
    }
};

/// @copybrief EpisodeFixture
ODCN_TEST_CASE_F(EpisodeFixture,
                 EpisodeTestCase,
                 "Grants get their circuits and give them back; their packets arrive, all of them")
{
    const Result light = Run(0.5, 1000);
    NS_TEST_EXPECT_MSG_GT(light.rows, 10, "requests at a time");
    NS_TEST_EXPECT_MSG_EQ(light.lost, 0, "a granted lightpath loses nothing");
    NS_TEST_EXPECT_MSG_EQ(light.counts.dropped.Total(), 0, "nor does the fabric");
    NS_TEST_EXPECT_MSG_EQ(light.counts.received, light.counts.sent, "all arrive");
    for (std::size_t tier = 0; tier < 3; ++tier)
    {
        NS_TEST_ASSERT_MSG_GT(light.sent[tier], 300, "packets of tier " << tier);
        // 1,500 bytes at 40 Gb/s, and the fibres.
        NS_TEST_EXPECT_MSG_EQ_TOL(light.leastNs[tier],
                                  300 + static_cast<double>(Propagation(tier)) / 1000,
                                  1e-9,
                                  "the least latency of tier " << tier);
        // M/D/1 at 0.5 waits half a service on average.
        NS_TEST_EXPECT_MSG_EQ_TOL(light.meanNs[tier] - light.leastNs[tier],
                                  150,
                                  50,
                                  "the sender's own queue, tier " << tier);
    }
    const Result again = Run(0.5, 1000);
    NS_TEST_EXPECT_MSG_EQ((again.meanNs == light.meanNs && again.sent == light.sent),
                          true,
                          "the same seed");
    const Result heavy = Run(2, 10);
    NS_TEST_EXPECT_MSG_GT(heavy.lost, heavy.counts.sent / 10, "too much is sent");
    NS_TEST_EXPECT_MSG_EQ(heavy.counts.dropped[OcsDropCause::QUEUE_OVERFLOW],
                          heavy.lost,
                          "and lost in senders' queues, nowhere else");
    NS_TEST_EXPECT_MSG_EQ(heavy.counts.dropped.Total(), heavy.lost, "for no other cause");
}

/// Parts that fail.
ODCN_TEST_CASE(FaultsTestCase,
               "Packets of failed parts are lost with a cause, those of interrupted requests stop")
{
    // Packets over three lightpaths, of which one has a part; part: it fails, and is
    // repaired; cause: of the losses
    const auto ofFabric =
        [&](const std::tuple<FaultPart, uint32_t, uint32_t>& part, OcsDropCause cause)
    {
        RddcPacketsBench bench;
        const auto group = bench.Connect(THREE_TIERS);
        const auto circuits = bench.fabric->GetCircuits(group);
        const auto send = [&]()
        {
            const int64_t now = Simulator::Now().GetPicoSeconds();
            for (const auto& circuit : circuits)
            {
                bench.SendAt(now + 1, circuit);
                bench.SendAt(now + 1, circuit, true);
            }
            bench.RunFor(10 * DARK_PS);
        };
        bench.fabric->SetFailed({part});
        send();
        // Both directions of the lightpath between clusters, which alone has the part.
        PacketCounts counts = bench.fabric->Count();
        NS_TEST_EXPECT_MSG_EQ(counts.sent, 6, "sent");
        NS_TEST_EXPECT_MSG_EQ(counts.received, 4, "the others arrive");
        NS_TEST_EXPECT_MSG_EQ(counts.dropped[cause], 2, "lost: " << cause);
        NS_TEST_EXPECT_MSG_EQ(counts.inFlight, 0, "none is unaccounted for");
        bench.fabric->SetFailed({});
        send();
        counts = bench.fabric->Count();
        NS_TEST_EXPECT_MSG_EQ(counts.received, 10, "all arrive after the repair");
    };
    // An episode; detection: time; interrupted: requests; result: packets
    const auto doRun = [&](double detection, uint64_t& interrupted) -> PacketCounts
    {
        RddcHelper helper;
        helper.SetTopologyAttribute("Channels", UintegerValue(16));
        auto problem = helper.CreateProblem();
        const auto manager = problem->GetManager();
        manager->SetAttribute("AfterFailure", StringValue("Replace"));
        const auto parts = RddcManager::GetFaultParts(*helper.GetNetwork());
        FaultPlan plan;
        int64_t stream = 500;
        for (const auto& [part, sizes] : parts)
        {
            plan.Sample(part, sizes, Seconds(200), Seconds(10), Seconds(200), stream += 2);
        }
        manager->SetFaults(std::make_shared<FaultTimeline>(plan, parts, Seconds(detection)));
        const EpisodePackets packets(helper,
                                     problem,
                                     "WindowAfter=5|WindowSpacing=5|WindowLength=2us",
                                     1000);
        const auto& scheduler = packets.scheduler;
        // Circuits are those of the grants, also after interruptions.
        uint64_t otherwise = 0;
        Listen(scheduler,
               "Decided",
               [&, run = PeekPointer(scheduler)](bool)
               { otherwise += run->GetNHeld() != manager->GetNActive(); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(otherwise, 0, "as many requests with circuits as grants");
        interrupted = manager->GetCounters().interrupted;
        const PacketCounts counts = packets.fabric->Count();
        NS_TEST_EXPECT_MSG_EQ(counts.inFlight, 0, "sent = received + lost by cause");
        NS_TEST_EXPECT_MSG_EQ(counts.dropped[OcsDropCause::PORT_FAILED] +
                                  counts.dropped[OcsDropCause::FIBER_CUT],
                              counts.dropped.Total(),
                              "lost to failed parts only");
        return counts;
    };
    const RddcCircuit far = []()
    {
        RddcPacketsBench bench;
        return bench.fabric->GetCircuits(bench.Connect(THREE_TIERS))[2];
    }();
    ofFabric({FaultPart::SERVER, 3, 1}, OcsDropCause::PORT_FAILED);
    ofFabric({FaultPart::LINK, far.links[2], 0}, OcsDropCause::FIBER_CUT);
    ofFabric({FaultPart::LINK, far.links[0], 0}, OcsDropCause::FIBER_CUT);
    ofFabric({FaultPart::NODE, 3, 0}, OcsDropCause::PORT_FAILED);
    uint64_t known = 0;
    uint64_t unknown = 0;
    const PacketCounts atOnce = doRun(0, known);
    NS_TEST_EXPECT_MSG_GT(known, 20, "requests are interrupted");
    NS_TEST_EXPECT_MSG_GT(atOnce.received, 10000, "packets arrive");
    NS_TEST_EXPECT_MSG_EQ(atOnce.dropped.Total(), 0, "none uses what is known to have failed");
    const PacketCounts late = doRun(5, unknown);
    NS_TEST_EXPECT_MSG_GT(unknown, 20, "requests are interrupted");
    NS_TEST_EXPECT_MSG_GT(late.dropped[OcsDropCause::PORT_FAILED], 100, "until that is known");
    NS_TEST_EXPECT_MSG_GT(late.dropped[OcsDropCause::FIBER_CUT], 100, "until that is known");
}

/// The disaggregated data centre in packets.
PicosecondSuite g_rddcPacketsTestSuite("rddc-packets");

} // namespace
