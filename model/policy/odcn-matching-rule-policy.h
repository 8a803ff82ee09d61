// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MATCHING_RULE_POLICY_H
#define ODCN_MATCHING_RULE_POLICY_H

#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-matching-problem.h"

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

} // namespace ns3::odcn

#endif /* ODCN_MATCHING_RULE_POLICY_H */
