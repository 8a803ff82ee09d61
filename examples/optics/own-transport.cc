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
 * the receiver asks for another one, by pulls in the time of a full packet each, flow by flow in
 * turn.
 * - Packets spread over all paths.
 *
 * Headers go strictly first here, and the packet that arrives is the one that is cut; in the paper,
 * ten headers go before a packet, and half of the time the last one in the queue is cut.
 *
 *     ./ns3 run own-transport
 *     ./ns3 run "own-transport --traffic=permutation"
 *     ./ns3 run "own-transport --traffic=mixed"            short flows beside long ones
 */

#include "ns3/application.h"
#include "ns3/data-rate.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-flow-helper.h"
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

using namespace ns3;
using namespace ns3::odcn;

// [header]
/// Of each packet: what it is, its flow, its number in the flow, and bytes of data when it was
/// sent.
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

    static constexpr uint32_t SIZE = 16; //!< bytes

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
        for (const uint32_t field : {kind, flow, sequence, bytes})
        {
            start.WriteHtonU32(field);
        }
    }

    uint32_t Deserialize(Buffer::Iterator start) override
    {
        for (uint32_t* field : {&kind, &flow, &sequence, &bytes})
        {
            *field = start.ReadNtohU32();
        }
        return SIZE;
    }

    void Print(std::ostream& os) const override
    {
        os << "kind " << kind << " flow " << flow << " packet " << sequence;
    }

    uint32_t kind{DATA};  //!< Kind
    uint32_t flow{0};     //!< number of the flow
    uint32_t sequence{0}; //!< number in the flow
    uint32_t bytes{0};    //!< of data
};

constexpr uint32_t HEADERS = 28 + NdpHeader::SIZE; //!< bytes of IPv4, UDP and NDP
constexpr uint32_t FULL = 1500;                    //!< bytes of a full packet
constexpr uint32_t PAYLOAD = FULL - HEADERS;       //!< bytes of data in it

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
/// Sends and receives the flows of a host.
class NdpHost : public Application
{
  public:
    static constexpr uint16_t PORT = 9000; //!< of all hosts

    /// @return the TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("NdpHost").SetParent<Application>().AddConstructor<NdpHost>().AddAttribute(
                "Window",
                "Packets that a flow begins with",
                UintegerValue(20),
                MakeUintegerAccessor(&NdpHost::m_window),
                MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

    /// Send a flow. @param flow number  @param data what to send  @param peer its receiver
    void AddFlow(uint32_t flow, const DataFlow& data, Ipv4Address peer)
    {
        m_outgoing[flow] = {InetSocketAddress(peer, PORT), data.bytes, data.start};
    }

    /// Receive a flow. @param flow number  @param data what is sent  @param peer its sender
    /// @param done set to its completion time
    void ExpectFlow(uint32_t flow, const DataFlow& data, Ipv4Address peer, Time* done)
    {
        Incoming& incoming = m_incoming[flow];
        incoming.sender = InetSocketAddress(peer, PORT);
        incoming.has.resize((data.bytes - 1) / PAYLOAD + 1);
        incoming.left = incoming.wanted = static_cast<uint32_t>(incoming.has.size());
        incoming.asked = m_window;
        incoming.start = data.start;
        incoming.done = done;
    }

  protected:
    void DoDispose() override
    {
        m_sendEvent.Cancel();
        m_pullEvent.Cancel();
        m_socket = nullptr;
        Application::DoDispose();
    }

  private:
    /// A flow from this host.
    struct Outgoing
    {
        Address receiver;           //!< of the flow
        uint64_t bytes{0};          //!< of data
        Time start{};               //!< of the flow
        uint32_t next{0};           //!< first packet that was never sent
        uint32_t pulls{0};          //!< without a packet to send
        std::deque<uint32_t> cut{}; //!< packets to send again
    };

    /// A flow to this host.
    struct Incoming
    {
        Address sender;        //!< of the flow
        std::vector<bool> has; //!< by packet: whether it was received
        uint32_t left{0};      //!< packets that were not
        uint32_t wanted{0};    //!< packets to be sent, again or not
        uint32_t asked{0};     //!< packets that the sender may have sent
        uint32_t pulls{0};     //!< to be sent
        Time start;            //!< of the flow
        Time* done{nullptr};   //!< its completion time
    };

