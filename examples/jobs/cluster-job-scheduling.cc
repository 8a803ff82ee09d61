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
 *   ./ns3 run "cluster-job-scheduling --jobFile=jobs.csv --capacity=128 --horizon=100
 * --backlog=100000"
 *   ./ns3 run "cluster-job-scheduling --machines=4 --loads=80 --arrivals=Poisson --mtbf=server=90s
 * --mttr=server=10s"
 *   ./ns3 run "cluster-job-scheduling --train=1 --checkpoint=agent.pt"
 *   ./ns3 run "cluster-job-scheduling --policies=sjf,tetris,agent --checkpoint=agent.pt"
 */

#include "ns3/cluster-helper.h"
#include "ns3/cluster-job-file.h"
#include "ns3/cluster-job-recorder.h"
#include "ns3/double.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-fault-helper.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-training-options.h"
#include "ns3/odcn-turnaround-bound.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
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

/// The cluster and its jobs, by the options that are no Attributes.
struct System
{
    std::string protocols{"all-done,no-new-job"}; //!< when episodes end
    std::string rates{"0.7"};                     //!< jobs per slot
    std::string loads;                            //!< loads in percent, instead of rates
    std::string jobFile;                          //!< file of the trace; empty for random jobs
    bool maxSlotsGiven{false};                    //!< whether an episode's length is given
    std::string checkpoint;                       //!< file of the policy agent, or of a training
    bool perJob{true};                            //!< whether to write a row per job
    FaultHelper faults{};                         //!< of machines
    ClusterJobTotals trace;                       //!< totals of the whole trace

    /// Add the options. @param cmd command line
    void AddOptions(OdcnCommandLine& cmd);

    /// Read the trace, if any.
    /// @param cmd parsed
    /// @throws OdcnError when an option is out of range
    void Check(const OdcnCommandLine& cmd);

    /// @param stretch factor of arrival times, besides that of the options
    /// @return the trace
    Ptr<ClusterJobFile> MakeTrace(double stretch) const;

    /// @param load load
    /// @return factor of arrival times of the trace for this load; 1 for load 0
    double GetStretch(double load) const;

    /// @return one workload per rate or load, or the trace
    std::vector<Workload> GetWorkloads() const;

    /// @return protocols as a list
    std::vector<std::string> GetProtocols() const
    {
        return OdcnCommandLine::SplitList(protocols, "protocols");
    }

    /// @param workload a workload  @return its jobs, streams not yet assigned
    Ptr<ClusterJobSource> MakeJobs(const Workload& workload) const;

