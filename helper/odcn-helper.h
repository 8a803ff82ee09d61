// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_HELPER_H
#define ODCN_HELPER_H

#include "ocs-helper.h"
#include "odcn-window-engine.h"

#include "ns3/attribute.h"
#include "ns3/object-factory.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-job-source.h"
#include "ns3/odcn-placement-scheduler.h"
#include "ns3/odcn-scheduling.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// What OdcnHelper::Install() made.
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
 * Builds the optical data centre of the ODCN paper: at job level (CreateProblem(), no node, no
 * packet), or in packets (Install()), from the same Attributes.
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

    /// @return what builds the optical fabric, to set its Attributes
    OcsHelper& GetOptics();

    /**
     * @param load mean duration of a job, in units of the mean gap between arrivals; above 0
     * @return the paper's jobs, see SetJobAttribute(); streams not yet assigned
     * @throws OdcnError when an Attribute is out of range
     */
    Ptr<OdcnJobSource> CreateJobs(double load) const;

    /**
     * The decision problem. AssignStreams() and Reset() are yet to be called.
     *
     * @param jobs where jobs come from
     * @return the problem
     * @throws OdcnError when an Attribute is out of range
     */
    Ptr<OdcnScheduling> CreateProblem(Ptr<OdcnJobSource> jobs) const;

    /**
     * The decision problem with the paper's jobs, see SetJobAttribute(). AssignStreams() and
     * Reset() are yet to be called.
     *
     * @param load mean duration of a job, in units of the mean gap between arrivals; above 0
     * @return the problem
     * @throws OdcnError when an Attribute is out of range
     */
    Ptr<OdcnScheduling> CreateProblem(double load) const;

    /**
     * The packet plane: fabric, servers with IP and their traffic, and the controller, all starting
     * at time 0.
     *
     * @param problem made by CreateProblem()
     * @param policy who decides
     * @return what was made
     */
    OdcnScenario Install(Ptr<OdcnScheduling> problem, Ptr<DecisionPolicy> policy);

    /**
     * What does the same as Install()'s scheduler and packet plane without the Simulator, from the
     * same Attributes.
     *
     * @param problem made by CreateProblem()
     * @param policy who decides
     * @return it
     * @throws OdcnError when an Attribute asks for what only real packets can do
     */
    std::unique_ptr<OdcnWindowEngine> CreateWindowEngine(Ptr<OdcnScheduling> problem,
                                                         Ptr<DecisionPolicy> policy);

    /**
     * @param scenario what Install() made
     * @param stream first stream number to use
     * @return how many were used
     */
    static int64_t AssignStreams(const OdcnScenario& scenario, int64_t stream);

  private:
    /// @param problem made by CreateProblem()  @return the fabric's size; m_optics gets its rate
    OcsFabricSize FitOptics(const OdcnScheduling& problem);

    ObjectFactory m_network;   //!< NMgr
    ObjectFactory m_compute;   //!< CsMgr
    ObjectFactory m_problem;   //!< OdcnScheduling
    ObjectFactory m_jobs;      //!< OdcnJobGenerator
    ObjectFactory m_scheduler; //!< PlacementScheduler
    ObjectFactory m_flow;      //!< JobFlowApplication
    OcsHelper m_optics;        //!< the fabric
};

} // namespace ns3::odcn

#endif /* ODCN_HELPER_H */
