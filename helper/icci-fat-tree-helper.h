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
 * Builds intelligent computing centres. Ports run at 100 Gb/s and take packets of 9000 bytes
 * unless told otherwise.
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
 *   // any host of a reaches any host of b now
 * @endcode
 */
class IcciFatTreeHelper : public OcsDeviceHelper
{
  public:
    IcciFatTreeHelper();
    ~IcciFatTreeHelper() override;

    /// @param name Attribute of IcciSwitch  @param value its value in all switches
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of OcsNetDevice
    /// @param value its value in hosts' network cards and the ports that lead to them
    void SetHostAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of OcsNetDevice  @param value its value in ports between switches
    void SetLinkAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of OcsNetDevice
    /// @param value its value in ports between cores and gateway
    void SetGatewayAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of OcsFiber  @param value its value in all fibres of the centre
    void SetFiberAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @param type queue of packets of each port, by default ns3::DropTailQueue
     * @param maxSize its room, by default 1000 packets
     */
    void SetQueue(const std::string& type, const QueueSize& maxSize);

    /**
     * @param centre its number, 0 to 255
     * @param gpus how many hosts it has
     * @return the centre, in the smallest tree that has room for it; hosts have no IP stack
     * @throws OdcnError when there are no addresses for it
     */
    Ptr<IcciFatTree> Build(uint32_t centre, uint32_t gpus) const;

    /**
     * Give each host an IPv4 stack, unless it has one, and its address.
     * @param tree a centre
     */
    void InstallHosts(Ptr<IcciFatTree> tree) const;

  private:
    /// Add the switches of a layer. @param tree where  @param layer which  @param n how many
    void AddSwitches(Ptr<IcciFatTree> tree, IcciLayer layer, uint32_t n) const;

    /**
     * Join two switches.
     * @param tree where
     * @param device of both ports
     * @param below one  @param belowPort its port
     * @param above the other  @param abovePort its port
     */
    void Join(Ptr<IcciFatTree> tree,
              const ObjectFactory& device,
              Ptr<IcciSwitch> below,
              uint32_t belowPort,
              Ptr<IcciSwitch> above,
              uint32_t abovePort) const;

    ObjectFactory m_switch;  //!< IcciSwitch
    ObjectFactory m_host;    //!< OcsNetDevice in a host, and towards it
    ObjectFactory m_link;    //!< OcsNetDevice between switches
    ObjectFactory m_gateway; //!< OcsNetDevice between cores and gateway
    ObjectFactory m_fiber;   //!< OcsFiber
    ObjectFactory m_queue;   //!< of each port
};

} // namespace ns3::odcn

#endif /* ICCI_FAT_TREE_HELPER_H */
