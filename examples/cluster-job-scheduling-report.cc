// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-job-scheduling-report.h"

#include "ns3/odcn-atomic-file.h"
#include "ns3/odcn-table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <ostream>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

using Figure = ClusterEvaluation::Figure;

/// Kinds of resource that the program knows.
const std::array<const char*, 2> RESOURCES{"CPU", "memory"};

/**
 * @param results all  @param result one of them
 * @return the SJF on the same workload and protocol; null if it is not among them
 */
const Result*
FindSjf(const std::vector<Result>& results, const Result& result)
{
    const auto found = std::find_if(results.begin(),
                                    results.end(),
                                    [&](const Result& r) {
                                        return r.policy == "sjf" && r.workload == result.workload &&
                                               r.protocol == result.protocol;
                                    });
    return found == results.end() ? nullptr : &*found;
}

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
JobLog::Follow(ClusterScheduling& problem, const Result& result)
{
    WriteLengths();
    m_result = &result;
    m_set = 0;
    m_first.clear();
    problem.TraceConnectWithoutContext("Scheduled", MakeCallback(&JobLog::NoteScheduled, this));
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
    m_csv->Cell(m_result->workload).Cell(m_result->protocol).Cell(m_result->policy);
    m_csv->Cell(m_set).Cell(job.id).Cell(job.arrival).Cell(job.duration);
    m_csv->Cell(job.demand[0]).Cell(job.demand[1]).Cell(fate);
    if (placement)
    {
        m_csv->Cell(placement->start).Cell(placement->GetFinish()).Cell(placement->machine);
        m_csv->Cell(placement->GetSlowdown());
    }
    else
    {
        m_csv->Cell("").Cell("").Cell("").Cell("");
    }
    m_csv->EndRow();
}

