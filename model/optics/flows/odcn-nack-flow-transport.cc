// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-nack-flow-transport.h"

#include "ns3/odcn-attributes.h"
#include "ns3/socket.h"

#include <utility>

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
NackFlowTransport::Listen()
{
    UdpFlowTransport::Listen();
    for (const auto& [kind, offset] : {std::pair{MessageReceiver::ANSWER, NackLogic::ANSWERS},
                                       std::pair{MessageReceiver::CREDIT, NackLogic::CREDITS}})
    {
        ListenAt(offset,
                 [this, kind = kind](const Ptr<Packet>& content, uint32_t peer)
                 { ReceiveControl(kind, content, peer); });
    }
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
    SocketPriorityTag priority; // for queue discs of hosts
    priority.SetPriority(Socket::IpTos2Priority(FlowApplication::SHORT_TOS));
    content->AddPacketTag(priority);
    SendControl(content, packet);
}

void
NackFlowTransport::ReceiveControl(MessageReceiver::Kind kind,
                                  const Ptr<Packet>& content,
                                  uint32_t peer)
{
    RepairHeader header;
    content->RemoveHeader(header);
    TransportPacket packet;
    packet.peer = peer;
    packet.kind = kind;
    packet.isShort = true;
    packet.number = header.GetNumber();
    packet.ranges = header.GetRanges();
    Arrived(packet);
}

} // namespace ns3::odcn
