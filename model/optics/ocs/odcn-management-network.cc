// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-management-network.h"

#include "ns3/log.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <cstring>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("ManagementNetwork");
NS_OBJECT_ENSURE_REGISTERED(ManagementNetwork);

namespace
{

/// Largest payload of a packet, bytes: 1500 with headers.
constexpr uint32_t MAX_PAYLOAD = 1472;
/// Headers of IPv4 and UDP, bytes.
constexpr uint32_t HEADERS = 28;

/// First bytes of every packet; messages have at least this length.
struct Wire
{
    uint32_t kind;   //!< ManagementNetwork::Kind
    uint32_t number; //!< number of the message
    uint64_t length; //!< length of the message, bytes
};

} // namespace

TypeId
ManagementNetwork::GetTypeId()
{
    using T = ManagementNetwork;
    static TypeId tid =
        TypeIdOf<ManagementNetwork, Object>("ns3::odcn::ManagementNetwork")
            .Add(Attribute("DataRate", &T::m_dataRate, DataRate(0)),
                 "Rate of the link to the gateway, each way; 0 for an ideal "
                 "network, on which messages take no time.")
            .Add(Attribute("Delay", &T::m_delay, MicroSeconds(100), Time(0)),
                 "One-way delay of the link to the gateway; without effect with a DataRate of 0.")
            .Add(Attribute("RetransmitTime", &T::m_retransmitTime, MilliSeconds(1), NanoSeconds(1)),
                 "Time from the loss of a message until it is sent again.")
            .Add(Attribute("Port", &T::m_port, 49153, 1), "UDP port of both ends.")
            .Add(Trace("Delivered", &T::m_deliveredTrace, "DeliveredTracedCallback"),
                 "A message has arrived.");
    return tid;
}

ManagementNetwork::ManagementNetwork() = default;

Ptr<ManagementNetwork>
ManagementNetwork::MakeIdeal()
{
    const auto network = CreateObject<ManagementNetwork>();
    network->m_dataRate = DataRate(0);
    return network;
}

void
ManagementNetwork::DoDispose()
{
    for (auto& end : m_ends)
    {
        if (end.socket)
        {
            end.socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
            end.socket->Close();
            end.socket = nullptr;
        }
    }
    m_messages.clear();
    m_waiting = {};
    Object::DoDispose();
}

bool
ManagementNetwork::IsIdeal() const
{
    return m_dataRate.GetBitRate() == 0;
}

void
ManagementNetwork::SetEnds(Ptr<Node> controller,
                           Ipv4Address controllerAddress,
                           Ptr<Node> gateway,
                           Ipv4Address gatewayAddress)
{
    if (IsIdeal())
    {
        throw OdcnError("ManagementNetwork: a link was given to an ideal network, of DataRate 0");
    }
    Open(m_ends[0], controller, controllerAddress);
    Open(m_ends[1], gateway, gatewayAddress);
}

void
ManagementNetwork::Open(End& end, Ptr<Node> node, Ipv4Address address)
{
    end.address = InetSocketAddress(address, m_port);
    end.socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    if (end.socket->Bind(end.address) < 0)
    {
        throw OdcnError("ManagementNetwork: UDP port " + std::to_string(m_port) + " of node " +
                        std::to_string(node->GetId()) + " is taken");
    }
    end.socket->SetRecvCallback(MakeCallback(&ManagementNetwork::Receive, this));
}

void
ManagementNetwork::SetLost(Kind kind, bool lost)
{
    m_lost.at(kind) = lost;
}

void
ManagementNetwork::SetLate(Kind kind, bool late)
{
    m_late.at(kind) = late;
    SendWaiting(kind);
}

void
ManagementNetwork::SendWaiting(Kind kind)
{
    // One by one, so that what is sent when a message arrives goes behind those that wait.
    while (!m_late[kind] && !m_waiting[kind].empty())
    {
        Waiting next = std::move(m_waiting[kind].front());
        m_waiting[kind].pop_front();
        if (!Carry(kind, std::move(next)))
        {
            return;
        }
    }
}

