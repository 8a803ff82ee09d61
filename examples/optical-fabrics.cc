// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Designs of data-centre fabrics side by side: the same servers, the same flows, the same counters.
 *
 * A design is a schedule of circuits with a routing of packets, a controller that measures the
 * demand and moves circuits, an electrical network, or both. Each carries the same flows in
 * packets, several times with other random numbers, and the table shows completion times by size,
 * the largest load that the design can carry at all, reconfigurations, and what ToR switches hold.
 * Demand-aware schedules are computed from the demand matrix, which they are told.
 *
 * Packets are UDP at the servers' line rate without congestion control, so that completion times
 * are those of the fabric and not of a transport. Two flows to one server share its link first in,
 * first out, in all designs alike. --transport takes ns-3's TCP instead.
 *
 * With --engine=exact, designs that SchedulePackets can carry run there, with the same packets as
 * in ns-3 in a fraction of the time. With --saturation the program also measures the largest load
 * that each design carries, beside the bound of the linear program.
 *
 *     ./ns3 run optical-fabrics
 *     ./ns3 run "optical-fabrics --demand=skewed:0.25 --load=0.2"
 *     ./ns3 run "optical-fabrics --own=RotorSchedule[Slot=50us];ValiantRouting;2"
 *     ./ns3 run "optical-fabrics --own=MatchingController[Policy=mine.pt];DirectRouting;1"
 *     ./ns3 run "optical-fabrics --flows=my-flows.txt --designs=opera,rotornet"
 *     ./ns3 run "optical-fabrics --engine=exact --saturation"
 *     ./ns3 run "optical-fabrics --transport=dctcp --designs=ideal,opera,rotornet"
 *     ./ns3 run "optical-fabrics --mtbf=uplink=95ms --mttr=uplink=5ms"
 *     ./ns3 run "optical-fabrics --designs=opera,ideal --duration=1 --animation=%.xml"    NetAnim
 */

#include "fabric-system.h"

#include "ns3/double.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ocs-helper.h"
#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-circuit-animation.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-live-page.h"
#include "ns3/odcn-matching-controller.h"
#include "ns3/odcn-matching-schedule.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-schedule-packets.h"
#include "ns3/odcn-statistics.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-throughput-bound.h"
#include "ns3/string.h"
#include "ns3/tor-routing.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Options of the program.
struct Options : FabricSystem
{
    Options()
        : FabricSystem{18, 6, 6}
    {
    }

    std::string demand{"uniform"};  //!< a pattern
    double load{0.1};               //!< of the servers' line rate
    std::string sizes{"websearch"}; //!< of flows
    double duration{20};            //!< ms
    double drain{80};               //!< ms
    uint64_t shortFlows{2000000};   //!< bytes
    std::string flows;              //!< file
    uint32_t replications{3};       //!< number
    std::string designs{"all"};     //!< names
    std::string own;                //!< schedule;routing;hops
    std::string engine{"ns3"};      //!< ns3 or exact
    std::string transport{"udp"};   //!< udp, tcp or dctcp
    uint32_t marks{65};             //!< queue in packets from which on DCTCP's are marked
    bool saturation{false};         //!< whether to measure the largest load
    double steady{8};               //!< duration of a run for that, ms
    std::string output{"fabrics"};  //!< folder
};

/// What is measured of a run.
struct Result : FabricResult
{
    double bound{0};     //!< largest load that can be carried
    double carried{0};   //!< largest load, measured
    bool exact{false};   //!< whether it ran in SchedulePackets
    double delivered{0}; //!< share of the flows' bytes that were received
};

/// @param o options  @return the designs to compare
std::vector<FabricDesign>
ChooseDesigns(const Options& o)
{
    const std::vector<FabricDesign> designs = o.GetDesigns();
    std::vector<FabricDesign> chosen;
    std::istringstream names(o.designs == "all" || o.designs == "none" ? "" : o.designs);
    for (std::string name; std::getline(names, name, ',');)
    {
        chosen.push_back(
            FabricSystem::FindDesign(designs, name, "--designs", "all, none, or some of "));
    }
    if (o.designs == "all")
    {
        chosen = designs;
    }
    if (!o.own.empty())
    {
        std::vector<std::string> parts;
        std::istringstream is(o.own);
        for (std::string part; std::getline(is, part, ';');)
        {
            parts.push_back(part);
        }
        if (parts.size() != 3 || (parts[2] != "1" && parts[2] != "2" && parts[2] != "any"))
        {
            throw OdcnError::InOption("--own",
                                      o.own,
                                      "SCHEDULE;ROUTING;HOPS, where HOPS is 1, 2 or any");
        }
        const Hops hops = parts[2] == "1" ? Hops::ONE : parts[2] == "2" ? Hops::TWO : Hops::ANY;
        chosen.push_back({"own", parts[0], parts[1], hops, 0, parts[0] + ", " + parts[1]});
    }
    return chosen;
}

