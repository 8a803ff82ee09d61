// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef TOR_SWITCH_H
#define TOR_SWITCH_H

#include "ocs-address-plan.h"
#include "ocs-circuit-table.h"
#include "ocs-net-device.h"
#include "ocs-packet-header.h"

#include "ns3/object.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/odcn-units.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The electronic switch on top of a rack: a downlink port to each server and uplink ports into the
 * optical circuit switches, each with a queue of its own.
 *
 * It forwards by the IPv4 destination, found by a shift and a mask (OcsAddressPlan), without any
 * IP stack: TTL and checksum stay as they are, as in a switch of layer 2. Control tells it which
 * uplink leads to which rack now. A rack's packets spread over all uplinks that lead there; with
 * none left they are dropped, or make a detour over one other rack.
 *
 * A detour visits at most one transit rack, whatever the circuits do meanwhile: a transit switch
 * sends only on a direct circuit, and marks the packet with a tag; a marked packet that comes to
 * yet another wrong rack is dropped as misrouted.
 *
 * Counters (packets): received = sent + waiting + dropped by cause. A packet is sent when its
 * first bit leaves.
 */
class TorSwitch : public Object, public OcsPortUser
{
  public:
    /// How a rack's packets spread over the circuits that lead there.
    enum SpreadingMode
    {
        PER_PACKET,  //!< uniformly at random: a Poisson stream splits into Poisson streams
        ROUND_ROBIN, //!< in turn
        PER_FLOW,    //!< by a hash of addresses, protocol and ports: no reordering
    };

    /// What becomes of a packet that no circuit leads to its rack.
    enum NoCircuitPolicy
    {
        NO_CIRCUIT_DROP,   //!< dropped
        NO_CIRCUIT_DETOUR, //!< sent over a rack that has a circuit, if there is one
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    TorSwitch();
    ~TorSwitch() override;

    /// @param plan how servers' addresses tell rack and server
    void SetAddressPlan(const OcsAddressPlan& plan);

    /// @param table e_uv, shared by all switches; only detours need it
    void SetCircuitTable(Ptr<OcsCircuitTable> table);

    /// @param device port to the next server  @return the server's index in the rack
    uint32_t AddDownlink(Ptr<OcsNetDevice> device);

    /// @param device next port into an optical switch  @return the port's number
    uint32_t AddUplink(Ptr<OcsNetDevice> device);

    /// @return number of downlink ports
    uint32_t GetNDownlinks() const;

    /// @return number of uplink ports
    uint32_t GetNUplinks() const;

    /// @param server index in the rack  @return the port that leads there
    Ptr<OcsNetDevice> GetDownlink(uint32_t server) const;

    /// @param port number  @return the port
    Ptr<OcsNetDevice> GetUplink(uint32_t port) const;

    /**
     * Control says: this uplink leads to that rack from now on.
     *
     * @param port the uplink
     * @param rack the rack
     */
    void SetCircuit(uint32_t port, RackId rack);

    /**
     * Control says: this uplink leads nowhere. Its waiting packets go to other circuits to their
     * racks, or are dropped for want of them.
     *
     * @param port the uplink
     */
    void ClearCircuit(uint32_t port);

    /**
     * As ClearCircuit(), for several uplinks at once, so that none inherits the packets of another.
     *
     * @param ports the uplinks
     */
    void ClearCircuits(const std::vector<uint32_t>& ports);

    /// @param port the uplink  @return the rack it leads to, NO_RACK if none
    RackId GetCircuit(uint32_t port) const;

    /// @param rack a rack  @return number of working uplinks that lead there
    uint32_t GetNCircuits(RackId rack) const;

    /// @return number of this rack
    RackId GetRack() const;

    /// @return packets that came in on any port
    uint64_t GetReceived() const;

    /// @return packets whose first bit has left on any port
    uint64_t GetSent() const;

    /// @return packets that wait in all ports
    uint64_t GetWaiting() const;

    /// @return packets sent on a detour from here
    uint64_t GetDetoured() const;

    /// @return packets lost, by cause
    const OcsDropCounts& GetDropped() const;

    /**
     * @param stream first number of stream to use
     * @return how many were used
     */
    int64_t AssignStreams(int64_t stream);

    void PortReceived(uint32_t port, const Ptr<Packet>& packet) override;
    void PortDropped(uint32_t port, Ptr<const Packet> packet, OcsDropCause cause) override;
    void PortChanged(uint32_t port, bool up) override;

    /**
     * TracedCallback signature of Drop.
     *
     * @param packet the packet
     * @param cause why it was lost
     */
    typedef void (*DropTracedCallback)(Ptr<const Packet> packet, OcsDropCause cause);

  protected:
    void DoDispose() override;

  private:
    /// Where a packet has been before.
    enum class Journey
    {
        FROM_SERVER, //!< in a server of this rack
        FROM_RACK,   //!< in another rack
        IN_TRANSIT,  //!< here already, and marked: on its way through this rack
    };

    /// @param packet the packet  @param journey where it has been
    void Forward(const Ptr<Packet>& packet, Journey journey);

    /// @param packet the packet  @param header what it says  @param rack where it shall go
    /// @param journey where it has been
    void ForwardToRack(const Ptr<Packet>& packet,
                       const OcsPacketHeader& header,
                       RackId rack,
                       Journey journey);

    /// @param ports some uplinks, at least one  @param rack where they lead
    /// @param header of the packet  @return the one to take
    uint32_t Choose(const std::vector<uint32_t>& ports, RackId rack, const OcsPacketHeader& header);

    /// @param rack a rack no circuit leads to  @return uplinks to racks that have one
    const std::vector<uint32_t>& FindDetours(RackId rack);

    /// @param rack a rack  @return why no uplink leads there
    OcsDropCause WhyNoCircuit(RackId rack) const;

    /// Find anew which uplinks lead to a rack. @param rack the rack
    void Update(RackId rack);

    /// Find another way for the waiting packets of an uplink. @param port the uplink
    void Respread(uint32_t port);

    /// @param packet lost packet  @param cause why
    void Drop(Ptr<const Packet> packet, OcsDropCause cause);

    /// @param port an uplink; throws OdcnError if there is none
    void CheckUplink(uint32_t port) const;

    // As in OcsNetDevice, first what every packet touches.
    RackId m_rack{0};                             //!< this rack
    SpreadingMode m_spreading;                    //!< see SpreadingMode
    NoCircuitPolicy m_noCircuit;                  //!< see NoCircuitPolicy
    OcsAddressPlan m_plan;                        //!< how to read addresses
    uint64_t m_received{0};                       //!< packets in
    std::vector<Ptr<OcsNetDevice>> m_downlinks;   //!< by server
    std::vector<Ptr<OcsNetDevice>> m_uplinks;     //!< by port
    std::vector<std::vector<uint32_t>> m_portsTo; //!< working uplinks by rack
    Ptr<UniformRandomVariable> m_random;          //!< for spreading

    std::vector<RackId> m_circuits;                              //!< where uplinks lead
    std::vector<uint32_t> m_turn;                                //!< by rack, for ROUND_ROBIN
    std::vector<uint32_t> m_detours;                             //!< result of FindDetours()
    Ptr<OcsCircuitTable> m_table;                                //!< e_uv
    uint64_t m_detoured{0};                                      //!< packets sent on a detour
    OcsDropCounts m_dropped;                                     //!< packets lost
    TracedCallback<Ptr<const Packet>, OcsDropCause> m_dropTrace; //!< Drop
};

} // namespace ns3::odcn

#endif /* TOR_SWITCH_H */
