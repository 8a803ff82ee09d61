// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-rack-search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ns3::odcn
{

namespace
{

using Feature = OdcnRackFeatures::Feature;

/// The sum of a rack in which the VM does not fit.
constexpr float NEVER = -std::numeric_limits<float>::infinity();

/// Features that depend on servers alone; they come first.
constexpr std::size_t SERVER_FEATURES = Feature::NO_LARGE + 1;

/// @param x numbers  @return the largest, by several comparisons in parallel
float
Greatest(const std::vector<float>& x)
{
    std::array<float, 8> lanes;
    lanes.fill(NEVER);
    std::size_t i = 0;
    for (; i + lanes.size() <= x.size(); i += lanes.size())
    {
        for (std::size_t k = 0; k < lanes.size(); ++k)
        {
            lanes[k] = x[i + k] > lanes[k] ? x[i + k] : lanes[k];
        }
    }
    float most = NEVER;
    for (float lane : lanes)
    {
        most = std::max(most, lane);
    }
    for (; i < x.size(); ++i)
    {
        most = std::max(most, x[i]);
    }
    return most;
}

} // namespace

bool
OdcnRackSearch::Knows(const OdcnScheduling& problem)
{
    const auto state = problem.GetState();
    const bool isLater = state == OdcnScheduling::OPENING && problem.GetVmIndex() > 0;
    return (state == OdcnScheduling::PLACEMENT || isLater) && problem.MasksBandwidth() &&
           problem.GetManager()->GetNFits() == 1;
}

void
OdcnRackSearch::Clear()
{
    m_kinds.clear();
    m_here.clear();
}

void
OdcnRackSearch::BeginJob(const OdcnScheduling& problem)
{
    const OdcnComputeLedger& servers = problem.GetManager()->GetServers();
    const OdcnJob& job = problem.GetJob();
    if (m_here.empty())
    {
        const std::size_t n = servers.GetNRacks();
        m_features.SetServers(servers);
        m_here.assign(n, 0);
        m_visited.clear();
        for (auto* each : {&m_jobLoad, &m_pathLoad, &m_sums, &m_bounds, &m_room})
        {
            each->assign(n, 0.0F);
        }
    }
    for (RackId rack : m_visited)
    {
        m_here[rack] = 0;
    }
    m_visited.clear();
    std::fill(m_jobLoad.begin(), m_jobLoad.end(), 0.0F);
    m_job = problem.GetNJobs();
    m_followed = 0;
    m_perDemand = OdcnRackFeatures::GetPerDemand(job);
    m_largeLeft.assign(job.vms.size() + 1, 0);
    for (std::size_t k = job.vms.size(); k-- > 0;)
    {
        m_largeLeft[k] = m_largeLeft[k + 1] + servers.GetSlotKinds().back().FitsIn(job.vms[k]);
    }
}

void
OdcnRackSearch::FollowJob(const OdcnScheduling& problem)
{
    const CsMgr& manager = *PeekPointer(problem.GetManager());
    const NMgr& network = *PeekPointer(manager.GetNetwork());
    const OdcnComputeLedger& servers = manager.GetServers();
    const uint32_t k = problem.GetVmIndex();
    // Whether the circuits have changed since only by staging demands of this job.
    bool known = true;
    if (m_here.empty() || m_job != problem.GetNJobs() || m_followed > k)
    {
        BeginJob(problem);
        known = k == 0;
    }
    const CircuitLoads& loads = network.GetLoads();
    uint64_t version = m_networkVersion;
    const auto widen = [&](const float* peaks)
    {
        for (std::size_t r = 0; r < m_jobLoad.size(); ++r)
        {
            m_jobLoad[r] = std::max(m_jobLoad[r], peaks[r]);
        }
    };
    for (; m_followed < k; ++m_followed)
    {
        const RackId rack = servers.GetRack(manager.GetServer(m_followed));
        const float* peaks = loads.GetPeaks(rack);
        if (m_here[rack]++ == 0)
        {
            m_visited.push_back(rack);
            widen(peaks);
        }
        for (const OdcnDemand& demand : manager.GetDemands(m_followed))
        {
            const uint32_t other = demand.from == m_followed ? demand.to : demand.from;
            const RackId there = servers.GetRack(manager.GetServer(other));
            if (there != rack && demand.rate != 0)
            {
                ++version;
                m_jobLoad[rack] = std::max(m_jobLoad[rack], peaks[there]);
                m_jobLoad[there] = std::max(m_jobLoad[there], peaks[there]);
            }
        }
    }
    m_networkVersion = network.GetVersion();
    if (!known || (k > 0 && version != m_networkVersion))
    {
        std::fill(m_jobLoad.begin(), m_jobLoad.end(), 0.0F);
        for (RackId rack : m_visited)
        {
            widen(loads.GetPeaks(rack));
        }
    }
}

const OdcnRackSearch::Kind&
OdcnRackSearch::GetKind(const OdcnScheduling& problem, const Sum& sum)
{
    constexpr std::size_t MAX_KINDS = 8;
    const CsMgr& manager = *PeekPointer(problem.GetManager());
    const OdcnResources& vm = problem.GetVm();
    auto kind =
        std::find_if(m_kinds.begin(), m_kinds.end(), [&](const Kind& x) { return x.vm == vm; });
    if (kind == m_kinds.end())
    {
        kind = m_kinds.size() < MAX_KINDS
                   ? m_kinds.emplace(kind)
                   : m_kinds.begin() + static_cast<std::ptrdiff_t>(m_oldestKind++ % MAX_KINDS);
        kind->vm = vm;
        kind->weights.clear();
    }
    const auto first = sum.weights.first(SERVER_FEATURES);
    if (kind->weights.empty() || kind->bias != sum.bias ||
        !std::equal(first.begin(), first.end(), kind->weights.begin()))
    {
        kind->bias = sum.bias;
        kind->weights.assign(first.begin(), first.end());
        kind->version.assign(m_here.size(), 0);
        kind->sum.assign(m_here.size(), NEVER);
        kind->slots.assign(m_here.size(), 0.0F);
    }
    for (RackId rack = 0; rack < m_here.size(); ++rack)
    {
        if (kind->version[rack] != manager.GetVersion(rack))
        {
            kind->version[rack] = manager.GetVersion(rack);
            UpdateRack(manager.GetServers(), rack, *kind);
        }
    }
    return *kind;
}

void
OdcnRackSearch::UpdateRack(const OdcnComputeLedger& servers, RackId rack, Kind& kind) const
{
    OdcnRackFeatures::Row row;
    m_features.DescribeServers(servers, rack, kind.vm, servers.Find(rack, kind.vm), row);
    kind.slots[rack] =
        static_cast<float>(servers.GetSlots(rack, servers.GetSlotKinds().size() - 1));
    float sum = kind.bias;
    for (std::size_t f = 0; f < SERVER_FEATURES; ++f)
    {
        sum += kind.weights[f] * row[f];
    }
    kind.sum[rack] = row[Feature::MARKER] == 0.0F ? sum : NEVER;
}

void
OdcnRackSearch::FindPaths(const OdcnScheduling& problem)
{
    const NMgr& network = *PeekPointer(problem.GetManager()->GetNetwork());
    const OdcnCircuitLedger& circuits = network.GetCircuits();
    const bool pooled = network.GetSharing() == NMgr::Sharing::POOLED;
    m_last = problem.GetLastRack();
    m_paths.clear();
    std::fill(m_pathLoad.begin(), m_pathLoad.end(), 0.0F);
    for (const auto& n : problem.GetViews().GetNeighbours())
    {
        for (const Path& path : {Path{n.rack, true, n.out}, Path{n.rack, false, n.in}})
        {
            if (path.rate == 0)
            {
                continue;
            }
            m_paths.push_back(path);
            for (RackId rack = 0; rack < m_sums.size(); ++rack)
            {
                if (rack == path.rack || m_sums[rack] == NEVER)
                {
                    continue;
                }
                const RackId u = path.out ? rack : path.rack;
                const RackId v = path.out ? path.rack : rack;
                const BitRate used = circuits.GetUsed(u, v);
                const BitRate capacity = circuits.GetCapacity(u, v);
                const bool fits =
                    pooled ? capacity - used >= path.rate : network.Fits(u, v, path.rate);
                m_sums[rack] = fits ? m_sums[rack] : NEVER;
                m_pathLoad[rack] = std::max(
                    m_pathLoad[rack],
                    static_cast<float>(OdcnRackFeatures::Load(used + path.rate, capacity)));
            }
        }
    }
}

void
OdcnRackSearch::AddLoads(const OdcnScheduling& problem, const Sum& sum)
{
    const float* w = sum.weights.data();
    for (const auto& n : problem.GetViews().GetNeighbours())
    {
        const auto kept = static_cast<double>(n.out + n.in);
        m_sums[n.rack] += w[Feature::KEPT] * static_cast<float>(kept * m_perDemand);
    }
    const CircuitLoads& loads = problem.GetManager()->GetNetwork()->GetLoads();
    const float* rackLoad = loads.GetGreatest().data();
    const float* meanLoad = loads.GetMeans().data();
    for (std::size_t r = 0; r < m_sums.size(); ++r)
    {
        float x = m_sums[r];
        x += w[Feature::PATH_LOAD] * m_pathLoad[r];
        x += w[Feature::RACK_LOAD] * rackLoad[r];
        x += w[Feature::MEAN_LOAD] * meanLoad[r];
        x += w[Feature::JOB_LOAD] * m_jobLoad[r];
        m_sums[r] = x;
    }
}

float
OdcnRackSearch::GetBacklog(const NMgr& network, RackId rack) const
{
    const OdcnCircuitLedger& circuits = network.GetCircuits();
    double backlog = 0;
    for (const Path& path : m_paths)
    {
        if (path.rack != rack)
        {
            const RackId u = path.out ? rack : path.rack;
            const RackId v = path.out ? path.rack : rack;
            const double load = OdcnRackFeatures::Load(circuits.GetUsed(u, v) + path.rate,
                                                       circuits.GetCapacity(u, v));
            backlog += network.GetBacklog(load) - network.GetLoads().GetBacklog(u, v);
        }
    }
    return static_cast<float>(backlog);
}

float
OdcnRackSearch::Finish(const Sum& sum, RackId rack, float backlog) const
{
    const float* w = sum.weights.data();
    const auto vms = static_cast<float>(m_largeLeft.size() - 1);
    float x = m_sums[rack];
    x += w[Feature::BACKLOG] * backlog;
    x += w[Feature::LAST] * (m_last == rack ? 1.0F : 0.0F);
    x += w[Feature::VISITED] * (m_here[rack] ? 1.0F : 0.0F);
    x += w[Feature::SHARE] * (static_cast<float>(m_here[rack]) / vms);
    x += w[Feature::ROOM] * m_room[rack];
    return x;
}

RackId
OdcnRackSearch::Find(const OdcnScheduling& problem, std::span<const float> weights, float bias)
{
    if (m_episode != problem.GetEpisode())
    {
        Clear();
        m_episode = problem.GetEpisode();
    }
    const std::size_t block =
        std::size_t{OdcnRackFeatures::COUNT} * OdcnRackFeatures::GetClass(problem);
    const Sum sum{weights.subspan(block, OdcnRackFeatures::COUNT), bias};
    const NMgr& network = *PeekPointer(problem.GetManager()->GetNetwork());
    FollowJob(problem);
    const Kind& kind = GetKind(problem, sum);
    m_sums = kind.sum;
    FindPaths(problem);
    AddLoads(problem, sum);

    const float* w = sum.weights.data();
    const auto left = static_cast<float>(m_largeLeft[problem.GetVmIndex()]);
    for (std::size_t r = 0; r < m_room.size(); ++r)
    {
        m_room[r] = std::min(kind.slots[r], left) / std::max(left, 1.0F);
        m_bounds[r] = m_sums[r] + w[Feature::ROOM] * m_room[r];
    }
    for (RackId rack : m_visited)
    {
        m_bounds[rack] = Finish(sum, rack, 0.0F);
    }
    // Rounding is monotone: a sum without a term that is not above 0 is an upper bound. Rounding
    // may make the backlog of a very small demand negative, so such demands are excluded.
    const BitRate least = network.GetCircuits().GetPortRate() / 1000000;
    const bool bounded =
        m_paths.empty() ||
        (w[Feature::BACKLOG] <= 0.0F && std::all_of(m_paths.begin(),
                                                    m_paths.end(),
                                                    [&](const Path& p) { return p.rate > least; }));

    const float most = Greatest(m_bounds);
    const auto first =
        static_cast<RackId>(std::find(m_bounds.begin(), m_bounds.end(), most) - m_bounds.begin());
    if (!std::isfinite(most) || first == m_bounds.size())
    {
        return NO_RACK;
    }
    const auto whole = [&](RackId rack) { return Finish(sum, rack, GetBacklog(network, rack)); };
    RackId best = first;
    float bestSum = whole(first);
    for (RackId rack = 0; rack < m_bounds.size(); ++rack)
    {
        if (rack == first || m_bounds[rack] == NEVER || (bounded && m_bounds[rack] < bestSum))
        {
            continue;
        }
        const float x = whole(rack);
        if (x > bestSum || (x == bestSum && rack < best))
        {
            best = rack;
            bestSum = x;
        }
    }
    return std::isfinite(bestSum) ? best : NO_RACK;
}

} // namespace ns3::odcn
