// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-manager.h"

#include "ns3/assert.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(IcciManager);

TypeId
IcciManager::GetTypeId()
{
    using T = IcciManager;
    static TypeId tid =
        TypeIdOf<IcciManager, Object>("ns3::odcn::IcciManager")
            .Add(Attribute("FlopPerGb", &T::m_flopPerGb, 1e12, 1),
                 "lambda, floating-point operations per GB of training data.")
            .Add(Attribute("FlopsPerCu", &T::m_flopsPerCu, 20e12, 1),
                 "rho, floating-point operations per second of a CU.")
            .Add(Attribute("BitsPerWavelength", &T::m_bitsPerWavelength, 1e11, 1),
                 "chi, bit rate of a wavelength in bit/s.")
            .Add(Attribute("ComputeShare", &T::m_computeShare, 0.7, 0.01, 0.99),
                 "T_com as a share of T_com + T_trans when a task is deployed.")
            .Add(Attribute("CusPerCentre", &T::m_cusPerCentre, 100, 1, 100000),
                 "N_v, CUs (GPUs) of a centre.")
            .Add(Attribute("Threshold", &T::m_threshold, 0.8, 0.01, 1),
                 "epsilon, share of its CUs in use from which a centre is a hotspot.")
            .Add(Attribute("Search",
                           &T::m_kind,
                           Search::SWAP,
                           {{Search::SWAP, "Swap"},
                            {Search::NEAREST, "Nearest"},
                            {Search::ALL, "All"},
                            {Search::ANY, "Any"}}),
                 "Which rings are candidates: Swap (one or two workers leave hotspots), "
                 "Nearest (one moves to the nearest centre with room), All (all move to "
                 "the idlest centres) or Any (those in hotspots move anywhere).")
            .Add(Attribute("Rings", &T::m_maxRings, 5, 1, 100),
                 "K, largest number of candidate rings of a question.")
            .Add(Attribute("Slots", &T::m_nSlots, 2, 1, 100),
                 "M, times at which a migration may begin.")
            .Add(Attribute("Links", &T::m_nLinks, 3, 1, 100),
                 "L, routing alternatives of a ring: the number of shortest paths per hop "
                 "that are considered at most.")
            .Add(Attribute("SlotGap", &T::m_slotGap, 600, 0, 86400), "Seconds between slots.")
            .Add(Attribute("MaxMoves", &T::m_maxMoves, 1, 0, 1000000),
                 "Largest number of migrations of a task.")
            .Add(Attribute("AskAgain", &T::m_askAgain, 3600, 1),
                 "Seconds after an answer before the same task is asked about again.")
            .Add(Attribute("Outlook", &T::m_outlook, 24, 0, 24),
                 "Hours over which the mean tide is considered when rings are compared; 0 "
                 "considers only the present.")
            .Add(Attribute("HopWeight", &T::m_hopWeight, 2, 0),
                 "Weight of a hop relative to a percent of load, to rank candidates.")
            .Add(Attribute("DistanceWeight", &T::m_distanceWeight, 30, 0),
                 "Weight of a hop in CUs when the first ring of a task is built.")
            .Add(Attribute("Noise", &T::m_noise, 10, 0),
                 "Half width in CUs of the uniform noise when a first ring is built.")
            .Add(Attribute("DataShare", &T::m_dataShare, 0, 0, 1),
                 "Fraction of a worker's training data, D / N^worker, that a migration "
                 "sends besides the parameters (Eq. 16); 0: the data is in place.")
            .Add(Attribute("OeoTime", &T::m_oeoTime, 1e-4, 0),
                 "t_OEO, seconds of an optical-electrical-optical conversion.")
            .Add(Attribute("GpuTime", &T::m_gpuTime, 0.05, 0), "t_GPU, seconds to switch GPUs.")
            .Add(Attribute("KmPerSecond", &T::m_kmPerSecond, 2e5, 1),
                 "v_fiber, propagation speed in fibre in km/s.")
            .Add(Attribute("ExtraWavelengths",
                           &T::m_extraWavelengths,
                           1,
                           0,
                           OtnMesh::MAX_WAVELENGTHS),
                 "Additional wavelengths per hop, beyond N^bu, if the choice is for more.")
            .Add(Attribute("BothWays", &T::m_bothWays, true),
                 "Whether a lightpath uses both fibres of a link; a ring needs only one.")
            .Add(Attribute("AfterFailure",
                           &T::m_afterFailure,
                           FaultPlan::END,
                           {{FaultPlan::END, "End"}, {FaultPlan::REPLACE, "Replace"}}),
                 "What becomes of a task whose ring cannot be lit around a failed link: "
                 "it ends (End), or goes on on another ring if one can be had (Replace).")
            .Add(Trace("Started", &T::m_startedTrace, "StartedTracedCallback"),
                 "A migration begins; all its resources are reserved.");
    return tid;
}

