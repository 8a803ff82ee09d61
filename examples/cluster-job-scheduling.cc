// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Scheduling of waiting jobs on a cluster. The system of "Resource Management with Deep
 * Reinforcement Learning" (DeepRM), of "Cloud Resource Scheduling With Deep Reinforcement Learning
 * and Imitation Learning" (DeepRM_Plus) and of "Data Centers Job Scheduling with Deep Reinforcement
 * Learning" (A2cScheduler).
 *
 *     backlog          job slots 1 to M            cluster, time slots ahead
 *                                                   0 . . . . CPU units
 *   +-+-+-+-+-+    +---+  +---+  +---+   place    +-+-+-+-+-+-+-+-+-+-+
 *   | | |#|#|#| -> |## |  |#  |  |   |  ------->  |A|A|A|A|A|B|B| | | |  now
 *   +-+-+-+-+-+    |## |  |#  |  |   |            |A|A|A|A|A| | | | | |
 *   jobs arrive    +---+  +---+  +---+            |C|C|C|C|C|C|C|C| | |  v
 *                                                 +-+-+-+-+-+-+-+-+-+-+  and the same for memory
 *
 * A policy places one job after the other, or advances time by one slot. The program lets every
 * policy schedule the same sets of jobs, under both protocols for the end of an episode, and
 * reports slowdown (weighted turnaround time), cycling time and waiting time.
 *
 * Try:
 *   ./ns3 run cluster-job-scheduling
 *   ./ns3 run "cluster-job-scheduling --jobSlots=5 --protocols=all-done"
 *   ./ns3 run "cluster-job-scheduling --arrivals=Poisson --loads=10,50,90,130,190"
 *   ./ns3 run "cluster-job-scheduling --sweep=1"
 *   ./ns3 run "cluster-job-scheduling --jobFile=log.swf.gz --format=swf --timeUnit=3600
 * --capacity=128
 *              --horizon=100 --backlog=100000"
 *   ./ns3 run "cluster-job-scheduling --machines=4 --loads=80 --arrivals=Poisson --mtbf=server=90s
 * --mttr=server=10s"
 *   ./ns3 run "cluster-job-scheduling --train=1 --checkpoint=agent.pt"
 *   ./ns3 run "cluster-job-scheduling --policies=sjf,tetris,agent --checkpoint=agent.pt"
 */

#include "cluster-job-scheduling-log.h"

#include "ns3/boolean.h"
#include "ns3/cluster-helper.h"
#include "ns3/cluster-job-file.h"
#include "ns3/cluster-trace.h"
#include "ns3/double.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-training-options.h"
#include "ns3/odcn-turnaround-bound.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Agents that data/ may contain.
const std::vector<std::string> SHIPPED{"deeprm",
                                       "deeprm-plus",
                                       "a2cscheduler",
                                       "deeprm-paper",
                                       "deeprm-plus-paper"};

/// Tetris with weights from SJF to pure packing, for --sweep.
const std::string SWEEP =
    "tetris-best=tetris[Knob={0,0.001,0.002,0.005,0.01,0.02,0.05,0.1,0.2,0.5,1}]";

/// First stream of random numbers of faults; those of a set follow those of the set before.
constexpr int64_t FAULT_STREAM = 50000;

/// Jobs that all policies are compared on.
struct Workload
{
    std::string label; //!< label in tables, e.g. "rate 0.7" or "load 110 %"
    double rate{0};    //!< jobs per slot; 0 if set by the load
    double load{0};    //!< share of the cluster's units; 0 if set by rate or trace
};

