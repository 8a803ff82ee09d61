// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-management-helper.h"

#include "ns3/data-rate.h"
#include "ns3/ocs-fiber.h"

#include <array>

namespace ns3::odcn
{

Ptr<Node>
ManagementHelper::Install(Ptr<ManagementNetwork> management, Ptr<Node> controller) const
{
    Ptr<Node> gateway = CreateObject<Node>(controller->GetSystemId());
    if (management->IsIdeal())
    {
        return gateway;
    }
    DataRateValue rate;
    TimeValue delay;
    management->GetAttribute("DataRate", rate);
    management->GetAttribute("Delay", delay);
    ObjectFactory device("ns3::odcn::OcsNetDevice");
    device.Set("DataRate", rate);
    // Control messages may wait but must not be lost.
    const auto queue = MakeQueueFactory("ns3::DropTailQueue", QueueSize("1000000p"));
    const std::array<Ipv4Address, 2> addresses{"192.168.255.1", "192.168.255.2"};
    const auto one = AddPort(controller, device, queue);
    const auto other = AddPort(gateway, device, queue);
    InstallIpv4(one, addresses[0], Ipv4Mask("255.255.255.252"));
    InstallIpv4(other, addresses[1], Ipv4Mask("255.255.255.252"));
    auto fiber = CreateObjectWithAttributes<OcsFiber>("Delay", delay);
    fiber->Connect(one, other);
    management->SetEnds(controller, addresses[0], gateway, addresses[1]);
    return gateway;
}

} // namespace ns3::odcn
