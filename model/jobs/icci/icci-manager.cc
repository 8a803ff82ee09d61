// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-manager.h"

#include "ns3/assert.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(IcciManager);

TypeId
IcciManager::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::IcciManager")
            .SetParent<Object>()
            .SetGroupName("Odcn")
            .AddConstructor<IcciManager>()
            .AddAttribute("FlopPerGb",
                          "lambda, floating-point operations per GB of training data.",
                          DoubleValue(1e12),
                          MakeDoubleAccessor(&IcciManager::m_flopPerGb),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("FlopsPerCu",
                          "rho, floating-point operations per second of a CU.",
                          DoubleValue(20e12),
                          MakeDoubleAccessor(&IcciManager::m_flopsPerCu),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("BitsPerWavelength",
                          "chi, bit rate of a wavelength in bit/s.",
                          DoubleValue(1e11),
                          MakeDoubleAccessor(&IcciManager::m_bitsPerWavelength),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("ComputeShare",
                          "T_com as a share of T_com + T_trans when a task is deployed.",
                          DoubleValue(0.7),
                          MakeDoubleAccessor(&IcciManager::m_computeShare),
                          MakeDoubleChecker<double>(0.01, 0.99))
            .AddAttribute("CusPerCentre",
                          "N_v, CUs (GPUs) of a centre.",
                          UintegerValue(100),
                          MakeUintegerAccessor(&IcciManager::m_cusPerCentre),
                          MakeUintegerChecker<uint32_t>(1, 100000))
            .AddAttribute("Threshold",
                          "epsilon, share of its CUs in use from which a centre is a hotspot.",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&IcciManager::m_threshold),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute("Search",
                          "Which rings are candidates: Swap (one or two workers leave hotspots), "
                          "Nearest (one moves to the nearest centre with room), All (all move to "
                          "the idlest centres) or Any (those in hotspots move anywhere).",
                          CompatEnumValue<Search>(Search::SWAP),
                          CompatEnumAccessor<Search>(&IcciManager::m_kind),
                          MakeEnumChecker(Search::SWAP,
                                          "Swap",
                                          Search::NEAREST,
                                          "Nearest",
                                          Search::ALL,
                                          "All",
                                          Search::ANY,
                                          "Any"))
            .AddAttribute("Rings",
                          "K, largest number of candidate rings of a question.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&IcciManager::m_maxRings),
                          MakeUintegerChecker<uint32_t>(1, 100))
            .AddAttribute("Slots",
                          "M, times at which a migration may begin.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&IcciManager::m_nSlots),
                          MakeUintegerChecker<uint32_t>(1, 100))
            .AddAttribute("Links",
                          "L, routing alternatives of a ring: the number of shortest paths per hop "
                          "that are considered at most.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&IcciManager::m_nLinks),
                          MakeUintegerChecker<uint32_t>(1, 100))
            .AddAttribute("SlotGap",
                          "Seconds between slots.",
                          DoubleValue(600),
                          MakeDoubleAccessor(&IcciManager::m_slotGap),
                          MakeDoubleChecker<double>(0, 86400))
            .AddAttribute("MaxMoves",
                          "Largest number of migrations of a task.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&IcciManager::m_maxMoves),
                          MakeUintegerChecker<uint32_t>(0, 1000000))
            .AddAttribute("AskAgain",
                          "Seconds after an answer before the same task is asked about again.",
                          DoubleValue(3600),
                          MakeDoubleAccessor(&IcciManager::m_askAgain),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("Outlook",
                          "Hours over which the mean tide is considered when rings are compared; 0 "
                          "considers only the present.",
                          DoubleValue(24),
                          MakeDoubleAccessor(&IcciManager::m_outlook),
                          MakeDoubleChecker<double>(0, 24))
            .AddAttribute("HopWeight",
                          "Weight of a hop relative to a percent of load, to rank candidates.",
                          DoubleValue(2),
                          MakeDoubleAccessor(&IcciManager::m_hopWeight),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("DistanceWeight",
                          "Weight of a hop in CUs when the first ring of a task is built.",
                          DoubleValue(30),
                          MakeDoubleAccessor(&IcciManager::m_distanceWeight),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Noise",
                          "Half width in CUs of the uniform noise when a first ring is built.",
                          DoubleValue(10),
                          MakeDoubleAccessor(&IcciManager::m_noise),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("DataShare",
                          "Fraction of a worker's training data, D / N^worker, that a migration "
                          "sends besides the parameters (Eq. 16); 0: the data is in place.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&IcciManager::m_dataShare),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("OeoTime",
                          "t_OEO, seconds of an optical-electrical-optical conversion.",
                          DoubleValue(1e-4),
                          MakeDoubleAccessor(&IcciManager::m_oeoTime),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("GpuTime",
                          "t_GPU, seconds to switch GPUs.",
                          DoubleValue(0.05),
                          MakeDoubleAccessor(&IcciManager::m_gpuTime),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("KmPerSecond",
                          "v_fiber, propagation speed in fibre in km/s.",
                          DoubleValue(2e5),
                          MakeDoubleAccessor(&IcciManager::m_kmPerSecond),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("ExtraWavelengths",
                          "Additional wavelengths per hop, beyond N^bu, if the choice is for more.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&IcciManager::m_extraWavelengths),
                          MakeUintegerChecker<uint32_t>(0, OtnMesh::MAX_WAVELENGTHS))
            .AddAttribute("BothWays",
                          "Whether a lightpath uses both fibres of a link; a ring needs only one.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&IcciManager::m_bothWays),
                          MakeBooleanChecker())
            .AddAttribute("AfterFailure",
                          "What becomes of a task whose ring cannot be lit around a failed link: "
                          "it ends (End), or goes on on another ring if one can be had (Replace).",
                          CompatEnumValue<FaultPlan::AfterFailure>(FaultPlan::END),
                          CompatEnumAccessor<FaultPlan::AfterFailure>(&IcciManager::m_afterFailure),
                          MakeEnumChecker(FaultPlan::END, "End", FaultPlan::REPLACE, "Replace"))
            .AddTraceSource("Started",
                            "A migration begins; all its resources are reserved.",
                            MakeTraceSourceAccessor(&IcciManager::m_startedTrace),
                            "ns3::odcn::IcciManager::StartedTracedCallback");
    return tid;
}

IcciManager::IcciManager() = default;

void
IcciManager::SetMesh(std::shared_ptr<const OtnMesh> mesh)
{
    m_mesh = std::move(mesh);
    m_search.SetMesh(*m_mesh);
    std::vector<IcciArea> areas;
    areas.reserve(m_mesh->GetNSites());
    for (uint32_t site = 0; site < m_mesh->GetNSites(); ++site)
    {
        areas.push_back(static_cast<IcciArea>(m_mesh->GetSite(site).area));
    }
    m_forecast.SetAreas(std::move(areas));
    m_forecast.Clear();
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
    m_wavelengths = OtnWavelengthLedger(m_mesh);
    m_search.Reset(m_loads, m_forecast, {m_distanceWeight, m_noise, m_hopWeight, m_maxRings}, seed);
    m_time = 0;
    m_events.clear();
    m_seq = 0;
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
    m_lit.fill(0);
    m_litTime.fill(0);
    m_litChanges.clear();
    for (const auto& task : tasks)
    {
        IcciTaskState state;
        state.task = task;
        state.demand = IcciGetDemand(task, m_rates);
        Schedule(task.arrival, Event::ARRIVAL, static_cast<uint32_t>(m_tasks.size()));
        m_tasks.push_back(std::move(state));
    }
    Schedule(m_loads.rules.window, Event::CHECK);
    m_linkFaults.assign(m_mesh->GetNLinks(), 0);
    const std::size_t changes = m_faults ? m_faults->GetChanges().size() : 0;
    for (std::size_t i = 0; i < changes; ++i)
    {
        Schedule(m_faults->GetTime(i), Event::FAULT, static_cast<uint32_t>(i));
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
    for (uint32_t link = 0; link < m_mesh->GetNLinks(); ++link)
    {
        const OtnLink& ends = m_mesh->GetLink(link);
        if (change.part == FaultPart::LINK ? link == change.first
                                           : ends.a == change.first || ends.b == change.first)
        {
            m_linkFaults[link] += change.failed ? 1 : -1;
            m_wavelengths.SetCut(link, m_linkFaults[link] > 0);
        }
    }
    for (uint32_t task = 0; change.failed && task < m_tasks.size(); ++task)
    {
        if (const uint32_t migration = FindMigration(task); migration != NO_MIGRATION)
        {
            const IcciMigrationRecord& record = m_migrations[migration];
            if (IsHit(record.transfers) || IsHit(record.lit.hops) ||
                IsHit(m_tasks[task].lightpaths))
            {
                AbortMigration(task);
            }
        }
        if (m_tasks[task].phase == IcciTaskState::RUNNING && IsHit(m_tasks[task].lightpaths))
        {
            Restore(task);
        }
    }
}

bool
IcciManager::IsHit(std::span<const OtnGrant> lightpaths) const
{
    return !std::all_of(lightpaths.begin(),
                        lightpaths.end(),
                        [this](const OtnGrant& grant)
                        { return m_wavelengths.IsWhole(grant.path); });
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
        (IsHit({&grant, 1}) ? failed : present).push_back(grant);
    }
    Extinguish(failed);
    for (uint32_t count = state.wavelengths; count >= state.demand.bus; --count)
    {
        for (uint32_t links = 0; links < m_nLinks; ++links)
        {
            IcciLightpaths lit;
            if (Light(state.ring, links, count, present, lit))
            {
                Extinguish(lit.left);
                state.lightpaths = std::move(lit.hops);
                state.wavelengths = count;
                state.lastHops = state.CountHops();
                ++m_counters.rerouted;
                Run(task, from);
                return;
            }
        }
    }
    Extinguish(present);
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
    m_events.push_back({time, m_seq++, kind, task, version});
    std::push_heap(m_events.begin(), m_events.end(), std::greater<>());
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
        if (m_events.empty() || m_events.front().time >= m_loads.rules.duration)
        {
            EndDay();
            return false;
        }
        std::pop_heap(m_events.begin(), m_events.end(), std::greater<>());
        const Event event = m_events.back();
        m_events.pop_back();
        AdvanceTo(event.time);
        Handle(event);
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
        ChangePart(m_faults->GetChanges()[event.task]);
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
    const double measured = std::min(time, m_loads.rules.duration);
    for (std::size_t area = 0; area < OTN_AREAS && measured > m_time; ++area)
    {
        m_litTime[area] += m_lit[area] * (measured - m_time);
    }
    m_time = time;
}

void
IcciManager::EndDay()
{
    AdvanceTo(std::max(m_time, m_loads.rules.duration));
    // Migrations under way last seconds and are completed; planned ones no longer begin.
    std::sort_heap(m_events.begin(), m_events.end(), std::greater<>());
    std::vector<Event> late(m_events.rbegin(), m_events.rend());
    m_events.clear();
    for (const auto& event : late)
    {
        if (event.kind == Event::DONE)
        {
            AdvanceTo(event.time);
            Handle(event);
        }
        else if (event.kind == Event::START &&
                 m_migrations[event.task].phase == IcciMigrationRecord::PLANNED)
        {
            Refuse(event.task, IcciCause::OVERTAKEN);
        }
    }
    m_events.clear();
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
        Light(state.ring, links, state.demand.bus, {}, lit);
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
    Extinguish(state.lightpaths);
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

OtnRouting
IcciManager::GetRouting() const
{
    OtnRouting routing;
    routing.bothWays = m_bothWays;
    return routing;
}

std::size_t
IcciManager::FindLit(const std::vector<OtnGrant>& lightpaths, uint32_t from, uint32_t to) const
{
    const auto found =
        std::find_if(lightpaths.begin(),
                     lightpaths.end(),
                     [&](const OtnGrant& grant)
                     {
                         const uint32_t a = m_mesh->GetFrom(grant.path.front());
                         const uint32_t b = m_mesh->GetTo(grant.path.back());
                         return (a == from && b == to) || (grant.bothWays && a == to && b == from);
                     });
    return static_cast<std::size_t>(found - lightpaths.begin());
}

bool
IcciManager::Light(const std::vector<uint32_t>& ring,
                   uint32_t links,
                   uint32_t count,
                   const std::vector<OtnGrant>& present,
                   IcciLightpaths& lit)
{
    lit = {};
    const OtnRouting routing = GetRouting();
    std::vector<uint8_t> used(present.size(), 0);
    for (std::size_t i = 0; i < ring.size(); ++i)
    {
        const uint32_t from = ring[i];
        const uint32_t to = ring[(i + 1) % ring.size()];
        const std::size_t k = FindLit(present, from, to);
        if (k < present.size() && present[k].GetCount() == count)
        {
            used[k] = 1;
            lit.hops.push_back(present[k]);
            continue;
        }
        if (!m_wavelengths.ReserveOn(*Route(from, to, links), count, routing, lit.added))
        {
            m_wavelengths.Release(lit.added);
            lit = {};
            return false;
        }
        lit.hops.push_back(lit.added.back());
    }
    for (std::size_t k = 0; k < present.size(); ++k)
    {
        if (!used[k])
        {
            lit.left.push_back(present[k]);
        }
    }
    CountLit(lit.added, 1);
    return true;
}

void
IcciManager::Extinguish(std::vector<OtnGrant>& granted)
{
    m_wavelengths.Release(granted);
    CountLit(granted, -1);
    granted.clear();
}

void
IcciManager::CountLit(std::span<const OtnGrant> grants, double sign)
{
    for (const auto& grant : grants)
    {
        const double half = sign * 0.5 * grant.GetCount() * (grant.bothWays ? 2 : 1);
        for (const uint32_t fiber : grant.path)
        {
            m_litChanges.push_back({m_time, fiber / 2, 2 * half});
            for (const uint32_t site : {m_mesh->GetFrom(fiber), m_mesh->GetTo(fiber)})
            {
                m_lit[static_cast<std::size_t>(m_mesh->GetSite(site).area)] += half;
            }
        }
    }
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
    // Lightpaths that transfer the workers.
    double km = 0;
    double bits = 0;
    for (const auto& [from, to] : record.moves)
    {
        const OtnPath& path = m_mesh->GetPaths(from, to).front();
        // As many wavelengths as the ring has, or as are free.
        const uint32_t count =
            std::min(state.wavelengths, m_wavelengths.CountFree(path, GetRouting()));
        if (count == 0 || !m_wavelengths.ReserveOn(path, count, GetRouting(), record.transfers))
        {
            m_wavelengths.Release(record.transfers);
            record.transfers.clear();
            return false;
        }
        bits += 8 * GetMigratedBytes(state.task) / count;
        km = std::max(km, m_mesh->GetKm(path));
    }
    CountLit(record.transfers, 1);
    const uint32_t least =
        choice.candidate == IcciChoice::PRESENT ? state.wavelengths + 1 : state.demand.bus;
    uint32_t count = state.demand.bus + (choice.wider ? m_extraWavelengths : 0);
    for (; count >= least && record.lit.hops.empty(); --count)
    {
        if (Light(candidate.ring, choice.links, count, state.lightpaths, record.lit))
        {
            record.wavelengthsAfter = count;
        }
    }
    if (record.lit.hops.empty())
    {
        Extinguish(record.transfers);
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
    Extinguish(record.transfers);
    Extinguish(record.lit.left);
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

double
IcciManager::GetWavelengthUse(OtnArea area) const
{
    double capacity = 0;
    for (uint32_t i = 0; i < m_mesh->GetNLinks(); ++i)
    {
        const OtnLink& link = m_mesh->GetLink(i);
        const auto ends = (m_mesh->GetSite(link.a).area == area ? 1 : 0) +
                          (m_mesh->GetSite(link.b).area == area ? 1 : 0);
        // Two fibres, each counted half at each end.
        capacity += ends * static_cast<double>(link.wavelengths);
    }
    const double time = std::min(m_time, m_loads.rules.duration);
    return capacity * time > 0 ? m_litTime[static_cast<std::size_t>(area)] / (capacity * time) : 0;
}

double
IcciManager::GetWavelengthUse() const
{
    const double time = std::min(m_time, m_loads.rules.duration);
    double all = 0;
    for (const double lit : m_litTime)
    {
        all += lit;
    }
    return time > 0 ? all / (static_cast<double>(m_wavelengths.GetCapacity()) * time) : 0;
}

std::vector<double>
IcciManager::GetWavelengthUse(double from, double to) const
{
    std::vector<double> use(m_mesh->GetNLinks());
    for (const LitChange& change : m_litChanges)
    {
        use[change.link] += change.wavelengths * std::max(0.0, to - std::max(change.time, from));
    }
    for (uint32_t link = 0; link < m_mesh->GetNLinks(); ++link)
    {
        use[link] /= 2.0 * m_mesh->GetLink(link).wavelengths * (to - from);
    }
    return use;
}

const OtnPath*
IcciManager::Route(uint32_t from, uint32_t to, uint32_t links) const
{
    const auto known = m_mesh->GetPaths(from, to);
    const OtnPath* best = &known.front();
    // If only the shortest path is considered, its free wavelengths do not matter.
    uint32_t most = links ? m_wavelengths.CountFree(*best, GetRouting()) : 0;
    for (std::size_t k = 1; k < std::min<std::size_t>(known.size(), links + 1); ++k)
    {
        const uint32_t free = m_wavelengths.CountFree(known[k], GetRouting());
        if (free > most)
        {
            most = free;
            best = &known[k];
        }
    }
    return best;
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
    const auto& ring = GetRing(choice);
    const auto& present = m_tasks[m_question.task].lightpaths;
    uint32_t least = UINT32_MAX;
    for (std::size_t i = 0; i < ring.size(); ++i)
    {
        const uint32_t from = ring[i];
        const uint32_t to = ring[(i + 1) % ring.size()];
        uint32_t count = m_wavelengths.CountFree(*Route(from, to, choice.links), GetRouting());
        if (const auto lit = FindLit(present, from, to); lit < present.size())
        {
            count = std::max(count, present[lit].GetCount());
        }
        least = std::min(least, count);
    }
    return least;
}

uint32_t
IcciManager::CountHops(const IcciChoice& choice) const
{
    const auto& ring = GetRing(choice);
    std::size_t hops = 0;
    for (std::size_t i = 0; i < ring.size(); ++i)
    {
        hops += Route(ring[i], ring[(i + 1) % ring.size()], choice.links)->size();
    }
    return static_cast<uint32_t>(hops);
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
    Extinguish(record.transfers);
    Extinguish(record.lit.added);
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
        CountLit({&before, 1}, -1);
        CountLit({&after, 1}, 1);
    }
    return found;
}

} // namespace ns3::odcn
