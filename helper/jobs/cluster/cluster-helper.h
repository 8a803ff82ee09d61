// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_HELPER_H
#define CLUSTER_HELPER_H

#include "ns3/attribute.h"
#include "ns3/cluster-job-generator.h"
#include "ns3/cluster-scheduling.h"
#include "ns3/object-factory.h"

#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Helper to create cluster scheduling problems and their jobs.
 *
 * @code
 *   ClusterHelper helper;
 *   helper.SetProblemAttribute("JobSlots", UintegerValue(5));
 *   auto problem = helper.CreateProblem(helper.CreateJobs(1.3));
 *   problem->AssignStreams(1);
 *   problem->Reset();
 *   problem->RunEpisode(*PolicyRegistry::Find(*problem, "sjf").Create());
 * @endcode
 */
class ClusterHelper
{
  public:
    ClusterHelper();

    /// @param name Attribute of ClusterScheduling  @param value its value
    void SetProblemAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of ClusterJobGenerator  @param value its value
    void SetJobAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @param load offered load as a share of all machines' units; 0 to use the Attribute Rate
     * @return a generator of random jobs, streams not yet assigned
     */
    Ptr<ClusterJobGenerator> CreateJobs(double load = 0) const;

    /**
     * @param jobs source of jobs
     * @return the problem, not yet reset
     * @throws OdcnError when an Attribute is out of range
     */
    Ptr<ClusterScheduling> CreateProblem(Ptr<ClusterJobSource> jobs) const;

    /// @return units of a resource over all machines
    double GetUnits() const;

  private:
    ObjectFactory m_problem; //!< creates ClusterScheduling
    ObjectFactory m_jobs;    //!< creates ClusterJobGenerator
};

} // namespace ns3::odcn

#endif /* CLUSTER_HELPER_H */
