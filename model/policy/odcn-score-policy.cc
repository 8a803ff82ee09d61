// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-score-policy.h"

#include "odcn-rule.h"

#include "ns3/double.h"

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnScorePolicy);

TypeId
OdcnScorePolicy::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnScorePolicy")
            .SetParent<DecisionPolicy>()
            .SetGroupName("Odcn")
            .AddConstructor<OdcnScorePolicy>()
            .AddAttribute("RackLoadWeight",
                          "Weight against the largest load of a circuit of the rack.",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&OdcnScorePolicy::m_rackLoad),
                          MakeDoubleChecker<double>())
            .AddAttribute("BacklogWeight",
                          "Weight against packets that the VM's traffic adds to the queues.",
                          DoubleValue(1.2),
                          MakeDoubleAccessor(&OdcnScorePolicy::m_backlog),
                          MakeDoubleChecker<double>())
            .AddAttribute("KeptWeight",
                          "Weight of demands that stay within the rack.",
                          DoubleValue(0.14),
                          MakeDoubleAccessor(&OdcnScorePolicy::m_kept),
                          MakeDoubleChecker<double>())
            .AddAttribute("HardWeight",
                          "Weight against slots of the hardest VMs lost to other VMs.",
                          DoubleValue(0.26),
                          MakeDoubleAccessor(&OdcnScorePolicy::m_hard),
                          MakeDoubleChecker<double>())
            .AddAttribute("StayWeight",
                          "Weight of the rack of the previous VM, if the VM is large.",
                          DoubleValue(0.36),
                          MakeDoubleAccessor(&OdcnScorePolicy::m_stay),
                          MakeDoubleChecker<double>())
            .AddAttribute("RoomWeight",
                          "Weight of room for the job's large VMs, if the VM is large.",
                          DoubleValue(0.39),
                          MakeDoubleAccessor(&OdcnScorePolicy::m_room),
                          MakeDoubleChecker<double>())
            .AddAttribute("FillWeight",
                          "Weight of racks that can take no large VM, if the VM is small.",
                          DoubleValue(0.95),
                          MakeDoubleAccessor(&OdcnScorePolicy::m_fill),
                          MakeDoubleChecker<double>())
            .AddAttribute("LostWeight",
                          "Weight against slots of large VMs lost to a small VM.",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(&OdcnScorePolicy::m_lost),
                          MakeDoubleChecker<double>());
    return tid;
}

uint32_t
OdcnScorePolicy::Decide(const DecisionProblem& problem)
{
    using F = OdcnRackFeatures;
    const OdcnScheduling& scheduling = AsScheduling(problem);
    const uint32_t size = F::GetClass(scheduling);
    const bool large = size < scheduling.GetManager()->GetServers().GetSlotKinds().size();
    m_features.Begin(scheduling);
    RackId best = NO_RACK;
    double most = 0;
    RackId without = NO_RACK;
    F::Row row;
    for (RackId rack = 0; rack < scheduling.GetNActions(); ++rack)
    {
        m_features.Describe(scheduling, rack, row);
        if (row[F::MARKER] < 0)
        {
            without = row[F::MARKER] < -1 && without == NO_RACK ? rack : without;
            continue;
        }
        double score = m_kept * row[F::KEPT] - row[F::FREE_CORES] - m_rackLoad * row[F::RACK_LOAD] -
                       m_backlog * row[F::BACKLOG];
        score -= size > 0 ? m_hard * row[F::HARD_LOST] : 0.0;
        score += large ? m_stay * row[F::LAST] + m_room * row[F::ROOM]
                       : m_fill * row[F::NO_LARGE] - m_lost * row[F::LARGE_LOST];
        if (best == NO_RACK || score > most)
        {
            best = rack;
            most = score;
        }
    }
    return OrAny(best == NO_RACK ? without : best);
}

} // namespace ns3::odcn
