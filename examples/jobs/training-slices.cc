// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Training jobs on slices of a pod of optical-switched cubes: policies that place them, side by
 * side, with the same jobs.
 *
 * Jobs arrive, wait for a slice of the shape that they ask for, and keep it until they have
 * computed as long as they said. What they compute and send is not modelled: this is the level at
 * which RFold (arXiv:2510.03891) and Slurm decide.
 *
 *     ./ns3 run training-slices
 *     ./ns3 run "training-slices --shapes=mixed --intervals=rfold --policies=firstfit,rfold"
 *     ./ns3 run "training-slices --jobFile=jobs.csv --replications=1 --backfill=Easy"
 */

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-figure.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-run-report.h"
#include "ns3/odcn-slice-queue.h"
#include "ns3/odcn-slice-workload.h"
#include "ns3/odcn-statistics.h"
#include "ns3/odcn-table.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

using Outcome = SliceRecord::Outcome;

/// Options of the program; the others are Attributes.
struct SliceOptions
{
    std::string policies{"firstfit,folding,slurm_hilbert,reconfig,rfold,random"}; //!< names
    std::string jobFile;                       //!< with jobs in RFold's form, or ""
    uint32_t jobs{1000};                       //!< number
    uint32_t replications{10};                 //!< number
    std::string output{"training-slices-out"}; //!< folder
    RunReport report;                          //!< the report

    /// @param cmd command line, which gets all options
    void Add(OdcnCommandLine& cmd);
};

void
SliceOptions::Add(OdcnCommandLine& cmd)
{
    const std::string queue = "ns3::odcn::SliceQueue::";
    const std::string workload = "ns3::odcn::SliceWorkload::";
    std::string names;
    for (const std::string& name : SlicePolicy::GetNames())
    {
        names += (names.empty() ? "" : ", ") + name;
    }
    cmd.SetGroup("Pod and queue");
    cmd.AddValue("policies",
                 "Policies, separated by commas, of " + names +
                     "; Attributes may follow in brackets",
                 policies);
    cmd.AddValue("pod", queue + "Pod");
    cmd.AddValue("cube", queue + "Cube");
    cmd.AddValue("backfill", queue + "Backfill");
    cmd.AddValue("backfillDepth", queue + "BackfillDepth");
    cmd.AddValue("switchTime", queue + "SwitchTime");
    cmd.AddValue("failureTime", queue + "FailureTime");
    cmd.AddValue("repairTime", queue + "RepairTime");
    cmd.SetGroup("Jobs");
    cmd.AddValue("jobFile", "Jobs in the form of RFold's traces, instead of random ones", jobFile);
    cmd.AddRange("jobs", "Random jobs of a run", jobs, uint32_t(1), uint32_t(10000000));
    cmd.AddValue("shapes", workload + "Shapes");
    cmd.AddValue("intervals", workload + "Intervals");
    cmd.AddValue("durations", workload + "Durations");
    cmd.AddValue("stretch", workload + "Stretch");
    cmd.AddValue("longest", workload + "Longest");
    cmd.SetGroup("Runs");
    cmd.AddRange("replications",
                 "Runs of each policy, with other jobs and failures; 1 with --jobFile",
                 replications,
                 uint32_t(1),
                 uint32_t(100000));
    cmd.AddValue("output", "Folder of the results", output);
    report.AddOptions(cmd);
    cmd.Restrict({"jobs", "shapes", "intervals", "durations", "stretch", "longest"}, {"!jobFile"});
}

/// What is measured of a run, by name of the figure.
using Values = std::map<std::string, double>;

