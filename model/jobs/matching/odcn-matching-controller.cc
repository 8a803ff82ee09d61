// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-matching-controller.h"

#include "ns3/log.h"
#include "ns3/ocs-fiber.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-epoch-matching.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-rank-arrivals.h"
#include "ns3/odcn-text.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("MatchingController");
NS_OBJECT_ENSURE_REGISTERED(MatchingController);

namespace
{

/// Bytes of a number in a report, and of a receiver in a command.
constexpr uint32_t FIELD = 4;
/// Destinations of a message between ranks: ns-3's module mpi takes 2000 bytes.
constexpr uint32_t PART = 64;

/// @param text type with Attributes  @return whether it names a MatchingAlgorithm
bool
IsAlgorithm(const std::string& text)
{
    const std::string name = ObjectText::Parse("policy", text).type;
    TypeId tid;
    const bool known = TypeId::LookupByNameFailSafe(name, &tid) ||
                       TypeId::LookupByNameFailSafe("ns3::odcn::" + name, &tid);
    return known && tid.IsChildOf(MatchingAlgorithm::GetTypeId());
}

} // namespace

TypeId
MatchingController::GetTypeId()
{
    using T = MatchingController;
    static TypeId tid =
        TypeIdOf<MatchingController, HostedController>("ns3::odcn::MatchingController")
            .Add(Attribute("Policy", &T::m_policyText, "MaxWeightMatching"),
                 "MatchingAlgorithm with Attributes, rule for MatchingProblem, or file of "
                 "an agent (.pt) or linear policy (.json)")
            .Add(Attribute("Epoch", &T::m_epoch, MilliSeconds(1), TimeStep(1)),
                 "Time from one measurement of demand to the next")
            .Add(Attribute("ReportDelay", &T::m_reportDelay, Time(0), Time(0)),
                 "Time from reading the counters of ToR switches until the report leaves")
            .Add(Attribute("DecisionTime", &T::m_decisionTime, Time(0), Time(0)),
                 "Time from the arrival of a report until the command leaves")
            .Add(Attribute("ReconfigurationTime",
                           &T::m_reconfigurationTime,
                           MicroSeconds(10),
                           Time(0)),
                 "Dark time of circuits that change")
            .Add(Trace("Demand", &T::m_demandTrace, "DemandTracedCallback"),
                 "A report has arrived: the demand that the decision uses, in bytes")
            .Add(Trace("Decision", &T::m_decisionTrace, "DecisionTracedCallback"),
                 "Circuits were decided: their schedule, or null to keep the present");
    return tid;
}

MatchingController::MatchingController()
    : m_follower(CreateObject<OcsScheduleFollower>()),
      m_management(ManagementNetwork::MakeIdeal()),
      m_meter(CreateObject<DemandMeter>()),
      m_problem(CreateObject<MatchingProblem>())
{
}

void
MatchingController::DoDispose()
{
    m_running = false;
    if (m_management)
    {
        m_management->Dispose();
    }
    // Circuits stay as they are.
    if (m_follower)
    {
        m_follower->Dispose();
    }
    for (const Ptr<OcsNetDevice>& inbox : m_inboxes)
    {
        inbox->Dispose(); // with what calls ReceivePart()
    }
    m_fabric = nullptr;
    m_own = nullptr;
    m_host = nullptr;
    m_inboxes.clear();
    m_follower = nullptr;
    m_management = nullptr;
    m_meter = nullptr;
    m_schedule = nullptr;
    m_problem = nullptr;
    m_policy = nullptr;
    Application::DoDispose();
}

void
MatchingController::SetFabric(Ptr<OcsFabric> fabric)
{
    m_fabric = fabric;
    m_inboxes.clear();
    for (uint32_t rank = 0; RankArrivals::GetNRanks() > 1 && rank < RankArrivals::GetNRanks();
         ++rank)
    {
        m_inboxes.push_back(CreateObject<OcsNetDevice>());
        CreateObject<Node>(rank)->AddDevice(m_inboxes.back());
        RankArrivals::Install(m_inboxes.back(),
                              MakeCallback(&MatchingController::ReceivePart, this));
    }
}

