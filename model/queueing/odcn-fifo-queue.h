// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FIFO_QUEUE_H
#define ODCN_FIFO_QUEUE_H

#include "ns3/odcn-units.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @param rate speed of a line in bit/s, above 0
 * @param bytes size of a packet
 * @return how long it takes in ps: DataRate::CalculateBytesTxTime() at picosecond resolution
 */
int64_t OdcnTransmissionTime(BitRate rate, uint32_t bytes);

/// What OdcnFifoQueue's limit counts.
enum OdcnFifoUnit
{
    ODCN_FIFO_PACKETS, //!< packets that wait
    ODCN_FIFO_BYTES    //!< bytes of the packets that wait
};

/// What comes first when a packet arrives in the time step in which another one has left.
enum OdcnFifoTie
{
    ODCN_DEPARTURE_FIRST, //!< the departure makes room for the arrival
    ODCN_ARRIVAL_FIRST    //!< the arrival finds the other packet still there
};

/// A packet in OdcnFifoQueue.
struct OdcnFifoPacket
{
    int64_t start;     //!< first bit leaves, in ps
    int64_t departure; //!< last bit leaves, in ps
    uint64_t id;       //!< the caller's
    uint32_t bytes;    //!< size
};

/**
 * @ingroup odcn
 *
 * A drop-tail FIFO ahead of a transmitter, as OcsNetDevice with a DropTailQueue, without events.
 * Packet n is offered at a_n and takes s_n to transmit:
 *
 *     departure d_n = max(a_n, d_(n-1)) + s_n    (n - 1: the last accepted packet before it)
 *
 * if what waits then, those whose transmission has not begun, leaves room below the limit. The one
 * in transmission does not count: 15 packets waiting make 16 in the system.
 *
 * Times are in ps and must not fall. The queue keeps who waits and who is in transmission, so that
 * packets can be taken out again. It can be copied.
 *
 * Counters: offered = accepted + dropped; accepted = begun or waiting + taken back.
 */
class OdcnFifoQueue
{
  public:
    /// Offer()'s result for a packet that finds no room.
    static constexpr int64_t DROPPED = -1;
    /// Largest limit in packets.
    static constexpr uint32_t MAX_PACKETS = 1 << 20;

    /**
     * @param rate speed of the line in bit/s, above 0
     * @param limit how much may wait, above 0
     * @param unit what @p limit counts
     * @throws OdcnError when a value is out of range
     */
    explicit OdcnFifoQueue(BitRate rate,
                           uint32_t limit = 15,
                           OdcnFifoUnit unit = ODCN_FIFO_PACKETS);

    /**
     * A packet arrives.
     *
     * @param time when, in ps, 0 or more
     * @param bytes its size
     * @param id what to call it by
     * @param tie whether a packet that leaves at just this time is still there
     * @return when its last bit leaves, in ps, or DROPPED
     */
    int64_t Offer(int64_t time,
                  uint32_t bytes,
                  uint64_t id = 0,
                  OdcnFifoTie tie = ODCN_DEPARTURE_FIRST)
    {
        ++m_offered;
        if (!HasRoom(GetSeen(time, tie), bytes))
        {
            ++m_dropped;
            return DROPPED;
        }
        const int64_t start = std::max(time, m_free);
        m_free = start + GetTxTime(bytes);
        m_ring[m_tail++ & m_mask] = {start, m_free, id, bytes};
        return m_free;
    }

    /**
     * @param time when, in ps
     * @param tie whether a packet that leaves at just this time still is in transmission
     * @return the packet in transmission then, null if there is none; valid until the next change
     */
    const OdcnFifoPacket* GetInTransmission(int64_t time,
                                            OdcnFifoTie tie = ODCN_DEPARTURE_FIRST) const;

    /**
     * @param time when, in ps, not before the last arrival
     * @param tie whether a packet that leaves at just this time still is in transmission
     * @return how many packets wait then
     */
    uint32_t GetWaiting(int64_t time, OdcnFifoTie tie = ODCN_DEPARTURE_FIRST) const;

    /**
     * Take out the packets that wait; the one in transmission goes on.
     *
     * @param time when, in ps, not before the last arrival
     * @param [out] out they are appended, first one first; their times no longer hold
     * @param tie whether a packet that leaves at just this time still is in transmission
     */
    void TakeWaiting(int64_t time,
                     std::vector<OdcnFifoPacket>& out,
                     OdcnFifoTie tie = ODCN_DEPARTURE_FIRST);

    /// @return when the last bit of the last accepted packet leaves, in ps; 0 at the beginning
    int64_t GetFree() const
    {
        return m_free;
    }

    /**
     * @param bytes size of a packet
     * @return how long it takes on the line, in ps
     */
    int64_t GetTxTime(uint32_t bytes)
    {
        if (bytes != m_txBytes)
        {
            m_txTime = FindTxTime(bytes);
            m_txBytes = bytes;
        }
        return m_txTime;
    }

    /// @return packets offered
    uint64_t GetOffered() const
    {
        return m_offered;
    }

    /// @return packets that found no room
    uint64_t GetDropped() const
    {
        return m_dropped;
    }

    /// @return packets taken back
    uint64_t GetTakenBack() const
    {
        return m_takenBack;
    }

  private:
    /// @param time now  @param tie see there
    /// @return packets whose first bit left by then no longer wait
    int64_t GetSeen(int64_t time, OdcnFifoTie tie) const
    {
        return tie == ODCN_ARRIVAL_FIRST && DepartsAt(time) ? time - 1 : time;
    }

    /// @param time a time  @return whether the last bit of a packet leaves then
    bool DepartsAt(int64_t time) const;

    /// @param seen packets whose first bit left by then no longer wait  @param bytes size
    /// @return whether a packet may wait, too
    bool HasRoom(int64_t seen, uint32_t bytes)
    {
        if (m_unit == ODCN_FIFO_PACKETS)
        {
            return m_ring[(m_tail - m_limit) & m_mask].start <= seen;
        }
        while (m_head != m_tail && m_ring[m_head & m_mask].start <= seen)
        {
            m_waitingBytes -= m_ring[m_head++ & m_mask].bytes;
        }
        if (m_waitingBytes + bytes > m_limit)
        {
            return false;
        }
        m_waitingBytes += bytes;
        if (2 * (m_tail - m_head) + 4 > m_ring.size())
        {
            Grow();
        }
        return true;
    }

    /// Double the ring.
    void Grow();

    /// @param bytes size of a packet  @return how long it takes on the line, in ps
    int64_t FindTxTime(uint32_t bytes);

    BitRate m_rate;                     //!< speed of the line
    uint32_t m_limit;                   //!< how much may wait
    OdcnFifoUnit m_unit;                //!< what m_limit counts
    int64_t m_free{0};                  //!< departure of the last accepted packet
    uint32_t m_txBytes{0};              //!< bytes that take m_txTime
    int64_t m_txTime{0};                //!< of the last size
    std::vector<int64_t> m_txTimes;     //!< by size, 0 for sizes not yet met
    std::vector<OdcnFifoPacket> m_ring; //!< the last accepted packets; a power of 2
    uint64_t m_mask;                    //!< its size less 1
    uint64_t m_tail{0};                 //!< packets accepted and not taken back
    uint64_t m_head{0};                 //!< of these, no longer counted in m_waitingBytes
    uint64_t m_waitingBytes{0};         //!< bytes that wait, if they are the limit
    uint64_t m_offered{0};              //!< packets offered
    uint64_t m_dropped{0};              //!< packets that found no room
    uint64_t m_takenBack{0};            //!< packets taken back
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_FIFO_QUEUE_H */
