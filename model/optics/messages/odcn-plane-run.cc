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

namespace
{

/// Most messages that are made before they are sent.
constexpr std::size_t BATCH = 1024;

} // namespace

TypeId
PlaneRun::GetTypeId()
{
    static TypeId tid =
        TypeIdOf<PlaneRun, PlaneTraffic>("ns3::odcn::PlaneRun")
            .Add(Trace("Received", &PlaneRun::m_receivedTrace, "ReceivedTracedCallback"),
                 "A message was received: its index, and when it was sent.");
    return tid;
}

void
PlaneRun::DoDispose()
{
    m_done = nullptr;
    PlaneTraffic::DoDispose();
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
    m_isStarted = true;
    m_done = std::move(done);
    m_run = TrafficRun(
        std::move(traffic),
        [this](uint32_t index)
        {
            if (!m_receivedTrace.IsEmpty())
            {
                m_receivedTrace(index, GetStart() + m_run.GetSent(index));
            }
        },
        plane->GetEngine());
    m_run.SetBatch(BATCH);
    PlaneTraffic::Start(plane, m_run);
    if (IsDone())
    {
        Simulator::Schedule(m_run.GetTime(), &PlaneRun::Finish, self);
    }
}

bool
PlaneRun::SendMore(std::vector<Message>& send)
{
    return m_run.SendMore(send);
}

uint32_t
PlaneRun::Keep(const Message& message)
{
    return static_cast<uint32_t>(message.tag); // the traffic has the rest
}

Message
PlaneRun::GetMessage(uint32_t item) const
{
    const Traffic::Item& message = m_run.GetTraffic()[item];
    return {0, message.from, message.to, message.bytes, item, GetStart() + m_run.GetSent(item)};
}

void
PlaneRun::Forget(uint32_t)
{
}

void
PlaneRun::AfterReceive()
{
    if (!IsDone() || !GetPlane())
    {
        return;
    }
    const Time left = GetStart() + m_run.GetTime() - Simulator::Now();
    if (left.IsZero())
    {
        Finish();
    }
    else
    {
        Simulator::Schedule(left, &PlaneRun::Finish, Ptr<PlaneRun>(this)); // a later empty message
    }
}

void
PlaneRun::Finish()
{
    End();
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
    const std::string messages = GetPlane() ? GetPlane()->DescribeInFlight() : "";
    return std::to_string(number - CountReceived()) + " of " + std::to_string(number) +
           " messages were not received" + (messages.empty() ? "" : "; of the plane, " + messages);
}

} // namespace ns3::odcn
