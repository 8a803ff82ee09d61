// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_A3C_LEARNER_H
#define ODCN_A3C_LEARNER_H

#include "odcn-a2c-learner.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Asynchronous advantage actor-critic (Mnih et al., 2016) with the constants of DeepHM (ICCI): each
 * problem has its own actor. An actor copies the shared parameters, steps its problem until 2L-1
 * samples are complete, computes the gradient of the first L with its copy, and passes it to the
 * shared optimiser; the other actors do the same concurrently.
 *
 * With Threads=1 the actors take turns in the order of the problems, and a training can be repeated
 * and resumed bit for bit. With more threads, as in the paper, the order of updates depends on the
 * machine, and trainings differ. Threads share parameters, optimiser and counters under a lock.
 */
class A3cLearner : public A2cLearner
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    void BeginEpoch() override;
    bool Advance() override;

    /// One update by an actor. @param i index of the actor
    void Work(std::size_t i);

    std::vector<std::shared_ptr<PolicyNetwork>> m_copies; //!< Of the network, one per actor
    std::size_t m_next{0};                                //!< Index of the actor whose turn it is
};

} // namespace ns3::odcn

#endif /* ODCN_A3C_LEARNER_H */
