// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-udp-logic.h"

#include "ns3/odcn-take-index.h"

#include <algorithm>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(UdpLogic);

TypeId
UdpLogic::GetTypeId()
{
    // Without a constructor: Transport=Udp is its name.
    static TypeId tid =
        TypeId("ns3::odcn::UdpLogic").SetParent<TransportLogic>().SetGroupName("Odcn");
    return tid;
}

UdpLogic::UdpLogic() = default;
UdpLogic::~UdpLogic() = default;

void
UdpLogic::DoStop()
{
    m_active.clear();
    m_held.clear();
    m_receiver.reset();
}

const std::shared_ptr<MessageReceiver>&
UdpLogic::GetReceiver()
{
    if (!m_receiver)
    {
        m_receiver = std::make_shared<MessageReceiver>(GetSettings(), Repairs(), Host());
    }
    return m_receiver;
}

UdpLogic::Outgoing
UdpLogic::MakeOutgoing(uint32_t peer, uint64_t bytes, uint64_t tag, bool isShort)
{
    Outgoing outgoing;
    outgoing.peer = peer;
    outgoing.bytes = bytes;
    outgoing.tag = tag;
    outgoing.isShort = isShort;
    return outgoing;
}

void
UdpLogic::SendFlow(uint32_t flow, uint32_t peer, uint64_t bytes, bool isShort)
{
    Outgoing outgoing = MakeOutgoing(peer, bytes, flow, isShort);
    outgoing.number = flow;
    Activate(Add(outgoing));
}

void
UdpLogic::SendMessage(uint32_t peer, uint64_t bytes, uint64_t tag, bool isShort)
{
    Outgoing outgoing = MakeOutgoing(peer, bytes, tag, isShort);
    outgoing.isFlow = false;
    outgoing.hasHeader = true;
    Number(outgoing);
    Queue(Add(outgoing));
}

uint32_t
UdpLogic::GetHeaders(const TransportPacket& packet) const
{
    return HEADERS + (packet.size > 0 ? MessageHeader::SIZE : 0);
}

uint16_t
UdpLogic::GetOffset(const TransportPacket& packet) const
{
    return packet.isShort + (packet.size > 0 ? 2 : 0);
}

bool
UdpLogic::Repairs() const
{
    return false;
}

UdpLogic::Stages
UdpLogic::GetStages() const
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
UdpLogic::GetMessageCounts() const
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
UdpLogic::Number(Outgoing& outgoing)
{
    outgoing.number = m_numbers[outgoing.peer]++;
}

std::size_t
UdpLogic::Add(Outgoing outgoing)
{
    outgoing.left = outgoing.bytes;
    outgoing.begin = Host().Now();
    outgoing.order = ++m_begun;
    const std::size_t index = TakeIndex(m_outgoing, m_unused);
    m_outgoing[index] = outgoing;
    return index;
}

void
UdpLogic::Forget(std::size_t index)
{
    m_outgoing[index] = {};
    m_unused.push_back(index);
}

void
UdpLogic::Activate(std::size_t index)
{
    Turns& turns = FindTurns(index);
    const std::pair<uint64_t, uint64_t> key(GetRank(index), m_outgoing[index].order);
    if (m_spare.empty())
    {
        turns.emplace(key, index);
    }
    else
    {
        Turns::node_type place = std::move(m_spare.back());
        m_spare.pop_back();
        place.key() = key;
        place.mapped() = index;
        turns.insert(std::move(place));
    }
    ScheduleNext();
}

void
UdpLogic::Queue(std::size_t index)
{
    std::deque<std::size_t>& queue = m_queues[{m_outgoing[index].peer, m_outgoing[index].isShort}];
    queue.push_back(index);
    if (queue.size() == 1)
    {
        Activate(index);
    }
}

void
UdpLogic::LeaveQueue(std::size_t index)
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
UdpLogic::FindHold(const Outgoing& flow) const
{
    return GetSettings().hold && !flow.isShort ? Host().FindRack(flow.peer) : NO_RACK;
}

UdpLogic::Turns&
UdpLogic::FindTurns(std::size_t index)
{
    const RackId rack = FindHold(m_outgoing[index]);
    return rack == NO_RACK ? m_active : m_held[rack];
}

void
UdpLogic::UseCircuit(uint32_t port, RackId rack, int64_t until)
{
    m_circuits.resize(std::max<std::size_t>(m_circuits.size(), port + 1));
    const TransportHost::Uplink uplink = Host().GetUplink(port);
    m_circuits[port] = {rack,
                        Host().Now() + uplink.packetTime * uplink.server,
                        until == INT64_MAX ? until : until - uplink.delay - uplink.packetTime};
    ScheduleNext();
}

