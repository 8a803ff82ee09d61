// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_PORT_H
#define ODCN_PACKET_PORT_H

#include "odcn-fabric-model.h"

#include "ns3/odcn-units.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/// A packet in the fabric. The meaning of its time depends on where it is stored.
struct Passage
{
    int64_t time;  //!< before a port: arrival time; in a port: departure time of its last bit, ps
    int64_t sent;  //!< when it was handed to the network card, ps
    uint32_t flow; //!< index of its flow
    uint32_t sequence; //!< sequence number in the flow
    uint32_t bytes;    //!< its size, bytes
    ServerId to;       //!< receiving server
};

/// What the ports of one kind have in common.
struct PortKind
{
    BitRate rate{0};           //!< line rate, bit/s
    uint32_t limit{0};         //!< greatest number of waiting packets, may be 0
    std::vector<int64_t> tx{}; //!< transmission times by size, ps; 0: unused
    int64_t plenty{0};         //!< with less work than this, a port cannot be full, ps

    /// Compute the transmission time of a packet size.
    /// @param bytes the size
    void Need(uint32_t bytes)
    {
        if (bytes >= tx.size())
        {
            tx.resize(bytes + 1, 0);
        }
        if (tx[bytes] == 0)
        {
            tx[bytes] = TransmissionTime(rate, bytes);
        }
    }
};

/// A vector that keeps removed elements, with their memory, for reuse.
template <typename T>
class Bag
{
  public:
    /// @return a new last element, to be filled
    T& Add()
    {
        if (m_size == m_things.size()) [[unlikely]]
        {
            m_things.resize(2 * m_size + 8);
        }
        return m_things[m_size++];
    }

    /// Remove all elements.
    void Clear()
    {
        m_size = 0;
    }

    /// @return number of elements
    std::size_t GetSize() const
    {
        return m_size;
    }

    /// @param i index  @return element i
    const T& operator[](std::size_t i) const
    {
        return m_things[i];
    }

  private:
    std::vector<T> m_things; //!< elements, followed by spare ones
    std::size_t m_size{0};   //!< number of elements
};

/**
 * A transmitter with a drop-tail queue: a recursion over the accepted packets, which leave
 * at max(arrival, departure of the packet before) + transmission.
 */
class PacketPort
{
  public:
    /// Empty it.
    void Clear()
    {
        m_free = 0;
        m_count = 0;
        m_released = 0;
    }

    /**
     * Let a packet wait for its transmission, unless the queue is full.
     * @param packet not in this port, with its arrival time, not before that of the last accepted
     * one
     * @param kind what the port is; knows the size of the packet
     * @param [in,out] firstTie lowered to the arrival time if a tie decides
     * @return the packet with its departure time; null if the queue is full
     */
    const Passage* Accept(const Passage& packet, const PortKind& kind, int64_t& firstTie)
    {
        const int64_t arrive = packet.time;
        if (m_free - arrive >= kind.plenty && !HasRoom(arrive, kind, firstTie))
        {
            return nullptr;
        }
        const uint64_t size = m_ring.size();
        if (m_count >= m_released + size ||
            (m_count >= size && m_ring[m_count & (size - 1)].time > arrive)) [[unlikely]]
        {
            Grow();
        }
        Passage& entry = m_ring[m_count & (m_ring.size() - 1)];
        m_free = std::max(arrive, m_free) + kind.tx[packet.bytes];
        entry = packet;
        entry.time = m_free;
        ++m_count;
        return &entry;
    }

    /// @return the first packet not released yet, null if there is none
    const Passage* GetNext() const
    {
        return m_released < m_count ? &m_ring[m_released & (m_ring.size() - 1)] : nullptr;
    }

    /// Release GetNext(), which the next stage has taken.
    void Release()
    {
        ++m_released;
    }

    /// @return departure time of the last accepted packet, ps; 0 at the beginning
    int64_t GetFree() const
    {
        return m_free;
    }

  private:
    /**
     * @param arrive arrival time of a packet, ps
     * @param kind what the port is
     * @param [in,out] firstTie lowered to @p arrive if a tie decides
     * @return whether the packet may wait
     */
    bool HasRoom(int64_t arrive, const PortKind& kind, int64_t& firstTie) const
    {
        const uint32_t limit = kind.limit;
        if (limit == 0)
        {
            if (m_free == arrive && m_count > 0) [[unlikely]]
            {
                firstTie = std::min(firstTie, arrive);
            }
            return m_free <= arrive;
        }
        // The packet whose transmission must have begun; if its entry was reused, it has left.
        if (m_count < limit || limit > m_ring.size())
        {
            return true;
        }
        const uint64_t j = m_count - limit;
        const Passage& packet = m_ring[j & (m_ring.size() - 1)];
        const int64_t begun = packet.time - kind.tx[packet.bytes];
        // It waited for its predecessor, or the predecessor's entry was reused.
        const bool waited = j > 0 && (limit == m_ring.size() ||
                                      m_ring[(j - 1) & (m_ring.size() - 1)].time == begun);
        if (begun == arrive && waited) [[unlikely]]
        {
            firstTie = std::min(firstTie, arrive);
        }
        return begun <= arrive;
    }

    /// Double the size of the ring.
    void Grow()
    {
        std::vector<Passage> ring(std::max<std::size_t>(16, 2 * m_ring.size()));
        for (uint64_t i = m_count - std::min<uint64_t>(m_count, m_ring.size()); i < m_count; ++i)
        {
            ring[i & (ring.size() - 1)] = m_ring[i & (m_ring.size() - 1)];
        }
        m_ring = std::move(ring);
    }

    int64_t m_free{0};           //!< departure time of the last accepted packet, ps
    uint64_t m_count{0};         //!< number of accepted packets
    uint64_t m_released{0};      //!< number of packets taken by the next stage
    std::vector<Passage> m_ring; //!< last accepted packets; its size is a power of 2
};

} // namespace ns3::odcn

#endif /* ODCN_PACKET_PORT_H */
