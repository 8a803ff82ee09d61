// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-message-plane.h"

#include "odcn-plane-run.h"

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

/// Place of a message that has been delivered.
constexpr uint32_t DELIVERED = UINT32_MAX;

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
    const std::vector<Pending> pending = std::exchange(m_pending, {});
    m_release = {};
    m_unused.clear();
    m_places.clear();
}

uint64_t
MessagePlane::Send(uint32_t from, uint32_t to, uint64_t bytes, Delivered delivered, uint64_t tag)
{
    if (from >= GetNEndPoints() || to >= GetNEndPoints() || from == to || bytes == 0 ||
        bytes > Message::MAX_BYTES)
    {
        throw OdcnError("MessagePlane: a message of " + std::to_string(bytes) + " bytes from " +
                        std::to_string(from) + " to " + std::to_string(to) +
                        ", expected 1 to 2^53 bytes between two different end points below " +
                        std::to_string(GetNEndPoints()));
    }
    const Ptr<MessagePlane> self(this); // a sink may dispose of it
    const Message message{m_sent++, from, to, bytes, tag, Simulator::Now()};
    m_sentBytes += bytes;
    m_inFlightBytes += bytes;
    ++m_inFlight;
    m_places.push_back(TakeIndex(m_pending, m_unused));
    m_pending[m_places.back()] = {message, std::move(delivered)};
    try
    {
        DoSend(message);
    }
    catch (...)
    {
        m_pending[m_places.back()] = {};
        m_unused.push_back(m_places.back());
        m_places.pop_back();
        --m_inFlight;
        m_inFlightBytes -= bytes;
        m_sentBytes -= bytes;
        --m_sent;
        throw;
    }
    if (!m_self && !m_places.empty())
    {
        m_self = self;
    }
    if (!m_release.PeekEventImpl())
    {
        m_release = Simulator::ScheduleDestroy(&MessagePlane::Release, this);
    }
    m_sentTrace(message);
    return message.number;
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
    const uint64_t first = m_sent - m_places.size(); // those before it have been delivered
    if (number < first || number >= m_sent || m_places[number - first] == DELIVERED)
    {
        throw OdcnError("MessagePlane: message " + std::to_string(number) +
                        " was delivered twice, or never sent");
    }
    const uint32_t place = std::exchange(m_places[number - first], DELIVERED);
    while (!m_places.empty() && m_places.front() == DELIVERED)
    {
        m_places.pop_front();
    }
    const Pending pending = std::exchange(m_pending[place], {});
    m_unused.push_back(place);
    m_inFlightBytes -= pending.message.bytes;
    const Ptr<MessagePlane> self(this); // what is called may send, or dispose of it
    if (--m_inFlight == 0)
    {
        m_self = nullptr;
    }
    m_deliveredTrace(pending.message);
    if (pending.delivered)
    {
        pending.delivered(pending.message);
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
    if (!m_places.empty())
    {
        const Message& first = m_pending[m_places.front()].message;
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
