// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-figures-options.h"

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::odcn;

void
FigureOptions::Parse(int argc, char* argv[], RunReport& report)
{
    paper = GetDataFile("odcn-paper.csv");
    OdcnCommandLine cmd(argc, argv, "The figures and tables of the paper's evaluation.");
    cmd.AddValue("figure", "3, 4, 5, 6 or 7", figure);
    cmd.AddValue("table", "2, 3 or 4", table);
    cmd.AddValue("front",
                 "instead: blocking against latency, for swept rules and all agents",
                 front);
    cmd.AddValue("quick", "short test run, not for quotable results", quick);
    cmd.AddValue("output",
                 "output folder (default: odcn-figures-out, or odcn-figures-quick)",
                 output);
    cmd.AddValue("page", "Markdown page into which the table is inserted", page);
    cmd.AddValue("paper", "file of the paper's numbers", paper);
    cmd.AddValue("tors", "number of racks; 0 for the figure's", tors);
    cmd.AddValue("servers", "servers per rack; 0 for the figure's", servers);
    cmd.AddValue("loads", "mean job durations, separated by commas", loads);
    cmd.AddValue("placement", "server within a rack: Balanced, BestFit, FirstFit", placement);
    cmd.AddValue("policies",
                 "rules: comma-separated names, or TypeIds with Attributes in brackets",
                 policies);
    cmd.AddValue(
        "agents",
        "agents: comma-separated NAME:CHECKPOINT (default: those in data/ that were trained at "
        "this size, and that for 16 ToRs as drl-16); none for no agents",
        agents);
    cmd.AddValue("replications", "independent job streams", replications);
    cmd.AddValue("jobs", "measured jobs per replication", jobs);
    cmd.AddValue("warmUp", "jobs decided before measurement begins", warmUp);
    cmd.AddValue("firstRun", "run number of the first replication", firstRun);
    cmd.AddValue("packets",
                 "packet engine: exact, ns3 (same results, slower), or formula (no packets)",
                 packets);
    cmd.AddValue("packetReplications", "replications at packet level", packetReplications);
    cmd.AddValue("windows", "measurement windows per replication", windows);
    cmd.AddValue("phis", "Fig. 3: reconfiguration costs", phis);
    cmd.AddValue("charge", "Fig. 3: OnceAJob or EachStep", charge);
    cmd.AddValue("trained",
                 "Figs. 3 and 4: agents to train, see --agent of odcn-drl-scheduling (default: "
                 "odcn,evolution, in Fig. 4 also paper,mended)",
                 trained);
    cmd.AddValue("alpha",
                 "Figs. 3 and 4: weight of latency, in ns (default: 100, evolution 1.3)",
                 alpha);
    cmd.AddValue("trainings", "Figs. 3 and 4: runs per training", trainings);
    cmd.AddValue("trainJobs", "Figs. 3 and 4: jobs per training", trainJobs);
    report.AddOptions(cmd);
    cmd.Restrict({"packetReplications", "windows"}, {"packets=exact", "packets=ns3"});
    cmd.Restrict({"phis", "charge"}, {"figure=3"});
    cmd.Restrict({"trained", "alpha", "trainings", "trainJobs"}, {"figure=3", "figure=4"});
    cmd.Parse();
    OdcnCommandLine::Check(figure == 0 || (figure >= 3 && figure <= 7),
                           "figure",
                           figure,
                           "3, 4, 5, 6 or 7");
    OdcnCommandLine::Check(table == 0 || (table >= 2 && table <= 4), "table", table, "2, 3 or 4");
    if ((figure != 0) + (table != 0) + front != 1)
    {
        throw OdcnError("give one of --figure=3 to 7, --table=2 to 4 and --front");
    }
    OdcnCommandLine::CheckWord("packets", packets, {"ns3", "exact", "formula"});
    OdcnCommandLine::CheckWord("charge", charge, {"OnceAJob", "EachStep"});
    OdcnCommandLine::CheckWord("placement", placement, {"Balanced", "BestFit", "FirstFit"});
    OdcnCommandLine::Check(firstRun > 0, "firstRun", firstRun, "1 or more");
    if (trained.empty())
    {
        trained = figure == 3 ? "odcn,evolution" : "odcn,paper,mended,evolution";
    }
    for (const auto& recipe : OdcnCommandLine::SplitList(trained, "trained"))
    {
        OdcnCommandLine::CheckWord("trained",
                                   recipe,
                                   {"ppo", "experts", "odcn", "paper", "mended", "evolution"});
    }
    const auto weight = ParseFinite(alpha);
    OdcnCommandLine::Check(alpha.empty() || (weight && *weight >= 0),
                           "alpha",
                           alpha,
                           "a number, 0 or more");
    if (output.empty())
    {
        output = quick ? "odcn-figures-quick" : "odcn-figures-out";
    }
    command = "./ns3 run \"odcn-figures";
    for (int i = 1; i < argc; ++i)
    {
        const std::string word = argv[i];
        const auto begins = [&word](const char* start) { return word.rfind(start, 0) == 0; };
        // Paths of results and page depend on the machine, and reports change no results.
        const bool apart = begins("--output=") || begins("--page=") || begins("--paper=") ||
                           begins("--report") || begins("--plot") || begins("--live");
        command += apart ? "" : " " + word;
        attributes += begins("--ns3::") ? (attributes.empty() ? "" : " ") + word : "";
    }
    command += "\"";
    std::replace(attributes.begin(), attributes.end(), ',', ';');
}

std::string
FigureOptions::GetName() const
{
    return front    ? "front"
           : figure ? "fig" + std::to_string(figure)
                    : "table" + std::to_string(table);
}

std::string
FigureOptions::GetTitle() const
{
    return front    ? "front"
           : figure ? "Fig. " + std::to_string(figure)
                    : "Table " + std::to_string(table);
}
