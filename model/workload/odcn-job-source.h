// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JOB_SOURCE_H
#define ODCN_JOB_SOURCE_H

#include "odcn-job.h"

#include "ns3/object.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Source of jobs, in order of arrival: a generator, a job file or a trace.
 */
class OdcnJobSource : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * Get the next job. The vectors in @p job are reused, to avoid allocations.
     *
     * @param [out] job the next job
     * @return false at the end of the stream (@p job is then unspecified)
     */
    virtual bool Next(OdcnJob& job) = 0;

    /**
     * Assign random streams. To be called before the first Next(), since a source may restart.
     * @param stream first stream number to use
     * @return number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream) = 0;
};

} // namespace ns3::odcn

#endif /* ODCN_JOB_SOURCE_H */
