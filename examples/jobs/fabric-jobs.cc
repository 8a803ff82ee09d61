// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Jobs over optical and electrical fabrics: schedules, matchings, placement rules and an agent side
 * by side, with the same servers, the same jobs, the same flows and the same counters.
 *
 * Jobs arrive, run for some milliseconds, and exchange flows along a pattern. There are two kinds
 * of designs:
 * - A policy of the ODCN system (a rule or an agent) places the VMs of a job, and the network
 *   manager grants it circuits, which the fabric sets up. Packets wait for a circuit to their
 *   rack. A job for which servers or bandwidth are lacking is blocked, and its flows are not
 *   offered.
 * - A fabric that follows a schedule, or is electrical, grants nothing. The jobs are placed at
 *   random on racks with free servers, or on exactly those servers that a policy chose.
 *
 * Job times are scaled down: jobs of milliseconds, so that several arrive and leave while packets
 * run. The data centre is filled before, without packets.
 *
 *     ./ns3 run fabric-jobs
 *     ./ns3 run "fabric-jobs --designs=opera,rotornet,odcn-jcb --placements=random,odcn-jcb"
 *     ./ns3 run "fabric-jobs --designs=odcn-jcb,my-agent.pt --replications=10"
 */

#include "fabric-jobs-comparison.h"

#include "ns3/odcn-text.h"

#include <cmath>
#include <limits>

using namespace ns3;
using namespace ns3::odcn;

void
FabricJobsOptions::Add(OdcnCommandLine& cmd)
{
    racks = 16;
    servers = 4;
    uplinks = 8;
    duration = 12;
    drain = 60;
    output = "fabric-jobs-out";
    AddNetworkOptions(cmd);
    cmd.AddValue("granted", "Routing over granted circuits", granted);
    cmd.SetGroup("Jobs and flows");
    cmd.AddRange("load", "Mean duration of a job in mean inter-arrival times", load, 0.1, 1e4);
    cmd.AddRange("jobTime", "Mean duration of a job, ms", jobTime, 0.01, 1e6);
    cmd.AddValue("pattern",
                 "Communication pattern: ring, bidirectional-ring, tree, star, random-p, full-mesh",
                 pattern);
    cmd.AddRange("demand",
                 "Mean bandwidth that a VM pair demands, as a share of the line rate",
                 demand,
                 0.001,
                 0.875);
    cmd.AddRange("use", "Mean share of its demand that flows of a pair use", use, 0.001, 10.0);
    cmd.AddRange("warmUp",
                 "Jobs that fill the data centre before packets start",
                 warmUp,
                 uint64_t(0),
                 uint64_t(1000000000));
    cmd.AddRange("linger", "How much longer jobs hold servers and circuits, ms", linger, 0.0, 1e6);
    AddFlowOptions(cmd);
    AddStudyOptions(cmd,
                    "all, or names separated by commas, of fabrics: " + GRANT_NOTHING +
                        "; or of any policy of odcn-drl-scheduling");
    cmd.AddValue("placements",
                 "Where jobs run in fabrics that grant nothing: random, or as a policy placed them",
                 placements);
}

StudyLayout
JobComparison::GetLayout() const
{
    using R = StudyResult;
    const double gbps = 8e-6 / m_options.duration; // from bytes
    return {{"design", "placement"},
            "jobs,blocked,blocking,offered_bytes,delivered_bytes,hops,reconfigurations_per_s,"
            "held_bytes,packets,dropped,faults,availability",
            {"Design", "Placement"},
            {{{"blocking", "Blocked\njobs %", "%", 100}, &R::blocking, "Blocked jobs", "", 1},
             {{"offered_bytes", "Offered\nGb/s", "Gb/s", gbps}, &R::offered},
             {{"in_time", "Delivered\nin time %", "%", 100},
              [](const R& r) { return r.offered > 0 ? r.delivered / r.offered : std::nan(""); },
              "Delivered in time",
              "",
              1},
             CompleteFigure(),
             CompletionFigure("p50 us\n< 100 kB", 0, &FlowStatistics::p50, 1e6),
             CompletionFigure("p99 ms\n< 100 kB", 0, &FlowStatistics::p99, 1e3),
             CompletionFigure("p50 ms\n.1-1 MB", 1, &FlowStatistics::p50, 1e3),
             CompletionFigure("p99 ms\n.1-1 MB", 1, &FlowStatistics::p99, 1e3),
             CompletionFigure("p50 ms\n>= 1 MB", 2, &FlowStatistics::p50, 1e3),
             CompletionFigure("p99 ms\n>= 1 MB", 2, &FlowStatistics::p99, 1e3),
             {{"hops", "Hops"}, &R::hops},
             {{"reconfigurations_per_s", "Recon-\nfig. /s", "per second"},
              &R::reconfigurations,
              "Reconfigurations"},
             {{"held_bytes", "Held\nMB", "MB", 1e-6}, &R::held, "Most bytes held by a ToR switch"},
             {{"dropped", "Lost"}, &R::dropped},
             {{"delivered_bytes", ""}, &R::delivered},
             {{"jobs", ""}, &R::jobs},
             {{"blocked", ""}, &R::blockedJobs},
             {{"packets", ""}, &R::packets},
             {{"faults", ""}, &R::faults},
             {{"availability", ""}, &R::availability}},
            [](const StudyRow& row) -> std::vector<std::string> {
                return {row.labels[0], row.labels[0] == row.labels[1] ? "" : row.labels[1]};
            }};
}

int
main(int argc, char* argv[])
try
{
    FabricJobsOptions o;
    OdcnCommandLine cmd(
        argc,
        argv,
        "Jobs over schedules, matchings, granted circuits and electrical networks.");
    o.Add(cmd);
    cmd.Parse();
    Time::SetResolution(Time::PS);
    o.CheckNetwork();
    JobComparison comparison(o);
    comparison.Choose();
    const StudyLayout layout = comparison.GetLayout();
    comparison.Run(o.replications, layout);
    PlainStream setting;
    setting.precision(std::numeric_limits<double>::digits10); // as given
    setting << o.Describe() << "\nJobs at load " << comparison.DescribeLoad() << ", " << o.jobTime
            << " ms, " << o.pattern << ", demand " << o.demand << " of the line rate, of which "
            << o.use << " is used; " << o.sizes << " flows, " << o.duration << " ms, "
            << FormatCount(o.replications, "run") << ", in packets";
    comparison.Report(
        layout,
        setting.str(),
        "Placement: of jobs to which no circuits are granted. Blocked: of all jobs, the warm-up "
        "included.\nOffered: by flows of accepted jobs between servers. Delivered in time: share "
        "of it received when\nthe last flows start. Hops: packets sent between switches for each "
        "one received. Held: most that\na ToR switch held. Reconfigurations: while flows start. "
        "Mean and "
        "95 % interval over runs.",
        comparison.GetWarnings());
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
