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

/// Where a switch stands in a centre.
enum class IcciLayer : uint8_t
{
    EDGE,        //!< above hosts
    AGGREGATION, //!< above the edges of a pod
    CORE,        //!< above pods
    GATEWAY,     //!< above all cores, below lightpaths
};

/// A place in a fat tree.
struct IcciPlace
{
    IcciLayer layer{IcciLayer::EDGE}; //!< which layer
    uint32_t centre{0};               //!< which centre
    uint32_t half{1};                 //!< k / 2
    uint32_t index{0};                //!< in its layer, pod by pod
};

/**
 * @ingroup odcn
 *
 * Addresses of the hosts of all centres: 10.C.E.H is host H - 1 of edge switch E of centre C.
 */
struct IcciAddress
{
    /// Most centres.
    static constexpr uint32_t MAX_CENTRES = 256;
    /// Most edge switches of a centre, so k is 22 at most.
    static constexpr uint32_t MAX_EDGES = 256;

    uint32_t centre{0}; //!< which centre
    uint32_t edge{0};   //!< which edge switch, pod by pod
    uint32_t host{0};   //!< which host of that switch

    /// @param address in host order  @return what it says; of another network, nobody's centre
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
 * IP stack: downwards by the digits of the address, upwards over any of its uplinks, since all lead
 * everywhere. A gateway knows which lightpaths lead to which centre.
 *
 * Ports are numbered downwards first: hosts, edges, pods or cores; then upwards: aggregation
 * switches, cores, the gateway or lightpaths. An edge with fewer hosts than half leaves out ports.
 *
 * received = given to ports + dropped. What a port loses is counted there.
 */
class IcciSwitch : public Object, public OcsPortUser
{
  public:
    /// How packets spread over uplinks that lead to the same place.
    enum SpreadingMode
    {
        PER_FLOW, //!< by a hash of addresses, protocol and ports
        BY_HOST,  //!< by the number of the receiving host, as in Al-Fares' second level
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    IcciSwitch();
    ~IcciSwitch() override;

    /// @param place where it stands; before any port
    void SetPlace(const IcciPlace& place);

    /// @return where it stands
    const IcciPlace& GetPlace() const;

    /// @param port its number  @param device the port
    void SetPort(uint32_t port, Ptr<OcsNetDevice> device);

    /// @param port its number  @return the port, null when there is none
    Ptr<OcsNetDevice> GetPort(uint32_t port) const;

    /// @return one more than the highest number of a port
    uint32_t GetNPorts() const;

    /**
     * A gateway: this transponder leads to that centre, from now on.
     * @param centre another one
     * @param device one of this node
     */
    void AddRoute(uint32_t centre, Ptr<OcsNetDevice> device);

    /**
     * A gateway: this transponder no longer leads there.
     * @param centre another one
     * @param device as in AddRoute()
     */
    void RemoveRoute(uint32_t centre, Ptr<OcsNetDevice> device);

    /// @return packets that came in
    uint64_t GetReceived() const;

    /// @return packets lost between ports, by cause
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
    /// "No port."
    static constexpr uint32_t NO_PORT = UINT32_MAX;

    /**
     * @param header of a packet
     * @param from port that it came by
     * @param [out] cause why there is none
     * @return port where it goes on, or NO_PORT
     */
    uint32_t Choose(const OcsPacketHeader& header, uint32_t from, OcsDropCause& cause) const;

    /**
     * @param header of a packet
     * @param to whom
     * @param ways how many are equally good, above 0
     * @param level how many choices came before
     * @return one of them
     */
    uint32_t Spread(const OcsPacketHeader& header,
                    const IcciAddress& to,
                    uint32_t ways,
                    uint32_t level) const;

    IcciPlace m_place;                                           //!< where it stands
    SpreadingMode m_spreading;                                   //!< see SpreadingMode
    std::vector<Ptr<OcsNetDevice>> m_ports;                      //!< by number
    std::vector<std::vector<uint32_t>> m_routes;                 //!< of a gateway: ports by centre
    uint64_t m_received{0};                                      //!< packets in
    OcsDropCounts m_dropped;                                     //!< packets lost
    TracedCallback<Ptr<const Packet>, OcsDropCause> m_dropTrace; //!< Drop
};

} // namespace ns3::odcn

#endif /* ICCI_SWITCH_H */