/// Options of the cluster and its jobs, with their defaults.
struct System
{
    uint32_t machines{1};                         //!< N, number of machines
    uint32_t capacity{10};                        //!< r, units of a resource per machine
    uint32_t horizon{20};                         //!< time slots ahead that are visible
    uint32_t jobSlots{10};                        //!< M, number of job slots
    uint32_t backlog{60};                         //!< maximum number of jobs in the backlog
    std::string reward{"R1"};                     //!< R1 or R2
    std::string protocols{"all-done,no-new-job"}; //!< when episodes end
    uint64_t maxSlots{0};                         //!< limit of all-done; 0 for the default
    std::string arrivals{"Bernoulli"};            //!< Bernoulli or Poisson
    std::string rates{"0.7"};                     //!< jobs per slot
    std::string loads;                            //!< loads in percent, instead of rates
    uint64_t setSlots{50};                        //!< slots with arrivals
    std::string jobFile;                          //!< file of the trace; empty for random jobs
    std::string format{"csv"};                    //!< format of the trace
    std::string columns;                          //!< column map of the trace
    double timeUnit{60};                          //!< seconds per slot
    double cpuUnit{1};                            //!< processors per unit
    double memoryUnit{1};                         //!< GiB or percent per unit
    double arrivalFactor{1};                      //!< factor of arrival times
    uint64_t jobsPerSet{0};                       //!< jobs per set of a trace; 0 for all
    bool skipMalformed{false};                    //!< whether to count malformed rows
    std::string checkpoint;                       //!< file of the policy agent, or of a training
    FaultHelper faults{};                         //!< of machines
    ClusterTraceReport trace;                     //!< report on the whole trace

    /// Add the options. @param cmd command line
    void AddOptions(OdcnCommandLine& cmd);

    /// Read the trace, if any. @throws OdcnError when an option is out of range
    void Check();

    /// @return helper that builds clusters, with the protocol unset
    ClusterHelper MakeHelper() const;

    /// @param factor factor of arrival times  @return the trace
    Ptr<ClusterTrace> MakeTrace(double factor) const;

    /// @return one workload per rate or load, or the trace
    std::vector<Workload> GetWorkloads() const;

    /// @param workload a workload  @return its jobs, streams not yet assigned
    Ptr<ClusterJobSource> MakeJobs(const Workload& workload) const;

    /// @param workload a workload  @param protocol end of episodes  @return the problem
    Ptr<ClusterScheduling> MakeProblem(const Workload& workload, const std::string& protocol) const;

    /// @return whether agents in data/ exist and fit the cluster
    bool HasAgents() const;

    /// @return default policies of the comparison
    std::string GetUsualPolicies() const;

    /// @param words specification of a policy  @return the policy; agents get their files
    PolicyChoice Find(const std::string& words) const;
};

/// @param agent one of SHIPPED  @return its file
std::string
GetFile(const std::string& agent)
{
    return GetDataFile("cluster-" + agent + ".pt");
}

/**
 * @param list comma-separated numbers  @param option option name  @param most greatest valid number
 * @return the numbers, all above 0, with their text
 */
std::vector<std::pair<std::string, double>>
ParseNumbers(const std::string& list, const std::string& option, double most)
{
    std::vector<std::pair<std::string, double>> numbers;
    for (const auto& text : OdcnCommandLine::SplitList(list, option))
    {
        const auto number = ParseFinite(text);
        OdcnCommandLine::Check(number && *number > 0 && *number <= most,
                               option,
                               text,
                               "numbers above 0 separated by commas, " +
                                   std::to_string(static_cast<int>(most)) + " at most");
        numbers.emplace_back(text, *number);
    }
    return numbers;
}

