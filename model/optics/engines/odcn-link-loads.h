// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_LINK_LOADS_H
#define ODCN_LINK_LOADS_H

#include "ns3/odcn-demand-matrix.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The load of each link when all traffic takes shortest paths, by number of hops.
 *
 * - NEXT_HOP: each rack divides what it sends or relays among all links that begin a shortest path
 *   from there, in proportion to their capacities, as ExpanderRouting does packet by packet.
 * - PATH: each pair's traffic is divided equally among all its shortest paths; parallel links, as
 *   many as their capacity says, count as different ones.
 *
 * Exact up to rounding; O(racks x links).
 */
class LinkLoads
{
  public:
    /// How traffic is divided among shortest paths.
    enum class Split
    {
        NEXT_HOP, //!< equally at each rack
        PATH,     //!< equally among paths
    };

    /**
     * @param capacity of the links, from rack to rack, 0 for none
     * @param demand traffic from rack to rack in the same unit, for as many racks, not all zero
     * @param split how traffic is divided
     * @throws OdcnError when a matrix is invalid, or no path leads where there is demand
     */
    LinkLoads(const DemandMatrix& capacity, const DemandMatrix& demand, Split split);

    /// @return load of each link: traffic / capacity; 0 where there is no link
    const DemandMatrix& Get() const
    {
        return m_loads;
    }

    /// @return the largest load of a link
    double GetLargest() const
    {
        return m_largest;
    }

    /// @return the largest theta for which theta x demand can be carried along these paths
    double GetThroughput() const
    {
        return 1 / m_largest;
    }

    /**
     * @return upper bound of theta over all routings: capacity of all links / traffic x hops. If
     * GetThroughput() equals it, no routing is better
     */
    double GetBound() const
    {
        return m_bound;
    }

  private:
    DemandMatrix m_loads; //!< see Get()
    double m_largest{0};  //!< see GetLargest()
    double m_bound{0};    //!< see GetBound()
};

} // namespace ns3::odcn

#endif /* ODCN_LINK_LOADS_H */
