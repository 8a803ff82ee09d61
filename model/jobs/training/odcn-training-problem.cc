// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-problem.h"

#include "odcn-squash.h"
#include "odcn-training-racks.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-packet-messages.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(TrainingProblem);

namespace
{

/// Index of the feature crossing.
constexpr uint32_t CROSSING = 5;

} // namespace

TypeId
TrainingProblem::GetTypeId()
{
    using T = TrainingProblem;
    static TypeId tid =
        TypeIdOf<TrainingProblem, DecisionProblem>("ns3::odcn::TrainingProblem")
            .Add(Attribute("Design", &T::m_designName, "torus"),
                 "Name of a FabricDesign, one of TrainingLinks")
            .Add(Attribute("Racks", &T::m_racks, 8, 2, 4096), "Number of racks")
            .Add(Attribute("Servers", &T::m_servers, 4, 1, 4096), "Servers of a rack")
            .Add(Attribute("Uplinks", &T::m_uplinks, 2, 1, 64), "Uplinks of a rack")
            .Add(Attribute("Gbps", &T::m_gbps, 10, 1e-3, 1e6), "Rate of all links, Gb/s")
            .Add(
                Attribute("Load", &T::m_load, "ns3::UniformRandomVariable[Min=0.5|Max=0.9]"),
                "Mean share of the servers that are in use if each job takes its time alone; drawn "
                "for each episode, above 0")
            .Add(Attribute("Sharing", &T::m_isShared, true),
                 "Whether links limit jobs; without, each takes its time alone, and figures are "
                 "those that no placement can improve on")
            .Add(Attribute("Reward",
                           &T::m_reward,
                           SLOWDOWN,
                           {{SLOWDOWN, "Slowdown"}, {TIME, "Time"}}),
                 "Time of a job counts as a share of its time alone, or of the mean of all jobs'");
    return tid;
}

TrainingProblem::TrainingProblem()
    // Created here: threads that run episodes must not create objects, see ns-3's reference counts.
    : m_mix(CreateObject<TrainingMix>()),
      m_any(CreateObject<UniformRandomVariable>())
{
    AwaitReset();
}

std::vector<Ptr<Object>>
TrainingProblem::GetParts() const
{
    return {m_mix};
}

uint32_t
TrainingProblem::GetNActions() const
{
    return m_racks + RULES;
}

std::vector<uint32_t>
TrainingProblem::GetObservationShape() const
{
    return {FEATURES, GetNActions()};
}

std::vector<std::string>
TrainingProblem::GetFeatureNames() const
{
    return {"longer-alone",
            "longer",
            "harm",
            "slowdown-of-others",
            "slowdown-of-all",
            "crossing",
            "hops",
            "busiest-link",
            "racks",
            "whole-racks",
            "largest-free",
            "wait",
            "waiting",
            "free",
            "size",
            "length",
            "communication",
            "first-end",
            "age"};
}

DecisionProblem::Bounds
TrainingProblem::GetObservationBounds() const
{
    return {GetObservationSize(), {-1.0F, 1.0F}};
}

int64_t
TrainingProblem::AssignStreams(int64_t stream)
{
    m_load->SetStream(stream);
    m_any->SetStream(stream + 1);
    return 2 + m_mix->AssignStreams(stream + 2);
}

void
TrainingProblem::SetDesign(const FabricDesign& design)
{
    const FabricSize& size = design.GetSize();
    m_design = design;
    m_racks = size.racks;
    m_servers = size.servers;
    m_uplinks = size.uplinks;
    m_gbps = size.gbps;
    m_linksOf.clear();
    AwaitReset();
}

FabricDesign
TrainingProblem::MakeDesign() const
{
    if (m_design)
    {
        return *m_design;
    }
    FabricSize size;
    size.racks = m_racks;
    size.servers = m_servers;
    size.uplinks = m_uplinks;
    size.gbps = m_gbps;
    return FabricDesign::Find(m_designName, size, "Design");
}

Collective::Link
TrainingProblem::GetLink() const
{
    const FabricSize size = m_design ? m_design->GetSize() : FabricSize{.gbps = m_gbps};
    return PacketMessages::GetLink(size.delay * 1e-9,
                                   std::min(size.gbps, size.GetServerGbps()) * 1e9);
}