void
System::AddOptions(OdcnCommandLine& cmd)
{
    cmd.SetGroup("System");
    cmd.AddRange("machines", "number of identical machines", machines, 1U, 100000U);
    cmd.AddRange("capacity",
                 "units of CPU and of memory per machine",
                 capacity,
                 1U,
                 uint32_t{CLUSTER_UNITS});
    cmd.AddRange("horizon",
                 "visible time slots; jobs last at most one slot less",
                 horizon,
                 2U,
                 1000000U);
    cmd.AddRange("jobSlots", "waiting jobs that can be chosen", jobSlots, 1U, 100000U);
    cmd.AddValue("backlog", "maximum number of waiting jobs in the backlog", backlog);
    cmd.AddWord("reward",
                "R1 (weighted turnaround time) or R2 (cycling time)",
                reward,
                {"R1", "R2"});
    cmd.AddValue("protocols", "when episodes end: all-done, no-new-job, or both", protocols);
    cmd.AddRange("maxSlots",
                 "maximum time slots of all-done; 0 for 200, or with a trace for as many as its "
                 "jobs one by one",
                 maxSlots,
                 uint64_t{0},
                 uint64_t{1000000000});
    cmd.AddWord("arrivals",
                "Bernoulli (at most one job per slot) or Poisson",
                arrivals,
                {"Bernoulli", "Poisson"});
    cmd.AddValue("rates", "jobs per time slot, separated by commas", rates);
    cmd.AddValue("loads", "loads in percent, separated by commas, instead of rates", loads);
    cmd.AddRange("setSlots",
                 "time slots with arrivals",
                 setSlots,
                 uint64_t{1},
                 uint64_t{100000000});
    cmd.AddValue("checkpoint", "file of the policy agent, or output of a training", checkpoint);
    cmd.SetGroup("Trace", "jobFile");
    cmd.AddValue("jobFile", "trace of jobs", jobFile);
    cmd.AddWord("format",
                "format of the trace: swf, alibaba-2018, cerit, columns or csv",
                format,
                {"swf", "alibaba-2018", "cerit", "columns", "csv"});
    cmd.AddValue("columns",
                 "column map of the trace, e.g. arrival=t,duration=end-t,cpu=n",
                 columns);
    cmd.AddRange("timeUnit", "seconds per time slot", timeUnit, 1e-6, 1e9);
    cmd.AddRange("cpuUnit", "processors per unit", cpuUnit, 1e-6, 1e9);
    cmd.AddRange("memoryUnit",
                 "GiB per unit; for Alibaba, percent of a machine",
                 memoryUnit,
                 1e-6,
                 1e9);
    cmd.AddRange("arrivalFactor", "factor of the arrival times", arrivalFactor, 1e-6, 1e9);
    cmd.AddValue("jobsPerSet", "jobs per set; 0 for all", jobsPerSet);
    cmd.AddValue("skipMalformed", "count malformed rows, do not refuse the file", skipMalformed);
    cmd.Restrict({"columns"}, {"format=columns"});
    cmd.Restrict({"rates", "arrivals", "setSlots"}, {"!jobFile"});
    cmd.Restrict({"rates"}, {"!loads"});
    faults.AddOptions(cmd);
}

void
System::Check()
{
    faults.Check();
    for (const auto& protocol : OdcnCommandLine::SplitList(protocols, "protocols"))
    {
        OdcnCommandLine::CheckWord("protocols", protocol, {"all-done", "no-new-job"});
    }
    if (!jobFile.empty())
    {
        trace = MakeTrace(arrivalFactor)->Examine();
    }
    for (const auto& workload : GetWorkloads())
    {
        MakeJobs(workload)->NextSet();
    }
}

ClusterHelper
System::MakeHelper() const
{
    ClusterHelper helper;
    const auto set = [&](const char* name, uint64_t value)
    { helper.SetProblemAttribute(name, UintegerValue(value)); };
    set("Machines", machines);
    set("Capacity", capacity);
    set("Horizon", horizon);
    set("JobSlots", jobSlots);
    set("Backlog", backlog);
    set("MaxSlots", maxSlots ? maxSlots : 200);
    helper.SetProblemAttribute("Reward", StringValue(reward));
    helper.SetJobAttribute("Arrivals", StringValue(arrivals));
    helper.SetJobAttribute("Slots", UintegerValue(setSlots));
    return helper;
}

