// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * A transport of one's own: NDP (Handley et al., SIGCOMM 2017), beside UDP with credits and UDP.
 *
 * - A switch that has no room for a packet cuts it to its headers, which overtake data. So a
 *   receiver hears of each packet at once, and nobody needs a timeout.
 * - A flow begins with a window of packets at line rate. For each packet or header that arrives,
 *   the receiver asks for another one, by pulls in the time of a full packet each, flow by flow in
 *   turn.
 * - Packets spread over all paths.
 *
 * Headers go strictly first here, and the packet that arrives is the one that is cut; in the paper,
 * ten headers go before a packet, and half of the time the last one in the queue is cut.
 *
 *     ./ns3 run own-transport
 *     ./ns3 run "own-transport --traffic=permutation"
 *     ./ns3 run "own-transport --traffic=mixed"            short flows beside long ones
 */

#include "ns3/inet-socket-address.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-flow-transport.h"
#include "ns3/odcn-message-header.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/odcn-table.h"
#include "ns3/queue.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/udp-socket-factory.h"
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

// [header]
/// In front of each packet: what it is. A FlowHeader follows, and before data a MessageHeader, too.
class NdpHeader : public Header
{
  public:
    /// Kinds of packets.
    enum Kind : uint32_t
    {
        DATA, //!< from sender to receiver; cut if bytes are missing
        NACK, //!< to the sender: this packet was cut
        PULL  //!< to the sender: one more
    };

    static constexpr uint32_t SIZE = 4; //!< bytes

    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("NdpHeader").SetParent<Header>().AddConstructor<NdpHeader>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return SIZE;
    }

    void Serialize(Buffer::Iterator start) const override
    {
        start.WriteHtonU32(kind);
    }

    uint32_t Deserialize(Buffer::Iterator start) override
    {
        kind = start.ReadNtohU32();
        return SIZE;
    }

    void Print(std::ostream& os) const override
    {
        os << "kind " << kind;
    }

    uint32_t kind{DATA}; //!< Kind
};

/// Bytes of all headers of a packet of data, from IPv4 on.
constexpr uint32_t HEADERS = 28 + NdpHeader::SIZE + FlowHeader::SIZE + MessageHeader::SIZE;

// [queue]
/// Cuts packets of data for which it has no room to their headers; these leave first.
class TrimQueue : public Queue<Packet>
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("TrimQueue<Packet>")
                .SetParent<Queue<Packet>>()
                .AddConstructor<TrimQueue>()
                .AddAttribute("MaxSize",
                              "Most packets and headers",
                              QueueSizeValue(QueueSize("1000p")),
                              MakeQueueSizeAccessor(&QueueBase::SetMaxSize, &QueueBase::GetMaxSize),
                              MakeQueueSizeChecker())
                .AddAttribute("Limit",
                              "Most packets of data",
                              UintegerValue(8),
                              MakeUintegerAccessor(&TrimQueue::m_limit),
                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    bool Enqueue(Ptr<Packet> packet) override
    {
        if (packet->GetSize() > HEADERS && GetNPackets() - m_nHeaders >= m_limit)
        {
            packet = packet->Copy();
            packet->RemoveAtEnd(packet->GetSize() - HEADERS);
            ++nCut;
        }
        const bool isHeader = packet->GetSize() <= HEADERS;
        const bool fits =
            DoEnqueue(isHeader ? std::next(begin(), m_nHeaders) : end(), packet); // or MaxSize
        m_nHeaders += isHeader && fits;
        return fits;
    }

    Ptr<Packet> Dequeue() override
    {
        m_nHeaders -= m_nHeaders > 0;
        return DoDequeue(begin());
    }

    Ptr<Packet> Remove() override
    {
        m_nHeaders -= m_nHeaders > 0;
        return DoRemove(begin());
    }

    Ptr<const Packet> Peek() const override
    {
        return DoPeek(begin());
    }

    inline static uint64_t nCut{0}; //!< packets cut, of all queues

  private:
    /// @return the first packet
    ConstIterator begin() const
    {
        return GetContainer().begin();
    }

    /// @return behind the last packet
    ConstIterator end() const
    {
        return GetContainer().end();
    }

    uint32_t m_limit{8};    //!< Limit
    uint32_t m_nHeaders{0}; //!< headers, at the front
};

NS_OBJECT_ENSURE_REGISTERED(TrimQueue);

