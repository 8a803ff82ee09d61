// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-scheduler-application.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(SchedulerApplication);

TypeId
SchedulerApplication::GetTypeId()
{
    using T = SchedulerApplication;
    static TypeId tid =
        TypeIdOf<SchedulerApplication, Application>("ns3::odcn::SchedulerApplication")
            .Add(Attribute("Policy", &T::m_policy), "The policy that decides: a rule or an agent.")
            .Add(Attribute("DecisionTime", &T::m_decisionTime, Time(0), Time(0)),
                 "Time from the arrival of a request at the controller to its decision.")
            .Add(Attribute("Inquire", &T::m_inquire, false),
                 "Whether the controller requests the state of the devices before "
                 "each decision and waits for their report.")
            .Add(Attribute("JobTimeUnit", &T::m_jobTimeUnit, Seconds(1), Time(0)),
                 "Simulated time of one unit of job time; with 0 windows follow each "
                 "other without gaps.")
            .Add(Attribute("MaxJobs", &T::m_maxJobs, 0),
                 "Number of jobs or requests to decide; 0 for all.")
            .Add(Attribute("WindowAfter", &T::m_windowAfter, 1000),
                 "Number of the job, request or migration after which the first window "
                 "may open.")
            .Add(Attribute("WindowSpacing", &T::m_windowSpacing, 1000),
                 "Number of jobs, requests or migrations from one window to the next; 0 "
                 "for windows requested by RequestWindow() only.")
            .Add(Attribute("MaxWindows", &T::m_maxWindows, 0),
                 "Largest number of windows; 0 for no limit.")
            .Add(Trace("Finished", &T::m_finishedTrace, "ns3::TracedCallback::Empty"),
                 "All requests are decided and the last window has closed.");
    return tid;
}

SchedulerApplication::SchedulerApplication()
    : m_management(ManagementNetwork::MakeIdeal())
{
}

void
SchedulerApplication::DoDispose()
{
    m_running = false;
    m_event.Cancel();
    m_change.Cancel();
    m_waiting.clear();
    Disconnect();
    m_policy = nullptr;
    if (m_management)
    {
        m_management->Dispose();
    }
    m_management = nullptr;
    Application::DoDispose();
}

void
SchedulerApplication::Disconnect()
{
    for (const auto& disconnect : std::exchange(m_disconnect, {}))
    {
        disconnect();
    }
}

void
SchedulerApplication::SetManagement(Ptr<ManagementNetwork> management)
{
    m_management = management;
}

void
SchedulerApplication::Send(ManagementNetwork::Kind kind,
                           uint32_t bytes,
                           std::function<void()> received)
{
    m_management->Send(kind,
                       bytes,
                       [self = Ptr<SchedulerApplication>(this), received = std::move(received)]()
                       {
                           if (self->m_running)
                           {
                               received();
                           }
                       });
}

void
SchedulerApplication::After(Time delay, std::function<void()> step)
{
    m_event = CompatSchedule(delay, std::move(step));
}

void
SchedulerApplication::StartApplication()
{
    if (!m_policy)
    {
        throw OdcnError(GetInstanceTypeId().GetName() + ": a policy is needed");
    }
    Begin();
    SetControlLatency(GetJobTime(2 * m_management->GetLatency(PLAIN_MESSAGE)));
    m_running = true;
    SetDown(m_down); // what has waited for the start
    Continue();
}

void
SchedulerApplication::StopApplication()
{
    if (m_running)
    {
        m_running = false;
        m_event.Cancel();
        m_change.Cancel();
        Disconnect();
        End();
    }
}

void
SchedulerApplication::Continue()
{
    double time = 0;
    if ((m_maxJobs && m_nDecisions >= m_maxJobs) || !GetNext(time))
    {
        m_finishing = true;
        if (IsSettled())
        {
            Finish();
        }
        return;
    }
    m_isAwaiting = true;
    After(std::max(Time(0), GetSimulatedTime(time) - Simulator::Now()),
          [this]()
          {
              m_isAwaiting = false;
              Send(ManagementNetwork::REQUEST, GetRequestBytes(), [this]() { Received(); });
          });
    AwaitChange();
}

