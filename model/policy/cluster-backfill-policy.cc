// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-backfill-policy.h"

#include "odcn-rule.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(ClusterBackfillPolicy);

TypeId
ClusterBackfillPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::odcn::ClusterBackfillPolicy")
                            .SetParent<ClusterListPolicy>()
                            .SetGroupName("Odcn")
                            .AddConstructor<ClusterBackfillPolicy>();
    return tid;
}

uint32_t
ClusterBackfillPolicy::Decide(const DecisionProblem& problem)
{
    const auto& cluster = AsProblem<ClusterScheduling>(problem);
    const ClusterLedger& ledger = cluster.GetLedger();
    const ClusterJob* first = nullptr;
    uint32_t action = 0;
    for (uint32_t slot = 0; slot + 1 < cluster.GetNActions(); ++slot)
    {
        const ClusterJob* job = cluster.GetWaiting(slot);
        if (job && (!first || job->id < first->id))
        {
            first = job;
            action = slot + 1;
        }
    }
    if (!first)
    {
        return 0;
    }
    if (ledger.FindNow(first->demand, first->duration) < ledger.GetNMachines())
    {
        return action;
    }
    m_ledger = ledger;
    const bool placed = m_ledger.Reserve(first->demand, first->duration).has_value();
    return Pick(cluster, m_ledger, placed ? UINT32_MAX : ledger.GetHorizon() - first->duration);
}

} // namespace ns3::odcn
