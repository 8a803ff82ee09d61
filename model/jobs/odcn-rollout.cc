// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-rollout.h"

#include "odcn-returns.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-parallel.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Largest number of observations that a network evaluates at once.
constexpr std::size_t MAX_GROUP = 16;
/// If more rewards than this are outstanding, the problem has lost them.
constexpr std::size_t MAX_PENDING_REWARDS = 1000000;

/// @param v values  @param n number to remove at the front
template <typename T>
void
DropFront(std::vector<T>& v, std::size_t n)
{
    v.erase(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(n));
}

} // namespace

RngStream
MakeRngStream(int64_t stream)
{
    // Numbered streams are the upper half, as in RandomVariableStream::SetStream().
    return RngStream(RngSeedManager::GetSeed(),
                     (1ULL << 63) + static_cast<uint64_t>(stream),
                     RngSeedManager::GetRun());
}

void
Experience::DropFirst(std::size_t n)
{
    const std::size_t samples = actions.size();
    if (samples == 0)
    {
        return;
    }
    DropFront(observations, observations.size() / samples * n);
    DropFront(masks, masks.size() / samples * n);
    DropFront(actions, n);
    DropFront(probabilities, n);
    DropFront(ends, n);
    DropFront(rewards, n);
}

Rollout::Rollout(std::vector<Ptr<DecisionProblem>> problems, uint32_t threads, Ranks& ranks)
    : m_actors(problems.size()),
      m_threads(threads),
      m_ranks(ranks)
{
    for (std::size_t i = 0; i < problems.size(); ++i)
    {
        m_actors[i].problem = problems[i];
        if (problems[i]->GetNActions() != problems[0]->GetNActions() ||
            problems[i]->GetObservationShape() != problems[0]->GetObservationShape())
        {
            throw OdcnError("the problems of one learner must be of one size");
        }
    }
}

void
Rollout::Restart(int64_t stream, int64_t actions, bool alike)
{
    int64_t used = 0;
    for (std::size_t i = 0; i < m_actors.size(); ++i)
    {
        auto& actor = m_actors[i];
        const int64_t more = actor.problem->AssignStreams(stream + used);
        used += alike ? 0 : more;
        actor.problem->ResetToDecision();
        actor.problem->ClearScore();
        actor.experience = Experience();
        actor.unrecordedRewardsDue = 0;
        actor.elsewhere = false;
        actor.random = MakeRngStream(actions + static_cast<int64_t>(i));
    }
}

void
Rollout::Act(Actor& actor,
             std::span<const float> observation,
             std::span<const float> logits,
             const Exploration& exploration,
             bool record,
             Scratch& scratch) const
{
    std::span<const uint8_t> mask;
    if (exploration.useMask)
    {
        actor.problem->Mask(scratch.mask.data());
        mask = scratch.mask;
    }
    uint32_t action = 0;
    float probability = 1.0F;
    if (exploration.teacher && !exploration.ownStates)
    {
        action = exploration.teacher->Decide(*actor.problem);
    }
    else if (exploration.epsilon >= 1.0 ||
             (exploration.epsilon > 0.0 && actor.random.RandU01() < exploration.epsilon))
    {
        Softmax(logits, mask, scratch.probabilities);
        action = SampleAction(scratch.probabilities, actor.random.RandU01());
        probability = scratch.probabilities[action];
    }
    else
    {
        action = ArgMax(logits, mask);
    }
    Experience& e = actor.experience;
    if (record)
    {
        e.observations.insert(e.observations.end(), observation.begin(), observation.end());
        e.masks.insert(e.masks.end(), mask.begin(), mask.end());
        e.actions.push_back(exploration.ownStates ? exploration.teacher->Decide(*actor.problem)
                                                  : action);
        e.probabilities.push_back(probability);
        e.ends.push_back(0);
    }
    actor.problem->Act(action);
    const std::size_t known = e.rewards.size();
    actor.problem->TakeRewards(e.rewards);
    for (std::size_t i = known; i < e.rewards.size(); ++i)
    {
        if (!std::isfinite(e.rewards[i]))
        {
            throw OdcnError("a decision problem gave a reward that is not finite");
        }
        actor.reward += e.rewards[i];
    }
    ++actor.steps;
    actor.unrecordedRewardsDue += record ? 0 : 1;
    const auto unrecorded = std::min<uint64_t>(actor.unrecordedRewardsDue, e.rewards.size());
    DropFront(e.rewards, unrecorded);
    actor.unrecordedRewardsDue -= unrecorded;
    const bool done = actor.problem->IsDone();
    if (e.rewards.size() > e.actions.size() ||
        e.actions.size() - e.rewards.size() > MAX_PENDING_REWARDS ||
        (done && (e.rewards.size() != e.actions.size() || actor.unrecordedRewardsDue > 0)))
    {
        throw OdcnError("a decision problem must reward every action exactly once, found " +
                        std::to_string(e.rewards.size()) + " rewards for " +
                        std::to_string(e.actions.size()) + " actions");
    }
    if (done)
    {
        if (record)
        {
            e.ends.back() = actor.problem->IsCutShort() ? CUT_SHORT : ENDED;
        }
        actor.problem->ResetToDecision();
    }
}