void
JobLog::NoteScheduled(const ClusterPlacement& placement)
{
    Write(placement.job, "scheduled", &placement);
    ++m_lengths[placement.job.duration][placement.GetCyclingTime()];
    if (m_set == 0)
    {
        m_first.push_back(placement);
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
        const auto slowdown = [&](uint64_t time) { return static_cast<double>(time) / duration; };
        // The least that the share of the jobs, rounded up, does not exceed.
        const auto percentile = [&](uint64_t percent)
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
        m_lengthsCsv.Cell(m_result->workload).Cell(m_result->protocol).Cell(m_result->policy);
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
WriteSummary(const std::string& path, const std::vector<Result>& results)
{
    std::vector<std::string> columns{"workload", "protocol", "policy", "sets", "jobs"};
    std::vector<std::string> figures{"slowdown_minus_sjf"};
    for (int figure = 0; figure < Figure::FIGURES; ++figure)
    {
        figures.insert(figures.end() - 1, ClusterEvaluation::GetName(static_cast<Figure>(figure)));
    }
    for (const auto& name : figures)
    {
        for (const char* part : {"", "_lower", "_upper"})
        {
            columns.push_back(name + part);
        }
    }
    OdcnCsvWriter csv(path, columns);
    const auto put = [&](const OdcnEstimate& e) { csv.Cell(e.mean).Cell(e.lower).Cell(e.upper); };
    for (const auto& result : results)
    {
        uint64_t jobs = 0;
        for (const auto& set : result.evaluation.GetSets())
        {
            jobs += set.counters.offered;
        }
        csv.Cell(result.workload).Cell(result.protocol).Cell(result.policy);
        csv.Cell(result.evaluation.GetSets().size()).Cell(jobs);
        for (int figure = 0; figure < Figure::FIGURES; ++figure)
        {
            put(result.evaluation.GetMean(static_cast<Figure>(figure)));
        }
        const Result* sjf = FindSjf(results, result);
        put(sjf ? result.evaluation.GetDifference(Figure::SLOWDOWN, sjf->evaluation)
                : OdcnMeanOfReplications({}));
        csv.EndRow();
    }
    csv.Commit();
}

void
WriteSets(const std::string& path, const std::vector<Result>& results)
{
    OdcnCsvWriter csv(path,
                      {"workload",
                       "protocol",
                       "policy",
                       "set",
                       "offered",
                       "impossible",
                       "dropped",
                       "scheduled",
                       "finished",
                       "slowdown_sum",
                       "cycling_time_sum",
                       "waiting_time_sum",
                       "reward",
                       "slots",
                       "decisions"});
    for (const auto& result : results)
    {
        uint64_t number = 0;
        for (const auto& set : result.evaluation.GetSets())
        {
            const ClusterCounters& c = set.counters;
            csv.Row(result.workload,
                    result.protocol,
                    result.policy,
                    number++,
                    c.offered,
                    c.impossible,
                    c.dropped,
                    c.scheduled,
                    c.finished,
                    c.slowdown,
                    c.cyclingTime,
                    c.waitingTime,
                    set.reward,
                    set.slots,
                    set.decisions);
        }
    }
    csv.Commit();
}

void
PrintResults(std::ostream& os, const std::vector<Result>& results)
{
    OdcnTable table({"workload",
                     "protocol",
                     "policy",
                     "slowdown",
                     "vs SJF",
                     "cycling time\nslots",
                     "waiting\nslots",
                     "unscheduled\n%",
                     "reward\nof a set",
                     "length\nslots"});
    const Result* before = nullptr;
    for (const auto& result : results)
    {
        if (before && (before->workload != result.workload || before->protocol != result.protocol))
        {
            table.AddRule();
        }
        before = &result;
        const auto mean = [&](Figure figure, double scale = 1)
        { return OdcnFormatEstimate(result.evaluation.GetMean(figure), scale); };
        const Result* sjf = FindSjf(results, result);
        std::string difference = "-";
        if (sjf && sjf != &result)
        {
            difference = OdcnFormatEstimate(
                result.evaluation.GetDifference(Figure::SLOWDOWN, sjf->evaluation));
        }
        table.AddRow({result.workload,
                      result.protocol,
                      result.policy,
                      mean(Figure::SLOWDOWN),
                      difference,
                      mean(Figure::CYCLING_TIME),
                      mean(Figure::WAITING_TIME),
                      mean(Figure::UNSCHEDULED, 100),
                      mean(Figure::REWARD),
                      mean(Figure::SLOTS)});
    }
    table.Print(os);
}

void
DrawGantt(const std::string& path,
          const std::string& title,
          const std::vector<ClusterPlacement>& placements,
          const Options& options)
{
    const double slotWidth = 16;
    const double unitHeight = std::clamp(160.0 / (options.machines * options.capacity), 0.2, 16.0);
    const double left = 60;
    const double top = 34;
    const double panel = unitHeight * options.machines * options.capacity;
    const double width = left + slotWidth * static_cast<double>(options.gantt) + 10;
    const double height = top + 2 * (panel + 34);
    OdcnAtomicFile file(path);
    std::ostream& os = file.Stream();
    os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
       << "\" font-family=\"sans-serif\" font-size=\"10\">\n"
       << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
       << "<text x=\"" << left << "\" y=\"16\" font-size=\"13\">" << title << "</text>\n";
    for (std::size_t resource = 0; resource < RESOURCES.size(); ++resource)
    {
        const double y0 = top + static_cast<double>(resource) * (panel + 34);
        os << "<rect x=\"" << left << "\" y=\"" << y0 << "\" width=\""
           << slotWidth * static_cast<double>(options.gantt) << "\" height=\"" << panel
           << "\" fill=\"#f4f4f4\" stroke=\"#888\"/>\n"
           << "<text x=\"8\" y=\"" << y0 + panel / 2 << "\">" << RESOURCES[resource] << "</text>\n";
        for (uint64_t slot = 0; slot <= options.gantt; slot += 5)
        {
            os << "<text text-anchor=\"middle\" x=\""
               << left + slotWidth * static_cast<double>(slot) << "\" y=\"" << y0 + panel + 12
               << "\">" << slot << "</text>\n";
        }
        // Units held in each slot of each machine by the jobs placed before.
        std::map<std::pair<uint32_t, uint64_t>, uint32_t> filled;
        for (const auto& placement : placements)
        {
            const uint32_t units = placement.job.demand[resource];
            const uint64_t last = std::min(placement.GetFinish(), options.gantt);
            for (uint64_t slot = placement.start; slot < last && units > 0;)
            {
                // Neighbouring slots where the job lies on the same units are one box.
                const uint32_t bottom = filled[{placement.machine, slot}];
                const uint64_t first = slot;
                while (slot < last && filled[{placement.machine, slot}] == bottom)
                {
                    filled[{placement.machine, slot++}] += units;
                }
                const double x = left + slotWidth * static_cast<double>(first);
                const double y = y0 + unitHeight * (placement.machine * options.capacity + bottom);
                const double w = slotWidth * static_cast<double>(slot - first);
                // Hues of neighbouring numbers lie far apart.
                os << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << w << "\" height=\""
                   << unitHeight * units << "\" fill=\"hsl(" << placement.job.id * 137 % 360
                   << ",60%,70%)\" stroke=\"#444\" stroke-width=\"0.6\"/>\n";
                if (unitHeight * units >= 10)
                {
                    os << "<text text-anchor=\"middle\" x=\"" << x + w / 2 << "\" y=\""
                       << y + unitHeight * units / 2 + 3.5 << "\">" << placement.job.id
                       << "</text>\n";
                }
            }
        }
    }
    os << "<text x=\"" << left << "\" y=\"" << height - 6
       << "\">time slots; the numbers in the boxes are those of the jobs</text>\n</svg>\n";
    file.Commit();
}
