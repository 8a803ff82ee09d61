// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-link-loads.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

namespace
{

/// Number of hops to a rack that cannot be reached.
constexpr uint32_t FAR = UINT32_MAX;

/// A link as seen from one of its ends.
struct Link
{
    RackId rack;     //!< at the other end
    double capacity; //!< of the link
};

/// The shortest paths of all racks to one of them.
struct Tree
{
    std::vector<uint32_t> hops; //!< by rack, or FAR
    std::vector<double> paths;  //!< by rack: number of shortest paths
    std::vector<RackId> order;  //!< racks that reach it, the nearest first
};

/// @param to a rack
/// @param in links to each rack
/// @return the shortest paths to it
Tree
FindTree(RackId to, const std::vector<std::vector<Link>>& in)
{
    Tree tree{std::vector<uint32_t>(in.size(), FAR), std::vector<double>(in.size(), 0), {to}};
    tree.hops[to] = 0;
    tree.paths[to] = 1;
    for (std::size_t i = 0; i < tree.order.size(); ++i)
    {
        const RackId rack = tree.order[i];
        for (const Link& link : in[rack])
        {
            if (tree.hops[link.rack] == FAR)
            {
                tree.hops[link.rack] = tree.hops[rack] + 1;
                tree.order.push_back(link.rack);
            }
            if (tree.hops[link.rack] == tree.hops[rack] + 1)
            {
                tree.paths[link.rack] += link.capacity * tree.paths[rack];
            }
        }
    }
    return tree;
}

} // namespace

LinkLoads::LinkLoads(const DemandMatrix& capacity, const DemandMatrix& demand, Split split)
    : m_loads(capacity.GetNRacks())
{
    capacity.Check("capacity");
    demand.Check("demand");
    const uint32_t racks = capacity.GetNRacks();
    if (demand.GetNRacks() != racks || demand.GetMaxLoad() <= 0)
    {
        throw OdcnError::InOption("demand of link loads",
                                  std::to_string(demand.GetNRacks()) + " racks",
                                  "demand of " + std::to_string(racks) + " racks, not all zero");
    }
    std::vector<std::vector<Link>> in(racks);
    std::vector<std::vector<Link>> out(racks);
    double all = 0;
    for (RackId from = 0; from < racks; ++from)
    {
        for (RackId to = 0; to < racks; ++to)
        {
            const double rate = capacity.Get(from, to);
            if (rate > 0)
            {
                out[from].push_back({to, rate});
                in[to].push_back({from, rate});
                all += rate;
            }
        }
    }
    double carried = 0;
    for (RackId to = 0; to < racks; ++to)
    {
        const Tree tree = FindTree(to, in);
        std::vector<double> traffic(racks);
        for (RackId from = 0; from < racks; ++from)
        {
            traffic[from] = demand.Get(from, to);
            if (traffic[from] > 0 && tree.hops[from] == FAR)
            {
                throw OdcnError("link loads: no path from rack " + std::to_string(from) +
                                " to rack " + std::to_string(to) +
                                ", expected one where there is demand");
            }
        }
        for (std::size_t i = tree.order.size(); i-- > 1;)
        {
            const RackId rack = tree.order[i];
            const auto getWeight = [&](const Link& link)
            {
                const double paths = split == Split::PATH ? tree.paths[link.rack] : 1;
                return tree.hops[link.rack] + 1 == tree.hops[rack] ? link.capacity * paths : 0;
            };
            double weights = 0;
            for (const Link& link : out[rack])
            {
                weights += getWeight(link);
            }
            for (const Link& link : out[rack])
            {
                const double sent = traffic[rack] * getWeight(link) / weights;
                traffic[link.rack] += sent;
                m_loads.Add(rack, link.rack, sent / link.capacity);
                carried += sent;
            }
        }
    }
    for (RackId from = 0; from < racks; ++from)
    {
        for (RackId to = 0; to < racks; ++to)
        {
            m_largest = std::max(m_largest, m_loads.Get(from, to));
        }
    }
    m_bound = all / carried;
}

} // namespace ns3::odcn
