// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Designs of data-centre fabrics side by side: the same servers, the same flows, the same counters.
 *
 * A design is a schedule of circuits with a routing of packets, or an electrical network. Each
 * carries the same flows in packets, several times with other random numbers, and the table shows
 * completion times by size, the largest load that the design can carry at all, reconfigurations,
 * and what ToR switches hold. Demand-aware schedules are computed from the demand matrix, which
 * they are told.
 *
 * Packets are UDP at the servers' line rate without congestion control, so that completion times
 * are those of the fabric and not of a transport. Two flows to one server share its link first in,
 * first out, in all designs alike.
 *
 *     ./ns3 run optical-fabrics
 *     ./ns3 run "optical-fabrics --demand=skewed:0.25 --load=0.2"
 *     ./ns3 run "optical-fabrics --own=RotorSchedule[Slot=50us];ValiantRouting;2"
 *     ./ns3 run "optical-fabrics --flows=my-flows.txt --designs=opera,rotornet"
 */

#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/ocs-helper.h"
#include "ns3/ocs-schedule-follower.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/odcn-matching-schedule.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-packet-network-helper.h"
#include "ns3/odcn-progress.h"
#include "ns3/odcn-statistics.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-throughput-bound.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tor-routing.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Most hops of a packet between racks.
enum class Hops
{
    ONE,
    TWO,
    ANY,
};

/// A design. Electrical ones have no schedule.
struct Design
{
    std::string name;     //!< for --designs
    std::string schedule; //!< a CircuitSchedule with Attributes
    std::string routing;  //!< a TorRouting with Attributes
    Hops hops{Hops::ANY}; //!< of the routing, for the bound
    uint32_t uplinks{0};  //!< of a rack; 0 for the option
    std::string what;     //!< one line for --help and the output
};

/// Options of the program.
struct Options
{
    uint32_t racks{18};             //!< number of racks
    uint32_t servers{6};            //!< servers of a rack
    uint32_t uplinks{6};            //!< uplinks of a rack
    double gbps{10};                //!< rate of all links
    double slot{100};               //!< us
    double dark{10};                //!< us
    double delay{500};              //!< from ToR to ToR, ns
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
    std::string output{"fabrics"};  //!< folder
};

/// What is measured of a run.
struct Result
{
    std::vector<FlowSummary> classes; //!< by size, all flows last
    double bound{0};                  //!< largest load that can be carried
    double hops{0};                   //!< packets sent between switches, for each received one
    double reconfigurations{0};       //!< circuits changed per second
    double held{0};                   //!< most bytes that a ToR switch held; NaN if unknown
    uint64_t dropped{0};              //!< packets
    uint64_t packets{0};              //!< packets sent by servers
};

/// @param value a number  @param unit its unit  @return text for an Attribute
std::string
Text(double value, const std::string& unit)
{
    std::ostringstream os;
    os << value << unit;
    return os.str();
}

