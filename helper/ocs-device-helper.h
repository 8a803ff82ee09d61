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
 * What helpers have in common that make OcsNetDevices: pcap and ascii traces of any of them. pcap
 * files have link type DLT_RAW and times in nanoseconds.
 */
class OcsDeviceHelper : public PcapHelperForDevice, public AsciiTraceHelperForDevice
{
  public:
    OcsDeviceHelper();
    ~OcsDeviceHelper() override;

  protected:
    /// @param type name of a queue  @param maxSize its room  @return a factory of them for packets
    static ObjectFactory MakeQueueFactory(std::string type, const QueueSize& maxSize);

    /// Create a port. @param node where  @param factory of the device  @param queue of its queue
    /// @return the port
    static Ptr<OcsNetDevice> AddPort(Ptr<Node> node,
                                     const ObjectFactory& factory,
                                     const ObjectFactory& queue);

    /// Give a port's node an IPv4 stack, unless it has one, and the port an address.
    /// @param device the port  @param address its address  @param mask of its network
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
