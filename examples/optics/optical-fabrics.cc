// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Designs of data-centre fabrics side by side: the same servers, the same flows, the same counters.
 *
 * A design is a schedule of circuits with a routing of packets, a controller that measures the
 * demand and moves circuits, an electrical network, or both. Each carries the same flows in
 * packets, with other random numbers until the percentiles are known well enough
 * (SequentialStopping) or a number of times, and the table shows completion times by size,
 * the largest load that the design can carry at all, reconfigurations, and what ToR switches hold.
 * Demand-aware schedules are computed from the demand matrix, which they are told.
 *
 * Packets are UDP at the servers' line rate without congestion control, so that completion times
 * are those of the fabric and not of a transport. Flows from one server share its link in an order
 * of choice (--order); flows to one server share its link first in, first out, in all designs
 * alike, or with --queues=fair equally. --transport=nack sends lost packets again, credits lets
 * receivers pace their senders, too, tcp and dctcp are ns-3's TCP.
 *
 * Designs that the exact engine can carry run there, with the same packets as in ns-3 in a fraction
 * of the time, and others in ns-3; --engine=packets runs all there. With --saturation the program
 * also measures the largest load that each design carries, beside the bound of the linear program.
 *
 *     ./ns3 run optical-fabrics
 *     ./ns3 run "optical-fabrics --designs=all --replications=5 --duration=20"
 *     ./ns3 run "optical-fabrics --demand=skewed:0.25 --load=0.2"
 *     ./ns3 run "optical-fabrics --own=RotorSchedule[Slot=50us];ValiantRouting"
 *     ./ns3 run "optical-fabrics --own=MatchingController[Policy=mine.pt];DirectRouting"
 *     ./ns3 run "optical-fabrics --flows=my-flows.txt --designs=opera,rotornet"
 *     ./ns3 run "optical-fabrics --engine=exact --saturation"
 *     ./ns3 run "optical-fabrics --transport=dctcp --designs=ideal,opera,rotornet"
 *     ./ns3 run "optical-fabrics --mtbf=uplink=95ms --mttr=uplink=5ms"
 *     ./ns3 run "optical-fabrics --designs=opera,ideal --duration=1 --animation=%.svg"    a browser
 */

#include "optical-fabrics-comparison.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/odcn-flow-helper.h"
#include "ns3/odcn-text.h"
#include "ns3/odcn-throughput-bound.h"

#include <limits>

using namespace ns3;
using namespace ns3::odcn;

void
ComparisonOptions::Add(OdcnCommandLine& cmd)
{
    racks = 18;
    servers = 6;
    uplinks = 6;
    output = "fabrics";
    duration = 500;
    drain = 1000;
    replications = 0;
    designs = USUAL_DESIGNS;
    AddNetworkOptions(cmd);
    cmd.SetGroup("Flows");
    cmd.AddValue("demand", "uniform, permutation, skewed:0.25, chessboard, hot:8, ...", demand);
    cmd.AddRange("load", "Offered data as a share of the servers' line rate", load, 0.001, 1.0);
    AddFlowOptions(cmd);
    cmd.AddValue("flows", "File of flows, instead of random ones", flows);
    AddStudyOptions(cmd, "Names of designs separated by commas, all or none");
    cmd.AddValue(
        "own",
        "More designs: NAME=SCHEDULE;ROUTING, separated by commas; or a MatchingController first",
        own);
    cmd.AddWord("engine",
                "packets; exact, the same packets without events; flows, the flow level; for "
                "designs that they know; any: exact, packets where that cannot",
                engine,
                {"any", "packets", "exact", "flows"});
    cmd.AddWord("transport",
                "udp, nack (lost packets again), credits (receivers pace senders, too), tcp, dctcp",
                transport,
                {"udp", "nack", "credits", "tcp", "dctcp"});
    cmd.AddValue("order", "ns3::odcn::FlowApplication::Order");
    cmd.AddWord("queues",
                "Queues of switches: first in, first out, or fair shares of pairs of servers",
                queues,
                {"fifo", "fair"});
    cmd.AddRange("reorder",
                 "Time after which a packet that others have overtaken counts as lost, ms",
                 reorder,
                 0.001,
                 1e6);
    cmd.AddRange("window",
                 "Packets that a receiver lets be on their way to it",
                 window,
                 1U,
                 100000U);
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
    cmd.Restrict({"saturation", "order"}, {"engine=any", "engine=packets", "engine=exact"});
    cmd.Restrict(
        {"engine"},
        {"transport=udp", "transport=nack", "transport=credits", "engine=any", "engine=packets"});
    cmd.Restrict({"order"}, {"transport=udp", "transport=nack", "transport=credits"});
    cmd.Restrict({"queues"},
                 {"transport=udp", "transport=nack", "transport=credits", "transport=tcp"});
    cmd.Restrict({"reorder"}, {"transport=nack", "transport=credits"});
    cmd.Restrict({"window"}, {"transport=credits"});
    cmd.Restrict({"animation"}, {"engine=any", "engine=packets"});
    cmd.Restrict({"faults", "mtbf"}, {"engine=any", "engine=packets", "engine=exact"});
}

