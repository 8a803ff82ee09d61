// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TCP_FLOW_TRANSPORT_H
#define ODCN_TCP_FLOW_TRANSPORT_H

#include "odcn-flow-transport.h"
#include "odcn-message-stream.h"

#include "ns3/packet.h"
#include "ns3/tcp-socket-state.h"

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A TCP connection of ns-3 for each flow, of the type that TcpL4Protocol has; its set-up counts in
 * the completion time. The connection begins with a FlowHeader that names the flow. Messages of a
 * class to one host follow each other on one connection.
 */
class TcpFlowTransport : public FlowTransport, public MessageStreamUser
{
  public:
    /// Retries of a connection before it gives up: circuits may be dark for longer than ns-3's
    /// default, six retries, lasts, and the run decides when to end.
    static constexpr uint32_t RETRIES = 1000;

    /// Bytes of IPv4 and TCP with time stamps in each packet.
    static constexpr uint32_t HEADERS = 52;

    /// @return the TypeId
    static TypeId GetTypeId();
    ~TcpFlowTransport() override;

    void SendFlow(uint32_t flow, Ipv4Address peer, uint64_t bytes, bool isShort) override;
    void SendMessage(Ipv4Address peer, uint64_t bytes, uint64_t tag, bool isShort) override;
    uint32_t GetHeaders() const override;
    uint32_t GetPreamble() const override;
    bool Repairs() const override;
    Stages GetStages() const override;
    uint64_t GetNTimeouts() const override;
    uint64_t GetNRecoveries() const override;

  protected:
    void DoDispose() override;
    void DoStart() override;
    void DoStop() override;

  private:
    /// A flow from this host, until its last byte is with TCP.
    struct Outgoing
    {
        uint64_t order;    //!< connections opened before
        uint32_t flow;     //!< number
        uint64_t left;     //!< bytes not handed to TCP
        bool named{false}; //!< whether its FlowHeader is
    };

    /// The receiving side of a connection of a flow.
    struct Incoming
    {
        uint64_t order;    //!< connections accepted before
        Ptr<Packet> head;  //!< its first bytes, until the FlowHeader is complete
        bool named{false}; //!< whether it is
        uint32_t flow{0};  //!< the number in it
    };

    /// A connection of messages from a sender.
    struct Stream
    {
        Ptr<MessageStream> stream; //!< the connection
        Ipv4Address from;          //!< the sender
    };

    /// @param isShort class
    /// @return an unconnected socket for a connection
    Ptr<Socket> CreateSocket(bool isShort);
    /// Give the connection as many bytes as it takes. @param socket the connection
    void Push(Ptr<Socket> socket);
    /// A connection of a flow from here has changed its congestion state. @param from state
    /// @param to state
    void StateChanged(TcpSocketState::TcpCongState_t from, TcpSocketState::TcpCongState_t to);
    /// There is room for bytes.
    /// @param socket the connection
    /// @param room bytes
    void Writable(Ptr<Socket> socket, uint32_t room);
    /// @param socket a connection that failed
    void ConnectionFailed(Ptr<Socket> socket);
    /// @param socket new connection from the sender of a flow
    /// @param from its address
    void AcceptedFlow(Ptr<Socket> socket, const Address& from);
    /// @param socket new connection from the sender of messages
    /// @param from its address
    void AcceptedMessages(Ptr<Socket> socket, const Address& from);
    /// Data of a flow. @param socket the connection
    void Receive(Ptr<Socket> socket);
    /// @param socket connection that the sender of a flow has closed
    void PeerClosed(Ptr<Socket> socket);
    void MessageReceived(MessageStream& stream, const StreamMessage& message) override;
    void StreamClosed(MessageStream& stream) override;
    /// Close the connections of messages.
    void CloseStreams();

    std::map<Ptr<Socket>, Outgoing> m_outgoing; //!< connections to receivers of flows
    std::map<Ptr<Socket>, Incoming> m_incoming; //!< connections from senders of flows
    std::set<uint32_t> m_refused;               //!< flows whose connection failed
    uint64_t m_opened{0};                       //!< connections of flows opened
    uint64_t m_accepted{0};                     //!< connections of flows accepted
    uint64_t m_timeouts{0};                     //!< see GetNTimeouts()
    uint64_t m_recoveries{0};                   //!< see GetNRecoveries()
    /// Connections of messages to receivers, by receiver and class.
    std::map<std::pair<Ipv4Address, bool>, Ptr<MessageStream>> m_streams;
    std::vector<Stream> m_senders; //!< connections of messages from senders
};

} // namespace ns3::odcn

#endif /* ODCN_TCP_FLOW_TRANSPORT_H */
