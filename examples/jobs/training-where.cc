// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "training-where.h"

#include "ns3/odcn-table.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <cmath>
#include <iostream>

namespace ns3::odcn
{

namespace
{

/// Bars of a job, at most about as many times the number of causes.
constexpr int64_t BARS = 150;
/// Operations of the table; others are added up.
constexpr std::size_t OPERATIONS = 12;

/// @param text of a column
/// @return it with the parts of TrainingTimes behind it
std::vector<std::string>
AddParts(std::vector<std::string> text)
{
    for (uint8_t part = 0; part < TrainingTimes::N_PARTS; ++part)
    {
        std::string name = TrainingTimes::GetName(static_cast<TrainingTimes::Part>(part));
        std::replace(name.begin(), name.end(), '-', '_');
        text.push_back(name + "_ps");
    }
    return text;
}

/// @param time a time
/// @return it in ms
double
GetMilliseconds(Time time)
{
    return time.GetSeconds() * 1e3;
}

} // namespace

TrainingWhere::TrainingWhere(OutputFiles& files)
    : m_files(files),
      m_pathFile(files.Path("path.csv"),
                 AddParts({"design",
                           "engine",
                           "job",
                           "iteration",
                           "rank",
                           "last_rank",
                           "operation_id",
                           "operation",
                           "messages",
                           "begin_ps",
                           "end_ps"})),
      m_timelineFile(files.Path("timeline.csv"), {"design", "job", "begin_ms", "end_ms", "cause"})
{
}

void
TrainingWhere::Add(const std::string& design,
                   const std::string& engine,
                   const std::vector<TrainingCluster::Outcome>& jobs)
{
    for (std::size_t i = 0; i < jobs.size(); ++i)
    {
        const TrainingCluster::Outcome& job = jobs[i];
        for (std::size_t iteration = 0; iteration < job.paths.size(); ++iteration)
        {
            for (const TrainingStep& step : job.paths[iteration].GetSteps())
            {
                m_pathFile.Cell(design).Cell(engine).Cell(i).Cell(iteration);
                m_pathFile.Cell(step.rank).Cell(step.last).Cell(step.GetOperation(*job.job).id);
                m_pathFile.Cell(step.Describe(*job.job)).Cell(step.messages);
                m_pathFile.Cell(step.begin.GetPicoSeconds()).Cell(step.end.GetPicoSeconds());
                for (uint8_t part = 0; part < TrainingTimes::N_PARTS; ++part)
                {
                    const auto cause = static_cast<TrainingTimes::Part>(part);
                    m_pathFile.Cell(step.times.Get(cause).GetPicoSeconds());
                }
                m_pathFile.EndRow();
            }
        }
        AddBars(design, "job " + std::to_string(i), job);
    }
    if (!jobs.empty() && !jobs.front().paths.empty())
    {
        AddPath(design, jobs.front());
    }
}

void
TrainingWhere::AddBars(const std::string& design,
                       const std::string& name,
                       const TrainingCluster::Outcome& job)
{
    using Times = TrainingTimes;
    Time at = job.arrival;
    const auto add = [&](const Times& times)
    {
        // What an operation waits for comes first.
        std::vector<Times::Part> order{Times::QUEUE, Times::CIRCUITS, Times::DARK, Times::SHARING};
        for (uint8_t part = Times::COMPUTATION; part < Times::CIRCUITS; ++part)
        {
            order.push_back(static_cast<Times::Part>(part));
        }
        for (const Times::Part part : order)
        {
            if (times.Get(part).IsStrictlyPositive())
            {
                const Time end = at + times.Get(part);
                AddBar({design,
                        name,
                        GetMilliseconds(at),
                        GetMilliseconds(end),
                        Times::GetName(part)});
                at = end;
            }
        }
    };
    Times queue;
    queue.Add(Times::QUEUE, job.start - job.arrival);
    add(queue);
    const Time least((job.end - job.start).GetTimeStep() / BARS);
    Times some;
    Times known;
    for (const TrainingPath& path : job.paths)
    {
        for (const TrainingStep& step : path.GetSteps())
        {
            some.Add(step.times);
            known.Add(step.times);
            if (some.GetSum() >= least)
            {
                add(some);
                some = {};
            }
        }
    }
    add(some);
    // Iterations whose paths were not kept: the shares of causes are those of the whole path of the
    // job without the paths that were kept, which may leave it before they end.
    const double left = double((job.end - job.start - known.GetSum()).GetTimeStep());
    Times rest;
    for (uint8_t part = Times::COMPUTATION; part < Times::N_PARTS; ++part)
    {
        const auto cause = static_cast<Times::Part>(part);
        rest.Add(cause, std::max(Time(0), job.times.Get(cause) - known.Get(cause)));
    }
    Times scaled;
    for (uint8_t part = 0; part < Times::N_PARTS && left > 0; ++part)
    {
        const auto cause = static_cast<Times::Part>(part);
        const double share = rest.Get(cause).GetSeconds() / rest.GetSum().GetSeconds();
        scaled.Add(cause, Time(int64_t(std::llround(left * share))));
    }
    add(scaled);
}

void
TrainingWhere::AddBar(const Bar& bar)
{
    if (!m_bars.empty())
    {
        Bar& last = m_bars.back();
        if (last.design == bar.design && last.job == bar.job && last.cause == bar.cause)
        {
            last.end = bar.end;
            return;
        }
    }
    m_bars.push_back(bar);
}

void
TrainingWhere::AddPath(const std::string& design, const TrainingCluster::Outcome& job)
{
    const TrainingPath& path = job.paths.back();
    Path added{design, static_cast<uint32_t>(job.paths.size() - 1), path.GetTimes(), {}};
    for (const TrainingStep& step : path.GetSteps())
    {
        const std::string name = step.Describe(*job.job);
        auto found = std::find_if(added.operations.begin(),
                                  added.operations.end(),
                                  [&](const auto& known) { return known.first == name; });
        if (found == added.operations.end())
        {
            found = added.operations.insert(found, {name, Time(0)});
        }
        found->second += step.end - step.begin;
    }
    m_paths.push_back(std::move(added));
}

void
TrainingWhere::Commit()
{
    for (const Bar& bar : m_bars)
    {
        m_timelineFile.Cell(bar.design).Cell(bar.job).Cell(bar.begin).Cell(bar.end);
        m_timelineFile.Cell(std::string(bar.cause)).EndRow();
    }
    m_files.Commit(m_pathFile, "critical paths of iterations of the first run");
    m_files.Commit(m_timelineFile, "where the time of jobs of the first run went");
}

void
TrainingWhere::Report(RunReport& report, const std::string& note)
{
    ReportChart& chart = report.AddChart({ReportChart::Kind::TIMELINE,
                                          "Where the time of jobs went",
                                          "ms",
                                          "jobs of the first run in order of arrival",
                                          "design",
                                          "Critical paths. Waits of an operation are drawn before "
                                          "it; iterations whose path was not kept by cause. " +
                                              note,
                                          {}});
    for (const Bar& bar : m_bars)
    {
        chart.rows.push_back({bar.design, bar.job, bar.begin, bar.end, std::string(bar.cause)});
    }
    if (m_paths.empty())
    {
        return;
    }
    std::vector<std::pair<std::string, std::vector<Time>>> rows;
    const auto getRow = [&](const std::string& name) -> std::vector<Time>&
    {
        for (auto& row : rows)
        {
            if (row.first == name)
            {
                return row.second;
            }
        }
        return rows.emplace_back(name, std::vector<Time>(m_paths.size())).second;
    };
    std::vector<std::string> header{"Operation"};
    for (std::size_t i = 0; i < m_paths.size(); ++i)
    {
        header.push_back(m_paths[i].design);
        std::vector<std::pair<std::string, Time>> operations = m_paths[i].operations;
        std::stable_sort(operations.begin(),
                         operations.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
        for (const auto& [name, time] : operations)
        {
            const bool isKnown =
                std::any_of(rows.begin(),
                            rows.end(),
                            [&name = name](const auto& row) { return row.first == name; });
            getRow(isKnown || rows.size() < OPERATIONS ? name : "others")[i] += time;
        }
    }
    Table table(header);
    const auto addRow = [&](const std::string& name, const auto& getTime)
    {
        std::vector<std::string> cells{name};
        for (std::size_t i = 0; i < m_paths.size(); ++i)
        {
            cells.push_back(FormatFixed(GetMilliseconds(getTime(i)), 6));
        }
        table.AddRow(cells);
    };
    for (const auto& row : rows)
    {
        addRow(row.first, [&](std::size_t i) { return row.second[i]; });
    }
    using Times = TrainingTimes;
    const auto getWaits = [&](std::size_t i)
    {
        const Times& times = m_paths[i].times;
        return times.Get(Times::CIRCUITS) + times.Get(Times::DARK) + times.Get(Times::SHARING);
    };
    addRow("All", [&](std::size_t i) { return m_paths[i].times.GetSum(); });
    addRow("of it computation",
           [&](std::size_t i) { return m_paths[i].times.Get(Times::COMPUTATION); });
    addRow("of it communication",
           [&](std::size_t i) { return m_paths[i].times.GetCommunication() - getWaits(i); });
    addRow("of it waits", getWaits);
    const std::string title = "Critical path of iteration " +
                              std::to_string(m_paths.front().iteration + 1) +
                              " of the first job, ms";
    std::cout << "\n" << title << "\n";
    table.Print(std::cout);
    report.AddTable(title, table, "An operation's time with what its messages waited for.");
}

} // namespace ns3::odcn
