// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/// @file Plans of odcn-sweep, whose reader is part of the program.

#include "../../examples/odcn-sweep-plan.cc"
#include "odcn-fuzz.h"

#include <set>

using namespace ns3::odcn;

ODCN_FUZZ_TARGET(odcn_sweep_plan_fuzz)

(const uint8_t* data, std::size_t size)
{
    const FuzzFile file(FuzzText(data, size));
    FuzzRead(
        [&]()
        {
            std::set<std::string> ids;
            for (const SweepRun& run : ReadSweepPlan(file.GetPath()))
            {
                FuzzRequire(!run.program.empty() && run.id.size() == 12, "a program and an id");
                FuzzRequire(ids.insert(run.id).second, "no run twice");
            }
        });
    return 0;
}
