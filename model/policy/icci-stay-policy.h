// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_STAY_POLICY_H
#define ICCI_STAY_POLICY_H

#include "ns3/odcn-decision-policy.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * No migration, ever: the initial state of the DeepHM paper.
 */
class IcciStayPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;
};

} // namespace ns3::odcn

#endif /* ICCI_STAY_POLICY_H */
