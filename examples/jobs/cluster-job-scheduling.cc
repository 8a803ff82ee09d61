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

#include "cluster-system.h"

#include "ns3/cluster-job-recorder.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-training-options.h"
#include "ns3/odcn-turnaround-bound.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <exception>
#include <iostream>
#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Tetris with weights from SJF to pure packing, for --sweep.
const std::string SWEEP =
    "tetris-best=tetris[Knob={0,0.001,0.002,0.005,0.01,0.02,0.05,0.1,0.2,0.5,1}]";

/// Train an agent on the first workload and protocol.
/// @param system cluster and jobs; its
/// checkpoint is written
/// @param options of the training
/// @return exit status
int
Train(const ClusterSystem& system, const TrainingOptions& options)
{
    const auto workload = system.GetWorkloads().front();
    const auto protocol = system.GetProtocols().front();
    return options.Run({system.checkpoint,
                        [&](const TrainingCase&) { return system.MakeProblem(workload, protocol); },
                        [&](const std::string& words) { return system.Find(words); }});
}

/// @param path output file of the first set of a workload
/// @param system cluster and jobs
void
WriteFirstSet(const std::string& path, const ClusterSystem& system)
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
PrintSetting(const OdcnCommandLine& cmd, const ClusterSystem& system, const Experiment& experiment)
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
        std::cout << (perSet == "0" ? "all" : perSet) << " jobs of " << system.jobFile
                  << ", whose offered load is "
                  << std::lround(100 * system.trace.GetMeanUnits() / ClusterHelper().GetUnits())
                  << " %";
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
Compare(const OdcnCommandLine& cmd, const ClusterSystem& system, Experiment& experiment)
{
    experiment.Check();
    OutputFiles files(experiment.GetOutput());
    ClusterJobRecorder recorder(files, experiment, system.perJob);
    std::map<std::size_t, Bounds> bounds;
    experiment.SetBegun(
        [&](const Experiment::Trial& trial)
        {
            if (trial.counts)
            {
                recorder.Begin(trial);
            }
        });
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
                            "best possible",
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
    files.Finish(std::cout);
}

/// Options of the program.
struct Options
{
    ClusterSystem system; //!< of the cluster and its jobs
    /// Of a training.
    TrainingOptions training{{.system = "cluster",
                              .problem = ClusterScheduling::GetTypeId().GetName(),
                              .agent = "deeprm-plus",
                              .problems = "trainEnvironments",
                              .isShare = false}};
    bool sweep{false}; //!< whether to search for the best weight of Tetris

    /// Add the options.
    /// @param cmd command line
    void AddTo(OdcnCommandLine& cmd)
    {
        cmd.AddValue("sweep",
                     "find the best weight of Tetris on other sets, and compare it",
                     sweep);
        cmd.AddValue("perJob", "whether to write a row per job", system.perJob);
        system.AddOptions(cmd);
        training.AddTo(cmd);
        cmd.Restrict({"trainDecisions"}, {"!generations"});
        cmd.Restrict({"sweep"}, {"!train"});
    }
};

/// Choose policies and cases.
/// @param cmd parsed
/// @param options of the program
/// @param experiment the comparison
void
Prepare(const OdcnCommandLine& cmd, const Options& options, Experiment& experiment)
{
    const ClusterSystem& system = options.system;
    if (experiment.GetPolicies().empty())
    {
        experiment.SetPolicies(system.GetUsualPolicies());
    }
    if (!system.jobFile.empty() && !cmd.IsGiven("replications"))
    {
        const uint64_t perSet = GetAttributeOf<UintegerValue>(*system.MakeTrace(1), "JobsPerSet");
        experiment.SetReplications(
            perSet ? static_cast<uint32_t>((system.trace.jobs + perSet - 1) / perSet) : 1);
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
    if (options.sweep)
    {
        experiment.AddPolicy(SWEEP);
    }
    experiment.SetFinder([&](const auto&, const std::string& words) { return system.Find(words); });
    if (!cmd.IsGiven("reference"))
    {
        experiment.SetReference(experiment.HasPolicy("sjf") ? "sjf" : "");
    }
}

} // namespace

int
main(int argc, char* argv[])
try
{
    Options options;
    ClusterSystem& system = options.system;
    Experiment experiment;
    experiment.SetOneRun(true);
    experiment.SetReplications(100);
    experiment.SetOutput("cluster-job-scheduling-out");
    OdcnCommandLine cmd(argc, argv, "Jobs that wait for a cluster, scheduled by rules and agents.");
    experiment.AddOptions(cmd, ClusterScheduling::GetTypeId().GetName());
    options.AddTo(cmd);
    cmd.Parse();
    system.Check(cmd);
    if (options.training.train)
    {
        return Train(system, options.training);
    }
    if (!system.jobFile.empty())
    {
        std::cout << system.jobFile << "\n";
        system.trace.Print(std::cout);
    }
    Prepare(cmd, options, experiment);
    Compare(cmd, system, experiment);
    return 0;
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
