// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-logic-flow-transport.h"

#include "odcn-direct-udp.h"
#include "odcn-transport-header.h"

#include "ns3/ipv4-end-point.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(LogicFlowTransport);

TypeId
LogicFlowTransport::GetTypeId()
{
    static TypeId tid =
        TypeIdOf<LogicFlowTransport, FlowTransport>("ns3::odcn::LogicFlowTransport")
            .Add(Attribute("Direct", &LogicFlowTransport::m_isDirect, false),
                 "Whether packets go between the transport and the device without ns-3's UDP and "
                 "IP (DirectUdp): the same packets at the same times in less processor time, which "
                 "FlowMonitor, queue discs of the host and trace sources of IP do not see.");
    return tid;
}

LogicFlowTransport::LogicFlowTransport(Ptr<TransportLogic> logic)
    : m_logic(logic)
{
}

LogicFlowTransport::~LogicFlowTransport() = default;

uint16_t
LogicFlowTransport::GetSourcePort(uint32_t number)
{
    constexpr uint16_t FIRST = 60002; // from here on no dissector of Wireshark claims a UDP port
    return FIRST + number % (UINT16_MAX - FIRST);
}

void
LogicFlowTransport::DoDispose()
{
    DoStop();
    m_logic->Dispose();
    m_udp = nullptr;
    m_direct = nullptr;
    m_routes.clear();
    FlowTransport::DoDispose();
}

TransportLogic&
LogicFlowTransport::GetLogic()
{
    if (!m_isAttached)
    {
        m_isAttached = true;
        const Settings& s = GetSettings();
        m_logic->Attach(*this,
                        {s.order,
                         s.packetSize,
                         s.hold,
                         s.windowPerMessage,
                         s.reorderTime.GetTimeStep(),
                         s.repairTimeout.GetTimeStep(),
                         s.window,
                         s.creditPackets});
    }
    return *m_logic;
}

void
LogicFlowTransport::DoStart()
{
    const Host& host = GetHost();
    m_udp = host.node->GetObject<UdpL4Protocol>();
    m_direct = m_isDirect ? DirectUdp::Get(host.node, host.device, host.address) : nullptr;
    Listen();
    GetLogic().Start();
}

void
LogicFlowTransport::DoStop()
{
    for (EventId& timer : m_timers)
    {
        timer.Cancel();
    }
    m_logic->Stop();
    Close();
}

void
LogicFlowTransport::Close()
{
    for (Ipv4EndPoint* const port : std::exchange(m_ports, {}))
    {
        if (port)
        {
            if (m_direct)
            {
                m_direct->Close(port->GetLocalPort());
            }
            port->SetDestroyCallback(MakeNullCallback<void>());
            m_udp->DeAllocate(port);
        }
    }
}

void
LogicFlowTransport::Listen()
{
    ListenAt(0,
             [this](const Ptr<Packet>& content, uint32_t peer) { ReceivePacket(content, peer); });
}

void
LogicFlowTransport::ListenAt(uint16_t offset, Receiver receiver)
{
    Ipv4EndPoint* const port = m_udp->Allocate(nullptr, GetSettings().port + offset);
    if (!port)
    {
        RefusePort();
    }
    const std::size_t index = m_ports.size();
    m_ports.push_back(port);
    // As a socket, the port keeps the transport until it is closed.
    const Ptr<LogicFlowTransport> self(this);
    const Receiver receive =
        [self, receiver = std::move(receiver)](const Ptr<Packet>& content, uint32_t peer)
    {
        const Ptr<LogicFlowTransport> keep = self; // a sink may close the port
        if (keep->IsStarted())
        {
            receiver(content, peer);
        }
    };
    if (m_direct)
    {
        m_direct->Listen(port->GetLocalPort(), receive);
    }
    port->SetRxCallback(Callback<void, Ptr<Packet>, Ipv4Header, uint16_t, Ptr<Ipv4Interface>>(
        [receive](Ptr<Packet> content,
                  const Ipv4Header& header,
                  uint16_t,
                  const Ptr<Ipv4Interface>&) { receive(content, header.GetSource().Get()); }));
    port->SetDestroyCallback(Callback<void>([self, index]() { self->m_ports[index] = nullptr; }));
}

Ptr<Ipv4Route>
LogicFlowTransport::FindRoute(Ipv4Address peer)
{
    Ipv4Header header;
    header.SetSource(GetHost().address);
    header.SetDestination(peer);
    Socket::SocketErrno error;
    const auto routing = GetHost().node->GetObject<Ipv4>()->GetRoutingProtocol();
    const Ptr<Ipv4Route> route = routing->RouteOutput(nullptr, header, nullptr, error);
    if (!route)
    {
        std::ostringstream text;
        text << "FlowApplication: no route from node " << GetHost().node->GetId() << " to " << peer;
        throw OdcnError(text.str());
    }
    m_routes[peer.Get()] = route;
    return route;
}

void
LogicFlowTransport::SendFlow(uint32_t flow, Ipv4Address peer, uint64_t bytes, bool isShort)
{
    FindRoute(peer);
    m_logic->SendFlow(flow, peer.Get(), bytes, isShort);
}

void
LogicFlowTransport::SendMessage(Ipv4Address peer, uint64_t bytes, uint64_t tag, bool isShort)
{
    FindRoute(peer);
    m_logic->SendMessage(peer.Get(), bytes, tag, isShort);
}

uint32_t
LogicFlowTransport::GetHeaders() const
{
    TransportPacket packet;
    packet.size = 1;
    return m_logic->GetHeaders(packet);
}