    /// @param workload a workload  @param protocol end of episodes  @return the problem
    Ptr<ClusterScheduling> MakeProblem(const Workload& workload, const std::string& protocol) const;

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

void
System::AddOptions(OdcnCommandLine& cmd)
{
    const std::string problem = "ns3::odcn::ClusterScheduling::";
    const std::string generator = "ns3::odcn::ClusterJobGenerator::";
    const std::string file = "ns3::odcn::ClusterJobFile::";
    cmd.SetGroup("System");
    cmd.AddValue("machines", problem + "Machines");
    cmd.AddValue("capacity", problem + "Capacity");
    cmd.AddValue("horizon", problem + "Horizon");
    cmd.AddValue("jobSlots", problem + "JobSlots");
    cmd.AddValue("backlog", problem + "Backlog");
    cmd.AddValue("reward", problem + "Reward");
    cmd.AddValue("protocols", "when episodes end: all-done, no-new-job, or both", protocols);
    cmd.AddValue("maxSlots", problem + "MaxSlots");
    cmd.AddValue("arrivals", generator + "Arrivals");
    cmd.AddValue("rates", "jobs per time slot, separated by commas", rates);
    cmd.AddValue("loads", "loads in percent, separated by commas, instead of rates", loads);
    cmd.AddValue("setSlots", generator + "Slots");
    cmd.AddValue("checkpoint", "file of the policy agent, or output of a training", checkpoint);
    cmd.SetGroup("Trace", "jobFile");
    cmd.AddValue("jobFile", "trace of jobs", jobFile);
    cmd.Replace({"format", "columns", "timeUnit", "cpuUnit", "memoryUnit", "skipMalformed"},
                "a jobFile that odcn-convert-trace made of the trace");
    cmd.AddValue("arrivalFactor", file + "ArrivalFactor");
    cmd.AddValue("jobsPerSet", file + "JobsPerSet");
    cmd.Restrict({"rates", "arrivals", "setSlots"}, {"!jobFile"});
    cmd.Restrict({"rates"}, {"!loads"});
    faults.AddOptions(cmd);
}

void
System::Check(const OdcnCommandLine& cmd)
{
    maxSlotsGiven = cmd.IsGiven("maxSlots");
    faults.Check();
    for (const auto& protocol : GetProtocols())
    {
        OdcnCommandLine::CheckWord("protocols", protocol, {"all-done", "no-new-job"});
    }
    if (!jobFile.empty())
    {
        trace = MakeTrace(1)->Examine();
    }
    for (const auto& workload : GetWorkloads())
    {
        MakeJobs(workload)->NextSet();
    }
}

Ptr<ClusterJobFile>
System::MakeTrace(double stretch) const
{
    auto made = CreateObject<ClusterJobFile>();
    const auto factor = GetAttributeOf<DoubleValue>(*made, "ArrivalFactor");
    made->SetAttribute("ArrivalFactor", DoubleValue(factor * stretch));
    made->SetAttribute("FileName", StringValue(jobFile));
    return made;
}

double
System::GetStretch(double load) const
{
    return load > 0 ? trace.GetMeanUnits() / (load * ClusterHelper().GetUnits()) : 1;
}

std::vector<Workload>
System::GetWorkloads() const
{
    std::vector<Workload> workloads;
    const auto add = [&](const std::string& list, const char* option, double most)
    {
        for (const auto& text : OdcnCommandLine::SplitList(list, option))
        {
            const auto number = ParseFinite(text);
            OdcnCommandLine::Check(number && *number > 0 && *number <= most,
                                   option,
                                   text,
                                   "numbers above 0 separated by commas, " +
                                       std::to_string(static_cast<int>(most)) + " at most");
            workloads.push_back(loads.empty() ? Workload{"rate " + text, *number, 0}
                                              : Workload{"load " + text + " %", 0, *number / 100});
        }
    };
    if (!loads.empty())
    {
        add(loads, "loads", 10000);
    }
    else if (!jobFile.empty())
    {
        workloads.push_back({std::filesystem::path(jobFile).filename().string()});
    }
    else
    {
        add(rates, "rates", 1000);
    }
    return workloads;
}

Ptr<ClusterJobSource>
System::MakeJobs(const Workload& workload) const
{
    if (!jobFile.empty())
    {
        return MakeTrace(GetStretch(workload.load));
    }
    ClusterHelper helper;
    if (workload.rate > 0)
    {
        helper.SetJobAttribute("Rate", DoubleValue(workload.rate));
    }
    return helper.CreateJobs(workload.load);
}

Ptr<ClusterScheduling>
System::MakeProblem(const Workload& workload, const std::string& protocol) const
{
    ClusterHelper helper;
    helper.SetProblemAttribute("Protocol", StringValue(protocol));
    if (!jobFile.empty() && !maxSlotsGiven)
    {
        // Enough to run all jobs one after the other; an agent may also wait for ever.
        const double most =
            static_cast<double>(trace.slots) * GetStretch(workload.load) + trace.slotsRun;
        helper.SetProblemAttribute("MaxSlots", UintegerValue(static_cast<uint64_t>(most) + 2));
    }
    const auto jobs = MakeJobs(workload);
    auto problem = helper.CreateProblem(jobs);
    if (faults.IsUsed())
    {
        const auto most =
            std::max(jobs->GetSlots(), GetAttributeOf<UintegerValue>(*problem, "MaxSlots"));
        const auto make = [this,
                           parts = problem->GetFaultParts(),
                           until = Seconds(std::min(static_cast<double>(most), 9e6))](int set)
        { return faults.MakeTimeline(parts, until, FAULT_STREAM + set * FaultHelper::STREAMS); };
        make(0); // refuses what is wrong before anything is written
        problem->SetFaults([make, set = 0]() mutable { return make(set++); });
    }
    return problem;
}

std::string
System::GetUsualPolicies() const
{
    std::string list = "random,random-feasible,first-fit,fcfs,hrrn,packer,tetris,"
                       "tetris[Knob=0.001],sjf,easy";
#if ODCN_HAVE_TRAINING
    list += ",untrained";
    const auto problem = CreateObject<ClusterScheduling>();
    const bool fits = problem->GetObservationShape() == std::vector<uint32_t>{1, 20, 224};
#else
    const bool fits = false;
#endif
    if (!checkpoint.empty())
    {
        return list + ",agent";
    }
    for (const auto& agent : SHIPPED)
    {
        // Without a mask an agent may choose an action that does nothing until the end.
        const bool masked = agent.find("-paper") == std::string::npos;
        if (fits && (masked || jobFile.empty()) && std::filesystem::exists(GetFile(agent)))
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

    /// Add a set.
    /// @param arrived its jobs
    void Add(const std::vector<ClusterJob>& arrived)
    {
        std::vector<TurnaroundJob> all;
        const double units = ClusterHelper().GetUnits();
        for (const ClusterJob& job : arrived)
        {
            all.push_back({double(job.arrival), double(job.duration), {}, 1});
            all.back().shares = {job.demand[0] / units, job.demand[1] / units};
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

/// Print the setting.
/// @param cmd options
/// @param system cluster and jobs
/// @param experiment the comparison
void
PrintSetting(const OdcnCommandLine& cmd, const System& system, const Experiment& experiment)
{
    std::cout << "\n"
              << cmd.GetText("machines") << " machines x " << cmd.GetText("capacity")
              << " units of CPU and memory, horizon " << cmd.GetText("horizon") << ", "
              << cmd.GetText("jobSlots") << " job slots, backlog " << cmd.GetText("backlog")
              << "; sets of ";
    if (system.jobFile.empty())
    {
        const ClusterHelper helper;
        std::cout << cmd.GetText("setSlots") << " slots, " << cmd.GetText("arrivals")
                  << " arrivals (load = rate x "
                  << 100 * helper.CreateJobs()->GetMeanWork() / helper.GetUnits() << " %)";
    }
    else
    {
        const std::string perSet = cmd.GetText("jobsPerSet");
        std::cout << (perSet == "0" ? "all" : perSet) << " jobs of " << system.jobFile;
    }
    std::cout << ".\nSlowdown of all jobs: one without a place at the end counts as if it started "
                 "then. Other means: of the jobs\nthat got a place. A replication is a set. Least "
                 "possible: for a schedule of all jobs that knows them in advance.\n"
              << experiment.Describe() << "\n\n";
}

/**
 * Compare the policies.
 * @param cmd options
 * @param system cluster and jobs
 * @param experiment with all policies and cases
 */
void
Compare(const OdcnCommandLine& cmd, const System& system, Experiment& experiment)
{
    experiment.Check();
    OutputFiles files(experiment.GetOutput());
    ClusterJobRecorder recorder(files, experiment, system.perJob);
    std::map<std::size_t, Bounds> bounds;
    experiment.SetBegun([&](const Experiment::Trial& trial) { recorder.Begin(trial); });
    experiment.SetEnded(
        [&](const Experiment::Trial& trial)
        {
            recorder.EndSet(trial);
            if (trial.labels[1].second == "all-done" &&
                trial.replication == bounds[trial.index].jobs.size())
            {
                bounds[trial.index].Add(
                    dynamic_cast<const ClusterScheduling&>(trial.problem).GetArrived());
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
    recorder.Commit();
    WriteFirstSet(files.Path("first-set.csv"), system);
    files.Written("first-set.csv", "jobs of the first set, for --jobFile");
    experiment.Write(files);
    PrintSetting(cmd, system, experiment);
    experiment.Print(std::cout);
    experiment.GetReport().Write(files);
    files.Print(std::cout);
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
    Experiment experiment;
    experiment.SetOneRun(true);
    experiment.SetReplications(100);
    experiment.SetOutput("cluster-job-scheduling-out");
    OdcnCommandLine cmd(argc, argv, "Jobs that wait for a cluster, scheduled by rules and agents.");
    experiment.AddOptions(cmd);
    cmd.AddValue("sweep", "find the best weight of Tetris on other sets, and compare it", sweep);
    cmd.AddValue("perJob", "whether to write a row per job", system.perJob);
    system.AddOptions(cmd);
    training.AddTo(cmd);
    cmd.Restrict({"trainDecisions"}, {"!generations"});
    cmd.Restrict({"sweep"}, {"!train"});
    cmd.Parse();
    system.Check(cmd);
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
            const uint64_t perSet =
                GetAttributeOf<UintegerValue>(*system.MakeTrace(1), "JobsPerSet");
            experiment.SetReplications(
                perSet ? static_cast<uint32_t>((system.trace.jobs + perSet - 1) / perSet) : 1);
        }
    }
    for (const auto& workload : system.GetWorkloads())
    {
        for (const auto& protocol : system.GetProtocols())
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
    Compare(cmd, system, experiment);
    return 0;
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
