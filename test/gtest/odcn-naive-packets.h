// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_NAIVE_PACKETS_H
#define ODCN_NAIVE_PACKETS_H

/**
 * @file
 * What the exact engine is compared with: flows drawn by ns-3, packets in a deque.
 */

#include "ns3/odcn-arrival-bank.h"
#include "ns3/odcn-fifo-queue.h"
#include "ns3/odcn-packet-law.h"
#include "ns3/odcn-units.h"
#include "ns3/random-variable-stream.h"

#include <cmath>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{
namespace odcn
{

/// The flows of one OdcnJobFlowApplication with events in a list, drawn by ns-3 itself.
class NaiveFlows
{
  public:
    /// @param stream number of a further stream  @param law what its flows send at a time
    void AddStream(int64_t stream, const OdcnPacketLaw& law = OdcnPacketLaw())
    {
        m_gaps.push_back(CreateObject<ExponentialRandomVariable>());
        m_gaps.back()->SetStream(stream);
        m_laws.push_back(law);
        m_mean.push_back(0);
        m_bytes.push_back(0);
    }

    /// @param i stream  @param now when  @param mean mean gap  @param bytes size of its packets
    void Start(uint32_t i, int64_t now, double mean, uint32_t bytes = 296)
    {
        m_mean[i] = mean;
        m_bytes[i] = bytes;
        Schedule(i, now, 1);
    }

    /// @param i stream
    void Stop(uint32_t i)
    {
        std::erase_if(m_events, [i](const auto& event) { return event.second == i; });
    }

    /// @param until end  @return each packet
    std::vector<OdcnArrival> Draw(int64_t until)
    {
        std::vector<OdcnArrival> sent;
        while (!m_events.empty() && m_events.begin()->first.first < until)
        {
            const auto [key, i] = *m_events.begin();
            m_events.erase(m_events.begin());
            const uint32_t packets = m_laws[i].NextBurst();
            for (uint32_t k = 0; k < packets; ++k)
            {
                sent.push_back({key.first, i, m_laws[i].NextSize(m_bytes[i])});
            }
            Schedule(i, key.first, packets);
        }
        return sent;
    }

  private:
    /// @param i stream  @param now when  @param packets that were sent
    void Schedule(uint32_t i, int64_t now, uint32_t packets)
    {
        const int64_t gap = std::llround(m_gaps[i]->GetValue(packets * m_mean[i], 0));
        m_events[{now + gap, m_uid++}] = i;
    }

    std::vector<Ptr<ExponentialRandomVariable>> m_gaps;        //!< by stream
    std::vector<OdcnPacketLaw> m_laws;                         //!< by stream
    std::vector<double> m_mean;                                //!< by stream
    std::vector<uint32_t> m_bytes;                             //!< by stream
    std::map<std::pair<int64_t, uint64_t>, uint32_t> m_events; //!< pending, as in ns-3's scheduler
    uint64_t m_uid{0};                                         //!< of the next event
};

/// A transmitter with a queue ahead of it, departure by departure.
class NaiveQueue
{
  public:
    /// @param rate bit/s  @param limit of what waits  @param unit of the limit
    NaiveQueue(BitRate rate, uint32_t limit, OdcnFifoUnit unit)
        : m_rate(rate),
          m_limit(limit),
          m_unit(unit)
    {
    }

    /// Let packets leave. @param time until when  @param tie whether at that time, too
    void Advance(int64_t time, OdcnFifoTie tie)
    {
        while (m_busy && (m_leaves < time || (m_leaves == time && tie == ODCN_DEPARTURE_FIRST)))
        {
            departures.push_back({m_id, m_leaves});
            m_busy = false;
            if (!m_waiting.empty())
            {
                const auto [id, bytes] = m_waiting.front();
                m_waiting.pop_front();
                Begin(m_leaves, id, bytes);
            }
        }
    }

    /// @param time when  @param bytes size  @param id id  @param tie tie  @return whether accepted
    bool Offer(int64_t time, uint32_t bytes, uint64_t id, OdcnFifoTie tie)
    {
        Advance(time, tie);
        uint32_t there = 0;
        for (const auto& packet : m_waiting)
        {
            there += m_unit == ODCN_FIFO_PACKETS ? 1 : packet.second;
        }
        if (there + (m_unit == ODCN_FIFO_PACKETS ? 1 : bytes) > m_limit)
        {
            return false;
        }
        m_waiting.emplace_back(id, bytes);
        if (!m_busy)
        {
            m_waiting.pop_front();
            Begin(time, id, bytes);
        }
        return true;
    }

    /// @return whether a packet is in transmission
    bool IsBusy() const
    {
        return m_busy;
    }

    /// @return the packet in transmission
    uint64_t GetId() const
    {
        return m_id;
    }

    /// @return when it will have left
    int64_t GetLeaves() const
    {
        return m_leaves;
    }

    /// @return ids of those who wait, which are taken out
    std::vector<uint64_t> TakeWaiting()
    {
        std::vector<uint64_t> ids;
        for (const auto& packet : m_waiting)
        {
            ids.push_back(packet.first);
        }
        m_waiting.clear();
        return ids;
    }

    /// @return number of those who wait
    std::size_t GetWaiting() const
    {
        return m_waiting.size();
    }

    std::vector<std::pair<uint64_t, int64_t>> departures; //!< id and time, in order

  private:
    /// @param time when  @param id which packet begins  @param bytes its size
    void Begin(int64_t time, uint64_t id, uint32_t bytes)
    {
        m_busy = true;
        m_id = id;
        m_leaves = time + OdcnTransmissionTime(m_rate, bytes);
    }

    BitRate m_rate;                                      //!< of the line
    uint32_t m_limit;                                    //!< of what waits
    OdcnFifoUnit m_unit;                                 //!< of the limit
    bool m_busy{false};                                  //!< whether it transmits
    uint64_t m_id{0};                                    //!< what it transmits
    int64_t m_leaves{0};                                 //!< until when
    std::deque<std::pair<uint64_t, uint32_t>> m_waiting; //!< id and size
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_NAIVE_PACKETS_H */
