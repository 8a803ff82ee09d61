// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-migration-control.h"

#include "icci-ring-search.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ns3::odcn
{

void
IcciMigrationControl::Watch()
{
    m_asked.clear();
    m_question = {};
    m_migrations.clear();
    Schedule(m_loads.rules.window, Event::CHECK);
}

void
IcciMigrationControl::Check()
{
    m_loads.Update();
    for (auto task = static_cast<uint32_t>(m_tasks.size()); task-- > 0;)
    {
        if (MayAsk(task))
        {
            m_asked.push_back(task);
        }
    }
    Schedule(m_time + m_loads.rules.window, Event::CHECK);
}

bool
IcciMigrationControl::MayAsk(uint32_t task) const
{
    const IcciTaskState& state = m_tasks[task];
    // clang-format off
    return state.phase == IcciTaskState::RUNNING && state.migration == NO_MIGRATION &&
           state.moves < m_maxMoves && m_time >= state.askAgain &&
           std::any_of(state.ring.begin() + 1,
                       state.ring.end(),
                       [&](uint32_t centre) { return IsHot(centre); });
    // clang-format on
}

bool
IcciMigrationControl::Ask()
{
    while (!m_asked.empty())
    {
        const uint32_t task = m_asked.back();
        m_asked.pop_back();
        if (!MayAsk(task))
        {
            continue;
        }
        const IcciTaskState& state = m_tasks[task];
        m_question.task = task;
        m_question.candidates = m_search->Find(m_kind, state, GetOutlook(state, m_time, false));
        m_question.present.ring = state.ring;
        const bool hopeless = m_question.candidates.empty();
        ++(hopeless ? m_counters.hopeless : m_counters.questions);
        if (!hopeless)
        {
            return true;
        }
    }
    return false;
}

uint32_t
IcciMigrationControl::Decide(const IcciChoice& choice)
{
    IcciTaskState& state = m_tasks[m_question.task];
    state.askAgain = m_time + m_askAgain;
    if (choice.candidate == IcciChoice::STAY)
    {
        ++m_counters.stayed;
        return NO_MIGRATION;
    }
    ++m_counters.planned;
    const auto number = static_cast<uint32_t>(m_migrations.size());
    const IcciCandidate& candidate = m_question.Get(choice);
    IcciMigrationRecord record;
    record.task = m_question.task;
    record.decided = m_time;
    record.start = GetStart(choice);
    record.choice = choice;
    record.ring = candidate.ring;
    record.moves = candidate.moves;
    record.hopsBefore = state.CountHops();
    record.wavelengthsBefore = state.wavelengths;
    m_migrations.push_back(std::move(record));
    state.migration = number;
    if (!m_question.Has(choice) || choice.slot >= m_nSlots || choice.links >= m_nLinks)
    {
        Refuse(number, IcciCause::CUS);
    }
    else if (choice.slot == 0)
    {
        Start(number);
    }
    else
    {
        Schedule(m_migrations[number].start, Event::START, number);
    }
    return number;
}

double
IcciMigrationControl::GetStart(const IcciChoice& choice) const
{
    const double iteration = GetTask().GetIteration();
    const double earliest = m_time + m_controlLatency + choice.slot * m_slotGap;
    const double since = GetTask().since;
    return since + std::ceil((earliest - since) / iteration) * iteration;
}

void
IcciMigrationControl::Start(uint32_t migration)
{
    IcciMigrationRecord& record = m_migrations[migration];
    if (record.phase != IcciMigrationRecord::PLANNED)
    {
        return;
    }
    IcciTaskState& state = m_tasks[record.task];
    if (state.phase != IcciTaskState::RUNNING || record.start >= state.end)
    {
        Refuse(migration, IcciCause::OVERTAKEN);
        return;
    }
    if (!Reserve(migration))
    {
        Refuse(migration, record.cause);
        return;
    }
    ++m_counters.started;
    record.phase = IcciMigrationRecord::STARTED;
    state.phase = IcciTaskState::MIGRATING;
    state.done += std::round((record.start - state.since) / state.GetIteration());
    // `done` counts the iterations until `since`.
    state.since = record.start;
    ++state.version;
    Schedule(record.start + record.downtime, Event::DONE, migration);
    m_startedTrace(migration);
}

bool
IcciMigrationControl::Reserve(uint32_t migration)
{
    IcciMigrationRecord& record = m_migrations[migration];
    const IcciTaskState& state = m_tasks[record.task];
    const uint32_t cus = state.demand.cus;
    for (const auto& [from, to] : record.moves)
    {
        if (!m_loads.HasRoom(to, cus))
        {
            record.cause = IcciCause::CUS;
            return false;
        }
    }
    record.cause = IcciCause::WAVELENGTH;
    if (!m_lightpaths.LightTransfers(record.moves, state.wavelengths, record.transfers))
    {
        return false;
    }
    double km = 0;
    double bits = 0;
    for (const auto& transfer : record.transfers)
    {
        bits += 8 * GetMigratedBytes(state.task) / transfer.GetCount();
        km = std::max(km, m_mesh->GetKm(transfer.path));
    }
    const IcciChoice& choice = record.choice;
    const uint32_t least =
        choice.candidate == IcciChoice::PRESENT ? state.wavelengths + 1 : state.demand.bus;
    uint32_t count = choice.wider ? GetMostWavelengths(state) : state.demand.bus;
    for (; count >= least && record.lit.hops.empty(); --count)
    {
        if (m_lightpaths.Light(record.ring, choice.links, count, state.lightpaths, record.lit))
        {
            record.wavelengthsAfter = count;
        }
    }
    if (record.lit.hops.empty())
    {
        m_lightpaths.Extinguish(record.transfers);
        return false;
    }
    for (const auto& [from, to] : record.moves)
    {
        m_loads.pool.Take(to, cus);
        m_loads.leaving[from] += cus;
    }
    record.cause = IcciCause::NONE;
    record.hopsAfter = IcciCountHops(record.lit.hops);
    record.downtime = GetDowntime(bits, km);
    return true;
}

void
IcciMigrationControl::Refuse(uint32_t migration, IcciCause cause)
{
    IcciMigrationRecord& record = m_migrations[migration];
    record.phase = IcciMigrationRecord::FAILED;
    record.cause = cause;
    m_tasks[record.task].migration = NO_MIGRATION;
    m_counters.refusedCus += cause == IcciCause::CUS;
    m_counters.refusedWavelengths += cause == IcciCause::WAVELENGTH;
    m_counters.overtaken += cause == IcciCause::OVERTAKEN;
}

void
IcciMigrationControl::Overtake(uint32_t migration)
{
    if (migration != NO_MIGRATION && m_migrations[migration].phase == IcciMigrationRecord::PLANNED)
    {
        Refuse(migration, IcciCause::OVERTAKEN);
    }
}

void
IcciMigrationControl::Finish(uint32_t migration, uint32_t version)
{
    const IcciMigrationRecord& record = m_migrations[migration];
    if (record.phase != IcciMigrationRecord::STARTED || record.version != version)
    {
        return;
    }
    if (record.completes)
    {
        Complete(migration);
    }
    else
    {
        AbortMigration(record.task);
    }
}

void
IcciMigrationControl::Complete(uint32_t migration)
{
    IcciMigrationRecord& record = m_migrations[migration];
    IcciTaskState& state = m_tasks[record.task];
    m_lightpaths.Extinguish(record.transfers);
    m_lightpaths.Extinguish(record.lit.left);
    state.SetLightpaths(std::move(record.lit.hops), record.wavelengthsAfter);
    record.lit = {};
    for (const auto& [from, to] : record.moves)
    {
        m_loads.leaving[from] -= state.demand.cus;
        m_loads.pool.Give(from, state.demand.cus);
    }
    state.ring = record.ring;
    state.migration = NO_MIGRATION;
    // Widening the present ring does not count as a move.
    state.moves += !record.moves.empty();
    state.movedWorkers += static_cast<uint32_t>(record.moves.size());
    state.downtime += record.downtime;
    state.askAgain = m_time + m_askAgain;
    record.phase = IcciMigrationRecord::COMPLETE;
    ++m_counters.completed;
    m_counters.movedWorkers += record.moves.size();
    Run(record.task, m_time);
}

bool
IcciMigrationControl::AbortMigration(uint32_t task)
{
    IcciTaskState& state = m_tasks[task];
    if (state.phase != IcciTaskState::MIGRATING)
    {
        return false;
    }
    IcciMigrationRecord& record = m_migrations[state.migration];
    m_lightpaths.Extinguish(record.transfers);
    m_lightpaths.Extinguish(record.lit.added);
    record.lit = {};
    for (const auto& [from, to] : record.moves)
    {
        m_loads.leaving[from] -= state.demand.cus;
        m_loads.pool.Give(to, state.demand.cus);
    }
    record.phase = IcciMigrationRecord::FAILED;
    record.cause = IcciCause::ABORTED;
    ++m_counters.aborted;
    state.migration = NO_MIGRATION;
    // The migration may be reserved shortly before it begins, at the end of the iteration.
    state.downtime += std::max(0.0, m_time - record.start);
    Run(task, std::max(m_time, record.start));
    return true;
}

void
IcciMigrationControl::AbortIfHit(uint32_t task)
{
    const IcciTaskState& state = m_tasks[task];
    if (state.phase == IcciTaskState::MIGRATING)
    {
        const IcciMigrationRecord& record = m_migrations[state.migration];
        if (m_lightpaths.IsHit(record.transfers) || m_lightpaths.IsHit(record.lit.hops) ||
            m_lightpaths.IsHit(state.lightpaths))
        {
            AbortMigration(task);
        }
    }
}

void
IcciMigrationControl::SetOutcome(uint32_t migration, double downtime, bool completes)
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
    // The downtime counts from the end of the iteration, which may be later than the reservation.
    Schedule(record.start + downtime, Event::DONE, migration, ++record.version);
}

