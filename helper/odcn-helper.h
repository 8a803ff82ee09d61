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

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * A way to run the data centre: who decides, and whether the interconnect can be reconfigured.
 */
struct OdcnScheme
{
    std::string name;          //!< short name, e.g. "odcn-ccf"
    std::string policy;        //!< TypeId name, Attributes in brackets
    bool reconfigurable{true}; //!< false for the fixed all-to-all interconnect

    /// @return the schemes that have a short name
    static const std::vector<OdcnScheme>& GetKnown();

    /**
     * @param name a short name or the TypeId name of a policy, Attributes in brackets if any (then
     * reconfigurable)
     * @return the scheme
     * @throws OdcnError when there is none, with the list of names
     */
    static OdcnScheme Find(const std::string& name);
};

/// What OdcnHelper::Install() made.
struct OdcnScenario
{
    Ptr<Node> controller;                           //!< node of the scheduler
    Ptr<PlacementScheduler> scheduler;              //!< the scheduler
    Ptr<OcsFabric> fabric;                          //!< servers, ToR switches, optical switches
    std::vector<Ptr<OdcnJobFlowApplication>> flows; //!< traffic of each server, rack by rack
};

/**
 * @ingroup odcn
 *
 * Builds the optical data centre of the ODCN paper: at job level (CreateProblem(), no node, no
 * packet), or in packets (Install()), from the same Attributes.
 *
 * @code
 *   OdcnHelper helper;
 *   auto jobs = CreateObject<OdcnJobGenerator>();
 *   auto problem = helper.CreateProblem(jobs, true);
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

    /// @param name Attribute of PlacementScheduler  @param value its value
    void SetSchedulerAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of OdcnJobFlowApplication  @param value its value
    void SetFlowAttribute(const std::string& name, const AttributeValue& value);

    /// @return what builds the optical fabric, to set its Attributes
    OcsHelper& GetOptics();

    /**
     * The decision problem with its managers, empty and ready: Reset() was called.
     *
     * @param jobs where jobs come from; streams are to be assigned before
     * @param reconfigurable false for the fixed all-to-all interconnect
     * @return the problem
     * @throws OdcnError when an Attribute is out of range
     */
    Ptr<OdcnScheduling> CreateProblem(Ptr<OdcnJobSource> jobs, bool reconfigurable) const;

    /**
     * @param scheme which
     * @return a new policy of it
     * @throws OdcnError when an Attribute is out of range, or this build has no agents
     */
    static Ptr<OdcnDecisionPolicy> CreatePolicy(const OdcnScheme& scheme);

    /**
     * The packet plane: fabric, servers with IP and their traffic, and the controller, all starting
     * at time 0.
     *
     * @param problem made by CreateProblem()
     * @param policy who decides
     * @return what was made
     */
    OdcnScenario Install(Ptr<OdcnScheduling> problem, Ptr<OdcnDecisionPolicy> policy);

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
                                                         Ptr<OdcnDecisionPolicy> policy);

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
    ObjectFactory m_scheduler; //!< PlacementScheduler
    ObjectFactory m_flow;      //!< OdcnJobFlowApplication
    OcsHelper m_optics;        //!< the fabric
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_HELPER_H */
