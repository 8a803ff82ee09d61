// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-direct-udp.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/udp-header.h"
#include "ns3/udp-l4-protocol.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(DirectUdp);

namespace
{

/// Bytes of an IP header without options.
constexpr uint32_t IP_HEADER = 20;

/// @param bytes two of them
/// @return the number
uint32_t
Read16(const uint8_t* bytes)
{
    return uint32_t(bytes[0]) << 8 | bytes[1];
}

} // namespace

TypeId
DirectUdp::GetTypeId()
{
    static TypeId tid = TypeIdOf<DirectUdp, Object>("ns3::odcn::DirectUdp");
    return tid;
}

Ptr<DirectUdp>
DirectUdp::Get(Ptr<Node> node, Ptr<NetDevice> device, Ipv4Address address)
{
    const Ptr<OcsNetDevice> own = DynamicCast<OcsNetDevice>(device);
    const Ptr<TrafficControlLayer> control = node->GetObject<TrafficControlLayer>();
    if (!own || !control || control->GetRootQueueDiscOnDevice(device))
    {
        throw OdcnError::InOption("LogicFlowTransport::Direct",
                                  "true",
                                  own ? "false, since the host has a queue disc"
                                      : "false, since the host's device is no OcsNetDevice");
    }
    Ptr<DirectUdp> direct = node->GetObject<DirectUdp>();
    if (!direct)
    {
        direct = CreateObject<DirectUdp>();
        direct->m_node = node;
        direct->m_device = own;
        direct->m_address = address;
        UintegerValue ttl;
        node->GetObject<Ipv4>()->GetAttribute("DefaultTtl", ttl);
        direct->m_ttl = static_cast<uint8_t>(ttl.Get());
        node->AggregateObject(direct);
        own->SetUser(PeekPointer(direct), 0);
    }
    return direct;
}

void
DirectUdp::DoDispose()
{
    if (m_device)
    {
        m_device->SetUser(nullptr, 0);
    }
    m_device = nullptr;
    m_node = nullptr;
    const auto receivers = std::exchange(m_receivers, {}); // which may hold the last Ptr to others
    Object::DoDispose();
}

void
DirectUdp::Listen(uint16_t port, Receiver receiver)
{
    m_receivers[port] = std::make_shared<const Receiver>(std::move(receiver));
}

void
DirectUdp::Close(uint16_t port)
{
    m_receivers.erase(port);
}

void
DirectUdp::Send(const Ptr<Packet>& content, const Headers& headers)
{
    if (!m_device)
    {
        return; // disposed of meanwhile
    }
    const bool isChecked = Node::ChecksumEnabled();
    UdpHeader udp;
    udp.SetSourcePort(headers.from);
    udp.SetDestinationPort(headers.to);
    if (isChecked)
    {
        udp.EnableChecksums();
        udp.InitializeChecksum(m_address, headers.destination, UdpL4Protocol::PROT_NUMBER);
    }
    content->AddHeader(udp);
    Ipv4Header ip;
    ip.SetSource(m_address);
    ip.SetDestination(headers.destination);
    ip.SetProtocol(UdpL4Protocol::PROT_NUMBER);
    ip.SetPayloadSize(static_cast<uint16_t>(content->GetSize()));
    ip.SetTtl(m_ttl);
    ip.SetTos(headers.tos);
    ip.SetMayFragment();
    ip.SetIdentification(m_identification[headers.destination.Get()]++);
    if (isChecked)
    {
        ip.EnableChecksum();
    }
    content->AddHeader(ip);
    m_device->Transmit(content);
}

std::shared_ptr<const DirectUdp::Receiver>
DirectUdp::FindReceiver(const Ptr<Packet>& packet)
{
    uint8_t bytes[HEADERS];
    // Version 4 without options, no fragment.
    if (packet->CopyData(bytes, HEADERS) < HEADERS || bytes[0] != 0x45 ||
        bytes[9] != UdpL4Protocol::PROT_NUMBER || (Read16(bytes + 6) & 0x3fff) != 0 ||
        (Read16(bytes + 16) << 16 | Read16(bytes + 18)) != m_address.Get() ||
        Node::ChecksumEnabled())
    {
        return nullptr;
    }
    const auto found = m_receivers.find(static_cast<uint16_t>(Read16(bytes + IP_HEADER + 2)));
    m_sender = Read16(bytes + 12) << 16 | Read16(bytes + 14);
    return found != m_receivers.end() ? found->second : nullptr;
}

void
DirectUdp::PortReceived(uint32_t, const Ptr<Packet>& packet)
{
    const std::shared_ptr<const Receiver> receiver = FindReceiver(packet); // may close its port
    if (!receiver)
    {
        uint8_t first = 0;
        packet->CopyData(&first, 1);
        constexpr uint16_t IPV4 = 0x0800;
        constexpr uint16_t IPV6 = 0x86dd;
        m_node->GetObject<TrafficControlLayer>()->Receive(m_device,
                                                          packet,
                                                          first >> 4 == 6 ? IPV6 : IPV4,
                                                          m_device->GetBroadcast(),
                                                          m_device->GetAddress(),
                                                          NetDevice::PACKET_HOST);
        return;
    }
    const uint32_t sender = m_sender;
    // Sinks of traces may have kept it.
    const Ptr<Packet> content = packet->GetReferenceCount() > 1 ? packet->Copy() : packet;
    content->RemoveAtStart(HEADERS);
    (*receiver)(content, sender);
}

void
DirectUdp::PortDropped(uint32_t, Ptr<const Packet>, OcsDropCause)
{
}

void
DirectUdp::PortChanged(uint32_t, bool)
{
}

} // namespace ns3::odcn
