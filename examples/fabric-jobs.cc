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

#include "fabric-system.h"
#include "odcn-system.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/ocs-helper.h"
#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-flows.h"
#include "ns3/odcn-job-placement.h"
#include "ns3/odcn-live-page.h"
#include "ns3/odcn-matching-schedule.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-statistics.h"
#include "ns3/odcn-table.h"
#include "ns3/string.h"
#include "ns3/tor-routing.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Placement at random on racks with free servers, no circuits asked for.
const std::string RANDOM = "random";

/// Kind of a design.
enum class Kind
{
    SCHEDULE,   //!< optical, follows a schedule
    ELECTRICAL, //!< electrical
    GRANTED,    //!< optical, circuits as granted to jobs
};

/// A row of the table.
struct Design
{
    std::string name;      //!< for --designs; of a policy if GRANTED
    Kind kind;             //!< what it is
    std::string schedule;  //!< a CircuitSchedule with Attributes, if SCHEDULE
    std::string routing;   //!< a TorRouting with Attributes, or the electrical network
    std::string what;      //!< one line for the output
    std::string placement; //!< RANDOM, or the policy that places the jobs
};

/// Options of the program.
struct Options : FabricSystem
{
    Options()
        : FabricSystem{16, 4, 8}
    {
    }

    std::string granted{"DirectRouting"};  //!< routing over granted circuits
    double load{6};                        //!< mean duration of a job in inter-arrival times
    double jobTime{6};                     //!< mean duration of a job, ms
    std::string pattern{"ring"};           //!< communication pattern
    double demand{0.35};                   //!< mean demand of a VM pair, share of line rate
    double use{0.5};                       //!< share of it that flows use
    uint64_t warmUp{2000};                 //!< jobs before packets start
    double linger{0};                      //!< time for which jobs hold resources longer, ms
    std::string sizes{"websearch"};        //!< of flows
    double duration{12};                   //!< ms
    double drain{60};                      //!< ms
    uint64_t shortFlows{2000000};          //!< bytes
    std::string placements{RANDOM};        //!< of designs that grant nothing
    uint32_t replications{3};              //!< number
    std::string designs{"all"};            //!< names
    std::string output{"fabric-jobs-out"}; //!< folder

    /// @return length of a unit of job time
    Time GetUnit() const
    {
        return PicoSeconds(std::llround(jobTime / load * 1e9));
    }
};

/// What is measured of a run.
struct Result : FabricResult
{
    uint64_t offeredJobs{0}; //!< jobs that arrived while flows start
    uint64_t blockedJobs{0}; //!< jobs of them that were blocked
    double blocking{0};      //!< share of all jobs blocked, those of the warm-up included
    double offeredBytes{0};  //!< of flows between servers
    double delivered{0};     //!< bytes received by the end of the arrivals
};

/// @param ms milliseconds  @return the time
Time
Milli(double ms)
{
    return PicoSeconds(std::llround(ms * 1e9));
}

/// @param o options  @return the designs of the program that grant nothing
std::vector<Design>
MakeFabrics(const Options& o)
{
    return {
        {"ideal", Kind::ELECTRICAL, "", "ideal", "one switch without limits joins all servers", ""},
        {"fat-tree", Kind::ELECTRICAL, "", "fat-tree", "electrical, full bisection, ECMP", ""},
        {"clos-3:1", Kind::ELECTRICAL, "", "clos", "electrical leaf-spine, 3:1, ECMP", ""},
        {"expander",
         Kind::SCHEDULE,
         "ExpanderSchedule",
         "ExpanderRouting",
         "static random circuits, shortest paths",
         ""},
        {"rotornet", Kind::SCHEDULE, o.GetRotor(), "RotorLbRouting", "rotors in step, RotorLB", ""},
        {"opera",
         Kind::SCHEDULE,
         o.GetOpera(),
         "ClassRouting[Bulk=RotorLbRouting]",
         "one switch at a time; short flows at once, others wait for circuits, RotorLB",
         ""},
        {"sirius",
         Kind::SCHEDULE,
         o.GetSirius(),
         "ValiantRouting[Spread=Random]",
         "cyclic, slots of three packets, random transit racks",
         ""},
        {"max-weight",
         Kind::SCHEDULE,
         o.GetMatched("MaxWeightMatching"),
         "ExpanderRouting",
         "circuits of maximum weight for the mean demand of all jobs, told in advance",
         ""},
    };
}

