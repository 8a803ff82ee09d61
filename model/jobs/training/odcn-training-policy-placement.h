// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_POLICY_PLACEMENT_H
#define ODCN_TRAINING_POLICY_PLACEMENT_H

#include "odcn-training-placement.h"
#include "odcn-training-problem.h"

#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-fabric-design.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * A placement that a policy of TrainingProblem decides: a rule, or an agent by its file. So the
 * same policies decide whatever engine carries the messages of the jobs.
 *
 * @ingroup odcn
 */
class PolicyTrainingPlacement : public TrainingPlacement
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    PolicyTrainingPlacement();
    ~PolicyTrainingPlacement() override;

    /**
     * @param design see TrainingPlacement; one of TrainingLinks
     * @throws OdcnError when it is not, or there is no such policy, or it is for another size
     */
    void SetDesign(const FabricDesign& design) override;

    /// @copydoc TrainingPlacement::Choose
    /// @throws OdcnError without SetDesign(), or when the cluster has other racks
    std::vector<uint32_t> Choose(const TrainingCluster& cluster, uint32_t job) override;
    int64_t AssignStreams(int64_t stream) override;

    /// @return number of decisions so far
    uint64_t GetNDecisions() const
    {
        return m_nDecisions;
    }

  protected:
    void DoDispose() override;

  private:
    /// @param job a job
    /// @param cluster that has it
    /// @return what is known of it
    std::shared_ptr<const TrainingSketch> GetSketch(const std::shared_ptr<const TrainingJob>& job,
                                                    const TrainingCluster& cluster);

    std::string m_words;            //!< Policy
    Ptr<TrainingProblem> m_problem; //!< in which it decides; null before SetDesign()
    Ptr<DecisionPolicy> m_policy;   //!< decides
    uint64_t m_nDecisions{0};       //!< see GetNDecisions()
    /// Jobs so far.
    std::map<std::shared_ptr<const TrainingJob>, std::shared_ptr<const TrainingSketch>> m_sketches;
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_POLICY_PLACEMENT_H */
