// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-list-policy.h"

#include "odcn-rule.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/odcn-ns3-compat.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(ClusterListPolicy);

TypeId
ClusterListPolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::ClusterListPolicy")
            .SetParent<DecisionPolicy>()
            .SetGroupName("Odcn")
            .AddConstructor<ClusterListPolicy>()
            .AddAttribute("Order",
                          "Which of the jobs that can start comes first.",
                          CompatEnumValue<OrderKind>(OrderKind::ARRIVAL),
                          CompatEnumAccessor<OrderKind>(&ClusterListPolicy::m_order),
                          MakeEnumChecker(OrderKind::ARRIVAL,
                                          "Arrival",
                                          OrderKind::SHORTEST,
                                          "Shortest",
                                          OrderKind::RESPONSE_RATIO,
                                          "ResponseRatio",
                                          OrderKind::ALIGNMENT,
                                          "Alignment",
                                          OrderKind::MIX,
                                          "Mix"))
            .AddAttribute("Knob",
                          "Weight of alignment in Mix; that of 1 / length is 1 - Knob.",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&ClusterListPolicy::m_knob),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Strict",
                          "Whether to wait until the first of all waiting jobs can start.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&ClusterListPolicy::m_strict),
                          MakeBooleanChecker());
    return tid;
}

ClusterListPolicy::ClusterListPolicy() = default;

uint32_t
ClusterListPolicy::Pick(const ClusterScheduling& problem,
                        const ClusterLedger& ledger,
                        uint32_t most) const
{
    uint32_t best = 0;
    bool bestStarts = false;
    double highest = 0;
    for (uint32_t action = 1; action < problem.GetNActions(); ++action)
    {
        const ClusterJob* job = problem.GetWaiting(action - 1);
        if (!job || job->duration > most)
        {
            continue;
        }
        const uint32_t machine = ledger.FindNow(job->demand, job->duration);
        const bool starts = machine < ledger.GetNMachines();
        if (!starts && !m_strict)
        {
            continue;
        }
        const double shortness = 1.0 / job->duration;
        double score = 0;
        switch (m_order)
        {
        case OrderKind::ARRIVAL:
            score = -static_cast<double>(job->id);
            break;
        case OrderKind::SHORTEST:
            score = shortness;
            break;
        case OrderKind::RESPONSE_RATIO:
            score = 1 + static_cast<double>(problem.GetNow() - job->arrival) * shortness;
            break;
        case OrderKind::ALIGNMENT:
        case OrderKind::MIX:
        {
            const ClusterDemand free = ledger.GetFree(starts ? machine : 0, 0);
            for (std::size_t i = 0; i < free.size(); ++i)
            {
                score += static_cast<double>(uint32_t{free[i]} * job->demand[i]);
            }
            if (m_order == OrderKind::MIX)
            {
                score = m_knob * score + (1 - m_knob) * shortness;
            }
            break;
        }
        }
        if (best == 0 || score > highest)
        {
            best = action;
            bestStarts = starts;
            highest = score;
        }
    }
    return bestStarts ? best : 0;
}

uint32_t
ClusterListPolicy::Decide(const DecisionProblem& problem)
{
    const auto& cluster = AsProblem<ClusterScheduling>(problem);
    return Pick(cluster, cluster.GetLedger(), UINT32_MAX);
}

} // namespace ns3::odcn
