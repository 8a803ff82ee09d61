// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CLONE_LEARNER_H
#define ODCN_CLONE_LEARNER_H

#include "odcn-gradient-learner.h"

#include <cstdint>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Behaviour cloning: learns to decide as the teacher does, by cross entropy on the teacher's
 * decisions, and fits the value to the teacher's rewards. Every sample is seen once. Passes through
 * a set of samples, and cloning before another learner begins, are the Attributes CloneDecisions
 * and ClonePasses of every learner that follows gradients.
 */
class CloneLearner : public GradientLearner
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    uint32_t GetSamples() const override;
    void BeginEpoch() override;
    bool Advance() override;

    uint32_t m_updateSamples{0}; //!< Of each problem
};

} // namespace ns3::odcn

#endif /* ODCN_CLONE_LEARNER_H */
