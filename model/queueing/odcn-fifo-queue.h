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
 * @param rate speed of a line in bit/s, above 0
 * @param bytes size of a packet
 * @return how long it takes in ps: DataRate::CalculateBytesTxTime() at picosecond resolution
 */
int64_t TransmissionTime(BitRate rate, uint32_t bytes);

/**
 * @ingroup odcn
 *
 * A drop-tail FIFO ahead of a transmitter, as OcsNetDevice with a DropTailQueue, without events.
 * Packet n is offered at a_n and takes s_n to transmit:
 *
 *     departure d_n = max(a_n, d_(n-1)) + s_n    (n - 1: the last accepted packet before it)
 *
 * if fewer packets than the limit wait then, those whose transmission has not begun. The one in
 * transmission does not count: 15 packets waiting make 16 in the system. A packet that leaves makes
 * room for one that arrives at the same time.
 *
 * Times are in ps and must not fall. A queue can be copied.
 */
class FifoQueue
{
  public:
    /// Offer()'s result for a packet that finds no room.
    static constexpr int64_t DROPPED = -1;
    /// Largest limit.
    static constexpr uint32_t MAX_PACKETS = 1 << 20;

    /**
     * @param rate speed of the line in bit/s, above 0
     * @param limit how many packets may wait, 1 to MAX_PACKETS
     * @throws OdcnError when a value is out of range
     */
    explicit FifoQueue(BitRate rate, uint32_t limit = 15);

    /**
     * A packet arrives.
     *
     * @param time when, in ps, 0 or more
     * @param bytes its size
     * @return when its last bit leaves, in ps, or DROPPED
     */
    int64_t Offer(int64_t time, uint32_t bytes)
    {
        int64_t& start = m_starts[m_next]; // of the packet that must have begun
        if (start > time)
        {
            return DROPPED;
        }
        start = std::max(time, m_free);
        m_next = m_next + 1 < m_starts.size() ? m_next + 1 : 0;
        m_free = start + GetTxTime(bytes);
        return m_free;
    }

    /// @return when the last bit of the last accepted packet leaves, in ps; 0 at the beginning
    int64_t GetFree() const
    {
        return m_free;
    }

  private:
    /// @param bytes size of a packet  @return how long it takes on the line, in ps
    int64_t GetTxTime(uint32_t bytes)
    {
        if (bytes != m_txBytes)
        {
            m_txTime = TransmissionTime(m_rate, bytes);
            m_txBytes = bytes;
        }
        return m_txTime;
    }

    BitRate m_rate;                //!< speed of the line
    int64_t m_free{0};             //!< departure of the last accepted packet
    uint32_t m_txBytes{0};         //!< size of the last packet
    int64_t m_txTime{0};           //!< its transmission
    std::size_t m_next{0};         //!< place of the oldest start
    std::vector<int64_t> m_starts; //!< when the last accepted packets began, as many as may wait
};

} // namespace ns3::odcn

#endif /* ODCN_FIFO_QUEUE_H */
