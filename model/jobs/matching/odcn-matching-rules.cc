// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-matching-problem.h"

#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-rule.h"

#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Rules for MatchingProblem: always the same candidate, or (Greedy) the one with the largest
 * expected service in the next epoch. Keeps the circuits where the candidate is infeasible.
 */
class MatchingRulePolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    MatchingRulePolicy();
    uint32_t Decide(const DecisionProblem& problem) override;

  private:
    MatchingProblem::Candidate m_candidate; //!< what to take; CANDIDATES for Greedy
    std::vector<uint8_t> m_mask;            //!< scratch of Decide()
};

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

namespace
{

/// The policies with a short name.
const PolicyRegistration MATCHING_POLICIES{
    "ns3::odcn::MatchingProblem",
    {{"keep", "circuits never change", "ns3::odcn::MatchingRulePolicy[Candidate=Keep]", {}},
     {"max-weight",
      "maximum weight of the backlog",
      "ns3::odcn::MatchingRulePolicy[Candidate=Backlog]",
      {}},
     {"max-weight-steady",
      "maximum weight less dark time",
      "ns3::odcn::MatchingRulePolicy[Candidate=Steady]",
      {}},
     {"max-weight-expected",
      "the same with expected arrivals",
      "ns3::odcn::MatchingRulePolicy[Candidate=Expected]",
      {}},
     {"max-weight-held",
      "the same, held for four epochs",
      "ns3::odcn::MatchingRulePolicy[Candidate=Held]",
      {}},
     {"max-weight-rate",
      "maximum weight of arrivals",
      "ns3::odcn::MatchingRulePolicy[Candidate=Rate]",
      {}},
     {"oldest",
      "maximum weight of waiting times",
      "ns3::odcn::MatchingRulePolicy[Candidate=Oldest]",
      {}},
     {"round-robin", "cyclic shifts", "ns3::odcn::MatchingRulePolicy[Candidate=RoundRobin]", {}},
     {"birkhoff",
      "heaviest terms of Birkhoff",
      "ns3::odcn::MatchingRulePolicy[Candidate=Birkhoff]",
      {}},
     {"greedy", "candidate with the largest expected service", "ns3::odcn::MatchingRulePolicy", {}},
     {"random", "any feasible candidate", "ns3::odcn::RandomPolicy", {}},
     {"untrained",
      "network with random parameters",
      "ns3::odcn::AgentPolicy[Untrained=Scorer]",
      {}},
     {"linear", "weighted sum of features of a candidate", "ns3::odcn::LinearPolicy", {}},
     {"agent", "trained network", "ns3::odcn::AgentPolicy", {}}}};

} // namespace

} // namespace ns3::odcn
