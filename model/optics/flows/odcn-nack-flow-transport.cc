// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-nack-flow-transport.h"

#include "ns3/inet-socket-address.h"
#include "ns3/odcn-attributes.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(NackFlowTransport);

namespace
{

/// Ports of answers and credits, from FlowApplication::Port.
constexpr uint16_t ANSWERS = 4;
constexpr uint16_t CREDITS = 5; //!< see ANSWERS

} // namespace

TypeId
NackFlowTransport::GetTypeId()
{
    static TypeId tid =
        TypeIdOf<NackFlowTransport, UdpFlowTransport>("ns3::odcn::NackFlowTransport");
    return tid;
}

void
NackFlowTransport::DoDispose()
{
    CancelTimers();
    m_repairs.clear();
    m_answers = nullptr;
    m_credits = nullptr;
    UdpFlowTransport::DoDispose();
}

void
NackFlowTransport::DoStart()
{
    UdpFlowTransport::DoStart();
    const Ptr<NackFlowTransport> self(this);
    const TypeId udp = UdpSocketFactory::GetTypeId();
    m_answers = Bind(udp, ANSWERS, FlowApplication::SHORT_TOS);
    m_answers->SetRecvCallback(MakeCallback(&NackFlowTransport::ReceiveAnswers, self));
    m_credits = Bind(udp, CREDITS, FlowApplication::SHORT_TOS);
    m_credits->SetRecvCallback(MakeCallback(&NackFlowTransport::ReceiveCredits, self));
}

void
NackFlowTransport::DoStop()
{
    UdpFlowTransport::DoStop();
    CancelTimers();
    m_answers = nullptr;
    m_credits = nullptr;
}

void
NackFlowTransport::CancelTimers()
{
    for (const auto& [key, index] : std::exchange(m_open, {}))
    {
        m_repairs[index].timer.Cancel();
    }
}

MessageReceiver::Settings
NackFlowTransport::GetReceiverSettings() const
{
    const Settings& s = GetSettings();
    return {true, s.reorderTime, s.repairTimeout, s.window, s.creditPackets, s.order};
}