void
IcciManager::SetMesh(std::shared_ptr<const OtnMesh> mesh)
{
    m_mesh = std::move(mesh);
    m_search.SetMesh(*m_mesh);
    m_forecast.SetAreas(GetAreas());
    m_forecast.Clear();
}

std::vector<IcciArea>
IcciManager::GetAreas() const
{
    std::vector<IcciArea> areas;
    for (uint32_t site = 0; site < m_mesh->GetNSites(); ++site)
    {
        areas.push_back(m_mesh->GetSite(site).area);
    }
    return areas;
}

void
IcciManager::SetTide(Ptr<const IcciTide> tide)
{
    m_tide = tide;
    m_forecast.Clear();
}

void
IcciManager::Reset(std::vector<IcciTask> tasks,
                   std::shared_ptr<const IcciBackground> background,
                   uint64_t seed)
{
    NS_ASSERT_MSG(m_mesh && m_tide, "SetMesh() and SetTide() first");
    const uint32_t n = m_mesh->GetNSites();
    if (background->milli.size() != n * background->samples)
    {
        throw OdcnError::InOption("background",
                                  std::to_string(background->milli.size()) + " samples",
                                  "those of " + std::to_string(n) + " centres");
    }
    for (const auto& task : tasks)
    {
        if (task.source >= n)
        {
            throw OdcnError::InOption("task",
                                      "centre " + std::to_string(task.source),
                                      "one of " + std::to_string(n) + " centres");
        }
    }
    m_background = std::move(background);
    m_rates = {m_flopPerGb, m_flopsPerCu, m_bitsPerWavelength, m_computeShare};
    m_loads.rules.threshold = m_threshold;
    m_forecast.Tabulate(*m_tide, m_cusPerCentre);
    m_loads.cus = m_cusPerCentre;
    m_loads.pool = IcciPool(std::vector<uint32_t>(n, m_cusPerCentre),
                            m_loads.rules,
                            m_background->milli.data(),
                            m_background->samples,
                            m_background->step);
    m_lightpaths.Reset(m_mesh, m_bothWays, m_loads.rules.duration);
    m_search.Reset(m_loads, m_forecast, {m_distanceWeight, m_noise, m_hopWeight, m_maxRings}, seed);
    m_time = 0;
    m_events.Clear();
    m_tasks.clear();
    m_asked.clear();
    m_loads.recent.resize(n);
    m_loads.Update();
    m_loads.leaving.assign(n, 0);
    m_held = false;
    m_question = {};
    m_chosen.clear();
    m_migrations.clear();
    m_counters = {};
    for (const auto& task : tasks)
    {
        IcciTaskState state;
        state.task = task;
        state.demand = IcciGetDemand(task, m_rates);
        Schedule(task.arrival, Event::ARRIVAL, static_cast<uint32_t>(m_tasks.size()));
        m_tasks.push_back(std::move(state));
    }
    Schedule(m_loads.rules.window, Event::CHECK);
    m_outages.Restart(m_mesh->GetNLinks());
    for (std::size_t i = 0; GetFaults() && i < GetFaults()->GetChanges().size(); ++i)
    {
        Schedule(GetFaults()->GetTime(i), Event::FAULT);
    }
}

