// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-plane-traffic.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
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
    m_plane = nullptr;
    m_source = nullptr;
    Object::DoDispose();
}

void
PlaneTraffic::Start(Ptr<MessagePlane> plane, TrafficSource& source)
{
    if (m_plane)
    {
        throw OdcnError("PlaneTraffic: started twice, expected one start");
    }
    m_plane = std::move(plane);
    m_source = &source;
    m_start = Simulator::Now();
    std::vector<Message> send;
    source.Start(send);
    Take(send);
}

void
PlaneTraffic::Take(const std::vector<Message>& send)
{
    const Ptr<PlaneTraffic> self(this); // sinks of traces may dispose of it
    for (const Message& message : send)
    {
        const Time at = m_start + message.sent;
        if (at > Simulator::Now() || message.bytes == 0)
        {
            Simulator::Schedule(at - Simulator::Now(), [self, message] { self->Send(message); });
        }
        else
        {
            Send(message);
        }
    }
}

void
PlaneTraffic::Send(const Message& message)
{
    const Ptr<MessagePlane> plane = m_plane;
    if (!plane)
    {
        return; // disposed of meanwhile
    }
    if (message.bytes == 0)
    {
        Message wake = message;
        wake.sent = Simulator::Now();
        Receive(wake);
        return;
    }
    plane->Send(
        message.from,
        message.to,
        message.bytes,
        [self = Ptr<PlaneTraffic>(this)](const Message& received) { self->Receive(received); },
        message.tag);
}

void
PlaneTraffic::Receive(Message message)
{
    if (!m_source)
    {
        return; // disposed of meanwhile
    }
    message.sent -= m_start;
    std::vector<Message> send;
    m_source->Receive(message, Simulator::Now() - m_start, send);
    Take(send);
}

} // namespace ns3::odcn
