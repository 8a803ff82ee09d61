// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_CIRCUIT_TABLE_H
#define OCS_CIRCUIT_TABLE_H

#include "ns3/odcn-units.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The working circuits that the ToR switches use. All of them share one table, so that each can
 * find transit racks for a detour (e_uv, the number of circuits from rack u to rack v) and shortest
 * paths over several racks.
 */
class OcsCircuitTable : public SimpleRefCount<OcsCircuitTable>
{
  public:
    /// Most uplinks of a rack for GetNextPorts().
    static constexpr uint32_t MAX_PORTS = 64;

    /// @param racks number of racks  @param ports uplinks of each
    OcsCircuitTable(uint32_t racks, uint32_t ports);

    /// @return number of racks
    uint32_t GetNRacks() const
    {
        return m_racks;
    }

    /// @param u sending rack  @param v receiving rack  @return number of circuits
    uint32_t Get(RackId u, RackId v) const
    {
        return u < m_racks && v < m_racks ? m_circuits[std::size_t(u) * m_racks + v] : 0;
    }

    /// @param u sending rack  @param v receiving rack  @param n number of circuits
    void Set(RackId u, RackId v, uint32_t n)
    {
        m_circuits.at(std::size_t(u) * m_racks + v) = n;
    }

    /**
     * Set the circuit that paths may use on an uplink.
     * @param u sending rack  @param port its uplink  @param v receiving rack, NO_RACK for none
     */
    void SetPort(RackId u, uint32_t port, RackId v)
    {
        RackId& peer = m_peers.at(std::size_t(u) * m_ports + port);
        m_stale = m_stale || peer != v;
        peer = v;
    }

    /**
     * Uplinks on shortest paths, in hops. Paths to a destination are computed by breadth-first
     * search when they are first asked for after a change of circuits.
     *
     * @param u sending rack  @param to destination, another rack
     * @return bit p is set if uplink p starts a shortest path; 0 without a path
     */
    uint64_t GetNextPorts(RackId u, RackId to);

    /**
     * Set the pairs of racks between which all circuits of a schedule are known to have failed.
     * @param cutOff [u][v]: whether they have; empty for no such pair
     */
    void SetCutOff(std::vector<bool> cutOff)
    {
        m_cutOff = std::move(cutOff);
    }

    /// @param u sending rack  @param v receiving rack  @return see SetCutOff()
    bool IsCutOff(RackId u, RackId v) const
    {
        return !m_cutOff.empty() && m_cutOff.at(std::size_t(u) * m_racks + v);
    }

    /// A path: the racks after its start, up to the destination.
    using Path = std::vector<uint16_t>;

    /**
     * Paths that share no circuit: a shortest one, then a shortest one over the circuits that are
     * left, and so on. Computed when first asked for after a change of circuits.
     *
     * @param u sending rack  @param to destination, another rack  @param most number of paths
     * @return the paths, at most @p most of them; none without a path
     */
    const std::vector<Path>& GetDisjointPaths(RackId u, RackId to, uint32_t most);

  private:
    /// Compute m_next of a destination. @param to the destination
    void FindPaths(RackId to);

    /// Remove the circuits of a shortest path. @param u its start  @param to its end
    /// @param [in,out] peers [u][port]: receiver or NO_RACK  @return the path; empty without one
    Path TakePath(RackId u, RackId to, std::vector<RackId>& peers) const;

    /// Index the circuits by their receivers, and mark all paths as unknown.
    void Refresh();

    /// The sender of a circuit.
    struct Sender
    {
        RackId rack;   //!< sending rack
        uint32_t port; //!< its uplink
    };

    uint32_t m_racks;                           //!< number of racks
    uint32_t m_ports;                           //!< uplinks of each
    std::vector<uint32_t> m_circuits;           //!< [u][v]: number of circuits
    std::vector<RackId> m_peers;                //!< [u][port]: receiver or NO_RACK
    std::vector<bool> m_cutOff;                 //!< [u][v]: see SetCutOff()
    bool m_stale{true};                         //!< whether circuits have changed since Refresh()
    std::vector<std::vector<Sender>> m_senders; //!< [v]: circuits to v
    std::vector<std::vector<uint64_t>> m_next;  //!< [to][u]: see GetNextPorts(); empty if unknown
    /// By (u, to, number of paths): see GetDisjointPaths().
    std::map<std::tuple<RackId, RackId, uint32_t>, std::vector<Path>> m_disjoint;
};

} // namespace ns3::odcn

#endif /* OCS_CIRCUIT_TABLE_H */
