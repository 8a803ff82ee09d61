// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-migration-scheduler.h"

#include "ns3/ipv4-address.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/odcn-object-text.h"
#include "ns3/otn-mesh.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(MigrationScheduler);

namespace
{

/// Time from the cut of a fibre to its repair, ms.
constexpr int64_t REPAIR_MS = 500;

/// Longest wait for the next step of a window, s; longer is an error.
constexpr double PATIENCE_S = 1000;

/// Least packets per ring message, so that its transfer can be separated from its latency.
constexpr double LEAST_PACKETS = 16;

/// TCP payload of a packet of 9000 bytes, bytes.
constexpr double PAYLOAD = 8948;

/// Bytes of a lightpath or of a worker in a command.
constexpr uint32_t ITEM_BYTES = 64;

/// @param lightpaths a set  @param others to exclude  @return lightpaths that are not in others
std::vector<Ptr<OtnLightpath>>
Without(const std::vector<Ptr<OtnLightpath>>& lightpaths,
        const std::vector<Ptr<OtnLightpath>>& others)
{
    std::vector<Ptr<OtnLightpath>> rest;
    std::copy_if(lightpaths.begin(),
                 lightpaths.end(),
                 std::back_inserter(rest),
                 [&](const auto& lightpath)
                 { return std::find(others.begin(), others.end(), lightpath) == others.end(); });
    return rest;
}

} // namespace

TypeId
MigrationScheduler::GetTypeId()
{
    using T = MigrationScheduler;
    static TypeId tid =
        TypeIdOf<MigrationScheduler, SchedulerApplication>("ns3::odcn::MigrationScheduler")
            .Add(Attribute("PacketScale", &T::m_scale, 1e-4, 1e-6, 1e-3),
                 "Share of a worker's bytes that is sent.")
            .Add(Attribute("Cut", &T::m_cut, false),
                 "Whether a fibre is cut in the middle of each migration.")
            .Add(Trace("Decided", &T::m_decidedTrace, "DecidedTracedCallback"),
                 "A decision was made.")
            .Add(Trace("Carried", &T::m_carriedTrace, "CarriedTracedCallback"),
                 "A migration in packets is over and was reported to the controller.")
            .Add(Trace("HostUsed", &T::m_hostTrace, "HostTracedCallback"),
                 "A host is about to get its first worker.")
            .Add(Trace("MoveReady", &T::m_moveTrace, "MoveTracedCallback"),
                 "A worker is about to move.");
    return tid;
}

void
MigrationScheduler::DoDispose()
{
    m_problem = nullptr;
    m_manager = nullptr;
    m_plane = nullptr;
    m_lit.clear();
    m_oldRing.clear();
    m_newRing.clear();
    m_transfers.clear();
    m_ring.clear();
    m_applications.clear();
    m_moves.clear();
    m_then = nullptr;
    SchedulerApplication::DoDispose();
}

void
MigrationScheduler::SetProblem(Ptr<IcciMigration> problem)
{
    m_problem = problem;
    m_manager = problem->GetManager();
}

void
MigrationScheduler::SetPlane(Ptr<IcciPacketPlane> plane)
{
    m_plane = plane;
}

void
MigrationScheduler::Begin()
{
    if (!m_problem)
    {
        throw OdcnError("MigrationScheduler: a problem is needed");
    }
    if (!m_plane)
    {
        return;
    }
    m_gpuTime = Seconds(GetAttributeOf<DoubleValue>(*m_manager, "GpuTime"));
    m_bitsPerWavelength = GetAttributeOf<DoubleValue>(*m_manager, "BitsPerWavelength");
    const auto& control = m_plane->GetControl();
    // The day's faults are the manager's; the controller takes those of its network over.
    MirrorLinks(true);
    MirrorLinks(false);
    control->SetLedger(&m_manager->ShareWavelengths());
    Connect(control, "Restored", MakeCallback(&MigrationScheduler::Restored, this));
    Connect(control, "NotRestored", MakeCallback(&MigrationScheduler::NotRestored, this));
    Connect(m_manager, "Started", MakeCallback(&MigrationScheduler::Started, this));
}

