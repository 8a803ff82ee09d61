// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_LEAST_TIME_RULE_H
#define ODCN_LEAST_TIME_RULE_H

#include "odcn-circuit-rule.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * Circuits by that rule for each job with which it ends first, as estimated when it begins. The
 * choices are
 * - to stay: the circuits that are set between its racks, if its messages have paths there, and no
 *   path over other racks is as short;
 * - PerJobRule, PerIterationRule with Demand=all, PerPhaseRule and PerStepRule.
 *
 * The first of equal ones is taken. The estimate goes through the phases of the job in order. A
 * phase begins when its racks have ended those before, and have computed for the gap that they have
 * in a network without contention; and when its circuits are up, if it needs others than are set:
 * the dark time after the end of the phases before. So a switch counts as max(0, dark time - gap).
 * A phase takes as long as in a network without contention, and what its busiest circuit needs
 * longer than its busiest end point does there; with several turns, a dark time for each but the
 * first, too. Other jobs in the same racks are left out.
 *
 * Before the start, where messages may take several circuits, a ring of all racks is set, one way
 * on even planes and the other way on odd ones. So jobs can stay that have racks in a row.
 *
 * @ingroup odcn
 */
class LeastTimeRule : public CircuitRule
{
  public:
    /// A choice for a job.
    struct Estimate
    {
        std::string rule; //!< the type of a CircuitRule; "" to stay
        double time;      //!< from the begin of the job to the end of its last phase, s
        double settled;   //!< the same without dark time, s
    };

    /// @return the TypeId
    static TypeId GetTypeId();
    LeastTimeRule();

    /// @return JOB; see ChooseUnit()
    Unit GetUnit() const override
    {
        return JOB;
    }

    Unit ChooseUnit(const Beginning& beginning) override;
    Circuits ChooseFirst(const TrainingPhase& all, uint32_t planes) override;
    Circuits Choose(const TrainingPhase& phase, uint32_t planes) override;

    /// @param estimates one or more
    /// @return index of the one with the least time
    static std::size_t FindLeast(const std::vector<Estimate>& estimates);

    /// @param job index in the cluster
    /// @return choices that it had, in the order above; empty before it has begun
    const std::vector<Estimate>& GetEstimates(uint32_t job) const;

    /// @param job index in the cluster, that has begun
    /// @return index in GetEstimates() of what was chosen
    std::size_t GetChoice(uint32_t job) const;

  protected:
    void DoDispose() override;

    /**
     * Choose one of the estimates: the least time, unless overridden.
     * @param beginning what is known
     * @param estimates of the choices, one or more
     * @return index in estimates
     */
    virtual std::size_t Pick(const Beginning& beginning, const std::vector<Estimate>& estimates);

  private:
    /// What was chosen for a job.
    struct Job
    {
        std::vector<Estimate> estimates{}; //!< see GetEstimates()
        std::size_t choice{0};             //!< see GetChoice()
        Ptr<CircuitRule> rule{};           //!< null to stay
        Circuits circuits{};               //!< if it stays
    };

    std::vector<Ptr<CircuitRule>> m_rules; //!< choices but to stay
    std::map<uint32_t, Job> m_jobs;        //!< by index
};

} // namespace ns3::odcn

#endif /* ODCN_LEAST_TIME_RULE_H */
