// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-helper.h"

#include "ns3/double.h"
#include "ns3/odcn-object-text.h"
#include "ns3/uinteger.h"

namespace ns3::odcn
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
    const auto problem = m_problem.Create<ClusterScheduling>();
    return static_cast<double>(GetAttributeOf<UintegerValue>(*problem, "Machines") *
                               GetAttributeOf<UintegerValue>(*problem, "Capacity"));
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

} // namespace ns3::odcn
