// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-shortest-paths.h"

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <set>

namespace ns3::odcn
{

namespace
{

using Graph = boost::compressed_sparse_row_graph<boost::directedS>;
using Edge = boost::graph_traits<Graph>::edge_descriptor;
using Path = std::vector<uint32_t>;

/// Nodes and links excluded from a search.
struct Closed
{
    std::vector<uint8_t> nodes;                    //!< 1 if the node is closed
    std::set<std::pair<uint32_t, uint32_t>> links; //!< (from, to) of closed links
};

/// Predicate for nodes that are not closed.
struct NodeIsOpen
{
    const Closed* closed{nullptr}; //!< closed nodes and links

    /// @param node a node  @return whether it is open
    bool operator()(std::size_t node) const
    {
        return closed->nodes[node] == 0;
    }
};

/// Predicate for links that are not closed; searches start at the target, against the direction.
struct LinkIsOpen
{
    const Closed* closed{nullptr}; //!< closed nodes and links
    const Graph* graph{nullptr};   //!< graph of the link

    /// @param link a link  @return whether it is open
    bool operator()(const Edge& link) const
    {
        return !closed->links.contains({static_cast<uint32_t>(boost::target(link, *graph)),
                                        static_cast<uint32_t>(boost::source(link, *graph))});
    }
};

/**
 * @param graph each link in both directions
 * @param closed nodes and links to exclude
 * @param source a node
 * @param target another node
 * @return the shortest open path, lowest node numbers first; empty when there is none
 */
Path
FindShortest(const Graph& graph, const Closed& closed, uint32_t source, uint32_t target)
{
    const boost::filtered_graph<Graph, LinkIsOpen, NodeIsOpen> open(graph,
                                                                    {&closed, &graph},
                                                                    {&closed});
    constexpr uint32_t FAR = UINT32_MAX;
    std::vector<uint32_t> hops(boost::num_vertices(graph), FAR);
    hops[target] = 0;
    boost::breadth_first_search(open,
                                target,
                                boost::visitor(boost::make_bfs_visitor(
                                    boost::record_distances(hops.data(), boost::on_tree_edge()))));
    if (hops[source] == FAR)
    {
        return {};
    }
    Path path{source};
    while (path.back() != target)
    {
        uint32_t next = FAR;
        for (auto [e, end] = boost::out_edges(boost::vertex(path.back(), graph), graph); e != end;
             ++e)
        {
            const auto node = static_cast<uint32_t>(boost::target(*e, graph));
            if (hops[node] + 1 == hops[path.back()] && !closed.links.contains({path.back(), node}))
            {
                next = std::min(next, node);
            }
        }
        path.push_back(next);
    }
    return path;
}

} // namespace

std::vector<Path>
ShortestPaths(uint32_t nodes,
              const std::vector<std::pair<uint32_t, uint32_t>>& links,
              uint32_t source,
              uint32_t target,
              std::size_t k)
{
    std::vector<std::pair<uint32_t, uint32_t>> both;
    both.reserve(2 * links.size());
    for (const auto& [u, v] : links)
    {
        both.emplace_back(u, v);
        both.emplace_back(v, u);
    }
    const Graph graph(boost::edges_are_unsorted_multi_pass, both.begin(), both.end(), nodes);

    const auto shorter = [](const Path& a, const Path& b)
    { return a.size() != b.size() ? a.size() < b.size() : a < b; };
    std::set<Path, decltype(shorter)> candidates(shorter);
    std::vector<Path> found;
    Closed closed;
    closed.nodes.assign(nodes, 0);
    if (Path first = FindShortest(graph, closed, source, target); !first.empty())
    {
        candidates.insert(std::move(first));
    }
    while (found.size() < k && !candidates.empty())
    {
        found.push_back(std::move(candidates.extract(candidates.begin()).value()));
        // Yen's algorithm: deviate from the last path at each node by a link that no path found so
        // far with the same root path uses.
        const Path& last = found.back();
        for (std::size_t i = 0; i + 1 < last.size(); ++i)
        {
            closed.links.clear();
            for (const Path& path : found)
            {
                if (path.size() > i + 1 &&
                    std::equal(last.begin(), last.begin() + i + 1, path.begin()))
                {
                    closed.links.emplace(path[i], path[i + 1]);
                }
            }
            closed.nodes.assign(nodes, 0);
            std::for_each(last.begin(),
                          last.begin() + i,
                          [&](uint32_t node) { closed.nodes[node] = 1; });
            const Path spur = FindShortest(graph, closed, last[i], target);
            if (!spur.empty())
            {
                Path whole(last.begin(), last.begin() + i);
                whole.insert(whole.end(), spur.begin(), spur.end());
                candidates.insert(std::move(whole));
            }
        }
    }
    return found;
}

} // namespace ns3::odcn
