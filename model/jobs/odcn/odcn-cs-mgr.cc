// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-cs-mgr.h"

#include "ns3/assert.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/odcn-text.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("OdcnCsMgr");
NS_OBJECT_ENSURE_REGISTERED(CsMgr);

const char*
OdcnOutcomeName(OdcnOutcome outcome)
{
    static const std::array<const char*, ODCN_OUTCOMES> NAMES{"accepted",
                                                              "reconfigured",
                                                              "blocked-compute",
                                                              "blocked-choice",
                                                              "blocked-bandwidth"};
    return NAMES[static_cast<std::size_t>(outcome)];
}

uint64_t
OdcnCounters::Offered() const
{
    return std::accumulate(outcome.begin(), outcome.end(), uint64_t{0});
}

uint64_t
OdcnCounters::Accepted() const
{
    return outcome[static_cast<std::size_t>(OdcnOutcome::ACCEPTED)] + Reconfigurations();
}

uint64_t
OdcnCounters::Blocked() const
{
    return Offered() - Accepted();
}

double
OdcnCounters::BlockingRatio() const
{
    const auto offered = Offered();
    return offered ? static_cast<double>(Blocked()) / static_cast<double>(offered) : 0.0;
}

uint64_t
OdcnCounters::Reconfigurations() const
{
    return outcome[static_cast<std::size_t>(OdcnOutcome::RECONFIGURED)];
}

TypeId
CsMgr::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::CsMgr")
            .SetParent<Object>()
            .SetGroupName("Odcn")
            .AddConstructor<CsMgr>()
            .AddAttribute("ServersPerRack",
                          "Number of servers in each rack, M.",
                          UintegerValue(32),
                          MakeUintegerAccessor(&CsMgr::m_serversPerRack),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute("ServersByRack",
                          "Number of servers of each rack in turn where they differ, e.g. "
                          "8*48,8*16; empty for ServersPerRack.",
                          StringValue(""),
                          MakeStringAccessor(&CsMgr::SetServersByRack, &CsMgr::GetServersByRack),
                          MakeStringChecker())
            .AddAttribute("ServerCores",
                          "CPU cores of a server.",
                          DoubleValue(32),
                          MakeDoubleAccessor(&CsMgr::m_cores),
                          MakeDoubleChecker<double>(1, 65536))
            .AddAttribute("ServerMemory",
                          "Memory of a server in GB.",
                          DoubleValue(256),
                          MakeDoubleAccessor(&CsMgr::m_memoryGb),
                          MakeDoubleChecker<double>(0, 1e9))
            .AddAttribute("ServerDisk",
                          "Disk of a server in GB.",
                          DoubleValue(3584),
                          MakeDoubleAccessor(&CsMgr::m_diskGb),
                          MakeDoubleChecker<double>(0, 1e9))
            .AddAttribute("Placement",
                          "How a VM's server is found within its rack.",
                          CompatEnumValue<OdcnComputeLedger::Placement>(
                              OdcnComputeLedger::Placement::BALANCED),
                          CompatEnumAccessor<OdcnComputeLedger::Placement>(&CsMgr::m_placement),
                          MakeEnumChecker(OdcnComputeLedger::Placement::BALANCED,
                                          "Balanced",
                                          OdcnComputeLedger::Placement::BEST_FIT,
                                          "BestFit",
                                          OdcnComputeLedger::Placement::FIRST_FIT,
                                          "FirstFit"))
            .AddAttribute(
                "Tie",
                "Which of several servers of a rack with equally many free cores is "
                "taken: the first, or the one with most free memory.",
                CompatEnumValue<OdcnComputeLedger::Tie>(OdcnComputeLedger::Tie::LOWEST_INDEX),
                CompatEnumAccessor<OdcnComputeLedger::Tie>(&CsMgr::m_tie),
                MakeEnumChecker(OdcnComputeLedger::Tie::LOWEST_INDEX,
                                "LowestIndex",
                                OdcnComputeLedger::Tie::MOST_MEMORY,
                                "MostMemory"))
            .AddTraceSource("JobPlaced",
                            "A job was accepted; its servers and bandwidth are reserved.",
                            MakeTraceSourceAccessor(&CsMgr::m_placedTrace),
                            "ns3::odcn::CsMgr::JobTracedCallback")
            .AddTraceSource("JobReleased",
                            "A job has expired; its servers and bandwidth are free again.",
                            MakeTraceSourceAccessor(&CsMgr::m_releasedTrace),
                            "ns3::odcn::CsMgr::JobTracedCallback")
            .AddAttribute("AfterFailure",
                          "What becomes of jobs whose servers or circuits fail: they end, are "
                          "offered again for the rest of their duration, or are offered again and "
                          "repeat the work since their last checkpoint.",
                          CompatEnumValue<FaultPlan::AfterFailure>(FaultPlan::END),
                          CompatEnumAccessor<FaultPlan::AfterFailure>(&CsMgr::m_afterFailure),
                          FaultPlan::MakeAfterFailureChecker())
            .AddAttribute("CheckpointInterval",
                          "Job time between checkpoints of a job; 0 for none: jobs restart from "
                          "their beginning.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&CsMgr::m_checkpoints),
                          MakeDoubleChecker<double>(0, 1e12))
            .AddTraceSource("JobInterrupted",
                            "A job was interrupted by a failure; its servers and bandwidth are "
                            "free again.",
                            MakeTraceSourceAccessor(&CsMgr::m_interruptedTrace),
                            "ns3::odcn::CsMgr::JobTracedCallback")
            .AddTraceSource("JobBlocked",
                            "A job was refused.",
                            MakeTraceSourceAccessor(&CsMgr::m_blockedTrace),
                            "ns3::odcn::CsMgr::BlockedTracedCallback")
            .AddTraceSource("CircuitsChanged",
                            "A reconfiguration was committed; comes before JobPlaced.",
                            MakeTraceSourceAccessor(&CsMgr::m_changesTrace),
                            "ns3::odcn::CsMgr::ChangesTracedCallback");
    return tid;
}

