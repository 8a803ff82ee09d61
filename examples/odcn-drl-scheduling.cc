// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Jobs on an optical data centre: rules and a learning agent place the same jobs, and packets tell
 * what the network makes of it. The system of "Deep Reinforcement Learning-aided Multi-step Job
 * Scheduling in Optical Data Center Networks" (section 5), at 16 ToR switches unless you say
 * otherwise.
 *
 *                    +-------+   +-------+   +-------+
 *                    | OCS 0 |   | OCS 1 |   | OCS 2 |        optical circuit switches: no buffers,
 *                    +-------+   +-------+   +-------+        no clocks, circuits that can be moved
 *                     | | | \\ \\   | | |    // / | | |
 *                +-------+      +-------+         +-------+
 *                | ToR 0 |      | ToR 1 |   ...   | ToR 15|    15 uplinks each way, 40 Gb/s,
 *                +-------+      +-------+         +-------+    a FIFO of 15 packets on each
 *                 | | | |        | | | |           | | | |
 *                 servers        servers           servers     32 a rack, 32 cores each
 *
 * A job is 10 to 21 VMs in a ring. They are placed one by one: which rack? If the circuits cannot
 * take the job's bandwidth, the network manager tries to move some; if that fails, or no rack has a
 * server, the whole job is blocked.
 *
 * The program does two things.
 *
 * 1. Job level. Every policy decides the same job streams, several replications of them. No packet
 * is sent; latency and loss are those of an M/D/1/K queue at each circuit's load.
 * 2. Packets. The first replication runs again inside the simulator: the scheduler is an
 * application on a controller node, its commands move circuits of optical switches, and in
 * measurement windows every accepted VM pair sends real IPv4/UDP packets at its full demand. With
 * --packets=exact the same packets run without events, hundreds of times faster.
 *
 * Try:
 *   ./ns3 run odcn-drl-scheduling
 *   ./ns3 run "odcn-drl-scheduling --load=72 --policies=odcn-jcb,odcn-packing,drl"
 *   ./ns3 run "odcn-drl-scheduling --jobFile=my-jobs.csv"
 *   ./ns3 run "odcn-drl-scheduling --train=1 --checkpoint=my-agent.pt"
 */

#include "odcn-drl-scheduling-report.h"
#include "odcn-drl-scheduling-run.h"
#include "odcn-drl-scheduling-train.h"

#include "ns3/flow-monitor-helper.h"
#include "ns3/flow-monitor.h"
#include "ns3/odcn-alibaba-jobs.h"
#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-evaluation.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-file.h"
#include "ns3/odcn-job-recorder.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-window-recorder.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <sstream>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param recorder of windows  @param name of a policy  @return in words what was measured so far
std::string
Measured(const OdcnWindowRecorder& recorder, const std::string& name)
{
    return std::to_string(recorder.GetNWindows(name)) + " windows, " +
           std::to_string(recorder.GetReceived(name)) + " packets";
}

/**
 * A file holds so many jobs and no more: fit the run to it.
 * @param options of the command line; jobs, warmUp, replications and batches are set
 */
void
FitToFile(Options& options)
{
    uint64_t jobs = 0;
    if (options.format == "odcn")
    {
        auto file = CreateObject<OdcnJobFile>();
        file->SetFileName(options.jobFile);
        jobs = file->Check();
    }
    else
    {
        auto trace = CreateObject<OdcnAlibabaJobs>();
        trace->SetFileName(options.jobFile);
        const OdcnAlibabaReport& report = trace->GetReport();
        jobs = report.jobsUsed;
        std::cout << options.jobFile << ":\n";
        report.Print(std::cout);
    }
    if (jobs < 2)
    {
        throw OdcnError::InFile(options.jobFile, 0, std::to_string(jobs) + " jobs", "2 or more");
    }
    options.warmUp = std::min(options.warmUp, jobs / 10);
    options.jobs = jobs - options.warmUp;
    options.replications = 1;
    options.batches = static_cast<uint32_t>(std::min<uint64_t>(20, options.jobs));
}

