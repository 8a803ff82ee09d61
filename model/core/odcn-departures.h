// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DEPARTURES_H
#define ODCN_DEPARTURES_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * When the jobs in service leave: a queue by time, and by the order of acceptance where times are
 * equal.
 */
class Departures
{
  public:
    /// When a job leaves.
    struct Departure
    {
        double time{0};   //!< job time
        uint64_t seq{0};  //!< order of acceptance
        uint32_t slot{0}; //!< of the job

        /// @param o other  @return whether this one leaves later
        bool operator>(const Departure& o) const
        {
            return time != o.time ? time > o.time : seq > o.seq;
        }
    };

    /// @param time job time at which a job leaves  @param slot of the job
    void Push(double time, uint32_t slot)
    {
        m_heap.push_back({time, m_seq++, slot});
        std::push_heap(m_heap.begin(), m_heap.end(), std::greater<>());
    }

    /// Remove the next departure; there must be one. @return it
    Departure Pop()
    {
        const Departure next = m_heap.front();
        std::pop_heap(m_heap.begin(), m_heap.end(), std::greater<>());
        m_heap.pop_back();
        return next;
    }

    /// @param slot of a job in service, which leaves now
    void Remove(uint32_t slot)
    {
        std::erase_if(m_heap, [slot](const Departure& d) { return d.slot == slot; });
        std::make_heap(m_heap.begin(), m_heap.end(), std::greater<>());
    }

    /// @return time of the next departure; NaN without one, so that no comparison holds
    double GetNext() const
    {
        return m_heap.empty() ? std::numeric_limits<double>::quiet_NaN() : m_heap.front().time;
    }

    /// @return jobs in service
    std::size_t GetSize() const
    {
        return m_heap.size();
    }

    /// @return slots of the jobs in service, in the order in which they leave
    std::vector<uint32_t> GetSlots() const
    {
        auto order = m_heap;
        std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return b > a; });
        std::vector<uint32_t> slots;
        slots.reserve(order.size());
        for (const Departure& departure : order)
        {
            slots.push_back(departure.slot);
        }
        return slots;
    }

    /// Forget all.
    void Clear()
    {
        *this = Departures();
    }

  private:
    std::vector<Departure> m_heap; //!< min-heap
    uint64_t m_seq{0};             //!< jobs accepted so far
};

} // namespace ns3::odcn

#endif /* ODCN_DEPARTURES_H */
