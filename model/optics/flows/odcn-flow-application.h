// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FLOW_APPLICATION_H
#define ODCN_FLOW_APPLICATION_H

#include "odcn-flow-header.h"
#include "odcn-flow-path.h"

#include "ns3/application.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/ocs-address-plan.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3::odcn
{

class FlowTransport;
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
 * How the bytes cross the network is that of its FlowTransport:
 * - Transport=Udp: UdpFlowTransport, or NackFlowTransport with Repair=Nack;
 * - Transport=Tcp: TcpFlowTransport;
 * - the name of any other TransportLogic or FlowTransport, with Attributes in brackets.
 *
 * With Hold, a flow to another rack that is not short waits in the host until its rack has a
 * circuit to the other one; see UdpFlowTransport. Held flows need DirectRouting, or
 * ClassRouting[Bulk=DirectRouting].
 *
 * All packets of short flows, acknowledgements included, bear the DSCP Expedited Forwarding and go
 * to another port; those of other flows bear DSCP 0.
 */
class FlowApplication : public Application
{
  public:
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

        /// @param o counts to add
        /// @return this
        MessageCounts& operator+=(const MessageCounts& o)
        {
            packets += o.packets;
            again += o.again;
            duplicates += o.duplicates;
            requests += o.requests;
            return *this;
        }
    };

    /// TOS byte of short flows: DSCP Expedited Forwarding (RFC 3246), 0x2e << 2.
    static constexpr uint8_t SHORT_TOS = 0xb8;
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
     * The time of a flow that is alone in the network: its packets leave at line rate, and each
     * switch sends one on as soon as it has been received and the one before it has been sent.
     * TCP's set-up and slow start do not count.
     * @param bytes size of the flow
     * @param path of its packets, of one hop or more
     * @return time from its start until its last bit has been received
     */
    Time GetUnloadedTime(uint64_t bytes, const FlowPath& path) const;

    /**
     * @return how its bytes cross the network; made of the Attributes when it is first needed
     * @throws OdcnError when Transport names none
     */
    Ptr<FlowTransport> GetTransport() const;

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

    /// @return number and stage of each flow from this host
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
    friend class FlowTransport; // tells what has arrived

    /// A flow from this host.
    struct Outgoing
    {
        uint32_t flow;    //!< number
        Ipv4Address peer; //!< receiver
        uint64_t bytes;   //!< application data
        Time start;       //!< when it starts
    };

    /// A flow to this host.
    struct Incoming
    {
        uint64_t left; //!< bytes not received yet
        Time start;    //!< when it starts
    };

    void StartApplication() override;
    void StopApplication() override;

    /// Find the device to send from, and its rate.
    /// @return its address
    /// @throws OdcnError without one
    Ipv4Address FindDevice();
    /// Start the flows that are due, and schedule the next.
    void StartDue();
    /// @param bytes size of a flow or message
    /// @return whether it is short
    bool IsShort(uint64_t bytes) const;
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

    std::string m_transportText; //!< Transport
    Order m_order;               //!< Order
    uint32_t m_packetSize;       //!< PacketSize
    DataRate m_rate;             //!< Rate
    uint64_t m_shortFlows;       //!< ShortFlows
    bool m_hold;                 //!< Hold
    bool m_windowPerMessage;     //!< WindowPerMessage
    uint16_t m_port;             //!< Port
    RepairMode m_repair;         //!< Repair
    Time m_reorderTime;          //!< ReorderTime
    Time m_repairTimeout;        //!< RepairTimeout
    uint32_t m_window;           //!< Window
    uint32_t m_creditPackets;    //!< CreditPackets

    mutable Ptr<FlowTransport> m_transport;            //!< see GetTransport()
    DataRate m_lineRate;                               //!< Rate, or the device's
    Ptr<NetDevice> m_device;                           //!< sends; null before the start
    std::vector<Outgoing> m_outgoing;                  //!< flows from here, by start once started
    std::size_t m_next{0};                             //!< the flow to start next
    std::unordered_map<uint32_t, Incoming> m_incoming; //!< flows not complete, by number
    std::vector<FlowMessage> m_early; //!< messages to be sent at the start; from is the receiver
    bool m_acceptsMessages{false};    //!< see AcceptMessages()
    bool m_stopped{false};            //!< whether the application has stopped
    bool m_disposed{false};           //!< whether it has been disposed of
    uint32_t m_firing{0};             //!< traces whose sinks run now
    EventId m_startEvent;             //!< StartDue()

    TracedCallback<uint32_t> m_startedTrace;           //!< FlowStarted
    TracedCallback<uint32_t, Time> m_completedTrace;   //!< FlowCompleted
    TracedCallback<uint32_t, uint32_t> m_rxTrace;      //!< Rx
    TracedCallback<const FlowMessage&> m_messageTrace; //!< MessageReceived
};

} // namespace ns3::odcn

#endif /* ODCN_FLOW_APPLICATION_H */
