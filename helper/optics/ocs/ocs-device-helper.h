// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_DEVICE_HELPER_H
#define OCS_DEVICE_HELPER_H

#include "ns3/ipv4-address.h"
#include "ns3/net-device.h"
#include "ns3/object-factory.h"
#include "ns3/ocs-net-device.h"
#include "ns3/ptr.h"
#include "ns3/queue-size.h"
#include "ns3/trace-helper.h"

#include <string>

namespace ns3
{

class Node;

namespace odcn
{

/**
 * @ingroup odcn
 *
 * Base class of helpers that create OcsNetDevices: pcap and ascii traces of these devices. pcap
 * files have link type DLT_RAW and nanosecond timestamps.
 */
class OcsDeviceHelper : public PcapHelperForDevice, public AsciiTraceHelperForDevice
{
  public:
    OcsDeviceHelper();
    ~OcsDeviceHelper() override;

  protected:
    /// @param type queue TypeId  @param maxSize its limit  @return a factory of packet queues
    static ObjectFactory MakeQueueFactory(std::string type, const QueueSize& maxSize);

    /// Create a port. @param node its node  @param factory its factory  @param queue queue factory
    /// @return the port
    static Ptr<OcsNetDevice> AddPort(Ptr<Node> node,
                                     const ObjectFactory& factory,
                                     const ObjectFactory& queue);

    /// Install an IPv4 stack on a port's node if it has none, and assign an address to the port.
    /// @param device the port  @param address its address  @param mask network mask
    static void InstallIpv4(Ptr<OcsNetDevice> device, Ipv4Address address, Ipv4Mask mask);

  private:
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> nd,
                            bool promiscuous,
                            bool explicitFilename) override;

    void EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                             std::string prefix,
                             Ptr<NetDevice> nd,
                             bool explicitFilename) override;
};

/**
 * @ingroup odcn
 *
 * Base class of helpers that build racks of servers, each with a switch whose uplinks lead to other
 * switches.
 */
class OcsRackHelper : public OcsDeviceHelper
{
  public:
    /// @param name Attribute of OcsNetDevice
    /// @param value its value for all uplinks
    void SetUplinkAttribute(const std::string& name, const AttributeValue& value)
    {
        m_uplink.Set(name, value);
    }

    /// @param name Attribute of OcsNetDevice
    /// @param value its value for all servers' network cards and the ports to servers
    void SetServerAttribute(const std::string& name, const AttributeValue& value)
    {
        m_server.Set(name, value);
    }

    /// @param name Attribute of OcsFiber
    /// @param value its value between switches
    void SetUplinkFiberAttribute(const std::string& name, const AttributeValue& value)
    {
        m_uplinkFiber.Set(name, value);
    }

    /// @param name Attribute of OcsFiber
    /// @param value its value between servers and switches
    void SetServerFiberAttribute(const std::string& name, const AttributeValue& value)
    {
        m_serverFiber.Set(name, value);
    }

    /**
     * @param type packet queue, by default ns3::DropTailQueue
     * @param maxSize its limit without the packet in transmission, by default 15 packets of uplinks
     * to optical switches, 1000 of others
     */
    void SetUplinkQueue(const std::string& type, const QueueSize& maxSize)
    {
        m_uplinkQueue = MakeQueueFactory(type, maxSize);
    }

    /**
     * Set the queues of servers' network cards and the ports to servers.
     *
     * @param type packet queue, by default ns3::DropTailQueue
     * @param maxSize its limit, by default 1000 packets
     */
    void SetServerQueue(const std::string& type, const QueueSize& maxSize)
    {
        m_serverQueue = MakeQueueFactory(type, maxSize);
    }

  protected:
    /// @param uplinkQueue limit of uplinks' queues
    explicit OcsRackHelper(const QueueSize& uplinkQueue);

    ObjectFactory m_uplink;      //!< creates OcsNetDevice of uplinks
    ObjectFactory m_server;      //!< creates OcsNetDevice of servers and ports to servers
    ObjectFactory m_uplinkFiber; //!< creates OcsFiber of uplinks
    ObjectFactory m_serverFiber; //!< creates OcsFiber of servers
    ObjectFactory m_uplinkQueue; //!< creates queues of uplinks
    ObjectFactory m_serverQueue; //!< creates queues of servers and ports to servers
};

} // namespace odcn
} // namespace ns3

#endif /* OCS_DEVICE_HELPER_H */
