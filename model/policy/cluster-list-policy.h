// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_LIST_POLICY_H
#define CLUSTER_LIST_POLICY_H

#include "ns3/cluster-scheduling.h"
#include "ns3/odcn-decision-policy.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * List scheduling on a cluster: of the waiting jobs that can start now, the first in some order;
 * the lowest slot among equals; void if none can. With a free row 0 of f units on the lowest
 * machine where the job fits, demand r, length T and time w since arrival, the first job has
 *
 * - Arrival: the lowest number (FCFS);
 * - Shortest: the greatest 1 / T (SJF);
 * - ResponseRatio: the greatest (w + T) / T (HRRN);
 * - Alignment: the greatest f . r in units (the packer, called Tetris in DeepRM's plots);
 * - Mix: the greatest Knob f . r + (1 - Knob) / T (Tetris).
 *
 * A strict list waits until its first job can start, even if others could: with Arrival this is
 * FCFS in the textbook's sense.
 */
class ClusterListPolicy : public DecisionPolicy
{
  public:
    /// Order of the jobs.
    enum OrderKind
    {
        ARRIVAL,        //!< FCFS
        SHORTEST,       //!< SJF
        RESPONSE_RATIO, //!< HRRN
        ALIGNMENT,      //!< packer
        MIX,            //!< Tetris
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    ClusterListPolicy();
    uint32_t Decide(const DecisionProblem& problem) override;

  protected:
    /**
     * @param problem that waits for a decision
     * @param ledger determines which jobs can start now
     * @param most largest number of time slots of a job
     * @return an action
     */
    uint32_t Pick(const ClusterScheduling& problem,
                  const ClusterLedger& ledger,
                  uint32_t most) const;

  private:
    OrderKind m_order; //!< order of the jobs
    double m_knob;     //!< weight of alignment in Mix
    bool m_strict;     //!< whether to wait for the first job
};

} // namespace ns3::odcn

#endif /* CLUSTER_LIST_POLICY_H */
