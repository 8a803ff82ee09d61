// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-job-scheduling-log.h"

#include "ns3/odcn-atomic-file.h"

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <string_view>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Names of the resources.
const std::array<const char*, 2> RESOURCES{"CPU", "memory"};

} // namespace

JobLog::JobLog(const std::string& jobs, const std::string& lengths)
    : m_lengthsCsv(lengths,
                   {"workload",
                    "protocol",
                    "policy",
                    "duration",
                    "jobs",
                    "slowdown",
                    "p5",
                    "p25",
                    "p50",
                    "p75",
                    "p95"})
{
    if (!jobs.empty())
    {
        m_csv.emplace(jobs,
                      std::vector<std::string>{"workload",
                                               "protocol",
                                               "policy",
                                               "set",
                                               "job",
                                               "arrival",
                                               "duration",
                                               "cpu",
                                               "memory",
                                               "fate",
                                               "start",
                                               "finish",
                                               "machine",
                                               "slowdown"});
    }
}

void
JobLog::Follow(ClusterScheduling& problem,
               const Experiment::Labels& labels,
               const std::string& policy)
{
    WriteLengths();
    m_place = {labels.at(0).second, labels.at(1).second, policy};
    m_set = 0;
    m_first.clear();
    problem.TraceConnectWithoutContext("Scheduled", MakeCallback(&JobLog::NoteScheduled, this));
    problem.TraceConnectWithoutContext("Interrupted", MakeCallback(&JobLog::NoteInterrupted, this));
    problem.TraceConnectWithoutContext("Dropped", MakeCallback(&JobLog::NoteDropped, this));
    problem.TraceConnectWithoutContext("Impossible", MakeCallback(&JobLog::NoteImpossible, this));
}

void
JobLog::Write(const ClusterJob& job, const char* fate, const ClusterPlacement* placement)
{
    if (!m_csv)
    {
        return;
    }
    m_csv->Cell(m_place[0]).Cell(m_place[1]).Cell(m_place[2]);
    m_csv->Cell(m_set).Cell(job.id).Cell(job.arrival).Cell(job.GetLength());
    m_csv->Cell(job.demand[0]).Cell(job.demand[1]).Cell(fate);
    if (placement)
    {
        m_csv->Cell(placement->start).Cell(placement->GetFinish()).Cell(placement->machine);
    }
    else
    {
        m_csv->Cell("").Cell("").Cell("");
    }
    if (std::string_view(fate) == "scheduled")
    {
        m_csv->Cell(placement->GetSlowdown());
    }
    else
    {
        m_csv->Cell("");
    }
    m_csv->EndRow();
}

void
JobLog::NoteScheduled(const ClusterPlacement& placement)
{
    Write(placement.job, "scheduled", &placement);
    ++m_lengths[placement.job.GetLength()][placement.GetCyclingTime()];
    if (m_set == 0)
    {
        m_first.push_back(placement);
    }
}

void
JobLog::NoteInterrupted(const ClusterPlacement& placement, uint64_t slot)
{
    auto& times = m_lengths[placement.job.GetLength()];
    const auto time = times.find(placement.GetCyclingTime());
    if (--time->second == 0)
    {
        times.erase(time);
    }
    ClusterPlacement cut = placement;
    cut.job.duration = static_cast<uint32_t>(std::max(cut.start, slot) - cut.start);
    const bool began = cut.job.duration > 0;
    Write(placement.job, began ? "interrupted" : "displaced", began ? &cut : nullptr);
    if (m_set > 0)
    {
        return;
    }
    const auto place = std::find_if(m_first.begin(),
                                    m_first.end(),
                                    [&](const auto& p) { return p.order == placement.order; });
    if (began)
    {
        *place = cut;
    }
    else
    {
        m_first.erase(place);
    }
}

void
JobLog::NoteDropped(const ClusterJob& job)
{
    Write(job, "dropped", nullptr);
}

void
JobLog::NoteImpossible(const ClusterJob& job)
{
    Write(job, "impossible", nullptr);
}

void
JobLog::EndSet(const ClusterScheduling& problem)
{
    for (uint32_t slot = 0; slot + 1 < problem.GetNActions(); ++slot)
    {
        if (const ClusterJob* job = problem.GetWaiting(slot))
        {
            Write(*job, "waiting", nullptr);
        }
    }
    for (const ClusterJob& job : problem.GetBacklog())
    {
        Write(job, "waiting", nullptr);
    }
    ++m_set;
}