int64_t
UdpLogic::FindNext(Turns*& turns, Circuit*& circuit)
{
    const int64_t free = std::max(m_free, Host().Now());
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
        if (std::max(free, c.next) + Host().GetTxTime(size) <= c.until)
        {
            turns = &held->second;
            circuit = &c;
        }
    }
    return circuit ? std::max(free, circuit->next) : free;
}

void
UdpLogic::ScheduleNext()
{
    Turns* turns;
    Circuit* circuit;
    const int64_t at = FindNext(turns, circuit);
    if (turns && (!Host().IsPending(SEND_TIMER) || at < m_sendTime))
    {
        m_sendTime = at;
        Host().SetTimer(SEND_TIMER, at - Host().Now());
    }
}

uint64_t
UdpLogic::GetRank(std::size_t index)
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
UdpLogic::GetPayload(const Outgoing& outgoing) const
{
    return GetSettings().packetSize - HEADERS - (outgoing.hasHeader ? MessageHeader::SIZE : 0);
}

uint32_t
UdpLogic::GetNextBytes(std::size_t index) const
{
    const Outgoing& outgoing = m_outgoing[index];
    return static_cast<uint32_t>(std::min<uint64_t>(outgoing.left, GetPayload(outgoing)));
}

TransportPacket
UdpLogic::MakeHeaders(const Outgoing& outgoing)
{
    TransportPacket packet;
    packet.peer = outgoing.peer;
    packet.number = outgoing.number;
    packet.isShort = outgoing.isShort;
    packet.time = outgoing.begin;
    if (outgoing.hasHeader)
    {
        packet.isFlow = outgoing.isFlow;
        packet.size = outgoing.bytes;
        packet.tag = outgoing.tag;
    }
    return packet;
}

TransportPacket
UdpLogic::MakePacket(std::size_t index)
{
    Outgoing& outgoing = m_outgoing[index];
    TransportPacket packet = MakeHeaders(outgoing);
    packet.bytes = GetNextBytes(index);
    packet.sequence = outgoing.sequence++;
    outgoing.left -= packet.bytes;
    m_counts.packets += outgoing.hasHeader ? 1 : 0;
    if (!outgoing.hasHeader)
    {
        packet.time = Host().Now(); // a receiver of messages reports when they were sent
    }
    return packet;
}

void
UdpLogic::TimerExpired(uint32_t timer)
{
    if (timer == SEND_TIMER)
    {
        SendNext();
    }
}

void
UdpLogic::SendNext()
{
    Turns* turns;
    Circuit* circuit;
    const int64_t now = Host().Now();
    const int64_t at = FindNext(turns, circuit);
    if (!turns || at > now)
    {
        ScheduleNext(); // circuits have changed meanwhile
        return;
    }
    auto first = turns->extract(turns->begin());
    const std::size_t index = first.mapped();
    if (GetNextBytes(index) == 0)
    {
        m_spare.push_back(std::move(first));
        Drained(index); // it was acknowledged meanwhile
        ScheduleNext();
        return;
    }
    const TransportPacket packet = MakePacket(index);
    Host().Send(packet);
    if (!IsStarted())
    {
        return; // by a sink of a trace that the packet has fired
    }
    m_free = now + Host().GetTxTime(packet.bytes + GetHeaders(packet));
    if (GetNextBytes(index) > 0)
    {
        first.key().first = GetRank(index);
        turns->insert(GetSettings().order == FlowApplication::ROUND_ROBIN ? turns->end()
                                                                          : turns->begin(),
                      std::move(first));
    }
    else
    {
        m_spare.push_back(std::move(first));
        Drained(index);
    }
    if (circuit)
    {
        // A host whose line was busy when its turn came may make up for one turn.
        const TransportHost::Uplink uplink =
            Host().GetUplink(static_cast<uint32_t>(circuit - m_circuits.data()));
        const int64_t turn = uplink.packetTime * uplink.servers;
        circuit->next = std::max(circuit->next, now - turn) + turn;
    }
    ScheduleNext();
}

void
UdpLogic::Drained(std::size_t index)
{
    if (!m_outgoing[index].isFlow)
    {
        LeaveQueue(index);
    }
    Forget(index);
}

void
UdpLogic::Receive(const TransportPacket& packet)
{
    if (packet.size == 0)
    {
        Host().DeliverBytes(packet.number, packet.bytes);
        return;
    }
    const std::shared_ptr<MessageReceiver> receiver = GetReceiver(); // a sink may stop this
    const auto progress = receiver->Receive(packet);
    if (packet.isFlow && progress != MessageReceiver::NOTHING)
    {
        Host().DeliverBytes(static_cast<uint32_t>(packet.tag), packet.bytes);
    }
    else if (progress == MessageReceiver::COMPLETED)
    {
        Host().DeliverMessage(packet);
    }
}

} // namespace ns3::odcn
