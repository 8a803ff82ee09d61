// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * What goes otherwise than planned: migrations that are given up or take longer, lightpaths that
 * go another way.
 */

#include "icci-manager.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace odcn
{

uint32_t
IcciManager::FindMigration(uint32_t task) const
{
    for (std::size_t i = m_migrations.size(); i-- > 0;)
    {
        if (m_migrations[i].task == task && m_migrations[i].phase == IcciMigrationRecord::STARTED)
        {
            return static_cast<uint32_t>(i);
        }
    }
    return NO_MIGRATION;
}

bool
IcciManager::AbortMigration(uint32_t task)
{
    const uint32_t migration = FindMigration(task);
    if (migration == NO_MIGRATION)
    {
        return false;
    }
    IcciMigrationRecord& record = m_migrations[migration];
    IcciTaskState& state = m_tasks[task];
    Extinguish(record.transfers);
    Extinguish(record.lit.added);
    record.lit = {};
    for (const auto& [from, to] : record.moves)
    {
        m_leaving[from] -= state.demand.cus;
        m_pool.Give(to, state.demand.cus);
    }
    record.phase = IcciMigrationRecord::FAILED;
    record.cause = IcciCause::ABORTED;
    ++m_counters.aborted;
    state.planned = false;
    // It may have been reserved a moment before the end of the iteration.
    state.downtime += std::max(0.0, m_time - record.start);
    Run(task, std::max(m_time, record.start));
    return true;
}

void
IcciManager::SetOutcome(uint32_t migration, double downtime, bool completes)
{
    IcciMigrationRecord& record = m_migrations.at(migration);
    if (record.phase != IcciMigrationRecord::STARTED || !(downtime >= m_time - record.start))
    {
        throw OdcnError::InOption("outcome of a migration",
                                  std::to_string(downtime) + " s",
                                  "a time to come of one that is under way");
    }
    record.downtime = downtime;
    record.completes = completes;
    // It may have been reserved a moment before the end of the iteration.
    Schedule(record.start + downtime, Event::DONE, migration, ++record.version);
}

bool
IcciManager::Reroute(const OtnGrant& before, const OtnGrant& after)
{
    bool found = false;
    const auto replace = [&](std::vector<OtnGrant>& granted)
    {
        for (auto& grant : granted)
        {
            if (grant == before)
            {
                grant = after;
                found = true;
            }
        }
    };
    for (auto& record : m_migrations)
    {
        if (record.phase == IcciMigrationRecord::STARTED)
        {
            replace(record.transfers);
            replace(record.lit.hops);
            replace(record.lit.added);
            replace(record.lit.left);
            record.hopsAfter = IcciCountHops(record.lit.hops);
        }
    }
    for (auto& task : m_tasks)
    {
        replace(task.lightpaths);
        if (!task.lightpaths.empty())
        {
            task.lastHops = task.CountHops();
        }
    }
    if (found)
    {
        CountLit({&before, 1}, -1);
        CountLit({&after, 1}, 1);
    }
    return found;
}

} // namespace odcn
} // namespace ns3
