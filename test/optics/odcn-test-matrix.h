// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TEST_MATRIX_H
#define ODCN_TEST_MATRIX_H

/**
 * @file
 * Matrices over pairs of racks, for tests of matchings and bounds.
 */

#include "../core/odcn-gtest-kit.h"

#include "ns3/odcn-demand-matrix.h"

namespace ns3::odcn
{

/// @param racks number of racks
/// @param value of a pair
/// @return the matrix, diagonal zero
inline DemandMatrix
MakeMatrix(uint32_t racks, const std::function<double(RackId, RackId)>& value)
{
    DemandMatrix matrix(racks);
    ForPairs(racks, [&](RackId i, RackId j) { matrix.Set(i, j, i == j ? 0 : value(i, j)); });
    return matrix;
}

/// @param matrix any
/// @param value expected between any two racks
/// @param tolerance of it
inline void
ExpectUniform(const DemandMatrix& matrix, double value, double tolerance)
{
    ForPairs(matrix.GetNRacks(),
             [&](RackId i, RackId j)
             { EXPECT_NEAR(matrix.Get(i, j), i == j ? 0 : value, tolerance); });
}

} // namespace ns3::odcn

#endif /* ODCN_TEST_MATRIX_H */
