// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * The figures and tables of section 5 of "Deep Reinforcement Learning-aided Multi-step Job
 * Scheduling in Optical Data Center Networks", one by one.
 *
 *   ./ns3 run "odcn-figures --figure=5"
 *   ./ns3 run "odcn-figures --table=2"
 *   ./ns3 run "odcn-figures --figure=3 --quick"
 *
 * Every replication is stored in a file of the output folder as soon as it is complete. A run that
 * was interrupted, or is repeated with more replications or another agent, computes only what is
 * missing. From these files the program derives the points of the figure (for example, fig5.csv)
 * and a table with the paper's numbers, which is printed and, with --page, inserted between two
 * marks of a Markdown page. examples/figures/ has a script for each figure that also draws it.
 */

#include "odcn-figures-measure.h"
#include "odcn-figures-options.h"
#include "odcn-figures-page.h"
#include "odcn-figures-store.h"
#include "odcn-system.h"

#include "ns3/nstime.h"
#include "ns3/odcn-command-line.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-run-report.h"
#include "ns3/odcn-text.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <boost/crc.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <optional>
#include <sstream>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/**
 * Make the settings of a figure, by default with 16 ToRs.
 * @param options options
 * @param [out] loads loads of the figure
 * @return measurement settings of its points
 */
FigureStudy
MakeStudy(const FigureOptions& options, std::vector<double>& loads)
{
    const bool at32 = options.figure == 6 || options.table == 3;
    const bool at64 = options.figure == 7 || options.table == 4;
    FigureStudy study;
    OdcnSystem& base = study.base;
    base.tors = options.tors ? options.tors : at64 ? 64 : at32 ? 32 : 16;
    base.servers = options.servers ? options.servers : at64 ? 128 : at32 ? 64 : 32;
    base.placement = options.placement;
    const bool single = options.figure == 3 || options.figure == 4 || options.front;
    loads = OdcnCommandLine::SplitNumbers(!options.loads.empty() ? options.loads
                                          : at64                 ? "1320"
                                          : at32                 ? "300"
                                          : single               ? "66"
                                                                 : "54,60,66,72,78",
                                          "loads");
    for (const double load : loads)
    {
        OdcnCommandLine::Check(load > 0, "loads", options.loads, "numbers above 0");
    }
    // Servers fill within a few mean durations; the placement of VMs converges over some thirty.
    const double longest = *std::max_element(loads.begin(), loads.end());
    const auto durations = [&](double n) { return static_cast<uint64_t>(n * longest); };
    study.warmUp = options.warmUp  ? options.warmUp
                   : options.quick ? durations(5)
                   : at64          ? 40000
                   : at32          ? 9000
                                   : 2000;
    study.jobs = options.jobs    ? options.jobs
                 : options.quick ? durations(10)
                 : at64          ? 40000
                 : at32          ? 20000
                                 : 10000;
    OdcnCommandLine::Check(study.jobs > 0, "jobs", study.jobs, "1 or more");
    study.replications = options.replications ? options.replications : options.quick ? 2 : 20;
    base.packets = options.packets;
    study.packetReplications =
        options.packetReplications ? options.packetReplications : study.replications;
    base.windows = options.windows ? options.windows : options.quick ? 2 : 20;
    OdcnCommandLine::Check(base.windows <= study.jobs,
                           "windows",
                           std::to_string(base.windows),
                           "at most the number of jobs");
    if (options.quick)
    {
        base.windowWarmUp = "2us";
        base.windowLength = "2us";
    }
    study.firstRun = options.firstRun;
    study.attributes = options.attributes;
    study.output = options.output;
    return study;
}

/// @param options options  @param tors racks  @return name and checkpoint of each agent
std::vector<std::pair<std::string, std::string>>
FindAgents(const FigureOptions& options, uint32_t tors)
{
    std::vector<std::pair<std::string, std::string>> agents;
    if (options.agents == "none")
    {
        return agents;
    }
    if (!options.agents.empty())
    {
        for (const auto& item : OdcnCommandLine::SplitList(options.agents, "agents"))
        {
            const auto colon = item.find(':');
            OdcnCommandLine::Check(colon != std::string::npos && colon > 0,
                                   "agents",
                                   item,
                                   "NAME:CHECKPOINT");
            agents.emplace_back(item.substr(0, colon), item.substr(colon + 1));
        }
        return agents;
    }
    const auto add = [&agents](const std::string& name, const std::string& file)
    {
        const std::string path = GetDataFile(file);
        if (std::filesystem::exists(path))
        {
            agents.emplace_back(name, path);
        }
    };
    const std::string own = "odcn-" + std::to_string(tors) + "-tor";
    add("linear", "linear-" + own + ".json");
    add("drl", "odcn.pt");
    add("drl-a2c", own + "-a2c.pt");
    if (tors == 16)
    {
        add("drl-paper", "odcn-paper.pt");
        add("drl-paper-mask", "odcn-paper.pt");
    }
    if (options.front)
    {
        add("linear-accept", "linear-" + own + "-accept.json");
        add("linear-swift", "linear-" + own + "-swift.json");
    }
    if (tors != 16)
    {
        add("linear-16", "linear-odcn-16-tor.json");
    }
    return agents;
}

