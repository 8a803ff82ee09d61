// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ocs-net-device.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/event-impl.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"
#include "ns3/log.h"
#include "ns3/make-event.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/odcn-attributes.h"
#include "ns3/queue-size.h"
#include "ns3/queue.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("OcsNetDevice");

NS_OBJECT_ENSURE_REGISTERED(OcsMedium);

TypeId
OcsMedium::GetTypeId()
{
    static TypeId tid = TypeIdOf<OcsMedium, Channel>("ns3::odcn::OcsMedium");
    return tid;
}

NS_OBJECT_ENSURE_REGISTERED(OcsNetDevice);

namespace
{

constexpr uint16_t PROTOCOL_IPV4 = 0x0800;
constexpr uint16_t PROTOCOL_IPV6 = 0x86dd;

} // namespace

TypeId
OcsNetDevice::GetTypeId()
{
    using T = OcsNetDevice;
    static TypeId tid =
        TypeIdOf<OcsNetDevice, NetDevice>("ns3::odcn::OcsNetDevice")
            .AddAttribute("Mtu",
                          "Largest IP packet, in bytes",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&T::SetMtu, &T::GetMtu),
                          MakeUintegerChecker<uint16_t>(68))
            .AddAttribute("Address",
                          "MAC address; it is not on the wire",
                          Mac48AddressValue(Mac48Address("ff:ff:ff:ff:ff:ff")),
                          MakeMac48AddressAccessor(&T::m_address),
                          MakeMac48AddressChecker())
            .AddAttribute("DataRate",
                          "Line rate (B of the ODCN paper)",
                          DataRateValue(DataRate("40Gbps")),
                          MakeDataRateAccessor(&T::SetDataRate, &T::GetDataRate),
                          MakeDataRateChecker())
            .AddAttribute(
                "TxQueue",
                "Queue ahead of the transmitter; by default a DropTailQueue of 15 packets, "
                "which with the packet in transmission makes 16 in the system",
                PointerValue(),
                MakePointerAccessor(&T::SetQueue, &T::GetQueue),
                MakePointerChecker<Queue<Packet>>())
            .Add(Trace("MacTx", &T::m_macTxTrace, "ns3::Packet::TracedCallback"),
                 "A packet was handed to the device for transmission")
            .Add(Trace("MacTxDrop", &T::m_macTxDropTrace, "ns3::Packet::TracedCallback"),
                 "A packet was refused: the queue is full or the port has failed")
            .Add(Trace("MacPromiscRx", &T::m_macPromiscRxTrace, "ns3::Packet::TracedCallback"),
                 "A packet was received, in promiscuous mode")
            .Add(Trace("MacRx", &T::m_macRxTrace, "ns3::Packet::TracedCallback"),
                 "A packet was received and is delivered to the node or the switch")
            .Add(Trace("PhyTxBegin", &T::m_phyTxBeginTrace, "ns3::Packet::TracedCallback"),
                 "The first bit of a packet leaves")
            .Add(Trace("PhyTxEnd", &T::m_phyTxEndTrace, "ns3::Packet::TracedCallback"),
                 "The last bit of a packet has left")
            .Add(Trace("PhyTxDrop", &T::m_phyTxDropTrace, "ns3::Packet::TracedCallback"),
                 "A packet was accepted but lost before its first bit left")
            .Add(Trace("PhyRxEnd", &T::m_phyRxEndTrace, "ns3::Packet::TracedCallback"),
                 "The last bit of a packet has arrived")
            .Add(Trace("PhyRxDrop", &T::m_phyRxDropTrace, "ns3::Packet::TracedCallback"),
                 "An arriving packet was lost: truncated, not IP, or failed port")
            .Add(Trace("Sniffer", &T::m_snifferTrace, "ns3::Packet::TracedCallback"),
                 "Packets sent or received")
            .Add(Trace("PromiscSniffer", &T::m_promiscSnifferTrace, "ns3::Packet::TracedCallback"),
                 "Packets sent or received, for any destination (the same as Sniffer)");
    return tid;
}

OcsNetDevice::OcsNetDevice()
    : m_completeEvent(MakeEvent(&OcsNetDevice::TransmitComplete, this), false),
      m_peer(Mac48Address::GetBroadcast())
{
    NS_LOG_FUNCTION(this);
    SetQueue(nullptr);
}

OcsNetDevice::~OcsNetDevice() = default;

void
OcsNetDevice::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_completeEvent->Cancel();
    m_node = nullptr;
    m_fiber = nullptr;
    m_user = nullptr;
    m_leaving = nullptr;
    if (m_queue)
    {
        m_queue->Dispose();
        m_queue = nullptr;
    }
    m_up = NetDevice::ReceiveCallback();
    m_promiscUp = PromiscReceiveCallback();
    NetDevice::DoDispose();
}

