// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_FABRIC_H
#define RDDC_FABRIC_H

#include "rddc-channel-ledger.h"

#include "ns3/ipv4-address.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ocs-address-plan.h"
#include "ns3/ocs-fabric.h"
#include "ns3/ocs-fiber.h"
#include "ns3/ocs-net-device.h"
#include "ns3/ocs-switch.h"
#include "ns3/odcn-fault-plan.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <tuple>
#include <vector>

namespace ns3::odcn
{

/// The circuit of a lightpath: its channel on each link.
struct RddcCircuit
{
    RddcLightpath lightpath;        //!< the lightpath
    std::vector<LinkId> links;      //!< links from one end to the other
    std::vector<uint32_t> channels; //!< channel of each link; first and last are cards of servers

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
 * Packet model of a resource-disaggregated data centre: each channel of each link of an RddcNetwork
 * is a fibre pair, each switch an OcsSwitch, and each server has a network card for each channel of
 * its link. RddcFabricHelper builds it.
 *
 * The channels of a link have consecutive ports at a switch: channel c of link l is port
 * GetFirstPort(l, node) + c of the switch at that end.
 *
 * Connect() takes the lowest free channel on each link of each lightpath and reconfigures all
 * switches on the path; until OcsSwitch::ReconfigurationTime has passed, the circuits are dark.
 * Existing circuits are undisturbed. Circuits share no resources, so packets wait in network cards
 * only.
 *
 * The propagation delay is the sum over the fibres of the path; switches add none.
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

    /// @return the network of which this is the packet model
    const std::shared_ptr<const RddcNetwork>& GetNetwork() const
    {
        return m_network;
    }

    /// @return all servers, rack by rack
    const NodeContainer& GetServers() const
    {
        return m_servers;
    }

    /// @return nodes of the switches: rack, aggregation, core
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

    /// @param link a link  @param node the switch at one of its ends  @return its first port there
    uint32_t GetFirstPort(LinkId link, uint32_t node) const;

    /// @param tier 0 to 2  @return propagation delay of a fibre there
    Time GetDelay(std::size_t tier) const;

    /// @param circuit a circuit  @return propagation delay from end to end
    Time GetDelay(const RddcCircuit& circuit) const;

    /**
     * Set up circuits, all of them, or none and throw OdcnError when a link has no free channel.
     * @param lightpaths the lightpaths to set up
     * @return number of the group, for Disconnect()
     */
    GroupId Connect(std::span<const RddcLightpath> lightpaths);

    /**
     * Remove circuits at once; crossing packets are treated as set by OcsSwitch::InFlight.
     * @param group as returned by Connect()
     * @throws OdcnError for an unknown number
     */
    void Disconnect(GroupId group);

    /**
     * @param group as returned by Connect()
     * @return its circuits, in the order of the lightpaths
     * @throws OdcnError for an unknown number
     */
    const std::vector<RddcCircuit>& GetCircuits(GroupId group) const;

    /// @return number of connected groups
    std::size_t GetNGroups() const
    {
        return m_groups.size();
    }

    /// @param link a link  @return number of its free channels
    uint32_t GetFree(LinkId link) const;

    /**
     * Set what has failed from now on, in place of what had: server R:S with its network cards,
     * link L with all of its fibres, or node N, the N-th switch with all of its ports. Circuits
     * remain, but carry no packets.
     * @param parts kind, first and second number of each part
     */
    void SetFailed(const std::set<std::tuple<FaultPart, uint32_t, uint32_t>>& parts);

    /// @return packets by outcome; in flight are those neither received nor lost
    PacketCounts Count() const;

    /// TracedCallback signature of Connected and Disconnected. @param circuits of a group
    typedef void (*CircuitsTracedCallback)(const std::vector<RddcCircuit>& circuits);

    // Called by RddcFabricHelper.

    /// @param network to model  @throws OdcnError when addresses do not suffice
    void Start(std::shared_ptr<const RddcNetwork> network);

    /// @param node the next server  @param cards its network cards, one per channel
    void AddServer(Ptr<Node> node, const std::vector<Ptr<OcsNetDevice>>& cards);

    /// @param node node of the next switch  @param ocs the switch; its ports are created here
    void AddSwitch(Ptr<Node> node, Ptr<OcsSwitch> ocs);

    /// @param fiber a new fibre  @param link its link  @param channel its channel of the link
    void AddFiber(Ptr<OcsFiber> fiber, LinkId link, uint32_t channel);

  private:
    /// Changes by number of the switch.
    using Changes = std::map<uint32_t, std::vector<OcsPortChange>>;

    /**
     * @param circuit a circuit  @param set true to set it up, false to remove it
     * @param [in,out] changes the changes of its switches are appended
     */
    void AddChanges(const RddcCircuit& circuit, bool set, Changes& changes) const;

    /// @param changes to apply
    void Reconfigure(const Changes& changes);

    /// @param link a link  @param node the switch at one of its ends  @param cause of losses at its
    /// ports there
    void FailPorts(LinkId link, uint32_t node, OcsDropCause cause);

    /// @param circuit whose channels to release
    void GiveBack(const RddcCircuit& circuit);

    double m_tier1Length;                         //!< length of a fibre of tier 1, m
    double m_tier2Length;                         //!< length of a fibre of tier 2, m
    double m_tier3Length;                         //!< length of a fibre of tier 3, m
    Time m_delayPerMetre;                         //!< propagation delay of a metre of fibre
    std::shared_ptr<const RddcNetwork> m_network; //!< the network modelled
    OcsAddressPlan m_plan;                        //!< encoding of the network cards' addresses
    NodeContainer m_servers;                      //!< nodes of servers
    NodeContainer m_switchNodes;                  //!< nodes of switches: rack, aggregation, core
    std::vector<Ptr<OcsNetDevice>> m_cards;       //!< network cards, server by server
    std::vector<Ptr<OcsSwitch>> m_switches;       //!< switches: rack, aggregation, core
    std::vector<Ptr<OcsFiber>> m_fibers;          //!< all fibres
    std::vector<std::array<uint32_t, 2>> m_firstPort;     //!< [link]: at its lower and upper end
    std::vector<std::vector<uint8_t>> m_taken;            //!< [link][channel]: 1 if in use
    std::map<GroupId, std::vector<RddcCircuit>> m_groups; //!< connected groups
    GroupId m_nextGroup{0};                               //!< number of the next group
    /// Trace source Connected.
    TracedCallback<const std::vector<RddcCircuit>&> m_connectedTrace;
    /// Trace source Disconnected.
    TracedCallback<const std::vector<RddcCircuit>&> m_disconnectedTrace;
};

} // namespace ns3::odcn

#endif /* RDDC_FABRIC_H */
