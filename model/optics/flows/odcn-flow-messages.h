// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FLOW_MESSAGES_H
#define ODCN_FLOW_MESSAGES_H

/**
 * @file
 * The parts of FlowApplication that only messages need.
 */

#include "odcn-flow-application.h"
#include "odcn-message-receiver.h"

#include "ns3/event-id.h"

#include <set>

namespace ns3::odcn
{

/// What is known of a message from this host, besides what a flow has.
struct FlowApplication::OutgoingMessage
{
    uint64_t bytes{0};        //!< application data
    uint64_t tag{0};          //!< for the receiver
    std::set<uint32_t> again; //!< packets to send again
    Time timeout;             //!< before the last packet is sent again
    Time deadline{};          //!< when it is sent again
    EventId timer{};          //!< AnswerOverdue()
    uint32_t credit{0};       //!< packets that may be sent
    bool isFlow{false};       //!< whether it was known in advance
    bool wasSent{false};      //!< whether each packet was sent once
    bool hasTurn{true};       //!< whether it takes turns on the line
};

/// Messages of a host over TCP: one connection for each peer and class that it sends to.
class FlowApplication::Streams : public MessageStreamUser
{
  public:
    /// @param application that sends
    explicit Streams(FlowApplication& application);
    ~Streams() override;

    /**
     * Send a message.
     * @param peer receiver
     * @param bytes application data
     * @param tag for the receiver
     */
    void Send(Ipv4Address peer, uint64_t bytes, uint64_t tag);

    /// A sender has connected.
    /// @param socket to it
    /// @param from its address
    void Accepted(Ptr<Socket> socket, const Address& from);

    void MessageReceived(MessageStream& stream, const StreamMessage& message) override;
    void StreamClosed(MessageStream& stream) override;

  private:
    /// A connection from a sender.
    struct Incoming
    {
        Ptr<MessageStream> stream; //!< the connection
        Ipv4Address from;          //!< the sender
    };

    FlowApplication& m_application;                                        //!< sends
    std::map<std::pair<Ipv4Address, bool>, Ptr<MessageStream>> m_outgoing; //!< by peer, class
    std::vector<Incoming> m_incoming;                                      //!< from senders
};

} // namespace ns3::odcn

#endif /* ODCN_FLOW_MESSAGES_H */
