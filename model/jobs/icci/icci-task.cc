// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-task.h"

#include <algorithm>
#include <cmath>

namespace ns3::odcn
{

namespace
{

/// @param x value above 0  @return x rounded up with a tolerance for rounding errors; at least 1
uint32_t
RoundUp(double x)
{
    return static_cast<uint32_t>(std::clamp(std::ceil(x * (1 - 1e-12)), 1.0, 1e9));
}

} // namespace

IcciDemand
IcciGetDemand(const IcciTask& task, const IcciRates& rates)
{
    const double iteration = task.deadline / task.iterations;
    const double workers = task.workers;
    IcciDemand demand;
    demand.compute = rates.computeShare * iteration;
    demand.transfer = iteration - demand.compute;
    demand.cus =
        RoundUp(task.dataGb * rates.flopPerGb / (rates.flopsPerCu * workers * demand.compute));
    demand.bus = RoundUp(2 * (workers - 1) * task.parameters * 1e9 /
                         (workers * rates.bitsPerWavelength * demand.transfer));
    return demand;
}

} // namespace ns3::odcn
