// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TEST_RESOLUTION_H
#define ODCN_TEST_RESOLUTION_H

#include "ns3/nstime.h"

namespace ns3::odcn
{

/// Count time in picoseconds: 296 bytes at 40 Gb/s take 59.2 ns. Tests and benchmarks share their
/// process with others, and ns-3 crashes when the resolution is set a second time.
inline void
UsePicoseconds()
{
    if (Time::GetResolution() != Time::PS)
    {
        Time::SetResolution(Time::PS);
    }
}

} // namespace ns3::odcn

#endif /* ODCN_TEST_RESOLUTION_H */
