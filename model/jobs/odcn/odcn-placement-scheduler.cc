// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-placement-scheduler.h"

#include "ns3/ocs-address-plan.h"
#include "ns3/ocs-packet-header.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
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
/// UDP in IPv4 headers.
constexpr uint8_t PROTOCOL_UDP = 17;

/**
 * @param traffic of a server
 * @return size of its packets, in bytes
 */
uint32_t
GetPacketSize(const JobFlowApplication& traffic)
{
    return static_cast<uint32_t>(GetAttributeOf<UintegerValue>(traffic, "PacketSize"));
}

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
    if (m_continuous)
    {
        m_problem->SetMonitor(nullptr);
        m_continuous = nullptr;
    }
    m_problem = nullptr;
    m_fabric = nullptr;
    m_messages = nullptr;
    m_traffic = nullptr;
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
    std::vector<OcsCircuit> preset = OcsFabric::ToCircuits(GetCircuits());
    std::erase_if(preset, [](const OcsCircuit& circuit) { return circuit.to == NO_RACK; });
    m_fabric->Preset(preset);
    m_fabric->TraceConnectWithoutContext("PathChanged",
                                         MakeCallback(&PlacementScheduler::PathChanged, this));
    m_fabric->TraceConnectWithoutContext("ServerChanged",
                                         MakeCallback(&PlacementScheduler::ServerChanged, this));
    m_linksTime = m_fabric->GetLinksTime(GetPacketSize(*GetFlows()[0]));
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
    m_engine = std::make_unique<PacketFabric>(model);
    const PacketLaw law = traffic->GetLaw(mtu);
    for (ServerId server = 0; server < model.GetNServers(); ++server)
    {
        m_engine->SetLaw(server, law);
    }
    m_traffic = traffic;
    m_sink = &sink;
    m_linksTime = TimeStep(model.GetLinksTime(GetPacketSize(*traffic)));
}

std::vector<OdcnCircuitChange>
PlacementScheduler::GetCircuits() const
{
    const auto& circuits = m_problem->GetManager()->GetNetwork()->GetCircuits();
    std::vector<OdcnCircuitChange> present;
    for (RackId rack = 0; rack < circuits.GetNRacks(); ++rack)
    {
        for (uint32_t port = 0; port < circuits.GetPorts(); ++port)
        {
            const auto& end = circuits.GetOut(rack, port);
            present.push_back({rack, port, NO_RACK, 0, end.rack, end.port});
        }
    }
    return present;
}

void
PlacementScheduler::RunEngine()
{
    // By now the switches have carried out the manager's commands.
    m_engine->Preset(GetCircuits());
    const FabricModel& model = m_engine->GetModel();
    const auto plan = OcsAddressPlan::For(model.racks, model.serversPerRack);
    const auto addressOf = [&](ServerId server)
    { return plan.GetAddress(server / model.serversPerRack, server % model.serversPerRack).Get(); };
    const uint32_t bytes = GetPacketSize(*m_traffic);
    const auto port = static_cast<uint32_t>(GetAttributeOf<UintegerValue>(*m_traffic, "Port"));
    std::vector<PacketFlow> flows;
    flows.reserve(m_window.flows.size());
    for (const OdcnFlow& flow : m_window.flows)
    {
        flows.push_back({flow.from,
                         flow.to,
                         PacketSource::MeanGap(flow.rate, bytes),
                         bytes,
                         OcsPacketHeader::HashFlow(addressOf(flow.from),
                                                   addressOf(flow.to),
                                                   PROTOCOL_UDP,
                                                   port << 16 | port)});
    }
    m_engineEnd = TimeStep(m_engine->Run(m_window.opened.GetTimeStep(),
                                         m_window.measureUntil.GetTimeStep(),
                                         flows,
                                         *this));
}

void
PlacementScheduler::Take(RackId rack, std::span<const PacketFate> fates)
{
    for (const PacketFate& fate : fates)
    {
        if (fate.received)
        {
            Measure(fate.flow, TimeStep(fate.sent), TimeStep(fate.ended - fate.sent));
        }
    }
    m_sink->Take(rack, fates);
}

void
PlacementScheduler::Received(const FlowHeader& header, Time delay)
{
    if (m_continuous)
    {
        m_continuous->Received(header, delay);
        return;
    }
    Measure(header.GetFlow(), header.GetSent(), delay);
}

void
PlacementScheduler::Measure(uint32_t flow, Time sent, Time delay)
{
    if (m_window.flows[flow].interRack && sent >= m_window.measureFrom)
    {
        m_delaySumNs += 1e-3 * static_cast<double>((delay - m_linksTime).GetPicoSeconds());
        ++m_delays;
    }
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
    m_continuous = std::make_unique<ContinuousTraffic>(m_fabric,
                                                       *PeekPointer(manager),
                                                       GetFlows(),
                                                       m_intraRackFlows);
    m_continuous->m_flowTrace.ConnectWithoutContext(Callback<void, uint32_t, const OdcnFlow&>(
        [this](uint32_t number, const OdcnFlow& flow) { m_flowTrace(number, flow); }));
    m_continuous->m_endTrace.ConnectWithoutContext(
        Callback<void, JobId>([this](JobId job) { m_stoppedTrace(job); }));
    m_problem->SetMonitor(m_continuous->GetMonitor());
    if (m_messages)
    {
        BeginMessages();
    }
    Connect(manager, "JobInterrupted", MakeCallback(&PlacementScheduler::JobInterrupted, this));
}

