// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-manager.h"

#include "ns3/assert.h"
#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(RddcManager);

TypeId
RddcManager::GetTypeId()
{
    using T = RddcManager;
    static TypeId tid =
        TypeIdOf<RddcManager, Object>("ns3::odcn::RddcManager")
            .Add(Attribute("CpuPerServer", &T::m_cpuPerServer, 16, 1, 1 << 20),
                 "CPU units of a server.")
            .Add(Attribute("MemoryPerServer", &T::m_memoryPerServer, 16, 1, 1 << 20),
                 "Memory units of a server.")
            .Add(Attribute("Routing",
                           &T::m_order,
                           RddcRouting::HOPS,
                           {{RddcRouting::HOPS, "Hops"},
                            {RddcRouting::LEAST_FREE, "LeastFree"},
                            {RddcRouting::LEAST_USED, "LeastUsed"}}),
                 "In which order the paths of a pair are tried: fewest hops, least sum of "
                 "free channels, or least sum of channels in use first.")
            .Add(Attribute("PathsTried", &T::m_tries, 3, 1),
                 "k, number of paths of a pair that are tried.")
            .Add(Attribute("Connectivity",
                           &T::m_connectivity,
                           Connectivity::ALL_TO_ALL,
                           {{Connectivity::ALL_TO_ALL, "AllToAll"},
                            {Connectivity::COMPUTE_PAIRS, "ComputePairs"},
                            {Connectivity::NO_PAIRS, "NoPairs"}}),
                 "Which pairs of a request's servers get a lightpath: all, those with at "
                 "least one server that provides CPU, or (as a bound) none.")
            .Add(Attribute("Useless",
                           &T::m_useless,
                           Useless::REFUSE,
                           {{Useless::REFUSE, "Refuse"}, {Useless::SKIP, "Skip"}}),
                 "Consequence of choosing a server with nothing that is needed: the "
                 "request is refused (Refuse), or continues unless no other server is "
                 "useful (Skip).")
            .Add(Attribute("ReleaseFirst", &T::m_releaseFirst, true),
                 "Whether grants that end at the arrival time of a request are released "
                 "before it; otherwise after it.")
            .Add(Attribute("AfterFailure",
                           &T::m_afterFailure,
                           FaultPlan::END,
                           FaultPlan::MakeAfterFailureChecker()),
                 "What becomes of a grant whose server or link fails: it ends (End), or "
                 "is offered again as the next request, for the rest of its time "
                 "(Replace) or for all of it (Restart).")
            .Add(Trace("Interrupted", &T::m_interruptedTrace, "GrantTracedCallback"),
                 "A grant has lost a server or a link.")
            .Add(Trace("Granted", &T::m_grantedTrace, "GrantTracedCallback"),
                 "A request was granted.")
            .Add(Trace("Released", &T::m_releasedTrace, "GrantTracedCallback"),
                 "A granted request has ended.")
            .Add(Trace("Refused", &T::m_refusedTrace, "RequestTracedCallback"),
                 "A request was refused.");
    return tid;
}

void
RddcManager::SetNetwork(std::shared_ptr<const RddcNetwork> network)
{
    m_network = std::move(network);
}

void
RddcManager::Reset()
{
    NS_ASSERT_MSG(m_network, "SetNetwork() first");
    m_routing = {m_order, m_tries};
    m_servers = RddcServerLedger(m_network->GetNServers(), m_cpuPerServer, m_memoryPerServer);
    m_channels = RddcChannelLedger(m_network);
    m_time = 0;
    m_begun = 0;
    m_serving = false;
    m_chosen.assign(m_network->GetNServers(), 0);
    m_skipped.clear();
    m_grants.Clear();
    m_counters = {};
    m_outages.Restart(m_network->GetNLinks());
    m_interrupted.clear();
    AdvanceTo(0);
}

FaultParts
RddcManager::GetFaultParts(const RddcNetwork& network)
{
    const uint32_t switches = network.GetNNodes() - network.GetNServers();
    return {{FaultPart::SERVER, FaultSizes(network.GetNRacks(), network.GetSizes().serversPerRack)},
            {FaultPart::LINK, FaultSizes(network.GetNLinks(), 1)},
            {FaultPart::NODE, FaultSizes(switches, 1)}};
}

