// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-decision-problem.h"

#include <functional>
#include <numeric>

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnDecisionProblem);

TypeId
OdcnDecisionProblem::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnDecisionProblem").SetParent<Object>().SetGroupName("Odcn");
    return tid;
}

uint32_t
OdcnDecisionProblem::GetObservationSize() const
{
    const auto shape = GetObservationShape();
    return std::accumulate(shape.begin(), shape.end(), 1U, std::multiplies<uint32_t>());
}

const OdcnGraphObservation*
OdcnDecisionProblem::GetGraph() const
{
    return nullptr;
}

std::vector<std::string>
OdcnDecisionProblem::GetFormAttributes() const
{
    return {};
}

std::vector<std::string>
OdcnDecisionProblem::GetFeatureNames() const
{
    return {};
}

} // namespace odcn
} // namespace ns3