void
JobLog::WriteLengths()
{
    for (const auto& [duration, times] : m_lengths)
    {
        uint64_t jobs = 0;
        uint64_t total = 0;
        for (const auto& [time, n] : times)
        {
            jobs += n;
            total += n * time;
        }
        if (jobs == 0)
        {
            continue;
        }
        // Copies, since lambdas of clang 14 cannot refer to structured bindings.
        const auto slowdown = [duration = duration](uint64_t time)
        { return static_cast<double>(time) / duration; };
        // Smallest slowdown that at least this percentage of the jobs does not exceed.
        const auto percentile = [&, &times = times](uint64_t percent)
        {
            uint64_t below = 0;
            for (const auto& [time, n] : times)
            {
                below += n;
                if (100 * below >= percent * jobs)
                {
                    return slowdown(time);
                }
            }
            return 0.0;
        };
        m_lengthsCsv.Cell(m_place[0]).Cell(m_place[1]).Cell(m_place[2]);
        m_lengthsCsv.Cell(duration).Cell(jobs).Cell(slowdown(total) / static_cast<double>(jobs));
        for (const uint64_t percent : {5, 25, 50, 75, 95})
        {
            m_lengthsCsv.Cell(percentile(percent));
        }
        m_lengthsCsv.EndRow();
    }
    m_lengths.clear();
}

void
JobLog::Commit()
{
    WriteLengths();
    m_lengthsCsv.Commit();
    if (m_csv)
    {
        m_csv->Commit();
    }
}

void
DrawGantt(const std::string& path,
          const std::string& title,
          const std::vector<ClusterPlacement>& placements,
          uint32_t machines,
          uint32_t capacity,
          uint64_t slots)
{
    const double slotWidth = 16;
    const double unitHeight = std::clamp(160.0 / (machines * capacity), 0.2, 16.0);
    const double left = 60;
    const double top = 34;
    const double panel = unitHeight * machines * capacity;
    const double width = left + slotWidth * static_cast<double>(slots) + 10;
    const double height = top + 2 * (panel + 34);
    AtomicFile file(path);
    std::ostream& os = file.Stream();
    os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
       << "\" font-family=\"sans-serif\" font-size=\"10\">\n"
       << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
       << "<text x=\"" << left << "\" y=\"16\" font-size=\"13\">" << title << "</text>\n";
    for (std::size_t resource = 0; resource < RESOURCES.size(); ++resource)
    {
        const double y0 = top + static_cast<double>(resource) * (panel + 34);
        os << "<rect x=\"" << left << "\" y=\"" << y0 << "\" width=\""
           << slotWidth * static_cast<double>(slots) << "\" height=\"" << panel
           << "\" fill=\"#f4f4f4\" stroke=\"#888\"/>\n"
           << "<text x=\"8\" y=\"" << y0 + panel / 2 << "\">" << RESOURCES[resource] << "</text>\n";
        for (uint64_t slot = 0; slot <= slots; slot += 5)
        {
            os << "<text text-anchor=\"middle\" x=\""
               << left + slotWidth * static_cast<double>(slot) << "\" y=\"" << y0 + panel + 12
               << "\">" << slot << "</text>\n";
        }
        // Units already held in each slot of each machine.
        std::map<std::pair<uint32_t, uint64_t>, uint32_t> filled;
        for (const auto& placement : placements)
        {
            const uint32_t held = placement.job.demand[resource];
            const uint64_t last = std::min(placement.GetFinish(), slots);
            for (uint64_t slot = placement.start; slot < last && held > 0;)
            {
                // Adjacent slots in which the job holds the same units form one box.
                const uint32_t bottom = filled[{placement.machine, slot}];
                const uint64_t first = slot;
                while (slot < last && filled[{placement.machine, slot}] == bottom)
                {
                    filled[{placement.machine, slot++}] += held;
                }
                const double x = left + slotWidth * static_cast<double>(first);
                const double y = y0 + unitHeight * (placement.machine * capacity + bottom);
                const double w = slotWidth * static_cast<double>(slot - first);
                // Consecutive numbers get very different hues.
                os << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << w << "\" height=\""
                   << unitHeight * held << "\" fill=\"hsl(" << placement.job.id * 137 % 360
                   << ",60%,70%)\" stroke=\"#444\" stroke-width=\"0.6\"/>\n";
                if (unitHeight * held >= 10)
                {
                    os << "<text text-anchor=\"middle\" x=\"" << x + w / 2 << "\" y=\""
                       << y + unitHeight * held / 2 + 3.5 << "\">" << placement.job.id
                       << "</text>\n";
                }
            }
        }
    }
    os << "<text x=\"" << left << "\" y=\"" << height - 6
       << "\">time slots; the numbers in the boxes are those of the jobs</text>\n</svg>\n";
    file.Commit();
}
