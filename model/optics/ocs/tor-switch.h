// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef TOR_SWITCH_H
#define TOR_SWITCH_H

#include "ocs-address-plan.h"
#include "ocs-circuit-table.h"
#include "ocs-drop-cause.h"
#include "ocs-net-device.h"
#include "ocs-packet-header.h"
#include "tor-buffer.h"
#include "tor-routing.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/odcn-units.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/queue-size.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The electronic top-of-rack switch: a downlink port to each server and uplink ports to the optical
 * circuit switches, each with its own queue.
 *
 * It forwards by the IPv4 destination, decoded by a shift and a mask (OcsAddressPlan), without an
 * IP stack: TTL and checksum are unchanged, as in a layer-2 switch. The controller sets the rack
 * that each uplink reaches. Packets to a rack spread over all uplinks that reach it; without one
 * they are dropped, or take a detour over another rack.
 *
 * A TorRouting decides on packets to other racks: DropRouting or DetourRouting, as NoCircuit says,
 * by which they wait in the ports' queues. With NoCircuit=Hold it is that of Routing, and packets
 * wait in queues of the switch (TorBuffer). Then a circuit may have an end that is known in
 * advance: no packet starts that would not leave completely before it.
 *
 * Besides, it may have electrical uplinks to packet switches (hybrid fabrics), each with the queue
 * of its port. Routing chooses the packets that leave by them; they spread over the electrical
 * uplinks on the way to their rack as Spreading says. What arrives by one is for a server of this
 * rack, or dropped as misrouted.
 *
 * Counters (packets): received = sent + waiting + dropped by cause; waiting includes those held.
 * A packet is sent when its first bit leaves. Control packets of the routing, which end at the far
 * switch, are counted apart.
 */
class TorSwitch : public Object, public OcsPortUser
{
  public:
    /// How packets to a rack spread over the circuits to it.
    enum SpreadingMode
    {
        PER_PACKET,  //!< uniformly at random: a Poisson stream splits into Poisson streams
        ROUND_ROBIN, //!< in cyclic order
        PER_FLOW,    //!< by a hash of addresses, protocol and ports: no reordering
    };

    /// Treatment of a packet to a rack without a circuit.
    enum NoCircuitPolicy
    {
        NO_CIRCUIT_DROP,   //!< dropped
        NO_CIRCUIT_DETOUR, //!< sent over a transit rack that has a circuit, if any
        NO_CIRCUIT_HOLD,   //!< held until Routing sends it
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    TorSwitch();

    /// @param plan encoding of rack and server in addresses
    void SetAddressPlan(const OcsAddressPlan& plan)
    {
        m_plan = plan;
    }

    /// @param table circuits, shared by all switches; needed before the first circuit or packet
    void SetCircuitTable(Ptr<OcsCircuitTable> table);

    /// @param device port to the next server  @return the server's index in the rack
    uint32_t AddDownlink(Ptr<OcsNetDevice> device);

    /// @param device next port to an optical switch  @return the port's number
    uint32_t AddUplink(Ptr<OcsNetDevice> device);

    /// Most electrical uplinks of a switch.
    static constexpr uint32_t MAX_ELECTRICAL = 64;

    /// @param device next electrical uplink  @return its number, below MAX_ELECTRICAL
    uint32_t AddElectrical(Ptr<OcsNetDevice> device);

    /// @return number of electrical uplinks
    uint32_t GetNElectrical() const
    {
        return static_cast<uint32_t>(m_electrical.size());
    }

    /// @param port number of an electrical uplink  @return the port
    Ptr<OcsNetDevice> GetElectrical(uint32_t port) const
    {
        return m_electrical.at(port);
    }

    /// @param ports by rack: bit p is set if electrical uplink p leads there
    void SetElectricalRoutes(std::vector<uint64_t> ports);

    /**
     * Racks have uplinks of different rates: a circuit has the lower rate of its two uplinks.
     * @param rates of an uplink, by rack
     */
    void SetUplinkRates(std::vector<DataRate> rates);

    /// @return all ports: downlinks, uplinks and electrical uplinks
    const std::vector<Ptr<OcsNetDevice>>& GetPorts() const
    {
        return m_ports;
    }

    /// @return number of downlink ports
    uint32_t GetNDownlinks() const
    {
        return static_cast<uint32_t>(m_downlinks.size());
    }

