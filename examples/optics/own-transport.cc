// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * A transport of one's own: NDP (Handley et al., SIGCOMM 2017), beside UDP with credits and UDP.
 *
 * - A switch that has no room for a packet cuts it to its headers, which overtake data (TrimQueue).
 *   So a receiver hears of each packet at once, and nobody needs a timeout.
 * - A flow begins with a window of packets at line rate. For each packet or header that arrives,
 *   the receiver asks for another one, by pulls in the time of a full packet each, flow by flow in
 *   turn.
 * - Packets spread over all paths.
 *
 * NdpTransport knows no packets, sockets and events of ns-3. It runs in ns-3, or, with
 * --engine=exact, without ns-3's events, with the same packets at the same times.
 *
 *     ./ns3 run own-transport
 *     ./ns3 run "own-transport --engine=exact"
 *     ./ns3 run "own-transport --traffic=permutation"
 *     ./ns3 run "own-transport --traffic=mixed"            short flows beside long ones
 *     ./ns3 run "own-transport --engine=exact --transport=ndp --flows=my-flows.txt --fatTree=8"
 */

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-network-packets.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-transport-logic.h"
#include "ns3/odcn-trim-queue.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <iostream>
#include <map>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

// [host]
/// Sends and receives the flows and messages of a host.
class NdpTransport : public TransportLogic
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("NdpTransport")
                                .SetParent<TransportLogic>()
                                .AddConstructor<NdpTransport>()
                                .AddAttribute("Window",
                                              "Packets that a flow begins with",
                                              UintegerValue(20),
                                              MakeUintegerAccessor(&NdpTransport::m_window),
                                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    void SendFlow(uint32_t flow, uint32_t peer, uint64_t bytes, bool) override
    {
        Begin(peer, bytes, flow, true);
    }

    void SendMessage(uint32_t peer, uint64_t bytes, uint64_t tag, bool) override
    {
        Begin(peer, bytes, tag, false);
    }

    void Receive(const TransportPacket& packet) override
    {
        if (packet.kind == DATA)
        {
            ReceiveData(packet);
            return;
        }
        Outgoing& outgoing = m_outgoing.at(packet.number);
        const bool isNack = packet.kind == NACK;
        if (isNack)
        {
            outgoing.cut.push_back(packet.sequence);
        }
        if (!isNack || outgoing.pulls > 0)
        {
            outgoing.pulls -= isNack;
            Allow(packet.number);
        }
    }

    void TimerExpired(uint32_t timer) override
    {
        timer == SEND ? SendNext() : SendPull();
    }

    bool Repairs() const override
    {
        return true;
    }

  private:
    /// Kinds of packets.
    enum Kind : uint32_t
    {
        DATA, //!< from sender to receiver; cut if bytes are missing
        NACK, //!< to the sender: this packet was cut
        PULL  //!< to the sender: one more
    };

    /// Timers.
    enum Timer : uint32_t
    {
        SEND, //!< SendNext()
        ASK   //!< SendPull()
    };

    /// A flow or message from this host.
    struct Outgoing
    {
        TransportPacket first;      //!< what all its packets say
        uint32_t next{0};           //!< first packet that was never sent
        uint32_t pulls{0};          //!< without a packet to send
        std::deque<uint32_t> cut{}; //!< packets to send again
    };

    /// A flow or message to this host.
    struct Incoming
    {
        std::vector<bool> has; //!< by packet: whether it was received
        uint32_t left{0};      //!< packets that were not
        uint32_t wanted{0};    //!< packets to be sent, again or not
        uint32_t asked{0};     //!< packets that the sender may have sent
        uint32_t pulls{0};     //!< to be sent
    };

    /// The sender, and the number that it gave.
    using Key = std::pair<uint32_t, uint32_t>;

    /// @param flow what its packets say
    /// @param packet of it
    /// @return bytes of data in the packet
    uint32_t GetData(const TransportPacket& flow, uint32_t packet) const
    {
        const uint64_t payload = GetSettings().packetSize - GetHeaders(flow);
        const uint64_t before = std::min(flow.size, packet * payload);
        return static_cast<uint32_t>(std::min(payload, flow.size - before));
    }

    /// Send the first window, at line rate.
    /// @param peer receiver
    /// @param bytes of data
    /// @param tag of a message, or number of a flow
    /// @param isFlow whether it is a flow
    void Begin(uint32_t peer, uint64_t bytes, uint64_t tag, bool isFlow)
    {
        Outgoing outgoing;
        outgoing.first.peer = peer;
        outgoing.first.number = static_cast<uint32_t>(m_outgoing.size());
        outgoing.first.size = bytes;
        outgoing.first.tag = tag;
        outgoing.first.isFlow = isFlow;
        outgoing.first.time = Host().Now();
        m_outgoing.push_back(outgoing);
        for (uint32_t i = 0; i < m_window; ++i)
        {
            Allow(outgoing.first.number);
        }
    }

    /// Let a flow send a packet. @param number of the flow
    void Allow(uint32_t number)
    {
        Outgoing& outgoing = m_outgoing[number];
        if (!outgoing.cut.empty())
        {
            m_line.emplace_back(number, outgoing.cut.front());
            outgoing.cut.pop_front();
        }
        else if (GetData(outgoing.first, outgoing.next) > 0)
        {
            m_line.emplace_back(number, outgoing.next++);
        }
        else
        {
            ++outgoing.pulls; // overtook the NACK that it belongs to, or is not needed
            return;
        }
        if (!Host().IsPending(SEND))
        {
            SendNext();
        }
    }

    /// @return time of a full packet on the line
    int64_t GetPacketTime() const
    {
        return Host().GetTxTime(GetSettings().packetSize);
    }

    /// Send a packet of data, one in the time of a full one.
    void SendNext()
    {
        if (m_line.empty())
        {
            return;
        }
        const auto [number, sequence] = m_line.front();
        m_line.pop_front();
        TransportPacket packet = m_outgoing[number].first;
        packet.sequence = sequence;
        packet.bytes = GetData(packet, sequence);
        Host().SetTimer(SEND, GetPacketTime());
        Host().Send(packet);
    }

    /// A packet of data, or its headers.
    /// @param packet the packet
    void ReceiveData(const TransportPacket& packet)
    {
        Incoming& incoming = m_incoming[{packet.peer, packet.number}];
        if (incoming.has.empty())
        {
            const uint32_t payload = GetSettings().packetSize - GetHeaders(packet);
            incoming.has.resize((packet.size - 1) / payload + 1);
            incoming.left = incoming.wanted = static_cast<uint32_t>(incoming.has.size());
            incoming.asked = m_window;
        }
        const uint32_t bytes = GetData(packet, packet.sequence);
        const bool isCut = packet.bytes < bytes;
        const bool isNew = !isCut && !incoming.has.at(packet.sequence);
        incoming.wanted += isCut;
        if (incoming.asked < incoming.wanted)
        {
            ++incoming.asked;
            ++incoming.pulls;
            ++m_nPulls;
        }
        if (isCut)
        {
            Answer(NACK, {packet.peer, packet.number}, packet.sequence);
        }
        if (!Host().IsPending(ASK))
        {
            SendPull();
        }
        if (isNew)
        {
            incoming.has[packet.sequence] = true;
            --incoming.left;
            if (packet.isFlow)
            {
                Host().DeliverBytes(static_cast<uint32_t>(packet.tag), bytes);
            }
            else if (incoming.left == 0)
            {
                Host().DeliverMessage(packet);
            }
        }
    }

    /// @param kind of packet
    /// @param flow to whose sender it goes
    /// @param sequence of the packet that was cut
    void Answer(Kind kind, const Key& flow, uint32_t sequence)
    {
        TransportPacket packet;
        packet.kind = kind;
        packet.peer = flow.first;
        packet.number = flow.second;
        packet.sequence = sequence;
        Host().Send(packet);
    }

    /// Ask for a packet, one in the time of a full one, flow by flow in turn.
    void SendPull()
    {
        if (m_nPulls == 0)
        {
            return;
        }
        auto flow = m_incoming.upper_bound(m_lastPull);
        while (flow == m_incoming.end() || flow->second.pulls == 0)
        {
            flow = flow == m_incoming.end() ? m_incoming.begin() : std::next(flow);
        }
        m_lastPull = flow->first;
        --flow->second.pulls;
        --m_nPulls;
        Host().SetTimer(ASK, GetPacketTime());
        Answer(PULL, m_lastPull, 0);
    }

    uint32_t m_window{20};                            //!< Window
    std::deque<Outgoing> m_outgoing;                  //!< flows from here, by number
    std::map<Key, Incoming> m_incoming;               //!< flows to here
    std::deque<std::pair<uint32_t, uint32_t>> m_line; //!< flows and packets that may leave
    uint32_t m_nPulls{0};                             //!< of all flows, to be sent
    Key m_lastPull;                                   //!< flow of the last one
};

