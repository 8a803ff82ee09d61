// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-decision-policy.h"

#include "odcn-policy-registry.h"

#include "ns3/odcn-attributes.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(DecisionPolicy);

TypeId
DecisionPolicy::GetTypeId()
{
    static TypeId tid = TypeIdOf<DecisionPolicy, Object>("ns3::odcn::DecisionPolicy");
    return tid;
}

Ptr<DecisionPolicy>
DecisionPolicy::Create(const std::string& words)
{
    return PolicyRegistry::Find(words).Create();
}

uint32_t
DecisionPolicy::GetBatch() const
{
    return 1;
}

void
DecisionPolicy::DecideAll(std::span<Episode> episodes)
{
    for (auto& episode : episodes)
    {
        if (episode.waits)
        {
            episode.action = episode.policy->Decide(*episode.problem);
        }
    }
}

void
DecisionPolicy::Configure(DecisionProblem& /* problem */)
{
}

std::map<std::string, std::string>
DecisionPolicy::GetProvenance() const
{
    return {};
}

void
DecisionPolicy::Reset()
{
}

const std::vector<uint8_t>&
DecisionPolicy::GetMask(const DecisionProblem& problem)
{
    m_mask.resize(problem.GetNActions());
    problem.Mask(m_mask.data());
    return m_mask;
}

int64_t
DecisionPolicy::AssignStreams(int64_t)
{
    return 0;
}

} // namespace ns3::odcn
