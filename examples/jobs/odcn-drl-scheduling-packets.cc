// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-drl-scheduling-packets.h"

#include "ns3/odcn-flow-report.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-packet-traces.h"
#include "ns3/odcn-process-team.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-ranks.h"
#include "ns3/odcn-window-recorder.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <iostream>
#include <optional>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// First random stream of packets; the streams before it are for jobs and policies.
constexpr int64_t PACKET_STREAMS = 1000;

/// Run a replication with packets.
/// @param options windows, and faults and traces of a run in ns-3
/// @param experiment number of jobs
/// @param begun problem and policy, both reset
/// @param recorder records the windows
/// @param name name of the policy
/// @param progress called with the number of jobs decided
/// @param events whether packets are events of ns-3, or those of the exact engine
/// @param files gets the traces; null for none
/// @return line on what faults did; empty without faults
std::string
RunReplication(const PacketOptions& options,
               const Experiment& experiment,
               const std::pair<Ptr<DecisionProblem>, Ptr<DecisionPolicy>>& begun,
               OdcnWindowRecorder& recorder,
               const std::string& name,
               const std::function<void(uint64_t)>& progress,
               bool events,
               OutputFiles* files)
{
    OdcnHelper helper;
    const uint64_t jobs = experiment.GetJobs();
    const uint64_t warmUp = experiment.GetWarmUp();
    helper.SetSchedulerAttribute("MaxJobs", UintegerValue(warmUp + jobs));
    helper.SetSchedulerAttribute("WindowAfter", UintegerValue(warmUp + 1));
    helper.SetSchedulerAttribute("WindowSpacing", UintegerValue(jobs / options.windows));
    const auto problem = DynamicCast<OdcnScheduling>(begun.first);
    OdcnScenario scenario = events ? helper.Install(problem, begun.second)
                                   : helper.InstallExact(problem, begun.second, recorder);
    OdcnHelper::AssignStreams(scenario, PACKET_STREAMS);
    const auto scheduler = scenario.scheduler;
    recorder.Record(name, scheduler, scenario.fabric, scenario.flows);
    scheduler->TraceConnectWithoutContext("Finished", Callback<void>([]() { Simulator::Stop(); }));
    scheduler->TraceConnectWithoutContext(
        "Decided",
        Callback<void, OdcnOutcome>([&progress, decided = PeekPointer(scheduler)](OdcnOutcome)
                                    { progress(decided->GetNJobs()); }));
    Ptr<FaultInjector> injector;
    if (events && options.faults.IsUsed())
    {
        injector = options.faults.Start(scenario.fabric, scheduler, 50000);
    }
    std::optional<PacketTraces> traces;
    if (files)
    {
        traces.emplace(*files, NanoSeconds(10));
    }
    if (files && options.pcap)
    {
        // With link type raw IP.
        traces->AddPcap(helper.GetOptics(),
                        scenario.fabric->GetUplink(0, 0),
                        "tor-0-uplink-0.pcap",
                        "packets of " + name + " through uplink 0 of ToR 0, both ways");
    }
    for (uint32_t i = 0; files && options.flowMonitor && i < scenario.fabric->GetServers().GetN();
         ++i)
    {
        traces->Watch(scenario.fabric->GetServers().Get(i));
    }
    Simulator::Run();
    PlainStream faults;
    if (injector)
    {
        const OdcnCounters& counters = problem->GetManager()->GetCounters();
        faults << name << " under faults: " << counters.Offered() << " jobs offered, "
               << counters.offeredAgain << " of them again, " << counters.Blocked() << " blocked, "
               << counters.interrupted << " interrupted\n";
    }
    if (traces)
    {
        traces->Keep("FlowMonitor of " + name);
    }
    Simulator::Destroy();
    return faults.str();
}

/**
 * Run the windows of all policies, each a task of as many processes as the experiment has.
 * @param options options
 * @param experiment the comparison, measured
 * @param recorder records the windows
 * @param files output folder for traces of the last policy
 * @return line on the comparison of both engines; empty without
 */