/// @param o options  @param system finds policies  @return the rows
std::vector<Design>
MakeRows(const Options& o, const OdcnSystem& system)
{
    const std::vector<Design> fabrics = MakeFabrics(o);
    std::vector<std::string> names = OdcnCommandLine::SplitList(o.designs, "designs");
    if (o.designs == "all")
    {
        names.clear();
        for (const Design& fabric : fabrics)
        {
            names.push_back(fabric.name);
        }
        names.insert(names.end(), {"all2all-ccf", "odcn-ccf", "odcn-jcb", "odcn-score", "drl"});
    }
    std::vector<Design> rows;
    for (const std::string& name : names)
    {
        const auto found = std::find_if(fabrics.begin(),
                                        fabrics.end(),
                                        [&](const Design& d) { return d.name == name; });
        if (found == fabrics.end())
        {
            const PolicyChoice choice = system.Find(name);
            rows.push_back({name, Kind::GRANTED, "", o.granted, choice.title, name});
            continue;
        }
        for (const std::string& placement : OdcnCommandLine::SplitList(o.placements, "placements"))
        {
            rows.push_back(*found);
            rows.back().placement = placement;
        }
    }
    return rows;
}

/// @param design a design  @return its title in charts
std::string
GetTitle(const Design& design)
{
    return design.kind == Kind::GRANTED || design.placement == RANDOM
               ? design.name
               : design.name + ", placed by " + design.placement;
}

/// Simulates designs with the same jobs.
class Comparison
{
  public:
    /// @param options of the program  @param system the data centre of the policies
    /// @param report gets what the first runs do
    Comparison(const Options& options, const OdcnSystem& system, FabricReport& report)
        : m_options(options),
          m_system(system),
          m_runs(options, report, m_noAnimation, false)
    {
    }

    /// Draw the jobs and their flows. @param replication number from 0
    void SetReplication(uint32_t replication)
    {
        const Options& o = m_options;
        m_stream = 100000 * int64_t(replication);
        m_runs.SetStream(m_stream);
        m_placed.clear();
        m_from = double(o.warmUp); // in mean inter-arrival times
        m_until = m_from + o.duration / o.jobTime * o.load;
        const Ptr<OdcnJobSource> source = MakeHelper(o.gbps).CreateJobs(o.load);
        source->AssignStreams(m_stream);
        std::vector<OdcnJob> jobs;
        for (OdcnJob job; source->Next(job) && job.arrival < m_until;)
        {
            jobs.push_back(job);
        }
        Ptr<JobFlowWorkload> workload = CreateObject<JobFlowWorkload>();
        workload->SetAttribute("Sizes", StringValue(FabricSystem::FindSizes(o.sizes)));
        workload->SetAttribute("Use", DoubleValue(o.use));
        workload->SetAttribute("TimeUnit", TimeValue(o.GetUnit()));
        workload->AssignStreams(m_stream + 200);
        m_jobFlows = workload->Generate(jobs, m_from, m_until);
    }

    /// Throw OdcnError unless a design exists for these sizes. @param design a design
    void Check(const Design& design)
    {
        Place(design);
        if (design.kind == Kind::SCHEDULE)
        {
            MakeSchedule(design);
        }
        if (design.kind != Kind::ELECTRICAL)
        {
            TorRouting::Create(design.routing);
        }
    }

    /// @param design a design  @param flowsFile file of all flows to write, or ""
    /// @return its results
    Result Run(const Design& design, const std::string& flowsFile)
    {
        const Placed& placed = Place(design);
        const Options& o = m_options;
        const Time arrivals = Milli(o.duration);
        const FabricFlows run{placed.flows,
                              o.shortFlows,
                              arrivals + Milli(o.drain),
                              arrivals,
                              flowsFile,
                              arrivals};
        Result result{design.kind == Kind::ELECTRICAL
                          ? m_runs.Run(GetTitle(design), o.BuildElectrical(design.routing), run)
                          : m_runs.Run(MakeOptical(design, placed), run)};
        if (!result.goodput.empty())
        {
            result.delivered = result.goodput[0] / 8 * arrivals.GetSeconds();
        }
        result.offeredJobs = placed.jobs.offered;
        result.blockedJobs = placed.jobs.blocked;
        result.blocking = placed.blocking;
        for (const DataFlow& flow : placed.flows)
        {
            result.offeredBytes += double(flow.bytes);
        }
        return result;
    }

