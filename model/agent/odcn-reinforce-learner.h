// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_REINFORCE_LEARNER_H
#define ODCN_REINFORCE_LEARNER_H

#include "odcn-gradient-learner.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * REINFORCE with a time-dependent baseline, as in DeepRM (Mao et al., 2016) and DeepRM_Plus (Guo et
 * al., 2021, Algorithm 3). An update takes Sequences sequences of events, of jobs say. All M
 * problems get the same sequence, each for one episode, and differ by their decisions. With R_t^m
 * the discounted sum of the rewards of problem m from its decision t on, the baseline of decision t
 * is the mean of R_t over all M, where an episode that was over by then counts 0. The gradient is
 * the mean of grad log pi (a_t) (R_t - b_t) over all decisions of the update.
 *
 * Problems must end, or EpisodeDecisions cuts them short; their events must depend on their streams
 * and not on what is decided. Networks need no value. Experience of one sequence is kept at a time.
 */
class ReinforceLearner : public GradientLearner
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  protected:
    LossTerms ComputeLoss(const TrainingBatch& batch, const PolicyOutput& output) const override;

  private:
    uint32_t GetSamples() const override;
    void BeginEpoch() override;
    bool Advance() override;

    /// @return R_t - b_t of each problem, for the decisions whose rewards are known
    std::vector<std::vector<float>> ComputeAdvantagesByTime();

    /// Add the gradient of a sequence.
    void LearnSequence();

    uint32_t m_sequences{0};        //!< Of an update
    uint64_t m_sequencePool{0};     //!< Number of sequences; 0 for no end of them
    uint64_t m_episodeDecisions{0}; //!< After which an episode is cut short
    uint32_t m_sequence{0};         //!< Sequences of this update so far
    uint64_t m_samples{0};          //!< Samples of this update so far
    std::vector<at::Tensor> m_sum;  //!< Gradients of this update, times samples
};

} // namespace ns3::odcn

#endif /* ODCN_REINFORCE_LEARNER_H */
