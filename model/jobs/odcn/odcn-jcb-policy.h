// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JCB_POLICY_H
#define ODCN_JCB_POLICY_H

#include "ns3/odcn-decision-policy.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Joint computing and bandwidth (JCB), baseline of the ODCN paper, section 5.B: like CCF, but a
 * rack must also meet the VM's demands to and from the VMs placed before it on direct circuits, and
 * the score of a new rack is its residual core fraction plus its residual bandwidth fraction after
 * placement.
 *
 * If no rack meets the demands, a rack with a server is taken by the same score, and the network
 * manager may reconfigure.
 */
class OdcnJcbPolicy : public DecisionPolicy
{
  public:
    /// How the bandwidth of a rack is evaluated.
    enum Bandwidth
    {
        PER_LINK,  //!< each rack pair separately; the fraction is the bottleneck's
        AGGREGATE, //!< all circuits of a rack taken together
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;

  private:
    Bandwidth m_bandwidth; //!< how the bandwidth of a rack is evaluated
};

} // namespace ns3::odcn

#endif /* ODCN_JCB_POLICY_H */
