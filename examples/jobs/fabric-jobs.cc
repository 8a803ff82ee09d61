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

#include "../optics/fabric-study.h"
#include "odcn-system.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-flows.h"
#include "ns3/odcn-job-placement.h"
#include "ns3/string.h"
#include "ns3/tor-routing.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Placement at random on racks with free servers, no circuits asked for.
const std::string RANDOM = "random";

/// Designs that grant nothing, and policies, which grant circuits.
const std::string FABRICS = "ideal,fat-tree,clos-3:1,expander,rotornet,opera,sirius,max-weight";
const std::string POLICIES = "all2all-ccf,odcn-ccf,odcn-jcb,odcn-score,drl";

/// Options of the program.
struct Options : FabricOptions
{
    std::string granted{"DirectRouting"}; //!< routing over granted circuits
    double load{6};                       //!< mean duration of a job in inter-arrival times
    double jobTime{6};                    //!< mean duration of a job, ms
    std::string pattern{"ring"};          //!< communication pattern
    double demand{0.35};                  //!< mean demand of a VM pair, share of line rate
    double use{0.5};                      //!< share of it that flows use
    uint64_t warmUp{2000};                //!< jobs before packets start
    double linger{0};                     //!< time for which jobs hold resources longer, ms
    std::string placements{RANDOM};       //!< of designs that grant nothing

    /// @param cmd command line, which gets the options
    void Add(OdcnCommandLine& cmd);

    /// @return length of a unit of job time
    Time GetUnit() const
    {
        return PicoSeconds(std::llround(jobTime / load * 1e9));
    }
};

void
Options::Add(OdcnCommandLine& cmd)
{
    racks = 16;
    servers = 4;
    uplinks = 8;
    duration = 12;
    drain = 60;
    output = "fabric-jobs-out";
    AddOptions(cmd);
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
                    "all, or names separated by commas, of fabrics: " + FABRICS +
                        "; or of any policy of odcn-drl-scheduling");
    cmd.AddValue("placements",
                 "Where jobs run in fabrics that grant nothing: random, or as a policy placed them",
                 placements);
}

/// A row of the table.
struct Design
{
    FabricDesign fabric;   //!< the network
    std::string placement; //!< RANDOM, or the policy that places the jobs
    bool granted{false};   //!< whether circuits are those granted to jobs
};

/// @param ms milliseconds
/// @return the time
Time
Milli(double ms)
{
    return PicoSeconds(std::llround(ms * 1e9));
}

/// Simulates designs with the same jobs.
class Comparison : public FabricStudy
{
  public:
    /// @param options of the program
    explicit Comparison(Options& options)
        : FabricStudy(options),
          m_options(options)
    {
    }

    /// Choose the designs, and throw OdcnError unless they exist for these sizes.
    void Choose()
    {
        const Options& o = m_options;
        const auto fabrics = OdcnCommandLine::SplitList(FABRICS, "designs");
        const auto names =
            OdcnCommandLine::SplitList(o.designs == "all" ? FABRICS + "," + POLICIES : o.designs,
                                       "designs");
        for (const std::string& name : names)
        {
            if (std::find(fabrics.begin(), fabrics.end(), name) == fabrics.end())
            {
                const std::string title = m_system.Find(name).title;
                m_designs.push_back({{name, "granted", o.granted, "", title}, name, true});
                continue;
            }
            FabricDesign fabric = o.FindDesign(name, "--designs", "");
            if (fabric.more)
            {
                // As many uplinks as there are for granted circuits.
                fabric.more = false;
                fabric.what = "static random circuits, shortest paths";
            }
            for (const std::string& placement :
                 OdcnCommandLine::SplitList(o.placements, "placements"))
            {
                m_designs.push_back({fabric, placement});
            }
        }
        SetReplication(0);
        for (const Design& design : m_designs)
        {
            const std::string& name = design.fabric.name;
            Place(design);
            if (design.granted)
            {
                TorRouting::Create(design.fabric.routing);
            }
            else if (!design.fabric.circuits.empty())
            {
                StartCircuits(design, nullptr);
            }
            m_rows.push_back({{name, design.placement},
                              design.granted || design.placement == RANDOM
                                  ? name
                                  : name + ", placed by " + design.placement,
                              design.fabric.what});
        }
    }

