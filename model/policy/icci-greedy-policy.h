// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_GREEDY_POLICY_H
#define ICCI_GREEDY_POLICY_H

#include "ns3/odcn-decision-policy.h"

#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Takes the action with the largest weighted sum of the terms of Eq. 12, with wavelengths Eq. 14,
 * and stays if no sum is above 0. The terms are estimated one step ahead, with the mean tide over
 * IcciManager::Outlook.
 */
class IcciGreedyPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    IcciGreedyPolicy();
    uint32_t Decide(const DecisionProblem& problem) override;

  private:
    double m_hot;                //!< weight of a hotspot block
    double m_use;                //!< weight of load
    double m_moved;              //!< weight of a worker
    double m_hops;               //!< weight of a hop
    double m_wavelengths;        //!< weight of a wavelength
    std::vector<uint8_t> m_mask; //!< scratch of Decide()
};

} // namespace ns3::odcn

#endif /* ICCI_GREEDY_POLICY_H */
