// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PPO_LEARNER_H
#define ODCN_PPO_LEARNER_H

#include "odcn-gradient-learner.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Proximal policy optimisation (Schulman et al., 2017) with the clipped surrogate objective; the
 * recommended first choice. Actions are sampled from the policy. An update takes UpdateSamples of
 * every problem, estimates advantages by GAE once, and then makes Passes passes through them in
 * minibatches, in a new random order each time. The ratio of the surrogate refers to the
 * probability with which an action was sampled, even if its reward was delayed and the policy has
 * changed since.
 */
class PpoLearner : public GradientLearner
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::map<std::string, double> GetFigures() const override;

  protected:
    uint32_t GetSamples() const override
    {
        return m_updateSamples;
    }

    void Learn(PolicyNetwork& network, TrainingBatch& batch, std::size_t first) override;
    LossTerms ComputeLoss(const TrainingBatch& batch, const PolicyOutput& output) const override;

  private:
    uint32_t m_updateSamples{0};    //!< Samples of each problem in an update
    uint32_t m_minibatchSamples{0}; //!< Samples per step
    uint32_t m_passes{0};           //!< Passes per update
    double m_clipRatio{0};          //!< epsilon of the surrogate
};

} // namespace ns3::odcn

#endif /* ODCN_PPO_LEARNER_H */