void
MatchingController::SetManagement(Ptr<ManagementNetwork> management)
{
    m_management = management;
}

void
MatchingController::SetDemand(const DemandMatrix& bytes)
{
    bytes.Check("demand of a controller");
    m_declared = bytes;
}

void
MatchingController::SetSchedule(Ptr<CircuitSchedule> schedule)
{
    m_schedule = schedule;
}

int64_t
MatchingController::AssignStreams(int64_t stream)
{
    const int64_t used = m_follower->AssignStreams(stream);
    m_stream = stream + used;
    // The policy, which is created later, uses those that follow.
    return used + 16;
}

void
MatchingController::After(Time delay, std::function<void()> step)
{
    const std::function<void()> call =
        [self = Ptr<MatchingController>(this), step = std::move(step)]()
    {
        if (self->m_running)
        {
            step();
        }
    };
    if (delay.IsZero())
    {
        call();
    }
    else
    {
        m_host->After(delay, call);
    }
}

void
MatchingController::FindPolicy(Time change)
{
    if (m_schedule || IsAlgorithm(m_policyText))
    {
        return;
    }
    if (m_declared.GetNRacks() > 0)
    {
        throw OdcnError::InOption("policy of a controller with a declared demand",
                                  m_policyText,
                                  "a MatchingAlgorithm: " +
                                      JoinWords(ListTypes(MatchingAlgorithm::GetTypeId())));
    }
    PolicyChoice choice;
    try
    {
        choice = PolicyRegistry::Find(*m_problem, m_policyText);
    }
    catch (const OdcnError& error)
    {
        throw OdcnError(std::string(error.what()) + "; or a MatchingAlgorithm: " +
                        JoinWords(ListTypes(MatchingAlgorithm::GetTypeId())));
    }
    m_problem->SetAttribute("Racks", UintegerValue(m_host->GetNRacks()));
    m_problem->SetAttribute("Planes", UintegerValue(m_host->GetNPlanes()));
    m_problem->SetAttribute("DarkShare", DoubleValue((change / m_epoch).GetDouble()));
    m_policy = choice.Create();
    choice.Configure(*m_problem, *m_policy);
    // Demand is measured: no pattern is drawn from, and this one fits each number of racks.
    m_problem->SetAttribute("Patterns", StringValue("uniform"));
    m_problem->Reset();
    m_policy->Reset();
    if (m_stream >= 0)
    {
        m_policy->AssignStreams(m_stream);
    }
}

void
MatchingController::StartApplication()
{
    if (!m_fabric)
    {
        throw OdcnError("MatchingController: SetFabric() is needed");
    }
    CheckFabric();
    m_own = std::make_unique<OcsCircuitHost>(m_fabric, m_follower);
    Begin(*m_own);
}

void
MatchingController::Begin(CircuitHost& host)
{
    m_host = &host;
    const uint32_t racks = host.GetNRacks();
    m_circuits = ExplicitSchedule::MakeShifts(racks, host.GetNPlanes());
    host.Start(MakeEpochSchedule(m_circuits, m_epoch, m_reconfigurationTime));
    const Time change = host.GetDrainTime() + m_reconfigurationTime + host.GetGuard();
    if (!m_schedule && m_epoch <= change)
    {
        throw OdcnError::InOption("Epoch of a MatchingController",
                                  std::to_string(m_epoch.GetNanoSeconds()) + " ns",
                                  "more than a change of circuits takes, " +
                                      std::to_string(change.GetNanoSeconds()) + " ns");
    }
    FindPolicy(change);
    // What was offered before the start is no demand of the first epoch.
    m_offered = DemandMatrix(racks);
    for (RackId from = 0; from < racks; ++from)
    {
        for (RackId to = 0; to < racks && host.HasRack(from); ++to)
        {
            m_offered.Set(from, to, static_cast<double>(host.GetOffered(from, to)));
        }
    }
    m_running = true;
    if (m_schedule)
    {
        After(m_decisionTime, [this]() { Command(m_schedule); });
    }
    else
    {
        After(m_epoch, [this]() { Measure(); });
    }
}

void
MatchingController::StopApplication()
{
    m_running = false;
}

