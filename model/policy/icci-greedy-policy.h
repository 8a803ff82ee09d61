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
 * Takes the action whose terms of Eq. 12, or with wavelengths Eq. 14, weigh most, and stays if none
 * is above 0. The terms are looked at one step ahead, with the mean tide over the time of
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
    double m_use;                //!< of load
    double m_moved;              //!< of a worker
    double m_hops;               //!< of a hop
    double m_wavelengths;        //!< of a wavelength
    std::vector<uint8_t> m_mask; //!< scratch of Decide()
};

} // namespace ns3::odcn

#endif /* ICCI_GREEDY_POLICY_H */
