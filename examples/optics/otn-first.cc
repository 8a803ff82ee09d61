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
 *         `----------- B -----------'
 *
 * A lightpath of one wavelength connects A and C directly. During the transfer that fibre is cut;
 * the controller detects this and reroutes the lightpath via B, whose node switches it optically.
 * Packets on the fibre and packets sent before the restoration are lost; TCP retransmits them.
 *
 *     ./ns3 run otn-first
 *     ./ns3 run "otn-first --restoration=0 --repair=100ms"    wait for the fibre instead
 *     ./ns3 run "otn-first --mtbf=link=60ms --mttr=link=10ms"    random cuts instead
 */

#include "first-transfer.h"

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/otn-controller.h"
#include "ns3/otn-helper.h"

using namespace ns3;
using namespace ns3::odcn;

/// A lightpath is up.
static void
Up(Ptr<OtnNetwork> network, Ptr<OtnLightpath> lightpath)
{
    std::string path;
    for (uint32_t site : network->GetMesh()->GetSites(lightpath->GetFibers(0)))
    {
        path += (path.empty() ? "" : " - ") + network->GetMesh()->GetSite(site).name;
    }
    const Time latency = lightpath->GetLatency(0);
    const Time oeo = network->GetNode(0)->GetOeoTime() + network->GetNode(2)->GetOeoTime();
    Log() << "light: " << path << ", " << latency.GetSeconds() * 1e6
          << " us one way: " << (latency - oeo).GetSeconds() * 1e6 << " of propagation, "
          << oeo.GetSeconds() * 1e6 << " of O-E-O\n";
}

/// The lightpath is down.
static void
Down(Ptr<OtnLightpath>, OcsDropCause cause)
{
    Log() << "no light: " << cause << "\n";
}

/// The lightpath was rerouted.
static void
Restored(Ptr<OtnLightpath>)
{
    Log() << "control sends it round\n";
}

/// @return the mesh above; each site has a node and an IP stack
static Ptr<OtnNetwork>
BuildMesh(const OtnHelper& helper)
{
    const std::vector<OtnSite> sites{{"a", "A"}, {"b", "B"}, {"c", "C"}};
    const std::vector<OtnLink> links{{0, 2, 80}, {0, 1, 60}, {1, 2, 50}};
    Ptr<OtnNetwork> network = helper.Build(std::make_shared<OtnMesh>(sites, links));
    helper.InstallSites(network);
    return network;
}

/// Start the faults of the options. Without any, the fibre between A and C is cut and repaired.
/// @return what lets parts fail, to be kept during the run
static Ptr<FaultInjector>
StartFaults(FaultHelper& faults, Ptr<OtnNetwork> network, Time cut, Time repair)
{
    faults.Check();
    if (!faults.IsUsed())
    {
        faults.Add({FaultPart::LINK, 0, 0, cut, repair.IsZero() ? Time::Max() : repair, "cut"});
    }
    Ptr<FaultInjector> injector = faults.Create();
    injector->SetOtnNetwork(network);
    faults.Start(injector, Seconds(60), 1);
    return injector;
}

int
main(int argc, char* argv[])
try
{
    uint32_t megabytes = 50;
    Time cut = MilliSeconds(15);
    Time repair;
    std::string pcap;
    FaultHelper faults;
    OdcnCommandLine cmd(argc, argv, "TCP over a lightpath whose fibre is cut.");
    cmd.AddRange("megabytes", "Size of the transfer", megabytes, 1U);
    cmd.AddValue("cut", "When the fibre between A and C is cut, without other faults", cut);
    cmd.AddValue("repair", "When the fibre is repaired; 0 for never", repair);
    cmd.AddValue("restoration", "ns3::odcn::OtnController::Restoration");
    cmd.AddValue("pcap", "Prefix of pcap files of both transponders; empty for none", pcap);
    faults.AddOptions(cmd);
    cmd.Restrict({"cut", "repair"}, {"!faults"});
    cmd.Restrict({"cut", "repair"}, {"!mtbf"});
    cmd.Parse();
    if (!repair.IsZero() && repair <= cut)
    {
        throw OdcnError::InOption("--repair",
                                  std::to_string(repair.GetMicroSeconds()) + " us",
                                  "a time after --cut, " + std::to_string(cut.GetMicroSeconds()) +
                                      " us");
    }
    Time::SetResolution(Time::PS); // at 100 Gb/s a packet takes 120 ns

    // 1. The mesh above, and a lightpath: for ns-3, a pair of devices with IP addresses.
    FirstTransfer::SetLongTcp();
    OtnHelper helper;
    Ptr<OtnNetwork> network = BuildMesh(helper);
    auto control = CreateObject<OtnController>();
    control->SetNetwork(network);
    Ptr<OtnLightpath> lightpath = control->SetUp(0, 2, 1);

    // 2. The transfer, by applications of ns-3, once the lightpath is up.
    const Time start = MilliSeconds(10);
    FirstTransfer transfer(network->GetSite(0),
                           network->GetSite(2),
                           control->GetAddress(lightpath, 1),
                           megabytes,
                           start);

    // 3. The failure, and trace sinks that observe it.
    const auto injector = StartFaults(faults, network, cut, repair);
    network->TraceConnectWithoutContext("LightpathUp", MakeBoundCallback(&Up, network));
    network->TraceConnectWithoutContext("LightpathDown", MakeCallback(&Down));
    control->TraceConnectWithoutContext("Restored", MakeCallback(&Restored));

    // 4. Run until all bytes have arrived, and report.
    transfer.EnablePcap(helper, pcap);
    transfer.Run("1 wavelength(s) of 100 Gb/s",
                 [&] { return lightpath->GetState() == OtnLightpath::UP ? "" : "no light"; });
    const PacketCounts counts = network->Count();
    std::cout << "\nTransfer    " << transfer.received << " bytes in "
              << (transfer.last - start).GetSeconds() * 1000 << " ms, of which "
              << transfer.silence.GetSeconds() * 1000 << " ms at most without data\n"
              << "Packets     " << counts.sent << " sent = " << counts.received << " received + "
              << counts.inFlight << " in flight + " << counts.dropped << "\n";
    Simulator::Destroy();
    control->Dispose();
    network->Dispose();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
