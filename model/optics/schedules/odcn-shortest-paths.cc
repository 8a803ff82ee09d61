// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-shortest-paths.h"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <limits>
#include <map>
#include <set>

namespace ns3::odcn
{

namespace
{

/// Property of a link.
struct Link
{
    double length{1}; //!< length, or 1 to count hops
};

using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Link>;
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
    constexpr double FAR = std::numeric_limits<double>::infinity();
    constexpr uint32_t NONE = UINT32_MAX;
    std::vector<double> distances(boost::num_vertices(graph), FAR);
    boost::dijkstra_shortest_paths(
        open,
        target,
        boost::weight_map(boost::get(&Link::length, open))
            .distance_map(boost::make_iterator_property_map(distances.begin(),
                                                            boost::get(boost::vertex_index, graph)))
            .distance_inf(FAR));
    if (distances[source] == FAR)
    {
        return {};
    }
    Path path{source};
    while (path.back() != target)
    {
        uint32_t next = NONE;
        for (auto [e, end] = boost::out_edges(boost::vertex(path.back(), graph), graph); e != end;
             ++e)
        {
            // Exactly the sum that the search computed, so that equality is safe.
            const auto node = static_cast<uint32_t>(boost::target(*e, graph));
            if (distances[node] + graph[*e].length == distances[path.back()] &&
                closed.nodes[node] == 0 && !closed.links.contains({path.back(), node}))
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
              std::size_t k,
              const std::vector<double>& lengths)
{
    std::vector<std::pair<uint32_t, uint32_t>> both;
    std::vector<Link> properties;
    std::map<std::pair<uint32_t, uint32_t>, double> known;
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        const auto [u, v] = links[i];
        const Link link{lengths.empty() ? 1 : lengths[i]};
        both.emplace_back(u, v);
        both.emplace_back(v, u);
        properties.insert(properties.end(), 2, link);
        known[std::minmax(u, v)] = link.length;
    }
    const Graph graph(boost::edges_are_unsorted_multi_pass,
                      both.begin(),
                      both.end(),
                      properties.begin(),
                      nodes);
    const auto measure = [&known](const Path& path)
    {
        double length = 0;
        for (std::size_t i = 0; i + 1 < path.size(); ++i)
        {
            length += known.at(std::minmax(path[i], path[i + 1]));
        }
        return length;
    };

    std::set<std::pair<double, Path>> candidates;
    std::vector<Path> found;
    Closed closed;
    closed.nodes.assign(nodes, 0);
    if (Path first = FindShortest(graph, closed, source, target); !first.empty())
    {
        candidates.emplace(measure(first), std::move(first));
    }
    while (found.size() < k && !candidates.empty())
    {
        found.push_back(std::move(candidates.extract(candidates.begin()).value().second));
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
                candidates.emplace(measure(whole), std::move(whole));
            }
        }
    }
    return found;
}

} // namespace ns3::odcn
