// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_JOB_SOURCE_H
#define CLUSTER_JOB_SOURCE_H

#include "cluster-job.h"

#include "ns3/object.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Source of cluster jobs: a sequence of job sets, one per episode.
 */
class ClusterJobSource : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Begin the next set, even if the current one was not read to its end. The contents of the
     * sets do not depend on how far each was read.
     */
    virtual void NextSet() = 0;

    /**
     * Get the next job of the set.
     * @param [out] job the next job, arriving no earlier than the previous one
     * @return false at the end of the set (@p job is then unspecified)
     */
    virtual bool Next(ClusterJob& job) = 0;

    /// @return length of the set in time slots, above all arrivals; valid once Next() gave false
    virtual uint64_t GetSlots() const = 0;

    /**
     * Assign random streams. To be called before NextSet(), since the source restarts.
     * @param stream first stream number to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream) = 0;
};

} // namespace ns3::odcn

#endif /* CLUSTER_JOB_SOURCE_H */
