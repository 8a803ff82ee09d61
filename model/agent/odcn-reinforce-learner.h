// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_REINFORCE_LEARNER_H
#define ODCN_REINFORCE_LEARNER_H

#include "odcn-actor-critic-learner.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * REINFORCE with a baseline by time, as in DeepRM (Mao et al., 2016) and DeepRM_Plus (Guo et al.,
 * 2021, Algorithm 3). An update takes Sequences sequences of events, of jobs say. All M
 * environments meet the same sequence, each for one episode, and differ by what they decide. With
 * R_t^m the discounted sum of what environment m earned from its decision t on, the baseline of
 * decision t is the mean of R_t over all M, where an episode that was over by then counts 0. The
 * gradient is the mean of grad log pi (a_t) (R_t - b_t) over all decisions of the update.
 *
 * Problems must end, or EpisodeDecisions cut them short; they must draw what happens from the
 * streams they get and not from what is decided. Networks need no value. Experience of one sequence
 * is kept at a time.
 */
class OdcnReinforceLearner : public OdcnActorCriticLearner
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    uint32_t GetSamples() const override;
    void BeginEpoch() override;
    bool Advance() override;
    void Learn(Batch& batch) override;

    /**
     * Compute R_t - b_t.
     * @return of each environment, for the decisions whose rewards are known
     */
    std::vector<std::vector<float>> ComputeReturns();

    /// Learn from what all environments went through.
    void LearnSequence();

    uint32_t m_sequences;        //!< Of an update
    uint64_t m_sequencePool;     //!< How many there are; 0 for ever new ones
    uint64_t m_episodeDecisions; //!< Where an episode is cut short
    uint32_t m_sequence{0};      //!< Of this update, learnt from so far
    uint64_t m_samples{0};       //!< Of this update
    std::vector<float> m_sum;    //!< Of gradients of this update
    Losses m_losses;             //!< Sums of this update
    Batch m_part;                //!< Samples that are learnt from at once
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_REINFORCE_LEARNER_H */
