// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Jobs on an optical data centre: rules and a learning agent place the same jobs, and packets show
 * the resulting network performance. The system of "Deep Reinforcement Learning-aided Multi-step
 * Job Scheduling in Optical Data Center Networks" (section 5), by default with 16 ToR switches.
 *
 *                    +-------+   +-------+   +-------+
 *                    | OCS 0 |   | OCS 1 |   | OCS 2 |        optical circuit switches: no buffers,
 *                    +-------+   +-------+   +-------+        reconfigurable circuits
 *                     | | | \\ \\   | | |    // / | | |
 *                +-------+      +-------+         +-------+
 *                | ToR 0 |      | ToR 1 |   ...   | ToR 15|    15 uplinks each way, 40 Gb/s,
 *                +-------+      +-------+         +-------+    a FIFO of 15 packets on each
 *                 | | | |        | | | |           | | | |
 *                 servers        servers           servers     32 per rack, 32 cores each
 *
 * A job consists of 10 to 21 VMs in a ring. The policy chooses a rack for one VM after the other.
 * If the circuits cannot carry the job's bandwidth, the network manager tries to move some; if that
 * fails, or no rack has a suitable server, the whole job is blocked.
 *
 * The program does two things.
 *
 * 1. Job level. Every policy decides the same job streams, in several replications. No packet
 * is sent; latency and loss are those of an M/D/1/K queue at each circuit's load.
 * 2. Packet level. The first replication runs again: in measurement windows every accepted VM pair
 * sends packets at its full demand. For all policies they are computed without events, and for the
 * last policy also inside the simulator: the scheduler is an application on a controller node, its
 * commands move circuits of optical switches, and IPv4/UDP packets cross them, to the same result.
 * With --packets=ns3 all policies run in the simulator.
 *
 * Try:
 *   ./ns3 run odcn-drl-scheduling
 *   ./ns3 run "odcn-drl-scheduling --loads=60,72 --policies=odcn-jcb,odcn-packing,drl"
 *   ./ns3 run "odcn-drl-scheduling --jobFile=my-jobs.csv"
 *   ./ns3 run "odcn-drl-scheduling --train=1 --checkpoint=my-agent.pt"
 */

#include "odcn-system.h"

#if ODCN_HAVE_TRAINING
#include "ns3/odcn-agent-policy.h"
#endif
#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-flow-report.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-recorder.h"
#include "ns3/odcn-kaufman-roberts.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-window-recorder.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <string>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// First random stream of packets; the streams before it are for jobs and policies.
constexpr int64_t PACKET_STREAMS = 1000;

/// Options that no Attribute has.
struct Options
{
    OdcnSystem system;              //!< options of the data centre
    OdcnTraining training;          //!< options of a training
    bool train{false};              //!< whether to train instead of comparing
    std::string saveJobs;           //!< file for the first replication's jobs
    std::string packets{"both"};    //!< packet engine
    uint32_t packetReplications{0}; //!< replications with packets in the summary
    uint32_t windows{8};            //!< measurement windows
    bool pcap{true};                //!< whether the last policy's run writes a pcap file
    bool flowMonitor{true};         //!< whether the last policy's run writes FlowMonitor's XML
    FaultHelper faults;             //!< of the runs with packets

    /// Add the options of packets. @param cmd command line
    void AddPackets(OdcnCommandLine& cmd);
};

void
Options::AddPackets(OdcnCommandLine& cmd)
{
    cmd.SetGroup("Packets");
    cmd.AddWord("packets",
                "packet engine: ns3 (sockets and devices), exact (the same packets without "
                "events, much faster), both (exact, and ns3 for the last policy, compared; with "
                "faults, ns3 for all) or formula (no packets, only the closed form)",
                packets,
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
                 packetReplications);
    cmd.Restrict({"packetReplications"}, {"packets=both", "packets=exact"});
    for (const char* condition : {"!faults", "!mtbf", "!jobFile", "!train"})
    {
        cmd.Restrict({"packetReplications"}, {condition});
    }
    faults.AddOptions(cmd);
    cmd.Restrict({"pcap", "flowMonitor", "faults", "mtbf"}, {"packets=both", "packets=ns3"});
}

/**
 * Adapt an experiment to the finite jobs of a file: one replication of all jobs, in batches.
 * @param system data centre with the file  @param experiment the experiment
 */