void
TrainingProblem::Reset()
{
    const double load = m_load->GetValue();
    std::vector<TrainingMix::Job> jobs = m_mix->Draw(m_racks * m_servers, load, GetLink());
    const std::string linksOf = m_designName + " " + std::to_string(m_racks) + " " +
                                std::to_string(m_servers) + " " + std::to_string(m_uplinks) + " " +
                                FormatNumber(m_gbps);
    if (linksOf != m_linksOf)
    {
        m_links = std::make_shared<const TrainingLinks>(MakeDesign(), 0);
        m_linksOf = linksOf;
        m_mostHops = 1;
        for (uint32_t pair = 0; pair < m_racks * m_racks; ++pair)
        {
            m_mostHops = std::max(m_mostHops, m_links->GetHops(pair / m_racks, pair % m_racks));
        }
    }
    AwaitReset();
    m_jobs = std::move(jobs);
    m_meanAlone = 0;
    for (const TrainingMix::Job& job : m_jobs)
    {
        m_meanAlone += job.GetAlone() / static_cast<double>(m_jobs.size());
    }
    m_fluid.SetLinks(m_links);
    m_places.assign(m_jobs.size(), {});
    m_isUsed.assign(std::size_t{m_racks} * m_servers, false);
    m_freeOf.assign(m_racks, m_servers);
    m_free = m_racks * m_servers;
    m_queue.clear();
    m_next = 0;
    m_nPlaced = 0;
    m_isAsked = false;
    m_isFollowing = false;
    m_done = false;
    m_rewards.clear();
    m_figures.assign(GetFigures().size(), {0, 0});
    GoOn();
    BeginEpisode();
}

double
TrainingProblem::Pass()
{
    const double now = m_fluid.GetNow();
    const double arrival =
        m_next < m_jobs.size() ? m_jobs[m_next].arrival : std::numeric_limits<double>::infinity();
    std::vector<uint32_t> present(m_queue.begin(), m_queue.end());
    for (const TrainingFluid::Job& job : m_fluid.GetJobs())
    {
        present.push_back(job.id);
    }
    const uint32_t ended = m_fluid.Advance(arrival);
    double reward = 0;
    for (const uint32_t job : present)
    {
        reward -= (m_fluid.GetNow() - now) /
                  (m_reward == SLOWDOWN ? m_jobs[job].GetAlone() : m_meanAlone);
    }
    m_isAsked = false;
    if (ended == TrainingFluid::NONE)
    {
        m_queue.push_back(m_next++);
        return reward;
    }
    SetUsed(m_places[ended], false);
    const double time = m_fluid.GetNow() - m_jobs[ended].arrival;
    const double slowdown = time / m_jobs[ended].GetAlone();
    m_score.total += slowdown;
    ++m_score.count;
    const auto count = [&](std::size_t figure, double value)
    {
        m_figures[figure].total += value;
        ++m_figures[figure].count;
    };
    count(0, time);
    count(1, slowdown);
    return reward;
}

double
TrainingProblem::GoOn()
{
    double reward = 0;
    while (m_isAsked || m_queue.empty() || m_jobs[m_queue.front()].kind.sketch->ranks > m_free)
    {
        if (m_next == m_jobs.size() && m_fluid.GetJobs().empty())
        {
            m_done = true; // a job can wait only for others
            return reward;
        }
        reward += Pass();
    }
    const TrainingMix::Job& job = m_jobs[m_queue.front()];
    Present present;
    present.sketch = job.kind.sketch;
    present.iterations = job.iterations;
    present.age = m_fluid.GetNow() - job.arrival;
    present.waiting = static_cast<uint32_t>(m_queue.size() - 1);
    present.running = m_fluid.GetJobs();
    for (const TrainingFluid::Job& other : present.running)
    {
        present.totals.push_back(m_jobs[other.id].iterations);
    }
    Propose(std::move(present));
    return reward;
}