/// @param o options  @return the designs of the program
std::vector<Design>
MakeDesigns(const Options& o)
{
    const std::string times =
        "Slot=" + Text(o.slot, "us") + "|ReconfigurationTime=" + Text(o.dark, "us");
    const std::string opera =
        "Slot=" + Text(o.slot * o.uplinks, "us") + "|ReconfigurationTime=" + Text(o.dark, "us");
    // Three times the period of a rotor schedule, so that a slot is as long as there.
    const std::string period = "Period=" + Text(3 * o.slot * o.racks / o.uplinks, "us") +
                               "|ReconfigurationTime=" + Text(o.dark, "us");
    // A slot carries three packets of 1500 bytes, for it cannot carry less than one.
    const std::string cells = "Slot=" + Text(40 / o.gbps, "us") + "|ReconfigurationTime=100ns";
    const auto matched = [&](const std::string& algorithm)
    { return "MatchingSchedule[Algorithm=" + algorithm + "|" + period + "]"; };
    std::vector<Design> designs{
        {"ideal", "", "ideal", Hops::ANY, 0, "one switch without limits joins all servers"},
        {"fat-tree", "", "fat-tree", Hops::ANY, 0, "electrical, full bisection, ECMP"},
        {"clos-3:1", "", "clos", Hops::ANY, 0, "electrical leaf-spine, over-subscribed 3:1, ECMP"},
        {"expander",
         "ExpanderSchedule",
         "ExpanderRouting",
         Hops::ANY,
         o.uplinks + 1,
         "static random circuits, one uplink more, shortest paths"},
        {"rotornet-direct",
         "RotorSchedule[" + times + "]",
         "DirectRouting",
         Hops::ONE,
         0,
         "rotor switches in step, one hop"},
        {"rotornet",
         "RotorSchedule[" + times + "]",
         "RotorLbRouting",
         Hops::TWO,
         0,
         "rotor switches in step, RotorLB"},
        {"opera",
         "OperaSchedule[" + opera + "]",
         "ClassRouting[Bulk=RotorLbRouting]",
         Hops::ANY,
         0,
         "one switch at a time; short flows at once, others wait for circuits, RotorLB"},
        {"sirius",
         "SiriusSchedule[" + cells + "]",
         "ValiantRouting[Spread=Random]",
         Hops::TWO,
         0,
         "cyclic, slots of three packets, random transit racks"},
        {"max-weight",
         matched("MaxWeightMatching"),
         "ExpanderRouting",
         Hops::ANY,
         0,
         "static circuits of maximum weight for the demand, shortest paths"},
        {"birkhoff",
         matched("BirkhoffMatching[Terms=" + std::to_string(2 * o.racks) + "]"),
         "DirectRouting",
         Hops::ONE,
         0,
         "Birkhoff-von Neumann decomposition of the demand, one hop"},
        {"vermilion",
         matched("VermilionMatching"),
         "DirectRouting",
         Hops::ONE,
         0,
         "Vermilion-like schedule for the demand, one hop"},
    };
    std::vector<Design> chosen;
    std::istringstream names(o.designs == "all" || o.designs == "none" ? "" : o.designs);
    for (std::string name; std::getline(names, name, ',');)
    {
        const auto found = std::find_if(designs.begin(),
                                        designs.end(),
                                        [&name](const Design& d) { return d.name == name; });
        if (found == designs.end())
        {
            std::string known;
            for (const Design& d : designs)
            {
                known += (known.empty() ? "" : ", ") + d.name;
            }
            throw OdcnError::InOption("--designs", name, "all, none, or some of " + known);
        }
        chosen.push_back(*found);
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

/// Count circuits that change. @param count sum  @param changes of one optical switch
void
CountChanges(uint64_t* count, const std::vector<OcsPortChange>& changes)
{
    *count += changes.size();
}

/// Note what a ToR switch holds. @param most largest so far  @param now bytes
void
NoteHeld(uint64_t* most, uint64_t, uint64_t now)
{
    *most = std::max(*most, now);
}

/// Simulates designs with the same flows.
class Comparison
{
  public:
    /// @param options of the program
    explicit Comparison(const Options& options)
        : m_options(options)
    {
    }

    /// Draw the flows. @param replication number from 0
    void SetReplication(uint32_t replication)
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
        const bool isFile = o.sizes.find('/') != std::string::npos ||
                            o.sizes.find_first_not_of("0123456789") == std::string::npos;
        Ptr<FlowWorkload> workload = CreateObject<FlowWorkload>();
        workload->SetAttribute("Load", DoubleValue(o.load));
        workload->SetAttribute("HostRate", StringValue(Text(o.gbps, "Gbps")));
        workload->SetAttribute(
            "Sizes",
            StringValue(isFile ? o.sizes
                               : std::string(ODCN_DATA_DIR) + "/flow-cdf/" + o.sizes + ".csv"));
        workload->SetAttribute("Duration", TimeValue(MicroSeconds(std::llround(o.duration * 1e3))));
        workload->AssignStreams(m_stream + 1);
        m_flows = workload->Generate(m_demand, o.servers);
    }

    /// Throw OdcnError unless a design exists for these sizes. @param design a design
    void Check(const Design& design) const
    {
        if (!design.schedule.empty())
        {
            MakeSchedule(design);
            TorRouting::Create(design.routing);
        }
    }

    /// @param design a design  @param flowsFile file of all flows to write, or ""
    /// @return its results
    Result Run(const Design& design, const std::string& flowsFile)
    {
        return design.schedule.empty() ? RunElectrical(design, flowsFile)
                                       : RunOptical(design, flowsFile);
    }

  private:
    /// @param design an optical design  @return its schedule
    Ptr<CircuitSchedule> MakeSchedule(const Design& design) const
    {
        Ptr<CircuitSchedule> plan = CircuitSchedule::Create(design.schedule);
        if (auto matched = DynamicCast<MatchingSchedule>(plan))
        {
            matched->SetDemand(m_demand);
        }
        plan->AssignStreams(m_stream + 900);
        plan->Build(m_options.racks, design.uplinks > 0 ? design.uplinks : m_options.uplinks);
        return plan;
    }

    /// @param design an optical design  @param flowsFile see Run()  @return its results
    Result RunOptical(const Design& design, const std::string& flowsFile)
    {
        const Options& o = m_options;
        const Ptr<CircuitSchedule> plan = MakeSchedule(design);
        const uint32_t uplinks = plan->GetNPlanes();
        OcsHelper helper;
        helper.SetTorAttribute("NoCircuit", StringValue("Hold"));
        helper.SetTorAttribute("Routing", StringValue(design.routing));
        helper.SetUplinkAttribute("DataRate", StringValue(Text(o.gbps, "Gbps")));
        helper.SetServerAttribute("DataRate", StringValue(Text(o.gbps, "Gbps")));
        helper.SetServerQueue("ns3::DropTailQueue", QueueSize("1000000p"));
        helper.SetUplinkFiberAttribute("Delay", StringValue(Text(o.delay / 2, "ns")));
        Ptr<OcsFabric> fabric = helper.Build({o.racks, o.servers, uplinks, uplinks});
        helper.InstallServers(fabric);
        fabric->AssignStreams(m_stream + 1000);
        Ptr<OcsScheduleFollower> follower = CreateObject<OcsScheduleFollower>();
        follower->Start(fabric, plan);

        uint64_t changes = 0;
        for (uint32_t w = 0; w < uplinks; ++w)
        {
            fabric->GetSwitch(w)->TraceConnectWithoutContext(
                "ReconfigurationStart",
                MakeBoundCallback(&CountChanges, &changes));
        }
        uint64_t held = 0;
        for (RackId rack = 0; rack < o.racks; ++rack)
        {
            fabric->GetTor(rack)->TraceConnectWithoutContext("Held",
                                                             MakeBoundCallback(&NoteHeld, &held));
        }
        Result result = Simulate(fabric->GetServers(), flowsFile);
        uint64_t sent = 0;
        for (RackId rack = 0; rack < o.racks; ++rack)
        {
            for (uint32_t p = 0; p < uplinks; ++p)
            {
                sent += fabric->GetUplink(rack, p)->GetSent();
            }
        }
        SetCounts(result, fabric->Count(), sent);
        result.held = double(held);
        result.reconfigurations = double(changes) / Simulator::Now().GetSeconds();
        DemandMatrix capacity = plan->GetCapacity();
        capacity.Scale(1.0 / o.servers);
        const ThroughputBound bound(capacity, m_demand);
        if (design.hops == Hops::ONE)
        {
            result.bound = bound.GetDirect();
        }
        else if (!ThroughputBound::HasSolver() || o.racks > 32)
        {
            result.bound = bound.GetCut();
        }
        else
        {
            result.bound = design.hops == Hops::TWO ? bound.GetTwoHop() : bound.GetMultiHop();
        }
        result.bound = std::min(1.0, result.bound);
        Simulator::Destroy();
        return result;
    }

    /// @param design an electrical design  @param flowsFile see Run()  @return its results
    Result RunElectrical(const Design& design, const std::string& flowsFile)
    {
        const Options& o = m_options;
        PacketNetworkHelper helper;
        helper.SetUplinkAttribute("DataRate", StringValue(Text(o.gbps, "Gbps")));
        helper.SetServerAttribute("DataRate", StringValue(Text(o.gbps, "Gbps")));
        helper.SetServerQueue("ns3::DropTailQueue", QueueSize("1000000p"));
        helper.SetUplinkQueue("ns3::DropTailQueue", QueueSize("1000000p"));
        helper.SetUplinkFiberAttribute("Delay", StringValue(Text(o.delay, "ns")));
        const uint32_t clos = std::max(1U, o.servers / 3);
        const auto build = [&]
        {
            if (design.routing == "ideal")
            {
                return helper.BuildIdeal(o.racks, o.servers);
            }
            if (design.routing == "clos")
            {
                return helper.BuildLeafSpine(o.racks, o.servers, clos, clos);
            }
            uint32_t k = 2 * o.servers;
            while (k * k / 2 < o.racks)
            {
                k += 2;
            }
            return helper.BuildFatTree(k, o.racks, o.servers);
        };
        Ptr<PacketNetwork> network = build();
        helper.InstallServers(network);
        network->AssignStreams(m_stream + 1000);
        Result result = Simulate(network->GetServers(), flowsFile);
        uint64_t sent = 0;
        for (uint32_t s = 0; s < network->GetNSwitches(); ++s)
        {
            sent += network->GetSwitch(s)->GetSent();
        }
        const OcsFabricCounts counts = network->Count();
        SetCounts(result, counts, sent > counts.received ? sent - counts.received : 0);
        result.held = std::nan("");
        result.bound = design.routing == "clos" ? std::min(1.0, double(clos) / o.servers) : 1.0;
        Simulator::Destroy();
        return result;
    }

    /// Send all flows. @param hosts the servers  @param flowsFile see Run()  @return results
    Result Simulate(const NodeContainer& hosts, const std::string& flowsFile) const
    {
        const Options& o = m_options;
        FlowHelper helper;
        helper.SetAttribute("ShortFlows", UintegerValue(o.shortFlows));
        helper.SetRecorderAttribute("ClassEdges", StringValue("100000,1000000"));
        helper.Install(hosts, m_flows);
        const Ptr<FlowRecorder> recorder = helper.GetRecorder();
        recorder->TraceConnectWithoutContext("AllCompleted",
                                             Callback<void>([] { Simulator::Stop(); }));
        Time last;
        for (const DataFlow& flow : m_flows)
        {
            last = std::max(last, flow.start);
        }
        Simulator::Stop(last + MicroSeconds(std::llround(o.drain * 1e3)));
        Simulator::Run();
        Result result;
        result.classes = recorder->Summarise();
        if (!flowsFile.empty())
        {
            recorder->WriteFlows(flowsFile);
        }
        return result;
    }

    /// @param [in,out] result of a run  @param counts of its network  @param sent between switches
    static void SetCounts(Result& result, const OcsFabricCounts& counts, uint64_t sent)
    {
        result.dropped = counts.dropped.Total();
        result.packets = counts.sent;
        result.hops = counts.received > 0 ? double(sent) / double(counts.received) : 0;
    }

    const Options& m_options;      //!< of the program
    int64_t m_stream{0};           //!< first stream of the replication
    DemandMatrix m_demand;         //!< of the replication
    std::vector<DataFlow> m_flows; //!< of the replication
};

/// @param results of the replications  @param get a quantity  @param scale factor
/// @return mean and interval as text
std::string
Mean(const std::vector<Result>& results,
     const std::function<double(const Result&)>& get,
     double scale = 1)
{
    std::vector<double> values;
    for (const Result& r : results)
    {
        const double value = get(r);
        if (!std::isnan(value))
        {
            values.push_back(value);
        }
    }
    return FormatEstimate(MeanOfReplications(values), scale);
}

/// Write summary.csv. @param path file  @param designs designs  @param results [design][run]
void
WriteSummary(const std::string& path,
             const std::vector<Design>& designs,
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
                   "dropped"});
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
                        r.dropped);
            }
        }
    }
    csv.Commit();
}