void
NackFlowTransport::SendFlow(uint32_t flow, Ipv4Address peer, uint64_t bytes, bool isShort)
{
    Outgoing outgoing = MakeOutgoing(peer, bytes, flow, isShort);
    outgoing.hasHeader = true;
    Number(outgoing);
    Activate(Add(outgoing));
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

bool
NackFlowTransport::HasCredits() const
{
    return true;
}

bool
NackFlowTransport::Repairs() const
{
    return true;
}

std::size_t
NackFlowTransport::Add(Outgoing outgoing)
{
    const std::size_t index = UdpFlowTransport::Add(outgoing);
    if (index >= m_repairs.size())
    {
        m_repairs.resize(index + 1);
    }
    Repair& repair = m_repairs[index];
    repair.timeout = GetSettings().repairTimeout;
    repair.credit = GetSettings().window > 0 ? GetSettings().window : UINT32_MAX;
    m_open[{outgoing.peer, outgoing.number}] = index;
    return index;
}

void
NackFlowTransport::Forget(std::size_t index)
{
    m_repairs[index].timer.Cancel();
    m_repairs[index] = {};
    UdpFlowTransport::Forget(index);
}

uint32_t
NackFlowTransport::GetNextBytes(std::size_t index) const
{
    const Outgoing& outgoing = Get(index);
    const Repair& repair = m_repairs[index];
    if (!repair.again.empty())
    {
        const uint32_t payload = GetPayload(outgoing);
        const uint64_t before = uint64_t(*repair.again.begin()) * payload;
        return static_cast<uint32_t>(std::min<uint64_t>(outgoing.bytes - before, payload));
    }
    return outgoing.sequence == repair.credit ? 0 : UdpFlowTransport::GetNextBytes(index);
}

Ptr<Packet>
NackFlowTransport::MakePacket(std::size_t index)
{
    Repair& repair = m_repairs[index];
    if (repair.again.empty())
    {
        return UdpFlowTransport::MakePacket(index);
    }
    const Outgoing& outgoing = Get(index);
    const Ptr<Packet> packet = Create<Packet>(GetNextBytes(index));
    ++m_counts.again;
    packet->AddHeader(MessageHeader(outgoing.bytes, outgoing.tag, outgoing.isFlow));
    packet->AddHeader(FlowHeader(outgoing.number,
                                 repair.again.extract(repair.again.begin()).value(),
                                 outgoing.begin));
    return packet;
}

void
NackFlowTransport::Drained(std::size_t index)
{
    const Outgoing& outgoing = Get(index);
    Repair& repair = m_repairs[index];
    repair.hasTurn = false;
    if (!repair.wasSent && outgoing.left == 0)
    {
        repair.wasSent = true;
        if (!outgoing.isFlow)
        {
            LeaveQueue(index);
        }
    }
    if (!m_open.contains({outgoing.peer, outgoing.number}))
    {
        Forget(index);
        return;
    }
    repair.deadline = Simulator::Now() + repair.timeout;
    // A credit has made the time-out shorter than that of the timer.
    if (repair.timer.IsExpired() || Simulator::GetDelayLeft(repair.timer) > repair.timeout)
    {
        repair.timer.Cancel();
        repair.timer =
            Simulator::Schedule(repair.timeout, &NackFlowTransport::AnswerOverdue, this, index);
    }
}

void
NackFlowTransport::AnswerOverdue(std::size_t index)
{
    Repair& repair = m_repairs[index];
    if (repair.hasTurn)
    {
        return; // Drained() starts again
    }
    if (Simulator::Now() < repair.deadline)
    {
        repair.timer = Simulator::Schedule(repair.deadline - Simulator::Now(),
                                           &NackFlowTransport::AnswerOverdue,
                                           this,
                                           index);
        return;
    }
    repair.timeout = std::min(repair.timeout * int64_t(2),
                              GetSettings().repairTimeout * MessageReceiver::MOST_TIMEOUTS);
    repair.again.insert(Get(index).sequence - 1);
    TakeTurns(index);
}

void
NackFlowTransport::TakeTurns(std::size_t index)
{
    if (!m_repairs[index].hasTurn)
    {
        m_repairs[index].hasTurn = true;
        Activate(index);
    }
}

void
NackFlowTransport::Answer(Ipv4Address peer, const RepairHeader& answer)
{
    SendAnswer(m_answers, ANSWERS, peer, answer);
}

void
NackFlowTransport::GiveCredit(Ipv4Address peer, const RepairHeader& credit)
{
    SendAnswer(m_credits, CREDITS, peer, credit);
}

void
NackFlowTransport::SendAnswer(Ptr<Socket> socket,
                              uint16_t offset,
                              Ipv4Address peer,
                              const RepairHeader& answer)
{
    auto packet = Create<Packet>();
    packet->AddHeader(answer);
    SocketIpTosTag tag;
    tag.SetTos(FlowApplication::SHORT_TOS);
    packet->AddPacketTag(tag);
    socket->SendTo(packet, 0, InetSocketAddress(peer, GetSettings().port + offset));
}

std::optional<std::size_t>
NackFlowTransport::FindOpen(Ptr<Socket> socket, RepairHeader& answer)
{
    Address receiver;
    const Ptr<Packet> packet = socket->RecvFrom(receiver);
    packet->RemoveHeader(answer);
    const auto found =
        m_open.find({InetSocketAddress::ConvertFrom(receiver).GetIpv4(), answer.GetNumber()});
    if (found == m_open.end())
    {
        return {}; // acknowledged before
    }
    return found->second;
}

void
NackFlowTransport::ReceiveAnswers(Ptr<Socket> socket)
{
    while (socket->GetRxAvailable() > 0)
    {
        RepairHeader answer;
        const auto index = FindOpen(socket, answer);
        if (!index)
        {
            continue;
        }
        Repair& repair = m_repairs[*index];
        if (answer.GetRanges().empty())
        {
            m_open.erase({Get(*index).peer, Get(*index).number});
            repair.timer.Cancel();
            repair.again.clear();
            if (!repair.hasTurn)
            {
                Forget(*index);
            }
            continue;
        }
        for (const auto& [first, count] : answer.GetRanges())
        {
            for (uint32_t i = 0; i < count; ++i)
            {
                repair.again.insert(first + i);
            }
        }
        TakeTurns(*index);
    }
}

void
NackFlowTransport::ReceiveCredits(Ptr<Socket> socket)
{
    while (socket->GetRxAvailable() > 0)
    {
        RepairHeader credit;
        const auto index = FindOpen(socket, credit);
        if (!index)
        {
            continue;
        }
        Repair& repair = m_repairs[*index];
        repair.timeout = GetSettings().repairTimeout;
        repair.credit = std::max(repair.credit, credit.GetRanges().front().second);
        if (GetNextBytes(*index) > 0) // credits may overtake each other
        {
            TakeTurns(*index);
        }
    }
}

} // namespace ns3::odcn
