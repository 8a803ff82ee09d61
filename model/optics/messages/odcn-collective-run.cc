// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-collective-run.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/simulator.h"

#include <set>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(CollectiveRun);

TypeId
CollectiveRun::GetTypeId()
{
    static TypeId tid = TypeIdOf<CollectiveRun, Object>("ns3::odcn::CollectiveRun")
                            .Add(Trace("Step", &CollectiveRun::m_stepTrace, "StepTracedCallback"),
                                 "A step was received: its index, and when it was sent.");
    return tid;
}

void
CollectiveRun::DoDispose()
{
    m_plane = nullptr;
    m_done = nullptr;
    Object::DoDispose();
}

void
CollectiveRun::Start(Ptr<MessagePlane> plane,
                     Collective collective,
                     std::vector<uint32_t> places,
                     std::function<void()> done)
{
    const uint32_t ranks = collective.GetNRanks();
    const std::set<uint32_t> different(places.begin(), places.end());
    if (m_isStarted || (places.empty() && ranks > plane->GetNEndPoints()) ||
        (!places.empty() && (places.size() != ranks || different.size() != ranks ||
                             *different.rbegin() >= plane->GetNEndPoints())))
    {
        throw OdcnError("CollectiveRun: " + std::to_string(ranks) + " ranks at " +
                        std::to_string(places.empty() ? ranks : different.size()) +
                        " places: expected one end point for each, below " +
                        std::to_string(plane->GetNEndPoints()) + ", and one start");
    }
    m_plane = plane;
    m_isStarted = true;
    m_collective = std::move(collective);
    m_places = std::move(places);
    m_done = std::move(done);
    m_start = m_end = Simulator::Now();
    const auto& steps = m_collective.GetSteps();
    m_order = MessageOrder(static_cast<uint32_t>(steps.size()),
                           [this, &steps](uint32_t i) { return m_collective.GetAfter(steps[i]); });
    try
    {
        SendReady();
    }
    catch (...)
    {
        m_plane = nullptr; // what was sent does not count
        throw;
    }
    if (IsDone())
    {
        Simulator::ScheduleNow(&CollectiveRun::End, Ptr<CollectiveRun>(this));
    }
}

void
CollectiveRun::SendReady()
{
    const Ptr<CollectiveRun> self(this); // sinks of traces may dispose of it
    while (m_plane && m_order.HasReady())
    {
        const uint32_t index = m_order.TakeReady();
        const Collective::Step& step = m_collective.GetSteps()[index];
        if (step.bytes == 0)
        {
            Count(index, Simulator::Now());
            continue;
        }
        const Ptr<MessagePlane> plane = m_plane;
        plane->Send(m_places.empty() ? step.from : m_places[step.from],
                    m_places.empty() ? step.to : m_places[step.to],
                    step.bytes,
                    [self, index](const Message& message) { self->Received(index, message.sent); });
    }
}

void
CollectiveRun::Count(uint32_t index, Time sent)
{
    m_end = Simulator::Now();
    m_order.SetReceived(index);
    m_stepTrace(index, sent);
}

void
CollectiveRun::Received(uint32_t index, Time sent)
{
    if (!m_plane)
    {
        return; // disposed of meanwhile
    }
    Count(index, sent);
    SendReady();
    if (IsDone())
    {
        End();
    }
}

void
CollectiveRun::End()
{
    m_plane = nullptr;
    if (const auto done = std::exchange(m_done, nullptr))
    {
        done();
    }
}

std::string
CollectiveRun::DescribeUnfinished() const
{
    if (IsDone())
    {
        return "";
    }
    const uint64_t steps = m_collective.GetSteps().size();
    const std::string messages = m_plane ? m_plane->DescribeInFlight() : "";
    return std::to_string(steps - CountReceived()) + " of " + std::to_string(steps) +
           " steps were not received" + (messages.empty() ? "" : "; " + messages);
}

} // namespace ns3::odcn
