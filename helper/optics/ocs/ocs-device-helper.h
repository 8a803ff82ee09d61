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

} // namespace odcn
} // namespace ns3

#endif /* OCS_DEVICE_HELPER_H */
