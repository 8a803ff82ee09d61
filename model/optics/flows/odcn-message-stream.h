// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MESSAGE_STREAM_H
#define ODCN_MESSAGE_STREAM_H

#include "ns3/address.h"
#include "ns3/event-id.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"
#include "ns3/socket.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>

namespace ns3::odcn
{

class MessageStream;

/**
 * Extrapolate a time from a share of the bytes to all of them: the transfer takes 1 / scale as
 * long, the rest is unchanged.
 * @param whole total time, the transfer included
 * @param transfer time to receive the packets
 * @param scale bytes sent / actual bytes
 * @return the total time for all bytes
 */
Time UnscaledTime(Time whole, Time transfer, double scale);

/**
 * Check that a message has enough packets for UnscaledTime(): at least 16, unless all bytes are
 * sent.
 * @param option that sets the scale
 * @param scale bytes sent / actual bytes
 * @param bytes sent
 * @param node that sends by a MessageStream
 * @throws OdcnError when it has fewer
 */
void CheckScale(const std::string& option, double scale, uint64_t bytes, const Ptr<Node>& node);

/// A message on a MessageStream.
struct StreamMessage
{
    /// Bytes of the header, and so the least length of a message.
    static constexpr uint32_t HEADER = 32;

    uint32_t kind{0};        //!< for the user, below 2^32 - 1
    uint32_t number{0};      //!< for the user
    uint64_t length{HEADER}; //!< bytes, header included
    int64_t value{0};        //!< for the user
    Time sent{};             //!< when it was handed to the stream
    Time first{};            //!< when its first packet arrived
    Time transfer{};         //!< time to receive all its packets, the first included
};

/// Receiver of the messages of a MessageStream.
class MessageStreamUser
{
  public:
    virtual ~MessageStreamUser() = default;

    /// A complete message has arrived. @param stream its stream  @param message its header
    virtual void MessageReceived(MessageStream& stream, const StreamMessage& message) = 0;

    /// The other end has closed the connection, or it was lost. @param stream its stream
    virtual void StreamClosed(MessageStream& stream) = 0;
};

/**
 * @ingroup odcn
 *
 * Messages of any length over a TCP connection of ns-3. A message is a header of 32 bytes followed
 * by zeros.
 */
class MessageStream : public SimpleRefCount<MessageStream>
{
  public:
    /// @param user receives the messages; must outlive the stream or call Close()
    explicit MessageStream(MessageStreamUser& user);
    ~MessageStream();

    MessageStream(const MessageStream&) = delete;
    MessageStream& operator=(const MessageStream&) = delete;

    /**
     * @param node the node
     * @param window largest number of bytes in flight
     * @return a TCP socket for bulk data on fast links, to connect or to listen with: the window
     * has its full size from the start, and acknowledgements are few
     */
    static Ptr<Socket> CreateSocket(Ptr<Node> node, uint32_t window);

    /**
     * @param rate of the path, bit/s
     * @param roundTrip round-trip propagation delay
     * @param bytes largest amount sent before an answer is awaited
     * @return a window, bytes, that never makes the sender wait: the bandwidth-delay product with
     * delayed acknowledgements, or all bytes if these are fewer; at most 1 GiB, TCP's maximum
     */
    static uint32_t GetWindow(double rate, Time roundTrip, uint64_t bytes);

    /// Called with an accepted socket, for Adopt(), and the address of its peer.
    using Accepted = Callback<void, Ptr<Socket>, const Address&>;

    /**
     * Listen with a socket of CreateSocket(). The process ends if the port is taken.
     * @param node the node
     * @param window largest number of bytes in flight
     * @param port TCP port
     * @param accepted called with each connection
     * @return the socket that listens
     */
    static Ptr<Socket> Listen(Ptr<Node> node, uint32_t window, uint16_t port, Accepted accepted);

    /// Close a socket that listens, if there is one.
    /// @param [in,out] listener of Listen(); null afterwards
    static void StopListening(Ptr<Socket>& listener);

    /**
     * Connect; retries while the peer does not listen.
     * @param create creates a socket for each attempt
     * @param peer address and port
     */
    void Open(std::function<Ptr<Socket>()> create, const Address& peer);

    /// Use an accepted socket. @param socket the socket
    void Adopt(Ptr<Socket> socket);

    /**
     * Queue a message.
     * @param kind for the user
     * @param number for the user
     * @param length bytes, at least StreamMessage::HEADER
     * @param value for the user
     */
    void Send(uint32_t kind, uint32_t number, uint64_t length, int64_t value = 0);

    /// Discard unsent messages and close; the user is not called any more.
    void Close();

    /// @return whether the connection was closed, by either end, so that no message will arrive
    bool IsClosed() const;

  private:
    /// Time between two attempts to connect, ms.
    static constexpr int64_t RETRY_MS = 1;

    /// Hand bytes to TCP until its buffer is full.
    void Pump();

    /// Connect. @see Open()
    void Connect();

    /// Read received bytes. @param socket the socket
    void Receive(Ptr<Socket> socket);

    /// The send buffer has room. @param socket the socket  @param room bytes
    void HasRoom(Ptr<Socket> socket, uint32_t room);

    /// The connection is established. @param socket the socket
    void Connected(Ptr<Socket> socket);

    /// The peer does not listen. @param socket the socket
    void Refused(Ptr<Socket> socket);

    /// The other end has closed or failed. @param socket the socket
    void Gone(Ptr<Socket> socket);

    /// Release the socket.
    void Drop();

    MessageStreamUser* m_user;             //!< receives the messages
    std::function<Ptr<Socket>()> m_create; //!< creates a socket
    Address m_peer;                        //!< remote address and port
    Ptr<Socket> m_socket;                  //!< TCP socket; null when closed
    EventId m_retry;                       //!< next attempt to connect
    bool m_connected{false};               //!< whether TCP takes bytes
    std::deque<StreamMessage> m_queue;     //!< messages to send
    uint64_t m_offset{0};     //!< bytes of the first queued message that TCP has accepted
    StreamMessage m_incoming; //!< message being received
    uint64_t m_got{0};        //!< bytes of it received
    uint64_t m_piece{0};      //!< bytes of it received with its first packet
    std::array<uint8_t, StreamMessage::HEADER> m_header{}; //!< its header so far
};

} // namespace ns3::odcn

#endif /* ODCN_MESSAGE_STREAM_H */
