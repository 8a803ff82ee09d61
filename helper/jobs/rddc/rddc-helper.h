// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_HELPER_H
#define RDDC_HELPER_H

#include "ns3/attribute.h"
#include "ns3/object-factory.h"
#include "ns3/rddc-allocation.h"
#include "ns3/rddc-request-file.h"
#include "ns3/rddc-request-generator.h"

#include <memory>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Builds the disaggregated data centre of the NARA paper at request level, without nodes and
 * packets.
 *
 * @code
 *   RddcHelper helper;
 *   helper.SetTopologyAttribute("Channels", UintegerValue(8));
 *   auto problem = helper.CreateProblem();
 *   problem->AssignStreams(0);
 *   problem->Reset();
 *   problem->RunEpisode(*DecisionPolicy::Create("ns3::odcn::RddcTetrisPolicy"));
 * @endcode
 */
class RddcHelper
{
  public:
    RddcHelper();

    /// @param name Attribute of RddcTopology  @param value its value
    void SetTopologyAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of RddcManager  @param value its value
    void SetManagerAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of RddcAllocation  @param value its value
    void SetProblemAttribute(const std::string& name, const AttributeValue& value);

    /// @param load offered load of CreateRequests(), as a share of the capacity; 0.95 by default
    void SetLoad(double load);

    /**
     * @return the network; shared by all problems until an Attribute of the topology is set
     * @throws OdcnError when an Attribute is out of range
     */
    std::shared_ptr<const RddcNetwork> GetNetwork() const;

    /// @return the longest holding time of CreateRequests()
    uint32_t GetLongestHolding() const;

    /// @return the paper's requests for this topology and load, streams not yet assigned
    Ptr<RddcRequestGenerator> CreateRequests() const;

    /**
     * Create a source of requests of a file at the load of SetLoad(), with a mean gap of 1.
     *
     * @param file file of requests
     * @return the source
     */
    Ptr<RddcRequestFile> ReadRequests(const std::string& file) const;

    /**
     * Create the decision problem with its manager. Then call AssignStreams() and Reset().
     *
     * @param requests source of requests
     * @return the problem
     * @throws OdcnError when an Attribute is out of range
     */
    Ptr<RddcAllocation> CreateProblem(Ptr<RddcRequestSource> requests) const;

    /// @return the decision problem with the paper's requests, not yet reset
    /// @throws OdcnError when an Attribute is out of range
    Ptr<RddcAllocation> CreateProblem() const;

  private:
    /// @return a manager of the network with all resources free
    Ptr<RddcManager> CreateManager() const;

    ObjectFactory m_topology;                             //!< creates RddcTopology
    ObjectFactory m_manager;                              //!< creates RddcManager
    ObjectFactory m_problem;                              //!< creates RddcAllocation
    double m_load{0.95};                                  //!< offered load of CreateRequests()
    mutable std::shared_ptr<const RddcNetwork> m_network; //!< network; null until first used
};

} // namespace ns3::odcn

#endif /* RDDC_HELPER_H */
