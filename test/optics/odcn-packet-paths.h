// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_PATHS_H
#define ODCN_PACKET_PATHS_H

/**
 * @file
 * The same packets over three paths, to measure the cost of a packet: a stock point-to-point link
 * between two hosts, a stock chain host - router - router - host, with as many transmissions as the
 * optical path, and server - ToR - OCS - ToR - server. Rates, queues (15 packets, no queue disc)
 * and Poisson arrivals are the same.
 */

#include "../core/odcn-test-kit.h"
#include "../core/odcn-test-resolution.h"

#include "ns3/flow-monitor-helper.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ocs-helper.h"
#include "ns3/odcn-job-flow-application.h"
#include "ns3/odcn-packet-recorder.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/random-variable-stream.h"

namespace ns3::odcn
{
namespace paths
{

/// Bytes of a packet, IPv4 header included.
constexpr uint32_t PACKET_BYTES = 296;
/// Load of the slowest link, low enough that hardly any packet is lost.
constexpr double LOAD = 0.6;
/// Rate of the slowest link, bit/s.
constexpr BitRate CIRCUIT = 40'000'000'000;
/// CIRCUIT as a DataRate.
constexpr const char* CIRCUIT_RATE = "40Gbps";
/// Rate of the links to and from hosts on the chain and the optical path.
constexpr const char* SERVER_RATE = "400Gbps";
/// First random stream: those of the ToR switches, then one for each server that sends.
constexpr int64_t STREAM = 1000;
/// EtherType.
constexpr uint16_t IPV4 = 0x0800;

/**
 * @param i a pair of hosts
 * @param pairs number of pairs
 * @param flows of each
 * @return stream of its first flow, as with PacketFabric::AssignStreams(STREAM, flows)
 */
inline int64_t
StreamOf(uint32_t i, uint32_t pairs, uint32_t flows)
{
    return STREAM + 2 * int64_t{pairs} + 2 * int64_t{i} * flows;
}

/// @param flows of a pair of hosts  @return rate of each
inline BitRate
FlowRate(uint32_t flows)
{
    return static_cast<BitRate>(LOAD * CIRCUIT / flows);
}

/// @param pairs of hosts  @param packets approximate number sent  @return end of sending
inline Time
End(uint32_t pairs, uint64_t packets)
{
    return Seconds(static_cast<double>(packets) / pairs * PACKET_BYTES * 8 / (LOAD * CIRCUIT));
}

/// Path of the packets.
enum class Wire
{
    LINK,   //!< host - host
    CHAIN,  //!< host - router - router - host
    OPTICAL //!< server - ToR - OCS - ToR - server
};

/// Sender and observer of packets.
enum class Load
{
    RAW,         //!< passed to the devices, without IP stack; counted
    SOCKETS,     //!< JobFlowApplication, observed by a PacketRecorder
    FLOW_MONITOR //!< the same, observed by FlowMonitor
};

/// Senders, receivers and the network between them.
struct Net
{
    NodeContainer senders;              //!< by pair
    NodeContainer receivers;            //!< by pair
    NetDeviceContainer senderDevices;   //!< by pair
    NetDeviceContainer receiverDevices; //!< by pair
    std::vector<Ipv4Address> peers;     //!< addresses of the receivers
    Ptr<OcsFabric> fabric;              //!< null with stock devices
};

/// @param rate speed  @param a node  @param b node  @return a stock link
inline NetDeviceContainer
Link(const char* rate, Ptr<Node> a, Ptr<Node> b)
{
    PointToPointHelper helper;
    helper.DisableFlowControl();
    helper.SetDeviceAttribute("DataRate", StringValue(rate));
    helper.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("15p"));
    return helper.Install(a, b);
}

/// @param out device to which a router forwards arriving packets
inline bool
PassOn(Ptr<NetDevice> out, Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t, const Address&)
{
    return out->Send(packet->Copy(), out->GetBroadcast(), IPV4);
}

/// Assign addresses to a link. @param link the link  @param address of its network; incremented
/// @return the addresses
inline Ipv4InterfaceContainer
Number(const NetDeviceContainer& link, Ipv4AddressHelper& address)
{
    const auto interfaces = address.Assign(link);
    address.NewNetwork();
    return interfaces;
}

/// @param node a host or a router  @param network destination  @param gateway next hop
/// @param interface of the node
inline void
Route(Ptr<Node> node, Ipv4Address network, Ipv4Address gateway, uint32_t interface)
{
    const auto routing = Ipv4StaticRoutingHelper().GetStaticRouting(node->GetObject<Ipv4>());
    routing->AddNetworkRouteTo(network, Ipv4Mask("255.255.255.0"), gateway, interface);
}

/// @param pairs of hosts  @param chain whether there are routers between  @param ip whether with IP
/// @return stock point-to-point network
inline Net
Stock(uint32_t pairs, bool chain, bool ip)
{
    Net net;
    net.senders.Create(pairs);
    net.receivers.Create(pairs);
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    Ipv4AddressHelper address("10.0.0.0", "255.255.255.0");
    if (ip)
    {
        stack.Install(net.senders);
        stack.Install(net.receivers);
    }
    for (uint32_t i = 0; i < pairs; ++i)
    {
        const Ptr<Node> sender = net.senders.Get(i);
        const Ptr<Node> receiver = net.receivers.Get(i);
        if (!chain)
        {
            const auto link = Link(CIRCUIT_RATE, sender, receiver);
            net.senderDevices.Add(link.Get(0));
            net.receiverDevices.Add(link.Get(1));
            if (ip)
            {
                net.peers.push_back(Number(link, address).GetAddress(1));
            }
            continue;
        }
        NodeContainer routers(2);
        const auto first = Link(SERVER_RATE, sender, routers.Get(0));
        const auto middle = Link(CIRCUIT_RATE, routers.Get(0), routers.Get(1));
        const auto last = Link(SERVER_RATE, routers.Get(1), receiver);
        net.senderDevices.Add(first.Get(0));
        net.receiverDevices.Add(last.Get(1));
        if (ip)
        {
            stack.Install(routers);
            const auto a = Number(first, address);
            const auto b = Number(middle, address);
            const auto c = Number(last, address);
            const Ipv4Address network = c.GetAddress(1).CombineMask("255.255.255.0");
            Route(sender, network, a.GetAddress(1), 1);
            Route(routers.Get(0), network, b.GetAddress(1), 2);
            net.peers.push_back(c.GetAddress(1));
        }
        else
        {
            first.Get(1)->SetReceiveCallback(MakeBoundCallback(&PassOn, middle.Get(0)));
            middle.Get(1)->SetReceiveCallback(MakeBoundCallback(&PassOn, last.Get(0)));
        }
    }
    return net;
}

/// @param pairs of racks of one server, with a circuit between  @param ip whether with IP
/// @return the optical data centre
inline Net
Optical(uint32_t pairs, bool ip)
{
    OcsHelper helper;
    helper.SetUplinkAttribute("DataRate", StringValue(CIRCUIT_RATE));
    helper.SetServerAttribute("DataRate", StringValue(SERVER_RATE));
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("15p"));
    OcsFabricSize size;
    size.racks = 2 * pairs;
    Net net;
    net.fabric = helper.Build(size);
    if (ip)
    {
        helper.InstallServers(net.fabric);
    }
    std::vector<OcsCircuit> circuits;
    for (RackId from = 0; from < size.racks; from += 2)
    {
        circuits.push_back({from, 0, from + 1, 0});
        net.senders.Add(net.fabric->GetServer(from, 0));
        net.receivers.Add(net.fabric->GetServer(from + 1, 0));
        net.senderDevices.Add(net.fabric->GetServerDevice(from, 0));
        net.receiverDevices.Add(net.fabric->GetServerDevice(from + 1, 0));
        net.peers.push_back(net.fabric->GetServerAddress(from + 1, 0));
    }
    net.fabric->Preset(circuits);
    net.fabric->AssignStreams(STREAM);
    return net;
}

