// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-helper.h"

#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/rddc-topology.h"
#include "ns3/string.h"

namespace ns3::odcn
{

RddcHelper::RddcHelper()
{
    m_topology.SetTypeId(RddcTopology::GetTypeId());
    m_manager.SetTypeId(RddcManager::GetTypeId());
    m_problem.SetTypeId(RddcAllocation::GetTypeId());
}

void
RddcHelper::SetTopologyAttribute(const std::string& name, const AttributeValue& value)
{
    m_topology.Set(name, value);
    m_network.reset();
}

void
RddcHelper::SetManagerAttribute(const std::string& name, const AttributeValue& value)
{
    m_manager.Set(name, value);
}

void
RddcHelper::SetProblemAttribute(const std::string& name, const AttributeValue& value)
{
    m_problem.Set(name, value);
}

void
RddcHelper::SetLoad(double load)
{
    m_load = load;
}

std::shared_ptr<const RddcNetwork>
RddcHelper::GetNetwork() const
{
    if (!m_network)
    {
        m_network = m_topology.Create<RddcTopology>()->Build();
    }
    return m_network;
}

Ptr<RddcManager>
RddcHelper::CreateManager() const
{
    auto manager = m_manager.Create<RddcManager>();
    manager->SetNetwork(GetNetwork());
    manager->Reset();
    return manager;
}

uint32_t
RddcHelper::GetLongestHolding() const
{
    return RddcRequestGenerator::GetLongestHolding(m_load,
                                                   CreateManager()->GetServers().GetFreeCpu(),
                                                   RddcRequestGenerator::LARGEST);
}

Ptr<RddcRequestGenerator>
RddcHelper::CreateRequests() const
{
    auto requests = CreateObject<RddcRequestGenerator>();
    requests->SetAttribute("Holding",
                           StringValue("ns3::UniformRandomVariable[Min=1|Max=" +
                                       std::to_string(GetLongestHolding()) + "]"));
    return requests;
}

Ptr<RddcRequestFile>
RddcHelper::ReadRequests(const std::string& file) const
{
    const auto manager = CreateManager();
    auto requests = CreateObject<RddcRequestFile>();
    requests->SetAttribute("FileName", StringValue(file));
    requests->SetAttribute("MeanGap", DoubleValue(1));
    requests->SetAttribute(
        "OfferedUnits",
        DoubleValue(m_load * static_cast<double>(manager->GetServers().GetFreeCpu())));
    return requests;
}

Ptr<RddcAllocation>
RddcHelper::CreateProblem(Ptr<RddcRequestSource> requests) const
{
    auto problem = m_problem.Create<RddcAllocation>();
    problem->SetAttribute("HoldingScale", DoubleValue(GetLongestHolding()));
    problem->SetManager(CreateManager());
    problem->SetRequestSource(requests);
    return problem;
}

Ptr<RddcAllocation>
RddcHelper::CreateProblem() const
{
    return CreateProblem(CreateRequests());
}

} // namespace ns3::odcn