void
FitToFile(const OdcnSystem& system, Experiment& experiment)
{
    const uint64_t jobs = system.OpenJobFile()->Check();
    if (jobs < 2)
    {
        throw OdcnError::InFile(system.jobFile, 0, std::to_string(jobs) + " jobs", "2 or more");
    }
    const uint64_t warmUp = std::min(experiment.GetWarmUp(), jobs / 10);
    experiment.SetJobs(jobs - warmUp, warmUp);
    experiment.SetReplications(1);
    experiment.SetBatches(static_cast<uint32_t>(std::min<uint64_t>(20, jobs - warmUp)));
}

/// @param options options  @param experiment number of jobs  @return helper that opens the windows
OdcnHelper
MakeWindowHelper(const Options& options, const Experiment& experiment)
{
    const uint64_t jobs = experiment.GetJobs();
    OdcnHelper helper;
    helper.SetSchedulerAttribute("MaxJobs", UintegerValue(experiment.GetWarmUp() + jobs));
    helper.SetSchedulerAttribute("WindowAfter", UintegerValue(experiment.GetWarmUp() + 1));
    helper.SetSchedulerAttribute(
        "WindowSpacing",
        UintegerValue(std::max<uint64_t>(1, jobs / std::max(1U, options.windows))));
    return helper;
}

/// Run a replication with packets.
/// @param helper of MakeWindowHelper()
/// @param begun problem and policy, both reset
/// @param recorder records the windows
/// @param name name of the policy
/// @param progress called with the number of jobs decided
/// @param options faults and traces of a run in ns-3; null for the exact engine
/// @param files gets the traces; null for none
void
RunReplication(OdcnHelper helper,
               const std::pair<Ptr<DecisionProblem>, Ptr<DecisionPolicy>>& begun,
               OdcnWindowRecorder& recorder,
               const std::string& name,
               const std::function<void(uint64_t)>& progress,
               const Options* options,
               OutputFiles* files)
{
    const auto problem = DynamicCast<OdcnScheduling>(begun.first);
    OdcnScenario scenario = options ? helper.Install(problem, begun.second)
                                    : helper.InstallExact(problem, begun.second, recorder);
    OdcnHelper::AssignStreams(scenario, PACKET_STREAMS);
    const auto scheduler = scenario.scheduler;
    recorder.Record(name, scheduler, scenario.fabric, scenario.flows);
    scheduler->TraceConnectWithoutContext("Finished", Callback<void>([]() { Simulator::Stop(); }));
    scheduler->TraceConnectWithoutContext(
        "Decided",
        Callback<void, OdcnOutcome>([&progress, jobs = PeekPointer(scheduler)](OdcnOutcome)
                                    { progress(jobs->GetNJobs()); }));
    Ptr<FaultInjector> injector;
    if (options && options->faults.IsUsed())
    {
        injector = options->faults.Start(scenario.fabric, scheduler, 50000);
    }
    const std::string pcap = "tor-0-uplink-0.pcap";
    if (files && options->pcap)
    {
        // With link type raw IP.
        helper.GetOptics().EnablePcap(files->Temporary(pcap),
                                      scenario.fabric->GetUplink(0, 0),
                                      true,
                                      true);
    }
    std::optional<FlowReport> flows;
    if (files && options->flowMonitor)
    {
        flows.emplace(NanoSeconds(10));
        flows->Install(scenario.fabric->GetServers());
    }
    Simulator::Run();
    if (injector)
    {
        const OdcnCounters& counters = problem->GetManager()->GetCounters();
        std::cout << name << " under faults: " << counters.Offered() << " jobs offered, "
                  << counters.offeredAgain << " of them again, " << counters.Blocked()
                  << " blocked, " << counters.interrupted << " interrupted\n";
    }
    if (flows)
    {
        AtomicFile xml(files->Path("flow-monitor.xml"));
        flows->Write(xml.Stream());
        xml.Commit();
        files->Written("flow-monitor.xml", "FlowMonitor of " + name);
    }
    if (files && options->pcap)
    {
        files->Keep(pcap, "packets of " + name + " through uplink 0 of ToR 0, both ways");
    }
    recorder.Stop();
    Simulator::Destroy();
}

/**
 * Add the packets of replications, by the exact engine, to the figures of merit of the jobs.
 * @param options options  @param experiment the experiment
 */
void
AddPacketFigures(const Options& options, Experiment& experiment)
{
    experiment.AddFigures(
        OdcnWindowRecorder::GetFigures(),
        [&](const Experiment::Trial& trial) -> std::vector<FigureValue>
        {
            if (trial.replication >= options.packetReplications)
            {
                return std::vector<FigureValue>(OdcnWindowRecorder::GetFigures().size(), {0, 0});
            }
            OdcnWindowRecorder recorder("/dev/null");
            RunReplication(
                MakeWindowHelper(options, experiment),
                experiment.Begin(trial),
                recorder,
                trial.choice.name,
                [](uint64_t) { Interruption::Check(); },
                nullptr,
                nullptr);
            return recorder.MeasureFigures(trial.choice.name);
        });
}

