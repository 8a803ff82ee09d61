// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PROBLEMS_H
#define ODCN_PROBLEMS_H

#include "ns3/odcn-decision-problem.h"

#include <functional>
#include <string>

namespace ns3::odcn
{

/// Makes a problem, without streams. @param load as for CreateProblem()
using ProblemMaker = std::function<Ptr<DecisionProblem>(double load)>;

/**
 * @ingroup odcn
 *
 * Make a problem as its helper does by default.
 * @param name odcn, rddc, cluster, icci, matching, training, or one of RegisterProblem()
 * @param load offered load in the unit of the problem's helper; 0 for the default
 * @return the problem, without streams; Reset() it
 * @throws OdcnError when there is no problem of this name, or it has no such load
 */
Ptr<DecisionProblem> CreateProblem(const std::string& name, double load = 0);

/// @param name of a problem of one's own, or one to replace
/// @param make makes it
void RegisterProblem(const std::string& name, ProblemMaker make);

} // namespace ns3::odcn

#endif /* ODCN_PROBLEMS_H */
