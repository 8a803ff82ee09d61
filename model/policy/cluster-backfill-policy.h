// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_BACKFILL_POLICY_H
#define CLUSTER_BACKFILL_POLICY_H

#include "cluster-list-policy.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * EASY backfilling: first come, first served, but while the first job waits for its earliest start,
 * another job may start now if that does not delay the first. Order selects one of these.
 *
 * Durations are known exactly here, so that reservations are never too early or too late. If the
 * first job has no place within the horizon, only jobs that end before any place that it could get
 * may start.
 */
class ClusterBackfillPolicy : public ClusterListPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;

  private:
    ClusterLedger m_ledger; //!< scratch: ledger with the first job's reservation
};

} // namespace ns3::odcn

#endif /* CLUSTER_BACKFILL_POLICY_H */
