// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_FABRIC_H
#define OCS_FABRIC_H

#include "ocs-address-plan.h"
#include "ocs-fiber.h"
#include "ocs-net-device.h"
#include "ocs-switch.h"
#include "tor-switch.h"

#include "ns3/ipv4-address.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/object.h"
#include "ns3/ocs-circuit-table.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/odcn-units.h"
#include "ns3/traced-callback.h"

#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A circuit between two racks, from the transmit side of an uplink to the receive side of another.
 * Circuits are directed; the opposite direction is a separate circuit.
 */
struct OcsCircuit
{
    RackId from;      //!< sending rack
    uint32_t outPort; //!< uplink of the sending rack
    RackId to;        //!< receiving rack; NO_RACK to remove the circuit
    uint32_t inPort;  //!< uplink of the receiving rack, on the same optical switch as outPort

    /// @param o other circuit  @return whether both are the same
    bool operator==(const OcsCircuit& o) const = default;
};

/// Size of a fabric.
struct OcsFabricSize
{
    uint32_t racks{2};          //!< |V|, number of racks with one ToR switch each
    uint32_t serversPerRack{1}; //!< M, servers of a rack
    uint32_t uplinks{1};        //!< uplink ports of each ToR switch (N x |W| in the paper)
    uint32_t switches{1};       //!< |W|, number of optical circuit switches
};

/// Packets by outcome. Invariant: sent + controlSent = received + controlReceived + inFlight +
/// dropped. Only routings of ToR switches with messages of their own (RotorLbRouting) send control
/// packets; those in flight or lost are part of inFlight and dropped.
struct OcsFabricCounts
{
    uint64_t sent{0};            //!< packets that servers handed to their network cards
    uint64_t received{0};        //!< packets that network cards handed to their servers
    uint64_t inFlight{0};        //!< packets in queues, on fibres and in optical switches
    OcsDropCounts dropped;       //!< packets lost anywhere, by cause
    uint64_t controlSent{0};     //!< control packets that ToR switches sent
    uint64_t controlReceived{0}; //!< control packets that ToR switches received
};

/**
 * @ingroup odcn
 *
 * An optical data centre: servers, ToR switches, and the optical circuit switches between them.
 * OcsHelper builds it.
 *
 * Uplink p of each ToR switch is connected to optical switch p mod |W|, at port
 * rack x (uplinks of a rack there) + p / |W|. So a circuit joins two uplinks of equal p mod |W|.
 *
 * Apply() carries out the command of a network manager: ToR switches stop using the circuits that
 * change, the optical switches reconfigure them, and ToR switches use them as soon as they are up.
 */