void
MigrationScheduler::End()
{
    SetControlLatency(0);
    if (!m_plane)
    {
        return;
    }
    m_never.Cancel();
    for (const auto& application : m_applications)
    {
        application->Dispose();
    }
    m_applications.clear();
    const auto& control = m_plane->GetControl();
    for (const auto& lit : m_lit)
    {
        control->TearDown(lit.lightpath);
    }
    m_lit.clear();
    control->SetLedger(nullptr);
    m_manager->Release();
}

bool
MigrationScheduler::GetNext(double& time) const
{
    time = m_manager->GetTime();
    return !m_problem->IsDone();
}

void
MigrationScheduler::SetControlLatency(double time)
{
    m_manager->SetControlLatency(
        time > 0 || !GetDecisionTime().IsZero() ? time + GetJobTime(GetDecisionTime()) : 0);
}

bool
MigrationScheduler::DecideNext()
{
    const uint32_t action = GetPolicy().Decide(*m_problem);
    m_problem->Act(action);
    m_decidedTrace(action);
    return !BeginWindow();
}

void
MigrationScheduler::Started(uint32_t migration)
{
    const IcciMigrationRecord& record = m_manager->GetMigrations()[migration];
    if (record.moves.empty() || !TakeWindow(++m_nMigrations))
    {
        return;
    }
    m_manager->Hold();
    m_row = {};
    m_row.migration = migration;
    m_row.task = record.task;
    m_row.moved = static_cast<uint32_t>(record.moves.size());
    m_row.start = record.start;
    m_row.eq16 = record.downtime;
    m_task = m_manager->GetTasks()[record.task];
    m_row.workers = static_cast<uint32_t>(m_task.ring.size());
    m_row.ringScale =
        std::clamp(LEAST_PACKETS * PAYLOAD * m_row.workers / (m_task.task.parameters * 1e9 / 8),
                   m_scale,
                   1.0);
    if (m_manager->GetMigratedBytes(m_task.task) * m_scale > 4e8)
    {
        throw OdcnError::InOption("scale of packets",
                                  std::to_string(m_scale),
                                  "no more than 400 MB of a worker to be sent");
    }
}

bool
MigrationScheduler::BeginWindow()
{
    if (!m_manager->IsHeld())
    {
        return false;
    }
    After(std::max(Time(0), GetSimulatedTime(m_row.start) - Simulator::Now()),
          [this]()
          {
              StandStill();
              Command(
                  PLAIN_MESSAGE + ITEM_BYTES * (m_row.workers + m_row.moved),
                  [this]() { Prepare(); },
                  GetAttributeOf<TimeValue>(*m_plane->GetNetwork(), "SetUpTime"));
          });
    return true;
}

void
MigrationScheduler::Prepare()
{
    const IcciMigrationRecord& record = m_manager->GetMigrations()[m_row.migration];
    m_countsBefore = m_plane->Count();
    // No lightpath is over a failed link: cuts come last, so that none goes dark.
    MirrorLinks(false);
    Mirror();
    MirrorLinks(true);
    m_oldRing = Find(m_task.lightpaths);
    m_newRing = Find(record.lit.hops);
    m_transfers = Find(record.transfers);
    m_roundTrip = Time(0);
    for (const auto& lit : m_lit)
    {
        m_roundTrip = std::max(m_roundTrip, 2 * lit.lightpath->GetLatency(0));
    }
    m_settle = std::max(MilliSeconds(10), 4 * m_roundTrip);
    Use(m_oldRing, true);
    Use(m_transfers, true);
    const auto setUp = GetAttributeOf<TimeValue>(*m_plane->GetNetwork(), "SetUpTime");
    After(setUp + m_settle, [this]() { RunBefore(); });
}

void
MigrationScheduler::RunBefore()
{
    m_port = m_plane->TakePort();
    const auto first = static_cast<uint32_t>(std::max(1.0, m_task.done)) - 1;
    for (std::size_t i = 0; i < m_task.ring.size(); ++i)
    {
        AddWorker(m_task.ring, i, first);
    }
    AddMoves();
    Iterate(
        [this]()
        {
            m_row.before =
                GetTransfer(m_manager->GetMigrations()[m_row.migration].wavelengthsBefore);
            // Let acknowledgements arrive before a fibre may be cut.
            After(m_settle, [this]() { Move(); });
        });
}

