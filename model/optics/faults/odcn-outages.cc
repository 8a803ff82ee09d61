// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-outages.h"

#include <cmath>

namespace ns3::odcn
{

InterruptedWork
InterruptedWork::Of(FaultPlan::AfterFailure after, double done, double left, double checkpoints)
{
    if (after == FaultPlan::END)
    {
        return {done, 0};
    }
    const double since = checkpoints > 0 ? std::fmod(done, checkpoints) : done;
    const double lost = after == FaultPlan::RESTART ? since : 0;
    return {lost, left + lost};
}

} // namespace ns3::odcn