/// @param design a design  @param shortFlows bytes
/// @return settings of SchedulePackets for its routing, if it has that routing
std::optional<SchedulePackets::Settings>
FindSettings(const FabricDesign& design, uint64_t shortFlows)
{
    using Routing = SchedulePackets::Routing;
    static const std::vector<std::pair<std::string, Routing>> known{
        {"DirectRouting", Routing::DIRECT},
        {"ValiantRouting", Routing::VALIANT_IDLE},
        {"ValiantRouting[Spread=Random]", Routing::VALIANT_RANDOM},
        {"ExpanderRouting", Routing::SHORTEST_PATHS}};
    SchedulePackets::Settings settings;
    settings.hold = design.hold;
    for (const auto& [text, routing] : known)
    {
        settings.routing = routing;
        if (design.routing == text)
        {
            return settings;
        }
        if (design.routing == "ClassRouting[Bulk=" + text + "]")
        {
            settings.shortFlows = shortFlows;
            return settings;
        }
    }
    return {};
}

/// Simulates designs with the same flows.
class Comparison
{
  public:
    /// @param options of the program  @param report gets what the first runs do
    /// @param animation options of their animations
    Comparison(const Options& options, FabricReport& report, const CircuitAnimation& animation)
        : m_options(options),
          m_report(report),
          m_runs(options, report, animation, options.transport != "udp")
    {
    }

    /// Draw the flows. @param replication number from 0
    void SetReplication(uint32_t replication)
    {
        const Options& o = m_options;
        m_stream = 100000 * int64_t(replication);
        m_runs.SetStream(m_stream);
        if (!o.flows.empty())
        {
            m_flows = ReadFlowFile(o.flows, o.racks * o.servers);
            m_demand = DemandMatrix(o.racks);
            for (const DataFlow& flow : m_flows)
            {
                const RackId from = flow.source / o.servers;
                const RackId to = flow.destination / o.servers;
                if (from != to)
                {
                    m_demand.Add(from, to, double(flow.bytes));
                }
            }
            m_demand.Scale(1 / m_demand.GetMaxLoad());
            return;
        }
        Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(m_stream);
        m_demand = DemandMatrix::Make(o.demand, o.racks, random);
        Ptr<FlowWorkload> workload = CreateObject<FlowWorkload>();
        workload->SetAttribute("Load", DoubleValue(o.load));
        workload->SetAttribute("HostRate", StringValue(Text(o.gbps, "Gbps")));
        workload->SetAttribute("Sizes", StringValue(FabricSystem::FindSizes(o.sizes)));
        workload->SetAttribute("Duration", TimeValue(MicroSeconds(std::llround(o.duration * 1e3))));
        workload->AssignStreams(m_stream + 1);
        m_flows = workload->Generate(m_demand, o.servers);
    }

    /// Throw OdcnError unless a design exists for these sizes. @param design a design
    void Check(const FabricDesign& design) const
    {
        if (design.IsController())
        {
            MakeController(design);
        }
        else if (!design.schedule.empty())
        {
            MakeSchedule(design);
        }
        if (!design.schedule.empty())
        {
            TorRouting::Create(design.routing);
        }
    }

    /// @param design a design  @param flowsFile file of all flows to write, or ""
    /// @return its results
    Result Measure(const FabricDesign& design, const std::string& flowsFile)
    {
        Time last;
        for (const DataFlow& flow : m_flows)
        {
            last = std::max(last, flow.start);
        }
        Result result = Simulate(design,
                                 {m_flows,
                                  m_options.shortFlows,
                                  last + MicroSeconds(std::llround(m_options.drain * 1e3)),
                                  WINDOW,
                                  flowsFile});
        result.bound = FindBound(design);
        double offered = 0;
        for (const DataFlow& flow : m_flows)
        {
            offered += double(flow.bytes);
        }
        for (const double rate : result.goodput)
        {
            result.delivered += rate / 8 * WINDOW.GetSeconds() / offered;
        }
        if (m_options.saturation)
        {
            result.carried = FindCarried(design);
        }
        return result;
    }