double
SchedulerApplication::GetNextChange() const
{
    return std::numeric_limits<double>::infinity();
}

void
SchedulerApplication::PassTo(double /* time */)
{
}

double
SchedulerApplication::GetJobTimeNow() const
{
    if (m_jobTimeUnit.IsZero())
    {
        return 0;
    }
    const Time now = m_standing ? m_stoodStillAt : Simulator::Now();
    return static_cast<double>((now - GetSimulatedTime(0)).GetTimeStep()) /
           static_cast<double>(m_jobTimeUnit.GetTimeStep());
}

void
SchedulerApplication::AwaitChange()
{
    m_change.Cancel();
    const double time = GetNextChange();
    constexpr double MOST = 4e18; // time steps, below what Time can hold
    if (m_jobTimeUnit.IsZero() || m_standing || !m_running ||
        !(time * static_cast<double>(m_jobTimeUnit.GetTimeStep()) < MOST))
    {
        return;
    }
    m_change = CompatSchedule(std::max(Time(0), GetSimulatedTime(time) - Simulator::Now()),
                              [this, time]()
                              {
                                  PassTo(time);
                                  AwaitChange();
                              });
}

void
SchedulerApplication::WaitAnew()
{
    if (m_isAwaiting && m_running)
    {
        m_event.Cancel();
        Continue();
        return;
    }
    AwaitChange();
}

void
SchedulerApplication::Finish()
{
    StopApplication();
    m_finishedTrace();
}

uint32_t
SchedulerApplication::GetRequestBytes() const
{
    return PLAIN_MESSAGE;
}

void
SchedulerApplication::Received()
{
    const auto decide = [this]()
    {
        if (m_decisionTime.IsZero())
        {
            Decide();
        }
        else
        {
            After(m_decisionTime, [this]() { Decide(); });
        }
    };
    if (!m_inquire)
    {
        decide();
        return;
    }
    Send(ManagementNetwork::INQUIRY,
         PLAIN_MESSAGE,
         [this, decide]() { Send(ManagementNetwork::REPORT, PLAIN_MESSAGE, decide); });
}

void
SchedulerApplication::Decide()
{
    WhenUp(
        [this]
        {
            ++m_nDecisions;
            if (DecideNext())
            {
                Continue();
            }
        });
}

void
SchedulerApplication::WhenUp(std::function<void()> step)
{
    if (m_down || !m_running)
    {
        m_waiting.push_back(std::move(step));
    }
    else
    {
        step();
    }
}

void
SchedulerApplication::SetDown(bool down)
{
    m_down = down;
    std::vector<std::function<void()>> waiting;
    waiting.swap(m_waiting);
    for (auto& step : waiting)
    {
        if (m_running)
        {
            WhenUp(std::move(step));
        }
    }
}

void
SchedulerApplication::Command(uint32_t bytes, std::function<void()> carryOut, Time duration)
{
    ++m_commands;
    const auto done = [this]()
    {
        Send(ManagementNetwork::REPORT, PLAIN_MESSAGE, []() {});
        if (--m_commands == 0)
        {
            Settled();
            if (m_finishing)
            {
                Finish();
            }
        }
    };
    Send(ManagementNetwork::COMMAND,
         bytes,
         [this, carryOut = std::move(carryOut), duration, done]()
         {
             carryOut();
             CompatSchedule(duration,
                            [self = Ptr<SchedulerApplication>(this), done]()
                            {
                                if (self->m_running)
                                {
                                    done();
                                }
                            });
         });
}

void
SchedulerApplication::Settled()
{
}

void
SchedulerApplication::StandStill()
{
    m_change.Cancel();
    m_standing = true;
    m_stoodStillAt = Simulator::Now();
}

void
SchedulerApplication::GoOn()
{
    AddStandstill(Simulator::Now() - m_stoodStillAt);
    m_standing = false;
}

} // namespace ns3::odcn