bool
IcciMigrationControl::Reroute(const OtnGrant& before, const OtnGrant& after)
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
        m_lightpaths.Count({&before, 1}, -1);
        m_lightpaths.Count({&after, 1}, 1);
    }
    return found;
}

IcciOutlook
IcciMigrationControl::GetOutlook(const IcciTaskState& task, double from, bool known) const
{
    const double life = std::min(task.end, m_loads.rules.duration);
    const double to = known ? life : std::min(life, from + 3600 * m_outlook);
    return {from, std::max(from, to), known};
}

IcciGain
IcciMigrationControl::Weigh(const IcciChoice& choice, bool known) const
{
    const IcciTaskState& task = GetTask();
    const uint32_t cus = task.demand.cus;
    const IcciOutlook outlook = GetOutlook(task, GetStart(choice), known);
    IcciGain gain;
    double before = 0;
    double after = 0;
    const auto compare = [&](uint32_t centre, uint32_t heldAfter)
    {
        double use = 0;
        gain.hot += m_forecast.Foresee(m_loads, centre, GetSettled(centre), outlook, use);
        before = std::max(before, use);
        gain.hot -= m_forecast.Foresee(m_loads, centre, heldAfter, outlook, use);
        after = std::max(after, use);
    };
    for (const auto& [from, to] : m_question.Get(choice).moves)
    {
        compare(from, GetSettled(from) - cus);
        compare(to, GetSettled(to) + cus);
        ++gain.moved;
    }
    gain.use = before - after;
    gain.hops = static_cast<double>(task.CountHops()) - CountHops(choice);
    double count = choice.candidate == IcciChoice::PRESENT ? task.wavelengths : task.demand.bus;
    if (choice.wider)
    {
        count =
            std::max<double>(count, std::min(GetMostWavelengths(task), CountWavelengths(choice)));
    }
    gain.wavelengths = task.wavelengths - count;
    return gain;
}

