// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-nack-flow-transport.h"

#include "ns3/odcn-attributes.h"
#include "ns3/udp-socket-factory.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(NackFlowTransport);

TypeId
NackFlowTransport::GetTypeId()
{
    static TypeId tid =
        TypeIdOf<NackFlowTransport, UdpFlowTransport>("ns3::odcn::NackFlowTransport");
    return tid;
}

NackFlowTransport::NackFlowTransport()
    : UdpFlowTransport(CreateObject<NackLogic>())
{
}

void
NackFlowTransport::DoDispose()
{
    UdpFlowTransport::DoDispose();
    m_answers = nullptr;
    m_credits = nullptr;
}

void
NackFlowTransport::DoStop()
{
    UdpFlowTransport::DoStop();
    m_answers = nullptr;
    m_credits = nullptr;
}

void
NackFlowTransport::Listen()
{
    UdpFlowTransport::Listen();
    const Ptr<NackFlowTransport> self(this);
    const auto listen = [&](MessageReceiver::Kind kind, uint16_t offset)
    {
        const Ptr<Socket> socket =
            Bind(UdpSocketFactory::GetTypeId(), offset, FlowApplication::SHORT_TOS);
        socket->SetRecvCallback(Callback<void, Ptr<Socket>>([self, kind](Ptr<Socket> from)
                                                            { self->ReceiveControl(kind, from); }));
        return socket;
    };
    m_answers = listen(MessageReceiver::ANSWER, NackLogic::ANSWERS);
    m_credits = listen(MessageReceiver::CREDIT, NackLogic::CREDITS);
}

uint32_t
NackFlowTransport::GetHeaders() const
{
    return HEADERS + MessageHeader::SIZE;
}

bool
NackFlowTransport::SendsMessages() const
{
    return true;
}

void
NackFlowTransport::Transmit(const TransportPacket& packet)
{
    if (packet.kind == MessageReceiver::DATA)
    {
        UdpFlowTransport::Transmit(packet);
        return;
    }
    const auto content = Create<Packet>();
    content->AddHeader(RepairHeader(packet.number, {packet.ranges.begin(), packet.ranges.end()}));
    SendControl(packet.kind == MessageReceiver::ANSWER ? m_answers : m_credits, content, packet);
}

void
NackFlowTransport::ReceiveControl(MessageReceiver::Kind kind, Ptr<Socket> socket)
{
    TransportPacket packet;
    packet.kind = kind;
    packet.isShort = true;
    while (const Ptr<Packet> content = TakePacket(socket, packet.peer))
    {
        RepairHeader header;
        content->RemoveHeader(header);
        packet.number = header.GetNumber();
        packet.ranges = header.GetRanges();
        Arrived(packet);
    }
}

} // namespace ns3::odcn
