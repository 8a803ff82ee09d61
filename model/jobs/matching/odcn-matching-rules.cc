// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-matching-problem.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-rule.h"

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
    uint32_t Decide(const DecisionProblem& problem) override;

  private:
    MatchingProblem::Candidate m_candidate; //!< what to take; CANDIDATES for Greedy
};

NS_OBJECT_ENSURE_REGISTERED(MatchingRulePolicy);

TypeId
MatchingRulePolicy::GetTypeId()
{
    using P = MatchingProblem;
    using T = MatchingRulePolicy;
    static TypeId tid =
        TypeIdOf<MatchingRulePolicy, DecisionPolicy>("ns3::odcn::MatchingRulePolicy")
            .Add(Attribute("Candidate",
                           &T::m_candidate,
                           P::CANDIDATES,
                           {{P::CANDIDATES, "Greedy"},
                            {P::KEEP, "Keep"},
                            {P::BACKLOG, "Backlog"},
                            {P::STEADY, "Steady"},
                            {P::EXPECTED, "Expected"},
                            {P::HELD, "Held"},
                            {P::RATE, "Rate"},
                            {P::OLDEST, "Oldest"},
                            {P::ROUND_ROBIN, "RoundRobin"},
                            {P::BIRKHOFF, "Birkhoff"}}),
                 "The candidate of MatchingProblem to take, or Greedy");
    return tid;
}

uint32_t
MatchingRulePolicy::Decide(const DecisionProblem& problem)
{
    const auto& matching = AsProblem<MatchingProblem>(problem);
    const auto& mask = GetMask(problem);
    if (m_candidate != MatchingProblem::CANDIDATES)
    {
        return mask[m_candidate] ? m_candidate : MatchingProblem::KEEP;
    }
    return FindBestAction(
        problem.GetNActions(),
        [&](uint32_t action) { return mask[action] || action == MatchingProblem::KEEP; },
        [&](uint32_t action) { return matching.GetExpectedService(action); });
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