void
RddcManager::ChangePart()
{
    const FaultTimeline::Change& change = m_outages.Take();
    if (change.part == FaultPart::SERVER)
    {
        const ServerId server = change.first * m_network->GetSizes().serversPerRack + change.second;
        if (change.failed)
        {
            const auto has = [server](const RddcShare& share) { return share.server == server; };
            Interrupt([&](const RddcGrant& grant)
                      { return std::any_of(grant.shares.begin(), grant.shares.end(), has); },
                      change.time);
        }
        m_servers.SetFailed(server, change.failed);
        return;
    }
    const auto changed =
        m_outages.ChangeLinks(change,
                              m_network->GetNServers() + change.first,
                              [&](LinkId link) { return m_network->GetEnds(link); });
    const auto isOn = [&](const RddcLightpath& path, LinkId link)
    {
        const auto links = m_channels.GetSwitchLinks(path);
        return path.from == link || path.to == link ||
               std::find(links.begin(), links.end(), link) != links.end();
    };
    if (change.failed)
    {
        Interrupt(
            [&](const RddcGrant& grant)
            {
                return std::any_of(grant.lightpaths.begin(),
                                   grant.lightpaths.end(),
                                   [&](const RddcLightpath& path)
                                   {
                                       return std::any_of(changed.begin(),
                                                          changed.end(),
                                                          [&](LinkId link)
                                                          { return isOn(path, link); });
                                   });
            },
            change.time);
    }
    for (const LinkId link : changed)
    {
        m_channels.SetFailed(link, change.failed);
    }
}

void
RddcManager::Interrupt(const std::function<bool(const RddcGrant&)>& isHit, double now)
{
    for (const uint32_t slot : m_grants.GetSlots())
    {
        const RddcGrant& grant = m_grants[slot];
        if (!isHit(grant))
        {
            continue;
        }
        m_grants.Remove(slot);
        ++m_counters.interrupted;
        const auto work = InterruptedWork::Of(m_afterFailure,
                                              now - grant.from,
                                              grant.until - m_controlLatency - now);
        m_counters.lostWork += work.lost;
        if (work.again > 0)
        {
            m_interrupted.push_back(grant.request);
            m_interrupted.back().gap = 0;
            m_interrupted.back().holding = work.again;
        }
        Free(grant);
        m_interruptedTrace(grant);
    }
}

bool
RddcManager::TakeInterrupted(RddcRequest& request)
{
    if (m_interrupted.empty())
    {
        return false;
    }
    request = m_interrupted.front();
    m_interrupted.pop_front();
    request.gap = m_time - m_begun; // it arrives now
    ++m_counters.offeredAgain;
    return true;
}

double
RddcManager::GetNextChange() const
{
    return std::fmin(m_grants.GetNext(), m_outages.GetNext());
}

void
RddcManager::PassTo(double time)
{
    m_time = std::max(m_time, time);
    AdvanceTo(m_time);
    while (m_grants.GetNext() <= m_time)
    {
        ReleaseNext();
    }
}

void
RddcManager::Free(const RddcGrant& grant)
{
    for (const auto& share : grant.shares)
    {
        m_servers.Give(share.server, share.cpu, share.memory);
    }
    m_channels.Release(grant.lightpaths);
}

void
RddcManager::ReleaseNext()
{
    const RddcGrant& leaving = m_grants.Pop();
    Free(leaving);
    m_releasedTrace(leaving);
}

void
RddcManager::AdvanceTo(double time)
{
    for (;;)
    {
        const double leave = m_grants.GetNext();
        const double fault = m_outages.GetNext();
        if ((leave < time || (m_releaseFirst && leave == time)) && leave <= fault)
        {
            ReleaseNext();
        }
        else if (fault <= time)
        {
            ChangePart();
        }
        else
        {
            return;
        }
    }
}

bool
RddcManager::Wait()
{
    const double leave = m_grants.GetNext();
    const double fault = m_outages.GetNext();
    if (leave <= fault) // not if nothing leaves: NaN
    {
        m_time = leave;
        ReleaseNext();
        return true;
    }
    if (!std::isfinite(fault))
    {
        return false;
    }
    m_time = fault;
    ChangePart();
    return true;
}

void
RddcManager::Begin(const RddcRequest& request)
{
    NS_ASSERT_MSG(!m_serving, "the request before has not ended");
    const uint64_t servers = m_servers.GetNServers();
    if ((request.cpu == 0 && request.memory == 0) ||
        request.cpu > servers * m_servers.GetCpuCapacity() ||
        request.memory > servers * m_servers.GetMemoryCapacity())
    {
        throw OdcnError::InOption(
            "request",
            std::to_string(request.cpu) + " CPU, " + std::to_string(request.memory) + " memory",
            "not nothing, and at most what all servers have: " +
                std::to_string(servers * m_servers.GetCpuCapacity()) + " CPU, " +
                std::to_string(servers * m_servers.GetMemoryCapacity()) + " memory");
    }
    const double arrival = GetArrival(request);
    m_time = std::max(m_time, arrival);
    AdvanceTo(m_time);
    while (request.cpu > m_servers.GetFreeCpu() || request.memory > m_servers.GetFreeMemory())
    {
        if (!Wait())
        {
            m_begun = m_time;
            ++m_counters.received;
            ++m_counters.refused;
            ++m_counters.failed;
            m_refusedTrace(request);
            return;
        }
    }
    // Grants that end at the same time are released together.
    AdvanceTo(m_time);
    m_begun = m_time;
    ++m_counters.received;
    m_counters.waited += m_time > arrival;
    m_counters.waitingTime += m_time - arrival;
    m_serving = true;
    m_current.request = request;
    m_current.from = m_time;
    m_current.until = m_time + request.holding + m_controlLatency;
    m_current.shares.clear();
    m_current.lightpaths.clear();
    m_neededCpu = request.cpu;
    m_neededMemory = request.memory;
}