CsMgr::CsMgr() = default;

void
CsMgr::DoDispose()
{
    m_network = nullptr;
    Object::DoDispose();
}

void
CsMgr::SetNetwork(Ptr<NMgr> network)
{
    m_network = network;
}

void
CsMgr::SetServersByRack(const std::string& text)
{
    m_serversByRack = ParseCounts("ServersByRack", text);
    m_serversText = text;
}

std::string
CsMgr::GetServersByRack() const
{
    return m_serversText;
}

void
CsMgr::Reset()
{
    NS_ASSERT_MSG(m_network, "SetNetwork() first");
    auto serversByRack = m_serversByRack;
    if (serversByRack.empty())
    {
        serversByRack.assign(m_network->GetNRacks(), m_serversPerRack);
    }
    if (serversByRack.size() != m_network->GetNRacks())
    {
        throw OdcnError::InOption("ServersByRack",
                                  std::to_string(serversByRack.size()) + " racks",
                                  std::to_string(m_network->GetNRacks()) + " racks");
    }
    OdcnComputeLedger servers(std::move(serversByRack),
                              OdcnResources::Of(m_cores, m_memoryGb, m_diskGb),
                              m_placement,
                              m_tie);
    m_network->Reset();
    m_servers = std::move(servers);
    m_versions.assign(m_servers.GetNRacks(), ++m_version);
    m_job = nullptr;
    m_current.clear();
    m_jobs.clear();
    m_freeSlots.clear();
    m_departures.Clear();
    m_failed.clear();
    m_failedSum = OdcnResources();
    m_interrupted.clear();
    m_counters = OdcnCounters();
}

void
CsMgr::Account(double time)
{
    const double passed = time - m_counters.until;
    NS_ASSERT_MSG(passed >= 0, "job time moves only forward");
    for (std::size_t i = 0; i < OdcnResources::KINDS; ++i)
    {
        m_counters.busy[i] +=
            passed * static_cast<double>(m_servers.GetUsed().milli[i] - m_failedSum.milli[i]);
    }
    m_counters.until = time;
}

void
CsMgr::AdvanceTo(double time)
{
    NS_ASSERT_MSG(!m_job, "a request is being placed");
    while (m_departures.GetNext() <= time)
    {
        const auto leaving = m_departures.Pop();
        Account(leaving.time);
        ReleaseJob(leaving.slot);
        m_releasedTrace(m_jobs[leaving.slot]);
    }
    Account(time);
}

void
CsMgr::ReleaseJob(uint32_t slot)
{
    const OdcnPlacedJob& job = m_jobs[slot];
    for (std::size_t k = 0; k < job.servers.size(); ++k)
    {
        m_servers.Release(job.servers[k], job.vms[k]);
        Changed(job.servers[k]);
    }
    m_network->Release(job.bandwidth);
    m_freeSlots.push_back(slot);
}