    /// @return number of uplink ports to optical switches
    uint32_t GetNUplinks() const
    {
        return static_cast<uint32_t>(m_uplinks.size());
    }

    /// @param server index in the rack  @return the port to it
    Ptr<OcsNetDevice> GetDownlink(uint32_t server) const
    {
        return m_downlinks.at(server);
    }

    /// @param port number  @return the port
    Ptr<OcsNetDevice> GetUplink(uint32_t port) const;

    /**
     * Set the rack that an uplink reaches.
     *
     * @param port the uplink
     * @param rack the rack
     * @param until time by which the last bit of the last packet must have left; only held packets
     * respect it
     * @param usable false if the circuit is known to lose packets, see SetUsable()
     */
    void SetCircuit(uint32_t port, RackId rack, Time until = Time::Max(), bool usable = true);

    /**
     * Use or avoid the circuit of an uplink, as if the uplink had failed: a port elsewhere on its
     * path has failed or been repaired. Waiting packets move to other circuits.
     *
     * @param port the uplink
     * @param usable whether packets may use its circuit
     */
    void SetUsable(uint32_t port, bool usable);

    /// Drop all waiting and held packets, as a switch does that restarts (cause "reboot").
    void LoseQueues();

    /**
     * Keep an uplink's circuit from being part of paths over several racks, because it ends soon.
     * It still carries packets for which it is the last hop.
     *
     * @param port the uplink
     */
    void Withdraw(uint32_t port);

    /// @return see TorRouting::UsesEndingCircuits(); true if the switch has no uplinks
    bool UsesEndingCircuits();

    /**
     * Clear the circuit of an uplink. Its waiting packets move to other circuits to their racks, or
     * are treated as set by NoCircuit.
     *
     * @param port the uplink
     */
    void ClearCircuit(uint32_t port);

    /**
     * As ClearCircuit() for several uplinks, so that no packet moves from one of them to another.
     *
     * @param ports the uplinks
     */
    void ClearCircuits(const std::vector<uint32_t>& ports);

    /// @param port the uplink  @return the rack it reaches, NO_RACK if none
    RackId GetCircuit(uint32_t port) const;

    /// @param port the uplink  @return end of its circuit as set by SetCircuit()
    Time GetCircuitEnd(uint32_t port) const;

    /// @param rack a rack  @return number of working uplinks that reach it
    uint32_t GetNCircuits(RackId rack) const;

    /// @return number of this rack
    RackId GetRack() const
    {
        return m_rack;
    }

    /// @return packets received on all ports
    uint64_t GetReceived() const
    {
        return m_received;
    }

    /// @return packets whose first bit has left, on all ports
    uint64_t GetSent() const;

    /// @return packets waiting in all ports, and those held
    uint64_t GetWaiting() const;

    /// @return packets held for circuits
    uint64_t GetHeld() const
    {
        return m_buffer.GetNPackets();
    }

    /// @param rack destination
    /// @return bytes that servers of this rack have sent to it, unless packets never wait here
    uint64_t GetDemand(RackId rack) const;

    /// @return packets whose first bit has left by an electrical uplink
    uint64_t GetSentElectrically() const;

    /// @return packets sent on a detour from here
    uint64_t GetDetoured() const
    {
        return m_detoured;
    }

    /// @return control packets of the routing that have been sent
    uint64_t GetControlSent() const
    {
        return m_controlSent;
    }

    /// @return control packets of other switches' routing that have arrived
    uint64_t GetControlReceived() const
    {
        return m_controlReceived;
    }

    /// @return packets lost, by cause
    const OcsDropCounts& GetDropped() const
    {
        return m_dropped;
    }

    /**
     * @param stream first stream number to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    // Called by TorRouting.

    /// @return number of racks
    uint32_t GetNRacks() const;

    /// @return the queues of held packets
    const TorBuffer& GetBuffer() const
    {
        return m_buffer;
    }

    /// @param port an uplink  @return whether it works and its circuit is usable
    bool Works(uint32_t port) const
    {
        return m_usable[port] && !m_uplinks[port]->IsFailed();
    }

    /// @param port an uplink  @return whether it has a circuit, works and transmits nothing
    bool IsIdle(uint32_t port) const;

    /**
     * @param port an idle uplink
     * @param queue a queue
     * @param most largest size in bytes
     * @return size of the queue's next packet if it has been sent; 0 if there is none, none so
     * small, or no time for it
     */
    uint32_t SendHeld(uint32_t port, TorQueueId queue, uint64_t most = UINT64_MAX);

