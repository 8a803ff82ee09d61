// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OTN_HELPER_H
#define OTN_HELPER_H

#include "ns3/attribute.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/ocs-device-helper.h"
#include "ns3/otn-mesh.h"
#include "ns3/otn-network.h"
#include "ns3/ptr.h"
#include "ns3/queue-size.h"

#include <memory>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Helper to build the optical transport mesh at packet level.
 * @code
 *   OtnHelper helper;
 *   Ptr<OtnNetwork> network = helper.Build(OtnMesh::Read("data/sf-bay-22-38.json"));
 *   helper.InstallSites(network);
 *   auto control = CreateObject<OtnController>();
 *   control->SetNetwork(network);
 *   Ptr<OtnLightpath> lightpath = control->SetUp(0, 9, 4); // four wavelengths from site 0 to 9
 * @endcode
 *
 * pcap and ascii traces work on any transponder.
 */
class OtnHelper : public OcsDeviceHelper
{
  public:
    OtnHelper();
    ~OtnHelper() override;

    /// @param name Attribute of OtnNetwork  @param value its value
    void SetNetworkAttribute(const std::string& name, const AttributeValue& value)
    {
        m_network.Set(name, value);
    }

    /// @param name Attribute of OtnNode  @param value its value for all nodes
    void SetNodeAttribute(const std::string& name, const AttributeValue& value)
    {
        m_node.Set(name, value);
    }

    /// @param name Attribute of OtnFiber  @param value its value for all fibres
    void SetFiberAttribute(const std::string& name, const AttributeValue& value)
    {
        m_fiber.Set(name, value);
    }

    /// @param name Attribute of OcsNetDevice  @param value its value for all transponders
    void SetTransponderAttribute(const std::string& name, const AttributeValue& value)
    {
        m_transponder.Set(name, value);
    }

    /**
     * @param type packet queue of each transponder, by default ns3::DropTailQueue
     * @param maxSize its limit, by default 1000 packets
     */
    void SetTransponderQueue(const std::string& type, const QueueSize& maxSize)
    {
        m_queue = MakeQueueFactory(type, maxSize);
    }

    /**
     * Divide the sites of the next Build() among the ranks of the simulator (MakeSimulatorRanks()),
     * in groups of neighbours by number. With sites of your own, give their nodes system ids.
     */
    void Divide();

    /**
     * @param mesh sites and links
     * @return the network; its sites are new nodes without IP stack
     */
    Ptr<OtnNetwork> Build(std::shared_ptr<const OtnMesh> mesh) const;

    /**
     * @param mesh sites and links
     * @param sites one node per site, for instance the gateways of centres
     * @return the network
     */
    Ptr<OtnNetwork> Build(std::shared_ptr<const OtnMesh> mesh, const NodeContainer& sites) const;

    /**
     * Install an IPv4 stack on each site without one.
     * @param network a network
     */
    void InstallSites(Ptr<OtnNetwork> network) const;

  private:
    ObjectFactory m_network;     //!< creates OtnNetwork
    ObjectFactory m_node;        //!< creates OtnNode
    ObjectFactory m_fiber;       //!< creates OtnFiber
    ObjectFactory m_transponder; //!< creates OcsNetDevice of transponders
    ObjectFactory m_queue;       //!< creates queues of transponders
    bool m_divided{false};       //!< see Divide()
};

} // namespace ns3::odcn

#endif /* OTN_HELPER_H */