  private:
    /// Window of the goodput.
    const Time WINDOW{MilliSeconds(1)};
    /// Bytes of a flow of three packets.
    static constexpr uint64_t STEADY_BYTES = 3 * (1500 - SchedulePackets::HEADERS);

    /// @param design a design  @return largest load that can be carried, by links and circuits
    double FindBound(const FabricDesign& design) const
    {
        const Options& o = m_options;
        if (design.schedule.empty())
        {
            return design.routing == "clos" ? std::min(1.0, double(o.GetClos()) / o.servers) : 1.0;
        }
        if (design.IsController())
        {
            // Circuits that stay are never dark.
            return std::min(1.0, double(m_options.GetUplinks(design)) / o.servers);
        }
        DemandMatrix capacity = MakeSchedule(design)->GetCapacity();
        capacity.Scale(1.0 / o.servers);
        const ThroughputBound bound(capacity, m_demand);
        const auto solve = [&]
        {
            if (design.hops == Hops::ONE)
            {
                return bound.GetDirect();
            }
            if (!ThroughputBound::HasSolver() || o.racks > 32)
            {
                return bound.GetCut();
            }
            return design.hops == Hops::TWO ? bound.GetTwoHop() : bound.GetMultiHop();
        };
        double load = solve();
        if (design.electrical > 0)
        {
            // Each class has uplinks of its own, and its share of the bytes between all racks.
            const double part = GetShortShare();
            load = std::min(load / (1 - part), double(design.electrical) / (o.servers * part));
        }
        return std::min(1.0, load);
    }

    /// @return share of short flows in all bytes
    double GetShortShare() const
    {
        double all = 0;
        double part = 0;
        for (const DataFlow& flow : m_flows)
        {
            all += double(flow.bytes);
            part += flow.bytes < m_options.shortFlows ? double(flow.bytes) : 0;
        }
        return all > 0 ? part / all : 0;
    }

    /**
     * Measure the largest load. All pairs of hosts send three packets at a time at regular
     * intervals, in proportion to the demand; a load is carried if at least 99 % of what is sent in
     * the second half of a run is received in it. Loads are bisected. With electrical uplinks, some
     * flows are short, two packets, so that their share of the bytes is that of the workload.
     *
     * @param design a design
     * @return the load received at the largest one that is carried; the next one that is not is
     * greater by less than 1/64
     */
    double FindCarried(const FabricDesign& design)
    {
        // Whole periods, since what is received depends on the place in the period.
        Time half = MicroSeconds(std::llround(m_options.steady * 1e3 / 2));
        if (!design.schedule.empty() && !design.IsController())
        {
            const Time period = MakeSchedule(design)->GetPeriod();
            const int64_t periods = std::max<int64_t>(
                1,
                (half.GetTimeStep() + period.GetTimeStep() / 2) / period.GetTimeStep());
            half = period * periods;
        }
        double low = 0;
        double high = 1 + 1.0 / 64;
        double carried = 0;
        for (double load = 1; high - low > 1.0 / 64; load = (low + high) / 2)
        {
            const double part = design.electrical > 0 ? GetShortShare() : 0;
            const auto flows = MakeSteadyFlows(load, half * 2, part);
            double sent = 0;
            for (const DataFlow& flow : flows)
            {
                sent += flow.start >= half ? double(flow.bytes) : 0;
            }
            const Result result =
                Simulate(design, {flows, part > 0 ? STEADY_BYTES : 0, half * 2, half, ""});
            const double received =
                result.goodput.size() > 1 ? result.goodput[1] * half.GetSeconds() / 8 : 0;
            if (received >= 0.99 * sent)
            {
                low = load;
                carried = load * std::min(1.0, received / sent);
            }
            else
            {
                high = load;
            }
        }
        return carried;
    }

