// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SLICE_FOLDING_H
#define ODCN_SLICE_FOLDING_H

#include "odcn-slice-ledger.h"

#include <vector>

namespace ns3::odcn
{

/**
 * Boxes into which a sheet or a box of chips can be folded so that neighbours stay neighbours, by
 * the rules of RFold (Chen et al., arXiv:2510.03891):
 * - a sheet is folded once: one of its sides is halved, and the third becomes 2;
 * - if cubes have sides of 4, a sheet is folded twice, so that the third side becomes 4 and closes
 *   to a ring; and a side of 2 becomes 4 while another one is halved.
 *
 * @ingroup odcn
 * @param shape the sheet or box; there is none for a row
 * @param side chips along each edge of a cube
 * @return the boxes with sides in rising order, in order
 */
std::vector<SliceShape> GetFoldings(const SliceShape& shape, uint32_t side);

/**
 * @ingroup odcn
 *
 * @param chips their number
 * @return all boxes of as many chips, with sides in rising order, in order
 */
std::vector<SliceShape> GetBoxes(uint32_t chips);

} // namespace ns3::odcn

#endif /* ODCN_SLICE_FOLDING_H */
