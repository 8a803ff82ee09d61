// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RULE_H
#define ODCN_RULE_H

#include "odcn-decision-problem.h"

#include "ns3/odcn-error.h"

#include <cstdint>

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

/// No action: none is acceptable.
constexpr uint32_t NO_ACTION = UINT32_MAX;

/**
 * The acceptable action with the largest score; the lowest index among equals.
 *
 * @tparam A callable bool(uint32_t)
 * @tparam S callable double(uint32_t)
 * @param nActions number of actions
 * @param acceptable whether an action may be taken
 * @param score score of an action
 * @return the action, or NO_ACTION
 */
template <typename A, typename S>
uint32_t
FindBestAction(uint32_t nActions, A acceptable, S score)
{
    uint32_t best = NO_ACTION;
    double most = 0;
    for (uint32_t action = 0; action < nActions; ++action)
    {
        if (!acceptable(action))
        {
            continue;
        }
        const double x = score(action);
        if (best == NO_ACTION || x > most)
        {
            best = action;
            most = x;
        }
    }
    return best;
}

/**
 * The answer of a rule when nothing is acceptable: the job is lost whatever is chosen.
 *
 * @param action an action or NO_ACTION
 * @return the action, or 0 in place of NO_ACTION
 */
inline uint32_t
OrAny(uint32_t action)
{
    return action == NO_ACTION ? 0 : action;
}

} // namespace ns3::odcn

#endif /* ODCN_RULE_H */