/**
 * Job level: all replications of one scheme.
 * @param scheme which
 * @param options of the command line
 * @param helper builds the problem
 * @param recorder writes the jobs of the first replication
 * @return what it came to
 */
OdcnEvaluation
RunJobLevel(const OdcnScheme& scheme,
            const Options& options,
            const OdcnHelper& helper,
            OdcnJobRecorder& recorder)
{
    OdcnEvaluation evaluation;
    const uint64_t perReplication = options.warmUp + options.jobs;
    OdcnProgress progress(scheme.name + ", job level",
                          perReplication * options.replications,
                          "jobs");
    const uint64_t firstRun = RngSeedManager::GetRun();
    for (uint32_t r = 0; r < options.replications; ++r)
    {
        RngSeedManager::SetRun(firstRun + r);
        Ptr<CsMgr> manager;
        RunReplication(
            scheme,
            options,
            helper,
            evaluation,
            [&](OdcnScheduling& problem)
            {
                manager = problem.GetManager();
                recorder.Record(scheme.name, r == 0 ? manager : nullptr);
            },
            [&](uint64_t done)
            {
                progress.Update(
                    r * perReplication + done,
                    [&]() {
                        return "blocking " +
                               OdcnFormatFixed(100 * manager->GetCounters().BlockingRatio(), 2) +
                               " %";
                    });
            });
    }
    recorder.Record("", nullptr);
    RngSeedManager::SetRun(firstRun);
    const auto blocking = OdcnFormatEstimate(evaluation.GetBlocking(), 100);
    progress.Finish(perReplication * options.replications, "blocking " + blocking + " %");
    return evaluation;
}

/**
 * Packets: the first replication of one scheme, without the simulator.
 * @param scheme which
 * @param options of the command line
 * @param helper builds the problem and the engine
 * @param recorder writes the windows
 */
void
RunExactPackets(const OdcnScheme& scheme,
                const Options& options,
                OdcnHelper& helper,
                OdcnWindowRecorder& recorder)
{
    OdcnProgress progress(scheme.name + ", packets", options.warmUp + options.jobs, "jobs");
    RunExactWindows(scheme,
                    options,
                    helper,
                    recorder,
                    scheme.name,
                    [&](uint64_t done)
                    { progress.Update(done, [&]() { return Measured(recorder, scheme.name); }); });
    progress.Finish(options.warmUp + options.jobs,
                    "latency " + OdcnFormatEstimate(recorder.GetLatencyNs(scheme.name)) + " ns");
}

/**
 * Packets: the first replication of one scheme, in the simulator.
 * @param scheme which
 * @param options of the command line
 * @param helper builds the problem and the network
 * @param recorder writes the windows
 * @param files where traces go; grows by the names of files written
 * @param traced whether this scheme writes pcap and FlowMonitor files
 */
