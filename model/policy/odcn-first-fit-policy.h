// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FIRST_FIT_POLICY_H
#define ODCN_FIRST_FIT_POLICY_H

#include "ns3/odcn-decision-policy.h"

#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * First fit: the action of the lowest index that the mask allows, 0 where it allows none. Serves
 * every decision problem.
 */
class FirstFitPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;

  private:
    std::vector<uint8_t> m_mask; //!< scratch of Decide()
};

} // namespace ns3::odcn

#endif /* ODCN_FIRST_FIT_POLICY_H */
