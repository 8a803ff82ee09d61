// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FABRIC_LEAST_TIMES_H
#define ODCN_FABRIC_LEAST_TIMES_H

#include "odcn-fabric-design.h"

#include "ns3/nstime.h"
#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-demand-matrix.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * Least times in which a design can carry bytes from rack to rack, whenever it begins.
 *
 * A ThroughputBound tells the time x at the mean capacities of a period P. In any time of k periods
 * and a rest r, no pair of racks has more than k times its capacity of a period, and of the rest at
 * most r / P times m, where m is the largest peak / mean of a pair's circuits. So x = (k + y) P
 * takes at least k P + y P / m. Circuits that are up at time 0 are never dark before it, which
 * takes m times the dark time off x. Circuits that stay have m = 1: the time is x.
 *
 * Each full packet has the headers of UDP. Where no schedule says the circuits, they are taken as
 * where they are needed, and only the links of a rack limit it.
 *
 * @ingroup odcn
 */
class FabricLeastTimes
{
  public:
    /// Least times.
    struct Times
    {
        Time cut;  //!< by the capacity that leaves any set of racks
        Time flow; //!< by the best paths that the routing may use, see ThroughputBound; the cut if
                   //!< odcn was built without GLPK, or there are more than mostRacks
    };

    /**
     * @param design a design
     * @param schedule of its circuits; null if it has none
     * @param mostRacks with more racks no linear program is solved
     */
    FabricLeastTimes(FabricDesign design, Ptr<CircuitSchedule> schedule, uint32_t mostRacks = 16);

    /// @param bytes of messages from rack to rack
    /// @return least times, rounded to time steps; 0 if there are no bytes
    Times Get(const DemandMatrix& bytes) const;

  private:
    /// @param mean time at mean capacities, s
    /// @return least time
    Time GetTime(double mean) const;

    FabricDesign m_design;           //!< the design
    Ptr<CircuitSchedule> m_schedule; //!< of its circuits; null if only links limit it
    FabricBoundScope m_scope;        //!< of the linear programs
    double m_perByte;                //!< time of a byte on a link, with headers, s
    DemandMatrix m_capacity;         //!< mean, links; empty if only links limit it
    double m_period{0};              //!< of the schedule, s; 0 if its circuits stay
    double m_peak{1};                //!< largest peak / mean capacity of a pair
    double m_dark{0};                //!< of a circuit that changes, s
};

} // namespace ns3::odcn

#endif /* ODCN_FABRIC_LEAST_TIMES_H */
