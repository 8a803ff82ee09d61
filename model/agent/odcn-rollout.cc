// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-rollout.h"

#include "odcn-agent-seed.h"
#include "odcn-returns.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace odcn
{

namespace
{

/// Rows that a network sees at once: more gains little, and fewer groups balance badly.
constexpr std::size_t GROUP = 8;
/// An environment that owes more rewards than this has lost them.
constexpr std::size_t MOST_OWED = 1000000;

/// @param v values  @param n how many to remove at the front
template <typename T>
void
Drop(std::vector<T>& v, std::size_t n)
{
    v.erase(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(n));
}

} // namespace

void
OdcnExperience::DropFirst(std::size_t n)
{
    const std::size_t samples = actions.size();
    Drop(observations, observations.size() / samples * n);
    Drop(masks, masks.size() / samples * n);
    Drop(actions, n);
    Drop(chances, n);
    Drop(ends, n);
    Drop(rewards, n);
}

void
OdcnExperience::Clear()
{
    observations.clear();
    masks.clear();
    actions.clear();
    chances.clear();
    ends.clear();
    rewards.clear();
}

OdcnRollout::OdcnRollout(std::vector<Ptr<OdcnDecisionProblem>> problems,
                         std::shared_ptr<OdcnThreadTeam> team)
    : m_actors(problems.size()),
      m_team(std::move(team)),
      m_workers(m_team->GetSize()),
      m_alone(problems.size())
{
    for (std::size_t i = 0; i < problems.size(); ++i)
    {
        m_actors[i].problem = problems[i];
        if (problems[i]->GetNActions() != problems[0]->GetNActions() ||
            problems[i]->GetObservationSize() != problems[0]->GetObservationSize())
        {
            throw OdcnError("the environments of one learner must be of one size");
        }
    }
}

int64_t
OdcnRollout::Restart(int64_t stream, uint64_t seed, bool alike)
{
    int64_t used = 0;
    for (std::size_t i = 0; i < m_actors.size(); ++i)
    {
        auto& actor = m_actors[i];
        const int64_t more = actor.problem->AssignStreams(stream + (alike ? 0 : used));
        used = alike ? std::max(used, more) : used + more;
        actor.problem->Reset();
        actor.problem->ClearScore();
        actor.experience.Clear();
        actor.foreign = 0;
        actor.random.seed(OdcnAgentSeed({seed, i}));
    }
    return used;
}

void
OdcnRollout::ForGroups(const std::function<void(std::span<Actor>, Worker&)>& body)
{
    const std::size_t n = m_actors.size();
    const std::size_t size =
        std::clamp<std::size_t>((n + m_workers.size() - 1) / m_workers.size(), 1, GROUP);
    m_team->Run((n + size - 1) / size,
                [&](std::size_t group, std::size_t worker)
                {
                    const std::size_t begin = group * size;
                    body({m_actors.data() + begin, std::min(size, n - begin)}, m_workers[worker]);
                });
}

void
OdcnRollout::Step(std::span<Actor> group,
                  Worker& worker,
                  const OdcnNetwork& network,
                  const OdcnExploration& exploration,
                  bool record,
                  const std::function<bool(const Actor&)>& enough) const
{
    const uint32_t nActions = network.GetNActions();
    const std::size_t size = network.GetObservationSize();
    worker.rows.resize(group.size() * size);
    worker.logits.resize(group.size() * nActions);
    worker.chances.resize(nActions);
    worker.mask.resize(nActions);
    for (;;)
    {
        worker.active.clear();
        for (auto& actor : group)
        {
            if (!enough(actor))
            {
                const std::size_t at = worker.active.size();
                if (record || !exploration.teacher)
                {
                    actor.problem->Observe(worker.rows.data() + at * size);
                }
                worker.active.push_back(&actor);
            }
        }
        if (worker.active.empty())
        {
            return;
        }
        if (!exploration.teacher)
        {
            network.Infer(worker.rows.data(),
                          static_cast<uint32_t>(worker.active.size()),
                          worker.logits.data(),
                          worker.scratch);
        }
        for (std::size_t i = 0; i < worker.active.size(); ++i)
        {
            Actor& actor = *worker.active[i];
            OdcnExperience& e = actor.experience;
            std::span<const uint8_t> mask;
            if (exploration.useMask)
            {
                actor.problem->Mask(worker.mask.data());
                mask = worker.mask;
            }
            uint32_t action = 0;
            float chance = 1.0F;
            const std::span<const float> logits(worker.logits.data() + i * nActions, nActions);
            if (exploration.teacher)
            {
                action = exploration.teacher->Decide(*actor.problem);
            }
            else if (exploration.epsilon >= 1.0 ||
                     (exploration.epsilon > 0.0 && OdcnUniform(actor.random) < exploration.epsilon))
            {
                OdcnSoftmax(logits, mask, worker.chances);
                action = OdcnRoulette(worker.chances, OdcnUniform(actor.random));
                chance = worker.chances[action];
            }
            else
            {
                action = OdcnArgMax(logits, mask);
            }
            if (record)
            {
                const float* row = worker.rows.data() + i * size;
                e.observations.insert(e.observations.end(), row, row + size);
                e.masks.insert(e.masks.end(), mask.begin(), mask.end());
                e.actions.push_back(action);
                e.chances.push_back(chance);
                e.ends.push_back(0);
            }
            actor.problem->Act(action);
            actor.problem->TakeRewards(e.rewards);
            ++actor.steps;
            actor.foreign += record ? 0 : 1;
            const auto foreign = std::min<uint64_t>(actor.foreign, e.rewards.size());
            Drop(e.rewards, foreign);
            actor.foreign -= foreign;
            const bool done = actor.problem->IsDone();
            if (e.rewards.size() > e.actions.size() ||
                e.actions.size() - e.rewards.size() > MOST_OWED ||
                (done && e.rewards.size() != e.actions.size()) || (done && actor.foreign > 0))
            {
                throw OdcnError("a decision problem must reward every action exactly once, found " +
                                std::to_string(e.rewards.size()) + " rewards for " +
                                std::to_string(e.actions.size()) + " actions");
            }
            if (done)
            {
                if (record)
                {
                    e.ends.back() = 1;
                }
                actor.problem->Reset();
            }
        }
    }
}

uint64_t
OdcnRollout::StepAll(const OdcnNetwork& network,
                     const OdcnExploration& exploration,
                     const std::function<bool(const Actor&)>& enough)
{
    auto body = [&](std::span<Actor> group, Worker& worker)
    { Step(group, worker, network, exploration, true, enough); };
    for (auto& actor : m_actors)
    {
        actor.steps = 0;
    }
    if (exploration.teacher)
    {
        // A rule may remember things: it is asked by one thread only.
        body(m_actors, m_workers[0]);
    }
    else
    {
        ForGroups(body);
    }
    uint64_t steps = 0;
    for (const auto& actor : m_actors)
    {
        steps += actor.steps;
    }
    return steps;
}

uint64_t
OdcnRollout::Collect(const OdcnNetwork& network,
                     const OdcnExploration& exploration,
                     uint32_t samples)
{
    return StepAll(network,
                   exploration,
                   [samples](const Actor& actor)
                   { return actor.experience.rewards.size() >= samples; });
}

uint64_t
OdcnRollout::CollectOne(std::size_t i,
                        const OdcnNetwork& network,
                        const OdcnExploration& exploration,
                        uint32_t samples)
{
    auto& actor = m_actors[i];
    actor.steps = 0;
    Step({&actor, 1},
         m_alone[i],
         network,
         exploration,
         true,
         [samples](const Actor& a) { return a.experience.rewards.size() >= samples; });
    return actor.steps;
}

uint64_t
OdcnRollout::CollectEpisodes(const OdcnNetwork& network,
                             const OdcnExploration& exploration,
                             uint64_t most)
{
    return StepAll(network,
                   exploration,
                   [most](const Actor& actor)
                   {
                       const auto& ends = actor.experience.ends;
                       return (!ends.empty() && ends.back()) || (most > 0 && ends.size() >= most);
                   });
}

void
OdcnRollout::Run(const OdcnNetwork& network, const OdcnExploration& exploration, uint64_t decisions)
{
    for (auto& actor : m_actors)
    {
        actor.steps = 0;
    }
    auto body = [&](std::span<Actor> group, Worker& worker)
    {
        Step(group,
             worker,
             network,
             exploration,
             false,
             [decisions](const Actor& actor) { return actor.steps >= decisions; });
    };
    if (exploration.teacher)
    {
        body(m_actors, m_workers[0]);
    }
    else
    {
        ForGroups(body);
    }
}

std::size_t
OdcnRollout::GetN() const
{
    return m_actors.size();
}

OdcnExperience&
OdcnRollout::Get(std::size_t i)
{
    return m_actors[i].experience;
}

double
OdcnRollout::GetScore() const
{
    double sum = 0.0;
    for (const auto& actor : m_actors)
    {
        sum += actor.problem->GetScore();
    }
    return sum / static_cast<double>(m_actors.size());
}

void
OdcnRollout::ClearScores()
{
    for (auto& actor : m_actors)
    {
        actor.problem->ClearScore();
    }
}

} // namespace odcn
} // namespace ns3
