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
 *   ./ns3 run "odcn-drl-scheduling --loads=60,72 --policies=odcn-jcb,odcn-packing,imitation"
 *   ./ns3 run "odcn-drl-scheduling --jobFile=my-jobs.csv"
 *   ./ns3 run "odcn-drl-scheduling --train=1 --checkpoint=my-agent.pt"
 */

#include "odcn-drl-scheduling-explain.h"
#include "odcn-drl-scheduling-packets.h"
#include "odcn-system.h"

#include "ns3/odcn-agent-library.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-given-attributes.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-file.h"
#include "ns3/odcn-job-generator.h"
#include "ns3/odcn-job-recorder.h"
#include "ns3/odcn-kaufman-roberts.h"
#include "ns3/odcn-lookahead-policy.h"
#include "ns3/odcn-text.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <iomanip>
#include <iostream>
#include <map>
#include <string>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Options that no Attribute has.
struct Options
{
    OdcnSystem system;                            //!< options of the data centre
    TrainingOptions training{GetOdcnTrainings()}; //!< options of a training
    std::string saveJobs;                         //!< file for the first replication's jobs
    std::string explain;                          //!< number of a job to explain, if any
    PacketOptions packets;                        //!< options of the packet level

    /// Add the options.
    /// @param cmd command line
    void AddTo(OdcnCommandLine& cmd)
    {
        system.AddOptions(cmd);
        packets.AddOptions(cmd);
        // The file is the only replication, with all of its jobs.
        cmd.Restrict({"loads", "jobs", "replications"}, {"!jobFile"});
        cmd.AddValue("explain",
                     "print why the policies place this job of the first replication, from 0, as "
                     "they do: scores by feature; nothing else is run",
                     explain);
        cmd.SetGroup("Files");
        cmd.AddValue("saveJobs", "write the first replication's jobs to this file", saveJobs);
        training.AddTo(cmd);
        cmd.Restrict({"jobFile", "windows", "windowWarmUp", "windowLength", "saveJobs", "explain"},
                     {"!train"});
        cmd.Restrict({"packets"}, {"!train", "packets=formula"});
    }
};

