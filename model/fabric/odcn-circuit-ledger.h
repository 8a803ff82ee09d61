// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CIRCUIT_LEDGER_H
#define ODCN_CIRCUIT_LEDGER_H

#include "ns3/odcn-units.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * One output port of a ToR whose circuit changed: what an OCS has to be told.
 */
struct OdcnCircuitChange
{
    RackId from{NO_RACK};  //!< rack u of the output port
    uint32_t outPort{0};   //!< output port of u, 0 to P - 1
    RackId oldTo{NO_RACK}; //!< rack reached before, NO_RACK when the port was idle
    uint32_t oldInPort{0}; //!< input port of oldTo
    RackId newTo{NO_RACK}; //!< rack reached from now on, NO_RACK when the port goes idle
    uint32_t newInPort{0}; //!< input port of newTo
};

/**
 * @ingroup odcn
 *
 * The circuit matrix e_uv over real ports of real OCSs, and the bandwidth in use on it.
 *
 * Each rack has P output and P input ports; port p of every rack is fibred to OCS p mod |W|, and a
 * circuit joins an output and an input port of the same OCS. Bandwidth is reserved per rack pair
 * (pooled, e_uv B) and, where demands are pinned, on single circuits too. Exact integers: undoing a
 * change restores the ledger bit for bit. A plain value: copying it is a what-if.
 *
 * Staged demands may exceed a pair's capacity for a while: the network manager finds out, and
 * augments the pair or takes them back.
 */
class OdcnCircuitLedger
{
  public:
    /// What a port is joined to.
    struct End
    {
        RackId rack{NO_RACK}; //!< rack at the other end, NO_RACK when idle
        uint32_t port{0};     //!< its port

        /// @param o other  @return whether both members are equal
        bool operator==(const End& o) const = default;
    };

    OdcnCircuitLedger() = default;

    /**
     * All-to-all: output port p of rack u reaches rack (u + 1 + p mod (|V| - 1)) mod |V|.
     *
     * @param nRacks |V|, at least 1
     * @param ports output (and input) ports of each ToR; at least 1 unless there is one rack
     * @param nOcs |W|, 1 to ports
     * @param portRate B in bit/s, above 0
     * @throws OdcnError when a number is out of range
     */
    OdcnCircuitLedger(uint32_t nRacks, uint32_t ports, uint32_t nOcs, BitRate portRate);

    /// @param u sending rack  @param v receiving rack  @return e_uv
    uint32_t GetCircuits(RackId u, RackId v) const
    {
        return m_e[Pair(u, v)];
    }

    /// @param u sending rack  @param v receiving rack  @return e_uv B in bit/s
    BitRate GetCapacity(RackId u, RackId v) const
    {
        return m_e[Pair(u, v)] * m_portRate;
    }

    /// @param u sending rack  @param v receiving rack  @return bandwidth reserved, bit/s
    BitRate GetUsed(RackId u, RackId v) const
    {
        return m_used[Pair(u, v)];
    }

    /// @param u sending rack  @param v receiving rack  @return e_uv B - used; below 0 if
    /// oversubscribed
    BitRate GetResidual(RackId u, RackId v) const
    {
        const auto i = Pair(u, v);
        return m_e[i] * m_portRate - m_used[i];
    }

    /**
     * The bottleneck of all circuits into and out of a rack.
     *
     * @param u the rack
     * @return least residual fraction (e_uv B - used) / (e_uv B) over pairs with circuits, 1 at
     * most
     */
    float GetMinResidualFraction(RackId u) const;

    /// @param u the rack  @return bandwidth reserved to and from it, as a share of all its ports'
    float GetMeanLoad(RackId u) const
    {
        return static_cast<float>(static_cast<double>(m_touching[u]) /
                                  (2.0 * m_ports * static_cast<double>(m_portRate)));
    }

    /**
     * @param u sending rack
     * @param v receiving rack
     * @param rate bandwidth to add to the pair, bit/s; negative to give back
     */
    void Add(RackId u, RackId v, BitRate rate);

    /// @param u rack  @param p output port  @return bandwidth pinned to its circuit, bit/s
    BitRate GetPinned(RackId u, uint32_t p) const
    {
        return m_pinned[u * m_ports + p];
    }

    /**
     * @param u rack
     * @param p output port
     * @param rate bandwidth to pin to its circuit, bit/s; negative to give back
     */
    void Pin(RackId u, uint32_t p, BitRate rate)
    {
        m_pinned[u * m_ports + p] += rate;
    }

