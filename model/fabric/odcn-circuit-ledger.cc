// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-circuit-ledger.h"

#include "ns3/assert.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <string>

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
    : m_nRacks(nRacks),
      m_ports(ports),
      m_nOcs(nOcs),
      m_portRate(portRate)
{
    if (nRacks == 0)
    {
        throw OdcnError::InOption("racks", "0", "at least 1");
    }
    if (nRacks > 1 && ports == 0)
    {
        throw OdcnError::InOption("ports of a ToR", "0", "at least 1");
    }
    if (nOcs == 0 || nOcs > std::max(ports, 1U))
    {
        throw OdcnError::InOption("number of OCSs",
                                  std::to_string(nOcs),
                                  "1 to the number of ports of a ToR, " + std::to_string(ports));
    }
    const BitRate mostRate = MAX_TOR_RATE / std::max(ports, 1U);
    if (portRate <= 0 || portRate > mostRate)
    {
        throw OdcnError::InOption("rate of a port",
                                  std::to_string(portRate),
                                  "above 0, at most " + std::to_string(mostRate) + " bit/s");
    }
    const auto nPorts = static_cast<std::size_t>(nRacks) * ports;
    const auto nPairs = static_cast<std::size_t>(nRacks) * nRacks;
    m_out.resize(nPorts);
    m_in.resize(nPorts);
    m_outFailed.assign(nPorts, 0);
    m_inFailed.assign(nPorts, 0);
    m_pinned.assign(nPorts, 0);
    m_e.assign(nPairs, 0);
    m_used.assign(nPairs, 0);
    m_touching.assign(nRacks, 0);
    m_fraction.assign(nPairs, 1.0F);
    m_min.assign(nRacks, 1.0F);
    m_dirty.assign(nRacks, 1);
    m_isChanged.assign(nPairs, 0);
    for (RackId u = 0; nRacks > 1 && u < nRacks; ++u)
    {
        for (uint32_t p = 0; p < ports; ++p)
        {
            Connect(u, p, (u + 1 + p % (nRacks - 1)) % nRacks, p);
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
    const BitRate capacity = m_e[i] * m_portRate;
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
    Refresh(u, v);
}

OdcnCircuitChange
OdcnCircuitLedger::SetFailed(RackId u, uint32_t p, bool output, bool failed)
{
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
    return m_nRacks == o.m_nRacks && m_ports == o.m_ports && m_nOcs == o.m_nOcs &&
           m_portRate == o.m_portRate && m_out == o.m_out && m_in == o.m_in &&
           m_outFailed == o.m_outFailed && m_inFailed == o.m_inFailed && m_pinned == o.m_pinned &&
           m_e == o.m_e && m_used == o.m_used && m_fraction == o.m_fraction;
}

} // namespace ns3::odcn
