// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-placement-scheduler.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-object-text.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(PlacementScheduler);

namespace
{

/// Length of a circuit in a command, bytes: two racks and two ports.
constexpr uint32_t CIRCUIT_BYTES = 16;
/// Length of a VM or of a demand in a request, bytes.
constexpr uint32_t ITEM_BYTES = 24;

} // namespace

TypeId
PlacementScheduler::GetTypeId()
{
    using T = PlacementScheduler;
    static TypeId tid =
        TypeIdOf<PlacementScheduler, WindowScheduler>("ns3::odcn::PlacementScheduler")
            .Add(Attribute("IntraRackFlows", &T::m_intraRackFlows, true),
                 "Whether VM pairs within a rack send, too. They never use the optical "
                 "fabric, but share the servers' links with flows that do.")
            .Add(Attribute("Continuous", &T::m_isContinuous, false),
                 "Whether jobs send packets for as long as they run, in simulated time = job "
                 "time x JobTimeUnit, rather than in windows. Needs SetFabric().")
            .Add(Attribute("Reward",
                           &T::m_reward,
                           Reward::FORMULA,
                           {{Reward::FORMULA, "Formula"}, {Reward::PACKETS, "Packets"}}),
                 "Source of the latency of Eq. 1: Formula (as set by RewardLatency of the "
                 "problem) or Packets (measured in the last window).")
            .Add(Trace("Rewarded", &T::m_rewardedTrace, "RewardedTracedCallback"),
                 "A job was decided and its steps were rewarded.")
            .Add(Trace("Decided", &T::m_decidedTrace, "DecidedTracedCallback"),
                 "A job was decided.")
            .Add(Trace("WindowOpened", &T::m_openedTrace, "WindowTracedCallback"),
                 "A window opens: its flows are known and about to start.")
            .Add(Trace("WindowClosed", &T::m_closedTrace, "WindowTracedCallback"),
                 "A window has closed: the network is empty.")
            .Add(Trace("FlowStarted",
                       &T::m_flowTrace,
                       "ns3::odcn::ContinuousTraffic::FlowTracedCallback"),
                 "With Continuous, a flow is about to start.")
            .Add(Trace("JobStopped",
                       &T::m_stoppedTrace,
                       "ns3::odcn::ContinuousTraffic::JobTracedCallback"),
                 "With Continuous, a job has stopped sending.");
    return tid;
}

void
PlacementScheduler::DoDispose()
{
    if (m_fabric)
    {
        m_fabric->TraceDisconnectWithoutContext(
            "PathChanged",
            MakeCallback(&PlacementScheduler::PathChanged, this));
        m_fabric->TraceDisconnectWithoutContext(
            "ServerChanged",
            MakeCallback(&PlacementScheduler::ServerChanged, this));
        for (const auto& traffic : GetFlows())
        {
            traffic->TraceDisconnectWithoutContext(
                "Rx",
                MakeCallback(&PlacementScheduler::Received, this));
        }
    }
    if (m_packets->GetMonitor())
    {
        m_problem->SetMonitor(nullptr);
    }
    m_packets = PlacementPackets::MakeNone();
    m_problem = nullptr;
    m_fabric = nullptr;
    m_messages = nullptr;
    WindowScheduler::DoDispose();
}

void
PlacementScheduler::SetProblem(Ptr<OdcnScheduling> problem)
{
    m_problem = problem;
}

void
PlacementScheduler::SetFabric(Ptr<OcsFabric> fabric, std::vector<Ptr<JobFlowApplication>> flows)
{
    if (!m_problem)
    {
        throw OdcnError("PlacementScheduler: SetProblem() comes before SetFabric()");
    }
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
    SetFlows(std::move(flows));
    std::vector<OcsCircuit> preset = OcsFabric::ToCircuits(PlacementPackets::GetCircuits(manager));
    std::erase_if(preset, [](const OcsCircuit& circuit) { return circuit.to == NO_RACK; });
    m_fabric->Preset(preset);
    m_fabric->TraceConnectWithoutContext("PathChanged",
                                         MakeCallback(&PlacementScheduler::PathChanged, this));
    m_fabric->TraceConnectWithoutContext("ServerChanged",
                                         MakeCallback(&PlacementScheduler::ServerChanged, this));
    m_packets = PlacementPackets::MakeEvents(m_fabric, GetFlows());
    for (const auto& traffic : GetFlows())
    {
        traffic->TraceConnectWithoutContext("Rx",
                                            MakeCallback(&PlacementScheduler::Received, this));
    }
}

