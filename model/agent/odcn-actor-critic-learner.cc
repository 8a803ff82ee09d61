// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-actor-critic-learner.h"

#include "odcn-agent-seed.h"

#include "ns3/log.h"
#include "ns3/odcn-error.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace ns3
{
namespace odcn
{

NS_LOG_COMPONENT_DEFINE("OdcnActorCriticLearner");

namespace
{

/// Streams set aside for one epoch, for the evaluation, and for a whole training.
constexpr int64_t EPOCH_STREAMS = 1LL << 20;
constexpr int64_t ALL_STREAMS = 1LL << 40;

/// Generators that are not of an epoch.
constexpr uint64_t PARAMETERS = UINT64_MAX;
constexpr uint64_t CLONING = UINT64_MAX - 1;
constexpr uint64_t EVALUATION = UINT64_MAX - 2;

/// @return seconds on a steady clock
double
Seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace

OdcnActorCriticLearner::OdcnActorCriticLearner() = default;
OdcnActorCriticLearner::~OdcnActorCriticLearner() = default;

void
OdcnActorCriticLearner::DoDispose()
{
    m_rollout.reset();
    m_judge.reset();
    m_team.reset();
    m_problems.clear();
    m_evaluation.clear();
    m_network = nullptr;
    m_teacher = nullptr;
    m_progress = nullptr;
    Object::DoDispose();
}

void
OdcnActorCriticLearner::SetNetwork(Ptr<OdcnNetwork> network)
{
    m_network = network;
}

void
OdcnActorCriticLearner::SetEnvironments(const std::vector<Ptr<OdcnDecisionProblem>>& problems)
{
    m_problems = problems;
    m_rollout.reset();
}

void
OdcnActorCriticLearner::SetEvaluation(const std::vector<Ptr<OdcnDecisionProblem>>& problems)
{
    m_evaluation = problems;
    m_judge.reset();
}

void
OdcnActorCriticLearner::SetTeacher(Ptr<OdcnDecisionPolicy> teacher)
{
    m_teacher = teacher;
}

void
OdcnActorCriticLearner::SetProgress(std::function<void(const OdcnTrainingProgress&)> progress)
{
    m_progress = std::move(progress);
}

int64_t
OdcnActorCriticLearner::AssignStreams(int64_t stream)
{
    m_stream = stream;
    return ALL_STREAMS;
}

void
OdcnActorCriticLearner::RequestStop()
{
    m_stop = true;
}

uint64_t
OdcnActorCriticLearner::GetDecisions() const
{
    return m_state.decisions;
}

uint64_t
OdcnActorCriticLearner::GetUpdates() const
{
    return m_state.updates;
}

double
OdcnActorCriticLearner::GetEpsilon() const
{
    return 1.0;
}

double
OdcnActorCriticLearner::GetLearningRate() const
{
    if (m_scheduleDecisions == 0)
    {
        return m_learningRate;
    }
    const double part =
        std::min(1.0,
                 static_cast<double>(m_state.decisions) / static_cast<double>(m_scheduleDecisions));
    return m_learningRate * (1.0 - part * (1.0 - m_finalLearningRate));
}

Ptr<OdcnNetwork>
OdcnActorCriticLearner::GetNetwork() const
{
    return m_network;
}

uint32_t
OdcnActorCriticLearner::GetNeeded() const
{
    return GetSamples() + 1;
}

bool
OdcnActorCriticLearner::IsBootstrapping() const
{
    return true;
}

void
OdcnActorCriticLearner::Estimate(std::span<const float> rewards,
                                 std::span<const uint8_t> ends,
                                 std::span<const float> values,
                                 std::span<float> targets,
                                 std::span<float> advantages) const
{
    OdcnGaeAdvantages(rewards, ends, values, m_gamma, m_gaeLambda, advantages);
    for (std::size_t k = 0; k < targets.size(); ++k)
    {
        targets[k] = advantages[k] + values[k];
    }
}

void
OdcnActorCriticLearner::Prepare()
{
    if (!m_network || m_problems.empty())
    {
        throw OdcnError("a learner needs a network and at least one environment");
    }
    const auto& problem = *m_problems.front();
    if (!m_network->IsBuilt())
    {
        m_network->Build(problem);
        m_network->Randomize(OdcnAgentSeed({static_cast<uint64_t>(m_stream), PARAMETERS}));
    }
    // Those of a kind are of one size: the rollouts see to that.
    m_network->RequireFit(problem);
    if (!m_evaluation.empty())
    {
        m_network->RequireFit(*m_evaluation.front());
    }
    if (!m_team)
    {
        m_team = std::make_shared<OdcnThreadTeam>(m_threads);
    }
    m_network->SetThreads(m_team);
    if (!m_rollout)
    {
        m_rollout = std::make_unique<OdcnRollout>(m_problems, m_team);
    }
    if (!m_judge && !m_evaluation.empty())
    {
        m_judge = std::make_unique<OdcnRollout>(m_evaluation, m_team);
    }
    if (m_boundary.parameters.empty())
    {
        m_state = State();
        const auto p = m_network->GetParameters();
        m_state.parameters.assign(p.begin(), p.end());
        m_state.adam.Reset(p.size());
        m_boundary = m_state;
    }
}

void
OdcnActorCriticLearner::Restore()
{
    m_state = m_boundary;
    std::copy(m_state.parameters.begin(),
              m_state.parameters.end(),
              m_network->GetMutableParameters().begin());
}

bool
OdcnActorCriticLearner::Train(uint64_t decisions)
{
    Prepare();
    Restore();
    m_reportedAt = Seconds();
    m_reportedDecisions = m_phaseDecisions = 0;
    bool going = true;
    if (m_cloneDecisions > 0 && !m_state.cloned)
    {
        RequireTeacher("CloneDecisions");
        going = Clone();
    }
    while (going && m_state.decisions < decisions)
    {
        going = RunEpoch(decisions);
    }
    m_stop = false;
    return going;
}

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
    OdcnExploration exploration;
    exploration.teacher = PeekPointer(m_teacher);
    exploration.useMask = m_useMask;
    for (m_phaseDecisions = 0; m_phaseDecisions < m_cloneDecisions;)
    {
        if (m_stop)
        {
            return false;
        }
        m_phaseDecisions += m_rollout->Collect(*m_network, exploration, GetNeeded());
        Imitate();
        if (Seconds() - m_reportedAt >= m_progressSeconds)
        {
            OdcnTrainingProgress report;
            report.cloning = true;
            Report(report);
        }
    }
    // What follows is another objective: no momentum, no schedule is carried over.
    m_state.adam.Reset(m_state.parameters.size());
    m_state.updates = 0;
    m_state.cloned = true;
    const auto p = m_network->GetParameters();
    m_state.parameters.assign(p.begin(), p.end());
    OdcnTrainingProgress report;
    report.cloning = true;
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
OdcnActorCriticLearner::RunEpoch(uint64_t total)
{
    NS_LOG_FUNCTION(this << m_state.epoch);
    // Streams 0 and 1 x EPOCH_STREAMS are of the evaluation and of cloning.
    const auto first = static_cast<int64_t>(m_state.epoch + 2) * EPOCH_STREAMS;
    m_rollout->Restart(m_stream + first,
                       OdcnAgentSeed({static_cast<uint64_t>(m_stream), m_state.epoch}));
    if (m_warmUpDecisions > 0)
    {
        RequireTeacher("WarmUpDecisions");
        m_teacher->Reset();
        OdcnExploration warmUp;
        warmUp.teacher = PeekPointer(m_teacher);
        m_rollout->Run(*m_network, warmUp, m_warmUpDecisions);
        m_rollout->ClearScores();
    }
    m_phaseDecisions = m_reportedDecisions = 0;
    while (m_phaseDecisions < m_epochDecisions && m_state.decisions < total)
    {
        if (m_stop)
        {
            return false;
        }
        OdcnExploration exploration;
        exploration.epsilon = GetEpsilon();
        exploration.useMask = m_useMask;
        const uint64_t made = m_rollout->Collect(*m_network, exploration, GetNeeded());
        m_phaseDecisions += made;
        m_state.decisions += made;
        Gather(false);
        Learn(m_batch);
        DropSamples();
        if (Seconds() - m_reportedAt >= m_progressSeconds)
        {
            Report(OdcnTrainingProgress());
        }
    }
    ++m_state.epoch;
    const auto p = m_network->GetParameters();
    m_state.parameters.assign(p.begin(), p.end());
    OdcnTrainingProgress report;
    report.epochEnded = true;
    if (m_judge && m_evaluationDecisions > 0 &&
        (m_state.epoch % m_evaluationEpochs == 0 || m_state.decisions >= total))
    {
        report.evaluated = true;
        report.evaluation = Evaluate();
        if (report.evaluation < m_state.bestScore)
        {
            report.isBest = true;
            m_state.bestScore = report.evaluation;
            m_state.best = m_state.parameters;
        }
    }
    m_boundary = m_state;
    Report(report);
    return true;
}

void
OdcnActorCriticLearner::Report(OdcnTrainingProgress report)
{
    if (m_progress)
    {
        const double now = Seconds();
        report.epoch = m_state.epoch;
        report.decisions = m_state.decisions;
        report.updates = m_state.updates;
        report.rate = static_cast<double>(m_phaseDecisions - m_reportedDecisions) /
                      std::max(now - m_reportedAt, 1e-9);
        report.score = m_rollout->GetScore();
        report.policyLoss = m_last.policyLoss;
        report.valueLoss = m_last.valueLoss;
        report.entropy = m_last.entropy;
        report.clipped = m_last.clipped;
        report.epsilon = GetEpsilon();
        report.learningRate = m_last.learningRate;
        report.bestScore = m_state.bestScore;
        m_progress(report);
    }
    m_rollout->ClearScores();
    m_reportedAt = Seconds();
    m_reportedDecisions = m_phaseDecisions;
}

double
OdcnActorCriticLearner::Evaluate()
{
    Prepare();
    if (!m_judge)
    {
        throw OdcnError(GetInstanceTypeId().GetName() + ": no evaluation problems were given");
    }
    OdcnExploration greedy;
    greedy.epsilon = 0.0;
    greedy.useMask = m_useMask;
    m_judge->Restart(m_stream, OdcnAgentSeed({static_cast<uint64_t>(m_stream), EVALUATION}));
    m_judge->Run(*m_network, greedy, m_evaluationWarmUp);
    m_judge->ClearScores();
    m_judge->Run(*m_network, greedy, m_evaluationDecisions);
    return m_judge->GetScore();
}

void
OdcnActorCriticLearner::Batch::Resize(std::size_t nActions)
{
    const std::size_t n = actions.size();
    targets.resize(n);
    advantages.resize(n);
    logits.resize(n * nActions);
    dLogits.resize(n * nActions);
    values.resize(n);
    dValues.resize(n);
}

void
OdcnActorCriticLearner::Gather(bool cloning)
{
    const std::size_t samples = GetSamples();
    const std::size_t size = m_network->GetObservationSize();
    const std::size_t nActions = m_network->GetNActions();
    auto& b = m_batch;
    b.observations.clear();
    b.masks.clear();
    b.actions.clear();
    b.chances.clear();
    for (std::size_t i = 0; i < m_rollout->GetN(); ++i)
    {
        auto& e = m_rollout->Get(i);
        auto take = [](auto& to, const auto& from, std::size_t n)
        { to.insert(to.end(), from.begin(), from.begin() + static_cast<std::ptrdiff_t>(n)); };
        take(b.observations, e.observations, samples * size);
        take(b.actions, e.actions, samples);
        take(b.chances, e.chances, samples);
        if (!e.masks.empty())
        {
            take(b.masks, e.masks, samples * nActions);
        }
    }
    const std::size_t n = b.actions.size();
    b.Resize(nActions);
    if (cloning && !b.masks.empty())
    {
        // A teacher may dare what the mask excludes; its choice must stay possible.
        for (std::size_t i = 0; i < n; ++i)
        {
            b.masks[i * nActions + b.actions[i]] = 1;
        }
    }
}

void
OdcnActorCriticLearner::DropSamples()
{
    for (std::size_t i = 0; i < m_rollout->GetN(); ++i)
    {
        m_rollout->Get(i).DropFirst(GetSamples());
    }
}

void
OdcnActorCriticLearner::Forward(Batch& b)
{
    m_network->Forward(b.observations.data(),
                       static_cast<uint32_t>(b.actions.size()),
                       b.logits.data(),
                       b.values.data());
}

void
OdcnActorCriticLearner::ComputeAdvantages(Batch& b)
{
    const std::size_t samples = GetSamples();
    std::vector<float> reached(m_rollout->GetN());
    if (IsBootstrapping())
    {
        // The values of the states that the last actions led to.
        const std::size_t size = m_network->GetObservationSize();
        std::vector<float> rows;
        std::vector<float> logits(m_rollout->GetN() * m_network->GetNActions());
        for (std::size_t i = 0; i < m_rollout->GetN(); ++i)
        {
            const float* row = m_rollout->Get(i).observations.data() + samples * size;
            rows.insert(rows.end(), row, row + size);
        }
        m_network->Evaluate(rows.data(),
                            static_cast<uint32_t>(reached.size()),
                            logits.data(),
                            reached.data());
    }
    const auto environment = [&](std::size_t i, std::size_t)
    {
        const auto& e = m_rollout->Get(i);
        std::vector<float> rewards(e.rewards);
        for (float& r : rewards)
        {
            r *= static_cast<float>(m_rewardScale);
        }
        const float* v = b.values.data() + i * samples;
        std::vector<float> values(v, v + samples);
        values.push_back(reached[i]);
        Estimate(rewards,
                 e.ends,
                 values,
                 {b.targets.data() + i * samples, samples},
                 {b.advantages.data() + i * samples, samples});
    };
    m_team->Run(m_rollout->GetN(), environment);
    if (m_normalizeAdvantage)
    {
        OdcnNormalize(b.advantages);
    }
}

void
OdcnActorCriticLearner::ComputeLosses(Batch& b, const PolicyTerm& term)
{
    // Cut alike whatever the threads, so that sums do not depend on them.
    constexpr std::size_t PART = 64;
    const std::size_t n = b.actions.size();
    const std::size_t nActions = m_network->GetNActions();
    const double each = 1.0 / static_cast<double>(n);
    std::vector<OdcnTrainingProgress> sums((n + PART - 1) / PART);
    const auto part = [&](std::size_t p, std::size_t)
    {
        std::vector<float> chances(nActions);
        for (std::size_t i = p * PART; i < std::min(n, (p + 1) * PART); ++i)
        {
            std::span<const uint8_t> mask;
            if (!b.masks.empty())
            {
                mask = {b.masks.data() + i * nActions, nActions};
            }
            OdcnSoftmax({b.logits.data() + i * nActions, nActions}, mask, chances);
            const auto of = term(i, chances, each, {b.dLogits.data() + i * nActions, nActions});
            const double error = b.values[i] - b.targets[i];
            b.dValues[i] = static_cast<float>(2.0 * m_valueWeight * each * error);
            sums[p].policyLoss += each * of.loss;
            sums[p].entropy += each * of.entropy;
            sums[p].valueLoss += each * error * error;
        }
    };
    m_team->Run(sums.size(), part);
    m_last.policyLoss = m_last.valueLoss = m_last.entropy = 0.0;
    for (const auto& sum : sums)
    {
        m_last.policyLoss += sum.policyLoss;
        m_last.entropy += sum.entropy;
        m_last.valueLoss += sum.valueLoss;
    }
}

void
OdcnActorCriticLearner::Descend(Batch& b, const PolicyTerm& term, double learningRate)
{
    ComputeLosses(b, term);
    m_network->Backward(b.dLogits.data(), b.dValues.data());
    double scale = 1.0;
    const auto gradient = m_network->GetGradient();
    const double square = OdcnSumOfSquares(gradient.data(), gradient.size());
    if (!std::isfinite(square))
    {
        throw OdcnError("training diverged after " + std::to_string(m_state.updates) +
                        " updates: lower LearningRate or set ClipGradient");
    }
    if (m_clipGradient > 0.0 && square > m_clipGradient * m_clipGradient)
    {
        scale = m_clipGradient / std::sqrt(square);
    }
    m_last.learningRate = learningRate;
    m_state.adam.Step(m_network->GetMutableParameters().data(),
                      gradient.data(),
                      learningRate,
                      scale);
    ++m_state.updates;
}

void
OdcnActorCriticLearner::Imitate()
{
    Gather(true);
    auto& b = m_batch;
    Forward(b);
    ComputeAdvantages(b);
    const auto crossEntropy =
        [&b](std::size_t i, std::span<const float> chances, double weight, std::span<float> dLogits)
    { return OdcnPolicyLoss(chances, b.actions[i], 1.0, 0.0, weight, dLogits); };
    Descend(b, crossEntropy, m_cloneLearningRate);
    DropSamples();
}

void
OdcnActorCriticLearner::SaveState(const std::string& path) const
{
    auto c = OdcnCheckpoint::Of(*m_network);
    c.arrays[OdcnCheckpoint::PARAMETERS] =
        m_boundary.best.empty() ? m_boundary.parameters : m_boundary.best;
    c.arrays["training parameters"] = m_boundary.parameters;
    c.arrays["adam first"] = m_boundary.adam.first;
    c.arrays["adam second"] = m_boundary.adam.second;
    c.counters["adam steps"] = m_boundary.adam.steps;
    c.counters["epoch"] = m_boundary.epoch;
    c.counters["decisions"] = m_boundary.decisions;
    c.counters["updates"] = m_boundary.updates;
    c.counters["cloned"] = m_boundary.cloned;
    c.counters["seed"] = RngSeedManager::GetSeed();
    c.counters["run"] = RngSeedManager::GetRun();
    if (!m_boundary.best.empty())
    {
        c.numbers["best score"] = m_boundary.bestScore;
    }
    c.Save(path);
}

void
OdcnActorCriticLearner::LoadState(const std::string& path)
{
    Prepare();
    const auto c = OdcnCheckpoint::Load(path);
    const std::size_t n = m_network->GetParameters().size();
    State state;
    try
    {
        state.parameters = c.arrays.at("training parameters");
        state.adam.first = c.arrays.at("adam first");
        state.adam.second = c.arrays.at("adam second");
        state.adam.steps = c.counters.at("adam steps");
        state.epoch = c.counters.at("epoch");
        state.decisions = c.counters.at("decisions");
        state.updates = c.counters.at("updates");
        state.cloned = c.counters.at("cloned") != 0;
        if (c.numbers.contains("best score"))
        {
            state.bestScore = c.numbers.at("best score");
            state.best = c.arrays.at(OdcnCheckpoint::PARAMETERS);
        }
    }
    catch (const std::out_of_range&)
    {
        throw OdcnError(path + ": a checkpoint without the state of a training");
    }
    if (c.networkType != m_network->GetInstanceTypeId().GetName() ||
        c.networkAttributes != m_network->GetAttributes() || state.parameters.size() != n ||
        state.adam.first.size() != n || state.adam.second.size() != n ||
        (!state.best.empty() && state.best.size() != n))
    {
        throw OdcnError(path + ": the training of another network");
    }
    m_state = m_boundary = state;
    Restore();
}

void
OdcnActorCriticLearner::SaveCheckpoint(const std::string& path,
                                       const std::map<std::string, std::string>& provenance) const
{
    auto c = OdcnCheckpoint::Of(*m_network);
    c.provenance = provenance;
    c.provenance["learner"] = GetInstanceTypeId().GetName();
    c.provenance["score name"] = m_problems.front()->GetScoreName();
    c.counters["decisions"] = m_state.decisions;
    c.counters["epoch"] = m_state.epoch;
    c.counters["seed"] = RngSeedManager::GetSeed();
    c.counters["run"] = RngSeedManager::GetRun();
    if (!m_state.best.empty())
    {
        c.arrays[OdcnCheckpoint::PARAMETERS] = m_state.best;
        c.numbers["score"] = m_state.bestScore;
    }
    c.Save(path);
}

} // namespace odcn
} // namespace ns3