/// Generates and counts packets without a stack.
class RawLoad
{
  public:
    /// @param net network
    explicit RawLoad(const Net& net)
        : m_net(net)
    {
        m_gap->SetAttribute("Mean", DoubleValue(PACKET_BYTES * 8e12 / (LOAD * CIRCUIT)));
        m_gap->SetStream(1);
        for (uint32_t i = 0; i < net.senders.GetN(); ++i)
        {
            Ptr<Packet> packet = Create<Packet>(PACKET_BYTES - 20);
            Ipv4Header ip;
            ip.SetDestination(net.fabric ? net.peers[i] : Ipv4Address("10.0.0.1"));
            packet->AddHeader(ip);
            m_packets.push_back(packet);
            net.receiverDevices.Get(i)->SetReceiveCallback(
                MakeBoundCallback(&RawLoad::Receive, this));
            ScheduleNext(i);
        }
    }

    /// @return packets received
    uint64_t GetReceived() const
    {
        return m_received;
    }

  private:
    static bool Receive(RawLoad* load, Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&)
    {
        ++load->m_received;
        return true;
    }

    /// @param i index of a pair
    void ScheduleNext(uint32_t i)
    {
        Simulator::Schedule(TimeStep(std::llround(m_gap->GetValue())), &RawLoad::Send, this, i);
    }