class OcsFabric : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    OcsFabric();
    ~OcsFabric() override;

    /// @return size of the fabric
    const OcsFabricSize& GetSize() const;

    /// @return encoding of rack and server in addresses
    const OcsAddressPlan& GetAddressPlan() const;

    /// @return all servers, rack by rack
    NodeContainer GetServers() const;

    /**
     * The part of a packet's latency between racks that closed forms of the circuits omit:
     * transmission on the links of both servers, and propagation on all fibres. All servers and
     * racks are assumed equal to the first.
     * @param bytes size of a packet
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

    /// @param port an uplink of any rack  @return index of its optical switch
    uint32_t GetSwitchOf(uint32_t port) const;

    /// @param rack the rack  @param port its uplink  @return its port of the optical switch
    uint32_t GetSwitchPort(RackId rack, uint32_t port) const;

    /**
     * Set circuits without dark time, as the initial state of a run.
     *
     * @param circuits the new circuits
     */
    void Preset(const std::vector<OcsCircuit>& circuits);

    /**
     * Preset() all uplinks: uplink p of rack u to uplink p of rack
     * (u + 1 + p mod (|V| - 1)) mod |V|. With |V| - 1 uplinks each ordered pair of racks has one.
     */
    void PresetAllToAll();

    /**
     * Reconfigure a batch of circuits, all or (OdcnError) none; unchanged ones are ignored.
     *
     * @param circuits the new circuits
     * @return number of circuits that change
     */
    uint32_t Apply(const std::vector<OcsCircuit>& circuits);

    /**
     * Throw the error that Apply() would throw.
     *
     * @param circuits the new circuits
     */
    void Check(const std::vector<OcsCircuit>& circuits) const;

    /**
     * @param rack a rack
     * @param outPort its uplink
     * @return the circuit that starts there, up or dark; its `to` is NO_RACK if there is none
     */
    OcsCircuit GetCircuit(RackId rack, uint32_t outPort) const;

    /**
     * @param follow whether ToR switches use a circuit as soon as its optical switch is done (the
     * default), or a schedule tells them (OcsScheduleFollower)
     */
    void SetTorsFollowSwitches(bool follow);

    /// @param u sending rack  @param v receiving rack  @return e_uv, circuits that carry packets
    uint32_t GetNCircuits(RackId u, RackId v) const;

    /// @return packets by outcome
    OcsFabricCounts Count() const;

    /**
     * @param stream first stream number to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * TracedCallback signature of CircuitsUp.
     *
     * @param circuits those that now carry packets, or (to is NO_RACK) were removed
     */
    typedef void (*CircuitsUpTracedCallback)(const std::vector<OcsCircuit>& circuits);

    // Called by OcsHelper.

    /**
     * @param size size of the fabric; throws OdcnError if not valid
     */
    void Start(const OcsFabricSize& size);

    /// @param node node of the next optical switch  @param ocs the switch
    void AddSwitch(Ptr<Node> node, Ptr<OcsSwitch> ocs);

    /// @param node node of the next rack's ToR switch  @param tor the switch
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
     * @return changes by optical switch; throws OdcnError if the batch is not valid
     */
    std::vector<std::vector<OcsPortChange>> Split(const std::vector<OcsCircuit>& circuits) const;

    /// @param rack a rack  @param port an uplink; throws OdcnError if there is none
    void CheckUplink(RackId rack, uint32_t port) const;

    /// @param w an optical switch  @param change one of its changes  @return the circuit
    OcsCircuit Join(uint32_t w, const OcsPortChange& change) const;

    /// Circuits are up or removed: update the ToR switches. @param w an optical switch
    /// @param changes completed there
    void CircuitsUp(uint32_t w, const std::vector<OcsPortChange>& changes);

    /// Calls CircuitsUp(). @param fabric the fabric  @param w switch  @param changes completed
    static void SwitchDone(OcsFabric* fabric,
                           uint32_t w,
                           const std::vector<OcsPortChange>& changes);

    OcsFabricSize m_size;                           //!< size of the fabric
    OcsAddressPlan m_plan;                          //!< encoding of addresses
    uint32_t m_portsPerSwitch{0};                   //!< uplinks of a rack at one optical switch
    bool m_torsFollow{true};                        //!< see SetTorsFollowSwitches()
    Ptr<OcsCircuitTable> m_table;                   //!< circuits in use
    NodeContainer m_servers;                        //!< nodes, rack by rack
    NodeContainer m_torNodes;                       //!< nodes by rack
    NodeContainer m_switchNodes;                    //!< nodes by switch
    std::vector<Ptr<OcsNetDevice>> m_serverDevices; //!< network cards, rack by rack
    std::vector<Ptr<TorSwitch>> m_tors;             //!< ToR switches by rack
    std::vector<Ptr<OcsSwitch>> m_switches;         //!< optical switches by index
    std::vector<Ptr<OcsFiber>> m_fibers;            //!< all fibres
    /// Trace source CircuitsUp.
    TracedCallback<const std::vector<OcsCircuit>&> m_upTrace;
};

} // namespace ns3::odcn

#endif /* OCS_FABRIC_H */