TrainingProblem::Question
TrainingProblem::GetQuestion() const
{
    RequireDecision();
    Require(!m_isFollowing, "a decision of its own, before Follow()");
    const TrainingMix::Job& job = m_jobs[m_queue.front()];
    Question question{job.kind.sketch,
                      job.iterations,
                      m_fluid.GetNow() - job.arrival,
                      static_cast<uint32_t>(m_queue.size() - 1),
                      {}};
    for (const TrainingFluid::Job& other : m_fluid.GetJobs())
    {
        question.running.push_back(
            {other.sketch, m_places[other.id], m_jobs[other.id].iterations, other.iterations});
    }
    return question;
}

void
TrainingProblem::SetUsed(const std::vector<uint32_t>& places, bool isUsed)
{
    for (const uint32_t place : places)
    {
        m_isUsed[place] = isUsed;
        m_freeOf[place / m_servers] += isUsed ? -1 : 1;
        m_free += isUsed ? -1 : 1;
    }
}

std::vector<uint32_t>
TrainingProblem::TakeFree(const std::vector<uint32_t>& racks, uint32_t ranks) const
{
    std::vector<uint32_t> places;
    for (const uint32_t rack : racks)
    {
        for (uint32_t place = rack * m_servers; place < (rack + 1) * m_servers; ++place)
        {
            if (!m_isUsed[place] && places.size() < ranks)
            {
                places.push_back(place);
            }
        }
    }
    return places;
}

std::vector<uint32_t>
TrainingProblem::TakeGrouped(const std::vector<uint32_t>& racks, const TrainingSketch& sketch) const
{
    std::vector<uint32_t> sizes;
    for (const uint32_t rack : racks)
    {
        sizes.push_back(m_freeOf[rack]);
    }
    return sketch.bytes.Arrange(sizes, TakeFree(racks, sketch.ranks));
}

std::vector<uint32_t>
TrainingProblem::FindNear(uint32_t anchor, uint32_t ranks) const
{
    std::vector<uint32_t> racks{anchor};
    std::vector<double> far(m_racks, 0); // links to all racks so far
    std::vector<bool> isTaken(m_racks, false);
    isTaken[anchor] = true;
    for (uint32_t free = m_freeOf[anchor]; free < ranks; free += m_freeOf[racks.back()])
    {
        uint32_t best = m_racks;
        for (uint32_t rack = 0; rack < m_racks; ++rack)
        {
            far[rack] += m_links->GetHops(racks.back(), rack);
            if (!isTaken[rack] && m_freeOf[rack] > 0 &&
                (best == m_racks || far[rack] < far[best] ||
                 (far[rack] == far[best] && m_freeOf[rack] > m_freeOf[best])))
            {
                best = rack;
            }
        }
        isTaken[best] = true;
        racks.push_back(best);
    }
    return racks;
}

void
TrainingProblem::Propose(Present present)
{
    std::vector<const TrainingFluid::Job*> running;
    for (const TrainingFluid::Job& job : present.running)
    {
        running.push_back(&job);
    }
    present.times = TrainingFluid::Estimate(*m_links, running);
    const uint32_t ranks = present.sketch->ranks;
    m_candidates.assign(GetNActions(), {});
    for (uint32_t rack = 0; rack < m_racks; ++rack)
    {
        if (m_freeOf[rack] > 0)
        {
            m_candidates[rack].places = TakeGrouped(FindNear(rack, ranks), *present.sketch);
        }
    }
    const std::vector<uint32_t> all = TrainingRacks::GetAll(m_racks);
    m_candidates[GetAction(FIRST)].places = TakeFree(all, ranks);
    std::vector<uint32_t>& any = m_candidates[GetAction(RANDOM)].places;
    any = TakeFree(all, m_free);
    for (uint32_t i = 0; i < ranks; ++i)
    {
        std::swap(any[i], any[m_any->GetInteger(i, m_free - 1)]);
    }
    any.resize(ranks);
    m_candidates[GetAction(PACKING)].places =
        TakeFree(TrainingRacks::GetFewestFirst(m_freeOf), ranks);
    m_candidates[GetAction(LOCALITY)].places =
        TakeFree(TrainingRacks::GetLocal(m_freeOf, ranks), ranks);
    m_candidates[GetAction(MAX_WEIGHT)].places =
        TakeGrouped(TrainingRacks::GetTightest(m_freeOf, ranks), *present.sketch);
    for (Candidate& candidate : m_candidates)
    {
        candidate.feasible = !candidate.places.empty();
    }
    m_candidates[GetAction(WAIT)].feasible = !present.running.empty();
    for (Candidate& candidate : m_candidates)
    {
        Describe(present, candidate);
    }
}

