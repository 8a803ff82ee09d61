// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RULE_H
#define ODCN_RULE_H

#include "odcn-decision-problem.h"

#include "ns3/odcn-error.h"

namespace ns3::odcn
{

/**
 * @tparam T a kind of decision problem
 * @param problem any decision problem
 * @return the problem as one of that kind
 * @throws OdcnError when it is of another kind
 */
template <typename T>
const T&
AsProblem(const DecisionProblem& problem)
{
    const auto* known = dynamic_cast<const T*>(&problem);
    if (!known)
    {
        throw OdcnError::InOption("policy",
                                  problem.GetInstanceTypeId().GetName(),
                                  "a decision problem of type " + T::GetTypeId().GetName());
    }
    return *known;
}

} // namespace ns3::odcn

#endif /* ODCN_RULE_H */
