// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_SWITCH_H
#define ICCI_SWITCH_H

#include "ocs-net-device.h"
#include "ocs-packet-header.h"

#include "ns3/object.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/// Layer of a switch in a centre.
enum class IcciLayer : uint8_t
{
    EDGE,        //!< connects hosts
    AGGREGATION, //!< connects the edge switches of a pod
    CORE,        //!< connects pods
    GATEWAY,     //!< connects all cores with lightpaths
};

/// Position of a switch in a fat tree.
struct IcciPlace
{
    IcciLayer layer{IcciLayer::EDGE}; //!< layer
    uint32_t centre{0};               //!< index of the centre
    uint32_t half{1};                 //!< k / 2
    uint32_t index{0};                //!< index in the layer, pod by pod
};

/**
 * @ingroup odcn
 *
 * Addresses of the hosts of all centres: 10.C.E.H is host H - 1 of edge switch E of centre C.
 */
struct IcciAddress
{
    /// Largest number of centres.
    static constexpr uint32_t MAX_CENTRES = 256;
    /// Largest number of edge switches of a centre, so k <= 22.
    static constexpr uint32_t MAX_EDGES = 256;

    uint32_t centre{0}; //!< index of the centre
    uint32_t edge{0};   //!< index of the edge switch, pod by pod
    uint32_t host{0};   //!< index of the host at that switch

    /// @param address in host order  @return its parts; centre is MAX_CENTRES outside 10.0.0.0/8
    static IcciAddress Of(uint32_t address)
    {
        const bool ours = address >> 24 == 10;
        return {ours ? address >> 16 & 0xff : MAX_CENTRES,
                address >> 8 & 0xff,
                (address & 0xff) - 1};
    }

    /// @return the address, in host order
    uint32_t Get() const
    {
        return 10U << 24 | centre << 16 | edge << 8 | (host + 1);
    }
};

/**
 * @ingroup odcn
 *
 * A switch of a fat tree. It forwards by the IPv4 destination alone, without tables and without an
 * IP stack: downwards by the parts of the address, upwards over any uplink, since all destinations
 * are reachable over each. A gateway has a table of the lightpaths to each centre.
 *
 * Ports are numbered downwards first: hosts, edges, pods or cores; then upwards: aggregation
 * switches, cores, the gateway or lightpaths. An edge with fewer than k/2 hosts has unused numbers.
 *
 * Invariant: received = handed to ports + dropped. Losses in a port are counted there.
 */
class IcciSwitch : public Object, public OcsPortUser
{
  public:
    /// How packets spread over equivalent ports.
    enum SpreadingMode
    {
        PER_FLOW, //!< by a hash of addresses, protocol and ports
        BY_HOST,  //!< by the receiving host's number (second level of Al-Fares et al.)
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    IcciSwitch();
    ~IcciSwitch() override;

    /// @param place position in the tree; to be set before any port
    void SetPlace(const IcciPlace& place);

    /// @return position in the tree
    const IcciPlace& GetPlace() const;

    /// @param port its number  @param device the port
    void SetPort(uint32_t port, Ptr<OcsNetDevice> device);

    /// @param port its number  @return the port, null when there is none
    Ptr<OcsNetDevice> GetPort(uint32_t port) const;

    /// @return one more than the highest number of a port
    uint32_t GetNPorts() const;

    /**
     * Gateways only: add a transponder to the routes to a centre.
     * @param centre another centre
     * @param device a transponder of this node
     */
    void AddRoute(uint32_t centre, Ptr<OcsNetDevice> device);

    /**
     * Gateways only: remove a transponder from the routes to a centre.
     * @param centre another centre
     * @param device a transponder of this node
     */
    void RemoveRoute(uint32_t centre, Ptr<OcsNetDevice> device);

    /// @return number of packets received
    uint64_t GetReceived() const;

    /// @return packets lost in the switch itself, by cause
    const OcsDropCounts& GetDropped() const;

    void PortReceived(uint32_t port, const Ptr<Packet>& packet) override;
    void PortDropped(uint32_t port, Ptr<const Packet> packet, OcsDropCause cause) override;
    void PortChanged(uint32_t port, bool up) override;

    /**
     * TracedCallback signature of Drop.
     * @param packet the packet
     * @param cause why it was lost
     */
    typedef void (*DropTracedCallback)(Ptr<const Packet> packet, OcsDropCause cause);

  protected:
    void DoDispose() override;

  private:
    /// Number for "no port".
    static constexpr uint32_t NO_PORT = UINT32_MAX;

    /**
     * @param header of a packet
     * @param from port of arrival
     * @param [out] cause cause of the loss, if any
     * @return port of departure, or NO_PORT
     */
    uint32_t Choose(const OcsPacketHeader& header, uint32_t from, OcsDropCause& cause) const;

    /**
     * @param header of a packet
     * @param to its destination
     * @param ways number of equivalent ports, above 0
     * @param level number of such choices made before on the path
     * @return index of the chosen one, below @p ways
     */
    uint32_t Spread(const OcsPacketHeader& header,
                    const IcciAddress& to,
                    uint32_t ways,
                    uint32_t level) const;

    IcciPlace m_place;                           //!< position in the tree
    SpreadingMode m_spreading;                   //!< see SpreadingMode
    std::vector<Ptr<OcsNetDevice>> m_ports;      //!< ports by number; null for unused numbers
    std::vector<std::vector<uint32_t>> m_routes; //!< of a gateway: ports by centre
    uint64_t m_received{0};                      //!< packets received
    OcsDropCounts m_dropped;                     //!< packets lost in the switch itself
    TracedCallback<Ptr<const Packet>, OcsDropCause> m_dropTrace; //!< Drop
};

} // namespace ns3::odcn

#endif /* ICCI_SWITCH_H */
