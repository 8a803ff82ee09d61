// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_N_MGR_H
#define ODCN_N_MGR_H

#include "ns3/data-rate.h"
#include "ns3/object.h"
#include "ns3/odcn-circuit-ledger.h"
#include "ns3/odcn-circuit-loads.h"
#include "ns3/odcn-queue-table.h"
#include "ns3/odcn-sampled-queue.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// Bandwidth that a job reserves between two racks.
struct PairLoad
{
    RackId from{0};   //!< sending rack
    RackId to{0};     //!< receiving rack, a different one
    BitRate rate{0};  //!< bit/s
    uint32_t port{0}; //!< output port of the circuit it is pinned to; 0 when pooled
};

/**
 * @ingroup odcn
 *
 * The network manager (NMgr, section 3.A of the ODCN paper): keeps the circuit matrix, grants
 * bandwidth, and reconfigures the optical interconnect when a grant fails.
 *
 * A job's demands are staged one by one while its VMs are placed, so that the scheduler sees them;
 * Commit() then grants all of them, if necessary and possible after a reconfiguration, or none. A
 * refused grant leaves every ledger bit-identical.
 *
 * Reconfiguration: pairs with a deficit get more circuits, largest deficit first. At each end a
 * free port is used, otherwise that of a circuit, selected by Victim, of a pair whose load still
 * fits without it; the two ends freed thereby are connected too. No committed demand is ever
 * broken; either all deficits are removed or none.
 *
 * Pinned demands are pinned when staged. One that fits on no circuit is a deficit, removed by an
 * additional circuit. A circuit with a demand pinned to it is never moved, and neither is an idle
 * port whose circuit was lost under its demands.
 */
class NMgr : public Object
{
  public:
    /// How the demands of a rack pair share its circuits.
    enum Sharing
    {
        POOLED, //!< any demands up to a total of e_uv B
        PINNED, //!< each demand on one circuit, the fullest that can carry it
    };

    /// Which circuit is moved to another pair.
    enum Victim
    {
        LEAST_USED, //!< of the pair with least load per circuit
        MOST_SPARE, //!< of the pair with most unused bandwidth
    };

    /// Outcome of a request for the staged demands.
    enum class Grant
    {
        DIRECT,       //!< granted on the circuits as they were
        RECONFIGURED, //!< granted after a reconfiguration
        REFUSED,      //!< not granted, nothing changed
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return the Attribute Racks
    uint32_t GetNRacks() const
    {
        return m_nRacks;
    }

    /**
     * Build the all-to-all interconnect from the Attributes, with nothing reserved.
     * @throws OdcnError when an Attribute is out of range
     */
    void Reset();

    /// @return the circuit matrix
    const OdcnCircuitLedger& GetCircuits() const
    {
        return m_circuits;
    }

    /// @return a number that grows whenever circuits or their used bandwidth change
    uint64_t GetVersion() const
    {
        return m_version;
    }

    /**
     * Stage a demand. It counts as used at once, whether or not it fits.
     * @param from sending rack
     * @param to receiving rack; a demand within one rack does not load the network
     * @param rate bit/s
     */
    void Stage(RackId from, RackId to, BitRate rate);

    /// Remove all staged demands.
    void Unstage();

    /**
     * Grant the staged demands: all of them or none.
     * @param [out] granted the reservations, for Release()
     * @return outcome; on REFUSED the demands are no longer staged and @p granted is empty
     */
    Grant Commit(std::vector<PairLoad>& granted);

    /// @param granted reservations made by Commit()
    void Release(const std::vector<PairLoad>& granted);

    /// @return circuits changed by the last Commit() that returned RECONFIGURED
    const std::vector<OdcnCircuitChange>& GetLastChanges() const
    {
        return m_changes;
    }

