// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-helper.h"

#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace odcn
{

ClusterHelper::ClusterHelper()
{
    m_problem.SetTypeId(ClusterScheduling::GetTypeId());
    m_jobs.SetTypeId(ClusterJobGenerator::GetTypeId());
}

void
ClusterHelper::SetProblemAttribute(const std::string& name, const AttributeValue& value)
{
    m_problem.Set(name, value);
}

void
ClusterHelper::SetJobAttribute(const std::string& name, const AttributeValue& value)
{
    m_jobs.Set(name, value);
}

double
ClusterHelper::GetUnits() const
{
    UintegerValue machines;
    UintegerValue capacity;
    auto problem = m_problem.Create<ClusterScheduling>();
    problem->GetAttribute("Machines", machines);
    problem->GetAttribute("Capacity", capacity);
    return static_cast<double>(machines.Get() * capacity.Get());
}

Ptr<ClusterJobGenerator>
ClusterHelper::CreateJobs(double load) const
{
    auto jobs = m_jobs.Create<ClusterJobGenerator>();
    UintegerValue resources;
    m_problem.Create<ClusterScheduling>()->GetAttribute("Resources", resources);
    jobs->SetAttribute("Resources", resources);
    if (load > 0)
    {
        jobs->SetAttribute("Rate", DoubleValue(load * GetUnits() / jobs->GetMeanWork()));
    }
    return jobs;
}

Ptr<ClusterScheduling>
ClusterHelper::CreateProblem(Ptr<ClusterJobSource> jobs) const
{
    auto problem = m_problem.Create<ClusterScheduling>();
    problem->SetJobSource(jobs);
    return problem;
}

const std::map<std::string, std::string>&
ClusterHelper::GetKnownPolicies()
{
    static const std::map<std::string, std::string> KNOWN{
        {"agent", "ns3::odcn::OdcnAgentPolicy"},
        {"easy", "ns3::odcn::ClusterBackfillPolicy"},
        {"easy-sjf", "ns3::odcn::ClusterBackfillPolicy[Order=Shortest]"},
        {"fcfs", "ns3::odcn::ClusterListPolicy[Order=Arrival|Strict=true]"},
        {"first-fit", "ns3::odcn::ClusterListPolicy[Order=Arrival]"},
        {"hrrn", "ns3::odcn::ClusterListPolicy[Order=ResponseRatio]"},
        {"packer", "ns3::odcn::ClusterListPolicy[Order=Alignment]"},
        {"random", "ns3::odcn::ClusterRandomPolicy"},
        {"sjf", "ns3::odcn::ClusterListPolicy[Order=Shortest]"},
        {"tetris", "ns3::odcn::ClusterListPolicy[Order=Mix|Knob=0.2]"},
    };
    return KNOWN;
}

Ptr<OdcnDecisionPolicy>
ClusterHelper::CreatePolicy(const std::string& name)
{
    const auto& known = GetKnownPolicies();
    auto text = OdcnObjectText::Parse("policy", name);
    const auto found = known.find(text.type);
    if (found != known.end())
    {
        auto meant = OdcnObjectText::Parse("policy", found->second);
        for (const auto& [attribute, value] : text.attributes)
        {
            meant.attributes[attribute] = value;
        }
        text = meant;
    }
    if (TypeId tid; !TypeId::LookupByNameFailSafe(text.type, &tid) && found == known.end())
    {
        std::string names;
        for (const auto& [alias, words] : known)
        {
            names += alias + ", ";
        }
        throw OdcnError::InOption("policy", name, names + "or the TypeId name of a policy");
    }
    return DynamicCast<OdcnDecisionPolicy>(text.Create("policy", OdcnDecisionPolicy::GetTypeId()));
}

} // namespace odcn
} // namespace ns3
