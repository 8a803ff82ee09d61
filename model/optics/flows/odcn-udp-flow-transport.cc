// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-udp-flow-transport.h"

#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/ocs-fiber.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-take-index.h"
#include "ns3/simulator.h"
#include "ns3/tor-switch.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <string>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(UdpFlowTransport);

TypeId
UdpFlowTransport::GetTypeId()
{
    static TypeId tid = TypeIdOf<UdpFlowTransport, FlowTransport>("ns3::odcn::UdpFlowTransport");
    return tid;
}

uint16_t
UdpFlowTransport::GetSourcePort(uint32_t number)
{
    constexpr uint16_t FIRST = 60002; // from here on no dissector of Wireshark claims a UDP port
    return FIRST + number % (UINT16_MAX - FIRST);
}

void
UdpFlowTransport::DoDispose()
{
    m_sendEvent.Cancel();
    m_udp = nullptr;
    m_receiver.reset();
    m_outgoing.clear();
    m_active.clear();
    m_held.clear();
    if (m_tor)
    {
        m_tor->TraceDisconnectWithoutContext("Circuit",
                                             MakeCallback(&UdpFlowTransport::CircuitChanged, this));
        m_tor = nullptr;
    }
    FlowTransport::DoDispose();
}

void
UdpFlowTransport::DoStart()
{
    m_udp = GetHost().node->GetObject<UdpL4Protocol>();
    const Ptr<UdpFlowTransport> self(this);
    for (const uint16_t isShort : {0, 1})
    {
        Bind(UdpSocketFactory::GetTypeId(), isShort, isShort ? FlowApplication::SHORT_TOS : 0)
            ->SetRecvCallback(MakeCallback(&UdpFlowTransport::ReceivePackets, self));
    }
    if (!GetHost().acceptsMessages)
    {
        return;
    }
    m_receiver = std::make_unique<MessageReceiver>(
        GetReceiverSettings(),
        [this](Ipv4Address peer, const RepairHeader& answer) { Answer(peer, answer); },
        [this](Ipv4Address peer, const RepairHeader& credit) { GiveCredit(peer, credit); });
    for (const uint16_t isShort : {0, 1})
    {
        Bind(UdpSocketFactory::GetTypeId(), 2 + isShort, isShort ? FlowApplication::SHORT_TOS : 0)
            ->SetRecvCallback(Callback<void, Ptr<Socket>>(
                [self, isShort](Ptr<Socket> socket) { self->ReceiveMessages(isShort, socket); }));
    }
}

void
UdpFlowTransport::DoStop()
{
    m_sendEvent.Cancel();
    m_active.clear();
    m_held.clear();
    m_receiver.reset();
}

MessageReceiver::Settings
UdpFlowTransport::GetReceiverSettings() const
{
    return {false, Time(), Time(), 0, 1, GetSettings().order};
}

void
UdpFlowTransport::Answer(Ipv4Address, const RepairHeader&)
{
}

void
UdpFlowTransport::GiveCredit(Ipv4Address, const RepairHeader&)
{
}

UdpFlowTransport::Outgoing
UdpFlowTransport::MakeOutgoing(Ipv4Address peer, uint64_t bytes, uint64_t tag, bool isShort)
{
    Outgoing outgoing;
    outgoing.peer = peer;
    outgoing.bytes = bytes;
    outgoing.tag = tag;
    outgoing.isShort = isShort;
    return outgoing;
}

void
UdpFlowTransport::SendFlow(uint32_t flow, Ipv4Address peer, uint64_t bytes, bool isShort)
{
    Outgoing outgoing = MakeOutgoing(peer, bytes, flow, isShort);
    outgoing.number = flow;
    Activate(Add(outgoing));
}

