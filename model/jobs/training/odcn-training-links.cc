// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-links.h"

#include "ns3/odcn-circuit-schedule.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <numeric>

namespace ns3::odcn
{

TrainingLinks::TrainingLinks(const FabricDesign& design, int64_t stream)
    : m_racks(design.GetSize().racks),
      m_perRack(design.GetSize().servers),
      m_shares(std::size_t{m_racks} * m_racks),
      m_hops(std::size_t{m_racks} * m_racks, 0)
{
    const double rate = design.GetSize().gbps * 1e9 / 8;
    const TorForwarding::Kind kind = design.GetForwarding().bulk.kind;
    const bool isShortest = kind == TorForwarding::SHORTEST;
    if (design.IsElectrical())
    {
        // Only links of fewer bytes than those of the servers together limit what racks send.
        const double all = design.GetLinks() * rate;
        const bool isLimited = design.GetLinks() < m_perRack;
        for (uint32_t rack = 0; isLimited && rack < m_racks; ++rack)
        {
            m_capacities.insert(m_capacities.end(), {all, all});
        }
        for (uint32_t from = 0; from < m_racks; ++from)
        {
            for (uint32_t to = 0; to < m_racks; ++to)
            {
                const std::size_t pair = std::size_t{from} * m_racks + to;
                m_hops[pair] = from == to ? 0 : 1;
                if (isLimited && from != to)
                {
                    m_shares[pair] = {{2 * from, 1}, {2 * to + 1, 1}};
                }
            }
        }
        return;
    }
    if (!design.IsScheduled() || (!isShortest && kind != TorForwarding::DIRECT))
    {
        throw OdcnError("design " + design.GetName() +
                        ": found circuits or paths that depend on traffic, expected a schedule and "
                        "DirectRouting or ExpanderRouting, or an electrical network");
    }
    DemandMatrix capacity =
        design.MakeSchedule(DemandMatrix::Make("uniform", m_racks), stream)->GetCapacity();
    capacity.Scale(rate);
    AddCircuits(capacity, isShortest);
}

void
TrainingLinks::AddCircuits(const DemandMatrix& capacity, bool isShortest)
{
    std::vector<uint32_t> linkOf(m_shares.size(), NONE);
    for (uint32_t pair = 0; pair < m_shares.size(); ++pair)
    {
        if (const double rate = capacity.Get(pair / m_racks, pair % m_racks); rate > 0)
        {
            linkOf[pair] = GetNLinks();
            m_capacities.push_back(rate);
        }
    }
    for (uint32_t to = 0; isShortest && to < m_racks; ++to)
    {
        FindShortest(to, linkOf);
    }
    for (uint32_t pair = 0; pair < m_shares.size(); ++pair)
    {
        if (pair / m_racks == pair % m_racks)
        {
            continue;
        }
        if (!isShortest && linkOf[pair] != NONE)
        {
            m_shares[pair] = {{linkOf[pair], 1}};
            m_hops[pair] = 1;
        }
        if (m_shares[pair].empty())
        {
            throw OdcnError("design: found no circuits from rack " +
                            std::to_string(pair / m_racks) + " to rack " +
                            std::to_string(pair % m_racks) + ", expected paths between all racks");
        }
    }
}

void
TrainingLinks::FindShortest(uint32_t to, const std::vector<uint32_t>& linkOf)
{
    // Racks by distance, the nearest first.
    std::vector<uint32_t> distance(m_racks, NONE);
    std::vector<uint32_t> order{to};
    distance[to] = 0;
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        for (uint32_t rack = 0; rack < m_racks; ++rack)
        {
            if (distance[rack] == NONE && linkOf[rack * m_racks + order[i]] != NONE)
            {
                distance[rack] = distance[order[i]] + 1;
                order.push_back(rack);
            }
        }
    }
    for (std::size_t i = 1; i < order.size(); ++i)
    {
        const uint32_t from = order[i];
        std::vector<double> shares(GetNLinks(), 0);
        double ways = 0;
        for (uint32_t next = 0; next < m_racks; ++next)
        {
            ways += linkOf[from * m_racks + next] != NONE && distance[next] + 1 == distance[from];
        }
        for (uint32_t next = 0; next < m_racks; ++next)
        {
            const uint32_t link = linkOf[from * m_racks + next];
            if (link == NONE || distance[next] + 1 != distance[from])
            {
                continue;
            }
            shares[link] += 1 / ways;
            for (const auto& [later, share] : m_shares[next * m_racks + to])
            {
                shares[later] += share / ways;
            }
        }
        for (uint32_t link = 0; link < GetNLinks(); ++link)
        {
            if (shares[link] > 0)
            {
                m_shares[from * m_racks + to].emplace_back(link, shares[link]);
            }
        }
        m_hops[from * m_racks + to] = distance[from];
    }
}

TrainingLinks::Loads
TrainingLinks::GetLoads(const TrainingBytes& bytes, const std::vector<uint32_t>& places) const
{
    std::vector<double> sums(GetNLinks(), 0);
    for (uint32_t from = 0; from < places.size(); ++from)
    {
        const uint32_t rack = places[from] / m_perRack;
        for (const auto& [to, sent] : bytes.GetSent(from))
        {
            for (const auto& [link, share] : m_shares[rack * m_racks + places[to] / m_perRack])
            {
                sums[link] += share * static_cast<double>(sent);
            }
        }
    }
    Loads loads;
    for (uint32_t link = 0; link < GetNLinks(); ++link)
    {
        if (sums[link] > 0)
        {
            loads.emplace_back(link, sums[link]);
        }
    }
    return loads;
}

double
TrainingLinks::GetTime(const Loads& loads) const
{
    double longest = 0;
    for (const auto& [link, bytes] : loads)
    {
        longest = std::max(longest, bytes / m_capacities[link]);
    }
    return longest;
}

} // namespace ns3::odcn
