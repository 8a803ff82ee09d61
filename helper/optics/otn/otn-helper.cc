// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "otn-helper.h"

#include "ns3/double.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-rank-arrivals.h"
#include "ns3/otn-fiber.h"
#include "ns3/otn-node.h"
#include "ns3/uinteger.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

OtnHelper::OtnHelper()
{
    m_network.SetTypeId("ns3::odcn::OtnNetwork");
    m_node.SetTypeId("ns3::odcn::OtnNode");
    m_fiber.SetTypeId("ns3::odcn::OtnFiber");
    m_transponder.SetTypeId("ns3::odcn::OcsNetDevice");
    SetTransponderQueue("ns3::DropTailQueue", QueueSize("1000p"));
}

OtnHelper::~OtnHelper() = default;

void
OtnHelper::Divide()
{
    m_divided = true;
}

Ptr<OtnNetwork>
OtnHelper::Build(std::shared_ptr<const OtnMesh> mesh) const
{
    NodeContainer sites;
    for (uint32_t site = 0; site < mesh->GetNSites(); ++site)
    {
        sites.Add(
            CreateObject<Node>(m_divided ? RankArrivals::FindRank(site, mesh->GetNSites()) : 0));
    }
    return Build(std::move(mesh), sites);
}

Ptr<OtnNetwork>
OtnHelper::Build(std::shared_ptr<const OtnMesh> mesh, const NodeContainer& sites) const
{
    if (sites.GetN() != mesh->GetNSites())
    {
        throw OdcnError::InOption("nodes of the mesh",
                                  std::to_string(sites.GetN()),
                                  "one for each of its " + std::to_string(mesh->GetNSites()) +
                                      " sites");
    }
    std::vector<Ptr<Node>> places(sites.Begin(), sites.End());
    std::vector<Ptr<OtnNode>> nodes;
    for (const Ptr<Node>& place : places)
    {
        nodes.push_back(m_node.Create<OtnNode>());
        place->AggregateObject(nodes.back());
    }
    std::vector<Ptr<OtnFiber>> fibers;
    for (uint32_t fiber = 0; fiber < mesh->GetNFibers(); ++fiber)
    {
        const OtnLink& link = mesh->GetLink(fiber / 2);
        fibers.push_back(m_fiber.Create<OtnFiber>());
        fibers.back()->SetAttribute("Length", DoubleValue(link.km));
        fibers.back()->SetAttribute("Wavelengths", UintegerValue(link.wavelengths));
    }
    auto network = m_network.Create<OtnNetwork>();
    network->Start(std::move(mesh), places, nodes, fibers, m_transponder, m_queue);
    if (m_divided)
    {
        network->Divide();
    }
    return network;
}

void
OtnHelper::InstallSites(Ptr<OtnNetwork> network) const
{
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    for (uint32_t site = 0; site < network->GetMesh()->GetNSites(); ++site)
    {
        if (!network->GetSite(site)->GetObject<Ipv4>())
        {
            stack.Install(network->GetSite(site));
        }
    }
}

} // namespace ns3::odcn
