// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Collectives of training jobs over designs of fabrics side by side, one rank a server.
 *
 * Each step of a collective is a message, sent as soon as the steps before it have been received.
 * Messages are paced UDP packets that are sent again if they are lost, or fluid on the flow level.
 * Beside each time stands a bound: the busiest server and the longest chain of steps without any
 * latency, or the traffic between racks over the circuits of the design, on average over a period,
 * whichever takes longer.
 *
 *     ./ns3 run collectives
 *     ./ns3 run "collectives --designs=ideal,opera,rotornet --collectives=all-to-all:direct"
 *     ./ns3 run "collectives --bytes=10000000 --engine=flows --designs=ideal,clos-3:1,expander"
 *     ./ns3 run "collectives --engine=exact --designs=expander,sirius,opera-hold"
 *     ./ns3 run "collectives --collectives=my-steps.txt --places=random"
 *     ./ns3 run "collectives --designs=opera --trace=%.json"     for Perfetto
 *     ./ns3 run "collectives --own=RotorSchedule[Slot=50us];ValiantRouting --designs=none"
 */

#include "collectives-comparison.h"

#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-statistics.h"
#include "ns3/odcn-table.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <cmath>
#include <iostream>

using namespace ns3;
using namespace ns3::odcn;

void
CollectiveOptions::Add(OdcnCommandLine& cmd)
{
    racks = 16;
    servers = 4;
    uplinks = 4;
    AddOptions(cmd);
    cmd.SetGroup("Collectives");
    cmd.AddValue("collectives",
                 "Names OPERATION:ALGORITHM[:CHUNKS], or files of steps",
                 collectives);
    cmd.AddRange("bytes", "Bytes of each rank's vector", bytes, uint64_t{1}, uint64_t{1} << 40);
    cmd.AddWord("places", "Ranks on servers in order, or random", places, {"order", "random"});
    cmd.AddValue("short", "Messages of fewer bytes do not wait in Opera", shortFlows);
    cmd.SetGroup("Comparison");
    cmd.AddValue("designs", "Names of designs separated by commas, all or none", designs);
    cmd.AddValue("own", "More designs: NAME=SCHEDULE;ROUTING, separated by commas", own);
    cmd.AddWord(
        "engine",
        "packets; or, for designs that it knows, the flow level (flows) or the exact engine: "
        "packets without repair and without events of ns-3",
        engine,
        {"packets", "flows", "exact"});
    cmd.AddWord("queues",
                "Queues of switches: first in, first out, or fair shares of pairs of servers",
                queues,
                {"fifo", "fair"});
    cmd.AddRange("replications", "Runs of each design", replications, 1U, 1000U);
    cmd.AddRange("limit", "Longest simulated time of a run, s", limit, 1e-6, 1e6);
    cmd.AddValue("output", "Folder of the results", output);
    report.AddOptions(cmd);
    trace.AddOptions(cmd);
}

void
CollectiveComparison::Report(OutputFiles& files)
{
    CollectiveOptions& o = m_options;
    std::vector<std::string> header{"Design", "Engine"};
    for (const std::string& name : m_names)
    {
        std::string title = name;
        std::replace(title.begin(), title.end(), ':', '\n');
        header.push_back(title);
    }
    Table times(header);
    Table shares(header);
    ReportChart& chart = o.report.AddChart({ReportChart::Kind::ESTIMATES,
                                            "Time of collectives",
                                            "",
                                            "time, ms",
                                            "collective",
                                            "Mean and 95 % interval over runs.",
                                            {}});
    CsvWriter csv(
        files.Path("summary.csv"),
        {"design", "collective", "run", "engine", "time_ms", "bound_ms", "packets", "again"});
    for (std::size_t d = 0; d < m_designs.size(); ++d)
    {
        const FabricEngine runs = GetEngine(m_designs[d]);
        const std::string engine = runs == FabricEngine::FLOWS ? "flow level" : GetName(runs);
        std::vector<std::string> time{m_designs[d].GetName(), engine};
        std::vector<std::string> share{m_designs[d].GetName(), engine};
        for (std::size_t c = 0; c < m_names.size(); ++c)
        {
            std::vector<double> values;
            std::vector<double> ratios;
            for (uint32_t run = 0; run < o.replications; ++run)
            {
                const CollectiveResult& r = m_results[d][c][run];
                values.push_back(r.time * 1e3);
                ratios.push_back(r.time / r.bound);
                csv.Row(m_designs[d].GetName(),
                        m_names[c],
                        run,
                        GetName(r.engine),
                        r.time * 1e3,
                        r.bound * 1e3,
                        r.packets,
                        r.again);
            }
            const bool ended = std::isfinite(*std::max_element(values.begin(), values.end()));
            time.push_back(ended ? FormatEstimate(MeanOfReplications(values)) : "not in time");
            share.push_back(ended ? FormatEstimate(MeanOfReplications(ratios)) : "-");
            if (ended)
            {
                chart.AddEstimate(m_names[c],
                                  "",
                                  m_designs[d].GetName(),
                                  MeanOfReplications(values));
            }
        }
        times.AddRow(time);
        shares.AddRow(share);
    }
    files.Commit(csv, "all runs");
    const std::string setting = o.Describe() + (o.queues == "fair" ? ", fair queues" : "") + "\n" +
                                std::to_string(o.bytes) + " bytes of each rank, one a server in " +
                                (o.places == "random" ? "random " : "") + "order, " +
                                FormatCount(o.replications, "run");
    const std::string legend =
        "Bound: the busiest server or the longest chain of steps without latency, or the traffic "
        "between racks\nover the circuits, on average over a period: runs of less than a few "
        "periods may be faster.";
    std::cout << setting << "\n\nTime, ms (mean and 95 % interval over runs)\n";
    times.Print(std::cout);
    std::cout << "\nTime / bound\n";
    shares.Print(std::cout);
    std::cout << "\n" << legend << "\n";
    o.report.AddFact("setting", setting);
    o.report.AddTable("Time, ms", times, "Mean and 95 % interval over runs.");
    o.report.AddTable("Time / bound", shares, legend);
    o.report.Write(files);
    std::cout << "\n";
    files.Finish(std::cout);
}

int
main(int argc, char* argv[])
try
{
    Time::SetResolution(Time::PS);
    CollectiveOptions o;
    OdcnCommandLine cmd(argc, argv, "Collectives of training jobs over designs of fabrics.");
    o.Add(cmd);
    cmd.Parse();
    o.Check("--");
    CollectiveComparison(o).Run();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
