// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-tcp-flow-transport.h"

#include "ns3/inet-socket-address.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/simulator.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(TcpFlowTransport);

TypeId
TcpFlowTransport::GetTypeId()
{
    static TypeId tid = TypeIdOf<TcpFlowTransport, FlowTransport>("ns3::odcn::TcpFlowTransport");
    return tid;
}

TcpFlowTransport::~TcpFlowTransport()
{
    CloseStreams();
}

void
TcpFlowTransport::DoDispose()
{
    CloseStreams();
    m_outgoing.clear();
    m_incoming.clear();
    FlowTransport::DoDispose();
}

void
TcpFlowTransport::DoStart()
{
    const Ptr<TcpFlowTransport> self(this);
    const auto listen = [&](uint16_t offset, auto accepted)
    {
        const uint8_t tos = offset % 2 == 1 ? FlowApplication::SHORT_TOS : 0;
        const Ptr<Socket> socket = Bind(TcpSocketFactory::GetTypeId(), offset, tos);
        socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeCallback(accepted, self));
        socket->Listen();
    };
    listen(0, &TcpFlowTransport::AcceptedFlow);
    listen(1, &TcpFlowTransport::AcceptedFlow);
    if (GetHost().acceptsMessages)
    {
        listen(2, &TcpFlowTransport::AcceptedMessages);
        listen(3, &TcpFlowTransport::AcceptedMessages);
    }
}

void
TcpFlowTransport::DoStop()
{
    CloseStreams();
    // Not in the order of their addresses, which differs from run to run.
    std::map<std::pair<bool, uint64_t>, Ptr<Socket>> connections;
    for (const auto& [socket, outgoing] : std::exchange(m_outgoing, {}))
    {
        connections[{false, outgoing.order}] = socket;
    }
    for (const auto& [socket, incoming] : std::exchange(m_incoming, {}))
    {
        connections[{true, incoming.order}] = socket;
    }
    for (const auto& [order, socket] : connections)
    {
        socket->Close();
    }
}

void
TcpFlowTransport::CloseStreams()
{
    for (const auto& [peer, stream] : std::exchange(m_streams, {}))
    {
        stream->Close();
    }
    for (const auto& sender : std::exchange(m_senders, {}))
    {
        sender.stream->Close();
    }
}

uint32_t
TcpFlowTransport::GetHeaders() const
{
    return HEADERS;
}

uint32_t
TcpFlowTransport::GetPreamble() const
{
    return FlowHeader::SIZE;
}

bool
TcpFlowTransport::Repairs() const
{
    return true;
}

FlowTransport::Stages
TcpFlowTransport::GetStages() const
{
    Stages stages;
    for (const uint32_t flow : m_refused)
    {
        stages[flow] = FlowApplication::REFUSED;
    }
    for (const auto& [socket, outgoing] : m_outgoing)
    {
        stages[outgoing.flow] =
            outgoing.named ? FlowApplication::SENDING : FlowApplication::CONNECTING;
    }
    return stages;
}

uint64_t
TcpFlowTransport::GetNTimeouts() const
{
    return m_timeouts;
}

uint64_t
TcpFlowTransport::GetNRecoveries() const
{
    return m_recoveries;
}

Ptr<Socket>
TcpFlowTransport::CreateSocket(bool isShort)
{
    const Ptr<Socket> socket = Socket::CreateSocket(GetHost().node, TcpSocketFactory::GetTypeId());
    socket->SetAttribute("SegmentSize", UintegerValue(GetSettings().packetSize - HEADERS));
    socket->SetIpTos(isShort ? FlowApplication::SHORT_TOS : 0);
    socket->SetAttribute("ConnCount", UintegerValue(RETRIES));
    socket->SetAttribute("DataRetries", UintegerValue(RETRIES));
    socket->TraceConnectWithoutContext(
        "CongState",
        MakeCallback(&TcpFlowTransport::StateChanged, Ptr<TcpFlowTransport>(this)));
    return socket;
}

void
TcpFlowTransport::SendFlow(uint32_t flow, Ipv4Address peer, uint64_t bytes, bool isShort)
{
    const Ptr<Socket> socket = CreateSocket(isShort);
    InetSocketAddress address(peer, GetSettings().port + isShort);
    CompatSetTos(address, isShort ? FlowApplication::SHORT_TOS : 0);
    if (socket->Bind() != 0)
    {
        throw OdcnError("FlowApplication: no free port of node " +
                        std::to_string(GetHost().node->GetId()) + " for flow " +
                        std::to_string(flow) +
                        ": ns-3 has 16384 connections of a node at a "
                        "time, and keeps a closed one for twice TcpSocketBase::MaxSegLifetime");
    }
    const Ptr<TcpFlowTransport> self(this);
    socket->SetConnectCallback(MakeCallback(&TcpFlowTransport::Push, self),
                               MakeCallback(&TcpFlowTransport::ConnectionFailed, self));
    socket->SetSendCallback(MakeCallback(&TcpFlowTransport::Writable, self));
    m_outgoing[socket] = {m_opened++, flow, bytes};
    socket->Connect(address);
}