Ptr<ClusterTrace>
System::MakeTrace(double factor) const
{
    auto made = CreateObject<ClusterTrace>();
    made->SetAttribute("FileName", StringValue(jobFile));
    made->SetAttribute("Format", StringValue(format));
    made->SetAttribute("Columns", StringValue(columns));
    made->SetAttribute("TimeUnit", DoubleValue(timeUnit));
    made->SetAttribute("CpuUnit", DoubleValue(cpuUnit));
    made->SetAttribute("MemoryUnit", DoubleValue(memoryUnit));
    made->SetAttribute("ArrivalFactor", DoubleValue(factor));
    made->SetAttribute("MaxDuration", UintegerValue(horizon - 1));
    made->SetAttribute("MaxUnits", UintegerValue(capacity));
    made->SetAttribute("JobsPerSet", UintegerValue(jobsPerSet));
    made->SetAttribute("SkipMalformed", BooleanValue(skipMalformed));
    return made;
}

std::vector<Workload>
System::GetWorkloads() const
{
    std::vector<Workload> workloads;
    if (!loads.empty())
    {
        for (const auto& [text, percent] : ParseNumbers(loads, "loads", 10000))
        {
            workloads.push_back({"load " + text + " %", 0, percent / 100});
        }
    }
    else if (!jobFile.empty())
    {
        workloads.push_back({std::filesystem::path(jobFile).filename().string()});
    }
    else
    {
        for (const auto& [text, rate] : ParseNumbers(rates, "rates", 1000))
        {
            workloads.push_back({"rate " + text, rate, 0});
        }
    }
    return workloads;
}

Ptr<ClusterJobSource>
System::MakeJobs(const Workload& workload) const
{
    ClusterHelper helper = MakeHelper();
    if (!jobFile.empty())
    {
        return MakeTrace(workload.load > 0 ? arrivalFactor * trace.GetMeanUnits() /
                                                 (workload.load * helper.GetUnits())
                                           : arrivalFactor);
    }
    if (workload.rate > 0)
    {
        helper.SetJobAttribute("Rate", DoubleValue(workload.rate));
    }
    return helper.CreateJobs(workload.load);
}

Ptr<ClusterScheduling>
System::MakeProblem(const Workload& workload, const std::string& protocol) const
{
    ClusterHelper helper = MakeHelper();
    helper.SetProblemAttribute("Protocol", StringValue(protocol));
    auto most = static_cast<double>(std::max(setSlots, maxSlots ? maxSlots : 200));
    if (!jobFile.empty() && maxSlots == 0)
    {
        // Enough to run all jobs one after the other; an agent may also wait for ever.
        const double stretch =
            workload.load > 0 ? trace.GetMeanUnits() / (workload.load * helper.GetUnits()) : 1.0;
        most = static_cast<double>(trace.slots) * stretch + trace.slotsRun;
        helper.SetProblemAttribute("MaxSlots", UintegerValue(static_cast<uint64_t>(most) + 2));
    }
    auto problem = helper.CreateProblem(MakeJobs(workload));
    if (faults.IsUsed())
    {
        const auto make =
            [this, parts = problem->GetFaultParts(), until = Seconds(std::min(most, 9e6))](int set)
        { return faults.MakeTimeline(parts, until, FAULT_STREAM + set * FaultHelper::STREAMS); };
        make(0); // refuses what is wrong before anything is written
        problem->SetFaults([make, set = 0]() mutable { return make(set++); });
    }
    return problem;
}

bool
System::HasAgents() const
{
#if ODCN_HAVE_TRAINING
    const System usual;
    return machines == usual.machines && capacity == usual.capacity && horizon == usual.horizon &&
           jobSlots == usual.jobSlots && backlog == usual.backlog;
#else
    return false;
#endif
}

