// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_A3C_LEARNER_H
#define ODCN_A3C_LEARNER_H

#include "odcn-a2c-learner.h"

#include <cstddef>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * Asynchronous advantage actor-critic (Mnih et al., 2016), with the numbers of DeepHM (ICCI): each
 * environment is an actor of its own. An actor takes the shared parameters, goes on until 2L-1
 * samples are complete, makes the gradient of the first L (each with its own window of L rewards)
 * by a network of its own, and gives it to the shared optimiser; the others meanwhile do the same.
 *
 * With Threads=1 the actors take turns in the order of the environments, and a training can be
 * repeated and resumed bit for bit. With more threads, as in the paper, which actor comes when is
 * left to the machine: trainings then differ from each other. Threads share parameters, optimiser
 * and counters, always under a lock; nothing races.
 */
class OdcnA3cLearner : public OdcnA2cLearner
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  protected:
    void DoDispose() override;

  private:
    /// What belongs to an environment.
    struct Actor
    {
        Ptr<OdcnNetwork> network; //!< With the parameters that it last took
        Batch batch;              //!< Of its last update
    };

    void BeginEpoch() override;
    bool Advance() override;

    /// One update by an actor. @param i which
    void Work(std::size_t i);

    std::vector<Actor> m_actors; //!< One an environment
    std::size_t m_next{0};       //!< Whose turn it is
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_A3C_LEARNER_H */
