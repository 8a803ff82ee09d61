// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-scheduler-application.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{
namespace odcn
{

NS_LOG_COMPONENT_DEFINE("OdcnSchedulerApplication");
NS_OBJECT_ENSURE_REGISTERED(OdcnSchedulerApplication);

TypeId
OdcnSchedulerApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnSchedulerApplication")
            .SetParent<Application>()
            .SetGroupName("Odcn")
            .AddConstructor<OdcnSchedulerApplication>()
            .AddAttribute("Policy",
                          "Who decides: a rule or an agent.",
                          PointerValue(),
                          MakePointerAccessor(&OdcnSchedulerApplication::m_policy),
                          MakePointerChecker<OdcnDecisionPolicy>())
            .AddAttribute("JobTimeUnit",
                          "Simulated time that one unit of job time takes.",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&OdcnSchedulerApplication::m_jobTimeUnit),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("ControlDelay",
                          "Time from a decision until the switches act on it.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&OdcnSchedulerApplication::m_controlDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MaxJobs",
                          "Number of jobs to decide; 0 for all that the source has.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&OdcnSchedulerApplication::m_maxJobs),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("WindowAfter",
                          "Number of jobs decided before the first window.",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&OdcnSchedulerApplication::m_windowAfter),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("WindowSpacing",
                          "Number of jobs from one window to the next; 0 for no windows.",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&OdcnSchedulerApplication::m_windowSpacing),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("WindowWarmUp",
                          "Part of a window whose packets are not measured: the queues fill.",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&OdcnSchedulerApplication::m_warmUp),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("WindowLength",
                          "Part of a window whose packets are measured, by their time of sending.",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&OdcnSchedulerApplication::m_length),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("IntraRackFlows",
                          "Whether VM pairs within a rack send, too. They never use the optical "
                          "fabric, but share the servers' links with what does.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&OdcnSchedulerApplication::m_intraRackFlows),
                          MakeBooleanChecker())
            .AddTraceSource("Decided",
                            "A job was decided.",
                            MakeTraceSourceAccessor(&OdcnSchedulerApplication::m_decidedTrace),
                            "ns3::odcn::OdcnSchedulerApplication::DecidedTracedCallback")
            .AddTraceSource("WindowOpened",
                            "A window opens: its flows are known and about to start.",
                            MakeTraceSourceAccessor(&OdcnSchedulerApplication::m_openedTrace),
                            "ns3::odcn::OdcnSchedulerApplication::WindowTracedCallback")
            .AddTraceSource("WindowClosed",
                            "A window has closed: the network is empty.",
                            MakeTraceSourceAccessor(&OdcnSchedulerApplication::m_closedTrace),
                            "ns3::odcn::OdcnSchedulerApplication::WindowTracedCallback")
            .AddTraceSource("Finished",
                            "All jobs are decided and the last window has closed.",
                            MakeTraceSourceAccessor(&OdcnSchedulerApplication::m_finishedTrace),
                            "ns3::TracedCallback::Empty");
    return tid;
}

OdcnSchedulerApplication::OdcnSchedulerApplication() = default;

void
OdcnSchedulerApplication::DoDispose()
{
    m_policy = nullptr;
    m_problem = nullptr;
    m_fabric = nullptr;
    m_flowApps.clear();
    Application::DoDispose();
}

void
OdcnSchedulerApplication::SetProblem(Ptr<OdcnScheduling> problem)
{
    m_problem = problem;
}

void
OdcnSchedulerApplication::SetFabric(Ptr<OcsFabric> fabric,
                                    std::vector<Ptr<OdcnJobFlowApplication>> flows)
{
    const CsMgr& manager = *PeekPointer(m_problem->GetManager());
    const OdcnCircuitLedger& circuits = manager.GetNetwork()->GetCircuits();
    const OcsFabricSize& size = fabric->GetSize();
    const OdcnComputeLedger& servers = manager.GetServers();
    if (size.racks != servers.GetNRacks() || size.serversPerRack != servers.GetServersPerRack() ||
        size.uplinks != circuits.GetPorts() || size.switches != circuits.GetNOcs() ||
        flows.size() != static_cast<std::size_t>(size.racks) * size.serversPerRack)
    {
        throw OdcnError::InOption("fabric",
                                  std::to_string(size.racks) + " racks of " +
                                      std::to_string(size.serversPerRack) + " servers",
                                  "the racks, servers, ports and OCSs of the scheduling problem");
    }
    m_fabric = fabric;
    m_flowApps = std::move(flows);
    std::vector<OcsCircuit> preset;
    for (RackId u = 0; u < size.racks; ++u)
    {
        for (uint32_t p = 0; p < size.uplinks; ++p)
        {
            const auto& end = circuits.GetOut(u, p);
            if (end.rack != NO_RACK)
            {
                preset.push_back({u, p, end.rack, end.port});
            }
        }
    }
    m_fabric->Preset(preset);
}

void
OdcnSchedulerApplication::StartApplication()
{
    if (!m_policy || !m_problem)
    {
        throw OdcnError("OdcnSchedulerApplication: a policy and a problem are needed");
    }
    Ptr<CsMgr> manager = m_problem->GetManager();
    manager->TraceConnectWithoutContext(
        "CircuitsChanged",
        MakeCallback(&OdcnSchedulerApplication::CircuitsChanged, this));
    manager->TraceConnectWithoutContext("JobPlaced",
                                        MakeCallback(&OdcnSchedulerApplication::JobPlaced, this));
    m_nextWindow = m_windowAfter;
    Continue();
}

