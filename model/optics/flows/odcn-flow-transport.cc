// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-flow-transport.h"

#include "odcn-logic-flow-transport.h"

#include "ns3/inet-socket-address.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/odcn-object-text.h"
#include "ns3/tor-switch.h"

#include <cstdint>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(FlowTransport);

TypeId
FlowTransport::GetTypeId()
{
    static TypeId tid = TypeIdOf<FlowTransport, Object>("ns3::odcn::FlowTransport");
    return tid;
}

Ptr<FlowTransport>
FlowTransport::Make(const std::string& text, FlowApplication::RepairMode repair)
{
    const char* const udp =
        repair == FlowApplication::NACK ? "NackFlowTransport" : "UdpFlowTransport";
    const std::string name = text == "Udp" ? udp : text == "Tcp" ? "TcpFlowTransport" : text;
    ObjectText object = ObjectText::Parse("FlowApplication::Transport", name);
    if (TransportLogic::IsKnown(name))
    {
        return CreateObject<LogicFlowTransport>(TransportLogic::Make(name, repair));
    }
    object.Resolve("FlowApplication::Transport", FlowTransport::GetTypeId(), {"Udp", "Tcp"});
    return DynamicCast<FlowTransport>(
        object.Create("FlowApplication::Transport", FlowTransport::GetTypeId()));
}

void
FlowTransport::DoDispose()
{
    m_application = nullptr;
    m_sockets.clear();
    m_host = {};
    Object::DoDispose();
}

void
FlowTransport::Start(FlowApplication& application, const Host& host)
{
    m_application = &application;
    m_host = host;
    DoStart();
}

void
FlowTransport::Stop()
{
    m_application = nullptr;
    DoStop();
    for (const auto& [offset, socket] : std::exchange(m_sockets, {}))
    {
        socket->Close();
    }
}

uint32_t
FlowTransport::GetPreamble() const
{
    return 0;
}

uint64_t
FlowTransport::GetMaxBytes(bool) const
{
    return UINT64_MAX;
}

bool
FlowTransport::SendsMessages() const
{
    return false;
}

bool
FlowTransport::CanHold() const
{
    return false;
}

bool
FlowTransport::HasCredits() const
{
    return false;
}

void
FlowTransport::SetTor(Ptr<TorSwitch>, const OcsAddressPlan&, uint32_t)
{
}

FlowTransport::Stages
FlowTransport::GetStages() const
{
    return {};
}

FlowApplication::MessageCounts
FlowTransport::GetMessageCounts() const
{
    return {};
}

uint64_t
FlowTransport::GetNTimeouts() const
{
    return 0;
}

uint64_t
FlowTransport::GetNRecoveries() const
{
    return 0;
}

Ptr<Socket>
FlowTransport::Bind(TypeId factory, uint16_t offset, uint8_t tos)
{
    const Ptr<Socket> socket = Socket::CreateSocket(m_host.node, factory);
    InetSocketAddress local(Ipv4Address::GetAny(), m_settings.port + offset);
    CompatSetTos(local, tos);
    if (socket->Bind(local) != 0)
    {
        RefusePort();
    }
    // Accepted connections inherit it, for acknowledgements.
    socket->SetIpTos(tos);
    return m_sockets[offset] = socket;
}

void
FlowTransport::RefusePort() const
{
    throw OdcnError::InOption("FlowApplication::Port",
                              std::to_string(m_settings.port),
                              "two ports that are free on node " +
                                  std::to_string(m_host.node->GetId()));
}

void
FlowTransport::NotifyReceived(uint32_t flow, uint32_t bytes)
{
    Interruption::Check(); // a message may take long
    if (m_application)
    {
        m_application->Received(flow, bytes);
    }
}

void
FlowTransport::NotifyMessage(const FlowMessage& message)
{
    if (m_application)
    {
        m_application->Fire(m_application->m_messageTrace, message);
    }
}

} // namespace ns3::odcn
