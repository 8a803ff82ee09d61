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

/// Streams set aside for a whole training.
constexpr int64_t ALL_STREAMS = 1LL << 40;

/// Generators that are not of an epoch.
constexpr uint64_t PARAMETERS = UINT64_MAX;
constexpr uint64_t EVALUATION = UINT64_MAX - 2;

/// @param to gets rows of from  @param from rows of n  @param rows which  @param n floats or bytes
template <typename T>
void
TakeRows(std::vector<T>& to,
         const std::vector<T>& from,
         std::span<const uint32_t> rows,
         std::size_t n)
{
    to.resize(rows.size() * n);
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        std::copy_n(from.data() + rows[i] * n, n, to.data() + i * n);
    }
}

} // namespace

double
OdcnActorCriticLearner::Seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

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
    m_total = decisions;
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
        going = RunEpoch();
    }
    m_stop = false;
    return going;
}

void
OdcnActorCriticLearner::BeginEpoch()
{
}

void
OdcnActorCriticLearner::Count(uint64_t decisions)
{
    m_phaseDecisions += decisions;
    m_state.decisions += decisions;
}

bool
OdcnActorCriticLearner::IsEpochOver() const
{
    return m_phaseDecisions >= m_epochDecisions || m_state.decisions >= m_total;
}

OdcnExploration
OdcnActorCriticLearner::GetExploration() const
{
    OdcnExploration exploration;
    exploration.epsilon = GetEpsilon();
    exploration.useMask = m_useMask;
    return exploration;
}

bool
OdcnActorCriticLearner::Advance()
{
    Count(m_rollout->Collect(*m_network, GetExploration(), GetNeeded()));
    Gather(m_batch);
    m_batch.learningRate = GetLearningRate();
    Learn(m_batch);
    DropSamples(m_batch);
    return true;
}

bool
OdcnActorCriticLearner::RunEpoch()
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
    BeginEpoch();
    for (bool whole = true; !whole || !IsEpochOver();)
    {
        if (m_stop)
        {
            return false;
        }
        whole = Advance();
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
        (m_state.epoch % m_evaluationEpochs == 0 || m_state.decisions >= m_total))
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
    OdcnExploration exploration;
    exploration.epsilon = m_evaluationDrawn ? 1.0 : 0.0;
    exploration.useMask = m_useMask;
    m_judge->Restart(m_stream, OdcnAgentSeed({static_cast<uint64_t>(m_stream), EVALUATION}));
    m_judge->Run(*m_network, exploration, m_evaluationWarmUp);
    m_judge->ClearScores();
    m_judge->Run(*m_network, exploration, m_evaluationDecisions);
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
OdcnActorCriticLearner::Batch::Take(const Batch& from,
                                    std::span<const uint32_t> rows,
                                    std::size_t nActions)
{
    const std::size_t n = from.actions.size();
    TakeRows(observations, from.observations, rows, from.observations.size() / n);
    TakeRows(masks, from.masks, rows, from.masks.size() / n);
    TakeRows(actions, from.actions, rows, 1);
    TakeRows(chances, from.chances, rows, from.chances.size() / n);
    TakeRows(targets, from.targets, rows, from.targets.size() / n);
    TakeRows(advantages, from.advantages, rows, from.advantages.size() / n);
    Resize(nActions);
}

std::size_t
OdcnActorCriticLearner::CountEnvironments(const Batch& b) const
{
    return b.environments ? b.environments : m_rollout->GetN();
}

OdcnNetwork&
OdcnActorCriticLearner::NetworkOf(const Batch& b) const
{
    return b.network ? *b.network : *m_network;
}

void
OdcnActorCriticLearner::ForEach(const Batch& b,
                                std::size_t tasks,
                                const std::function<void(std::size_t, std::size_t)>& body)
{
    if (!b.network)
    {
        m_team->Run(tasks, body);
        return;
    }
    for (std::size_t task = 0; task < tasks; ++task)
    {
        body(task, 0);
    }
}

Ptr<OdcnNetwork>
OdcnActorCriticLearner::MakePlayer() const
{
    auto player =
        OdcnNetwork::Create(m_network->GetInstanceTypeId().GetName(), m_network->GetAttributes());
    player->Build(*m_problems.front());
    return player;
}

