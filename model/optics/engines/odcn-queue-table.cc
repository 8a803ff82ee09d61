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

} // namespace ns3::odcn
