// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-udp-flow-transport.h"

#include "ns3/ocs-fiber.h"
#include "ns3/odcn-attributes.h"
#include "ns3/simulator.h"
#include "ns3/tor-switch.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(UdpFlowTransport);

TypeId
UdpFlowTransport::GetTypeId()
{
    static TypeId tid =
        TypeIdOf<UdpFlowTransport, LogicFlowTransport>("ns3::odcn::UdpFlowTransport");
    return tid;
}

UdpFlowTransport::UdpFlowTransport()
    : UdpFlowTransport(CreateObject<UdpLogic>())
{
}

UdpFlowTransport::UdpFlowTransport(Ptr<UdpLogic> logic)
    : LogicFlowTransport(logic)
{
}

UdpFlowTransport::~UdpFlowTransport() = default;

void
UdpFlowTransport::DoDispose()
{
    if (m_tor)
    {
        m_tor->TraceDisconnectWithoutContext("Circuit",
                                             MakeCallback(&UdpFlowTransport::CircuitChanged, this));
        m_tor = nullptr;
    }
    LogicFlowTransport::DoDispose();
}

void
UdpFlowTransport::Listen()
{
    if (!SendsMessages())
    {
        for (const uint16_t isShort : {0, 1})
        {
            ListenAt(isShort,
                     [this](const Ptr<Packet>& content, uint32_t peer)
                     { ReceiveFlow(content, peer); });
        }
    }
    if (!GetHost().acceptsMessages)
    {
        return;
    }
    for (const uint16_t isShort : {0, 1})
    {
        ListenAt(2 + isShort,
                 [this, isShort](const Ptr<Packet>& content, uint32_t peer)
                 { ReceiveMessage(isShort, content, peer); });
    }
}

uint32_t
UdpFlowTransport::GetHeaders() const
{
    return HEADERS;
}

uint64_t
UdpFlowTransport::GetMaxBytes(bool isMessage) const
{
    const uint32_t headers = HEADERS + (isMessage ? MessageHeader::SIZE : 0);
    const uint64_t packets = isMessage ? UINT32_MAX : uint64_t{1} << 32;
    return (GetSettings().packetSize - headers) * packets;
}

bool
UdpFlowTransport::CanHold() const
{
    return m_tor != nullptr;
}

void
UdpFlowTransport::SetTor(Ptr<TorSwitch> tor, const OcsAddressPlan& plan, uint32_t server)
{
    m_tor = tor;
    m_plan = plan;
    m_server = server;
    tor->TraceConnectWithoutContext("Circuit",
                                    MakeCallback(&UdpFlowTransport::CircuitChanged, this));
    for (uint32_t port = 0; port < tor->GetNUplinks(); ++port)
    {
        if (tor->GetCircuit(port) != NO_RACK)
        {
            CircuitChanged(port, tor->GetCircuit(port), tor->GetCircuitEnd(port));
        }
    }
}

Time
UdpFlowTransport::GetDelay() const
{
    return DynamicCast<OcsFiber>(m_tor->GetDownlink(m_server)->GetChannel())->GetDelay();
}

void
UdpFlowTransport::CircuitChanged(uint32_t port, RackId rack, Time until)
{
    Simulator::Schedule(GetDelay(),
                        &UdpFlowTransport::UseCircuit,
                        Ptr<UdpFlowTransport>(this),
                        port,
                        rack,
                        until);
}

void
UdpFlowTransport::UseCircuit(uint32_t port, RackId rack, Time until)
{
    if (m_tor) // else disposed of meanwhile
    {
        GetLogic().UseCircuit(port, rack, until == Time::Max() ? INT64_MAX : until.GetTimeStep());
    }
}

RackId
UdpFlowTransport::FindRack(uint32_t peer) const
{
    RackId rack;
    uint32_t server;
    return m_tor && m_plan.Find(peer, rack, server) && rack != m_tor->GetRack() ? rack : NO_RACK;
}

TransportHost::Uplink
UdpFlowTransport::GetUplink(uint32_t port) const
{
    return {m_tor->GetUplink(port)->GetTxTime(GetSettings().packetSize).GetTimeStep(),
            GetDelay().GetTimeStep(),
            m_server,
            m_tor->GetNDownlinks()};
}

void
UdpFlowTransport::Transmit(const TransportPacket& packet)
{
    const Ptr<Packet> content = Create<Packet>(packet.bytes);
    if (packet.size > 0)
    {
        content->AddHeader(MessageHeader(packet.size, packet.tag, packet.isFlow));
    }
    content->AddHeader(FlowHeader(packet.number, packet.sequence, TimeStep(packet.time)));
    SendData(content, packet);
}

void
UdpFlowTransport::ReceiveFlow(const Ptr<Packet>& content, uint32_t peer)
{
    FlowHeader header;
    content->RemoveHeader(header);
    TransportPacket packet;
    packet.peer = peer;
    packet.number = header.GetFlow();
    packet.bytes = content->GetSize();
    Arrived(packet);
}

void
UdpFlowTransport::ReceiveMessage(bool isShort, const Ptr<Packet>& content, uint32_t peer)
{
    FlowHeader flow;
    MessageHeader message;
    content->RemoveHeader(flow);
    content->RemoveHeader(message);
    TransportPacket packet = Describe(content, peer, flow, message);
    packet.isShort = isShort;
    Arrived(packet);
}

} // namespace ns3::odcn
