// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_NAIVE_PACKETS_H
#define ODCN_NAIVE_PACKETS_H

/**
 * @file
 * Reference for the exact engine: packets in a deque.
 */

#include "../core/odcn-gtest-kit.h"

#include "ns3/odcn-fabric-model.h"
#include "ns3/odcn-units.h"

#include <deque>

namespace ns3::odcn
{

/// A transmitter with a queue, departure by departure.
class NaiveQueue
{
  public:
    /// @param rate bit/s  @param limit maximum number of waiting packets
    NaiveQueue(BitRate rate, uint32_t limit)
        : m_rate(rate),
          m_limit(limit)
    {
    }

    /// Process departures. @param time up to and including this time
    void Advance(int64_t time)
    {
        while (m_busy && m_leaves <= time)
        {
            departures.emplace_back(m_id, m_leaves);
            m_busy = false;
            if (!m_waiting.empty())
            {
                const auto [id, bytes] = m_waiting.front();
                m_waiting.pop_front();
                Begin(m_leaves, id, bytes);
            }
        }
    }

    /// @param time of arrival  @param bytes size  @param id of the packet  @return whether accepted
    bool Offer(int64_t time, uint32_t bytes, uint64_t id)
    {
        Advance(time);
        if (m_waiting.size() >= m_limit)
        {
            return false;
        }
        if (m_busy)
        {
            m_waiting.emplace_back(id, bytes);
        }
        else
        {
            Begin(time, id, bytes);
        }
        return true;
    }

    std::vector<std::pair<uint64_t, int64_t>> departures; //!< id and time, in order

  private:
    /// @param time of its start  @param id of the packet in transmission  @param bytes its size
    void Begin(int64_t time, uint64_t id, uint32_t bytes)
    {
        m_busy = true;
        m_id = id;
        m_leaves = time + TransmissionTime(m_rate, bytes);
    }

    BitRate m_rate;                                      //!< of the line
    uint32_t m_limit;                                    //!< maximum number of waiting packets
    bool m_busy{false};                                  //!< whether it transmits
    uint64_t m_id{0};                                    //!< packet in transmission
    int64_t m_leaves{0};                                 //!< end of its transmission
    std::deque<std::pair<uint64_t, uint32_t>> m_waiting; //!< id and size
};

} // namespace ns3::odcn

#endif /* ODCN_NAIVE_PACKETS_H */
