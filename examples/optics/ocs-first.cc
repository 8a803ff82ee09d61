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
 */

#include "first-transfer.h"

#include "ns3/flow-monitor-helper.h"
#include "ns3/ocs-helper.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/string.h"

using namespace ns3;
using namespace ns3::odcn;

/// Circuits begin to move.
static void
Dark(const std::vector<OcsPortChange>& changes)
{
    Log() << changes.size() << " circuit(s) go dark\n";
}

/// Circuits are up.
static void
Up(const std::vector<OcsCircuit>& circuits)
{
    for (const OcsCircuit& c : circuits)
    {
        Log() << "circuit up: rack " << c.from << " uplink " << c.outPort << " ==> rack " << c.to
              << " uplink " << c.inPort << "\n";
    }
}

/// Report the results.
static void
Report(const FirstTransfer& transfer, const OcsFabric& fabric, FlowMonitor& flows)
{
    const double seconds = transfer.last.GetSeconds();
    const PacketCounts counts = fabric.Count();
    TimeValue dark;
    fabric.GetSwitch(0)->GetAttribute("ReconfigurationTime", dark);
    std::cout << "\nTransfer    " << transfer.received << " of " << transfer.wanted << " bytes in "
              << seconds * 1000 << " ms, " << transfer.received * 8 / seconds * 1e-9 << " Gb/s\n"
              << "Silence     " << transfer.silence.GetSeconds() * 1000
              << " ms at most without data; ReconfigurationTime is "
              << dark.Get().GetSeconds() * 1000 << " ms\n"
              << "TCP         " << transfer.segments << " segments, " << transfer.again
              << " of them again\n"
              << "Packets     " << counts.sent << " sent = " << counts.received << " received + "
              << counts.inFlight << " in flight + " << counts.dropped << "\n";
    for (const auto& [id, flow] : flows.GetFlowStats())
    {
        std::cout << "Flow " << id << "      " << flow.rxPackets << " packets, mean delay "
                  << flow.delaySum.GetSeconds() * 1e6 / flow.rxPackets << " us\n";
    }
}

int
main(int argc, char* argv[])
try
{
    // 1. Options. Those that set an Attribute name it.
    uint32_t megabytes = 100;
    std::string move = "all";
    std::string pcap;
    OdcnCommandLine cmd(argc, argv, "TCP over circuits that are moved.");
    cmd.AddRange("megabytes", "Size of the transfer", megabytes, 1U);
    cmd.AddWord("move", "Circuits to move: one or all (two)", move, {"one", "all"});
    cmd.AddValue("reconfigurationTime", "ns3::odcn::OcsSwitch::ReconfigurationTime");
    cmd.AddValue("inFlight", "ns3::odcn::OcsSwitch::InFlight");
    cmd.AddValue("pcap", "Prefix of pcap files of all ports; empty for none", pcap);
    cmd.Parse();

    // 2. A packet takes tens of nanoseconds, a round trip microseconds: ns-3's usual resolution of
    // time is too coarse, and its usual TCP too slow.
    Time::SetResolution(Time::PS);
    FlowHelper::SetDataCentreTcp();

    // 3. The data centre of the figure above. Fibres of 50 m have a delay of 250 ns.
    OcsHelper helper;
    helper.SetTorAttribute("Spreading", StringValue("PerFlow"));
    helper.SetUplinkFiberAttribute("Delay", StringValue("250ns"));
    Ptr<OcsFabric> fabric = helper.Build({2, 1, 4, 1}); // racks, servers, uplinks, switches
    helper.InstallServers(fabric);
    fabric->AssignStreams(1);
    // from rack, its uplink, to rack, its uplink
    fabric->Preset({{0, 0, 1, 0}, {0, 1, 1, 1}, {1, 0, 0, 0}, {1, 1, 0, 1}});

    // 4. The transfer, by applications of ns-3. FlowMonitor and pcap observe it.
    FirstTransfer transfer(fabric->GetServer(0, 0),
                           fabric->GetServer(1, 0),
                           fabric->GetServerAddress(1, 0),
                           megabytes);
    FlowMonitorHelper flows;
    flows.Install(fabric->GetServers());

    // 5. While it runs, circuits 0 to 1 move to the spare ports of rack 1.
    std::vector<OcsCircuit> moves{{0, 0, 1, 2}};
    if (move == "all")
    {
        moves.push_back({0, 1, 1, 3});
    }
    Simulator::Schedule(MilliSeconds(10), &OcsFabric::Apply, fabric, moves);
    fabric->GetSwitch(0)->TraceConnectWithoutContext("ReconfigurationStart", MakeCallback(&Dark));
    fabric->TraceConnectWithoutContext("CircuitsUp", MakeCallback(&Up));

    // 6. Run until all bytes have arrived, and report.
    transfer.EnablePcap(helper, pcap);
    transfer.Run(std::to_string(fabric->GetNCircuits(0, 1)) + " circuits of 40 Gb/s",
                 [&]
                 {
                     const bool isDark = fabric->GetNCircuits(0, 1) == 0;
                     return isDark ? "no circuit leads from rack 0 to rack 1" : "";
                 });
    Report(transfer, *fabric, *flows.GetMonitor());
    Simulator::Destroy();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