std::string
CompareEngines(const PacketOptions& options,
               const Experiment& experiment,
               OdcnWindowRecorder& recorder,
               OutputFiles& files)
{
    const bool both = options.engine == "both";
    const auto& rows = experiment.GetRows();
    const std::size_t tasks = rows.size() + (both ? 1 : 0);
    const uint64_t jobs = experiment.GetWarmUp() + experiment.GetJobs();
    Progress progress("packets", jobs * tasks, "jobs");
    ProcessTeam team(experiment.GetProcesses());
    std::string name; // of the policy that runs in this process
    std::vector<std::string> results(tasks);
    ProcessTeam::Work work;
    work.run = [&](std::size_t i)
    {
        const bool last = i + 1 == tasks;
        const bool events = options.engine == "ns3" || i == rows.size();
        const auto& row = rows[std::min(i, rows.size() - 1)];
        name = row.choice.name + (events ? " in ns-3" : "");
        const auto report = [&team](uint64_t done)
        {
            Interruption::Check();
            team.Report(done);
        };
        OdcnWindowRecorder own;
        std::string faults = RunReplication(options,
                                            experiment,
                                            experiment.Begin(0, row),
                                            own,
                                            row.choice.name,
                                            report,
                                            events,
                                            events && last ? &files : nullptr);
        Parcel parcel;
        parcel.PassList(faults);
        own.Pass(row.choice.name, parcel);
        return parcel.GetBytes();
    };
    work.take = [&](std::size_t i, const std::string& result) { results[i] = result; };
    work.progress = [&](uint64_t done) { progress.Update(done, [&name]() { return name; }); };
    work.here.resize(tasks);
    work.here.back() = options.engine != "exact"; // writes the traces
    for (std::size_t i = 0; i < tasks; ++i)
    {
        work.turns.push_back(tasks - i); // networks, which stand last by default, take longest
    }
    team.Run(work);
    progress.Finish(jobs * tasks);
    OdcnWindowRecorder events;
    for (std::size_t i = 0; i < tasks; ++i)
    {
        Parcel parcel(std::move(results[i]));
        std::string faults;
        parcel.PassList(faults);
        std::cout << faults;
        (i < rows.size() ? recorder : events)
            .Pass(rows[std::min(i, rows.size() - 1)].choice.name, parcel);
    }
    std::string comparison;
    if (both)
    {
        const std::string& title = rows.back().choice.name;
        const auto difference = recorder.FindDifference(title, events);
        const PacketRecorder& packets = events.Get(title).packets;
        const uint64_t sent = packets.GetTotal(OdcnWindowRecorder::INTER_RACK).all.sent +
                              packets.GetTotal(OdcnWindowRecorder::INTRA_RACK).all.sent;
        comparison = title + ": " + std::to_string(sent) + " packets by ns-3 and without events: " +
                     (difference.empty() ? "equal.\n"
                                         : "the first difference is in " + difference +
                                               "; packets that meet in one picosecond are served "
                                               "in either order.\n");
    }
    return comparison;
}

} // namespace

void
PacketOptions::AddOptions(OdcnCommandLine& cmd)
{
    cmd.SetGroup("Packets");
    cmd.AddWord("packets",
                "packet engine: ns3 (sockets and devices), exact (the same packets without "
                "events, much faster), both (exact, and ns3 for the last policy, compared; with "
                "faults, ns3 for all) or formula (no packets, only the closed form)",
                engine,
                {"both", "ns3", "exact", "formula"});
    cmd.AddValue("windows", "number of measurement windows, in which packets are sent", windows);
    cmd.AddValue("windowWarmUp", "ns3::odcn::WindowScheduler::WindowWarmUp");
    cmd.AddValue("windowLength", "ns3::odcn::WindowScheduler::WindowLength");
    cmd.Restrict({"windows", "windowWarmUp", "windowLength"},
                 {"packets=both", "packets=ns3", "packets=exact"});
    cmd.Restrict({"uplinkRatePerRack"}, {"packets=formula"}); // packets have one rate of uplinks
    cmd.AddValue("pcap", "whether to write a pcap file of the last policy", pcap);
    cmd.AddValue("flowMonitor",
                 "whether to write FlowMonitor's XML of the last policy",
                 flowMonitor);
    cmd.AddValue("packetReplications",
                 "replications whose packets are also sent, at every load, for figures of merit "
                 "with intervals over replications",
                 replications);
    cmd.Restrict({"packetReplications"}, {"packets=both", "packets=exact"});
    for (const char* condition : {"!faults", "!mtbf", "!jobFile", "!train"})
    {
        cmd.Restrict({"packetReplications"}, {condition});
    }
    faults.AddOptions(cmd);
    cmd.Restrict({"pcap", "flowMonitor", "faults", "mtbf"}, {"packets=both", "packets=ns3"});
}

void
PacketOptions::Choose()
{
    faults.Check();
    if (engine == "both")
    {
        // The exact engine has no faults; ns-3 is for the traces.
        engine = faults.IsUsed() ? "ns3" : pcap || flowMonitor ? "both" : "exact";
    }
}

void
PacketOptions::Check(const std::string& racks, uint64_t jobs) const
{
    OdcnCommandLine::Check(!IsUsed() || racks != "1",
                           "tors",
                           racks,
                           "2 or more, or --packets=formula");
    OdcnCommandLine::Check(!IsUsed() || (windows > 0 && windows <= jobs),
                           "windows",
                           windows,
                           "1 to the number of jobs");
}

void
AddPacketFigures(const PacketOptions& options, Experiment& experiment)
{
    experiment.AddFigures(
        OdcnWindowRecorder::GetFigures(),
        [&](const Experiment::Trial& trial) -> std::vector<FigureValue>
        {
            if (trial.replication >= options.replications)
            {
                return std::vector<FigureValue>(OdcnWindowRecorder::GetFigures().size(), {0, 0});
            }
            OdcnWindowRecorder recorder;
            RunReplication(
                options,
                experiment,
                experiment.Begin(trial),
                recorder,
                trial.choice.name,
                [](uint64_t) { Interruption::Check(); },
                false,
                nullptr);
            return recorder.MeasureFigures(trial.choice.name);
        });
}

void
RunPackets(const PacketOptions& options, Experiment& experiment, OutputFiles& files)
{
    OdcnWindowRecorder recorder(files.Path("windows.csv"));
    std::string comparison;
    try
    {
        comparison = CompareEngines(options, experiment, recorder, files);
    }
    catch (const Interruption& stop)
    {
        experiment.Write(files);
        throw Interruption(stop.GetSignal(),
                           "the job level is complete in " + experiment.GetOutput() +
                               ", no packets were written");
    }
    recorder.Write(files);
    experiment.Write(files);
    recorder.AddTo(experiment.GetReport(), files);
    std::cout << "\n";
    recorder.Print(std::cout, experiment.GetWidth());
    std::cout << comparison;
}
