// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_HELPER_H
#define RDDC_HELPER_H

#include "ns3/attribute.h"
#include "ns3/object-factory.h"
#include "ns3/rddc-alibaba-requests.h"
#include "ns3/rddc-allocation.h"
#include "ns3/rddc-request-generator.h"
#include "ns3/rddc-topology.h"

#include <memory>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Builds the disaggregated data centre of the NARA paper at the level of requests: no node, no
 * packet.
 *
 * @code
 *   RddcHelper helper;
 *   helper.SetTopologyAttribute("Channels", UintegerValue(8));
 *   auto problem = helper.CreateProblem();
 *   problem->AssignStreams(0);
 *   problem->Reset();
 *   problem->RunEpisode(*CreateObject<RddcTetrisPolicy>());
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

    /// @param load that CreateRequests() offers, in shares of the capacity; 0.95 unless set
    void SetLoad(double load);

    /**
     * @return the network; the same for all problems until an Attribute of the topology is set
     * @throws OdcnError when an Attribute is out of range
     */
    std::shared_ptr<const RddcNetwork> GetNetwork() const;

    /// @return the greatest holding time of CreateRequests()
    uint32_t GetLongestHolding() const;

    /// @return the paper's requests for this topology and load, streams not yet assigned
    Ptr<RddcRequestGenerator> CreateRequests() const;

    /**
     * Real requests in place of drawn ones, at the load that was set.
     *
     * @param file instances of the Alibaba trace of 2025
     * @return a source that has read it
     * @throws OdcnError when it cannot be read or has no usable row
     */
    Ptr<RddcAlibabaRequests> ReadRequests(const std::string& file) const;

    /**
     * The decision problem with its manager. AssignStreams() and Reset() are yet to be called.
     *
     * @param requests where requests come from
     * @return the problem
     * @throws OdcnError when an Attribute is out of range
     */
    Ptr<RddcAllocation> CreateProblem(Ptr<RddcRequestSource> requests) const;

    /// @return the decision problem with the paper's requests, likewise not yet reset
    /// @throws OdcnError when an Attribute is out of range
    Ptr<RddcAllocation> CreateProblem() const;

  private:
    /// @return a manager on the network, with everything free
    Ptr<RddcManager> CreateManager() const;

    ObjectFactory m_topology;                             //!< RddcTopology
    ObjectFactory m_manager;                              //!< RddcManager
    ObjectFactory m_problem;                              //!< RddcAllocation
    double m_load{0.95};                                  //!< of CreateRequests()
    mutable std::shared_ptr<const RddcNetwork> m_network; //!< once it was asked for
};

} // namespace ns3::odcn

#endif /* RDDC_HELPER_H */
