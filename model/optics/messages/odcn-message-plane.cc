// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-message-plane.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"

#include <string>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(MessagePlane);

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
    m_pending.clear();
    Object::DoDispose();
}

uint64_t
MessagePlane::Send(uint32_t from, uint32_t to, uint64_t bytes, Delivered delivered, uint64_t tag)
{
    if (from >= GetNEndPoints() || to >= GetNEndPoints() || from == to || bytes == 0)
    {
        throw OdcnError("MessagePlane: a message of " + std::to_string(bytes) + " bytes from " +
                        std::to_string(from) + " to " + std::to_string(to) +
                        ", expected 1 or more bytes between two different end points below " +
                        std::to_string(GetNEndPoints()));
    }
    const Message message{m_sent++, from, to, bytes, tag, Simulator::Now()};
    m_sentBytes += bytes;
    m_inFlightBytes += bytes;
    m_pending.emplace(message.number, Pending{message, std::move(delivered)});
    m_sentTrace(message);
    DoSend(message);
    return message.number;
}

MessagePlane::Counts
MessagePlane::CountMessages() const
{
    return {m_sent, m_sent - m_pending.size(), m_pending.size()};
}

MessagePlane::Counts
MessagePlane::CountBytes() const
{
    return {m_sentBytes, m_sentBytes - m_inFlightBytes, m_inFlightBytes};
}

void
MessagePlane::Deliver(uint64_t number)
{
    auto found = m_pending.extract(number);
    if (!found)
    {
        throw OdcnError("MessagePlane: message " + std::to_string(number) +
                        " was delivered twice, or never sent");
    }
    const Pending& pending = found.mapped();
    m_inFlightBytes -= pending.message.bytes;
    m_deliveredTrace(pending.message);
    if (pending.delivered)
    {
        pending.delivered(pending.message);
    }
}

} // namespace ns3::odcn
