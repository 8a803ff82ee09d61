// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-day-recorder.h"

#include "ns3/odcn-text.h"

#include <cmath>
#include <map>
#include <vector>

namespace ns3::odcn
{

namespace
{

/// Most tasks of the chart of tasks over time.
constexpr std::size_t MOST_TASKS = 300;

/// Names of phases in files.
const std::map<IcciTaskState::Phase, const char*> PHASES{{IcciTaskState::TO_COME, "running"},
                                                         {IcciTaskState::RUNNING, "running"},
                                                         {IcciTaskState::MIGRATING, "running"},
                                                         {IcciTaskState::ENDED, "ended"},
                                                         {IcciTaskState::BLOCKED, "blocked"},
                                                         {IcciTaskState::LOST, "interrupted"}};

/// Names of causes of failed migrations in files.
const std::map<IcciCause, const char*> CAUSES{{IcciCause::NONE, ""},
                                              {IcciCause::CUS, "cus"},
                                              {IcciCause::WAVELENGTH, "wavelengths"},
                                              {IcciCause::OVERTAKEN, "overtaken"},
                                              {IcciCause::ABORTED, "aborted"}};

} // namespace

IcciDayRecorder::IcciDayRecorder(OutputFiles& files, RunReport& report)
    : m_files(files),
      m_centres(files.Path("hotspots.csv"),
                SplitAtCommas("policy,run,centre,name,area,hour,remaining_cus,hot")),
      m_links(files.Path("links.csv"), SplitAtCommas("policy,run,link,from,to,hour,use")),
      m_tasks(files.Path("tasks.csv"),
              SplitAtCommas("policy,run,task,arrival_s,deadline_s,workers,cus,wavelengths,state,"
                            "moves,moved_workers,downtime_s,first_hops,hops,end_s,ahead_of_time,"
                            "ring")),
      m_migrations(files.Path("migrations.csv"),
                   SplitAtCommas("policy,run,task,decided_s,start_s,downtime_s,moved_workers,"
                                 "hops_before,hops_after,wavelengths_before,wavelengths_after,"
                                 "refused")),
      m_units(report.AddChart({ReportChart::Kind::HEATMAP,
                               "Free computing units over time by centre",
                               "hour",
                               "free computing units",
                               "policy",
                               "The first day.",
                               {}})),
      m_use(report.AddChart({ReportChart::Kind::HEATMAP,
                             "Use of links over time",
                             "hour",
                             "wavelengths in use, %",
                             "policy",
                             "The first day.",
                             {}})),
      m_bars(report.AddChart(
          {ReportChart::Kind::TIMELINE,
           "Tasks over time",
           "time, s",
           "tasks in order of arrival",
           "policy",
           "The first day; the first " + std::to_string(MOST_TASKS) + " tasks at most.",
           {}}))
{
}

void
IcciDayRecorder::AddHours(const std::string& policy, uint64_t run, const IcciManager& manager)
{
    const bool shown = run == m_firstRun;
    const IcciPool& pool = manager.GetPool();
    const auto mesh = manager.GetMesh();
    for (uint32_t centre = 0; centre < pool.GetNCentres(); ++centre)
    {
        const OtnSite& site = mesh->GetSite(centre);
        for (std::size_t hour = 0; hour < pool.GetNBlocks(); ++hour)
        {
            const auto left = pool.GetCapacity(centre) - pool.GetBlockUse(centre, hour);
            const bool hot = pool.IsHotBlock(centre, hour);
            m_centres.Row(policy, run, centre, site.name, OtnAreaName(site.area), hour, left, hot);
            if (shown)
            {
                const auto begin = static_cast<double>(hour);
                m_units.rows.push_back({policy, begin, begin + 1, site.name, double(left)});
            }
        }
    }
    for (std::size_t hour = 0; hour < pool.GetNBlocks(); ++hour)
    {
        const auto begin = static_cast<double>(hour);
        const auto use = manager.GetLightpaths().GetUse(3600 * begin, 3600 * (begin + 1));
        for (uint32_t link = 0; link < use.size(); ++link)
        {
            const OtnLink& ends = mesh->GetLink(link);
            m_links.Row(policy, run, link, ends.a, ends.b, hour, use[link]);
            if (shown)
            {
                const std::string name =
                    mesh->GetSite(ends.a).name + " - " + mesh->GetSite(ends.b).name;
                m_use.rows.push_back({policy, begin, begin + 1, name, 100 * use[link]});
            }
        }
    }
}

void
IcciDayRecorder::AddTasks(const std::string& policy, uint64_t run, const IcciManager& manager)
{
    std::size_t shown = run == m_firstRun ? 0 : MOST_TASKS;
    for (const auto& task : manager.GetTasks())
    {
        std::string ring;
        for (const uint32_t centre : task.ring)
        {
            ring += (ring.empty() ? "" : "-") + std::to_string(centre);
        }
        const char* state = PHASES.at(task.phase);
        const bool blocked = task.phase == IcciTaskState::BLOCKED;
        const bool lost = task.phase == IcciTaskState::LOST;
        m_tasks.Row(policy,
                    run,
                    task.task.id,
                    task.task.arrival,
                    task.task.deadline,
                    task.task.workers,
                    task.demand.cus,
                    task.wavelengths,
                    state,
                    task.moves,
                    task.movedWorkers,
                    task.downtime,
                    task.firstHops,
                    task.lastHops,
                    blocked ? std::nan("") : task.end,
                    blocked || lost ? std::nan("") : task.GetAheadOfTime(),
                    ring);
        if (!blocked && shown++ < MOST_TASKS)
        {
            const std::string name = "task " + std::to_string(task.task.id);
            m_bars.rows.push_back({policy, name, task.task.arrival, task.end, state});
        }
    }
}

void
IcciDayRecorder::Add(const std::string& policy, uint64_t run, const IcciManager& manager)
{
    m_firstRun = m_firstRun.value_or(run);
    AddHours(policy, run, manager);
    AddTasks(policy, run, manager);
    for (const auto& migration : manager.GetMigrations())
    {
        m_migrations.Row(policy,
                         run,
                         migration.task,
                         migration.decided,
                         migration.start,
                         migration.downtime,
                         migration.moves.size(),
                         migration.hopsBefore,
                         migration.hopsAfter,
                         migration.wavelengthsBefore,
                         migration.wavelengthsAfter,
                         CAUSES.at(migration.cause));
    }
}

void
IcciDayRecorder::Commit()
{
    m_files.Commit(m_centres, "every centre and hour of every day");
    m_files.Commit(m_links, "wavelengths in use, every link and hour of every day");
    m_files.Commit(m_tasks, "every task");
    m_files.Commit(m_migrations, "every migration that was decided");
}

} // namespace ns3::odcn