void
PlacementScheduler::SetEngine(const FabricModel& model,
                              Ptr<JobFlowApplication> traffic,
                              uint32_t mtu,
                              OdcnPacketSink& sink)
{
    if (!m_problem)
    {
        throw OdcnError("PlacementScheduler: SetProblem() comes before SetEngine()");
    }
    if (Time::GetResolution() != Time::PS)
    {
        throw OdcnError("the exact packet engine needs Time::SetResolution(Time::PS)");
    }
    if (GetAttributeOf<BooleanValue>(*this, "IncludeDark"))
    {
        throw OdcnError::InOption("exact packet engine: IncludeDark", "true", "false");
    }
    m_packets = PlacementPackets::MakeExact(m_problem, model, traffic, mtu, sink);
}

void
PlacementScheduler::Received(const FlowHeader& header, Time delay)
{
    m_packets->Received(header, delay);
}

void
PlacementScheduler::Begin()
{
    if (!m_problem)
    {
        throw OdcnError("PlacementScheduler: a problem is needed");
    }
    Ptr<CsMgr> manager = m_problem->GetManager();
    Connect(manager, "CircuitsChanged", MakeCallback(&PlacementScheduler::CircuitsChanged, this));
    Connect(manager, "JobPlaced", MakeCallback(&PlacementScheduler::JobPlaced, this));
    m_problem->SetPaced(true);
    if (m_isContinuous)
    {
        BeginContinuous();
    }
}

void
PlacementScheduler::BeginContinuous()
{
    if (!m_fabric)
    {
        throw OdcnError("PlacementScheduler: Continuous needs SetFabric()");
    }
    if (m_jobTimeUnit.IsZero())
    {
        throw OdcnError::InOption("JobTimeUnit", "0", "a time above 0 with Continuous");
    }
    Ptr<CsMgr> manager = m_problem->GetManager();
    auto traffic = std::make_unique<ContinuousTraffic>(m_fabric,
                                                       *PeekPointer(manager),
                                                       GetFlows(),
                                                       m_intraRackFlows);
    traffic->m_flowTrace.ConnectWithoutContext(Callback<void, uint32_t, const OdcnFlow&>(
        [this](uint32_t number, const OdcnFlow& flow) { m_flowTrace(number, flow); }));
    traffic->m_endTrace.ConnectWithoutContext(
        Callback<void, JobId>([this](JobId job) { m_stoppedTrace(job); }));
    if (m_messages)
    {
        BeginMessages(*traffic);
    }
    m_problem->SetMonitor(traffic->GetMonitor());
    m_packets = PlacementPackets::MakeContinuous(
        m_fabric,
        manager,
        std::move(traffic),
        m_packets->GetLinksTime(),
        {.after = m_windowAfter,
         .waits = !IncludesDark(),
         .bytes = static_cast<bool>(m_messages),
         .when = [this](double time) { return GetSimulatedTime(time); }});
    Connect(manager, "JobInterrupted", MakeCallback(&PlacementScheduler::JobInterrupted, this));
}

void
PlacementScheduler::BeginMessages(ContinuousTraffic& traffic)
{
    const OcsFabricSize& size = m_fabric->GetSize();
    const uint32_t servers = size.racks * size.serversPerRack;
    if (m_messages->GetNEndPoints() != servers)
    {
        throw OdcnError::InOption("messages",
                                  std::to_string(m_messages->GetNEndPoints()) + " end points",
                                  std::to_string(servers) + " servers");
    }
    traffic.SetMessages(m_messages,
                        [this](const OdcnPlacedJob& job, const OdcnFlow& flow)
                        {
                            const double seconds = job.duration * m_jobTimeUnit.GetSeconds();
                            const double bytes = static_cast<double>(flow.rate) * seconds / 8;
                            return std::max<uint64_t>(1, static_cast<uint64_t>(bytes));
                        });
    // An interrupted job may have been offered again before the report arrives.
    const auto release = [this](JobId job)
    {
        if (!m_packets->Runs(job))
        {
            PassTo(GetJobTimeNow());
            m_problem->GetManager()->EndJob(job);
            WaitAnew();
        }
    };
    traffic.SetEnded(
        [this, release](JobId job)
        {
            Send(ManagementNetwork::REPORT,
                 PLAIN_MESSAGE,
                 [this, release, job]() { WhenUp([release, job] { release(job); }); });
        });
}

void
PlacementScheduler::End()
{
    m_problem->GetManager()->SetOpenEnded(false);
    m_packets->End();
    WindowScheduler::End();
    SetControlLatency(0);
    // The last figures are of the time until the next arrival, as without packets.
    m_problem->SetPaced(false);
}

double
PlacementScheduler::GetNextChange() const
{
    return m_problem->GetManager()->GetNextDeparture();
}

void
PlacementScheduler::PassTo(double time)
{
    CsMgr& manager = *PeekPointer(m_problem->GetManager());
    if (!manager.IsServing())
    {
        manager.AdvanceTo(std::max(time, manager.GetTime()));
    }
}

