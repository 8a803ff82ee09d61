// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-circuit-ledger.h"

#include "ns3/assert.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Largest total rate of a ToR's ports, bit/s: leaves half the range to demands above capacity.
constexpr BitRate MAX_TOR_RATE = INT64_MAX / 2;

} // namespace

OdcnCircuitLedger::OdcnCircuitLedger(uint32_t nRacks,
                                     uint32_t ports,
                                     uint32_t nOcs,
                                     BitRate portRate)
    : OdcnCircuitLedger(std::vector<uint32_t>(nRacks, ports),
                        nOcs,
                        std::vector<BitRate>(nRacks, portRate))
{
}

OdcnCircuitLedger::OdcnCircuitLedger(std::vector<uint32_t> ports,
                                     uint32_t nOcs,
                                     std::vector<BitRate> portRates)
    : m_nRacks(static_cast<uint32_t>(ports.size())),
      m_portsByRack(std::move(ports)),
      m_nOcs(nOcs),
      m_portRates(std::move(portRates))
{
    if (m_nRacks == 0)
    {
        throw OdcnError::InOption("racks", "0", "at least 1");
    }
    if (m_portRates.size() != m_nRacks)
    {
        throw OdcnError::InOption("rates of ports",
                                  std::to_string(m_portRates.size()) + " racks",
                                  std::to_string(m_nRacks) + " racks");
    }
    m_ports = *std::max_element(m_portsByRack.begin(), m_portsByRack.end());
    m_portRate = *std::max_element(m_portRates.begin(), m_portRates.end());
    if (nOcs == 0 || nOcs > std::max(m_ports, 1U))
    {
        throw OdcnError::InOption("number of OCSs",
                                  std::to_string(nOcs),
                                  "1 to the number of ports of a ToR, " + std::to_string(m_ports));
    }
    for (RackId u = 0; u < m_nRacks; ++u)
    {
        const uint32_t own = m_portsByRack[u];
        if (m_nRacks > 1 && own == 0)
        {
            throw OdcnError::InOption("ports of a ToR", "0", "at least 1");
        }
        const BitRate mostRate = MAX_TOR_RATE / std::max(own, 1U);
        if (m_portRates[u] <= 0 || m_portRates[u] > mostRate)
        {
            throw OdcnError::InOption("rate of a port",
                                      std::to_string(m_portRates[u]),
                                      "above 0, at most " + std::to_string(mostRate) + " bit/s");
        }
        const auto rate = static_cast<double>(m_portRates[u]);
        m_torRates.push_back(2.0 * own * rate);
        m_slowness.push_back(static_cast<double>(m_portRate) / rate);
    }
    const auto nPorts = static_cast<std::size_t>(m_nRacks) * m_ports;
    const auto nPairs = static_cast<std::size_t>(m_nRacks) * m_nRacks;
    m_out.resize(nPorts);
    m_in.resize(nPorts);
    m_outFailed.assign(nPorts, 0);
    for (RackId u = 0; u < m_nRacks; ++u)
    {
        const auto end = m_outFailed.begin() + static_cast<std::ptrdiff_t>(u + 1) * m_ports;
        std::fill(end - (m_ports - m_portsByRack[u]), end, 1);
    }
    m_inFailed = m_outFailed;
    m_pinned.assign(nPorts, 0);
    m_e.assign(nPairs, 0);
    m_capacity.assign(nPairs, 0);
    m_used.assign(nPairs, 0);
    m_touching.assign(m_nRacks, 0);
    m_fraction.assign(nPairs, 1.0F);
    m_min.assign(m_nRacks, 1.0F);
    m_dirty.assign(m_nRacks, 1);
    m_isChanged.assign(nPairs, 0);
    bool idle = false;
    for (RackId u = 0; m_nRacks > 1 && u < m_nRacks; ++u)
    {
        for (uint32_t p = 0; p < m_portsByRack[u]; ++p)
        {
            const RackId v = (u + 1 + p % (m_nRacks - 1)) % m_nRacks;
            if (p < m_portsByRack[v])
            {
                Connect(u, p, v, p);
            }
            else
            {
                idle = true;
            }
        }
    }
    if (idle)
    {
        ConnectIdle();
    }
}

