// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-learned-rule.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-policy-registry.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(LearnedRule);

TypeId
LearnedRule::GetTypeId()
{
    static TypeId tid =
        TypeIdOf<LearnedRule, LeastTimeRule>("ns3::odcn::LearnedRule")
            .Add(Attribute("Policy", &LearnedRule::m_words, ""),
                 "Policy of CircuitProblem: a name, a type, or the file of a trained one; none for "
                 "data/linear-circuits.json.");
    return tid;
}

void
LearnedRule::DoDispose()
{
    m_problem = nullptr;
    m_policy = nullptr;
    LeastTimeRule::DoDispose();
}

void
LearnedRule::MakePolicy()
{
    if (m_policy)
    {
        return;
    }
    const Ptr<CircuitProblem> problem = CreateObject<CircuitProblem>(CircuitProblem::Runner());
    const PolicyChoice choice =
        PolicyRegistry::Find(*problem,
                             m_words.empty() ? GetDataFile("linear-circuits.json") : m_words);
    const Ptr<DecisionPolicy> policy = choice.Create();
    choice.Configure(*problem, *policy);
    m_problem = problem;
    m_policy = policy;
}

int64_t
LearnedRule::AssignStreams(int64_t stream)
{
    MakePolicy();
    return m_policy->AssignStreams(stream);
}

std::size_t
LearnedRule::Pick(const Beginning& beginning, const std::vector<Estimate>& estimates)
{
    MakePolicy();
    m_problem->Follow(CircuitProblem::MakeQuestion(beginning, estimates));
    return CircuitProblem::FindChoice(estimates, m_policy->Decide(*m_problem));
}

} // namespace ns3::odcn