FaultParts
IcciManager::GetFaultParts(const OtnMesh& mesh)
{
    return {{FaultPart::LINK, FaultSizes(mesh.GetNLinks(), 1)},
            {FaultPart::NODE, FaultSizes(mesh.GetNSites(), 1)}};
}

void
IcciManager::ChangePart(const FaultTimeline::Change& change)
{
    const auto getEnds = [this](uint32_t link)
    { return std::pair(m_mesh->GetLink(link).a, m_mesh->GetLink(link).b); };
    for (const uint32_t link : m_outages.ChangeLinks(change, change.first, getEnds))
    {
        m_lightpaths.ShareWavelengths().SetCut(link, change.failed);
    }
    for (uint32_t task = 0; change.failed && task < m_tasks.size(); ++task)
    {
        if (const uint32_t migration = FindMigration(task); migration != NO_MIGRATION)
        {
            const IcciMigrationRecord& record = m_migrations[migration];
            if (m_lightpaths.IsHit(record.transfers) || m_lightpaths.IsHit(record.lit.hops) ||
                m_lightpaths.IsHit(m_tasks[task].lightpaths))
            {
                AbortMigration(task);
            }
        }
        if (m_tasks[task].phase == IcciTaskState::RUNNING &&
            m_lightpaths.IsHit(m_tasks[task].lightpaths))
        {
            Restore(task);
        }
    }
}

void
IcciManager::Restore(uint32_t task)
{
    IcciTaskState& state = m_tasks[task];
    // Whole iterations count; after a migration that was aborted, `since` may be to come.
    state.done += std::floor(std::max(0.0, m_time - state.since) / state.GetIteration() + 1e-9);
    const double from = std::max(m_time, state.since);
    std::vector<OtnGrant> failed;
    std::vector<OtnGrant> present;
    for (const OtnGrant& grant : state.lightpaths)
    {
        (m_lightpaths.IsHit({&grant, 1}) ? failed : present).push_back(grant);
    }
    m_lightpaths.Extinguish(failed);
    for (uint32_t count = state.wavelengths; count >= state.demand.bus; --count)
    {
        for (uint32_t links = 0; links < m_nLinks; ++links)
        {
            IcciLightpaths lit;
            if (m_lightpaths.Light(state.ring, links, count, present, lit))
            {
                m_lightpaths.Extinguish(lit.left);
                state.lightpaths = std::move(lit.hops);
                state.wavelengths = count;
                state.lastHops = state.CountHops();
                ++m_counters.rerouted;
                Run(task, from);
                return;
            }
        }
    }
    m_lightpaths.Extinguish(present);
    state.lightpaths.clear();
    for (const uint32_t centre : state.ring)
    {
        m_loads.pool.Give(centre, state.demand.cus);
    }
    for (uint32_t migration = 0; state.planned && migration < m_migrations.size(); ++migration)
    {
        if (m_migrations[migration].task == task &&
            m_migrations[migration].phase == IcciMigrationRecord::PLANNED)
        {
            Refuse(migration, IcciCause::OVERTAKEN);
        }
    }
    if (m_afterFailure == FaultPlan::REPLACE && Deploy(task) == IcciCause::NONE)
    {
        ++m_counters.replaced;
        Run(task, from);
        return;
    }
    state.phase = IcciTaskState::LOST;
    state.end = m_time;
    ++state.version;
    ++m_counters.interrupted;
}

void
IcciManager::Schedule(double time, Event::Kind kind, uint32_t task, uint32_t version)
{
    m_events.Push(time, {kind, task, version});
}

bool
IcciManager::Advance()
{
    for (;;)
    {
        if (m_held)
        {
            return false;
        }
        while (!m_asked.empty())
        {
            const uint32_t task = m_asked.back();
            m_asked.pop_back();
            if (MayAsk(task) && Ask(task))
            {
                ++m_counters.questions;
                return true;
            }
        }
        if (!(m_events.GetNext() < m_loads.rules.duration))
        {
            EndDay();
            return false;
        }
        const auto event = m_events.Pop();
        AdvanceTo(event.time);
        Handle(event.what);
    }
}

