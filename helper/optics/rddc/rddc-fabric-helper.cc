// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-fabric-helper.h"

#include "ns3/ipv4-routing-table-entry.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4-static-routing.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/queue-size.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::odcn
{

namespace
{

/// An end of a circuit.
struct End
{
    Ptr<Ipv4StaticRouting> routing; //!< routing of the server at this end
    uint32_t ipInterface{0};        //!< interface of the network card at this end
    Ipv4Address peer;               //!< address of the network card at the other end
};

/// @param fabric fabric  @param circuit circuit  @param first true for its first end  @return end
End
GetEnd(const RddcFabric& fabric, const RddcCircuit& circuit, bool first)
{
    const RddcLightpath& l = circuit.lightpath;
    const auto here =
        std::pair(first ? l.from : l.to, first ? circuit.GetFromCard() : circuit.GetToCard());
    const auto there =
        std::pair(first ? l.to : l.from, first ? circuit.GetToCard() : circuit.GetFromCard());
    Ptr<Ipv4> ipv4 = fabric.GetServers().Get(here.first)->GetObject<Ipv4>();
    const int32_t interface = ipv4->GetInterfaceForDevice(fabric.GetCard(here.first, here.second));
    return {Ipv4StaticRoutingHelper().GetStaticRouting(ipv4),
            static_cast<uint32_t>(interface),
            fabric.GetAddress(there.first, there.second)};
}

} // namespace

RddcFabricHelper::RddcFabricHelper()
{
    m_fabric.SetTypeId("ns3::odcn::RddcFabric");
    m_switch.SetTypeId("ns3::odcn::OcsSwitch");
    m_card.SetTypeId("ns3::odcn::OcsNetDevice");
    SetCardQueue(1000);
}

void
RddcFabricHelper::SetCardQueue(uint32_t packets)
{
    m_queue = MakeQueueFactory("ns3::DropTailQueue", QueueSize(QueueSizeUnit::PACKETS, packets));
}

Ptr<RddcFabric>
RddcFabricHelper::Build(std::shared_ptr<const RddcNetwork> network) const
{
    Ptr<RddcFabric> fabric = m_fabric.Create<RddcFabric>();
    fabric->Start(network);
    for (ServerId server = 0; server < network->GetNServers(); ++server)
    {
        Ptr<Node> node = CreateObject<Node>();
        std::vector<Ptr<OcsNetDevice>> cards;
        cards.reserve(network->GetSizes().channels[0]);
        for (uint32_t c = 0; c < network->GetSizes().channels[0]; ++c)
        {
            cards.push_back(AddPort(node, m_card, m_queue));
        }
        fabric->AddServer(node, cards);
    }
    for (uint32_t number = network->GetNServers(); number < network->GetNNodes(); ++number)
    {
        Ptr<Node> node = CreateObject<Node>();
        Ptr<OcsSwitch> ocs = m_switch.Create<OcsSwitch>();
        node->AggregateObject(ocs);
        fabric->AddSwitch(node, ocs);
    }
    for (LinkId link = 0; link < network->GetNLinks(); ++link)
    {
        for (uint32_t c = 0; c < network->GetChannels(link); ++c)
        {
            fabric->AddFiber(CreateObject<OcsFiber>(), link, c);
        }
    }
    return fabric;
}

void
RddcFabricHelper::InstallServers(Ptr<RddcFabric> fabric) const
{
    const uint32_t cards = fabric->GetNetwork()->GetSizes().channels[0];
    for (ServerId server = 0; server < fabric->GetNetwork()->GetNServers(); ++server)
    {
        for (uint32_t c = 0; c < cards; ++c)
        {
            // A host mask (/32), so that no route to a network is added.
            InstallIpv4(fabric->GetCard(server, c),
                        fabric->GetAddress(server, c),
                        Ipv4Mask::GetOnes());
        }
    }
    RddcFabric* raw = PeekPointer(fabric);
    fabric->TraceConnectWithoutContext("Connected",
                                       MakeBoundCallback(&RddcFabricHelper::AddRoutes, raw));
    fabric->TraceConnectWithoutContext("Disconnected",
                                       MakeBoundCallback(&RddcFabricHelper::RemoveRoutes, raw));
}

std::vector<Ptr<JobFlowApplication>>
RddcFabricHelper::InstallFlows(Ptr<RddcFabric> fabric, uint32_t packetSize)
{
    std::vector<Ptr<JobFlowApplication>> flows;
    for (uint32_t server = 0; server < fabric->GetServers().GetN(); ++server)
    {
        flows.push_back(CreateObjectWithAttributes<JobFlowApplication>("PacketSize",
                                                                       UintegerValue(packetSize)));
        fabric->GetServers().Get(server)->AddApplication(flows.back());
    }
    return flows;
}

void
RddcFabricHelper::AddRoutes(RddcFabric* fabric, const std::vector<RddcCircuit>& circuits)
{
    for (const auto& circuit : circuits)
    {
        for (const bool first : {true, false})
        {
            const End end = GetEnd(*fabric, circuit, first);
            end.routing->AddHostRouteTo(end.peer, end.ipInterface);
        }
    }
}

void
RddcFabricHelper::RemoveRoutes(RddcFabric* fabric, const std::vector<RddcCircuit>& circuits)
{
    for (const auto& circuit : circuits)
    {
        for (const bool first : {true, false})
        {
            const End end = GetEnd(*fabric, circuit, first);
            for (uint32_t i = 0; i < end.routing->GetNRoutes(); ++i)
            {
                const Ipv4RoutingTableEntry route = end.routing->GetRoute(i);
                if (route.IsHost() && route.GetDest() == end.peer)
                {
                    end.routing->RemoveRoute(i);
                    break;
                }
            }
        }
    }
}

} // namespace ns3::odcn