void
MigrationScheduler::Move()
{
    m_arrived = 0;
    m_moved.clear();
    m_stayed = false;
    m_begun = Simulator::Now();
    Await(1, "a migration", [this]() { Moved(); });
    m_moves.front().source->Migrate();
    if (m_cut)
    {
        PlanCut();
    }
}

void
MigrationScheduler::Moved()
{
    m_row.completed = !m_stayed;
    m_row.downtime = GetDowntime();
    After(m_settle,
          [this]()
          {
              if (m_row.completed)
              {
                  CloseRing();
              }
              else
              {
                  Iterate([this]() { CleanUp(); });
              }
          });
}

void
MigrationScheduler::CloseRing()
{
    for (const auto& move : m_moves)
    {
        if (move.target->GetResumed() != 1)
        {
            throw OdcnError("a worker did not arrive exactly once");
        }
    }
    Use(Without(m_newRing, m_oldRing), true);
    const auto& ring = m_manager->GetMigrations()[m_row.migration].ring;
    m_doneIterations = m_ring.begin()->second->GetIterations();
    std::erase_if(m_ring,
                  [&](const auto& worker)
                  {
                      if (std::find(ring.begin(), ring.end(), worker.first) != ring.end())
                      {
                          return false;
                      }
                      worker.second->Leave();
                      return true;
                  });
    // All close their connections while the old lightpaths exist: a connection that moved to
    // another path would keep the round-trip estimate of the old one.
    for (const auto& [centre, worker] : m_ring)
    {
        worker->SetNext(Ipv4Address::GetAny());
    }
    After(m_settle, [this]() { RunAfter(); });
}

void
MigrationScheduler::RunAfter()
{
    Use(Without(m_oldRing, m_newRing), false);
    const auto& ring = m_manager->GetMigrations()[m_row.migration].ring;
    for (std::size_t i = 0; i < ring.size(); ++i)
    {
        if (const auto stays = m_ring.find(ring[i]); stays != m_ring.end())
        {
            stays->second->SetNext(GetNextWorker(ring, i));
        }
        else
        {
            AddWorker(ring, i, m_doneIterations);
        }
    }
    Iterate([this]() { CleanUp(); });
}

void
MigrationScheduler::CleanUp()
{
    const IcciMigrationRecord& record = m_manager->GetMigrations()[m_row.migration];
    m_row.after = GetTransfer(m_row.completed ? record.wavelengthsAfter : record.wavelengthsBefore);
    const Time repair =
        m_repair.IsExpired() ? Time(0) : Simulator::GetDelayLeft(m_repair) + m_settle;
    After(repair,
          [this]()
          {
              for (const auto& application : m_applications)
              {
                  application->Dispose();
              }
              m_applications.clear();
              m_moves.clear();
              m_ring.clear();
              After(m_settle, [this]() { Report(); });
          });
}

void
MigrationScheduler::Report()
{
    Use(m_row.completed ? m_newRing : m_oldRing, false);
    Use(m_transfers, false);
    m_transfers.clear();
    const PacketCounts now = m_plane->Count();
    if (now.GetMissing() != 0)
    {
        throw OdcnError("packets are missing: " + std::to_string(now.GetMissing()));
    }
    m_row.sent = now.sent - m_countsBefore.sent;
    for (std::size_t cause = 0; cause < OCS_DROP_CAUSES; ++cause)
    {
        m_row.dropped.packets[cause] =
            now.dropped.packets[cause] - m_countsBefore.dropped.packets[cause];
    }
    Send(ManagementNetwork::REPORT,
         PLAIN_MESSAGE,
         [this]()
         {
             GoOn();
             if (m_cut || !m_row.completed)
             {
                 m_manager->SetOutcome(m_row.migration, m_row.downtime, m_row.completed);
             }
             m_carriedTrace(m_row);
             m_manager->Release();
             m_problem->Continue();
             if (!BeginWindow())
             {
                 Continue();
             }
         });
}

