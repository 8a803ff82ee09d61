// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-rack-outlook.h"

#include "odcn-scheduling.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ns3::odcn
{

void
OdcnRackOutlook::Describe(const OdcnScheduling& problem, float* out)
{
    const CsMgr& manager = *PeekPointer(problem.GetManager());
    const OdcnCircuitLedger& circuits = manager.GetNetwork()->GetCircuits();
    const OdcnJob& job = problem.GetJob();
    OdcnComputeLedger servers = manager.GetServers();
    servers.CountSlots({});
    const uint32_t n = servers.GetNRacks();
    std::vector<uint32_t> taken(n, 0);
    for (RackId rack = 0; rack < n; ++rack)
    {
        for (const auto& vm : job.vms)
        {
            if (const ServerId server = servers.Find(rack, vm); server != NO_SERVER)
            {
                servers.Reserve(server, vm);
                ++taken[rack];
            }
        }
    }
    const auto all = static_cast<double>(job.vms.size());
    const double perDemand = OdcnRackFeatures::GetPerDemand(job);
    for (RackId rack = 0; rack < n; ++rack)
    {
        double reach = taken[rack];
        for (RackId other = 0; other < n && reach < all; ++other)
        {
            if (other != rack)
            {
                const auto residual = std::max<BitRate>(
                    0,
                    std::min(circuits.GetResidual(rack, other), circuits.GetResidual(other, rack)));
                reach += std::min<double>(taken[other],
                                          std::floor(static_cast<double>(residual) * perDemand));
            }
        }
        out[FITS * n + rack] = static_cast<float>(taken[rack] / all);
        out[REACH * n + rack] = static_cast<float>(std::min(reach / all, 1.0));
    }
}

} // namespace ns3::odcn
