// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-shortest-paths.h"

#include <algorithm>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <cmath>
#include <limits>
#include <tuple>

namespace ns3::odcn
{

namespace
{

/// Distance of a node without a path.
constexpr int64_t FAR = std::numeric_limits<int64_t>::max();

/// @param a a distance  @param b another one  @return their sum, FAR if one is FAR
int64_t
Sum(int64_t a, int64_t b)
{
    return a == FAR || b == FAR ? FAR : a + b;
}

/// Predicate for nodes that are not closed.
struct NodeIsOpen
{
    const std::vector<uint8_t>* closed{nullptr}; //!< closed nodes

    /// @param node a node
    /// @return whether it is open
    bool operator()(std::size_t node) const
    {
        return (*closed)[node] == 0;
    }
};

/// Thrown when a search may end.
struct Enough
{
};

/// Ends a search when no node further away can be on the shortest path from its source.
struct Radius : boost::default_dijkstra_visitor
{
    const std::vector<int64_t>* distances; //!< of nodes from the target
    const std::vector<int64_t>* first;     //!< length of the link from the source to each node
    int64_t* length;                       //!< of the shortest path so far

    /// @tparam G graph
    /// @param node the nearest one that was not examined yet
    template <typename G>
    void examine_vertex(std::size_t node, const G&) const
    {
        if ((*distances)[node] > *length)
        {
            throw Enough();
        }
        *length = std::min(*length, Sum((*distances)[node], (*first)[node]));
    }
};

} // namespace

ShortestPaths::ShortestPaths(uint32_t nodes,
                             const std::vector<std::pair<uint32_t, uint32_t>>& links,
                             const std::vector<double>& lengths)
{
    constexpr double BILLIONTHS = 1e9;
    std::vector<std::tuple<uint32_t, uint32_t, int64_t>> both;
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        const auto [u, v] = links[i];
        const int64_t length = lengths.empty() ? 1 : std::llround(lengths[i] * BILLIONTHS);
        both.emplace_back(u, v, length);
        both.emplace_back(v, u, length);
    }
    std::sort(both.begin(), both.end());
    std::vector<std::pair<uint32_t, uint32_t>> ends;
    std::vector<Link> properties;
    for (const auto& [u, v, length] : both)
    {
        ends.emplace_back(u, v);
        properties.push_back({length});
    }
    m_graph = Graph(boost::edges_are_sorted, ends.begin(), ends.end(), properties.begin(), nodes);
}

std::vector<int64_t>
ShortestPaths::Measure(uint32_t source,
                       const Nodes& closed,
                       const std::set<uint32_t>& closedNext) const
{
    std::vector<int64_t> first(closed.size(), FAR);
    const auto [begin, end] = boost::out_edges(std::size_t{source}, m_graph);
    for (auto link = begin; link != end && closed[source] != 0; ++link)
    {
        const auto node = static_cast<uint32_t>(boost::target(*link, m_graph));
        first[node] = closedNext.contains(node) ? FAR : m_graph[*link].length;
    }
    const boost::filtered_graph<Graph, boost::keep_all, NodeIsOpen> open(m_graph, {}, {&closed});
    std::vector<int64_t> distances(boost::num_vertices(m_graph), FAR);
    int64_t length = FAR;
    const Radius radius{{}, &distances, &first, &length};
    const auto map = boost::make_iterator_property_map(distances.begin(),
                                                       boost::get(boost::vertex_index, m_graph));
    try
    {
        boost::dijkstra_shortest_paths(open,
                                       m_target,
                                       boost::weight_map(boost::get(&Link::length, open))
                                           .distance_map(map)
                                           .distance_inf(FAR)
                                           .visitor(radius));
    }
    catch (const Enough&)
    {
    }
    return distances;
}

std::optional<ShortestPaths::Path>
ShortestPaths::Walk(const std::vector<int64_t>& distances,
                    uint32_t source,
                    Nodes closed,
                    const std::set<uint32_t>& closedNext) const
{
    closed[source] = 1;
    const auto getNext = [this](const auto& link)
    { return static_cast<uint32_t>(boost::target(link, m_graph)); };
    const auto getLength = [&](const auto& link)
    { return Sum(distances[getNext(link)], m_graph[link].length); };
    int64_t length = FAR;
    const auto [first, last] = boost::out_edges(std::size_t{source}, m_graph);
    for (auto link = first; link != last; ++link)
    {
        if (closed[getNext(*link)] == 0 && !closedNext.contains(getNext(*link)))
        {
            length = std::min(length, getLength(*link));
        }
    }
    if (length == FAR)
    {
        return {};
    }
    Path path{source};
    while (!path.empty() && path.back() != m_target)
    {
        const std::size_t here = path.back();
        const int64_t left = here == source ? length : distances[here];
        const auto isNext = [&](const auto& link)
        {
            return getLength(link) == left && closed[getNext(link)] == 0 &&
                   (here != source || !closedNext.contains(getNext(link)));
        };
        const auto [begin, end] = boost::out_edges(here, m_graph);
        const auto link = std::find_if(begin, end, isNext);
        if (link == end)
        {
            closed[here] = 1;
            path.pop_back();
        }
        else
        {
            path.push_back(getNext(*link));
        }
    }
    return path;
}

int64_t
ShortestPaths::GetLength(const Path& path) const
{
    int64_t length = 0;
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
    {
        const std::size_t from = path[i];
        const std::size_t to = path[i + 1];
        length += m_graph[boost::edge(from, to, m_graph).first].length;
    }
    return length;
}

std::vector<ShortestPaths::Path>
ShortestPaths::Find(uint32_t source, uint32_t target, std::size_t k)
{
    Nodes closed(boost::num_vertices(m_graph), 0);
    if (m_target != target)
    {
        m_target = target;
        m_distances = Measure(source, closed, {});
    }
    std::set<std::pair<int64_t, Path>> candidates;
    std::vector<Path> found;
    if (const auto path = Walk(m_distances, source, closed, {}))
    {
        candidates.emplace(GetLength(*path), *path);
    }
    while (found.size() < k && !candidates.empty())
    {
        found.push_back(std::move(candidates.extract(candidates.begin()).value().second));
        // Yen's algorithm: deviate from the last path at each node by a link that no path found so
        // far with the same root path uses.
        const Path& last = found.back();
        std::fill(closed.begin(), closed.end(), 0);
        for (std::size_t i = 0; i + 1 < last.size(); ++i)
        {
            std::set<uint32_t> closedNext;
            for (const Path& path : found)
            {
                if (path.size() > i + 1 &&
                    std::equal(last.begin(), last.begin() + i + 1, path.begin()))
                {
                    closedNext.insert(path[i + 1]);
                }
            }
            auto spur = Walk(m_distances, last[i], closed, closedNext);
            closed[last[i]] = 1;
            if (spur && spur->empty())
            {
                // What is closed makes the distances longer.
                spur = Walk(Measure(last[i], closed, closedNext), last[i], closed, closedNext);
            }
            if (spur)
            {
                Path whole(last.begin(), last.begin() + i);
                whole.insert(whole.end(), spur->begin(), spur->end());
                candidates.emplace(GetLength(whole), std::move(whole));
            }
        }
    }
    return found;
}

} // namespace ns3::odcn
