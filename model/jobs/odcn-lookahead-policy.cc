// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-lookahead-policy.h"

#include "odcn-hindsight-search.h"
#include "odcn-policy-registry.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <array>
#include <numeric>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(LookaheadPolicy);

TypeId
LookaheadPolicy::GetTypeId()
{
    using T = LookaheadPolicy;
    static TypeId tid = TypeIdOf<T, DecisionPolicy>("ns3::odcn::LookaheadPolicy")
                            .Add(Attribute("Policy", &T::m_words, ""),
                                 "The policy that decides, and completes jobs on copies; see "
                                 "PolicyRegistry::Find().");
    return tid;
}

const DecisionPolicy&
LookaheadPolicy::GetDecider(const DecisionPolicy& policy)
{
    const auto* ahead = dynamic_cast<const LookaheadPolicy*>(&policy);
    return ahead ? GetDecider(*ahead->m_policy) : policy;
}

void
LookaheadPolicy::DoDispose()
{
    m_policy = nullptr;
    m_copied = nullptr;
    DecisionPolicy::DoDispose();
}

void
LookaheadPolicy::Configure(DecisionProblem& problem)
{
    if (m_words.empty())
    {
        throw OdcnError("ns3::odcn::LookaheadPolicy: the Attribute Policy names no policy");
    }
    const auto choice = PolicyRegistry::Find(problem, m_words);
    if (HindsightSearch::IsNamedBy(choice.words))
    {
        throw OdcnError::InOption("Policy", m_words, "another policy than HindsightSearch");
    }
    m_policy = choice.Create();
    m_copied = choice.Create();
    choice.Configure(problem, *m_policy);
    choice.Configure(problem, *m_copied);
    m_job = UINT64_MAX;
}

void
LookaheadPolicy::Reset()
{
    m_job = UINT64_MAX;
    for (const auto& policy : {m_policy, m_copied})
    {
        if (policy)
        {
            policy->Reset();
        }
    }
}

int64_t
LookaheadPolicy::AssignStreams(int64_t stream)
{
    if (!m_policy)
    {
        return 0;
    }
    const int64_t used = m_policy->AssignStreams(stream);
    return used + m_copied->AssignStreams(stream + used);
}

uint32_t
LookaheadPolicy::GetBatch() const
{
    return m_policy ? m_policy->GetBatch() : 1;
}

void
LookaheadPolicy::RequirePolicy() const
{
    if (!m_policy)
    {
        throw OdcnError("ns3::odcn::LookaheadPolicy: Configure() first");
    }
}

uint32_t
LookaheadPolicy::Decide(const DecisionProblem& problem)
{
    RequirePolicy();
    std::array plans{Plan{&problem, this, m_policy->Decide(problem)}};
    Improve(plans);
    return plans.front().action;
}

void
LookaheadPolicy::DecideAll(std::span<Episode> episodes)
{
    std::vector<Episode> own(episodes.begin(), episodes.end());
    for (auto& episode : own)
    {
        const auto& owner = dynamic_cast<LookaheadPolicy&>(*episode.policy);
        owner.RequirePolicy();
        episode.policy = owner.m_policy;
    }
    own.front().policy->DecideAll(own);
    std::vector<Plan> plans;
    for (std::size_t i = 0; i < own.size(); ++i)
    {
        if (own[i].waits)
        {
            auto& owner = dynamic_cast<LookaheadPolicy&>(*episodes[i].policy);
            plans.push_back({PeekPointer(own[i].problem), &owner, own[i].action});
        }
    }
    Improve(plans);
    auto plan = plans.begin();
    for (auto& episode : episodes)
    {
        if (episode.waits)
        {
            episode.action = plan++->action;
        }
    }
}

void
LookaheadPolicy::Improve(std::span<Plan> plans)
{
    std::vector<Plan> first;
    for (const auto& plan : plans)
    {
        if (plan.problem->GetNDecided() != plan.owner->m_job)
        {
            plan.owner->m_job = plan.problem->GetNDecided();
            first.push_back(plan);
        }
    }
    Follow(first);
    std::vector<Plan> others;
    for (const auto& plan : first)
    {
        const auto& mask = plan.owner->GetMask(*plan.problem);
        for (uint32_t action = 0; !plan.isSound && action < mask.size(); ++action)
        {
            if (mask[action] && action != plan.action)
            {
                others.push_back({plan.problem, plan.owner, action});
            }
        }
    }
    Follow(others);
    for (auto& plan : plans)
    {
        const Plan* best = nullptr;
        for (const auto& other : others)
        {
            const bool isOfIt = other.problem == plan.problem && other.isSound;
            best = isOfIt && (!best || other.reward > best->reward) ? &other : best;
        }
        plan.action = best ? best->action : plan.action;
    }
}

void
LookaheadPolicy::Follow(std::span<Plan> plans)
{
    std::vector<Episode> episodes;
    for (std::size_t i = 0; i < plans.size(); ++i)
    {
        Plan& plan = plans[i];
        const auto copy = plan.problem->BranchJob();
        copy->SetObserver(
            [&plan](const DecisionOutcome& outcome, std::span<const float> rewards)
            {
                plan.isSound = outcome.placed && outcome.reconfigurations == 0;
                plan.reward = std::accumulate(rewards.begin(), rewards.end(), 0.0);
            });
        const uint64_t job = copy->GetNDecided();
        copy->Act(plan.action);
        if (!copy->IsDone() && copy->GetNDecided() == job)
        {
            episodes.push_back({copy, plan.owner->m_copied});
        }
        if (episodes.size() == plan.owner->GetBatch() || i + 1 == plans.size())
        {
            if (!episodes.empty())
            {
                DecisionProblem::RunEpisodes(episodes, 1, nullptr);
            }
            episodes.clear();
        }
    }
}

} // namespace ns3::odcn
