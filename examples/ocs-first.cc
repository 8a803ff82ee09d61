// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * A first program: a TCP transfer survives a reconfiguration.
 *
 * Two racks with one server each. Each ToR switch has four uplinks into one optical circuit
 * switch; two of them carry circuits, two are spare:
 *
 *      server 0                                        server 1
 *      10.0.0.1                                        10.0.1.1
 *         |                                               |
 *       ToR 0 ==0==> +---------------------------+ ==0==> ToR 1
 *             ==1==> |   optical circuit switch  | ==1==>
 *             --2--> |   (one per direction;     | --2-->
 *             --3--> |    from 1 to 0 as well)   | --3-->
 *                    +---------------------------+
 *
 * During the transfer, the circuits from rack 0 to rack 1 are moved to the spare ports of rack 1.
 * They are down during the dark time, the ToR switch drops packets, and TCP retransmits them.
 *
 *     ./ns3 run ocs-first
 *     ./ns3 run "ocs-first --move=one"            one of two circuits: the other takes over
 *     ./ns3 run "ocs-first --reconfigurationTime=1us --pcap=ocs-first"
 *     ./ns3 run "ocs-first --megabytes=1 --at=100us --animation=ocs-first.xml"    for NetAnim
 */

#include "ns3/application-container.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/flow-monitor.h"
#include "ns3/inet-socket-address.h"
#include "ns3/nstime.h"
#include "ns3/ocs-helper.h"
#include "ns3/odcn-circuit-animation.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-pcap-trace.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/sequence-number.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Data collected from trace sources.
struct Observer
{
    uint64_t wanted{0};          //!< bytes to transfer
    uint64_t received{0};        //!< bytes received
    Time last;                   //!< when the last of them arrived
    Time silence;                //!< longest time without reception
    uint64_t segments{0};        //!< TCP segments with data, including retransmissions
    uint64_t again{0};           //!< retransmitted segments
    SequenceNumber32 highest{0}; //!< end of the data sent so far
};

Observer g_seen;

/// @return the current time as text, for a column of the output
std::string
TimeText()
{
    std::ostringstream os;
    os << std::fixed << std::setprecision(3) << std::setw(9) << Simulator::Now().GetSeconds() * 1000
       << " ms  ";
    return os.str();
}

/// The server in rack 1 has received a packet. @param packet the packet
void
Received(Ptr<const Packet> packet, const Address&)
{
    g_seen.received += packet->GetSize();
    g_seen.silence = std::max(g_seen.silence, Simulator::Now() - g_seen.last);
    g_seen.last = Simulator::Now();
    if (g_seen.received >= g_seen.wanted)
    {
        std::cout << TimeText() << "all bytes have arrived\n";
        Simulator::Stop();
    }
}

/// The server in rack 0 sends a segment. @param data its payload  @param header its TCP header
void
SegmentSent(Ptr<const Packet> data, const TcpHeader& header, Ptr<const TcpSocketBase>)
{
    if (data->GetSize() > 0)
    {
        ++g_seen.segments;
        g_seen.again += header.GetSequenceNumber() < g_seen.highest;
        g_seen.highest = std::max(g_seen.highest,
                                  header.GetSequenceNumber() + SequenceNumber32(data->GetSize()));
    }
}

/// Connect to the TCP socket once it exists. @param node id of the server in rack 0
void
WatchSocket(uint32_t node)
{
    Config::ConnectWithoutContext("/NodeList/" + std::to_string(node) +
                                      "/$ns3::TcpL4Protocol/SocketList/0/Tx",
                                  MakeCallback(&SegmentSent));
}

/// Circuits begin to move. @param changes changed ports
void
Dark(const std::vector<OcsPortChange>& changes)
{
    std::cout << TimeText() << changes.size() << " circuit(s) go dark\n";
}

/// Circuits are up. @param circuits the circuits
void
Up(const std::vector<OcsCircuit>& circuits)
{
    for (const OcsCircuit& c : circuits)
    {
        std::cout << TimeText() << "circuit up: rack " << c.from << " uplink " << c.outPort
                  << " ==> rack " << c.to << " uplink " << c.inPort << "\n";
    }
}

} // namespace