    /// @param load of the servers' line rate, headers included  @param until end
    /// @param part share of the bytes that flows of two packets have
    /// @return flows of three and two packets at regular intervals
    std::vector<DataFlow> MakeSteadyFlows(double load, Time until, double part) const
    {
        const Options& o = m_options;
        const double isShort = 3 * part / (2 + part); // share of the flows
        const double packets = 3 - isShort;
        Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(m_stream + 2);
        std::vector<DataFlow> flows;
        for (ServerId from = 0; from < o.racks * o.servers; ++from)
        {
            for (ServerId to = 0; to < o.racks * o.servers; ++to)
            {
                const RackId rack = from / o.servers;
                const double share =
                    rack == to / o.servers ? 0 : m_demand.Get(rack, to / o.servers) / o.servers;
                const double phase = random->GetValue();
                if (share <= 0)
                {
                    continue;
                }
                const double interval = packets * 1500 * 8 / (load * share * o.gbps * 1e9);
                for (double k = phase; k * interval < until.GetSeconds(); ++k)
                {
                    const bool two = isShort > 0 && random->GetValue() < isShort;
                    flows.push_back({from,
                                     to,
                                     two ? STEADY_BYTES / 3 * 2 : STEADY_BYTES,
                                     PicoSeconds(std::llround(k * interval * 1e12))});
                }
            }
        }
        return flows;
    }

    /// Run flows. @param design a design  @param run the flows  @return results without the bound
    Result Simulate(const FabricDesign& design, const FabricFlows& run) const
    {
        if (design.schedule.empty())
        {
            return {m_runs.Run(design.name,
                               m_options.BuildElectrical(design.routing, GetQueueDisc()),
                               run)};
        }
        if (m_options.engine == "exact" && !design.IsController() &&
            FindSettings(design, run.shortFlows))
        {
            return RunExact(design, run);
        }
        const uint32_t uplinks = m_options.GetUplinks(design);
        return {
            m_runs.Run({design.name,
                        MakeHelper(design),
                        {m_options.racks, m_options.servers, uplinks, uplinks, design.electrical},
                        design.hold,
                        [&](auto fabric) { return StartCircuits(design, fabric); }},
                       run)};
    }

    /// @param design an optical design  @param fabric its fabric  @return what sets up its circuits
    Ptr<Object> StartCircuits(const FabricDesign& design, Ptr<OcsFabric> fabric) const
    {
        if (design.IsController())
        {
            const Ptr<MatchingController> controller = MakeController(design);
            controller->SetFabric(fabric);
            CreateObject<Node>()->AddApplication(controller);
            return controller;
        }
        const auto follower = CreateObject<OcsScheduleFollower>();
        follower->Start(fabric, MakeSchedule(design));
        return follower;
    }

    /// @return queue disc of switches, or ""
    std::string GetQueueDisc() const
    {
        const std::string from = std::to_string(m_options.marks);
        return m_options.transport == "dctcp"
                   ? "ns3::RedQueueDisc[MaxSize=1000000p|MinTh=" + from + "|MaxTh=" + from +
                         ".000001|QW=1|UseEcn=true|UseHardDrop=false|Gentle=false|MeanPktSize=1500]"
                   : "";
    }

    /// @param design a design  @return its controller
    Ptr<MatchingController> MakeController(const FabricDesign& design) const
    {
        auto controller =
            CreateFromText<MatchingController>("controller of circuits", design.schedule);
        controller->AssignStreams(m_stream + 900);
        return controller;
    }

    /// @param design an optical design  @return its schedule
    Ptr<CircuitSchedule> MakeSchedule(const FabricDesign& design) const
    {
        return m_options.MakeSchedule(design, m_demand, m_stream + 900);
    }

    /// @param design an optical design  @return a helper for its fabric
    OcsHelper MakeHelper(const FabricDesign& design) const
    {
        OcsHelper helper = m_options.MakeHelper(design.routing);
        helper.SetTorAttribute("QueueDisc", StringValue(GetQueueDisc()));
        helper.SetSpineAttribute("QueueDisc", StringValue(GetQueueDisc()));
        return helper;
    }

