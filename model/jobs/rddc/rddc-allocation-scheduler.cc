// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-allocation-scheduler.h"

#include "ns3/data-rate.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(AllocationScheduler);

namespace
{

/// Length of a lightpath in a command, bytes: two servers and a path.
constexpr uint32_t LIGHTPATH_BYTES = 12;

} // namespace

TypeId
AllocationScheduler::GetTypeId()
{
    using T = AllocationScheduler;
    static TypeId tid =
        TypeIdOf<AllocationScheduler, WindowScheduler>("ns3::odcn::AllocationScheduler")
            .Add(Attribute("Load", &T::m_load, 0.5, 1e-9, 100),
                 "Load that each server of a pair sends to the other in a window, as a "
                 "share of the rate of a lightpath.")
            .Add(Trace("Decided", &T::m_decidedTrace, "DecidedTracedCallback"),
                 "A request was granted or refused.")
            .Add(Trace("WindowOpened", &T::m_openedTrace, "WindowTracedCallback"),
                 "A window opens: its flows are known and about to start.")
            .Add(Trace("WindowClosed", &T::m_closedTrace, "WindowTracedCallback"),
                 "A window has closed: the network is empty.");
    return tid;
}

void
AllocationScheduler::DoDispose()
{
    m_problem = nullptr;
    m_fabric = nullptr;
    WindowScheduler::DoDispose();
}

void
AllocationScheduler::SetProblem(Ptr<RddcAllocation> problem)
{
    m_problem = problem;
}

void
AllocationScheduler::SetFabric(Ptr<RddcFabric> fabric, std::vector<Ptr<JobFlowApplication>> flows)
{
    const uint32_t servers = fabric->GetNetwork()->GetNServers();
    if (flows.size() != servers)
    {
        throw OdcnError::InOption("flow applications",
                                  std::to_string(flows.size()),
                                  "one for each of " + std::to_string(servers) + " servers");
    }
    m_fabric = fabric;
    SetFlows(std::move(flows));
    m_dark = GetAttributeOf<TimeValue>(*m_fabric->GetSwitch(servers), "ReconfigurationTime");
}

BitRate
AllocationScheduler::GetRate() const
{
    return static_cast<BitRate>(m_fabric->GetCard(0, 0)->GetDataRate().GetBitRate());
}

void
AllocationScheduler::Begin()
{
    if (!m_problem)
    {
        throw OdcnError("AllocationScheduler: a problem is needed");
    }
    Ptr<RddcManager> manager = m_problem->GetManager();
    if (m_fabric && m_fabric->GetNetwork() != manager->GetChannels().GetNetwork())
    {
        throw OdcnError("AllocationScheduler: fabric and problem are of two networks");
    }
    Connect(manager, "Granted", MakeCallback(&AllocationScheduler::Granted, this));
    for (const char* left : {"Released", "Interrupted"})
    {
        Connect(manager, left, MakeCallback(&AllocationScheduler::Released, this));
    }
    m_problem->SetPaced(true);
}

void
AllocationScheduler::End()
{
    WindowScheduler::End();
    SetControlLatency(0);
    // The last figures are of the time until the next request, as without packets.
    m_problem->SetPaced(false);
}

bool
AllocationScheduler::GetNext(double& time) const
{
    if (m_problem->IsDone())
    {
        return false;
    }
    const double now = m_problem->GetManager()->GetTime();
    time = m_problem->IsExpecting() ? std::max(now, m_problem->GetArrival()) : now;
    return true;
}

double
AllocationScheduler::GetNextChange() const
{
    const double time = m_problem->GetManager()->GetNextChange();
    // What happens at the time of an arrival is put in order by the manager.
    const bool isFirst = !m_problem->IsExpecting() || time < m_problem->GetArrival();
    return isFirst ? time : std::numeric_limits<double>::infinity();
}

void
AllocationScheduler::PassTo(double time)
{
    RddcManager& manager = *PeekPointer(m_problem->GetManager());
    if (!manager.IsServing())
    {
        manager.PassTo(std::max(time, manager.GetTime()));
        m_problem->OfferInterrupted();
        WaitAnew();
    }
}

