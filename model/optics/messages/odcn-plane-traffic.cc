// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-plane-traffic.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-take-index.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(PlaneTraffic);

TypeId
PlaneTraffic::GetTypeId()
{
    static TypeId tid = TypeIdOf<PlaneTraffic, Object>("ns3::odcn::PlaneTraffic");
    return tid;
}

void
PlaneTraffic::DoDispose()
{
    End();
    Object::DoDispose();
}

void
PlaneTraffic::Start(Ptr<MessagePlane> plane, TrafficSource& source)
{
    if (m_isStarted)
    {
        throw OdcnError("PlaneTraffic: started twice, expected one start");
    }
    m_isStarted = true;
    m_plane = std::move(plane);
    m_source = &source;
    m_start = Simulator::Now();
    std::vector<Message> send;
    source.Start(send);
    try
    {
        TakeAll(send);
    }
    catch (...)
    {
        End(); // what was sent does not count
        throw;
    }
}

void
PlaneTraffic::AfterReceive()
{
}

bool
PlaneTraffic::SendMore(std::vector<Message>&)
{
    return false;
}

uint32_t
PlaneTraffic::Keep(const Message& message)
{
    const uint32_t item = TakeIndex(m_messages, m_unused);
    m_messages[item] = message;
    m_messages[item].sent = Simulator::Now();
    return item;
}

Message
PlaneTraffic::GetMessage(uint32_t item) const
{
    return m_messages[item];
}

void
PlaneTraffic::Forget(uint32_t item)
{
    m_unused.push_back(item);
}

void
PlaneTraffic::End()
{
    m_plane = nullptr;
    m_source = nullptr;
}

void
PlaneTraffic::TakeAll(std::vector<Message>& send)
{
    const Ptr<PlaneTraffic> self(this); // sinks of traces may dispose of it
    Take(send);
    send.clear();
    while (m_source && SendMore(send))
    {
        Take(send);
        send.clear();
    }
}

void
PlaneTraffic::Take(const std::vector<Message>& send)
{
    const Ptr<PlaneTraffic> self(this); // sinks of traces may dispose of it
    for (const Message& message : send)
    {
        const Time wait = m_start + message.sent - Simulator::Now();
        if (wait.IsStrictlyPositive() || message.bytes == 0)
        {
            Simulator::Schedule(wait, &PlaneTraffic::Send, self, message);
        }
        else
        {
            Send(message);
        }
    }
}

void
PlaneTraffic::Send(Message message)
{
    const Ptr<MessagePlane> plane = m_plane;
    if (!plane)
    {
        return; // disposed of meanwhile
    }
    if (message.bytes == 0)
    {
        Tell(message);
        return;
    }
    plane->SendFor(message, *this, Keep(message));
}

void
PlaneTraffic::Tell(Message message)
{
    message.sent = Simulator::Now();
    Receive(message);
}

void
PlaneTraffic::Receive(Message message)
{
    if (!m_source)
    {
        return; // disposed of meanwhile
    }
    Interruption::Check();
    const Ptr<PlaneTraffic> self(this); // the source may dispose of it
    message.sent -= m_start;
    std::vector<Message> send = std::exchange(m_send, {}); // what is called may receive more
    m_source->Receive(message, Simulator::Now() - m_start, send);
    TakeAll(send);
    m_send = std::move(send);
    AfterReceive();
}

} // namespace ns3::odcn
