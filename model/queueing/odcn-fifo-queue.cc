// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-fifo-queue.h"

#include "ns3/int64x64.h"
#include "ns3/odcn-error.h"

#include <limits>
#include <string>

namespace ns3::odcn
{

int64_t
TransmissionTime(BitRate rate, uint32_t bytes)
{
    // Compute as DataRate and Time do, to get the same rounding.
    const int64x64_t picosecond(1000000000000LL, 0);
    return (int64x64_t(bytes * 8) / static_cast<uint64_t>(rate) * picosecond).Round();
}

FifoQueue::FifoQueue(BitRate rate, uint32_t limit)
    : m_rate(rate)
{
    if (rate <= 0)
    {
        throw OdcnError::InOption("rate of a queue", std::to_string(rate), "above 0 bit/s");
    }
    if (limit == 0 || limit > MAX_PACKETS)
    {
        throw OdcnError::InOption("limit of a queue",
                                  std::to_string(limit),
                                  "1 to " + std::to_string(MAX_PACKETS) + " packets");
    }
    m_starts.assign(limit, std::numeric_limits<int64_t>::min());
}

} // namespace ns3::odcn
