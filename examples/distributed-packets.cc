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
#include "ns3/nstime.h"
#include "ns3/ocs-helper.h"
#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-flow-tally.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-management-helper.h"
#include "ns3/odcn-matching-controller.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-simulator-ranks.h"
#include "ns3/odcn-table.h"
#include "ns3/otn-controller.h"
#include "ns3/otn-helper.h"
#include "ns3/otn-mesh.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <chrono>
#include <cmath>
#include <iostream>
#include <string>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Options of the program.
struct Options
{
    std::string network{"fabric"};               //!< fabric or mesh
    OcsFabricSize size{16, 4, 4, 4};             //!< of the fabric
    std::string schedule{"RotorSchedule"};       //!< of the fabric
    std::string controller{""};                  //!< policy, or schedule
    std::string routing{"ClassRouting"};         //!< of the fabric
    FaultHelper faults;                          //!< of the fabric
    Time delay{NanoSeconds(500)};                //!< of a fibre of the fabric
    std::string mesh{"sf-bay-22-38.json"};       //!< sites and links
    std::string transport{"udp"};                //!< udp or tcp
    bool hold{false};                            //!< whether bulk flows wait in hosts
    uint64_t shortFlows{100000};                 //!< bytes
    std::string sizes{"flow-cdf/websearch.csv"}; //!< of flows
    double load{0.1};                            //!< of hosts of 10 Gb/s
    double duration{2};                          //!< ms
    double drain{2};                             //!< ms
    std::string output{"distributed"};           //!< folder
};

/// Packets of all ranks.
struct Result
{
    uint64_t sent{0};    //!< by servers, and messages of ToR switches
    uint64_t arrived{0}; //!< at servers, and messages at ToR switches
    uint64_t between{0}; //!< in flight
    uint64_t dropped{0}; //!< anywhere
};

/// @param ms milliseconds  @return the time
Time
ToTime(double ms)
{
    return NanoSeconds(std::llround(ms * 1e6));
}

/// Let a controller command the circuits of a fabric.
/// @param o options  @param fabric the fabric  @param plan to be commanded, or null
void
AddController(const Options& o, const Ptr<OcsFabric>& fabric, const Ptr<CircuitSchedule>& plan)
{
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
}

/// @param o options  @param [out] follower tells its switches the schedule; null with a controller
/// @param [out] injector lets its parts fail; null without faults
/// @return the fabric, whose racks are divided among the ranks
Ptr<OcsFabric>
BuildFabric(const Options& o, Ptr<OcsScheduleFollower>& follower, Ptr<FaultInjector>& injector)
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
    Ptr<CircuitSchedule> plan;
    if (o.controller.empty() || o.controller == "schedule")
    {
        plan = CircuitSchedule::Create(o.schedule);
        plan->AssignStreams(1000);
        plan->Build(o.size.racks, o.size.uplinks);
    }
    if (o.controller.empty())
    {
        follower = CreateObject<OcsScheduleFollower>();
        follower->Start(fabric, plan);
    }
    else
    {
        AddController(o, fabric, plan);
    }
    if (o.faults.IsUsed())
    {
        injector = o.faults.Create();
        injector->SetFabric(fabric);
        o.faults.Start(injector, ToTime(o.duration + o.drain), 4000);
    }
    return fabric;
}

/// @param o options  @param [out] control sets up its lightpaths, one over each link
/// @return the mesh, whose sites are divided among the ranks
Ptr<OtnNetwork>
BuildMesh(const Options& o, Ptr<OtnController>& control)
{
    OtnHelper helper;
    helper.Divide();
    helper.SetNetworkAttribute("SetUpTime", TimeValue(Time(0)));
    const Ptr<OtnNetwork> network = helper.Build(OtnMesh::Read(GetDataFile(o.mesh)));
    helper.InstallSites(network);
    control = CreateObject<OtnController>();
    control->SetNetwork(network);
    const OtnMesh& mesh = *network->GetMesh();
    for (uint32_t link = 0; link < mesh.GetNLinks(); ++link)
    {
        control->SetUp(mesh.GetLink(link).a, mesh.GetLink(link).b, 1);
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    return network;
}

} // namespace

