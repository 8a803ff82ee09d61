// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RETURNS_H
#define ODCN_RETURNS_H

#include <cstdint>
#include <span>

namespace ns3
{
namespace odcn
{

/**
 * @file
 * @ingroup odcn
 *
 * The arithmetic of advantage actor-critic learners, free of state: equation numbers are those of
 * the ODCN paper.
 */

/**
 * Eq. 2: sigma_n, the discounted sum of the next L rewards, for the first samples of a sequence.
 * Nothing is summed across the end of an episode.
 *
 * @param rewards rho_n, at least sigma.size() + window - 1 of them unless an episode ends before
 * @param ends nonzero where an episode ends after this sample
 * @param window L
 * @param gamma discount factor
 * @param [out] sigma as many as are wanted
 */
void OdcnWindowReturns(std::span<const float> rewards,
                       std::span<const uint8_t> ends,
                       uint32_t window,
                       double gamma,
                       std::span<float> sigma);

/**
 * Generalised advantage estimation (Schulman et al.), the alternative to Eqs. 2 and 3.
 *
 * @param rewards rho_n
 * @param ends nonzero where an episode ends after this sample
 * @param values V(s_n), one more than advantages.size(): the last belongs to the state reached
 * @param gamma discount factor
 * @param lambda weight of longer sums
 * @param [out] advantages as many as are wanted
 */
void OdcnGaeAdvantages(std::span<const float> rewards,
                       std::span<const uint8_t> ends,
                       std::span<const float> values,
                       double gamma,
                       double lambda,
                       std::span<float> advantages);

/// Bring to mean 0 and standard deviation 1; equal ones become 0.
void OdcnNormalize(std::span<float> advantages);

/**
 * Softmax of the logits, with masked actions at probability 0. A mask without any 1 masks nothing.
 *
 * @param logits one per action
 * @param mask one per action, or empty
 * @param [out] probabilities one per action
 */
void OdcnSoftmax(std::span<const float> logits,
                 std::span<const uint8_t> mask,
                 std::span<float> probabilities);

/// What one sample adds to the policy loss.
struct OdcnPolicyTerm
{
    double loss;    //!< -log pi(a) x advantage - beta x entropy
    double entropy; //!< -sum of pi log pi
    bool clipped;   //!< Whether the advantage was left out, see OdcnClippedLoss()
};

/**
 * One sample's term of Eq. 4 and its derivative by the logits.
 *
 * @param probabilities pi, from OdcnSoftmax()
 * @param action a_n
 * @param advantage aleph_n; 1 for behaviour cloning (cross entropy)
 * @param entropyWeight beta
 * @param weight what the derivative is multiplied by (1 / samples for an expectation)
 * @param [out] dLogits the derivative
 * @return the term, not multiplied by weight
 */
OdcnPolicyTerm OdcnPolicyLoss(std::span<const float> probabilities,
                              uint32_t action,
                              double advantage,
                              double entropyWeight,
                              double weight,
                              std::span<float> dLogits);

/**
 * One sample's term of the clipped surrogate of proximal policy optimisation (Schulman et al.):
 * -min(r A, clip(r, 1 - c, 1 + c) A) - beta x entropy, where r is pi(a) by what it was when the
 * action was drawn.
 *
 * @param probabilities pi, from OdcnSoftmax()
 * @param action that was drawn
 * @param chance its probability then, positive
 * @param advantage A
 * @param clip c
 * @param entropyWeight beta
 * @param weight as for OdcnPolicyLoss()
 * @param [out] dLogits the derivative
 * @return the term, not multiplied by weight
 */
OdcnPolicyTerm OdcnClippedLoss(std::span<const float> probabilities,
                               uint32_t action,
                               double chance,
                               double advantage,
                               double clip,
                               double entropyWeight,
                               double weight,
                               std::span<float> dLogits);

/**
 * Roulette: the first action whose cumulative probability reaches a random number (Algorithm 1).
 *
 * @param probabilities from OdcnSoftmax()
 * @param random uniform on [0, 1)
 * @return an action of positive probability
 */
uint32_t OdcnRoulette(std::span<const float> probabilities, double random);

/**
 * @param logits one per action
 * @param mask one per action, or empty; a mask without any 1 masks nothing
 * @return the unmasked action of the greatest logit, the first of equals
 */
uint32_t OdcnArgMax(std::span<const float> logits, std::span<const uint8_t> mask);

} // namespace odcn
} // namespace ns3

#endif /* ODCN_RETURNS_H */
