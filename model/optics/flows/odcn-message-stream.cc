// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-message-stream.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/odcn-error.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Message header on the wire.
struct Wire
{
    uint32_t kind;   //!< StreamMessage::kind
    uint32_t number; //!< StreamMessage::number
    uint64_t length; //!< StreamMessage::length
    int64_t value;   //!< StreamMessage::value
    int64_t sent;    //!< StreamMessage::sent, time steps
};

static_assert(sizeof(Wire) == StreamMessage::HEADER);

/// Kind of the first message of a connection, internal to streams.
constexpr uint32_t HELLO = UINT32_MAX;

/// @param node a node
/// @return bytes of data in a full packet that each of its devices can send
uint32_t
GetSegmentSize(const Ptr<Node>& node)
{
    // Headers of IPv4 and TCP with its timestamp option, bytes.
    constexpr uint32_t HEADERS = 52;
    uint32_t mtu = UINT16_MAX;
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        mtu = std::min<uint32_t>(mtu, node->GetDevice(i)->GetMtu());
    }
    return mtu - HEADERS;
}

} // namespace

Time
UnscaledTime(Time whole, Time transfer, double scale)
{
    const auto more = static_cast<double>(transfer.GetTimeStep()) * (1 / scale - 1);
    return whole + TimeStep(static_cast<uint64_t>(std::llround(more)));
}

void
CheckScale(const std::string& option, double scale, uint64_t bytes, const Ptr<Node>& node)
{
    constexpr uint64_t LEAST_PACKETS = 16;
    const uint64_t packets = (bytes - 1) / GetSegmentSize(node) + 1;
    if (scale < 1 && packets < LEAST_PACKETS)
    {
        throw OdcnError::InOption(option,
                                  std::to_string(scale),
                                  "1, or so many bytes that each message has " +
                                      std::to_string(LEAST_PACKETS) + " packets, not " +
                                      std::to_string(packets) +
                                      ": the time of all bytes is extrapolated from theirs");
    }
}

MessageStream::MessageStream(MessageStreamUser& user)
    : m_user(&user)
{
}

MessageStream::~MessageStream()
{
    Close();
}

Ptr<Socket>
MessageStream::CreateSocket(Ptr<Node> node, uint32_t window)
{
    const uint32_t segment = GetSegmentSize(node);
    auto socket = Socket::CreateSocket(node, TcpSocketFactory::GetTypeId());
    socket->SetAttribute("SegmentSize", UintegerValue(segment));
    socket->SetAttribute("SndBufSize", UintegerValue(window));
    socket->SetAttribute("RcvBufSize", UintegerValue(window));
    socket->SetAttribute("InitialCwnd", UintegerValue(std::max(1U, window / segment)));
    socket->SetAttribute("DelAckCount", UintegerValue(8));
    socket->SetAttribute("DelAckTimeout", TimeValue(MilliSeconds(1)));
    socket->SetAttribute("MinRto", TimeValue(MilliSeconds(5)));
    // A lightpath may be down for long: the user decides when to give up.
    socket->SetAttribute("ConnTimeout", TimeValue(MilliSeconds(5)));
    socket->SetAttribute("ConnCount", UintegerValue(1000));
    socket->SetAttribute("DataRetries", UintegerValue(1000));
    // The RTO exceeds a delayed acknowledgement even if all round trips so far were equal.
    socket->SetAttribute("ClockGranularity", TimeValue(MilliSeconds(2)));
    return socket;
}

Ptr<Socket>
MessageStream::Listen(Ptr<Node> node, uint32_t window, uint16_t port, Accepted accepted)
{
    const Ptr<Socket> listener = CreateSocket(node, window);
    const int failed = listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    NS_ABORT_MSG_IF(failed, "TCP port " << port << " of node " << node->GetId() << " is taken");
    listener->Listen();
    listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(), accepted);
    return listener;
}

void
MessageStream::StopListening(Ptr<Socket>& listener)
{
    if (listener)
    {
        listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                    MakeNullCallback<void, Ptr<Socket>, const Address&>());
        listener->Close();
        listener = nullptr;
    }
}

uint32_t
MessageStream::GetWindow(double rate, Time roundTrip, uint64_t bytes)
{
    // Delayed acknowledgements wait for 1 ms, the path through both centres takes less.
    constexpr double ACKNOWLEDGEMENT_S = 2e-3;
    constexpr uint64_t SMALL = 1U << 20;
    constexpr uint64_t MOST = 1U << 30;
    const double product = rate / 8 * (roundTrip.GetSeconds() + ACKNOWLEDGEMENT_S);
    return static_cast<uint32_t>(
        std::min(MOST, SMALL + std::min(bytes, static_cast<uint64_t>(product))));
}

void
MessageStream::Open(std::function<Ptr<Socket>()> create, const Address& peer)
{
    m_create = std::move(create);
    m_peer = peer;
    Connect();
}

void
MessageStream::Connect()
{
    m_socket = m_create();
    if (m_socket->Bind() != 0)
    {
        throw OdcnError("MessageStream: no free port for a connection: ns-3 has 16384 of a node");
    }
    m_socket->SetConnectCallback(MakeCallback(&MessageStream::Connected, this),
                                 MakeCallback(&MessageStream::Refused, this));
    Adopt(m_socket);
    m_connected = false;
    m_socket->Connect(m_peer);
}