    /// @return the table and summary.csv
    FabricLayout GetLayout() const
    {
        using R = FabricResult;
        const double gbps = 8e-6 / m_options.duration; // from bytes
        return {
            {"design", "placement"},
            "jobs,blocked,blocking,offered_bytes,delivered_bytes,hops,reconfigurations_per_s,"
            "held_bytes,packets,dropped,faults,availability",
            {"Design", "Placement"},
            {{{"blocking", "Blocked\njobs %", "%", 100}, &R::blocking, "Blocked jobs"},
             {{"offered_bytes", "Offered\nGb/s", "Gb/s", gbps}, &R::offered},
             {{"in_time", "Delivered\nin time %", "%", 100},
              [](const R& r) { return r.offered > 0 ? r.delivered / r.offered : std::nan(""); },
              "Delivered in time"},
             CompleteFigure(),
             CompletionFigure("p50 us\n< 100 kB", 0, &FlowStatistics::p50, 1e6),
             CompletionFigure("p99 ms\n< 100 kB", 0, &FlowStatistics::p99, 1e3),
             CompletionFigure("p50 ms\n< 1 MB", 1, &FlowStatistics::p50, 1e3),
             CompletionFigure("p99 ms\n< 1 MB", 1, &FlowStatistics::p99, 1e3),
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
            [](const FabricRow& row) -> std::vector<std::string> {
                return {row.labels[0], row.labels[0] == row.labels[1] ? "" : row.labels[1]};
            }};
    }

    /// @return how the data centre differs from those on which policies were trained, in lines
    std::string GetWarnings() const
    {
        std::string text;
        for (const auto& [name, other] : m_transfers)
        {
            text += "warning: " + name + " was trained on other data centres: " + other + ".\n";
        }
        return text;
    }

  private:
    /// Jobs on servers.
    struct Placed
    {
        JobPlacement jobs;           //!< their servers and circuits
        double blocking;             //!< see FabricResult
        uint32_t ocs;                //!< number of optical switches
        std::vector<DataFlow> flows; //!< of these jobs, between servers
    };

    void SetReplication(uint32_t replication) override
    {
        const Options& o = m_options;
        m_stream = 100000 * int64_t(replication);
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
        workload->SetAttribute("Sizes", StringValue(o.GetSizes()));
        workload->SetAttribute("Use", DoubleValue(o.use));
        workload->SetAttribute("TimeUnit", TimeValue(o.GetUnit()));
        workload->AssignStreams(m_stream + 200);
        m_jobFlows = workload->Generate(jobs, m_from, m_until);
    }

    FabricResult Measure(std::size_t row, const std::string& file) override
    {
        const Options& o = m_options;
        const Design& design = m_designs[row];
        const Placed& placed = Place(design);
        const Time arrivals = Milli(o.duration);
        FabricNetwork network = o.Build(design.fabric, "", design.granted ? placed.ocs : 0);
        network.start = [&]() -> Ptr<Object>
        {
            if (design.granted)
            {
                return OdcnHelper::FollowCircuits(network.optical, placed.jobs, o.GetUnit());
            }
            return StartCircuits(design, network.optical);
        };
        const Time end = arrivals + Milli(o.drain);
        FabricResult result = Simulate(m_rows[row].title,
                                       network,
                                       {placed.flows, o.shortFlows, end, arrivals, file, arrivals});
        if (!result.goodput.empty())
        {
            result.delivered = result.goodput[0] / 8 * arrivals.GetSeconds();
        }
        result.jobs = placed.jobs.offered;
        result.blockedJobs = placed.jobs.blocked;
        result.blocking = placed.blocking;
        for (const DataFlow& flow : placed.flows)
        {
            result.offered += double(flow.bytes);
        }
        return result;
    }

    /// @return helper for the job level, with this rate of a circuit
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

    /// @return the jobs of a design
    const Placed& Place(const Design& design)
    {
        const Options& o = m_options;
        const bool free = !design.granted && design.placement == RANDOM;
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

    /// As FabricSystem::StartCircuits(), for the mean demand of all jobs.
    Ptr<Object> StartCircuits(const Design& design, const Ptr<OcsFabric>& fabric)
    {
        DemandMatrix demand = Place(design).jobs.GetMeanDemand();
        demand.Scale(demand.GetMaxLoad() > 0 ? 1 / demand.GetMaxLoad() : 1);
        return m_options.StartCircuits(design.fabric, fabric, demand, m_stream + 900);
    }

    Options& m_options;                             //!< of the program
    OdcnSystem m_system;                            //!< the data centre of the policies
    std::vector<Design> m_designs;                  //!< by row
    double m_from{0};                               //!< job time at which packets start
    double m_until{0};                              //!< job time at which the last flow may start
    std::vector<JobFlow> m_jobFlows;                //!< of the replication
    std::map<std::string, Placed> m_placed;         //!< of the replication
    std::map<std::string, std::string> m_transfers; //!< see GetWarnings(), by policy
};

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
    o.Add(cmd);
    cmd.Parse();
    Time::SetResolution(Time::PS);
    o.Check();
    Comparison comparison(o);
    comparison.Choose();
    const FabricLayout layout = comparison.GetLayout();
    comparison.Run(o.replications, layout);
    std::ostringstream setting;
    setting << o.Describe() << "\nJobs at load " << o.load << ", " << o.jobTime << " ms, "
            << o.pattern << ", demand " << o.demand << " of the line rate, of which " << o.use
            << " is used; " << o.sizes << " flows, " << o.duration << " ms, " << o.replications
            << " runs";
    comparison.Report(
        layout,
        setting.str(),
        "Placement: of jobs to which no circuits are granted. Blocked: of all jobs, the warm-up "
        "included.\nOffered: by flows of accepted jobs between servers. Delivered in time: share "
        "of it received when\nthe last flows start. Hops: packets sent between switches for each "
        "one received. Held: most that\na ToR switch held. Mean and 95 % interval over runs.",
        comparison.GetWarnings());
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
