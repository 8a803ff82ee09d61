// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-helper.h"

#include "odcn-policy-choice.h"

#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/string.h"

namespace ns3
{
namespace odcn
{

const std::vector<RddcScheme>&
RddcScheme::GetKnown()
{
    static const std::vector<RddcScheme> KNOWN{
        {"random", "ns3::odcn::RddcRandomPolicy"},
        {"tetris", "ns3::odcn::RddcTetrisPolicy"},
        // Of all forms the one that accepts most over the nine topologies (doc/results/rddc.md).
        {"tetris-tuned",
         "ns3::odcn::RddcTetrisPolicy[ChannelWeight=3|RackFactor=0.9|ClusterFactor=0.7|Anchor="
         "First]",
         "LeastUsed"},
        {"nulb", "ns3::odcn::RddcLocalityPolicy[Neighbours=InOrder]", "LeastUsed"},
        {"nalb", "ns3::odcn::RddcLocalityPolicy[Neighbours=MostFree]", "LeastUsed"},
        {"linear", ODCN_LINEAR_POLICY, "LeastUsed"},
        {"nara", ODCN_AGENT_POLICY},
        {"raw-bound", "ns3::odcn::RddcTetrisPolicy", "Hops", "NoPairs"},
    };
    return KNOWN;
}

RddcScheme
RddcScheme::Find(const std::string& name)
{
    const auto at = name.rfind('@');
    auto scheme = OdcnFindScheme(GetKnown(), name.substr(0, at));
    scheme.name = name;
    if (at != std::string::npos)
    {
        scheme.routing = name.substr(at + 1);
    }
    return scheme;
}

Ptr<OdcnDecisionPolicy>
RddcScheme::CreatePolicy() const
{
    return OdcnDecisionPolicy::Create(policy);
}

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

Ptr<RddcAlibabaRequests>
RddcHelper::ReadRequests(const std::string& file) const
{
    const auto manager = CreateManager();
    auto requests = CreateObject<RddcAlibabaRequests>();
    requests->SetAttribute("FileName", StringValue(file));
    requests->SetAttribute(
        "OfferedUnits",
        DoubleValue(m_load * static_cast<double>(manager->GetServers().GetFreeCpu())));
    requests->GetReport();
    return requests;
}

Ptr<RddcAllocation>
RddcHelper::CreateProblem(Ptr<RddcRequestSource> requests, const RddcScheme& scheme) const
{
    auto manager = CreateManager();
    for (const auto& [name, value] :
         {std::pair{"Routing", scheme.routing}, std::pair{"Connectivity", scheme.connectivity}})
    {
        if (!value.empty() && !manager->SetAttributeFailSafe(name, StringValue(value)))
        {
            throw OdcnError::InOption("policy " + scheme.name,
                                      value,
                                      std::string("a value of RddcManager::") + name);
        }
    }
    auto problem = m_problem.Create<RddcAllocation>();
    if (!scheme.state.empty() && !problem->SetAttributeFailSafe("State", StringValue(scheme.state)))
    {
        throw OdcnError::InOption("policy " + scheme.name,
                                  scheme.state,
                                  "a value of RddcAllocation::State");
    }
    problem->SetAttribute("HoldingScale", DoubleValue(GetLongestHolding()));
    problem->SetManager(manager);
    problem->SetRequestSource(requests);
    problem->Reset();
    return problem;
}

} // namespace odcn
} // namespace ns3