/**
 * @param options options
 * @param loads loads of the points
 * @param tors racks
 * @param withAgents whether to include agents
 * @return points of every policy at every load
 */
std::vector<FigurePoint>
MakePoints(const FigureOptions& options,
           const std::vector<double>& loads,
           uint32_t tors,
           bool withAgents)
{
    std::vector<FigurePoint> points;
    const auto rules = OdcnCommandLine::SplitList(options.policies, "policies");
    const auto agents =
        withAgents ? FindAgents(options, tors) : std::vector<std::pair<std::string, std::string>>{};
    for (const double load : loads)
    {
        for (const auto& name : rules)
        {
            points.push_back({name, name, "", load});
        }
        for (const auto& [name, checkpoint] : agents)
        {
            // The paper's method has no mask, which PolicyRegistry knows.
            const bool isPaper = name == "drl-paper";
            const std::string words =
                isPaper ? name + "[Checkpoint=" + checkpoint + "]" : checkpoint;
            points.push_back({name, words, DigestFile(checkpoint), load});
        }
    }
    return points;
}

/**
 * Add the rules with weights other than the defaults.
 * @param [in,out] points list of points
 * @param loads loads of the points
 */
void
AddSweeps(std::vector<FigurePoint>& points, const std::vector<double>& loads)
{
    struct Sweep
    {
        std::string policy;         //!< short name
        std::string weight;         //!< name of its Attribute
        std::vector<double> values; //!< values of the weight
    };

    const std::vector<Sweep> sweeps{
        {"odcn-packing", "BandwidthWeight", {0, 0.5, 1, 2, 5}},
        {"odcn-score", "BacklogWeight", {0.3, 0.6, 2.4, 5, 10, 20}},
    };
    for (const double load : loads)
    {
        for (const auto& sweep : sweeps)
        {
            for (const double value : sweep.values)
            {
                const std::string setting = sweep.weight + "=" + FormatCells({value})[0];
                points.push_back({sweep.policy + ":" + setting,
                                  sweep.policy + "[" + setting + "]",
                                  setting,
                                  load});
            }
        }
    }
}

/// A training of Figs. 3 and 4.
struct FigureTraining
{
    OdcnSystem system;     //!< data centre; its checkpoint is written
    OdcnTraining training; //!< training options
    double load;           //!< load of the jobs
    uint64_t run;          //!< run number of the training
    bool quick;            //!< whether it is a short test run

    /// @return text that identifies its result, for one cell of a file
    std::string GetName() const
    {
        std::ostringstream name;
        name << (quick ? "quick " : "") << "recipe=" << training.agent << " tors=" << system.tors
             << " servers=" << system.servers << " load=" << load;
        if (training.agent == "evolution")
        {
            name << " generations=" << training.generations;
        }
        else
        {
            const bool mlp = training.agent == "paper" || training.agent == "mended";
            name << " network=" << (mlp ? "mlp" : "scorer") << " jobs=" << training.jobs;
        }
        name << " alpha=" << training.alpha << " phi=" << training.phiReconf
             << (training.charge.empty() ? "" : " charge=" + training.charge) << " run=" << run;
        return name.str();
    }
};

/**
 * @param options options  @param study settings  @param load load of the training
 * @param recipe training recipe  @param run run number of the training
 * @return the training
 */
FigureTraining
MakeTraining(const FigureOptions& options,
             const FigureStudy& study,
             double load,
             const std::string& recipe,
             uint64_t run)
{
    FigureTraining made{study.base, {}, load, run, options.quick};
    OdcnTraining& training = made.training;
    training.agent = recipe;
    training.alpha = !options.alpha.empty()                     ? *ParseFinite(options.alpha)
                     : recipe == "evolution" || recipe == "ppo" ? 1.3
                                                                : 100;
    training.jobs = options.trainJobs ? options.trainJobs : options.quick ? 2000 : 200000;
    if (options.quick)
    {
        training.generations = 2;
        training.cloneDecisions = recipe == "odcn" || recipe == "ppo" ? 30000 : 0;
        training.evaluationDecisions = 5000;
    }
    return made;
}

/**
 * Train unless the training was already done.
 * @param training the training; its checkpoint name is set
 * @param options options
 */
