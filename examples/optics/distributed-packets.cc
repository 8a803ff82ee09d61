// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * One network simulated by several processes, with the results of one.
 *
 * The network is a fabric of optical switches whose racks are divided among the processes, or a
 * mesh of lightpaths whose sites are. The switches follow a schedule, or the commands of a
 * controller. The flows, and each number in the files, are the same for every number of processes;
 * one process needs no MPI.
 *
 *     ./ns3 run distributed-packets
 *     ./ns3 run distributed-packets --command-template="mpirun -n 2 %s"
 *     ./ns3 run "distributed-packets --network=mesh --transport=tcp"
 *     ./ns3 run "distributed-packets --controller=MaxWeightMatching --routing=DirectRouting"
 *
 * With --SimulatorImplementationType=ns3::NullMessageSimulatorImpl the processes exchange null
 * messages, instead of agreeing on the next time window.
 */

#include "ns3/config.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ocs-helper.h"
#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-flow-report.h"
#include "ns3/odcn-flow-tally.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-management-helper.h"
#include "ns3/odcn-matching-controller.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-simulator-ranks.h"
#include "ns3/odcn-table.h"
#include "ns3/otn-controller.h"
#include "ns3/otn-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <chrono>
#include <cmath>
#include <iostream>
#include <optional>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Options that set no Attribute.
struct Options
{
    std::string network{"fabric"};               //!< fabric or mesh
    OcsFabricSize size{16, 4, 4, 4};             //!< of the fabric
    std::string schedule{"RotorSchedule"};       //!< of the fabric
    std::string controller;                      //!< policy, or schedule
    std::string routing{"ClassRouting"};         //!< of the fabric
    FaultHelper faults;                          //!< of the fabric
    Time delay{NanoSeconds(500)};                //!< of a fibre of the fabric
    std::string mesh{"sf-bay-22-38.json"};       //!< sites and links
    std::string transport{"udp"};                //!< udp or tcp
    std::string sizes{"flow-cdf/websearch.csv"}; //!< of flows
    double load{0.1};                            //!< of hosts of 10 Gb/s
    double duration{2};                          //!< ms
    double drain{2};                             //!< ms
    std::string output{"distributed"};           //!< folder

    /// Add the options.
    /// @param cmd command line
    void Add(OdcnCommandLine& cmd);
};

/// A network whose racks or sites are divided among the ranks.
struct Network
{
    Ptr<OcsFabric> fabric; //!< null for a mesh
    Ptr<OtnNetwork> mesh;  //!< null for a fabric
    NodeContainer hosts;   //!< all hosts
    OcsFabricSize size;    //!< racks, and hosts of each
    Ptr<Object> control;   //!< sets up circuits or lightpaths
    Ptr<Object> faults;    //!< lets parts fail
};

void
Options::Add(OdcnCommandLine& cmd)
{
    cmd.AddWord("network", "fabric or mesh", network, {"fabric", "mesh"});
    cmd.AddWord("transport", "udp or tcp", transport, {"udp", "tcp"});
    cmd.AddRange("racks", "Racks of the fabric", size.racks, 2U, 4096U);
    cmd.AddRange("servers", "Servers of a rack", size.serversPerRack, 1U, 255U);
    cmd.AddRange("uplinks", "Uplinks of a rack", size.uplinks, 1U, 64U);
    cmd.AddRange("switches", "Optical switches", size.switches, 1U, 64U);
    cmd.AddValue("schedule", "RotorSchedule, OperaSchedule, RoundRobinSchedule, ...", schedule);
    cmd.AddValue("controller",
                 "MatchingAlgorithm, rule or file of an agent that decides the circuits; schedule: "
                 "the controller commands that of --schedule",
                 controller);
    cmd.AddValue("routing", "DirectRouting, ValiantRouting, RotorLbRouting, ...", routing);
    cmd.AddValue("delay", "Of a fibre between a rack and an optical switch", delay);
    cmd.AddValue("hold", "ns3::odcn::FlowApplication::Hold");
    Config::SetDefault("ns3::odcn::FlowApplication::ShortFlows", StringValue("100000"));
    cmd.AddValue("short", "ns3::odcn::FlowApplication::ShortFlows");
    cmd.AddValue("mesh", "File of data/ with the sites and links of the mesh", mesh);
    cmd.AddValue("sizes", "Sizes of flows: a file of data/, or bytes", sizes);
    cmd.AddRange("load", "Offered data as a share of 10 Gb/s of each host", load, 0.001, 1.0);
    cmd.AddRange("duration", "Time in which flows arrive, ms", duration, 0.01, 10000.0);
    cmd.AddRange("drain", "Time after that, ms", drain, 0.0, 10000.0);
    cmd.AddValue("output", "Folder of the results", output);
    faults.AddOptions(cmd);
    cmd.Restrict({"racks", "servers", "uplinks", "switches", "schedule", "controller", "routing"},
                 {"network=fabric"});
    cmd.Restrict({"delay", "hold", "faults", "mtbf"}, {"network=fabric"});
    cmd.Restrict({"schedule"}, {"!controller", "controller=schedule"});
    cmd.Restrict({"hold"}, {"transport=udp"});
    cmd.Restrict({"mesh"}, {"network=mesh"});
}

