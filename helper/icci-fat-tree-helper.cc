// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-fat-tree-helper.h"

#include "ns3/data-rate.h"
#include "ns3/ocs-address-plan.h"
#include "ns3/odcn-error.h"
#include "ns3/queue.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3::odcn
{

IcciFatTreeHelper::IcciFatTreeHelper()
{
    m_switch.SetTypeId("ns3::odcn::IcciSwitch");
    for (ObjectFactory* factory : {&m_host, &m_link, &m_gateway})
    {
        factory->SetTypeId("ns3::odcn::OcsNetDevice");
        factory->Set("DataRate", DataRateValue(DataRate("100Gbps")));
        factory->Set("Mtu", UintegerValue(9000));
    }
    m_fiber.SetTypeId("ns3::odcn::OcsFiber");
    SetQueue("ns3::DropTailQueue", QueueSize("1000p"));
}

IcciFatTreeHelper::~IcciFatTreeHelper() = default;

void
IcciFatTreeHelper::SetSwitchAttribute(const std::string& name, const AttributeValue& value)
{
    m_switch.Set(name, value);
}

void
IcciFatTreeHelper::SetHostAttribute(const std::string& name, const AttributeValue& value)
{
    m_host.Set(name, value);
}

void
IcciFatTreeHelper::SetLinkAttribute(const std::string& name, const AttributeValue& value)
{
    m_link.Set(name, value);
}

void
IcciFatTreeHelper::SetGatewayAttribute(const std::string& name, const AttributeValue& value)
{
    m_gateway.Set(name, value);
}

void
IcciFatTreeHelper::SetFiberAttribute(const std::string& name, const AttributeValue& value)
{
    m_fiber.Set(name, value);
}

void
IcciFatTreeHelper::SetQueue(const std::string& type, const QueueSize& maxSize)
{
    m_queue = MakeQueueFactory(type, maxSize);
}

void
IcciFatTreeHelper::AddSwitches(Ptr<IcciFatTree> tree, IcciLayer layer, uint32_t n) const
{
    for (uint32_t i = 0; i < n; ++i)
    {
        Ptr<Node> node = CreateObject<Node>();
        Ptr<IcciSwitch> icciSwitch = m_switch.Create<IcciSwitch>();
        icciSwitch->SetPlace({layer, tree->GetCentre(), tree->GetSize().GetHalf(), i});
        node->AggregateObject(icciSwitch);
        tree->AddSwitch(node, icciSwitch);
    }
}

void
IcciFatTreeHelper::Join(Ptr<IcciFatTree> tree,
                        const ObjectFactory& device,
                        Ptr<IcciSwitch> below,
                        uint32_t belowPort,
                        Ptr<IcciSwitch> above,
                        uint32_t abovePort) const
{
    Ptr<OcsNetDevice> up = AddPort(below->GetObject<Node>(), device, m_queue);
    Ptr<OcsNetDevice> down = AddPort(above->GetObject<Node>(), device, m_queue);
    below->SetPort(belowPort, up);
    above->SetPort(abovePort, down);
    Ptr<OcsFiber> fiber = m_fiber.Create<OcsFiber>();
    fiber->Connect(up, down);
    tree->AddFiber(fiber);
}

Ptr<IcciFatTree>
IcciFatTreeHelper::Build(uint32_t centre, uint32_t gpus) const
{
    if (centre >= IcciAddress::MAX_CENTRES)
    {
        throw OdcnError::InOption("centre", std::to_string(centre), "0 to 255");
    }
    const auto size = IcciFatTreeSize::For(gpus);
    const uint32_t half = size.GetHalf();
    Ptr<IcciFatTree> tree = CreateObject<IcciFatTree>();
    tree->Start(centre, size);
    AddSwitches(tree, IcciLayer::EDGE, size.GetNEdges());
    AddSwitches(tree, IcciLayer::AGGREGATION, size.GetNEdges());
    AddSwitches(tree, IcciLayer::CORE, size.GetNCores());
    AddSwitches(tree, IcciLayer::GATEWAY, 1);
    for (uint32_t host = 0; host < gpus; ++host)
    {
        const auto edge = tree->GetSwitch(IcciLayer::EDGE, host / half);
        Ptr<Node> node = CreateObject<Node>();
        Ptr<OcsNetDevice> card = AddPort(node, m_host, m_queue);
        Ptr<OcsNetDevice> port = AddPort(edge->GetObject<Node>(), m_host, m_queue);
        edge->SetPort(host % half, port);
        Ptr<OcsFiber> fiber = m_fiber.Create<OcsFiber>();
        fiber->Connect(card, port);
        tree->AddFiber(fiber);
        tree->AddHost(node, card);
    }
    for (uint32_t pod = 0; pod < size.k; ++pod)
    {
        for (uint32_t i = 0; i < half; ++i)
        {
            const auto aggregation = tree->GetSwitch(IcciLayer::AGGREGATION, pod * half + i);
            for (uint32_t j = 0; j < half; ++j)
            {
                const auto edge = tree->GetSwitch(IcciLayer::EDGE, pod * half + j);
                Join(tree, m_link, edge, half + i, aggregation, j);
                const auto core = tree->GetSwitch(IcciLayer::CORE, i * half + j);
                Join(tree, m_link, aggregation, half + j, core, pod);
            }
        }
    }
    for (uint32_t core = 0; core < size.GetNCores(); ++core)
    {
        Join(tree,
             m_gateway,
             tree->GetSwitch(IcciLayer::CORE, core),
             size.k,
             tree->GetGateway(),
             core);
    }
    return tree;
}

void
IcciFatTreeHelper::InstallHosts(Ptr<IcciFatTree> tree) const
{
    for (uint32_t host = 0; host < tree->GetSize().hosts; ++host)
    {
        InstallIpv4(tree->GetHostDevice(host),
                    tree->GetHostAddress(host),
                    OcsAddressPlan::GetMask());
    }
}

} // namespace ns3::odcn
