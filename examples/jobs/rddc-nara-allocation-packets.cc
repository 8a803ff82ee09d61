// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-nara-allocation-packets.h"

#include "rddc-packet-report.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/node.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-flow-report.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-job-flow-application.h"
#include "ns3/odcn-management-helper.h"
#include "ns3/odcn-packet-traces.h"
#include "ns3/odcn-progress.h"
#include "ns3/pointer.h"
#include "ns3/rddc-allocation-scheduler.h"
#include "ns3/rddc-fabric-helper.h"
#include "ns3/rddc-window-recorder.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <functional>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <utility>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// First random stream of packets, after those of requests and policies.
constexpr int64_t PACKET_STREAMS = 10000;

} // namespace

void
PacketOptions::AddOptions(OdcnCommandLine& cmd)
{
    cmd.SetGroup("Packets", "packets");
    cmd.AddValue("packets",
                 "windows in which servers send packets, instead of comparing by requests",
                 packets);
    cmd.AddRange("packetLoad",
                 "load in each direction, as a share of a lightpath's rate",
                 packetLoad,
                 1e-12,
                 100.0);
    cmd.AddRange("packetSize",
                 "packet size in bytes, with IPv4 header",
                 packetSize,
                 uint32_t{JobFlowApplication::LEAST_SIZE},
                 1500U);
    cmd.AddValue("packetTime", "length of a window", packetTime);
    cmd.AddValue("channelRate", "rate of a channel", channelRate);
    cmd.AddValue("switchDelay",
                 "delay of an electrical switch besides storing and queueing",
                 switchDelay);
    cmd.AddValue("controlDelay",
                 "one-way delay of the management network; 0us for an ideal network",
                 controlDelay);
    cmd.AddValue("traces", "write pcap, ascii and FlowMonitor files of the first run", traces);
}

void
PacketOptions::Check(uint64_t requests) const
{
    OdcnCommandLine::Check(packets <= requests,
                           "packets",
                           packets,
                           "at most as many windows as requests");
    OdcnCommandLine::ParseRate(channelRate, "channelRate");
    OdcnCommandLine::Check(
        OdcnCommandLine::ParseTime(packetTime, "packetTime", 1).IsStrictlyPositive(),
        "packetTime",
        packetTime,
        "above 0");
    OdcnCommandLine::ParseTime(switchDelay, "switchDelay", 1);
    OdcnCommandLine::ParseTime(controlDelay, "controlDelay", 1);
}

