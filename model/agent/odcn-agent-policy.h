// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_AGENT_POLICY_H
#define ODCN_AGENT_POLICY_H

#include "odcn-network.h"

#include "ns3/odcn-decision-policy.h"

#include <random>
#include <string>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * A trained network that decides. The checkpoint is read at the first decision, when the size of
 * the problem is known; decisions then allocate nothing and do not use LibTorch.
 */
class OdcnAgentPolicy : public OdcnDecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    OdcnAgentPolicy();

    /**
     * Decide by a network in memory instead of a checkpoint, e.g. one that is being trained.
     * @param network built
     */
    void SetNetwork(Ptr<OdcnNetwork> network);

    /**
     * Read the checkpoint now rather than at the first decision, so that errors show early.
     * @param problem whose size counts
     * @throws OdcnError when there is none or it does not fit
     */
    void Load(const OdcnDecisionProblem& problem);

    /// @return the network; null before the first decision
    Ptr<OdcnNetwork> GetNetwork() const;

    uint32_t Decide(const OdcnDecisionProblem& problem) override;

    /**
     * Decide for several problems of one size, each as Decide() would.
     * @param problems each stands at a decision
     * @param [out] actions one for each
     */
    void DecideBatch(const std::vector<const OdcnDecisionProblem*>& problems,
                     std::vector<uint32_t>& actions);

    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    std::string m_checkpoint;                      //!< File
    bool m_useMask;                                //!< Whether infeasible actions are excluded
    bool m_greedy;                                 //!< Greatest logit, not roulette
    Ptr<OdcnNetwork> m_network;                    //!< Null until loaded
    std::mt19937_64 m_random;                      //!< For roulette
    OdcnNetwork::Scratch m_scratch;                //!< For the network
    std::vector<float> m_observed;                 //!< Observations
    std::vector<float> m_logits;                   //!< What the network says
    std::vector<float> m_chances;                  //!< Probabilities
    std::vector<uint8_t> m_mask;                   //!< Of one problem
    std::vector<uint32_t> m_actions;               //!< Of Decide()
    std::vector<const OdcnDecisionProblem*> m_one; //!< Of Decide()
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_AGENT_POLICY_H */