/// Adapt an experiment to the finite jobs of a file: one replication of all jobs, in batches.
/// @param system data centre with the file
/// @param experiment the experiment
/// @return the jobs, in words
std::string
FitToFile(const OdcnSystem& system, Experiment& experiment)
{
    const uint64_t jobs = system.totals.jobs;
    if (jobs < 2)
    {
        throw OdcnError::InFile(system.jobFile, 0, std::to_string(jobs) + " jobs", "2 or more");
    }
    const uint64_t warmUp = std::min(experiment.GetWarmUp(), jobs / 10);
    experiment.SetJobs(jobs - warmUp, warmUp);
    experiment.SetReplications(1);
    experiment.SetBatches(static_cast<uint32_t>(std::min<uint64_t>(20, jobs - warmUp)));
    PlainStream text;
    text << std::setprecision(4) << "jobs of " << system.jobFile << ", offered load "
         << (system.offeredLoad > 0 ? system.offeredLoad : system.totals.GetLoad());
    return text.str();
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

/// @param experiment experiment after Check()
/// @param problem of any load, after Reset()
/// @return its loads as given, with the share of the cores that they offer
std::string
DescribeLoads(const Experiment& experiment, const OdcnScheduling& problem)
{
    std::string shares;
    for (const double load : experiment.GetLoads())
    {
        shares +=
            (shares.empty() ? "" : ", ") + FormatFixed(100 * GetOfferedShare(load, problem), 0);
    }
    return experiment.GetLoadsText() + " (" + shares + " % of the cores)";
}

/// Add the exact bound, all servers as one pool of cores, to every load.
/// @param experiment experiment after Check()  @param problem of any load, after Reset()
void
AddBounds(Experiment& experiment, const OdcnScheduling& problem)
{
    const double cores = problem.GetManager()->GetServers().GetCapacity().Cores();
    for (std::size_t i = 0; i < experiment.GetNCases(); ++i)
    {
        const KaufmanRoberts bound(std::llround(cores), GetJobSizes(), experiment.GetLoads()[i]);
        experiment.AddBound(i,
                            "best possible",
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
    if (!AgentLibrary::IsPresent())
    {
        remarks[{2, ""}] = "No agents: this odcn was built without LibTorch.\n";
    }
    // Only agents have this Attribute.
    UintegerValue decisions;
    if (LookaheadPolicy::GetDecider(trial.policy).GetAttributeFailSafe("Decisions", decisions))
    {
        std::string& line = remarks[{1, ""}];
        line = (line.empty() ? "Decisions of networks in the first replication, all evaluated by "
                               "LibTorch: "
                             : line.substr(0, line.size() - 2) + ", ") +
               trial.title + " " + std::to_string(decisions.Get()) + ".\n";
    }
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
    if (experiment.GetPolicies().empty())
    {
        // The paper's network was trained for, and is made for, 16 racks.
        const bool agents = AgentLibrary::IsPresent();
        const bool isPlaced = GivenAttributes::IsGiven("ns3::odcn::CsMgr::Placement");
        experiment.SetPolicies(std::string("random,first-fit,") + (agents ? "untrained," : "") +
                               "all2all-ccf,odcn-ccf,odcn-jcb," +
                               (isPlaced ? "" : "odcn-ccf@BestFit,") + "odcn-score," +
                               (agents && centre["racks"] == "16" ? "drl-paper," : "") + "linear" +
                               (agents ? ",imitation,evolved" : ""));
    }
    std::string jobs;
    if (system.jobFile.empty())
    {
        experiment.SetProblem([helper](double load) { return helper.CreateProblem(load); });
    }
    else
    {
        jobs = FitToFile(system, experiment);
        experiment.AddCase({{"jobs", system.jobFile}},
                           [&, helper]() { return helper.CreateProblem(system.OpenJobFile()); });
    }
    if (options.packets.replications > 0)
    {
        AddPacketFigures(options.packets, experiment);
    }
    experiment.SetFinder([&](const auto&, const std::string& words) { return system.Find(words); });
    experiment.Check();
    options.packets.Check(centre["racks"], experiment.GetJobs());
    std::string loads = experiment.GetLoadsText();
    if (system.jobFile.empty() && AreJobsDefault())
    {
        AddBounds(experiment, *sample);
        loads = DescribeLoads(experiment, *sample);
    }
    const bool isNamed = experiment.GetPolicies().find('@') != std::string::npos;
    const std::string placement =
        ", placement " + centre["placement"] + (isNamed ? ", or as named after @" : "");
    const auto list = [&](const char* before, const char* key, const char* after)
    { return centre[key].empty() ? "" : before + ("(" + centre[key] + ")") + after; };
    const std::string servers = list("", "serversPerRack", "");
    return centre["racks"] + " racks x " + (servers.empty() ? centre["servers"] : servers) +
           " servers" + list(", ", "uplinksPerRack", " uplinks") +
           list(" of ", "uplinkRatePerRack", "") + ", " +
           (jobs.empty() ? "pattern " + OdcnSystem::GetPattern() + ", load " + loads : jobs) +
           placement;
}

/**
 * Run the comparison at job level.
 * @param options options
 * @param experiment after Prepare()
 * @param files output folder
 * @param centre the data centre, in words
 * @return remarks on policies
 */
Remarks
RunJobs(const Options& options,
        Experiment& experiment,
        OutputFiles& files,
        const std::string& centre)
{
    const OdcnSystem& system = options.system;
    std::vector<std::string> columns;
    for (const auto& [column, value] : experiment.GetLabels(0))
    {
        columns.push_back(column);
    }
    OdcnJobRecorder jobs(files, experiment.GetReport(), columns);
    if (!options.saveJobs.empty())
    {
        const Ptr<OdcnJobSource> source =
            system.jobFile.empty() ? OdcnHelper().CreateJobs(experiment.GetLoads().front())
                                   : Ptr<OdcnJobSource>(system.OpenJobFile());
        SaveJobs(options.saveJobs, experiment, *source);
        files.List(options.saveJobs, "the jobs of the first replication, for --jobFile");
    }
    Remarks remarks;
    experiment.SetBegun(
        [&](const Experiment::Trial& trial)
        {
            if (trial.replication == 0 && trial.counts)
            {
                std::vector<std::string> place;
                for (const auto& [column, value] : trial.labels)
                {
                    place.push_back(value);
                }
                place.push_back(trial.choice.name);
                jobs.Record(trial.title,
                            dynamic_cast<OdcnScheduling&>(trial.problem).GetManager(),
                            place);
            }
        },
        Experiment::HookScope::FIRST);
    experiment.SetEnded(
        [&](const Experiment::Trial& trial)
        {
            if (trial.replication == 0)
            {
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
    std::cout << "\n" << centre << "\n" << experiment.Describe() << "\n\nJob level\n";
    experiment.Print(std::cout);
    if (system.jobFile.empty() && AreJobsDefault())
    {
        const std::string bound = "Best possible: in a steady state; a short run, which begins "
                                  "empty, may be beyond it.";
        std::cout << bound << "\n";
        experiment.GetReport().AddFact("bound", bound);
    }
    std::cout << std::flush;
    return remarks;
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
    experiment.AddOptions(cmd, OdcnScheduling::GetTypeId().GetName());
    options.AddTo(cmd);
    cmd.Parse();
    cmd.Require(options.system.jobFile.empty() || !options.system.OpenJobFile()->HasPairs(),
                "pattern",
                "only without --jobFile, or with one that has neither demands nor pairs");
    options.packets.Choose();
    if (options.training.train)
    {
        return Train(options.system, options.training, experiment.GetLoad());
    }
    options.system.Examine();
    const std::string centre = Prepare(options, experiment);
    if (!options.explain.empty())
    {
        const auto number = ParseCount(options.explain);
        OdcnCommandLine::Check(number.has_value(), "explain", options.explain, "a number of a job");
        std::cout << centre << "\n";
        OutputFiles files(experiment.GetOutput());
        ExplainJob(experiment, files, *number);
        return 0;
    }
    OutputFiles files(experiment.GetOutput());
    const Remarks remarks = RunJobs(options, experiment, files, centre);
    if (options.packets.IsUsed())
    {
        RunPackets(options.packets, experiment, files);
    }
    else
    {
        experiment.Write(files);
    }
    for (const auto& [key, line] : remarks)
    {
        std::cout << line;
    }
    experiment.GetReport().Write(files);
    files.Finish(std::cout);
    if (!options.packets.HasEvents() && (options.packets.pcap || options.packets.flowMonitor))
    {
        std::cout << "No pcap and no FlowMonitor file: they need --packets=both or ns3.\n";
    }
    return 0;
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
