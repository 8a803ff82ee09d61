// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FLOW_APPLICATION_H
#define ODCN_FLOW_APPLICATION_H

#include "odcn-flow-header.h"
#include "odcn-flow-path.h"
#include "odcn-message-stream.h"

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
#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::odcn
{

class MessageReceiver;
class RepairHeader;
class TorSwitch;

/// A message that a host has received.
struct FlowMessage
{
    Ipv4Address from;  //!< the sender
    uint64_t bytes{0}; //!< application data
    uint64_t tag{0};   //!< of the sender
    Time sent;         //!< when it was sent
};

/**
 * @ingroup odcn
 *
 * All flows and messages of one host: sends those from it, receives those to it, and tells when the
 * last byte of one has been received. FlowHelper installs it.
 *
 * Flows are known in advance, messages are sent at any time (Send()). Both take turns on the line;
 * messages to one host, if they are of the same class (short or not), follow each other.
 * A message's packets carry its size, so the receiver needs no announcement.
 *
 * - Transport=Udp: packets leave at the host's line rate, one event each, in an order over the
 *   active flows that is an Attribute. A flow or message that loses a packet never completes,
 *   unless Repair=Nack: then the receiver asks for lost packets until it is complete. It does
 *   not take a packet for lost because a later one has arrived, but only if it is still missing
 *   ReorderTime later. Set that time, and RepairTimeout, above the time for which switches may
 *   hold packets, for example the period of a schedule. With a Window, the receiver also paces
 *   its senders: it lets so many packets be on their way to it, by credits, so that queues in
 *   the network stay short. The source port is specific to the flow, so that switches that hash
 *   ports spread flows.
 * - Transport=Tcp: a TCP connection for each flow, of the type that TcpL4Protocol has; its set-up
 *   counts in the completion time. The connection begins with a FlowHeader that names the flow.
 *   Messages to one host follow each other on one connection.
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
    /// A time-out of Repair=Nack doubles up to this many times RepairTimeout.
    static constexpr int64_t MOST_TIMEOUTS = 64;

    /// Retries of a TCP connection before it gives up: circuits may be dark for longer than ns-3's
    /// default, six retries, lasts, and the run decides when to end.
    static constexpr uint32_t TCP_RETRIES = 1000;

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

    /// What is sent again.
    enum RepairMode
    {
        NONE, //!< nothing
        NACK, //!< packets that the receiver asks for, for UDP
    };

    /// Packets of messages, and of flows with Repair=Nack, by UDP. Without faults and overflows,
    /// again and duplicates should be 0.
    struct MessageCounts
    {
        uint64_t packets{0};    //!< sent from here, each once
        uint64_t again{0};      //!< sent from here again
        uint64_t duplicates{0}; //!< received here more than once
        uint64_t requests{0};   //!< sent from here, for lost packets
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
    ~FlowApplication() override;

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
     * Listen for messages, and for answers to those from here, on the four ports after those of
     * flows, before the application starts. PacketMessages calls it.
     * @throws OdcnError when the application has started
     */
    void AcceptMessages();

    /**
     * Send a message now, or when the application starts if that is later. MessageReceived is fired
     * at the other host when it has its last byte.
     *
     * @param peer address of the receiving host, which runs this application with equal Attributes
     * @param bytes application data, 1 or more
     * @param tag for the receiver
     * @throws OdcnError when it is empty or exceeds 2^32 packets, or the application has stopped or
     * does not accept messages
     */
    void Send(Ipv4Address peer, uint64_t bytes, uint64_t tag);

    /// @return packets of messages
    MessageCounts GetMessageCounts() const;

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

    /**
     * The time of a flow that is alone in the network: its packets leave at line rate, and each
     * switch sends one on as soon as it has been received and the one before it has been sent.
     * TCP's set-up and slow start do not count.
     * @param bytes size of the flow
     * @param path of its packets, of one hop or more
     * @return time from its start until its last bit has been received
     */
    Time GetUnloadedTime(uint64_t bytes, const FlowPath& path) const;

    /**
     * As above, without Repair.
     * @param transport the transport
     * @param rate at which packets leave; 0 for that of the first hop
     * @param packetSize PacketSize
     * @param bytes size of a flow
     * @param path of its packets
     * @return its time
     */
    static Time GetUnloadedTime(Transport transport,
                                DataRate rate,
                                uint32_t packetSize,
                                uint64_t bytes,
                                const FlowPath& path);

    /**
     * @param flow number of a flow or a message
     * @return UDP port that its packets come from, for hashes of flows
     */
    static uint16_t GetSourcePort(uint32_t flow);

    /// What a flow from this host is doing.
    enum FlowStage
    {
        NOT_STARTED, //!< its start is later
        HELD,        //!< it waits here for a circuit (Hold)
        CONNECTING,  //!< its TCP connection is not set up
        REFUSED,     //!< its TCP connection failed
        SENDING,     //!< bytes are left to be sent
        SENT         //!< all bytes have left, at least once
    };

    /// Flows by number, or messages by tag, with the stage of each.
    using FlowStages = std::vector<std::pair<uint64_t, FlowStage>>;

    /// @return number and stage of each flow from this host; those that are complete may lack
    FlowStages GetStages() const;

    /// @return retransmission timeouts of TCP connections of flows from this host
    uint64_t GetNTimeouts() const;

    /// @return times that such a connection began to retransmit without a timeout
    uint64_t GetNRecoveries() const;

    /// Signature of FlowStarted. @param flow number
    typedef void (*FlowTracedCallback)(uint32_t flow);
    /// Signature of FlowCompleted. @param flow number  @param time completion time
    typedef void (*CompletedTracedCallback)(uint32_t flow, Time time);
    /// Signature of MessageReceived. @param message the message
    typedef void (*MessageTracedCallback)(const FlowMessage& message);
    /// Signature of Rx. @param flow number  @param bytes application data
    typedef void (*RxTracedCallback)(uint32_t flow, uint32_t bytes);

  protected:
    void DoDispose() override;

  private:
    struct OutgoingMessage;
    class Streams;

    /// A flow or a message from this host.
    struct Outgoing
    {
        uint32_t flow;                              //!< number
        Ipv4Address peer;                           //!< receiver
        uint64_t left;                              //!< bytes not sent yet
        Time start;                                 //!< when it starts
        uint32_t sequence{0};                       //!< packets sent
        bool isShort{false};                        //!< class
        Ptr<Ipv4Route> route;                       //!< while it is sending by UDP
        uint64_t order{0};                          //!< flows and messages started before
        std::unique_ptr<OutgoingMessage> message{}; //!< if it is one
    };

    /// A flow to this host.
    struct Incoming
    {
        uint64_t left; //!< bytes not received yet
        Time start;    //!< when it starts
    };

    /// A flow or message that is sending or waiting; the least one sends first.
    struct Turn
    {
        uint64_t rank;     //!< see GetRank()
        uint64_t order;    //!< flows and messages started before
        std::size_t index; //!< of the flow or message

        /// @param o another one  @return comparison of rank, order and index
        auto operator<=>(const Turn& o) const = default;
    };

    /// Flows and messages that are sending or waiting.
    using Turns = std::set<Turn>;

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

    /// Let a flow take turns on the line. @param index of the flow
    void Activate(std::size_t index);
    /// Send what Send() was told.
    /// @param peer receiver
    /// @param bytes size
    /// @param tag of the message
    void StartMessage(Ipv4Address peer, uint64_t bytes, uint64_t tag);
    /// @param flow a flow or a message
    /// @return application data in a full packet
    uint32_t GetPayload(const Outgoing& flow) const;
    /// @param flow a flow or a message
    /// @return application data in its next packet
    uint32_t GetNextBytes(const Outgoing& flow) const;
    /// @param flow a flow or a message
    /// @return its next packet, which is sent now
    Ptr<Packet> MakePacket(Outgoing& flow);
    /// All packets that may be sent have been. @param index of a flow or a message
    void Drained(std::size_t index);
    /// What was sent of a message has been unanswered for long: repeat the last packet.
    /// @param index of the message
    void AnswerOverdue(std::size_t index);
    /// A message has packets to send. @param index of the message
    void TakeTurns(std::size_t index);
    /// Make a flow or message one that tells its size.
    /// @param index of it
    /// @param tag for the receiver
    void MakeMessage(std::size_t index, uint64_t tag);
    /// Let the next message to the same host begin. @param flow a message that has been sent
    void LeaveQueue(const Outgoing& flow);
    /// Packets of messages have been received. @param socket the socket
    void ReceiveMessages(Ptr<Socket> socket);
    /// Answers of receivers have been received. @param socket the socket
    void ReceiveAnswers(Ptr<Socket> socket);
    /// Credits of receivers have been received. @param socket the socket
    void ReceiveCredits(Ptr<Socket> socket);
    /// Read an answer.
    /// @param socket the socket
    /// @param [out] answer the answer
    /// @return index of its message, if it is not complete
    std::optional<std::size_t> FindOpen(Ptr<Socket> socket, RepairHeader& answer);
    /// Answer a sender.
    /// @param offset from Port
    /// @param peer the sender
    /// @param answer the answer
    void SendAnswer(uint16_t offset, Ipv4Address peer, const RepairHeader& answer);
    /// @param index of a message that needs no memory any more
    void Forget(std::size_t index);
    /// Create the sockets that receive messages.
    void ListenForMessages();
    /// @param offset from Port
    /// @return a socket that is bound to it
    /// @throws OdcnError when the port is taken
    Ptr<Socket> Bind(uint16_t offset);
    /// @param isShort class
    /// @return an unconnected socket for a connection
    Ptr<Socket> CreateTcpSocket(bool isShort);

    /// @param index of a flow  @return rank of its next packet; the lowest is sent first
    uint64_t GetRank(std::size_t index);
    /// @param flow a flow  @return the rack for whose circuits it waits, or NO_RACK
    RackId FindHold(const Outgoing& flow) const;
    /// @param index of a flow  @return the active flows, or those that wait for the same rack
    Turns& FindTurns(std::size_t index);
    /// @return bytes of headers in each packet
    uint32_t GetHeaders() const;
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

    /**
     * Fire a trace, whose sinks may send, stop or dispose of this application.
     * @tparam T its type
     * @tparam A types of the arguments
     * @param trace the trace
     * @param arguments of its sinks
     */
    template <typename T, typename... A>
    void Fire(T& trace, const A&... arguments)
    {
        const Ptr<FlowApplication> keep(this);
        ++m_firing;
        trace(arguments...);
        --m_firing;
        CutTraces();
    }

    /// Forget the sinks of all traces after disposal: they may hold what holds this application.
    void CutTraces();

    Transport m_transport; //!< Transport
    Order m_order;         //!< Order
    uint32_t m_packetSize; //!< PacketSize
    DataRate m_rate;       //!< Rate
    uint64_t m_shortFlows; //!< ShortFlows
    bool m_hold;           //!< Hold
    uint16_t m_port;       //!< Port
    RepairMode m_repair;   //!< Repair
    Time m_reorderTime;    //!< ReorderTime
    Time m_repairTimeout;  //!< RepairTimeout
    uint32_t m_window;     //!< Window

    DataRate m_lineRate;             //!< Rate, or the device's
    Ptr<NetDevice> m_device;         //!< sends; null before the start
    Ipv4Address m_address;           //!< of the device
    Ptr<UdpL4Protocol> m_udp;        //!< sends
    std::deque<Outgoing> m_outgoing; //!< by start; references stay valid while a trace sends
    std::size_t m_next{0};           //!< the flow to start next
    std::unordered_map<uint32_t, Incoming> m_incoming; //!< flows not complete, by number
    /// Receive: other flows, short flows, other messages, short messages, answers, credits.
    std::array<Ptr<Socket>, 6> m_sockets;

    std::size_t m_nFlows{0};                   //!< flows known in advance, first in m_outgoing
    std::vector<std::size_t> m_unused;         //!< elements of m_outgoing that messages may use
    std::vector<FlowMessage> m_early;          //!< to be sent at the start; from is the receiver
    std::map<Ipv4Address, uint32_t> m_numbers; //!< by receiver: messages sent
    /// Messages by receiver and class; the first is being sent, the others wait for it.
    std::map<std::pair<Ipv4Address, bool>, std::deque<std::size_t>> m_queues;
    /// Messages that were not acknowledged, by receiver and number.
    std::map<std::pair<Ipv4Address, uint32_t>, std::size_t> m_open;
    std::unique_ptr<MessageReceiver> m_receiver; //!< of messages by UDP
    std::unique_ptr<Streams> m_streams;          //!< of messages by TCP
    MessageCounts m_counts;                      //!< of this host as the sender
    bool m_acceptsMessages{false};               //!< see AcceptMessages()
    bool m_stopped{false};                       //!< whether the application has stopped
    bool m_disposed{false};                      //!< whether it has been disposed of
    uint32_t m_firing{0};                        //!< traces whose sinks run now
    uint64_t m_started{0};                       //!< flows and messages started

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

    TracedCallback<uint32_t> m_startedTrace;           //!< FlowStarted
    TracedCallback<uint32_t, Time> m_completedTrace;   //!< FlowCompleted
    TracedCallback<uint32_t, uint32_t> m_rxTrace;      //!< Rx
    TracedCallback<const FlowMessage&> m_messageTrace; //!< MessageReceived
};

} // namespace ns3::odcn

#endif /* ODCN_FLOW_APPLICATION_H */
