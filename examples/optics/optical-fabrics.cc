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

#include "fabric-study.h"

#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-schedule-packets.h"
#include "ns3/odcn-throughput-bound.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <sstream>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Options of the program.
struct Options : FabricOptions
{
    std::string demand{"uniform"}; //!< a pattern
    double load{0.1};              //!< of the servers' line rate
    std::string flows;             //!< file
    std::string own;               //!< text of a design
    std::string engine{"ns3"};     //!< ns3 or exact
    uint32_t marks{65};            //!< queue in packets from which on DCTCP's are marked
    bool saturation{false};        //!< whether to measure the largest load
    double steady{8};              //!< duration of a run for that, ms

    /// @param cmd command line, which gets the options
    void Add(OdcnCommandLine& cmd);

    /// @return number of replications
    uint32_t GetRuns() const
    {
        return flows.empty() ? replications : 1;
    }

    /// @return queue disc of switches, or ""
    std::string GetQueueDisc() const
    {
        const std::string from = std::to_string(marks);
        return transport == "dctcp"
                   ? "ns3::RedQueueDisc[MaxSize=1000000p|MinTh=" + from + "|MaxTh=" + from +
                         ".000001|QW=1|UseEcn=true|UseHardDrop=false|Gentle=false|MeanPktSize=1500]"
                   : "";
    }
};

void
Options::Add(OdcnCommandLine& cmd)
{
    racks = 18;
    servers = 6;
    uplinks = 6;
    output = "fabrics";
    AddOptions(cmd);
    cmd.SetGroup("Flows");
    cmd.AddValue("demand", "uniform, permutation, skewed:0.25, chessboard, hot:8, ...", demand);
    cmd.AddRange("load", "Offered data as a share of the servers' line rate", load, 0.001, 1.0);
    AddFlowOptions(cmd);
    cmd.AddValue("flows", "File of flows, instead of random ones", flows);
    AddStudyOptions(cmd, "Names of designs separated by commas, all or none");
    cmd.AddValue("own",
                 "One more design: SCHEDULE;ROUTING;HOPS, or a MatchingController first",
                 own);
    cmd.AddWord("engine",
                "ns3, or exact: SchedulePackets for designs that it knows",
                engine,
                {"ns3", "exact"});
    cmd.AddWord("transport", "udp, tcp or dctcp", transport, {"udp", "tcp", "dctcp"});
    cmd.AddRange("marks",
                 "Packets in a queue from which on dctcp's are marked",
                 marks,
                 1U,
                 100000U);
    cmd.AddValue("saturation", "Measure the largest load of each design", saturation);
    cmd.AddRange("steady", "Duration of each run for that, ms; half is warm-up", steady, 0.1, 1e4);
    animation.AddOptions(cmd);
    cmd.Restrict({"demand", "load", "sizes", "replications"}, {"!flows"});
    cmd.Restrict({"marks"}, {"transport=dctcp"});
    cmd.Restrict({"steady"}, {"saturation"});
    cmd.Restrict({"saturation"}, {"transport=udp"});
    cmd.Restrict({"faults", "mtbf", "animation"}, {"engine=ns3"});
}

/// @param ms milliseconds
/// @return the time
Time
ToTime(double ms)
{
    return MicroSeconds(std::llround(ms * 1e3));
}

/// @param design a design
/// @param shortFlows bytes
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
        const bool classes = design.routing == "ClassRouting[Bulk=" + text + "]";
        if (design.routing == text || classes)
        {
            settings.routing = routing;
            settings.shortFlows = classes ? shortFlows : 0;
            return settings;
        }
    }
    return {};
}

/// @return how many circuits of a schedule change until a time
uint64_t
CountChanges(const CircuitSchedule& plan, Time end)
{
    uint64_t changes = 0;
    for (uint32_t plane = 0; plane < plan.GetNPlanes(); ++plane)
    {
        for (Time at = plan.Find(plane, Time(0)).end; at < end;)
        {
            const CircuitSchedule::Place place = plan.Find(plane, at);
            for (RackId rack = 0; rack < plan.GetNRacks(); ++rack)
            {
                changes += plan.Changes(plane, place.slot, rack) ? 1 : 0;
            }
            at = place.end;
        }
    }
    return changes;
}

