// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-migration.h"

#include "icci-day-figures.h"
#include "icci-move-features.h"

#include "ns3/assert.h"
#include "ns3/odcn-attributes.h"

#include <algorithm>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(IcciMigration);

namespace
{

/// Sp, Mt, Re, To.
constexpr uint32_t SLOT_FEATURES = 4;

} // namespace

TypeId
IcciMigration::GetTypeId()
{
    using T = IcciMigration;
    static TypeId tid =
        TypeIdOf<IcciMigration, DecisionProblem>("ns3::odcn::IcciMigration")
            .Add(Attribute("Wavelengths", &T::m_wide, false),
                 "Whether routing and wavelengths are decided too (DeepHM-DWA).")
            .Add(Attribute("Offer",
                           &T::m_offer,
                           Offer::FREE,
                           {{Offer::FREE, "Free"}, {Offer::FORESEEN, "Foreseen"}}),
                 "Meaning of To: Free (CUs free in centres that workers would move to) "
                 "or Foreseen (hotspot blocks avoided with the mean tide).")
            .Add(Attribute("State",
                           &T::m_state,
                           State::PAPER,
                           {{State::PAPER, "Paper"}, {State::MOVES, "Moves"}}),
                 "Features that describe a question: Paper (the paper's state) or Moves "
                 "(IcciMoveFeatures of every action).")
            .Add(Attribute("Alpha", &T::m_alpha, 6, 0), "Weight of a hotspot block avoided.")
            .Add(Attribute("Beta", &T::m_beta, 2, 0),
                 "Weight of the reduction of the largest load, a share of a centre's CUs.")
            .Add(Attribute("Gamma", &T::m_gamma, 2, 0), "Weight of a hop saved, with Wavelengths.")
            .Add(Attribute("Phi", &T::m_phi, 2, 0),
                 "Weight of a wavelength gained, with Wavelengths.")
            .Add(Attribute("Eta", &T::m_eta, 1, 0), "Weight of a worker moved.");
    return tid;
}

IcciMigration::IcciMigration()
    : m_seeds(CreateObject<UniformRandomVariable>())
{
    AwaitReset();
}

void
IcciMigration::SetManager(Ptr<IcciManager> manager)
{
    m_manager = manager;
}

void
IcciMigration::SetTasks(Ptr<IcciTaskGenerator> tasks)
{
    m_tasks = tasks;
}

void
IcciMigration::SetTide(Ptr<IcciTide> tide)
{
    m_tide = tide;
}

uint32_t
IcciMigration::GetNActions() const
{
    Require(static_cast<bool>(m_manager), "SetManager() first");
    const uint32_t slots = m_manager->GetMaxRings() * m_manager->GetNSlots();
    return m_wide ? slots * m_manager->GetNLinks() + 2 : slots + 1;
}

std::vector<uint32_t>
IcciMigration::GetObservationShape() const
{
    if (m_state == MOVES)
    {
        return {IcciMoveFeatures::COUNT, GetNActions()};
    }
    const uint32_t k = m_manager->GetMaxRings();
    const uint32_t m = m_manager->GetNSlots();
    const uint32_t l = m_manager->GetNLinks();
    const uint32_t narrow = 2 + SLOT_FEATURES * m * k;
    return {m_wide ? narrow + 1 + l * k + l * m : narrow};
}

std::vector<std::string>
IcciMigration::GetFormAttributes() const
{
    return {"State", "Offer", "Wavelengths"};
}

std::vector<std::string>
IcciMigration::GetFeatureNames() const
{
    return m_state == MOVES ? IcciMoveFeatures::GetNames() : std::vector<std::string>();
}

DecisionProblem::Bounds
IcciMigration::GetObservationBounds() const
{
    if (m_state == MOVES)
    {
        return DecisionProblem::GetObservationBounds();
    }
    Bounds bounds(GetObservationSize(), NON_NEGATIVE);
    const uint32_t rings = m_manager->GetMaxRings();
    auto offer = bounds.begin() + 2 + (m_wide ? m_manager->GetNLinks() * rings : 0) - 1;
    for (uint32_t i = 0; i < rings * m_manager->GetNSlots(); ++i)
    {
        *(offer += SLOT_FEATURES) = UNBOUNDED;
    }
    return bounds;
}

IcciChoice
IcciMigration::GetChoice(uint32_t action) const
{
    IcciChoice choice;
    if (action == 0)
    {
        return choice;
    }
    choice.wider = m_wide;
    if (m_wide && action == GetNActions() - 1)
    {
        choice.candidate = IcciChoice::PRESENT;
        return choice;
    }
    uint32_t rest = action - 1;
    if (m_wide)
    {
        choice.links = rest % m_manager->GetNLinks();
        rest /= m_manager->GetNLinks();
    }
    choice.slot = rest % m_manager->GetNSlots();
    choice.candidate = rest / m_manager->GetNSlots();
    return choice;
}

double
IcciMigration::GetReward(const IcciGain& gain) const
{
    const double narrow = m_alpha * gain.hot + m_beta * gain.use - m_eta * gain.moved;
    return m_wide ? narrow + m_gamma * gain.hops - m_phi * gain.wavelengths : narrow;
}