uint32_t
IcciMigrationControl::CountWavelengths(const IcciChoice& choice) const
{
    return m_lightpaths.CountWavelengths(m_question.Get(choice).ring,
                                         choice.links,
                                         GetTask().lightpaths);
}

uint32_t
IcciMigrationControl::CountHops(const IcciChoice& choice) const
{
    return m_lightpaths.CountHops(m_question.Get(choice).ring, choice.links);
}

double
IcciMigrationControl::GetMigratedBytes(const IcciTask& task) const
{
    return 1e9 * (task.parameters + m_dataShare * task.dataGb / task.workers);
}

double
IcciMigrationControl::GetDowntime(const IcciChoice& choice) const
{
    double km = 0;
    double bits = 0;
    for (const auto& [from, to] : m_question.Get(choice).moves)
    {
        km = std::max(km, m_mesh->GetKm(m_mesh->GetPaths(from, to).front()));
        bits += 8 * GetMigratedBytes(GetTask().task) / GetTask().wavelengths;
    }
    return GetDowntime(bits, km);
}

double
IcciMigrationControl::GetDowntime(double bits, double km) const
{
    return bits / m_bitsPerWavelength + km / m_kmPerSecond + 2 * m_oeoTime +
           (bits > 0 ? m_gpuTime : 0);
}

} // namespace ns3::odcn
