// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-window-scheduler.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(WindowScheduler);

namespace
{

/// Interval at which a closing window checks whether the network is empty, microseconds.
constexpr int64_t DRAIN_STEP_US = 1;
/// Most steps to wait until a window has drained, 1 s; more are an error.
constexpr uint64_t MAX_DRAIN_STEPS = 1000000 / DRAIN_STEP_US;

} // namespace

TypeId
WindowScheduler::GetTypeId()
{
    using T = WindowScheduler;
    static TypeId tid =
        TypeIdOf<WindowScheduler, SchedulerApplication>("ns3::odcn::WindowScheduler")
            .Add(Attribute("WindowWarmUp", &T::m_warmUp, MicroSeconds(10), Time(0), Seconds(3)),
                 "First part of a window: queues fill, packets are not measured. At most "
                 "3 s: a window of seconds has billions of packets.")
            .Add(Attribute("WindowLength",
                           &T::m_length,
                           MicroSeconds(10),
                           NanoSeconds(1),
                           Seconds(3)),
                 "Second part of a window; packets sent in it are measured.")
            .Add(Attribute("IncludeDark", &T::m_includeDark, false),
                 "Whether windows open before the commands of the last decision have "
                 "been carried out, so that packets meet circuits being reconfigured.");
    return tid;
}

void
WindowScheduler::DoDispose()
{
    m_flows.clear();
    SchedulerApplication::DoDispose();
}

void
WindowScheduler::End()
{
    m_sending = false;
    m_waiting = false;
    for (const auto& flow : m_flows)
    {
        flow->ClearFlows();
    }
}

void
WindowScheduler::SetFlows(std::vector<Ptr<JobFlowApplication>> flows)
{
    m_flows = std::move(flows);
}

void
WindowScheduler::BeginWindow()
{
    StandStill();
    if (m_includeDark || IsSettled())
    {
        // Let applications that start at the same time start first.
        After(Time(0), [this]() { Open(); });
        return;
    }
    m_waiting = true;
}

void
WindowScheduler::Settled()
{
    if (m_waiting)
    {
        m_waiting = false;
        Open();
    }
}

void
WindowScheduler::Open()
{
    m_sending = true;
    // Scheduled before the flows, so that no packet is sent at the end time itself.
    After(m_warmUp + m_length, [this]() { StopSources(); });
    OpenWindow(m_warmUp, m_length);
}

void
WindowScheduler::StopSources()
{
    WindowScheduler::End();
    m_drainSteps = 0;
    Drain();
}

void
WindowScheduler::Drain()
{
    if (CountInFlight() > 0)
    {
        if (++m_drainSteps > MAX_DRAIN_STEPS)
        {
            throw OdcnError("packets are neither received nor lost with a cause");
        }
        After(MicroSeconds(DRAIN_STEP_US), [this]() { Drain(); });
        return;
    }
    CloseWindow();
    GoOn();
    Continue();
}

} // namespace ns3::odcn