void
IcciManager::Handle(const Event& event)
{
    switch (event.kind)
    {
    case Event::END:
        if (m_tasks[event.task].version == event.version)
        {
            End(event.task);
        }
        break;
    case Event::ARRIVAL:
        Arrive(event.task);
        break;
    case Event::DONE:
        if (m_migrations[event.task].phase == IcciMigrationRecord::STARTED &&
            m_migrations[event.task].version == event.version)
        {
            if (m_migrations[event.task].completes)
            {
                Complete(event.task);
            }
            else
            {
                AbortMigration(m_migrations[event.task].task);
            }
        }
        break;
    case Event::START:
        if (m_migrations[event.task].phase == IcciMigrationRecord::PLANNED)
        {
            Start(event.task);
        }
        break;
    case Event::FAULT:
        ChangePart(m_outages.Take());
        break;
    case Event::CHECK:
        Check();
        break;
    }
}

void
IcciManager::AdvanceTo(double time)
{
    m_loads.pool.AdvanceTo(time);
    m_lightpaths.AdvanceTo(time);
    m_time = time;
}

void
IcciManager::EndDay()
{
    AdvanceTo(std::max(m_time, m_loads.rules.duration));
    // Migrations under way last seconds and are completed; planned ones no longer begin.
    while (m_events.GetSize() > 0)
    {
        const auto [time, seq, event] = m_events.Pop();
        if (event.kind == Event::DONE)
        {
            AdvanceTo(time);
            Handle(event);
        }
        else if (event.kind == Event::START &&
                 m_migrations[event.task].phase == IcciMigrationRecord::PLANNED)
        {
            Refuse(event.task, IcciCause::OVERTAKEN);
        }
    }
}

void
IcciManager::Arrive(uint32_t task)
{
    IcciTaskState& state = m_tasks[task];
    ++m_counters.arrived;
    const IcciCause cause = Deploy(task);
    if (cause != IcciCause::NONE)
    {
        state.phase = IcciTaskState::BLOCKED;
        ++(cause == IcciCause::CUS ? m_counters.blockedCus : m_counters.blockedWavelengths);
        return;
    }
    state.firstHops = state.lastHops;
    Run(task, m_time);
}

IcciCause
IcciManager::Deploy(uint32_t task)
{
    IcciTaskState& state = m_tasks[task];
    state.ring = m_search.Grow(state.task, state.demand.cus);
    if (state.ring.empty())
    {
        return IcciCause::CUS;
    }
    IcciLightpaths lit;
    for (uint32_t links = 0; links < m_nLinks && lit.hops.empty(); ++links)
    {
        m_lightpaths.Light(state.ring, links, state.demand.bus, {}, lit);
    }
    if (lit.hops.empty())
    {
        state.ring.clear();
        return IcciCause::WAVELENGTH;
    }
    for (const uint32_t centre : state.ring)
    {
        m_loads.pool.Take(centre, state.demand.cus);
    }
    state.lightpaths = std::move(lit.hops);
    state.wavelengths = state.demand.bus;
    state.lastHops = state.CountHops();
    return IcciCause::NONE;
}

void
IcciManager::Run(uint32_t task, double from)
{
    IcciTaskState& state = m_tasks[task];
    state.phase = IcciTaskState::RUNNING;
    state.since = from;
    state.end = from + (state.task.iterations - state.done) * state.GetIteration();
    Schedule(state.end, Event::END, task, ++state.version);
}

void
IcciManager::End(uint32_t task)
{
    IcciTaskState& state = m_tasks[task];
    state.phase = IcciTaskState::ENDED;
    state.done = state.task.iterations;
    ++state.version;
    ++m_counters.ended;
    m_lightpaths.Extinguish(state.lightpaths);
    for (const uint32_t centre : state.ring)
    {
        m_loads.pool.Give(centre, state.demand.cus);
    }
}

