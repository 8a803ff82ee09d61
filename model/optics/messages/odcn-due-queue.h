// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DUE_QUEUE_H
#define ODCN_DUE_QUEUE_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Times at which flows are due, which may be changed: a heap that knows where each flow is.
 */
class DueQueue
{
  public:
    /// No time.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// @return the first time; NEVER if there is none
    int64_t GetTime() const
    {
        return m_heap.empty() ? NEVER : m_heap.front().time;
    }

    /// @return the flow that is due first, of those at the same time the one of the lowest index;
    /// there is one
    uint32_t GetFirst() const
    {
        return m_heap.front().flow;
    }

    /// @param flow index; memory grows with the highest one
    /// @param time in time steps, below NEVER
    void Set(uint32_t flow, int64_t time);

    /// @param flow index of a flow, which may have no time
    void Remove(uint32_t flow);

  private:
    /// A flow and its time.
    struct Entry
    {
        int64_t time;  //!< when it is due
        uint32_t flow; //!< index

        /// @param other one
        /// @return whether this comes first
        bool operator<(const Entry& other) const
        {
            return time != other.time ? time < other.time : flow < other.flow;
        }
    };

    /// Move an entry to where it belongs.
    /// @param at its place
    /// @param entry the entry
    void Place(std::size_t at, const Entry& entry);

    std::vector<Entry> m_heap;         //!< no child before its parent
    std::vector<std::size_t> m_places; //!< in m_heap, by flow; past its end if it has no time
};

} // namespace ns3::odcn

#endif /* ODCN_DUE_QUEUE_H */
