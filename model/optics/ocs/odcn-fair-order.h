// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FAIR_ORDER_H
#define ODCN_FAIR_ORDER_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <unordered_map>
#include <vector>

namespace ns3::odcn
{

/**
 * The order in which packets leave a fair queue: self-clocked fair queueing (Golestani, INFOCOM
 * 1994). The tag of a packet is its size after the tag of the packet of its flow before it, or
 * after that of the packet that left last, whichever is later. The smallest tag leaves first; of
 * equal ones, what came first. So flows that wait leave the same number of bytes, to within a
 * packet of each, and packets of a flow keep their order.
 *
 * @tparam T a packet
 */
template <typename T>
class FairOrder
{
  public:
    /// @param flow of the packet
    /// @param bytes its size, above 0
    /// @param packet waits from now on
    void Push(uint64_t flow, uint32_t bytes, const T& packet)
    {
        uint64_t& last = m_last.try_emplace(flow, m_clock).first->second;
        last = std::max(last, m_clock) + bytes;
        m_waiting.push({last, m_pushed++, flow, packet});
    }

    /// @return the packet that leaves next; there must be one
    const T& GetFirst() const
    {
        return m_waiting.top().packet;
    }

    /// @return the same, removed
    T Pop()
    {
        const Entry entry = m_waiting.top();
        m_waiting.pop();
        m_clock = entry.tag;
        const auto last = m_last.find(entry.flow);
        if (last->second == entry.tag)
        {
            m_last.erase(last); // none of its packets waits
        }
        return entry.packet;
    }

    /// @return whether nothing waits
    bool IsEmpty() const
    {
        return m_waiting.empty();
    }

  private:
    /// A packet that waits.
    struct Entry
    {
        uint64_t tag;   //!< bytes
        uint64_t order; //!< of arrival
        uint64_t flow;  //!< its flow
        T packet;       //!< the packet

        /// @param other another one
        /// @return whether it leaves later than that
        bool operator>(const Entry& other) const
        {
            return tag > other.tag || (tag == other.tag && order > other.order);
        }
    };

    uint64_t m_clock{0};  //!< tag of the packet that left last, bytes
    uint64_t m_pushed{0}; //!< packets so far
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> m_waiting; //!< by tag
    std::unordered_map<uint64_t, uint64_t> m_last; //!< last tag by flow, of those that wait
};

} // namespace ns3::odcn

#endif /* ODCN_FAIR_ORDER_H */
