// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SAMPLED_QUEUE_H
#define ODCN_SAMPLED_QUEUE_H

#include "odcn-queue-table.h"

#include "ns3/odcn-random-stream.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Estimates the quantities of QueueTable by simulation: Poisson packets of one size through a
 * queue. One object serves many queues of the same parameters, each identified by its place;
 * a queue is simulated again only when its load has changed.
 *
 * A run begins with an empty queue, and its first packets (WARM_UP_SHARE) are not measured. Short
 * runs are noisy; their mean differs from the closed form only by the remaining transient.
 *
 * Copies draw the same gaps, independently of each other.
 */
class SampledQueue
{
  public:
    /// Warm-up packets as a fraction of the measured packets.
    static constexpr double WARM_UP_SHARE = 0.5;

    /**
     * @param waiting queue limit without the packet in transmission; 0 for a transmitter alone
     * @param packets measured packets of a run, above 0
     * @param gaps draws the gaps, which are exponential
     * @throws OdcnError when a value is out of range
     */
    SampledQueue(uint32_t waiting, uint32_t packets, const RandomStream& gaps);

    /// @return the stream of gaps, as far as it is used, for the next queue
    const RandomStream& GetGaps() const
    {
        return m_gaps;
    }

    /**
     * @param place index of the queue
     * @param rho its offered load in erlang, above 0
     * @return mean sojourn in service times and loss, estimated at the last change of the load
     */
    const QueueTable::Entry& Get(std::size_t place, double rho);

  private:
    /// Last run of a queue.
    struct Run
    {
        double rho{0};             //!< its load; 0 before the first run
        QueueTable::Entry entry{}; //!< its result
    };

    /// @param rho load
    /// @return result of a run
    QueueTable::Entry Measure(double rho);

    uint32_t m_waiting;      //!< queue limit
    uint32_t m_packets;      //!< measured packets of a run
    RandomStream m_gaps;     //!< draws gaps
    std::vector<Run> m_runs; //!< by place
};

} // namespace ns3::odcn

#endif /* ODCN_SAMPLED_QUEUE_H */
