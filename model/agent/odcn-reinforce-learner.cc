// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-reinforce-learner.h"

#include "odcn-agent-seed.h"

#include "ns3/odcn-error.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnReinforceLearner);

namespace
{

/// Tells the generators of the actions from others.
constexpr uint64_t TRAJECTORIES = UINT64_MAX - 5;
/// Samples that each environment brings to a step of cloning.
constexpr uint32_t CLONE_SAMPLES = 32;

} // namespace

TypeId
OdcnReinforceLearner::GetTypeId()
{
    static TypeId tid =
        AddAttributes(TypeId("ns3::odcn::OdcnReinforceLearner")
                          .SetParent<OdcnActorCriticLearner>()
                          .SetGroupName("Odcn")
                          .AddConstructor<OdcnReinforceLearner>(),
                      {.gamma = 1.0, .entropyWeight = 0.0, .rmsProp = true, .critic = false})
            .AddAttribute("Sequences",
                          "Sequences of events of an update; each is met by all environments.",
                          UintegerValue(10),
                          MakeUintegerAccessor(&OdcnReinforceLearner::m_sequences),
                          MakeUintegerChecker<uint32_t>(1, 100000))
            .AddAttribute(
                "SequencePool",
                "Sequences there are, taken in turn again and again; 0 for ever new ones.",
                UintegerValue(0),
                MakeUintegerAccessor(&OdcnReinforceLearner::m_sequencePool),
                MakeUintegerChecker<uint64_t>(0, 1000000))
            .AddAttribute("EpisodeDecisions",
                          "Decisions after which an episode is cut short; 0 to wait for its end.",
                          UintegerValue(200),
                          MakeUintegerAccessor(&OdcnReinforceLearner::m_episodeDecisions),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

uint32_t
OdcnReinforceLearner::GetSamples() const
{
    return CLONE_SAMPLES;
}

void
OdcnReinforceLearner::BeginEpoch()
{
    if (GetRollout().GetN() < 2)
    {
        throw OdcnError("OdcnReinforceLearner needs two or more environments: their mean is the "
                        "baseline");
    }
    m_sequence = 0;
    m_samples = 0;
    m_losses = Losses();
    m_sum.assign(GetNetwork()->GetParameters().size(), 0.0F);
}

bool
OdcnReinforceLearner::Advance()
{
    const uint64_t sequence = GetUpdates() * m_sequences + m_sequence;
    // Streams 0 and 1 x EPOCH_STREAMS are of the evaluation and of cloning.
    const uint64_t place = 2 + (m_sequencePool ? sequence % m_sequencePool : sequence);
    GetRollout().Restart(
        GetStream() + static_cast<int64_t>(place) * EPOCH_STREAMS,
        OdcnAgentSeed({static_cast<uint64_t>(GetStream()), TRAJECTORIES, sequence}),
        true);
    Count(GetRollout().CollectEpisodes(*GetNetwork(), GetExploration(), m_episodeDecisions));
    LearnSequence();
    if (++m_sequence < m_sequences)
    {
        return false;
    }
    const auto samples = static_cast<double>(m_samples);
    for (float& g : m_sum)
    {
        g = static_cast<float>(g / samples);
    }
    Apply(m_sum, {m_losses.policy / samples, 0.0, m_losses.entropy / samples}, GetLearningRate());
    BeginEpoch();
    return true;
}

std::vector<std::vector<float>>
OdcnReinforceLearner::ComputeReturns()
{
    std::vector<std::vector<float>> returns;
    std::vector<double> baseline;
    const std::size_t n = GetRollout().GetN();
    for (std::size_t i = 0; i < n; ++i)
    {
        auto r = Scale(GetRollout().Get(i).rewards);
        double later = 0.0;
        for (std::size_t t = r.size(); t-- > 0;)
        {
            later = r[t] + GetGamma() * later;
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
OdcnReinforceLearner::LearnSequence()
{
    const auto returns = ComputeReturns();
    const std::size_t size = GetNetwork()->GetObservationSize();
    const std::size_t nActions = GetNetwork()->GetNActions();
    std::vector<float> advantages;
    for (const auto& r : returns)
    {
        advantages.insert(advantages.end(), r.begin(), r.end());
    }
    if (advantages.empty())
    {
        throw OdcnError("OdcnReinforceLearner: no reward was known when the episodes were cut "
                        "short: raise EpisodeDecisions");
    }
    if (IsNormalizing())
    {
        OdcnNormalize(advantages);
    }
    auto& b = m_part;
    const std::size_t part = GetNetwork()->GetBatchRows();
    std::size_t done = 0;
    const auto flush = [&]
    {
        b.Resize(nActions);
        std::copy_n(advantages.begin() + static_cast<std::ptrdiff_t>(done),
                    b.actions.size(),
                    b.advantages.begin());
        done += b.actions.size();
        Learn(b);
        b.observations.clear();
        b.masks.clear();
        b.actions.clear();
    };
    for (std::size_t i = 0; i < returns.size(); ++i)
    {
        const auto& e = GetRollout().Get(i);
        for (std::size_t t = 0; t < returns[i].size(); ++t)
        {
            const float* row = e.observations.data() + t * size;
            b.observations.insert(b.observations.end(), row, row + size);
            b.actions.push_back(e.actions[t]);
            if (!e.masks.empty())
            {
                const uint8_t* mask = e.masks.data() + t * nActions;
                b.masks.insert(b.masks.end(), mask, mask + nActions);
            }
            if (b.actions.size() == part || done + b.actions.size() == advantages.size())
            {
                flush();
            }
        }
    }
    m_samples += done;
}

void
OdcnReinforceLearner::Learn(Batch& b)
{
    Forward(b);
    b.targets = b.values;
    const auto term =
        [&](std::size_t i, std::span<const float> chances, double weight, std::span<float> dLogits)
    {
        return OdcnPolicyLoss(chances,
                              b.actions[i],
                              b.advantages[i],
                              GetEntropyWeight(),
                              weight,
                              dLogits);
    };
    Differentiate(b, term);
    // Parts are means, and not of one size: sums add up.
    const auto n = static_cast<float>(b.actions.size());
    const auto gradient = GetNetwork()->GetGradient();
    for (std::size_t i = 0; i < gradient.size(); ++i)
    {
        m_sum[i] += n * gradient[i];
    }
    m_losses.policy += n * b.losses.policy;
    m_losses.entropy += n * b.losses.entropy;
}

} // namespace odcn
} // namespace ns3
