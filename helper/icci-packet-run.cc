// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "icci-packet-run.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/ipv4-address.h"
#include "ns3/odcn-error.h"
#include "ns3/otn-mesh.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace odcn
{

namespace
{

/// How long a fibre stays cut.
constexpr int64_t REPAIR_MS = 500;

/// Packets of a message of the ring at least, so that its transfer can be told from its latency.
constexpr double LEAST_PACKETS = 16;

/// Payload of a packet of 9000 bytes.
constexpr double PAYLOAD = 8948;

/// @param manager any  @param name Attribute, of a double  @return its value
double
GetDouble(Ptr<const IcciManager> manager, const std::string& name)
{
    DoubleValue value;
    manager->GetAttribute(name, value);
    return value.Get();
}

/// @param lightpaths some  @param others some  @return those that are not among the others
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

IcciPlaneOptions
IcciPacketRun::GetPlaneOptions(Ptr<const IcciManager> manager)
{
    BooleanValue bothWays;
    manager->GetAttribute("BothWays", bothWays);
    if (!bothWays.Get())
    {
        throw OdcnError::InOption("IcciManager::BothWays",
                                  "false",
                                  "true where packets carry migrations");
    }
    IcciPlaneOptions options;
    options.gpus = manager->GetCusPerCentre();
    options.wavelengths = 0;
    for (uint32_t link = 0; link < manager->GetMesh()->GetNLinks(); ++link)
    {
        options.wavelengths =
            std::max(options.wavelengths, manager->GetMesh()->GetLink(link).wavelengths);
    }
    options.bitsPerWavelength = GetDouble(manager, "BitsPerWavelength");
    options.oeoTime = GetDouble(manager, "OeoTime");
    options.kmPerSecond = GetDouble(manager, "KmPerSecond");
    return options;
}

IcciPacketRun::IcciPacketRun(Ptr<const IcciManager> manager, const IcciPacketOptions& options)
    : m_options(options),
      m_plane(manager->GetMesh(), GetPlaneOptions(manager)),
      m_gpuTime(Seconds(GetDouble(manager, "GpuTime"))),
      m_bitsPerWavelength(GetDouble(manager, "BitsPerWavelength"))
{
    m_plane.GetControl()->TraceConnectWithoutContext("Restored",
                                                     MakeCallback(&IcciPacketRun::Restored, this));
    m_plane.GetControl()->TraceConnectWithoutContext(
        "NotRestored",
        MakeCallback(&IcciPacketRun::NotRestored, this));
}

IcciPacketRun::~IcciPacketRun()
{
    Leave();
}

void
IcciPacketRun::Leave()
{
    for (const auto& lit : m_lit)
    {
        m_plane.GetControl()->TearDown(lit.lightpath);
    }
    m_lit.clear();
    m_plane.GetControl()->SetLedger(nullptr);
    if (m_manager)
    {
        m_manager->TraceDisconnectWithoutContext("Started",
                                                 MakeCallback(&IcciPacketRun::Started, this));
    }
    m_manager = nullptr;
}

void
IcciPacketRun::Carry(Ptr<IcciManager> manager, uint32_t migrations)
{
    Leave();
    m_manager = manager;
    m_left = migrations;
    m_rows.clear();
    m_plane.GetControl()->SetLedger(&manager->ShareWavelengths());
    manager->TraceConnectWithoutContext("Started", MakeCallback(&IcciPacketRun::Started, this));
}

void
IcciPacketRun::Started(uint32_t migration)
{
    if (m_left > 0 && !m_manager->GetMigrations()[migration].moves.empty())
    {
        --m_left;
        CarryOut(migration);
    }
}

void
IcciPacketRun::CarryOut(uint32_t migration)
{
    const IcciMigrationRecord& record = m_manager->GetMigrations()[migration];
    m_task = m_manager->GetTasks()[record.task];
    const double bytes = m_task.task.parameters * 1e9;
    if (bytes * m_options.scale > 4e8)
    {
        throw OdcnError::InOption("scale of packets",
                                  std::to_string(m_options.scale),
                                  "no more than 400 MB of a worker to be sent");
    }
    const IcciPlaneCounts before = m_plane.Count();
    const auto workers = static_cast<uint32_t>(m_task.ring.size());
    m_row = {};
    m_row.migration = migration;
    m_row.task = record.task;
    m_row.workers = workers;
    m_row.moved = static_cast<uint32_t>(record.moves.size());
    m_row.start = record.start;
    m_row.eq16 = record.downtime;
    m_row.ringScale =
        std::clamp(LEAST_PACKETS * PAYLOAD * workers / (bytes / 8), m_options.scale, 1.0);

    Mirror();
    const Lightpaths old = Find(m_task.lightpaths);
    const Lightpaths next = Find(record.lit.hops);
    m_transfers = Find(record.transfers);
    m_settle = MilliSeconds(10);
    for (const auto& lit : m_lit)
    {
        m_settle = std::max(m_settle, 8 * lit.lightpath->GetLatency(0));
    }
    Use(old, true);
    Use(m_transfers, true);
    TimeValue setUp;
    m_plane.GetNetwork()->GetAttribute("SetUpTime", setUp);
    RunFor(setUp.Get() + m_settle);

    // The last iteration before it.
    ++m_rings;
    const auto first = static_cast<uint32_t>(std::max(1.0, m_task.done)) - 1;
    for (std::size_t i = 0; i < workers; ++i)
    {
        AddWorker(m_task.ring, i, first);
    }
    AddMoves(record);
    m_row.before = Iterate(record.wavelengthsBefore);

    // Acknowledgements get home before anything may break.
    RunFor(m_settle);
    m_row.completed = MoveWorkers();
    m_row.downtime = GetDowntime();
    RunFor(m_settle);
    if (m_row.completed)
    {
        for (const auto& move : m_moves)
        {
            if (move.target->GetResumed() != 1)
            {
                throw OdcnError("a worker did not come exactly once");
            }
        }
        CloseRing(m_manager->GetNewRing(migration), Without(old, next), Without(next, old));
    }
    m_row.after = Iterate(m_row.completed ? record.wavelengthsAfter : record.wavelengthsBefore);

    // All is over.
    if (!m_repair.IsExpired())
    {
        RunFor(Simulator::GetDelayLeft(m_repair) + m_settle);
    }
    for (const auto& application : m_applications)
    {
        application->Dispose();
    }
    m_applications.clear();
    m_moves.clear();
    m_ring.clear();
    RunFor(m_settle);
    Use(m_row.completed ? next : old, false);
    Use(m_transfers, false);
    m_transfers.clear();

    const IcciPlaneCounts now = m_plane.Count();
    if (now.GetMissing() != 0)
    {
        throw OdcnError("packets are missing: " + std::to_string(now.GetMissing()));
    }
    m_row.sent = now.sent - before.sent;
    for (std::size_t cause = 0; cause < OCS_DROP_CAUSES; ++cause)
    {
        m_row.dropped.packets[cause] = now.dropped.packets[cause] - before.dropped.packets[cause];
    }
    m_rows.push_back(m_row);
    if (m_options.cut || !m_row.completed)
    {
        m_manager->SetOutcome(migration, m_row.downtime, m_row.completed);
    }
}

void
IcciPacketRun::Mirror()
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
    const auto& control = m_plane.GetControl();
    // First what is no longer granted: others may have its wavelengths by now.
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

IcciPacketRun::Lightpaths
IcciPacketRun::Find(const std::vector<OtnGrant>& grants) const
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
IcciPacketRun::Use(const Lightpaths& lightpaths, bool use) const
{
    for (const auto& lightpath : lightpaths)
    {
        if (use)
        {
            m_plane.Connect(lightpath);
        }
        else
        {
            m_plane.Disconnect(lightpath);
        }
    }
}

IcciWorkerPlace
IcciPacketRun::GetPlace(uint32_t centre) const
{
    return {centre, m_row.task % m_plane.GetTree(centre)->GetSize().hosts};
}

Ptr<Node>
IcciPacketRun::Watch(const IcciWorkerPlace& place)
{
    const Ptr<Node> node = m_plane.GetTree(place.centre)->GetHost(place.host);
    if (m_options.watch && m_watched.insert(node->GetId()).second)
    {
        m_options.watch(node);
    }
    return node;
}

Ipv4Address
IcciPacketRun::GetNext(const std::vector<uint32_t>& ring, std::size_t i) const
{
    const auto place = GetPlace(ring[(i + 1) % ring.size()]);
    return m_plane.GetTree(place.centre)->GetHostAddress(place.host);
}

void
IcciPacketRun::AddWorker(const std::vector<uint32_t>& ring, std::size_t i, uint32_t first)
{
    constexpr uint32_t FIRST_PORT = 40000;
    constexpr uint32_t PORTS = 20000;
    auto worker = CreateObject<RingAllReduceApplication>();
    worker->SetAttribute("Port", UintegerValue(FIRST_PORT + m_rings % PORTS));
    worker->SetAttribute("Next", Ipv4AddressValue(GetNext(ring, i)));
    worker->SetAttribute("Workers", UintegerValue(ring.size()));
    // P counts as Gbit in Eq. 3.
    worker->SetAttribute("Bytes",
                         UintegerValue(static_cast<uint64_t>(m_task.task.parameters * 1e9 / 8)));
    worker->SetAttribute("Scale", DoubleValue(m_row.ringScale));
    worker->SetAttribute("ComputeTime", TimeValue(Seconds(m_task.demand.compute)));
    worker->SetAttribute("First", UintegerValue(first));
    worker->SetAttribute("Window", UintegerValue((1U << 20) + 4 * worker->GetChunk()));
    worker->TraceConnectWithoutContext("Iteration",
                                       MakeCallback(&IcciPacketRun::IterationDone, this));
    worker->TraceConnectWithoutContext("Paused", MakeCallback(&IcciPacketRun::WorkerPaused, this));
    const auto place = GetPlace(ring[i]);
    Watch(place)->AddApplication(worker);
    m_ring[ring[i]] = worker;
    m_applications.push_back(worker);
}

double
IcciPacketRun::GetTransferTime(std::size_t move) const
{
    const auto& grant = m_plane.GetControl()->GetGrant(m_transfers[move]);
    return 8e9 * m_task.task.parameters / (m_bitsPerWavelength * grant.GetCount());
}

void
IcciPacketRun::AddMoves(const IcciMigrationRecord& migration)
{
    for (std::size_t i = 0; i < migration.moves.size(); ++i)
    {
        const auto& [from, to] = migration.moves[i];
        if (!m_options.pcap.empty())
        {
            m_plane.EnablePcap(std::exchange(m_options.pcap, ""), GetPlace(from));
        }
        Watch(GetPlace(to));
        auto move = m_plane.AddMove(GetPlace(from),
                                    GetPlace(to),
                                    m_task.task.parameters * 1e9,
                                    m_options.scale,
                                    m_gpuTime);
        // Enough for a way round a cut, not enough for a repair.
        move.source->SetAttribute("Timeout",
                                  TimeValue(m_gpuTime + 16 * m_settle +
                                            Seconds(2 * m_options.scale * GetTransferTime(i))));
        move.source->TraceConnectWithoutContext("Done",
                                                MakeCallback(&IcciPacketRun::WorkerMoved, this));
        move.source->TraceConnectWithoutContext("Abandoned",
                                                MakeCallback(&IcciPacketRun::WorkerStayed, this));
        move.target->TraceConnectWithoutContext("Arrived",
                                                MakeCallback(&IcciPacketRun::WorkerArrived, this));
        m_applications.push_back(move.source);
        m_applications.push_back(move.target);
        m_moves.push_back(move);
    }
}

IcciPacketRun::Transfer
IcciPacketRun::Iterate(uint32_t wavelengths)
{
    m_slowest = 0;
    m_awaited = static_cast<uint32_t>(m_ring.size());
    for (const auto& [centre, worker] : m_ring)
    {
        worker->Resume();
        Simulator::Schedule(Seconds(m_task.demand.compute / 2),
                            &RingAllReduceApplication::Pause,
                            worker);
    }
    Await("an iteration");
    const auto n = static_cast<double>(m_task.ring.size());
    return {2 * (n - 1) * m_task.task.parameters * 1e9 / (n * m_bitsPerWavelength * wavelengths),
            m_task.demand.transfer * m_task.demand.bus / wavelengths,
            m_slowest};
}

bool
IcciPacketRun::MoveWorkers()
{
    m_arrived = 0;
    m_moved.clear();
    m_stayed = false;
    m_begun = Simulator::Now();
    m_awaited = 1;
    m_moves.front().source->Migrate();
    if (m_options.cut)
    {
        PlanCut();
    }
    Await("a migration");
    return !m_stayed;
}

void
IcciPacketRun::PlanCut()
{
    const auto& path = m_plane.GetControl()->GetGrant(m_transfers.front()).path;
    const auto& network = m_plane.GetNetwork();
    const std::size_t hop = path.size() / 2;
    const uint32_t link = path[hop] / 2;
    // When half of the bits have got past it.
    Time middle = network->GetNode(network->GetSiteOf(m_transfers.front(), 0))->GetOeoTime() +
                  Seconds(0.5 * m_options.scale * GetTransferTime(0));
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

void
IcciPacketRun::CloseRing(const std::vector<uint32_t>& ring,
                         const Lightpaths& left,
                         const Lightpaths& came)
{
    Use(came, true);
    const uint32_t done = m_ring.begin()->second->GetIterations();
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
    for (std::size_t i = 0; i < ring.size(); ++i)
    {
        if (const auto stays = m_ring.find(ring[i]); stays != m_ring.end())
        {
            stays->second->SetNext(GetNext(ring, i));
        }
    }
    // Connections close over the old lightpaths.
    RunFor(m_settle);
    Use(left, false);
    for (std::size_t i = 0; i < ring.size(); ++i)
    {
        if (!m_ring.contains(ring[i]))
        {
            AddWorker(ring, i, done);
        }
    }
}

double
IcciPacketRun::GetDowntime() const
{
    Time end = m_gaveUp;
    double transfers = 0;
    if (!m_stayed)
    {
        end = m_begun;
        for (const auto& moved : m_moved)
        {
            end = std::max(end, moved.ready);
            transfers += moved.transfer.GetSeconds() * (1 / m_options.scale - 1);
        }
    }
    if (m_options.cut || m_stayed)
    {
        // What a cut costs does not scale; the bytes take what their wavelengths make of them.
        transfers = 0;
        for (std::size_t i = 0; i < m_moves.size(); ++i)
        {
            const double share = !m_stayed || i < m_arrived ? 1 : i == m_arrived ? 0.5 : 0;
            transfers += share * GetTransferTime(i) * (1 - m_options.scale);
        }
    }
    return (end - m_begun).GetSeconds() + transfers;
}

void
IcciPacketRun::Await(const std::string& what)
{
    const EventId end =
        Simulator::Schedule(Seconds(1000), static_cast<void (*)()>(&Simulator::Stop));
    Simulator::Run();
    Simulator::Cancel(end);
    if (m_awaited > 0)
    {
        throw OdcnError("packets: " + what + " of task " + std::to_string(m_row.task) +
                        " does not end");
    }
}

void
IcciPacketRun::Happened()
{
    if (m_awaited > 0 && --m_awaited == 0)
    {
        Simulator::Stop();
    }
}

void
IcciPacketRun::RunFor(Time time)
{
    Simulator::Stop(time);
    Simulator::Run();
}

void
IcciPacketRun::IterationDone(const RingIteration& iteration)
{
    m_slowest = std::max(m_slowest, iteration.GetUnscaled().GetSeconds());
}

void
IcciPacketRun::WorkerPaused(uint32_t)
{
    Happened();
}

void
IcciPacketRun::WorkerArrived(uint32_t)
{
    if (++m_arrived < m_moves.size() && !m_stayed)
    {
        m_moves[m_arrived].source->Migrate();
    }
}

void
IcciPacketRun::WorkerMoved(const BulkMigration& migration)
{
    m_moved.push_back(migration);
    if (m_moved.size() == m_moves.size())
    {
        Happened();
    }
}

void
IcciPacketRun::WorkerStayed(const BulkMigration&)
{
    if (m_stayed)
    {
        return;
    }
    // All or none.
    m_stayed = true;
    m_gaveUp = Simulator::Now();
    for (const auto& move : m_moves)
    {
        move.source->Abandon();
    }
    Happened();
}

void
IcciPacketRun::Restored(Ptr<OtnLightpath> lightpath)
{
    ++m_row.rerouted;
    const auto lit = std::find_if(m_lit.begin(),
                                  m_lit.end(),
                                  [&](const Lit& l) { return l.lightpath == lightpath; });
    const OtnGrant& after = m_plane.GetControl()->GetGrant(lightpath);
    if (lit == m_lit.end() || !m_manager->Reroute(lit->grant, after))
    {
        throw OdcnError("a lightpath was sent round a cut that nobody was granted");
    }
    lit->grant = after;
}

void
IcciPacketRun::NotRestored(Ptr<OtnLightpath> lightpath)
{
    const auto found = std::find(m_transfers.begin(), m_transfers.end(), lightpath);
    if (found != m_transfers.end())
    {
        m_moves[static_cast<std::size_t>(found - m_transfers.begin())].source->Abandon();
    }
}

} // namespace odcn
} // namespace ns3