NS_OBJECT_ENSURE_REGISTERED(NdpTransport);

// [traffic]
/// @param traffic incast, permutation or mixed
/// @param bytes of a flow
/// @return flows of 16 hosts
static Traffic
MakeFlows(const std::string& traffic, uint64_t bytes)
{
    Traffic flows;
    for (uint32_t host = 0; host < 16 && traffic == "permutation"; ++host)
    {
        flows.Add({host, (host + 4) % 16, bytes, Time(0)}); // to the next rack
    }
    for (uint32_t host = 4; host < 16 && traffic == "incast"; ++host)
    {
        flows.Add({host, 0, bytes, Time(0)}); // 12 to 1
    }
    for (uint32_t i = 0; i < 21 && traffic == "mixed"; ++i)
    {
        // Two long flows to host 0, and one of 20 kB every 100 us.
        flows.Add(i == 0 ? Traffic::Item{4, 0, 10 * bytes, Time(0)}
                         : Traffic::Item{12 + i % 4, 0, 20000, MicroSeconds(100 * i)});
        if (i == 0)
        {
            flows.Add({8, 0, 10 * bytes, Time(0)});
        }
    }
    return flows;
}

// [run]
/// What is the same in all runs.
struct Options
{
    std::string traffic{"incast"}; //!< incast, permutation or mixed
    std::string flows;             //!< file of flows, instead of them
    uint64_t bytes{1000000};       //!< of a flow of the traffic
    std::string transport{"all"};  //!< all, ndp, credits or udp
    std::string engine{"packets"}; //!< packets or exact
    uint32_t fatTree{0};           //!< ports of a switch; 0 for four racks
    double gbps{10};               //!< rate of all lines
    uint32_t window{20};           //!< packets that ndp begins with, and window of credits

