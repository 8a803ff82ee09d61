// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_FABRIC_HELPER_H
#define RDDC_FABRIC_HELPER_H

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/object-factory.h"
#include "ns3/ocs-device-helper.h"
#include "ns3/odcn-job-flow-application.h"
#include "ns3/ptr.h"
#include "ns3/rddc-fabric.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Builds a resource-disaggregated data centre from nodes, network cards, fibres and optical circuit
 * switches.
 *
 * @code
 *   RddcFabricHelper fabrics;
 *   Ptr<RddcFabric> fabric = fabrics.Build(helper.GetNetwork());
 *   fabrics.InstallServers(fabric);
 *   const RddcLightpath lightpath{3, 17, 0};
 *   fabric->Connect({&lightpath, 1});
 *   // UDP or TCP from fabric->GetServers().Get(3) to fabric->GetAddress(17, 0)
 * @endcode
 *
 * pcap and ascii traces work on any network card.
 */
class RddcFabricHelper : public OcsDeviceHelper
{
  public:
    RddcFabricHelper();

    /// @param name Attribute of RddcFabric, such as Tier1Length  @param value its value
    void SetFabricAttribute(const std::string& name, const AttributeValue& value)
    {
        m_fabric.Set(name, value);
    }

    /// @param name Attribute of OcsSwitch  @param value its value for all switches
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value)
    {
        m_switch.Set(name, value);
    }

    /// @param name Attribute of OcsNetDevice, such as DataRate of a channel
    /// @param value its value for all network cards
    void SetCardAttribute(const std::string& name, const AttributeValue& value)
    {
        m_card.Set(name, value);
    }

    /// @param packets limit of a network card's sending queue; 1,000 by default
    void SetCardQueue(uint32_t packets);

    /**
     * @param network a network
     * @return the fabric without circuits; servers have no IP stack
     * @throws OdcnError when the addresses do not suffice
     */
    Ptr<RddcFabric> Build(std::shared_ptr<const RddcNetwork> network) const;

    /**
     * Install an IPv4 stack on each server without one and assign an address to each network card.
     * Each circuit that is set from now on gets a route at both ends, from the server of one
     * network card to the other network card. Servers have no other routes, and hence send no
     * packets without a circuit.
     *
     * @param fabric a fabric
     */
    void InstallServers(Ptr<RddcFabric> fabric) const;

    /**
     * Install an application on each server that sends the packets of an AllocationScheduler's
     * windows.
     * @param fabric a fabric whose servers have an IP stack
     * @param packetSize packet size in bytes, including IPv4 and UDP headers
     * @return the applications by server
     */
    static std::vector<Ptr<JobFlowApplication>> InstallFlows(Ptr<RddcFabric> fabric,
                                                             uint32_t packetSize);

  private:
    /// Add routes. @param fabric the fabric  @param circuits new circuits
    static void AddRoutes(RddcFabric* fabric, const std::vector<RddcCircuit>& circuits);

    /// Remove routes. @param fabric the fabric  @param circuits removed circuits
    static void RemoveRoutes(RddcFabric* fabric, const std::vector<RddcCircuit>& circuits);

    ObjectFactory m_fabric; //!< creates RddcFabric
    ObjectFactory m_switch; //!< creates OcsSwitch
    ObjectFactory m_card;   //!< creates OcsNetDevice of network cards
    ObjectFactory m_queue;  //!< creates queues of network cards
};

} // namespace ns3::odcn

#endif /* RDDC_FABRIC_HELPER_H */
