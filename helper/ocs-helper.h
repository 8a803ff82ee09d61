// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_HELPER_H
#define OCS_HELPER_H

#include "ocs-device-helper.h"

#include "ns3/object-factory.h"
#include "ns3/ocs-fabric.h"
#include "ns3/odcn-fabric-model.h"
#include "ns3/ptr.h"
#include "ns3/queue-size.h"

#include <string>

namespace ns3
{

class AttributeValue;

namespace odcn
{

/**
 * @ingroup odcn
 *
 * Builds optical data centres.
 *
 * Two racks of one server, one circuit each way through one optical switch:
 * @code
 *   OcsHelper helper;
 *   Ptr<OcsFabric> fabric = helper.Build(OcsFabricSize{});
 *   fabric->PresetAllToAll();
 *   helper.InstallServers(fabric);
 *   // sockets and applications on fabric->GetServer(0, 0), fabric->GetServer(1, 0)
 * @endcode
 *
 * pcap and ascii traces work on any OcsNetDevice, in servers as in ToR switches.
 */
class OcsHelper : public OcsDeviceHelper
{
  public:
    OcsHelper();
    ~OcsHelper() override;

    /// @param name Attribute of OcsSwitch  @param value its value in all optical switches
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of TorSwitch  @param value its value in all ToR switches
    void SetTorAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of OcsNetDevice  @param value its value in all uplinks
    void SetUplinkAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of OcsNetDevice
    /// @param value its value in all servers' network cards and the ports that lead to them
    void SetServerAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of OcsFiber  @param value its value between ToR and optical switches
    void SetUplinkFiberAttribute(const std::string& name, const AttributeValue& value);

    /// @param name Attribute of OcsFiber  @param value its value between servers and ToR switches
    void SetServerFiberAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @param type a queue of packets, by default ns3::DropTailQueue
     * @param maxSize its room, by default 15 packets; one more is in transmission
     */
    void SetUplinkQueue(const std::string& type, const QueueSize& maxSize);

    /**
     * Servers' network cards and the ports that lead to them.
     *
     * @param type a queue of packets, by default ns3::DropTailQueue
     * @param maxSize its room, by default 1000 packets
     */
    void SetServerQueue(const std::string& type, const QueueSize& maxSize);

    /**
     * Let servers' network cards push back: packets that find the device's queue full wait in
     * ns-3's default queue disc, and it is there that they are lost. Without this call there is no
     * queue disc: all losses are the device's and appear in OcsFabric::Count().
     */
    void EnableFlowControl();

    /**
     * What Build() builds, in numbers, for PacketFabric.
     *
     * @param size how large
     * @return the numbers, times in ps
     * @throws OdcnError when there is something that PacketFabric does not know: flow control,
     * or other queues than ns3::DropTailQueue with room for so many packets
     */
    FabricModel GetModel(const OcsFabricSize& size) const;

    /// @return largest IP packet of servers' ports and uplinks, in bytes
    uint32_t GetMtu() const;

    /**
     * @param size how large
     * @return the fabric, without circuits, and servers without IP stack
     */
    Ptr<OcsFabric> Build(const OcsFabricSize& size);

    /**
     * Give each server an IPv4 stack, unless it has one, and its address.
     *
     * @param fabric a fabric
     */
    void InstallServers(Ptr<OcsFabric> fabric) const;

  private:
    ObjectFactory m_switch;      //!< OcsSwitch
    ObjectFactory m_tor;         //!< TorSwitch
    ObjectFactory m_uplink;      //!< OcsNetDevice into an optical switch
    ObjectFactory m_server;      //!< OcsNetDevice in a server, and towards it
    ObjectFactory m_uplinkFiber; //!< OcsFiber into an optical switch
    ObjectFactory m_serverFiber; //!< OcsFiber to a server
    ObjectFactory m_uplinkQueue; //!< queue of m_uplink
    ObjectFactory m_serverQueue; //!< queue of m_server
    bool m_flowControl{false};   //!< see EnableFlowControl()
};

} // namespace odcn
} // namespace ns3

#endif /* OCS_HELPER_H */
