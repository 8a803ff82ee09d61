// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-sequential-stopping.h"

#include <cmath>

namespace ns3::odcn
{

bool
SequentialStopping::IsPrecise(const Estimate& estimate) const
{
    const double half = estimate.GetHalfWidth();
    return estimate.count >= least && std::isfinite(half) &&
           half <= precision / (1 + precision) * std::abs(estimate.mean);
}

} // namespace ns3::odcn
