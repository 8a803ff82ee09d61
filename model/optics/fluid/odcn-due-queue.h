// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DUE_QUEUE_H
#define ODCN_DUE_QUEUE_H

#include <boost/heap/d_ary_heap.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Times at which flows are due, which may be changed.
 */
class DueQueue
{
  public:
    /// No time.
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// @return the first time; NEVER if there is none
    int64_t GetTime() const
    {
        return m_heap.empty() ? NEVER : m_heap.top().first;
    }

    /// @return the flow that is due first, of those at the same time the one of the lowest index;
    /// there is one
    uint32_t GetFirst() const
    {
        return m_heap.top().second;
    }

    /// @param flow index; memory grows with the highest one
    /// @param time in time steps, below NEVER
    void Set(uint32_t flow, int64_t time)
    {
        if (flow >= m_places.size())
        {
            m_places.resize(flow + 1);
        }
        auto& place = m_places[flow];
        if (place)
        {
            m_heap.update(*place, {time, flow});
        }
        else
        {
            place = m_heap.push({time, flow});
        }
    }

    /// @param flow index of a flow, which may have no time
    void Remove(uint32_t flow)
    {
        if (flow < m_places.size() && m_places[flow])
        {
            m_heap.erase(*m_places[flow]);
            m_places[flow].reset();
        }
    }

  private:
    /// A time, and the flow that is due then.
    using Entry = std::pair<int64_t, uint32_t>;
    /// The earliest entry is on top.
    using Heap = boost::heap::d_ary_heap<Entry,
                                         boost::heap::arity<4>,
                                         boost::heap::mutable_<true>,
                                         boost::heap::compare<std::greater<>>>;

    Heap m_heap;                                            //!< flows that have a time
    std::vector<std::optional<Heap::handle_type>> m_places; //!< in m_heap, by flow
};

} // namespace ns3::odcn

#endif /* ODCN_DUE_QUEUE_H */