/// @return the figures of merit, of the table and of summary.csv
FabricLayout
MakeLayout(const Options& o)
{
    using R = FabricResult;
    constexpr auto MEAN = FigureOfMerit::Kind::MEAN;
    const bool tcp = o.transport != "udp";
    const bool faulty = o.faults.IsUsed();
    const std::string load = "Largest load";
    const std::string rate = "share of the servers' rate";
    const std::string held = "Bytes held by a ToR switch";
    return {{"design"},
            "bound,hops,reconfigurations_per_s,held_bytes,packets,dropped,mean_held_bytes,duty,"
            "timeouts,"
            "recoveries,delivered,faults,availability,carried,exact",
            {"Design", "Engine"},
            {{{"bound", "Bound", rate}, &R::bound, load, "bound"},
             {{"carried", "Carried", rate, 1, MEAN, o.saturation}, &R::carried, load, "measured"},
             {{"share", "Share of\nbound", "", 1, MEAN, o.saturation},
              [](const R& r) { return r.carried / r.bound; }},
             CompleteFigure(),
             CompletionFigure("p50 us\n< 100 kB", 0, &FlowStatistics::p50, 1e6),
             CompletionFigure("p99 us\n< 100 kB", 0, &FlowStatistics::p99, 1e6),
             CompletionFigure("p99 ms\n< 1 MB", 1, &FlowStatistics::p99, 1e3),
             CompletionFigure("p99 ms\n>= 1 MB", 2, &FlowStatistics::p99, 1e3),
             {{"hops", "Hops"}, &R::hops},
             {{"reconfigurations_per_s", "Recon-\nfig. /s", "per second"},
              &R::reconfigurations,
              "Reconfigurations"},
             {{"duty", "Duty"}, &R::duty, "Duty of circuits"},
             {{"mean_held_bytes", "Held MB\nmean", "MB", 1e-6},
              &R::meanHeld,
              held,
              "mean over time and switches"},
             {{"held_bytes", "Held MB\nmost", "MB", 1e-6}, &R::held, held, "most of any switch"},
             {{"dropped", "Lost"}, &R::dropped},
             {{"timeouts", "Time-\nouts", "", 1, MEAN, tcp}, &R::timeouts},
             {{"recoveries", "Fast\nretr.", "", 1, MEAN, tcp}, &R::recoveries},
             {{"delivered", "Deliv-\nered %", "%", 100, MEAN, faulty}, &R::delivered},
             {{"faults", "Faults", "", 1, MEAN, faulty}, &R::faults},
             {{"availability", "Avail-\nable %", "%", 100, MEAN, faulty}, &R::availability},
             {{"packets", ""}, &R::packets},
             {{"exact", ""}, &R::exact}},
            [](const FabricRow& row) -> std::vector<std::string> {
                return {row.title, row.results[0].exact > 0 ? "exact" : "ns-3"};
            }};
}