bool
AllocationScheduler::DecideNext()
{
    if (!m_problem->IsExpecting())
    {
        return DecideArrived();
    }
    const double arrival = m_problem->GetArrival();
    // Exactly at its arrival unless it has waited: simulated time is rounded.
    const bool isLate = GetSimulatedTime(arrival) < Simulator::Now();
    const double earliest = std::max(arrival, m_problem->GetManager()->GetTime());
    if (!m_problem->Arrive(isLate ? std::max(earliest, GetJobTimeNow()) : earliest))
    {
        return true;
    }
    // It may wait until servers are free.
    const Time wait = GetSimulatedTime(m_problem->GetManager()->GetTime()) - Simulator::Now();
    if (!wait.IsStrictlyPositive())
    {
        return DecideArrived();
    }
    After(wait,
          [this]()
          {
              if (DecideArrived())
              {
                  Continue();
              }
          });
    return false;
}

bool
AllocationScheduler::DecideArrived()
{
    m_decidedTrace(m_problem->RunRequest(GetPolicy()));
    if (!m_fabric || !TakeWindow(GetNJobs()))
    {
        return true;
    }
    BeginWindow();
    return false;
}

void
AllocationScheduler::SetControlLatency(double time)
{
    m_problem->GetManager()->SetControlLatency(time);
}

void
AllocationScheduler::Granted(const RddcGrant& grant)
{
    if (!m_fabric)
    {
        return;
    }
    const auto bytes =
        PLAIN_MESSAGE + LIGHTPATH_BYTES * static_cast<uint32_t>(grant.lightpaths.size());
    Command(
        bytes,
        [this, request = grant.request.id, lightpaths = grant.lightpaths]()
        {
            const auto group = m_fabric->Connect(lightpaths);
            m_held[request] = group;
            if (IsSending())
            {
                const std::size_t first = m_window.flows.size();
                const auto flows = GetFlowsOf(request, group);
                m_window.flows.insert(m_window.flows.end(), flows.begin(), flows.end());
                AddFlows(first);
            }
        },
        m_dark);
}

void
AllocationScheduler::Released(const RddcGrant& grant)
{
    if (!m_fabric)
    {
        return;
    }
    Command(
        PLAIN_MESSAGE,
        [this, request = grant.request.id]()
        {
            const auto held = m_held.find(request);
            // Requests granted before this application started have no circuits.
            if (held != m_held.end())
            {
                m_fabric->Disconnect(held->second);
                m_held.erase(held);
            }
        },
        Time(0));
}

std::vector<RddcFlow>
AllocationScheduler::GetFlowsOf(uint64_t request, RddcFabric::GroupId group) const
{
    std::vector<RddcFlow> flows;
    for (const auto& circuit : m_fabric->GetCircuits(group))
    {
        const RddcLightpath& l = circuit.lightpath;
        std::size_t tier = 0;
        for (const LinkId link : circuit.links)
        {
            tier = std::max(tier, m_fabric->GetNetwork()->GetTier(link));
        }
        const auto highest = static_cast<uint32_t>(tier);
        flows.push_back({request, l, highest, m_fabric->GetAddress(l.to, circuit.GetToCard())});
        flows.push_back({request,
                         {l.to, l.from, l.path},
                         highest,
                         m_fabric->GetAddress(l.from, circuit.GetFromCard())});
    }
    return flows;
}

void
AllocationScheduler::OpenWindow(Time warmUp, Time)
{
    const auto manager = m_problem->GetManager();
    if (const auto& faults = manager->GetFaults())
    {
        m_fabric->SetFailed(faults->GetFailed(manager->GetTime()));
    }
    m_window.flows.clear();
    for (const auto& [request, group] : m_held)
    {
        const auto flows = GetFlowsOf(request, group);
        m_window.flows.insert(m_window.flows.end(), flows.begin(), flows.end());
    }
    m_window.opened = Simulator::Now();
    m_window.measureFrom = m_window.opened + warmUp;
    m_openedTrace(m_window);
    AddFlows(0);
}

void
AllocationScheduler::AddFlows(std::size_t first)
{
    const auto rate = static_cast<BitRate>(m_load * static_cast<double>(GetRate()));
    for (std::size_t i = first; i < m_window.flows.size(); ++i)
    {
        const RddcFlow& flow = m_window.flows[i];
        GetFlows()[flow.lightpath.from]->AddFlow(static_cast<uint32_t>(i), flow.peer, rate);
    }
}

uint64_t
AllocationScheduler::CountInFlight() const
{
    return m_fabric->Count().inFlight;
}

void
AllocationScheduler::CloseWindow()
{
    m_window.closed = Simulator::Now();
    m_closedTrace(m_window);
    ++m_window.index;
}

} // namespace ns3::odcn
