// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_HELPER_H
#define CLUSTER_HELPER_H

#include "ns3/attribute.h"
#include "ns3/cluster-job-generator.h"
#include "ns3/cluster-scheduling.h"
#include "ns3/object-factory.h"
#include "ns3/odcn-decision-policy.h"

#include <string>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * Builds clusters, their jobs and who schedules them.
 *
 * @code
 *   ClusterHelper helper;
 *   helper.SetProblemAttribute("JobSlots", UintegerValue(5));
 *   auto problem = helper.CreateProblem(helper.CreateJobs(1.3));
 *   problem->AssignStreams(1);
 *   problem->Reset();
 *   ClusterEvaluation evaluation;
 *   evaluation.Run(*problem, *ClusterHelper::CreatePolicy("sjf"), 100);
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
     * @param load offered, in shares of all machines' units; 0 for the Rate that is set
     * @return random jobs, streams not yet assigned
     */
    Ptr<ClusterJobGenerator> CreateJobs(double load = 0) const;

    /**
     * @param jobs where jobs come from
     * @return the problem, not yet reset
     * @throws OdcnError when an Attribute is out of range
     */
    Ptr<ClusterScheduling> CreateProblem(Ptr<ClusterJobSource> jobs) const;

    /// @return units of a resource in all machines
    double GetUnits() const;

    /// A policy that has a short name.
    struct KnownPolicy
    {
        std::string name;   //!< short name, e.g. "sjf"
        std::string policy; //!< TypeId name, Attributes in brackets
    };

    /// @return policies that have a short name
    static const std::vector<KnownPolicy>& GetKnownPolicies();

    /**
     * @param name a short name or the TypeId name of a policy, with Attributes in brackets if any,
     *             e.g. "tetris[Knob=0.001]"
     * @return a new policy of it
     * @throws OdcnError when there is none, with the list of names, or an Attribute is out of range
     */
    static Ptr<OdcnDecisionPolicy> CreatePolicy(const std::string& name);

  private:
    ObjectFactory m_problem; //!< ClusterScheduling
    ObjectFactory m_jobs;    //!< ClusterJobGenerator
};

} // namespace odcn
} // namespace ns3

#endif /* CLUSTER_HELPER_H */
