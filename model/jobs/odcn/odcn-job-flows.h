// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JOB_FLOWS_H
#define ODCN_JOB_FLOWS_H

#include "odcn-job.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A transfer between two VMs of a job, wherever they are placed.
 */
struct JobFlow
{
    JobId job{0};       //!< the job
    uint32_t demand{0}; //!< index in OdcnJob::demands, which names the two VMs
    uint64_t bytes{0};  //!< application data, without headers; 1 or more
    Time start;         //!< when the sender has the data

    /// @param o other flow  @return whether all members are equal
    bool operator==(const JobFlow& o) const = default;
};

/**
 * @ingroup odcn
 *
 * Flows of jobs: while a job lives, flows start along each of its demands as a Poisson process. On
 * average they have a share (Use) of the bandwidth that the job demands there.
 *
 * The flows do not depend on the placement of the jobs, nor on whether they are accepted, so that
 * all placements are compared on the same flows.
 */
class JobFlowWorkload : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    JobFlowWorkload();

    /**
     * Draw the flows that start in a stretch of job time.
     *
     * @param jobs the jobs; a job lives from its arrival for its duration
     * @param from begin of the stretch, in job time units
     * @param until its end, above @p from
     * @return the flows by start, which is counted from the begin of the stretch, in whole
     * nanoseconds
     * @throws OdcnError when the stretch is empty, or Sizes is not valid
     */
    std::vector<JobFlow> Generate(const std::vector<OdcnJob>& jobs, double from, double until);

    /**
     * @param stream first stream number to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  private:
    std::string m_sizes; //!< Sizes
    bool m_interpolate;  //!< Interpolate
    double m_use;        //!< Use
    Time m_unit;         //!< TimeUnit

    Ptr<ExponentialRandomVariable> m_gaps; //!< gaps between flows; mean 1
    int64_t m_sizeStream{-1};              //!< stream of sizes; -1 for an automatic one
};

} // namespace ns3::odcn

#endif /* ODCN_JOB_FLOWS_H */