std::string
System::GetUsualPolicies() const
{
    std::string list = "random,random-feasible,first-fit,fcfs,hrrn,packer,tetris,"
                       "tetris[Knob=0.001],sjf,easy";
#if ODCN_HAVE_TRAINING
    list += ",untrained";
#endif
    if (!checkpoint.empty())
    {
        return list + ",agent";
    }
    for (const auto& agent : SHIPPED)
    {
        // Without a mask an agent may choose an action that does nothing until the end.
        const bool masked = agent.find("-paper") == std::string::npos;
        if (HasAgents() && (masked || jobFile.empty()) && std::filesystem::exists(GetFile(agent)))
        {
            list += "," + agent;
        }
    }
    return list;
}

PolicyChoice
System::Find(const std::string& words) const
{
    auto choice = PolicyRegistry::Find(ClusterScheduling::GetTypeId().GetName(), words);
    const std::string name = words.substr(0, words.find('['));
    const bool shipped = std::find(SHIPPED.begin(), SHIPPED.end(), name) != SHIPPED.end();
    choice.SetFile(shipped ? GetFile(name) : checkpoint);
    return choice;
}

/// Train an agent on the first workload and protocol. @param system cluster and jobs; its
/// checkpoint is written  @param options of the training  @return exit status
int
Train(const System& system, const TrainingOptions& options)
{
    const auto workload = system.GetWorkloads().front();
    const auto protocol = OdcnCommandLine::SplitList(system.protocols, "protocols").front();
    return options.Run({system.checkpoint,
                        [&](const TrainingCase&) { return system.MakeProblem(workload, protocol); },
                        [&](const std::string& words) { return system.Find(words); }});
}

/// @param path output file of the first set of a workload  @param system cluster and jobs
void
WriteFirstSet(const std::string& path, const System& system)
{
    auto jobs = system.MakeJobs(system.GetWorkloads().front());
    jobs->AssignStreams(0);
    jobs->NextSet();
    ClusterJobWriter writer(path, 2);
    for (ClusterJob job; jobs->Next(job);)
    {
        writer.Write(job);
    }
    writer.Commit();
}

/// Lower bounds of the sets of a case, over all their jobs.
struct Bounds
{
    std::vector<double> jobs;        //!< by set
    std::vector<double> slowdown;    //!< least sum of the jobs' slowdown
    std::vector<double> cyclingTime; //!< least sum of the jobs' cycling time

    /// Add a set unless it is known. @param set its number  @param arrived its jobs
    /// @param system the cluster
    void Add(std::size_t set, const std::vector<ClusterJob>& arrived, const System& system)
    {
        if (set < jobs.size())
        {
            return;
        }
        std::vector<TurnaroundJob> all;
        const double units = double(system.machines) * system.capacity;
        for (const ClusterJob& job : arrived)
        {
            all.push_back({double(job.arrival), double(job.duration), {}, 1});
            for (std::size_t resource = 0; resource < 2; ++resource)
            {
                all.back().shares.push_back(job.demand[resource] / units);
            }
        }
        jobs.push_back(double(all.size()));
        cyclingTime.push_back(TurnaroundBound(all));
        for (TurnaroundJob& job : all)
        {
            job.weight = 1 / job.length;
        }
        slowdown.push_back(TurnaroundBound(all));
    }
};

/// Print the setting. @param system cluster and jobs  @param experiment the comparison
void
PrintSetting(const System& system, const Experiment& experiment)
{
    std::cout << "\n"
              << system.machines << " machines x " << system.capacity
              << " units of CPU and memory, horizon " << system.horizon << ", " << system.jobSlots
              << " job slots, backlog " << system.backlog << "; sets of ";
    if (system.jobFile.empty())
    {
        const auto generator = system.MakeHelper().CreateJobs();
        std::cout << system.setSlots << " slots, " << system.arrivals << " arrivals (load = rate x "
                  << 100 * generator->GetMeanWork() / system.MakeHelper().GetUnits() << " %)";
    }
    else
    {
        std::cout << (system.jobsPerSet ? std::to_string(system.jobsPerSet) : "all") << " jobs of "
                  << system.jobFile;
    }
    std::cout << ".\nSlowdown of all jobs: one without a place at the end counts as if it started "
                 "then. Other means: of the jobs\nthat got a place. A replication is a set. Least "
                 "possible: for a schedule of all jobs that knows them in advance.\n"
              << experiment.Describe() << "\n\n";
}

