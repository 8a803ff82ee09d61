// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-queue-table.h"

#include "odcn-md1k-queue.h"
#include "odcn-packet-port.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ns3::odcn
{

QueueTable::QueueTable(uint32_t capacity, double maxRho)
    : m_capacity(capacity)
{
    if (capacity < 1 || capacity > MAX_CAPACITY)
    {
        throw OdcnError::InOption("tabulated queue capacity",
                                  std::to_string(capacity),
                                  "1 to " + std::to_string(MAX_CAPACITY) + " packets");
    }
    if (!(maxRho > 0 && maxRho <= MAX_RHO))
    {
        throw OdcnError::InOption("largest tabulated queue load",
                                  std::to_string(maxRho),
                                  "above 0, at most " + std::to_string(MAX_RHO));
    }
    // Loss grows like rho^K, so the pieces must become shorter as K grows.
    const int pieceBits = std::max(6, static_cast<int>(std::bit_width(capacity - 1)) + 2);
    m_shift = 52 - pieceBits;
    m_perPiece = std::ldexp(1.0, -m_shift);
    m_firstIndex = (std::bit_cast<uint64_t>(MIN_RHO) >> m_shift) - 1;
    const uint64_t lastIndex = std::bit_cast<uint64_t>(std::max(maxRho, MIN_RHO)) >> m_shift;
    const std::size_t pieces = lastIndex - m_firstIndex + 1;

    const auto loadOf = [this](std::size_t i)
    { return i == 0 ? 0.0 : std::bit_cast<double>((m_firstIndex + i) << m_shift); };
    m_maxRho = loadOf(pieces);

    m_nodes.resize(pieces + 1);
    for (std::size_t i = 0; i <= pieces; ++i)
    {
        const double rho = loadOf(i);
        const Entry here = Exact(rho);
        Entry slope{capacity > 1 ? 0.5 : 0.0, capacity > 1 ? 0.0 : 1.0};
        if (i > 0)
        {
            // Five-point formula, so narrow that rho^K is a quartic to nine digits.
            const double h = rho * 0.016 / std::max(capacity, 16U);
            const Entry a = Exact(rho - 2 * h);
            const Entry b = Exact(rho - h);
            const Entry c = Exact(rho + h);
            const Entry d = Exact(rho + 2 * h);
            slope = {(a.sojourn - 8 * b.sojourn + 8 * c.sojourn - d.sojourn) / (12 * h),
                     (a.loss - 8 * b.loss + 8 * c.loss - d.loss) / (12 * h)};
        }
        const double left = i > 0 ? loadOf(i) - loadOf(i - 1) : 0;
        const double right = i < pieces ? loadOf(i + 1) - loadOf(i) : 0;
        m_nodes[i] = {here.sojourn,
                      slope.sojourn * left,
                      slope.sojourn * right,
                      here.loss,
                      slope.loss * left,
                      slope.loss * right};
    }
    // A cubic with end slopes within [0, 3] times the chord is monotone (Fritsch and Carlson).
    for (std::size_t i = 0; i < pieces; ++i)
    {
        Node& a = m_nodes[i];
        Node& b = m_nodes[i + 1];
        const double sojourn = 3 * std::max(0.0, b.sojourn - a.sojourn);
        const double loss = 3 * std::max(0.0, b.loss - a.loss);
        a.sojournRight = std::clamp(a.sojournRight, 0.0, sojourn);
        b.sojournLeft = std::clamp(b.sojournLeft, 0.0, sojourn);
        a.lossRight = std::clamp(a.lossRight, 0.0, loss);
        b.lossLeft = std::clamp(b.lossLeft, 0.0, loss);
    }
}

QueueTable::Entry
QueueTable::Exact(double rho) const
{
    const Md1kQueue queue(m_capacity, rho);
    return {queue.GetMeanSojourn(), queue.GetLossProbability()};
}

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
