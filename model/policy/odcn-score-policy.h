// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SCORE_POLICY_H
#define ODCN_SCORE_POLICY_H

#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-rack-features.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Our strongest rule: the rack with the largest score among those with a server and direct
 * bandwidth; the score is a weighted sum of OdcnRackFeatures. It packs like OdcnPackingPolicy, but
 * weighs what that rule only orders: the slots that a small VM spoils, the racks of the job's other
 * VMs, and the backlog that the traffic adds to the queues. A VM is large if it is not smaller than
 * the last of the problem's SlotVms.
 *
 * score = - free cores - RackLoadWeight x rack load - BacklogWeight x backlog
 *         + KeptWeight x kept - HardWeight x hard slots lost (not for the hardest VMs)
 *         + (large VMs) StayWeight x last + RoomWeight x room
 *         + (small VMs) FillWeight x no large slot - LostWeight x large slots lost
 *
 * If no rack has bandwidth, a rack without a server is taken if there is one: the job is refused
 * rather than served after a reconfiguration.
 */
class OdcnScorePolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;

  private:
    double m_rackLoad;           //!< RackLoadWeight
    double m_backlog;            //!< BacklogWeight
    double m_kept;               //!< KeptWeight
    double m_hard;               //!< HardWeight
    double m_stay;               //!< StayWeight
    double m_room;               //!< RoomWeight
    double m_fill;               //!< FillWeight
    double m_lost;               //!< LostWeight
    OdcnRackFeatures m_features; //!< computes the features
};

} // namespace ns3::odcn

#endif /* ODCN_SCORE_POLICY_H */
