// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-link-loads.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
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

/// A number of paths, which are products of capacities: too large or too small for a double.
struct Scaled
{
    double mantissa{0};  //!< 0, or 0.5 to 1
    int64_t exponent{0}; //!< of 2

    /// @param base exponent of the unit  @return the number in that unit
    double In(int64_t base) const
    {
        const int64_t shift = std::clamp<int64_t>(exponent - base, -4096, 4096);
        return std::ldexp(mantissa, static_cast<int>(shift));
    }

    /// Add factor x other. @param factor above 0  @param other another number
    void Add(double factor, const Scaled& other)
    {
        int shift = 0;
        Scaled product{std::frexp(factor * other.mantissa, &shift), other.exponent};
        product.exponent += shift;
        const int64_t base = mantissa > 0 ? std::max(exponent, product.exponent) : product.exponent;
        mantissa = std::frexp(In(base) + product.In(base), &shift);
        exponent = base + shift;
    }
};

/// The shortest paths of all racks to one of them.
struct Tree
{
    std::vector<uint32_t> hops; //!< by rack, or FAR
    std::vector<Scaled> paths;  //!< by rack: number of shortest paths
    std::vector<RackId> order;  //!< racks that reach it, the nearest first
};

/// @param to a rack
/// @param in links to each rack
/// @return the shortest paths to it
Tree
FindTree(RackId to, const std::vector<std::vector<Link>>& in)
{
    Tree tree{std::vector<uint32_t>(in.size(), FAR), std::vector<Scaled>(in.size()), {to}};
    tree.hops[to] = 0;
    tree.paths[to] = {0.5, 1};
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
                tree.paths[link.rack].Add(link.capacity, tree.paths[rack]);
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
            // Numbers of paths in a unit in which those of this rack are 0.5 to 1.
            const auto getWeight = [&](const Link& link)
            {
                const double paths =
                    split == Split::PATH ? tree.paths[link.rack].In(tree.paths[rack].exponent) : 1;
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