bool
OcsNetDevice::Transmit(const Ptr<Packet>& packet)
{
    NS_LOG_FUNCTION(this << packet);
    ++m_offered;
    m_macTxTrace(packet);
    if (m_failed || !m_fiber)
    {
        m_macTxDropTrace(packet);
        DropTx(packet, OcsDropCause::PORT_FAILED);
        return false;
    }
    if (!m_queue->Enqueue(packet))
    {
        m_macTxDropTrace(packet);
        DropTx(packet, OcsDropCause::QUEUE_OVERFLOW);
        return false;
    }
    if (!m_leaving)
    {
        StartNext();
    }
    return true;
}

void
OcsNetDevice::StartNext()
{
    // Test the result of Dequeue(), since a queue may drop packets when dequeuing.
    const Ptr<Packet> packet = m_queue ? m_queue->Dequeue() : nullptr;
    if (!packet)
    {
        return;
    }
    m_leaving = packet;
    ++m_sent;
    m_snifferTrace(packet);
    m_promiscSnifferTrace(packet);
    m_phyTxBeginTrace(packet);
    const Ptr<OcsMedium> fiber = m_fiber;
    if (!fiber)
    {
        return; // disposed of by a sink
    }
    const Time txTime = GetTxTime(packet->GetSize());
    uint32_t context = fiber->FirstBit(m_end, packet, txTime);
    if (context == OcsMedium::NO_CONTEXT)
    {
        context = m_context;
    }
    // At most one is pending, so the event object is reused to save an allocation per packet.
    m_completeEvent->Ref();
    Simulator::ScheduleWithContext(context, txTime, PeekPointer(m_completeEvent));
}

void
OcsNetDevice::TransmitComplete()
{
    NS_LOG_FUNCTION(this);
    const Ptr<Packet> packet = m_leaving;
    const Ptr<OcsMedium> fiber = m_fiber;
    const bool whole = !m_truncated;
    m_phyTxEndTrace(packet);
    m_leaving = nullptr;
    m_truncated = false;
    if (!m_fiber)
    {
        return; // disposed of by a sink
    }
    // The last bit precedes the next first bit, also of what a sink has sent: the far end handles
    // one packet at a time.
    fiber->LastBit(m_end, packet, whole);
    if (!m_leaving && m_queue && !m_queue->IsEmpty())
    {
        StartNext();
    }
    if (!m_leaving && m_user)
    {
        m_user->PortIdle(m_port);
    }
}

Time
OcsNetDevice::GetTxTime(uint32_t size)
{
    // Most packets have one of two sizes: that of full packets, or that of answers.
    if (size != m_txTimes[0].size)
    {
        std::swap(m_txTimes[0], m_txTimes[1]);
        if (size != m_txTimes[0].size)
        {
            m_txTimes[0] = {size, m_rate.CalculateBytesTxTime(size)};
        }
    }
    return m_txTimes[0].time;
}

void
OcsNetDevice::Receive(const Ptr<Packet>& packet, bool whole)
{
    NS_LOG_FUNCTION(this << packet << whole);
    ++m_arrived;
    // The port may have been down for a part of the packet only.
    const bool missed =
        m_repaired.IsStrictlyPositive() &&
        Simulator::Now() - m_rate.CalculateBytesTxTime(packet->GetSize()) < m_repaired;
    if (m_failed || missed || !whole)
    {
        DropRx(packet, OcsDropCause::PORT_FAILED);
        return;
    }
    m_snifferTrace(packet);
    m_promiscSnifferTrace(packet);
    m_phyRxEndTrace(packet);
    if (m_user)
    {
        ++m_received;
        m_macRxTrace(packet);
        if (m_user)
        {
            m_user->PortReceived(m_port, packet);
        }
        return;
    }
    uint8_t first = 0;
    packet->CopyData(&first, 1);
    const uint8_t version = first >> 4;
    if ((version != 4 && version != 6) || m_up.IsNull())
    {
        DropRx(packet, OcsDropCause::MISROUTED);
        return;
    }
    ++m_received;
    const uint16_t protocol = version == 4 ? PROTOCOL_IPV4 : PROTOCOL_IPV6;
    if (!m_promiscUp.IsNull())
    {
        m_macPromiscRxTrace(packet);
        if (!m_promiscUp.IsNull())
        {
            m_promiscUp(this, packet, protocol, m_peer, GetAddress(), NetDevice::PACKET_HOST);
        }
    }
    m_macRxTrace(packet);
    if (!m_up.IsNull())
    {
        m_up(this, packet, protocol, m_peer);
    }
}