void
OdcnSchedulerApplication::StopApplication()
{
    m_event.Cancel();
    for (const auto& app : m_flowApps)
    {
        app->ClearFlows();
    }
    Ptr<CsMgr> manager = m_problem->GetManager();
    manager->TraceDisconnectWithoutContext(
        "CircuitsChanged",
        MakeCallback(&OdcnSchedulerApplication::CircuitsChanged, this));
    manager->TraceDisconnectWithoutContext(
        "JobPlaced",
        MakeCallback(&OdcnSchedulerApplication::JobPlaced, this));
}

void
OdcnSchedulerApplication::Continue()
{
    if (m_problem->IsDone() || (m_maxJobs && m_nJobs >= m_maxJobs))
    {
        m_finishedTrace();
        return;
    }
    const auto unit = static_cast<double>(m_jobTimeUnit.GetTimeStep());
    const Time arrival =
        TimeStep(static_cast<uint64_t>(m_problem->GetJob().arrival * unit)) + m_standstill;
    m_event = Simulator::Schedule(std::max(Time(0), arrival - Simulator::Now()),
                                  &OdcnSchedulerApplication::Decide,
                                  this);
}

void
OdcnSchedulerApplication::Decide()
{
    ++m_nJobs;
    m_decidedTrace(m_problem->RunJob(*m_policy));
    if (m_windowOpen)
    {
        m_stoodStillAt = Simulator::Now();
        m_event = Simulator::Schedule(std::max(Time(0), m_settled - Simulator::Now()),
                                      &OdcnSchedulerApplication::OpenWindow,
                                      this);
        return;
    }
    Continue();
}

void
OdcnSchedulerApplication::CircuitsChanged(const std::vector<OdcnCircuitChange>& changes)
{
    if (!m_fabric)
    {
        return;
    }
    std::vector<OcsCircuit> circuits;
    for (const auto& change : changes)
    {
        circuits.push_back({change.from, change.outPort, change.newTo, change.newInPort});
    }
    Simulator::Schedule(m_controlDelay, &OdcnSchedulerApplication::Command, this, circuits);
    TimeValue dark;
    m_fabric->GetSwitch(0)->GetAttribute("ReconfigurationTime", dark);
    m_settled = std::max(m_settled, Simulator::Now() + m_controlDelay + dark.Get());
}

void
OdcnSchedulerApplication::Command(std::vector<OcsCircuit> circuits)
{
    m_fabric->Apply(circuits);
}

void
OdcnSchedulerApplication::SetUplinkFailed(RackId rack, uint32_t port, bool failed)
{
    std::vector<OdcnCircuitChange> lost;
    for (bool output : {true, false})
    {
        const auto change =
            m_problem->GetManager()->GetNetwork()->SetPortFailed(rack, port, output, failed);
        if (change.from != NO_RACK)
        {
            lost.push_back(change);
        }
    }
    Ptr<OcsNetDevice> uplink = m_fabric->GetUplink(rack, port);
    failed ? uplink->Fail() : uplink->Repair();
    if (!lost.empty())
    {
        CircuitsChanged(lost);
    }
}

void
OdcnSchedulerApplication::JobPlaced(const OdcnPlacedJob& job)
{
    if (!m_fabric || m_windowSpacing == 0 || m_nJobs < m_nextWindow)
    {
        return;
    }
    m_windowOpen = true;
    m_nextWindow = m_nJobs + m_windowSpacing;
    m_window.Fill(*PeekPointer(m_problem->GetManager()), job, m_intraRackFlows);
}

void
OdcnSchedulerApplication::OpenWindow()
{
    if (m_settled > Simulator::Now())
    {
        m_event = Simulator::Schedule(m_settled - Simulator::Now(),
                                      &OdcnSchedulerApplication::OpenWindow,
                                      this);
        return;
    }
    m_window.Open(Simulator::Now(), m_warmUp, m_length);
    m_openedTrace(m_window);
    // Ahead of the flows, so that no packet is sent at the very end.
    m_event =
        Simulator::Schedule(m_warmUp + m_length, &OdcnSchedulerApplication::StopSources, this);
    const uint32_t perRack = m_fabric->GetSize().serversPerRack;
    for (std::size_t i = 0; i < m_window.flows.size(); ++i)
    {
        const OdcnFlow& flow = m_window.flows[i];
        m_flowApps[flow.from]->AddFlow(
            static_cast<uint32_t>(i),
            m_fabric->GetServerAddress(flow.to / perRack, flow.to % perRack),
            flow.rate);
    }
}

void
OdcnSchedulerApplication::StopSources()
{
    for (const auto& app : m_flowApps)
    {
        app->ClearFlows();
    }
    Drain();
}

void
OdcnSchedulerApplication::Drain()
{
    if (m_fabric->Count().inFlight > 0)
    {
        m_event = Simulator::Schedule(MicroSeconds(ODCN_DRAIN_STEP_US),
                                      &OdcnSchedulerApplication::Drain,
                                      this);
        return;
    }
    m_window.closed = Simulator::Now();
    m_standstill += m_window.closed - m_stoodStillAt;
    m_closedTrace(m_window);
    ++m_window.index;
    m_windowOpen = false;
    Continue();
}

} // namespace odcn
} // namespace ns3