    /**
     * Fail or repair a port. A lost circuit is not replaced until a reconfiguration uses its ports;
     * with Reconfigurable=false it comes back as soon as both its ports work again. Demands over it
     * stay reserved and may exceed the remaining capacity of the pair. With Sharing=Pinned not
     * while demands are staged.
     *
     * @param rack the rack
     * @param port the port
     * @param output whether it is an output port (else an input port)
     * @param failed whether it fails (else it is repaired)
     * @return the circuit that was lost or came back; its from is NO_RACK when none did
     * @throws OdcnError when there is no such port
     */
    OdcnCircuitChange SetPortFailed(RackId rack, uint32_t port, bool output, bool failed);

    /**
     * @return mean latency of the packets that arrive over the inter-rack circuits, in ns:
     * transmission plus the wait in the circuit's buffer at its present utilisation (M/D/1/K). On
     * an unused network the transmission time.
     */
    double GetMeanLatencyNs() const;

    /**
     * The same, measured on simulated packets instead of computed.
     * @param queue one entry per circuit or pair; each copy of this manager needs its own
     * @return mean latency in ns
     */
    double GetMeanLatencyNs(SampledQueue& queue) const;

    /**
     * Bounds of GetMeanLatencyNs(), so narrow that the exact value is seldom needed. With pooled
     * demands the cost depends on what has changed since the last call, not on the number of pairs.
     * @return bounds in ns
     */
    CircuitLoads::Range GetMeanLatencyBoundsNs() const;

    /// @return present loads of the circuits, those of each pair taken together
    const CircuitLoads& GetLoads() const
    {
        m_loads.Update(m_circuits, *m_queue);
        return m_loads;
    }

    /// @return share of the offered packets that the circuits' buffers lose, weighted by traffic
    double GetMeanLoss() const;

    /**
     * Contribution of a load to the backlog of all packets.
     * @param rho load of a circuit, in erlang
     * @return load that gets through x mean sojourn, both in service times: packets in the system
     */
    double GetBacklog(double rho) const
    {
        const auto queue = m_queue->Get(rho);
        return rho * (1 - queue.loss) * queue.sojourn;
    }

    /// @return transmission time of a packet at B in ns, at the highest B where racks differ
    double GetTransmissionNs() const;

    /// @return packets that a circuit's buffer holds besides the one in transmission
    uint32_t GetBufferPackets() const
    {
        return m_bufferPackets;
    }

    /// @return how the demands of a rack pair share its circuits
    Sharing GetSharing() const
    {
        return m_sharing;
    }

    /**
     * @param from sending rack
     * @param to receiving rack
     * @param rate bit/s, above 0
     * @return whether one demand of this rate would fit beside the used and staged bandwidth
     */
    bool Fits(RackId from, RackId to, BitRate rate) const;

    /**
     * A copy with the same configuration and state and no trace sinks.
     * @return the copy
     */
    Ptr<NMgr> Clone() const;

  private:
    /// One end of a new circuit, as found on an OCS.
    struct FreeEnd
    {
        bool found{false}; //!< whether an end was found
        uint32_t port{0};  //!< the port
        double cost{0}; //!< of the pair that loses a circuit, see Victim; below 0 for an idle port
    };

    /// One step of a tentative reconfiguration, to be undone in reverse.
    struct Step
    {
        bool connect{false};          //!< whether a circuit was connected (else disconnected)
        RackId u{0};                  //!< sending rack
        uint32_t p{0};                //!< its output port
        OdcnCircuitLedger::End other; //!< its input end
    };

    /// @return whether all staged demands fit on the circuits as they are
    bool StagedFit() const;

    /// Try to remove all staged deficits. @return whether all are; otherwise no circuit has changed
    bool Reconfigure();

    /// Reconfigure() when pooled. @return whether all deficits are removed
    bool RestorePooled();

    /// Reconfigure() when pinned. @return whether all deficits are removed
    bool RestorePinned();

    /// Compute the net changes from the steps of a reconfiguration, one for each port.
    void SumUpChanges();

    /// Give pair (u, v) one more circuit. @param u from  @param v to  @return whether one was found
    bool Augment(RackId u, RackId v);