void
OcsNetDevice::DropTx(Ptr<const Packet> packet, OcsDropCause cause)
{
    NS_LOG_LOGIC("lost on the way out: " << cause);
    ++m_txDropped[cause];
    if (m_user)
    {
        m_user->PortDropped(m_port, packet, cause);
    }
}

void
OcsNetDevice::DropRx(Ptr<const Packet> packet, OcsDropCause cause)
{
    NS_LOG_LOGIC("lost on the way in: " << cause);
    ++m_rxDropped[cause];
    m_phyRxDropTrace(packet);
}

void
OcsNetDevice::QueueDropped(Ptr<const Packet> packet)
{
    m_phyTxDropTrace(packet);
    DropTx(packet, OcsDropCause::QUEUE_OVERFLOW);
}

void
OcsNetDevice::SetUser(OcsPortUser* user, uint32_t port)
{
    m_user = user;
    m_port = port;
}

void
OcsNetDevice::Fail()
{
    NS_LOG_FUNCTION(this);
    if (m_failed)
    {
        return;
    }
    m_failed = true;
    m_truncated = m_truncated || m_leaving;
    if (m_user)
    {
        m_user->PortChanged(m_port, false);
    }
    while (const Ptr<Packet> packet = m_queue ? m_queue->Dequeue() : nullptr)
    {
        m_phyTxDropTrace(packet);
        DropTx(packet, OcsDropCause::PORT_FAILED);
    }
    m_linkChange();
}

void
OcsNetDevice::Repair()
{
    NS_LOG_FUNCTION(this);
    if (!m_failed)
    {
        return;
    }
    m_failed = false;
    m_repaired = Simulator::Now();
    if (m_user)
    {
        m_user->PortChanged(m_port, true);
    }
    m_linkChange();
}

std::vector<Ptr<Packet>>
OcsNetDevice::TakeWaiting()
{
    std::vector<Ptr<Packet>> packets;
    while (const Ptr<Packet> packet = m_queue ? m_queue->Dequeue() : nullptr)
    {
        packets.push_back(packet);
    }
    m_takenBack += packets.size();
    return packets;
}

void
OcsNetDevice::SetQueue(Ptr<Queue<Packet>> queue)
{
    if (!queue)
    {
        queue = CreateObjectWithAttributes<DropTailQueue<Packet>>("MaxSize",
                                                                  QueueSizeValue(QueueSize("15p")));
    }
    if (m_queue)
    {
        m_queue->TraceDisconnectWithoutContext("DropAfterDequeue",
                                               MakeCallback(&OcsNetDevice::QueueDropped, this));
    }
    m_queue = queue;
    m_queue->TraceConnectWithoutContext("DropAfterDequeue",
                                        MakeCallback(&OcsNetDevice::QueueDropped, this));
}

void
OcsNetDevice::SetDataRate(DataRate rate)
{
    m_rate = rate;
    m_txTimes = {};
}

uint64_t
OcsNetDevice::GetWaiting() const
{
    return m_queue ? m_queue->GetNPackets() : 0;
}

void
OcsNetDevice::Plug(Ptr<OcsMedium> fiber, uint32_t end)
{
    m_fiber = fiber;
    m_end = end;
    if (m_fiber)
    {
        m_fiber->SetContext(m_end, m_context);
    }
    m_linkChange();
}

Ptr<Channel>
OcsNetDevice::GetChannel() const
{
    return m_fiber;
}

void
OcsNetDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

bool
OcsNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

bool
OcsNetDevice::IsLinkUp() const
{
    return m_fiber && !m_failed;
}

void
OcsNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

Address
OcsNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

Address
OcsNetDevice::GetMulticast(Ipv4Address) const
{
    return Mac48Address::GetBroadcast();
}

Address
OcsNetDevice::GetMulticast(Ipv6Address) const
{
    return Mac48Address::GetBroadcast();
}

bool
OcsNetDevice::Send(Ptr<Packet> packet, const Address&, uint16_t)
{
    return Transmit(packet);
}

bool
OcsNetDevice::SendFrom(Ptr<Packet>, const Address&, const Address&, uint16_t)
{
    return false;
}

Ptr<Node>
OcsNetDevice::GetNode() const
{
    return m_node;
}

void
OcsNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
    m_context = node ? node->GetId() : OcsMedium::NO_CONTEXT;
    if (m_fiber)
    {
        m_fiber->SetContext(m_end, m_context);
    }
}

} // namespace ns3::odcn
