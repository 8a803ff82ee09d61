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
#include "ns3/ocs-address-plan.h"
#include "ns3/odcn-units.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/tcp-socket-state.h"
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

class TorSwitch;

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
 * With Hold, a UDP flow to another rack that is not short waits here, in a queue for each rack, and
 * sends only while the own rack has a circuit to the other one, as in Opera and RotorNet. The ToR
 * switch tells its servers about each circuit; that takes the propagation delay of their link and
 * no transmission time. A circuit gives each of the n servers of the rack one packet in the time
 * of n, server by server in turn, so that packets do not queue in the ToR switch; the turn of a
 * server with nothing to send is not used by others, as in the authors' simulator. Flows that do
 * not wait go first. Of several circuits whose turn it is, the one that is due first goes first. No
 * packet starts that would miss the end of the circuit if it met no other in the ToR switch; one
 * that does waits there. Held flows need DirectRouting, or ClassRouting[Bulk=DirectRouting].
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
     * Let flows wait for the circuits of the own ToR switch, if Hold is set. FlowHelper calls it.
     *
     * @param tor the switch, with NoCircuit=Hold
     * @param plan encoding of racks in addresses
     * @param server index of this host in the rack
     */
    void SetTor(Ptr<TorSwitch> tor, const OcsAddressPlan& plan, uint32_t server);

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

    /**
     * @param transport the transport  @param rate of the line  @param packetSize PacketSize
     * @param bytes size of a flow
     * @return time to transmit it with all headers, but without connection set-up
     */
    static Time GetTransmissionTime(Transport transport,
                                    DataRate rate,
                                    uint32_t packetSize,
                                    uint64_t bytes);

    /// @return retransmission timeouts of TCP connections of flows from this host
    uint64_t GetNTimeouts() const;

    /// @return times that such a connection began to retransmit without a timeout
    uint64_t GetNRecoveries() const;

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

    /// Flows that are sending or waiting: rank and index of each.
    using Turns = std::set<std::pair<uint64_t, std::size_t>>;

    /// A circuit of the own rack, for flows that wait for it.
    struct Circuit
    {
        RackId rack{NO_RACK}; //!< that it reaches
        Time next;            //!< when it is this host's turn
        Time until;           //!< when the last bit of the last packet must have left this host
    };

    /// The receiving side of a connection.
    struct Stream
    {
        uint32_t number;   //!< connections accepted before
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
    /// @param index of a flow  @return the active flows, or those that wait for the same rack
    Turns& FindTurns(std::size_t index);
    /// A circuit has changed at the ToR switch. @param port the uplink  @param rack that it reaches
    /// @param until its end
    void CircuitChanged(uint32_t port, RackId rack, Time until);
    /// This host hears of it. @param port the uplink  @param rack that it reaches
    /// @param until its end
    void UseCircuit(uint32_t port, RackId rack, Time until);
    /// Find the next packet. @param [out] turns from which to take it; null if there is none
    /// @param [out] circuit for which its flow waits, or null  @return when it may leave
    Time FindNext(Turns*& turns, Circuit*& circuit);
    /// See to it that SendPacket() is called when the next packet may leave.
    void ScheduleNext();
    /// Send the next packet by UDP.
    void SendPacket();
    /// Received by UDP. @param socket the socket
    void ReceivePackets(Ptr<Socket> socket);

    /// @param index of a flow, to be sent by TCP
    void Connect(std::size_t index);
    /// Give the connection as many bytes as it takes. @param socket the connection
    void Push(Ptr<Socket> socket);
    /// A connection of a flow from here has changed its congestion state. @param from state
    /// @param to state
    void StateChanged(TcpSocketState::TcpCongState_t from, TcpSocketState::TcpCongState_t to);
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
    bool m_hold;           //!< Hold
    uint16_t m_port;       //!< Port

    DataRate m_lineRate;                               //!< Rate, or the device's
    Ptr<NetDevice> m_device;                           //!< sends; null before the start
    Ipv4Address m_address;                             //!< of the device
    Ptr<UdpL4Protocol> m_udp;                          //!< sends
    std::vector<Outgoing> m_outgoing;                  //!< by start
    std::size_t m_next{0};                             //!< the flow to start next
    std::unordered_map<uint32_t, Incoming> m_incoming; //!< flows not complete, by number
    std::array<Ptr<Socket>, 2> m_sockets;              //!< receive: other flows, short flows

    Turns m_active;       //!< flows that are sending
    uint64_t m_turn{0};   //!< last rank of ROUND_ROBIN
    Time m_free;          //!< when the line is free again
    EventId m_sendEvent;  //!< SendPacket()
    Time m_sendTime;      //!< when m_sendEvent is due
    EventId m_startEvent; //!< StartDue()

    Ptr<TorSwitch> m_tor;            //!< for Hold
    OcsAddressPlan m_plan;           //!< for Hold
    uint32_t m_server{0};            //!< for Hold: index in the rack
    std::map<RackId, Turns> m_held;  //!< for Hold: flows that wait, by rack
    std::vector<Circuit> m_circuits; //!< for Hold: by uplink

    std::map<Ptr<Socket>, std::size_t> m_sending; //!< connections to receivers, with the flow
    std::map<Ptr<Socket>, Stream> m_receiving;    //!< connections from senders
    uint32_t m_accepted{0};                       //!< number of connections from senders
    uint64_t m_timeouts{0};                       //!< see GetNTimeouts()
    uint64_t m_recoveries{0};                     //!< see GetNRecoveries()

    TracedCallback<uint32_t> m_startedTrace;         //!< FlowStarted
    TracedCallback<uint32_t, Time> m_completedTrace; //!< FlowCompleted
    TracedCallback<uint32_t, uint32_t> m_rxTrace;    //!< Rx
};

} // namespace ns3::odcn

#endif /* ODCN_FLOW_APPLICATION_H */