    /// @param design an optical design that FindSettings() knows  @param run the flows
    /// @return its results, as in ns-3
    Result RunExact(const FabricDesign& design, const FabricFlows& run) const
    {
        const Options& o = m_options;
        const Ptr<CircuitSchedule> plan = MakeSchedule(design);
        const uint32_t uplinks = plan->GetNPlanes();
        SchedulePackets::Settings settings = *FindSettings(design, run.shortFlows);
        settings.goodputWindow = run.window;
        SchedulePackets engine(MakeHelper(design).GetModel({o.racks, o.servers, uplinks, uplinks}),
                               plan,
                               settings);
        engine.AssignStreams(m_stream + 1000);
        const Time end = engine.Run(run.flows, run.until);
        if (!run.file.empty())
        {
            m_report.AddSchedule(design.name, *plan, end);
        }
        std::vector<Time> times;
        for (uint32_t i = 0; i < run.flows.size(); ++i)
        {
            times.push_back(engine.GetCompletionTime(i));
        }
        const Ptr<FlowRecorder> recorder = CreateObject<FlowRecorder>();
        recorder->SetAttribute("ClassEdges", StringValue(FabricRuns::CLASS_EDGES));
        recorder->SetFlows(run.flows);
        recorder->SetCompletionTimes(times, DataRate(Text(o.gbps, "Gbps")), settings.packetSize);
        Result result;
        result.exact = true;
        result.SetFlows(recorder, run);
        result.goodput = engine.GetGoodput();
        const SchedulePackets::Counts& counts = engine.GetCounts();
        result.SetCounts({counts.sent, counts.received, counts.inFlight, counts.dropped},
                         counts.hops);
        uint64_t changes = 0;
        for (uint32_t plane = 0; plane < uplinks; ++plane)
        {
            for (Time at = plan->Find(plane, Time(0)).end; at < end;)
            {
                const CircuitSchedule::Place place = plan->Find(plane, at);
                for (RackId rack = 0; rack < o.racks; ++rack)
                {
                    changes += plan->Changes(plane, place.slot, rack) ? 1 : 0;
                }
                at = place.end;
            }
        }
        result.reconfigurations = double(changes) / end.GetSeconds();
        uint64_t most = 0;
        for (RackId rack = 0; rack < o.racks; ++rack)
        {
            most = std::max(most, engine.GetMostHeld(rack));
        }
        result.held = double(most);
        result.meanHeld = engine.GetMeanHeld();
        result.duty = engine.GetCircuitUse();
        return result;
    }

    const Options& m_options;      //!< of the program
    FabricReport& m_report;        //!< the report
    FabricRuns m_runs;             //!< over ns-3's networks
    int64_t m_stream{0};           //!< first stream of the replication
    DemandMatrix m_demand;         //!< of the replication
    std::vector<DataFlow> m_flows; //!< of the replication
};

/// Write summary.csv. @param path file  @param designs designs  @param results [design][run]
void
WriteSummary(const std::string& path,
             const std::vector<FabricDesign>& designs,
             const std::vector<std::vector<Result>>& results)
{
    CsvWriter csv(path,
                  {"design",
                   "run",
                   "from_bytes",
                   "to_bytes",
                   "flows",
                   "incomplete",
                   "p50_us",
                   "p99_us",
                   "slowdown_p50",
                   "slowdown_p99",
                   "bound",
                   "hops",
                   "reconfigurations_per_s",
                   "held_bytes",
                   "packets",
                   "dropped",
                   "mean_held_bytes",
                   "duty",
                   "timeouts",
                   "recoveries",
                   "delivered",
                   "faults",
                   "availability",
                   "carried",
                   "exact"});
    for (std::size_t d = 0; d < designs.size(); ++d)
    {
        for (std::size_t run = 0; run < results[d].size(); ++run)
        {
            const Result& r = results[d][run];
            for (const FlowSummary& c : r.classes)
            {
                csv.Row(designs[d].name,
                        run,
                        c.fromBytes,
                        c.toBytes,
                        c.flows,
                        c.incomplete,
                        c.time.p50 * 1e6,
                        c.time.p99 * 1e6,
                        c.slowdown.p50,
                        c.slowdown.p99,
                        r.bound,
                        r.hops,
                        r.reconfigurations,
                        r.held,
                        r.packets,
                        r.dropped,
                        r.meanHeld,
                        r.duty,
                        r.timeouts,
                        r.recoveries,
                        r.delivered,
                        r.faults.faults,
                        r.faults.availability,
                        r.carried,
                        r.exact);
            }
        }
    }
    csv.Commit();
}