void
ManagementNetwork::Send(Kind kind, uint32_t bytes, std::function<void()> received)
{
    NS_LOG_FUNCTION(this << int(kind) << bytes);
    if (!IsIdeal() && !m_ends[0].socket)
    {
        throw OdcnError("ManagementNetwork: its DataRate is not 0, but it has no link; "
                        "ManagementHelper::Install() makes one");
    }
    m_counts[kind].late += m_late[kind];
    Waiting message{std::max<uint32_t>(bytes, sizeof(Wire)), Simulator::Now(), std::move(received)};
    if (m_late[kind] || !m_waiting[kind].empty())
    {
        m_waiting[kind].push_back(std::move(message));
        return;
    }
    Carry(kind, std::move(message));
}

bool
ManagementNetwork::Carry(Kind kind, Waiting waiting)
{
    const uint32_t bytes = waiting.bytes;
    ++m_counts[kind].messages;
    m_counts[kind].bytes += bytes;
    if (m_lost[kind])
    {
        ++m_counts[kind].lost;
        m_waiting[kind].push_front(std::move(waiting));
        // Tries all that wait by then.
        Simulator::Schedule(m_retransmitTime,
                            &ManagementNetwork::SendWaiting,
                            Ptr<ManagementNetwork>(this),
                            kind);
        return false;
    }
    if (IsIdeal())
    {
        Deliver(kind, waiting.sent, waiting.received);
        return true;
    }
    const bool up = kind == REQUEST || kind == REPORT;
    const End& from = m_ends[up ? 1 : 0];
    const End& to = m_ends[up ? 0 : 1];
    const Wire wire{kind, m_number, bytes};
    Message message{kind, waiting.sent, 0, std::move(waiting.received)};
    std::array<uint8_t, MAX_PAYLOAD> content{};
    std::memcpy(content.data(), &wire, sizeof(wire));
    // Every packet begins with a Wire.
    constexpr uint32_t REST = MAX_PAYLOAD - sizeof(Wire);
    for (uint32_t left = bytes - sizeof(Wire), first = 1; left > 0 || first; first = 0)
    {
        const uint32_t rest = std::min(left, REST);
        if (from.socket->SendTo(Create<Packet>(content.data(), sizeof(Wire) + rest),
                                0,
                                to.address) < 0)
        {
            throw OdcnError("ManagementNetwork: a message could not be sent");
        }
        ++message.left;
        left -= rest;
    }
    m_counts[kind].packets += message.left;
    m_messages.emplace(m_number++, std::move(message));
    return true;
}

Time
ManagementNetwork::GetLatency(uint32_t bytes) const
{
    if (IsIdeal())
    {
        return Time(0);
    }
    const uint32_t payload = MAX_PAYLOAD - sizeof(Wire);
    const uint32_t rest = std::max<uint32_t>(bytes, sizeof(Wire)) - sizeof(Wire);
    const uint32_t packets = std::max(1U, (rest + payload - 1) / payload);
    return m_delay + m_dataRate.CalculateBytesTxTime(rest + packets * (sizeof(Wire) + HEADERS));
}

void
ManagementNetwork::Receive(Ptr<Socket> socket)
{
    while (Ptr<Packet> packet = socket->Recv())
    {
        Wire wire{};
        packet->CopyData(reinterpret_cast<uint8_t*>(&wire), sizeof(wire));
        const auto found = m_messages.find(wire.number);
        if (found != m_messages.end() && --found->second.left == 0)
        {
            const Message message = std::move(found->second);
            m_messages.erase(found);
            Deliver(message.kind, message.sent, message.received);
        }
    }
}

void
ManagementNetwork::Deliver(Kind kind, Time sent, const std::function<void()>& received)
{
    ++m_counts[kind].delivered;
    m_deliveredTrace(kind, Simulator::Now() - sent);
    received();
}

} // namespace ns3::odcn
