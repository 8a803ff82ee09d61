// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-flow-messages.h"

#include "ns3/inet-socket-address.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/odcn-take-index.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <string>

namespace ns3::odcn
{

void
FlowApplication::AcceptMessages()
{
    if (m_device)
    {
        throw OdcnError("FlowApplication: AcceptMessages() after the start");
    }
    m_acceptsMessages = true;
}

void
FlowApplication::ListenForMessages()
{
    if (m_transport == TCP)
    {
        m_streams = std::make_unique<Streams>(*this);
        for (const uint16_t i : {2, 3})
        {
            const Ptr<Socket> socket = Bind(i);
            socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeCallback(&Streams::Accepted, m_streams.get()));
            socket->Listen();
        }
        return;
    }
    Bind(2)->SetRecvCallback(
        MakeCallback(&FlowApplication::ReceiveMessages, Ptr<FlowApplication>(this)));
    Bind(3)->SetRecvCallback(
        MakeCallback(&FlowApplication::ReceiveMessages, Ptr<FlowApplication>(this)));
    Bind(4)->SetRecvCallback(
        MakeCallback(&FlowApplication::ReceiveAnswers, Ptr<FlowApplication>(this)));
    Bind(5)->SetRecvCallback(
        MakeCallback(&FlowApplication::ReceiveCredits, Ptr<FlowApplication>(this)));
    m_receiver = std::make_unique<MessageReceiver>(
        MessageReceiver::Settings{m_repair == NACK,
                                  m_reorderTime,
                                  m_repairTimeout,
                                  m_window,
                                  m_order},
        [this](Ipv4Address peer, const RepairHeader& answer) { SendAnswer(4, peer, answer); },
        [this](Ipv4Address peer, const RepairHeader& answer) { SendAnswer(5, peer, answer); });
}

void
FlowApplication::Send(Ipv4Address peer, uint64_t bytes, uint64_t tag)
{
    const uint64_t payload = m_packetSize - UDP_HEADERS - MessageHeader::SIZE;
    if (m_stopped || !m_acceptsMessages || bytes == 0 ||
        (m_transport == UDP && (bytes - 1) / payload >= UINT32_MAX))
    {
        throw OdcnError(
            "FlowApplication: a message of " + std::to_string(bytes) +
            " bytes is empty, has more than 2^32 packets, or was sent after the stop or "
            "without AcceptMessages()");
    }
    if (m_device)
    {
        StartMessage(peer, bytes, tag);
    }
    else
    {
        m_early.push_back({peer, bytes, tag, Time()});
    }
}

FlowApplication::MessageCounts
FlowApplication::GetMessageCounts() const
{
    MessageCounts counts = m_counts;
    if (m_receiver)
    {
        counts.duplicates = m_receiver->GetNDuplicates();
        counts.requests = m_receiver->GetNRequests();
    }
    return counts;
}

void
FlowApplication::StartMessage(Ipv4Address peer, uint64_t bytes, uint64_t tag)
{
    if (m_transport == TCP)
    {
        m_streams->Send(peer, bytes, tag);
        return;
    }
    const std::size_t index = TakeIndex(m_outgoing, m_unused);
    Outgoing& flow = m_outgoing[index];
    flow = {0, peer, bytes, Simulator::Now(), 0, bytes < m_shortFlows, nullptr};
    flow.order = ++m_started;
    MakeMessage(index, tag);
    std::deque<std::size_t>& queue = m_queues[{peer, flow.isShort}];
    queue.push_back(index);
    if (queue.size() == 1)
    {
        Activate(index);
    }
}

void
FlowApplication::MakeMessage(std::size_t index, uint64_t tag)
{
    Outgoing& flow = m_outgoing[index];
    flow.flow = m_numbers[flow.peer]++;
    flow.message = std::make_unique<OutgoingMessage>();
    flow.message->bytes = flow.left;
    flow.message->tag = tag;
    flow.message->timeout = m_repairTimeout;
    flow.message->credit = m_window > 0 ? m_window : UINT32_MAX;
    if (m_repair == NACK)
    {
        m_open[{flow.peer, flow.flow}] = index;
    }
}

uint32_t
FlowApplication::GetPayload(const Outgoing& flow) const
{
    return m_packetSize - UDP_HEADERS - (flow.message ? MessageHeader::SIZE : 0);
}