void
MigrationScheduler::Mirror()
{
    std::vector<const OtnGrant*> granted;
    const auto add = [&](const std::vector<OtnGrant>& grants)
    {
        for (const auto& grant : grants)
        {
            granted.push_back(&grant);
        }
    };
    for (const auto& task : m_manager->GetTasks())
    {
        add(task.lightpaths);
    }
    for (const auto& record : m_manager->GetMigrations())
    {
        if (record.phase == IcciMigrationRecord::STARTED)
        {
            add(record.lit.added);
            add(record.transfers);
        }
    }
    const auto& control = m_plane->GetControl();
    // Tear down first: wavelengths of released grants may have been granted again.
    std::erase_if(m_lit,
                  [&](const Lit& lit)
                  {
                      const auto found =
                          std::find_if(granted.begin(),
                                       granted.end(),
                                       [&](const OtnGrant* grant) { return *grant == lit.grant; });
                      if (found != granted.end())
                      {
                          granted.erase(found);
                          return false;
                      }
                      control->TearDown(lit.lightpath);
                      return true;
                  });
    for (const OtnGrant* grant : granted)
    {
        m_lit.push_back({*grant, control->SetUp(*grant)});
    }
}

void
MigrationScheduler::MirrorLinks(bool cut) const
{
    const auto& network = m_plane->GetNetwork();
    for (uint32_t link = 0; link < network->GetMesh()->GetNLinks(); ++link)
    {
        if (m_manager->GetWavelengths().IsCut(link) == cut &&
            network->GetFiber(2 * link)->IsCut() != cut)
        {
            cut ? network->CutLink(link) : network->RepairLink(link);
        }
    }
}

MigrationScheduler::Lightpaths
MigrationScheduler::Find(const std::vector<OtnGrant>& grants) const
{
    Lightpaths lightpaths;
    for (const auto& grant : grants)
    {
        lightpaths.push_back(std::find_if(m_lit.begin(),
                                          m_lit.end(),
                                          [&](const Lit& lit) { return lit.grant == grant; })
                                 ->lightpath);
    }
    return lightpaths;
}

void
MigrationScheduler::Use(const Lightpaths& lightpaths, bool use) const
{
    for (const auto& lightpath : lightpaths)
    {
        use ? m_plane->Connect(lightpath) : m_plane->Disconnect(lightpath);
    }
}

IcciWorkerPlace
MigrationScheduler::GetPlace(uint32_t centre) const
{
    return {centre, m_row.task % m_plane->GetTree(centre)->GetNServers()};
}

Ptr<Node>
MigrationScheduler::UseHost(const IcciWorkerPlace& place)
{
    const Ptr<Node> node = m_plane->GetHost(place);
    if (m_hosts.insert(node->GetId()).second)
    {
        m_hostTrace(node);
    }
    return node;
}

Ipv4Address
MigrationScheduler::GetNextWorker(const std::vector<uint32_t>& ring, std::size_t i) const
{
    return m_plane->GetAddress(GetPlace(ring[(i + 1) % ring.size()]));
}

void
MigrationScheduler::AddWorker(const std::vector<uint32_t>& ring, std::size_t i, uint32_t first)
{
    auto worker = CreateObject<RingAllReduceApplication>();
    worker->SetAttribute("Port", UintegerValue(m_port));
    worker->SetAttribute("Next", Ipv4AddressValue(GetNextWorker(ring, i)));
    worker->SetAttribute("Workers", UintegerValue(ring.size()));
    // P counts as Gbit in Eq. 3.
    worker->SetAttribute("Bytes",
                         UintegerValue(static_cast<uint64_t>(m_task.task.parameters * 1e9 / 8)));
    worker->SetAttribute("Scale", DoubleValue(m_row.ringScale));
    worker->SetAttribute("ComputeTime", TimeValue(Seconds(m_task.demand.compute)));
    worker->SetAttribute("First", UintegerValue(first));
    const uint64_t bytes = 2 * (ring.size() - 1) * worker->GetChunk();
    worker->SetAttribute(
        "Window",
        UintegerValue(MessageStream::GetWindow(GetRingRate(), m_roundTrip, bytes)));
    worker->TraceConnectWithoutContext(
        "Iteration",
        MakeCallback(&MigrationScheduler::IterationDone, Ptr<MigrationScheduler>(this)));
    worker->TraceConnectWithoutContext(
        "Paused",
        MakeCallback(&MigrationScheduler::WorkerPaused, Ptr<MigrationScheduler>(this)));
    UseHost(GetPlace(ring[i]))->AddApplication(worker);
    m_ring[ring[i]] = worker;
    m_applications.emplace_back(worker);
}