/// Add charts of means over runs. @param report the report  @param designs designs
/// @param results [design][run]
void
AddCharts(FabricReport& report,
          const std::vector<FabricDesign>& designs,
          const std::vector<std::vector<Result>>& results)
{
    std::vector<std::string> names;
    for (const FabricDesign& design : designs)
    {
        names.push_back(design.name);
    }
    AddCompletion(report, names, results);
    ReportChart& carried = report.AddMeans("Largest load", "share of the servers' rate");
    ReportChart& duty = report.AddMeans("Duty of circuits", "%");
    ReportChart& held = report.AddMeans("Bytes held by a ToR switch", "MB", "which");
    ReportChart& moves = report.AddMeans("Reconfigurations", "per second");
    for (std::size_t d = 0; d < designs.size(); ++d)
    {
        const auto add = [&](ReportChart& chart, const std::string& facet, double scale, auto get)
        { AddMean(chart, facet, names[d], results[d], get, scale); };
        if (results[d][0].carried > 0)
        {
            carried.facet = "which";
            add(carried, "measured", 1, [](const Result& r) { return r.carried; });
        }
        add(carried, "bound", 1, [](const Result& r) { return r.bound; });
        add(duty, "", 100, [](const Result& r) { return r.duty; });
        add(held, "mean over time and switches", 1e-6, [](const Result& r) { return r.meanHeld; });
        add(held, "most of any switch", 1e-6, [](const Result& r) { return r.held; });
        add(moves, "", 1, [](const Result& r) { return r.reconfigurations; });
    }
}

/**
 * Write the summary of what was finished before a signal: whole runs or, in the first run, whole
 * designs.
 * @param folder output folder  @param designs designs  @param results [design][run]
 * @param stop the interruption; thrown again, with what was written
 */
[[noreturn]] void
WriteFinished(const std::string& folder,
              const std::vector<FabricDesign>& designs,
              const std::vector<std::vector<Result>>& results,
              const Interruption& stop)
{
    const std::size_t runs = std::max<std::size_t>(1, results.back().size());
    std::vector<FabricDesign> finished;
    std::vector<std::vector<Result>> kept;
    for (std::size_t d = 0; d < designs.size() && results[d].size() >= runs; ++d)
    {
        finished.push_back(designs[d]);
        kept.emplace_back(results[d].begin(),
                          results[d].begin() + static_cast<std::ptrdiff_t>(runs));
    }
    if (finished.empty())
    {
        throw Interruption(stop.GetSignal(), "no design had finished, no file was written");
    }
    WriteSummary(OutputFiles(folder).Path("summary.csv"), finished, kept);
    throw Interruption(stop.GetSignal(), "the designs that had finished are in " + folder);
}

} // namespace

