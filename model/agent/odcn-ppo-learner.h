// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PPO_LEARNER_H
#define ODCN_PPO_LEARNER_H

#include "odcn-actor-critic-learner.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * Proximal policy optimisation (Schulman et al., 2017) by the clipped surrogate. Actions are drawn
 * by the policy. An update takes UpdateSamples of every environment, estimates advantages by GAE
 * once, and then goes Passes times through them in minibatches, in an order of its own each time.
 * The ratio of the surrogate is that to the probability which an action was drawn with, also where
 * its reward came late and the policy has changed since.
 */
class OdcnPpoLearner : public OdcnActorCriticLearner
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    uint32_t GetSamples() const override;
    void Learn(Batch& batch) override;

    /**
     * Fill m_part, with targets and advantages.
     * @param batch where from
     * @param begin first place in m_order
     * @param end one past the last
     */
    void Take(const Batch& batch, std::size_t begin, std::size_t end);

    uint32_t m_updateSamples;      //!< Of each environment
    uint32_t m_minibatchSamples;   //!< Samples of a step
    uint32_t m_passes;             //!< Times through the samples
    double m_clipRatio;            //!< c
    Batch m_part;                  //!< A minibatch
    std::vector<uint32_t> m_order; //!< Of the samples
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_PPO_LEARNER_H */
