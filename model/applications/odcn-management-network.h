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
#include <functional>
#include <map>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Carries the control messages between a controller and what it controls: UDP packets over a link
 * between the controller's node and a management gateway, through which users and devices are
 * reached. ManagementHelper builds the link. Messages that wait for the link are sent in order.
 *
 * A message's content is not serialised: its packets have the message's length, and when the last
 * of them arrives the receiver's action is called.
 *
 * With a DataRate of 0, the default, the network is ideal: there is no link and no packet, and a
 * message is received in the moment in which it is sent.
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

    /// What was sent of a kind.
    struct Counts
    {
        uint64_t messages{0};  //!< given to Send()
        uint64_t packets{0};   //!< that they took; 0 on an ideal network
        uint64_t bytes{0};     //!< of the messages
        uint64_t delivered{0}; //!< messages that have arrived
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    ManagementNetwork();

    /// @return whether there is no link: messages take no time
    bool IsIdeal() const;

    /**
     * Use a link; both nodes have an IPv4 stack with a route to the other end.
     * @param controller node of the controller  @param controllerAddress its address on the link
     * @param gateway node at the devices  @param gatewayAddress its address on the link
     * @throws OdcnError when the network is ideal
     */
    void SetEnds(Ptr<Node> controller,
                 Ipv4Address controllerAddress,
                 Ptr<Node> gateway,
                 Ipv4Address gatewayAddress);

    /**
     * Send a message.
     * @param kind which, and so in which direction
     * @param bytes its length, headers of UDP and IPv4 not included
     * @param received called when it has arrived
     * @throws OdcnError when the network is not ideal and has no link
     */
    void Send(Kind kind, uint32_t bytes, std::function<void()> received);

    /**
     * @param bytes length of a message
     * @return how long it takes on an idle link
     */
    Time GetLatency(uint32_t bytes) const;

    /// @param kind which  @return what was sent of it
    const Counts& GetCounts(Kind kind) const
    {
        return m_counts[kind];
    }

    /// Signature of Delivered. @param kind of the message  @param latency from Send() to arrival
    typedef void (*DeliveredTracedCallback)(Kind kind, Time latency);

  protected:
    void DoDispose() override;

  private:
    /// A message under way.
    struct Message
    {
        Kind kind;                      //!< of it
        Time sent;                      //!< when Send() was called
        uint32_t left;                  //!< packets that have not arrived
        std::function<void()> received; //!< action of the receiver
    };

    /// One end of the link.
    struct End
    {
        Ptr<Socket> socket; //!< sends and receives
        Address address;    //!< of it
    };

    /// Open the socket of an end. @param end which  @param node where  @param address there
    void Open(End& end, Ptr<Node> node, Ipv4Address address);

    /// Packets have come. @param socket which
    void Receive(Ptr<Socket> socket);

    /// A message has arrived. @param kind of it  @param sent when  @param received action
    void Deliver(Kind kind, Time sent, const std::function<void()>& received);

    DataRate m_dataRate;                         //!< of the link; 0 for an ideal network
    Time m_delay;                                //!< of the link
    uint16_t m_port;                             //!< UDP port of both ends
    std::array<End, 2> m_ends;                   //!< controller, gateway
    uint32_t m_number{0};                        //!< of the next message
    std::map<uint32_t, Message> m_messages;      //!< under way
    std::array<Counts, KINDS> m_counts;          //!< by kind
    TracedCallback<Kind, Time> m_deliveredTrace; //!< Delivered
};

} // namespace ns3::odcn

#endif /* ODCN_MANAGEMENT_NETWORK_H */
