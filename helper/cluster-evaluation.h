// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef CLUSTER_EVALUATION_H
#define CLUSTER_EVALUATION_H

#include "ns3/cluster-scheduling.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-statistics.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * What a policy came to on sets of jobs. Means over jobs are those of all jobs that got a place,
 * whatever their set, as DeepRM's code has it; their intervals come from the sets.
 */
class ClusterEvaluation
{
  public:
    /// What is measured.
    enum Figure
    {
        SLOWDOWN,     //!< mean S_i of the jobs that got a place
        CYCLING_TIME, //!< mean T_i of them, in slots
        WAITING_TIME, //!< mean start - arrival of them, in slots
        UNSCHEDULED,  //!< share of the offered jobs that got none: dropped, impossible or left over
        REWARD,       //!< sum of a set's rewards
        SLOTS,        //!< time slots of a set until its episode ended
        FIGURES,      //!< how many there are
    };

    /// @param figure which  @return its name in files, e.g. "slowdown"
    static const char* GetName(Figure figure);

    /// What a set came to.
    struct Set
    {
        ClusterCounters counters; //!< at its end
        double reward{0};         //!< sum
        uint64_t slots{0};        //!< until it ended
        uint64_t decisions{0};    //!< likewise
    };

    /**
     * Run sets of jobs and add what they come to.
     * @param problem just reset  @param policy who decides  @param sets how many
     * @param done called after each
     */
    void Run(ClusterScheduling& problem,
             OdcnDecisionPolicy& policy,
             uint32_t sets,
             const std::function<void()>& done = nullptr);

    /// @return all sets
    const std::vector<Set>& GetSets() const
    {
        return m_sets;
    }

    /// @param figure which  @return it, over all sets
    OdcnEstimate GetMean(Figure figure) const;

    /**
     * @param figure which  @param other another policy on the same sets
     * @return mean difference of this and the other, set by set; sets where either has none of the
     * jobs that count are left out
     */
    OdcnEstimate GetDifference(Figure figure, const ClusterEvaluation& other) const;

  private:
    /// @param figure which  @param set of jobs  @return its total, and what that is divided by
    static std::array<double, 2> GetRatio(Figure figure, const Set& set);

    std::vector<Set> m_sets; //!< what was run
};

} // namespace odcn
} // namespace ns3

#endif /* CLUSTER_EVALUATION_H */