    /// @return how the data centre differs from those on which policies were trained, by policy
    const std::map<std::string, std::string>& GetTransfers() const
    {
        return m_transfers;
    }

  private:
    /// Jobs on servers.
    struct Placed
    {
        JobPlacement jobs;           //!< their servers and circuits
        double blocking;             //!< see Result
        uint32_t ocs;                //!< number of optical switches
        std::vector<DataFlow> flows; //!< of these jobs, between servers
    };

    /// @param gbps rate of a circuit  @return helper for the job level
    OdcnHelper MakeHelper(double gbps) const
    {
        const Options& o = m_options;
        OdcnHelper helper;
        helper.SetNetworkAttribute("Racks", UintegerValue(o.racks));
        helper.SetNetworkAttribute("PortsPerTor", UintegerValue(o.uplinks));
        helper.SetComputeAttribute("ServersPerRack", UintegerValue(o.servers));
        helper.SetJobAttribute("Pattern", StringValue(o.pattern));
        helper.SetNetworkAttribute("PortRate", DataRateValue(DataRate(GbpsToBitRate(gbps))));
        // Demands of the ODCN paper are 6 to 8 Gb/s.
        helper.SetJobAttribute(
            "DemandGbps",
            StringValue("ns3::UniformRandomVariable[Min=" + Text(o.demand * o.gbps * 6 / 7, "") +
                        "|Max=" + Text(o.demand * o.gbps * 8 / 7, "") + "]"));
        return helper;
    }

    /// @param design a design  @return its jobs
    const Placed& Place(const Design& design)
    {
        const Options& o = m_options;
        const bool free = design.kind != Kind::GRANTED && design.placement == RANDOM;
        const std::string key = design.placement + (free ? " without circuits" : "");
        const auto found = m_placed.find(key);
        if (found != m_placed.end())
        {
            return found->second;
        }
        // Circuits of a petabit a second never lack bandwidth.
        const Ptr<OdcnScheduling> problem = MakeHelper(free ? 1e6 : o.gbps).CreateProblem(o.load);
        const PolicyChoice choice = m_system.Find(design.placement);
        const Ptr<DecisionPolicy> policy = choice.Create();
        choice.Configure(*problem, *policy);
        problem->AssignStreams(m_stream);
        policy->AssignStreams(m_stream + 100);
        problem->Reset();
        policy->Reset();
        const Ptr<CsMgr> manager = problem->GetManager();
        manager->SetControlLatency(o.linger / o.jobTime * o.load);
        Placed& placed = m_placed[key];
        placed.jobs = PlaceJobs(*problem, *policy, m_from, m_until);
        placed.blocking = manager->GetCounters().BlockingRatio();
        placed.ocs = manager->GetNetwork()->GetCircuits().GetNOcs();
        placed.flows = placed.jobs.GetFlows(m_jobFlows);
        if (const auto other = CompareTraining(*policy, *problem, o.pattern, o.load);
            !other.empty())
        {
            m_transfers[design.placement] = other;
        }
        return placed;
    }

    /// @param design an optical design  @return its schedule
    Ptr<CircuitSchedule> MakeSchedule(const Design& design)
    {
        Ptr<CircuitSchedule> plan = CircuitSchedule::Create(design.schedule);
        if (auto matched = DynamicCast<MatchingSchedule>(plan))
        {
            DemandMatrix demand = Place(design).jobs.GetMeanDemand();
            demand.Scale(1 / demand.GetMaxLoad());
            matched->SetDemand(demand);
        }
        plan->AssignStreams(m_stream + 900);
        plan->Build(m_options.racks, m_options.uplinks);
        return plan;
    }