void
IcciManager::Check()
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
IcciManager::MayAsk(uint32_t task) const
{
    const IcciTaskState& state = m_tasks[task];
    // clang-format off
    return state.phase == IcciTaskState::RUNNING && !state.planned && state.moves < m_maxMoves &&
           m_time >= state.askAgain &&
           std::any_of(state.ring.begin() + 1,
                       state.ring.end(),
                       [&](uint32_t centre) { return IsHot(centre); });
    // clang-format on
}

bool
IcciManager::Ask(uint32_t task)
{
    const IcciTaskState& state = m_tasks[task];
    m_question.task = task;
    m_question.candidates = m_search.Find(m_kind, state, GetOutlook(state, m_time, false));
    m_counters.hopeless += m_question.candidates.empty();
    return !m_question.candidates.empty();
}

uint32_t
IcciManager::Decide(const IcciChoice& choice)
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
    IcciCandidate candidate;
    if (choice.candidate < m_question.candidates.size())
    {
        candidate = m_question.candidates[choice.candidate];
    }
    else
    {
        candidate.ring = state.ring;
    }
    IcciMigrationRecord record;
    record.task = m_question.task;
    record.decided = m_time;
    record.start = GetStart(choice);
    record.moves = candidate.moves;
    record.hopsBefore = state.CountHops();
    record.wavelengthsBefore = state.wavelengths;
    const bool there =
        choice.candidate < m_question.candidates.size() || choice.candidate == IcciChoice::PRESENT;
    m_chosen.emplace_back(std::move(candidate), choice);
    m_migrations.push_back(std::move(record));
    state.planned = true;
    if (!there || choice.slot >= m_nSlots || choice.links >= m_nLinks)
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
IcciManager::GetStart(const IcciChoice& choice) const
{
    const IcciTaskState& state = m_tasks[m_question.task];
    const double iteration = state.GetIteration();
    const double earliest = m_time + m_controlLatency + choice.slot * m_slotGap;
    return state.since + std::ceil((earliest - state.since) / iteration) * iteration;
}