namespace
{

/// @param options packet traffic
/// @param policy that decides
/// @param requests of the run
/// @return a scheduler with windows on request
Ptr<AllocationScheduler>
MakeScheduler(const PacketOptions& options, Ptr<DecisionPolicy> policy, uint64_t requests)
{
    auto scheduler = CreateObject<AllocationScheduler>();
    scheduler->SetAttribute("Policy", PointerValue(policy));
    scheduler->SetAttribute("Load", DoubleValue(options.packetLoad));
    scheduler->SetAttribute("JobTimeUnit", TimeValue(Time(0)));
    scheduler->SetAttribute("MaxJobs", UintegerValue(requests));
    scheduler->SetAttribute("WindowSpacing", UintegerValue(0));
    scheduler->SetAttribute("WindowWarmUp", TimeValue(Time(0)));
    scheduler->SetAttribute("WindowLength", StringValue(options.packetTime));
    return scheduler;
}

/// @param fabric fabric with servers
/// @param packetSize bytes
/// @return the flows of all its servers
auto
InstallFlows(const Ptr<RddcFabric>& fabric, uint32_t packetSize)
{
    const auto flows = RddcFabricHelper::InstallFlows(fabric, packetSize);
    int64_t stream = PACKET_STREAMS;
    for (const auto& flow : flows)
    {
        stream += flow->AssignStreams(stream);
    }
    return flows;
}

/// @param options packet traffic
/// @return the management network
Ptr<ManagementNetwork>
MakeManagement(const PacketOptions& options)
{
    auto management = CreateObject<ManagementNetwork>();
    const Time delay = OdcnCommandLine::ParseTime(options.controlDelay, "controlDelay");
    if (!delay.IsZero())
    {
        management->SetAttribute("DataRate", StringValue("1Gbps"));
        management->SetAttribute("Delay", TimeValue(delay));
    }
    return management;
}

/// Print the setting.
/// @param centre data centre and requests in words
/// @param options packet traffic
void
PrintSetting(const std::string& centre, const PacketOptions& options)
{
    std::cout
        << "\n"
        << centre << " of run " << RngSeedManager::GetRun() << ", " << options.packets
        << " windows of " << options.packetTime << ", seed " << RngSeedManager::GetSeed()
        << ".\nEach pair of a request's servers sends packets of " << options.packetSize
        << " bytes both ways at " << options.packetLoad << " of " << options.channelRate
        << ".\nTrees of equal capacity: trunks bundle a link's channels in one port; as ports "
           "each channel is one,\nand flows are hashed. Their switches take "
        << options.switchDelay
        << " besides storing and queueing. Intervals: 95 %, over windows.\n\n";
}

/// Trace a run.
/// @param traces of the run
/// @param fabrics helper of the fabric
/// @param fabric the fabric
/// @param controller node with a link, if control packets are to be traced; or null
/// @param gateway its other end
/// @param name of the run
void
AddTraces(PacketTraces& traces,
          RddcFabricHelper& fabrics,
          const Ptr<RddcFabric>& fabric,
          const Ptr<Node>& controller,
          const Ptr<Node>& gateway,
          const std::string& name)
{
    const auto card = fabric->GetCard(0, 0);
    traces.AddPcap(fabrics,
                   card,
                   "server-0.pcap",
                   "packets of server 0's first network card, " + name);
    traces.AddAscii(fabrics, card, "server-0.tr", "ascii trace of it");
    for (uint32_t server = 0; server < fabric->GetServers().GetN(); ++server)
    {
        traces.Watch(fabric->GetServers().Get(server));
    }
    if (controller)
    {
        ManagementHelper link;
        traces.AddPcap(link,
                       controller->GetDevice(0),
                       "control.pcap",
                       "control packets at the controller, " + name);
        traces.Watch(controller);
        traces.Watch(gateway);
    }
}

/// Run a policy in a case.
/// @param options packet traffic
/// @param requests requests of the run
/// @param begun problem and policy, both reset
/// @param run topology and policy
/// @param windowBegins called when a window follows a decision
/// @param traces of the run; null for none
/// @param report gets the results
void
RunPolicy(const PacketOptions& options,
          uint64_t requests,
          const std::pair<Ptr<DecisionProblem>, Ptr<DecisionPolicy>>& begun,
          const RddcPacketReport::Run& run,
          const std::function<void()>& windowBegins,
          PacketTraces* traces,
          RddcPacketReport& report)
{
    RddcFabricHelper fabrics;
    fabrics.SetCardAttribute("DataRate", DataRateValue(DataRate(options.channelRate)));
    const auto problem = DynamicCast<RddcAllocation>(begun.first);
    const auto fabric = fabrics.Build(problem->GetManager()->GetChannels().GetNetwork());
    fabrics.InstallServers(fabric);
    const auto flows = InstallFlows(fabric, options.packetSize);
    const auto scheduler = MakeScheduler(options, begun.second, requests);
    scheduler->SetProblem(problem);
    scheduler->SetFabric(fabric, flows);
    // Windows are spread evenly over the requests.
    uint64_t window = 0;
    const auto decided = [&, scheduler = PeekPointer(scheduler)](bool)
    {
        Interruption::Check();
        if (scheduler->GetNJobs() == (window + 1) * requests / options.packets)
        {
            scheduler->RequestWindow();
            ++window;
            windowBegins();
        }
    };
    scheduler->TraceConnectWithoutContext("Decided", Callback<void, bool>(decided));
    const auto controller = CreateObject<Node>();
    controller->AddApplication(scheduler);
    const auto management = MakeManagement(options);
    const auto gateway = ManagementHelper().Install(management, controller);
    scheduler->SetManagement(management);
    RddcWindowRecorder recorder(scheduler,
                                flows,
                                100,
                                OdcnCommandLine::ParseTime(options.switchDelay, "switchDelay"));
    const std::string name = run.policy + " on " + run.topology;
    if (traces)
    {
        const bool ideal = management->IsIdeal();
        AddTraces(*traces, fabrics, fabric, ideal ? nullptr : controller, gateway, name);
    }
    scheduler->TraceConnectWithoutContext("Finished", Callback<void>([]() { Simulator::Stop(); }));
    Simulator::Run();
    report.Add(run, recorder);
    report.AddLosses(run, fabric->Count(), problem->GetManager()->GetCounters().interrupted);
    if (traces)
    {
        traces->Keep("FlowMonitor of " + name);
    }
    Simulator::Destroy();
}

} // namespace

void
RunPackets(const RddcSystem& system,
           const PacketOptions& options,
           Experiment& experiment,
           OutputFiles& files)
{
    Time::SetResolution(Time::PS);
    RddcPacketReport report(files, experiment.GetReport());
    const std::size_t cases = experiment.GetNCases();
    Progress progress("packets", cases * experiment.GetRows().size() * options.packets, "windows");
    uint64_t done = 0;
    std::set<std::string> loads;
    for (std::size_t i = 0; i < cases; ++i)
    {
        loads.insert(experiment.GetLabels(i)[1].second);
    }
    for (std::size_t i = 0; i < cases; ++i)
    {
        const std::string& topology = experiment.GetLabels(i)[0].second;
        const std::string& load = experiment.GetLabels(i)[1].second;
        for (const auto& row : experiment.GetRows(i))
        {
            std::optional<PacketTraces> traces; // of the first run
            if (options.traces && done == 0)
            {
                traces.emplace(files, NanoSeconds(10));
            }
            RunPolicy(
                options,
                system.requests,
                experiment.Begin(i, row),
                {topology,
                 load,
                 row.choice.name,
                 topology + (loads.size() > 1 ? " at load " + load : "")},
                [&]() { progress.Update(++done); },
                traces ? &*traces : nullptr,
                report);
        }
    }
    progress.Finish(done);
    PrintSetting(system.Describe(experiment), options);
    report.Finish(experiment.GetReport(), system.faults.IsUsed());
    experiment.GetReport().Write(files);
    files.Finish(std::cout);
}
