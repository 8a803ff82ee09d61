// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-problems.h"

#include "ns3/cluster-helper.h"
#include "ns3/icci-helper.h"
#include "ns3/odcn-data-file.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-matching-problem.h"
#include "ns3/odcn-training-problem.h"
#include "ns3/otn-mesh.h"
#include "ns3/rddc-helper.h"
#include "ns3/string.h"

#include <map>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// @param load 0 for the default
/// @return the problem of RddcHelper
Ptr<DecisionProblem>
MakeRddc(double load)
{
    RddcHelper helper;
    if (load > 0)
    {
        helper.SetLoad(load);
    }
    return helper.CreateProblem();
}

/// @param load 0, since the tide sets it
/// @return the problem of IcciHelper in the mesh of the paper
Ptr<DecisionProblem>
MakeIcci(double load)
{
    if (load != 0)
    {
        throw OdcnError::InOption("load of icci", FormatNumber(load), "0: the tide sets the load");
    }
    IcciHelper helper;
    helper.SetMesh(OtnMesh::Read(GetDataFile("sf-bay-22-38.json")));
    helper.SetPreset("stated");
    return helper.CreateProblem();
}

/// @tparam T a problem with an Attribute Load, drawn
/// @param load of all episodes; 0 for the default
/// @return the problem
template <typename T>
Ptr<DecisionProblem>
MakeWithLoad(double load)
{
    auto problem = CreateObject<T>();
    if (load > 0)
    {
        problem->SetAttribute(
            "Load",
            StringValue("ns3::ConstantRandomVariable[Constant=" + FormatNumber(load) + "]"));
    }
    return problem;
}

/// @return what makes each problem, by name
std::map<std::string, ProblemMaker>&
GetMakers()
{
    static std::map<std::string, ProblemMaker> makers{
        {"odcn", [](double load) { return OdcnHelper().CreateProblem(load > 0 ? load : 66); }},
        {"rddc", MakeRddc},
        {"cluster",
         [](double load)
         {
             const ClusterHelper helper;
             return helper.CreateProblem(helper.CreateJobs(load));
         }},
        {"icci", MakeIcci},
        {"matching", MakeWithLoad<MatchingProblem>},
        {"training", MakeWithLoad<TrainingProblem>}};
    return makers;
}

} // namespace

Ptr<DecisionProblem>
CreateProblem(const std::string& name, double load)
{
    std::string names;
    for (const auto& [known, make] : GetMakers())
    {
        if (name == known)
        {
            return make(load);
        }
        names += (names.empty() ? "" : ", ") + known;
    }
    throw OdcnError::InOption("problem", name, "one of " + names);
}

void
RegisterProblem(const std::string& name, ProblemMaker make)
{
    GetMakers()[name] = std::move(make);
}

} // namespace ns3::odcn