void
MessageStream::Adopt(Ptr<Socket> socket)
{
    m_socket = socket;
    m_connected = true;
    m_socket->SetRecvCallback(MakeCallback(&MessageStream::Receive, this));
    m_socket->SetSendCallback(MakeCallback(&MessageStream::HasRoom, this));
    m_socket->SetCloseCallbacks(MakeCallback(&MessageStream::Gone, this),
                                MakeCallback(&MessageStream::Gone, this));
}

void
MessageStream::Connected(Ptr<Socket>)
{
    // TCP advertises windows above 64 kB only after the handshake: exchange a message first, so
    // that the window is known before data is sent.
    m_queue.push_front({HELLO, 0, StreamMessage::HEADER, 0, Simulator::Now(), {}});
    m_connected = true;
    Pump();
}

void
MessageStream::Refused(Ptr<Socket>)
{
    Drop();
    m_retry = Simulator::Schedule(MilliSeconds(RETRY_MS), &MessageStream::Connect, this);
}

void
MessageStream::Gone(Ptr<Socket>)
{
    if (m_socket)
    {
        Drop();
        m_user->StreamClosed(*this);
    }
}

void
MessageStream::Drop()
{
    m_connected = false;
    if (m_socket)
    {
        const Ptr<Socket> socket = m_socket;
        m_socket = nullptr;
        socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                                   MakeNullCallback<void, Ptr<Socket>>());
        socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
        socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                  MakeNullCallback<void, Ptr<Socket>>());
        socket->Close();
    }
}

void
MessageStream::Close()
{
    Simulator::Cancel(m_retry);
    m_queue.clear();
    Drop();
}

bool
MessageStream::IsClosed() const
{
    return !m_socket && m_retry.IsExpired();
}

void
MessageStream::Send(uint32_t kind, uint32_t number, uint64_t length, int64_t value)
{
    m_queue.push_back({kind,
                       number,
                       std::max<uint64_t>(length, StreamMessage::HEADER),
                       value,
                       Simulator::Now(),
                       {}});
    Pump();
}

void
MessageStream::Pump()
{
    constexpr uint64_t PIECE = 1U << 18;
    while (m_connected && !m_queue.empty())
    {
        const StreamMessage& message = m_queue.front();
        const uint64_t room = m_socket->GetTxAvailable();
        const uint64_t n = std::min({room, message.length - m_offset, PIECE});
        if (n == 0 || (m_offset == 0 && n < StreamMessage::HEADER))
        {
            return;
        }
        Ptr<Packet> packet;
        if (m_offset == 0)
        {
            const Wire wire{message.kind,
                            message.number,
                            message.length,
                            message.value,
                            message.sent.GetTimeStep()};
            packet = Create<Packet>(reinterpret_cast<const uint8_t*>(&wire), sizeof(wire));
            packet->AddPaddingAtEnd(static_cast<uint32_t>(n - sizeof(wire)));
        }
        else
        {
            packet = Create<Packet>(static_cast<uint32_t>(n));
        }
        if (m_socket->Send(packet) < 0)
        {
            return;
        }
        m_offset += n;
        if (m_offset == message.length)
        {
            m_offset = 0;
            m_queue.pop_front();
        }
    }
}

void
MessageStream::HasRoom(Ptr<Socket>, uint32_t)
{
    Pump();
}

void
MessageStream::Receive(Ptr<Socket> socket)
{
    // MessageReceived() may release this stream.
    const Ptr<MessageStream> keep(this);
    while (Ptr<Packet> packet = socket->Recv())
    {
        uint64_t left = packet->GetSize();
        while (left > 0)
        {
            if (m_got == 0)
            {
                m_incoming.first = Simulator::Now();
                m_piece = 0;
            }
            uint64_t n = left;
            if (m_got < StreamMessage::HEADER)
            {
                n = std::min<uint64_t>(left, StreamMessage::HEADER - m_got);
                const auto at = static_cast<uint32_t>(packet->GetSize() - left);
                packet->CreateFragment(at, static_cast<uint32_t>(n))
                    ->CopyData(m_header.data() + m_got, static_cast<uint32_t>(n));
                if (m_got + n == StreamMessage::HEADER)
                {
                    Wire wire;
                    std::memcpy(&wire, m_header.data(), sizeof(wire));
                    m_incoming.kind = wire.kind;
                    m_incoming.number = wire.number;
                    m_incoming.length = wire.length;
                    m_incoming.value = wire.value;
                    m_incoming.sent = TimeStep(static_cast<uint64_t>(wire.sent));
                }
            }
            else
            {
                n = std::min(left, m_incoming.length - m_got);
            }
            m_got += n;
            m_piece += Simulator::Now() == m_incoming.first ? n : 0;
            left -= n;
            if (m_got >= StreamMessage::HEADER && m_got == m_incoming.length)
            {
                m_got = 0;
                // Timing starts at the end of the first packet, so that packet's share is added.
                const auto rest = static_cast<double>(m_incoming.length - m_piece);
                const auto span =
                    static_cast<double>((Simulator::Now() - m_incoming.first).GetTimeStep());
                const double whole =
                    rest > 0 ? span * static_cast<double>(m_incoming.length) / rest : 0;
                m_incoming.transfer = TimeStep(static_cast<uint64_t>(std::llround(whole)));
                const StreamMessage message = m_incoming;
                if (message.kind != HELLO)
                {
                    m_user->MessageReceived(*this, message);
                }
                if (!m_socket)
                {
                    return; // closed meanwhile
                }
            }
        }
    }
}

} // namespace ns3::odcn