    /// @param design an optical design  @param placed its jobs  @return its fabric
    FabricRuns::Optical MakeOptical(const Design& design, const Placed& placed)
    {
        const Options& o = m_options;
        const bool granted = design.kind == Kind::GRANTED;
        FabricRuns::Optical fabric{
            GetTitle(design),
            o.MakeHelper(design.routing),
            {o.racks, o.servers, o.uplinks, granted ? placed.ocs : o.uplinks},
            false,
            {}};
        fabric.helper.SetSwitchAttribute("ReconfigurationTime", StringValue(Text(o.dark, "us")));
        fabric.start = [this, granted, &design, &placed](auto network) -> Ptr<Object>
        {
            if (granted)
            {
                return OdcnHelper::FollowCircuits(network, placed.jobs, m_options.GetUnit());
            }
            const auto follower = CreateObject<OcsScheduleFollower>();
            follower->Start(network, MakeSchedule(design));
            return follower;
        };
        return fabric;
    }

    const Options& m_options;                       //!< of the program
    const OdcnSystem& m_system;                     //!< the data centre of the policies
    CircuitAnimation m_noAnimation;                 //!< without a file
    FabricRuns m_runs;                              //!< over the networks
    int64_t m_stream{0};                            //!< first stream of the replication
    double m_from{0};                               //!< job time at which packets start
    double m_until{0};                              //!< job time at which the last flow may start
    std::vector<JobFlow> m_jobFlows;                //!< of the replication
    std::map<std::string, Placed> m_placed;         //!< of the replication
    std::map<std::string, std::string> m_transfers; //!< see GetTransfers()
};

/// @param part a number  @param whole another  @return part / whole, NaN if that is 0
double
Ratio(double part, double whole)
{
    return whole > 0 ? part / whole : std::nan("");
}

/// Write summary.csv. @param path file  @param rows designs  @param results [design][run]
void
WriteSummary(const std::string& path,
             const std::vector<Design>& rows,
             const std::vector<std::vector<Result>>& results)
{
    CsvWriter csv(path, {"design",          "placement",    "run",
                         "from_bytes",      "to_bytes",     "flows",
                         "incomplete",      "p50_us",       "p99_us",
                         "slowdown_p50",    "slowdown_p99", "jobs",
                         "blocked",         "blocking",     "offered_bytes",
                         "delivered_bytes", "hops",         "reconfigurations_per_s",
                         "held_bytes",      "packets",      "dropped",
                         "faults",          "availability"});
    for (std::size_t d = 0; d < rows.size(); ++d)
    {
        for (std::size_t run = 0; run < results[d].size(); ++run)
        {
            const Result& r = results[d][run];
            for (const FlowSummary& c : r.classes)
            {
                csv.Row(rows[d].name,
                        rows[d].placement,
                        run,
                        c.fromBytes,
                        c.toBytes,
                        c.flows,
                        c.incomplete,
                        c.time.p50 * 1e6,
                        c.time.p99 * 1e6,
                        c.slowdown.p50,
                        c.slowdown.p99,
                        r.offeredJobs,
                        r.blockedJobs,
                        r.blocking,
                        r.offeredBytes,
                        r.delivered,
                        r.hops,
                        r.reconfigurations,
                        r.held,
                        r.packets,
                        r.dropped,
                        r.faults.faults,
                        r.faults.availability);
            }
        }
    }
    csv.Commit();
}

