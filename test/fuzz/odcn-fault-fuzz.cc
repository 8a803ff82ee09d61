// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/// @file Files of faults, and the faults in order of time.

#include "odcn-fuzz.h"

#include "ns3/odcn-fault-plan.h"

#include <cmath>

using namespace ns3;
using namespace ns3::odcn;

ODCN_FUZZ_TARGET(odcn_fault)
{
    const FuzzFile file(text);
    const FaultPlan plan = FaultPlan::Read(file.GetPath());
    FaultParts parts;
    for (const Fault& fault : plan.Get())
    {
        FuzzRequire(!fault.start.IsStrictlyNegative() && fault.start < fault.end,
                    "a start of 0 or later, and an end after it");
        FuzzRequire(fault.cause.size() <= 64, "a short cause");
        parts[fault.part].resize(8, 8);
    }
    // Refused where an index is above 7.
    const FaultTimeline timeline(plan, parts, MicroSeconds(100));
    FuzzRequire(timeline.GetChanges().size() <= 2 * plan.Get().size(), "two for a fault");
    for (std::size_t i = 0; i < timeline.GetChanges().size(); ++i)
    {
        FuzzRequire(timeline.GetTime(i) <= timeline.GetTime(i + 1), "in order of time");
    }
    for (const double until : {0.0, 1e-3, 1e7})
    {
        const double share = timeline.GetAvailability(until);
        FuzzRequire(share >= -1e-9 && share <= 1, "a share");
    }
}