int
main(int argc, char* argv[])
try
{
    Time::SetResolution(Time::PS);
    Options o;
    OdcnCommandLine cmd(argc, argv, "Designs of optical and electrical fabrics side by side.");
    o.AddOptions(cmd);
    cmd.SetGroup("Flows");
    cmd.AddValue("demand", "uniform, permutation, skewed:0.25, chessboard, hot:8, ...", o.demand);
    cmd.AddRange("load", "Offered data as a share of the servers' line rate", o.load, 0.001, 1.0);
    cmd.AddValue("sizes",
                 "websearch, datamining, hadoop, google-rpc, bytes, or a path of a CDF",
                 o.sizes);
    cmd.AddRange("duration", "Time in which flows arrive, ms", o.duration, 0.1, 10000.0);
    cmd.AddRange("drain", "Most time for the flows to complete after that, ms", o.drain, 0.0, 1e5);
    cmd.AddValue("short", "Flows of fewer bytes do not wait in Opera", o.shortFlows);
    cmd.AddValue("flows", "File of flows, instead of random ones", o.flows);
    cmd.Restrict({"demand", "load", "sizes", "replications"}, {"!flows"});
    cmd.SetGroup("Comparison");
    cmd.AddValue("designs", "Names of designs separated by commas, all or none", o.designs);
    cmd.AddValue("own",
                 "One more design: SCHEDULE;ROUTING;HOPS, or a MatchingController first",
                 o.own);
    cmd.AddRange("replications", "Runs of each design", o.replications, 1U, 1000U);
    cmd.AddValue("engine", "ns3, or exact: SchedulePackets for designs that it knows", o.engine);
    cmd.AddValue("transport", "udp, tcp or dctcp", o.transport);
    cmd.AddRange("marks",
                 "Packets in a queue from which on dctcp's are marked",
                 o.marks,
                 1U,
                 100000U);
    cmd.AddValue("saturation", "Measure the largest load of each design", o.saturation);
    cmd.AddRange("steady",
                 "Duration of each run for that, ms; half is warm-up",
                 o.steady,
                 0.1,
                 1e4);
    cmd.AddValue("output", "Folder of the results", o.output);
    FabricReport report;
    report.Get().AddOptions(cmd);
    CircuitAnimation animation;
    animation.AddOptions(cmd);
    cmd.Restrict({"marks"}, {"transport=dctcp"});
    cmd.Restrict({"steady"}, {"saturation"});
    cmd.Restrict({"saturation"}, {"transport=udp"});
    cmd.Restrict({"faults", "mtbf", "animation"}, {"engine=ns3"});
    cmd.Parse();
    o.Check();
    if (o.engine != "ns3" && o.engine != "exact")
    {
        throw OdcnError::InOption("--engine", o.engine, "ns3 or exact");
    }
    if (o.transport != "udp" && o.transport != "tcp" && o.transport != "dctcp")
    {
        throw OdcnError::InOption("--transport", o.transport, "udp, tcp or dctcp");
    }
    std::vector<FabricDesign> designs = ChooseDesigns(o);
    if (o.transport != "udp")
    {
        // Only UDP waits in hosts.
        designs.erase(std::remove_if(designs.begin(),
                                     designs.end(),
                                     [](const FabricDesign& d) { return d.hold; }),
                      designs.end());
        DataCentreTcp tcp;
        tcp.congestionControl = o.transport == "dctcp" ? "ns3::TcpDctcp" : "ns3::TcpCubic";
        FlowHelper::SetDataCentreTcp(tcp);
    }
    if (designs.empty())
    {
        throw OdcnError::InOption("--designs", o.designs, "a design, or one of your own in --own");
    }
    const std::string& film = animation.GetFile();
    OdcnCommandLine::Check(film.empty() || designs.size() == 1 ||
                               film.find('%') != std::string::npos,
                           "animation",
                           film,
                           "a name with % for the name of the design, since there are several");
    Comparison comparison(o, report, animation);
    comparison.SetReplication(0);
    for (const FabricDesign& design : designs)
    {
        comparison.Check(design);
    }
    OutputFiles files(o.output);

    std::vector<std::vector<Result>> results(designs.size());
    const uint32_t runs = o.flows.empty() ? o.replications : 1;
    try
    {
        Progress progress("fabrics", designs.size() * runs, "runs");
        for (uint32_t run = 0; run < runs; ++run)
        {
            if (run > 0) // the first is set
            {
                comparison.SetReplication(run);
            }
            for (std::size_t d = 0; d < designs.size(); ++d)
            {
                const std::string name = designs[d].name + "-flows.csv";
                results[d].push_back(
                    comparison.Measure(designs[d], run == 0 ? files.Path(name) : ""));
                if (run == 0)
                {
                    report.AddFlows(designs[d].name, files.Path(name));
                }
                progress.Update(run * designs.size() + d + 1);
                LivePage::Offer([&]() { return report.Get().MakeRecord(); });
            }
        }
        progress.Finish(designs.size() * runs);
    }
    catch (const Interruption& stop)
    {
        WriteFinished(o.output + "/interrupted", designs, results, stop);
    }

    const std::vector<FlowSummary>& classes = results[0][0].classes;
    std::vector<std::string> columns{"Design", "Engine", "Bound"};
    if (o.saturation)
    {
        columns.insert(columns.end(), {"Carried", "Share of\nbound"});
    }
    columns.insert(columns.end(),
                   {"Complete\n%",
                    "p50 us\n< 100 kB",
                    "p99 us\n< 100 kB",
                    "p99 ms\n< 1 MB",
                    "p99 ms\n>= 1 MB",
                    "Hops",
                    "Recon-\nfig. /s",
                    "Duty",
                    "Held MB\nmean",
                    "Held MB\nmost",
                    "Lost"});
    if (o.transport != "udp")
    {
        columns.insert(columns.end(), {"Time-\nouts", "Fast\nretr."});
    }
    if (o.faults.IsUsed())
    {
        columns.insert(columns.end(), {"Deliv-\nered %", "Faults", "Avail-\nable %"});
    }
    Table table(columns);
    for (std::size_t d = 0; d < designs.size(); ++d)
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
        const auto complete = [](const Result& x)
        {
            const FlowSummary& all = x.classes.back();
            return all.flows > 0 ? 100.0 * double(all.flows - all.incomplete) / double(all.flows)
                                 : std::nan("");
        };
        std::vector<std::string> row{designs[d].name,
                                     r[0].exact ? "exact" : "ns-3",
                                     MeanOf(r, [](const Result& x) { return x.bound; })};
        if (o.saturation)
        {
            row.push_back(MeanOf(r, [](const Result& x) { return x.carried; }));
            row.push_back(MeanOf(r, [](const Result& x) { return x.carried / x.bound; }));
        }
        row.insert(row.end(),
                   {MeanOf(r, complete),
                    quantile(0, &FlowStatistics::p50, 1e6),
                    quantile(0, &FlowStatistics::p99, 1e6),
                    quantile(1, &FlowStatistics::p99, 1e3),
                    quantile(2, &FlowStatistics::p99, 1e3),
                    MeanOf(r, [](const Result& x) { return x.hops; }),
                    MeanOf(r, [](const Result& x) { return x.reconfigurations; }),
                    MeanOf(r, [](const Result& x) { return x.duty; }),
                    MeanOf(
                        r,
                        [](const Result& x) { return x.meanHeld; },
                        1e-6),
                    MeanOf(
                        r,
                        [](const Result& x) { return x.held; },
                        1e-6),
                    MeanOf(r, [](const Result& x) { return double(x.dropped); })});
        if (o.transport != "udp")
        {
            row.push_back(MeanOf(r, [](const Result& x) { return double(x.timeouts); }));
            row.push_back(MeanOf(r, [](const Result& x) { return double(x.recoveries); }));
        }
        if (o.faults.IsUsed())
        {
            row.push_back(MeanOf(r, [](const Result& x) { return 100 * x.delivered; }));
            row.push_back(MeanOf(r, [](const Result& x) { return double(x.faults.faults); }));
            row.push_back(MeanOf(r, [](const Result& x) { return 100 * x.faults.availability; }));
        }
        table.AddRow(row);
    }
    std::ostringstream setting;
    setting << o.Describe() << "\n"
            << (o.flows.empty()
                    ? o.demand + " demand, load " + Text(o.load, "") + ", " + o.sizes + " flows, " +
                          Text(o.duration, " ms") + ", " + std::to_string(runs) + " runs"
                    : o.flows)
            << ": " << classes.back().flows << " flows" << (runs > 1 ? " in the first run" : "");
    std::cout << setting.str() << "\n\n";
    table.Print(std::cout);
    std::ostringstream legend;
    legend << "Bound: largest load that the circuits can carry with as many hops as the "
              "routing takes"
           << (ThroughputBound::HasSolver() ? "" : ", by cuts (no GLPK)")
           << ".\nHops: packets sent between switches for each one received. Duty: share of the "
              "time of circuits in use.\nHeld: by a ToR switch, mean over time and switches, and "
              "most of any.\n"
           << (o.saturation ? "Carried: largest load of which 99 % arrived in a steady state, all "
                              "flows bulk; found to within 1/64.\n"
                            : "")
           << (o.transport != "udp" ? "Time-outs and fast retransmissions of all connections.\n"
                                    : "")
           << (o.faults.IsUsed()
                   ? "Available: share of the time in which parts work, of the kind that "
                     "works least.\n"
                   : "")
           << "Mean and 95 % interval over runs.";
    std::cout << "\n" << legend.str() << "\n\n";
    report.Get().AddFact("setting", setting.str());
    report.Get().AddTable("Results", table, legend.str());
    for (const FabricDesign& d : designs)
    {
        std::cout << d.name << ": " << d.what << "\n";
        report.Get().AddFact(d.name, d.what);
    }
    AddCharts(report, designs, results);
    WriteSummary(files.Path("summary.csv"), designs, results);
    files.Written("summary.csv", "all numbers by design, run and size class");
    files.Written("DESIGN-flows.csv", "completion time of each flow of the first run");
    if (o.faults.IsUsed())
    {
        files.Written("DESIGN-faults.csv", "faults of the first run, in the form of --faults");
    }
    report.Get().Write(files);
    std::cout << "\n";
    files.Print(std::cout);
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