void
TrainOnce(FigureTraining& training, const FigureOptions& options)
{
    const std::string name = training.GetName();
    boost::crc_32_type crc;
    crc.process_bytes(name.data(), name.size());
    char digest[9];
    std::snprintf(digest, sizeof(digest), "%08x", crc.checksum());
    const auto agents = std::filesystem::path(options.output) / "agents";
    std::filesystem::create_directories(agents);
    const bool linear = training.training.agent == "evolution";
    std::string& checkpoint = training.system.checkpoint;
    checkpoint = (agents / (std::string(digest) + (linear ? ".json" : ".pt"))).string();
    training.training.files.resume = std::filesystem::exists(checkpoint + ".state");
    if (!training.training.files.resume && std::filesystem::exists(checkpoint))
    {
        return;
    }
    std::cerr << name << "\n";
    RngSeedManager::SetRun(training.run);
    const int status = training.training.Run(training.system, training.load, name);
    RngSeedManager::SetRun(1);
    if (status != 0)
    {
        throw Interruption(status - 128);
    }
}

/// @param options options  @return number of runs per training
uint32_t
CountTrainings(const FigureOptions& options)
{
    return options.trainings ? options.trainings : options.quick ? 1 : 5;
}

/**
 * Run Figs. 5 to 7, Tables 2 to 4, or the front.
 * @param options options
 * @param paper the paper's numbers
 * @param report gets the charts
 * @return the table
 */
std::string
RunComparison(const FigureOptions& options, const PaperNumbers& paper, RunReport& report)
{
    std::vector<double> loads;
    const FigureStudy study = MakeStudy(options, loads);
    auto points = MakePoints(options, loads, study.base.tors, true);
    const std::string title = options.GetTitle();
    if (options.front)
    {
        AddSweeps(points, loads);
    }
    MeasureJobs(study, title, points);
    if (!options.table)
    {
        MeasurePackets(study, title, points);
    }
    const auto file = std::filesystem::path(options.output) / (options.GetName() + ".csv");
    WritePoints(file.string(), study, points, options.command);
    AddCharts(report, points);
    return options.front    ? WriteFront(study, points)
           : options.figure ? WriteComparison(study, points, title, paper)
                            : WriteUtilisation(study, points, title, paper);
}

/**
 * Run Fig. 3: agents trained with different reconfiguration costs.
 * @param options options
 * @param report gets the charts
 * @return the table
 */
std::string
RunCosts(const FigureOptions& options, RunReport& report)
{
    std::vector<double> loads;
    const FigureStudy study = MakeStudy(options, loads);
    std::vector<FigureCost> costs;
    std::vector<FigurePoint> points;
    const auto phis = OdcnCommandLine::SplitNumbers(!options.phis.empty() ? options.phis
                                                    : options.quick       ? "5,25,40"
                                                                    : "0,5,10,15,20,25,30,35,40",
                                                    "phis");
    for (const auto& recipe : OdcnCommandLine::SplitList(options.trained, "trained"))
    {
        for (uint64_t run = 1; run <= CountTrainings(options); ++run)
        {
            for (const double phi : phis)
            {
                auto training = MakeTraining(options, study, loads.front(), recipe, run);
                training.training.phiReconf = phi;
                training.training.charge = options.charge;
                const std::string agent = training.GetName();
                const std::string name =
                    recipe + "-phi-" + FormatCells({phi})[0] + "-training-" + std::to_string(run);
                FigurePoint point{name,
                                  recipe == "evolution" ? "linear" : "drl",
                                  agent,
                                  loads.front()};
                if (!HasJobs(study, point))
                {
                    TrainOnce(training, options);
                    point.words = training.system.checkpoint;
                }
                std::vector<FigurePoint> one{point};
                MeasureJobs(study, "Fig. 3, Phi " + FormatCells({phi})[0], one);
                points.push_back(one.front());
                costs.push_back({recipe, phi, run});
            }
        }
    }
    const auto file = std::filesystem::path(options.output) / "fig3.csv";
    CsvWriter csv(file.string(),
                  {"recipe",
                   "phi",
                   "training",
                   "blocking",
                   "blocking_lower",
                   "blocking_upper",
                   "reconfigurations",
                   "reconfigurations_lower",
                   "reconfigurations_upper",
                   "agent"},
                  options.command + "\n" + DescribeStudy(study, false));
    const auto add = [&report](const std::string& title, const std::string& unit) -> ReportChart&
    {
        return report.AddChart(
            {ReportChart::Kind::ESTIMATES, title, "cost", title + ", " + unit, "", "", {}});
    };
    auto& blockings = add("Blocking", "%");
    auto& moves = add("Reconfigurations", "per job");
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        const std::string phi = FormatCells({costs[i].phi})[0];
        const std::string series =
            costs[i].recipe + ", training " + std::to_string(costs[i].training);
        const Estimate blocking = points[i].jobs.GetEstimate("blocking");
        const Estimate moved = points[i].jobs.GetEstimate("reconfigurations_per_job");
        blockings.AddEstimate("", phi, series, blocking, 100);
        moves.AddEstimate("", phi, series, moved);
        csv.Row(costs[i].recipe,
                costs[i].phi,
                costs[i].training,
                blocking.mean,
                blocking.lower,
                blocking.upper,
                moved.mean,
                moved.lower,
                moved.upper,
                points[i].agent);
    }
    csv.Commit();
    return DescribeStudy(study, false) + "\n" + WriteCosts(costs, points);
}