void
CsMgr::CheckBetweenJobs() const
{
    if (m_job && !m_current.empty())
    {
        throw OdcnError("CsMgr: parts fail between jobs, not while VMs are being placed");
    }
}

OdcnCircuitChange
CsMgr::SetPortFailed(RackId rack, uint32_t port, bool output, bool failed)
{
    CheckBetweenJobs();
    const OdcnCircuitChange lost = m_network->SetPortFailed(rack, port, output, failed);
    if (lost.from != NO_RACK)
    {
        const OdcnCircuitLedger& circuits = m_network->GetCircuits();
        const bool pinned = m_network->GetSharing() == NMgr::Sharing::PINNED;
        const auto lacks = [&](const PairLoad& load)
        {
            return pinned ? circuits.GetOut(load.from, load.port).rack != load.to
                          : circuits.GetResidual(load.from, load.to) < 0;
        };
        Interrupt([&](const OdcnPlacedJob& job)
                  { return std::any_of(job.bandwidth.begin(), job.bandwidth.end(), lacks); });
    }
    return lost;
}

void
CsMgr::SetServerFailed(ServerId server, bool failed)
{
    CheckBetweenJobs();
    const uint32_t perRack = m_servers.GetServersPerRack();
    if (server / perRack >= m_servers.GetNRacks() ||
        server % perRack >= m_servers.GetNServers(server / perRack))
    {
        throw OdcnError::InOption("server", std::to_string(server), "a server of the data centre");
    }
    if (m_failed.contains(server) == failed)
    {
        return;
    }
    if (failed)
    {
        const auto isHit = [server](const OdcnPlacedJob& job)
        {
            const auto& used = job.servers;
            return std::find(used.begin(), used.end(), server) != used.end();
        };
        Interrupt(isHit);
        const OdcnResources all = m_servers.GetFree(server);
        m_servers.Reserve(server, all);
        m_failedSum += all;
        m_failed.emplace(server, all);
    }
    else
    {
        m_servers.Release(server, m_failed[server]);
        m_failedSum -= m_failed[server];
        m_failed.erase(server);
    }
    Changed(server);
}

void
CsMgr::Interrupt(const std::function<bool(const OdcnPlacedJob&)>& isHit)
{
    std::vector<uint32_t> slots = m_departures.GetSlots();
    const auto getStart = [this](uint32_t slot)
    { return std::pair(m_jobs[slot].start, m_jobs[slot].id); };
    std::ranges::sort(slots, std::greater{}, getStart);
    for (const uint32_t slot : slots)
    {
        const OdcnPlacedJob& job = m_jobs[slot];
        if (!isHit(job))
        {
            continue;
        }
        m_departures.Remove(slot);
        ReleaseJob(slot);
        ++m_counters.interrupted;
        const double done = m_counters.until - job.start;
        const double left = job.departure - m_controlLatency - m_counters.until;
        double lost = 0;
        if (m_afterFailure == FaultPlan::RESTART)
        {
            lost = m_checkpoints > 0 ? std::fmod(done, m_checkpoints) : done;
        }
        else if (m_afterFailure == FaultPlan::END)
        {
            lost = done;
        }
        m_counters.lostWork += lost;
        NS_LOG_INFO("job " << job.id << ": interrupted");
        if (m_afterFailure != FaultPlan::END && left + lost > 0)
        {
            m_interrupted.push_back({job.id, 0, left + lost, job.vms, job.demands});
        }
        m_interruptedTrace(job);
    }
}

bool
CsMgr::TakeInterrupted(OdcnJob& job)
{
    if (m_interrupted.empty())
    {
        return false;
    }
    job = std::move(m_interrupted.front());
    m_interrupted.pop_front();
    job.arrival = m_counters.until;
    ++m_counters.offeredAgain;
    return true;
}

void
CsMgr::Begin(const OdcnJob& job)
{
    NS_ASSERT_MSG(!m_job, "the request before has not ended");
    m_job = &job;
    m_current.clear();
    if (m_links.size() < job.vms.size())
    {
        m_links.resize(job.vms.size());
    }
    for (auto& links : m_links)
    {
        links.clear();
    }
    for (const auto& demand : job.demands)
    {
        m_links[std::max(demand.from, demand.to)].push_back(demand);
    }
}

