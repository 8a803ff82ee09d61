// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-plane-run.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(PlaneRun);

TypeId
PlaneRun::GetTypeId()
{
    static TypeId tid =
        TypeIdOf<PlaneRun, Object>("ns3::odcn::PlaneRun")
            .Add(Trace("Received", &PlaneRun::m_receivedTrace, "ReceivedTracedCallback"),
                 "A message was received: its index, and when it was sent.");
    return tid;
}

void
PlaneRun::DoDispose()
{
    m_plane = nullptr;
    m_done = nullptr;
    Object::DoDispose();
}

void
PlaneRun::Start(Ptr<MessagePlane> plane, Traffic traffic, std::function<void()> done)
{
    const uint32_t n = plane->GetNEndPoints();
    if (m_isStarted || std::any_of(traffic.begin(),
                                   traffic.end(),
                                   [n](const Traffic::Item& message)
                                   { return message.from >= n || message.to >= n; }))
    {
        throw OdcnError("PlaneRun: " + std::to_string(traffic.size()) +
                        " messages: expected end points below " + std::to_string(n) +
                        ", and one start");
    }
    const Ptr<PlaneRun> self(this); // sinks of traces may dispose of it
    m_plane = plane;
    m_isStarted = true;
    m_start = Simulator::Now();
    m_done = std::move(done);
    m_run = TrafficRun(
        std::move(traffic),
        [this](uint32_t index) { m_receivedTrace(index, m_start + m_run.GetResult().sent[index]); },
        plane->GetEngine());
    std::vector<Message> messages;
    m_run.Start(messages);
    try
    {
        Send(messages);
    }
    catch (...)
    {
        m_plane = nullptr; // what was sent does not count
        throw;
    }
    if (IsDone())
    {
        Simulator::Schedule(m_run.GetTime(), &PlaneRun::End, self);
    }
}

void
PlaneRun::Send(const std::vector<Message>& messages)
{
    for (const Message& message : messages)
    {
        const Time wait = m_start + message.sent - Simulator::Now();
        if (wait.IsStrictlyPositive())
        {
            Simulator::Schedule(wait, &PlaneRun::SendNow, Ptr<PlaneRun>(this), message);
        }
        else
        {
            SendNow(message);
        }
    }
}

void
PlaneRun::SendNow(Message message)
{
    if (const Ptr<MessagePlane> plane = m_plane) // else disposed of meanwhile
    {
        plane->Send(
            message.from,
            message.to,
            message.bytes,
            [self = Ptr<PlaneRun>(this)](const Message& received) { self->Delivered(received); },
            message.tag);
    }
}

void
PlaneRun::Delivered(const Message& message)
{
    if (!m_plane)
    {
        return; // disposed of meanwhile
    }
    const Ptr<PlaneRun> self(this); // sinks of traces may dispose of it
    std::vector<Message> messages;
    m_run.Receive(message, Simulator::Now() - m_start, messages);
    Send(messages);
    if (IsDone())
    {
        const Time left = m_start + m_run.GetTime() - Simulator::Now();
        if (left.IsZero())
        {
            End();
        }
        else
        {
            Simulator::Schedule(left, &PlaneRun::End, self); // with a later empty message
        }
    }
}

void
PlaneRun::End()
{
    m_plane = nullptr;
    if (const auto done = std::exchange(m_done, nullptr))
    {
        done();
    }
}

std::string
PlaneRun::DescribeUnfinished() const
{
    if (IsDone())
    {
        return "";
    }
    const uint64_t number = m_run.GetTraffic().size();
    const std::string messages = m_plane ? m_plane->DescribeInFlight() : "";
    return std::to_string(number - CountReceived()) + " of " + std::to_string(number) +
           " messages were not received" + (messages.empty() ? "" : "; of the plane, " + messages);
}

} // namespace ns3::odcn
