// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-reinforce-learner.h"

#include "odcn-policy-network.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-returns.h"

#include <algorithm>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(ReinforceLearner);

TypeId
ReinforceLearner::GetTypeId()
{
    static TypeId tid =
        TypeIdBuilder(AddAttributes(TypeIdOf<ReinforceLearner, GradientLearner>(
                                        "ns3::odcn::ReinforceLearner"),
                                    {.gamma = 1.0,
                                     .entropyWeight = 0.0,
                                     .optimizer = "RMSprop",
                                     .optimizerEpsilon = 1e-9,
                                     .critic = false}))
            .Add(Attribute("Sequences", &ReinforceLearner::m_sequences, 10, 1, 100000),
                 "Number of event sequences of an update; all problems get each of them.")
            .Add(Attribute("SequencePool", &ReinforceLearner::m_sequencePool, 0, 0, 1000000),
                 "Number of different sequences, used in turn; 0 for always new ones.")
            .Add(Attribute("EpisodeDecisions", &ReinforceLearner::m_episodeDecisions, 200),
                 "Decisions after which an episode is cut off; 0 to wait for its end.");
    return tid;
}

void
ReinforceLearner::BeginEpoch()
{
    if (m_rollout->GetN() < 2)
    {
        throw OdcnError("ReinforceLearner needs two or more problems: their mean is the baseline");
    }
    m_sequence = 0;
    m_samples = 0;
    m_sum.clear();
}

bool
ReinforceLearner::Advance()
{
    const auto sequence = static_cast<int64_t>(GetUpdates() * m_sequences + m_sequence);
    const auto pool = static_cast<int64_t>(m_sequencePool);
    // Blocks 0 and 1 are for evaluations and cloning.
    const int64_t events = 2 + (pool ? sequence % pool : sequence);
    m_rollout->Restart(m_stream + events * EPOCH_STREAMS,
                       m_stream + (2 + sequence) * EPOCH_STREAMS + ACTION_STREAMS,
                       true);
    Count(
        m_rollout->CollectEpisodes(InferenceOf(*m_network), GetExploration(), m_episodeDecisions));
    LearnSequence();
    if (++m_sequence < m_sequences)
    {
        return false;
    }
    for (auto& gradient : m_sum)
    {
        if (gradient.defined())
        {
            gradient /= static_cast<double>(m_samples);
        }
    }
    Step(m_sum, GetLearningRate());
    BeginEpoch();
    return true;
}

std::vector<std::vector<float>>
ReinforceLearner::ComputeAdvantagesByTime()
{
    std::vector<std::vector<float>> returns;
    std::vector<double> baseline;
    const std::size_t n = m_rollout->GetN();
    for (std::size_t i = 0; i < n; ++i)
    {
        auto r = Scale(m_rollout->Get(i).rewards);
        double later = 0.0;
        for (std::size_t t = r.size(); t-- > 0;)
        {
            later = r[t] + m_gamma * later;
            r[t] = static_cast<float>(later);
        }
        baseline.resize(std::max(baseline.size(), r.size()), 0.0);
        for (std::size_t t = 0; t < r.size(); ++t)
        {
            baseline[t] += r[t] / static_cast<double>(n);
        }
        returns.push_back(std::move(r));
    }
    for (auto& r : returns)
    {
        for (std::size_t t = 0; t < r.size(); ++t)
        {
            r[t] = static_cast<float>(r[t] - baseline[t]);
        }
    }
    return returns;
}

void
ReinforceLearner::LearnSequence()
{
    const auto byProblem = ComputeAdvantagesByTime();
    std::vector<TrainingBatch> parts;
    std::vector<float> advantages;
    for (std::size_t i = 0; i < byProblem.size(); ++i)
    {
        parts.push_back(View(i, byProblem[i].size()));
        advantages.insert(advantages.end(), byProblem[i].begin(), byProblem[i].end());
    }
    if (advantages.empty())
    {
        throw OdcnError("ReinforceLearner: no reward was known when the episodes were cut short: "
                        "raise EpisodeDecisions");
    }
    if (m_normalizeAdvantage)
    {
        Normalize(advantages);
    }
    auto batch = TrainingBatch::Join(parts);
    batch.advantages = torch::tensor(advantages);
    batch.targets = torch::zeros_like(batch.advantages);
    auto gradients = Differentiate(*m_network, batch, GetLoss(), {});
    // Gradients are means over sequences that differ in length.
    const auto n = batch.GetN();
    m_samples += static_cast<uint64_t>(n);
    m_sum.resize(gradients.size());
    for (std::size_t i = 0; i < gradients.size(); ++i)
    {
        if (gradients[i].defined())
        {
            gradients[i] *= static_cast<double>(n);
            m_sum[i] = m_sum[i].defined() ? m_sum[i] + gradients[i] : gradients[i];
        }
    }
}

LossTerms
ReinforceLearner::ComputeLoss(const TrainingBatch& batch, const PolicyOutput& output) const
{
    const auto logs = MaskedLogSoftmax(output.logits, batch.masks);
    const auto chosen = logs.gather(1, batch.actions.unsqueeze(1)).squeeze(1);
    const auto entropy = Entropy(logs).mean();
    const auto policy = -(chosen * batch.advantages).mean() - m_entropyWeight * entropy;
    return {policy, {{"policy_loss", policy}, {"entropy", entropy}}};
}

} // namespace ns3::odcn