Time
MatchingController::GetReportTime() const
{
    return m_reportDelay + m_management->GetLatency(0);
}

void
MatchingController::CheckFabric() const
{
    const auto noCircuit = GetAttributeOf<StringValue>(*m_fabric->GetTor(0), "NoCircuit");
    if (noCircuit != "Hold")
    {
        throw OdcnError::InOption("TorSwitch::NoCircuit with a MatchingController",
                                  noCircuit,
                                  "Hold");
    }
    if (!m_fabric->GetSize().IsUniform())
    {
        throw OdcnError::InOption("fabric of a MatchingController",
                                  "racks that differ",
                                  "equal racks");
    }
    bool divided = false;
    for (RackId rack = 0; rack < m_fabric->GetSize().racks; ++rack)
    {
        divided = divided || m_fabric->IsRemote(rack);
    }
    const auto fiber = DynamicCast<OcsFiber>(m_fabric->GetUplink(0, 0)->GetChannel());
    const Time lookAhead = fiber ? fiber->GetDelay() : Time(0);
    if (divided && !m_schedule && GetReportTime() < lookAhead)
    {
        throw OdcnError::InOption("ReportDelay and report of a MatchingController over ranks",
                                  std::to_string(GetReportTime().GetNanoSeconds()) + " ns",
                                  "at least the look-ahead, the delay of fibres of " +
                                      std::to_string(lookAhead.GetNanoSeconds()) + " ns");
    }
}

void
MatchingController::Measure()
{
    NS_LOG_FUNCTION(this);
    const uint32_t racks = m_host->GetNRacks();
    const Time now = m_host->Now();
    m_reports[now] = {DemandMatrix(racks), DemandMatrix(racks)};
    for (RackId from = 0; from < racks; ++from)
    {
        for (RackId first = 0; first < racks && m_host->HasRack(from); first += PART)
        {
            Read(from, first);
        }
    }
    After(m_reportDelay,
          [this, now, racks]()
          {
              m_management->Send(ManagementNetwork::REPORT,
                                 2 * FIELD * racks * racks,
                                 [self = Ptr<MatchingController>(this), now]()
                                 {
                                     if (self->m_running)
                                     {
                                         self->Receive(now);
                                     }
                                 });
          });
    After(m_epoch, [this]() { Measure(); });
}

void
MatchingController::Read(RackId from, RackId first)
{
    Parcel part;
    int64_t now = m_host->Now().GetTimeStep();
    part.Pass(now, from, first);
    for (RackId to = first; to < std::min(first + PART, m_host->GetNRacks()); ++to)
    {
        const auto sum = static_cast<double>(m_host->GetOffered(from, to));
        auto offered = static_cast<uint64_t>(sum - m_offered.Get(from, to));
        m_offered.Set(from, to, sum);
        uint64_t held = m_host->GetHeld(from, to);
        part.Pass(offered, held);
    }
    Enter(Parcel(part.GetBytes()));
    if (!m_inboxes.empty())
    {
        Simulator::ScheduleNow(&MatchingController::SendPart, Ptr<MatchingController>(this), part);
    }
}

void
MatchingController::SendPart(const Parcel& part) const
{
    const std::string& bytes = part.GetBytes();
    for (const Ptr<OcsNetDevice>& inbox : m_inboxes)
    {
        const Ptr<RankArrivals> arrivals = inbox->GetNode()->GetObject<RankArrivals>();
        if (arrivals->IsRemote())
        {
            arrivals->Send(*inbox,
                           Create<Packet>(reinterpret_cast<const uint8_t*>(bytes.data()),
                                          static_cast<uint32_t>(bytes.size())),
                           GetReportTime());
        }
    }
}

void
MatchingController::Enter(Parcel part)
{
    int64_t time = 0;
    RackId from = 0;
    RackId first = 0;
    part.Pass(time, from, first);
    Report& report = m_reports.at(TimeStep(time));
    for (RackId to = first; to < std::min(first + PART, m_host->GetNRacks()); ++to)
    {
        uint64_t offered = 0;
        uint64_t held = 0;
        part.Pass(offered, held);
        if (from != to)
        {
            report.offered.Set(from, to, static_cast<double>(offered));
            report.held.Set(from, to, static_cast<double>(held));
        }
    }
}

