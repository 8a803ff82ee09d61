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
class OcsHelper : public OcsRackHelper
{
  public:
    OcsHelper();
    ~OcsHelper() override;

    /// @param name Attribute of OcsSwitch  @param value its value for all optical switches
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value)
    {
        m_switch.Set(name, value);
    }

    /// @param name Attribute of TorSwitch  @param value its value for all ToR switches
    void SetTorAttribute(const std::string& name, const AttributeValue& value)
    {
        m_tor.Set(name, value);
    }

    /// @param name Attribute of OcsNetDevice  @param value its value for all electrical uplinks and
    /// the ports at their other ends
    void SetElectricalAttribute(const std::string& name, const AttributeValue& value)
    {
        m_electrical.Set(name, value);
    }

    /// @param name Attribute of PacketSwitch  @param value its value for all packet switches
    void SetSpineAttribute(const std::string& name, const AttributeValue& value)
    {
        m_spine.Set(name, value);
    }

    /// @param name Attribute of OcsFiber  @param value its value between ToR and packet switches
    void SetElectricalFiberAttribute(const std::string& name, const AttributeValue& value)
    {
        m_electricalFiber.Set(name, value);
    }

    /**
     * Set the queues of electrical uplinks and the ports at their other ends.
     *
     * @param type packet queue, by default ns3::DropTailQueue
     * @param maxSize its limit without the packet in transmission, by default 1000 packets
     */
    void SetElectricalQueue(const std::string& type, const QueueSize& maxSize)
    {
        m_electricalQueue = MakeQueueFactory(type, maxSize);
    }

    /**
     * Enable backpressure from servers' network cards: packets that find the device queue full wait
     * in ns-3's default queue disc, where they may be dropped. Without this call there is no queue
     * disc: all losses occur in the device and are counted by OcsFabric::Count().
     */
    void EnableFlowControl();

    /**
     * Divide the racks of Build() among the ranks of the simulator (MakeSimulatorRanks()), in
     * groups of neighbours. Each rank has all nodes, and its own copy of the optical switches; the
     * fibres from these to ToR switches are cut (RankArrivals). In a process alone only the order
     * of simultaneous packets changes, so that results do not depend on the number of ranks.
     */
    void Divide();

    /**
     * Get the parameters of the fabric of Build(), for PacketFabric and SchedulePackets.
     *
     * @param size size of the fabric
     * @return the parameters, times in ps
     * @throws OdcnError when they do not support a setting: racks that differ, electrical uplinks,
     * flow control, queue discs of ToR switches, or queues other than ns3::DropTailQueue with a
     * limit in packets
     */
    FabricModel GetModel(const OcsFabricSize& size) const;

    /// @return largest IP packet of servers' ports and uplinks of both kinds, in bytes
    uint32_t GetMtu() const;

    /**
     * @param wanted size of the fabric
     * @return the fabric without circuits; servers have no IP stack
     * @throws OdcnError when there is no such fabric, ToR switches with electrical uplinks do not
     * hold packets (NoCircuit=Hold), or one with electrical uplinks is to be divided
     */
    Ptr<OcsFabric> Build(const OcsFabricSize& wanted);

    /**
     * Install an IPv4 stack on each server without one, and assign its address.
     *
     * @param fabric a fabric
     */
    void InstallServers(Ptr<OcsFabric> fabric) const;

  private:
    /// @param size of a fabric
    /// @throws OdcnError when its electrical uplinks do not fit the other settings
    void CheckElectrical(const OcsFabricSize& size) const;

    /// Create a ToR switch with its ports and servers.
    /// @param fabric gets them
    /// @param rack the rack
    void AddRack(OcsFabric& fabric, RackId rack) const;

    ObjectFactory m_switch;          //!< creates OcsSwitch
    ObjectFactory m_tor;             //!< creates TorSwitch
    ObjectFactory m_spine;           //!< creates PacketSwitch
    ObjectFactory m_electrical;      //!< creates OcsNetDevice at both ends of electrical uplinks
    ObjectFactory m_electricalFiber; //!< creates OcsFiber of electrical uplinks
    ObjectFactory m_electricalQueue; //!< creates queues at both ends of electrical uplinks
    bool m_flowControl{false};       //!< see EnableFlowControl()
    bool m_divided{false};           //!< see Divide()
};

} // namespace odcn
} // namespace ns3

#endif /* OCS_HELPER_H */