void
TrainingProblem::Describe(const Present& present, Candidate& candidate) const
{
    if (!candidate.feasible)
    {
        candidate.features.assign(FEATURES, -1);
        return;
    }
    const TrainingSketch& sketch = *present.sketch;
    const uint32_t ranks = sketch.ranks;
    const double alone = sketch.GetAlone();
    const double whole = alone * present.iterations;
    const bool waits = candidate.places.empty();
    double longer = 0;
    double harm = 0;
    double firstEnd = std::numeric_limits<double>::infinity();
    double left = 0;
    double busiest = 0;
    double crossing = 0;
    double hops = 0;
    TrainingFluid::Job own;
    std::vector<const TrainingFluid::Job*> all;
    for (std::size_t i = 0; i < present.running.size(); ++i)
    {
        const double rest = present.running[i].iterations * present.times[i];
        firstEnd = std::min(firstEnd, rest);
        left += rest / static_cast<double>(present.running.size());
        all.push_back(&present.running[i]);
    }
    std::vector<double> times = present.times;
    if (!waits)
    {
        own.sketch = present.sketch;
        own.loads = m_links->GetLoads(sketch.bytes, candidate.places);
        own.loads = m_isShared ? own.loads : TrainingLinks::Loads{};
        own.communication = std::max(sketch.communication, m_links->GetTime(own.loads));
        longer = 1 - alone / (sketch.computation + own.communication);
        all.push_back(&own);
        times = TrainingFluid::Estimate(*m_links, all);
        candidate.slowdown = times.back() / alone;
        for (uint32_t from = 0; from < ranks; ++from)
        {
            for (const auto& [to, bytes] : sketch.bytes.GetSent(from))
            {
                const uint32_t a = candidate.places[from] / m_servers;
                const uint32_t b = candidate.places[to] / m_servers;
                crossing += a != b ? static_cast<double>(bytes) : 0;
                hops += m_links->GetHops(a, b) * static_cast<double>(bytes);
            }
        }
    }
    std::vector<double> sent(m_links->GetNLinks(), 0);
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        for (const auto& [link, bytes] : all[i]->loads)
        {
            sent[link] += bytes / times[i] / m_links->GetCapacity(link);
            busiest = std::max(busiest, sent[link]);
        }
    }
    for (std::size_t i = 0; i < present.running.size(); ++i)
    {
        const TrainingFluid::Job& other = present.running[i];
        const double lost = other.iterations * std::max(0.0, times[i] - present.times[i]);
        harm += lost;
        candidate.added += lost / (present.totals[i] * other.sketch->GetAlone());
    }
    std::vector<uint32_t> freeOf = m_freeOf;
    std::vector<bool> isUsed(m_racks, false);
    for (const uint32_t place : candidate.places)
    {
        --freeOf[place / m_servers];
        isUsed[place / m_servers] = true;
    }
    const auto total = static_cast<double>(std::max<uint64_t>(1, sketch.bytes.GetTotal()));
    const auto share = [](double part, double all) { return static_cast<float>(part / all); };
    candidate.features = {
        static_cast<float>(longer),
        waits ? 0 : static_cast<float>(1 - 1 / candidate.slowdown),
        Squash(harm / whole),
        Squash(candidate.added),
        waits ? 0 : static_cast<float>(1 - 1 / (candidate.slowdown + candidate.added)),
        share(crossing, total),
        share(hops, total * m_mostHops),
        static_cast<float>(std::min(1.0, busiest)),
        share(static_cast<double>(std::ranges::count(isUsed, true)), m_racks),
        share(static_cast<double>(std::ranges::count(freeOf, m_servers)), m_racks),
        share(std::ranges::max(freeOf), m_servers),
        waits ? 1.0F : 0.0F,
        Squash(present.waiting / 4.0),
        share(m_free, static_cast<double>(m_isUsed.size())),
        share(ranks, static_cast<double>(m_isUsed.size())),
        left > 0 ? Squash(whole / left) : 1.0F,
        share(sketch.communication, alone),
        left > 0 ? Squash(firstEnd / whole) : 0.0F,
        Squash(present.age / whole),
    };
}

