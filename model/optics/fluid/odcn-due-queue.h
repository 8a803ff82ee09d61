// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DUE_QUEUE_H
#define ODCN_DUE_QUEUE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Times at which flows are due, which may be changed: a heap of four children a node, with the
 * place of each flow in it. It takes 16 bytes a flow; Boost's mutable heap takes 72.
 */
class DueQueue
{
  public:
    /// No time.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// @return the first time; NEVER if there is none
    int64_t GetTime() const
    {
        return m_heap.empty() ? NEVER : m_heap.front().GetTime();
    }

    /// @return the flow that is due first, of those at the same time the one of the lowest index;
    /// there is one
    uint32_t GetFirst() const
    {
        return m_heap.front().flow;
    }

    /// @param flow index; memory grows with the highest one
    /// @param time in time steps, below NEVER
    void Set(uint32_t flow, int64_t time)
    {
        if (flow >= m_places.size())
        {
            m_places.resize(flow + 1, NONE);
        }
        if (m_places[flow] == NONE)
        {
            m_heap.emplace_back();
            m_places[flow] = static_cast<uint32_t>(m_heap.size() - 1);
        }
        Put(m_places[flow], Entry(time, flow));
    }

    /// @param flow index of a flow, which may have no time
    void Remove(uint32_t flow)
    {
        if (flow >= m_places.size() || m_places[flow] == NONE)
        {
            return;
        }
        const uint32_t place = std::exchange(m_places[flow], NONE);
        const Entry last = m_heap.back();
        m_heap.pop_back();
        if (place < m_heap.size())
        {
            Put(place, last);
        }
    }

  private:
    /// A time, in two halves so that an entry takes 12 bytes, and the flow that is due then.
    struct Entry
    {
        Entry() = default;

        /// @param time in time steps
        /// @param which index of a flow
        Entry(int64_t time, uint32_t which)
            : high(static_cast<uint32_t>(time >> 32)),
              low(static_cast<uint32_t>(time)),
              flow(which)
        {
        }

        /// @return the time
        int64_t GetTime() const
        {
            return static_cast<int64_t>(uint64_t(high) << 32 | low);
        }

        /// @param o other entry
        /// @return whether this one is due earlier, or at the same time and its flow is lower
        bool operator<(const Entry& o) const
        {
            return GetTime() != o.GetTime() ? GetTime() < o.GetTime() : flow < o.flow;
        }

        uint32_t high{0}; //!< upper half of the time
        uint32_t low{0};  //!< lower half of the time
        uint32_t flow{0}; //!< index
    };

    /// Place of a flow without a time.
    static constexpr uint32_t NONE = UINT32_MAX;

    /// Children of a node.
    static constexpr uint32_t ARITY = 4;

    /// Write an entry at a place, or where it belongs from there.
    /// @param place whose entry is no longer needed
    /// @param entry the new one
    void Put(uint32_t place, const Entry& entry)
    {
        for (; place > 0 && entry < m_heap[(place - 1) / ARITY]; place = (place - 1) / ARITY)
        {
            Write(place, m_heap[(place - 1) / ARITY]);
        }
        while (true)
        {
            const std::size_t begin = std::size_t(place) * ARITY + 1;
            const std::size_t end = std::min(begin + ARITY, m_heap.size());
            if (begin >= end)
            {
                break;
            }
            const auto least = std::min_element(m_heap.begin() + static_cast<std::ptrdiff_t>(begin),
                                                m_heap.begin() + static_cast<std::ptrdiff_t>(end));
            if (!(*least < entry))
            {
                break;
            }
            Write(place, *least);
            place = static_cast<uint32_t>(least - m_heap.begin());
        }
        Write(place, entry);
    }

    /// @param place in the heap
    /// @param entry for it
    void Write(uint32_t place, const Entry& entry)
    {
        m_heap[place] = entry;
        m_places[entry.flow] = place;
    }

    std::vector<Entry> m_heap;      //!< no entry is less than that at (place - 1) / ARITY
    std::vector<uint32_t> m_places; //!< in m_heap, by flow; NONE for those without a time
};

} // namespace ns3::odcn

#endif /* ODCN_DUE_QUEUE_H */
