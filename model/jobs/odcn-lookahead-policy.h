// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_LOOKAHEAD_POLICY_H
#define ODCN_LOOKAHEAD_POLICY_H

#include "odcn-decision-policy.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Looks ahead to the end of each job: the rollout algorithm (Bertsekas, Tsitsiklis and Wu, Rollout
 * Algorithms for Combinatorial Optimization, 1997) at the first decision about a job. Another
 * policy (Policy) decides the whole job on a copy of the problem first
 * (DecisionProblem::BranchJob()). If the job is then placed without a change of circuits, that
 * policy decides as always. Otherwise every other feasible first action is tried in the same way,
 * and of those by which the job is placed without a change, the one with the largest sum of rewards
 * is taken; if there is none, that of the policy. Later jobs are not seen.
 *
 * Any policy can be given that decides equal problems equally; one that draws random numbers does
 * not follow its plan. Only for problems that can be copied.
 */
class LookaheadPolicy : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Finds Policy among those of the problem. @copydoc DecisionPolicy::Configure
    void Configure(DecisionProblem& problem) override;

    uint32_t Decide(const DecisionProblem& problem) override;
    uint32_t GetBatch() const override;

    /**
     * Copies are decided together, too.
     * @copydoc DecisionPolicy::DecideAll
     */
    void DecideAll(std::span<Episode> episodes) override;
    void Reset() override;
    int64_t AssignStreams(int64_t stream) override;

    /// @param policy a policy, after Configure()
    /// @return the policy that decides: this one unless it looks ahead with another
    static const DecisionPolicy& GetDecider(const DecisionPolicy& policy);

  protected:
    void DoDispose() override;

  private:
    /// A job that is decided on a copy after a certain first action.
    struct Plan
    {
        const DecisionProblem* problem{nullptr}; //!< waits for the first decision
        LookaheadPolicy* owner{nullptr};         //!< decides that problem
        uint32_t action{0};                      //!< first action
        bool isSound{false};                     //!< placed without a change of circuits
        double reward{0};                        //!< of all its decisions
    };

    /// @throws OdcnError before Configure()
    void RequirePolicy() const;

    /// Change first actions by which a job is lost. @param [in,out] plans the actions of the
    /// policies
    void Improve(std::span<Plan> plans);

    /// Complete jobs on copies, as many at a time as one evaluation serves.
    /// @param [in,out] plans of policies with the same Attributes
    void Follow(std::span<Plan> plans);

    std::string m_words;          //!< the policy in words
    Ptr<DecisionPolicy> m_policy; //!< decides
    Ptr<DecisionPolicy> m_copied; //!< the same policy, decides copies
    uint64_t m_job{UINT64_MAX};   //!< job of the latest decision; UINT64_MAX for none
};

} // namespace ns3::odcn

#endif /* ODCN_LOOKAHEAD_POLICY_H */
