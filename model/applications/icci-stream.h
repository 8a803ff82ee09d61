// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_STREAM_H
#define ICCI_STREAM_H

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

namespace ns3::odcn
{

class IcciStream;

/**
 * What a share of the bytes tells of all of them: the transfer takes 1 / scale as long, nothing
 * else does.
 * @param whole time, the transfer included
 * @param transfer how long the packets took to come in
 * @param scale sent bytes by real bytes
 * @return the whole time with all bytes
 */
Time IcciUnscaledTime(Time whole, Time transfer, double scale);

/// A message on an IcciStream.
struct IcciMessage
{
    /// Bytes of its header, so the least length.
    static constexpr uint32_t HEADER = 32;

    uint32_t kind{0};        //!< for the user, below 2^32 - 1
    uint32_t number{0};      //!< for the user
    uint64_t length{HEADER}; //!< bytes, header included
    int64_t value{0};        //!< for the user
    Time sent{};             //!< when it was given to the stream
    Time first{};            //!< when its first packet came in
    Time transfer{};         //!< how long all its packets took to come in, the first included
};

/// Who uses an IcciStream.
class IcciStreamUser
{
  public:
    virtual ~IcciStreamUser() = default;

    /// A message has come in whole. @param stream by which  @param message which
    virtual void MessageReceived(IcciStream& stream, const IcciMessage& message) = 0;

    /// The other end has closed, or is gone. @param stream which
    virtual void StreamClosed(IcciStream& stream) = 0;
};

/**
 * @ingroup odcn
 *
 * Messages of any length over a TCP connection of ns-3, for data that is large and links that are
 * fast: the window is as large as told from the start, and acknowledgements are few.
 *
 * A message is a header of 32 bytes and zeros.
 */
class IcciStream : public SimpleRefCount<IcciStream>
{
  public:
    /// @param user told of what comes in
    explicit IcciStream(IcciStreamUser& user);
    ~IcciStream();

    IcciStream(const IcciStream&) = delete;
    IcciStream& operator=(const IcciStream&) = delete;

    /**
     * @param node where
     * @param window bytes that may be under way
     * @return a TCP socket as streams need it, to listen with
     */
    static Ptr<Socket> CreateSocket(Ptr<Node> node, uint32_t window);

    /**
     * @param rate of the path, bit/s
     * @param roundTrip propagation there and back
     * @param bytes that are ever sent before an answer is awaited
     * @return a window that never makes the sender wait: the bandwidth-delay product, delayed
     * acknowledgements included, or all bytes if these are fewer; 1 GiB at most, as TCP's is
     */
    static uint32_t GetWindow(double rate, Time roundTrip, uint64_t bytes);

    /**
     * Connect; tries again while nobody listens there.
     * @param node where
     * @param window bytes that may be under way
     * @param peer address and port
     */
    void Open(Ptr<Node> node, uint32_t window, const Address& peer);

    /// Use a socket that was accepted. @param socket the socket
    void Adopt(Ptr<Socket> socket);

    /**
     * Send a message after those before.
     * @param kind for the user
     * @param number for the user
     * @param length bytes, at least IcciMessage::HEADER
     * @param value for the user
     */
    void Send(uint32_t kind, uint32_t number, uint64_t length, int64_t value = 0);

    /// @return bytes that were given to TCP so far
    uint64_t GetSent() const;

    /// Forget what has not been sent, close, and tell the user nothing any more.
    void Close();

  private:
    /// How long to wait before another try to connect.
    static constexpr int64_t RETRY_MS = 1;

    /// Give to TCP what it takes.
    void Pump();

    /// Connect. @see Open()
    void Connect();

    /// Take what has come in.
    void Receive(Ptr<Socket> socket);

    /// TCP has room. @param socket which  @param room bytes
    void HasRoom(Ptr<Socket> socket, uint32_t room);

    /// Connected. @param socket which
    void Connected(Ptr<Socket> socket);

    /// Nobody listens. @param socket which
    void Refused(Ptr<Socket> socket);

    /// The other end is gone. @param socket which
    void Gone(Ptr<Socket> socket);

    /// Let go of the socket.
    void Drop();

    IcciStreamUser* m_user;          //!< told of what comes in
    Ptr<Node> m_node;                //!< where it is
    uint32_t m_window{0};            //!< bytes that may be under way
    Address m_peer;                  //!< where it leads
    Ptr<Socket> m_socket;            //!< TCP
    EventId m_retry;                 //!< next try to connect
    bool m_connected{false};         //!< whether TCP takes bytes
    std::deque<IcciMessage> m_queue; //!< to be sent
    uint64_t m_offset{0};            //!< bytes of the first of these that TCP has
    uint64_t m_sent{0};              //!< bytes that TCP has taken
    IcciMessage m_incoming;          //!< message that comes in
    uint64_t m_got{0};               //!< bytes of it that have come
    uint64_t m_piece{0};             //!< of these, with the first packet
    std::array<uint8_t, IcciMessage::HEADER> m_header{}; //!< its header, as it comes
};

} // namespace ns3::odcn

#endif /* ICCI_STREAM_H */
