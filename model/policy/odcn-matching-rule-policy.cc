// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-matching-rule-policy.h"

#include "odcn-rule.h"

#include "ns3/odcn-ns3-compat.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(MatchingRulePolicy);

TypeId
MatchingRulePolicy::GetTypeId()
{
    using P = MatchingProblem;
    static TypeId tid =
        TypeId("ns3::odcn::MatchingRulePolicy")
            .SetParent<DecisionPolicy>()
            .SetGroupName("Odcn")
            .AddConstructor<MatchingRulePolicy>()
            .AddAttribute("Candidate",
                          "The candidate of MatchingProblem to take, or Greedy",
                          CompatEnumValue<P::Candidate>(P::CANDIDATES),
                          CompatEnumAccessor<P::Candidate>(&MatchingRulePolicy::m_candidate),
                          MakeEnumChecker(P::CANDIDATES,
                                          "Greedy",
                                          P::KEEP,
                                          "Keep",
                                          P::BACKLOG,
                                          "Backlog",
                                          P::STEADY,
                                          "Steady",
                                          P::EXPECTED,
                                          "Expected",
                                          P::HELD,
                                          "Held",
                                          P::RATE,
                                          "Rate",
                                          P::OLDEST,
                                          "Oldest",
                                          P::ROUND_ROBIN,
                                          "RoundRobin",
                                          P::BIRKHOFF,
                                          "Birkhoff"));
    return tid;
}

MatchingRulePolicy::MatchingRulePolicy() = default;

uint32_t
MatchingRulePolicy::Decide(const DecisionProblem& problem)
{
    const auto& matching = AsProblem<MatchingProblem>(problem);
    m_mask.resize(problem.GetNActions());
    problem.Mask(m_mask.data());
    if (m_candidate != MatchingProblem::CANDIDATES)
    {
        return m_mask[m_candidate] ? m_candidate : MatchingProblem::KEEP;
    }
    uint32_t best = MatchingProblem::KEEP;
    double most = matching.GetExpectedService(best);
    for (uint32_t action = 1; action < m_mask.size(); ++action)
    {
        const double service = m_mask[action] ? matching.GetExpectedService(action) : 0;
        if (service > most)
        {
            best = action;
            most = service;
        }
    }
    return best;
}

} // namespace ns3::odcn
