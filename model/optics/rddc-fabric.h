// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_FABRIC_H
#define RDDC_FABRIC_H

#include "ocs-address-plan.h"
#include "ocs-fabric.h"
#include "ocs-fiber.h"
#include "ocs-net-device.h"
#include "ocs-switch.h"

#include "ns3/ipv4-address.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/rddc-channel-ledger.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace ns3::odcn
{

/// A lightpath in light: which channel it has on each link.
struct RddcCircuit
{
    RddcLightpath lightpath;        //!< between whom
    std::vector<LinkId> links;      //!< from one end to the other
    std::vector<uint32_t> channels; //!< of each of them; first and last are servers' cards

    /// @return the sending server's network card
    uint32_t GetFromCard() const
    {
        return channels.front();
    }

    /// @return the receiving server's network card
    uint32_t GetToCard() const
    {
        return channels.back();
    }
};

/**
 * @ingroup odcn
 *
 * A resource-disaggregated data centre in light: every channel of every link of an RddcNetwork is a
 * fibre pair, every switch of it an OcsSwitch, and every server has a network card for each channel
 * of its link. RddcFabricHelper builds it.
 *
 * A link's channels stand side by side in the ports of a switch: channel c of link l is port
 * GetFirstPort(l, node) + c of the switch at that end.
 *
 * Connect() takes the lowest free channel on each link of each lightpath and turns the mirrors of
 * all switches on the way; until they have turned, after OcsSwitch::ReconfigurationTime, the
 * circuits are dark. Circuits that are there already are undisturbed. Nothing of a circuit is
 * shared, so no packet ever waits for another inside.
 *
 * Between two racks' switches the propagation delay is that of the fibres on the path; switches add
 * none.
 */
class RddcFabric : public Object
{
  public:
    /// Number of a group of circuits.
    using GroupId = uint64_t;

    /// @return the TypeId
    static TypeId GetTypeId();
    RddcFabric();
    ~RddcFabric() override;

    /// @return what it is laid out after
    const std::shared_ptr<const RddcNetwork>& GetNetwork() const
    {
        return m_network;
    }

    /// @return all servers, rack by rack
    const NodeContainer& GetServers() const
    {
        return m_servers;
    }

    /// @return all servers' network cards, server by server
    NetDeviceContainer GetCards() const;

    /// @return the switches' nodes: racks, aggregation, core
    const NodeContainer& GetSwitchNodes() const
    {
        return m_switchNodes;
    }

    /// @param server a server  @param card its channel  @return the network card
    Ptr<OcsNetDevice> GetCard(ServerId server, uint32_t card) const;

    /// @param server a server  @param card its channel  @return the card's address
    Ipv4Address GetAddress(ServerId server, uint32_t card) const;

    /// @param node number of a switch in the network  @return the switch
    Ptr<OcsSwitch> GetSwitch(uint32_t node) const;

    /// @param link a link  @param node a switch at an end of it  @return its first port there
    uint32_t GetFirstPort(LinkId link, uint32_t node) const;

    /// @param tier 0 to 2  @return propagation delay of a fibre there
    Time GetDelay(std::size_t tier) const;

    /// @param circuit a circuit  @return propagation delay from end to end
    Time GetDelay(const RddcCircuit& circuit) const;

    /**
     * Set circuits up, all or (OdcnError) none: a link has no free channel.
     * @param lightpaths between whom, and which way
     * @return number to take them away by
     */
    GroupId Connect(std::span<const RddcLightpath> lightpaths);

    /**
     * Take circuits away at once; what crosses meets OcsSwitch::InFlight.
     * @param group as Connect() returned it
     * @throws OdcnError when there is none of that number
     */
    void Disconnect(GroupId group);

    /**
     * @param group as Connect() returned it
     * @return its circuits, in the order of the lightpaths
     * @throws OdcnError when there is none of that number
     */
    const std::vector<RddcCircuit>& GetCircuits(GroupId group) const;

    /// @return how many groups are connected
    std::size_t GetNGroups() const
    {
        return m_groups.size();
    }

    /// @param link a link  @return its channels that no circuit has
    uint32_t GetFree(LinkId link) const;

    /// @return where all packets are; in flight is what was neither received nor lost
    OcsFabricCounts Count() const;

    /// TracedCallback signature of Connected and Disconnected. @param circuits of a group
    typedef void (*CircuitsTracedCallback)(const std::vector<RddcCircuit>& circuits);

    // What RddcFabricHelper calls

    /// @param network to be laid out  @throws OdcnError when addresses do not suffice
    void Start(std::shared_ptr<const RddcNetwork> network);

    /// @param node the next server  @param cards its network cards, one a channel
    void AddServer(Ptr<Node> node, const std::vector<Ptr<OcsNetDevice>>& cards);

    /// @param node node of the next switch  @param ocs the switch; its ports are made here
    void AddSwitch(Ptr<Node> node, Ptr<OcsSwitch> ocs);

    /// @param fiber a new fibre  @param link where it goes  @param channel which of it
    void AddFiber(Ptr<OcsFiber> fiber, LinkId link, uint32_t channel);

  protected:
    void DoDispose() override;

  private:
    /// What a switch shall do: by number of the switch.
    using Changes = std::map<uint32_t, std::vector<OcsPortChange>>;

    /**
     * @param lightpath a lightpath
     * @return its links in order from one end to the other, without channels
     */
    RddcCircuit Trace(const RddcLightpath& lightpath) const;

    /**
     * @param circuit a circuit  @param set to be set; taken away otherwise
     * @param [in,out] changes what its switches have to do is appended
     */
    void AddChanges(const RddcCircuit& circuit, bool set, Changes& changes) const;

    /// @param changes to be done
    void Reconfigure(const Changes& changes);

    /// @param circuit whose channels are free again
    void GiveBack(const RddcCircuit& circuit);

    double m_tier1Length;                             //!< of a fibre, in m
    double m_tier2Length;                             //!< likewise
    double m_tier3Length;                             //!< likewise
    Time m_delayPerMetre;                             //!< of light in glass
    std::shared_ptr<const RddcNetwork> m_network;     //!< what it is laid out after
    OcsAddressPlan m_plan;                            //!< of network cards
    NodeContainer m_servers;                          //!< by number
    NodeContainer m_switchNodes;                      //!< racks, aggregation, core
    std::vector<Ptr<OcsNetDevice>> m_cards;           //!< server by server
    std::vector<Ptr<OcsSwitch>> m_switches;           //!< racks, aggregation, core
    std::vector<Ptr<OcsFiber>> m_fibers;              //!< all
    std::vector<std::array<uint32_t, 2>> m_firstPort; //!< [link]: at its lower and its upper end
    std::vector<std::vector<uint8_t>> m_taken;        //!< [link][channel]: by a circuit
    std::map<GroupId, std::vector<RddcCircuit>> m_groups; //!< connected
    GroupId m_nextGroup{0};                               //!< number of the next group
    /// Connected
    TracedCallback<const std::vector<RddcCircuit>&> m_connectedTrace;
    /// Disconnected
    TracedCallback<const std::vector<RddcCircuit>&> m_disconnectedTrace;
};

} // namespace ns3::odcn

#endif /* RDDC_FABRIC_H */
