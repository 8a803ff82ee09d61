// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-fat-tree.h"

#include "ns3/odcn-error.h"

#include <string>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(IcciFatTree);

IcciFatTreeSize
IcciFatTreeSize::For(uint32_t gpus)
{
    IcciFatTreeSize size;
    size.hosts = gpus;
    while (size.k * size.k * size.k / 4 < gpus && size.GetNEdges() <= IcciAddress::MAX_EDGES)
    {
        size.k += 2;
    }
    if (gpus == 0 || size.GetNEdges() > IcciAddress::MAX_EDGES)
    {
        throw OdcnError::InOption("GPUs of a centre", std::to_string(gpus), "1 to 2662");
    }
    return size;
}

TypeId
IcciFatTree::GetTypeId()
{
    static TypeId tid = TypeId("ns3::odcn::IcciFatTree")
                            .SetParent<Object>()
                            .SetGroupName("Odcn")
                            .AddConstructor<IcciFatTree>();
    return tid;
}

IcciFatTree::IcciFatTree() = default;

IcciFatTree::~IcciFatTree() = default;

void
IcciFatTree::DoDispose()
{
    m_hosts = NodeContainer();
    m_devices.clear();
    for (std::size_t layer = 0; layer < 4; ++layer)
    {
        m_nodes[layer].clear();
        m_switches[layer].clear();
    }
    m_fibers.clear();
    Object::DoDispose();
}

void
IcciFatTree::Start(uint32_t centre, const IcciFatTreeSize& size)
{
    m_centre = centre;
    m_size = size;
}

void
IcciFatTree::AddHost(Ptr<Node> node, Ptr<OcsNetDevice> device)
{
    m_hosts.Add(node);
    m_devices.push_back(device);
}

void
IcciFatTree::AddSwitch(Ptr<Node> node, Ptr<IcciSwitch> icciSwitch)
{
    const auto layer = static_cast<std::size_t>(icciSwitch->GetPlace().layer);
    m_nodes[layer].push_back(node);
    m_switches[layer].push_back(icciSwitch);
}

void
IcciFatTree::AddFiber(Ptr<OcsFiber> fiber)
{
    m_fibers.push_back(fiber);
}

uint32_t
IcciFatTree::GetCentre() const
{
    return m_centre;
}

const IcciFatTreeSize&
IcciFatTree::GetSize() const
{
    return m_size;
}

Ptr<Node>
IcciFatTree::GetHost(uint32_t host) const
{
    return m_hosts.Get(host);
}

NodeContainer
IcciFatTree::GetHosts() const
{
    return m_hosts;
}

Ptr<OcsNetDevice>
IcciFatTree::GetHostDevice(uint32_t host) const
{
    return m_devices.at(host);
}

Ipv4Address
IcciFatTree::GetHostAddress(uint32_t host) const
{
    const uint32_t half = m_size.GetHalf();
    return Ipv4Address(IcciAddress{m_centre, host / half, host % half}.Get());
}

uint32_t
IcciFatTree::GetNSwitches(IcciLayer layer) const
{
    return static_cast<uint32_t>(m_switches[static_cast<std::size_t>(layer)].size());
}

Ptr<IcciSwitch>
IcciFatTree::GetSwitch(IcciLayer layer, uint32_t i) const
{
    return m_switches[static_cast<std::size_t>(layer)].at(i);
}

Ptr<IcciSwitch>
IcciFatTree::GetGateway() const
{
    return GetSwitch(IcciLayer::GATEWAY, 0);
}

Ptr<Node>
IcciFatTree::GetGatewayNode() const
{
    return m_nodes[static_cast<std::size_t>(IcciLayer::GATEWAY)].at(0);
}

IcciFatTreeCounts
IcciFatTree::Count() const
{
    IcciFatTreeCounts counts;
    for (const auto& device : m_devices)
    {
        counts.sent += device->GetOffered();
        counts.received += device->GetReceived();
        counts.inFlight += device->GetWaiting();
        counts.dropped += device->GetTxDropped();
        counts.dropped += device->GetRxDropped();
    }
    for (const auto& layer : m_switches)
    {
        for (const auto& icciSwitch : layer)
        {
            counts.dropped += icciSwitch->GetDropped();
            const bool gateway = icciSwitch->GetPlace().layer == IcciLayer::GATEWAY;
            for (uint32_t port = 0; port < icciSwitch->GetNPorts(); ++port)
            {
                const auto device = icciSwitch->GetPort(port);
                if (!device)
                {
                    continue;
                }
                if (gateway && port >= m_size.GetNCores())
                {
                    counts.left += device->GetOffered();
                    counts.came += device->GetReceived();
                    continue;
                }
                counts.inFlight += device->GetWaiting();
                counts.dropped += device->GetTxDropped();
                counts.dropped += device->GetRxDropped();
            }
        }
    }
    for (const auto& fiber : m_fibers)
    {
        counts.inFlight += fiber->GetInFlight();
    }
    return counts;
}

void
IcciFatTree::Connect(Ptr<IcciFatTree> a, Ptr<IcciFatTree> b, Ptr<OtnLightpath> lightpath)
{
    a->GetGateway()->AddRoute(b->GetCentre(), lightpath->GetTransponder(0));
    b->GetGateway()->AddRoute(a->GetCentre(), lightpath->GetTransponder(1));
}

void
IcciFatTree::Disconnect(Ptr<IcciFatTree> a, Ptr<IcciFatTree> b, Ptr<OtnLightpath> lightpath)
{
    a->GetGateway()->RemoveRoute(b->GetCentre(), lightpath->GetTransponder(0));
    b->GetGateway()->RemoveRoute(a->GetCentre(), lightpath->GetTransponder(1));
}

} // namespace ns3::odcn