void
RunPackets(const OdcnScheme& scheme,
           const Options& options,
           OdcnHelper& helper,
           OdcnWindowRecorder& recorder,
           OdcnOutputFiles& files,
           bool traced)
{
    Ptr<FlowMonitor> flowMonitor;
    FlowMonitorHelper flowMonitorHelper;
    OdcnProgress progress(scheme.name + ", packets", options.warmUp + options.jobs, "jobs");
    const auto begun = [&](OdcnScenario& scenario)
    {
        if (traced && options.pcap)
        {
            // One uplink of the first ToR switch: IPv4 as it is on the fibre (link type raw IP).
            helper.GetOptics().EnablePcap(files.Temporary("tor-0-uplink-0.pcap"),
                                          scenario.fabric->GetUplink(0, 0),
                                          true,
                                          true);
        }
        if (traced && options.flowMonitor)
        {
            flowMonitor = flowMonitorHelper.Install(scenario.fabric->GetServers());
        }
        auto scheduler = PeekPointer(scenario.scheduler);
        scheduler->TraceConnectWithoutContext(
            "Decided",
            Callback<void, OdcnOutcome>(
                [&, scheduler](OdcnOutcome) {
                    progress.Update(scheduler->GetNJobs(),
                                    [&]() { return Measured(recorder, scheme.name); });
                }));
    };
    const auto ended = [&]()
    {
        progress.Finish(options.warmUp + options.jobs,
                        "latency " + OdcnFormatEstimate(recorder.GetLatencyNs(scheme.name)) +
                            " ns");
        if (flowMonitor)
        {
            flowMonitor->CheckForLostPackets();
            OdcnAtomicFile xml(files.Path("flow-monitor.xml"));
            flowMonitor->SerializeToXmlStream(xml.Stream(), 0, true, false);
            xml.Commit();
            files.Written("flow-monitor.xml", "FlowMonitor of " + scheme.name);
        }
        if (traced && options.pcap)
        {
            files.Keep("tor-0-uplink-0.pcap",
                       "packets of " + scheme.name + " through uplink 0 of ToR 0, both ways");
        }
    };
    RunWindows(scheme, options, helper, recorder, scheme.name, begun, ended);
}

} // namespace

int
main(int argc, char* argv[])
try
{
    Options options;
    options.checkpoint = ODCN_DATA_DIR "/odcn.pt";
    options.linear = ODCN_DATA_DIR "/linear-odcn-16-tor.json";
    options.Parse(argc, argv);
    // 296 bytes at 40 Gb/s take 59.2 ns: a nanosecond is too coarse.
    Time::SetResolution(Time::PS);

    OdcnHelper helper = MakeHelper(options);
    if (options.train)
    {
        return Train(options, helper);
    }

    std::vector<OdcnScheme> schemes;
    for (const auto& name : options.GetPolicies())
    {
        schemes.push_back(OdcnScheme::Find(name));
    }
    if (!options.jobFile.empty())
    {
        FitToFile(options);
    }
    OdcnOutputFiles files(options.output);
    OdcnJobRecorder jobs(files.Path("jobs.csv"));
    OdcnWindowRecorder windows(files.Path("windows.csv"));
    Report report(options);
    for (const auto& scheme : schemes)
    {
        // A policy whose file does not fit should say so before anything has run.
        auto policy = MakePolicy(scheme, options);
        policy->Decide(*MakeProblem(scheme, options, helper, *policy));
    }
    if (!options.saveJobs.empty())
    {
        OdcnJobFileWriter writer(options.saveJobs);
        auto source = MakeJobs(options);
        OdcnJob job;
        for (uint64_t i = 0; i < options.warmUp + options.jobs && source->Next(job); ++i)
        {
            writer.Write(job);
        }
        writer.Commit();
        files.Written(options.saveJobs, "the jobs of the first replication, for --jobFile");
    }

    for (const auto& scheme : schemes)
    {
        report.Add(scheme, RunJobLevel(scheme, options, helper, jobs));
    }
    jobs.Commit();
    files.Written("jobs.csv", "every job of the first replication: when, where, why not");
    if (options.HasWindows())
    {
        for (const auto& scheme : schemes)
        {
            if (options.packets == "exact")
            {
                RunExactPackets(scheme, options, helper, windows);
                continue;
            }
            const bool traced = scheme.name == schemes.back().name;
            RunPackets(scheme, options, helper, windows, files, traced);
        }
        windows.Commit();
        files.Written("windows.csv", "every measurement window: packets, latency, loss by cause");
        report.SetWindows(windows);
    }
    report.Write(files.Path("summary.csv"));
    files.Written("summary.csv", "the tables below, in full");
    report.Print(std::cout);
    std::cout << DescribePasses();
    files.Print(std::cout);
    if (options.packets != "ns3" && (options.pcap || options.flowMonitor))
    {
        std::cout << "No pcap and no FlowMonitor file: they need --packets=ns3.\n";
    }
    return 0;
}

catch (const std::exception& error)
{
    std::cerr << "error: " << error.what() << std::endl;
    return 1;
}