double
IcciMigration::GetOffer(uint32_t ring, uint32_t slot) const
{
    const IcciChoice choice{.candidate = ring, .slot = slot};
    if (m_offer == FORESEEN)
    {
        return m_manager->GetGain(choice).hot / 10;
    }
    double free = 0;
    for (const auto& move : m_manager->GetQuestion().Get(choice).moves)
    {
        free += m_manager->GetCusPerCentre() - m_manager->GetLoad(move.second);
    }
    return free / 100;
}

void
IcciMigration::Observe(float* out) const
{
    RequireDecision();
    std::fill(out, out + GetObservationSize(), 0.0F);
    if (m_state == PAPER)
    {
        ObserveAsPaper(out);
        return;
    }
    const uint32_t n = GetNActions();
    IcciMoveFeatures features;
    IcciMoveFeatures::Row row;
    features.Begin(*m_manager);
    for (uint32_t action = 1; action < n; ++action)
    {
        const IcciChoice choice = GetChoice(action);
        if (!m_manager->GetQuestion().Has(choice))
        {
            continue;
        }
        features.Describe(*m_manager, choice, row);
        for (uint32_t f = 0; f < IcciMoveFeatures::COUNT; ++f)
        {
            out[std::size_t{f} * n + action] = row[f];
        }
    }
}

void
IcciMigration::ObserveAsPaper(float* out) const
{
    const IcciQuestion& question = m_manager->GetQuestion();
    const IcciTaskState& task = m_manager->GetTasks()[question.task];
    const auto rings = static_cast<uint32_t>(question.candidates.size());
    const auto put = [&](double value) { *out++ = static_cast<float>(value); };
    put(static_cast<double>(task.task.source) / m_manager->GetMesh()->GetNSites());
    put((task.task.workers - 1) / 10.0);
    for (uint32_t k = 0; m_wide && k < m_manager->GetMaxRings(); ++k)
    {
        for (uint32_t l = 0; l < m_manager->GetNLinks(); ++l)
        {
            const IcciChoice choice{.candidate = k, .links = l};
            put(k < rings ? m_manager->CountHops(choice) / 10.0 : 0);
        }
    }
    for (uint32_t k = 0; k < m_manager->GetMaxRings(); ++k)
    {
        for (uint32_t m = 0; m < m_manager->GetNSlots(); ++m)
        {
            if (k >= rings)
            {
                out += SLOT_FEATURES;
                continue;
            }
            const IcciChoice choice{.candidate = k, .slot = m};
            put(m_manager->GetStart(choice) / IcciTide::DAY);
            put(m_manager->GetDowntime(choice) / 10);
            put(static_cast<double>(question.candidates[k].moves.size()) * task.demand.cus / 100.0);
            put(GetOffer(k, m));
        }
    }
    if (m_wide)
    {
        put(task.wavelengths / 10.0);
        for (uint32_t l = 0; l < m_manager->GetNLinks(); ++l)
        {
            const double count = m_manager->CountWavelengths({.candidate = 0, .links = l}) / 40.0;
            for (uint32_t m = 0; m < m_manager->GetNSlots(); ++m)
            {
                put(count);
            }
        }
    }
}

void
IcciMigration::Mask(uint8_t* out) const
{
    RequireDecision();
    const IcciQuestion& question = m_manager->GetQuestion();
    const IcciTaskState& task = m_manager->GetTasks()[question.task];
    const uint32_t n = GetNActions();
    for (uint32_t action = 0; action < n; ++action)
    {
        const IcciChoice choice = GetChoice(action);
        bool feasible = choice.candidate == IcciChoice::STAY;
        if (choice.candidate < question.candidates.size())
        {
            // What will be free at a later start is unknown.
            feasible = choice.slot > 0 || m_manager->CountWavelengths(choice) >= task.demand.bus;
        }
        else if (choice.candidate == IcciChoice::PRESENT)
        {
            feasible = task.wavelengths < m_manager->GetMostWavelengths(task) &&
                       m_manager->CountWavelengths(choice) > task.wavelengths;
        }
        out[action] = feasible;
    }
}

void
IcciMigration::Act(uint32_t action)
{
    RequireAction(action);
    const IcciChoice choice = GetChoice(action);
    Pending pending;
    if (m_manager->GetQuestion().Has(choice))
    {
        pending.reward = GetReward(m_manager->GetTrueGain(choice));
    }
    // The manager may have been reset by the caller, see Continue().
    if (m_manager->GetCounters().questions == 1)
    {
        m_asked.assign(m_manager->GetTasks().size(), 0);
    }
    ++m_asked[m_manager->GetQuestion().task];
    pending.migration = m_manager->Decide(choice);
    m_pending.push_back(pending);
    Continue();
}