void
Rollout::StepGroup(std::span<Actor> group,
                   const Inference& inference,
                   const Exploration& exploration,
                   bool record,
                   const Enough& enough) const
{
    if (group.empty()) // the second half of one actor
    {
        return;
    }
    const std::size_t nActions = group.front().problem->GetNActions();
    const std::size_t size = group.front().problem->GetObservationSize();
    const bool infer = !exploration.teacher || exploration.ownStates;
    const bool observe = record || infer;
    Scratch scratch;
    scratch.rows.resize(group.size() * size);
    scratch.logits.resize(group.size() * nActions);
    scratch.probabilities.resize(nActions);
    scratch.mask.resize(nActions);
    for (;;)
    {
        Interruption::Check();
        scratch.active.clear();
        for (auto& actor : group)
        {
            if (!enough(actor))
            {
                if (observe)
                {
                    actor.problem->Observe(scratch.rows.data() + scratch.active.size() * size);
                }
                scratch.active.push_back(&actor);
            }
        }
        if (scratch.active.empty())
        {
            return;
        }
        if (infer)
        {
            inference(scratch.rows.data(), scratch.active.size(), scratch.logits.data());
        }
        for (std::size_t i = 0; i < scratch.active.size(); ++i)
        {
            Act(*scratch.active[i],
                {scratch.rows.data() + i * size, size},
                {scratch.logits.data() + i * nActions, nActions},
                exploration,
                record,
                scratch);
        }
    }
}

std::size_t
Rollout::GetGroups() const
{
    return 2 * ((m_actors.size() + 2 * MAX_GROUP - 1) / (2 * MAX_GROUP));
}

std::pair<std::size_t, std::size_t>
Rollout::GetShare(std::size_t rank) const
{
    const std::size_t groups = GetGroups();
    const auto [first, last] = m_ranks.GetShare(groups, rank);
    return {m_actors.size() * first / groups, m_actors.size() * last / groups};
}

void
Rollout::PassCall(std::size_t i, bool record, Parcel& parcel)
{
    Actor& actor = m_actors[i];
    parcel.Pass(actor.steps, actor.reward);
    PassScore(i, parcel);
    if (record && actor.steps > 0)
    {
        Experience& e = actor.experience;
        const std::size_t all = parcel.IsRead() ? 1 : e.actions.size();
        parcel.PassList(e.observations, e.observations.size() / all * actor.samples);
        parcel.PassList(e.masks, e.masks.size() / all * actor.samples);
        parcel.PassList(e.actions, actor.samples);
        parcel.PassList(e.probabilities, actor.samples);
        parcel.PassList(e.ends, actor.samples);
        parcel.PassList(e.rewards, actor.rewards);
    }
}

uint64_t
Rollout::StepAll(const Inference& inference,
                 const Exploration& exploration,
                 bool record,
                 const Enough& enough)
{
    for (auto& actor : m_actors)
    {
        actor.steps = 0;
        actor.reward = 0;
        actor.samples = actor.experience.actions.size();
        actor.rewards = actor.experience.rewards.size();
    }
    const std::size_t n = m_actors.size();
    const std::size_t groups = GetGroups();
    m_ranks.Share(
        groups,
        exploration.teacher ? 1 : m_threads, // a rule may keep state
        [&](std::size_t g, std::size_t)
        {
            const std::size_t begin = n * g / groups;
            StepGroup({m_actors.data() + begin, n * (g + 1) / groups - begin},
                      inference,
                      exploration,
                      record,
                      enough);
        },
        [&](Parcel& parcel, std::size_t g)
        {
            for (std::size_t i = n * g / groups; i < n * (g + 1) / groups; ++i)
            {
                PassCall(i, record, parcel);
            }
        });
    uint64_t steps = 0;
    for (const auto& actor : m_actors)
    {
        steps += actor.steps;
    }
    return steps;
}

uint64_t
Rollout::Collect(const Inference& inference, const Exploration& exploration, uint32_t samples)
{
    return StepAll(inference,
                   exploration,
                   true,
                   [samples](const Actor& actor)
                   { return actor.experience.rewards.size() >= samples; });
}

uint64_t
Rollout::CollectOne(std::size_t i,
                    const Inference& inference,
                    const Exploration& exploration,
                    uint32_t samples)
{
    auto& actor = m_actors[i];
    actor.steps = 0;
    StepGroup({&actor, 1},
              inference,
              exploration,
              true,
              [samples](const Actor& a) { return a.experience.rewards.size() >= samples; });
    return actor.steps;
}

uint64_t
Rollout::CollectEpisodes(const Inference& inference, const Exploration& exploration, uint64_t most)
{
    return StepAll(inference,
                   exploration,
                   true,
                   [most](const Actor& actor)
                   {
                       const auto& ends = actor.experience.ends;
                       return (!ends.empty() && ends.back()) || (most > 0 && ends.size() >= most);
                   });
}

double
Rollout::Run(const Inference& inference, const Exploration& exploration, uint64_t decisions)
{
    StepAll(inference,
            exploration,
            false,
            [decisions](const Actor& actor) { return actor.steps >= decisions; });
    double reward = 0;
    for (const auto& actor : m_actors)
    {
        reward += actor.reward;
    }
    return reward;
}

double
Rollout::GetScore() const
{
    double sum = 0.0;
    for (const auto& actor : m_actors)
    {
        sum += actor.elsewhere ? actor.score : actor.problem->GetScore();
    }
    return sum / static_cast<double>(m_actors.size());
}

void
Rollout::PassScore(std::size_t i, Parcel& parcel)
{
    Actor& actor = m_actors[i];
    actor.elsewhere = parcel.IsRead();
    actor.score = actor.elsewhere ? 0 : actor.problem->GetScore();
    parcel.Pass(actor.score);
}

void
Rollout::ClearScores()
{
    for (auto& actor : m_actors)
    {
        actor.problem->ClearScore();
        actor.elsewhere = false;
    }
}

} // namespace ns3::odcn