void
PlacementScheduler::BeginMessages()
{
    const OcsFabricSize& size = m_fabric->GetSize();
    const uint32_t servers = size.racks * size.serversPerRack;
    if (m_messages->GetNEndPoints() != servers)
    {
        throw OdcnError::InOption("messages",
                                  std::to_string(m_messages->GetNEndPoints()) + " end points",
                                  std::to_string(servers) + " servers");
    }
    m_continuous->SetMessages(m_messages,
                              [this](const OdcnPlacedJob& job, const OdcnFlow& flow)
                              {
                                  const double seconds = job.duration * m_jobTimeUnit.GetSeconds();
                                  const double bytes = static_cast<double>(flow.rate) * seconds / 8;
                                  return std::max<uint64_t>(1, static_cast<uint64_t>(bytes));
                              });
    const auto release = [this](JobId job)
    {
        if (!m_continuous->Runs(job)) // else it was interrupted meanwhile, and offered again
        {
            PassTo(GetJobTimeNow());
            m_problem->GetManager()->EndJob(job);
            WaitAnew();
        }
    };
    m_continuous->SetEnded(
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
    if (m_continuous)
    {
        m_continuous->Clear();
    }
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
    m_change = 0;
    if (m_continuous)
    {
        // Of the jobs before, nobody would tell the end.
        m_problem->GetManager()->SetOpenEnded(m_messages && GetNJobs() >= m_windowAfter);
        const double ns = m_continuous->GetMonitor()->GetLatency().meanNs;
        const double linksNs = 1e-3 * static_cast<double>(m_linksTime.GetPicoSeconds());
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
    const auto bytes = PLAIN_MESSAGE + CIRCUIT_BYTES * static_cast<uint32_t>(changes.size());
    if (m_engine)
    {
        Command(
            bytes,
            []() {},
            TimeStep(m_engine->GetModel().darkTime));
        return;
    }
    if (!m_fabric)
    {
        return;
    }
    const auto dark = GetAttributeOf<TimeValue>(*m_fabric->GetSwitch(0), "ReconfigurationTime");
    m_change = ++m_nChanges;
    Command(
        bytes,
        [this, change = m_change, dark, circuits = OcsFabric::ToCircuits(changes)]()
        {
            m_fabric->Apply(circuits);
            if (m_continuous)
            {
                CompatSchedule(dark,
                               [self = Ptr<PlacementScheduler>(this), change]()
                               { self->CircuitsUp(change); });
            }
        },
        dark);
}

void
PlacementScheduler::CircuitsUp(uint64_t change)
{
    if (const auto waiting = m_waiting.extract(change); waiting && m_continuous)
    {
        m_continuous->Resume(waiting.mapped());
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
PlacementScheduler::Admit(const OdcnPlacedJob& job, bool waits)
{
    m_continuous->Begin(job, GetSimulatedTime(job.start + job.duration), waits);
}

void
PlacementScheduler::JobInterrupted(const OdcnPlacedJob& job)
{
    m_continuous->End(job.id);
    std::erase_if(m_waiting, [&](const auto& waiting) { return waiting.second == job.id; });
}

void
PlacementScheduler::JobPlaced(const OdcnPlacedJob& job)
{
    if (m_continuous)
    {
        if (GetNJobs() < m_windowAfter)
        {
            return;
        }
        if (!m_sends)
        {
            m_sends = true;
            m_problem->GetManager()->ForEachActive(
                [&](const OdcnPlacedJob& active)
                {
                    if (active.id != job.id && !m_messages)
                    {
                        Admit(active, false);
                    }
                });
        }
        const bool waits = m_change > 0 && !IncludesDark();
        if (waits)
        {
            m_waiting[m_change] = job.id;
        }
        Admit(job, waits);
        return;
    }
    if ((m_fabric || m_engine) && TakeWindow(GetNJobs()))
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
    if (m_engine)
    {
        RunEngine();
        return;
    }
    const uint32_t perRack = m_fabric->GetSize().serversPerRack;
    for (std::size_t i = 0; i < m_window.flows.size(); ++i)
    {
        const OdcnFlow& flow = m_window.flows[i];
        GetFlows()[flow.from]->AddFlow(
            static_cast<uint32_t>(i),
            m_fabric->GetServerAddress(flow.to / perRack, flow.to % perRack),
            flow.rate);
    }
}

uint64_t
PlacementScheduler::CountInFlight() const
{
    return m_engine ? m_engineEnd >= Simulator::Now() : m_fabric->Count().inFlight;
}

void
PlacementScheduler::CloseWindow()
{
    m_window.closed = Simulator::Now();
    m_latencyNs = m_delays > 0 ? m_delaySumNs / static_cast<double>(m_delays) : m_latencyNs;
    m_delaySumNs = 0;
    m_delays = 0;
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

void
OdcnWindow::Fill(const CsMgr& manager, const OdcnPlacedJob& placed, bool intraRack)
{
    job = placed.id;
    jobTime = manager.GetTime();
    formulaLatencyNs = manager.GetNetwork()->GetMeanLatencyNs();
    formulaLoss = manager.GetNetwork()->GetMeanLoss();
    flows.clear();
    manager.ForEachActive([&](const OdcnPlacedJob& active)
                          { OdcnFlow::Append(manager, active, intraRack, flows); });
}

void
OdcnWindow::Open(Time now, Time warmUp, Time length)
{
    opened = now;
    measureFrom = opened + warmUp;
    measureUntil = measureFrom + length;
}

} // namespace ns3::odcn