/**
 * Run the first replication of every policy again, at the first load, with packets.
 * @param options options  @param experiment experiment with the policies
 * @param recorder records the windows  @param files output folder for traces of the last policy
 * @return line on the comparison of both engines; empty without
 */
std::string
RunPackets(const Options& options,
           const Experiment& experiment,
           OdcnWindowRecorder& recorder,
           OutputFiles& files)
{
    const bool both = options.packets == "both";
    const auto& rows = experiment.GetRows();
    const uint64_t jobs = experiment.GetWarmUp() + experiment.GetJobs();
    const uint64_t total = jobs * (rows.size() + (both ? 1 : 0));
    Progress progress("packets", total, "jobs");
    uint64_t before = 0;
    const auto run = [&](const Experiment::Row& row, bool events, OdcnWindowRecorder& to)
    {
        const std::string& name = row.choice.name;
        const auto report = [&](uint64_t done)
        { progress.Update(before + done, [&]() { return name + (events ? " in ns-3" : ""); }); };
        const bool traced = events && &row == &rows.back();
        RunReplication(MakeWindowHelper(options, experiment),
                       experiment.Begin(0, row),
                       to,
                       name,
                       report,
                       events ? &options : nullptr,
                       traced ? &files : nullptr);
        before += jobs;
    };
    for (const auto& row : rows)
    {
        run(row, options.packets == "ns3", recorder);
    }
    std::string comparison;
    if (both)
    {
        const std::string& name = rows.back().choice.name;
        OdcnWindowRecorder events("/dev/null");
        run(rows.back(), true, events);
        const auto difference = recorder.FindDifference(name, events);
        comparison = name + ": " + std::to_string(events.GetSent(name)) +
                     " packets by ns-3 and without events: " +
                     (difference.empty() ? "equal.\n"
                                         : "the first difference is in " + difference +
                                               "; packets that meet in one picosecond are served "
                                               "in either order.\n");
    }
    progress.Finish(total);
    return comparison;
}

/// Write the first replication's jobs. @param path output file  @param experiment number of jobs
/// @param source source of the jobs
void
SaveJobs(const std::string& path, const Experiment& experiment, OdcnJobSource& source)
{
    OdcnJobFileWriter writer(path);
    source.AssignStreams(0);
    OdcnJob job;
    for (uint64_t i = 0; i < experiment.GetWarmUp() + experiment.GetJobs() && source.Next(job); ++i)
    {
        writer.Write(job);
    }
    writer.Commit();
}

/// Add the exact bound, all servers as one pool of cores, to every load.
/// @param experiment experiment after Check()  @param problem of any load, after Reset()
void
AddBounds(Experiment& experiment, const OdcnScheduling& problem)
{
    // The generator's default VMs have 4 or 16 cores; three of the four types have 16.
    const auto sizes = KaufmanRoberts::GetJobSizes(10, 21, {{4, 1, 0}, {16, 3, 0}});
    const double cores = problem.GetManager()->GetServers().GetCapacity().Cores();
    for (std::size_t i = 0; i < experiment.GetNCases(); ++i)
    {
        const KaufmanRoberts bound(std::llround(cores), sizes, experiment.GetLoads()[i]);
        experiment.AddBound(i,
                            "least possible",
                            {{"blocking", Estimate::Exactly(bound.GetBlocking())},
                             {"cpu_utilisation", Estimate::Exactly(bound.GetUtilization())}});
    }
}

/// Lines on policies, printed at the end: warnings first, each by title.
using Remarks = std::map<std::pair<int, std::string>, std::string>;

/// Remark on a policy at the end of a first replication. @param remarks gets the lines
/// @param trial the trial  @param pattern of its jobs, or ""  @param load of its jobs
void
AddRemarks(Remarks& remarks,
           const Experiment::Trial& trial,
           const std::string& pattern,
           double load)
{
    const auto& problem = dynamic_cast<const OdcnScheduling&>(trial.problem);
    if (const auto other = CompareTraining(trial.policy, problem, pattern, load); !other.empty())
    {
        remarks[{0, trial.title}] =
            "warning: " + trial.title + " was trained on other data centres: " + other + ".\n";
    }
#if ODCN_HAVE_TRAINING
    if (const auto* agent = dynamic_cast<AgentPolicy*>(&trial.policy))
    {
        const auto n = agent->GetForwardPasses();
        remarks[{1, trial.title}] = trial.title + ": " + std::to_string(n.torch + n.fast) +
                                    " decisions of the first replication by a network, " +
                                    std::to_string(n.torch) + " of them evaluated by LibTorch, " +
                                    std::to_string(n.fast) +
                                    " by the fast path for dense layers.\n";
    }
#else
    remarks[{2, ""}] = "No agents: this odcn was built without LibTorch.\n";
#endif
}

