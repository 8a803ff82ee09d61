// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-locality-policy.h"

#include "odcn-rule.h"

#include "ns3/odcn-ns3-compat.h"

#include <algorithm>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(RddcLocalityPolicy);

TypeId
RddcLocalityPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::RddcLocalityPolicy")
            .SetParent<RddcTetrisPolicy>()
            .SetGroupName("Odcn")
            .AddConstructor<RddcLocalityPolicy>()
            .AddAttribute("Neighbours",
                          "Order in which the search visits neighbours: NULB by ascending "
                          "number, NALB by the free channels of their links.",
                          CompatEnumValue<Neighbours>(Neighbours::MOST_FREE),
                          CompatEnumAccessor<Neighbours>(&RddcLocalityPolicy::m_order),
                          MakeEnumChecker(Neighbours::IN_ORDER,
                                          "InOrder",
                                          Neighbours::MOST_FREE,
                                          "MostFree",
                                          Neighbours::LEAST_FREE,
                                          "LeastFree"));
    return tid;
}

RddcLocalityPolicy::RddcLocalityPolicy() = default;

uint32_t
RddcLocalityPolicy::Decide(const DecisionProblem& problem)
{
    const RddcAllocation& allocation = AsAllocation(problem);
    const RddcManager& manager = *PeekPointer(allocation.GetManager());
    m_mask.resize(problem.GetNActions());
    problem.Mask(m_mask.data());
    const auto& shares = manager.GetCurrent().shares;
    if (shares.empty())
    {
        return Pick(allocation, m_mask);
    }
    const GraphObservation& graph = *problem.GetGraph();
    const RddcChannelLedger& channels = manager.GetChannels();
    m_met.assign(graph.nodes, 0);
    m_queue.assign(1, shares.front().server);
    m_met[m_queue[0]] = 1;
    for (std::size_t next = 0; next < m_queue.size(); ++next)
    {
        const uint32_t node = m_queue[next];
        if (node < m_mask.size() && m_mask[node])
        {
            return node;
        }
        m_neighbours.clear();
        for (uint32_t i = graph.offsets[node]; i < graph.offsets[node + 1]; ++i)
        {
            const uint32_t free = channels.GetFree(graph.linkOf[i]);
            if (!m_met[graph.neighbours[i]])
            {
                const uint32_t key = m_order == Neighbours::MOST_FREE    ? UINT32_MAX - free
                                     : m_order == Neighbours::LEAST_FREE ? free
                                                                         : 0;
                m_neighbours.emplace_back(key, graph.neighbours[i]);
            }
        }
        if (m_order != Neighbours::IN_ORDER)
        {
            std::sort(m_neighbours.begin(), m_neighbours.end());
        }
        for (const auto& [key, other] : m_neighbours)
        {
            m_met[other] = 1;
            m_queue.push_back(other);
        }
    }
    // No server is allowed.
    return 0;
}

} // namespace ns3::odcn
