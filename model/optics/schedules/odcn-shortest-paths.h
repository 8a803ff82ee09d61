// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SHORTEST_PATHS_H
#define ODCN_SHORTEST_PATHS_H

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The shortest simple paths between nodes of an undirected graph (Yen's algorithm over
 * Boost.Graph), by hops or by length.
 *
 * The result is deterministic: among paths of equal length, the one with lower node numbers comes
 * first. Lengths count in billionths of their unit, so that sums are exact and equal lengths are
 * equal: 0.1 + 0.2 is 0.3. One search from a target serves all sources, as long as the target stays
 * the same.
 */
class ShortestPaths
{
  public:
    /// A path: its nodes in order.
    using Path = std::vector<uint32_t>;

    /**
     * @param nodes number of nodes
     * @param links pairs of nodes, each link once
     * @param lengths length of each link, 1e-9 or more and together less than 9e9; empty for hops
     */
    ShortestPaths(uint32_t nodes,
                  const std::vector<std::pair<uint32_t, uint32_t>>& links,
                  const std::vector<double>& lengths = {});

    /**
     * @param source a node
     * @param target another node
     * @param k largest number of paths
     * @return up to k paths, each from source to target, shortest first
     */
    std::vector<Path> Find(uint32_t source, uint32_t target, std::size_t k);

  private:
    /// Property of a link.
    struct Link
    {
        int64_t length{1}; //!< billionths of the unit of length, or 1 to count hops
    };

    /// Directed links with lengths.
    using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Link>;

    /// Nodes that paths avoid, by number.
    using Nodes = std::vector<uint8_t>;

    /**
     * @param source first node of a path to the target
     * @param closed nodes to avoid; if the source is not among them, all distances are found
     * @param closedNext second nodes to avoid
     * @return distance of each node from the target; of nodes further away than the source, this
     * or more
     */
    std::vector<int64_t> Measure(uint32_t source,
                                 const Nodes& closed,
                                 const std::set<uint32_t>& closedNext) const;

    /**
     * Walk to the target where each step is as long as the distance falls.
     * @param distances of all nodes from the target
     * @param source first node
     * @param closed nodes to avoid
     * @param closedNext second nodes to avoid
     * @return the shortest path, lowest node numbers first; empty when each path of that length
     * visits a closed node, nullopt when there is none
     */
    std::optional<Path> Walk(const std::vector<int64_t>& distances,
                             uint32_t source,
                             Nodes closed,
                             const std::set<uint32_t>& closedNext) const;

    /// @param path a path
    /// @return its length
    int64_t GetLength(const Path& path) const;

    Graph m_graph;                    //!< each link in both directions, by node numbers
    uint32_t m_target{UINT32_MAX};    //!< of the last search
    std::vector<int64_t> m_distances; //!< of all nodes from there, without closed nodes
};

} // namespace ns3::odcn

#endif /* ODCN_SHORTEST_PATHS_H */
