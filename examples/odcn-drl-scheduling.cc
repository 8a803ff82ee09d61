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
#include "ns3/odcn-alibaba-jobs.h"
#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-flow-report.h"
#include "ns3/odcn-job-file.h"
#include "ns3/odcn-job-recorder.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-training-options.h"
#include "ns3/string.h"

#include <algorithm>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Options besides those of the experiment.
struct Options
{
    OdcnSystem system;              //!< options of the data centre
    bool pcap{true};                //!< whether the last policy's run writes a pcap file
    bool flowMonitor{true};         //!< whether the last policy's run writes FlowMonitor's XML
    uint32_t packetReplications{0}; //!< replications with packets in the summary
    std::string saveJobs;           //!< file for the first replication's jobs
    FaultHelper faults;             //!< of the runs with packets
};

/// Mean number of VMs of a generated job, each of which is one decision.
constexpr double DECISIONS_PER_JOB = 15.5;

/**
 * Train an agent and write its checkpoint.
 * @param system data centre; its checkpoint is written  @param options of the training
 * @param load load unless set by options or the recipe
 * @return exit status
 */
int
Train(const OdcnSystem& system, const TrainingOptions& options, double load)
{
    const auto loadOf = [](const TrainingCase& made)
    {
        const std::string& text = made.values.at("loads");
        const auto number = ParseFinite(text);
        OdcnCommandLine::Check(number.has_value(), "trainLoads", text, "numbers above 0");
        return *number;
    };
    std::ostringstream usual;
    usual << load;
    TrainingTask task;
    task.checkpoint = system.checkpoint;
    task.create = [&, helper = system.MakeHelper()](const TrainingCase& made)
    {
        OdcnHelper own = helper;
        own.SetJobAttribute("Pattern", StringValue(made.values.at("patterns")));
        return own.CreateProblem(loadOf(made));
    };
    task.find = [&](const std::string& words) { return system.Find(words); };
    task.duration = [&](const TrainingCase& made) { return loadOf(made) * DECISIONS_PER_JOB; };
    task.cases = {{"patterns", system.pattern}, {"loads", usual.str()}};
    task.describe = [&](const DecisionProblem&)
    {
        std::map<std::string, std::string> record{{"placement", system.placement},
                                                  {"racks", std::to_string(system.tors)},
                                                  {"servers", std::to_string(system.servers)},
                                                  {"serversPerRack", system.serversPerRack},
                                                  {"uplinksPerRack", system.uplinksPerRack},
                                                  {"uplinkRatePerRack", system.uplinkRatePerRack}};
        std::erase_if(record, [](const auto& entry) { return entry.second.empty(); });
        return record;
    };
    return options.Run(task);
}

/**
 * Adapt an experiment to the finite jobs of a file: one replication of all jobs, in batches.
 * @param system data centre with the file  @param experiment the experiment
 */