    /// @param i index of a pair
    void Send(uint32_t i)
    {
        const Ptr<NetDevice> device = m_net.senderDevices.Get(i);
        device->Send(m_packets[i]->Copy(), device->GetBroadcast(), IPV4);
        ScheduleNext(i);
    }

    const Net& m_net;                   //!< network
    std::vector<Ptr<Packet>> m_packets; //!< templates of the packets
    Ptr<ExponentialRandomVariable> m_gap{CreateObject<ExponentialRandomVariable>()}; //!< gaps
    uint64_t m_received{0}; //!< packets received
};

/// Packets of JobFlowApplication, optionally with a PacketRecorder.
class SocketLoad
{
  public:
    /// @param net network
    /// @param watched whether the recorder follows the packets
    /// @param flows of each pair
    SocketLoad(const Net& net, bool watched, uint32_t flows)
    {
        m_recorder.Open(0, 0, UINT64_MAX);
        for (uint32_t i = 0; i < net.senders.GetN(); ++i)
        {
            auto sender = CreateObject<JobFlowApplication>();
            auto receiver = CreateObject<JobFlowApplication>();
            net.senders.Get(i)->AddApplication(sender);
            net.receivers.Get(i)->AddApplication(receiver);
            sender->AssignStreams(StreamOf(i, net.senders.GetN(), flows));
            for (uint32_t f = 0; f < flows; ++f)
            {
                m_recorder.AddFlow(0);
                Simulator::Schedule(Time(0),
                                    &JobFlowApplication::AddFlow,
                                    sender,
                                    i * flows + f,
                                    net.peers[i],
                                    FlowRate(flows));
            }
            Listen(receiver, "Rx", [this](const FlowHeader&, Time) { ++m_received; });
            if (watched)
            {
                m_recorder.Connect({sender, receiver});
            }
        }
    }

    /// @return packets received
    uint64_t GetReceived() const
    {
        return m_received;
    }

  private:
    PacketRecorder m_recorder; //!< follows packets
    uint64_t m_received{0};    //!< packets received
};

/**
 * Send packets over one of the paths.
 *
 * @param wire path
 * @param load sender and observer
 * @param pairs of hosts, each with its own path
 * @param packets approximate number to send
 * @param meter called with a function that runs the simulation, which it calls once
 * @param flows of each pair, with sockets
 * @return packets received
 */
template <typename Meter>
uint64_t
Run(Wire wire, Load load, uint32_t pairs, uint64_t packets, Meter&& meter, uint32_t flows = 1)
{
    UsePicoseconds();
    const bool ip = load != Load::RAW;
    const Net net =
        wire == Wire::OPTICAL ? Optical(pairs, ip) : Stock(pairs, wire == Wire::CHAIN, ip);
    const auto run = [&](const auto& source)
    {
        // Applications start, and open their sockets, before the measurement.
        RunFor(TimeStep(1));
        Simulator::Stop(End(pairs, packets) - TimeStep(1));
        meter([] { Simulator::Run(); });
        return source.GetReceived();
    };
    uint64_t received = 0;
    if (load == Load::RAW)
    {
        received = run(RawLoad(net));
    }
    else
    {
        FlowMonitorHelper monitor;
        if (load == Load::FLOW_MONITOR)
        {
            monitor.Install(NodeContainer(net.senders, net.receivers));
        }
        received = run(SocketLoad(net, load == Load::SOCKETS, flows));
    }
    Simulator::Destroy();
    return received;
}

} // namespace paths
} // namespace ns3::odcn

#endif /* ODCN_PACKET_PATHS_H */
