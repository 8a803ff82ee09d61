// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CIRCUIT_LOADS_H
#define ODCN_CIRCUIT_LOADS_H

#include "odcn-queue-table.h"

#include "ns3/odcn-circuit-ledger.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Loads, backlogs and delays of pooled circuits, updated incrementally: only rack pairs that have
 * changed since the last update are looked up in the table of queues again.
 *
 * One instance follows one ledger. It has value semantics: a copy follows a copy of the ledger.
 */
class CircuitLoads
{
  public:
    /// An interval that contains a value.
    struct Range
    {
        double low;  //!< lower bound
        double high; //!< upper bound
    };

    /// Reset; the next Update() processes every pair.
    void Clear();

    /**
     * Process the changes of the ledger. To be called before any getter.
     * @param circuits the ledger to follow
     * @param queue latency and loss by load; the same one until the next Clear()
     */
    void Update(const OdcnCircuitLedger& circuits, const QueueTable& queue);

    /**
     * @param u a rack
     * @return for each other rack v, the greater load of (u, v) and (v, u), in erlang; 0 where
     * there is no circuit
     */
    const float* GetPeaks(RackId u) const
    {
        return &m_peaks[std::size_t(u) * m_nRacks];
    }

    /**
     * @param u sending rack
     * @param v receiving rack
     * @return mean number of packets of the pair in the system: carried load x mean sojourn in
     * service times
     */
    double GetBacklog(RackId u, RackId v) const
    {
        return m_backlog[std::size_t(u) * m_nRacks + v];
    }

    /// @return for each rack, the maximum load of a circuit to or from it: 1 - minimum residual
    const std::vector<float>& GetGreatest() const
    {
        return m_greatest;
    }

    /// @return for each rack, OdcnCircuitLedger::GetMeanLoad()
    const std::vector<float>& GetMeans() const
    {
        return m_means;
    }

    /**
     * @return bounds of the mean sojourn of an accepted packet over all pairs, in service times of
     * the fastest port, valid for any order of summation; 1 on an unused network
     */
    Range GetMeanSojourn() const;

  private:
    /// Recompute a pair. @param circuits ledger  @param queue table  @param u from  @param v to
    void Set(const OdcnCircuitLedger& circuits, const QueueTable& queue, RackId u, RackId v);

    /// Recompute all racks with changes. @param circuits ledger
    void SetRacks(const OdcnCircuitLedger& circuits);

    uint32_t m_nRacks{0};                      //!< |V|; 0 before the first Update()
    std::vector<float> m_peaks;                //!< see GetPeaks(), [u][v]
    std::vector<double> m_backlog;             //!< see GetBacklog(), [u][v]
    std::vector<float> m_greatest;             //!< see GetGreatest()
    std::vector<float> m_means;                //!< see GetMeans()
    std::vector<uint8_t> m_rackChanged;        //!< whether a rack's two values above are outdated
    std::vector<RackId> m_changedRacks;        //!< racks with m_rackChanged set
    std::vector<double> m_carried;             //!< [u][v]: carried load, bit/s
    std::vector<double> m_waiting;             //!< [u][v]: carried load x mean sojourn
    mutable std::vector<uint8_t> m_rowChanged; //!< whether the row sums of u are outdated
    mutable std::vector<double> m_carriedFromRow; //!< sum of m_carried[u] over v
    mutable std::vector<double> m_waitingFromRow; //!< sum of m_waiting[u] over v
};

} // namespace ns3::odcn

#endif /* ODCN_CIRCUIT_LOADS_H */