int
main(int argc, char* argv[])
try
{
    // 1. Options. Then this process learns which rank it is, before the first node.
    Options o;
    OdcnCommandLine cmd(argc, argv, "One network simulated by several processes.");
    cmd.AddWord("network", "fabric or mesh", o.network, {"fabric", "mesh"});
    cmd.AddWord("transport", "udp or tcp", o.transport, {"udp", "tcp"});
    cmd.AddRange("racks", "Racks of the fabric", o.size.racks, 2U, 4096U);
    cmd.AddRange("servers", "Servers of a rack", o.size.serversPerRack, 1U, 255U);
    cmd.AddRange("uplinks", "Uplinks of a rack", o.size.uplinks, 1U, 64U);
    cmd.AddRange("switches", "Optical switches", o.size.switches, 1U, 64U);
    cmd.AddValue("schedule", "RotorSchedule, OperaSchedule, RoundRobinSchedule, ...", o.schedule);
    cmd.AddValue("controller",
                 "MatchingAlgorithm, rule or file of an agent that decides the circuits; schedule: "
                 "the controller commands that of --schedule",
                 o.controller);
    cmd.AddValue("routing", "DirectRouting, ValiantRouting, RotorLbRouting, ...", o.routing);
    cmd.AddValue("delay", "Of a fibre between a rack and an optical switch", o.delay);
    cmd.AddValue("hold", "Whether UDP flows that are not short wait in servers", o.hold);
    cmd.AddValue("short", "Flows of fewer bytes are short", o.shortFlows);
    cmd.AddValue("mesh", "File of data/ with the sites and links of the mesh", o.mesh);
    cmd.AddValue("sizes", "Sizes of flows: a file of data/, or bytes", o.sizes);
    cmd.AddRange("load", "Offered data as a share of 10 Gb/s of each host", o.load, 0.001, 1.0);
    cmd.AddRange("duration", "Time in which flows arrive, ms", o.duration, 0.01, 10000.0);
    cmd.AddRange("drain", "Time after that, ms", o.drain, 0.0, 10000.0);
    cmd.AddValue("output", "Folder of the results", o.output);
    o.faults.AddOptions(cmd);
    cmd.Restrict({"racks", "servers", "uplinks", "switches", "schedule", "controller", "routing"},
                 {"network=fabric"});
    cmd.Restrict({"delay", "hold", "faults", "mtbf"}, {"network=fabric"});
    cmd.Restrict({"schedule"}, {"!controller", "controller=schedule"});
    cmd.Restrict({"hold"}, {"transport=udp"});
    cmd.Restrict({"mesh"}, {"network=mesh"});
    // Reports of other ranks take as long as light in the fibres.
    Config::SetDefault("ns3::odcn::MatchingController::ReportDelay", TimeValue(MicroSeconds(1)));
    cmd.Parse();
    Time::SetResolution(Time::PS);
    o.faults.Check();
    const auto ranks = MakeSimulatorRanks();

    // 2. The same network on every rank.
    FlowHelper::SetDataCentreTcp();
    Ptr<OcsFabric> fabric;
    Ptr<OcsScheduleFollower> follower;
    Ptr<FaultInjector> injector;
    Ptr<OtnNetwork> mesh;
    Ptr<OtnController> control;
    NodeContainer hosts;
    if (o.network == "fabric")
    {
        fabric = BuildFabric(o, follower, injector);
        hosts = fabric->GetServers();
    }
    else
    {
        mesh = BuildMesh(o, control);
        o.size = {mesh->GetMesh()->GetNSites(), 1};
        for (uint32_t site = 0; site < o.size.racks; ++site)
        {
            hosts.Add(mesh->GetSite(site));
        }
    }

    // 3. The same flows on every rank; each sends and receives those of its own hosts.
    const Time duration = ToTime(o.duration);
    Ptr<FlowWorkload> workload = CreateObject<FlowWorkload>();
    workload->SetAttribute("Load", DoubleValue(o.load));
    const bool file = o.sizes.find_first_not_of("0123456789") != std::string::npos;
    workload->SetAttribute("Sizes", StringValue(file ? GetDataFile(o.sizes) : o.sizes));
    workload->SetAttribute("Duration", TimeValue(duration));
    workload->AssignStreams(3000);
    const auto flows =
        workload->Generate(DemandMatrix::Make("uniform", o.size.racks), o.size.serversPerRack);
    FlowHelper helper;
    helper.SetAttribute("Transport", StringValue(o.transport == "tcp" ? "Tcp" : "Udp"));
    helper.SetAttribute("Rate", StringValue("10Gbps"));
    helper.SetAttribute("Hold", BooleanValue(o.hold));
    helper.SetAttribute("ShortFlows", UintegerValue(o.shortFlows));
    fabric ? helper.Install(fabric, flows) : helper.Install(hosts, flows);
    FlowTally tally(hosts);

    // 4. Run, and join what the ranks have seen.
    const auto begin = std::chrono::steady_clock::now();
    Simulator::Stop(duration + ToTime(o.drain));
    Simulator::Run();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    tally.Merge(*ranks);
    helper.GetRecorder()->Merge(*ranks);
    auto parcels = ranks->Exchange(
        [&](Parcel& parcel)
        {
            parcel.Add(Simulator::GetEventCount());
            parcel.Add(wall.count());
            const auto add = [&parcel](const auto& counts)
            {
                parcel.Add(counts.sent);
                parcel.Add(counts.received);
                parcel.Add(counts.inFlight);
                parcel.Add(counts.dropped.Total());
            };
            if (mesh)
            {
                add(mesh->Count());
                return;
            }
            OcsFabricCounts counts = fabric->Count();
            counts.sent += counts.controlSent;
            counts.received += counts.controlReceived;
            add(counts);
        });

    // 5. Report, once.
    Result all;
    Table table({"Rank", "Events", "Seconds"});
    for (std::size_t rank = 0; rank < parcels.size(); ++rank)
    {
        Parcel& parcel = parcels[rank];
        const auto events = parcel.Take<uint64_t>();
        const auto seconds = parcel.Take<double>();
        all.sent += parcel.Take<uint64_t>();
        all.arrived += parcel.Take<uint64_t>();
        all.between += parcel.Take<uint64_t>();
        all.dropped += parcel.Take<uint64_t>();
        table.AddRow({std::to_string(rank), std::to_string(events), FormatFixed(seconds, 2)});
    }
    if (ranks->IsFirst())
    {
        const FlowSummary summary = helper.GetRecorder()->Summarise().back();
        std::cout << "Flows    " << summary.flows << ", of which " << summary.incomplete
                  << " are not complete\n"
                  << "Packets  " << all.sent << " sent = " << all.arrived << " received + "
                  << all.between << " in flight + " << all.dropped << " dropped\n\n";
        table.Print(std::cout);
        OutputFiles files(o.output);
        tally.Write(files.Path("packets.csv"));
        helper.GetRecorder()->WriteFlows(files.Path("flows.csv"));
        files.Written("packets.csv", "packets of each flow, with mean delay and jitter");
        files.Written("flows.csv", "completion time of each flow");
        files.Print(std::cout);
    }
    Simulator::Destroy();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
