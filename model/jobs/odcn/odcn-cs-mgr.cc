// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-cs-mgr.h"

#include "ns3/assert.h"
#include "ns3/log.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-outages.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
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
    using T = CsMgr;
    static TypeId tid =
        TypeIdOf<CsMgr, Object>("ns3::odcn::CsMgr")
            .Add(Attribute("ServersPerRack", &T::m_serversPerRack, 32, 1, 65535),
                 "Number of servers in each rack, M.")
            .Add(Attribute("ServersByRack", &T::SetServersByRack, &T::GetServersByRack, ""),
                 "Number of servers of each rack in turn where they differ, e.g. "
                 "8*48,8*16; empty for ServersPerRack.")
            .Add(Attribute("ServerCores", &T::m_cores, 32, 1, 65536), "CPU cores of a server.")
            .Add(Attribute("ServerMemory", &T::m_memoryGb, 256, 0, 1e9),
                 "Memory of a server in GB.")
            .Add(Attribute("ServerDisk", &T::m_diskGb, 3584, 0, 1e9), "Disk of a server in GB.")
            .Add(Attribute("Placement",
                           &T::m_placement,
                           OdcnComputeLedger::Placement::BALANCED,
                           {{OdcnComputeLedger::Placement::BALANCED, "Balanced"},
                            {OdcnComputeLedger::Placement::BEST_FIT, "BestFit"},
                            {OdcnComputeLedger::Placement::FIRST_FIT, "FirstFit"},
                            {OdcnComputeLedger::Placement::POLICY, "Policy"}}),
                 "How a VM's server is found within its rack: by worst fit, best fit, first fit, "
                 "or as each decision says.")
            .Add(Attribute("Tie",
                           &T::m_tie,
                           OdcnComputeLedger::Tie::LOWEST_INDEX,
                           {{OdcnComputeLedger::Tie::LOWEST_INDEX, "LowestIndex"},
                            {OdcnComputeLedger::Tie::MOST_MEMORY, "MostMemory"}}),
                 "Which of several servers of a rack with equally many free cores is "
                 "taken: the first, or the one with most free memory.")
            .Add(Trace("JobPlaced", &T::m_placedTrace, "JobTracedCallback"),
                 "A job was accepted; its servers and bandwidth are reserved.")
            .Add(Trace("JobReleased", &T::m_releasedTrace, "JobTracedCallback"),
                 "A job has expired; its servers and bandwidth are free again.")
            .Add(Attribute("AfterFailure",
                           &T::m_afterFailure,
                           FaultPlan::END,
                           FaultPlan::MakeAfterFailureChecker()),
                 "What becomes of jobs whose servers or circuits fail: they end, are "
                 "offered again for the rest of their duration, or are offered again and "
                 "repeat the work since their last checkpoint.")
            .Add(Attribute("CheckpointInterval", &T::m_checkpoints, 0, 0, 1e12),
                 "Job time between checkpoints of a job; 0 for none: jobs restart from "
                 "their beginning.")
            .Add(Trace("JobInterrupted", &T::m_interruptedTrace, "JobTracedCallback"),
                 "A job was interrupted by a failure; its servers and bandwidth are "
                 "free again.")
            .Add(Trace("JobBlocked", &T::m_blockedTrace, "BlockedTracedCallback"),
                 "A job was refused.")
            .Add(Trace("CircuitsChanged", &T::m_changesTrace, "ChangesTracedCallback"),
                 "A reconfiguration was committed; comes before JobPlaced.");
    return tid;
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
    m_jobs.Clear();
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
    while (m_jobs.GetNext() <= time)
    {
        Account(m_jobs.GetNext());
        const OdcnPlacedJob& leaving = m_jobs.Pop();
        ReleaseJob(leaving);
        m_releasedTrace(leaving);
    }
    Account(time);
}

void
CsMgr::ReleaseJob(const OdcnPlacedJob& job)
{
    for (std::size_t k = 0; k < job.servers.size(); ++k)
    {
        m_servers.Release(job.servers[k], job.vms[k]);
        Changed(job.servers[k]);
    }
    m_network->Release(job.bandwidth);
}

void
CsMgr::EndJob(JobId id)
{
    CheckBetweenJobs();
    const std::vector<uint32_t> slots = m_jobs.GetSlots();
    const auto slot = std::ranges::find(slots, id, [this](uint32_t s) { return m_jobs[s].id; });
    if (slot == slots.end())
    {
        return;
    }
    OdcnPlacedJob job = m_jobs[*slot];
    job.departure = m_counters.until;
    m_jobs.Remove(*slot);
    ReleaseJob(job);
    m_releasedTrace(job);
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
    const OdcnCircuitChange change = m_network->SetPortFailed(rack, port, output, failed);
    if (failed && change.from != NO_RACK)
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
    return change;
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
    std::vector<uint32_t> slots = m_jobs.GetSlots();
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
        m_jobs.Remove(slot);
        ReleaseJob(job);
        ++m_counters.interrupted;
        // An open-ended job does all its work again.
        const double left = std::isinf(job.departure)
                                ? job.duration
                                : job.departure - m_controlLatency - m_counters.until;
        const auto work =
            InterruptedWork::Of(m_afterFailure, m_counters.until - job.start, left, m_checkpoints);
        m_counters.lostWork += work.lost;
        NS_LOG_INFO("job " << job.id << ": interrupted");
        if (work.again > 0)
        {
            m_interrupted.push_back({job.id, 0, work.again, job.vms, job.demands});
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

ServerId
CsMgr::FindServer(const OdcnComputeLedger& servers, uint32_t action, const OdcnResources& vm) const
{
    using Placement = OdcnComputeLedger::Placement;
    return GetNFits() == 1 ? servers.Find(action, vm)
                           : servers.Find(GetRack(action),
                                          vm,
                                          static_cast<Placement>(action / servers.GetNRacks()));
}

bool
CsMgr::Place(uint32_t action)
{
    const uint32_t k = GetVmIndex();
    NS_ASSERT_MSG(m_job && k < m_job->vms.size(), "no VM to place");
    const ServerId server = FindServer(m_servers, action, m_job->vms[k]);
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
    const double departure = m_isOpenEnded ? std::numeric_limits<double>::infinity()
                                           : m_counters.until + m_job->duration + m_controlLatency;
    OdcnPlacedJob& placed = m_jobs.Add(departure);
    placed.id = m_job->id;
    placed.arrival = m_job->arrival;
    placed.start = m_counters.until;
    placed.departure = departure;
    placed.duration = m_job->duration;
    placed.vms.assign(m_job->vms.begin(), m_job->vms.end());
    placed.demands.assign(m_job->demands.begin(), m_job->demands.end());
    placed.servers.assign(m_current.begin(), m_current.end());
    placed.bandwidth.assign(m_granted.begin(), m_granted.end());
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