/**
 * Run Fig. 4: learning curves.
 * @param options options
 * @param report gets the charts
 * @return the table
 */
std::string
RunCurves(const FigureOptions& options, RunReport& report)
{
    std::vector<double> loads;
    const FigureStudy study = MakeStudy(options, loads);
    auto baselines = MakePoints(options, loads, study.base.tors, false);
    MeasureJobs(study, "Fig. 4", baselines);
    const auto folder = std::filesystem::path(options.output);
    FigureStore store((folder / "fig4-curves.csv").string(),
                      {"recipe", "training", "step"},
                      {"agent"},
                      {"decisions", "lost"});
    const auto step = [](std::size_t i)
    {
        const std::string text = std::to_string(i);
        return std::string(text.size() < 5 ? 5 - text.size() : 0, '0') + text;
    };
    std::vector<FigureCurve> curves;
    auto& chart = report.AddChart(
        {ReportChart::Kind::CURVES, "Learning curves", "decisions", "lost jobs, %", "", "", {}});
    for (const auto& recipe : OdcnCommandLine::SplitList(options.trained, "trained"))
    {
        for (uint64_t run = 1; run <= CountTrainings(options); ++run)
        {
            auto training = MakeTraining(options, study, loads.front(), recipe, run);
            const std::vector<std::string> agent{training.GetName()};
            const std::string number = std::to_string(run);
            if (!store.Find({recipe, number, step(0)}, agent))
            {
                TrainOnce(training, options);
                const FigureTable log = FigureTable::Read(training.system.checkpoint + ".csv");
                std::size_t i = 0;
                for (const auto& row : log.rows)
                {
                    const auto& lost = row[log.GetColumn("evaluation")];
                    if (!lost.empty())
                    {
                        store.Put({recipe, number, step(i++)},
                                  agent,
                                  {row[log.GetColumn("decisions")], lost});
                    }
                }
                store.Save();
            }
            FigureCurve curve{recipe, run, {}, {}};
            std::vector<std::pair<double, double>> drawn;
            for (std::size_t i = 0; store.Find({recipe, number, step(i)}, agent); ++i)
            {
                const auto values = ParseCells(*store.Find({recipe, number, step(i)}, agent));
                curve.decisions.push_back(values[0]);
                curve.lost.push_back(values[1]);
                drawn.emplace_back(values[0], 100 * values[1]);
            }
            chart.AddCurve("", recipe + ", training " + number, drawn);
            curves.push_back(curve);
        }
    }
    WritePoints((folder / "fig4.csv").string(), study, baselines, options.command);
    AddCharts(report, baselines);
    return DescribeStudy(study, false) + "\n" + WriteCurves(curves, baselines);
}

} // namespace

int
main(int argc, char* argv[])
try
{
    FigureOptions options;
    RunReport report;
    options.Parse(argc, argv, report);
    // 296 bytes at 40 Gb/s take 59.2 ns: a nanosecond is too coarse.
    Time::SetResolution(Time::PS);
    // What is wrong is found before the long run, and before anything is written.
    const PaperNumbers paper(options.paper);
    std::vector<double> loads;
    const FigureStudy study = MakeStudy(options, loads);
    for (const auto& point : MakePoints(options, {loads.front()}, study.base.tors, true))
    {
        study.base.Find(point.words).Create();
    }
    OdcnCommandLine::SplitNumbers(options.phis.empty() ? "0" : options.phis, "phis");
    if (!options.page.empty())
    {
        FillPage(options.page, options.GetName(), std::nullopt);
    }
    OutputFiles files(options.output);
    const std::string text = options.figure == 3   ? RunCosts(options, report)
                             : options.figure == 4 ? RunCurves(options, report)
                                                   : RunComparison(options, paper, report);
    const std::string whole = "`" + options.command + "`\n\n" + text;
    std::cout << whole;
    if (!options.page.empty())
    {
        FillPage(options.page, options.GetName(), whole);
    }
    AddTables(report, options.GetTitle(), text);
    files.Written(options.GetName() + ".csv", "the points, with intervals");
    report.Write(files, options.GetName());
    return 0;
}

catch (const Interruption& stop)
{
    std::cerr << stop.what() << "; the finished replications are kept, the same command goes on"
              << std::endl;
    return stop.GetStatus();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
