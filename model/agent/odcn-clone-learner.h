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
 * Behaviour cloning: learns the teacher's decisions by cross entropy and fits the value to the
 * teacher's rewards. Every sample is used once. With CloneOwnStates above 0 the network acts, and
 * the teacher's choices in the states that it reaches are learnt (DAgger). For passes through a set
 * of samples, or cloning before another learner begins, see the Attributes ClonePasses and
 * CloneDecisions of every learner that follows gradients.
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

    uint32_t m_updateSamples{0}; //!< Samples of each problem in an update
};

} // namespace ns3::odcn

#endif /* ODCN_CLONE_LEARNER_H */
