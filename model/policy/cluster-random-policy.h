// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_RANDOM_POLICY_H
#define CLUSTER_RANDOM_POLICY_H

#include "ns3/odcn-decision-policy.h"
#include "ns3/random-variable-stream.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * DeepRM's Random: any action with equal probability, whether or not it has an effect. Works for
 * every decision problem. (RddcRandomPolicy respects the mask.)
 */
class ClusterRandomPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    ClusterRandomPolicy();
    uint32_t Decide(const DecisionProblem& problem) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    Ptr<UniformRandomVariable> m_random; //!< selects the action
};

} // namespace ns3::odcn

#endif /* CLUSTER_RANDOM_POLICY_H */