/// The program. @param argc number of arguments  @param argv arguments
void
Run(int argc, char* argv[])
{
    Options o;
    OdcnCommandLine cmd(argc, argv, "Designs of optical and electrical fabrics side by side.");
    cmd.SetGroup("Network");
    cmd.AddRange("racks", "Number of racks, a multiple of uplinks", o.racks, 2U, 1024U);
    cmd.AddRange("servers", "Servers of a rack", o.servers, 1U, 64U);
    cmd.AddRange("uplinks", "Uplinks of a rack, one optical switch each", o.uplinks, 1U, 64U);
    cmd.AddRange("gbps", "Rate of all links, Gb/s", o.gbps, 1.0, 1000.0);
    cmd.AddRange("slot", "Time between reconfigurations, us", o.slot, 1.0, 1e6);
    cmd.AddRange("dark", "Dark time of a reconfiguration, us", o.dark, 0.0, 1e6);
    cmd.AddRange("delay", "Propagation from rack to rack, ns", o.delay, 0.0, 1e6);
    cmd.SetGroup("Flows");
    cmd.AddValue("demand", "uniform, permutation, skewed:0.25, chessboard, hot:8, ...", o.demand);
    cmd.AddRange("load", "Offered data as a share of the servers' line rate", o.load, 0.001, 1.0);
    cmd.AddValue("sizes", "websearch, datamining, hadoop, bytes, or a path of a CDF", o.sizes);
    cmd.AddRange("duration", "Time in which flows arrive, ms", o.duration, 0.1, 10000.0);
    cmd.AddRange("drain", "Most time for the flows to complete after that, ms", o.drain, 0.0, 1e5);
    cmd.AddValue("short", "Flows of fewer bytes do not wait in Opera", o.shortFlows);
    cmd.AddValue("flows", "File of flows, instead of random ones", o.flows);
    cmd.SetGroup("Comparison");
    cmd.AddValue("designs", "Names of designs separated by commas, all or none", o.designs);
    cmd.AddValue("own", "One more design: SCHEDULE;ROUTING;HOPS", o.own);
    cmd.AddRange("replications", "Runs of each design", o.replications, 1U, 1000U);
    cmd.AddValue("output", "Folder of the results", o.output);
    cmd.Parse();
    if (o.dark >= o.slot)
    {
        throw OdcnError::InOption("--dark", Text(o.dark, ""), "less than --slot");
    }
    const std::vector<Design> designs = MakeDesigns(o);
    if (designs.empty())
    {
        throw OdcnError::InOption("--designs", o.designs, "a design, or one of your own in --own");
    }
    Time::SetResolution(Time::PS);
    Comparison comparison(o);
    comparison.SetReplication(0);
    for (const Design& design : designs)
    {
        comparison.Check(design);
    }
    OutputFiles files(o.output);

    std::vector<std::vector<Result>> results(designs.size());
    const uint32_t runs = o.flows.empty() ? o.replications : 1;
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
                results[d].push_back(comparison.Run(designs[d], run == 0 ? files.Path(name) : ""));
                progress.Update(run * designs.size() + d + 1);
            }
        }
        progress.Finish(designs.size() * runs);
    }

    const std::vector<FlowSummary>& classes = results[0][0].classes;
    Table table({"Design",
                 "Bound",
                 "Complete\n%",
                 "p50 us\n< 100 kB",
                 "p99 us\n< 100 kB",
                 "p99 ms\n< 1 MB",
                 "p99 ms\n>= 1 MB",
                 "Hops",
                 "Recon-\nfig. /s",
                 "Held\nMB",
                 "Lost"});
    for (std::size_t d = 0; d < designs.size(); ++d)
    {
        const std::vector<Result>& r = results[d];
        const auto quantile = [&](std::size_t c, double FlowStatistics::*q, double scale)
        {
            return Mean(
                r,
                [&](const Result& x) { return x.classes[c].time.*q; },
                scale);
        };
        const auto complete = [](const Result& x)
        {
            const FlowSummary& all = x.classes.back();
            return all.flows > 0 ? 100.0 * double(all.flows - all.incomplete) / double(all.flows)
                                 : std::nan("");
        };
        table.AddRow({designs[d].name,
                      Mean(r, [](const Result& x) { return x.bound; }),
                      Mean(r, complete),
                      quantile(0, &FlowStatistics::p50, 1e6),
                      quantile(0, &FlowStatistics::p99, 1e6),
                      quantile(1, &FlowStatistics::p99, 1e3),
                      quantile(2, &FlowStatistics::p99, 1e3),
                      Mean(r, [](const Result& x) { return x.hops; }),
                      Mean(r, [](const Result& x) { return x.reconfigurations; }),
                      Mean(
                          r,
                          [](const Result& x) { return x.held; },
                          1e-6),
                      Mean(r, [](const Result& x) { return double(x.dropped); })});
    }
    std::cout << o.racks << " racks of " << o.servers << " servers, " << o.uplinks << " uplinks, "
              << o.gbps << " Gb/s, slots of " << o.slot << " us, dark " << o.dark << " us\n"
              << (o.flows.empty() ? o.demand + " demand, load " + Text(o.load, "") + ", " +
                                        o.sizes + " flows, " + Text(o.duration, " ms") + ", " +
                                        std::to_string(runs) + " runs"
                                  : o.flows)
              << ": " << classes.back().flows << " flows" << (runs > 1 ? " in the first run" : "")
              << "\n\n";
    table.Print(std::cout);
    std::cout << "\nBound: largest load that the circuits can carry with as many hops as the "
                 "routing takes"
              << (ThroughputBound::HasSolver() ? "" : ", by cuts (no GLPK)")
              << ".\nHops: packets sent between switches for each one received. Held: most that a "
                 "ToR switch held.\nMean and 95 % interval over runs.\n\n";
    for (const Design& d : designs)
    {
        std::cout << d.name << ": " << d.what << "\n";
    }
    WriteSummary(files.Path("summary.csv"), designs, results);
    files.Written("summary.csv", "all numbers by design, run and size class");
    files.Written("DESIGN-flows.csv", "completion time of each flow of the first run");
    std::cout << "\n";
    files.Print(std::cout);
}

} // namespace

int
main(int argc, char* argv[])
{
    try
    {
        Run(argc, argv);
    }
    catch (const std::exception& error)
    {
        return OdcnCommandLine::Report(error);
    }
    return 0;
}
