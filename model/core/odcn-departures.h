// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DEPARTURES_H
#define ODCN_DEPARTURES_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A queue by time, and by the order of entry where times are equal.
 */
template <typename T>
class TimeQueue
{
  public:
    /// Something in the queue.
    struct Entry
    {
        double time{0};  //!< time of the entry
        uint64_t seq{0}; //!< order of entry
        T what;          //!< what is queued

        /// @param o other
        /// @return whether this one is later
        bool operator>(const Entry& o) const
        {
            return time != o.time ? time > o.time : seq > o.seq;
        }
    };

    /// @param time of the entry
    /// @param what is queued
    void Push(double time, T what)
    {
        m_heap.push_back({time, m_seq++, std::move(what)});
        std::push_heap(m_heap.begin(), m_heap.end(), std::greater<>());
    }

    /// Remove the first entry; there must be one. @return it
    Entry Pop()
    {
        std::pop_heap(m_heap.begin(), m_heap.end(), std::greater<>());
        const Entry first = std::move(m_heap.back());
        m_heap.pop_back();
        return first;
    }

    /// @param what to be removed, wherever it is
    void Remove(const T& what)
    {
        std::erase_if(m_heap, [&what](const Entry& entry) { return entry.what == what; });
        std::make_heap(m_heap.begin(), m_heap.end(), std::greater<>());
    }

    /// @return time of the first entry; NaN without one, so that no comparison holds
    double GetNext() const
    {
        return m_heap.empty() ? std::numeric_limits<double>::quiet_NaN() : m_heap.front().time;
    }

    /// @return number of entries
    std::size_t GetSize() const
    {
        return m_heap.size();
    }

    /// @return the entries, in order
    std::vector<Entry> GetEntries() const
    {
        auto order = m_heap;
        std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return b > a; });
        return order;
    }

    /// Forget all.
    void Clear()
    {
        *this = TimeQueue();
    }

  private:
    std::vector<Entry> m_heap; //!< min-heap
    uint64_t m_seq{0};         //!< entries so far
};

/**
 * @ingroup odcn
 *
 * The jobs in service, which leave by time, and in the order of acceptance where times are equal.
 */
template <typename Job>
class JobsInService
{
  public:
    /// @param time job time at which a job leaves
    /// @return the job, to be filled in: it still has what one before it had
    Job& Add(double time)
    {
        if (m_free.empty())
        {
            m_free.push_back(static_cast<uint32_t>(m_jobs.size()));
            m_jobs.emplace_back();
        }
        const uint32_t slot = m_free.back();
        m_free.pop_back();
        m_departures.Push(time, slot);
        return m_jobs[slot];
    }

    /// Remove the job that leaves next; there must be one. @return it, valid until Add()
    const Job& Pop()
    {
        m_free.push_back(m_departures.Pop().what);
        return m_jobs[m_free.back()];
    }

    /// @param slot of a job, which leaves now
    void Remove(uint32_t slot)
    {
        m_departures.Remove(slot);
        m_free.push_back(slot);
    }

    /// @return time of the next departure; NaN without one, so that no comparison holds
    double GetNext() const
    {
        return m_departures.GetNext();
    }

    /// @return jobs in service
    std::size_t GetSize() const
    {
        return m_departures.GetSize();
    }

    /// @return slots of the jobs, in the order in which they leave
    std::vector<uint32_t> GetSlots() const
    {
        std::vector<uint32_t> slots;
        for (const auto& departure : m_departures.GetEntries())
        {
            slots.push_back(departure.what);
        }
        return slots;
    }

    /// @param slot of a job
    /// @return the job
    const Job& operator[](uint32_t slot) const
    {
        return m_jobs[slot];
    }

    /// Forget all.
    void Clear()
    {
        *this = JobsInService();
    }

  private:
    std::vector<Job> m_jobs;          //!< [slot]: slots are reused
    std::vector<uint32_t> m_free;     //!< slots not in use
    TimeQueue<uint32_t> m_departures; //!< slots of the jobs in service
};

} // namespace ns3::odcn

#endif /* ODCN_DEPARTURES_H */
