// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_LEARNED_RULE_H
#define ODCN_LEARNED_RULE_H

#include "odcn-circuit-problem.h"

#include "ns3/odcn-decision-policy.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * LeastTimeRule whose choices a policy of CircuitProblem makes: a rule, or a trained policy by its
 * file.
 */
class LearnedRule : public LeastTimeRule
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;
    std::size_t Pick(const Beginning& beginning, const std::vector<Estimate>& estimates) override;

  private:
    /// Make the policy, if there is none.
    /// @throws OdcnError when it is none of CircuitProblem
    void MakePolicy();

    std::string m_words;           //!< Policy
    Ptr<CircuitProblem> m_problem; //!< in which it decides
    Ptr<DecisionPolicy> m_policy;  //!< decides; null before MakePolicy()
};

} // namespace ns3::odcn

#endif /* ODCN_LEARNED_RULE_H */
