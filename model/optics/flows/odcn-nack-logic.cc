// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-nack-logic.h"

#include <algorithm>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(NackLogic);

TypeId
NackLogic::GetTypeId()
{
    // Without a constructor: Transport=Udp with Repair=Nack is its name.
    static TypeId tid = TypeId("ns3::odcn::NackLogic").SetParent<UdpLogic>().SetGroupName("Odcn");
    return tid;
}

NackLogic::NackLogic() = default;
NackLogic::~NackLogic() = default;

void
NackLogic::DoStop()
{
    UdpLogic::DoStop();
    m_open.clear();
}

void
NackLogic::SendFlow(uint32_t flow, uint32_t peer, uint64_t bytes, bool isShort)
{
    Outgoing outgoing = MakeOutgoing(peer, bytes, flow, isShort);
    outgoing.hasHeader = true;
    Number(outgoing);
    Activate(Add(outgoing));
}

uint32_t
NackLogic::GetHeaders(const TransportPacket& packet) const
{
    return packet.kind == MessageReceiver::DATA
               ? UdpLogic::GetHeaders(packet)
               : HEADERS - FlowHeader::SIZE + RepairHeader::LEAST_SIZE +
                     RepairHeader::RANGE_SIZE * static_cast<uint32_t>(packet.ranges.size());
}

uint16_t
NackLogic::GetOffset(const TransportPacket& packet) const
{
    return packet.kind == MessageReceiver::DATA     ? UdpLogic::GetOffset(packet)
           : packet.kind == MessageReceiver::ANSWER ? ANSWERS
                                                    : CREDITS;
}

bool
NackLogic::HasCredits() const
{
    return true;
}

bool
NackLogic::Repairs() const
{
    return true;
}

std::size_t
NackLogic::Add(Outgoing outgoing)
{
    const std::size_t index = UdpLogic::Add(outgoing);
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
NackLogic::Forget(std::size_t index)
{
    Host().CancelTimer(GetTimer(index));
    m_repairs[index] = {};
    UdpLogic::Forget(index);
}

uint32_t
NackLogic::GetNextBytes(std::size_t index) const
{
    const Outgoing& outgoing = Get(index);
    const Repair& repair = m_repairs[index];
    if (!repair.again.empty())
    {
        const uint32_t payload = GetPayload(outgoing);
        const uint64_t before = uint64_t(*repair.again.begin()) * payload;
        return static_cast<uint32_t>(std::min<uint64_t>(outgoing.bytes - before, payload));
    }
    return outgoing.sequence == repair.credit ? 0 : UdpLogic::GetNextBytes(index);
}

TransportPacket
NackLogic::MakePacket(std::size_t index)
{
    Repair& repair = m_repairs[index];
    if (repair.again.empty())
    {
        return UdpLogic::MakePacket(index);
    }
    TransportPacket packet = MakeHeaders(Get(index));
    packet.bytes = GetNextBytes(index);
    packet.sequence = repair.again.extract(repair.again.begin()).value();
    ++m_counts.again;
    return packet;
}

uint32_t
NackLogic::GetTimer(std::size_t index)
{
    return MessageReceiver::FIRST_TIMER + MessageReceiver::TIMERS +
           (MessageReceiver::TIMERS + 1) * static_cast<uint32_t>(index);
}

void
NackLogic::SetTimer(std::size_t index, int64_t delay)
{
    m_repairs[index].expires = Host().Now() + delay;
    Host().SetTimer(GetTimer(index), delay);
}

void
NackLogic::Drained(std::size_t index)
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
    const int64_t now = Host().Now();
    repair.deadline = now + repair.timeout;
    // A credit has made the time-out shorter than that of the timer.
    if (!Host().IsPending(GetTimer(index)) || repair.expires - now > repair.timeout)
    {
        SetTimer(index, repair.timeout);
    }
}

void
NackLogic::TimerExpired(uint32_t timer)
{
    constexpr uint32_t FIRST = MessageReceiver::FIRST_TIMER;
    const uint32_t index = (std::max(timer, FIRST) - FIRST) / (MessageReceiver::TIMERS + 1);
    if (timer == SEND_TIMER)
    {
        UdpLogic::TimerExpired(timer);
    }
    else if (timer == GetTimer(index))
    {
        AnswerOverdue(index);
    }
    else
    {
        const std::shared_ptr<MessageReceiver> receiver = GetReceiver(); // a sink may stop this
        receiver->TimerExpired(timer);
    }
}

void
NackLogic::AnswerOverdue(std::size_t index)
{
    Repair& repair = m_repairs[index];
    if (repair.hasTurn)
    {
        return; // Drained() starts again
    }
    const int64_t now = Host().Now();
    if (now < repair.deadline)
    {
        SetTimer(index, repair.deadline - now);
        return;
    }
    repair.timeout =
        std::min(repair.timeout * 2, GetSettings().repairTimeout * MessageReceiver::MOST_TIMEOUTS);
    repair.again.insert(Get(index).sequence - 1);
    TakeTurns(index);
}

void
NackLogic::TakeTurns(std::size_t index)
{
    if (!m_repairs[index].hasTurn)
    {
        m_repairs[index].hasTurn = true;
        Activate(index);
    }
}

void
NackLogic::Receive(const TransportPacket& packet)
{
    if (packet.kind == MessageReceiver::DATA)
    {
        UdpLogic::Receive(packet);
        return;
    }
    const auto found = m_open.find({packet.peer, packet.number});
    if (found == m_open.end())
    {
        return; // acknowledged before
    }
    const std::size_t index = found->second;
    if (packet.kind == MessageReceiver::ANSWER)
    {
        TakeAnswer(index, packet);
        return;
    }
    Repair& repair = m_repairs[index];
    repair.timeout = GetSettings().repairTimeout;
    repair.credit = std::max(repair.credit, packet.ranges.front().second);
    if (GetNextBytes(index) > 0) // credits may overtake each other
    {
        TakeTurns(index);
    }
}

void
NackLogic::TakeAnswer(std::size_t index, const TransportPacket& answer)
{
    Repair& repair = m_repairs[index];
    if (answer.ranges.empty())
    {
        m_open.erase({Get(index).peer, Get(index).number});
        Host().CancelTimer(GetTimer(index));
        repair.again.clear();
        if (!repair.hasTurn)
        {
            Forget(index);
        }
        return;
    }
    for (const auto& [first, count] : answer.ranges)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            repair.again.insert(first + i);
        }
    }
    TakeTurns(index);
}

} // namespace ns3::odcn
