// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Files of linear policies, and decisions by those that are accepted. Replayed only: it needs more
 * layers than the fuzz programs have.
 */

#include "odcn-fuzz.h"

#include "ns3/odcn-helper.h"
#include "ns3/odcn-linear-policy.h"
#include "ns3/rddc-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param text of the file  @return a small problem of the kind that it names
Ptr<DecisionProblem>
MakeProblem(const std::string& text)
{
    if (text.find("Rddc") != std::string::npos)
    {
        return RddcHelper().CreateProblem();
    }
    OdcnHelper helper;
    helper.SetNetworkAttribute("Racks", UintegerValue(4));
    helper.SetComputeAttribute("ServersPerRack", UintegerValue(2));
    return helper.CreateProblem(2);
}

} // namespace

ODCN_FUZZ_TARGET(odcn_linear)
{
    const FuzzFile file(text);
    const auto policy = CreateObject<LinearPolicy>();
    policy->SetFile(file.GetPath());
    const auto& weights = policy->GetWeights();
    FuzzRequire(policy->GetForm().has_value(), "a form");
    FuzzRequire(
        std::isfinite(policy->GetBias()) &&
            std::all_of(weights.begin(), weights.end(), [](float x) { return std::isfinite(x); }),
        "finite weights");
    const auto problem = MakeProblem(text);
    policy->Configure(*problem);
    problem->AssignStreams(0);
    problem->Reset();
    for (int i = 0; i < 5; ++i)
    {
        const uint32_t action = policy->Decide(*problem);
        FuzzRequire(action < problem->GetNActions(), "an action that there is");
        problem->Act(action);
    }
}