uint32_t
FlowApplication::GetNextBytes(const Outgoing& flow) const
{
    const uint32_t payload = GetPayload(flow);
    if (flow.message && !flow.message->again.empty())
    {
        const uint64_t before = uint64_t(*flow.message->again.begin()) * payload;
        return static_cast<uint32_t>(std::min<uint64_t>(flow.message->bytes - before, payload));
    }
    if (flow.message && flow.sequence == flow.message->credit)
    {
        return 0;
    }
    return static_cast<uint32_t>(std::min<uint64_t>(flow.left, payload));
}

Ptr<Packet>
FlowApplication::MakePacket(Outgoing& flow)
{
    const uint32_t bytes = GetNextBytes(flow);
    const Ptr<Packet> packet = Create<Packet>(bytes);
    if (!flow.message)
    {
        flow.left -= bytes;
        packet->AddHeader(FlowHeader(flow.flow, flow.sequence++, Simulator::Now()));
        return packet;
    }
    OutgoingMessage& message = *flow.message;
    packet->AddHeader(MessageHeader(message.bytes, message.tag, message.isFlow));
    if (message.again.empty())
    {
        ++m_counts.packets;
        flow.left -= bytes;
        packet->AddHeader(FlowHeader(flow.flow, flow.sequence++, flow.start));
    }
    else
    {
        ++m_counts.again;
        packet->AddHeader(FlowHeader(flow.flow,
                                     message.again.extract(message.again.begin()).value(),
                                     flow.start));
    }
    return packet;
}

void
FlowApplication::Drained(std::size_t index)
{
    Outgoing& flow = m_outgoing[index];
    if (!flow.message)
    {
        flow.route = nullptr;
        return;
    }
    OutgoingMessage& message = *flow.message;
    message.hasTurn = false;
    if (!message.wasSent && flow.left == 0)
    {
        message.wasSent = true;
        if (!message.isFlow)
        {
            LeaveQueue(flow);
        }
    }
    const bool isOpen = m_open.contains({flow.peer, flow.flow});
    if (!isOpen)
    {
        Forget(index);
        return;
    }
    message.deadline = Simulator::Now() + message.timeout;
    // A credit has made the time-out shorter than that of the timer.
    if (message.timer.IsExpired() || Simulator::GetDelayLeft(message.timer) > message.timeout)
    {
        message.timer.Cancel();
        message.timer =
            Simulator::Schedule(message.timeout, &FlowApplication::AnswerOverdue, this, index);
    }
}

