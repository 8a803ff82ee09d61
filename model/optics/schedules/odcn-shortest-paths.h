// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SHORTEST_PATHS_H
#define ODCN_SHORTEST_PATHS_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The shortest simple paths between two nodes of an undirected graph (Yen's algorithm over
 * Boost.Graph), by hops or by length.
 *
 * The result is deterministic: among paths of equal length, the one with lower node numbers comes
 * first.
 *
 * @param nodes number of nodes
 * @param links pairs of nodes, each link once
 * @param source a node
 * @param target another node
 * @param k largest number of paths
 * @param lengths length of each link, above 0; empty for hops
 * @return up to k paths, each from source to target, shortest first
 */
std::vector<std::vector<uint32_t>> ShortestPaths(
    uint32_t nodes,
    const std::vector<std::pair<uint32_t, uint32_t>>& links,
    uint32_t source,
    uint32_t target,
    std::size_t k,
    const std::vector<double>& lengths = {});

} // namespace ns3::odcn

#endif /* ODCN_SHORTEST_PATHS_H */
