// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CCF_POLICY_H
#define ODCN_CCF_POLICY_H

#include "ns3/odcn-decision-policy.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Computing capacity first (CCF), baseline of the ODCN paper, section 5.B: the rack with most
 * residual cores, kept for the job's VMs until one no longer fits, then chosen anew among the racks
 * where it fits. Bandwidth is ignored. On a fixed interconnect it is ALL2ALL-CCF, else ODCN-CCF.
 */
class OdcnCcfPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;
};

} // namespace ns3::odcn

#endif /* ODCN_CCF_POLICY_H */