void
FlowApplication::LeaveQueue(const Outgoing& flow)
{
    const auto found = m_queues.find({flow.peer, flow.isShort});
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

void
FlowApplication::AnswerOverdue(std::size_t index)
{
    Outgoing& flow = m_outgoing[index];
    OutgoingMessage& message = *flow.message;
    if (message.hasTurn)
    {
        return; // Drained() starts again
    }
    if (Simulator::Now() < message.deadline)
    {
        message.timer = Simulator::Schedule(message.deadline - Simulator::Now(),
                                            &FlowApplication::AnswerOverdue,
                                            this,
                                            index);
        return;
    }
    message.timeout = std::min(message.timeout * int64_t(2), m_repairTimeout * MOST_TIMEOUTS);
    message.again.insert(flow.sequence - 1);
    TakeTurns(index);
}

void
FlowApplication::TakeTurns(std::size_t index)
{
    OutgoingMessage& message = *m_outgoing[index].message;
    if (!message.hasTurn)
    {
        message.hasTurn = true;
        Activate(index);
    }
}

void
FlowApplication::Forget(std::size_t index)
{
    m_outgoing[index].message->timer.Cancel();
    m_outgoing[index] = {};
    m_unused.push_back(index);
}

void
FlowApplication::ReceiveMessages(Ptr<Socket> socket)
{
    Address sender;
    while (Ptr<Packet> packet = m_receiver ? socket->RecvFrom(sender) : nullptr)
    {
        FlowHeader flow;
        MessageHeader message;
        packet->RemoveHeader(flow);
        packet->RemoveHeader(message);
        const Ipv4Address from = InetSocketAddress::ConvertFrom(sender).GetIpv4();
        const auto progress = m_receiver->Receive(from,
                                                  socket == m_sockets[3],
                                                  flow,
                                                  message,
                                                  packet->GetSize(),
                                                  m_packetSize - UDP_HEADERS - MessageHeader::SIZE);
        if (message.IsFlow() && progress != MessageReceiver::NOTHING)
        {
            Received(static_cast<uint32_t>(message.GetTag()), packet->GetSize());
        }
        else if (progress == MessageReceiver::COMPLETED)
        {
            Fire(m_messageTrace,
                 FlowMessage{from, message.GetBytes(), message.GetTag(), flow.GetSent()});
        }
    }
}

void
FlowApplication::SendAnswer(uint16_t offset, Ipv4Address peer, const RepairHeader& answer)
{
    auto packet = Create<Packet>();
    packet->AddHeader(answer);
    SocketIpTosTag tag;
    tag.SetTos(SHORT_TOS);
    packet->AddPacketTag(tag);
    m_sockets[offset]->SendTo(packet, 0, InetSocketAddress(peer, m_port + offset));
}

std::optional<std::size_t>
FlowApplication::FindOpen(Ptr<Socket> socket, RepairHeader& answer)
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
FlowApplication::ReceiveAnswers(Ptr<Socket> socket)
{
    while (socket->GetRxAvailable() > 0)
    {
        RepairHeader answer;
        const auto index = FindOpen(socket, answer);
        if (!index)
        {
            continue;
        }
        Outgoing& flow = m_outgoing[*index];
        OutgoingMessage& message = *flow.message;
        if (answer.GetRanges().empty())
        {
            m_open.erase({flow.peer, flow.flow});
            message.timer.Cancel();
            message.again.clear();
            if (!message.hasTurn)
            {
                Forget(*index);
            }
            continue;
        }
        for (const auto& [first, count] : answer.GetRanges())
        {
            for (uint32_t i = 0; i < count; ++i)
            {
                message.again.insert(first + i);
            }
        }
        TakeTurns(*index);
    }
}

void
FlowApplication::ReceiveCredits(Ptr<Socket> socket)
{
    while (socket->GetRxAvailable() > 0)
    {
        RepairHeader credit;
        const auto index = FindOpen(socket, credit);
        if (!index)
        {
            continue;
        }
        OutgoingMessage& message = *m_outgoing[*index].message;
        message.timeout = m_repairTimeout;
        message.credit = std::max(message.credit, credit.GetRanges().front().second);
        if (GetNextBytes(m_outgoing[*index]) > 0) // credits may overtake each other
        {
            TakeTurns(*index);
        }
    }
}

FlowApplication::Streams::Streams(FlowApplication& application)
    : m_application(application)
{
}

FlowApplication::Streams::~Streams()
{
    for (const auto& [peer, stream] : m_outgoing)
    {
        stream->Close();
    }
    for (const auto& incoming : m_incoming)
    {
        incoming.stream->Close();
    }
}

void
FlowApplication::Streams::Send(Ipv4Address peer, uint64_t bytes, uint64_t tag)
{
    const bool isShort = bytes < m_application.m_shortFlows;
    Ptr<MessageStream>& stream = m_outgoing[{peer, isShort}];
    if (stream && stream->IsClosed())
    {
        throw OdcnError("FlowApplication: a message of " + std::to_string(bytes) +
                        " bytes: the connection to its receiver was closed, as the receiver has "
                        "stopped or did not answer for too long");
    }
    if (!stream)
    {
        stream = Create<MessageStream>(*this);
        InetSocketAddress address(peer, m_application.m_port + 2 + isShort);
        CompatSetTos(address, isShort ? SHORT_TOS : 0);
        stream->Open([this, isShort] { return m_application.CreateTcpSocket(isShort); }, address);
    }
    stream->Send(0, 0, bytes + StreamMessage::HEADER, static_cast<int64_t>(tag));
}

void
FlowApplication::Streams::Accepted(Ptr<Socket> socket, const Address& from)
{
    m_incoming.push_back(
        {Create<MessageStream>(*this), InetSocketAddress::ConvertFrom(from).GetIpv4()});
    m_incoming.back().stream->Adopt(socket);
}

void
FlowApplication::Streams::MessageReceived(MessageStream& stream, const StreamMessage& message)
{
    for (const auto& incoming : m_incoming)
    {
        if (PeekPointer(incoming.stream) == &stream)
        {
            m_application.Fire(m_application.m_messageTrace,
                               FlowMessage{incoming.from,
                                           message.length - StreamMessage::HEADER,
                                           static_cast<uint64_t>(message.value),
                                           message.sent});
            return;
        }
    }
}

void
FlowApplication::Streams::StreamClosed(MessageStream& stream)
{
    std::erase_if(m_incoming,
                  [&](const Incoming& in) { return PeekPointer(in.stream) == &stream; });
}

} // namespace ns3::odcn
