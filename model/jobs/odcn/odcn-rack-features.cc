// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-rack-features.h"

#include "odcn-scheduling.h"

#include <algorithm>

namespace ns3::odcn
{

const char*
OdcnRackFeatures::GetName(uint32_t feature)
{
    static const std::array<const char*, COUNT> NAMES{"marker",
                                                      "free-cores",
                                                      "large-slots",
                                                      "large-lost",
                                                      "hard-slots",
                                                      "hard-lost",
                                                      "stranded",
                                                      "no-large",
                                                      "kept",
                                                      "path-load",
                                                      "rack-load",
                                                      "mean-load",
                                                      "job-load",
                                                      "backlog",
                                                      "last",
                                                      "visited",
                                                      "share",
                                                      "room"};
    return NAMES[feature];
}

std::pair<float, float>
OdcnRackFeatures::GetBounds(uint32_t feature)
{
    switch (feature)
    {
    case MARKER:
        return {-2.0F, 0.0F};
    case PATH_LOAD:
        return {0.0F, static_cast<float>(NO_CIRCUIT)};
    case LARGE_LOST:
    case HARD_LOST:
    case KEPT:
    case RACK_LOAD: // a circuit that has failed leaves its load to others
    case MEAN_LOAD:
    case JOB_LOAD:
    case BACKLOG:
        return DecisionProblem::NON_NEGATIVE;
    default:
        return {0.0F, 1.0F};
    }
}

uint32_t
OdcnRackFeatures::GetClass(const OdcnScheduling& problem)
{
    const auto& kinds = problem.GetManager()->GetServers().GetSlotKinds();
    const auto kind = std::find_if(kinds.begin(),
                                   kinds.end(),
                                   [&](const auto& k) { return k.FitsIn(problem.GetVm()); });
    return static_cast<uint32_t>(kind - kinds.begin());
}

double
OdcnRackFeatures::GetPerDemand(const OdcnJob& job)
{
    double sum = 0;
    for (const auto& demand : job.demands)
    {
        sum += static_cast<double>(demand.rate);
    }
    return sum > 0 ? static_cast<double>(job.demands.size()) / sum : 0.0;
}

void
OdcnRackFeatures::SetServers(const OdcnComputeLedger& servers)
{
    const OdcnResources& server = servers.GetServerCapacity();
    m_largeMost = OdcnComputeLedger::SlotsIn(server, servers.GetSlotKinds().back());
    m_hardMost = OdcnComputeLedger::SlotsIn(server, servers.GetSlotKinds().front());
}

void
OdcnRackFeatures::DescribeServers(const OdcnComputeLedger& servers,
                                  RackId rack,
                                  const OdcnResources& vm,
                                  ServerId server,
                                  Row& row) const
{
    row.fill(0.0F);
    if (server == NO_SERVER)
    {
        row[MARKER] = -2.0F;
        return;
    }
    const auto& kinds = servers.GetSlotKinds();
    const std::size_t last = kinds.size() - 1;
    OdcnResources after = servers.GetFree(server);
    after -= vm;
    const auto lost = [&](std::size_t kind)
    {
        return static_cast<float>(OdcnComputeLedger::SlotsIn(servers.GetFree(server), kinds[kind]) -
                                  OdcnComputeLedger::SlotsIn(after, kinds[kind]));
    };
    const auto cores = static_cast<double>(servers.GetRackCapacity(rack).milli[0]);
    const auto share = [&](uint32_t slots, uint32_t most)
    {
        // Of a kind that fits on no server, 0 of 1 slots are free.
        return static_cast<float>(slots) /
               static_cast<float>(std::max(1U, most * servers.GetNServers(rack)));
    };
    const auto freeCores = static_cast<double>(servers.GetRackFree(rack).milli[0]);
    const uint32_t slots = servers.GetSlots(rack, last);
    const auto usable = static_cast<double>(slots * kinds[last].milli[0]);
    row[FREE_CORES] = static_cast<float>(freeCores / cores);
    row[LARGE_SLOTS] = share(slots, m_largeMost);
    row[LARGE_LOST] = lost(last);
    row[HARD_SLOTS] = share(servers.GetSlots(rack, 0), m_hardMost);
    row[HARD_LOST] = lost(0);
    row[STRANDED] = static_cast<float>((freeCores - usable) / cores);
    row[NO_LARGE] = slots == 0 ? 1.0F : 0.0F;
}

void
OdcnRackFeatures::Begin(const OdcnScheduling& problem)
{
    const CsMgr& manager = *PeekPointer(problem.GetManager());
    const OdcnComputeLedger& servers = manager.GetServers();
    const OdcnJob& job = problem.GetJob();
    m_here.assign(servers.GetNRacks(), 0);
    m_visited.clear();
    for (uint32_t k = 0; k < problem.GetVmIndex(); ++k)
    {
        const RackId rack = servers.GetRack(manager.GetServer(k));
        if (m_here[rack]++ == 0)
        {
            m_visited.push_back(rack);
        }
    }
    const OdcnResources& large = servers.GetSlotKinds().back();
    m_largeLeft =
        static_cast<uint32_t>(std::count_if(job.vms.begin() + problem.GetVmIndex(),
                                            job.vms.end(),
                                            [&](const auto& vm) { return large.FitsIn(vm); }));
    m_perDemand = GetPerDemand(job);
    SetServers(servers);
}

void
OdcnRackFeatures::Describe(const OdcnScheduling& problem, uint32_t action, Row& row) const
{
    const CsMgr& manager = *PeekPointer(problem.GetManager());
    const RackId rack = manager.GetRack(action);
    const OdcnComputeLedger& servers = manager.GetServers();
    const NMgr& network = *PeekPointer(manager.GetNetwork());
    const OdcnCircuitLedger& circuits = network.GetCircuits();
    const ServerId server = manager.FindServer(servers, action, problem.GetVm());
    DescribeServers(servers, rack, problem.GetVm(), server, row);
    if (row[MARKER] != 0.0F)
    {
        return;
    }
    const bool isWhole = problem.SeesAllRacks();
    bool fits = true;
    double path = 0;
    double backlog = 0;
    double kept = 0;
    for (const auto& n : problem.GetViews().GetNeighbours())
    {
        if (n.rack == rack)
        {
            kept += static_cast<double>(n.out + n.in);
            continue;
        }
        const auto take = [&](RackId u, RackId v, BitRate rate)
        {
            if (rate == 0)
            {
                return true;
            }
            const BitRate used = circuits.GetUsed(u, v);
            const BitRate capacity = circuits.GetCapacity(u, v);
            const double load = Load(used + rate, capacity);
            if (!network.Fits(u, v, rate))
            {
                fits = false;
                path = std::max(path, capacity > 0 ? std::min(load, NO_CIRCUIT) : NO_CIRCUIT);
                return isWhole;
            }
            path = std::max(path, load);
            backlog += network.GetBacklog(load) - network.GetBacklog(Load(used, capacity));
            return true;
        };
        if (!take(rack, n.rack, n.out) || !take(n.rack, rack, n.in))
        {
            row.fill(0.0F);
            row[MARKER] = -1.0F;
            return;
        }
    }
    double jobLoad = 0;
    for (RackId other : m_visited)
    {
        if (other != rack)
        {
            jobLoad =
                std::max({jobLoad,
                          Load(circuits.GetUsed(rack, other), circuits.GetCapacity(rack, other)),
                          Load(circuits.GetUsed(other, rack), circuits.GetCapacity(other, rack))});
        }
    }
    if (!fits)
    {
        row[MARKER] = -1.0F;
        backlog = 0;
    }
    row[KEPT] = static_cast<float>(kept * m_perDemand);
    row[PATH_LOAD] = static_cast<float>(path);
    row[RACK_LOAD] = 1.0F - circuits.GetMinResidualFraction(rack);
    row[MEAN_LOAD] = circuits.GetMeanLoad(rack);
    row[JOB_LOAD] = static_cast<float>(jobLoad);
    row[BACKLOG] = static_cast<float>(backlog);
    row[LAST] = problem.GetLastRack() == rack ? 1.0F : 0.0F;
    row[VISITED] = m_here[rack] ? 1.0F : 0.0F;
    row[SHARE] = static_cast<float>(m_here[rack]) / static_cast<float>(problem.GetJob().vms.size());
    const uint32_t slots = servers.GetSlots(rack, servers.GetSlotKinds().size() - 1);
    row[ROOM] = m_largeLeft ? static_cast<float>(std::min(slots, m_largeLeft)) /
                                  static_cast<float>(m_largeLeft)
                            : 0.0F;
}

} // namespace ns3::odcn
