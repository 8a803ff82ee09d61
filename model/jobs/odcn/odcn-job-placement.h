// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_JOB_PLACEMENT_H
#define ODCN_JOB_PLACEMENT_H

#include "odcn-job-flows.h"
#include "odcn-scheduling.h"

#include "ns3/odcn-data-flow.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-demand-matrix.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::odcn
{

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
    std::vector<DataFlow> GetFlows(const std::vector<JobFlow>& flows) const;

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

#endif /* ODCN_JOB_PLACEMENT_H */