/// The figures, in the order of tables and files. Hours are those of jobs that completed.
const std::vector<FigureOfMerit>&
GetFigures()
{
    using F = FigureOfMerit;
    constexpr double HOURS = 1.0 / 3600;
    static const std::vector<F> figures{
        {.name = "completed", .title = "Completed\n%", .unit = "%", .scale = 100},
        {.name = "given_up", .title = "Given\nup %", .unit = "%", .scale = 100, .shown = false},
        {.name = "interrupted", .title = "Inter-\nrupted %", .unit = "%", .scale = 100},
        {.name = "utilisation", .title = "Used %\nto the end", .unit = "%", .scale = 100},
        {.name = "utilisation_of_arrivals", .title = "Used %\narriving", .unit = "%", .scale = 100},
        {.name = "utilisation_of_events", .title = "Used %\nat events", .unit = "%", .scale = 100},
        {.name = "wait_mean_s", .title = "Mean\nwait h", .unit = "h", .scale = HOURS},
        {.name = "completion_mean_s", .title = "Mean com-\npletion h", .unit = "h", .scale = HOURS},
        {.name = "completion_p50_s", .title = "p50\nh", .unit = "h", .scale = HOURS},
        {.name = "completion_p90_s", .title = "p90\nh", .unit = "h", .scale = HOURS},
        {.name = "completion_p99_s", .title = "p99\nh", .unit = "h", .scale = HOURS},
        {.name = "joined", .title = "Joined\n%", .unit = "%", .scale = 100},
        {.name = "swaps", .title = "Cubes\nswapped"},
        {.name = "failures", .title = "Failures", .shown = false},
    };
    return figures;
}

/// @param sorted numbers in order
/// @param share of them
/// @return the quantile, between two of them by weight; NaN without any
double
GetQuantile(const std::vector<double>& sorted, double share)
{
    if (sorted.empty())
    {
        return std::nan("");
    }
    const double at = share * double(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - double(below)) * (sorted[above] - sorted[below]);
}

/// @param jobs of a run
/// @param run what became of them
/// @return the figures
Values
Measure(const std::vector<SliceJob>& jobs, const SliceRun& run)
{
    std::vector<double> completions;
    double wait = 0;
    double completion = 0;
    double swaps = 0;
    double joined = 0;
    double placed = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        const SliceRecord& record = run.records[i];
        swaps += record.swaps;
        if (record.outcome != Outcome::GIVEN_UP)
        {
            ++placed;
            joined += record.isJoined;
        }
        if (record.outcome == Outcome::COMPLETED)
        {
            wait += (record.start - jobs[i].arrival).GetSeconds();
            completions.push_back((record.end - jobs[i].arrival).GetSeconds());
            completion += completions.back();
        }
    }
    std::ranges::sort(completions);
    const double completed = double(completions.size());
    const auto share = [&](Outcome outcome)
    { return double(run.Count(outcome)) / double(jobs.size()); };
    return {{"completed", share(Outcome::COMPLETED)},
            {"given_up", share(Outcome::GIVEN_UP)},
            {"interrupted", share(Outcome::INTERRUPTED)},
            {"utilisation", run.utilisation},
            {"utilisation_of_arrivals", run.utilisationOfArrivals},
            {"utilisation_of_events", run.utilisationOfEvents},
            {"wait_mean_s", wait / completed},
            {"completion_mean_s", completion / completed},
            {"completion_p50_s", GetQuantile(completions, 0.5)},
            {"completion_p90_s", GetQuantile(completions, 0.9)},
            {"completion_p99_s", GetQuantile(completions, 0.99)},
            {"joined", joined / placed},
            {"swaps", swaps},
            {"failures", double(run.failures)}};
}

/// Policies x runs, all policies with the same jobs and the same failures in each run.
class SliceComparison
{
  public:
    /// @param options of the program
    explicit SliceComparison(SliceOptions& options);

    /// Measure all, then write and print the results.
    void Run();

  private:
    /// @param run index of the run
    /// @return its jobs
    std::vector<SliceJob> MakeJobs(uint32_t run) const;
    /// @param policy name with Attributes
    /// @param jobs of the first run
    /// @param run what became of them
    void WriteJobs(const std::string& policy,
                   const std::vector<SliceJob>& jobs,
                   const SliceRun& run);
    /// @return the observed values of a policy in which it is known
    /// @param policy its index
    /// @param figure name
    std::vector<double> GetKnown(std::size_t policy, const std::string& figure) const;
    /// Write summary.csv and replications.csv.
    void WriteValues();
    /// Print the table, and add it and charts to the report.
    /// @param setting of the runs
    void Report(const std::string& setting);

    /// Random streams of a run.
    static constexpr int64_t STREAMS = 1000;
    /// The first of them for policies and failures; those before are of the jobs.
    static constexpr int64_t QUEUE_STREAM = 100;

