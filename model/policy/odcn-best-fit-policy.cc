// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-best-fit-policy.h"

#include "odcn-rule.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnBestFitPolicy);

TypeId
OdcnBestFitPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::odcn::OdcnBestFitPolicy")
                            .SetParent<DecisionPolicy>()
                            .SetGroupName("Odcn")
                            .AddConstructor<OdcnBestFitPolicy>();
    return tid;
}

uint32_t
OdcnBestFitPolicy::Decide(const DecisionProblem& problem)
{
    const OdcnScheduling& scheduling = AsScheduling(problem);
    RackId best = NO_RACK;
    OdcnScheduling::RackView least;
    for (RackId rack = 0; rack < scheduling.GetNActions(); ++rack)
    {
        const auto view = scheduling.View(rack);
        if (view.compute < 0)
        {
            continue;
        }
        if (best == NO_RACK || (view.Feasible() && !least.Feasible()) ||
            (view.Feasible() == least.Feasible() && view.compute < least.compute))
        {
            best = rack;
            least = view;
        }
    }
    return OrAny(best);
}

} // namespace ns3::odcn
