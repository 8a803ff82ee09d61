// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JOB_FLOWS_H
#define ODCN_JOB_FLOWS_H

#include "odcn-job.h"
#include "odcn-scheduling.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-flow-workload.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <map>
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
 * all placements are compared on the same flows. A later call goes on with the random numbers.
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
    FlowSizeSource m_sizeSource;           //!< sizes
};

/**
 * @ingroup odcn
 *
 * Where the jobs of a stretch of job time run, and which circuits were granted to them: what a
 * network of packets needs to know of them. Made by PlaceJobs().
 */
struct JobPlacement
{
    /// Circuits that change at a time.
    struct Batch
    {
        double time{0};                         //!< job time
        std::vector<OdcnCircuitChange> changes; //!< changes of output ports
    };

    double from{0};           //!< begin of the stretch, job time
    double until{0};          //!< its end
    uint32_t racks{0};        //!< number of racks
    uint32_t hostsPerRack{0}; //!< servers of a rack
    uint64_t offered{0};      //!< jobs that arrived in the stretch
    uint64_t blocked{0};      //!< jobs of them that were blocked
    /// Accepted jobs that hold resources at any time of the stretch.
    std::map<JobId, OdcnPlacedJob> jobs;
    std::vector<OdcnCircuitChange> circuits; //!< in place at the begin; nothing before them
    std::vector<Batch> batches;              //!< changes after that, by time

    /**
     * @param flows flows of jobs
     * @return those of accepted jobs whose VMs are on different servers, between these servers, in
     * the same order; VMs of one server exchange data without the network
     */
    Traffic GetFlows(const std::vector<JobFlow>& flows) const;

    /// @return bandwidth that the accepted jobs demand between racks, averaged over the stretch;
    /// bit/s
    DemandMatrix GetMeanDemand() const;
};

/**
 * Place all jobs that arrive before a time by a policy. Decisions take no time.
 *
 * @param problem after Reset()
 * @param policy policy that decides
 * @param from begin of the stretch to record, job time; earlier jobs fill the data centre
 * @param until its end, above @p from
 * @return the placement
 * @throws OdcnError when the stretch is empty, or the problem's next job arrives after its begin
 */
JobPlacement PlaceJobs(OdcnScheduling& problem, DecisionPolicy& policy, double from, double until);

} // namespace ns3::odcn

#endif /* ODCN_JOB_FLOWS_H */
