// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-message-plane.h"

#include "odcn-plane-run.h"
#include "odcn-plane-traffic.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-take-index.h"
#include "ns3/simulator.h"

#include <string>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(MessagePlane);

namespace
{

/// Sender of a message that has been delivered.
constexpr uint32_t DELIVERED = UINT32_MAX;
/// Sender of a message that was sent by itself.
constexpr uint32_t OWN = UINT32_MAX - 1;

} // namespace

TypeId
MessagePlane::GetTypeId()
{
    using T = MessagePlane;
    static TypeId tid =
        TypeIdOf<MessagePlane, Object>("ns3::odcn::MessagePlane")
            .Add(Trace("Sent", &T::m_sentTrace, "MessageTracedCallback"), "A message was sent.")
            .Add(Trace("Delivered", &T::m_deliveredTrace, "MessageTracedCallback"),
                 "The last byte of a message was received.");
    return tid;
}

MessagePlane::MessagePlane() = default;

MessagePlane::~MessagePlane() = default;

void
MessagePlane::DoDispose()
{
    m_release.Cancel();
    Release();
    Object::DoDispose();
}

void
MessagePlane::Release()
{
    const Ptr<MessagePlane> self =
        std::exchange(m_self, nullptr); // callbacks may hold the last Ptr
    const std::vector<Own> own = std::exchange(m_own, {});
    const std::vector<Sender> senders = std::exchange(m_senders, {});
    for (const Sender& sender : senders)
    {
        if (sender.traffic)
        {
            sender.traffic->m_sender.reset();
        }
    }
    m_release = {};
    m_pending.clear();
    m_unusedOwn.clear();
    m_unusedSenders.clear();
}

uint64_t
MessagePlane::Send(uint32_t from, uint32_t to, uint64_t bytes, Delivered delivered, uint64_t tag)
{
    const uint32_t item = TakeIndex(m_own, m_unusedOwn);
    m_own[item] = {{m_sent, from, to, bytes, tag, Simulator::Now()}, std::move(delivered)};
    return Start(m_own[item].message, {OWN, item});
}

void
MessagePlane::SendFor(const Message& message, PlaneTraffic& traffic, uint32_t item)
{
    if (!traffic.m_sender)
    {
        traffic.m_sender = TakeIndex(m_senders, m_unusedSenders);
        m_senders[*traffic.m_sender].traffic = Ptr<PlaneTraffic>(&traffic);
    }
    ++m_senders[*traffic.m_sender].inFlight;
    Start(message, {*traffic.m_sender, item});
}

uint64_t
MessagePlane::Start(Message message, const Pending& pending)
{
    const Ptr<MessagePlane> self(this); // a sink may dispose of it
    message.number = m_sent;
    message.sent = Simulator::Now();
    try
    {
        if (message.from >= GetNEndPoints() || message.to >= GetNEndPoints() ||
            message.from == message.to || message.bytes == 0 || message.bytes > Message::MAX_BYTES)
        {
            throw OdcnError("MessagePlane: a message of " + std::to_string(message.bytes) +
                            " bytes from " + std::to_string(message.from) + " to " +
                            std::to_string(message.to) +
                            ", expected 1 to 2^53 bytes between two different end points below " +
                            std::to_string(GetNEndPoints()));
        }
        m_pending.push_back(pending);
        ++m_sent;
        ++m_inFlight;
        m_sentBytes += message.bytes;
        m_inFlightBytes += message.bytes;
        try
        {
            DoSend(message);
        }
        catch (...)
        {
            m_pending.pop_back();
            --m_sent;
            --m_inFlight;
            m_sentBytes -= message.bytes;
            m_inFlightBytes -= message.bytes;
            throw;
        }
    }
    catch (...)
    {
        Drop(pending);
        throw;
    }
    if (!m_self && !m_pending.empty()) // else a sink has disposed of it
    {
        m_self = self;
        if (!m_release.PeekEventImpl())
        {
            m_release = Simulator::ScheduleDestroy(&MessagePlane::Release, this);
        }
    }
    m_sentTrace(message);
    return message.number;
}

