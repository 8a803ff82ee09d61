// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_FAT_TREE_HELPER_H
#define ICCI_FAT_TREE_HELPER_H

#include "ocs-device-helper.h"

#include "ns3/attribute.h"
#include "ns3/icci-fat-tree.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/queue-size.h"

#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Builds intelligent computing centres. By default ports have a rate of 100 Gb/s and an MTU of 9000
 * bytes.
 *
 * Two centres of 100 GPUs at two sites of an optical transport mesh:
 * @code
 *   IcciFatTreeHelper trees;
 *   Ptr<IcciFatTree> a = trees.Build(0, 100);
 *   Ptr<IcciFatTree> b = trees.Build(1, 100);
 *   trees.InstallHosts(a);
 *   trees.InstallHosts(b);
 *   Ptr<OtnNetwork> otn = OtnHelper().Build(mesh, {a->GetGatewayNode(), b->GetGatewayNode()});
 *   control->SetNetwork(otn);
 *   IcciFatTree::Connect(a, b, control->SetUp(0, 1, 4));
 *   // now any host of a reaches any host of b
 * @endcode
 */
class IcciFatTreeHelper : public OcsDeviceHelper
{
  public:
    IcciFatTreeHelper();
    ~IcciFatTreeHelper() override;

    /// @param name Attribute of IcciSwitch  @param value its value for all switches
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of OcsNetDevice
    /// @param value its value for hosts' network cards and the ports to hosts
    void SetHostAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of OcsNetDevice  @param value its value for ports between switches
    void SetLinkAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of OcsNetDevice
    /// @param value its value for ports between core switches and gateway
    void SetGatewayAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of OcsFiber  @param value its value for all fibres of the centre
    void SetFiberAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @param type packet queue of each port, by default ns3::DropTailQueue
     * @param maxSize its limit, by default 1000 packets
     */
    void SetQueue(const std::string& type, const QueueSize& maxSize);

    /**
     * @param centre number of the centre, 0 to 255
     * @param gpus number of hosts
     * @return the centre, with the smallest tree that is large enough; hosts have no IP stack
     * @throws OdcnError when the addresses do not suffice
     */
    Ptr<IcciFatTree> Build(uint32_t centre, uint32_t gpus) const;

    /**
     * Install an IPv4 stack on each host without one, and assign its address.
     * @param tree a centre
     */
    void InstallHosts(Ptr<IcciFatTree> tree) const;

  private:
    /// Add the switches of a layer. @param tree the centre  @param layer the layer  @param n number
    void AddSwitches(Ptr<IcciFatTree> tree, IcciLayer layer, uint32_t n) const;

    /**
     * Connect two switches.
     * @param tree the centre
     * @param device factory of both ports
     * @param below lower switch  @param belowPort its port
     * @param above upper switch  @param abovePort its port
     */
    void Join(Ptr<IcciFatTree> tree,
              const ObjectFactory& device,
              Ptr<IcciSwitch> below,
              uint32_t belowPort,
              Ptr<IcciSwitch> above,
              uint32_t abovePort) const;

    ObjectFactory m_switch;  //!< creates IcciSwitch
    ObjectFactory m_host;    //!< creates OcsNetDevice of hosts and ports to hosts
    ObjectFactory m_link;    //!< creates OcsNetDevice between switches
    ObjectFactory m_gateway; //!< creates OcsNetDevice between core switches and gateway
    ObjectFactory m_fiber;   //!< creates OcsFiber
    ObjectFactory m_queue;   //!< creates the queue of each port
};

} // namespace ns3::odcn

#endif /* ICCI_FAT_TREE_HELPER_H */
