// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-sampled-queue.h"

#include "odcn-packet-port.h"

#include "ns3/odcn-error.h"

#include <cmath>
#include <string>

namespace ns3::odcn
{

namespace
{

/// A service time, in parts that resolve arrivals finely enough.
constexpr int64_t SERVICE = 1'000'000;

} // namespace

SampledQueue::SampledQueue(uint32_t waiting, uint32_t packets, const RandomStream& gaps)
    : m_waiting(waiting),
      m_packets(packets),
      m_gaps(gaps)
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
    const double meanGap = static_cast<double>(SERVICE) / rho;
    const auto warmUp = static_cast<uint32_t>(WARM_UP_SHARE * m_packets);
    const PortKind kind{.limit = m_waiting, .tx = {SERVICE}};
    PacketPort port;
    Passage packet{};
    int64_t tie = 0;
    int64_t sojourn = 0;
    uint32_t accepted = 0;
    for (uint32_t i = 0; i < warmUp + m_packets; ++i)
    {
        packet.time += std::llround(-meanGap * std::log(m_gaps.NextU01()));
        const Passage* leaving = port.Accept(packet, kind, tie);
        if (!leaving)
        {
            continue;
        }
        port.Release();
        if (i >= warmUp)
        {
            sojourn += leaving->time - packet.time;
            ++accepted;
        }
    }
    return {accepted ? static_cast<double>(sojourn) / SERVICE / accepted : 1.0,
            1.0 - static_cast<double>(accepted) / m_packets};
}

} // namespace ns3::odcn
