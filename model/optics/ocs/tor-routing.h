// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef TOR_ROUTING_H
#define TOR_ROUTING_H

#include "ocs-drop-cause.h"
#include "ocs-packet-header.h"
#include "tor-buffer.h"
#include "tor-forwarding.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/odcn-units.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

class TorSwitch;

/**
 * @ingroup odcn
 *
 * Decides on each packet to another rack: whether it leaves at once, is lost, or in which queue of
 * the ToR switch it waits, and which one leaves when an uplink with a circuit is idle. Each switch
 * has an instance of its own.
 *
 * Packets of queue kind PORT leave by their uplink before all others. When the circuit of that
 * uplink ends, they are routed again.
 */
class TorRouting : public Object
{
  public:
    /// A packet to route.
    struct Arrival
    {
        const Ptr<Packet>& packet;     //!< the packet
        const OcsPacketHeader& header; //!< fields of its header
        RackId destination;            //!< another rack
        bool fromRack;                 //!< whether it has just come by a circuit
        uint32_t port;                 //!< uplink by which it has come, if fromRack
    };

    /// What becomes of a packet.
    enum Way
    {
        HOLD,       //!< it waits in a queue of the switch
        UPLINK,     //!< to the port of an uplink and its queue
        ELECTRICAL, //!< to an electrical uplink
        DROP,       //!< it is lost
    };

    /// Decision on a packet.
    struct Choice
    {
        TorQueueId queue;     //!< queue if HOLD; its index is the uplink if UPLINK
        Way way{HOLD};        //!< see Way
        OcsDropCause cause{}; //!< of DROP
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param text type and Attributes, such as "ValiantRouting[Spread=Random]"
    /// @return the routing  @throws OdcnError when there is none such
    static Ptr<TorRouting> Create(const std::string& text);

    /// @param tor the switch that uses this routing; it outlives the routing
    virtual void SetTor(TorSwitch* tor)
    {
        m_tor = tor;
    }

    /// @param arrival a packet
    /// @return the decision on it
    virtual Choice Route(const Arrival& arrival) = 0;

    /// @return whether packets may wait in the switch's queues, so that idle uplinks call Serve()
    virtual bool Holds() const
    {
        return true;
    }

    /**
     * An uplink is idle, with a circuit and no packets of kind PORT: send a packet by
     * TorSwitch::SendHeld(), or none, as by default.
     *
     * @param port the uplink
     * @param peer the rack that it reaches
     */
    virtual void Serve(uint32_t port, RackId peer);

    /**
     * A circuit is up, before the first Serve() for it.
     *
     * @param port the uplink
     * @param peer the rack that it reaches
     * @param until time by which the last bit of the last packet must have left
     */
    virtual void CircuitUp(uint32_t port, RackId peer, Time until);

    /// The switch restarts, and has lost its queues: forget what other switches have agreed to.
    virtual void Forget();

    /**
     * A packet that is not IPv4 has come by a circuit.
     *
     * @param port the uplink
     * @param packet the packet
     * @return whether it is a message of this routing, sent by TorSwitch::SendControl() of the far
     * switch; any other packet is dropped
     */
    virtual bool Control(uint32_t port, const Ptr<Packet>& packet);

    /// A packet leaves for its server: remove what Route() attached. @param packet the packet
    virtual void Deliver(const Ptr<Packet>& packet);

    /// @param stream first stream number to use  @return number of streams used
    virtual int64_t AssignStreams(int64_t stream);

    /**
     * How packets are forwarded, if it is one of the known ways: engines without ns-3's events, the
     * flow level and bounds then do the same. Called without a switch, too.
     * @return OTHER by default, which runs in packets only. A class derived from a routing of the
     * library says OTHER unless it overrides this
     */
    virtual TorForwarding GetForwarding() const;

    /// @return whether paths over several racks may use circuits that end before any other changes
    /// (ExpanderRouting::EndingCircuits). Called after SetTor()
    virtual bool UsesEndingCircuits() const;

  protected:
    void DoDispose() override;