/// Simulates designs with the same flows.
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
        if (o.designs == "all")
        {
            m_designs = o.GetDesigns();
        }
        else if (o.designs != "none")
        {
            for (const auto& name : OdcnCommandLine::SplitList(o.designs, "designs"))
            {
                m_designs.push_back(o.FindDesign(name, "--designs", "all, none, or some of "));
            }
        }
        if (!o.own.empty())
        {
            m_designs.push_back(o.MakeDesign("own", o.own, ""));
            m_designs.back().what = m_designs.back().circuits + ", " + m_designs.back().routing;
        }
        if (o.transport != "udp")
        {
            std::erase_if(m_designs,
                          [](const auto& design) { return design.hold; }); // only UDP can
        }
        if (m_designs.empty())
        {
            throw OdcnError::InOption("--designs",
                                      o.designs,
                                      "a design, or one of your own in --own");
        }
        const std::string& film = o.animation.GetFile();
        OdcnCommandLine::Check(film.empty() || m_designs.size() == 1 ||
                                   film.find('%') != std::string::npos,
                               "animation",
                               film,
                               "a name with % for the name of the design, since there are several");
        SetReplication(0);
        for (const FabricDesign& design : m_designs)
        {
            if (!design.circuits.empty())
            {
                o.StartCircuits(design, nullptr, m_demand, m_stream + 900);
            }
            m_rows.push_back({{design.name}, design.name, design.what});
        }
    }

  private:
    void SetReplication(uint32_t replication) override
    {
        const Options& o = m_options;
        m_stream = 100000 * int64_t(replication);
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
        workload->SetAttribute("Sizes", StringValue(o.GetSizes()));
        workload->SetAttribute("Duration", TimeValue(ToTime(o.duration)));
        workload->AssignStreams(m_stream + 1);
        m_flows = workload->Generate(m_demand, o.servers);
    }

    FabricResult Measure(std::size_t row, const std::string& file) override
    {
        const FabricDesign& design = m_designs[row];
        const Time window = MilliSeconds(1);
        Time last;
        double offered = 0;
        for (const DataFlow& flow : m_flows)
        {
            last = std::max(last, flow.start);
            offered += double(flow.bytes);
        }
        const Time end = last + ToTime(m_options.drain);
        FabricResult result = RunDesign(design, {m_flows, m_options.shortFlows, end, window, file});
        result.bound = FindBound(design);
        for (const double rate : result.goodput)
        {
            result.delivered += rate / 8 * window.GetSeconds() / offered;
        }
        result.carried = m_options.saturation ? FindCarried(design) : 0;
        return result;
    }

    /// @return largest load that can be carried, by links and circuits
    double FindBound(const FabricDesign& design) const
    {
        const Options& o = m_options;
        if (design.circuits.empty() || design.IsController())
        {
            // Circuits that stay are never dark.
            const uint32_t links = design.routing == "clos"  ? o.GetClos()
                                   : design.circuits.empty() ? o.servers
                                                             : o.GetUplinks(design);
            return std::min(1.0, double(links) / o.servers);
        }
        DemandMatrix capacity = MakeSchedule(design)->GetCapacity();
        capacity.Scale(1.0 / o.servers);
        const ThroughputBound bound(capacity, m_demand);
        double load = design.hops == "1"                              ? bound.GetDirect()
                      : !ThroughputBound::HasSolver() || o.racks > 32 ? bound.GetCut()
                      : design.hops == "2"                            ? bound.GetTwoHop()
                                                                      : bound.GetMultiHop();
        if (design.hybrid)
        {
            // Each class has uplinks of its own, and its share of the bytes between all racks.
            const double part = GetShortShare();
            load = std::min(load / (1 - part), 1.0 / (o.servers * part));
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
     * @return the load received at the largest one that is carried; the next one that is not is
     * greater by less than 1/64
     */
    double FindCarried(const FabricDesign& design)
    {
        // Whole periods, since what is received depends on the place in the period.
        Time half = ToTime(m_options.steady / 2);
        if (!design.circuits.empty() && !design.IsController())
        {
            const Time period = MakeSchedule(design)->GetPeriod();
            const int64_t periods =
                (half.GetTimeStep() + period.GetTimeStep() / 2) / period.GetTimeStep();
            half = period * std::max<int64_t>(1, periods);
        }
        const double part = design.hybrid ? GetShortShare() : 0;
        double low = 0;
        double high = 1 + 1.0 / 64;
        double carried = 0;
        for (double load = 1; high - low > 1.0 / 64; load = (low + high) / 2)
        {
            const auto flows = MakeSteadyFlows(load, half * 2, part);
            double sent = 0;
            for (const DataFlow& flow : flows)
            {
                sent += flow.start >= half ? double(flow.bytes) : 0;
            }
            const FabricResult result =
                RunDesign(design, {flows, part > 0 ? STEADY_BYTES : 0, half * 2, half});
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

    /// @param load of the servers' line rate, headers included
    /// @param until end
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

    /// Run flows in ns-3, or in the exact engine if it knows the design.
    FabricResult RunDesign(const FabricDesign& design, const FabricFlows& run)
    {
        const Options& o = m_options;
        const auto settings = FindSettings(design, run.shortFlows);
        const bool scheduled = !design.circuits.empty() && !design.IsController();
        if (o.engine == "exact" && scheduled && settings)
        {
            return RunExact(design, run, *settings);
        }
        FabricNetwork network = o.Build(design, o.GetQueueDisc());
        network.start = [&]
        { return o.StartCircuits(design, network.optical, m_demand, m_stream + 900); };
        return Simulate(design.name, network, run);
    }

    /// Run flows in the exact engine, with the results of ns-3.
    FabricResult RunExact(const FabricDesign& design,
                          const FabricFlows& run,
                          SchedulePackets::Settings settings)
    {
        const Options& o = m_options;
        const Ptr<CircuitSchedule> plan = MakeSchedule(design);
        settings.goodputWindow = run.window;
        SchedulePackets engine(o.MakeHelper(design.routing).GetModel(o.GetSize(design)),
                               plan,
                               settings);
        engine.AssignStreams(m_stream + 1000);
        const SchedulePackets::Result exact = engine.Run(run.flows, run.until);
        const Ptr<FlowRecorder> recorder = MakeRecorder();
        recorder->SetFlows(run.flows);
        recorder->SetCompletionTimes(exact.times,
                                     DataRate(Text(o.gbps, "Gbps")),
                                     settings.packetSize);
        FabricResult result;
        TakeFlows(design.name, *recorder, run, result);
        result.SetCounts(exact.counts, exact.hops);
        result.exact = 1;
        result.goodput = exact.goodput;
        result.reconfigurations = double(CountChanges(*plan, exact.end)) / exact.end.GetSeconds();
        result.held = double(*std::max_element(exact.mostHeld.begin(), exact.mostHeld.end()));
        result.meanHeld = exact.meanHeld;
        result.duty = exact.circuitUse;
        if (!run.file.empty() && o.report.IsWanted())
        {
            FabricMeter::AddCircuits(*m_charts.circuits, design.name, *plan, exact.end);
        }
        return result;
    }

    /// @return its schedule
    Ptr<CircuitSchedule> MakeSchedule(const FabricDesign& design) const
    {
        return m_options.MakeSchedule(design, m_demand, m_stream + 900);
    }

    /// Bytes of a flow of three packets.
    static constexpr uint64_t STEADY_BYTES = 3 * (1500 - SchedulePackets::HEADERS);

    Options& m_options;                  //!< of the program
    std::vector<FabricDesign> m_designs; //!< by row
    DemandMatrix m_demand;               //!< of the replication
    std::vector<DataFlow> m_flows;       //!< of the replication
};

/// @return what all runs have in common
std::string
DescribeRuns(const Options& o, uint64_t flows)
{
    std::ostringstream os;
    os << o.Describe() << "\n";
    if (o.flows.empty())
    {
        os << o.demand << " demand, load " << o.load << ", " << o.sizes << " flows, " << o.duration
           << " ms, " << o.replications << " runs";
    }
    os << o.flows << ": " << flows << " flows" << (o.GetRuns() > 1 ? " in the first run" : "");
    return os.str();
}

/// @return what the columns of the table mean
std::string
MakeLegend(const Options& o)
{
    std::string text = "Bound: largest load that the circuits can carry with as many hops as the "
                       "routing takes";
    text += ThroughputBound::HasSolver() ? "" : ", by cuts (no GLPK)";
    text += ".\nHops: packets sent between switches for each one received. Duty: share of the "
            "time of circuits in use.\nHeld: by a ToR switch, mean over time and switches, and "
            "most of any.\n";
    text += o.saturation ? "Carried: largest load of which 99 % arrived in a steady state, all "
                           "flows bulk; found to within 1/64.\n"
                         : "";
    text += o.transport != "udp" ? "Time-outs and fast retransmissions of all connections.\n" : "";
    text += o.faults.IsUsed()
                ? "Available: share of the time in which parts work, of the kind that "
                  "works least.\n"
                : "";
    return text + "Mean and 95 % interval over runs.";
}

} // namespace

int
main(int argc, char* argv[])
try
{
    Time::SetResolution(Time::PS);
    Options o;
    OdcnCommandLine cmd(argc, argv, "Designs of optical and electrical fabrics side by side.");
    o.Add(cmd);
    cmd.Parse();
    o.Check();
    if (o.transport != "udp")
    {
        DataCentreTcp tcp;
        tcp.congestionControl = o.transport == "dctcp" ? "ns3::TcpDctcp" : "ns3::TcpCubic";
        FlowHelper::SetDataCentreTcp(tcp);
    }
    const FabricLayout layout = MakeLayout(o);
    Comparison comparison(o);
    comparison.Choose();
    comparison.Run(o.GetRuns(), layout);
    const uint64_t flows = comparison.GetRows()[0].results[0].classes.back().flows;
    comparison.Report(layout, DescribeRuns(o, flows), MakeLegend(o));
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
