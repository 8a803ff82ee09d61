// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Jobs that wait for a cluster, and who picks the next one. The system of "Resource Management with
 * Deep Reinforcement Learning" (DeepRM), of "Cloud Resource Scheduling With Deep Reinforcement
 * Learning and Imitation Learning" (DeepRM_Plus) and of "Data Centers Job Scheduling with Deep
 * Reinforcement Learning" (A2cScheduler).
 *
 *     backlog          job slots 1 to M            cluster, time slots ahead
 *                                                   0 . . . . CPU units
 *   +-+-+-+-+-+    +---+  +---+  +---+   place    +-+-+-+-+-+-+-+-+-+-+
 *   | | |#|#|#| -> |## |  |#  |  |   |  ------->  |A|A|A|A|A|B|B| | | |  now
 *   +-+-+-+-+-+    |## |  |#  |  |   |            |A|A|A|A|A| | | | | |
 *   jobs arrive    +---+  +---+  +---+            |C|C|C|C|C|C|C|C| | |  v
 *                                                 +-+-+-+-+-+-+-+-+-+-+  and the same of memory
 *
 * A policy gives one job after the other its place, or lets a time slot pass. The program lets
 * every policy schedule the same sets of jobs, under both protocols of when an episode ends, and
 * reports slowdown (weighted turnaround time), cycling time and waiting time.
 *
 * Try:
 *   ./ns3 run cluster-job-scheduling
 *   ./ns3 run "cluster-job-scheduling --jobSlots=5 --protocols=all-done"
 *   ./ns3 run "cluster-job-scheduling --arrivals=Poisson --loads=10,50,90,130,190"
 *   ./ns3 run "cluster-job-scheduling --sweep=1"
 *   ./ns3 run "cluster-job-scheduling --jobs=log.swf.gz --format=swf --timeUnit=3600 --capacity=128
 *              --horizon=100 --backlog=100000"
 *   ./ns3 run "cluster-job-scheduling --train=1 --checkpoint=agent.pt"
 *   ./ns3 run "cluster-job-scheduling --policies=sjf,tetris,agent --checkpoint=agent.pt"
 */

#include "cluster-job-scheduling-report.h"
#include "cluster-job-scheduling-train.h"

#include "ns3/cluster-job-file.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-table.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"

#include <cmath>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Of Tetris, from SJF to the packer.
const std::vector<std::string>
    KNOBS{"0", "0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1"};

/**
 * Run all sets of a workload.
 * @param options of the command line
 * @param workload which
 * @param words the policy, in words
 * @param result says the protocol, takes what it comes to
 * @param log notes the jobs; may be null
 */
void
Evaluate(const Options& options,
         const Workload& workload,
         const std::string& words,
         Result& result,
         JobLog* log)
{
    ClusterHelper helper = options.MakeHelper();
    helper.SetProblemAttribute("Protocol", StringValue(result.protocol));
    auto jobs = options.MakeJobs(workload);
    jobs->AssignStreams(0);
    auto problem = helper.CreateProblem(jobs);
    auto policy = options.CreatePolicy(words);
    policy->AssignStreams(100);
    policy->Configure(*problem);
    if (log)
    {
        log->Follow(*problem, result);
    }
    problem->Reset();
    result.evaluation.Run(*problem,
                          *policy,
                          options.GetNSets(),
                          [&]()
                          {
                              if (log)
                              {
                                  log->EndSet(*problem);
                              }
                          });
}

/**
 * Try all knobs of Tetris, on sets that the comparison does not use (of a trace: the same).
 * @param options of the command line
 * @param workload which
 * @param protocol when episodes end
 * @param csv takes what each comes to
 * @return the one of the least slowdown
 */
std::string
FindKnob(const Options& options,
         const Workload& workload,
         const std::string& protocol,
         OdcnCsvWriter& csv)
{
    const uint64_t run = RngSeedManager::GetRun();
    RngSeedManager::SetRun(run + 1);
    std::string best;
    double least = HUGE_VAL;
    for (const auto& knob : KNOBS)
    {
        Result result;
        result.protocol = protocol;
        result.policy = "tetris[Knob=" + knob + "]";
        Evaluate(options, workload, result.policy, result, nullptr);
        const auto slowdown = result.evaluation.GetMean(ClusterEvaluation::SLOWDOWN);
        csv.Row(workload.label, protocol, knob, slowdown.mean, slowdown.lower, slowdown.upper);
        if (slowdown.mean < least)
        {
            least = slowdown.mean;
            best = result.policy;
        }
    }
    RngSeedManager::SetRun(run);
    return best;
}

/**
 * @param path file for the first set of a workload  @param options of the command line
 */