int
main(int argc, char* argv[])
try
{
    // 1. Options.
    uint32_t megabytes = 100;
    Time at = MilliSeconds(10);
    Time reconfigurationTime = MilliSeconds(10);
    std::string move = "all";
    std::string spreading = "PerFlow";
    std::string inFlight = "Drop";
    std::string pcap;
    OdcnCommandLine cmd(argc, argv, "TCP over circuits that are moved.");
    cmd.AddRange("megabytes", "Size of the transfer", megabytes, 1U);
    cmd.AddValue("at", "When the circuits are moved", at);
    cmd.AddValue("reconfigurationTime", "Dark time of moved circuits", reconfigurationTime);
    cmd.AddWord("move", "Circuits to move: one or all (two)", move, {"one", "all"});
    cmd.AddWord("spreading",
                "Over two circuits: PerFlow, PerPacket or RoundRobin",
                spreading,
                {"PerFlow", "PerPacket", "RoundRobin"});
    cmd.AddWord("inFlight",
                "Packets on a circuit that is torn down: Drop, Deliver",
                inFlight,
                {"Drop", "Deliver"});
    cmd.AddValue("pcap", "Prefix of pcap files of all ports; empty for none", pcap);
    FaultHelper faults;
    faults.AddOptions(cmd);
    CircuitAnimation animation;
    animation.AddOptions(cmd);
    cmd.Parse();

    // 2. At 40 Gb/s a packet takes tens of nanoseconds: ns-3's usual resolution is too coarse.
    Time::SetResolution(Time::PS);
    faults.Check();

    // 3. TCP as in a data centre, where a round trip takes microseconds, not 100 ms.
    FlowHelper::SetDataCentreTcp();

    // 4. The data centre of the figure above. Fibres of 50 m have a delay of 250 ns.
    OcsHelper helper;
    helper.SetSwitchAttribute("ReconfigurationTime", TimeValue(reconfigurationTime));
    helper.SetSwitchAttribute("InFlight", StringValue(inFlight));
    helper.SetTorAttribute("Spreading", StringValue(spreading));
    helper.SetUplinkFiberAttribute("Delay", TimeValue(NanoSeconds(250)));
    OcsFabricSize size;
    size.racks = 2;
    size.serversPerRack = 1;
    size.uplinks = 4;
    size.switches = 1;
    Ptr<OcsFabric> fabric = helper.Build(size);
    helper.InstallServers(fabric);
    fabric->AssignStreams(1);
    // from rack, its uplink, to rack, its uplink
    fabric->Preset({{0, 0, 1, 0}, {0, 1, 1, 1}, {1, 0, 0, 0}, {1, 1, 0, 1}});

    // 5. Any application of ns-3 runs on the servers.
    constexpr uint16_t PORT = 5000;
    Ptr<Node> source = fabric->GetServer(0, 0);
    g_seen.wanted = uint64_t(megabytes) * 1000000;
    BulkSendHelper send("ns3::TcpSocketFactory",
                        InetSocketAddress(fabric->GetServerAddress(1, 0), PORT));
    send.SetAttribute("MaxBytes", UintegerValue(g_seen.wanted));
    send.SetAttribute("SendSize", UintegerValue(14480));
    ApplicationContainer sender = send.Install(source);
    PacketSinkHelper receive("ns3::TcpSocketFactory",
                             InetSocketAddress(Ipv4Address::GetAny(), PORT));
    ApplicationContainer receiver = receive.Install(fabric->GetServer(1, 0));

    // 6. While it runs, circuits 0 to 1 move to the spare ports of rack 1.
    std::vector<OcsCircuit> moves{{0, 0, 1, 2}};
    if (move == "all")
    {
        moves.push_back({0, 1, 1, 3});
    }
    Simulator::Schedule(at, &OcsFabric::Apply, fabric, moves);
    const Ptr<FaultInjector> injector = faults.Create();
    injector->SetFabric(fabric);
    faults.Start(injector, Seconds(600), 500);

    // 7. Connect trace sinks.
    receiver.Get(0)->TraceConnectWithoutContext("Rx", MakeCallback(&Received));
    fabric->GetSwitch(0)->TraceConnectWithoutContext("ReconfigurationStart", MakeCallback(&Dark));
    fabric->TraceConnectWithoutContext("CircuitsUp", MakeCallback(&Up));
    Simulator::Schedule(NanoSeconds(1), &WatchSocket, source->GetId());
    FlowMonitorHelper flowHelper;
    Ptr<FlowMonitor> flows = flowHelper.Install(fabric->GetServers());
    if (!pcap.empty())
    {
        helper.EnablePcapAll(pcap);
    }
    TopologyDrawing drawing;
    drawing.AddFabric(*fabric);
    animation.Start(drawing);

    // 8. Run until all bytes have arrived, or up to a time limit.
    std::cout << TimeText() << megabytes << " MB go from " << fabric->GetServerAddress(0, 0)
              << " to " << fabric->GetServerAddress(1, 0) << " over " << fabric->GetNCircuits(0, 1)
              << " circuits of 40 Gb/s\n";
    Simulator::Stop(Seconds(600));
    Simulator::Run();
    PcapTrace::FinishAll(); // throws if a packet could not be written

    // 9. Report the results.
    if (g_seen.received < g_seen.wanted)
    {
        throw OdcnError("the transfer did not complete within 600 s of simulated time");
    }
    const double seconds = g_seen.last.GetSeconds();
    const OcsFabricCounts counts = fabric->Count();
    std::cout << "\nTransfer    " << g_seen.received << " of " << g_seen.wanted << " bytes in "
              << seconds * 1000 << " ms, " << g_seen.received * 8 / seconds * 1e-9 << " Gb/s\n"
              << "Silence     " << g_seen.silence.GetSeconds() * 1000
              << " ms at most without data; ReconfigurationTime is "
              << reconfigurationTime.GetSeconds() * 1000 << " ms\n"
              << "TCP         " << g_seen.segments << " segments, " << g_seen.again
              << " of them again\n"
              << "Packets     " << counts.sent << " sent = " << counts.received << " received + "
              << counts.inFlight << " in flight + " << counts.dropped.Total() << " dropped";
    for (std::size_t i = 0; i < OCS_DROP_CAUSES; ++i)
    {
        const auto cause = static_cast<OcsDropCause>(i);
        if (counts.dropped[cause] > 0)
        {
            std::cout << ", " << cause << ": " << counts.dropped[cause];
        }
    }
    std::cout << "\n";
    for (const auto& [id, flow] : flows->GetFlowStats())
    {
        std::cout << "Flow " << id << "      " << flow.rxPackets << " packets, mean delay "
                  << flow.delaySum.GetSeconds() * 1e6 / flow.rxPackets << " us\n";
    }
    animation.Finish(std::cout);
    Simulator::Destroy();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