    /// @param type of a routing of the library  @return whether this one is of that very type
    bool IsExactly(TypeId type) const
    {
        return GetInstanceTypeId() == type;
    }

    /// @param cause cause of a drop  @return the decision to drop
    static Choice Lose(OcsDropCause cause);

    /// @return the decision to send by an electrical uplink
    static Choice SendElectrically();

    /// @return the switch
    TorSwitch& GetTor() const
    {
        return *m_tor;
    }

  private:
    TorSwitch* m_tor{nullptr}; //!< the switch
};

/**
 * @ingroup odcn
 *
 * One hop, at once: a packet goes to the queue of an uplink whose circuit leads to its destination.
 * Without one it is lost, with the cause PORT_FAILED if a circuit is there but not usable.
 */
class DropRouting : public TorRouting
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    Choice Route(const Arrival& arrival) override;

    bool Holds() const override
    {
        return false;
    }

  protected:
    /// @param arrival a packet
    /// @return by a circuit to its destination, or lost
    Choice GoDirectly(const Arrival& arrival) const;
};

/**
 * @ingroup odcn
 *
 * As DropRouting, but a packet without a circuit goes over another rack that has one, if any.
 *
 * It visits at most one transit rack, however the circuits change meanwhile: a transit switch uses
 * direct circuits only, and marks the packet with a tag; a marked packet that arrives at another
 * wrong rack is dropped as misrouted.
 */
class DetourRouting : public DropRouting
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    Choice Route(const Arrival& arrival) override;
    void Deliver(const Ptr<Packet>& packet) override;

  private:
    std::vector<uint32_t> m_detours; //!< uplinks to racks with a circuit; kept for its memory
};

/**
 * @ingroup odcn
 *
 * One hop: a packet waits for a circuit to its destination.
 */
class DirectRouting : public TorRouting
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    Choice Route(const Arrival& arrival) override;
    void Serve(uint32_t port, RackId peer) override;
    TorForwarding GetForwarding() const override;
};

/**
 * @ingroup odcn
 *
 * At most two hops, by way of a random rack (Valiant load balancing). A rack is not taken for
 * transit while all circuits of the schedule from there to the destination are known to have
 * failed.
 *
 * - Spread=Idle: a circuit carries packets that wait for their second hop, else packets to its own
 *   rack, else, if it would be idle, packets to any rack in turn. The rack that a circuit reaches
 *   by chance of the schedule is the transit rack.
 * - Spread=Random: each packet draws its transit rack uniformly from all other racks when it
 *   arrives (with the destination as transit rack it takes one hop) and waits for a circuit to it.
 *   Packets of the second hop go before those of the first. This is the oblivious form, whose
 *   throughput is at least half of the capacity for any demand.
 */
class ValiantRouting : public TorRouting
{
  public:
    /// Choice of the transit rack.
    enum SpreadMode
    {
        IDLE,   //!< that of a circuit without other work
        RANDOM, //!< drawn for each packet
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    ValiantRouting();

    Choice Route(const Arrival& arrival) override;
    void Serve(uint32_t port, RackId peer) override;
    int64_t AssignStreams(int64_t stream) override;
    TorForwarding GetForwarding() const override;

  protected:
    void DoDispose() override;

  private:
    /// @param transit a rack  @param destination a rack
    /// @return whether circuits that are not known to have failed lead there and on
    bool Leads(RackId transit, RackId destination) const;

    SpreadMode m_spread;                 //!< see SpreadMode
    Ptr<UniformRandomVariable> m_random; //!< for RANDOM
    uint32_t m_turn{0};                  //!< for IDLE: next queue in turn
};

/**
 * @ingroup odcn
 *
 * Any number of hops over the circuits that are up, without waiting for one. Meant for static
 * expanders, and for the short flows of Opera.
 *
 * - Paths=1: each rack on the way sends a packet along a shortest path from there, chosen among
 *   equal ones as TorSwitch::Spreading says.
 * - Paths=K: the first rack chooses one of K paths that share no circuit, the shortest and longer
 *   ones (OcsCircuitTable::GetDisjointPaths()), and the packet carries it along. Where the path is
 *   broken by a change of circuits, the packet goes on as with Paths=1.
 *
 * With EndingCircuits=false, a circuit leaves the paths at the change of circuits before its own
 * end, when the new circuits of that change are up, and then sends only what waits for it. So the
 * authors of Opera compute their paths: in each slice over the planes that do not change at its
 * end. It needs a schedule that changes one plane at a time; if all change at once, no circuit is
 * left. ToR switches share the paths: where one leaves such circuits out, all do.
 */
class ExpanderRouting : public TorRouting
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    Choice Route(const Arrival& arrival) override;
    void Deliver(const Ptr<Packet>& packet) override;
    TorForwarding GetForwarding() const override;
    bool UsesEndingCircuits() const override;

