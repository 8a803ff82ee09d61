// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-ring-search.h"

#include <algorithm>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Number of best targets considered when a pair of workers moves.
constexpr std::size_t PAIR_TARGETS = 8;

} // namespace

void
IcciRingSearch::SetMesh(const OtnMesh& mesh)
{
    m_nCentres = mesh.GetNSites();
    m_distance.assign(std::size_t{m_nCentres} * m_nCentres, 0);
    for (uint32_t a = 0; a < m_nCentres; ++a)
    {
        for (uint32_t b = 0; b < m_nCentres; ++b)
        {
            if (a != b)
            {
                m_distance[std::size_t{a} * m_nCentres + b] =
                    static_cast<uint32_t>(mesh.GetPaths(a, b).front().size());
            }
        }
    }
}

void
IcciRingSearch::Reset(const IcciLoads& loads,
                      const IcciForecast& forecast,
                      const IcciSearchWeights& weights,
                      uint64_t seed)
{
    m_loads = &loads;
    m_forecast = &forecast;
    m_weights = weights;
    m_random.seed(seed);
}

std::vector<IcciCandidate>
IcciRingSearch::Find(IcciCandidate::Search search,
                     const IcciTaskState& task,
                     const IcciOutlook& outlook)
{
    m_candidates.clear();
    switch (search)
    {
    case IcciCandidate::SWAP:
        FindSwaps(task, outlook);
        break;
    case IcciCandidate::NEAREST:
        FindNearest(task);
        break;
    case IcciCandidate::ALL:
        FindAll(task);
        break;
    case IcciCandidate::ANY:
        FindAny(task);
        break;
    }
    return std::move(m_candidates);
}

std::vector<uint32_t>
IcciRingSearch::Grow(const IcciTask& task, uint32_t cus)
{
    std::vector<uint32_t> ring;
    if (!m_loads->HasRoom(task.source, cus))
    {
        return ring;
    }
    ring.push_back(task.source);
    while (ring.size() < task.workers)
    {
        double most = 0;
        uint32_t best = UINT32_MAX;
        for (uint32_t centre = 0; centre < m_loads->pool.GetNCentres(); ++centre)
        {
            const double noise = static_cast<double>(m_random() >> 11) * 0x1p-52 - 1;
            if (!m_loads->HasRoom(centre, cus) ||
                std::find(ring.begin(), ring.end(), centre) != ring.end())
            {
                continue;
            }
            const double score = m_loads->cus - m_loads->Get(centre) -
                                 m_weights.distance * GetDistance(ring.back(), centre) +
                                 m_weights.noise * noise;
            if (best == UINT32_MAX || score > most)
            {
                best = centre;
                most = score;
            }
        }
        if (best == UINT32_MAX)
        {
            return {};
        }
        ring.push_back(best);
    }
    return ring;
}

uint32_t
IcciRingSearch::CountShortest(const std::vector<uint32_t>& ring) const
{
    uint32_t hops = 0;
    for (std::size_t i = 0; i < ring.size(); ++i)
    {
        hops += GetDistance(ring[i], ring[(i + 1) % ring.size()]);
    }
    return hops;
}

void
IcciRingSearch::Insert(std::vector<uint32_t>& ring, uint32_t centre) const
{
    std::ptrdiff_t place = 0;
    uint32_t least = UINT32_MAX;
    for (std::size_t i = 0; i < ring.size(); ++i)
    {
        const uint32_t a = ring[i];
        const uint32_t b = ring[(i + 1) % ring.size()];
        const uint32_t detour = GetDistance(a, centre) + GetDistance(centre, b) - GetDistance(a, b);
        if (detour < least)
        {
            least = detour;
            place = static_cast<std::ptrdiff_t>(i + 1);
        }
    }
    ring.insert(ring.begin() + place, centre);
}

