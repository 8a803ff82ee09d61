// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-gradient-learner.h"
#include "odcn-policy-network.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-ranks.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// @param n number of elements  @param random stream  @return 0 to n - 1 in random order
torch::Tensor
Shuffle(int64_t n, RngStream& random)
{
    const auto seed = static_cast<uint64_t>(random.RandU01() * 0x1p53);
    return torch::randperm(n, at::make_generator<at::CPUGeneratorImpl>(seed), torch::kInt64);
}

} // namespace

bool
GradientLearner::HasBeginning() const
{
    return m_cloneDecisions > 0 || m_criticDecisions > 0;
}

void
GradientLearner::RestartTeacher(const std::string& attribute, int64_t stream)
{
    RequireTeacher(attribute);
    m_teacher->Reset();
    if (m_teacher->AssignStreams(stream + TEACHER_STREAMS) > 0 && !GetRanks().IsAlone())
    {
        throw OdcnError(attribute + ": a teacher that draws random numbers, " +
                        m_teacher->GetInstanceTypeId().GetName() +
                        ", decides in one process only: each process has a copy");
    }
}

bool
GradientLearner::Begin()
{
    using Phase = std::pair<uint64_t, bool (GradientLearner::*)()>;
    for (const auto& [decisions, learn] : {Phase{m_cloneDecisions, &GradientLearner::Clone},
                                           Phase{m_criticDecisions, &GradientLearner::LearnCritic}})
    {
        if (decisions == 0)
        {
            continue;
        }
        m_rollout->Restart(m_stream + EPOCH_STREAMS, m_stream + EPOCH_STREAMS + ACTION_STREAMS);
        if (!(this->*learn)())
        {
            return false;
        }
        // The objective changes here: neither momentum nor schedule is carried over.
        MakeOptimizer();
        SetUpdates(0);
    }
    return true;
}

bool
GradientLearner::Clone()
{
    RestartTeacher("CloneDecisions", m_stream + EPOCH_STREAMS);
    m_cloned = 0;
    return m_clonePasses > 0 ? CloneByPasses() : CloneStream();
}

bool
GradientLearner::LearnCritic()
{
    const auto loss = [](const TrainingBatch& part, const PolicyOutput& output)
    {
        const auto value = (output.values - part.targets).square().mean();
        return LossTerms{value, {{"value_loss", value}}};
    };
    const auto all = m_network->parameters();
    const auto policy = m_network->GetPolicyParameters();
    for (uint64_t learnt = 0; learnt < m_criticDecisions;)
    {
        if (IsStopping())
        {
            return false;
        }
        learnt += m_rollout->Collect(InferenceOf(*m_network), GetExploration(), GetNeeded());
        auto batch = Gather();
        EstimateAdvantages(*m_network, batch, 0);
        auto gradient = Differentiate(*m_network, batch, loss, {});
        for (std::size_t i = 0; i < all.size(); ++i)
        {
            const auto isIt = [&](const torch::Tensor& other) { return other.is_same(all[i]); };
            if (std::any_of(policy.begin(), policy.end(), isIt))
            {
                gradient[i] = torch::Tensor();
            }
        }
        Step(gradient, m_learningRate);
        Drop();
        ReportBeginning();
    }
    return true;
}

void
GradientLearner::ReportBeginning()
{
    if (IsReportDue())
    {
        TrainingProgress progress;
        progress.cloning = true;
        Report(progress);
    }
}

TrainingBatch
GradientLearner::CollectFromTeacher()
{
    Exploration exploration;
    exploration.teacher = PeekPointer(m_teacher);
    exploration.useMask = m_useMask;
    exploration.ownStates = m_cloneOwnStates > 0.0 &&
                            static_cast<double>(m_cloned) >=
                                (1.0 - m_cloneOwnStates) * static_cast<double>(m_cloneDecisions);
    m_cloned += m_rollout->Collect(InferenceOf(*m_network), exploration, GetNeeded());
    auto batch = Gather();
    if (batch.masks.defined())
    {
        // A teacher may choose what the mask excludes; its choice must stay possible.
        batch.masks.scatter_(1, batch.actions.unsqueeze(1), true);
    }
    return batch;
}