  private:
    uint32_t m_maxHops; //!< most circuits that a packet may take
    uint32_t m_paths;   //!< paths to choose from
    bool m_ending;      //!< EndingCircuits
};

/**
 * @ingroup odcn
 *
 * At once, by the electrical uplinks of a hybrid fabric. A packet to a rack without any is dropped
 * with the cause NO_CIRCUIT.
 */
class ElectricalRouting : public TorRouting
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param tor the switch  @throws OdcnError when its fabric has no electrical uplinks
    void SetTor(TorSwitch* tor) override;
    Choice Route(const Arrival& arrival) override;
};

/**
 * @ingroup odcn
 *
 * At once, by the circuit to the destination if there is one now, else by the electrical uplinks
 * (c-Through, Wang et al., SIGCOMM 2010).
 *
 * Packets wait for a circuit only while it is up, and no more of them than it can send before its
 * end, if that is known; the rest goes electrically. So does what still waits when the circuit
 * ends. Where no working electrical uplink leads to the destination, packets wait for a circuit as
 * with DirectRouting.
 */
class HybridRouting : public ElectricalRouting
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    Choice Route(const Arrival& arrival) override;
    void Serve(uint32_t port, RackId peer) override;
};

/**
 * @ingroup odcn
 *
 * Two classes: packets of which a field has one of Values take the routing Short, all others the
 * routing Bulk. A packet for which Short finds no circuit (ExpanderRouting without a path) waits as
 * those of Bulk do, instead of being dropped. By default short ones are packets with the DSCP
 * "expedited forwarding", as in Opera and as FlowApplication marks short flows. If a run had none
 * of them, a warning says so.
 */
class ClassRouting : public TorRouting
{
  public:
    /// Field that tells the class.
    enum Field
    {
        DSCP, //!< of the IPv4 header
        RACK, //!< destination
        PORT, //!< destination port of UDP or TCP; packets without one are of the class Bulk
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    void SetTor(TorSwitch* tor) override;
    Choice Route(const Arrival& arrival) override;
    void Serve(uint32_t port, RackId peer) override;
    void CircuitUp(uint32_t port, RackId peer, Time until) override;
    void Forget() override;
    bool Control(uint32_t port, const Ptr<Packet>& packet) override;
    void Deliver(const Ptr<Packet>& packet) override;
    int64_t AssignStreams(int64_t stream) override;
    TorForwarding GetForwarding() const override;
    bool UsesEndingCircuits() const override;

  protected:
    void DoDispose() override;

  private:
    /// First and last number of a range.
    using Range = std::pair<uint32_t, uint32_t>;

    /// @param text Values  @throws OdcnError when it is not a list of numbers and ranges
    void SetValues(std::string text);

    /// @return Values
    std::string GetValues() const
    {
        return m_valuesText;
    }

    /// @param arrival a packet  @return whether it is of the class Short
    bool IsShort(const Arrival& arrival) const;

    Field m_field;               //!< By
    std::string m_valuesText;    //!< Values
    std::vector<Range> m_values; //!< Values
    std::string m_shortText;     //!< type and Attributes of m_short
    std::string m_bulkText;      //!< type and Attributes of m_bulk
    Ptr<TorRouting> m_short;     //!< routing of the class Short
    Ptr<TorRouting> m_bulk;      //!< routing of the others
};

} // namespace ns3::odcn

#endif /* TOR_ROUTING_H */