void
UdpFlowTransport::SendMessage(Ipv4Address peer, uint64_t bytes, uint64_t tag, bool isShort)
{
    Outgoing outgoing = MakeOutgoing(peer, bytes, tag, isShort);
    outgoing.isFlow = false;
    outgoing.hasHeader = true;
    Number(outgoing);
    Queue(Add(outgoing));
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

bool
UdpFlowTransport::Repairs() const
{
    return false;
}

void
UdpFlowTransport::SetTor(Ptr<TorSwitch> tor, const OcsAddressPlan& plan, uint32_t server)
{
    m_tor = tor;
    m_plan = plan;
    m_server = server;
    m_circuits.resize(tor->GetNUplinks());
    tor->TraceConnectWithoutContext("Circuit",
                                    MakeCallback(&UdpFlowTransport::CircuitChanged, this));
    for (uint32_t port = 0; port < m_circuits.size(); ++port)
    {
        if (tor->GetCircuit(port) != NO_RACK)
        {
            CircuitChanged(port, tor->GetCircuit(port), tor->GetCircuitEnd(port));
        }
    }
}

FlowTransport::Stages
UdpFlowTransport::GetStages() const
{
    Stages stages;
    for (const Outgoing& outgoing : m_outgoing)
    {
        if (outgoing.isFlow && outgoing.left > 0)
        {
            stages[static_cast<uint32_t>(outgoing.tag)] =
                FindHold(outgoing) != NO_RACK ? FlowApplication::HELD : FlowApplication::SENDING;
        }
    }
    return stages;
}

FlowApplication::MessageCounts
UdpFlowTransport::GetMessageCounts() const
{
    FlowApplication::MessageCounts counts = m_counts;
    if (m_receiver)
    {
        counts.duplicates = m_receiver->GetNDuplicates();
        counts.requests = m_receiver->GetNRequests();
    }
    return counts;
}

void
UdpFlowTransport::Number(Outgoing& outgoing)
{
    outgoing.number = m_numbers[outgoing.peer]++;
}

std::size_t
UdpFlowTransport::Add(Outgoing outgoing)
{
    outgoing.left = outgoing.bytes;
    outgoing.begin = Simulator::Now();
    outgoing.order = ++m_begun;
    const std::size_t index = TakeIndex(m_outgoing, m_unused);
    m_outgoing[index] = outgoing;
    return index;
}

void
UdpFlowTransport::Forget(std::size_t index)
{
    m_outgoing[index] = {};
    m_unused.push_back(index);
}

void
UdpFlowTransport::Activate(std::size_t index)
{
    Outgoing& outgoing = m_outgoing[index];
    if (!outgoing.route)
    {
        Ipv4Header header;
        header.SetSource(GetHost().address);
        header.SetDestination(outgoing.peer);
        Socket::SocketErrno error;
        const auto routing = GetHost().node->GetObject<Ipv4>()->GetRoutingProtocol();
        outgoing.route = routing->RouteOutput(nullptr, header, nullptr, error);
    }
    if (!outgoing.route)
    {
        throw OdcnError("FlowApplication: no route from node " +
                        std::to_string(GetHost().node->GetId()) + " for flow " +
                        std::to_string(outgoing.number));
    }
    FindTurns(index).emplace(std::pair(GetRank(index), outgoing.order), index);
    ScheduleNext();
}

void
UdpFlowTransport::Queue(std::size_t index)
{
    std::deque<std::size_t>& queue = m_queues[{m_outgoing[index].peer, m_outgoing[index].isShort}];
    queue.push_back(index);
    if (queue.size() == 1)
    {
        Activate(index);
    }
}

void
UdpFlowTransport::LeaveQueue(std::size_t index)
{
    const auto found = m_queues.find({m_outgoing[index].peer, m_outgoing[index].isShort});
    found->second.pop_front();
    if (found->second.empty())
    {
        m_queues.erase(found);
    }
    else
    {
        Activate(found->second.front());
    }
}

RackId
UdpFlowTransport::FindHold(const Outgoing& flow) const
{
    RackId rack;
    uint32_t server;
    const bool waits = GetSettings().hold && m_tor && !flow.isShort &&
                       m_plan.Find(flow.peer.Get(), rack, server) && rack != m_tor->GetRack();
    return waits ? rack : NO_RACK;
}

UdpFlowTransport::Turns&
UdpFlowTransport::FindTurns(std::size_t index)
{
    const RackId rack = FindHold(m_outgoing[index]);
    return rack == NO_RACK ? m_active : m_held[rack];
}

void
UdpFlowTransport::CircuitChanged(uint32_t port, RackId rack, Time until)
{
    const auto link = DynamicCast<OcsFiber>(m_tor->GetDownlink(m_server)->GetChannel());
    Simulator::Schedule(link->GetDelay(),
                        &UdpFlowTransport::UseCircuit,
                        Ptr<UdpFlowTransport>(this),
                        port,
                        rack,
                        until);
}

void
UdpFlowTransport::UseCircuit(uint32_t port, RackId rack, Time until)
{
    if (!m_tor)
    {
        return; // disposed of meanwhile
    }
    const auto link = DynamicCast<OcsFiber>(m_tor->GetDownlink(m_server)->GetChannel());
    const Time packet = m_tor->GetUplink(port)->GetTxTime(GetSettings().packetSize);
    m_circuits[port] = {rack,
                        Simulator::Now() + packet * int64_t(m_server),
                        until == Time::Max() ? until : until - link->GetDelay() - packet};
    ScheduleNext();
}

Time
UdpFlowTransport::FindNext(Turns*& turns, Circuit*& circuit)
{
    const Time free = std::max(m_free, Simulator::Now());
    turns = m_active.empty() ? nullptr : &m_active;
    circuit = nullptr;
    if (turns || m_held.empty())
    {
        return free;
    }
    for (Circuit& c : m_circuits)
    {
        const auto held = m_held.find(c.rack);
        if (held == m_held.end() || held->second.empty() || (circuit && circuit->next <= c.next))
        {
            continue;
        }
        const std::size_t index = held->second.begin()->second;
        const uint32_t size =
            GetNextBytes(index) + GetSettings().packetSize - GetPayload(m_outgoing[index]);
        if (std::max(free, c.next) + GetHost().lineRate.CalculateBytesTxTime(size) <= c.until)
        {
            turns = &held->second;
            circuit = &c;
        }
    }
    return circuit ? std::max(free, circuit->next) : free;
}

void
UdpFlowTransport::ScheduleNext()
{
    Turns* turns;
    Circuit* circuit;
    const Time at = FindNext(turns, circuit);
    if (turns && (m_sendEvent.IsExpired() || at < m_sendTime))
    {
        m_sendEvent.Cancel();
        m_sendTime = at;
        m_sendEvent =
            Simulator::Schedule(at - Simulator::Now(), &UdpFlowTransport::SendPacket, this);
    }
}

uint64_t
UdpFlowTransport::GetRank(std::size_t index)
{
    switch (GetSettings().order)
    {
    case FlowApplication::FIFO:
        return m_outgoing[index].order;
    case FlowApplication::SHORTEST_REMAINING:
        return m_outgoing[index].left;
    default:
        return ++m_turn;
    }
}

uint32_t
UdpFlowTransport::GetPayload(const Outgoing& outgoing) const
{
    return GetSettings().packetSize - HEADERS - (outgoing.hasHeader ? MessageHeader::SIZE : 0);
}

uint32_t
UdpFlowTransport::GetNextBytes(std::size_t index) const
{
    const Outgoing& outgoing = m_outgoing[index];
    return static_cast<uint32_t>(std::min<uint64_t>(outgoing.left, GetPayload(outgoing)));
}

Ptr<Packet>
UdpFlowTransport::MakePacket(std::size_t index)
{
    Outgoing& outgoing = m_outgoing[index];
    const uint32_t bytes = GetNextBytes(index);
    const Ptr<Packet> packet = Create<Packet>(bytes);
    outgoing.left -= bytes;
    if (outgoing.hasHeader)
    {
        ++m_counts.packets;
        packet->AddHeader(MessageHeader(outgoing.bytes, outgoing.tag, outgoing.isFlow));
    }
    // A receiver of messages reports when they were sent.
    packet->AddHeader(FlowHeader(outgoing.number,
                                 outgoing.sequence++,
                                 outgoing.hasHeader ? outgoing.begin : Simulator::Now()));
    return packet;
}

void
UdpFlowTransport::SendPacket()
{
    const Ptr<UdpFlowTransport> keep(this); // sinks of traces may release it
    Turns* turns;
    Circuit* circuit;
    const Time now = Simulator::Now();
    const Time at = FindNext(turns, circuit);
    if (!turns || at > now)
    {
        ScheduleNext(); // circuits have changed meanwhile
        return;
    }
    auto first = turns->extract(turns->begin());
    const std::size_t index = first.mapped();
    if (GetNextBytes(index) == 0)
    {
        Drained(index); // it was acknowledged meanwhile
        ScheduleNext();
        return;
    }
    const Ptr<Packet> packet = MakePacket(index);
    const uint32_t size = packet->GetSize() + HEADERS - FlowHeader::SIZE;
    Outgoing& outgoing = m_outgoing[index];
    if (outgoing.isShort)
    {
        SocketIpTosTag tag;
        tag.SetTos(FlowApplication::SHORT_TOS);
        packet->AddPacketTag(tag);
    }
    // The socket would look up the route of each packet again.
    m_udp->Send(packet,
                GetHost().address,
                outgoing.peer,
                GetSourcePort(outgoing.number),
                GetSettings().port + outgoing.isShort + (outgoing.hasHeader ? 2 : 0),
                outgoing.route);
    if (!IsStarted())
    {
        return; // by a sink of a trace that the packet has fired
    }
    m_free = now + GetHost().lineRate.CalculateBytesTxTime(size);
    if (GetNextBytes(index) > 0)
    {
        first.key().first = GetRank(index);
        turns->insert(GetSettings().order == FlowApplication::ROUND_ROBIN ? turns->end()
                                                                          : turns->begin(),
                      std::move(first));
    }
    else
    {
        Drained(index);
    }
    if (circuit)
    {
        // A host whose line was busy when its turn came may make up for one turn.
        const auto port = static_cast<uint32_t>(circuit - m_circuits.data());
        const Time turn = m_tor->GetUplink(port)->GetTxTime(GetSettings().packetSize) *
                          int64_t(m_tor->GetNDownlinks());
        circuit->next = std::max(circuit->next, now - turn) + turn;
    }
    ScheduleNext();
}

void
UdpFlowTransport::Drained(std::size_t index)
{
    if (!m_outgoing[index].isFlow)
    {
        LeaveQueue(index);
    }
    Forget(index);
}

void
UdpFlowTransport::ReceivePackets(Ptr<Socket> socket)
{
    while (Ptr<Packet> packet = socket->Recv())
    {
        FlowHeader header;
        packet->RemoveHeader(header);
        NotifyReceived(header.GetFlow(), packet->GetSize());
    }
}

void
UdpFlowTransport::ReceiveMessages(bool isShort, Ptr<Socket> socket)
{
    Address sender;
    while (Ptr<Packet> packet = m_receiver ? socket->RecvFrom(sender) : nullptr)
    {
        FlowHeader flow;
        MessageHeader message;
        packet->RemoveHeader(flow);
        packet->RemoveHeader(message);
        const Ipv4Address from = InetSocketAddress::ConvertFrom(sender).GetIpv4();
        const auto progress =
            m_receiver->Receive(from,
                                isShort,
                                flow,
                                message,
                                packet->GetSize(),
                                GetSettings().packetSize - HEADERS - MessageHeader::SIZE);
        if (message.IsFlow() && progress != MessageReceiver::NOTHING)
        {
            NotifyReceived(static_cast<uint32_t>(message.GetTag()), packet->GetSize());
        }
        else if (progress == MessageReceiver::COMPLETED)
        {
            NotifyMessage({from, message.GetBytes(), message.GetTag(), flow.GetSent()});
        }
    }
}

} // namespace ns3::odcn