void
IcciRingSearch::Improve(std::vector<uint32_t>& ring) const
{
    // 2-opt: reverse a segment where that saves hops.
    const std::size_t n = ring.size();
    for (bool better = true; better;)
    {
        better = false;
        for (std::size_t i = 0; i + 2 < n; ++i)
        {
            for (std::size_t j = i + 2; j < n; ++j)
            {
                const uint32_t after = ring[(j + 1) % n];
                if (GetDistance(ring[i], ring[j]) + GetDistance(ring[i + 1], after) <
                    GetDistance(ring[i], ring[i + 1]) + GetDistance(ring[j], after))
                {
                    std::reverse(ring.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                 ring.begin() + static_cast<std::ptrdiff_t>(j) + 1);
                    better = true;
                }
            }
        }
    }
}

std::vector<uint32_t>
IcciRingSearch::GetHotWorkers(const IcciTaskState& task) const
{
    std::vector<uint32_t> hot;
    std::copy_if(task.ring.begin() + 1,
                 task.ring.end(),
                 std::back_inserter(hot),
                 [&](uint32_t centre) { return m_loads->IsHot(centre); });
    std::stable_sort(hot.begin(),
                     hot.end(),
                     [&](uint32_t a, uint32_t b)
                     {
                         // Without the limit N_v, so that full centres can be compared.
                         return m_loads->recent[a] + m_loads->GetSettled(a) >
                                m_loads->recent[b] + m_loads->GetSettled(b);
                     });
    return hot;
}

std::vector<uint32_t>
IcciRingSearch::GetTargets(const IcciTaskState& task, bool cool) const
{
    const uint32_t cus = task.demand.cus;
    std::vector<uint32_t> targets;
    for (uint32_t centre = 0; centre < m_loads->pool.GetNCentres(); ++centre)
    {
        if (m_loads->HasRoom(centre, cus) &&
            (!cool || m_loads->Get(centre) + cus < m_loads->GetHotLoad()) &&
            std::find(task.ring.begin(), task.ring.end(), centre) == task.ring.end())
        {
            targets.push_back(centre);
        }
    }
    return targets;
}

void
IcciRingSearch::Offer(std::vector<uint32_t> ring,
                      std::vector<std::pair<uint32_t, uint32_t>> moves,
                      double score)
{
    IcciCandidate candidate;
    candidate.ring = std::move(ring);
    candidate.moves = std::move(moves);
    candidate.hops = CountShortest(candidate.ring);
    candidate.score = score;
    const auto place = std::find_if(m_candidates.begin(),
                                    m_candidates.end(),
                                    [&](const auto& c) { return c.score > score; });
    m_candidates.insert(place, std::move(candidate));
    if (m_candidates.size() > m_weights.maxRings)
    {
        m_candidates.pop_back();
    }
}

void
IcciRingSearch::FindSwaps(const IcciTaskState& task, const IcciOutlook& outlook)
{
    const uint32_t cus = task.demand.cus;
    const auto hot = GetHotWorkers(task);
    auto targets = GetTargets(task, true);
    // load: share of CUs in use with a worker of the task there. blocks: decrease in hotspot
    // blocks when a worker leaves, increase when one comes.
    std::vector<double> load(m_loads->pool.GetNCentres());
    std::vector<double> blocks(m_loads->pool.GetNCentres());
    double ignored = 0;
    for (const uint32_t centre : task.ring)
    {
        const uint32_t held = m_loads->GetSettled(centre);
        blocks[centre] = m_forecast->Foresee(*m_loads, centre, held, outlook, load[centre]) -
                         m_forecast->Foresee(*m_loads, centre, held - cus, outlook, ignored);
    }
    for (const uint32_t centre : targets)
    {
        const uint32_t held = m_loads->GetSettled(centre);
        blocks[centre] = m_forecast->Foresee(*m_loads, centre, held + cus, outlook, load[centre]) -
                         m_forecast->Foresee(*m_loads, centre, held, outlook, ignored);
    }
    std::stable_sort(targets.begin(),
                     targets.end(),
                     [&](uint32_t a, uint32_t b) { return load[a] < load[b]; });
    const auto consider = [&](std::vector<std::pair<uint32_t, uint32_t>> moves)
    {
        double less = 0;
        for (const auto& [from, to] : moves)
        {
            less += blocks[from] - blocks[to];
        }
        // Eq. 8.
        if (less <= 0)
        {
            return;
        }
        std::vector<uint32_t> ring = task.ring;
        for (const auto& move : moves)
        {
            ring.erase(std::find(ring.begin(), ring.end(), move.first));
        }
        for (const auto& move : moves)
        {
            Insert(ring, move.second);
        }
        Improve(ring);
        double mean = 0;
        for (const uint32_t centre : ring)
        {
            mean += 100 * load[centre] / static_cast<double>(ring.size());
        }
        const double score = mean + m_weights.hop * CountShortest(ring);
        Offer(std::move(ring), std::move(moves), score);
    };
    const std::size_t few = std::min(targets.size(), PAIR_TARGETS);
    for (std::size_t i = 0; i < hot.size(); ++i)
    {
        for (const uint32_t to : targets)
        {
            consider({{hot[i], to}});
        }
        for (std::size_t j = i + 1; j < hot.size(); ++j)
        {
            for (std::size_t a = 0; a < few; ++a)
            {
                for (std::size_t b = a + 1; b < few; ++b)
                {
                    consider({{hot[i], targets[a]}, {hot[j], targets[b]}});
                }
            }
        }
    }
}