/**
 * Choose cases and policies, and check them.
 * @param options options  @param experiment the comparison
 * @return the data centre, in words
 */
std::string
Prepare(const Options& options, Experiment& experiment)
{
    const OdcnSystem& system = options.system;
    const OdcnHelper helper;
    const auto sample = helper.CreateProblem(1);
    sample->AssignStreams(0);
    sample->Reset();
    auto centre = DescribeCentre(*sample);
    const bool windows = options.packets != "formula";
    OdcnCommandLine::Check(!windows || centre["racks"] != "1",
                           "tors",
                           "1",
                           "2 or more, or --packets=formula");
    if (experiment.GetPolicies().empty())
    {
        // The paper's network was trained for, and is made for, 16 racks.
#if ODCN_HAVE_TRAINING
        experiment.SetPolicies(std::string("random,first-fit,untrained,all2all-ccf,odcn-ccf,") +
                               "odcn-jcb,odcn-score," +
                               (centre["racks"] == "16" ? "drl-paper," : "") + "linear,drl");
#else
        experiment.SetPolicies("random,first-fit,all2all-ccf,odcn-ccf,odcn-jcb,odcn-score,linear");
#endif
    }
    if (system.jobFile.empty())
    {
        experiment.SetProblem([helper](double load) { return helper.CreateProblem(load); });
    }
    else
    {
        FitToFile(system, experiment);
        experiment.AddCase({{"jobs", system.jobFile}},
                           [&, helper]() { return helper.CreateProblem(system.OpenJobFile()); });
    }
    if (options.packetReplications > 0)
    {
        AddPacketFigures(options, experiment);
    }
    experiment.SetFinder([&](const auto&, const std::string& words) { return system.Find(words); });
    experiment.Check();
    OdcnCommandLine::Check(!windows ||
                               (options.windows > 0 && options.windows <= experiment.GetJobs()),
                           "windows",
                           options.windows,
                           "1 to the number of jobs");
    if (system.jobFile.empty())
    {
        AddBounds(experiment, *sample);
    }
    const auto list = [&](const char* before, const char* key, const char* after)
    { return centre[key].empty() ? "" : before + ("(" + centre[key] + ")") + after; };
    const std::string servers = list("", "serversPerRack", "");
    return centre["racks"] + " racks x " + (servers.empty() ? centre["servers"] : servers) +
           " servers" + list(", ", "uplinksPerRack", " uplinks") +
           list(" of ", "uplinkRatePerRack", "") + ", " +
           (system.jobFile.empty()
                ? "pattern " + OdcnSystem::GetPattern() + ", load " + experiment.GetLoadsText()
                : "jobs of " + system.jobFile);
}

/**
 * Run the comparison at job level. @param options options  @param experiment after Prepare()
 * @param files output folder  @param centre the data centre, in words  @return remarks on policies
 */
Remarks
RunJobs(const Options& options,
        Experiment& experiment,
        OutputFiles& files,
        const std::string& centre)
{
    const OdcnSystem& system = options.system;
    OdcnJobRecorder jobs(files.Path("jobs.csv"));
    if (!options.saveJobs.empty())
    {
        const Ptr<OdcnJobSource> source =
            system.jobFile.empty() ? OdcnHelper().CreateJobs(experiment.GetLoads().front())
                                   : Ptr<OdcnJobSource>(system.OpenJobFile());
        SaveJobs(options.saveJobs, experiment, *source);
        files.Written(options.saveJobs, "the jobs of the first replication, for --jobFile");
    }
    Remarks remarks;
    experiment.SetBegun(
        [&](const Experiment::Trial& trial)
        {
            if (trial.replication == 0)
            {
                jobs.Record(trial.title, dynamic_cast<OdcnScheduling&>(trial.problem).GetManager());
            }
        },
        Experiment::HookScope::FIRST);
    experiment.SetEnded(
        [&](const Experiment::Trial& trial)
        {
            if (trial.replication == 0)
            {
                jobs.Record("", nullptr);
                const bool file = !system.jobFile.empty();
                AddRemarks(remarks,
                           trial,
                           file ? "" : OdcnSystem::GetPattern(),
                           file ? 0 : experiment.GetLoads()[trial.index]);
            }
        },
        Experiment::HookScope::FIRST);
    experiment.Measure();
    jobs.Commit();
    jobs.AddTo(experiment.GetReport());
    files.Written("jobs.csv", "every job of the first replication: when, where, why not");
    std::cout << "\n" << centre << "\n" << experiment.Describe() << "\n\nJob level\n";
    experiment.Print(std::cout);
    std::cout << std::flush;
    return remarks;
}