    SliceOptions& m_options;                   //!< of the program
    std::vector<std::string> m_policies;       //!< names with Attributes
    std::vector<std::vector<Values>> m_values; //!< by policy and run
    OutputFiles m_files;                       //!< output folder
};

SliceComparison::SliceComparison(SliceOptions& options)
    : m_options(options),
      m_policies(OdcnCommandLine::SplitList(options.policies, "policies")),
      m_values(m_policies.size()),
      m_files(
          [&]
          {
              // What is wrong is found before the folder is made.
              for (const std::string& policy : m_policies)
              {
                  SlicePolicy::Create(policy);
              }
              CreateObject<SliceQueue>()->MakeLedger();
              MakeJobs(0);
              return options.output;
          }())
{
}

std::vector<SliceJob>
SliceComparison::MakeJobs(uint32_t run) const
{
    if (!m_options.jobFile.empty())
    {
        return ReadSliceJobs(m_options.jobFile);
    }
    auto workload = CreateObject<SliceWorkload>();
    workload->AssignStreams(STREAMS * run);
    return workload->Generate(m_options.jobs, CreateObject<SliceQueue>()->MakeLedger());
}

void
SliceComparison::WriteJobs(const std::string& policy,
                           const std::vector<SliceJob>& jobs,
                           const SliceRun& run)
{
    std::string name = policy;
    std::ranges::replace_if(
        name,
        [](char c) { return !std::isalnum(static_cast<unsigned char>(c)) && c != '_'; },
        '-');
    CsvWriter csv(m_files.Path(name + "-jobs.csv"),
                  {"job",
                   "arrival_s",
                   "shape",
                   "chips",
                   "duration_s",
                   "outcome",
                   "start_s",
                   "end_s",
                   "swaps",
                   "joined"});
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        const SliceRecord& record = run.records[i];
        csv.Row(jobs[i].id,
                jobs[i].arrival.GetSeconds(),
                jobs[i].shape.GetText(),
                jobs[i].shape.GetNChips(),
                jobs[i].duration.GetSeconds(),
                record.outcome == Outcome::COMPLETED  ? "completed"
                : record.outcome == Outcome::GIVEN_UP ? "given up"
                                                      : "interrupted",
                record.start.GetSeconds(),
                record.end.GetSeconds(),
                record.swaps,
                record.isJoined);
    }
    m_files.Commit(csv, "every job of the first run under " + policy);
}

std::vector<double>
SliceComparison::GetKnown(std::size_t policy, const std::string& figure) const
{
    std::vector<double> known;
    for (const Values& values : m_values[policy])
    {
        const double value = values.at(figure);
        if (!std::isnan(value))
        {
            known.push_back(value);
        }
    }
    return known;
}

void
SliceComparison::WriteValues()
{
    CsvWriter summary(m_files.Path("summary.csv"),
                      {"policy", "figure", "mean", "lower", "upper", "runs"});
    std::vector<std::string> columns{"policy", "run"};
    for (const FigureOfMerit& figure : GetFigures())
    {
        columns.push_back(figure.name);
    }
    CsvWriter runs(m_files.Path("replications.csv"), columns);
    for (std::size_t p = 0; p < m_policies.size(); ++p)
    {
        for (const FigureOfMerit& figure : GetFigures())
        {
            const Estimate estimate = MeanOfReplications(GetKnown(p, figure.name));
            summary.Row(m_policies[p],
                        figure.name,
                        estimate.mean,
                        estimate.lower,
                        estimate.upper,
                        estimate.count);
        }
        for (std::size_t run = 0; run < m_values[p].size(); ++run)
        {
            runs.Cell(m_policies[p]).Cell(run);
            for (const FigureOfMerit& figure : GetFigures())
            {
                runs.Cell(m_values[p][run].at(figure.name));
            }
            runs.EndRow();
        }
    }
    m_files.Commit(summary, "mean and interval of each figure, by policy");
    m_files.Commit(runs, "every run of every policy");
}

