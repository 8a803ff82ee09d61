// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-helper.h"

#include "odcn-policy-choice.h"

#include "ns3/assert.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"
#include "ns3/string.h"

#include <utility>

namespace ns3
{
namespace odcn
{

const std::vector<IcciScheme>&
IcciScheme::GetKnown()
{
    static const std::vector<IcciScheme> KNOWN{
        {"none", "ns3::odcn::IcciStayPolicy"},
        {"proximity", "ns3::odcn::IcciFirstPolicy", "Nearest"},
        {"random", "ns3::odcn::IcciFirstPolicy", "Any"},
        {"full-node", "ns3::odcn::IcciFirstPolicy", "All"},
        {"greedy-now", "ns3::odcn::IcciGreedyPolicy", "Swap", false, 0},
        {"greedy-eq12", "ns3::odcn::IcciGreedyPolicy"},
        // A worker weighs as much as two hotspot blocks: doc/results/icci.md.
        {"greedy", "ns3::odcn::IcciGreedyPolicy[Moved=12]"},
        {"greedy-dwa", "ns3::odcn::IcciGreedyPolicy[Moved=12]", "Swap", true},
        {"linear", ODCN_LINEAR_POLICY, "Swap", false, 24, "Moves"},
        {"linear-dwa", ODCN_LINEAR_POLICY, "Swap", true, 24, "Moves"},
        {"deephm", ODCN_AGENT_POLICY},
        {"deephm-dwa", ODCN_AGENT_POLICY, "Swap", true},
    };
    return KNOWN;
}

IcciScheme
IcciScheme::Find(const std::string& name)
{
    const auto at = name.rfind('@');
    auto scheme = OdcnFindScheme(GetKnown(), name.substr(0, at));
    scheme.name = name;
    if (at != std::string::npos)
    {
        const auto hours = ParseFinite(std::string_view(name).substr(at + 1));
        if (!hours || *hours < 0 || *hours > 24)
        {
            throw OdcnError::InOption("policy", name, "hours from 0 to 24 after @");
        }
        scheme.outlook = *hours;
    }
    return scheme;
}

Ptr<OdcnDecisionPolicy>
IcciScheme::CreatePolicy() const
{
    return OdcnDecisionPolicy::Create(policy);
}

void
IcciScheme::Configure(IcciMigration& problem, OdcnDecisionPolicy& decider) const
{
    decider.Configure(problem);
    BooleanValue wide;
    problem.GetAttribute("Wavelengths", wide);
    if (wide.Get() != wavelengths)
    {
        throw OdcnError::InOption("policy " + name,
                                  wide.Get() ? "a file trained with wavelengths"
                                             : "a file trained without wavelengths",
                                  wavelengths ? "one that was trained with wavelengths"
                                              : "one that was trained without wavelengths");
    }
}

IcciHelper::IcciHelper()
{
    m_manager.SetTypeId(IcciManager::GetTypeId());
    m_tide.SetTypeId(IcciTide::GetTypeId());
    m_tasks.SetTypeId(IcciTaskGenerator::GetTypeId());
    m_problem.SetTypeId(IcciMigration::GetTypeId());
}

void
IcciHelper::SetPreset(const std::string& name)
{
    const bool light = name == "light";
    if (!light && name != "stated")
    {
        throw OdcnError::InOption("preset", name, "stated or light");
    }
    m_tide.Set("CusPerRequest", DoubleValue(light ? 3.6 : 4.5));
    m_tasks.Set("IterationScale", DoubleValue(light ? 1.9e4 : 2.6e4));
}

void
IcciHelper::SetMesh(std::shared_ptr<const OtnMesh> mesh)
{
    if (mesh->GetNSites() < 3)
    {
        throw OdcnError::InOption("mesh",
                                  std::to_string(mesh->GetNSites()) + " centres",
                                  "3 or more, for a ring");
    }
    m_mesh = std::move(mesh);
}

void
IcciHelper::SetManagerAttribute(const std::string& name, const AttributeValue& value)
{
    m_manager.Set(name, value);
}

void
IcciHelper::SetTideAttribute(const std::string& name, const AttributeValue& value)
{
    m_tide.Set(name, value);
}

void
IcciHelper::SetTaskAttribute(const std::string& name, const AttributeValue& value)
{
    m_tasks.Set(name, value);
}

void
IcciHelper::SetProblemAttribute(const std::string& name, const AttributeValue& value)
{
    m_problem.Set(name, value);
}

Ptr<IcciMigration>
IcciHelper::CreateProblem(const IcciScheme& scheme, int64_t stream) const
{
    NS_ASSERT_MSG(m_mesh, "SetMesh() first");
    auto manager = m_manager.Create<IcciManager>();
    auto tide = m_tide.Create<IcciTide>();
    manager->SetAttribute("Search", StringValue(scheme.search));
    manager->SetAttribute("Outlook", DoubleValue(scheme.outlook));
    manager->SetMesh(m_mesh);
    manager->SetTide(tide);
    auto problem = m_problem.Create<IcciMigration>();
    problem->SetAttribute("Wavelengths", BooleanValue(scheme.wavelengths));
    problem->SetAttribute("State", StringValue(scheme.state));
    problem->SetManager(manager);
    problem->SetTasks(m_tasks.Create<IcciTaskGenerator>());
    problem->SetTide(tide);
    problem->AssignStreams(stream);
    return problem;
}

} // namespace odcn
} // namespace ns3