    /// @return number of hosts
    uint32_t GetNHosts() const
    {
        return fatTree == 0 ? 16 : fatTree * fatTree * fatTree / 4;
    }
};

/// What a run results in.
struct Outcome
{
    std::vector<Time> times; //!< of flows, negative for incomplete ones
    uint64_t again{0};       //!< packets sent again
    uint64_t dropped{0};     //!< packets
};

/// @param network after a run
/// @return packets that its queues have cut
static uint64_t
CountCut(const PacketNetwork& network)
{
    uint64_t cut = 0;
    const auto count = [&cut](const Ptr<OcsNetDevice>& port)
    {
        const auto queue = DynamicCast<TrimQueue>(port->GetQueue());
        cut += queue ? queue->GetCut() : 0;
    };
    for (uint32_t i = 0; i < network.GetNServers(); ++i)
    {
        count(network.GetServerDevice(i));
    }
    for (uint32_t i = 0; i < network.GetNSwitches(); ++i)
    {
        for (uint32_t p = 0; p < network.GetSwitch(i)->GetNPorts(); ++p)
        {
            count(network.GetSwitch(i)->GetPort(p));
        }
    }
    return cut;
}

/// @param network to run in, in ns-3
/// @param settings of hosts
/// @param flows the flows
/// @return the outcome
static Outcome
RunPackets(const Ptr<PacketNetwork>& network,
           const NetworkPackets::Settings& settings,
           const Traffic& flows)
{
    FlowHelper install;
    install.SetAttribute("Transport", StringValue(settings.transport));
    install.SetAttribute("Repair", StringValue(settings.repair ? "Nack" : "None"));
    install.SetAttribute("Window", UintegerValue(settings.window));
    install.SetAttribute("ReorderTime", TimeValue(settings.reorderTime));
    install.SetAttribute("RepairTimeout", TimeValue(settings.repairTimeout));
    const auto hosts = install.Install(network->GetServers(), flows);
    const auto recorder = install.GetRecorder();
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    Outcome outcome;
    outcome.again = CountCut(*network); // each is sent again
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        outcome.again += DynamicCast<FlowApplication>(hosts.Get(i))->GetMessageCounts().again;
    }
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        outcome.times.push_back(recorder->GetCompletionTime(i));
    }
    outcome.dropped = network->Count().dropped.Total();
    return outcome;
}

