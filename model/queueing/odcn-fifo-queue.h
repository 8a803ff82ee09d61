// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FIFO_QUEUE_H
#define ODCN_FIFO_QUEUE_H

#include "ns3/odcn-units.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/**
 * @param rate line rate in bit/s, above 0
 * @param bytes size of a packet
 * @return transmission time in ps: DataRate::CalculateBytesTxTime() at picosecond resolution
 */
int64_t TransmissionTime(BitRate rate, uint32_t bytes);

/**
 * @ingroup odcn
 *
 * A drop-tail FIFO ahead of a transmitter, as OcsNetDevice with a DropTailQueue, without events.
 * Packet n arrives at a_n and has the transmission time s_n:
 *
 *     departure d_n = max(a_n, d_(n-1)) + s_n    (n - 1: the last accepted packet before it)
 *
 * if fewer packets than the limit are waiting on its arrival. The packet in transmission does not
 * count: a limit of 15 allows 16 packets in the system. A departure frees its place for an arrival
 * at the same time.
 *
 * Times are in ps and must not decrease. A queue can be copied.
 */
class FifoQueue
{
  public:
    /// Result of Offer() for a packet that finds the queue full.
    static constexpr int64_t DROPPED = -1;
    /// Largest limit.
    static constexpr uint32_t MAX_PACKETS = 1 << 20;

    /**
     * @param rate line rate in bit/s, above 0
     * @param limit greatest number of waiting packets, 1 to MAX_PACKETS
     * @throws OdcnError when a value is out of range
     */
    explicit FifoQueue(BitRate rate, uint32_t limit = 15);

    /**
     * A packet arrives.
     *
     * @param time arrival time in ps, 0 or more
     * @param bytes its size
     * @return departure time of its last bit in ps, or DROPPED
     */
    int64_t Offer(int64_t time, uint32_t bytes)
    {
        int64_t& start = m_starts[m_next]; // of the packet whose transmission must have begun
        if (start > time)
        {
            return DROPPED;
        }
        start = std::max(time, m_free);
        m_next = m_next + 1 < m_starts.size() ? m_next + 1 : 0;
        m_free = start + GetTxTime(bytes);
        return m_free;
    }

    /// @return departure time of the last accepted packet in ps; 0 at the beginning
    int64_t GetFree() const
    {
        return m_free;
    }

  private:
    /// @param bytes size of a packet  @return its transmission time, ps
    int64_t GetTxTime(uint32_t bytes)
    {
        if (bytes != m_txBytes)
        {
            m_txTime = TransmissionTime(m_rate, bytes);
            m_txBytes = bytes;
        }
        return m_txTime;
    }

    BitRate m_rate;                //!< line rate, bit/s
    int64_t m_free{0};             //!< departure of the last accepted packet, ps
    uint32_t m_txBytes{0};         //!< size of the last packet, bytes
    int64_t m_txTime{0};           //!< its transmission time, ps
    std::size_t m_next{0};         //!< index of the oldest entry of m_starts
    std::vector<int64_t> m_starts; //!< ring of the last transmission starts, one per waiting place
};

} // namespace ns3::odcn

#endif /* ODCN_FIFO_QUEUE_H */
