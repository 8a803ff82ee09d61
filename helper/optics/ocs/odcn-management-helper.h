// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MANAGEMENT_HELPER_H
#define ODCN_MANAGEMENT_HELPER_H

#include "ocs-device-helper.h"

#include "ns3/node.h"
#include "ns3/odcn-management-network.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Helper to build the link of a ManagementNetwork.
 * @code
 *   auto management = CreateObject<ManagementNetwork>();
 *   management->SetAttribute("DataRate", StringValue("1Gbps"));
 *   management->SetAttribute("Delay", StringValue("100us"));
 *   ManagementHelper helper;
 *   helper.Install(management, scenario.controller);
 *   scenario.scheduler->SetManagement(management);
 *   helper.EnablePcap("control.pcap", scenario.controller->GetDevice(0), true, true);
 * @endcode
 *
 * pcap and ascii traces work on both ends of the link.
 */
class ManagementHelper : public OcsDeviceHelper
{
  public:
    /**
     * Install a port, an IPv4 stack if there is none, and an address at both ends: 192.168.255.1
     * and 192.168.255.2. An ideal network needs none of these.
     * @param management management network
     * @param controller node of the controller
     * @return the gateway on the side of the devices
     */
    Ptr<Node> Install(Ptr<ManagementNetwork> management, Ptr<Node> controller) const;
};

} // namespace ns3::odcn

#endif /* ODCN_MANAGEMENT_HELPER_H */
