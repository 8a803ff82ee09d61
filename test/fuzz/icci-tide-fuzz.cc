// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/// @file Profiles of the tide, and traces of packets.

#include "odcn-fuzz.h"

#include "ns3/icci-tide.h"
#include "ns3/odcn-packet-law.h"

#include <cmath>

using namespace ns3;
using namespace ns3::odcn;

ODCN_FUZZ_TARGET(icci_tide)
{
    const FuzzFile file(text);
    FuzzRead(
        [&]()
        {
            auto tide = CreateObject<IcciTide>();
            tide->SetProfiles(file.GetPath());
            for (double time = 0; time < IcciTide::DAY; time += 1000)
            {
                const double rate = tide->GetProfile(OtnArea::BUSINESS, time);
                FuzzRequire(rate >= 0 && rate <= 1, "a share of the peak");
            }
        });
    FuzzRead(
        [&]()
        {
            const auto trace = PacketTrace::Read(file.GetPath());
            FuzzRequire(std::isfinite(trace->period) && trace->period > 0 && trace->traffic > 0,
                        "a trace of packets");
            for (const double gap : trace->gaps)
            {
                FuzzRequire(std::isfinite(gap) && gap >= 0, "gaps of 0 or more");
            }
        });
}
