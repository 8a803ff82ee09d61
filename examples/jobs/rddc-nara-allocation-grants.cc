// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-nara-allocation-grants.h"

#include "ns3/callback.h"
#include "ns3/odcn-csv-writer.h"

#include <algorithm>
#include <cmath>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// Bins per unit of spread.
constexpr double SPREAD_STEPS = 10;

/// @param network the network
/// @param grant a grant
/// @return its spread, see GrantLog
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

GrantLog::GrantLog(Experiment::Labels labels, std::string policy)
    : m_labels(std::move(labels)),
      m_policy(std::move(policy))
{
}

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

void
GrantLog::Write(OutputFiles& files, const std::vector<std::unique_ptr<GrantLog>>& logs)
{
    const auto columns = [&](std::initializer_list<std::string> more)
    {
        std::vector<std::string> all;
        for (const auto& [column, value] : logs.front()->m_labels)
        {
            all.push_back(column);
        }
        all.emplace_back("policy");
        all.insert(all.end(), more);
        return all;
    };
    CsvWriter sizes(files.Path("sizes.csv"), columns({"least_servers", "received", "granted"}));
    CsvWriter spreads(files.Path("spreads.csv"), columns({"servers", "spread", "granted"}));
    CsvWriter shapes(files.Path("shapes.csv"), columns({"cpu", "memory", "granted", "spread"}));
    for (const auto& log : logs)
    {
        const auto begin = [&](CsvWriter& csv) -> CsvWriter&
        {
            for (const auto& [column, value] : log->m_labels)
            {
                csv.Cell(value);
            }
            return csv.Cell(log->m_policy);
        };
        for (const auto& [servers, size] : log->m_sizes)
        {
            begin(sizes).Row(servers, size.received, size.granted);
        }
        for (const auto& [key, granted] : log->m_spreads)
        {
            begin(spreads).Row(key.first, key.second / SPREAD_STEPS, granted);
        }
        for (const auto& [key, shape] : log->m_shapes)
        {
            begin(shapes).Row(key.first * SHAPE_UNITS,
                              key.second * SHAPE_UNITS,
                              shape.granted,
                              shape.spread / static_cast<double>(shape.granted));
        }
    }
    files.Commit(sizes, "requests granted, by servers needed");
    files.Commit(spreads, "grants by servers and how far apart they are");
    files.Commit(shapes, "how far apart, by units asked for");
}