void
GradientLearner::Imitate(TrainingBatch& batch, bool values, double learningRate)
{
    if (values)
    {
        EstimateAdvantages(*m_network, batch, 0);
    }
    const auto crossEntropy = [&](const TrainingBatch& part, const PolicyOutput& output)
    {
        const auto logs = MaskedLogSoftmax(output.logits, part.masks);
        LossTerms terms;
        terms.total = -logs.gather(1, part.actions.unsqueeze(1)).mean();
        terms.figures["policy_loss"] = terms.total;
        if (values)
        {
            const auto value = (output.values - part.targets).square().mean();
            terms.figures["value_loss"] = value;
            terms.total = terms.total + m_valueWeight * value;
        }
        return terms;
    };
    Step(Differentiate(*m_network, batch, crossEntropy, {}), learningRate);
}

bool
GradientLearner::CloneStream()
{
    while (m_cloned < m_cloneDecisions)
    {
        if (IsStopping())
        {
            return false;
        }
        auto batch = CollectFromTeacher();
        Imitate(batch, true, m_cloneLearningRate);
        Drop();
        ReportBeginning();
    }
    return true;
}

TrainingBatch
GradientLearner::CollectCloneSet()
{
    std::vector<TrainingBatch> parts;
    while (m_cloned < m_cloneDecisions && !IsStopping())
    {
        parts.push_back(CollectFromTeacher());
        Drop();
        ReportBeginning();
    }
    if (parts.empty())
    {
        return {};
    }
    const auto all = TrainingBatch::Join(parts);
    // Remove duplicates: of equal rows, keep the first.
    const auto rows = torch::cat({all.observations.flatten(1), all.actions.unsqueeze(1)}, 1);
    const auto group = std::get<1>(torch::unique_dim(rows, 0, true, true));
    const auto n = group.size(0);
    auto isFirst = torch::zeros({n}, torch::kBool);
    auto known = torch::zeros({group.max().item<int64_t>() + 1}, torch::kBool);
    for (int64_t i = 0; i < n; ++i)
    {
        auto& seen = known.data_ptr<bool>()[group.data_ptr<int64_t>()[i]];
        isFirst.data_ptr<bool>()[i] = !std::exchange(seen, true);
    }
    return all.Take(isFirst.nonzero().flatten());
}

bool
GradientLearner::CloneByPasses()
{
    if (m_cloneOwnStates > 0.0)
    {
        throw OdcnError::InOption("CloneOwnStates",
                                  std::to_string(m_cloneOwnStates),
                                  "0 with ClonePasses: the network learns after the decisions");
    }
    const auto set = CollectCloneSet();
    if (IsStopping())
    {
        return false;
    }
    const int64_t n = set.actions.defined() ? set.GetN() : 0;
    if (n < 2)
    {
        throw OdcnError("CloneDecisions: the teacher made " + std::to_string(n) +
                        " different decision(s), expected 2 or more to learn from");
    }
    const auto held =
        static_cast<int64_t>(std::max(1.0, std::round(m_cloneValidation * static_cast<double>(n))));
    auto random = MakeRngStream(m_stream + 2 * EPOCH_STREAMS - 1);
    const auto order = Shuffle(n, random);
    const auto validation = set.Take(order.slice(0, n - held, n));
    const auto seen = order.slice(0, 0, n - held);
    const int64_t parts = std::max<int64_t>(1, seen.size(0) / m_cloneSamples);
    for (uint32_t pass = 1; pass <= m_clonePasses; ++pass)
    {
        const auto rows = seen.index_select(0, Shuffle(seen.size(0), random));
        for (int64_t k = 0; k < parts; ++k)
        {
            if (IsStopping())
            {
                return false;
            }
            auto batch =
                set.Take(rows.slice(0, seen.size(0) * k / parts, seen.size(0) * (k + 1) / parts));
            // The teacher's rewards are not kept, so the value is not trained.
            Imitate(batch, false, m_cloneLearningRate);
            ReportBeginning();
        }
        const double accuracy = MeasureAccuracy(validation);
        m_figures["clone_accuracy"] = accuracy;
        m_figures["clone_passes"] = pass;
        if (accuracy > m_cloneAccuracy)
        {
            break;
        }
    }
    return true;
}

double
GradientLearner::MeasureAccuracy(const TrainingBatch& set)
{
    const torch::NoGradGuard noGradients;
    std::vector<torch::Tensor> logits;
    for (const auto& output : Forward(*m_network, set))
    {
        logits.push_back(output.logits);
    }
    const auto likeliest = MaskedLogSoftmax(torch::cat(logits), set.masks).argmax(1);
    return likeliest.eq(set.actions).to(torch::kFloat64).mean().item<double>();
}

} // namespace ns3::odcn
