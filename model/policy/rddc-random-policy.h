// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_RANDOM_POLICY_H
#define RDDC_RANDOM_POLICY_H

#include "ns3/odcn-decision-policy.h"
#include "ns3/random-variable-stream.h"

#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Any server that the mask allows, with equal probability. Works for every decision problem.
 */
class RddcRandomPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    RddcRandomPolicy();
    uint32_t Decide(const DecisionProblem& problem) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    Ptr<UniformRandomVariable> m_random; //!< selects the server
    std::vector<uint8_t> m_mask;         //!< scratch of Decide()
    std::vector<uint32_t> m_allowed;     //!< scratch: servers that the mask allows
};

} // namespace ns3::odcn

#endif /* RDDC_RANDOM_POLICY_H */
