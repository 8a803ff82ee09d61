// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-packet-messages.h"

#include "ns3/boolean.h"
#include "ns3/odcn-attribute-defaults.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-flow-transport.h"
#include "ns3/odcn-message-header.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-udp-flow-transport.h"
#include "ns3/uinteger.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(PacketMessages);

TypeId
PacketMessages::GetTypeId()
{
    static TypeId tid = TypeIdOf<PacketMessages, MessagePlane>("ns3::odcn::PacketMessages");
    return tid;
}

void
PacketMessages::DoDispose()
{
    *m_link = nullptr;
    m_hosts.clear();
    MessagePlane::DoDispose();
}

void
PacketMessages::AddHost(Ptr<FlowApplication> application, Ipv4Address address)
{
    application->AcceptMessages();
    application->TraceConnectWithoutContext("MessageReceived",
                                            MakeBoundCallback(&PacketMessages::Received, m_link));
    m_hosts.push_back({application, address});
}

Collective::Link
PacketMessages::GetLink(double alpha, double rate)
{
    const auto size = static_cast<uint32_t>(
        GetDefaultOf<UintegerValue>(FlowApplication::GetTypeId(), "PacketSize"));
    const uint32_t headers = UdpFlowTransport::HEADERS + MessageHeader::SIZE;
    return {alpha, rate, size - headers, headers};
}

FlowApplication::MessageCounts
PacketMessages::CountPackets() const
{
    FlowApplication::MessageCounts sum;
    for (const Host& host : m_hosts)
    {
        sum += host.application->GetMessageCounts();
    }
    return sum;
}

void
PacketMessages::DoSend(const Message& message)
{
    m_hosts[message.from].application->Send(m_hosts[message.to].address,
                                            message.bytes,
                                            message.number);
}

std::string
PacketMessages::FindObstacle(const Message& message) const
{
    const auto& sender = m_hosts[message.from].application;
    if (GetAttributeOf<BooleanValue>(*sender, "Hold"))
    {
        return "it waits for a circuit to its receiver, by Hold";
    }
    return sender->GetTransport()->Repairs()
               ? ""
               : "packets that are lost are not sent again by UDP without Repair";
}

void
PacketMessages::Received(Link link, const FlowMessage& message)
{
    if (*link)
    {
        (*link)->Deliver(message.tag);
    }
}

} // namespace ns3::odcn