void
WriteFirstSet(const std::string& path, const Options& options)
{
    auto jobs = options.MakeJobs(options.GetWorkloads().front());
    jobs->AssignStreams(0);
    jobs->NextSet();
    ClusterJobWriter writer(path, 2);
    for (ClusterJob job; jobs->Next(job);)
    {
        writer.Write(job);
    }
    writer.Commit();
}

/// @param os where to say what is compared  @param options of the command line
void
PrintSetting(std::ostream& os, const Options& options)
{
    os << "\n"
       << options.machines << " machines x " << options.capacity
       << " units of CPU and memory, horizon " << options.horizon << ", " << options.jobSlots
       << " job slots, backlog " << options.backlog << "; " << options.GetNSets() << " sets of ";
    if (options.jobs.empty())
    {
        const auto generator = options.MakeHelper().CreateJobs();
        os << options.setSlots << " slots, " << options.arrivals << " arrivals (load = rate x "
           << 100 * generator->GetMeanWork() / options.MakeHelper().GetUnits() << " %), seed "
           << RngSeedManager::GetSeed() << ", run " << RngSeedManager::GetRun();
    }
    else
    {
        os << (options.jobsPerSet ? std::to_string(options.jobsPerSet) : "all") << " jobs of "
           << options.jobs;
    }
    os << ".\nSlowdown, cycling and waiting time: of the jobs that got a place. Intervals: 95 %, "
          "over sets.\n\n";
}

} // namespace

int
main(int argc, char* argv[])
try
{
    Options options;
    options.Parse(argc, argv);
    if (options.train)
    {
#if ODCN_HAVE_TRAINING
        return Train(options);
#else
        throw OdcnError("--train: this odcn was built without agents, for want of LibTorch");
#endif
    }
    if (!options.jobs.empty())
    {
        std::cout << options.jobs << "\n";
        options.GetTraceReport().Print(std::cout);
    }
    OdcnOutputFiles files(options.output);
    const auto workloads = options.GetWorkloads();
    const auto protocols = OdcnCommandLine::SplitList(options.protocols, "protocols");
    const auto policies = options.GetPolicies();
    JobLog log(options.perJob ? files.Path("jobs.csv") : "", files.Path("lengths.csv"));
    std::unique_ptr<OdcnCsvWriter> sweep;
    if (options.sweep)
    {
        sweep = std::make_unique<OdcnCsvWriter>(
            files.Path("sweep.csv"),
            std::vector<std::string>{"workload", "protocol", "knob", "slowdown", "lower", "upper"});
    }
    std::vector<Result> results;
    results.reserve(workloads.size() * protocols.size() * (policies.size() + options.sweep));
    OdcnProgress progress("policies", results.capacity(), "evaluations");
    for (const auto& workload : workloads)
    {
        for (const auto& protocol : protocols)
        {
            auto schedulers = policies;
            if (sweep)
            {
                const auto best = FindKnob(options, workload, protocol, *sweep);
                schedulers.push_back({best, best});
            }
            for (const auto& [name, words] : schedulers)
            {
                Result& result = results.emplace_back();
                result.workload = workload.label;
                result.protocol = protocol;
                result.policy = name;
                Evaluate(options, workload, words, result, &log);
                progress.Update(results.size());
                if (options.gantt > 0 && results.size() <= schedulers.size())
                {
                    const std::string picture = "gantt-" + std::to_string(results.size()) + ".svg";
                    DrawGantt(files.Path(picture),
                              name + ", " + workload.label + ", " + protocol + ", first set",
                              log.GetFirstSet(),
                              options);
                    files.Written(picture, "the first set, by " + name);
                }
            }
        }
    }
    progress.Finish(results.size());
    if (sweep)
    {
        sweep->Commit();
        files.Written("sweep.csv", "Tetris by its knob, on other sets");
    }
    log.Commit();
    if (options.perJob)
    {
        files.Written("jobs.csv", "every job of every set");
    }
    files.Written("lengths.csv", "slowdown of the jobs of each length");
    WriteFirstSet(files.Path("first-set.csv"), options);
    files.Written("first-set.csv", "jobs of the first set, for --jobs");
    WriteSets(files.Path("sets.csv"), results);
    files.Written("sets.csv", "every set of every policy");
    WriteSummary(files.Path("summary.csv"), results);
    files.Written("summary.csv", "the table below, in full");
    PrintSetting(std::cout, options);
    PrintResults(std::cout, results);
    files.Print(std::cout);
    return 0;
}

catch (const std::exception& error)
{
    std::cerr << "error: " << error.what() << std::endl;
    return 1;
}
