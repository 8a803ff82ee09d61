// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-ppo-learner.h"

#include "odcn-policy-network.h"
#include "odcn-torch-setup.h"

#include "ns3/odcn-attributes.h"

#include <algorithm>
#include <cmath>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(PpoLearner);

TypeId
PpoLearner::GetTypeId()
{
    static TypeId tid =
        TypeIdBuilder(
            AddAttributes(
                TypeIdOf<PpoLearner, GradientLearner>("ns3::odcn::PpoLearner"),
                {.gamma = 0.99, .useMask = true, .normalizeAdvantage = true, .clipGradient = 0.5}))
            .Add(Attribute("UpdateSamples", &PpoLearner::m_updateSamples, 64, 1, 1000000),
                 "Number of samples of each problem in an update.")
            .Add(Attribute("MinibatchSamples", &PpoLearner::m_minibatchSamples, 256, 1, 1000000),
                 "Approximate number of samples of a step; an update is split equally.")
            .Add(Attribute("Passes", &PpoLearner::m_passes, 4, 1, 1000),
                 "Passes of an update through its samples.")
            .Add(Attribute("ClipRatio", &PpoLearner::m_clipRatio, 0.2, 0.0),
                 "Relative change of an action's probability since it was sampled, beyond "
                 "which the surrogate is constant.");
    return tid;
}

std::map<std::string, double>
PpoLearner::GetFigures() const
{
    auto figures = GradientLearner::GetFigures();
    figures.emplace("clipped", 0.0);
    return figures;
}

LossTerms
PpoLearner::ComputeLoss(const TrainingBatch& batch, const PolicyOutput& output) const
{
    const auto logs = MaskedLogSoftmax(output.logits, batch.masks);
    const auto chosen = logs.gather(1, batch.actions.unsqueeze(1)).squeeze(1);
    const auto ratio = torch::exp(chosen - batch.probabilities.log());
    const auto bounded = ratio.clamp(1.0 - m_clipRatio, 1.0 + m_clipRatio);
    const auto entropy = Entropy(logs).mean();
    const auto surrogate = torch::min(ratio * batch.advantages, bounded * batch.advantages);
    const auto policy = -surrogate.mean() - m_entropyWeight * entropy;
    const auto value = (output.values - batch.targets).square().mean();
    const auto clipped = (bounded * batch.advantages < ratio * batch.advantages);
    return {policy + m_valueWeight * value,
            {{"policy_loss", policy},
             {"value_loss", value},
             {"entropy", entropy},
             {"clipped", clipped.to(torch::kFloat32).mean()}}};
}

void
PpoLearner::Learn(PolicyNetwork& network, TrainingBatch& batch, std::size_t first)
{
    EstimateAdvantages(network, batch, first);
    const int64_t n = batch.GetN();
    const int64_t parts = std::max<int64_t>(1, n / m_minibatchSamples);
    const double learningRate = GetLearningRate();
    const auto seed = MakeTorchSeed(GetShuffleStream());
    auto generator = at::make_generator<at::CPUGeneratorImpl>(seed);
    for (uint32_t pass = 0; pass < m_passes; ++pass)
    {
        const auto order = torch::randperm(n, generator, torch::kInt64);
        for (int64_t k = 0; k < parts; ++k)
        {
            const auto part = batch.Take(order.slice(0, n * k / parts, n * (k + 1) / parts));
            Step(Differentiate(network, part, GetLoss(), {}), learningRate);
        }
    }
}

} // namespace ns3::odcn
