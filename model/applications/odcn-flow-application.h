// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FLOW_APPLICATION_H
#define ODCN_FLOW_APPLICATION_H

#include "odcn-flow-header.h"

#include "ns3/application.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-route.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"
#include "ns3/udp-l4-protocol.h"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * All flows of one host: sends those from it, receives those to it, and tells when the last byte of
 * a flow has been received. FlowHelper installs it.
 *
 * - Transport=Udp: packets leave at the host's line rate, one event each, in an order over the
 *   active flows that is an Attribute. Nothing is retransmitted, so a flow that loses a packet
 * never completes. The source port is specific to the flow, so that switches that hash ports spread
 *   flows.
 * - Transport=Tcp: a TCP connection for each flow, of the type that TcpL4Protocol has; its set-up
 *   counts in the completion time. The connection begins with a FlowHeader that names the flow.
 *
 * All packets of short flows, acknowledgements included, bear the DSCP Expedited Forwarding and go
 * to another port; those of other flows bear DSCP 0.
 */
class FlowApplication : public Application
{
  public:
    /// How bytes are transported.
    enum Transport
    {
        UDP, //!< packets at line rate, without retransmission
        TCP, //!< a connection for each flow
    };

    /// Which active flow sends the next packet, for UDP.
    enum Order
    {
        ROUND_ROBIN,        //!< packet by packet in turn
        FIFO,               //!< the flow that started first
        SHORTEST_REMAINING, //!< the flow with the fewest bytes left
    };

    /// TOS byte of short flows: DSCP Expedited Forwarding (RFC 3246), 0x2e << 2.
    static constexpr uint8_t SHORT_TOS = 0xb8;
    /// Bytes of IPv4, UDP and FlowHeader in each packet, for UDP.
    static constexpr uint32_t UDP_HEADERS = 28 + FlowHeader::SIZE;
    /// Bytes of IPv4 and TCP with time stamps in each packet, for TCP.
    static constexpr uint32_t TCP_HEADERS = 52;

    /// @return the TypeId
    static TypeId GetTypeId();
    FlowApplication();

    /**
     * Add a flow from this host, before the application starts.
     *
     * @param flow its number, unique in the network
     * @param peer address of the receiving host
     * @param bytes application data, 1 or more
     * @param start when to start; at once if in the past
     * @throws OdcnError when the application has started, or a UDP flow exceeds 2^32 packets
     */
    void AddFlow(uint32_t flow, Ipv4Address peer, uint64_t bytes, Time start);

    /**
     * Announce a flow to this host. Packets of flows that were not announced are ignored.
     *
     * @param flow its number
     * @param bytes application data, 1 or more
     * @param start when it starts, for the completion time
     */
    void ExpectFlow(uint32_t flow, uint64_t bytes, Time start);

    /**
     * @param bytes size of a flow
     * @return time to transmit it at line rate with all headers, but without connection set-up
     * @throws OdcnError before the application starts
     */
    Time GetTransmissionTime(uint64_t bytes) const;

    /// Signature of FlowStarted. @param flow number
    typedef void (*FlowTracedCallback)(uint32_t flow);
    /// Signature of FlowCompleted. @param flow number  @param time completion time
    typedef void (*CompletedTracedCallback)(uint32_t flow, Time time);
    /// Signature of Rx. @param flow number  @param bytes application data
    typedef void (*RxTracedCallback)(uint32_t flow, uint32_t bytes);

  protected:
    void DoDispose() override;

  private:
    /// A flow from this host.
    struct Outgoing
    {
        uint32_t flow;        //!< number
        Ipv4Address peer;     //!< receiver
        uint64_t left;        //!< bytes not sent yet
        Time start;           //!< when it starts
        uint32_t sequence{0}; //!< packets sent
        bool isShort{false};  //!< class
        Ptr<Ipv4Route> route; //!< while it is sending by UDP
    };

    /// A flow to this host.
    struct Incoming
    {
        uint64_t left; //!< bytes not received yet
        Time start;    //!< when it starts
    };

    /// The receiving side of a connection.
    struct Stream
    {
        Ptr<Packet> head;  //!< its first bytes, until the FlowHeader is complete
        bool named{false}; //!< whether it is
        uint32_t flow{0};  //!< the number in it
    };

    void StartApplication() override;
    void StopApplication() override;

    /// Find the device to send from, its address and its rate. @throws OdcnError without one
    void FindDevice();
    /// Create the sockets that receive.
    void Listen();
    /// Start the flows that are due, and schedule the next.
    void StartDue();
    /// @param index of a flow to start
    void StartFlow(std::size_t index);

    /// @param index of a flow  @return rank of its next packet; the lowest is sent first
    uint64_t GetRank(std::size_t index);
    /// Send the next packet by UDP.
    void SendPacket();
    /// Received by UDP. @param socket the socket
    void ReceivePackets(Ptr<Socket> socket);

    /// @param index of a flow, to be sent by TCP
    void Connect(std::size_t index);
    /// Give the connection as many bytes as it takes. @param socket the connection
    void Push(Ptr<Socket> socket);
    /// There is room for bytes. @param socket the connection  @param room bytes
    void Writable(Ptr<Socket> socket, uint32_t room);
    /// @param socket a connection that failed
    void ConnectionFailed(Ptr<Socket> socket);
    /// @param socket new connection from a sender  @param from its address
    void Accepted(Ptr<Socket> socket, const Address& from);
    /// Received by TCP. @param socket the connection
    void ReceiveStream(Ptr<Socket> socket);
    /// @param socket connection that the sender has closed
    void PeerClosed(Ptr<Socket> socket);

    /// @param flow number  @param bytes received
    void Received(uint32_t flow, uint32_t bytes);

    Transport m_transport; //!< Transport
    Order m_order;         //!< Order
    uint32_t m_packetSize; //!< PacketSize
    DataRate m_rate;       //!< Rate
    uint64_t m_shortFlows; //!< ShortFlows
    uint16_t m_port;       //!< Port

    DataRate m_lineRate;                               //!< Rate, or the device's
    Ptr<NetDevice> m_device;                           //!< sends; null before the start
    Ipv4Address m_address;                             //!< of the device
    Ptr<UdpL4Protocol> m_udp;                          //!< sends
    std::vector<Outgoing> m_outgoing;                  //!< by start
    std::size_t m_next{0};                             //!< the flow to start next
    std::unordered_map<uint32_t, Incoming> m_incoming; //!< flows not complete, by number
    std::array<Ptr<Socket>, 2> m_sockets;              //!< receive: other flows, short flows

    std::set<std::pair<uint64_t, std::size_t>> m_active; //!< rank and index of sending flows
    uint64_t m_turn{0};                                  //!< last rank of ROUND_ROBIN
    Time m_free;                                         //!< when the line is free again
    EventId m_sendEvent;                                 //!< SendPacket()
    EventId m_startEvent;                                //!< StartDue()

    std::map<Ptr<Socket>, std::size_t> m_sending; //!< connections to receivers, with the flow
    std::map<Ptr<Socket>, Stream> m_receiving;    //!< connections from senders

    TracedCallback<uint32_t> m_startedTrace;         //!< FlowStarted
    TracedCallback<uint32_t, Time> m_completedTrace; //!< FlowCompleted
    TracedCallback<uint32_t, uint32_t> m_rxTrace;    //!< Rx
};

} // namespace ns3::odcn

#endif /* ODCN_FLOW_APPLICATION_H */