void
MatchingController::ReceivePart(Ptr<Packet> packet)
{
    std::string bytes(packet->GetSize(), '\0');
    packet->CopyData(reinterpret_cast<uint8_t*>(bytes.data()), packet->GetSize());
    Enter(Parcel(std::move(bytes)));
}

void
MatchingController::Receive(Time measured)
{
    NS_LOG_FUNCTION(this);
    // Decided at once, so that later reports do not matter; the command leaves when it is due.
    const Ptr<CircuitSchedule> schedule = Decide(m_reports.extract(measured).mapped());
    if (!m_running)
    {
        return; // stopped or disposed of by a sink of Demand
    }
    ++m_nDecisions;
    m_decisionTrace(schedule);
    if (schedule)
    {
        After(m_decisionTime, [this, schedule]() { Command(schedule); });
    }
}

MatchingFabric
MatchingController::DescribeFabric() const
{
    MatchingFabric fabric;
    fabric.planes = m_host->GetNPlanes();
    fabric.circuit = m_host->GetUplinkRate();
    // What waits for a circuit does not leave by the packet network.
    const bool offered = m_meter->GetQuantity() == DemandMeter::OFFERED;
    fabric.packets = offered ? m_host->GetElectricalRate() : DataRate(0);
    fabric.reconfiguration = m_reconfigurationTime;
    return fabric;
}

Ptr<CircuitSchedule>
MatchingController::Decide(const Report& report)
{
    m_meter->Report(report.offered, report.held);
    const DemandMatrix demand = m_declared.GetNRacks() > 0 ? m_declared : m_meter->GetDemand();
    m_demandTrace(demand);
    if (!m_running)
    {
        return nullptr;
    }
    CircuitFilter usable;
    if (m_host->HasFailedPaths())
    {
        usable = [this](uint32_t plane, RackId from, RackId to)
        { return m_host->IsUsable(plane, from, to); };
    }
    Ptr<CircuitSchedule> schedule;
    if (m_policy)
    {
        // Traffic in units of what a circuit carries in an epoch.
        const double unit = m_host->GetUplinkRate().GetBitRate() * m_epoch.GetSeconds() / 8;
        DemandMatrix offered = report.offered;
        DemandMatrix held = report.held;
        offered.Scale(1 / unit);
        held.Scale(1 / unit);
        m_problem->SetUsable(usable);
        m_problem->Follow(offered, held);
        m_problem->Act(m_policy->Decide(*m_problem));
        m_problem->SetUsable({}); // others may hold the problem for longer than this lives
        schedule = MakeEpochSchedule(m_problem->GetCircuits(), m_epoch, m_reconfigurationTime);
    }
    else
    {
        schedule =
            MakeEpochSchedule(m_policyText, demand, m_circuits, DescribeFabric(), m_epoch, usable);
    }
    if (!schedule)
    {
        return nullptr;
    }
    // A schedule of several matchings repeats until the next command.
    bool changes = std::exchange(m_cycling, false);
    for (uint32_t plane = 0; plane < m_circuits.size(); ++plane)
    {
        const auto& slots = schedule->GetPlane(plane).slots;
        m_cycling = m_cycling || slots.size() > 1;
        changes = changes || m_cycling || slots.front().to != m_circuits[plane];
        m_circuits[plane] = slots.back().to;
    }
    return changes ? schedule : nullptr;
}

void
MatchingController::Command(Ptr<CircuitSchedule> schedule)
{
    uint32_t receivers = 0;
    for (uint32_t plane = 0; plane < schedule->GetNPlanes(); ++plane)
    {
        receivers +=
            static_cast<uint32_t>(schedule->GetPlane(plane).slots.size()) * schedule->GetNRacks();
    }
    m_management->Send(ManagementNetwork::COMMAND,
                       FIELD * receivers,
                       [self = Ptr<MatchingController>(this), schedule]()
                       {
                           if (self->m_running)
                           {
                               ++self->m_nCommands;
                               self->m_host->Change(schedule);
                           }
                       });
}

} // namespace ns3::odcn
