// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MANAGEMENT_NETWORK_H
#define ODCN_MANAGEMENT_NETWORK_H

#include "ns3/data-rate.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Carries the control messages between a controller and the devices: UDP packets over a link
 * between the controller's node and a management gateway, which represents users and devices.
 * ManagementHelper builds the link. Messages that wait for the link are sent in order.
 *
 * The content of a message is not serialised: its packets have the message's length, and when the
 * last of them arrives the receiver's callback is invoked.
 *
 * A message that is lost is sent again after the RetransmitTime, until one arrives. A message that
 * is late waits until SetLate() ends that. Messages of a kind stay in order.
 *
 * With a DataRate of 0, the default, the network is ideal: there are no link and no packets, and a
 * message is received at the time at which it is sent.
 */
class ManagementNetwork : public Object
{
  public:
    /// Kinds of messages.
    enum Kind : uint8_t
    {
        REQUEST, //!< a user's request, to the controller
        INQUIRY, //!< for the state of the devices, from the controller
        COMMAND, //!< to the devices, from the controller
        REPORT,  //!< of the devices, to the controller
        KINDS,   //!< number of kinds
    };

    /// Statistics of one kind of messages.
    struct Counts
    {
        uint64_t messages{0};  //!< messages sent
        uint64_t packets{0};   //!< packets sent; 0 on an ideal network
        uint64_t bytes{0};     //!< bytes of the messages
        uint64_t delivered{0}; //!< messages that have arrived
        uint64_t lost{0};      //!< messages that were lost, each time they were sent
        uint64_t late{0};      //!< messages that had to wait, see SetLate()
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    ManagementNetwork();

    /// @return a new ideal network, whatever the default of its DataRate
    static Ptr<ManagementNetwork> MakeIdeal();

    /// @return whether there is no link: messages take no time
    bool IsIdeal() const;

    /**
     * Set the ends of the link; both nodes have an IPv4 stack with a route to the other end.
     * @param controller node of the controller  @param controllerAddress its address on the link
     * @param gateway management gateway  @param gatewayAddress its address on the link
     * @throws OdcnError when the network is ideal
     */
    void SetEnds(Ptr<Node> controller,
                 Ipv4Address controllerAddress,
                 Ptr<Node> gateway,
                 Ipv4Address gatewayAddress);

    /**
     * Send a message.
     * @param kind of the message; it determines the direction
     * @param bytes length, without the headers of UDP and IPv4
     * @param received called when the message has arrived
     * @throws OdcnError when the network is not ideal and has no link
     */
    void Send(Kind kind, uint32_t bytes, std::function<void()> received);

    /**
     * @param bytes length of a message
     * @return its latency on an idle link
     */
    Time GetLatency(uint32_t bytes) const;

    /// @param kind of messages  @return their statistics
    const Counts& GetCounts(Kind kind) const
    {
        return m_counts[kind];
    }

    /// Lose all messages of a kind that are sent from now on, or no longer.
    /// @param kind of messages  @param lost whether they are lost
    void SetLost(Kind kind, bool lost);

    /// Let all messages of a kind that are sent from now on wait until the end of this.
    /// @param kind of messages  @param late whether they wait
    void SetLate(Kind kind, bool late);

    /// Signature of Delivered. @param kind of the message  @param latency from Send() to arrival
    typedef void (*DeliveredTracedCallback)(Kind kind, Time latency);

  protected:
    void DoDispose() override;

  private:
    /// A message under way.
    struct Message
    {
        Kind kind;                      //!< kind of the message
        Time sent;                      //!< when Send() was called
        uint32_t left;                  //!< packets that have not arrived yet
        std::function<void()> received; //!< callback of the receiver
    };

    /// A message that waits to be sent.
    struct Waiting
    {
        uint32_t bytes;                 //!< length
        Time sent;                      //!< when Send() was called
        std::function<void()> received; //!< callback of the receiver
    };

    /// One end of the link.
    struct End
    {
        Ptr<Socket> socket; //!< sends and receives
        Address address;    //!< its IPv4 address and port
    };

    /// Open a socket. @param end its end  @param node its node  @param address its address
    void Open(End& end, Ptr<Node> node, Ipv4Address address);

    /**
     * Send a message. One that is lost waits again, ahead of the others.
     * @param kind of the message
     * @param waiting the message
     * @return whether it was not lost
     */
    bool Carry(Kind kind, Waiting waiting);

    /// Read received packets. @param socket the socket
    void Receive(Ptr<Socket> socket);

    /// Try to send the messages that wait. @param kind of messages
    void SendWaiting(Kind kind);

    /// A message has arrived. @param kind its kind  @param sent when  @param received callback
    void Deliver(Kind kind, Time sent, const std::function<void()>& received);

    DataRate m_dataRate;              //!< rate of the link; 0 for an ideal network
    Time m_delay;                     //!< propagation delay of the link
    Time m_retransmitTime;            //!< from a loss until the message is sent again
    std::array<bool, KINDS> m_lost{}; //!< see SetLost()
    std::array<bool, KINDS> m_late{}; //!< see SetLate()
    std::array<std::deque<Waiting>, KINDS> m_waiting; //!< messages not sent yet, in order
    uint16_t m_port;                                  //!< UDP port of both ends
    std::array<End, 2> m_ends;                        //!< controller, gateway
    uint32_t m_number{0};                             //!< number of the next message
    std::map<uint32_t, Message> m_messages;           //!< messages under way, by number
    std::array<Counts, KINDS> m_counts;               //!< by kind
    TracedCallback<Kind, Time> m_deliveredTrace;      //!< trace source Delivered
};

} // namespace ns3::odcn

#endif /* ODCN_MANAGEMENT_NETWORK_H */
