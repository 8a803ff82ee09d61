// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_HELPER_H
#define ODCN_HELPER_H

#include "ns3/attribute.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/ocs-circuit-follower.h"
#include "ns3/ocs-helper.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-job-flows.h"
#include "ns3/odcn-job.h"
#include "ns3/odcn-placement-scheduler.h"
#include "ns3/odcn-scheduling.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// Objects created by OdcnHelper::Install().
struct OdcnScenario
{
    Ptr<Node> controller;                       //!< node of the scheduler
    Ptr<PlacementScheduler> scheduler;          //!< the scheduler
    Ptr<OcsFabric> fabric;                      //!< servers, ToR switches, optical switches
    std::vector<Ptr<JobFlowApplication>> flows; //!< traffic of each server, rack by rack
};

/**
 * @ingroup odcn
 *
 * Builds the optical data centre of the ODCN paper from one set of Attributes: at job level
 * (CreateProblem(), without nodes and packets) or at packet level (Install()).
 *
 * @code
 *   OdcnHelper helper;
 *   auto problem = helper.CreateProblem(66); // the load
 *   problem->AssignStreams(0);
 *   problem->Reset();
 *   auto scenario = helper.Install(problem, CreateObject<OdcnJcbPolicy>());
 *   Simulator::Run();
 * @endcode
 */
class OdcnHelper
{
  public:
    OdcnHelper();

    /// @param name Attribute of NMgr  @param value its value
    void SetNetworkAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of CsMgr  @param value its value
    void SetComputeAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of OdcnScheduling  @param value its value
    void SetProblemAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of OdcnJobGenerator  @param value its value
    void SetJobAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of PlacementScheduler  @param value its value
    void SetSchedulerAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of JobFlowApplication  @param value its value
    void SetFlowAttribute(const std::string& name, const AttributeValue& value);

    /// @return the helper of the optical fabric, to set its Attributes
    OcsHelper& GetOptics();

    /**
     * @param load mean duration of a job, in units of the mean inter-arrival time; above 0
     * @return source of the paper's jobs, see SetJobAttribute(); streams not yet assigned
     * @throws OdcnError when an Attribute is out of range
     */
    Ptr<OdcnJobSource> CreateJobs(double load) const;

    /**
     * Create the decision problem. Then call AssignStreams() and Reset().
     *
     * @param jobs source of jobs
     * @return the problem
     * @throws OdcnError when an Attribute is out of range
     */
    Ptr<OdcnScheduling> CreateProblem(Ptr<OdcnJobSource> jobs) const;

    /**
     * Create the decision problem with the paper's jobs, see SetJobAttribute(). Then call
     * AssignStreams() and Reset().
     *
     * @param load mean duration of a job, in units of the mean inter-arrival time; above 0
     * @return the problem
     * @throws OdcnError when an Attribute is out of range
     */
    Ptr<OdcnScheduling> CreateProblem(double load) const;

    /**
     * Create the packet plane: fabric, servers with IP and their traffic, and the controller, which
     * all start at time 0.
     *
     * @param problem made by CreateProblem()
     * @param policy policy that decides
     * @return the created objects
     */
    OdcnScenario Install(Ptr<OdcnScheduling> problem, Ptr<DecisionPolicy> policy);

    /**
     * Create the same controller, whose packets are computed without events, from the same
     * Attributes: PlacementScheduler::SetEngine().
     *
     * @param problem made by CreateProblem()
     * @param policy policy that decides
     * @param sink receives the outcomes of all packets
     * @return the controller, without fabric and flows
     * @throws OdcnError when an Attribute requires Install()
     */
    OdcnScenario InstallExact(Ptr<OdcnScheduling> problem,
                              Ptr<DecisionPolicy> policy,
                              OdcnPacketSink& sink);

    /**
     * Let a fabric follow the circuits that were granted to placed jobs, from now on.
     *
     * @param fabric with as many racks, uplinks and optical switches as the network manager had
     * @param placement of the jobs
     * @param unit length of a unit of job time
     * @return the follower, not to be started again
     */
    static Ptr<OcsCircuitFollower> FollowCircuits(Ptr<OcsFabric> fabric,
                                                  const JobPlacement& placement,
                                                  Time unit);

    /**
     * @param scenario result of Install() or InstallExact()
     * @param stream first stream number to use
     * @return number of streams used
     */
    static int64_t AssignStreams(const OdcnScenario& scenario, int64_t stream);

  private:
    /// Add the controller.
    /// @param scenario to complete
    /// @param problem made by CreateProblem()
    /// @param policy policy that decides
    void AddScheduler(OdcnScenario& scenario,
                      Ptr<OdcnScheduling> problem,
                      Ptr<DecisionPolicy> policy) const;

    /// Set the uplink rate. @param problem made by CreateProblem()  @return size of the fabric
    /// @throws OdcnError when racks differ in the rate of their ports
    OcsFabricSize FitOptics(const OdcnScheduling& problem);

    ObjectFactory m_network;   //!< creates NMgr
    ObjectFactory m_compute;   //!< creates CsMgr
    ObjectFactory m_problem;   //!< creates OdcnScheduling
    ObjectFactory m_jobs;      //!< creates OdcnJobGenerator
    ObjectFactory m_scheduler; //!< creates PlacementScheduler
    ObjectFactory m_flow;      //!< creates JobFlowApplication
    OcsHelper m_optics;        //!< builds the optical fabric
};

} // namespace ns3::odcn

#endif /* ODCN_HELPER_H */
