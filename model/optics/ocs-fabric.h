// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_FABRIC_H
#define OCS_FABRIC_H

#include "ocs-address-plan.h"
#include "ocs-circuit-table.h"
#include "ocs-fiber.h"
#include "ocs-net-device.h"
#include "ocs-switch.h"
#include "tor-switch.h"

#include "ns3/ipv4-address.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/object.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/odcn-units.h"
#include "ns3/traced-callback.h"

#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A circuit between two racks: light from an uplink's transmit side to another's receive side.
 * Circuits are directed; the way back is a circuit of its own.
 */
struct OcsCircuit
{
    RackId from;      //!< rack it comes from
    uint32_t outPort; //!< uplink there
    RackId to;        //!< rack it leads to; NO_RACK to take the circuit away
    uint32_t inPort;  //!< uplink there, on the same optical switch as outPort

    /// @param o other circuit  @return whether both are the same
    bool operator==(const OcsCircuit& o) const = default;
};

/// How large a fabric is.
struct OcsFabricSize
{
    uint32_t racks{2};          //!< |V|, racks with one ToR switch each
    uint32_t serversPerRack{1}; //!< M
    uint32_t uplinks{1};        //!< uplink ports of each ToR switch (N x |W| in the paper)
    uint32_t switches{1};       //!< |W|, optical circuit switches
};

/// Where the servers' packets are now. sent = received + inFlight + dropped, always.
struct OcsFabricCounts
{
    uint64_t sent{0};      //!< packets that servers gave to their network cards
    uint64_t received{0};  //!< packets that network cards handed to their servers
    uint64_t inFlight{0};  //!< packets in queues, on fibres and in optical switches
    OcsDropCounts dropped; //!< packets lost anywhere, by cause
};

/**
 * @ingroup odcn
 *
 * An optical data centre: servers, their ToR switches, and optical circuit switches between.
 * OcsHelper builds it.
 *
 * Uplink p of every ToR switch is plugged into optical switch p mod |W|, where it is port
 * rack x (uplinks of a rack there) + p / |W|. So a circuit joins two uplinks of equal p mod |W|.
 *
 * Apply() is what a network manager does: ToR switches stop using the circuits that move, the
 * optical switches move them, and as soon as they shine, ToR switches use them.
 */