void
MigrationScheduler::AddMoves()
{
    const IcciMigrationRecord& record = m_manager->GetMigrations()[m_row.migration];
    for (std::size_t i = 0; i < record.moves.size(); ++i)
    {
        const auto from = GetPlace(record.moves[i].first);
        const auto to = GetPlace(record.moves[i].second);
        m_moveTrace(from, to);
        UseHost(to);
        auto move = m_plane->AddMove(from,
                                     to,
                                     m_manager->GetMigratedBytes(m_task.task),
                                     m_scale,
                                     m_gpuTime);
        // Long enough for a reroute around a cut, too short to wait for a repair.
        move.source->SetAttribute(
            "Timeout",
            TimeValue(m_gpuTime + 16 * m_settle + Seconds(2 * m_scale * GetTransferTime(i))));
        move.source->TraceConnectWithoutContext(
            "Done",
            MakeCallback(&MigrationScheduler::WorkerMoved, Ptr<MigrationScheduler>(this)));
        move.source->TraceConnectWithoutContext(
            "Abandoned",
            MakeCallback(&MigrationScheduler::WorkerStayed, Ptr<MigrationScheduler>(this)));
        move.target->TraceConnectWithoutContext(
            "Arrived",
            MakeCallback(&MigrationScheduler::WorkerArrived, Ptr<MigrationScheduler>(this)));
        m_applications.emplace_back(move.source);
        m_applications.emplace_back(move.target);
        m_moves.push_back(move);
    }
}

void
MigrationScheduler::Iterate(std::function<void()> then)
{
    m_slowest = 0;
    Await(static_cast<uint32_t>(m_ring.size()), "an iteration", std::move(then));
    for (const auto& [centre, worker] : m_ring)
    {
        worker->Resume();
        Simulator::Schedule(Seconds(m_task.demand.compute / 2),
                            &RingAllReduceApplication::Pause,
                            worker);
    }
}

double
MigrationScheduler::GetRingRate() const
{
    const IcciMigrationRecord& record = m_manager->GetMigrations()[m_row.migration];
    return m_bitsPerWavelength * std::max(record.wavelengthsBefore, record.wavelengthsAfter);
}

void
MigrationScheduler::CheckTransfer(Time transfer, double seconds, const std::string& what) const
{
    // The time of all bytes can be extrapolated only if the packets arrive without a pause.
    constexpr double MOST = 1.5;
    if (transfer.GetSeconds() > MOST * seconds)
    {
        throw OdcnError::InOption("packets: " + what + " of task " + std::to_string(m_row.task),
                                  std::to_string(transfer.GetSeconds()) + " s",
                                  "about " + std::to_string(seconds) +
                                      " s; a round trip dominates, so the time of all bytes "
                                      "cannot be told from this PacketScale");
    }
}

IcciPacketTransfer
MigrationScheduler::GetTransfer(uint32_t wavelengths) const
{
    const auto n = static_cast<double>(m_task.ring.size());
    return {2 * (n - 1) * m_task.task.parameters * 1e9 / (n * m_bitsPerWavelength * wavelengths),
            m_task.demand.transfer * m_task.demand.bus / wavelengths,
            m_slowest};
}

double
MigrationScheduler::GetTransferTime(std::size_t move) const
{
    const auto& grant = m_plane->GetControl()->GetGrant(m_transfers[move]);
    return 8 * m_manager->GetMigratedBytes(m_task.task) / (m_bitsPerWavelength * grant.GetCount());
}

void
MigrationScheduler::PlanCut()
{
    const auto& path = m_plane->GetControl()->GetGrant(m_transfers.front()).path;
    const auto& network = m_plane->GetNetwork();
    const std::size_t hop = path.size() / 2;
    const uint32_t link = path[hop] / 2;
    // When half of the bits have passed this hop.
    Time middle = network->GetNode(network->GetSiteOf(m_transfers.front(), 0))->GetOeoTime() +
                  Seconds(0.5 * m_scale * GetTransferTime(0));
    for (std::size_t i = 0; i <= hop; ++i)
    {
        middle += network->GetFiber(path[i])->GetDelay();
    }
    Simulator::Schedule(middle, &OtnNetwork::CutLink, network, link);
    m_repair = Simulator::Schedule(middle + MilliSeconds(REPAIR_MS),
                                   &OtnNetwork::RepairLink,
                                   network,
                                   link);
}