void
TcpFlowTransport::SendMessage(Ipv4Address peer, uint64_t bytes, uint64_t tag, bool isShort)
{
    Ptr<MessageStream>& stream = m_streams[{peer, isShort}];
    if (stream && stream->IsClosed())
    {
        throw OdcnError("FlowApplication: a message of " + std::to_string(bytes) +
                        " bytes: the connection to its receiver was closed, as the receiver has "
                        "stopped or did not answer for too long");
    }
    if (!stream)
    {
        stream = Create<MessageStream>(*this);
        InetSocketAddress address(peer, GetSettings().port + 2 + isShort);
        CompatSetTos(address, isShort ? FlowApplication::SHORT_TOS : 0);
        stream->Open([this, isShort] { return CreateSocket(isShort); }, address);
    }
    stream->Send(0, 0, bytes + StreamMessage::HEADER, static_cast<int64_t>(tag));
}

void
TcpFlowTransport::StateChanged(TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t to)
{
    m_timeouts += to == TcpSocketState::CA_LOSS ? 1 : 0;
    m_recoveries += to == TcpSocketState::CA_RECOVERY ? 1 : 0;
}

void
TcpFlowTransport::Push(Ptr<Socket> socket)
{
    const auto found = m_outgoing.find(socket);
    if (found == m_outgoing.end())
    {
        return;
    }
    Outgoing& flow = found->second;
    while (flow.left > 0 && socket->GetTxAvailable() > FlowHeader::SIZE)
    {
        const auto bytes = static_cast<uint32_t>(
            std::min<uint64_t>(flow.left, socket->GetTxAvailable() - FlowHeader::SIZE));
        auto packet = Create<Packet>(bytes);
        if (!flow.named)
        {
            packet->AddHeader(FlowHeader(flow.flow, 0, Simulator::Now()));
        }
        if (socket->Send(packet) < 0)
        {
            return;
        }
        flow.named = true;
        flow.left -= bytes;
    }
    if (flow.left == 0)
    {
        m_outgoing.erase(found);
        socket->Close();
    }
}

void
TcpFlowTransport::Writable(Ptr<Socket> socket, uint32_t)
{
    Push(socket);
}

void
TcpFlowTransport::ConnectionFailed(Ptr<Socket> socket)
{
    if (const auto failed = m_outgoing.extract(socket))
    {
        m_refused.insert(failed.mapped().flow);
    }
}

void
TcpFlowTransport::AcceptedFlow(Ptr<Socket> socket, const Address&)
{
    if (!IsStarted())
    {
        socket->Close();
        return;
    }
    const Ptr<TcpFlowTransport> self(this);
    m_incoming[socket] = {m_accepted++, Create<Packet>()};
    socket->SetRecvCallback(MakeCallback(&TcpFlowTransport::Receive, self));
    socket->SetCloseCallbacks(MakeCallback(&TcpFlowTransport::PeerClosed, self),
                              MakeCallback(&TcpFlowTransport::PeerClosed, self));
}

void
TcpFlowTransport::AcceptedMessages(Ptr<Socket> socket, const Address& from)
{
    if (!IsStarted())
    {
        socket->Close();
        return;
    }
    m_senders.push_back(
        {Create<MessageStream>(*this), InetSocketAddress::ConvertFrom(from).GetIpv4()});
    m_senders.back().stream->Adopt(socket);
}

void
TcpFlowTransport::Receive(Ptr<Socket> socket)
{
    for (Ptr<Packet> packet = socket->Recv(); packet && packet->GetSize() > 0;
         packet = socket->Recv())
    {
        // Sinks of the traces may stop the application.
        const auto found = m_incoming.find(socket);
        if (found == m_incoming.end())
        {
            return;
        }
        Incoming& incoming = found->second;
        if (!incoming.named)
        {
            incoming.head->AddAtEnd(packet);
            if (incoming.head->GetSize() < FlowHeader::SIZE)
            {
                continue;
            }
            FlowHeader header;
            incoming.head->RemoveHeader(header);
            incoming.flow = header.GetFlow();
            incoming.named = true;
            packet = std::exchange(incoming.head, nullptr);
        }
        NotifyReceived(incoming.flow, packet->GetSize());
    }
}

void
TcpFlowTransport::PeerClosed(Ptr<Socket> socket)
{
    m_incoming.erase(socket);
    socket->Close();
}

void
TcpFlowTransport::MessageReceived(MessageStream& stream, const StreamMessage& message)
{
    for (const auto& sender : m_senders)
    {
        if (PeekPointer(sender.stream) == &stream)
        {
            NotifyMessage({sender.from,
                           message.length - StreamMessage::HEADER,
                           static_cast<uint64_t>(message.value),
                           message.sent});
            return;
        }
    }
}

void
TcpFlowTransport::StreamClosed(MessageStream& stream)
{
    std::erase_if(m_senders,
                  [&](const Stream& sender) { return PeekPointer(sender.stream) == &stream; });
}

} // namespace ns3::odcn