bool
CsMgr::Place(RackId rack)
{
    const uint32_t k = GetVmIndex();
    NS_ASSERT_MSG(m_job && k < m_job->vms.size(), "no VM to place");
    const ServerId server = m_servers.Find(rack, m_job->vms[k]);
    if (server == NO_SERVER)
    {
        return false;
    }
    m_servers.Reserve(server, m_job->vms[k]);
    Changed(server);
    m_current.push_back(server);
    for (const auto& demand : m_links[k])
    {
        m_network->Stage(m_servers.GetRack(m_current[demand.from]),
                         m_servers.GetRack(m_current[demand.to]),
                         demand.rate);
    }
    return true;
}

void
CsMgr::ReleaseCurrent()
{
    for (std::size_t k = 0; k < m_current.size(); ++k)
    {
        m_servers.Release(m_current[k], m_job->vms[k]);
        Changed(m_current[k]);
    }
    m_current.clear();
}

void
CsMgr::Block(OdcnOutcome cause)
{
    NS_ASSERT_MSG(m_job, "no request");
    m_network->Unstage();
    ReleaseCurrent();
    ++m_counters.outcome[static_cast<std::size_t>(cause)];
    NS_LOG_INFO("job " << m_job->id << ": " << OdcnOutcomeName(cause));
    const OdcnJob* job = m_job;
    m_job = nullptr;
    m_blockedTrace(*job, cause);
}

OdcnOutcome
CsMgr::Commit()
{
    NS_ASSERT_MSG(m_job && GetVmIndex() == m_job->vms.size(), "VMs are left to place");
    const NMgr::Grant grant = m_network->Commit(m_granted);
    if (grant == NMgr::Grant::REFUSED)
    {
        Block(OdcnOutcome::BLOCKED_BANDWIDTH);
        return OdcnOutcome::BLOCKED_BANDWIDTH;
    }
    auto slot = static_cast<uint32_t>(m_jobs.size());
    if (m_freeSlots.empty())
    {
        m_jobs.emplace_back();
    }
    else
    {
        slot = m_freeSlots.back();
        m_freeSlots.pop_back();
    }
    OdcnPlacedJob& placed = m_jobs[slot];
    placed.id = m_job->id;
    placed.arrival = m_job->arrival;
    placed.start = m_counters.until;
    placed.departure = m_counters.until + m_job->duration + m_controlLatency;
    placed.vms.assign(m_job->vms.begin(), m_job->vms.end());
    placed.demands.assign(m_job->demands.begin(), m_job->demands.end());
    placed.servers.assign(m_current.begin(), m_current.end());
    placed.bandwidth.assign(m_granted.begin(), m_granted.end());
    m_departures.Push(placed.departure, slot);
    m_counters.placedVms += m_current.size();
    const bool moved = grant == NMgr::Grant::RECONFIGURED;
    const OdcnOutcome outcome = moved ? OdcnOutcome::RECONFIGURED : OdcnOutcome::ACCEPTED;
    ++m_counters.outcome[static_cast<std::size_t>(outcome)];
    NS_LOG_INFO("job " << placed.id << ": " << OdcnOutcomeName(outcome));
    m_job = nullptr;
    if (moved)
    {
        m_counters.changedCircuits += m_network->GetLastChanges().size();
        m_changesTrace(m_network->GetLastChanges());
    }
    m_placedTrace(placed);
    return outcome;
}

void
CsMgr::ClearCounters()
{
    const double now = m_counters.until;
    m_counters = OdcnCounters();
    m_counters.since = now;
    m_counters.until = now;
}

double
CsMgr::GetUtilisation(std::size_t kind) const
{
    const double passed = m_counters.until - m_counters.since;
    const auto capacity = static_cast<double>(m_servers.GetCapacity().milli[kind]);
    return passed > 0 && capacity > 0 ? m_counters.busy[kind] / (passed * capacity) : 0.0;
}

Ptr<CsMgr>
CsMgr::Clone(const OdcnJob& request) const
{
    Ptr<CsMgr> copy = CopyObject<CsMgr>(Ptr<const CsMgr>(this));
    copy->m_job = m_job ? &request : nullptr;
    copy->m_network = m_network->Clone();
    copy->m_placedTrace = {};
    copy->m_releasedTrace = {};
    copy->m_interruptedTrace = {};
    copy->m_blockedTrace = {};
    copy->m_changesTrace = {};
    return copy;
}

} // namespace ns3::odcn
