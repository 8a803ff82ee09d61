// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/// @file Schedule files, of 4 racks and 2 planes.

#include "odcn-fuzz.h"

#include "ns3/odcn-circuit-schedule.h"
#include "ns3/string.h"

using namespace ns3;
using namespace ns3::odcn;

ODCN_FUZZ_TARGET(odcn_schedule)
{
    const FuzzFile file(text);
    auto schedule = CreateObject<FileSchedule>();
    schedule->SetAttribute("File", StringValue(file.GetPath()));
    schedule->Build(4, 2);
    FuzzRequire(schedule->GetPeriod().IsStrictlyPositive(), "a period above 0");
    const DemandMatrix capacity = schedule->GetCapacity();
    for (RackId rack = 0; rack < 4; ++rack)
    {
        FuzzRequire(capacity.GetSent(rack) <= 2 + 1e-9, "a circuit for each uplink");
    }
}
