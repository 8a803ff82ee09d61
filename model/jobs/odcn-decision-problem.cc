// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-decision-problem.h"

#include "odcn-decision-policy.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(DecisionProblem);

/// @return the rewards with a name
static std::map<std::string, DecisionProblem::RewardFunction>&
GetNamedRewards()
{
    static std::map<std::string, DecisionProblem::RewardFunction> rewards;
    return rewards;
}

TypeId
DecisionProblem::GetTypeId()
{
    using T = DecisionProblem;
    static TypeId tid =
        TypeIdOf<T, Object>("ns3::odcn::DecisionProblem")
            .Add(Attribute("OwnReward", &T::SetRewardName, &T::GetRewardName, ""),
                 "Name of a reward of RegisterReward(); empty for the problem's own");
    return tid;
}

uint32_t
DecisionProblem::GetObservationSize() const
{
    const auto shape = GetObservationShape();
    return std::accumulate(shape.begin(), shape.end(), 1U, std::multiplies<>());
}

const GraphObservation*
DecisionProblem::GetGraph() const
{
    return nullptr;
}

std::vector<std::string>
DecisionProblem::GetFormAttributes() const
{
    return {};
}

std::vector<std::string>
DecisionProblem::GetFeatureNames() const
{
    return {};
}

DecisionProblem::Bounds
DecisionProblem::GetObservationBounds() const
{
    return {GetObservationSize(), UNBOUNDED};
}

double
DecisionProblem::GetScore() const
{
    return m_score.count > 0 ? m_score.Get() : 0.0;
}

void
DecisionProblem::ClearScore()
{
    m_score = {0, 0};
}

bool
DecisionProblem::IsMeasuredWhole() const
{
    return false;
}

bool
DecisionProblem::ResetToDecision()
{
    for (int episode = 0; episode < MAX_QUIET_EPISODES; ++episode)
    {
        Reset();
        if (!IsDone())
        {
            return true;
        }
    }
    return false;
}

std::vector<FigureOfMerit>
DecisionProblem::GetFigures() const
{
    std::string name = GetScoreName();
    std::replace(name.begin(), name.end(), ' ', '_');
    return {{.name = name, .title = GetScoreName(), .compare = FigureOfMerit::Compare::DIFFERENCE}};
}

std::vector<FigureValue>
DecisionProblem::MeasureFigures() const
{
    return {{GetScore(), 1}};
}

DecisionTally
DecisionProblem::GetTally() const
{
    return {};
}

uint64_t
DecisionProblem::GetNDecided() const
{
    return m_nDecided;
}

std::vector<Ptr<Object>>
DecisionProblem::GetParts() const
{
    return {};
}

void
DecisionProblem::Set(const std::string& name, const std::string& value)
{
    const auto part = ConstCast<Object>(FindPart(name));
    const TypeId tid = part->GetInstanceTypeId();
    if (!ObjectText::IsReadable(tid, name, value) ||
        !part->SetAttributeFailSafe(name, StringValue(value)))
    {
        TypeId::AttributeInformation attribute;
        tid.LookupAttributeByName(name, &attribute);
        const std::string range = attribute.checker->GetUnderlyingTypeInformation();
        throw OdcnError::InOption(name,
                                  value,
                                  "a value of " + tid.GetName() + "::" + name +
                                      (range.empty() ? "" : ", " + range));
    }
}

std::string
DecisionProblem::Get(const std::string& name) const
{
    StringValue value;
    FindPart(name)->GetAttribute(name, value);
    return value.Get();
}

Ptr<const Object>
DecisionProblem::FindPart(const std::string& name) const
{
    TypeId::AttributeInformation attribute;
    if (GetInstanceTypeId().LookupAttributeByName(name, &attribute))
    {
        return this;
    }
    for (const auto& part : GetParts())
    {
        if (part->GetInstanceTypeId().LookupAttributeByName(name, &attribute))
        {
            return part;
        }
    }
    throw OdcnError(GetInstanceTypeId().GetName() + ": no Attribute " + name);
}

Ptr<DecisionProblem>
DecisionProblem::Branch()
{
    Refuse("this problem cannot be copied");
}

Ptr<DecisionProblem>
DecisionProblem::BranchJob() const
{
    Refuse("this problem cannot be copied");
}