/// Run flows by a transport, and add its row to a table.
/// @param transport ndp, credits or udp
/// @param o options
/// @param flows the flows
/// @param table the table
static void
Run(const std::string& transport, const Options& o, const Traffic& flows, Table& table)
{
    const bool isNdp = transport == "ndp";
    // Queues of 8 packets of data for NDP, besides headers, and of 100 packets for others.
    const std::string queue = isNdp ? "ns3::odcn::TrimQueue" : "ns3::DropTailQueue";
    const QueueSize room(isNdp ? "1000p" : "100p");
    PacketNetworkHelper helper;
    const StringValue rate(FormatNumber(o.gbps) + "Gbps");
    helper.SetServerAttribute("DataRate", rate);
    helper.SetUplinkAttribute("DataRate", rate);
    helper.SetServerQueue(queue, room);
    helper.SetUplinkQueue(queue, room);
    // Of a flow file's fat tree each switch takes its ports in turn, as senders of NDP their paths.
    helper.SetSwitchAttribute("Spreading",
                              StringValue(o.fatTree == 0 ? "PerPacket" : "RoundRobin"));
    const uint32_t k = o.fatTree;
    const auto topology =
        k == 0 ? PacketTopology::LeafSpine(4, 4, 4, 4) // racks, servers, spines, uplinks
               : PacketTopology::FatTree(k, k * k / 2, k / 2);
    NetworkPackets::Settings settings;
    static_cast<ExactPackets::HostSettings&>(settings) = ExactPackets::HostSettings::FromDefaults();
    if (isNdp)
    {
        settings.transport = "NdpTransport[Window=" + std::to_string(o.window) + "]";
    }
    else if (transport == "credits")
    {
        settings.repair = FlowApplication::NACK;
        settings.window = o.window;
        settings.reorderTime = MicroSeconds(100);
        settings.repairTimeout = MilliSeconds(1);
    }
    Outcome outcome;
    if (o.engine == "exact")
    {
        NetworkPackets engine(helper.GetModel(topology), settings);
        engine.AssignStreams(1);
        const NetworkPackets::Result result = engine.Run(flows, Seconds(1));
        outcome = {result.GetTimes(),
                   result.cut + result.messages.again,
                   result.counts.dropped.Total()};
    }
    else
    {
        const auto network = helper.Build(topology);
        helper.InstallServers(network);
        network->AssignStreams(1);
        outcome = RunPackets(network, settings, flows);
    }
    Simulator::Destroy();
    std::vector<double> lasted[2]; // of flows of at most 20 kB, and of others, in seconds
    double sum = 0;
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        const Time time = outcome.times[i];
        if (isNdp && time.IsNegative())
        {
            throw OdcnError("NDP: flow " + std::to_string(i) + " is not complete within 1 s");
        }
        lasted[flows[i].bytes > 20000].push_back(time.IsNegative() ? INFINITY : time.GetSeconds());
        sum += lasted[flows[i].bytes > 20000].back();
    }
    if (!o.flows.empty())
    {
        std::vector<double>& all = lasted[0];
        all.insert(all.end(), lasted[1].begin(), lasted[1].end());
        std::sort(all.begin(), all.end());
        const auto add = [](double seconds) { return FormatFixed(seconds * 1e6, 1); };
        table.AddRow({transport,
                      add(sum / double(all.size())),
                      add(all[(99 * all.size() + 99) / 100 - 1]),
                      add(all.back()),
                      std::to_string(outcome.again),
                      std::to_string(outcome.dropped)});
        return;
    }
    const auto show = [](std::vector<double>& values, bool last)
    {
        std::sort(values.begin(), values.end());
        return values.empty()
                   ? "-"
                   : FormatFixed((last ? values.back() : values[values.size() / 2]) * 1e6, 1);
    };
    table.AddRow({transport,
                  show(lasted[0], false),
                  show(lasted[0], true),
                  show(lasted[1], false),
                  show(lasted[1], true),
                  std::to_string(outcome.again),
                  std::to_string(outcome.dropped)});
}

