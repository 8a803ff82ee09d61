// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_FIRST_POLICY_H
#define ICCI_FIRST_POLICY_H

#include "ns3/odcn-decision-policy.h"

#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Always migrates, to the first ring that is offered and as early as possible. Depending on
 * IcciManager::Search this is node-proximity-aware migration (Nearest), full node migration (All)
 * or random migration (Any) of the DeepHM paper.
 */
class IcciFirstPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;

  private:
    std::vector<uint8_t> m_mask; //!< scratch of Decide()
};

} // namespace ns3::odcn

#endif /* ICCI_FIRST_POLICY_H */