void
IcciMigration::Continue()
{
    BeginEpisode();
    m_done = !m_manager->Advance() && !m_manager->IsHeld();
    Settle();
    if (!m_done)
    {
        return;
    }
    const IcciPool& pool = m_manager->GetPool();
    for (std::size_t block = 0; block < pool.GetNBlocks(); ++block)
    {
        for (uint32_t centre = 0; centre < pool.GetNCentres(); ++centre)
        {
            m_score.total += pool.IsHotBlock(centre, block);
        }
    }
    m_score.count += static_cast<double>(pool.GetNBlocks() * pool.GetNCentres());
    if (m_alpha == 0)
    {
        return;
    }
    m_score.total += m_eta * static_cast<double>(m_manager->GetCounters().movedWorkers) / m_alpha;
    for (const auto& migration : m_manager->GetMigrations())
    {
        if (!m_wide || migration.phase != IcciMigrationRecord::COMPLETE)
        {
            continue;
        }
        const double hops = static_cast<double>(migration.hopsAfter) - migration.hopsBefore;
        const double wavelengths =
            static_cast<double>(migration.wavelengthsAfter) - migration.wavelengthsBefore;
        m_score.total += (m_gamma * hops - m_phi * wavelengths) / m_alpha;
    }
}

void
IcciMigration::Settle()
{
    std::size_t known = 0;
    for (; known < m_pending.size(); ++known)
    {
        const Pending& pending = m_pending[known];
        double reward = 0;
        DecisionOutcome outcome{.placed = false, .cause = "none"};
        if (pending.migration != IcciManager::NO_MIGRATION)
        {
            const auto phase = m_manager->GetMigrations()[pending.migration].phase;
            if (phase == IcciMigrationRecord::PLANNED)
            {
                break;
            }
            outcome.placed = phase != IcciMigrationRecord::FAILED;
            outcome.cause = outcome.placed ? "" : "failed";
            reward = outcome.placed ? pending.reward : 0;
        }
        m_rewards.push_back(static_cast<float>(reward));
        SettleRewards(outcome);
    }
    m_pending.erase(m_pending.begin(), m_pending.begin() + static_cast<std::ptrdiff_t>(known));
}

void
IcciMigration::Reset()
{
    Require(m_manager && m_tasks && m_tide, "SetManager(), SetTasks() and SetTide() first");
    Require(m_manager->GetMesh() != nullptr, "IcciManager::SetMesh() first");
    m_pending.clear();
    m_rewards.clear();
    m_manager->GetMesh()->CheckAreas();
    const auto areas = m_manager->GetAreas();
    m_manager->Reset(m_tasks->Draw(static_cast<uint32_t>(areas.size())),
                     m_tide->Draw(areas),
                     m_seeds->GetInteger(0, 0x7fffffff));
    Continue();
}

int64_t
IcciMigration::AssignStreams(int64_t stream)
{
    Require(m_tasks && m_tide, "SetTasks() and SetTide() first");
    int64_t next = stream;
    next += m_tasks->AssignStreams(next);
    next += m_tide->AssignStreams(next);
    m_seeds->SetStream(next++);
    return next - stream;
}

std::string
IcciMigration::GetScoreName() const
{
    return "cost";
}

std::vector<FigureOfMerit>
IcciMigration::GetFigures() const
{
    std::vector<FigureOfMerit> figures = GetIcciDayFigures();
    if (m_manager && m_manager->GetFaults())
    {
        figures.push_back(FigureOfMerit::Share("interrupted_share", "interrupted"));
        figures.push_back({.name = "rerouted", .title = "rerouted", .unit = "a day"});
        figures.push_back(FigureOfMerit::Share("availability", "available").Rising());
    }
    return figures;
}

std::vector<FigureValue>
IcciMigration::MeasureFigures() const
{
    RequireBegun();
    std::vector<FigureValue> values = MeasureIcciDay(*m_manager);
    if (const auto& faults = m_manager->GetFaults())
    {
        const IcciCounters& counters = m_manager->GetCounters();
        const double arrived = std::max<double>(1, static_cast<double>(counters.arrived));
        values.push_back({static_cast<double>(counters.interrupted) / arrived});
        values.push_back({static_cast<double>(counters.rerouted)});
        values.push_back({faults->GetAvailability(m_manager->GetTime())});
    }
    return values;
}

std::vector<std::string>
IcciMigration::GetCauses() const
{
    return {"none", "failed"};
}

DecisionTally
IcciMigration::GetTally() const
{
    RequireBegun();
    const IcciCounters& counters = m_manager->GetCounters();
    const uint64_t blocked = counters.blockedCus + counters.blockedWavelengths;
    return {
        .offered = counters.arrived,
        .accepted = counters.arrived - blocked,
        .interrupted = counters.interrupted,
        .blocked = {{"cus", counters.blockedCus}, {"wavelengths", counters.blockedWavelengths}}};
}

uint64_t
IcciMigration::GetNDecided() const
{
    return m_manager ? m_manager->GetCounters().arrived : 0;
}

uint64_t
IcciMigration::GetDecisionKey() const
{
    RequireDecision();
    const uint32_t task = m_manager->GetQuestion().task;
    const uint32_t before = m_manager->GetCounters().questions == 1 ? 0 : m_asked[task];
    return uint64_t{task} << 32 | before;
}

std::vector<Ptr<Object>>
IcciMigration::GetParts() const
{
    return {m_manager, m_tide, m_tasks};
}

} // namespace ns3::odcn
