// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-helper.h"

#include "ns3/double.h"
#include "ns3/odcn-error.h"

#include <utility>

namespace ns3::odcn
{

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
IcciHelper::CreateProblem() const
{
    if (!m_mesh)
    {
        throw OdcnError("IcciHelper: SetMesh() first");
    }
    auto manager = m_manager.Create<IcciManager>();
    auto tide = m_tide.Create<IcciTide>();
    manager->SetMesh(m_mesh);
    manager->SetTide(tide);
    auto problem = m_problem.Create<IcciMigration>();
    problem->SetManager(manager);
    problem->SetTasks(m_tasks.Create<IcciTaskGenerator>());
    problem->SetTide(tide);
    return problem;
}

} // namespace ns3::odcn
