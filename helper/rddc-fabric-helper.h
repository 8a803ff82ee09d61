// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_FABRIC_HELPER_H
#define RDDC_FABRIC_HELPER_H

#include "ocs-device-helper.h"

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/object-factory.h"
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
 * Lays a resource-disaggregated data centre out as nodes, network cards, fibres and optical circuit
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
    void SetFabricAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of OcsSwitch  @param value its value in all switches
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of OcsNetDevice, such as DataRate of a channel
    /// @param value its value in all network cards
    void SetCardAttribute(const std::string& name, const AttributeValue& value);

    /// @param packets room of a network card's sending queue; 1,000 unless set
    void SetCardQueue(uint32_t packets);

    /**
     * @param network a network
     * @return the fabric, without circuits, and servers without IP stack
     * @throws OdcnError when addresses do not suffice
     */
    Ptr<RddcFabric> Build(std::shared_ptr<const RddcNetwork> network) const;

    /**
     * Give each server an IPv4 stack, unless it has one, each network card its address, and each
     * circuit that is set from now on a route at either end, from one network card's server to the
     * other network card. Servers have no other routes: what has no circuit is not sent.
     *
     * @param fabric a fabric
     */
    void InstallServers(Ptr<RddcFabric> fabric) const;

    /**
     * Give each server an application that sends the packets of windows, for an
     * AllocationScheduler.
     * @param fabric a fabric whose servers have an IP stack
     * @param packetSize bytes, IPv4 and UDP headers included
     * @return the applications, by server
     */
    static std::vector<Ptr<JobFlowApplication>> InstallFlows(Ptr<RddcFabric> fabric,
                                                             uint32_t packetSize);

  private:
    /// Add routes. @param fabric the fabric  @param circuits that are there now
    static void AddRoutes(RddcFabric* fabric, const std::vector<RddcCircuit>& circuits);

    /// Remove routes. @param fabric the fabric  @param circuits that go away
    static void RemoveRoutes(RddcFabric* fabric, const std::vector<RddcCircuit>& circuits);

    ObjectFactory m_fabric; //!< RddcFabric
    ObjectFactory m_switch; //!< OcsSwitch
    ObjectFactory m_card;   //!< OcsNetDevice
    ObjectFactory m_queue;  //!< of network cards
};

} // namespace ns3::odcn

#endif /* RDDC_FABRIC_HELPER_H */