bool
PlacementScheduler::GetNext(double& time) const
{
    time = m_problem->GetJob().arrival;
    return !m_problem->IsDone();
}

uint32_t
PlacementScheduler::GetRequestBytes() const
{
    const OdcnJob& job = m_problem->GetJob();
    return PLAIN_MESSAGE + ITEM_BYTES * static_cast<uint32_t>(job.vms.size() + job.demands.size());
}

bool
PlacementScheduler::DecideNext()
{
    std::vector<float> rewards;
    m_packets->BeginDecision(GetNJobs());
    if (const auto monitor = m_packets->GetMonitor())
    {
        const double ns = monitor->GetLatency().meanNs;
        const double linksNs = 1e-3 * static_cast<double>(GetLinksTime().GetPicoSeconds());
        m_latencyNs = ns > 0 ? ns - linksNs : 0;
        UseMeasuredLatency();
    }
    if (m_problem->IsExpecting())
    {
        const double arrival = m_problem->GetJob().arrival;
        // Exactly at its arrival unless it has waited: simulated time is rounded.
        const bool isLate = GetSimulatedTime(arrival) < Simulator::Now();
        const double earliest = std::max(arrival, m_problem->GetManager()->GetTime());
        m_problem->Arrive(isLate ? std::max(earliest, GetJobTimeNow()) : earliest);
    }
    m_problem->RunEpisode(GetPolicy(), 1, nullptr, &rewards);
    m_decidedTrace(m_problem->GetLastOutcome());
    m_rewardedTrace(rewards);
    if (!m_due)
    {
        return true;
    }
    m_due = false;
    BeginWindow();
    return false;
}

void
PlacementScheduler::SetControlLatency(double time)
{
    m_problem->GetManager()->SetControlLatency(time);
}

void
PlacementScheduler::CircuitsChanged(const std::vector<OdcnCircuitChange>& changes)
{
    if (auto command = m_packets->MakeCommand(changes))
    {
        Command(PLAIN_MESSAGE + CIRCUIT_BYTES * static_cast<uint32_t>(changes.size()),
                std::move(command->carryOut),
                command->dark);
    }
}

void
PlacementScheduler::SetUplinkFailed(RackId rack, uint32_t port, bool failed)
{
    Ptr<OcsNetDevice> uplink = m_fabric->GetUplink(rack, port);
    failed ? uplink->Fail() : uplink->Repair();
    m_fabric->SetPathFailed(rack, port, true, failed);
    m_fabric->SetPathFailed(rack, port, false, failed);
}

void
PlacementScheduler::PathChanged(RackId rack, uint32_t port, bool output, bool failed)
{
    WhenUp(
        [this, rack, port, output, failed]
        {
            PassTo(GetJobTimeNow());
            const auto change = m_problem->GetManager()->SetPortFailed(rack, port, output, failed);
            if (change.from != NO_RACK)
            {
                CircuitsChanged({change});
            }
            m_problem->OfferInterrupted();
            WaitAnew();
        });
}

void
PlacementScheduler::ServerChanged(RackId rack, uint32_t server, bool failed)
{
    WhenUp(
        [this, rack, server, failed]
        {
            CsMgr& manager = *PeekPointer(m_problem->GetManager());
            PassTo(GetJobTimeNow());
            manager.SetServerFailed(rack * manager.GetServers().GetServersPerRack() + server,
                                    failed);
            m_problem->OfferInterrupted();
            WaitAnew();
        });
}

void
PlacementScheduler::JobInterrupted(const OdcnPlacedJob& job)
{
    m_packets->Interrupt(job.id);
}

void
PlacementScheduler::JobPlaced(const OdcnPlacedJob& job)
{
    m_packets->Place(job, GetNJobs());
    if (m_packets->HasWindows() && TakeWindow(GetNJobs()))
    {
        m_due = true;
        m_window.Fill(*PeekPointer(m_problem->GetManager()), job, m_intraRackFlows);
    }
}

void
PlacementScheduler::OpenWindow(Time warmUp, Time length)
{
    m_window.Open(Simulator::Now(), warmUp, length);
    m_openedTrace(m_window);
    m_packets->BeginWindow(m_window);
}

uint64_t
PlacementScheduler::CountInFlight() const
{
    return m_packets->CountInFlight();
}

void
PlacementScheduler::CloseWindow()
{
    m_window.closed = Simulator::Now();
    m_latencyNs = m_packets->EndWindow().value_or(m_latencyNs);
    UseMeasuredLatency();
    m_closedTrace(m_window);
    ++m_window.index;
}

void
PlacementScheduler::UseMeasuredLatency()
{
    if (m_reward == Reward::PACKETS)
    {
        m_problem->SetMeasuredLatency(m_latencyNs);
    }
}

} // namespace ns3::odcn
