// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKING_POLICY_H
#define ODCN_PACKING_POLICY_H

#include "ns3/odcn-decision-policy.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Our packing rule: large VMs stay in the job's current rack while it has a server and direct
 * bandwidth; otherwise they go to the fullest rack that has both, weighted against the bandwidth
 * left. Small VMs go first to racks that can take no large one, to keep space for large VMs. If no
 * rack has bandwidth, the same choice is made among the racks that have a server.
 */
class OdcnPackingPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;

  private:
    double m_largeCores;      //!< cores from which a VM is large
    double m_bandwidthWeight; //!< weight of the bandwidth left against the cores left
};

} // namespace ns3::odcn

#endif /* ODCN_PACKING_POLICY_H */