void
DecisionProblem::TakeRewards(std::vector<float>& out)
{
    out.insert(out.end(), m_rewards.begin(), m_rewards.end());
    m_rewards.clear();
}

std::vector<std::string>
DecisionProblem::GetCauses() const
{
    return {};
}

void
DecisionProblem::SettleRewards(const DecisionOutcome& outcome)
{
    if (!ReportsOutcomes())
    {
        return;
    }
    const auto rewards = std::span<float>(m_rewards).last(outcome.decisions);
    if (m_reward)
    {
        m_reward(outcome, rewards);
    }
    if (m_observer.function)
    {
        m_observer.function(outcome, rewards);
    }
}

bool
DecisionProblem::RegisterReward(const std::string& name, RewardFunction reward)
{
    if (!GetNamedRewards().emplace(name, std::move(reward)).second)
    {
        throw OdcnError("reward " + name + ": there is a reward of this name already");
    }
    return true;
}

void
DecisionProblem::SetRewardName(const std::string& name)
{
    const auto& rewards = GetNamedRewards();
    const auto found = rewards.find(name);
    if (!name.empty() && found == rewards.end())
    {
        std::vector<std::string> names;
        for (const auto& [known, reward] : rewards)
        {
            names.push_back(known);
        }
        throw OdcnError::InOption("OwnReward",
                                  name,
                                  names.empty()
                                      ? "none: no reward has a name, see --library"
                                      : JoinWords(names) + AskWhether(FindSimilar(name, names)));
    }
    SetReward(name.empty() ? nullptr : found->second);
    m_rewardName = name;
}

std::string
DecisionProblem::GetRewardName() const
{
    return m_rewardName;
}

bool
DecisionProblem::IsDone() const
{
    return m_done;
}

bool
DecisionProblem::IsCutShort() const
{
    return false;
}

void
DecisionProblem::Step(uint32_t action, std::vector<float>& rewards)
{
    Act(action);
    ++m_nDecided;
    rewards.clear();
    TakeRewards(rewards);
}

EpisodeRun
DecisionProblem::RunEpisode(DecisionPolicy& policy,
                            uint64_t jobs,
                            const std::function<void(uint64_t)>& decided,
                            std::vector<float>* rewards)
{
    RequireDecision();
    EpisodeRun run;
    std::vector<float> taken;
    const uint64_t before = GetNDecided();
    while (!IsDone() && GetNDecided() - before < jobs)
    {
        Interruption::Check();
        Step(policy.Decide(*this), taken);
        ++run.decisions;
        run.reward = std::accumulate(taken.begin(), taken.end(), run.reward);
        if (rewards)
        {
            rewards->insert(rewards->end(), taken.begin(), taken.end());
        }
        if (decided)
        {
            decided(GetNDecided());
        }
    }
    return run;
}

void
DecisionProblem::RunEpisodes(std::span<Episode> episodes,
                             uint64_t jobs,
                             const std::function<void(uint64_t)>& decided)
{
    for (auto& episode : episodes)
    {
        const uint64_t before = episode.problem->GetNDecided();
        episode.jobs = jobs < UINT64_MAX - before ? before + jobs : UINT64_MAX;
    }
    const auto await = [](Episode& episode)
    {
        const auto& problem = *episode.problem;
        episode.waits = !problem.IsDone() && problem.GetNDecided() < episode.jobs;
        return episode.waits;
    };
    std::vector<float> rewards;
    while (std::count_if(episodes.begin(), episodes.end(), await) > 0)
    {
        Interruption::Check();
        episodes.front().policy->DecideAll(episodes);
        for (auto& episode : episodes)
        {
            if (!episode.waits)
            {
                continue;
            }
            episode.problem->Step(episode.action, rewards);
            ++episode.decisions;
        }
        if (decided && episodes.front().waits)
        {
            decided(episodes.front().problem->GetNDecided());
        }
    }
}

void
DecisionProblem::RequireAction(uint32_t action) const
{
    RequireDecision();
    if (action >= GetNActions())
    {
        Refuse("action " + std::to_string(action) + " does not exist, there are " +
               std::to_string(GetNActions()));
    }
}

void
DecisionProblem::Refuse(const std::string& expected) const
{
    throw OdcnError(GetInstanceTypeId().GetName() + ": " + expected);
}

} // namespace ns3::odcn
