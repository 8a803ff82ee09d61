// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-job-recorder.h"

#include "odcn-use-over-time.h"

#include "ns3/odcn-object-text.h"
#include "ns3/odcn-text.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3::odcn
{

namespace
{

/// Most jobs of the chart of jobs over time.
constexpr std::size_t MOST_BARS = 300;

/// @param experiment with cases
/// @param more names of columns
/// @return these after those of a policy
std::vector<std::string>
GetJobColumns(const Experiment& experiment, const std::string& more)
{
    const auto& labels = experiment.GetLabels(0);
    return SplitAtCommas(labels.at(0).first + "," + labels.at(1).first + ",policy," + more);
}

} // namespace

ClusterJobRecorder::ClusterJobRecorder(OutputFiles& files, Experiment& experiment, bool perJob)
    : m_files(files),
      m_lengths(files.Path("lengths.csv"),
                GetJobColumns(experiment, "duration,jobs,slowdown,p5,p25,p50,p75,p95")),
      m_use(experiment.GetReport().AddChart({ReportChart::Kind::HEATMAP,
                                             "CPU units in use over time by machine",
                                             "time slots since the first job",
                                             "% of the machine's CPU units",
                                             "first set of",
                                             "",
                                             {}})),
      m_bars(experiment.GetReport().AddChart(
          {ReportChart::Kind::TIMELINE,
           "Jobs over time",
           "time slots since the first job",
           "jobs in order of decision",
           "first set of",
           "The first " + std::to_string(MOST_BARS) + " jobs of the set at most.",
           {}})),
      m_curves(
          experiment.GetReport().AddChart({ReportChart::Kind::CURVES,
                                           "Slowdown by the length of jobs",
                                           "duration, time slots",
                                           "slowdown",
                                           "workload",
                                           "Means, with bands from the 5th to the 95th percentile.",
                                           {}}))
{
    if (perJob)
    {
        m_jobs.emplace(
            files.Path("jobs.csv"),
            GetJobColumns(experiment,
                          "set,job,arrival,duration,cpu,memory,fate,start,finish,machine,"
                          "slowdown"));
    }
}

void
ClusterJobRecorder::Begin(const Experiment::Trial& trial)
{
    WriteLengths();
    m_place = {trial.labels.at(0).second, trial.labels.at(1).second, trial.choice.name};
    m_set = 0;
    m_first.clear();
    using R = ClusterJobRecorder;
    Object& problem = trial.problem;
    problem.TraceConnectWithoutContext("Scheduled", MakeCallback(&R::NoteScheduled, this));
    problem.TraceConnectWithoutContext("PlaceLost", MakeCallback(&R::NotePlaceLost, this));
    problem.TraceConnect("Dropped", "dropped", MakeCallback(&R::NoteLost, this));
    problem.TraceConnect("Impossible", "impossible", MakeCallback(&R::NoteLost, this));
}

void
ClusterJobRecorder::Write(const ClusterJob& job,
                          const std::string& fate,
                          const ClusterPlacement* placement,
                          bool kept)
{
    if (!m_jobs)
    {
        return;
    }
    for (const auto& cell : m_place)
    {
        m_jobs->Cell(cell);
    }
    m_jobs->Cell(m_set).Cell(job.id).Cell(job.arrival).Cell(job.GetLength());
    m_jobs->Cell(job.demand[0]).Cell(job.demand[1]).Cell(fate);
    if (placement)
    {
        m_jobs->Cell(placement->start).Cell(placement->GetFinish()).Cell(placement->machine);
    }
    else
    {
        m_jobs->Cell("").Cell("").Cell("");
    }
    m_jobs->Cell(kept ? placement->GetSlowdown() : std::nan("")).EndRow();
}

void
ClusterJobRecorder::NoteScheduled(const ClusterPlacement& placement)
{
    Write(placement.job, "scheduled", &placement, true);
    m_times[placement.job.GetLength()].push_back(placement.GetCyclingTime());
    if (m_set == 0)
    {
        m_first.push_back(placement);
    }
}

void
ClusterJobRecorder::NotePlaceLost(const ClusterPlacement& placement, uint64_t slot)
{
    auto& times = m_times[placement.job.GetLength()];
    times.erase(std::find(times.begin(), times.end(), placement.GetCyclingTime()));
    ClusterPlacement cut = placement;
    cut.job.duration = static_cast<uint32_t>(std::max(cut.start, slot) - cut.start);
    const bool began = cut.job.duration > 0;
    Write(placement.job, began ? "interrupted" : "displaced", began ? &cut : nullptr);
    const auto place = std::find_if(m_first.begin(),
                                    m_first.end(),
                                    [&](const auto& p) { return p.order == placement.order; });
    if (m_set == 0 && began)
    {
        *place = cut;
    }
    else if (m_set == 0)
    {
        m_first.erase(place);
    }
}

void
ClusterJobRecorder::NoteLost(std::string fate, const ClusterJob& job)
{
    Write(job, fate);
}

void
ClusterJobRecorder::EndSet(const Experiment::Trial& trial)
{
    const auto& problem = dynamic_cast<const ClusterScheduling&>(trial.problem);
    for (uint32_t slot = 0; slot + 1 < problem.GetNActions(); ++slot)
    {
        if (const ClusterJob* job = problem.GetWaiting(slot))
        {
            Write(*job, "waiting");
        }
    }
    for (const ClusterJob& job : problem.GetBacklog())
    {
        Write(job, "waiting");
    }
    if (m_set++ == 0)
    {
        ShowFirstSet(trial.title, problem);
    }
}

void
ClusterJobRecorder::WriteLengths()
{
    for (auto& [length, times] : m_times)
    {
        if (times.empty())
        {
            continue;
        }
        std::sort(times.begin(), times.end());
        const auto total = std::accumulate(times.begin(), times.end(), uint64_t{0});
        const double mean = static_cast<double>(total) / length / static_cast<double>(times.size());
        for (const auto& cell : m_place)
        {
            m_lengths.Cell(cell);
        }
        m_lengths.Cell(length).Cell(times.size()).Cell(mean);
        std::vector<double> slowdowns;
        for (const uint64_t percent : {5, 25, 50, 75, 95})
        {
            // Smallest slowdown that at least this percentage of the jobs does not exceed.
            const std::size_t index = (percent * times.size() + 99) / 100 - 1;
            slowdowns.push_back(static_cast<double>(times[index]) / length);
            m_lengths.Cell(slowdowns.back());
        }
        m_lengths.EndRow();
        m_curves.rows.push_back({m_place[0] + ", " + m_place[1],
                                 m_place[2],
                                 static_cast<double>(length),
                                 mean,
                                 slowdowns.front(),
                                 slowdowns.back()});
    }
    m_times.clear();
}

void
ClusterJobRecorder::ShowFirstSet(const std::string& title, const ClusterScheduling& problem)
{
    UseOverTime machines;
    const auto units = static_cast<double>(GetAttributeOf<UintegerValue>(problem, "Capacity"));
    double end = 0;
    std::size_t shown = 0;
    uint64_t first = UINT64_MAX;
    for (const ClusterPlacement& placement : m_first)
    {
        first = std::min<uint64_t>(first, placement.job.arrival);
    }
    for (const ClusterPlacement& placement : m_first)
    {
        const auto arrival = static_cast<double>(placement.job.arrival - first);
        const auto start = static_cast<double>(placement.start - first);
        const auto finish = static_cast<double>(placement.GetFinish() - first);
        machines.Add(start, finish, placement.machine, placement.job.demand[0] / units);
        end = std::max(end, finish);
        if (++shown <= MOST_BARS)
        {
            const std::string job = "job " + std::to_string(placement.job.id);
            m_bars.rows.push_back({title, job, arrival, start, "waits"});
            m_bars.rows.push_back({title, job, start, finish, "runs"});
        }
    }
    machines.Put(m_use, title, 100, end);
}

void
ClusterJobRecorder::Commit()
{
    if (m_jobs)
    {
        m_files.Commit(*m_jobs, "every job of every set");
    }
    WriteLengths();
    m_files.Commit(m_lengths, "slowdown of the jobs of each length");
}

} // namespace ns3::odcn
