// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ocs-circuit-table.h"

#include "ns3/odcn-error.h"

#include <string>
#include <utility>

namespace ns3::odcn
{

OcsCircuitTable::OcsCircuitTable(uint32_t racks, uint32_t ports)
    : m_racks(racks),
      m_ports(ports),
      m_circuits(std::size_t(racks) * racks, 0),
      m_peers(std::size_t(racks) * ports, NO_RACK),
      m_senders(racks),
      m_next(racks)
{
}

uint64_t
OcsCircuitTable::GetNextPorts(RackId u, RackId to)
{
    if (m_ports > MAX_PORTS)
    {
        throw OdcnError::InOption("paths over several racks",
                                  std::to_string(m_ports) + " uplinks",
                                  "at most " + std::to_string(MAX_PORTS));
    }
    if (u >= m_racks || to >= m_racks)
    {
        return 0;
    }
    if (m_stale)
    {
        Refresh();
    }
    if (m_next[to].empty())
    {
        FindPaths(to);
    }
    return m_next[to][u];
}

void
OcsCircuitTable::Refresh()
{
    for (RackId v = 0; v < m_racks; ++v)
    {
        m_senders[v].clear();
        m_next[v].clear();
    }
    for (RackId u = 0; u < m_racks; ++u)
    {
        for (uint32_t port = 0; port < m_ports; ++port)
        {
            const RackId v = m_peers[std::size_t(u) * m_ports + port];
            if (v < m_racks)
            {
                m_senders[v].push_back({u, port});
            }
        }
    }
    m_disjoint.clear();
    m_stale = false;
}

const std::vector<OcsCircuitTable::Path>&
OcsCircuitTable::GetDisjointPaths(RackId u, RackId to, uint32_t most)
{
    if (m_racks > UINT16_MAX)
    {
        throw OdcnError::InOption("disjoint paths",
                                  std::to_string(m_racks) + " racks",
                                  "at most " + std::to_string(UINT16_MAX));
    }
    if (m_stale)
    {
        Refresh();
    }
    const auto [entry, isNew] = m_disjoint.try_emplace({u, to, most});
    if (isNew && u < m_racks && to < m_racks)
    {
        std::vector<RackId> peers = m_peers;
        while (entry->second.size() < most)
        {
            Path path = TakePath(u, to, peers);
            if (path.empty())
            {
                break;
            }
            entry->second.push_back(std::move(path));
        }
    }
    return entry->second;
}

OcsCircuitTable::Path
OcsCircuitTable::TakePath(RackId u, RackId to, std::vector<RackId>& peers) const
{
    constexpr std::size_t UNSEEN = SIZE_MAX;
    std::vector<std::size_t> via(m_racks, UNSEEN); // index in peers of the circuit to a rack
    std::vector<RackId> reached{u};
    for (std::size_t i = 0; i < reached.size() && via[to] == UNSEEN; ++i)
    {
        for (uint32_t port = 0; port < m_ports; ++port)
        {
            const std::size_t circuit = std::size_t(reached[i]) * m_ports + port;
            const RackId v = peers[circuit];
            if (v < m_racks && v != u && via[v] == UNSEEN)
            {
                via[v] = circuit;
                reached.push_back(v);
            }
        }
    }
    Path path;
    if (via[to] != UNSEEN)
    {
        for (RackId v = to; v != u; v = static_cast<RackId>(via[v] / m_ports))
        {
            path.insert(path.begin(), static_cast<uint16_t>(v));
        }
        for (RackId v = to; v != u;)
        {
            const std::size_t circuit = via[v];
            peers[circuit] = NO_RACK;
            v = static_cast<RackId>(circuit / m_ports);
        }
    }
    return path;
}

void
OcsCircuitTable::FindPaths(RackId to)
{
    std::vector<uint64_t>& next = m_next[to];
    next.assign(m_racks, 0);
    std::vector<uint32_t> hops(m_racks, UINT32_MAX);
    std::vector<RackId> reached{to};
    hops[to] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i)
    {
        const RackId v = reached[i];
        for (const Sender& s : m_senders[v])
        {
            if (hops[s.rack] == UINT32_MAX)
            {
                hops[s.rack] = hops[v] + 1;
                reached.push_back(s.rack);
            }
            if (hops[s.rack] == hops[v] + 1)
            {
                next[s.rack] |= uint64_t(1) << s.port;
            }
        }
    }
}

} // namespace ns3::odcn