void
SliceComparison::Report(const std::string& setting)
{
    std::vector<std::string> header{"Policy"};
    std::vector<const FigureOfMerit*> shown;
    for (const FigureOfMerit& figure : GetFigures())
    {
        bool isSeen = false; // in any policy: a column of zeros says nothing
        for (std::size_t p = 0; p < m_policies.size(); ++p)
        {
            isSeen = isSeen || std::ranges::any_of(GetKnown(p, figure.name),
                                                   [](double value) { return value != 0; });
        }
        if (figure.shown && isSeen)
        {
            shown.push_back(&figure);
            header.push_back(figure.title);
        }
    }
    Table table(header);
    for (std::size_t p = 0; p < m_policies.size(); ++p)
    {
        std::vector<std::string> cells{m_policies[p]};
        for (const FigureOfMerit* figure : shown)
        {
            cells.push_back(
                FormatEstimate(MeanOfReplications(GetKnown(p, figure->name)), figure->scale));
        }
        table.AddRow(cells);
    }
    for (const FigureOfMerit* figure : shown)
    {
        std::string title = figure->title;
        std::ranges::replace(title, '\n', ' ');
        ReportChart& chart = m_options.report.AddChart({ReportChart::Kind::ESTIMATES,
                                                        title,
                                                        "",
                                                        title,
                                                        "",
                                                        "Mean and 95 % interval over runs.",
                                                        {},
                                                        false});
        for (std::size_t p = 0; p < m_policies.size(); ++p)
        {
            const auto estimate = MeanOfReplications(GetKnown(p, figure->name));
            if (!std::isnan(estimate.mean))
            {
                chart.AddEstimate("", "", m_policies[p], estimate, figure->scale);
            }
        }
    }
    const std::string legend =
        "Completed: of all jobs; the others were given up, since no slice can have their shape, or "
        "interrupted.\nUsed: chips in slices, to the end of the last job, while jobs arrive, and "
        "at "
        "starts and ends from\n10 to 5,000 h. Wait and completion: from the arrival, of jobs that "
        "completed. Joined: slices whose\nchips links join in the shape asked for. Mean and 95 % "
        "interval over runs.";
    std::cout << setting << "\n\n";
    table.Print(std::cout, 100);
    std::cout << "\n" << legend << "\n\n";
    m_options.report.AddFact("setting", setting);
    m_options.report.AddTable("Results", table, legend);
}

void
SliceComparison::Run()
{
    std::string setting;
    for (uint32_t run = 0; run < m_options.replications; ++run)
    {
        const auto jobs = MakeJobs(run);
        for (std::size_t p = 0; p < m_policies.size(); ++p)
        {
            Interruption::Check();
            auto queue = CreateObject<SliceQueue>();
            queue->SetPolicy(SlicePolicy::Create(m_policies[p]));
            queue->AssignStreams(STREAMS * run + QUEUE_STREAM);
            const SliceRun result = queue->Run(jobs);
            m_values[p].push_back(Measure(jobs, result));
            if (run == 0)
            {
                WriteJobs(m_policies[p], jobs, result);
            }
        }
        if (run == 0)
        {
            const SliceLedger pod = CreateObject<SliceQueue>()->MakeLedger();
            setting = "Pod of " + pod.GetPod().GetText() + " chips in " +
                      std::to_string(pod.GetNCubes()) + " cubes of " +
                      std::to_string(pod.GetSide()) + "^3, " + std::to_string(jobs.size()) +
                      " jobs a run, " + std::to_string(m_options.replications) + " runs, seed " +
                      std::to_string(RngSeedManager::GetSeed()) + ", run " +
                      std::to_string(RngSeedManager::GetRun());
        }
    }
    Report(setting);
    WriteValues();
    m_files.WriteProvenance("measured: " + setting + "\n", "the command as typed, seed and runs");
    m_options.report.Write(m_files);
    m_files.Finish(std::cout);
}

} // namespace

int
main(int argc, char* argv[])
try
{
    SliceOptions options;
    OdcnCommandLine cmd(argc, argv, "Training jobs on slices of a pod of optical-switched cubes.");
    options.Add(cmd);
    cmd.Parse();
    SliceShape::Parse("--pod", cmd.GetText("pod"));
    cmd.Require(cmd.IsGiven("failureTime"), "repairTime", "only with --failureTime");
    if (!options.jobFile.empty() && !cmd.IsGiven("replications"))
    {
        options.replications = 1;
    }
    SliceComparison(options).Run();
}

catch (const std::exception& error)
{
    return OdcnCommandLine::Report(error);
}
