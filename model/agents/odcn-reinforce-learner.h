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
 * al., 2021, Algorithm 3). An update takes Sequences sequences of events, e.g. of jobs. All M
 * problems get the same sequence, each for one episode, and differ by their decisions. With R_t^m
 * the discounted sum of the rewards of problem m from its decision t on, the baseline b_t of
 * decision t is the mean of R_t over all M, where an episode that has ended before counts 0. The
 * gradient is the mean of grad log pi (a_t) (R_t - b_t) over all decisions of the update.
 *
 * Problems must end, or EpisodeDecisions cuts them off; their events must depend on their streams
 * and not on decisions. Networks need no value. Only the experience of one sequence is kept at a
 * time.
 */
class ReinforceLearner : public GradientLearner
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  protected:
    LossTerms ComputeLoss(const TrainingBatch& batch, const PolicyOutput& output) const override;

  private:
    /// Samples of each problem in a step of cloning.
    static constexpr uint32_t CLONE_SAMPLES = 32;

    uint32_t GetSamples() const override
    {
        return CLONE_SAMPLES;
    }

    void BeginEpoch() override;
    bool Advance() override;

    /// @return R_t - b_t of each problem, for the decisions whose rewards are known
    std::vector<std::vector<float>> ComputeAdvantagesByTime();

    /// Add the gradient of a sequence.
    void LearnSequence();

    uint32_t m_sequences{0};        //!< Sequences per update
    uint64_t m_sequencePool{0};     //!< Number of different sequences; 0 for no limit
    uint64_t m_episodeDecisions{0}; //!< After which an episode is cut off; 0 for no limit
    uint32_t m_sequence{0};         //!< Sequences in this update so far
    uint64_t m_samples{0};          //!< Samples in this update so far
    std::vector<at::Tensor> m_sum;  //!< Gradients of this update, weighted by samples
};

} // namespace ns3::odcn

#endif /* ODCN_REINFORCE_LEARNER_H */
