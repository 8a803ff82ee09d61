// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-actor-critic-learner.h"
#include "odcn-agent-seed.h"

#include "ns3/log.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace ns3
{
namespace odcn
{

NS_LOG_COMPONENT_DEFINE("OdcnActorCriticClone");

namespace
{

/// Generators that are not of an epoch: of environments, of the order of samples.
constexpr uint64_t CLONING = UINT64_MAX - 1;
constexpr uint64_t ORDER = UINT64_MAX - 4;
/// Samples that the network sees at once when its accuracy is measured.
constexpr std::size_t ROWS = 64;

/// @param rows to be put in another order  @param random says which
void
Shuffle(std::span<uint32_t> rows, std::mt19937_64& random)
{
    // By hand: the library's shuffle is not the same everywhere.
    for (std::size_t i = rows.size(); i > 1; --i)
    {
        std::swap(rows[i - 1], rows[random() % i]);
    }
}

} // namespace

void
OdcnActorCriticLearner::RequireTeacher(const std::string& attribute) const
{
    if (!m_teacher)
    {
        throw OdcnError(GetInstanceTypeId().GetName() + ": " + attribute + " needs a teacher");
    }
}

bool
OdcnActorCriticLearner::Clone()
{
    NS_LOG_FUNCTION(this << m_cloneDecisions);
    m_teacher->Reset();
    m_rollout->Restart(m_stream + EPOCH_STREAMS, OdcnAgentSeed({CLONING}));
    OdcnTrainingProgress report;
    report.cloning = true;
    if (m_clonePasses > 0 ? !CloneSet(report) : !CloneStream(report))
    {
        return false;
    }
    // What follows is another objective: no momentum, no schedule is carried over.
    m_state.adam.Reset(m_state.parameters.size());
    m_state.updates = 0;
    m_state.cloned = true;
    const auto p = m_network->GetParameters();
    m_state.parameters.assign(p.begin(), p.end());
    report.epochEnded = true;
    if (m_judge && m_evaluationDecisions > 0)
    {
        report.evaluated = report.isBest = true;
        report.evaluation = m_state.bestScore = Evaluate();
        m_state.best = m_state.parameters;
    }
    m_boundary = m_state;
    Report(report);
    return true;
}

bool
OdcnActorCriticLearner::CloneStream(OdcnTrainingProgress& report)
{
    while (m_phaseDecisions < m_cloneDecisions)
    {
        if (m_stop)
        {
            return false;
        }
        auto& b = m_batch;
        CollectFromTeacher(b);
        Forward(b);
        ComputeAdvantages(b);
        Imitate(b);
        DropSamples(b);
        if (Seconds() - m_reportedAt >= m_progressSeconds)
        {
            Report(report);
        }
    }
    return true;
}

void
OdcnActorCriticLearner::CollectFromTeacher(Batch& b)
{
    OdcnExploration exploration;
    exploration.teacher = PeekPointer(m_teacher);
    exploration.useMask = m_useMask;
    m_phaseDecisions += m_rollout->Collect(*m_network, exploration, GetNeeded());
    Gather(b);
    // A teacher may dare what the mask excludes; its choice must stay possible.
    const std::size_t nActions = m_network->GetNActions();
    for (std::size_t i = 0; i < b.masks.size() / nActions; ++i)
    {
        b.masks[i * nActions + b.actions[i]] = 1;
    }
}

OdcnActorCriticLearner::Batch
OdcnActorCriticLearner::MakeCloneSet()
{
    const std::size_t size = m_network->GetObservationSize();
    const std::size_t nActions = m_network->GetNActions();
    Batch set;
    std::unordered_multimap<std::size_t, std::size_t> places;
    while (m_phaseDecisions < m_cloneDecisions && !m_stop)
    {
        auto& b = m_batch;
        CollectFromTeacher(b);
        DropSamples(b);
        for (std::size_t i = 0; i < b.actions.size(); ++i)
        {
            const float* row = b.observations.data() + i * size;
            const std::string_view bytes(reinterpret_cast<const char*>(row), size * sizeof(float));
            const auto hash = std::hash<std::string_view>()(bytes);
            const auto [first, last] = places.equal_range(hash);
            const bool known =
                std::any_of(first,
                            last,
                            [&](const auto& place)
                            {
                                return set.actions[place.second] == b.actions[i] &&
                                       std::equal(row,
                                                  row + size,
                                                  set.observations.data() + place.second * size);
                            });
            if (known)
            {
                continue;
            }
            places.emplace(hash, set.actions.size());
            set.observations.insert(set.observations.end(), row, row + size);
            set.actions.push_back(b.actions[i]);
            if (!b.masks.empty())
            {
                const uint8_t* mask = b.masks.data() + i * nActions;
                set.masks.insert(set.masks.end(), mask, mask + nActions);
            }
        }
    }
    return set;
}

bool
OdcnActorCriticLearner::CloneSet(OdcnTrainingProgress& report)
{
    const Batch set = MakeCloneSet();
    const auto n = set.actions.size();
    const auto unseen = static_cast<std::size_t>(
        std::max(1.0, std::round(m_cloneValidation * static_cast<double>(n))));
    if (m_stop)
    {
        return false;
    }
    if (n < 2)
    {
        throw OdcnError("CloneDecisions: the teacher made " + std::to_string(n) +
                        " different decision(s), expected 2 or more to learn from");
    }
    std::vector<uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    std::mt19937_64 random(OdcnAgentSeed({static_cast<uint64_t>(m_stream), ORDER}));
    Shuffle(order, random);
    const std::span<uint32_t> seen(order.data(), n - unseen);
    const std::span<const uint32_t> rest(order.data() + seen.size(), unseen);
    const std::size_t parts = std::max<std::size_t>(1, seen.size() / m_cloneSamples);
    auto& b = m_batch;
    for (report.clonePass = 1; report.clonePass <= m_clonePasses; ++report.clonePass)
    {
        Shuffle(seen, random);
        for (std::size_t k = 0; k < parts; ++k)
        {
            if (m_stop)
            {
                return false;
            }
            const std::size_t begin = seen.size() * k / parts;
            b.Take(set,
                   seen.subspan(begin, seen.size() * (k + 1) / parts - begin),
                   m_network->GetNActions());
            Forward(b);
            // What the teacher earns is not kept: the value stays as it is.
            b.targets = b.values;
            Imitate(b);
        }
        report.accuracy = MeasureAccuracy(set, rest);
        if (report.accuracy > m_cloneAccuracy || report.clonePass == m_clonePasses)
        {
            break;
        }
        Report(report);
    }
    return true;
}

double
OdcnActorCriticLearner::MeasureAccuracy(const Batch& set, std::span<const uint32_t> rows)
{
    const std::size_t nActions = m_network->GetNActions();
    std::vector<std::size_t> right((rows.size() + ROWS - 1) / ROWS);
    const auto part = [&](std::size_t p, std::size_t)
    {
        Batch b;
        const std::size_t begin = p * ROWS;
        b.Take(set, rows.subspan(begin, std::min(ROWS, rows.size() - begin)), nActions);
        OdcnNetwork::Scratch scratch;
        m_network->Infer(b.observations.data(),
                         static_cast<uint32_t>(b.actions.size()),
                         b.logits.data(),
                         scratch);
        for (std::size_t i = 0; i < b.actions.size(); ++i)
        {
            std::span<const uint8_t> mask;
            if (!b.masks.empty())
            {
                mask = {b.masks.data() + i * nActions, nActions};
            }
            right[p] += OdcnArgMax({b.logits.data() + i * nActions, nActions}, mask) == b.actions[i]
                            ? 1
                            : 0;
        }
    };
    m_team->Run(right.size(), part);
    return static_cast<double>(std::accumulate(right.begin(), right.end(), std::size_t(0))) /
           static_cast<double>(rows.size());
}

void
OdcnActorCriticLearner::Imitate(Batch& b)
{
    const auto crossEntropy =
        [&b](std::size_t i, std::span<const float> chances, double weight, std::span<float> dLogits)
    { return OdcnPolicyLoss(chances, b.actions[i], 1.0, 0.0, weight, dLogits); };
    Descend(b, crossEntropy, m_cloneLearningRate);
}

} // namespace odcn
} // namespace ns3