void
OdcnCircuitLedger::ConnectIdle()
{
    // [rack][OCS]: no input port before this one is idle.
    std::vector<uint32_t> next(static_cast<std::size_t>(m_nRacks) * m_nOcs, 0);
    const auto findIdle = [&](RackId v, uint32_t ocs)
    {
        uint32_t& q = next[static_cast<std::size_t>(v) * m_nOcs + ocs];
        q = std::max(q, ocs);
        while (q < m_portsByRack[v] && GetIn(v, q).rack != NO_RACK)
        {
            q += m_nOcs;
        }
        return q;
    };
    for (uint32_t p = 0; p < m_ports; ++p)
    {
        for (RackId u = 0; u < m_nRacks; ++u)
        {
            if (p >= m_portsByRack[u] || GetOut(u, p).rack != NO_RACK)
            {
                continue;
            }
            RackId best = NO_RACK;
            for (uint32_t i = 1; i < m_nRacks; ++i)
            {
                const RackId v = (u + i) % m_nRacks;
                if ((best == NO_RACK || GetCircuits(u, v) < GetCircuits(u, best)) &&
                    findIdle(v, GetOcs(p)) < m_portsByRack[v])
                {
                    best = v;
                }
            }
            if (best != NO_RACK)
            {
                Connect(u, p, best, findIdle(best, GetOcs(p)));
            }
        }
    }
}

void
OdcnCircuitLedger::Refresh(RackId u, RackId v)
{
    const auto i = Pair(u, v);
    if (!m_isChanged[i])
    {
        m_isChanged[i] = 1;
        m_changed.emplace_back(u, v);
    }
    const BitRate capacity = m_capacity[i];
    const float before = m_fraction[i];
    const float now = capacity ? static_cast<float>(static_cast<double>(capacity - m_used[i]) /
                                                    static_cast<double>(capacity))
                               : 1.0F;
    m_fraction[i] = now;
    for (RackId r : {u, v})
    {
        if (now <= m_min[r])
        {
            m_min[r] = now;
        }
        else if (before <= m_min[r])
        {
            m_dirty[r] = 1;
        }
    }
}

float
OdcnCircuitLedger::GetMinResidualFraction(RackId u) const
{
    if (m_dirty[u])
    {
        float least = 1.0F;
        for (RackId v = 0; v < m_nRacks; ++v)
        {
            least = std::min({least, m_fraction[Pair(u, v)], m_fraction[Pair(v, u)]});
        }
        m_min[u] = least;
        m_dirty[u] = 0;
    }
    return m_min[u];
}

void
OdcnCircuitLedger::Add(RackId u, RackId v, BitRate rate)
{
    NS_ASSERT_MSG(u != v, "a rack needs no circuit to itself");
    m_used[Pair(u, v)] += rate;
    m_touching[u] += rate;
    m_touching[v] += rate;
    NS_ASSERT_MSG(m_used[Pair(u, v)] >= 0, "gave back more than was reserved");
    Refresh(u, v);
}

void
OdcnCircuitLedger::Connect(RackId u, uint32_t p, RackId v, uint32_t q)
{
    NS_ASSERT_MSG(u != v && GetOcs(p) == GetOcs(q), "a circuit joins two racks through one OCS");
    End& out = m_out[u * m_ports + p];
    End& in = m_in[v * m_ports + q];
    NS_ASSERT_MSG(out.rack == NO_RACK && in.rack == NO_RACK, "port in use");
    NS_ASSERT_MSG(!IsFailed(u, p, true) && !IsFailed(v, q, false), "port failed");
    out = {v, q};
    in = {u, p};
    ++m_e[Pair(u, v)];
    m_capacity[Pair(u, v)] += GetCircuitRate(u, v);
    Refresh(u, v);
}

void
OdcnCircuitLedger::Disconnect(RackId u, uint32_t p)
{
    End& out = m_out[u * m_ports + p];
    NS_ASSERT_MSG(out.rack != NO_RACK, "port idle");
    const RackId v = out.rack;
    m_in[v * m_ports + out.port] = End{};
    out = End{};
    --m_e[Pair(u, v)];
    m_capacity[Pair(u, v)] -= GetCircuitRate(u, v);
    Refresh(u, v);
}

OdcnCircuitChange
OdcnCircuitLedger::SetFailed(RackId u, uint32_t p, bool output, bool failed)
{
    NS_ASSERT_MSG(p < GetPorts(u), "no such port");
    OdcnCircuitChange change;
    const End end = output ? GetOut(u, p) : GetIn(u, p);
    if (failed && end.rack != NO_RACK)
    {
        change.from = output ? u : end.rack;
        change.outPort = output ? p : end.port;
        change.oldTo = output ? end.rack : u;
        change.oldInPort = output ? end.port : p;
        Disconnect(change.from, change.outPort);
    }
    (output ? m_outFailed : m_inFailed)[u * m_ports + p] = failed;
    return change;
}

bool
OdcnCircuitLedger::operator==(const OdcnCircuitLedger& o) const
{
    return m_portsByRack == o.m_portsByRack && m_nOcs == o.m_nOcs && m_portRates == o.m_portRates &&
           m_out == o.m_out && m_in == o.m_in && m_outFailed == o.m_outFailed &&
           m_inFailed == o.m_inFailed && m_pinned == o.m_pinned && m_e == o.m_e &&
           m_capacity == o.m_capacity && m_used == o.m_used && m_fraction == o.m_fraction;
}

} // namespace ns3::odcn