/// @param rows designs  @param results [design][run]  @param o options  @return the table
Table
MakeTable(const std::vector<Design>& rows,
          const std::vector<std::vector<Result>>& results,
          const Options& o)
{
    Table table({"Design",
                 "Placement",
                 "Blocked\njobs %",
                 "Offered\nGb/s",
                 "Delivered\nin time %",
                 "Complete\n%",
                 "p50 us\n< 100 kB",
                 "p99 ms\n< 100 kB",
                 "p50 ms\n< 1 MB",
                 "p99 ms\n< 1 MB",
                 "p50 ms\n>= 1 MB",
                 "p99 ms\n>= 1 MB",
                 "Hops",
                 "Recon-\nfig. /s",
                 "Held\nMB",
                 "Lost"});
    for (std::size_t d = 0; d < rows.size(); ++d)
    {
        const std::vector<Result>& r = results[d];
        // clang-format off
        const auto quantile = [&](std::size_t c, double FlowStatistics::*q, double scale)
        {
            return MeanOf(
                r,
                [&](const Result& x) { return x.classes[c].time.*q; },
                scale);
        };
        // clang-format on
        const auto mean = [&](double scale, const std::function<double(const Result&)>& get)
        { return MeanOf(r, get, scale); };
        table.AddRow({rows[d].name,
                      rows[d].kind == Kind::GRANTED ? "" : rows[d].placement,
                      mean(100, [](const Result& x) { return x.blocking; }),
                      mean(8e-6 / o.duration, [](const Result& x) { return x.offeredBytes; }),
                      mean(100, [](const Result& x) { return Ratio(x.delivered, x.offeredBytes); }),
                      mean(100,
                           [](const Result& x)
                           {
                               const FlowSummary& all = x.classes.back();
                               return Ratio(double(all.flows - all.incomplete), double(all.flows));
                           }),
                      quantile(0, &FlowStatistics::p50, 1e6),
                      quantile(0, &FlowStatistics::p99, 1e3),
                      quantile(1, &FlowStatistics::p50, 1e3),
                      quantile(1, &FlowStatistics::p99, 1e3),
                      quantile(2, &FlowStatistics::p50, 1e3),
                      quantile(2, &FlowStatistics::p99, 1e3),
                      mean(1, [](const Result& x) { return x.hops; }),
                      mean(1, [](const Result& x) { return x.reconfigurations; }),
                      mean(1e-6, [](const Result& x) { return x.held; }),
                      mean(1, [](const Result& x) { return double(x.dropped); })});
    }
    return table;
}

/// Add charts of means over runs. @param report the report  @param rows designs
/// @param results [design][run]
void
AddCharts(FabricReport& report,
          const std::vector<Design>& rows,
          const std::vector<std::vector<Result>>& results)
{
    std::vector<std::string> names;
    for (const Design& row : rows)
    {
        names.push_back(GetTitle(row));
    }
    AddCompletion(report, names, results);
    ReportChart& blocked = report.AddMeans("Blocked jobs", "%");
    ReportChart& delivered = report.AddMeans("Delivered in time", "%");
    ReportChart& held = report.AddMeans("Most bytes held by a ToR switch", "MB");
    ReportChart& moves = report.AddMeans("Reconfigurations", "per second");
    for (std::size_t d = 0; d < names.size(); ++d)
    {
        const auto add = [&](ReportChart& chart, const std::string& facet, double scale, auto get)
        { AddMean(chart, facet, names[d], results[d], get, scale); };
        add(blocked, "", 100, [](const Result& r) { return r.blocking; });
        add(delivered, "", 100, [](const Result& r) { return Ratio(r.delivered, r.offeredBytes); });
        add(held, "", 1e-6, [](const Result& r) { return r.held; });
        add(moves, "", 1, [](const Result& r) { return r.reconfigurations; });
    }
}

} // namespace

