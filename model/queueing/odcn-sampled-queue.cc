// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-sampled-queue.h"

#include "ns3/odcn-error.h"

#include <cmath>
#include <string>

namespace ns3::odcn
{

namespace
{

// The time unit is a service time; a millionth of it resolves arrivals finely enough.
constexpr BitRate LINE = 8'000'000'000;
constexpr uint32_t BYTES = 1000;
constexpr double SERVICE_PS = 1e6;

} // namespace

SampledQueue::SampledQueue(uint32_t waiting, uint32_t packets, Ptr<ExponentialRandomVariable> gaps)
    : m_packets(packets),
      m_gaps(gaps),
      m_queue(LINE, waiting)
{
    if (packets == 0)
    {
        throw OdcnError::InOption("packets of a sampled queue", std::to_string(packets), "above 0");
    }
}

const QueueTable::Entry&
SampledQueue::Get(std::size_t place, double rho)
{
    if (place >= m_runs.size())
    {
        m_runs.resize(place + 1);
    }
    Run& run = m_runs[place];
    if (run.rho != rho)
    {
        run = {rho, Measure(rho)};
    }
    return run.entry;
}

QueueTable::Entry
SampledQueue::Measure(double rho)
{
    const double meanGap = SERVICE_PS / rho;
    const auto gap = [&]() { return int64_t{std::llround(m_gaps->GetValue(meanGap, 0))}; };
    int64_t time = m_queue.GetFree();
    const auto warmUp = static_cast<uint32_t>(WARM_UP_SHARE * m_packets);
    for (uint32_t i = 0; i < warmUp; ++i)
    {
        m_queue.Offer(time += gap(), BYTES);
    }
    int64_t sojourn = 0;
    uint32_t accepted = 0;
    for (uint32_t i = 0; i < m_packets; ++i)
    {
        const int64_t departure = m_queue.Offer(time += gap(), BYTES);
        if (departure != FifoQueue::DROPPED)
        {
            sojourn += departure - time;
            ++accepted;
        }
    }
    return {accepted ? static_cast<double>(sojourn) / SERVICE_PS / accepted : 1.0,
            1.0 - static_cast<double>(accepted) / m_packets};
}

} // namespace ns3::odcn