namespace
{

/// @return the figures of merit, of the table and of summary.csv
StudyLayout
MakeLayout(const ComparisonOptions& o)
{
    using R = StudyResult;
    constexpr auto MEAN = FigureOfMerit::Kind::MEAN;
    const bool tcp = o.IsTcp();
    const bool repair = o.IsRepaired();
    const bool faulty = o.faults.IsUsed();
    const std::string load = "Largest load";
    const std::string rate = "share of the servers' rate";
    const std::string held = "Bytes held by a ToR switch";
    return {
        {"design"},
        "bound,hops,reconfigurations_per_s,held_bytes,packets,dropped,mean_held_bytes,duty,"
        "timeouts,"
        "recoveries,delivered,faults,availability,carried" +
            std::string(repair ? ",again,duplicates" : ""),
        o.GetRuns() == 0 ? std::vector<std::string>{"Design", "Engine", "Runs"}
                         : std::vector<std::string>{"Design", "Engine"},
        {{FigureOfMerit{"bound", "Bound", rate}.Rising(), &R::bound, load, "bound", 1},
         {{"carried", "Carried", rate, 1, MEAN, o.saturation}, &R::carried, load, "measured", 1},
         {{"share", "Share of\nbound", "", 1, MEAN, o.saturation},
          [](const R& r) { return r.carried / r.bound; }},
         CompleteFigure(),
         CompletionFigure("p50 us\n< 100 kB", 0, &FlowStatistics::p50, 1e6),
         CompletionFigure("p99 us\n< 100 kB", 0, &FlowStatistics::p99, 1e6),
         CompletionFigure("p99 ms\n.1-1 MB", 1, &FlowStatistics::p99, 1e3),
         CompletionFigure("p99 ms\n>= 1 MB", 2, &FlowStatistics::p99, 1e3),
         {{"hops", "Hops"}, &R::hops},
         {{"reconfigurations_per_s", "Recon-\nfig. /s", "per second"},
          &R::reconfigurations,
          "Reconfigurations"},
         {.merit = {"duty", "Duty"}, .get = &R::duty, .chart = "Duty of circuits", .most = 1},
         {{"mean_held_bytes", "Held MB\nmean", "MB", 1e-6},
          &R::meanHeld,
          held,
          "mean over time and switches"},
         {{"held_bytes", "Held MB\nmost", "MB", 1e-6}, &R::held, held, "most of any switch"},
         {{"dropped", "Lost"}, &R::dropped},
         {{"timeouts", "Time-\nouts", "", 1, MEAN, tcp}, &R::timeouts},
         {{"recoveries", "Fast\nretr.", "", 1, MEAN, tcp}, &R::recoveries},
         {{"again", "Sent\nagain", "", 1, MEAN, repair}, &R::again},
         {{"duplicates", "Got\ntwice", "", 1, MEAN, repair}, &R::duplicates},
         {.merit = {"delivered", "Deliv-\nered %", "%", 100, MEAN, faulty},
          .get = &R::delivered,
          .most = 1},
         {{"faults", "Faults", "", 1, MEAN, faulty}, &R::faults},
         {.merit = {"availability", "Avail-\nable %", "%", 100, MEAN, faulty},
          .get = &R::availability,
          .most = 1},
         {{"packets", ""}, &R::packets}},
        [isSequential = o.GetRuns() == 0](const StudyRow& row)
        {
            const FabricEngine engine = row.results[0].engine;
            std::vector<std::string> cells{row.title,
                                           engine == FabricEngine::FLOWS ? "flow level"
                                                                         : GetName(engine)};
            if (isSequential)
            {
                cells.push_back(std::to_string(row.results.size()));
            }
            return cells;
        }};
}

/// @return what all runs have in common
std::string
DescribeRuns(const ComparisonOptions& o, uint64_t flows, const std::string& inEvents)
{
    PlainStream os;
    os.precision(std::numeric_limits<double>::digits10); // as given
    os << o.Describe() << (o.queues == "fair" ? ", fair queues" : "") << "\n";
    if (o.flows.empty())
    {
        os << o.demand << " demand, load " << o.load << ", " << o.sizes << " flows, " << o.duration
           << " ms" << (o.replications > 0 ? ", " + FormatCount(o.replications, "run") : "");
    }
    os << o.flows << ": " << FormatCount(flows, "flow")
       << (o.GetRuns() != 1 ? " in the first run" : "");
    if (!inEvents.empty())
    {
        os << "\n--engine=" << o.engine << " does not know " << inEvents
           << ", which ran in packets.";
    }
    return os.str();
}

/// @return what the columns of the table mean
std::string
MakeLegend(const ComparisonOptions& o)
{
    std::string text = "Bound: largest load that the circuits can carry with as many hops as the "
                       "routing takes";
    text += ThroughputBound::HasSolver() ? "" : ", by cuts (no GLPK)";
    text += ".\nHops: packets sent between switches for each one received. Duty: share of the "
            "time of circuits in use.\nHeld: by a ToR switch, mean over time and switches, and "
            "most of any.\nDuty, reconfigurations and the mean held are of the time until the "
            "last flow starts.\n";
    text += o.saturation ? "Carried: largest load of which 99 % arrived in a steady state, all "
                           "flows bulk; found to within 1/64.\n"
                         : "";
    text +=
        o.engine == "flows"
            ? "On the flow level, flows share links equally, as with --queues=fair. Where queues "
              "are first in, first out,\nits times are right at low loads only "
              "(doc/optics/collectives.rst, \"Fair shares and queues\").\n"
            : "";
    text += o.IsTcp() ? "Time-outs and fast retransmissions of all connections.\n" : "";
    text +=
        o.IsRepaired() ? "Sent again: packets; got twice: those of them that were not lost.\n" : "";
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
    ComparisonOptions o;
    // Nobody looks at IP here.
    Config::SetDefault("ns3::odcn::LogicFlowTransport::Direct", BooleanValue(true));
    OdcnCommandLine cmd(argc, argv, "Designs of optical and electrical fabrics side by side.");
    o.Add(cmd);
    cmd.Parse();
    o.CheckNetwork();
    if (o.IsTcp())
    {
        DataCentreTcp tcp;
        tcp.congestionControl = o.transport == "dctcp" ? "ns3::TcpDctcp" : "ns3::TcpCubic";
        FlowHelper::SetDataCentreTcp(tcp);
    }
    const StudyLayout layout = MakeLayout(o);
    FabricComparison comparison(o);
    comparison.Choose();
    comparison.Run(o.GetRuns(), layout);
    const uint64_t flows = comparison.GetRows()[0].results[0].classes.back().flows;
    comparison.Report(layout,
                      DescribeRuns(o, flows, comparison.GetInEvents()),
                      MakeLegend(o),
                      comparison.GetLeftOut());
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
