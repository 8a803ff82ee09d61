// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DIRECT_UDP_H
#define ODCN_DIRECT_UDP_H

#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/ocs-net-device.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * UDP of a host at its device, without UdpL4Protocol and Ipv4L3Protocol: the same packets at the
 * same times, in a fraction of the time that these take.
 *
 * Packets to a port that nobody listens at here, to other addresses, of other protocols, and
 * fragments are handed to IP, and so are all while checksums are enabled. Trace sources of IP,
 * FlowMonitor, other protocol handlers of the node and queue discs of the host do not see the
 * others.
 */
class DirectUdp : public Object, public OcsPortUser
{
  public:
    /// Bytes of the headers of IP and UDP.
    static constexpr uint32_t HEADERS = 28;

    /// What is done with a packet that has arrived: its content, and the address of its sender.
    using Receiver = std::function<void(const Ptr<Packet>& content, uint32_t sender)>;

    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param node a host
     * @param device its device
     * @param address of the device
     * @return that of the host, made if there is none
     * @throws OdcnError when the device is none of odcn, or the host has a queue disc for it
     */
    static Ptr<DirectUdp> Get(Ptr<Node> node, Ptr<NetDevice> device, Ipv4Address address);

    /// @param port to listen at
    /// @param receiver of the packets; replaces one that is there
    void Listen(uint16_t port, Receiver receiver);

    /// @param port to listen at no more
    void Close(uint16_t port);

    /// Where a packet goes, and what its headers say.
    struct Headers
    {
        Ipv4Address destination; //!< address
        uint16_t from;           //!< port
        uint16_t to;             //!< port
        uint8_t tos;             //!< type of service
    };

    /// Send a packet.
    /// @param content of it, which gets the headers
    /// @param headers what they say
    void Send(const Ptr<Packet>& content, const Headers& headers);

    void PortReceived(uint32_t port, const Ptr<Packet>& packet) override;
    void PortDropped(uint32_t port, Ptr<const Packet> packet, OcsDropCause cause) override;
    void PortChanged(uint32_t port, bool up) override;

  protected:
    void DoDispose() override;

  private:
    /// @param packet that has arrived
    /// @return what takes it; null for IP
    std::shared_ptr<const Receiver> FindReceiver(const Ptr<Packet>& packet);

    Ptr<Node> m_node;           //!< the host
    Ptr<OcsNetDevice> m_device; //!< its device
    Ipv4Address m_address;      //!< of the device
    uint32_t m_sender{0};       //!< of the last packet that was found
    uint8_t m_ttl{0};           //!< time to live
    std::unordered_map<uint16_t, std::shared_ptr<const Receiver>> m_receivers; //!< by port
    std::unordered_map<uint32_t, uint16_t> m_identification; //!< next one, by destination
};

} // namespace ns3::odcn

#endif /* ODCN_DIRECT_UDP_H */
