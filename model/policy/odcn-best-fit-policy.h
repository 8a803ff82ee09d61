// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_BEST_FIT_POLICY_H
#define ODCN_BEST_FIT_POLICY_H

#include "ns3/odcn-decision-policy.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The fullest rack (least residual fraction of its scarcest resource) among those that have a
 * server for the VM and direct bandwidth to the job's other VMs; it uses only the paper's state. If
 * no rack has both, the fullest with a server. The first teacher of the agents.
 */
class OdcnBestFitPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;
};

} // namespace ns3::odcn

#endif /* ODCN_BEST_FIT_POLICY_H */