    void StartApplication() override
    {
        m_socket = Socket::CreateSocket(GetNode(), UdpSocketFactory::GetTypeId());
        m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        m_socket->SetRecvCallback(MakeCallback(&NdpHost::Receive, this));
        DataRateValue rate;
        GetNode()->GetObject<Ipv4>()->GetNetDevice(1)->GetAttribute("DataRate", rate);
        m_time = rate.Get().CalculateBytesTxTime(FULL);
        for (const auto& [flow, outgoing] : m_outgoing)
        {
            Simulator::Schedule(outgoing.start, &NdpHost::StartFlow, this, flow);
        }
    }

    void StopApplication() override
    {
        m_sendEvent.Cancel();
        m_pullEvent.Cancel();
    }

    /// The first window, at line rate. @param flow number
    void StartFlow(uint32_t flow)
    {
        for (uint32_t i = 0; i < m_window; ++i)
        {
            Allow(flow);
        }
    }

    /// Let a flow send a packet. @param flow number
    void Allow(uint32_t flow)
    {
        Outgoing& outgoing = m_outgoing.at(flow);
        const bool isNew = uint64_t(outgoing.next) * PAYLOAD < outgoing.bytes;
        if (outgoing.cut.empty() && !isNew)
        {
            ++outgoing.pulls; // overtook the NACK that it belongs to, or is not needed
            return;
        }
        NdpHeader header;
        header.flow = flow;
        if (outgoing.cut.empty())
        {
            header.sequence = outgoing.next++;
        }
        else
        {
            header.sequence = outgoing.cut.front();
            outgoing.cut.pop_front();
        }
        header.bytes = static_cast<uint32_t>(
            std::min<uint64_t>(PAYLOAD, outgoing.bytes - uint64_t(header.sequence) * PAYLOAD));
        m_line.push_back(header);
        if (m_sendEvent.IsExpired())
        {
            SendNext();
        }
    }

    /// Send a packet of data, one in the time of a full one.
    void SendNext()
    {
        if (!m_line.empty())
        {
            const NdpHeader header = m_line.front();
            m_line.pop_front();
            Send(header, m_outgoing.at(header.flow).receiver, header.bytes);
            m_sendEvent = Simulator::Schedule(m_time, &NdpHost::SendNext, this);
        }
    }

    /// @param header of the packet  @param to its receiver  @param bytes of data
    void Send(const NdpHeader& header, const Address& to, uint32_t bytes)
    {
        const auto packet = Create<Packet>(bytes);
        packet->AddHeader(header);
        m_socket->SendTo(packet, 0, to);
    }

    /// Packets have arrived. @param socket the socket
    void Receive(Ptr<Socket> socket)
    {
        while (const Ptr<Packet> packet = socket->Recv())
        {
            NdpHeader header;
            packet->RemoveHeader(header);
            if (header.kind == NdpHeader::DATA)
            {
                ReceiveData(header, packet->GetSize() < header.bytes);
            }
            else
            {
                Outgoing& outgoing = m_outgoing.at(header.flow);
                const bool isNack = header.kind == NdpHeader::NACK;
                if (isNack)
                {
                    outgoing.cut.push_back(header.sequence);
                }
                if (!isNack || outgoing.pulls > 0)
                {
                    outgoing.pulls -= isNack;
                    Allow(header.flow);
                }
            }
        }
    }

