// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_BEST_RACK_H
#define ODCN_BEST_RACK_H

#include "odcn-scheduling.h"

namespace ns3::odcn
{

/**
 * The acceptable rack with the largest score; the lowest index among equals.
 *
 * @tparam A callable bool(RackId)
 * @tparam S callable double(RackId)
 * @param nRacks number of racks
 * @param acceptable whether a rack may be chosen
 * @param score score of a rack
 * @return the rack, NO_RACK when none is acceptable
 */
template <typename A, typename S>
RackId
BestRack(uint32_t nRacks, A acceptable, S score)
{
    RackId best = NO_RACK;
    double most = 0;
    for (RackId rack = 0; rack < nRacks; ++rack)
    {
        if (!acceptable(rack))
        {
            continue;
        }
        const double x = score(rack);
        if (best == NO_RACK || x > most)
        {
            best = rack;
            most = x;
        }
    }
    return best;
}

/**
 * The answer of a rule when no rack has a server: the job is lost whatever is chosen.
 *
 * @param rack a rack or NO_RACK
 * @return the rack, or rack 0 in place of NO_RACK
 */
inline uint32_t
OrAny(RackId rack)
{
    return rack == NO_RACK ? 0 : rack;
}

} // namespace ns3::odcn

#endif /* ODCN_BEST_RACK_H */
