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

/**
 * Try the VMs of the job in each rack.
 * @param problem at the first VM of a job
 * @param first an action of the first rack
 * @param [out] taken [rack]: VMs that its servers take, one after the other
 */
static void
TakeAll(const OdcnScheduling& problem, uint32_t first, std::vector<uint32_t>& taken)
{
    const CsMgr& manager = *PeekPointer(problem.GetManager());
    OdcnComputeLedger servers = manager.GetServers();
    servers.CountSlots({});
    for (RackId rack = 0; rack < servers.GetNRacks(); ++rack)
    {
        taken[rack] = 0;
        for (const auto& vm : problem.GetJob().vms)
        {
            const ServerId server = manager.FindServer(servers, first + rack, vm);
            if (server != NO_SERVER)
            {
                servers.Reserve(server, vm);
                ++taken[rack];
            }
        }
    }
}

void
OdcnRackOutlook::Describe(const OdcnScheduling& problem, float* out)
{
    const CsMgr& manager = *PeekPointer(problem.GetManager());
    const OdcnCircuitLedger& circuits = manager.GetNetwork()->GetCircuits();
    const OdcnJob& job = problem.GetJob();
    const uint32_t n = manager.GetServers().GetNRacks();
    const uint32_t actions = problem.GetNActions();
    const auto all = static_cast<double>(job.vms.size());
    const double perDemand = OdcnRackFeatures::GetPerDemand(job);
    std::vector<uint32_t> taken(n);
    for (uint32_t first = 0; first < actions; first += n)
    {
        TakeAll(problem, first, taken);
        for (RackId rack = 0; rack < n; ++rack)
        {
            double reach = taken[rack];
            for (RackId other = 0; other < n && reach < all; ++other)
            {
                if (other != rack)
                {
                    const auto residual =
                        std::max<BitRate>(0,
                                          std::min(circuits.GetResidual(rack, other),
                                                   circuits.GetResidual(other, rack)));
                    reach +=
                        std::min<double>(taken[other],
                                         std::floor(static_cast<double>(residual) * perDemand));
                }
            }
            out[FITS * actions + first + rack] = static_cast<float>(taken[rack] / all);
            out[REACH * actions + first + rack] = static_cast<float>(std::min(reach / all, 1.0));
        }
    }
}

} // namespace ns3::odcn