    /// @param u rack  @param p output port  @return the input port it reaches
    const End& GetOut(RackId u, uint32_t p) const
    {
        return m_out[u * m_ports + p];
    }

    /// @param v rack  @param q input port  @return the output port that reaches it
    const End& GetIn(RackId v, uint32_t q) const
    {
        return m_in[v * m_ports + q];
    }

    /**
     * Join two idle ports of the same OCS.
     * @param u sending rack
     * @param p its output port
     * @param v receiving rack, not u
     * @param q its input port
     */
    void Connect(RackId u, uint32_t p, RackId v, uint32_t q);

    /// @param u rack  @param p output port whose circuit ends
    void Disconnect(RackId u, uint32_t p);

    /**
     * A failed port carries nothing and cannot be connected; its circuit, if any, is gone.
     *
     * @param u rack
     * @param p port
     * @param output whether the output (else the input) port
     * @param failed whether it fails (else it is repaired, and idle)
     * @return the change at the output end when a circuit was lost; from is NO_RACK when none was
     */
    OdcnCircuitChange SetFailed(RackId u, uint32_t p, bool output, bool failed);

    /// @param u rack  @param p port  @param output which side  @return whether it has failed
    bool IsFailed(RackId u, uint32_t p, bool output) const
    {
        return (output ? m_outFailed : m_inFailed)[u * m_ports + p] != 0;
    }

    /// @param p port of any rack  @return the OCS it is fibred to
    uint32_t GetOcs(uint32_t p) const
    {
        return p % m_nOcs;
    }

    /// @return |V|
    uint32_t GetNRacks() const
    {
        return m_nRacks;
    }

    /// @return P, ports of each ToR, each way
    uint32_t GetPorts() const
    {
        return m_ports;
    }

    /// @return |W|
    uint32_t GetNOcs() const
    {
        return m_nOcs;
    }

    /// @return B in bit/s
    BitRate GetPortRate() const
    {
        return m_portRate;
    }

    /**
     * Tell which pairs have changed since the last call (of a new ledger: since it was built), for
     * the one who keeps what follows from them.
     * @param visit called with the sending and the receiving rack of each, once
     */
    template <typename F>
    void TakeChanges(F visit) const
    {
        for (const auto& [u, v] : m_changed)
        {
            m_isChanged[Pair(u, v)] = 0;
            visit(u, v);
        }
        m_changed.clear();
    }

    /// @param o other  @return whether circuits, failures and reservations are equal
    bool operator==(const OdcnCircuitLedger& o) const;

  private:
    /// @param u sending rack  @param v receiving rack  @return index into the pair arrays
    std::size_t Pair(RackId u, RackId v) const
    {
        return static_cast<std::size_t>(u) * m_nRacks + v;
    }

    /// Recompute a pair's residual fraction. @param u sending rack  @param v receiving rack
    void Refresh(RackId u, RackId v);

    uint32_t m_nRacks{0};                 //!< |V|
    uint32_t m_ports{0};                  //!< P
    uint32_t m_nOcs{1};                   //!< |W|
    BitRate m_portRate{0};                //!< B
    std::vector<End> m_out;               //!< [u][p]
    std::vector<End> m_in;                //!< [v][q]
    std::vector<uint8_t> m_outFailed;     //!< [u][p]
    std::vector<uint8_t> m_inFailed;      //!< [v][q]
    std::vector<BitRate> m_pinned;        //!< [u][p], bit/s
    std::vector<uint32_t> m_e;            //!< e_uv
    std::vector<BitRate> m_used;          //!< bit/s per pair
    std::vector<BitRate> m_touching;      //!< bit/s to and from a rack, all pairs together
    std::vector<float> m_fraction;        //!< residual fraction per pair; 1 without a circuit
    mutable std::vector<float> m_min;     //!< bottleneck of a rack, valid unless dirty
    mutable std::vector<uint8_t> m_dirty; //!< whether m_min has to be found anew
    mutable std::vector<std::pair<RackId, RackId>> m_changed; //!< pairs, see TakeChanges()
    mutable std::vector<uint8_t> m_isChanged;                 //!< whether a pair is among them
};

} // namespace ns3::odcn

#endif /* ODCN_CIRCUIT_LEDGER_H */