Message
MessagePlane::Describe(const Pending& pending, uint64_t number) const
{
    Message message = pending.sender == OWN
                          ? m_own[pending.item].message
                          : m_senders[pending.sender].traffic->GetMessage(pending.item);
    message.number = number;
    return message;
}

void
MessagePlane::Drop(const Pending& pending)
{
    if (pending.sender == OWN)
    {
        m_own[pending.item] = {};
        m_unusedOwn.push_back(pending.item);
        return;
    }
    Sender& sender = m_senders[pending.sender];
    sender.traffic->Forget(pending.item);
    if (--sender.inFlight == 0)
    {
        sender.traffic->m_sender.reset();
        m_unusedSenders.push_back(pending.sender);
        const Ptr<PlaneTraffic> last = std::exchange(sender.traffic, nullptr);
    }
}

Message
MessagePlane::GetInFlight(uint64_t number) const
{
    return Describe(m_pending[number - (m_sent - m_pending.size())], number);
}

uint64_t
MessagePlane::GetFullNumber(uint32_t number) const
{
    const uint64_t first = m_sent - m_pending.size();
    return first + static_cast<uint32_t>(number - static_cast<uint32_t>(first));
}

Ptr<PlaneRun>
MessagePlane::Send(Traffic traffic, std::function<void()> done)
{
    const Ptr<PlaneRun> run = CreateObject<PlaneRun>();
    run->Start(Ptr<MessagePlane>(this), std::move(traffic), std::move(done));
    return run;
}

MessagePlane::Counts
MessagePlane::CountMessages() const
{
    return {m_sent, m_sent - m_inFlight, m_inFlight};
}

MessagePlane::Counts
MessagePlane::CountBytes() const
{
    return {m_sentBytes, m_sentBytes - m_inFlightBytes, m_inFlightBytes};
}

void
MessagePlane::Deliver(uint64_t number)
{
    const uint64_t first = m_sent - m_pending.size(); // those before it have been delivered
    if (number < first || number >= m_sent || m_pending[number - first].sender == DELIVERED)
    {
        throw OdcnError("MessagePlane: message " + std::to_string(number) +
                        " was delivered twice, or never sent");
    }
    const Pending pending = m_pending[number - first];
    const Message message = Describe(pending, number);
    m_pending[number - first].sender = DELIVERED;
    while (!m_pending.empty() && m_pending.front().sender == DELIVERED)
    {
        m_pending.pop_front();
    }
    const Delivered delivered =
        pending.sender == OWN ? std::exchange(m_own[pending.item].delivered, nullptr) : Delivered();
    const Ptr<PlaneTraffic> traffic =
        pending.sender == OWN ? nullptr : m_senders[pending.sender].traffic;
    const Ptr<MessagePlane> self(this); // what is called may send, or dispose of it
    Drop(pending);
    m_inFlightBytes -= message.bytes;
    if (--m_inFlight == 0)
    {
        m_self = nullptr;
    }
    m_deliveredTrace(message);
    if (traffic)
    {
        traffic->Receive(message);
    }
    else if (delivered)
    {
        delivered(message);
    }
}

std::string
MessagePlane::DescribeInFlight() const
{
    if (m_inFlight == 0)
    {
        return "";
    }
    std::string text = std::to_string(m_inFlight) + " of " + std::to_string(m_sent) +
                       " messages (" + std::to_string(m_inFlightBytes) +
                       " bytes) were not delivered";
    if (!m_pending.empty())
    {
        const Message first = GetInFlight(m_sent - m_pending.size());
        text += "; the first has " + std::to_string(first.bytes) + " bytes from " +
                std::to_string(first.from) + " to " + std::to_string(first.to) + ", sent at " +
                std::to_string(first.sent.GetSeconds()) + " s";
        const std::string obstacle = FindObstacle(first);
        text += obstacle.empty() ? "" : ": " + obstacle;
    }
    return text;
}

std::string
MessagePlane::FindObstacle(const Message&) const
{
    return "";
}

} // namespace ns3::odcn