/// @param ms milliseconds
/// @return the time
Time
ToTime(double ms)
{
    return NanoSeconds(std::llround(ms * 1e6));
}

/// Let switches follow the schedule by their clocks, or a controller's commands.
/// @return what sets up the circuits
Ptr<Object>
StartCircuits(const Options& o, const Ptr<OcsFabric>& fabric)
{
    Ptr<CircuitSchedule> plan;
    if (o.controller.empty() || o.controller == "schedule")
    {
        plan = CircuitSchedule::Create(o.schedule);
        plan->AssignStreams(1000);
        plan->Build(o.size.racks, o.size.uplinks);
    }
    if (o.controller.empty())
    {
        const auto follower = CreateObject<OcsScheduleFollower>();
        follower->Start(fabric, plan);
        return follower;
    }
    // Each rank has its own controller, which decides what the others do.
    const auto node = CreateObject<Node>(Simulator::GetSystemId());
    const auto management = CreateObject<ManagementNetwork>();
    ManagementHelper().Install(management, node);
    const auto controller = CreateObject<MatchingController>();
    controller->SetFabric(fabric);
    controller->SetManagement(management);
    controller->AssignStreams(2000);
    if (plan)
    {
        controller->SetSchedule(plan);
    }
    else
    {
        controller->SetAttribute("Policy", StringValue(o.controller));
    }
    node->AddApplication(controller);
    return controller;
}

/// @return the fabric, with its circuits and faults
Network
BuildFabric(const Options& o)
{
    OcsHelper helper;
    helper.Divide();
    helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
    helper.SetTorAttribute("Routing", StringValue(o.routing));
    helper.SetUplinkAttribute("DataRate", StringValue("10Gbps"));
    helper.SetServerAttribute("DataRate", StringValue("10Gbps"));
    helper.SetServerQueue("ns3::DropTailQueue", QueueSize("100000p"));
    helper.SetUplinkFiberAttribute("Delay", TimeValue(o.delay));
    const Ptr<OcsFabric> fabric = helper.Build(o.size);
    helper.InstallServers(fabric);
    fabric->AssignStreams(1);
    Network network{fabric, nullptr, fabric->GetServers(), o.size, StartCircuits(o, fabric), {}};
    if (o.faults.IsUsed())
    {
        const auto injector = o.faults.Create();
        injector->SetFabric(fabric);
        o.faults.Start(injector, ToTime(o.duration + o.drain), 4000);
        network.faults = injector;
    }
    return network;
}