void
IcciManager::Start(uint32_t migration)
{
    IcciMigrationRecord& record = m_migrations[migration];
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
IcciManager::Reserve(uint32_t migration)
{
    IcciMigrationRecord& record = m_migrations[migration];
    const auto& [candidate, choice] = m_chosen[migration];
    const IcciTaskState& state = m_tasks[record.task];
    const uint32_t cus = state.demand.cus;
    for (const auto& [from, to] : record.moves)
    {
        if (m_loads.pool.GetFree(to) < cus || m_cusPerCentre - m_loads.Get(to) < cus)
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
    const uint32_t least =
        choice.candidate == IcciChoice::PRESENT ? state.wavelengths + 1 : state.demand.bus;
    uint32_t count = state.demand.bus + (choice.wider ? m_extraWavelengths : 0);
    for (; count >= least && record.lit.hops.empty(); --count)
    {
        if (m_lightpaths.Light(candidate.ring, choice.links, count, state.lightpaths, record.lit))
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
IcciManager::Refuse(uint32_t migration, IcciCause cause)
{
    IcciMigrationRecord& record = m_migrations[migration];
    record.phase = IcciMigrationRecord::FAILED;
    record.cause = cause;
    m_tasks[record.task].planned = false;
    m_counters.refusedCus += cause == IcciCause::CUS;
    m_counters.refusedWavelengths += cause == IcciCause::WAVELENGTH;
    m_counters.overtaken += cause == IcciCause::OVERTAKEN;
}

void
IcciManager::Complete(uint32_t migration)
{
    IcciMigrationRecord& record = m_migrations[migration];
    IcciTaskState& state = m_tasks[record.task];
    m_lightpaths.Extinguish(record.transfers);
    m_lightpaths.Extinguish(record.lit.left);
    state.lightpaths = std::move(record.lit.hops);
    record.lit = {};
    state.lastHops = record.hopsAfter;
    for (const auto& [from, to] : record.moves)
    {
        m_loads.leaving[from] -= state.demand.cus;
        m_loads.pool.Give(from, state.demand.cus);
    }
    state.ring = m_chosen[migration].first.ring;
    state.wavelengths = record.wavelengthsAfter;
    state.planned = false;
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

IcciOutlook
IcciManager::GetOutlook(const IcciTaskState& task, double from, bool known) const
{
    const double life = std::min(task.end, m_loads.rules.duration);
    const double to = known ? life : std::min(life, from + 3600 * m_outlook);
    return {from, std::max(from, to), known};
}

const std::vector<uint32_t>&
IcciManager::GetRing(const IcciChoice& choice) const
{
    return choice.candidate < m_question.candidates.size()
               ? m_question.candidates[choice.candidate].ring
               : m_tasks[m_question.task].ring;
}

IcciGain
IcciManager::Weigh(const IcciChoice& choice, bool known) const
{
    const IcciTaskState& task = m_tasks[m_question.task];
    const uint32_t cus = task.demand.cus;
    const double start = GetStart(choice);
    const IcciOutlook outlook = GetOutlook(task, start, known);
    IcciGain gain;
    if (choice.candidate < m_question.candidates.size())
    {
        double before = 0;
        double after = 0;
        double use = 0;
        for (const auto& [from, to] : m_question.candidates[choice.candidate].moves)
        {
            gain.hot += m_forecast.Foresee(m_loads, from, GetSettled(from), outlook, use);
            before = std::max(before, use);
            gain.hot -= m_forecast.Foresee(m_loads, from, GetSettled(from) - cus, outlook, use);
            after = std::max(after, use);
            gain.hot += m_forecast.Foresee(m_loads, to, GetSettled(to), outlook, use);
            before = std::max(before, use);
            gain.hot -= m_forecast.Foresee(m_loads, to, GetSettled(to) + cus, outlook, use);
            after = std::max(after, use);
            ++gain.moved;
        }
        gain.use = before - after;
    }
    gain.hops = static_cast<double>(task.CountHops()) - CountHops(choice);
    double count = choice.candidate == IcciChoice::PRESENT ? task.wavelengths : task.demand.bus;
    if (choice.wider)
    {
        count = std::max(
            count,
            std::min<double>(task.demand.bus + m_extraWavelengths, CountWavelengths(choice)));
    }
    gain.wavelengths = task.wavelengths - count;
    return gain;
}

IcciGain
IcciManager::GetGain(const IcciChoice& choice) const
{
    return Weigh(choice, false);
}

IcciGain
IcciManager::GetTrueGain(const IcciChoice& choice) const
{
    return Weigh(choice, true);
}

uint32_t
IcciManager::CountWavelengths(const IcciChoice& choice) const
{
    return m_lightpaths.CountWavelengths(GetRing(choice),
                                         choice.links,
                                         m_tasks[m_question.task].lightpaths);
}

uint32_t
IcciManager::CountHops(const IcciChoice& choice) const
{
    return m_lightpaths.CountHops(GetRing(choice), choice.links);
}

double
IcciManager::GetMigratedBytes(const IcciTask& task) const
{
    return 1e9 * (task.parameters + m_dataShare * task.dataGb / task.workers);
}

double
IcciManager::GetDowntime(const IcciChoice& choice) const
{
    const IcciTaskState& task = m_tasks[m_question.task];
    double km = 0;
    double bits = 0;
    if (choice.candidate < m_question.candidates.size())
    {
        for (const auto& [from, to] : m_question.candidates[choice.candidate].moves)
        {
            km = std::max(km, m_mesh->GetKm(m_mesh->GetPaths(from, to).front()));
            bits += 8 * GetMigratedBytes(task.task) / task.wavelengths;
        }
    }
    return GetDowntime(bits, km);
}

double
IcciManager::GetDowntime(double bits, double km) const
{
    return bits / m_rates.bitsPerWavelength + km / m_kmPerSecond + 2 * m_oeoTime +
           (bits > 0 ? m_gpuTime : 0);
}

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
    state.planned = false;
    // The migration may be reserved shortly before it begins, at the end of the iteration.
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
    // The downtime counts from the end of the iteration, which may be later than the reservation.
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
        m_lightpaths.Count({&before, 1}, -1);
        m_lightpaths.Count({&after, 1}, 1);
    }
    return found;
}

} // namespace ns3::odcn
