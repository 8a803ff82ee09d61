// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PICOSECONDS_H
#define ODCN_PICOSECONDS_H

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/// @param times of a run
/// @return them in ps; -1 for negative ones
inline std::vector<int64_t>
ToPicoseconds(const std::vector<Time>& times)
{
    std::vector<int64_t> list;
    for (const Time& time : times)
    {
        list.push_back(time.IsStrictlyNegative() ? -1 : time.GetPicoSeconds());
    }
    return list;
}

} // namespace ns3::odcn

#endif /* ODCN_PICOSECONDS_H */