/// @return the mesh, with a lightpath over each link
Network
BuildMesh(const Options& o)
{
    OtnHelper helper;
    helper.Divide();
    helper.SetNetworkAttribute("SetUpTime", TimeValue(Time(0)));
    const auto mesh = OtnMesh::Read(GetDataFile(o.mesh));
    Network network{nullptr, helper.Build(mesh), {}, {mesh->GetNSites(), 1}, {}, {}};
    helper.InstallSites(network.mesh);
    const auto control = CreateObject<OtnController>();
    control->SetNetwork(network.mesh);
    for (uint32_t link = 0; link < mesh->GetNLinks(); ++link)
    {
        control->SetUp(mesh->GetLink(link).a, mesh->GetLink(link).b, 1);
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    for (uint32_t site = 0; site < mesh->GetNSites(); ++site)
    {
        network.hosts.Add(network.mesh->GetSite(site));
    }
    network.control = control;
    return network;
}

/// @return the same flows on every rank; each sends and receives those of its own hosts
Traffic
MakeFlows(const Options& o, const OcsFabricSize& size)
{
    Ptr<FlowWorkload> workload = CreateObject<FlowWorkload>();
    workload->SetAttribute("Load", DoubleValue(o.load));
    const bool file = o.sizes.find_first_not_of("0123456789") != std::string::npos;
    workload->SetAttribute("Sizes", StringValue(file ? GetDataFile(o.sizes) : o.sizes));
    workload->SetAttribute("Duration", TimeValue(ToTime(o.duration)));
    workload->AssignStreams(3000);
    return workload->Generate(DemandMatrix::Make("uniform", size.racks), size.serversPerRack);
}

/// Print the packets of all ranks, and the time of each.
/// @param wall seconds of this rank
/// @param recorder of the flows
void
Report(Ranks& ranks, const Network& network, double wall, const FlowRecorder& recorder)
{
    std::array<uint64_t, 4> all{}; // sent, received, in flight, dropped
    Table table({"Rank", "Events", "Seconds"});
    for (Parcel& parcel : ranks.Exchange(
             [&](Parcel& mine)
             {
                 PacketCounts counts =
                     network.mesh ? network.mesh->Count() : network.fabric->Count();
                 counts.sent += counts.controlSent;
                 counts.received += counts.controlReceived;
                 uint64_t events = Simulator::GetEventCount();
                 uint64_t dropped = counts.dropped.Total();
                 mine.Pass(events, wall, counts.sent, counts.received, counts.inFlight, dropped);
             }))
    {
        uint64_t events = 0;
        double seconds = 0;
        parcel.Pass(events, seconds);
        table.AddRow({std::to_string(table.GetRows().size()),
                      std::to_string(events),
                      FormatFixed(seconds, 2)});
        for (uint64_t& sum : all)
        {
            uint64_t part = 0;
            parcel.Pass(part);
            sum += part;
        }
    }
    if (ranks.IsFirst())
    {
        const FlowSummary summary = recorder.Summarise().back();
        std::cout << "Flows    " << summary.flows << ", of which " << summary.incomplete
                  << " are not complete\n"
                  << "Packets  " << all[0] << " sent = " << all[1] << " received + " << all[2]
                  << " in flight + " << all[3] << " dropped\n\n";
        table.Print(std::cout);
    }
}

} // namespace

int
main(int argc, char* argv[])
try
{
    // 1. Options. Then this process learns which rank it is, before the first node.
    Options o;
    OdcnCommandLine cmd(argc, argv, "One network simulated by several processes.");
    o.Add(cmd);
    // Reports of other ranks take as long as light in the fibres.
    Config::SetDefault("ns3::odcn::MatchingController::ReportDelay", TimeValue(MicroSeconds(1)));
    cmd.Parse();
    Time::SetResolution(Time::PS);
    o.faults.Check();
    const auto ranks = MakeSimulatorRanks();
    std::optional<OutputFiles> files;
    if (ranks->IsFirst())
    {
        files.emplace(o.output);
    }

    // 2. The same network and flows on every rank.
    FlowHelper::SetDataCentreTcp();
    const Network network = o.network == "fabric" ? BuildFabric(o) : BuildMesh(o);
    const auto flows = MakeFlows(o, network.size);
    FlowHelper helper;
    helper.SetAttribute("Transport", StringValue(o.transport == "tcp" ? "Tcp" : "Udp"));
    helper.SetAttribute("Rate", StringValue("10Gbps"));
    network.fabric ? helper.Install(network.fabric, flows) : helper.Install(network.hosts, flows);
    FlowTally tally(network.hosts);

    // 3. Run, and join what the ranks have seen.
    const auto begin = std::chrono::steady_clock::now();
    Simulator::Stop(ToTime(o.duration) + ToTime(o.drain));
    Simulator::Run();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    tally.Merge(*ranks);
    const Ptr<FlowRecorder> recorder = helper.GetRecorder();
    recorder->Merge(*ranks);

    // 4. Report, once.
    Report(*ranks, network, wall.count(), *recorder);
    if (ranks->IsFirst())
    {
        tally.Write(files->Path("packets.csv"));
        recorder->WriteFlows(files->Path("flows.csv"));
        files->Written("packets.csv", "packets of each flow, with mean delay and jitter");
        files->Written("flows.csv", "completion time of each flow");
        files->Finish(std::cout);
    }
    Simulator::Destroy();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
