// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * What a packet costs in ns-3: CPU time over server - ToR - OCS - ToR - server against stock
 * point-to-point, once a single link between two hosts and once a chain host - router - router -
 * host, which stores and forwards as often as the optical path. Rates, queues (15 packets, no
 * queue disc), Poisson arrivals, sockets and measurement are the same; a round runs the three one
 * after the other, and the ratios are medians over rounds.
 *
 * A single link serialises a packet once. The optical path does it three times and reads its
 * address twice on the way, so "optical/link" tells what two switches cost on top of a wire.
 */

#include "ns3/data-rate.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ocs-helper.h"
#include "ns3/odcn-job-flow-application.h"
#include "ns3/odcn-window-monitor.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <array>
#include <benchmark/benchmark.h>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

constexpr uint32_t PACKET_BYTES = 296;
constexpr uint32_t PACKETS = 20000;
constexpr double LOAD = 0.6;
constexpr BitRate CIRCUIT = 40'000'000'000;
constexpr const char* CIRCUIT_RATE = "40Gbps";
constexpr const char* SERVER_RATE = "400Gbps";
constexpr uint16_t IPV4 = 0x0800;
constexpr int ROUNDS = 15;

/// What packets travel over.
enum class Wire
{
    LINK,   //!< host - host
    CHAIN,  //!< host - router - router - host
    OPTICAL //!< server - ToR - OCS - ToR - server
};

/// Who makes packets and who watches them.
enum class Load
{
    RAW,         //!< handed to the devices, without IP stack; counted
    SOCKETS,     //!< OdcnJobFlowApplication, watched by an OdcnWindowMonitor
    FLOW_MONITOR //!< the same, watched by FlowMonitor
};

/// Senders, receivers and what is between.
struct Net
{
    NodeContainer senders;              //!< by pair
    NodeContainer receivers;            //!< by pair
    NetDeviceContainer senderDevices;   //!< by pair
    NetDeviceContainer receiverDevices; //!< by pair
    std::vector<Ipv4Address> peers;     //!< address of the receivers
    Ptr<OcsFabric> fabric;              //!< null with stock devices
};

/// @param rate speed  @param a node  @param b node  @return a stock link
NetDeviceContainer
Link(const char* rate, Ptr<Node> a, Ptr<Node> b)
{
    PointToPointHelper helper;
    helper.DisableFlowControl();
    helper.SetDeviceAttribute("DataRate", StringValue(rate));
    helper.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("15p"));
    return helper.Install(a, b);
}

/// @param out where a router sends what comes in
bool
PassOn(Ptr<NetDevice> out, Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t, const Address&)
{
    return out->Send(packet->Copy(), out->GetBroadcast(), IPV4);
}

/// Give a link its addresses. @param link the link  @param address of its network, which moves on
/// @return the addresses
Ipv4InterfaceContainer
Number(const NetDeviceContainer& link, Ipv4AddressHelper& address)
{
    const auto interfaces = address.Assign(link);
    address.NewNetwork();
    return interfaces;
}

/// @param node of a host or a router  @param network to be reached  @param gateway over whom
/// @param interface over which
void
Route(Ptr<Node> node, Ipv4Address network, Ipv4Address gateway, uint32_t interface)
{
    const auto routing = Ipv4StaticRoutingHelper().GetStaticRouting(node->GetObject<Ipv4>());
    routing->AddNetworkRouteTo(network, Ipv4Mask("255.255.255.0"), gateway, interface);
}

/// @param pairs of hosts  @param chain whether there are routers between  @param ip or raw
/// @return stock point-to-point
Net
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

/// @param pairs of racks of one server, with a circuit between  @param ip or raw
/// @return the optical data centre
Net
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
    net.fabric->AssignStreams(1000);
    return net;
}

/// Makes and counts packets without a stack.
class RawLoad
{
  public:
    /// @param net over what
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

    /// @return packets that came
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

    /// @param i pair
    void ScheduleNext(uint32_t i)
    {
        Simulator::Schedule(TimeStep(std::llround(m_gap->GetValue())), &RawLoad::Send, this, i);
    }

    /// @param i pair
    void Send(uint32_t i)
    {
        const Ptr<NetDevice> device = m_net.senderDevices.Get(i);
        device->Send(m_packets[i]->Copy(), device->GetBroadcast(), IPV4);
        ScheduleNext(i);
    }

    const Net& m_net;                   //!< over what
    std::vector<Ptr<Packet>> m_packets; //!< to be copied
    Ptr<ExponentialRandomVariable> m_gap{CreateObject<ExponentialRandomVariable>()}; //!< gaps
    uint64_t m_received{0}; //!< packets that came
};

