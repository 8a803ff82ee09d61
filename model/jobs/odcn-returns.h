// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RETURNS_H
#define ODCN_RETURNS_H

#include <cstdint>
#include <span>

namespace ns3::odcn
{

/**
 * @file
 * @ingroup odcn
 *
 * Returns and advantages of sequences of rewards, and the choice of an action from logits.
 * Equation numbers are those of the ODCN paper.
 */

/// What follows a sample.
enum SampleEnd : uint8_t
{
    GOES_ON,   //!< the next sample
    ENDED,     //!< nothing: the episode has ended
    CUT_SHORT, //!< a later state, but the episode was ended by a limit, see IsCutShort()
};

/**
 * Eq. 2: sigma_n, the discounted sum of the next L rewards, for the first samples of a sequence.
 * Nothing is summed across the end of an episode.
 *
 * @param rewards rho_n, at least sigma.size() + window - 1 of them unless an episode ends before
 * @param ends nonzero where an episode ends after this sample
 * @param window L
 * @param gamma discount factor
 * @param [out] sigma as many returns as it has elements
 */
void WindowReturns(std::span<const float> rewards,
                   std::span<const uint8_t> ends,
                   uint32_t window,
                   double gamma,
                   std::span<float> sigma);

/**
 * Generalised advantage estimation (Schulman et al., 2016), the alternative to Eqs. 2 and 3.
 *
 * @param rewards rho_n
 * @param ends SampleEnd; where an episode was cut short, the value of the state before its last
 * action stands for that of the state reached, which is not observed
 * @param values V(s_n), one more than advantages.size(): the last belongs to the state reached
 * @param gamma discount factor
 * @param lambda weight of longer sums
 * @param [out] advantages as many as it has elements
 */
void GaeAdvantages(std::span<const float> rewards,
                   std::span<const uint8_t> ends,
                   std::span<const float> values,
                   double gamma,
                   double lambda,
                   std::span<float> advantages);

/// Shift and scale to mean 0 and standard deviation 1; if all are equal, to 0.
/// @param [in,out] advantages the values
void Normalize(std::span<float> advantages);

/**
 * Softmax of the logits, with masked actions at probability 0. A mask without any 1 masks nothing.
 *
 * @param logits one per action
 * @param mask one per action, or empty
 * @param [out] probabilities one per action
 * @throws OdcnError when a logit is not finite
 */
void Softmax(std::span<const float> logits,
             std::span<const uint8_t> mask,
             std::span<float> probabilities);

/**
 * Sample an action: the first whose cumulative probability exceeds a random number (Algorithm 1).
 *
 * @param probabilities from Softmax()
 * @param uniform random on [0, 1)
 * @return an action of positive probability
 */
uint32_t SampleAction(std::span<const float> probabilities, double uniform);

/**
 * @param logits one per action
 * @param mask one per action, or empty; a mask without any 1 masks nothing
 * @return the unmasked action with the largest logit, the first among equals
 * @throws OdcnError when a logit is not finite
 */
uint32_t ArgMax(std::span<const float> logits, std::span<const uint8_t> mask);

} // namespace ns3::odcn

#endif /* ODCN_RETURNS_H */
