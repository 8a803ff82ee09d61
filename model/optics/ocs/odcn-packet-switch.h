// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PACKET_SWITCH_H
#define ODCN_PACKET_SWITCH_H

#include "ocs-address-plan.h"
#include "ocs-drop-cause.h"
#include "ocs-net-device.h"
#include "ocs-packet-header.h"
#include "odcn-packet-spreading.h"
#include "odcn-spreading-rounds.h"
#include "tor-buffer.h"

#include "ns3/object.h"
#include "ns3/odcn-random-stream.h"
#include "ns3/odcn-units.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * An electronic packet switch: store and forward, output queues, no limit inside the switch.
 *
 * It forwards by the IPv4 destination (OcsAddressPlan) without an IP stack, as TorSwitch does: to
 * the port of a server of its own, or to one of the ports on shortest paths to the server's rack.
 * Packets wait in the queues of the ports, or with QueueDisc in a queue disc for each port, which
 * may mark them (ECN).
 *
 * A port that has failed is not used while another leads to the same rack, and its waiting packets
 * move to those; other switches learn of it by PacketNetwork::UpdateRoutes() only.
 *
 * In a computing centre, packets to other networks (OcsAddressPlan) go up to the gateway. It has a
 * table of the lightpaths to each network; the packets that come by them must be for this one.
 *
 * Counters (packets): received = sent + waiting + dropped by cause. A packet is sent when its first
 * bit leaves, or when it is handed to a lightpath, whose network counts it from then on.
 */
class PacketSwitch : public Object, public OcsPortUser
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    PacketSwitch();

    /// @param plan encoding of rack and server in addresses
    void SetAddressPlan(const OcsAddressPlan& plan)
    {
        m_plan = plan;
    }

    /// @param place position in a computing centre
    void SetPlace(const PacketSwitchPlace& place)
    {
        m_place = place;
    }

    /// @return position in a computing centre
    const PacketSwitchPlace& GetPlace() const
    {
        return m_place;
    }

    /**
     * @param device the next port
     * @return its number
     * @throws OdcnError when there is no queue disc as QueueDisc says
     */
    uint32_t AddPort(Ptr<OcsNetDevice> device);

    /**
     * @param rack a rack
     * @param device port to the rack's next server
     * @return number of the port
     * @throws OdcnError as AddPort()
     */
    uint32_t AddServerPort(RackId rack, Ptr<OcsNetDevice> device);

    /**
     * Replace all routes to racks of other switches.
     *
     * @param ports numbers of ports on shortest paths, by rack; none for racks without a path
     * @param away likewise, on the way to other networks
     * @throws OdcnError when there is no such port
     */
    void SetRoutes(std::vector<std::vector<uint32_t>> ports, std::vector<uint32_t> away = {});

    /**
     * Gateways only: packets may take a lightpath, besides others, after all ports were added.
     * @param network another network
     * @param transponder of the lightpath, at this node
     * @throws OdcnError when this is no gateway, or there is no such network
     */
    void AddRoute(uint32_t network, Ptr<OcsNetDevice> transponder);

    /// Undo AddRoute().
    /// @param network another network
    /// @param transponder of the lightpath
    void RemoveRoute(uint32_t network, Ptr<OcsNetDevice> transponder);

    /// @param rack a rack  @return ports of SetRoutes() that work
    const std::vector<uint32_t>& GetRoute(RackId rack) const;

    /// @return how packets spread
    PacketSpreading GetSpreading() const
    {
        return {m_spreading, m_perturbation, m_place, static_cast<uint32_t>(m_servers.size())};
    }

    /// @return number of ports
    uint32_t GetNPorts() const
    {
        return static_cast<uint32_t>(m_ports.size());
    }

    /// @param port its number  @return the port
    Ptr<OcsNetDevice> GetPort(uint32_t port) const
    {
        return m_ports.at(port);
    }

    /// @param port its number
    /// @return whether it is a transponder, see AddRoute()
    bool IsTransponder(uint32_t port) const
    {
        return port >= m_firstTransponder;
    }

    /// @return packets received on all ports
    uint64_t GetReceived() const
    {
        return m_received;
    }

    /// @return packets whose first bit has left, on all ports
    uint64_t GetSent() const;

    /// @return packets waiting in ports and queue discs, without transponders
    uint64_t GetWaiting() const;

    /// @return packets lost in the switch and on their way out, by cause
    const OcsDropCounts& GetDropped() const
    {
        return m_dropped;
    }

    /// @return packets that wait or were lost here, and those of lightpaths
    PacketCounts Count() const;

    /**
     * @param stream first stream number to use
     * @return number of streams used
     */
    int64_t AssignStreams(int64_t stream);

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

  protected:
    void DoDispose() override;

  private:
    /// Ports that lead to the same racks.
    struct Group
    {
        std::vector<uint32_t> ports;   //!< all
        std::vector<uint32_t> working; //!< those that have not failed
    };

    /// @param packet sent to its destination, or dropped
    /// @param home whether its destination must be in this network
    void Forward(const Ptr<Packet>& packet, bool home);

    /// As PacketSpreading::Choose(), also for the other modes.
    /// @param flow see there
    /// @param rack see there
    /// @param server see there
    /// @param ways see there
    /// @param lightpath see there
    /// @return see there
    uint32_t Spread(uint32_t flow, RackId rack, uint32_t server, uint32_t ways, bool lightpath);

    /// @param port a port  @param packet sent there, now or later, or dropped
    void Send(uint32_t port, const Ptr<Packet>& packet);

    /// Recompute Group::working. @param group a group
    void Update(Group& group) const;

    /// A queue disc has dropped a packet. @param packet the packet
    void DiscDropped(Ptr<const Packet> packet);

    /// @param packet lost packet  @param cause cause of the loss
    void Drop(Ptr<const Packet> packet, OcsDropCause cause);

    PacketSpreading::Mode m_spreading;               //!< Spreading
    uint32_t m_perturbation{0};                      //!< makes hashes of switches independent
    PacketSwitchPlace m_place;                       //!< position in a computing centre
    OcsAddressPlan m_plan;                           //!< encoding of addresses
    uint64_t m_received{0};                          //!< packets received
    std::vector<Ptr<OcsNetDevice>> m_ports;          //!< ports by number
    std::vector<std::vector<uint32_t>> m_servers;    //!< by rack and server: ports
    std::vector<uint32_t> m_groupTo;                 //!< by rack: index in m_groups
    std::vector<Group> m_groups;                     //!< few, since many racks share one
    uint32_t m_away{0};                              //!< index in m_groups, for other networks
    uint32_t m_firstTransponder{UINT32_MAX};         //!< ports from this one on, see AddRoute()
    std::vector<std::vector<uint32_t>> m_lightpaths; //!< of a gateway: ports by network
    RandomStream m_random{-1};                       //!< for PER_PACKET and ROUND_ROBIN
    SpreadingRounds m_rounds;                        //!< for ROUND_ROBIN
    std::string m_queueDisc;                         //!< type and Attributes, or empty
    TorBuffer m_buffer;                              //!< queue discs by port
    OcsDropCounts m_dropped;                         //!< packets lost
    TracedCallback<Ptr<const Packet>, OcsDropCause> m_dropTrace; //!< Drop
};

} // namespace ns3::odcn

#endif /* ODCN_PACKET_SWITCH_H */