/// Packets of OdcnJobFlowApplication, and an OdcnWindowMonitor for them if it is wanted.
class SocketLoad
{
  public:
    /// @param net over what  @param watched whether the monitor follows the packets
    SocketLoad(const Net& net, bool watched)
    {
        const auto rate = static_cast<BitRate>(LOAD * CIRCUIT);
        for (uint32_t i = 0; i < net.senders.GetN(); ++i)
        {
            auto sender = CreateObject<OdcnJobFlowApplication>();
            auto receiver = CreateObject<OdcnJobFlowApplication>();
            net.senders.Get(i)->AddApplication(sender);
            net.receivers.Get(i)->AddApplication(receiver);
            sender->AssignStreams(1 + i);
            Simulator::Schedule(Time(0),
                                &OdcnJobFlowApplication::AddFlow,
                                sender,
                                i,
                                net.peers[i],
                                rate);
            receiver->TraceConnectWithoutContext("Rx", MakeCallback(&SocketLoad::Count, this));
            if (watched)
            {
                sender->TraceConnectWithoutContext("Tx", MakeCallback(&SocketLoad::Sent, this));
                receiver->TraceConnectWithoutContext("Rx",
                                                     MakeCallback(&SocketLoad::Received, this));
            }
        }
        m_monitor.Open(0, 0, UINT64_MAX);
    }

    /// @return packets that came
    uint64_t GetReceived() const
    {
        return m_received;
    }

  private:
    static uint64_t KeyOf(const OdcnFlowHeader& header)
    {
        return uint64_t{header.GetFlow()} << 32 | header.GetSequence();
    }

    void Count(const OdcnFlowHeader&, Time)
    {
        ++m_received;
    }

    void Sent(const OdcnFlowHeader& header)
    {
        m_monitor.Sent(KeyOf(header),
                       OdcnScope::INTER_RACK,
                       static_cast<uint64_t>(header.GetSent().GetPicoSeconds()));
    }

    void Received(const OdcnFlowHeader& header, Time delay)
    {
        m_monitor.Received(KeyOf(header),
                           static_cast<uint64_t>((header.GetSent() + delay).GetPicoSeconds()));
    }

    OdcnWindowMonitor m_monitor; //!< follows packets
    uint64_t m_received{0};      //!< packets that came
};

/// What a run took.
struct Cost
{
    double seconds{0};   //!< CPU time
    uint64_t packets{0}; //!< packets received
};

/// @param load to be run; its packets are counted  @return what it took
template <typename T>
Cost
Run(const T& load, uint32_t pairs)
{
    const double picoseconds = PACKETS * PACKET_BYTES * 8e12 / (LOAD * CIRCUIT) / pairs;
    Simulator::Stop(TimeStep(static_cast<uint64_t>(picoseconds)));
    const std::clock_t start = std::clock();
    Simulator::Run();
    const std::clock_t end = std::clock();
    return {static_cast<double>(end - start) / CLOCKS_PER_SEC, load.GetReceived()};
}

/// @param wire over what  @param load what  @param pairs of hosts  @return what it took
Cost
Run(Wire wire, Load load, uint32_t pairs)
{
    const bool ip = load != Load::RAW;
    const Net net =
        wire == Wire::OPTICAL ? Optical(pairs, ip) : Stock(pairs, wire == Wire::CHAIN, ip);
    Cost cost;
    if (load == Load::RAW)
    {
        cost = Run(RawLoad(net), pairs);
    }
    else
    {
        FlowMonitorHelper monitor;
        if (load == Load::FLOW_MONITOR)
        {
            monitor.Install(NodeContainer(net.senders, net.receivers));
        }
        cost = Run(SocketLoad(net, load == Load::SOCKETS), pairs);
    }
    Simulator::Destroy();
    return cost;
}

/// @param values some  @return their median
double
Median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Run all wires in turn. @param state its argument is the number of pairs  @param load what
void
Packets(benchmark::State& state, Load load)
{
    if (Time::GetResolution() != Time::PS)
    {
        Time::SetResolution(Time::PS);
    }
    const auto pairs = static_cast<uint32_t>(state.range(0));
    std::array<std::vector<double>, 3> ns;
    std::vector<double> overLink;
    std::vector<double> overChain;
    for (auto _ : state)
    {
        std::array<double, 3> now{};
        for (Wire wire : {Wire::LINK, Wire::CHAIN, Wire::OPTICAL})
        {
            const Cost cost = Run(wire, load, pairs);
            if (cost.packets < 0.9 * PACKETS || cost.packets > 1.1 * PACKETS)
            {
                state.SkipWithError("packets were lost");
                return;
            }
            const auto i = static_cast<std::size_t>(wire);
            now[i] = 1e9 * cost.seconds / static_cast<double>(cost.packets);
            ns[i].push_back(now[i]);
        }
        overLink.push_back(now[2] / now[0]);
        overChain.push_back(now[2] / now[1]);
        state.SetIterationTime(now[2] * 1e-9);
    }
    state.counters["link_ns"] = Median(ns[0]);
    state.counters["chain_ns"] = Median(ns[1]);
    state.counters["optical_ns"] = Median(ns[2]);
    state.counters["optical/link"] = Median(overLink);
    state.counters["optical/chain"] = Median(overChain);
}

} // namespace

BENCHMARK_CAPTURE(Packets, raw, Load::RAW)->Arg(1)->Arg(32)->Iterations(ROUNDS)->UseManualTime();
BENCHMARK_CAPTURE(Packets, sockets, Load::SOCKETS)
    ->Arg(1)
    ->Arg(32)
    ->Iterations(ROUNDS)
    ->UseManualTime();
BENCHMARK_CAPTURE(Packets, flow_monitor, Load::FLOW_MONITOR)
    ->Arg(1)
    ->Arg(32)
    ->Iterations(ROUNDS)
    ->UseManualTime();
