// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_LOSS_PROBE_H
#define ODCN_LOSS_PROBE_H

/**
 * @file
 * For tests of learners' losses: comparison with an independent computation, and of LibTorch's
 * gradients with finite differences.
 */

#include "../core/odcn-gtest-kit.h"

#include "ns3/odcn-policy-network.h"

namespace ns3::odcn
{

/// A learner that gives access to its loss.
template <typename T>
class LossProbe : public T
{
  public:
    using T::ComputeLoss;
};

/// One sample, and the outputs of a network for it.
struct Sample
{
    std::vector<double> logits; //!< one for each action
    std::vector<uint8_t> mask;  //!< one for each action
    double value{0};            //!< output of the network
    uint32_t action{0};         //!< action taken
    double target{0};           //!< of the value
    double advantage{0};        //!< of the action
};

/// @return samples with masks of several kinds, and positive, negative and zero advantages
inline std::vector<Sample>
MakeSamples()
{
    std::vector<Sample> samples;
    for (uint32_t i = 0; i < 15; ++i)
    {
        Sample sample;
        for (uint32_t a = 0; a < 5; ++a)
        {
            sample.logits.push_back(2 * std::sin(1.3 * i + 2.1 * a));
            // Some exclude one action, some exclude three, and one excludes all, i.e. no mask.
            sample.mask.push_back(i != 7 && (i % 2 == 0 ? a != (i / 2) % 5 : a == 1 || a == 3));
        }
        sample.action = i % 2 == 0 ? (i / 2 + 1) % 5 : 3;
        sample.value = std::cos(0.7 * i);
        sample.target = std::sin(0.4 * i);
        sample.advantage = i % 3 == 0 ? 1.7 : i % 3 == 1 ? -0.6 : i == 8 ? 0.0 : 0.2 * i - 1.3;
        samples.push_back(sample);
    }
    return samples;
}

/// @param sample with a mask  @return probability of each action
inline std::vector<double>
SoftmaxOf(const Sample& sample)
{
    bool any = false;
    for (const uint8_t allowed : sample.mask)
    {
        any |= allowed != 0;
    }
    std::vector<double> p;
    double sum = 0;
    for (std::size_t a = 0; a < sample.logits.size(); ++a)
    {
        p.push_back(!any || sample.mask[a] ? std::exp(sample.logits[a]) : 0.0);
        sum += p.back();
    }
    for (double& x : p)
    {
        x /= sum;
    }
    return p;
}

/// @param p probabilities  @return their entropy in nats
inline double
EntropyOf(const std::vector<double>& p)
{
    double entropy = 0;
    for (const double x : p)
    {
        entropy -= x > 0 ? x * std::log(x) : 0;
    }
    return entropy;
}

/**
 * Compare a learner's loss and its gradient with the mean of a function of one sample.
 * @param learner a LossProbe
 * @param samples to compute the loss of
 * @param old probability of each action when it was sampled
 * @param reference called as reference(sample, old): the loss of one sample, differentiable
 * @return the figures of the learner's loss
 */
template <typename T, typename F>
std::map<std::string, double>
ExpectLoss(const T& learner,
           std::vector<Sample> samples,
           const std::vector<double>& old,
           F reference)
{
    const auto n = static_cast<int64_t>(samples.size());
    const auto actions = static_cast<int64_t>(samples.front().logits.size());
    const auto numbers = torch::kFloat64;
    TrainingBatch batch;
    batch.masks = torch::zeros({n, actions}, torch::kBool);
    batch.actions = torch::zeros({n}, torch::kInt64);
    batch.probabilities = torch::tensor(old, numbers);
    batch.targets = torch::zeros({n}, numbers);
    batch.advantages = torch::zeros({n}, numbers);
    PolicyOutput output{torch::zeros({n, actions}, numbers), torch::zeros({n}, numbers)};
    for (int64_t i = 0; i < n; ++i)
    {
        const auto& sample = samples[i];
        batch.actions[i] = static_cast<int64_t>(sample.action);
        batch.targets[i] = sample.target;
        batch.advantages[i] = sample.advantage;
        output.values[i] = sample.value;
        for (int64_t a = 0; a < actions; ++a)
        {
            batch.masks[i][a] = sample.mask[a] != 0;
            output.logits[i][a] = sample.logits[a];
        }
    }
    output.logits.requires_grad_(true);
    output.values.requires_grad_(true);
    const auto terms = learner.ComputeLoss(batch, output);
    const auto loss = [&]
    {
        double sum = SumOf<double>(n, [&](int64_t i) { return reference(samples[i], old[i]); });
        return sum / static_cast<double>(n);
    };
    EXPECT_NEAR(terms.total.template item<double>(), loss(), 1e-12);
    terms.total.backward();
    const auto expectDerivative = [&](double& x, const torch::Tensor& gradient)
    {
        constexpr double STEP = 1e-5;
        const double at = x;
        x = at + STEP;
        const double up = loss();
        x = at - STEP;
        const double down = loss();
        x = at;
        EXPECT_NEAR(gradient.template item<double>(), (up - down) / (2 * STEP), 1e-8);
    };
    for (int64_t i = 0; i < n; ++i)
    {
        for (int64_t a = 0; a < actions; ++a)
        {
            SCOPED_TRACE("logit " + std::to_string(a) + " of sample " + std::to_string(i));
            expectDerivative(samples[i].logits[a], output.logits.grad()[i][a]);
        }
        SCOPED_TRACE("value of sample " + std::to_string(i));
        const auto& values = output.values.grad();
        expectDerivative(samples[i].value, values.defined() ? values[i] : torch::zeros({}));
    }
    std::map<std::string, double> figures;
    for (const auto& [name, value] : terms.figures)
    {
        figures[name] = value.template item<double>();
    }
    return figures;
}

} // namespace ns3::odcn

#endif /* ODCN_LOSS_PROBE_H */
