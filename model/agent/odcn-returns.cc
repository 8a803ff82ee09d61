// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-returns.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{
namespace odcn
{

void
OdcnWindowReturns(std::span<const float> rewards,
                  std::span<const uint8_t> ends,
                  uint32_t window,
                  double gamma,
                  std::span<float> sigma)
{
    for (std::size_t n = 0; n < sigma.size(); ++n)
    {
        const std::size_t stop = std::min(rewards.size(), n + window);
        double sum = 0.0;
        double weight = 1.0;
        for (std::size_t t = n; t < stop; ++t)
        {
            sum += weight * rewards[t];
            weight *= gamma;
            if (ends[t])
            {
                break;
            }
        }
        sigma[n] = static_cast<float>(sum);
    }
}

void
OdcnGaeAdvantages(std::span<const float> rewards,
                  std::span<const uint8_t> ends,
                  std::span<const float> values,
                  double gamma,
                  double lambda,
                  std::span<float> advantages)
{
    double later = 0.0;
    for (std::size_t n = advantages.size(); n-- > 0;)
    {
        const double go = ends[n] ? 0.0 : 1.0;
        const double delta = rewards[n] + go * gamma * values[n + 1] - values[n];
        later = delta + go * gamma * lambda * later;
        advantages[n] = static_cast<float>(later);
    }
}

void
OdcnNormalize(std::span<float> advantages)
{
    double sum = 0.0;
    double squares = 0.0;
    for (float a : advantages)
    {
        sum += a;
    }
    const double mean = sum / static_cast<double>(advantages.size());
    for (float a : advantages)
    {
        squares += (a - mean) * (a - mean);
    }
    const double scale = 1.0 / (std::sqrt(squares / static_cast<double>(advantages.size())) + 1e-8);
    for (float& a : advantages)
    {
        a = static_cast<float>((a - mean) * scale);
    }
}

namespace
{

/// @param mask one per action, or empty  @return whether it allows some actions and not others
bool
IsMasking(std::span<const uint8_t> mask)
{
    return std::any_of(mask.begin(), mask.end(), [](uint8_t m) { return m != 0; });
}

} // namespace

void
OdcnSoftmax(std::span<const float> logits,
            std::span<const uint8_t> mask,
            std::span<float> probabilities)
{
    const bool masking = IsMasking(mask);
    float greatest = -std::numeric_limits<float>::infinity();
    for (std::size_t a = 0; a < logits.size(); ++a)
    {
        if (!masking || mask[a])
        {
            greatest = std::max(greatest, logits[a]);
        }
    }
    float sum = 0.0F;
    for (std::size_t a = 0; a < logits.size(); ++a)
    {
        const float p = !masking || mask[a] ? std::exp(logits[a] - greatest) : 0.0F;
        probabilities[a] = p;
        sum += p;
    }
    const float scale = 1.0F / sum;
    for (float& p : probabilities)
    {
        p *= scale;
    }
}

OdcnPolicyTerm
OdcnPolicyLoss(std::span<const float> probabilities,
               uint32_t action,
               double advantage,
               double entropyWeight,
               double weight,
               std::span<float> dLogits)
{
    // A probability may underflow to 0; its logarithm is then cut off, as is its share of entropy.
    constexpr double LEAST = 1e-30;
    double entropy = 0.0;
    for (float p : probabilities)
    {
        entropy -= p > 0.0F ? p * std::log(std::max<double>(p, LEAST)) : 0.0;
    }
    for (std::size_t a = 0; a < probabilities.size(); ++a)
    {
        const double p = probabilities[a];
        const double chosen = a == action ? 1.0 : 0.0;
        const double byEntropy = p > 0.0 ? p * (std::log(std::max(p, LEAST)) + entropy) : 0.0;
        dLogits[a] =
            static_cast<float>(weight * (advantage * (p - chosen) + entropyWeight * byEntropy));
    }
    const double logChosen = std::log(std::max<double>(probabilities[action], LEAST));
    return {-logChosen * advantage - entropyWeight * entropy, entropy, false};
}

OdcnPolicyTerm
OdcnClippedLoss(std::span<const float> probabilities,
                uint32_t action,
                double chance,
                double advantage,
                double clip,
                double entropyWeight,
                double weight,
                std::span<float> dLogits)
{
    const double ratio = probabilities[action] / chance;
    const double bounded = std::clamp(ratio, 1.0 - clip, 1.0 + clip);
    const bool clipped = bounded * advantage < ratio * advantage;
    // The derivative of r is r times that of log pi(a).
    auto term = OdcnPolicyLoss(probabilities,
                               action,
                               clipped ? 0.0 : ratio * advantage,
                               entropyWeight,
                               weight,
                               dLogits);
    term.loss = -std::min(ratio * advantage, bounded * advantage) - entropyWeight * term.entropy;
    term.clipped = clipped;
    return term;
}

uint32_t
OdcnRoulette(std::span<const float> probabilities, double random)
{
    double sum = 0.0;
    uint32_t last = 0;
    for (uint32_t a = 0; a < probabilities.size(); ++a)
    {
        if (probabilities[a] > 0.0F)
        {
            sum += probabilities[a];
            last = a;
            if (sum > random)
            {
                return a;
            }
        }
    }
    return last;
}

uint32_t
OdcnArgMax(std::span<const float> logits, std::span<const uint8_t> mask)
{
    const bool masking = IsMasking(mask);
    uint32_t best = 0;
    bool found = false;
    for (uint32_t a = 0; a < logits.size(); ++a)
    {
        if ((!masking || mask[a]) && (!found || logits[a] > logits[best]))
        {
            best = a;
            found = true;
        }
    }
    return best;
}

} // namespace odcn
} // namespace ns3
