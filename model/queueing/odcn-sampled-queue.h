// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SAMPLED_QUEUE_H
#define ODCN_SAMPLED_QUEUE_H

#include "odcn-fifo-queue.h"
#include "odcn-queue-table.h"

#include "ns3/random-variable-stream.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * What QueueTable computes, measured on packets: Poisson packets of one size through
 * FifoQueue. Many queues of one kind at once, each known by its place; a queue is run again
 * only when its load has changed.
 *
 * A run begins with an empty queue and WARM_UP_SHARE of its packets are not measured. Short runs
 * are noisy, as a reward may be; their mean is the closed form's but for what is left of the
 * start-up.
 *
 * Copies share the variable that draws the gaps.
 */
class SampledQueue
{
  public:
    /// Packets before the measured ones, as a share of these.
    static constexpr double WARM_UP_SHARE = 0.5;

    /**
     * @param waiting places of the queue, besides the one in transmission, above 0
     * @param packets measured packets of a run, above 0
     * @param gaps draws gaps, with means that it is given at every draw
     * @throws OdcnError when a value is out of range
     */
    SampledQueue(uint32_t waiting, uint32_t packets, Ptr<ExponentialRandomVariable> gaps);

    /**
     * @param place which queue
     * @param rho its offered load in erlang, above 0
     * @return mean sojourn, in service times, and loss, measured at the last change of its load
     */
    const QueueTable::Entry& Get(std::size_t place, double rho);

  private:
    /// A queue's last run.
    struct Run
    {
        double rho{0};             //!< its load; 0 before the first run
        QueueTable::Entry entry{}; //!< what it gave
    };

    /// @param rho load  @return what a run gives
    QueueTable::Entry Measure(double rho);

    uint32_t m_packets;                    //!< measured packets of a run
    Ptr<ExponentialRandomVariable> m_gaps; //!< draws gaps
    FifoQueue m_queue;                     //!< empties between runs
    std::vector<Run> m_runs;               //!< by place
};

} // namespace ns3::odcn

#endif /* ODCN_SAMPLED_QUEUE_H */
