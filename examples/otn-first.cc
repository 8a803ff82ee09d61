// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * A first program with lightpaths: a TCP transfer survives a fibre cut.
 *
 *      A ------------ 80 km ------------ C
 *       \                               /
 *        60 km                      50 km
 *         \                           /
 *          `----------- B -----------'
 *
 * A lightpath of one wavelength connects A and C directly. During the transfer that fibre is cut;
 * the controller detects this and reroutes the lightpath via B, whose node switches it optically.
 * Packets on the fibre and packets sent before the restoration are lost; TCP retransmits them.
 *
 *     ./ns3 run otn-first
 *     ./ns3 run "otn-first --restoration=0 --repair=100ms"    wait for the fibre instead
 *     ./ns3 run "otn-first --mtbf=link=60ms --mttr=link=10ms"    random cuts instead
 *     ./ns3 run "otn-first --pcap=otn-first"
 */

#include "ns3/application-container.h"
#include "ns3/boolean.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/inet-socket-address.h"
#include "ns3/nstime.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-pcap-trace.h"
#include "ns3/otn-controller.h"
#include "ns3/otn-helper.h"
#include "ns3/otn-mesh.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
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
    uint64_t wanted{0};   //!< bytes to transfer
    uint64_t received{0}; //!< bytes received
    Time last;            //!< when the last of them arrived
    Time silence;         //!< longest time without reception
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

/// @param time a time  @return the time in us
double
Us(Time time)
{
    return time.GetSeconds() * 1e6;
}

/// C has received a packet. @param packet the packet
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

/// A lightpath is up. @param network its network  @param lightpath the lightpath
void
Up(Ptr<OtnNetwork> network, Ptr<OtnLightpath> lightpath)
{
    std::cout << TimeText() << "light: ";
    const char* arrow = "";
    for (uint32_t site : network->GetMesh()->GetSites(lightpath->GetFibers(0)))
    {
        std::cout << arrow << network->GetMesh()->GetSite(site).name;
        arrow = " - ";
    }
    const double oeo = Us(network->GetNode(0)->GetOeoTime() + network->GetNode(2)->GetOeoTime());
    const double latency = Us(lightpath->GetLatency(0));
    std::cout << ", " << latency << " us one way: " << latency - oeo << " of propagation, " << oeo
              << " of O-E-O\n";
}

/// The lightpath is down. @param cause the cause
void
Down(Ptr<OtnLightpath>, OcsDropCause cause)
{
    std::cout << TimeText() << "no light: " << cause << "\n";
}

/// The lightpath was rerouted.
void
Restored(Ptr<OtnLightpath>)
{
    std::cout << TimeText() << "control sends it round\n";
}

} // namespace

int
main(int argc, char* argv[])
try
{
    // 1. Options.
    uint32_t megabytes = 50;
    uint32_t wavelengths = 1;
    Time cut = MilliSeconds(15);
    Time repair;
    bool restoration = true;
    std::string pcap;
    OdcnCommandLine cmd(argc, argv, "TCP over a lightpath whose fibre is cut.");
    cmd.AddRange("megabytes", "Size of the transfer", megabytes, 1U);
    cmd.AddValue("wavelengths", "Wavelengths of the lightpath, 100 Gb/s each", wavelengths);
    cmd.AddValue("cut",
                 "When the fibre between A and C is cut, without other faults; the lightpath is up "
                 "from 10 ms on",
                 cut);
    cmd.AddValue("repair", "When the fibre is repaired; 0 for never", repair);
    cmd.AddValue("restoration", "Whether the controller reroutes the lightpath", restoration);
    cmd.AddValue("pcap", "Prefix of pcap files of both transponders; empty for none", pcap);
    FaultHelper faults;
    faults.AddOptions(cmd);
    cmd.Restrict({"cut", "repair"}, {"!faults"});
    cmd.Restrict({"cut", "repair"}, {"!mtbf"});
    cmd.Parse();

    // 2. At 100 Gb/s a packet takes 120 ns: ns-3's usual resolution is too coarse.
    Time::SetResolution(Time::PS);
    faults.Check();
    if (!faults.IsUsed())
    {
        faults.Add({FaultPart::LINK, 0, 0, cut, repair.IsZero() ? Time::Max() : repair, "cut"});
    }

    // 3. TCP for 100 Gb/s x 1 ms, with a large initial window.
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(500));
    Config::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(MicroSeconds(100)));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(8000000));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(8000000));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(2)));
    Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", TimeValue(MicroSeconds(10)));

    // 4. The mesh of the figure above; each site has a node and an IP stack.
    const std::vector<OtnSite> sites{{"a", "A"}, {"b", "B"}, {"c", "C"}};
    const std::vector<OtnLink> links{{0, 2, 80}, {0, 1, 60}, {1, 2, 50}};
    OtnHelper helper;
    Ptr<OtnNetwork> network = helper.Build(std::make_shared<OtnMesh>(sites, links));
    helper.InstallSites(network);

    // 5. A controller, and a lightpath from A to C: for ns-3, a pair of devices with IP addresses.
    auto control = CreateObject<OtnController>();
    control->SetAttribute("Restoration", BooleanValue(restoration));
    control->SetNetwork(network);
    Ptr<OtnLightpath> lightpath = control->SetUp(0, 2, wavelengths);
    if (!lightpath)
    {
        throw OdcnError::InOption("--wavelengths", std::to_string(wavelengths), "1 to 40");
    }

    // 6. Any ns-3 application runs over the lightpath.
    constexpr uint16_t PORT = 5000;
    g_seen.wanted = uint64_t(megabytes) * 1000000;
    g_seen.last = MilliSeconds(10);
    BulkSendHelper send("ns3::TcpSocketFactory",
                        InetSocketAddress(control->GetAddress(lightpath, 1), PORT));
    send.SetAttribute("MaxBytes", UintegerValue(g_seen.wanted));
    send.SetAttribute("SendSize", UintegerValue(14480));
    send.Install(network->GetSite(0)).Start(MilliSeconds(10));
    PacketSinkHelper receive("ns3::TcpSocketFactory",
                             InetSocketAddress(Ipv4Address::GetAny(), PORT));
    ApplicationContainer receiver = receive.Install(network->GetSite(2));

    // 7. The failure, and trace sinks that observe it.
    Ptr<FaultInjector> injector = faults.Create();
    injector->SetOtnNetwork(network);
    faults.Start(injector, Seconds(60), 1);
    receiver.Get(0)->TraceConnectWithoutContext("Rx", MakeCallback(&Received));
    network->TraceConnectWithoutContext("LightpathUp", MakeBoundCallback(&Up, network));
    network->TraceConnectWithoutContext("LightpathDown", MakeCallback(&Down));
    control->TraceConnectWithoutContext("Restored", MakeCallback(&Restored));
    if (!pcap.empty())
    {
        helper.EnablePcap(pcap, lightpath->GetTransponder(0));
        helper.EnablePcap(pcap, lightpath->GetTransponder(1));
    }

    // 8. Run until all bytes have arrived, or up to a time limit.
    std::cout << TimeText() << megabytes << " MB go from " << control->GetAddress(lightpath, 0)
              << " to " << control->GetAddress(lightpath, 1) << " over " << wavelengths
              << " wavelength(s) of 100 Gb/s\n";
    Simulator::Stop(Seconds(60));
    Simulator::Run();
    PcapTrace::FinishAll(); // throws if a packet could not be written

    // 9. Report the results.
    if (g_seen.received < g_seen.wanted)
    {
        throw OdcnError("the transfer did not complete within 60 s of simulated time");
    }
    const OtnNetworkCounts counts = network->Count();
    std::cout << "\nTransfer    " << g_seen.received << " bytes in "
              << (g_seen.last - MilliSeconds(10)).GetSeconds() * 1000 << " ms, of which "
              << g_seen.silence.GetSeconds() * 1000 << " ms at most without data\n"
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
    Simulator::Destroy();
    control->Dispose();
    network->Dispose();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
