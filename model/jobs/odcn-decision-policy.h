// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DECISION_POLICY_H
#define ODCN_DECISION_POLICY_H

#include "odcn-decision-problem.h"

#include "ns3/object.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace ns3::odcn
{

class DecisionPolicy;

/// One of the episodes of DecisionProblem::RunEpisodes().
struct Episode
{
    Ptr<DecisionProblem> problem; //!< the problem, after Reset()
    Ptr<DecisionPolicy> policy;   //!< decides it
    uint64_t jobs{0};             //!< DecisionProblem::GetNDecided() to reach
    bool waits{false};            //!< whether it waits for a decision
    uint32_t action{0};           //!< the decision
    uint64_t decisions{0};        //!< number of decisions so far
};

/**
 * @ingroup odcn
 *
 * Decides a decision problem, one action at a time. Rules and networks share this interface: they
 * are selected by TypeId name and exchanged without touching code. A policy reads the problem and
 * never changes it, except in Configure().
 */
class DecisionPolicy : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param words TypeId name, in which ns3::odcn:: may be left out, or a name of PolicyRegistry;
     * Attributes follow in brackets where they differ: "odcn-packing",
     * "RddcTetrisPolicy[RackFactor=0.5|ClusterFactor=0.5]"
     * @return a new policy
     * @throws OdcnError when there is no such policy or Attribute, a value is out of range, or the
     * name has another meaning in another problem or comes with settings of the problem; for these
     * see PolicyRegistry::Find()
     */
    static Ptr<DecisionPolicy> Create(const std::string& words);

    /**
     * @param problem that waits for a decision
     * @return an action below problem.GetNActions()
     * @throws OdcnError when the policy does not know this kind or size of problem
     */
    virtual uint32_t Decide(const DecisionProblem& problem) = 0;

    /// @return number of problems that DecideAll() decides together; 1 unless overridden
    virtual uint32_t GetBatch() const;

    /**
     * Decide the problems that wait, each by its own policy: one after the other unless overridden.
     * @param [in,out] episodes at most GetBatch(), of policies with the same Attributes, the first
     * of which is this one; they get the actions
     * @throws OdcnError as Decide()
     */
    virtual void DecideAll(std::span<Episode> episodes);

    /**
     * Set the Attributes that determine the observation, as this policy needs it, before its first
     * decision. Rules need none (the default).
     * @param problem to be decided
     * @throws OdcnError when the policy was made for another kind of problem
     */
    virtual void Configure(DecisionProblem& problem);

    /// @return what the file of a trained policy tells of its training, texts by name; empty for
    /// rules (the default)
    virtual std::map<std::string, std::string> GetProvenance() const;

    /// Forget earlier decisions; a new episode begins.
    virtual void Reset();

    /**
     * @param stream first stream number to use
     * @return how many streams were used; rules without randomness use none
     */
    virtual int64_t AssignStreams(int64_t stream);

  protected:
    /// @param problem that waits for a decision
    /// @return its Mask(), valid until the next call
    const std::vector<uint8_t>& GetMask(const DecisionProblem& problem);

  private:
    std::vector<uint8_t> m_mask; //!< of GetMask()
};

} // namespace ns3::odcn

#endif /* ODCN_DECISION_POLICY_H */
