// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-network.h"

#include "ns3/assert.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-shortest-paths.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace ns3::odcn
{

namespace
{

/**
 * Among paths of equal length, put those first that share fewest links with their predecessors.
 * @param [in,out] paths sorted by length
 */
void
Spread(std::vector<std::vector<uint32_t>>& paths)
{
    const auto shared = [&](const std::vector<uint32_t>& path, std::size_t before)
    {
        std::size_t count = 0;
        for (std::size_t p = 0; p < before; ++p)
        {
            for (std::size_t i = 0; i + 1 < path.size(); ++i)
            {
                const auto at = std::search(paths[p].begin(),
                                            paths[p].end(),
                                            path.begin() + i,
                                            path.begin() + i + 2);
                count += at != paths[p].end();
            }
        }
        return count;
    };
    for (std::size_t i = 0; i < paths.size(); ++i)
    {
        std::size_t best = i;
        for (std::size_t j = i + 1; j < paths.size() && paths[j].size() == paths[i].size(); ++j)
        {
            best = shared(paths[j], i) < shared(paths[best], i) ? j : best;
        }
        std::rotate(paths.begin() + i, paths.begin() + best, paths.begin() + best + 1);
    }
}

} // namespace

RddcNetwork::RddcNetwork(const RddcSizes& sizes)
    : m_sizes(sizes),
      m_nServers(sizes.clusters * sizes.racksPerCluster * sizes.serversPerRack),
      m_nRacks(sizes.clusters * sizes.racksPerCluster),
      m_firstTier3(m_nServers + m_nRacks * sizes.rackUplinks)
{
    if (sizes.paths < 1 || sizes.paths > MAX_PATHS)
    {
        throw OdcnError::InOption("Paths",
                                  std::to_string(sizes.paths),
                                  "1 to " + std::to_string(MAX_PATHS));
    }
    const uint32_t aggregation = m_nServers + m_nRacks;
    const uint32_t core = aggregation + sizes.clusters * sizes.rackUplinks;
    for (ServerId server = 0; server < m_nServers; ++server)
    {
        m_ends.emplace_back(server, m_nServers + GetRack(server));
    }
    for (RackId rack = 0; rack < m_nRacks; ++rack)
    {
        for (uint32_t i = 0; i < sizes.rackUplinks; ++i)
        {
            m_ends.emplace_back(m_nServers + rack,
                                aggregation + GetCluster(rack) * sizes.rackUplinks + i);
        }
    }
    for (uint32_t i = aggregation; i < core; ++i)
    {
        for (uint32_t j = 0; j < sizes.cores; ++j)
        {
            m_ends.emplace_back(i, core + j);
        }
    }

    m_first.assign(std::size_t{m_nRacks} * m_nRacks, 0);
    m_kinds[0] = {0, 0};
    m_kinds[1] = {0};
    m_kinds[2] = {0};
    if (sizes.racksPerCluster > 1)
    {
        FindPaths(1);
    }
    if (sizes.clusters > 1)
    {
        FindPaths(2);
    }
}

uint64_t
RddcNetwork::GetTierChannels(std::size_t tier) const
{
    const std::array<uint64_t, TIERS> links{m_nServers,
                                            m_firstTier3 - m_nServers,
                                            GetNLinks() - m_firstTier3};
    return links[tier] * m_sizes.channels[tier];
}

std::vector<LinkId>
RddcNetwork::GetLinks(ServerId from, ServerId to, std::size_t path) const
{
    const RackId rack = GetRack(from);
    const auto between = GetPath(rack, GetRack(to), path);
    std::vector<LinkId> links{from};
    links.insert(links.end(), between.begin(), between.end());
    links.push_back(to);
    // Both directions of a pair of racks share a list of paths, so it may be reversed.
    if (!between.empty() && GetEnds(between.front()).first != m_nServers + rack)
    {
        std::reverse(links.begin() + 1, links.end() - 1);
    }
    return links;
}

LinkId
RddcNetwork::GetLink(uint32_t u, uint32_t v) const
{
    const uint32_t aggregation = m_nServers + m_nRacks;
    const uint32_t core = aggregation + m_sizes.clusters * m_sizes.rackUplinks;
    const uint32_t low = std::min(u, v);
    const uint32_t high = std::max(u, v);
    if (low < aggregation)
    {
        return m_nServers + (low - m_nServers) * m_sizes.rackUplinks +
               (high - aggregation) % m_sizes.rackUplinks;
    }
    NS_ASSERT_MSG(high >= core, "no link joins these switches");
    return m_firstTier3 + (low - aggregation) * m_sizes.cores + (high - core);
}

std::vector<uint32_t>
RddcNetwork::GetSymmetry(RackId a, RackId b) const
{
    const uint32_t racks = m_sizes.racksPerCluster;
    const uint32_t uplinks = m_sizes.rackUplinks;
    // Swap entries so that `what` is at index `where`.
    const auto bring = [](std::vector<uint32_t>& order, uint32_t what, uint32_t where)
    { std::swap(*std::find(order.begin(), order.end(), what), order[where]); };

    std::vector<uint32_t> clusters(m_sizes.clusters);
    std::iota(clusters.begin(), clusters.end(), 0);
    bring(clusters, GetCluster(a), 0);
    if (GetCluster(a) != GetCluster(b))
    {
        bring(clusters, GetCluster(b), 1);
    }
    const uint32_t turn = m_sizes.spreadPaths ? a % racks + b % racks : 0;
    const uint32_t coreTurn = m_sizes.spreadPaths ? a % racks + GetCluster(a) + GetCluster(b) : 0;
    std::vector<uint32_t> node(GetNNodes());
    std::iota(node.begin(), node.end(), 0);
    for (uint32_t c = 0; c < m_sizes.clusters; ++c)
    {
        const uint32_t cluster = clusters[c];
        std::vector<uint32_t> order(racks);
        std::iota(order.begin(), order.end(), 0);
        if (cluster == GetCluster(a))
        {
            bring(order, a % racks, 0);
        }
        if (cluster == GetCluster(b))
        {
            bring(order, b % racks, cluster == GetCluster(a) ? 1 : 0);
        }
        for (uint32_t r = 0; r < racks; ++r)
        {
            node[m_nServers + c * racks + r] = m_nServers + cluster * racks + order[r];
        }
        const uint32_t first = m_nServers + m_nRacks;
        for (uint32_t i = 0; i < uplinks; ++i)
        {
            node[first + c * uplinks + i] = first + cluster * uplinks + (i + turn) % uplinks;
        }
    }
    const uint32_t core = GetNNodes() - m_sizes.cores;
    for (uint32_t j = 0; j < m_sizes.cores; ++j)
    {
        node[core + j] = core + (j + coreTurn) % m_sizes.cores;
    }
    return node;
}

void
RddcNetwork::FindPaths(std::size_t kind)
{
    const uint32_t racks = m_sizes.racksPerCluster;
    const std::vector<std::pair<uint32_t, uint32_t>> links(m_ends.begin() + m_nServers,
                                                           m_ends.end());
    auto paths = ShortestPaths(GetNNodes(), links)
                     .Find(m_nServers, m_nServers + (kind == 1 ? 1 : racks), m_sizes.paths);
    if (m_sizes.spreadPaths)
    {
        Spread(paths);
    }
    for (const auto& path : paths)
    {
        m_kinds[kind].push_back(m_kinds[kind].back() + static_cast<uint32_t>(path.size()) - 1);
    }
    for (RackId a = 0; a < m_nRacks; ++a)
    {
        for (RackId b = a + 1; b < m_nRacks; ++b)
        {
            if (GetKind(a, b) != kind)
            {
                continue;
            }
            const auto node = GetSymmetry(a, b);
            m_first[a * m_nRacks + b] = static_cast<uint32_t>(m_pathLinks.size());
            m_first[b * m_nRacks + a] = m_first[a * m_nRacks + b];
            for (const auto& path : paths)
            {
                for (std::size_t i = 0; i + 1 < path.size(); ++i)
                {
                    m_pathLinks.push_back(GetLink(node[path[i]], node[path[i + 1]]));
                }
            }
        }
    }
}

} // namespace ns3::odcn