int
main(int argc, char* argv[])
try
{
    Options o;
    // Nobody looks at IP here.
    Config::SetDefault("ns3::odcn::LogicFlowTransport::Direct", BooleanValue(true));
    OdcnCommandLine cmd(argc, argv, "A transport of one's own: NDP, compared.");
    cmd.AddWord("traffic",
                "incast, permutation or mixed",
                o.traffic,
                {"incast", "permutation", "mixed"});
    cmd.AddValue("flows", "File of flows, instead", o.flows);
    cmd.AddWord("transport", "all, or one of them", o.transport, {"all", "ndp", "credits", "udp"});
    cmd.AddWord("engine",
                "packets: in ns-3; exact: without its events",
                o.engine,
                {"packets", "exact"});
    cmd.AddRange("bytes", "Bytes of a flow", o.bytes, uint64_t{20001}, uint64_t{1} << 30);
    cmd.AddRange("fatTree", "Ports of a switch of a fat tree; 0 for 4 racks", o.fatTree, 0U, 32U);
    cmd.AddRange("gbps", "Rate of all lines", o.gbps, 1.0, 1600.0);
    cmd.AddRange("window", "Packets on their way to a receiver", o.window, 1U, 100000U);
    cmd.Restrict({"traffic", "bytes"}, {"!flows"});
    cmd.Restrict({"fatTree"}, {"flows"});
    cmd.Parse();
    OdcnCommandLine::Check(o.fatTree % 2 == 0,
                           "fatTree",
                           std::to_string(o.fatTree),
                           "an even number");
    Time::SetResolution(Time::PS);
    const Traffic flows =
        o.flows.empty() ? MakeFlows(o.traffic, o.bytes) : ReadFlowFile(o.flows, o.GetNHosts());
    Table table(o.flows.empty() ? std::vector<std::string>{"transport",
                                                           "short p50\nus",
                                                           "short last\nus",
                                                           "long p50\nus",
                                                           "long last\nus",
                                                           "sent again\npackets",
                                                           "dropped\npackets"}
                                : std::vector<std::string>{"transport",
                                                           "mean\nus",
                                                           "p99\nus",
                                                           "last\nus",
                                                           "sent again\npackets",
                                                           "dropped\npackets"});
    for (const std::string transport : {"ndp", "credits", "udp"})
    {
        if (o.transport == "all" || o.transport == transport)
        {
            Run(transport, o, flows, table);
        }
    }
    table.Print(std::cout);
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