    /**
     * @param port an uplink
     * @param packet a message for TorRouting::Control() of the far switch; not IP
     * @return whether it has been sent: the uplink is idle, and there is time for it
     */
    bool SendControl(uint32_t port, const Ptr<Packet>& packet);

    /**
     * @param destination another rack
     * @param header of the packet
     * @param chosen whether something was chosen by the same hash before, as by another rack
     * @return an uplink on a shortest path, as Spreading says; OCS_NO_PORT without a path
     */
    uint32_t ChooseNextPort(RackId destination, const OcsPacketHeader& header, bool chosen);

    /**
     * @param peer another rack
     * @param header of the packet
     * @param chosen whether something was chosen by the same hash before, as by another rack
     * @return a working uplink that reaches the rack, as Spreading says; OCS_NO_PORT without one
     */
    uint32_t ChoosePortTo(RackId peer, const OcsPacketHeader& header, bool chosen = false);

    /**
     * @param n number of alternatives, above 0
     * @param rack index of the round-robin counter
     * @param header of the packet
     * @param chosen whether something was chosen by the same hash before, as by another rack
     * @return one of them, 0 to n - 1, as Spreading says
     */
    uint32_t Spread(uint32_t n, RackId rack, const OcsPacketHeader& header, bool chosen = false);

    /// @return the circuits of all switches
    OcsCircuitTable& GetCircuitTable() const
    {
        return *m_table;
    }

    /// @return whether the fabric has electrical uplinks
    bool IsHybrid() const
    {
        return !m_electricalTo.empty();
    }

    /// @param destination another rack  @return whether a working electrical uplink leads there
    bool HasElectrical(RackId destination) const;

    /// @param port an uplink with a circuit  @param bytes of packets
    /// @return whether the circuit lasts long enough to send them from now on
    bool HasTime(uint32_t port, uint64_t bytes) const;

    /// Count a packet that leaves on a detour. @param change 1, or -1 if it does not after all
    void CountDetour(int change)
    {
        m_detoured += change;
    }

    // Called by the ports.

    void PortReceived(uint32_t port, const Ptr<Packet>& packet) override;
    void PortDropped(uint32_t port, Ptr<const Packet> packet, OcsDropCause cause) override;
    void PortChanged(uint32_t port, bool up) override;
    void PortIdle(uint32_t port) override;

    /**
     * TracedCallback signature of Drop.
     *
     * @param packet the packet
     * @param cause cause of the loss
     */
    typedef void (*DropTracedCallback)(Ptr<const Packet> packet, OcsDropCause cause);

    /**
     * TracedCallback signature of Circuit.
     *
     * @param port the uplink
     * @param rack the rack that it reaches now, NO_RACK if none
     * @param until end of the circuit, see SetCircuit()
     */
    typedef void (*CircuitTracedCallback)(uint32_t port, RackId rack, Time until);

  protected:
    void DoDispose() override;

  private:
    /// Origin of a packet.
    enum class Journey
    {
        FROM_SERVER,   //!< a server of this rack
        FROM_RACK,     //!< another rack, by a circuit
        BY_ELECTRICAL, //!< another rack, by an electrical uplink
        IN_TRANSIT,    //!< any, but routed here before
    };

    /// What a port leads to.
    struct PortKind
    {
        Journey journey; //!< of packets that it receives
        uint32_t index;  //!< server or number of the uplink
    };

    /// @param device the next port
    /// @param journey of its packets
    /// @param index see PortKind
    void AddPort(const Ptr<OcsNetDevice>& device, Journey journey, uint32_t index);

    /// @param packet the packet  @param journey its origin
    /// @param port uplink by which it has come, if FROM_RACK
    void Forward(const Ptr<Packet>& packet, Journey journey, uint32_t port = 0);

    /// Recompute the uplinks that reach a rack. @param rack the rack
    void Update(RackId rack);

    /// Forward the waiting packets of an uplink again. @param port the uplink
    void Respread(uint32_t port);

    /// Do with a packet what the routing decides.
    /// @param packet the packet
    /// @param header its header
    /// @param rack its destination  @param journey its origin
    /// @param port uplink by which it has come, if FROM_RACK
    void Route(const Ptr<Packet>& packet,
               const OcsPacketHeader& header,
               RackId rack,
               Journey journey,
               uint32_t port);

