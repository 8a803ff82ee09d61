// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RANDOM_POLICY_H
#define ODCN_RANDOM_POLICY_H

#include "ns3/odcn-decision-policy.h"
#include "ns3/random-variable-stream.h"

#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A uniformly random action: with Feasible=true among those that the mask allows (action 0 where it
 * allows none), otherwise among all. Serves every decision problem. What any rule or agent must
 * beat.
 */
class RandomPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    RandomPolicy();
    uint32_t Decide(const DecisionProblem& problem) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    bool m_feasible;                     //!< see Attribute Feasible
    Ptr<UniformRandomVariable> m_random; //!< index of the action
    std::vector<uint8_t> m_mask;         //!< scratch of Decide()
    std::vector<uint32_t> m_allowed;     //!< scratch of Decide(): actions to choose from
};

} // namespace ns3::odcn

#endif /* ODCN_RANDOM_POLICY_H */