int
main(int argc, char* argv[])
try
{
    Options o;
    OdcnCommandLine cmd(
        argc,
        argv,
        "Jobs over schedules, matchings, granted circuits and electrical networks.");
    o.AddOptions(cmd);
    cmd.AddValue("granted", "Routing over granted circuits", o.granted);
    cmd.SetGroup("Jobs and flows");
    cmd.AddRange("load", "Mean duration of a job in mean inter-arrival times", o.load, 0.1, 1e4);
    cmd.AddRange("jobTime", "Mean duration of a job, ms", o.jobTime, 0.01, 1e6);
    cmd.AddValue("pattern",
                 "Communication pattern: ring, bidirectional-ring, tree, star, random-p, full-mesh",
                 o.pattern);
    cmd.AddRange("demand",
                 "Mean bandwidth that a VM pair demands, as a share of the line rate",
                 o.demand,
                 0.001,
                 0.875);
    cmd.AddRange("use", "Mean share of its demand that flows of a pair use", o.use, 0.001, 10.0);
    cmd.AddRange("warmUp",
                 "Jobs that fill the data centre before packets start",
                 o.warmUp,
                 uint64_t(0),
                 uint64_t(1000000000));
    cmd.AddRange("linger",
                 "How much longer jobs hold servers and circuits, ms",
                 o.linger,
                 0.0,
                 1e6);
    cmd.AddValue("sizes", "websearch, datamining, hadoop, bytes, or a path of a CDF", o.sizes);
    cmd.AddRange("duration", "Time in which flows start, ms", o.duration, 0.1, 10000.0);
    cmd.AddRange("drain", "Most time for the flows to complete after that, ms", o.drain, 0.0, 1e5);
    cmd.AddValue("short", "Flows of fewer bytes do not wait in Opera", o.shortFlows);
    cmd.SetGroup("Comparison");
    cmd.AddValue(
        "designs",
        "all, or names of fabrics and policies separated by commas: " +
            [&]
            {
                std::string names;
                for (const Design& fabric : MakeFabrics(o))
                {
                    names += fabric.name + ", ";
                }
                return names;
            }() +
            "any policy of odcn-drl-scheduling",
        o.designs);
    cmd.AddValue("placements",
                 "Where jobs run in fabrics that grant nothing: random, or as a policy placed them",
                 o.placements);
    cmd.AddRange("replications", "Runs of each design", o.replications, 1U, 1000U);
    cmd.AddValue("output", "Folder of the results", o.output);
    FabricReport report;
    report.Get().AddOptions(cmd);
    cmd.Parse();
    Time::SetResolution(Time::PS);
    o.Check();
    OdcnSystem system;
    const std::vector<Design> rows = MakeRows(o, system);
    Comparison comparison(o, system, report);
    comparison.SetReplication(0);
    for (const Design& row : rows)
    {
        comparison.Check(row);
    }
    OutputFiles files(o.output);

    std::vector<std::vector<Result>> results(rows.size());
    {
        Progress progress("fabrics", rows.size() * o.replications, "runs");
        for (uint32_t run = 0; run < o.replications; ++run)
        {
            if (run > 0) // the first is set
            {
                comparison.SetReplication(run);
            }
            for (std::size_t d = 0; d < rows.size(); ++d)
            {
                std::string name = rows[d].name + "-" + rows[d].placement + "-flows.csv";
                std::replace(name.begin(), name.end(), '/', '_'); // of a policy's file
                results[d].push_back(comparison.Run(rows[d], run == 0 ? files.Path(name) : ""));
                if (run == 0)
                {
                    report.AddFlows(GetTitle(rows[d]), files.Path(name));
                }
                progress.Update(run * rows.size() + d + 1);
                LivePage::Offer([&]() { return report.Get().MakeRecord(); });
            }
        }
        progress.Finish(rows.size() * o.replications);
    }

    std::ostringstream setting;
    setting << o.Describe() << "\nJobs at load " << o.load << ", " << o.jobTime << " ms, "
            << o.pattern << ", demand " << o.demand << " of the line rate, of which " << o.use
            << " is used; " << o.sizes << " flows, " << o.duration << " ms, " << o.replications
            << " runs";
    const Table table = MakeTable(rows, results, o);
    const std::string legend =
        "Placement: of jobs to which no circuits are granted. Blocked: of all jobs, the warm-up "
        "included.\nOffered: by flows of accepted jobs between servers. Delivered in time: share "
        "of it received when\nthe last flows start. Hops: packets sent between switches for each "
        "one received. Held: most that\na ToR switch held. Mean and 95 % interval over runs.";
    std::cout << setting.str() << "\n\n";
    table.Print(std::cout);
    std::cout << "\n" << legend << "\n\n";
    report.Get().AddFact("setting", setting.str());
    report.Get().AddTable("Results", table, legend);
    AddCharts(report, rows, results);
    std::set<std::string> told;
    for (const Design& row : rows)
    {
        if (told.insert(row.name).second)
        {
            std::cout << row.name << ": " << row.what << "\n";
            report.Get().AddFact(row.name, row.what);
        }
    }
    for (const auto& [name, other] : comparison.GetTransfers())
    {
        std::cout << "warning: " << name << " was trained on other data centres: " << other
                  << ".\n";
    }
    WriteSummary(files.Path("summary.csv"), rows, results);
    files.Written("summary.csv", "all numbers by design, placement, run and size class");
    files.Written("DESIGN-PLACEMENT-flows.csv", "completion time of each flow of the first run");
    if (o.faults.IsUsed())
    {
        files.Written("DESIGN-PLACEMENT-faults.csv",
                      "faults of the first run, in the form of --faults");
    }
    report.Get().Write(files);
    std::cout << "\n";
    files.Print(std::cout);
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
