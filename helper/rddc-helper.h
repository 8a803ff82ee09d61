// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_HELPER_H
#define RDDC_HELPER_H

#include "ns3/attribute.h"
#include "ns3/object-factory.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/rddc-alibaba-requests.h"
#include "ns3/rddc-allocation.h"
#include "ns3/rddc-request-generator.h"
#include "ns3/rddc-topology.h"

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
 * A way to run the disaggregated data centre: who decides, and what goes with it.
 */
struct RddcScheme
{
    std::string name;            //!< short name, e.g. "tetris"
    std::string policy;          //!< TypeId name, Attributes in brackets
    std::string routing{"Hops"}; //!< RddcManager::Routing
    std::string connectivity{};  //!< RddcManager::Connectivity; empty for what is set there
    std::string state{};         //!< RddcAllocation::State; empty for what is set there, which a
                                 //!< trained policy changes (Configure())

    /// @return the schemes that have a short name
    static const std::vector<RddcScheme>& GetKnown();

    /**
     * @param name a short name or the TypeId name of a policy, Attributes in brackets if any; and a
     * routing after "@" if it is not the scheme's own, or not Hops
     * @return the scheme
     * @throws OdcnError when there is none, with the list of names
     */
    static RddcScheme Find(const std::string& name);

    /**
     * @return a new policy of it; a trained one is to Configure() the problem
     * @throws OdcnError when an Attribute is out of range, or this build has no agents
     */
    Ptr<OdcnDecisionPolicy> CreatePolicy() const;
};

/**
 * @ingroup odcn
 *
 * Builds the disaggregated data centre of the NARA paper at the level of requests: no node, no
 * packet.
 *
 * @code
 *   RddcHelper helper;
 *   helper.SetTopologyAttribute("Channels", UintegerValue(8));
 *   auto requests = helper.CreateRequests();
 *   requests->AssignStreams(1);
 *   const auto scheme = RddcScheme::Find("tetris");
 *   auto problem = helper.CreateProblem(requests, scheme);
 *   problem->RunRequest(*scheme.CreatePolicy());
 * @endcode
 */
class RddcHelper
{
  public:
    RddcHelper();

    /// @param name Attribute of RddcTopology  @param value its value
    void SetTopologyAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of RddcManager  @param value its value; a scheme sets its own after
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
     * The decision problem with its manager, empty and ready: Reset() was called.
     *
     * @param requests where requests come from; streams are to be assigned before
     * @param scheme how paths are chosen, and between whom
     * @return the problem
     * @throws OdcnError when an Attribute is out of range
     */
    Ptr<RddcAllocation> CreateProblem(Ptr<RddcRequestSource> requests,
                                      const RddcScheme& scheme) const;

  private:
    /// @return a manager on the network, with everything free
    Ptr<RddcManager> CreateManager() const;

    ObjectFactory m_topology;                             //!< RddcTopology
    ObjectFactory m_manager;                              //!< RddcManager
    ObjectFactory m_problem;                              //!< RddcAllocation
    double m_load{0.95};                                  //!< of CreateRequests()
    mutable std::shared_ptr<const RddcNetwork> m_network; //!< once it was asked for
};

} // namespace odcn
} // namespace ns3

#endif /* RDDC_HELPER_H */
