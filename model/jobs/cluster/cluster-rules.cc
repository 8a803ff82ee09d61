// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "cluster-scheduling.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-policy-registry.h"
#include "ns3/odcn-rule.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * List scheduling on a cluster: of the waiting jobs that can start now, the first in some order;
 * void if none can. Among equals it is the lowest slot, as in DeepRM's code: a slot that becomes
 * free takes the next job, so a younger job may overtake an equal, older one. With a free row 0 of
 * f units on the lowest machine where the job fits, demand r, length T and time w since arrival,
 * the first job has
 *
 * - Arrival: the lowest number (FCFS);
 * - Shortest: the greatest 1 / T (SJF);
 * - ResponseRatio: the greatest (w + T) / T (HRRN);
 * - Alignment: the greatest f . r in units (the packer, called Tetris in DeepRM's plots);
 * - Mix: the greatest Knob f . r + (1 - Knob) / T (Tetris).
 *
 * A strict list waits until its first job can start, even if others could: with Arrival this is
 * FCFS in the textbook's sense.
 */
class ClusterListPolicy : public DecisionPolicy
{
  public:
    /// Order of the jobs.
    enum OrderKind
    {
        ARRIVAL,        //!< FCFS
        SHORTEST,       //!< SJF
        RESPONSE_RATIO, //!< HRRN
        ALIGNMENT,      //!< packer
        MIX,            //!< Tetris
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;

  protected:
    /**
     * @param problem that waits for a decision
     * @param ledger determines which jobs can start now
     * @param most largest number of time slots of a job
     * @return an action
     */
    uint32_t Pick(const ClusterScheduling& problem,
                  const ClusterLedger& ledger,
                  uint32_t most) const;

  private:
    OrderKind m_order; //!< order of the jobs
    double m_knob;     //!< weight of alignment in Mix
    bool m_strict;     //!< whether to wait for the first job
};

NS_OBJECT_ENSURE_REGISTERED(ClusterListPolicy);

TypeId
ClusterListPolicy::GetTypeId()
{
    using T = ClusterListPolicy;
    static TypeId tid = TypeIdOf<ClusterListPolicy, DecisionPolicy>("ns3::odcn::ClusterListPolicy")
                            .Add(Attribute("Order",
                                           &T::m_order,
                                           OrderKind::ARRIVAL,
                                           {{OrderKind::ARRIVAL, "Arrival"},
                                            {OrderKind::SHORTEST, "Shortest"},
                                            {OrderKind::RESPONSE_RATIO, "ResponseRatio"},
                                            {OrderKind::ALIGNMENT, "Alignment"},
                                            {OrderKind::MIX, "Mix"}}),
                                 "Which of the jobs that can start comes first.")
                            .Add(Attribute("Knob", &T::m_knob, 0.2, 0, 1),
                                 "Weight of alignment in Mix; that of 1 / length is 1 - Knob.")
                            .Add(Attribute("Strict", &T::m_strict, false),
                                 "Whether to wait until the first of all waiting jobs can start.");
    return tid;
}

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

/**
 * @ingroup odcn
 *
 * EASY backfilling: first come, first served, but while the first job waits for its earliest start,
 * another job may start now if that does not delay the first. Order selects one of these.
 *
 * Durations are known exactly here, so that reservations are never too early or too late. If the
 * first job has no place within the horizon, only jobs that end before any place that it could get
 * may start.
 */
class ClusterBackfillPolicy : public ClusterListPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    uint32_t Decide(const DecisionProblem& problem) override;

  private:
    ClusterLedger m_ledger; //!< scratch: ledger with the first job's reservation
};

NS_OBJECT_ENSURE_REGISTERED(ClusterBackfillPolicy);

TypeId
ClusterBackfillPolicy::GetTypeId()
{
    static TypeId tid =
        TypeIdOf<ClusterBackfillPolicy, ClusterListPolicy>("ns3::odcn::ClusterBackfillPolicy");
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

namespace
{

/// The policies with a short name.
const PolicyRegistration CLUSTER_POLICIES{
    "ns3::odcn::ClusterScheduling",
    {{"agent", "trained network", "ns3::odcn::AgentPolicy", {}},
     {"a2cscheduler", "A2cScheduler, with a mask", "ns3::odcn::AgentPolicy", {}},
     {"deeprm", "DeepRM, with a mask", "ns3::odcn::AgentPolicy", {}},
     {"deeprm-plus", "DeepRM_Plus, with a mask", "ns3::odcn::AgentPolicy", {}},
     {"a2cscheduler-paper",
      "A2cScheduler",
      "ns3::odcn::AgentPolicy[Greedy=false|UseMask=false]",
      {}},
     // DeepRM's code draws its actions. The likeliest one may do nothing for ever.
     {"deeprm-paper", "DeepRM", "ns3::odcn::AgentPolicy[Greedy=false|UseMask=false]", {}},
     {"deeprm-plus-paper", "DeepRM_Plus", "ns3::odcn::AgentPolicy[Greedy=false|UseMask=false]", {}},
     {"easy", "EASY backfilling", "ns3::odcn::ClusterBackfillPolicy", {}},
     {"easy-sjf",
      "EASY backfilling, shortest first",
      "ns3::odcn::ClusterBackfillPolicy[Order=Shortest]",
      {}},
     {"fcfs",
      "first come, first served",
      "ns3::odcn::ClusterListPolicy[Order=Arrival|Strict=true]",
      {}},
     {"first-fit", "first that fits", "ns3::odcn::ClusterListPolicy[Order=Arrival]", {}},
     {"hrrn",
      "highest response ratio next",
      "ns3::odcn::ClusterListPolicy[Order=ResponseRatio]",
      {}},
     {"packer", "best packing", "ns3::odcn::ClusterListPolicy[Order=Alignment]", {}},
     {"random", "any action, useful or not", "ns3::odcn::RandomPolicy[Feasible=false]", {}},
     {"random-feasible", "any action that does something", "ns3::odcn::RandomPolicy", {}},
     {"untrained", "network with random parameters", "ns3::odcn::AgentPolicy[Untrained=Mlp]", {}},
     {"sjf", "shortest job first", "ns3::odcn::ClusterListPolicy[Order=Shortest]", {}},
     {"tetris",
      "Tetris: packing and shortness",
      "ns3::odcn::ClusterListPolicy[Knob=0.2|Order=Mix]",
      {}}}};

} // namespace

} // namespace ns3::odcn
