// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OCS_FABRIC_H
#define OCS_FABRIC_H

#include "ocs-address-plan.h"
#include "ocs-circuit-table.h"
#include "ocs-drop-cause.h"
#include "ocs-fiber.h"
#include "ocs-net-device.h"
#include "ocs-switch.h"
#include "tor-switch.h"

#include "ns3/data-rate.h"
#include "ns3/ipv4-address.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/object.h"
#include "ns3/odcn-circuit-ledger.h"
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

/**
 * @ingroup odcn
 *
 * Size of a fabric. Racks are alike, unless a vector gives a number for each of them.
 */
struct OcsFabricSize
{
    uint32_t racks{2};          //!< |V|, number of racks with one ToR switch each
    uint32_t serversPerRack{1}; //!< M, servers of a rack
    uint32_t uplinks{1};        //!< uplink ports of each ToR switch (N x |W| in the paper)
    uint32_t switches{1};       //!< |W|, number of optical circuit switches
    uint32_t electrical{0};     //!< electrical uplinks of each ToR switch, besides those
    uint32_t spines{0}; //!< packet switches that these join; 0 for as many as a ToR switch has

    // Racks that differ: empty, or one value for each rack instead of the number above. A rack with
    // n uplinks has uplinks 0 to n - 1.
    std::vector<uint32_t> serversByRack{};    //!< instead of serversPerRack, each above 0
    std::vector<uint32_t> uplinksByRack{};    //!< instead of uplinks
    std::vector<uint32_t> electricalByRack{}; //!< instead of electrical
    std::vector<DataRate> serverRates{};      //!< of links to servers, instead of the helper's
    std::vector<DataRate> uplinkRates{};      //!< of uplinks, instead of the helper's; a circuit
                                              //!< has the lower one of its two racks

    /// @return whether no vector is set
    bool IsUniform() const;

    /// @param rack a rack  @return number of its servers
    uint32_t GetNServers(RackId rack) const;

    /// @param rack a rack  @return number of its uplinks to optical switches
    uint32_t GetNUplinks(RackId rack) const;

    /// @param rack a rack  @return number of its electrical uplinks
    uint32_t GetNElectrical(RackId rack) const;

    /**
     * @return the same size in full: serversPerRack, uplinks and electrical are the most of any
     * rack, and spines is not 0 if there are electrical uplinks
     * @throws OdcnError when there is no such fabric
     */
    OcsFabricSize Complete() const;
};

class PacketSwitch;

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
 *
 * In a hybrid fabric, electrical uplink p of each ToR switch is connected to packet switch
 * ("spine") p mod spines, and the routing of ToR switches (TorRouting) chooses the packets that go
 * there.
 */