    /**
     * Find the cheapest port of a rack on one OCS.
     * @param rack the rack
     * @param avoid the rack at the other end of the new circuit
     * @param ocs the OCS
     * @param output whether an output port is wanted (else an input port)
     * @return the end
     */
    FreeEnd FindEnd(RackId rack, RackId avoid, uint32_t ocs, bool output) const;

    /// @param u sending rack  @param p output port  @param v receiving rack  @param q input port
    void DoConnect(RackId u, uint32_t p, RackId v, uint32_t q);

    /// @param u sending rack  @param p output port
    void DoDisconnect(RackId u, uint32_t p);

    /**
     * Connect the circuit of the fixed interconnect that a port belongs to, if both its ports work.
     * @param rack the rack
     * @param port the port
     * @param output whether it is an output port (else an input port)
     * @return the circuit; its from is NO_RACK when it stays down
     */
    OdcnCircuitChange Rejoin(RackId rack, uint32_t port, bool output);

    /// Undo the steps of a tentative reconfiguration.
    void Undo();

    /**
     * @param from sending rack
     * @param to receiving rack
     * @param rate bit/s
     * @return output port of the fullest circuit that can carry the demand; NO_PORT if none can
     */
    uint32_t FindPin(RackId from, RackId to, BitRate rate) const;

    /// Pin a staged demand if a circuit can carry it. @param load the demand
    void Pin(PairLoad& load);

    /**
     * @param visit called with used and total bandwidth, in bit/s, of all that share a buffer: the
     * circuits of a pair when pooled, a circuit when pinned; and with the rate of the fastest port
     * divided by that of these circuits
     */
    template <typename F>
    void ForEachLoad(F visit) const;

    /// @param queue mean sojourn and loss by index and load  @return mean latency in ns
    template <typename F>
    double MeanLatencyNs(F queue) const;

    /// @param text value of PortsByTor
    void SetPortsByTor(const std::string& text);

    /// @return value of PortsByTor
    std::string GetPortsByTor() const;

    /// @param text value of PortRateByTor
    void SetPortRateByTor(const std::string& text);

    /// @return value of PortRateByTor
    std::string GetPortRateByTor() const;

    /// Port of a staged demand that no circuit can carry.
    static constexpr uint32_t NO_PORT = UINT32_MAX;

    uint32_t m_nRacks;                    //!< |V|
    uint32_t m_ports;                     //!< P; 0 for |V| - 1
    std::string m_portsText;              //!< PortsByTor as set
    std::vector<uint32_t> m_portsByTor;   //!< P of each rack; empty for m_ports
    uint32_t m_nOcs;                      //!< |W|
    DataRate m_portRate;                  //!< B
    std::string m_portRateText;           //!< PortRateByTor as set
    std::vector<BitRate> m_portRateByTor; //!< B of each rack, bit/s; empty for m_portRate
    Sharing m_sharing;                    //!< pooled or pinned
    Victim m_victim;                      //!< which circuit is moved
    bool m_reconfigurable;                //!< whether failed grants try a reconfiguration
    uint32_t m_packetSize;                //!< packet size, bytes
    uint32_t m_bufferPackets;             //!< waiting places of a circuit's buffer
    OdcnCircuitLedger m_circuits;         //!< e_uv and used bandwidth
    /// [u][p]: input port that an output port reaches after Reset()
    std::shared_ptr<const std::vector<OdcnCircuitLedger::End>> m_fixed;
    uint64_t m_version{0};                     //!< see GetVersion()
    std::shared_ptr<const QueueTable> m_queue; //!< utilisation to latency and loss
    mutable CircuitLoads m_loads;              //!< cache of GetLoads()
    std::vector<PairLoad> m_staged;            //!< demands of the job being placed
    std::vector<PairLoad> m_deficits;          //!< scratch of Reconfigure()
    std::vector<Step> m_steps;                 //!< steps of the tentative reconfiguration
    std::vector<OdcnCircuitChange> m_changes;  //!< of the last reconfiguration
};

} // namespace ns3::odcn

#endif /* ODCN_N_MGR_H */
