// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DEMAND_CHECK_H
#define ODCN_DEMAND_CHECK_H

#include "odcn-demand-matrix.h"

#include <string>

namespace ns3::odcn
{

/**
 * Check a matrix that a user made: at least 2 racks, entries finite and not negative, diagonal
 * zero.
 * @param what name of the matrix in error messages  @param matrix the matrix
 * @throws OdcnError otherwise
 */
void CheckDemand(const std::string& what, const DemandMatrix& matrix);

} // namespace ns3::odcn

#endif /* ODCN_DEMAND_CHECK_H */