uint64_t
LogicFlowTransport::GetMaxBytes(bool) const
{
    return uint64_t(GetSettings().packetSize - GetHeaders()) * UINT32_MAX;
}

bool
LogicFlowTransport::HasCredits() const
{
    return m_logic->HasCredits();
}

bool
LogicFlowTransport::Repairs() const
{
    return m_logic->Repairs();
}

FlowTransport::Stages
LogicFlowTransport::GetStages() const
{
    return m_logic->GetStages();
}

FlowApplication::MessageCounts
LogicFlowTransport::GetMessageCounts() const
{
    return m_logic->GetMessageCounts();
}

RackId
LogicFlowTransport::FindRack(uint32_t peer) const
{
    return TransportHost::FindRack(peer);
}

TransportHost::Uplink
LogicFlowTransport::GetUplink(uint32_t port) const
{
    return TransportHost::GetUplink(port);
}

int64_t
LogicFlowTransport::Now() const
{
    return Simulator::Now().GetTimeStep();
}

int64_t
LogicFlowTransport::GetTxTime(uint32_t bytes) const
{
    return GetHost().lineRate.CalculateBytesTxTime(bytes).GetTimeStep();
}

void
LogicFlowTransport::Send(const TransportPacket& packet)
{
    if (IsStarted())
    {
        Transmit(packet);
    }
}

void
LogicFlowTransport::SetTimer(uint32_t timer, int64_t delay)
{
    if (!IsStarted())
    {
        return;
    }
    m_timers.resize(std::max<std::size_t>(m_timers.size(), timer + 1));
    m_timers[timer].Cancel();
    m_timers[timer] =
        Simulator::Schedule(TimeStep(delay), &LogicFlowTransport::Expired, this, timer);
}

void
LogicFlowTransport::CancelTimer(uint32_t timer)
{
    if (timer < m_timers.size())
    {
        m_timers[timer].Cancel();
    }
}

bool
LogicFlowTransport::IsPending(uint32_t timer) const
{
    return timer < m_timers.size() && !m_timers[timer].IsExpired();
}

void
LogicFlowTransport::Expired(uint32_t timer)
{
    const Ptr<LogicFlowTransport> keep(this); // sinks of traces may release it
    m_logic->TimerExpired(timer);
}

void
LogicFlowTransport::DeliverBytes(uint32_t flow, uint32_t bytes)
{
    NotifyReceived(flow, bytes);
}

void
LogicFlowTransport::DeliverMessage(const TransportPacket& packet)
{
    NotifyMessage({Ipv4Address(packet.peer), packet.size, packet.tag, TimeStep(packet.time)});
}

void
LogicFlowTransport::Transmit(const TransportPacket& packet)
{
    const auto content = Create<Packet>(packet.bytes);
    if (packet.size > 0)
    {
        content->AddHeader(MessageHeader(packet.size, packet.tag, packet.isFlow));
    }
    content->AddHeader(FlowHeader(packet.number, packet.sequence, TimeStep(packet.time)));
    content->AddHeader(TransportHeader(static_cast<uint8_t>(packet.kind),
                                       packet.size > 0,
                                       {packet.ranges.begin(), packet.ranges.end()}));
    packet.bytes > 0 ? SendData(content, packet) : SendControl(content, packet);
}

void
LogicFlowTransport::Expedite(const Ptr<Packet>& content, const TransportPacket& packet)
{
    if (packet.isShort)
    {
        SocketIpTosTag tag;
        tag.SetTos(FlowApplication::SHORT_TOS);
        content->AddPacketTag(tag);
    }
}

void
LogicFlowTransport::SendFrom(uint16_t from, Ptr<Packet> content, const TransportPacket& packet)
{
    const Ipv4Address to(packet.peer);
    const auto port = static_cast<uint16_t>(GetSettings().port + m_logic->GetOffset(packet));
    if (m_direct)
    {
        const uint8_t tos = packet.isShort ? FlowApplication::SHORT_TOS : 0;
        m_direct->Send(content, {to, from, port, tos});
        return;
    }
    Expedite(content, packet);
    const auto route = m_routes.find(packet.peer);
    m_udp->Send(content,
                GetHost().address,
                to,
                from,
                port,
                route != m_routes.end() ? route->second : FindRoute(to));
}

void
LogicFlowTransport::SendData(Ptr<Packet> content, const TransportPacket& packet)
{
    SendFrom(GetSourcePort(packet.number), content, packet);
}

void
LogicFlowTransport::SendControl(Ptr<Packet> content, const TransportPacket& packet)
{
    SendFrom(GetSettings().port + m_logic->GetOffset(packet), content, packet);
}

TransportPacket
LogicFlowTransport::Describe(const Ptr<Packet>& content,
                             uint32_t peer,
                             const FlowHeader& flow,
                             const MessageHeader& message)
{
    TransportPacket packet;
    packet.peer = peer;
    packet.number = flow.GetFlow();
    packet.sequence = flow.GetSequence();
    packet.bytes = content->GetSize();
    packet.isFlow = message.IsFlow();
    packet.size = message.GetBytes();
    packet.tag = message.GetTag();
    packet.time = flow.GetSent().GetTimeStep();
    return packet;
}

void
LogicFlowTransport::ReceivePacket(const Ptr<Packet>& content, uint32_t peer)
{
    TransportHeader first;
    FlowHeader flow;
    MessageHeader message;
    content->RemoveHeader(first);
    content->RemoveHeader(flow);
    if (first.HasMessage())
    {
        content->RemoveHeader(message);
    }
    TransportPacket packet = Describe(content, peer, flow, message);
    packet.kind = first.GetKind();
    packet.ranges = first.GetRanges();
    Arrived(packet);
}

} // namespace ns3::odcn
