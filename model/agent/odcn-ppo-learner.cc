// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-ppo-learner.h"

#include "odcn-agent-seed.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>
#include <utility>

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnPpoLearner);

namespace
{

/// Tells the generator of the order of samples from others.
constexpr uint64_t ORDER = UINT64_MAX - 3;

} // namespace

TypeId
OdcnPpoLearner::GetTypeId()
{
    static TypeId tid =
        AddAttributes(
            TypeId("ns3::odcn::OdcnPpoLearner")
                .SetParent<OdcnActorCriticLearner>()
                .SetGroupName("Odcn")
                .AddConstructor<OdcnPpoLearner>(),
            {.gamma = 0.99, .useMask = true, .normalizeAdvantage = true, .clipGradient = 0.5})
            .AddAttribute("UpdateSamples",
                          "Samples that each environment brings to an update.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&OdcnPpoLearner::m_updateSamples),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("MinibatchSamples",
                          "Samples of one step, about: an update is cut into equal parts.",
                          UintegerValue(256),
                          MakeUintegerAccessor(&OdcnPpoLearner::m_minibatchSamples),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("Passes",
                          "Times that an update goes through its samples.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&OdcnPpoLearner::m_passes),
                          MakeUintegerChecker<uint32_t>(1, 1000))
            .AddAttribute("ClipRatio",
                          "How far the probability of an action may move from what it was drawn "
                          "with before more of it earns nothing.",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&OdcnPpoLearner::m_clipRatio),
                          MakeDoubleChecker<double>(0.0));
    return tid;
}

uint32_t
OdcnPpoLearner::GetSamples() const
{
    return m_updateSamples;
}

void
OdcnPpoLearner::Take(const Batch& batch, std::size_t begin, std::size_t end)
{
    m_part.Take(batch, {m_order.data() + begin, end - begin}, GetNetwork()->GetNActions());
}

void
OdcnPpoLearner::Learn(Batch& batch)
{
    const std::size_t n = batch.actions.size();
    const std::size_t parts = std::max<std::size_t>(1, n / m_minibatchSamples);
    m_order.resize(n);
    std::iota(m_order.begin(), m_order.end(), 0U);
    // By parts too: what a pass over a whole batch keeps may be large.
    for (std::size_t k = 0; k < parts; ++k)
    {
        const std::size_t begin = n * k / parts;
        Take(batch, begin, n * (k + 1) / parts);
        Forward(m_part);
        std::copy(m_part.values.begin(), m_part.values.end(), batch.values.begin() + begin);
    }
    ComputeAdvantages(batch);
    std::atomic<uint64_t> clipped{0};
    const auto term =
        [&](std::size_t i, std::span<const float> chances, double weight, std::span<float> dLogits)
    {
        const auto of = OdcnClippedLoss(chances,
                                        m_part.actions[i],
                                        m_part.chances[i],
                                        m_part.advantages[i],
                                        m_clipRatio,
                                        GetEntropyWeight(),
                                        weight,
                                        dLogits);
        clipped += of.clipped ? 1 : 0;
        return of;
    };
    std::mt19937_64 random(
        OdcnAgentSeed({static_cast<uint64_t>(GetStream()), ORDER, GetUpdates()}));
    const double learningRate = GetLearningRate();
    for (uint32_t pass = 0; pass < m_passes; ++pass)
    {
        // By hand: the library's shuffle is not the same everywhere.
        for (std::size_t i = n; i > 1; --i)
        {
            std::swap(m_order[i - 1], m_order[random() % i]);
        }
        for (std::size_t k = 0; k < parts; ++k)
        {
            Take(batch, n * k / parts, n * (k + 1) / parts);
            Forward(m_part);
            Descend(m_part, term, learningRate);
        }
    }
    SetClipped(static_cast<double>(clipped) / (static_cast<double>(n) * m_passes));
}

} // namespace odcn
} // namespace ns3
