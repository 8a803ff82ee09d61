// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packet-tallies.h"

#include <atomic>

namespace ns3
{
namespace odcn
{

OdcnPacketTallies::OdcnPacketTallies(std::size_t flows)
    : m_tallies(flows)
{
}

void
OdcnPacketTallies::Take(uint32_t, std::span<const OdcnPacketFate> fates)
{
    for (const OdcnPacketFate& fate : fates)
    {
        Tally& tally = m_tallies[fate.flow];
        if (fate.received)
        {
            tally.latency.Add(static_cast<uint64_t>(fate.ended - fate.sent));
        }
        else
        {
            // A flow's packets are received in one rack, but may be lost in several at once.
            std::atomic_ref(tally.lost[fate.cause]).fetch_add(1, std::memory_order_relaxed);
        }
    }
}

const OdcnLatencyHistogram&
OdcnPacketTallies::GetLatency(uint32_t flow) const
{
    return m_tallies.at(flow).latency;
}

const OcsDropCounts&
OdcnPacketTallies::GetLost(uint32_t flow) const
{
    return m_tallies.at(flow).lost;
}

uint64_t
OdcnPacketTallies::GetOffered(uint32_t flow) const
{
    return GetLatency(flow).GetCount() + GetLost(flow).Total();
}

uint64_t
OdcnPacketTallies::GetOffered() const
{
    uint64_t sum = 0;
    for (uint32_t flow = 0; flow < m_tallies.size(); ++flow)
    {
        sum += GetOffered(flow);
    }
    return sum;
}

} // namespace odcn
} // namespace ns3
