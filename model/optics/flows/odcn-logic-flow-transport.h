// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_LOGIC_FLOW_TRANSPORT_H
#define ODCN_LOGIC_FLOW_TRANSPORT_H

#include "odcn-flow-transport.h"
#include "odcn-transport-logic.h"

#include "ns3/event-id.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv4-route.h"
#include "ns3/packet.h"
#include "ns3/udp-l4-protocol.h"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace ns3::odcn
{

class DirectUdp;
class FlowHeader;
class MessageHeader;

/**
 * @ingroup odcn
 *
 * Runs a TransportLogic in ns-3: makes UDP packets of what it sends, and events of its timers.
 * Packets with application data come from a port that is specific to the flow or message, so that
 * switches that hash ports spread them, others from the port that they go to.
 */
class LogicFlowTransport : public FlowTransport, protected TransportHost
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param logic what the transport does
    explicit LogicFlowTransport(Ptr<TransportLogic> logic);
    ~LogicFlowTransport() override;

    /**
     * @param number of a flow or a message
     * @return port that its packets come from, for hashes of flows
     */
    static uint16_t GetSourcePort(uint32_t number);

    void SendFlow(uint32_t flow, Ipv4Address peer, uint64_t bytes, bool isShort) override;
    void SendMessage(Ipv4Address peer, uint64_t bytes, uint64_t tag, bool isShort) override;
    uint32_t GetHeaders() const override;
    uint64_t GetMaxBytes(bool isMessage) const override;
    bool HasCredits() const override;
    bool Repairs() const override;
    Stages GetStages() const override;
    FlowApplication::MessageCounts GetMessageCounts() const override;

  protected:
    void DoDispose() override;
    void DoStart() override;
    void DoStop() override;

    /// What is done with a packet that has arrived: its content, and the address of its sender.
    using Receiver = std::function<void(const Ptr<Packet>&, uint32_t)>;

    /// Listen at the ports of the packets.
    virtual void Listen();

    /**
     * Listen at a port, without a socket: its queue, its tags and the search for a route of each
     * packet that it sends would cost more than all that a transport does with a packet.
     * @param offset from Settings::port
     * @param receiver of the packets, while the transport is started
     * @throws OdcnError when the port is taken
     */
    void ListenAt(uint16_t offset, Receiver receiver);

    /**
     * Make a packet and send it.
     * @param packet what it says
     */
    virtual void Transmit(const TransportPacket& packet);

    /**
     * Send a packet from the port of its flow or message.
     * @param content headers and data
     * @param packet what they say
     */
    void SendData(Ptr<Packet> content, const TransportPacket& packet);

    /**
     * Send a packet from a port to the same port.
     * @param content headers
     * @param packet what they say
     */
    void SendControl(Ptr<Packet> content, const TransportPacket& packet);

    /// @return the logic, which knows its host
    TransportLogic& GetLogic();

    /**
     * @param content data of a packet that has arrived
     * @param peer its sender
     * @param flow its first header
     * @param message its second header
     * @return what they say; kind, class and ranges are in other headers, or in the port
     */
    static TransportPacket Describe(const Ptr<Packet>& content,
                                    uint32_t peer,
                                    const FlowHeader& flow,
                                    const MessageHeader& message);

    /// @param packet that has arrived
    void Arrived(const TransportPacket& packet)
    {
        m_logic->Receive(packet);
    }

    RackId FindRack(uint32_t peer) const override;
    Uplink GetUplink(uint32_t port) const override;

  private:
    int64_t Now() const override;
    int64_t GetTxTime(uint32_t bytes) const override;
    void Send(const TransportPacket& packet) override;
    void SetTimer(uint32_t timer, int64_t delay) override;
    void CancelTimer(uint32_t timer) override;
    bool IsPending(uint32_t timer) const override;
    void DeliverBytes(uint32_t flow, uint32_t bytes) override;
    void DeliverMessage(const TransportPacket& packet) override;

    /// Give a packet its DSCP.
    /// @param content headers and data
    /// @param packet what they say
    static void Expedite(const Ptr<Packet>& content, const TransportPacket& packet);
    /// @param timer which has expired
    void Expired(uint32_t timer);
    /// Find the route to a host, for all its packets. @param peer the host
    /// @throws OdcnError without one
    /// @return the route
    Ptr<Ipv4Route> FindRoute(Ipv4Address peer);
    /// Send a packet.
    /// @param from port
    /// @param content headers and data
    /// @param packet what they say
    void SendFrom(uint16_t from, Ptr<Packet> content, const TransportPacket& packet);
    /// A packet has been received.
    /// @param content headers and data
    /// @param peer its sender
    void ReceivePacket(const Ptr<Packet>& content, uint32_t peer);
    /// Listen at no port any more.
    void Close();

    Ptr<TransportLogic> m_logic;                           //!< what the transport does
    bool m_isAttached{false};                              //!< whether the logic knows its host
    bool m_isDirect{false};                                //!< Direct
    Ptr<DirectUdp> m_direct;                               //!< sends, if m_isDirect
    Ptr<UdpL4Protocol> m_udp;                              //!< sends otherwise
    std::unordered_map<uint32_t, Ptr<Ipv4Route>> m_routes; //!< by address of the receiver
    std::vector<EventId> m_timers;                         //!< Expired(), by number
    std::vector<Ipv4EndPoint*> m_ports;                    //!< of ListenAt(); null if gone
};

} // namespace ns3::odcn

#endif /* ODCN_LOGIC_FLOW_TRANSPORT_H */