// [host]
/// Sends and receives the flows and messages of a host.
class NdpTransport : public FlowTransport
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("NdpTransport")
                                .SetParent<FlowTransport>()
                                .AddConstructor<NdpTransport>()
                                .AddAttribute("Window",
                                              "Packets that a flow begins with",
                                              UintegerValue(20),
                                              MakeUintegerAccessor(&NdpTransport::m_window),
                                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    void SendFlow(uint32_t flow, Ipv4Address peer, uint64_t bytes, bool) override
    {
        Begin(peer, MessageHeader(bytes, flow, true));
    }

    void SendMessage(Ipv4Address peer, uint64_t bytes, uint64_t tag, bool) override
    {
        Begin(peer, MessageHeader(bytes, tag, false));
    }

    uint32_t GetHeaders() const override
    {
        return HEADERS;
    }

    bool Repairs() const override
    {
        return true;
    }

  protected:
    void DoStart() override
    {
        m_socket = Bind(UdpSocketFactory::GetTypeId(), 0, 0);
        m_socket->SetRecvCallback(MakeCallback(&NdpTransport::Receive, Ptr<NdpTransport>(this)));
        m_time = GetHost().lineRate.CalculateBytesTxTime(GetSettings().packetSize);
    }

    void DoStop() override
    {
        m_sendEvent.Cancel();
        m_pullEvent.Cancel();
        m_socket = nullptr;
    }

    void DoDispose() override
    {
        DoStop();
        FlowTransport::DoDispose();
    }

  private:
    /// A flow or message from this host.
    struct Outgoing
    {
        Ipv4Address peer;           //!< its receiver
        MessageHeader message;      //!< its size, and its number or tag
        Time begin;                 //!< when it began
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
    using Key = std::pair<Ipv4Address, uint32_t>;

    /// @param bytes of a flow
    /// @param packet of it
    /// @return bytes of data in the packet
    uint32_t GetData(uint64_t bytes, uint32_t packet) const
    {
        const uint64_t payload = GetSettings().packetSize - HEADERS;
        return static_cast<uint32_t>(std::min(payload, bytes - std::min(bytes, packet * payload)));
    }

    /// Send the first window, at line rate.
    /// @param peer receiver
    /// @param message what it is
    void Begin(Ipv4Address peer, const MessageHeader& message)
    {
        const auto number = static_cast<uint32_t>(m_outgoing.size());
        m_outgoing.push_back({peer, message, Simulator::Now()});
        for (uint32_t i = 0; i < m_window; ++i)
        {
            Allow(number);
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
        else if (GetData(outgoing.message.GetBytes(), outgoing.next) > 0)
        {
            m_line.emplace_back(number, outgoing.next++);
        }
        else
        {
            ++outgoing.pulls; // overtook the NACK that it belongs to, or is not needed
            return;
        }
        if (m_sendEvent.IsExpired())
        {
            SendNext();
        }
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
        const Outgoing& outgoing = m_outgoing[number];
        const auto packet = Create<Packet>(GetData(outgoing.message.GetBytes(), sequence));
        packet->AddHeader(outgoing.message);
        m_sendEvent = Simulator::Schedule(m_time, &NdpTransport::SendNext, this);
        Send(NdpHeader::DATA, packet, {number, sequence, outgoing.begin}, outgoing.peer);
    }

    /// @param kind of packet
    /// @param packet what follows
    /// @param flow its flow
    /// @param to receiver
    void Send(uint32_t kind, Ptr<Packet> packet, const FlowHeader& flow, Ipv4Address to)
    {
        NdpHeader header;
        header.kind = kind;
        packet->AddHeader(flow);
        packet->AddHeader(header);
        m_socket->SendTo(packet, 0, InetSocketAddress(to, GetSettings().port));
    }

    /// Packets have arrived. @param socket the socket
    void Receive(Ptr<Socket> socket)
    {
        Address from;
        while (const Ptr<Packet> packet = IsStarted() ? socket->RecvFrom(from) : nullptr)
        {
            NdpHeader header;
            FlowHeader flow;
            packet->RemoveHeader(header);
            packet->RemoveHeader(flow);
            if (header.kind == NdpHeader::DATA)
            {
                ReceiveData(InetSocketAddress::ConvertFrom(from).GetIpv4(), flow, packet);
                continue;
            }
            Outgoing& outgoing = m_outgoing.at(flow.GetFlow());
            const bool isNack = header.kind == NdpHeader::NACK;
            if (isNack)
            {
                outgoing.cut.push_back(flow.GetSequence());
            }
            if (!isNack || outgoing.pulls > 0)
            {
                outgoing.pulls -= isNack;
                Allow(flow.GetFlow());
            }
        }
    }

    /// A packet of data, or its headers.
    /// @param from its sender
    /// @param flow its flow
    /// @param packet what follows
    void ReceiveData(Ipv4Address from, const FlowHeader& flow, Ptr<Packet> packet)
    {
        MessageHeader message;
        packet->RemoveHeader(message);
        Incoming& incoming = m_incoming[{from, flow.GetFlow()}];
        if (incoming.has.empty())
        {
            const uint32_t payload = GetSettings().packetSize - HEADERS;
            incoming.has.resize((message.GetBytes() - 1) / payload + 1);
            incoming.left = incoming.wanted = static_cast<uint32_t>(incoming.has.size());
            incoming.asked = m_window;
        }
        const uint32_t bytes = GetData(message.GetBytes(), flow.GetSequence());
        const bool isCut = packet->GetSize() < bytes;
        const bool isNew = !isCut && !incoming.has.at(flow.GetSequence());
        incoming.wanted += isCut;
        if (incoming.asked < incoming.wanted)
        {
            ++incoming.asked;
            ++incoming.pulls;
            ++m_nPulls;
        }
        if (isCut)
        {
            Send(NdpHeader::NACK, Create<Packet>(), flow, from);
        }
        if (m_pullEvent.IsExpired())
        {
            SendPull();
        }
        if (isNew)
        {
            incoming.has[flow.GetSequence()] = true;
            --incoming.left;
            if (message.IsFlow())
            {
                NotifyReceived(static_cast<uint32_t>(message.GetTag()), bytes);
            }
            else if (incoming.left == 0)
            {
                NotifyMessage({from, message.GetBytes(), message.GetTag(), flow.GetSent()});
            }
        }
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
        m_pullEvent = Simulator::Schedule(m_time, &NdpTransport::SendPull, this);
        const auto [from, number] = m_lastPull;
        Send(NdpHeader::PULL, Create<Packet>(), {number, 0, Simulator::Now()}, from);
    }

    uint32_t m_window{20};                            //!< Window
    Time m_time;                                      //!< of a full packet on the line
    Ptr<Socket> m_socket;                             //!< for all packets
    std::deque<Outgoing> m_outgoing;                  //!< flows from here, by number
    std::map<Key, Incoming> m_incoming;               //!< flows to here
    std::deque<std::pair<uint32_t, uint32_t>> m_line; //!< flows and packets that may leave
    uint32_t m_nPulls{0};                             //!< of all flows, to be sent
    Key m_lastPull;                                   //!< flow of the last one
    EventId m_sendEvent;                              //!< SendNext()
    EventId m_pullEvent;                              //!< SendPull()
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
/// Run flows by a transport, and add its row to a table.
/// @param transport ndp, credits or udp
/// @param flows the flows
/// @param table the table
static void
Run(const std::string& transport, const Traffic& flows, Table& table)
{
    const bool isNdp = transport == "ndp";
    // Queues of 8 packets of data for NDP, besides headers, and of 100 packets for others.
    const std::string queue = isNdp ? "TrimQueue" : "ns3::DropTailQueue";
    const QueueSize room(isNdp ? "1000p" : "100p");
    PacketNetworkHelper helper;
    helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
    helper.SetUplinkAttribute("DataRate", StringValue("10Gbps"));
    helper.SetServerQueue(queue, room);
    helper.SetUplinkQueue(queue, room);
    helper.SetSwitchAttribute("Spreading", StringValue("PerPacket"));
    auto network = helper.BuildLeafSpine(4, 4, 4, 4); // racks, servers, spines, uplinks
    helper.InstallServers(network);
    network->AssignStreams(1);
    TrimQueue::nCut = 0;
    FlowHelper install;
    if (isNdp)
    {
        install.SetAttribute("Transport", StringValue("NdpTransport"));
    }
    else if (transport == "credits")
    {
        install.SetAttribute("Repair", StringValue("Nack"));
        install.SetAttribute("Window", UintegerValue(20));
        install.SetAttribute("ReorderTime", StringValue("100us"));
        install.SetAttribute("RepairTimeout", StringValue("1ms"));
    }
    const auto hosts = install.Install(network->GetServers(), flows);
    const auto recorder = install.GetRecorder();
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    uint64_t again = TrimQueue::nCut; // each is sent again
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        again += DynamicCast<FlowApplication>(hosts.Get(i))->GetMessageCounts().again;
    }
    const std::string open = recorder->DescribeIncomplete();
    std::vector<double> lasted[2]; // of flows of at most 20 kB, and of others, in seconds
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        const Time time = recorder->GetCompletionTime(i);
        lasted[flows[i].bytes > 20000].push_back(time.IsNegative() ? INFINITY : time.GetSeconds());
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
                  std::to_string(again),
                  std::to_string(network->Count().dropped.Total())});
    Simulator::Destroy();
    if (isNdp && !open.empty())
    {
        throw OdcnError("NDP within 1 s: " + open);
    }
}

int
main(int argc, char* argv[])
try
{
    std::string traffic = "incast";
    uint64_t bytes = 1000000;
    OdcnCommandLine cmd(argc, argv, "A transport of one's own: NDP, compared.");
    cmd.AddWord("traffic",
                "incast, permutation or mixed",
                traffic,
                {"incast", "permutation", "mixed"});
    cmd.AddRange("bytes", "Bytes of a flow", bytes, uint64_t{20001}, uint64_t{1} << 30);
    cmd.Parse();
    Time::SetResolution(Time::PS);
    const Traffic flows = MakeFlows(traffic, bytes);
    Table table({"transport",
                 "short p50\nus",
                 "short last\nus",
                 "long p50\nus",
                 "long last\nus",
                 "sent again\npackets",
                 "dropped\npackets"});
    for (const std::string transport : {"ndp", "credits", "udp"})
    {
        Run(transport, flows, table);
    }
    table.Print(std::cout);
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
