// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_BOUND_H
#define ODCN_TRAINING_BOUND_H

#include "odcn-training-job.h"
#include "odcn-training-run.h"

#include "ns3/nstime.h"
#include "ns3/odcn-collective.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * Least times of a training job alone.
 *
 * @ingroup odcn
 */
class TrainingBound
{
  public:
    /**
     * @param job all of whose ranks have a program
     * @return time of its computations alone: of the rank with the longest chain of them, or with
     * the busiest accelerator or processor
     */
    static Time GetComputeTime(const TrainingJob& job);

    /**
     * @param job all of whose ranks have a program
     * @param link of each rank, to a network without contention
     * @param algorithms of its collectives
     * @param communications collectives and sends of a rank at a time
     * @return time by the alpha-beta model: the same, with each collective taking
     * Collective::GetLeastTime() and each send alpha and its bytes, as if all ranks of a group
     * began together; or of the rank with the most communication
     * @throws OdcnError when there is no such algorithm
     */
    static Time GetLeastTime(const TrainingJob& job,
                             const Collective::Link& link,
                             const TrainingRun::Algorithms& algorithms = GetAlgorithms(),
                             uint32_t communications = 1);

    /// @return the algorithms that a TrainingRun uses by default
    static TrainingRun::Algorithms GetAlgorithms();
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_BOUND_H */