const std::vector<ServerId>&
RddcManager::GetPeers(bool lendsCpu) const
{
    m_peers.clear();
    if (m_connectivity == Connectivity::NO_PAIRS)
    {
        return m_peers;
    }
    for (const auto& share : m_current.shares)
    {
        if (m_connectivity == Connectivity::ALL_TO_ALL || lendsCpu || share.cpu > 0)
        {
            m_peers.push_back(share.server);
        }
    }
    return m_peers;
}

RddcManager::Step
RddcManager::Choose(ServerId server)
{
    NS_ASSERT_MSG(m_serving, "Begin() first");
    NS_ASSERT_MSG(server < m_chosen.size(), "no such server");
    const RddcShare share{server,
                          std::min(m_servers.GetCpu(server), m_neededCpu),
                          std::min(m_servers.GetMemory(server), m_neededMemory)};
    if (m_useless == Useless::SKIP && !IsUseful(server))
    {
        m_chosen[server] = 1;
        m_skipped.push_back(server);
        for (ServerId other = 0; other < m_chosen.size(); ++other)
        {
            if (IsUseful(other))
            {
                return Step::GOES_ON;
            }
        }
        Refuse();
        return Step::REFUSED;
    }
    if (!IsUseful(server) ||
        !m_channels.Connect(server, GetPeers(share.cpu > 0), m_routing, m_current.lightpaths))
    {
        Refuse();
        return Step::REFUSED;
    }
    m_servers.Take(server, share.cpu, share.memory);
    m_neededCpu -= share.cpu;
    m_neededMemory -= share.memory;
    m_current.shares.push_back(share);
    m_chosen[server] = 1;
    if (m_neededCpu || m_neededMemory)
    {
        return Step::GOES_ON;
    }
    Grant();
    return Step::GRANTED;
}

void
RddcManager::Grant()
{
    RddcGrant& grant = m_grants.Add(m_current.until);
    std::swap(grant, m_current);
    ++m_counters.granted;
    m_counters.servers += grant.shares.size();
    std::vector<ServerId>& racks = m_peers;
    racks.clear();
    for (const auto& share : grant.shares)
    {
        m_chosen[share.server] = 0;
        racks.push_back(m_network->GetRack(share.server));
    }
    ForgetSkipped();
    std::sort(racks.begin(), racks.end());
    m_counters.racks += std::unique(racks.begin(), racks.end()) - racks.begin();
    m_serving = false;
    m_grantedTrace(grant);
}

void
RddcManager::ForgetSkipped()
{
    for (const ServerId server : m_skipped)
    {
        m_chosen[server] = 0;
    }
    m_skipped.clear();
}

void
RddcManager::Refuse()
{
    m_channels.Release(m_current.lightpaths);
    for (const auto& share : m_current.shares)
    {
        m_servers.Give(share.server, share.cpu, share.memory);
        m_chosen[share.server] = 0;
    }
    ForgetSkipped();
    ++m_counters.refused;
    m_serving = false;
    m_refusedTrace(m_current.request);
}

void
RddcManager::FindConnected(uint8_t* out) const
{
    const uint32_t perRack = m_network->GetSizes().serversPerRack;
    ServerId server = 0;
    for (RackId rack = 0; rack < m_network->GetNRacks(); ++rack)
    {
        // Whether the switches have paths, for servers without and with CPU; -1 if unknown.
        int known[2] = {-1, -1};
        for (uint32_t i = 0; i < perRack; ++i, ++server)
        {
            out[server] = 0;
            if (!IsUseful(server))
            {
                continue;
            }
            const bool lendsCpu = m_neededCpu > 0 && m_servers.GetCpu(server) > 0;
            const auto& peers = GetPeers(lendsCpu);
            if (known[lendsCpu] < 0)
            {
                known[lendsCpu] = m_channels.CanConnectRack(rack, peers, m_routing);
            }
            out[server] = known[lendsCpu] && m_channels.GetFree(server) >= peers.size();
        }
    }
}

void
RddcManager::ClearCounters()
{
    m_counters = {};
    m_counters.received = m_serving;
}

Ptr<RddcManager>
RddcManager::Clone() const
{
    Ptr<RddcManager> copy = CopyObject<RddcManager>(Ptr<const RddcManager>(this));
    copy->m_grantedTrace = {};
    copy->m_releasedTrace = {};
    copy->m_refusedTrace = {};
    copy->m_interruptedTrace = {};
    return copy;
}

} // namespace ns3::odcn
