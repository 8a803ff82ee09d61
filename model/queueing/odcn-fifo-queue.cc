// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fifo-queue.h"

#include "ns3/int64x64.h"
#include "ns3/odcn-error.h"

#include <bit>
#include <limits>
#include <string>
#include <utility>

namespace ns3
{
namespace odcn
{

namespace
{

/// Fills the ring: it began before all times.
constexpr OdcnFifoPacket NOBODY{std::numeric_limits<int64_t>::min(),
                                std::numeric_limits<int64_t>::min(),
                                0,
                                0};

} // namespace

int64_t
OdcnTransmissionTime(BitRate rate, uint32_t bytes)
{
    // As DataRate and Time compute it, whose roundings must be met.
    const int64x64_t picosecond(1000000000000LL, 0);
    return (int64x64_t(bytes * 8) / static_cast<uint64_t>(rate) * picosecond).Round();
}

OdcnFifoQueue::OdcnFifoQueue(BitRate rate, uint32_t limit, OdcnFifoUnit unit)
    : m_rate(rate),
      m_limit(limit),
      m_unit(unit)
{
    if (rate <= 0)
    {
        throw OdcnError::InOption("rate of a queue", std::to_string(rate), "above 0 bit/s");
    }
    if (limit == 0 || (unit == ODCN_FIFO_PACKETS && limit > MAX_PACKETS))
    {
        throw OdcnError::InOption("limit of a queue",
                                  std::to_string(limit),
                                  "1 to " + std::to_string(MAX_PACKETS) + " packets, or bytes");
    }
    // Once packets have been taken back, as many older ones are looked at again.
    const uint64_t kept = unit == ODCN_FIFO_PACKETS ? 2 * uint64_t(limit) + 2 : 64;
    m_ring.assign(std::bit_ceil(kept), NOBODY);
    m_mask = m_ring.size() - 1;
}

void
OdcnFifoQueue::Grow()
{
    std::vector<OdcnFifoPacket> ring(2 * m_ring.size(), NOBODY);
    for (uint64_t i = m_head > 0 ? m_head - 1 : 0; i != m_tail; ++i)
    {
        ring[i & (ring.size() - 1)] = m_ring[i & m_mask];
    }
    m_ring = std::move(ring);
    m_mask = m_ring.size() - 1;
}

int64_t
OdcnFifoQueue::FindTxTime(uint32_t bytes)
{
    constexpr uint32_t KEPT = 1 << 16;
    if (bytes >= KEPT)
    {
        return OdcnTransmissionTime(m_rate, bytes);
    }
    if (bytes >= m_txTimes.size())
    {
        m_txTimes.resize(bytes + 1, 0);
    }
    if (m_txTimes[bytes] == 0)
    {
        m_txTimes[bytes] = OdcnTransmissionTime(m_rate, bytes);
    }
    return m_txTimes[bytes];
}

bool
OdcnFifoQueue::DepartsAt(int64_t time) const
{
    for (uint64_t i = m_tail; i > 0; --i)
    {
        const int64_t departure = m_ring[(i - 1) & m_mask].departure;
        if (departure <= time)
        {
            return departure == time;
        }
    }
    return false;
}

const OdcnFifoPacket*
OdcnFifoQueue::GetInTransmission(int64_t time, OdcnFifoTie tie) const
{
    const OdcnFifoPacket& packet = m_ring[(m_tail - GetWaiting(time, tie) - 1) & m_mask];
    return packet.departure > GetSeen(time, tie) ? &packet : nullptr;
}

uint32_t
OdcnFifoQueue::GetWaiting(int64_t time, OdcnFifoTie tie) const
{
    const int64_t seen = GetSeen(time, tie);
    uint32_t n = 0;
    while (n < m_tail && m_ring[(m_tail - n - 1) & m_mask].start > seen)
    {
        ++n;
    }
    return n;
}

void
OdcnFifoQueue::TakeWaiting(int64_t time, std::vector<OdcnFifoPacket>& out, OdcnFifoTie tie)
{
    const uint32_t n = GetWaiting(time, tie);
    for (uint32_t i = n; i > 0; --i)
    {
        OdcnFifoPacket& packet = m_ring[(m_tail - i) & m_mask];
        out.push_back(packet);
        if (m_unit == ODCN_FIFO_BYTES)
        {
            m_waitingBytes -= packet.bytes;
        }
        packet = NOBODY;
    }
    m_tail -= n;
    m_takenBack += n;
    if (n > 0)
    {
        // Whoever waits, waits for one in transmission.
        m_free = m_ring[(m_tail - 1) & m_mask].departure;
    }
}

} // namespace odcn
} // namespace ns3
