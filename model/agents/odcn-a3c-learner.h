// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_A3C_LEARNER_H
#define ODCN_A3C_LEARNER_H

#include "odcn-a2c-learner.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
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
 *
 * With several processes (SetRanks()), one actor of each works at the same time; then all apply
 * their gradients in the order of the ranks. A training can be repeated and resumed bit for bit
 * with the same number of processes; with another it differs, and resuming is refused.
 */
class A3cLearner : public A2cLearner
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    void BeginEpoch() override;
    bool Advance() override;
    void WriteState(Archive& archive, nlohmann::json& header) const override;
    void ReadState(const Archive& archive,
                   const nlohmann::json& header,
                   const std::string& path) override;

    /// Step an actor. @param i index of the actor  @param [out] made decisions that it made
    /// @return the gradient of its samples
    std::vector<at::Tensor> Work(std::size_t i, uint64_t& made);
    /// One update by an actor. @param i index of the actor
    void Update(std::size_t i);
    /// One update by an actor of each rank.
    void UpdateByRanks();

    std::vector<std::shared_ptr<PolicyNetwork>> m_copies; //!< Of the network, one per actor
    std::size_t m_next{0};                                //!< Index of the actor whose turn it is,
                                                          //!< among those of its rank
};

} // namespace ns3::odcn

#endif /* ODCN_A3C_LEARNER_H */