void
TrainingProblem::Observe(float* out) const
{
    RequireDecision();
    const uint32_t actions = GetNActions();
    for (uint32_t action = 0; action < actions; ++action)
    {
        for (uint32_t feature = 0; feature < FEATURES; ++feature)
        {
            out[feature * actions + action] = m_candidates[action].features[feature];
        }
    }
}

void
TrainingProblem::Mask(uint8_t* out) const
{
    RequireDecision();
    for (const Candidate& candidate : m_candidates)
    {
        *out++ = candidate.feasible ? 1 : 0;
    }
}

void
TrainingProblem::Act(uint32_t action)
{
    RequireAction(action);
    if (m_isFollowing)
    {
        throw OdcnError("TrainingProblem: Act() after Follow(), expected Reset()");
    }
    const bool isFeasible = m_candidates[action].feasible;
    if (isFeasible && action == GetAction(WAIT))
    {
        m_isAsked = true;
    }
    else
    {
        const Candidate& taken = m_candidates[isFeasible ? action : GetAction(FIRST)];
        const uint32_t index = m_queue.front();
        const TrainingMix::Job& job = m_jobs[index];
        m_places[index] = taken.places;
        m_queue.pop_front();
        SetUsed(taken.places, true);
        ++m_nPlaced;
        TrainingLinks::Loads loads;
        if (m_isShared)
        {
            loads = m_links->GetLoads(job.kind.sketch->bytes, taken.places);
        }
        m_figures[2].total += m_fluid.GetNow() - job.arrival;
        ++m_figures[2].count;
        m_figures[3].total += taken.features[CROSSING];
        ++m_figures[3].count;
        m_fluid.Start(index, job.kind.sketch, std::move(loads), job.iterations);
    }
    m_rewards.push_back(static_cast<float>(GoOn()));
    SettleRewards({});
}

void
TrainingProblem::Follow(const Question& question)
{
    RequireBegun();
    Present present;
    present.sketch = question.sketch;
    present.iterations = question.iterations;
    present.age = question.age;
    present.waiting = question.waiting;
    m_isUsed.assign(m_isUsed.size(), false);
    m_freeOf.assign(m_racks, m_servers);
    m_free = m_racks * m_servers;
    for (const Running& job : question.running)
    {
        SetUsed(job.places, true);
        TrainingFluid::Job other;
        other.sketch = job.sketch;
        other.loads =
            m_isShared ? m_links->GetLoads(job.sketch->bytes, job.places) : TrainingLinks::Loads{};
        other.communication = std::max(job.sketch->communication, m_links->GetTime(other.loads));
        other.iterations = job.left;
        present.running.push_back(std::move(other));
        present.totals.push_back(job.iterations);
    }
    Require(present.sketch->ranks <= m_free, "as many free servers as the job has ranks");
    m_isFollowing = true;
    m_done = false;
    Propose(std::move(present));
}

std::string
TrainingProblem::GetScoreName() const
{
    return "slowdown";
}

void
TrainingProblem::ClearScore()
{
    DecisionProblem::ClearScore();
}

std::vector<FigureOfMerit>
TrainingProblem::GetFigures() const
{
    using Kind = FigureOfMerit::Kind;
    return {{.name = "mean_time",
             .title = "time",
             .unit = "ms",
             .scale = 1e3,
             .kind = Kind::RATIO,
             .compare = FigureOfMerit::Compare::CHANGE},
            {.name = "slowdown",
             .title = "slowdown",
             .kind = Kind::RATIO,
             .compare = FigureOfMerit::Compare::CHANGE},
            {.name = "waiting_time",
             .title = "waiting",
             .unit = "ms",
             .scale = 1e3,
             .kind = Kind::RATIO},
            FigureOfMerit::Share("crossing", "bytes that leave racks", Kind::RATIO)};
}

std::vector<FigureValue>
TrainingProblem::MeasureFigures() const
{
    return m_figures;
}

DecisionTally
TrainingProblem::GetTally() const
{
    return {.offered = m_next, .accepted = m_nPlaced};
}

uint64_t
TrainingProblem::GetNDecided() const
{
    return m_nPlaced;
}

} // namespace ns3::odcn
