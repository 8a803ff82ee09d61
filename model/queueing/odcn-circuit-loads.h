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
 * What the loads of pooled circuits come to, kept from look to look: only pairs of racks that have
 * changed since are looked up in the table of queues again.
 *
 * One instance follows one ledger and its copies. A plain value: a copy follows the ledger's copy.
 */
class CircuitLoads
{
  public:
    /// Two numbers that hold a third between them.
    struct Range
    {
        double low;  //!< not above it
        double high; //!< not below it
    };

    /// Forget all; the next Update() looks at every pair.
    void Clear();

    /**
     * Take in what has changed; before any other look.
     * @param circuits the ledger that is followed
     * @param queue latency and loss by load; the same one from Clear() to Clear()
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
     * @return packets of the pair in the system: load that gets through x mean sojourn, both in
     * service times
     */
    double GetBacklog(RackId u, RackId v) const
    {
        return m_backlog[std::size_t(u) * m_nRacks + v];
    }

    /// @return for each rack, the greatest load of a circuit to or from it: 1 - least residual
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
     * @return bounds of the mean sojourn of a packet that gets through, in service times, as summed
     * up over all pairs in whatever order; 1 on an unused network
     */
    Range GetMeanSojourn() const;

  private:
    /// Look a pair up. @param circuits ledger  @param queue table  @param u from  @param v to
    void Set(const OdcnCircuitLedger& circuits, const QueueTable& queue, RackId u, RackId v);

    /// Look all racks up where something has changed. @param circuits ledger
    void SetRacks(const OdcnCircuitLedger& circuits);

    uint32_t m_nRacks{0};                         //!< |V|; 0 before the first Update()
    std::vector<float> m_peaks;                   //!< see GetPeaks(), [u][v]
    std::vector<double> m_backlog;                //!< see GetBacklog(), [u][v]
    std::vector<float> m_greatest;                //!< see GetGreatest()
    std::vector<float> m_means;                   //!< see GetMeans()
    std::vector<uint8_t> m_rackChanged;           //!< whether these two have to be found anew
    std::vector<RackId> m_changedRacks;           //!< racks of which they have
    std::vector<double> m_carried;                //!< [u][v]: load that gets through, bit/s
    std::vector<double> m_waiting;                //!< [u][v]: that x its mean sojourn
    mutable std::vector<uint8_t> m_rowChanged;    //!< whether the sums of u have to be found anew
    mutable std::vector<double> m_carriedFromRow; //!< sum over v
    mutable std::vector<double> m_waitingFromRow; //!< sum over v
};

} // namespace ns3::odcn

#endif /* ODCN_CIRCUIT_LOADS_H */