/// Add the first set of a policy to charts. @param title of the policy  @param set its placements
/// @param capacity units of a machine  @param use use of machines  @param bars jobs
void
ShowSet(const std::string& title,
        const std::vector<ClusterPlacement>& set,
        uint32_t capacity,
        ReportChart& use,
        ReportChart& bars)
{
    UseOverTime machines;
    double end = 0;
    std::size_t shown = 0;
    for (const ClusterPlacement& placement : set)
    {
        const auto arrival = static_cast<double>(placement.job.arrival);
        const auto start = static_cast<double>(placement.start);
        const auto finish = static_cast<double>(placement.GetFinish());
        machines.Add(start,
                     finish,
                     placement.machine,
                     static_cast<double>(placement.job.demand[0]) / capacity);
        end = std::max(end, finish);
        if (++shown <= 300)
        {
            const std::string job = "job " + std::to_string(placement.job.id);
            bars.rows.push_back({title, job, arrival, start, "waits"});
            bars.rows.push_back({title, job, start, finish, "runs"});
        }
    }
    machines.Put(use, title, 100, end);
}

} // namespace

int
main(int argc, char* argv[])
try
{
    System system;
    TrainingOptions training({.system = "cluster",
                              .problem = ClusterScheduling::GetTypeId().GetName(),
                              .agent = "deeprm-plus",
                              .problems = "trainEnvironments",
                              .isShare = false});
    bool sweep = false;
    bool perJob = true;
    uint64_t gantt = 40;
    Experiment experiment;
    experiment.SetOneRun(true);
    experiment.SetReplications(100);
    experiment.SetOutput("cluster-job-scheduling-out");
    OdcnCommandLine cmd(argc, argv, "Jobs that wait for a cluster, scheduled by rules and agents.");
    experiment.AddOptions(cmd);
    cmd.AddValue("sweep", "find the best weight of Tetris on other sets, and compare it", sweep);
    cmd.AddRange("gantt",
                 "time slots of the Gantt charts; 0 for none",
                 gantt,
                 uint64_t{0},
                 uint64_t{10000});
    cmd.AddValue("perJob", "whether to write a row per job", perJob);
    system.AddOptions(cmd);
    training.AddTo(cmd);
    cmd.Restrict({"trainDecisions"}, {"!generations"});
    cmd.Restrict({"sweep", "gantt"}, {"!train"});
    cmd.Parse();
    system.Check();
    if (training.train)
    {
        return Train(system, training);
    }
    if (experiment.GetPolicies().empty())
    {
        experiment.SetPolicies(system.GetUsualPolicies());
    }
    if (!system.jobFile.empty())
    {
        std::cout << system.jobFile << "\n";
        system.trace.Print(std::cout);
        if (!cmd.IsGiven("replications"))
        {
            const uint64_t perSet = system.jobsPerSet;
            experiment.SetReplications(
                perSet ? static_cast<uint32_t>((system.trace.jobs + perSet - 1) / perSet) : 1);
        }
    }

    for (const auto& workload : system.GetWorkloads())
    {
        for (const auto& protocol : OdcnCommandLine::SplitList(system.protocols, "protocols"))
        {
            experiment.AddCase({{"workload", workload.label}, {"protocol", protocol}},
                               [&system, workload, protocol]()
                               { return system.MakeProblem(workload, protocol); });
        }
    }
    if (sweep)
    {
        experiment.AddPolicy(SWEEP);
    }
    experiment.SetFinder([&](const auto&, const std::string& words) { return system.Find(words); });
    if (!cmd.IsGiven("reference"))
    {
        experiment.SetReference(experiment.HasPolicy("sjf") ? "sjf" : "");
    }
    experiment.Check();
    OutputFiles files(experiment.GetOutput());
    JobLog log(perJob ? files.Path("jobs.csv") : "", files.Path("lengths.csv"));
    uint32_t pictures = 0;
    // clang-format off
    experiment.SetBegun(
        [&](const Experiment::Trial& trial) {
            log.Follow(dynamic_cast<ClusterScheduling&>(trial.problem),
                       trial.labels,
                       trial.choice.name);
        });
    // clang-format on
    std::map<std::size_t, Bounds> bounds;
    ReportChart& use = experiment.GetReport().AddChart({ReportChart::Kind::HEATMAP,
                                                        "CPU units in use over time by machine",
                                                        "time slots",
                                                        "% of the machine's CPU units",
                                                        "first set of",
                                                        "",
                                                        {}});
    ReportChart& bars = experiment.GetReport().AddChart({ReportChart::Kind::TIMELINE,
                                                         "Jobs over time",
                                                         "time slots",
                                                         "jobs in order of decision",
                                                         "first set of",
                                                         "The first 300 jobs of the set at most.",
                                                         {}});
    experiment.SetEnded(
        [&](const Experiment::Trial& trial)
        {
            auto& problem = dynamic_cast<ClusterScheduling&>(trial.problem);
            log.EndSet(problem);
            if (trial.replication == 0)
            {
                ShowSet(trial.title, log.GetFirstSet(), system.capacity, use, bars);
            }
            if (trial.labels[1].second == "all-done")
            {
                bounds[trial.index].Add(trial.replication, problem.GetArrived(), system);
            }
            if (gantt > 0 && trial.index == 0 && trial.replication == 0)
            {
                const std::string picture = "gantt-" + std::to_string(++pictures) + ".svg";
                const auto& labels = trial.labels;
                DrawGantt(files.Path(picture),
                          trial.choice.name + ", " + labels[0].second + ", " + labels[1].second +
                              ", first set",
                          log.GetFirstSet(),
                          system.machines,
                          system.capacity,
                          gantt);
                files.Written(picture, "the first set, by " + trial.choice.name);
            }
        });
    experiment.Measure();
    for (const auto& [index, bound] : bounds)
    {
        experiment.AddBound(index,
                            "least possible",
                            {{"slowdown_all", RatioOfReplications(bound.slowdown, bound.jobs)},
                             {"cycling_time", RatioOfReplications(bound.cyclingTime, bound.jobs)}});
    }
    log.Commit();
    if (perJob)
    {
        files.Written("jobs.csv", "every job of every set");
    }
    files.Written("lengths.csv", "slowdown of the jobs of each length");
    ReportChart& lengths = experiment.GetReport().AddChart({ReportChart::Kind::CURVES,
                                                            "Slowdown by the length of jobs",
                                                            "duration, time slots",
                                                            "slowdown",
                                                            "workload",
                                                            "Means, with bands from the 5th to the "
                                                            "95th percentile.",
                                                            {}});
    RunReport::ReadCsv(
        files.Path("lengths.csv"),
        {"workload", "protocol", "policy", "duration", "slowdown", "p5", "p95"},
        [&](const auto& cells)
        {
            const auto number = [&](std::size_t i)
            { return ParseFinite(cells[i]).value_or(std::nan("")); };
            lengths.rows.push_back(
                {cells[0] + ", " + cells[1], cells[2], number(3), number(4), number(5), number(6)});
        });
    WriteFirstSet(files.Path("first-set.csv"), system);
    files.Written("first-set.csv", "jobs of the first set, for --jobFile");
    experiment.Write(files);
    PrintSetting(system, experiment);
    experiment.Print(std::cout);
    experiment.GetReport().Write(files);
    files.Print(std::cout);
    return 0;
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
