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
 * Where cluster jobs come from: one set of jobs after the other, an episode each.
 */
class ClusterJobSource : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Go to the next set, whether or not the present one was read to its end. What the sets are
     * does not depend on how far each was read.
     */
    virtual void NextSet() = 0;

    /**
     * Fetch the next job of the set.
     * @param [out] job the next one, arriving no earlier than the one before
     * @return false at the end of the set (@p job is then unspecified)
     */
    virtual bool Next(ClusterJob& job) = 0;

    /// @return time slots of the set: all its jobs arrive before; known once Next() gave false
    virtual uint64_t GetSlots() const = 0;

    /**
     * To be called before NextSet(): a source begins anew.
     * @param stream first stream number to use
     * @return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream) = 0;
};

} // namespace ns3::odcn

#endif /* CLUSTER_JOB_SOURCE_H */