void
OdcnActorCriticLearner::Gather(Batch& b)
{
    const std::size_t samples = GetSamples();
    const std::size_t size = m_network->GetObservationSize();
    const std::size_t nActions = m_network->GetNActions();
    b.observations.clear();
    b.masks.clear();
    b.actions.clear();
    b.chances.clear();
    for (std::size_t i = 0; i < CountEnvironments(b); ++i)
    {
        auto& e = m_rollout->Get(b.first + i);
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
    b.Resize(nActions);
}

void
OdcnActorCriticLearner::DropSamples(const Batch& b)
{
    for (std::size_t i = 0; i < CountEnvironments(b); ++i)
    {
        m_rollout->Get(b.first + i).DropFirst(GetSamples());
    }
}

void
OdcnActorCriticLearner::Forward(Batch& b)
{
    NetworkOf(b).Forward(b.observations.data(),
                         static_cast<uint32_t>(b.actions.size()),
                         b.logits.data(),
                         b.values.data());
}

std::vector<float>
OdcnActorCriticLearner::Scale(const std::vector<float>& rewards) const
{
    std::vector<float> scaled(rewards);
    for (float& r : scaled)
    {
        r *= static_cast<float>(m_rewardScale);
    }
    return scaled;
}

void
OdcnActorCriticLearner::ComputeAdvantages(Batch& b)
{
    const std::size_t samples = GetSamples();
    const std::size_t n = CountEnvironments(b);
    std::vector<float> reached(n);
    if (IsBootstrapping())
    {
        // The values of the states that the last actions led to.
        const std::size_t size = m_network->GetObservationSize();
        std::vector<float> rows;
        std::vector<float> logits(n * m_network->GetNActions());
        for (std::size_t i = 0; i < n; ++i)
        {
            const float* row = m_rollout->Get(b.first + i).observations.data() + samples * size;
            rows.insert(rows.end(), row, row + size);
        }
        NetworkOf(b).Evaluate(rows.data(), static_cast<uint32_t>(n), logits.data(), reached.data());
    }
    const auto environment = [&](std::size_t i, std::size_t)
    {
        const auto& e = m_rollout->Get(b.first + i);
        const float* v = b.values.data() + i * samples;
        std::vector<float> values(v, v + samples);
        values.push_back(reached[i]);
        Estimate(Scale(e.rewards),
                 e.ends,
                 values,
                 {b.targets.data() + i * samples, samples},
                 {b.advantages.data() + i * samples, samples});
    };
    ForEach(b, n, environment);
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
    std::vector<Losses> sums((n + PART - 1) / PART);
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
            sums[p].policy += each * of.loss;
            sums[p].entropy += each * of.entropy;
            sums[p].value += each * error * error;
        }
    };
    ForEach(b, sums.size(), part);
    b.losses = Losses();
    for (const auto& sum : sums)
    {
        b.losses.policy += sum.policy;
        b.losses.entropy += sum.entropy;
        b.losses.value += sum.value;
    }
}

void
OdcnActorCriticLearner::Differentiate(Batch& b, const PolicyTerm& term)
{
    ComputeLosses(b, term);
    NetworkOf(b).Backward(b.dLogits.data(), b.dValues.data());
}

void
OdcnActorCriticLearner::Descend(Batch& b, const PolicyTerm& term, double learningRate)
{
    Differentiate(b, term);
    Apply(NetworkOf(b).GetGradient(), b.losses, learningRate);
}

void
OdcnActorCriticLearner::Apply(std::span<const float> gradient,
                              const Losses& losses,
                              double learningRate)
{
    double scale = 1.0;
    const double square = OdcnSumOfSquares(gradient.data(), gradient.size());
    const std::lock_guard lock(m_lock);
    if (!std::isfinite(square))
    {
        throw OdcnError("training diverged after " + std::to_string(m_state.updates) +
                        " updates: lower LearningRate or set ClipGradient");
    }
    if (m_clipGradient > 0.0 && square > m_clipGradient * m_clipGradient)
    {
        scale = m_clipGradient / std::sqrt(square);
    }
    m_last.policyLoss = losses.policy;
    m_last.valueLoss = losses.value;
    m_last.entropy = losses.entropy;
    m_last.learningRate = learningRate;
    float* parameters = m_network->GetMutableParameters().data();
    if (m_optimizer == ADAM)
    {
        m_state.adam.Step(parameters, gradient.data(), learningRate, scale);
    }
    else
    {
        OdcnRmsPropStep(parameters,
                        m_state.adam.second,
                        gradient,
                        {learningRate, m_rmsDecay, m_rmsEpsilon, scale});
    }
    ++m_state.updates;
}

} // namespace odcn
} // namespace ns3
