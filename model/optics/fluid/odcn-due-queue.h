// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DUE_QUEUE_H
#define ODCN_DUE_QUEUE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
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

    /// Remove all flows that are due.
    /// @param now in time steps
    /// @param [out] flows gets their indices, by time and index, behind what it holds
    void TakeUntil(int64_t now, std::vector<uint32_t>& flows)
    {
        const auto isDue = [now](const Entry& entry) { return entry.GetTime() <= now; };
        if (std::all_of(m_heap.begin(), m_heap.end(), isDue))
        {
            Sort(m_heap);
            for (const Entry& entry : m_heap)
            {
                m_places[entry.flow] = NONE;
                flows.push_back(entry.flow);
            }
            m_heap.clear();
            return;
        }
        // What is above a place that is due is due, too; the places are found in ascending order.
        m_due.clear();
        if (GetTime() <= now)
        {
            m_due.push_back(0);
        }
        m_taken.clear();
        for (std::size_t i = 0; i < m_due.size(); ++i)
        {
            m_taken.push_back(m_heap[m_due[i]]);
            const std::size_t begin = std::size_t(m_due[i]) * ARITY + 1;
            for (std::size_t c = begin; c < std::min(begin + ARITY, m_heap.size()); ++c)
            {
                if (isDue(m_heap[c]))
                {
                    m_due.push_back(static_cast<uint32_t>(c));
                }
            }
        }
        Sort(m_taken);
        for (const Entry& entry : m_taken)
        {
            flows.push_back(entry.flow);
        }
        // From the end, so that no place below is filled again.
        for (auto place = m_due.rbegin(); place != m_due.rend(); ++place)
        {
            RemoveAt(*place);
        }
    }

    /// @param flow index of a flow, which may have no time
    void Remove(uint32_t flow)
    {
        if (flow < m_places.size() && m_places[flow] != NONE)
        {
            RemoveAt(m_places[flow]);
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

    /// @param [in,out] entries sorted afterwards; often they are before
    static void Sort(std::vector<Entry>& entries)
    {
        if (!std::is_sorted(entries.begin(), entries.end()))
        {
            std::sort(entries.begin(), entries.end());
        }
    }

    /// @param place in the heap, whose flow has no time any more
    void RemoveAt(uint32_t place)
    {
        m_places[m_heap[place].flow] = NONE;
        const Entry last = m_heap.back();
        m_heap.pop_back();
        if (place < m_heap.size())
        {
            Put(place, last);
        }
    }

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
    std::vector<uint32_t> m_due;    //!< places of what TakeUntil() removes
    std::vector<Entry> m_taken;     //!< the same entries
};

} // namespace ns3::odcn

#endif /* ODCN_DUE_QUEUE_H */