void
IcciRingSearch::FindNearest(const IcciTaskState& task)
{
    const uint32_t from = GetHotWorkers(task).front();
    for (const uint32_t to : GetTargets(task, false))
    {
        auto ring = task.ring;
        std::replace(ring.begin(), ring.end(), from, to);
        Offer(std::move(ring), {{from, to}}, GetDistance(from, to));
    }
}

void
IcciRingSearch::FindAll(const IcciTaskState& task)
{
    // CUs that the task holds now count as idle.
    const auto idle = [&](uint32_t centre)
    {
        const bool here = std::find(task.ring.begin(), task.ring.end(), centre) != task.ring.end();
        return m_loads->cus - m_loads->Get(centre) + (here ? task.demand.cus : 0);
    };
    auto centres = GetTargets(task, false);
    centres.insert(centres.end(), task.ring.begin() + 1, task.ring.end());
    std::sort(centres.begin(), centres.end());
    std::stable_sort(centres.begin(),
                     centres.end(),
                     [&](uint32_t a, uint32_t b) { return idle(a) > idle(b); });
    std::vector<uint32_t> ring{task.ring.front()};
    ring.insert(ring.end(),
                centres.begin(),
                centres.begin() + static_cast<std::ptrdiff_t>(task.ring.size()) - 1);
    std::vector<uint32_t> leave;
    std::vector<uint32_t> come;
    const auto without = [](const std::vector<uint32_t>& all,
                            const std::vector<uint32_t>& those,
                            std::vector<uint32_t>& out)
    {
        std::copy_if(all.begin(),
                     all.end(),
                     std::back_inserter(out),
                     [&](uint32_t x)
                     { return std::find(those.begin(), those.end(), x) == those.end(); });
    };
    without(task.ring, ring, leave);
    without(ring, task.ring, come);
    if (leave.empty())
    {
        return;
    }
    std::vector<std::pair<uint32_t, uint32_t>> moves;
    moves.reserve(leave.size());
    for (std::size_t i = 0; i < leave.size(); ++i)
    {
        moves.emplace_back(leave[i], come[i]);
    }
    Offer(std::move(ring), std::move(moves), 0);
}

void
IcciRingSearch::FindAny(const IcciTaskState& task)
{
    auto targets = GetTargets(task, false);
    auto ring = task.ring;
    std::vector<std::pair<uint32_t, uint32_t>> moves;
    for (const uint32_t from : GetHotWorkers(task))
    {
        if (targets.empty())
        {
            break;
        }
        const std::size_t pick = m_random() % targets.size();
        std::replace(ring.begin(), ring.end(), from, targets[pick]);
        moves.emplace_back(from, targets[pick]);
        targets.erase(targets.begin() + static_cast<std::ptrdiff_t>(pick));
    }
    if (!moves.empty())
    {
        Offer(std::move(ring), std::move(moves), 0);
    }
}

} // namespace ns3::odcn
