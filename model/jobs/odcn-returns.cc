// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-returns.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::odcn
{

namespace
{

/// @param mask one per action, or empty  @return whether it allows any action
bool
IsMasking(std::span<const uint8_t> mask)
{
    return std::any_of(mask.begin(), mask.end(), [](uint8_t m) { return m != 0; });
}

/// @param logits of an observation; throws OdcnError when one is not finite
void
RequireFiniteLogits(std::span<const float> logits)
{
    if (!std::all_of(logits.begin(), logits.end(), [](float x) { return std::isfinite(x); }))
    {
        throw OdcnError("the network gives logits that are not finite");
    }
}

} // namespace

void
WindowReturns(std::span<const float> rewards,
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
GaeAdvantages(std::span<const float> rewards,
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
        const double next = ends[n] == GOES_ON     ? values[n + 1]
                            : ends[n] == CUT_SHORT ? values[n]
                                                   : 0.0;
        const double delta = rewards[n] + gamma * next - values[n];
        later = delta + go * gamma * lambda * later;
        advantages[n] = static_cast<float>(later);
    }
}

void
Normalize(std::span<float> advantages)
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

void
Softmax(std::span<const float> logits,
        std::span<const uint8_t> mask,
        std::span<float> probabilities)
{
    RequireFiniteLogits(logits);
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

uint32_t
SampleAction(std::span<const float> probabilities, double uniform)
{
    double sum = 0.0;
    uint32_t last = 0;
    for (uint32_t a = 0; a < probabilities.size(); ++a)
    {
        if (probabilities[a] > 0.0F)
        {
            sum += probabilities[a];
            last = a;
            if (sum > uniform)
            {
                return a;
            }
        }
    }
    return last;
}

uint32_t
ArgMax(std::span<const float> logits, std::span<const uint8_t> mask)
{
    RequireFiniteLogits(logits);
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

} // namespace ns3::odcn