void
FitToFile(const OdcnSystem& system, Experiment& experiment)
{
    uint64_t jobs = 0;
    const auto source = system.OpenJobFile();
    if (const auto file = DynamicCast<OdcnJobFile>(source))
    {
        jobs = file->Check();
    }
    else if (const auto trace = DynamicCast<OdcnAlibabaJobs>(source))
    {
        const AlibabaReport& report = trace->GetReport();
        jobs = report.jobsUsed;
        std::cout << system.jobFile << ":\n";
        report.Print(std::cout);
    }
    else
    {
        for (OdcnJob job; source->Next(job);)
        {
            ++jobs;
        }
    }
    if (jobs < 2)
    {
        throw OdcnError::InFile(system.jobFile, 0, std::to_string(jobs) + " jobs", "2 or more");
    }
    const uint64_t warmUp = std::min(experiment.GetWarmUp(), jobs / 10);
    experiment.SetJobs(jobs - warmUp, warmUp);
    experiment.SetReplications(1);
    experiment.SetBatches(static_cast<uint32_t>(std::min<uint64_t>(20, jobs - warmUp)));
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

/**
 * The hooks of a policy's run in ns-3: faults, traces and their files.
 * @param options options
 * @param experiment number of jobs
 * @param name name of the policy
 * @param traced whether to write traces
 * @param files output folder
 * @param flows the FlowMonitor,
 * which must outlive the run
 * @return the hooks
 */
OdcnSystem::Hooks
MakeHooks(const Options& options,
          const Experiment& experiment,
          const std::string& name,
          bool traced,
          OutputFiles& files,
          std::optional<FlowReport>& flows)
{
    struct Faulty
    {
        Ptr<FaultInjector> injector; // null without faults
        Ptr<CsMgr> manager;          // whose jobs they interrupt
    };

    const auto faulty = std::make_shared<Faulty>();
    const uint64_t jobs = experiment.GetWarmUp() + experiment.GetJobs();
    OdcnSystem::Hooks hooks;
    hooks.begun =
        [&options, &files, &flows, faulty, jobs, traced](OdcnScenario& scenario, OdcnHelper& helper)
    {
        faulty->manager = scenario.scheduler->GetProblem()->GetManager();
        if (options.faults.IsUsed())
        {
            // A job arrives in each unit of job time on average.
            const auto unit = GetAttributeOf<TimeValue>(*scenario.scheduler, "JobTimeUnit");
            faulty->injector = options.faults.Create();
            faulty->injector->SetFabric(scenario.fabric);
            FaultHelper::AddController(faulty->injector, scenario.scheduler);
            options.faults.Start(faulty->injector, unit * static_cast<int64_t>(jobs), 50000);
        }
        if (traced && options.pcap)
        {
            // One uplink of the first ToR switch, with link type raw IP.
            helper.GetOptics().EnablePcap(files.Temporary("tor-0-uplink-0.pcap"),
                                          scenario.fabric->GetUplink(0, 0),
                                          true,
                                          true);
        }
        if (traced && options.flowMonitor)
        {
            flows.emplace(NanoSeconds(10));
            flows->Install(scenario.fabric->GetServers());
        }
    };
    hooks.ended = [&options, &files, &flows, faulty, name, traced]()
    {
        if (faulty->injector)
        {
            const OdcnCounters& counters = faulty->manager->GetCounters();
            std::cout << name << " under faults: " << counters.Offered() << " jobs offered, "
                      << counters.offeredAgain << " of them again, " << counters.Blocked()
                      << " blocked, " << counters.interrupted << " interrupted\n";
        }
        if (flows)
        {
            AtomicFile xml(files.Path("flow-monitor.xml"));
            flows->Write(xml.Stream());
            xml.Commit();
            files.Written("flow-monitor.xml", "FlowMonitor of " + name);
        }
        if (traced && options.pcap)
        {
            files.Keep("tor-0-uplink-0.pcap",
                       "packets of " + name + " through uplink 0 of ToR 0, both ways");
        }
    };
    return hooks;
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
    const OdcnSystem& system = options.system;
    const bool both = system.packets == "both";
    const auto& rows = experiment.GetRows();
    const uint64_t jobs = experiment.GetWarmUp() + experiment.GetJobs();
    const uint64_t total = jobs * (rows.size() + (both ? 1 : 0));
    Progress progress("packets", total, "jobs");
    uint64_t before = 0;
    std::string comparison;
    const auto run = [&](const Experiment::Row& row, bool events, OdcnWindowRecorder& to)
    {
        const std::string& name = row.choice.name;
        const auto report = [&](uint64_t done)
        { progress.Update(before + done, [&]() { return name + (events ? " in ns-3" : ""); }); };
        const auto [decisions, policy] = experiment.Begin(0, row);
        const auto problem = DynamicCast<OdcnScheduling>(decisions);
        std::optional<FlowReport> flows;
        OdcnSystem::Hooks hooks;
        if (events)
        {
            hooks = MakeHooks(options, experiment, name, &row == &rows.back(), files, flows);
        }
        system.RunPackets(experiment, problem, policy, to, name, report, events, hooks);
        before += jobs;
    };
    for (const auto& row : rows)
    {
        run(row, system.packets == "ns3", recorder);
    }
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

/// Add the figures of merit of packets between racks, by the exact engine, to those of the jobs.
/// @param options options
/// @param experiment the experiment
void
AddPacketFigures(const Options& options, Experiment& experiment)
{
    using Kind = FigureOfMerit::Kind;
    experiment.AddFigures(
        {{"packet_ns", "latency\n(packets)", "ns", 1, Kind::RATIO},
         {"packet_p99_ns", "p99\n(packets)", "ns"},
         {"packet_loss", "loss\n(packets)", "%", 100, Kind::SHARE},
         {"closed_form_ns", "closed form", "ns", 1, Kind::RATIO, false},
         {"closed_form_loss", "closed form", "%", 100, Kind::RATIO, false},
         {"over_closed_form", "latency over\nclosed form", "", 1, Kind::RATIO, false},
         {"unbalanced", "unbalanced windows", "", 1, Kind::MEAN, false}},
        [&](const Experiment::Trial& trial) -> std::vector<FigureValue>
        {
            if (trial.replication >= options.packetReplications)
            {
                return std::vector<FigureValue>(7, {0, 0});
            }
            const std::string& name = trial.choice.name;
            const auto [decisions, policy] = experiment.Begin(trial);
            OdcnWindowRecorder recorder("/dev/null");
            options.system.RunPackets(experiment,
                                      DynamicCast<OdcnScheduling>(decisions),
                                      policy,
                                      recorder,
                                      name,
                                      [](uint64_t) { Interruption::Check(); },
                                      false,
                                      {});
            const OdcnScopeResult total = recorder.GetTotal(name);
            const auto received = static_cast<double>(total.measuredReceived);
            const auto lost = static_cast<double>(total.measuredDropped);
            if (received == 0)
            {
                return {{0, 0}, {0, 0}, {lost, lost}, {0, 0}, {0, 0}, {0, 0}, {0}};
            }
            // The closed form covers the circuits; add the servers' links and the fibres.
            const double formulaNs = recorder.GetFormulaNs(name) + recorder.GetLinksNs(name);
            return {{total.meanNs * received, received},
                    {total.p99Ns},
                    {lost, lost + received},
                    {formulaNs * received, received},
                    {recorder.GetFormulaLoss(name) * (lost + received), lost + received},
                    {total.meanNs * received, formulaNs * received},
                    {static_cast<double>(recorder.GetUnbalanced(name))}};
        });
}

/// @param recorder recorder of the windows  @param experiment the policies  @param path packets.csv
void
ReportPackets(const OdcnWindowRecorder& recorder, Experiment& experiment, const std::string& path)
{
    RunReport& report = experiment.GetReport();
    // clang-format off
    const auto chart = [&](const std::string& title, const std::string& y) -> ReportChart&
    { return report.AddChart({ReportChart::Kind::ESTIMATES, title, "", y, "quantity", "", {}}); };
    // clang-format on
    ReportChart& latency = chart("Latency of packets between racks", "ns");
    ReportChart& loss = chart("Loss of packets between racks", "%");
    Table table({"policy",
                 "windows",
                 "packets\nmeasured",
                 "latency\nns",
                 "p50\nns",
                 "p99\nns",
                 "p99.9\nns",
                 "loss\n%",
                 "drift\n%",
                 "closed form\nns",
                 "closed form\nloss %"});
    std::vector<std::string> columns{"policy", "windows", "packets"};
    for (const char* name : {"latency_ns", "p50_ns", "p99_ns", "p999_ns", "loss", "drift"})
    {
        for (const char* part : {"", "_lower", "_upper"})
        {
            columns.push_back(std::string(name) + part);
        }
    }
    columns.insert(columns.end(), {"closed_form_ns", "closed_form_loss", "unbalanced"});
    CsvWriter csv(path, columns);
    uint64_t unbalanced = 0;
    for (const auto& row : experiment.GetRows())
    {
        const std::string& name = row.choice.name;
        // The closed form covers the circuits; add the servers' links and the fibres.
        const double formulaNs = recorder.GetFormulaNs(name) + recorder.GetLinksNs(name);
        const double formulaLoss = recorder.GetFormulaLoss(name);
        const uint64_t packets = recorder.GetTotal(name).measuredReceived;
        std::vector<std::string> cells{name,
                                       std::to_string(recorder.GetNWindows(name)),
                                       std::to_string(packets)};
        csv.Cell(name).Cell(recorder.GetNWindows(name)).Cell(packets);
        for (const auto& [estimate, scale] : {std::pair{recorder.GetLatencyNs(name), 1},
                                              std::pair{recorder.GetQuantileNs(name, 0.5), 1},
                                              std::pair{recorder.GetQuantileNs(name, 0.99), 1},
                                              std::pair{recorder.GetQuantileNs(name, 0.999), 1},
                                              std::pair{recorder.GetLoss(name), 100},
                                              std::pair{recorder.GetDrift(name), 100}})
        {
            cells.push_back(FormatEstimate(estimate, scale));
            csv.Cell(estimate.mean).Cell(estimate.lower).Cell(estimate.upper);
        }
        latency.AddEstimate("mean", "", name, recorder.GetLatencyNs(name));
        latency.AddEstimate("p50", "", name, recorder.GetQuantileNs(name, 0.5));
        latency.AddEstimate("p99", "", name, recorder.GetQuantileNs(name, 0.99));
        latency.AddEstimate("p99.9", "", name, recorder.GetQuantileNs(name, 0.999));
        latency.AddEstimate("closed form, mean", "", name, Estimate::Exactly(formulaNs));
        loss.AddEstimate("packets", "", name, recorder.GetLoss(name), 100);
        loss.AddEstimate("closed form", "", name, Estimate::Exactly(formulaLoss), 100);
        cells.push_back(FormatFixed(formulaNs, 1));
        cells.push_back(FormatFixed(100 * formulaLoss, 4));
        table.AddRow(cells);
        csv.Cell(formulaNs).Cell(formulaLoss).Cell(recorder.GetUnbalanced(name)).EndRow();
        unbalanced += recorder.GetUnbalanced(name);
    }
    csv.Commit();
    const char* title = "Packets between racks, one way from socket to socket";
    report.AddTable(title, table);
    std::cout << "\n" << title << "\n";
    table.Print(std::cout, experiment.GetWidth());
    std::cout << "sent = received + dropped by cause + in flight in "
              << (unbalanced ? "all windows but " + std::to_string(unbalanced) : "every window")
              << ".\n";
}

/// Add the distributions of latency. @param path latencies.csv  @param report the report
void
AddLatencies(const std::string& path, RunReport& report)
{
    ReportChart& chart = report.AddChart({ReportChart::Kind::CDF,
                                          "Latency of packets",
                                          "latency, ns",
                                          "share of packets",
                                          "packets",
                                          "Points of the histogram less than 0.25 % apart are "
                                          "left out, except in the last per cent.",
                                          {}});
    std::string line;
    double last = 0;
    RunReport::ReadCsv(path,
                       {"policy", "scope", "below_ns", "share_below"},
                       [&](const auto& cells)
                       {
                           const double share = ParseFinite(cells[3]).value_or(0);
                           last = cells[0] + cells[1] == line ? last : 0;
                           line = cells[0] + cells[1];
                           const double left = 1 - share;
                           if (share - last >= 0.0025 || (left < 0.01 && left < 0.8 * (1 - last)))
                           {
                               chart.rows.push_back(
                                   {cells[1], cells[0], ParseFinite(cells[2]).value_or(0), share});
                               last = share;
                           }
                       });
}

} // namespace

int
main(int argc, char* argv[])
try
{
    Options options;
    OdcnSystem& system = options.system;
    TrainingOptions training(
        {.system = "odcn",
         .problem = OdcnScheduling::GetTypeId().GetName(),
         .agent = "ppo",
         .cases = {{"patterns", "trainPatterns", "comma-separated job patterns"},
                   {"loads", "trainLoads", "comma-separated loads"}},
         .attributes = {{"state", "ns3::odcn::OdcnScheduling::State"},
                        {"alpha", "ns3::odcn::OdcnScheduling::Alpha"},
                        {"phiReconf", "ns3::odcn::OdcnScheduling::PhiReconf"},
                        {"charge", "ns3::odcn::OdcnScheduling::Charge"}},
         .decisionsPerJob = DECISIONS_PER_JOB,
         .decisionsLimitGenerations = true});
    Experiment experiment;
    experiment.SetLoads("66", "mean job duration in units of the mean inter-arrival time");
    experiment.SetJobs(10000, 2000);
    experiment.SetOutput("odcn-drl-scheduling-out");
    OdcnCommandLine cmd(argc,
                        argv,
                        "Jobs on an optical data centre, placed by rules and by a learning agent.");
    experiment.AddOptions(cmd);
    system.AddOptions(cmd);
    cmd.AddValue("pcap", "whether to write a pcap file of the last policy", options.pcap);
    cmd.AddValue("flowMonitor",
                 "whether to write FlowMonitor's XML of the last policy",
                 options.flowMonitor);
    cmd.Restrict({"pcap", "flowMonitor"}, {"packets=both", "packets=ns3"});
    cmd.AddValue("packetReplications",
                 "replications whose packets are also sent, at every load, for figures of merit "
                 "with intervals over replications",
                 options.packetReplications);
    cmd.Restrict({"packetReplications"}, {"packets=both", "packets=exact"});
    for (const char* condition : {"!faults", "!mtbf", "!jobFile", "!train"})
    {
        cmd.Restrict({"packetReplications"}, {condition});
    }
    options.faults.AddOptions(cmd);
    cmd.Restrict({"faults", "mtbf"}, {"packets=both", "packets=ns3"});
    // The file is the only replication, with all of its jobs.
    cmd.Restrict({"loads", "jobs", "replications"}, {"!jobFile"});
    cmd.SetGroup("Files");
    cmd.AddValue("saveJobs", "write the first replication's jobs to this file", options.saveJobs);
    training.AddTo(cmd);
    cmd.Restrict({"jobFile", "windows", "windowWarmUp", "windowLength", "saveJobs"}, {"!train"});
    cmd.Restrict({"packets"}, {"!train", "packets=formula"});
    cmd.Parse();
    system.Check();
    // 296 bytes at 40 Gb/s take 59.2 ns: a nanosecond is too coarse.
    Time::SetResolution(Time::PS);
    options.faults.Check();
    if (system.packets == "both")
    {
        // The exact engine has no faults; ns-3 is for the traces.
        system.packets = options.faults.IsUsed()               ? "ns3"
                         : options.pcap || options.flowMonitor ? "both"
                                                               : "exact";
    }
    if (training.train)
    {
        return Train(system, training, experiment.GetLoad());
    }

    if (experiment.GetPolicies().empty())
    {
        // The paper's network was trained for, and is made for, 16 racks.
#if ODCN_HAVE_TRAINING
        experiment.SetPolicies(std::string("random,first-fit,untrained,all2all-ccf,odcn-ccf,") +
                               "odcn-jcb,odcn-score," + (system.tors == 16 ? "drl-paper," : "") +
                               "linear,drl");
#else
        experiment.SetPolicies("random,first-fit,all2all-ccf,odcn-ccf,odcn-jcb,odcn-score,linear");
#endif
    }
    const OdcnHelper helper = system.MakeHelper();
    if (system.jobFile.empty())
    {
        experiment.SetProblem([&](double load) { return helper.CreateProblem(load); });
    }
    else
    {
        FitToFile(system, experiment);
        experiment.AddCase({{"jobs", system.jobFile}},
                           [&]() { return helper.CreateProblem(system.OpenJobFile()); });
    }
    if (options.packetReplications > 0)
    {
        AddPacketFigures(options, experiment);
    }
    experiment.SetFinder([&](const auto&, const std::string& words) { return system.Find(words); });
    experiment.Check();
    const bool windows = system.packets != "formula";
    OdcnCommandLine::Check(!windows || system.windows <= experiment.GetJobs(),
                           "windows",
                           system.windows,
                           "at most the number of jobs");
    for (std::size_t i = 0; system.jobFile.empty() && i < experiment.GetNCases(); ++i)
    {
        const auto bound = system.MakeBound(experiment.GetLoads()[i]);
        experiment.AddBound(i,
                            "least possible",
                            {{"blocking", Estimate::Exactly(bound.GetBlocking())},
                             {"cpu_utilisation", Estimate::Exactly(bound.GetUtilization())}});
    }

    OutputFiles files(experiment.GetOutput());
    OdcnJobRecorder jobs(files.Path("jobs.csv"));
    OdcnWindowRecorder recorder(files.Path("windows.csv"));
    if (!options.saveJobs.empty())
    {
        const auto source = system.jobFile.empty()
                                ? helper.CreateJobs(experiment.GetLoads().front())
                                : system.OpenJobFile();
        SaveJobs(options.saveJobs, experiment, *source);
        files.Written(options.saveJobs, "the jobs of the first replication, for --jobFile");
    }
#if ODCN_HAVE_TRAINING
    std::map<std::string, AgentPolicy::ForwardPasses> passes;
#endif
    std::map<std::string, std::string> transfers; // policies outside of their training
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
            if (trial.replication > 0)
            {
                return;
            }
            jobs.Record("", nullptr);
#if ODCN_HAVE_TRAINING
            if (const auto* agent = dynamic_cast<AgentPolicy*>(&trial.policy))
            {
                passes[trial.title] = agent->GetForwardPasses();
            }
#endif
            const auto& loads = experiment.GetLoads();
            const double load = trial.index < loads.size() ? loads[trial.index] : 0;
            if (const auto other = system.CompareTraining(trial.policy, load); !other.empty())
            {
                transfers[trial.title] = other;
            }
        },
        Experiment::HookScope::FIRST);
    experiment.Measure();
    jobs.Commit();
    jobs.AddTo(experiment.GetReport());
    files.Written("jobs.csv", "every job of the first replication: when, where, why not");
    std::cout << "\n"
              << system.Describe() << ", "
              << (system.jobFile.empty()
                      ? "pattern " + system.pattern + ", load " + experiment.GetLoadsText()
                      : "jobs of " + system.jobFile)
              << "\n"
              << experiment.Describe() << "\n\nJob level\n";
    experiment.Print(std::cout);
    std::cout << std::flush;
    std::string comparison;
    if (windows)
    {
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
        AddLatencies(files.Path("latencies.csv"), experiment.GetReport());
        files.Written("latencies.csv", "distribution of the latency by policy");
    }
    experiment.Write(files);
    if (windows)
    {
        ReportPackets(recorder, experiment, files.Path("packets.csv"));
        files.Written("packets.csv", "packets of every policy, all windows together");
        std::cout << comparison;
    }
    for (const auto& [name, other] : transfers)
    {
        std::cout << "warning: " << name << " was trained on other data centres: " << other
                  << ".\n";
    }
#if ODCN_HAVE_TRAINING
    for (const auto& [name, n] : passes)
    {
        std::cout << name << ": " << n.torch + n.fast
                  << " decisions of the first replication by a network, " << n.torch
                  << " of them evaluated by LibTorch, " << n.fast
                  << " by the fast path for dense layers.\n";
    }
#else
    std::cout << "No agents: this odcn was built without LibTorch.\n";
#endif
    experiment.GetReport().Write(files);
    files.Print(std::cout);
    if (system.packets != "ns3" && system.packets != "both" &&
        (options.pcap || options.flowMonitor))
    {
        std::cout << "No pcap and no FlowMonitor file: they need --packets=both or ns3.\n";
    }
    return 0;
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