class OcsFabric : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    OcsFabric();
    ~OcsFabric() override;

    /// @return how large it is
    const OcsFabricSize& GetSize() const;

    /// @return how addresses tell rack and server
    const OcsAddressPlan& GetAddressPlan() const;

    /// @return all servers, rack by rack
    NodeContainer GetServers() const;

    /**
     * What closed forms of the circuits alone leave out of a packet's latency between racks: its
     * transmissions on the links of both servers, and the propagation on all fibres. All servers
     * and racks are taken to be like the first.
     * @param bytes of a packet
     * @return the sum
     */
    Time GetLinksTime(uint32_t bytes) const;

    /// @return all servers' network cards, rack by rack
    NetDeviceContainer GetServerDevices() const;

    /// @return the ToR switches' nodes, by rack
    NodeContainer GetTorNodes() const;

    /// @return the optical switches' nodes
    NodeContainer GetSwitchNodes() const;

    /// @param rack the rack  @param server index in the rack  @return the server
    Ptr<Node> GetServer(RackId rack, uint32_t server) const;

    /// @param rack the rack  @param server index in the rack  @return its network card
    Ptr<OcsNetDevice> GetServerDevice(RackId rack, uint32_t server) const;

    /// @param rack the rack  @param server index in the rack  @return its address
    Ipv4Address GetServerAddress(RackId rack, uint32_t server) const;

    /// @param rack the rack  @return its ToR switch
    Ptr<TorSwitch> GetTor(RackId rack) const;

    /// @param w index  @return the optical switch
    Ptr<OcsSwitch> GetSwitch(uint32_t w) const;

    /// @param rack the rack  @param port its uplink  @return the uplink's device
    Ptr<OcsNetDevice> GetUplink(RackId rack, uint32_t port) const;

    /// @param port an uplink of whatever rack  @return index of its optical switch
    uint32_t GetSwitchOf(uint32_t port) const;

    /// @param rack the rack  @param port its uplink  @return port of the optical switch it is in
    uint32_t GetSwitchPort(RackId rack, uint32_t port) const;

    /**
     * Set circuits up without any dark time, as they stand before a run.
     *
     * @param circuits where transmit sides shall lead
     */
    void Preset(const std::vector<OcsCircuit>& circuits);

    /**
     * Preset() all uplinks: uplink p of rack u leads to rack u + 1 + (p mod (|V| - 1)), modulo
     * |V|, into uplink p there. With |V| - 1 uplinks each pair of racks has one circuit each way.
     */
    void PresetAllToAll();

    /**
     * Move circuits, all of a batch or (OdcnError) none. Lines that change nothing are ignored.
     *
     * @param circuits where transmit sides shall lead
     * @return number of circuits that change
     */
    uint32_t Apply(const std::vector<OcsCircuit>& circuits);

    /**
     * Throw what Apply() would throw.
     *
     * @param circuits where transmit sides shall lead
     */
    void Check(const std::vector<OcsCircuit>& circuits) const;

    /**
     * @param rack a rack
     * @param outPort its uplink
     * @return the circuit that starts there, shining or dark; its `to` is NO_RACK if there is none
     */
    OcsCircuit GetCircuit(RackId rack, uint32_t outPort) const;

    /// @param u from here  @param v to there  @return e_uv, circuits that carry packets now
    uint32_t GetNCircuits(RackId u, RackId v) const;

    /// @return where all packets are
    OcsFabricCounts Count() const;

    /**
     * @param stream first number of stream to use
     * @return how many were used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * TracedCallback signature of CircuitsUp.
     *
     * @param circuits circuits that carry packets from now on, or (to is NO_RACK) are gone
     */
    typedef void (*CircuitsUpTracedCallback)(const std::vector<OcsCircuit>& circuits);

    // What OcsHelper calls

    /**
     * @param size how large the fabric is, throws OdcnError if that cannot be
     */
    void Start(const OcsFabricSize& size);

    /// @param node node with the next optical switch  @param ocs that switch
    void AddSwitch(Ptr<Node> node, Ptr<OcsSwitch> ocs);

    /// @param node node with the next rack's ToR switch  @param tor that switch
    void AddTor(Ptr<Node> node, Ptr<TorSwitch> tor);

    /// @param node next server, rack by rack  @param device its network card
    void AddServer(Ptr<Node> node, Ptr<OcsNetDevice> device);

    /// @param fiber a fibre of the fabric
    void AddFiber(Ptr<OcsFiber> fiber);

  protected:
    void DoDispose() override;

  private:
    /**
     * @param circuits a batch
     * @return what each optical switch has to do; throws OdcnError if it cannot be done
     */
    std::vector<std::vector<OcsPortChange>> Split(const std::vector<OcsCircuit>& circuits) const;

    /// @param rack a rack  @param port an uplink; throws OdcnError if there is none
    void CheckUplink(RackId rack, uint32_t port) const;

    /// @param w an optical switch  @param change a line for it  @return the same between racks
    OcsCircuit Join(uint32_t w, const OcsPortChange& change) const;

    /// Circuits shine, or are gone: tell the ToR switches. @param w an optical switch
    /// @param changes what has come up there
    void CircuitsUp(uint32_t w, const std::vector<OcsPortChange>& changes);

    /// As CircuitsUp(). @param fabric the fabric  @param w switch  @param changes what is up
    static void SwitchDone(OcsFabric* fabric,
                           uint32_t w,
                           const std::vector<OcsPortChange>& changes);

    OcsFabricSize m_size;                           //!< how large it is
    OcsAddressPlan m_plan;                          //!< how to read addresses
    uint32_t m_portsPerSwitch{0};                   //!< uplinks of a rack in one optical switch
    Ptr<OcsCircuitTable> m_table;                   //!< e_uv
    NodeContainer m_servers;                        //!< rack by rack
    NodeContainer m_torNodes;                       //!< by rack
    NodeContainer m_switchNodes;                    //!< by index
    std::vector<Ptr<OcsNetDevice>> m_serverDevices; //!< rack by rack
    std::vector<Ptr<TorSwitch>> m_tors;             //!< by rack
    std::vector<Ptr<OcsSwitch>> m_switches;         //!< by index
    std::vector<Ptr<OcsFiber>> m_fibers;            //!< all
    /// CircuitsUp
    TracedCallback<const std::vector<OcsCircuit>&> m_upTrace;
};

} // namespace ns3::odcn

#endif /* OCS_FABRIC_H */
