// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-circuit-loads.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ns3::odcn
{

namespace
{

/// @param x numbers  @param n their count  @return their sum, with parallel chains of additions
double
Sum(const double* x, std::size_t n)
{
    std::array<double, 8> lanes{};
    std::size_t i = 0;
    for (; i + lanes.size() <= n; i += lanes.size())
    {
        for (std::size_t k = 0; k < lanes.size(); ++k)
        {
            lanes[k] += x[i + k];
        }
    }
    for (; i < n; ++i)
    {
        lanes[0] += x[i];
    }
    double sum = 0;
    for (double lane : lanes)
    {
        sum += lane;
    }
    return sum;
}

/// @param circuits ledger  @param u from  @param v to  @return load in erlang
double
Load(const OdcnCircuitLedger& circuits, RackId u, RackId v)
{
    const BitRate capacity = circuits.GetCapacity(u, v);
    return capacity > 0
               ? static_cast<double>(circuits.GetUsed(u, v)) / static_cast<double>(capacity)
               : 0.0;
}

} // namespace

void
CircuitLoads::Clear()
{
    m_nRacks = 0;
}

void
CircuitLoads::Set(const OdcnCircuitLedger& circuits, const QueueTable& queue, RackId u, RackId v)
{
    const double rho = Load(circuits, u, v);
    const std::size_t i = std::size_t(u) * m_nRacks + v;
    const auto peak = static_cast<float>(std::max(rho, Load(circuits, v, u)));
    m_peaks[i] = peak;
    m_peaks[std::size_t(v) * m_nRacks + u] = peak;
    m_backlog[i] = 0;
    m_carried[i] = 0;
    m_waiting[i] = 0;
    for (RackId rack : {u, v})
    {
        if (!m_rackChanged[rack])
        {
            m_rackChanged[rack] = 1;
            m_changedRacks.push_back(rack);
        }
    }
    if (rho > 0)
    {
        const auto entry = queue.Get(rho);
        m_carried[i] = static_cast<double>(circuits.GetUsed(u, v)) * (1 - entry.loss);
        m_waiting[i] = m_carried[i] * entry.sojourn * circuits.GetSlowness(u, v);
        m_backlog[i] = rho * (1 - entry.loss) * entry.sojourn;
    }
    m_rowChanged[u] = 1;
}

void
CircuitLoads::SetRacks(const OdcnCircuitLedger& circuits)
{
    for (RackId rack : m_changedRacks)
    {
        m_rackChanged[rack] = 0;
        m_greatest[rack] = 1.0F - circuits.GetMinResidualFraction(rack);
        m_means[rack] = circuits.GetMeanLoad(rack);
    }
    m_changedRacks.clear();
}

void
CircuitLoads::Update(const OdcnCircuitLedger& circuits, const QueueTable& queue)
{
    if (m_nRacks == circuits.GetNRacks())
    {
        circuits.TakeChanges([&](RackId u, RackId v) { Set(circuits, queue, u, v); });
        SetRacks(circuits);
        return;
    }
    m_nRacks = circuits.GetNRacks();
    const std::size_t nPairs = std::size_t(m_nRacks) * m_nRacks;
    m_peaks.resize(nPairs);
    m_backlog.resize(nPairs);
    m_greatest.resize(m_nRacks);
    m_means.resize(m_nRacks);
    m_rackChanged.assign(m_nRacks, 0);
    m_changedRacks.clear();
    m_carried.resize(nPairs);
    m_waiting.resize(nPairs);
    m_rowChanged.assign(m_nRacks, 1);
    m_carriedFromRow.resize(m_nRacks);
    m_waitingFromRow.resize(m_nRacks);
    circuits.TakeChanges([](RackId, RackId) {});
    for (RackId u = 0; u < m_nRacks; ++u)
    {
        for (RackId v = 0; v < m_nRacks; ++v)
        {
            Set(circuits, queue, u, v);
        }
    }
    SetRacks(circuits);
}

CircuitLoads::Range
CircuitLoads::GetMeanSojourn() const
{
    for (RackId u = 0; u < m_nRacks; ++u)
    {
        if (m_rowChanged[u])
        {
            m_rowChanged[u] = 0;
            m_carriedFromRow[u] = Sum(&m_carried[std::size_t(u) * m_nRacks], m_nRacks);
            m_waitingFromRow[u] = Sum(&m_waiting[std::size_t(u) * m_nRacks], m_nRacks);
        }
    }
    const double carried = Sum(m_carriedFromRow.data(), m_nRacks);
    if (!(carried > 0))
    {
        return {1, 1};
    }
    // A sum of n non-negative numbers has a relative error of at most n epsilon / 2 in any order;
    // here two sums are compared, each in two orders.
    const double mean = Sum(m_waitingFromRow.data(), m_nRacks) / carried;
    const double pairs = static_cast<double>(m_nRacks) * m_nRacks;
    const double error = mean * 4 * (pairs + 8) * std::numeric_limits<double>::epsilon();
    return {mean - error, mean + error};
}

} // namespace ns3::odcn