double
MigrationScheduler::GetDowntime() const
{
    Time end = m_gaveUp;
    double transfers = 0;
    if (!m_stayed)
    {
        end = m_begun;
        for (const auto& moved : m_moved)
        {
            end = std::max(end, moved.ready);
            transfers += moved.transfer.GetSeconds() * (1 / m_scale - 1);
        }
    }
    if (m_cut || m_stayed)
    {
        // The delay caused by a cut does not scale: add only the transmission of unsent bytes.
        transfers = 0;
        for (std::size_t i = 0; i < m_moves.size(); ++i)
        {
            const double share = !m_stayed || i < m_arrived ? 1 : i == m_arrived ? 0.5 : 0;
            transfers += share * GetTransferTime(i) * (1 - m_scale);
        }
    }
    return (end - m_begun).GetSeconds() + transfers;
}

void
MigrationScheduler::Await(uint32_t count, const std::string& what, std::function<void()> then)
{
    m_awaited = count;
    m_then = std::move(then);
    const auto never = [this, what]()
    {
        throw OdcnError("packets: " + what + " of task " + std::to_string(m_row.task) +
                        " does not end");
    };
    m_never = CompatSchedule(Seconds(PATIENCE_S), never);
}

void
MigrationScheduler::Happened()
{
    if (m_awaited > 0 && --m_awaited == 0)
    {
        m_never.Cancel();
        After(Time(0), std::move(m_then));
    }
}

void
MigrationScheduler::IterationDone(const RingIteration& iteration)
{
    const auto& ring = m_ring.begin()->second;
    const IcciMigrationRecord& record = m_manager->GetMigrations()[m_row.migration];
    const uint32_t wavelengths = std::min(record.wavelengthsBefore, record.wavelengthsAfter);
    const double bits = 16.0 * static_cast<double>((m_row.workers - 1) * ring->GetChunk());
    CheckTransfer(iteration.transfer, bits / (m_bitsPerWavelength * wavelengths), "an iteration");
    m_slowest = std::max(m_slowest, iteration.GetUnscaled().GetSeconds());
}

void
MigrationScheduler::WorkerPaused(uint32_t)
{
    Happened();
}

void
MigrationScheduler::WorkerArrived(uint32_t)
{
    if (++m_arrived < m_moves.size() && !m_stayed)
    {
        m_moves[m_arrived].source->Migrate();
    }
}

void
MigrationScheduler::WorkerMoved(const BulkMigration& migration)
{
    if (!m_cut)
    {
        CheckTransfer(migration.transfer, m_scale * GetTransferTime(m_moved.size()), "a migration");
    }
    m_moved.push_back(migration);
    if (m_moved.size() == m_moves.size())
    {
        Happened();
    }
}

void
MigrationScheduler::WorkerStayed(const BulkMigration&)
{
    if (m_stayed)
    {
        return;
    }
    // Either all workers move or none.
    m_stayed = true;
    m_gaveUp = Simulator::Now();
    for (const auto& move : m_moves)
    {
        move.source->Abandon();
    }
    Happened();
}

void
MigrationScheduler::Restored(Ptr<OtnLightpath> lightpath)
{
    ++m_row.rerouted;
    const auto lit = std::find_if(m_lit.begin(),
                                  m_lit.end(),
                                  [&](const Lit& l) { return l.lightpath == lightpath; });
    const OtnGrant& after = m_plane->GetControl()->GetGrant(lightpath);
    if (lit == m_lit.end() || !m_manager->Reroute(lit->grant, after))
    {
        throw OdcnError("a lightpath was sent round a cut that nobody was granted");
    }
    lit->grant = after;
}

void
MigrationScheduler::NotRestored(Ptr<OtnLightpath> lightpath)
{
    const auto found = std::find(m_transfers.begin(), m_transfers.end(), lightpath);
    if (found != m_transfers.end())
    {
        m_moves[static_cast<std::size_t>(found - m_transfers.begin())].source->Abandon();
    }
}

} // namespace ns3::odcn