/// Run the packets and write what they measured. @param options options
/// @param experiment the comparison, measured  @param files output folder
void
RunWindows(const Options& options, Experiment& experiment, OutputFiles& files)
{
    OdcnWindowRecorder recorder(files.Path("windows.csv"));
    std::string comparison;
    try
    {
        comparison = RunPackets(options, experiment, recorder, files);
    }
    catch (const Interruption& stop)
    {
        experiment.Write(files);
        throw Interruption(stop.GetSignal(),
                           "the job level is complete in " + experiment.GetOutput() +
                               ", no packets were written");
    }
    recorder.Commit();
    files.Written("windows.csv", "every measurement window: packets, latency, loss by cause");
    recorder.WriteJobs(files.Path("job-packets.csv"));
    files.Written("job-packets.csv", "latency and loss of every job measured in a window");
    recorder.WriteLatencies(files.Path("latencies.csv"));
    files.Written("latencies.csv", "distribution of the latency by policy");
    experiment.Write(files);
    recorder.AddTo(experiment.GetReport());
    recorder.WriteTotals(files.Path("packets.csv"));
    files.Written("packets.csv", "packets of every policy, all windows together");
    std::cout << "\nPackets between racks, one way from socket to socket\n";
    recorder.MakeTable().Print(std::cout, experiment.GetWidth());
    uint64_t unbalanced = 0;
    for (const auto& row : experiment.GetRows())
    {
        unbalanced += recorder.GetUnbalanced(row.choice.name);
    }
    std::cout << "sent = received + dropped by cause + in flight in "
              << (unbalanced ? "all windows but " + std::to_string(unbalanced) : "every window")
              << ".\n"
              << comparison;
}

} // namespace

int
main(int argc, char* argv[])
try
{
    // 296 bytes at 40 Gb/s take 59.2 ns: a nanosecond is too coarse.
    Time::SetResolution(Time::PS);
    Options options;
    Experiment experiment;
    experiment.SetLoads("66", "mean job duration in units of the mean inter-arrival time");
    experiment.SetJobs(10000, 2000);
    experiment.SetOutput("odcn-drl-scheduling-out");
    OdcnCommandLine cmd(argc,
                        argv,
                        "Jobs on an optical data centre, placed by rules and by a learning agent.");
    experiment.AddOptions(cmd);
    options.system.AddOptions(cmd);
    options.AddPackets(cmd);
    // The file is the only replication, with all of its jobs.
    cmd.Restrict({"loads", "jobs", "replications"}, {"!jobFile"});
    cmd.SetGroup("Files");
    cmd.AddValue("saveJobs", "write the first replication's jobs to this file", options.saveJobs);
    cmd.SetGroup("Training", "train");
    cmd.AddValue("train", "train an agent instead of comparing", options.train);
    options.training.AddOptions(cmd);
    cmd.Restrict({"jobFile", "windows", "windowWarmUp", "windowLength", "saveJobs"}, {"!train"});
    cmd.Restrict({"packets"}, {"!train", "packets=formula"});
    cmd.Parse();
    cmd.Require(options.system.jobFile.empty() || !options.system.OpenJobFile()->HasPairs(),
                "pattern",
                "only without --jobFile, or with one that has neither demands nor pairs");
    options.faults.Check();
    if (options.packets == "both")
    {
        // The exact engine has no faults; ns-3 is for the traces.
        options.packets = options.faults.IsUsed()               ? "ns3"
                          : options.pcap || options.flowMonitor ? "both"
                                                                : "exact";
    }
    if (options.train)
    {
        return options.training.Run(options.system, experiment.GetLoad(), cmd.GetCommand());
    }
    const std::string centre = Prepare(options, experiment);
    OutputFiles files(experiment.GetOutput());
    const Remarks remarks = RunJobs(options, experiment, files, centre);
    if (options.packets == "formula")
    {
        experiment.Write(files);
    }
    else
    {
        RunWindows(options, experiment, files);
    }
    for (const auto& [key, line] : remarks)
    {
        std::cout << line;
    }
    experiment.GetReport().Write(files);
    files.Print(std::cout);
    const bool events = options.packets == "ns3" || options.packets == "both";
    if (!events && (options.pcap || options.flowMonitor))
    {
        std::cout << "No pcap and no FlowMonitor file: they need --packets=both or ns3.\n";
    }
    return 0;
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