class OcsFabric : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    OcsFabric();
    ~OcsFabric() override;

    /// @return size of the fabric, after OcsFabricSize::Complete()
    const OcsFabricSize& GetSize() const
    {
        return m_size;
    }

    /// @param rack a rack  @return whether another process simulates it, see OcsHelper::Divide()
    bool IsRemote(RackId rack) const;

    /// @return encoding of rack and server in addresses
    const OcsAddressPlan& GetAddressPlan() const
    {
        return m_plan;
    }

    /// @return all servers, rack by rack
    NodeContainer GetServers() const
    {
        return m_servers;
    }

    /**
     * The part of a packet's latency between racks that closed forms of the circuits omit:
     * transmission on the links of both servers, and propagation on all fibres. All servers and
     * racks are assumed to be as the first.
     * @param bytes size of a packet
     * @return the sum
     */
    Time GetLinksTime(uint32_t bytes) const;

    /// @return all servers' network cards, rack by rack
    NetDeviceContainer GetServerDevices() const;

    /// @return the ToR switches' nodes, by rack
    NodeContainer GetTorNodes() const
    {
        return m_torNodes;
    }

    /// @return the optical switches' nodes
    NodeContainer GetSwitchNodes() const
    {
        return m_switchNodes;
    }

    /// @return the nodes of the packet switches that electrical uplinks lead to
    NodeContainer GetSpineNodes() const
    {
        return m_spineNodes;
    }

    /// @param rack the rack  @param server index in the rack  @return the server
    Ptr<Node> GetServer(RackId rack, uint32_t server) const;

    /// @param rack the rack  @param server index in the rack  @return its network card
    Ptr<OcsNetDevice> GetServerDevice(RackId rack, uint32_t server) const;

    /// @param rack the rack  @param server index in the rack  @return its address
    Ipv4Address GetServerAddress(RackId rack, uint32_t server) const;

    /// @param rack the rack  @return its ToR switch
    Ptr<TorSwitch> GetTor(RackId rack) const
    {
        return m_tors.at(rack);
    }

    /// @param w index  @return the optical switch
    Ptr<OcsSwitch> GetSwitch(uint32_t w) const
    {
        return m_switches.at(w);
    }

    /// @param rack the rack  @param port its uplink  @return the uplink's device
    Ptr<OcsNetDevice> GetUplink(RackId rack, uint32_t port) const;

    /// @param index below the size's spines  @return the packet switch
    Ptr<PacketSwitch> GetSpine(uint32_t index) const;

    /**
     * Compute the routes of electrical uplinks over the links whose ports both work. OcsHelper
     * calls it once; later it stands for a routing protocol that has learnt of failures and
     * repairs. Until then a switch notices failures of its own ports only.
     */
    void UpdateElectricalRoutes();

    /// @param port an uplink of any rack  @return index of its optical switch
    uint32_t GetSwitchOf(uint32_t port) const;

    /// @param rack the rack  @param port its uplink  @return its port of the optical switch
    uint32_t GetSwitchPort(RackId rack, uint32_t port) const;

    /// @param changes circuits of a ledger
    /// @return the new circuits
    static std::vector<OcsCircuit> ToCircuits(const std::vector<OdcnCircuitChange>& changes);

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

    /**
     * Tell control that the path between an uplink and its optical switch has failed or been
     * repaired, in one direction: ToR switches avoid circuits over failed paths, and the trace
     * PathChanged is fired. The packets themselves are lost, or not, where the failure is.
     *
     * @param rack a rack
     * @param port its uplink
     * @param output true for packets from the rack, false for packets to it
     * @param failed whether it has failed
     */
    void SetPathFailed(RackId rack, uint32_t port, bool output, bool failed);

    /// @param circuit a circuit  @return whether control knows of no failure on its path
    bool IsUsable(const OcsCircuit& circuit) const;

    /// @return whether control knows of any failed path
    bool HasFailedPaths() const
    {
        return m_nFailed > 0;
    }

    /**
     * Tell control that a server has failed or been repaired: the trace ServerChanged is fired.
     * @param rack a rack  @param server index in the rack  @param failed whether it has failed
     */
    void SetServerFailed(RackId rack, uint32_t server, bool failed);

    /**
     * Let the ToR switch at the start of a circuit use it, unless control knows it to have failed.
     *
     * @param circuit a circuit to a rack, up at the optical switch
     * @param until see TorSwitch::SetCircuit()
     */
    void UseCircuit(const OcsCircuit& circuit, Time until = Time::Max());

    /// @param u sending rack  @param v receiving rack  @return e_uv, circuits that carry packets
    uint32_t GetNCircuits(RackId u, RackId v) const;

    /// @return packets by outcome
    PacketCounts Count() const;

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

    /**
     * TracedCallback signature of PathChanged.
     *
     * @param rack a rack  @param port its uplink
     * @param output true for packets from the rack, false for packets to it
     * @param failed whether the path has failed
     */
    typedef void (*PathTracedCallback)(RackId rack, uint32_t port, bool output, bool failed);

    /**
     * TracedCallback signature of ServerChanged.
     *
     * @param rack a rack  @param server index in the rack  @param failed whether it has failed
     */
    typedef void (*ServerTracedCallback)(RackId rack, uint32_t server, bool failed);

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
    void AddFiber(Ptr<OcsFiber> fiber)
    {
        m_fibers.push_back(fiber);
    }

    /// @param node node of the next packet switch  @param spine the switch
    void AddSpine(Ptr<Node> node, Ptr<PacketSwitch> spine);

    /**
     * Add the next electrical uplink of a rack.
     *
     * @param rack the rack
     * @param uplink port of its ToR switch
     * @param port port of the packet switch that it leads to
     * @param fiber joins them here
     */
    void AddElectrical(RackId rack,
                       Ptr<OcsNetDevice> uplink,
                       Ptr<OcsNetDevice> port,
                       Ptr<OcsFiber> fiber);

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

    /// @param rack a rack  @param server index in the rack  @return index among all servers
    uint32_t GetServerIndex(RackId rack, uint32_t server) const;

    /// An electrical uplink.
    struct Electrical
    {
        RackId rack;        //!< of the ToR switch
        uint32_t uplink;    //!< its electrical uplink
        uint32_t spine;     //!< packet switch
        uint32_t spinePort; //!< its port
    };

    /// @param w an optical switch  @param change one of its changes  @return the circuit
    OcsCircuit Join(uint32_t w, const OcsPortChange& change) const;

    /// Circuits are up or removed: update the ToR switches. @param w an optical switch
    /// @param changes completed there
    void CircuitsUp(uint32_t w, const std::vector<OcsPortChange>& changes);

    /// What optical switches know of the fabric.
    struct Link : SimpleRefCount<Link>
    {
        OcsFabric* fabric{nullptr}; //!< until it is disposed of
    };

    /// Calls CircuitsUp(). @param link to the fabric  @param w switch  @param changes completed
    static void SwitchDone(Ptr<Link> link, uint32_t w, const std::vector<OcsPortChange>& changes);

    OcsFabricSize m_size;                           //!< size of the fabric
    OcsAddressPlan m_plan;                          //!< encoding of addresses
    uint32_t m_portsPerSwitch{0};                   //!< uplinks of a rack at one optical switch
    bool m_torsFollow{true};                        //!< see SetTorsFollowSwitches()
    Ptr<Link> m_link;                               //!< that optical switches have
    Ptr<OcsCircuitTable> m_table;                   //!< circuits in use
    NodeContainer m_servers;                        //!< nodes, rack by rack
    NodeContainer m_torNodes;                       //!< nodes by rack
    NodeContainer m_switchNodes;                    //!< nodes by switch
    std::vector<Ptr<OcsNetDevice>> m_serverDevices; //!< network cards, rack by rack
    std::vector<Ptr<TorSwitch>> m_tors;             //!< ToR switches by rack
    std::vector<Ptr<OcsSwitch>> m_switches;         //!< optical switches by index
    std::vector<Ptr<OcsFiber>> m_fibers;            //!< all fibres
    std::vector<uint32_t> m_firstServer;            //!< by rack: index of its first server
    NodeContainer m_spineNodes;                     //!< nodes of packet switches
    std::vector<Ptr<PacketSwitch>> m_spines;        //!< packet switches by index
    std::vector<Electrical> m_electrical;           //!< all electrical uplinks
    std::vector<uint8_t> m_outFailed;               //!< [rack][uplink]: see SetPathFailed()
    std::vector<uint8_t> m_inFailed;                //!< [rack][uplink]: see SetPathFailed()
    uint32_t m_nFailed{0};                          //!< paths of both
    TracedCallback<RackId, uint32_t, bool, bool> m_pathTrace; //!< trace source PathChanged
    TracedCallback<RackId, uint32_t, bool> m_serverTrace;     //!< trace source ServerChanged
    /// Trace source CircuitsUp.
    TracedCallback<const std::vector<OcsCircuit>&> m_upTrace;
};

} // namespace ns3::odcn

#endif /* OCS_FABRIC_H */
