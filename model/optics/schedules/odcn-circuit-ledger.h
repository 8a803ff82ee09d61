// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CIRCUIT_LEDGER_H
#define ODCN_CIRCUIT_LEDGER_H

#include "ns3/odcn-units.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Change of the circuit of one output port of a ToR: the content of a command to an OCS.
 */
struct OdcnCircuitChange
{
    RackId from{NO_RACK};  //!< rack u of the output port
    uint32_t outPort{0};   //!< output port of u, 0 to P - 1
    RackId oldTo{NO_RACK}; //!< rack reached before, NO_RACK when the port was idle
    uint32_t oldInPort{0}; //!< input port of oldTo
    RackId newTo{NO_RACK}; //!< rack reached afterwards, NO_RACK when the port becomes idle
    uint32_t newInPort{0}; //!< input port of newTo
};

/**
 * @ingroup odcn
 *
 * The circuit matrix e_uv over individual ports of the OCSs, and the bandwidth in use on it.
 *
 * Each rack has P output and P input ports of rate B; P and B may differ from rack to rack. Port p
 * of every rack is connected to OCS p mod |W|, and a circuit joins an output and an input port of
 * the same OCS, at the lower of their rates. Bandwidth is reserved per rack pair
 * (pooled, e_uv B) and, where demands are pinned, on single circuits, too. Quantities are exact
 * integers: undoing a change restores the ledger bit for bit. A value type: copy it for a what-if.
 *
 * Staged demands may exceed a pair's capacity temporarily, until the network manager augments the
 * pair or withdraws them.
 */
class OdcnCircuitLedger
{
  public:
    /// The port at the other end of a circuit.
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

    /**
     * Racks that may differ. Output port p of rack u reaches the same rack as above, if that has a
     * port p. Then each output port that is left, in ascending order of port and rack, is joined
     * to an idle input port of the rack to which its rack has fewest circuits, the next one upwards
     * among equals.
     *
     * @param ports P of each rack, at least 1 unless there is one rack
     * @param nOcs |W|, 1 to the largest P
     * @param portRates B of each rack in bit/s, above 0
     * @throws OdcnError when a number is out of range
     */
    OdcnCircuitLedger(std::vector<uint32_t> ports, uint32_t nOcs, std::vector<BitRate> portRates);

    /// @param u sending rack  @param v receiving rack  @return e_uv
    uint32_t GetCircuits(RackId u, RackId v) const
    {
        return m_e[Pair(u, v)];
    }

    /// @param u sending rack  @param v receiving rack  @return e_uv B in bit/s
    BitRate GetCapacity(RackId u, RackId v) const
    {
        return m_capacity[Pair(u, v)];
    }

    /// @param u sending rack  @param v receiving rack  @return rate of a circuit of theirs, bit/s
    BitRate GetCircuitRate(RackId u, RackId v) const
    {
        return std::min(m_portRates[u], m_portRates[v]);
    }

    /// @param u sending rack  @param v receiving rack  @return GetPortRate() / their circuits' rate
    double GetSlowness(RackId u, RackId v) const
    {
        return std::max(m_slowness[u], m_slowness[v]);
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
        return m_capacity[i] - m_used[i];
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
        return static_cast<float>(static_cast<double>(m_touching[u]) / m_torRates[u]);
    }

    /**
     * @param u sending rack
     * @param v receiving rack
     * @param rate bandwidth to reserve on the pair, bit/s; negative to release
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
     * @param rate bandwidth to pin to its circuit, bit/s; negative to release
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
     * Fail or repair a port. A failed port cannot be connected and loses its circuit, if any.
     *
     * @param u rack
     * @param p port
     * @param output true for the output port, false for the input port
     * @param failed true to fail it, false to repair it, which leaves it idle
     * @return the change at the output end of the circuit lost; from is NO_RACK without one
     */
    OdcnCircuitChange SetFailed(RackId u, uint32_t p, bool output, bool failed);

    /// @param u rack  @param p port  @param output or input port  @return whether it has failed;
    /// true from P of this rack to the largest P
    bool IsFailed(RackId u, uint32_t p, bool output) const
    {
        return (output ? m_outFailed : m_inFailed)[u * m_ports + p] != 0;
    }

    /// @param p port of any rack  @return the OCS to which it is connected
    uint32_t GetOcs(uint32_t p) const
    {
        return p % m_nOcs;
    }

    /// @return |V|, number of racks
    uint32_t GetNRacks() const
    {
        return m_nRacks;
    }

    /// @return the largest P; ports that a rack lacks are always idle
    uint32_t GetPorts() const
    {
        return m_ports;
    }

    /// @param u rack  @return P, number of its output ports (and of input ports)
    uint32_t GetPorts(RackId u) const
    {
        return m_portsByRack[u];
    }

    /// @return |W|, number of OCSs
    uint32_t GetNOcs() const
    {
        return m_nOcs;
    }

    /// @return the highest B, bit/s
    BitRate GetPortRate() const
    {
        return m_portRate;
    }

    /// @param u rack  @return B, rate of its ports, bit/s
    BitRate GetPortRate(RackId u) const
    {
        return m_portRates[u];
    }

    /**
     * Visit the pairs that have changed since the last call, or since construction, for a caller
     * that caches values derived from them.
     * @param visit called once for each pair with its sending and receiving rack
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

    /// Connect the ports that the all-to-all rule leaves idle.
    void ConnectIdle();

    /// Recompute a pair's residual fraction. @param u sending rack  @param v receiving rack
    void Refresh(RackId u, RackId v);

    uint32_t m_nRacks{0};                 //!< |V|, number of racks
    std::vector<uint32_t> m_portsByRack;  //!< [u]: P, ports each way
    uint32_t m_ports{0};                  //!< the largest P
    uint32_t m_nOcs{1};                   //!< |W|, number of OCSs
    std::vector<BitRate> m_portRates;     //!< [u]: B, bit/s
    BitRate m_portRate{0};                //!< the highest B, bit/s
    std::vector<double> m_slowness;       //!< [u]: highest B / B
    std::vector<double> m_torRates;       //!< [u]: 2 P B, bit/s
    std::vector<End> m_out;               //!< [u][p]: input port reached
    std::vector<End> m_in;                //!< [v][q]: output port that reaches it
    std::vector<uint8_t> m_outFailed;     //!< [u][p]: 1 if failed
    std::vector<uint8_t> m_inFailed;      //!< [v][q]: 1 if failed
    std::vector<BitRate> m_pinned;        //!< [u][p]: bandwidth pinned, bit/s
    std::vector<uint32_t> m_e;            //!< [u][v]: e_uv
    std::vector<BitRate> m_capacity;      //!< [u][v]: e_uv B, bit/s
    std::vector<BitRate> m_used;          //!< [u][v]: bandwidth reserved, bit/s
    std::vector<BitRate> m_touching;      //!< total reserved to and from a rack, bit/s
    std::vector<float> m_fraction;        //!< [u][v]: residual fraction; 1 without a circuit
    mutable std::vector<float> m_min;     //!< least fraction of a rack's pairs, valid unless dirty
    mutable std::vector<uint8_t> m_dirty; //!< whether m_min must be recomputed
    mutable std::vector<std::pair<RackId, RackId>> m_changed; //!< changed pairs, see TakeChanges()
    mutable std::vector<uint8_t> m_isChanged;                 //!< [u][v]: whether in m_changed
};

} // namespace ns3::odcn

#endif /* ODCN_CIRCUIT_LEDGER_H */
