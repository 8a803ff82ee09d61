// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-nara-allocation-grants.h"

#include "ns3/callback.h"

#include <algorithm>
#include <cmath>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Bins per unit of spread.
constexpr double SPREAD_STEPS = 10;

/// @param network the network  @param grant a grant  @return its spread, see GrantLog
double
GetSpread(const RddcNetwork& network, const RddcGrant& grant)
{
    double tiers = 0;
    double pairs = 0;
    for (std::size_t i = 0; i < grant.shares.size(); ++i)
    {
        for (std::size_t j = 0; j < i; ++j)
        {
            const RackId a = network.GetRack(grant.shares[i].server);
            const RackId b = network.GetRack(grant.shares[j].server);
            tiers += a == b ? 1 : network.GetCluster(a) == network.GetCluster(b) ? 2 : 3;
            ++pairs;
        }
    }
    return pairs > 0 ? tiers / pairs : 0;
}

} // namespace

void
GrantLog::Attach(RddcAllocation& problem)
{
    Ptr<RddcManager> manager = problem.GetManager();
    m_network = manager->GetChannels().GetNetwork();
    m_cpuUnits = manager->GetServers().GetCpuCapacity();
    m_memoryUnits = manager->GetServers().GetMemoryCapacity();
    manager->TraceConnectWithoutContext("Granted", MakeCallback(&GrantLog::Granted, this));
    manager->TraceConnectWithoutContext("Refused", MakeCallback(&GrantLog::Refused, this));
}

GrantLog::Size&
GrantLog::GetSize(const RddcRequest& request)
{
    return m_sizes[std::max((request.cpu + m_cpuUnits - 1) / m_cpuUnits,
                            (request.memory + m_memoryUnits - 1) / m_memoryUnits)];
}

void
GrantLog::Granted(const RddcGrant& grant)
{
    Size& size = GetSize(grant.request);
    ++size.received;
    ++size.granted;
    const double spread = GetSpread(*m_network, grant);
    ++m_spreads[{grant.shares.size(), std::lround(SPREAD_STEPS * spread)}];
    Shape& shape = m_shapes[{grant.request.cpu / SHAPE_UNITS, grant.request.memory / SHAPE_UNITS}];
    ++shape.granted;
    shape.spread += spread;
}

void
GrantLog::Refused(const RddcRequest& request)
{
    ++GetSize(request).received;
}

const std::array<std::vector<std::string>, 3>&
GrantLog::GetColumns()
{
    static const std::array<std::vector<std::string>, 3> COLUMNS{
        {{"least_servers", "received", "granted"},
         {"servers", "spread", "granted"},
         {"cpu", "memory", "granted", "spread"}}};
    return COLUMNS;
}

void
GrantLog::WriteSizes(CsvWriter& csv, const std::string& topology, const std::string& policy) const
{
    for (const auto& [servers, size] : m_sizes)
    {
        csv.Row(topology, policy, servers, size.received, size.granted);
    }
}

void
GrantLog::WriteSpreads(CsvWriter& csv, const std::string& topology, const std::string& policy) const
{
    for (const auto& [key, granted] : m_spreads)
    {
        csv.Row(topology, policy, key.first, key.second / SPREAD_STEPS, granted);
    }
}

void
GrantLog::WriteShapes(CsvWriter& csv, const std::string& topology, const std::string& policy) const
{
    for (const auto& [key, shape] : m_shapes)
    {
        csv.Row(topology,
                policy,
                key.first * SHAPE_UNITS,
                key.second * SHAPE_UNITS,
                shape.granted,
                shape.spread / static_cast<double>(shape.granted));
    }
}