    /// A packet of data, or its headers. @param header its own  @param isCut whether it was cut
    void ReceiveData(NdpHeader header, bool isCut)
    {
        Incoming& incoming = m_incoming.at(header.flow);
        if (isCut)
        {
            ++incoming.wanted;
            header.kind = NdpHeader::NACK;
            Send(header, incoming.sender, 0);
        }
        else if (!incoming.has.at(header.sequence))
        {
            incoming.has[header.sequence] = true;
            if (--incoming.left == 0)
            {
                *incoming.done = Simulator::Now() - incoming.start;
            }
        }
        if (incoming.asked < incoming.wanted)
        {
            ++incoming.asked;
            ++incoming.pulls;
            ++m_nPulls;
        }
        if (m_pullEvent.IsExpired())
        {
            SendPull();
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
        NdpHeader header;
        header.kind = NdpHeader::PULL;
        header.flow = m_lastPull;
        Send(header, flow->second.sender, 0);
        m_pullEvent = Simulator::Schedule(m_time, &NdpHost::SendPull, this);
    }

    uint32_t m_window{20};                   //!< Window
    Time m_time;                             //!< of a full packet on the line
    Ptr<Socket> m_socket;                    //!< for all packets
    std::map<uint32_t, Outgoing> m_outgoing; //!< flows from here
    std::map<uint32_t, Incoming> m_incoming; //!< flows to here
    std::deque<NdpHeader> m_line;            //!< packets that may leave
    uint32_t m_nPulls{0};                    //!< of all flows, to be sent
    uint32_t m_lastPull{0};                  //!< flow of the last one
    EventId m_sendEvent;                     //!< SendNext()
    EventId m_pullEvent;                     //!< SendPull()
};

NS_OBJECT_ENSURE_REGISTERED(NdpHost);

/// Install flows by NDP.
/// @param hosts all hosts by number  @param flows the flows
/// @param times set to completion times; negative until then
static void
InstallNdp(const NodeContainer& hosts, const std::vector<DataFlow>& flows, std::vector<Time>& times)
{
    times.assign(flows.size(), Seconds(-1));
    std::vector<Ptr<NdpHost>> applications;
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        applications.push_back(CreateObject<NdpHost>());
        hosts.Get(i)->AddApplication(applications.back());
    }
    const auto address = [&](uint32_t host)
    { return hosts.Get(host)->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal(); };
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        const DataFlow& flow = flows[i];
        applications[flow.source]->AddFlow(i, flow, address(flow.destination));
        applications[flow.destination]->ExpectFlow(i, flow, address(flow.source), &times[i]);
    }
}

// [traffic]
/// @param traffic incast, permutation or mixed  @param bytes of a flow  @return flows of 16 hosts
static std::vector<DataFlow>
MakeFlows(const std::string& traffic, uint64_t bytes)
{
    std::vector<DataFlow> flows;
    for (uint32_t host = 0; host < 16 && traffic == "permutation"; ++host)
    {
        flows.push_back({host, (host + 4) % 16, bytes, Time(0)}); // to the next rack
    }
    for (uint32_t host = 4; host < 16 && traffic == "incast"; ++host)
    {
        flows.push_back({host, 0, bytes, Time(0)}); // 12 to 1
    }
    for (uint32_t i = 0; i < 21 && traffic == "mixed"; ++i)
    {
        // Two long flows to host 0, and one of 20 kB every 100 us.
        flows.push_back(i == 0 ? DataFlow{4, 0, 10 * bytes, Time(0)}
                               : DataFlow{12 + i % 4, 0, 20000, MicroSeconds(100 * i)});
        if (i == 0)
        {
            flows.push_back({8, 0, 10 * bytes, Time(0)});
        }
    }
    return flows;
}

// [run]
/// Run flows by a transport, and add its row to a table.
/// @param transport ndp, credits or udp  @param flows the flows  @param table the table
static void
Run(const std::string& transport, const std::vector<DataFlow>& flows, Table& table)
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
    std::vector<Time> times;
    auto recorder = CreateObject<FlowRecorder>();
    std::vector<Ptr<FlowApplication>> hosts;
    if (isNdp)
    {
        recorder->SetFlows(flows);
        InstallNdp(network->GetServers(), flows, times);
    }
    else
    {
        FlowHelper install;
        if (transport == "credits")
        {
            install.SetAttribute("Repair", StringValue("Nack"));
            install.SetAttribute("Window", UintegerValue(20));
            install.SetAttribute("ReorderTime", StringValue("100us"));
            install.SetAttribute("RepairTimeout", StringValue("1ms"));
        }
        const auto applications = install.Install(network->GetServers(), flows);
        for (uint32_t i = 0; i < applications.GetN(); ++i)
        {
            hosts.push_back(DynamicCast<FlowApplication>(applications.Get(i)));
        }
        recorder = install.GetRecorder();
    }
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    if (isNdp)
    {
        recorder->SetCompletionTimes(times, DataRate("10Gbps"), FULL);
    }
    uint64_t again = TrimQueue::nCut; // each is sent again
    for (const auto& host : hosts)
    {
        again += host->GetMessageCounts().again;
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
    const std::vector<DataFlow> flows = MakeFlows(traffic, bytes);
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