    /// Send a packet by an electrical uplink, or drop it. @param packet the packet
    /// @param header its header  @param rack its destination
    void SendElectrically(const Ptr<Packet>& packet, const OcsPacketHeader& header, RackId rack);

    /// An uplink works again, or not any more. @param port the uplink  @param works whether it does
    void WorksChanged(uint32_t port, bool works);

    /// Send a held packet by an uplink if it is idle. @param port the uplink
    void Serve(uint32_t port);

    /// Tell the table which circuit paths may use. @param port an uplink
    void UpdatePath(uint32_t port);

    /// @return the routing, created at the first call
    TorRouting& GetRouting();

    /// A queue disc has dropped a held packet. @param packet the packet
    void HeldDropped(Ptr<const Packet> packet);

    /// @param packet lost packet  @param cause cause of the loss
    void Drop(Ptr<const Packet> packet, OcsDropCause cause);

    /// @param port an uplink; throws OdcnError if there is none
    void CheckUplink(uint32_t port) const;

    // As in OcsNetDevice, members used for each packet come first.
    RackId m_rack{0};                             //!< number of this rack
    SpreadingMode m_spreading;                    //!< see SpreadingMode
    NoCircuitPolicy m_noCircuit;                  //!< see NoCircuitPolicy
    OcsAddressPlan m_plan;                        //!< encoding of addresses
    Ptr<TorRouting> m_routing;                    //!< see GetRouting()
    bool m_holds{false};                          //!< see TorRouting::Holds()
    uint64_t m_received{0};                       //!< packets received
    std::vector<PortKind> m_kinds;                //!< kinds of m_ports
    std::vector<Ptr<OcsNetDevice>> m_ports;       //!< all ports, in the order of their numbers
    std::vector<Ptr<OcsNetDevice>> m_downlinks;   //!< ports by server
    std::vector<Ptr<OcsNetDevice>> m_uplinks;     //!< ports by number
    std::vector<std::vector<uint32_t>> m_portsTo; //!< working uplinks by rack reached
    Ptr<UniformRandomVariable> m_random;          //!< for spreading

    std::vector<RackId> m_circuits;      //!< rack reached by each uplink, or NO_RACK
    std::vector<uint8_t> m_usable;       //!< by uplink, see SetUsable()
    std::vector<DataRate> m_uplinkRates; //!< see SetUplinkRates(); empty if racks are alike
    std::vector<uint32_t> m_turn;        //!< round-robin counters by rack
    Ptr<OcsCircuitTable> m_table;        //!< circuits of all switches
    uint64_t m_detoured{0};              //!< packets sent on a detour
    OcsDropCounts m_dropped;             //!< packets lost
    TracedCallback<Ptr<const Packet>, OcsDropCause> m_dropTrace; //!< Drop
    TracedCallback<uint32_t, RackId, Time> m_circuitTrace;       //!< Circuit

    // With NoCircuit=Hold.
    std::vector<Ptr<OcsNetDevice>> m_electrical; //!< electrical uplinks by number
    std::vector<uint64_t> m_electricalTo;        //!< see SetElectricalRoutes()
    uint64_t m_electricalUp{0};                  //!< bits of those that have not failed
    TorBuffer m_buffer;                          //!< held packets
    std::string m_routingText;                   //!< type and Attributes of m_routing
    QueueSize m_queueSize;                       //!< limit of each queue
    QueueSize m_bufferSize;                      //!< limit of all queues together
    std::string m_queueDisc;                     //!< type and Attributes of queue discs, or empty
    bool m_fairQueues{false};                    //!< whether queues are FairQueues
    std::vector<Time> m_until;                   //!< end of each uplink's circuit
    std::vector<bool> m_withdrawn;               //!< see Withdraw()
    std::vector<bool> m_idle;                    //!< uplinks that found nothing to send
    std::vector<uint64_t> m_demand;              //!< bytes by destination
    uint64_t m_controlSent{0};                   //!< control packets sent
    uint64_t m_controlReceived{0};               //!< control packets received
    std::vector<uint32_t> m_nextPorts;           //!< result of ChooseNextPort()
    TracedValue<uint64_t> m_heldBytes{0};        //!< trace source Held
};

} // namespace ns3::odcn

#endif /* TOR_SWITCH_H */
