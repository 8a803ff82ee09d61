// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_THROUGHPUT_BOUND_H
#define ODCN_THROUGHPUT_BOUND_H

#include "ns3/odcn-demand-matrix.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Bounds on the throughput of a fabric: the largest theta for which theta x demand can be carried.
 *
 * Capacity is the long-run rate from rack to rack: for a periodic schedule, the average over a
 * period, with buffers that never overflow. Flow is divisible, and a packet may be relayed by any
 * rack.
 *
 * The packet switches of a hybrid fabric are one more rack without demand, if they never limit
 * traffic: the capacity from each rack to it and back is the rate of the rack's electrical uplinks.
 * Then GetMultiHop() is exact, and a way through them is one of two hops.
 *
 * GetDirect() <= GetTwoHop() <= GetMultiHop() <= GetCut(). The two in the middle are linear
 * programs, solved by GLPK: the largest throughput that any routing reaches. GetCut() is an upper
 * bound that needs no solver and need not be tight, even if all cuts were tried.
 *
 * The result of a linear program is certified without trusting the solver: the capacity prices it
 * returns are taken as lengths l of the circuits, and for any such lengths
 * theta <= sum(capacity x l) / sum(demand x distance), which is what is returned, or GetCut() where
 * that is less. It is within TOLERANCE of the solver's flow, which is feasible to the same share of
 * each demand and each capacity, however much these differ, or OdcnError is thrown. No program is
 * solved where GetDirect() and GetCut() are equal, which gives both results.
 */
class ThroughputBound
{
  public:
    /// Largest accepted relative difference between the bound and the solver's flow.
    static constexpr double TOLERANCE = 1e-6;

    /**
     * @param capacity long-run rate from rack to rack
     * @param demand traffic from rack to rack in the same unit, for as many racks, not all zero
     * @throws OdcnError when a matrix is invalid
     */
    ThroughputBound(DemandMatrix capacity, DemandMatrix demand);

    /**
     * Limit what the hosts of each rack can send to and receive from other racks. All bounds
     * respect it; relayed traffic does not count.
     * @param send limits by rack  @param receive limits by rack, in the unit of the demand
     * @throws OdcnError when a number is negative or NaN, or there is not one per rack
     */
    void SetHostLimits(const std::vector<double>& send, const std::vector<double>& receive);

    /**
     * Limit the memory of the solver.
     * @param megabytes limit, above 0 (default 4096)
     */
    void SetMemoryLimit(uint32_t megabytes);

    /// @return whether odcn was built with GLPK
    static bool HasSolver();

    /// @return largest theta if no rack relays: the minimum of capacity / demand
    double GetDirect() const;

    /**
     * @return largest theta if a packet takes at most two hops (Valiant), whatever the split
     * @throws OdcnError without GLPK, or when it finds no certified optimum
     */
    double GetTwoHop() const;

    /**
     * @return largest theta of all routings: the maximum concurrent flow
     * @throws OdcnError without GLPK, or when it finds no certified optimum
     */
    double GetMultiHop() const;

    /**
     * @return upper bound: the least capacity / demand from a set of racks to all others, over
     * all single racks and pairs of racks, their complements, and local optima found by moving one
     * rack at a time, from single racks, from the racks of even index and from the first half
     */
    double GetCut() const;

    /// @return GetMultiHop() if there is a solver, GetCut() otherwise
    double GetBest() const;

  private:
    /// @return GetCut() of the scaled matrices, without hosts
    double FindCut() const;

    /// @param twoHop at most two hops  @return largest theta
    double Solve(bool twoHop) const;

    DemandMatrix m_capacity; //!< scaled: largest sum of a rack 1
    DemandMatrix m_demand;   //!< scaled: largest sum of a rack 1
    double m_load;           //!< largest sum of a rack of the demand that was given
    double m_scale;          //!< throughput of what was given / throughput of the scaled matrices
    double m_hostLimit;      //!< largest theta that hosts allow
    uint32_t m_memory{4096}; //!< solver's limit in MB
};

} // namespace ns3::odcn

#endif /* ODCN_THROUGHPUT_BOUND_H */
