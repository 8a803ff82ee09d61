// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-gradient-learner.h"

#include "odcn-archive.h"
#include "odcn-policy-network.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ranks.h"
#include "ns3/odcn-returns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <sstream>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(GradientLearner);

namespace
{

/// @param gradient by each parameter, defined or not  @param parameters of the network
/// @param [in,out] flat the gradient is appended, with zeros where it is undefined
void
Flatten(const std::vector<torch::Tensor>& gradient,
        const std::vector<torch::Tensor>& parameters,
        std::vector<float>& flat)
{
    for (std::size_t i = 0; i < parameters.size(); ++i)
    {
        const auto n = static_cast<std::size_t>(parameters[i].numel());
        if (gradient[i].defined())
        {
            const auto dense = gradient[i].contiguous();
            flat.insert(flat.end(), dense.data_ptr<float>(), dense.data_ptr<float>() + n);
        }
        else
        {
            flat.resize(flat.size() + n);
        }
    }
}

/// @param flat of Flatten()  @param parameters of the network  @param defined whether a gradient is
/// defined, by parameter  @return the gradient
std::vector<torch::Tensor>
Unflatten(const std::vector<float>& flat,
          const std::vector<torch::Tensor>& parameters,
          const std::vector<uint8_t>& defined)
{
    std::vector<torch::Tensor> gradient(parameters.size());
    std::size_t at = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i)
    {
        const auto n = static_cast<std::size_t>(parameters[i].numel());
        if (defined[i])
        {
            gradient[i] =
                torch::tensor(at::ArrayRef<float>(flat.data() + at, n)).view(parameters[i].sizes());
        }
        at += n;
    }
    return gradient;
}

/// Figures of a loss, by name.
using LossFigures = std::map<std::string, double>;

/// @param parcel passes figures
/// @param [in,out] figures of a loss
void
PassFigures(Parcel& parcel, LossFigures& figures)
{
    uint64_t left = figures.size();
    parcel.Pass(left);
    for (auto next = figures.begin(); left > 0; --left)
    {
        std::string name = parcel.IsRead() ? "" : next->first;
        parcel.PassList(name);
        next = figures.try_emplace(name).first;
        parcel.Pass(next->second);
        ++next;
    }
}

} // namespace

TypeId
GradientLearner::GetTypeId()
{
    static TypeId tid = TypeIdOf<GradientLearner, Learner>("ns3::odcn::GradientLearner");
    return tid;
}

TypeId
GradientLearner::AddCriticAttributes(TypeId tid)
{
    return TypeIdBuilder(tid)
        .Add(Attribute("GaeLambda", &GradientLearner::m_gaeLambda, 0.95, 0.0, 1.0),
             "Weight of longer sums in generalised advantage estimation.")
        .Add(Attribute("ValueWeight", &GradientLearner::m_valueWeight, 1.0, 0.0),
             "Weight of the value loss in the sum of the two losses.")
        .Add(Attribute("CriticDecisions", &GradientLearner::m_criticDecisions, 0),
             "Decisions before learning begins from which only the value is learnt, by the "
             "parameters that the policy does not use: for a network that comes with a policy.")
        .Add(Attribute("WarmUpDecisions", &GradientLearner::m_warmUpDecisions, 0),
             "Decisions in each problem at the start of an epoch, not learnt from. Short "
             "epochs that begin in a teacher's states keep the learner where the teacher "
             "does well.");
}

TypeId
GradientLearner::AddAttributes(TypeId tid, const Defaults& defaults)
{
    // Not in this class's own TypeId, since defaults differ between learners.
    if (defaults.critic)
    {
        tid = AddCriticAttributes(tid);
    }
    return TypeIdBuilder(AddLearnerAttributes(tid, defaults.threads))
        .Add(Attribute("WarmUpByTeacher", &GradientLearner::m_warmUpByTeacher, true),
             "Whether the teacher makes the WarmUpDecisions; else the network does.")
        .Add(Attribute("Gamma", &GradientLearner::m_gamma, defaults.gamma, 0.0, 1.0),
             "Discount factor.")
        .Add(Attribute("EntropyWeight",
                       &GradientLearner::m_entropyWeight,
                       defaults.entropyWeight,
                       0.0),
             "Weight of the policy's entropy in the loss.")
        .Add(
            Attribute("LearningRate", &GradientLearner::m_learningRate, defaults.learningRate, 0.0),
            "Learning rate of the optimiser.")
        .Add(Attribute("FinalLearningRate", &GradientLearner::m_finalLearningRate, 0.1, 0.0, 1.0),
             "Fraction of LearningRate that remains after ScheduleDecisions.")
        .Add(Attribute("ScheduleDecisions", &GradientLearner::m_scheduleDecisions, 0),
             "Decisions over which LearningRate falls linearly; 0 keeps it "
             "constant.")
        .Add(Attribute("Optimizer", &GradientLearner::m_optimizerName, defaults.optimizer),
             "Optimiser of LibTorch: Adam, AdamW, RMSprop, SGD or Adagrad.")
        .Add(Attribute("OptimizerEpsilon",
                       &GradientLearner::m_optimizerEpsilon,
                       defaults.optimizerEpsilon,
                       0.0),
             "Term added to the denominator for numerical stability; not for SGD.")
        .Add(Attribute("RmsDecay", &GradientLearner::m_rmsDecay, 0.9, 0.0, 1.0),
             "RMSprop: weight of the past in the mean of squared gradients.")
        .Add(Attribute("Momentum", &GradientLearner::m_momentum, 0.0, 0.0, 1.0),
             "Momentum of RMSprop and SGD.")
        .Add(Attribute("WeightDecay", &GradientLearner::m_weightDecay, 0.0, 0.0),
             "Weight decay of the optimiser.")
        .Add(Attribute("UseMask", &GradientLearner::m_useMask, defaults.useMask),
             "Whether to exclude actions that are certain to fail.")
        .Add(Attribute("NormalizeAdvantage",
                       &GradientLearner::m_normalizeAdvantage,
                       defaults.normalizeAdvantage),
             "Whether to shift and scale the advantages of an update to mean 0 "
             "and standard deviation 1.")
        .Add(Attribute("RewardScale", &GradientLearner::m_rewardScale, 1.0, 0.0),
             "Factor by which rewards are multiplied.")
        .Add(
            Attribute("ClipGradient", &GradientLearner::m_clipGradient, defaults.clipGradient, 0.0),
            "Largest Euclidean norm of the gradient of all parameters; 0 for "
            "no limit.")
        .Add(Attribute("CloneDecisions", &GradientLearner::m_cloneDecisions, 0),
             "Decisions of the teacher to clone before learning begins.")
        .Add(Attribute("CloneLearningRate", &GradientLearner::m_cloneLearningRate, 0.001, 0.0),
             "Learning rate while cloning.")
        .Add(Attribute("CloneOwnStates", &GradientLearner::m_cloneOwnStates, 0.0, 0.0, 1.0),
             "Last share of CloneDecisions in which the network acts and the teacher's "
             "choice in the state reached is cloned (DAgger; Ross et al., 2011). Not with "
             "ClonePasses.")
        .Add(Attribute("ClonePasses", &GradientLearner::m_clonePasses, 0, 0, 1000000),
             "Largest number of passes through CloneDecisions decisions, kept without "
             "duplicates; 0 to learn from each once, as it comes.")
        .Add(Attribute("CloneSamples", &GradientLearner::m_cloneSamples, 64, 1, 1000000),
             "Number of samples of a step in such a pass.")
        .Add(Attribute("CloneValidation", &GradientLearner::m_cloneValidation, 0.1, 0.001, 0.9),
             "Share of the set that is not learnt from but used to measure accuracy.")
        .Add(Attribute("CloneAccuracy", &GradientLearner::m_cloneAccuracy, 1.0, 0.0, 1.0),
             "Cloning by passes ends when the network takes more than this share of the "
             "teacher's decisions in the validation set.")
        .Add(Attribute("EvaluationSampled", &GradientLearner::m_evaluationSampled, false),
             "Whether evaluations sample actions, as training does; otherwise they take "
             "the likeliest.")
        .Add(Attribute("EpochDecisions", &GradientLearner::m_epochDecisions, 1000000, 1),
             "Number of decisions of all problems in an epoch; a training resumes "
             "at the start of one.");
}

GradientLearner::GradientLearner() = default;
GradientLearner::~GradientLearner() = default;

void
GradientLearner::DoDispose()
{
    m_rollout.reset();
    m_evaluationRollout.reset();
    m_optimizer.reset();
    Learner::DoDispose();
}

int64_t
GradientLearner::GetShuffleStream() const
{
    return m_stream + SHUFFLE_STREAMS + static_cast<int64_t>(GetUpdates());
}

double
GradientLearner::GetLearningRate() const
{
    if (m_scheduleDecisions == 0)
    {
        return m_learningRate;
    }
    const double part =
        std::min(1.0,
                 static_cast<double>(GetDecisions()) / static_cast<double>(m_scheduleDecisions));
    return m_learningRate * (1.0 - part * (1.0 - m_finalLearningRate));
}

std::map<std::string, double>
GradientLearner::GetFigures() const
{
    std::map<std::string, double> figures{{"policy_loss", 0.0},
                                          {"value_loss", 0.0},
                                          {"entropy", 0.0}};
    for (const auto& [name, value] : m_figures)
    {
        figures[name] = value;
    }
    if (m_cloneDecisions > 0 && m_clonePasses > 0)
    {
        // Also if unknown, so that all rows of a learning curve have the same columns.
        figures.emplace("clone_accuracy", 0.0);
        figures.emplace("clone_passes", 0.0);
    }
    figures["learning_rate"] = GetLearningRate();
    return figures;
}

uint32_t
GradientLearner::GetNeeded() const
{
    return GetSamples() + 1;
}

void
GradientLearner::Estimate(std::span<const float> rewards,
                          std::span<const uint8_t> ends,
                          std::span<const float> values,
                          std::span<float> targets,
                          std::span<float> advantages) const
{
    GaeAdvantages(rewards, ends, values, m_gamma, m_gaeLambda, advantages);
    for (std::size_t k = 0; k < targets.size(); ++k)
    {
        targets[k] = advantages[k] + values[k];
    }
}

void
GradientLearner::DoPrepare()
{
    if (LearnsFromOwnActions() && !m_network->LearnsAsItActs())
    {
        throw OdcnError(GetInstanceTypeId().GetName() + ": found the network " +
                        m_network->GetName() +
                        ", whose logits are others while it learns than while it acts: expected "
                        "another network, or CloneLearner or EvolutionLearner");
    }
    m_rollout = std::make_unique<Rollout>(m_problems, GetThreads(), GetRanks());
    m_evaluationRollout.reset();
    if (!m_evaluation.empty())
    {
        m_evaluationRollout = std::make_unique<Rollout>(m_evaluation, GetThreads(), GetRanks());
    }
    // Train() and LoadState() restore the state of both.
    m_figures.clear();
    MakeOptimizer();
}

void
GradientLearner::MakeOptimizer()
{
    namespace optim = torch::optim;
    const auto parameters = m_network->parameters();
    const double rate = m_learningRate;
    if (m_optimizerName == "Adam")
    {
        m_optimizer = std::make_unique<optim::Adam>(
            parameters,
            optim::AdamOptions(rate).eps(m_optimizerEpsilon).weight_decay(m_weightDecay));
    }
    else if (m_optimizerName == "AdamW")
    {
        m_optimizer = std::make_unique<optim::AdamW>(
            parameters,
            optim::AdamWOptions(rate).eps(m_optimizerEpsilon).weight_decay(m_weightDecay));
    }
    else if (m_optimizerName == "RMSprop")
    {
        m_optimizer = std::make_unique<optim::RMSprop>(parameters,
                                                       optim::RMSpropOptions(rate)
                                                           .alpha(m_rmsDecay)
                                                           .eps(m_optimizerEpsilon)
                                                           .momentum(m_momentum)
                                                           .weight_decay(m_weightDecay));
    }
    else if (m_optimizerName == "SGD")
    {
        m_optimizer = std::make_unique<optim::SGD>(
            parameters,
            optim::SGDOptions(rate).momentum(m_momentum).weight_decay(m_weightDecay));
    }
    else if (m_optimizerName == "Adagrad")
    {
        m_optimizer = std::make_unique<optim::Adagrad>(
            parameters,
            optim::AdagradOptions(rate).eps(m_optimizerEpsilon).weight_decay(m_weightDecay));
    }
    else
    {
        throw OdcnError::InOption("Optimizer",
                                  m_optimizerName,
                                  "Adam, AdamW, RMSprop, SGD or Adagrad");
    }
}

void
GradientLearner::WriteState(Archive& archive, nlohmann::json& header) const
{
    header["figures"] = m_figures;
    header["optimizer"] = m_optimizerName;
    // The optimiser has no state before the first update.
    if (GetUpdates() > 0)
    {
        torch::serialize::OutputArchive optimizer;
        m_optimizer->save(optimizer);
        std::ostringstream bytes;
        optimizer.save_to(bytes);
        const std::string text = bytes.str();
        archive.Add(
            "optimizer",
            torch::tensor(
                at::ArrayRef<uint8_t>(reinterpret_cast<const uint8_t*>(text.data()), text.size()),
                torch::kUInt8));
    }
}

void
GradientLearner::ReadState(const Archive& archive,
                           const nlohmann::json& header,
                           const std::string& path)
{
    // LibTorch adds to an existing state, so begin with none.
    MakeOptimizer();
    m_figures.clear();
    for (const auto& [name, value] : header.at("figures").items())
    {
        // JSON has no NaN: it is written as null.
        m_figures[name] =
            value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
    }
    // Without a state, before the first update, the optimiser may still be changed.
    if (std::none_of(archive.tensors.begin(),
                     archive.tensors.end(),
                     [](const auto& tensor) { return tensor.first == "optimizer"; }))
    {
        return;
    }
    if (header.at("optimizer") != m_optimizerName)
    {
        throw OdcnError::InOption("Optimizer",
                                  m_optimizerName,
                                  header.at("optimizer").get<std::string>() +
                                      ", with which the training began");
    }
    // Its options are Attributes, which are not part of the state.
    auto options = m_optimizer->param_groups().front().options().clone();
    const auto& bytes = archive.Get("optimizer", path);
    torch::serialize::InputArchive optimizer;
    optimizer.load_from(static_cast<const char*>(bytes.data_ptr()), bytes.nbytes());
    m_optimizer->load(optimizer);
    m_optimizer->param_groups().front().set_options(std::move(options));
}

bool
GradientLearner::IsEpochOver() const
{
    return GetDecisions() - m_epochBegun >= m_epochDecisions || IsOver();
}

Exploration
GradientLearner::GetExploration() const
{
    Exploration exploration;
    exploration.epsilon = GetEpsilon();
    exploration.useMask = m_useMask;
    return exploration;
}

Inference
GradientLearner::InferenceOf(PolicyNetwork& network)
{
    return [&network](const float* observations, std::size_t n, float* logits)
    { network.Infer(observations, n, logits); };
}

void
GradientLearner::BeginEpoch()
{
}

bool
GradientLearner::RunEpoch()
{
    const int64_t stream = GetEpochStream();
    m_rollout->Restart(stream, stream + ACTION_STREAMS);
    if (m_warmUpDecisions > 0)
    {
        Exploration warmUp = GetExploration();
        if (m_warmUpByTeacher)
        {
            RestartTeacher("WarmUpDecisions", stream);
            warmUp.teacher = PeekPointer(m_teacher);
        }
        m_rollout->Run(InferenceOf(*m_network), warmUp, m_warmUpDecisions);
    }
    // Not at reports, whose time depends on the machine: learning curves must not.
    m_rollout->ClearScores();
    m_epochBegun = GetDecisions();
    BeginEpoch();
    for (bool whole = true; !whole || !IsEpochOver();)
    {
        if (IsStopping())
        {
            return false;
        }
        whole = Advance();
        if (IsReportDue())
        {
            Report(TrainingProgress());
        }
    }
    return true;
}

double
GradientLearner::TakeScore()
{
    return m_rollout->GetScore();
}

Evaluation
GradientLearner::DoEvaluate(int64_t stream)
{
    Exploration exploration;
    exploration.epsilon = m_evaluationSampled ? 1.0 : 0.0;
    exploration.useMask = m_useMask;
    m_evaluationRollout->Restart(stream, stream + ACTION_STREAMS);
    m_evaluationRollout->Run(InferenceOf(*m_network), exploration, m_evaluationWarmUp);
    m_evaluationRollout->ClearScores();
    const double reward =
        m_evaluationRollout->Run(InferenceOf(*m_network), exploration, m_evaluationDecisions);
    const auto decisions = static_cast<double>(m_evaluationDecisions * m_evaluation.size());
    return {m_evaluationRollout->GetScore(), reward / decisions};
}

bool
GradientLearner::Advance()
{
    Count(m_rollout->Collect(InferenceOf(*m_network), GetExploration(), GetNeeded()));
    auto batch = Gather();
    Learn(*m_network, batch, 0);
    Drop();
    return true;
}

void
GradientLearner::Learn(PolicyNetwork& network, TrainingBatch& batch, std::size_t first)
{
    Step(ComputeGradient(network, batch, first), GetLearningRate());
}

std::vector<at::Tensor>
GradientLearner::ComputeGradient(PolicyNetwork& network, TrainingBatch& batch, std::size_t first)
{
    auto outputs = Forward(network, batch);
    std::vector<torch::Tensor> values;
    for (const auto& output : outputs)
    {
        values.push_back(output.values.detach());
    }
    ComputeAdvantages(network, batch, torch::cat(values), first);
    return Differentiate(network, batch, GetLoss(), std::move(outputs));
}

TrainingBatch
GradientLearner::View(std::size_t i, std::size_t samples)
{
    const Experience& e = m_rollout->Get(i);
    const auto n = static_cast<int64_t>(samples);
    const auto& shape = m_network->GetShape();
    std::vector<int64_t> sizes{n};
    sizes.insert(sizes.end(), shape.observation.begin(), shape.observation.end());
    // from_blob() takes no const pointer.
    // clang-format off
    const auto view = [](const auto& from, torch::IntArrayRef size, torch::ScalarType type) {
        return torch::from_blob(const_cast<void*>(static_cast<const void*>(from.data())),
                                size,
                                type);
    };
    // clang-format on
    TrainingBatch batch;
    batch.observations = view(e.observations, sizes, torch::kFloat32);
    batch.actions = view(e.actions, {n}, torch::kInt32).to(torch::kInt64);
    batch.probabilities = view(e.probabilities, {n}, torch::kFloat32);
    if (!e.masks.empty())
    {
        batch.masks = view(e.masks, {n, shape.actions}, torch::kUInt8).to(torch::kBool);
    }
    return batch;
}

TrainingBatch
GradientLearner::Gather(std::size_t first, std::size_t problems)
{
    std::vector<TrainingBatch> parts;
    for (std::size_t i = 0; i < (problems ? problems : m_rollout->GetN()); ++i)
    {
        parts.push_back(View(first + i, GetSamples()));
    }
    return TrainingBatch::Join(parts);
}

void
GradientLearner::Drop(std::size_t first, std::size_t problems)
{
    for (std::size_t i = 0; i < (problems ? problems : m_rollout->GetN()); ++i)
    {
        m_rollout->Get(first + i).DropFirst(GetSamples());
    }
}

std::vector<float>
GradientLearner::Scale(const std::vector<float>& rewards) const
{
    std::vector<float> scaled(rewards);
    for (float& r : scaled)
    {
        r *= static_cast<float>(m_rewardScale);
    }
    return scaled;
}

std::size_t
GradientLearner::GetShards(int64_t n) const
{
    // From the sizes alone, since sums must not depend on the number of threads.
    const int64_t size = m_network->GetShardSamples();
    return static_cast<std::size_t>((n + size - 1) / size);
}

uint32_t
GradientLearner::GetBatchThreads(const PolicyNetwork& network) const
{
    return &network == m_network.get() ? GetThreads() : 1;
}

Ranks&
GradientLearner::GetBatchRanks(const PolicyNetwork& network) const
{
    return &network == m_network.get() ? GetRanks() : Ranks::Alone();
}

std::vector<PolicyOutput>
GradientLearner::Forward(PolicyNetwork& network, const TrainingBatch& batch) const
{
    const std::size_t shards = GetShards(batch.GetN());
    const int64_t n = batch.GetN();
    std::vector<PolicyOutput> outputs(shards);
    const bool gradients = torch::GradMode::is_enabled();
    const auto first = [=](std::size_t s) { return static_cast<int64_t>(n * s / shards); };
    GetBatchRanks(network).Share(
        shards,
        GetBatchThreads(network),
        [&](std::size_t s, std::size_t)
        {
            const torch::AutoGradMode mode(gradients);
            outputs[s] = network.Evaluate(batch.observations.slice(0, first(s), first(s + 1)));
        },
        [&](Parcel& parcel, std::size_t s)
        {
            if (parcel.IsRead())
            {
                const int64_t rows = first(s + 1) - first(s);
                outputs[s] = {torch::empty({rows, network.GetShape().actions}),
                              torch::empty({rows})};
            }
            for (const auto& tensor : {outputs[s].logits, outputs[s].values})
            {
                const auto flat = tensor.detach().contiguous();
                parcel.PassAll(flat.data_ptr<float>(), static_cast<std::size_t>(flat.numel()));
            }
        });
    return outputs;
}

void
GradientLearner::ComputeAdvantages(PolicyNetwork& network,
                                   TrainingBatch& batch,
                                   const at::Tensor& values,
                                   std::size_t first) const
{
    const std::size_t samples = GetSamples();
    const auto problems = static_cast<std::size_t>(batch.GetN()) / samples;
    std::vector<float> reached(problems);
    if (IsBootstrapping())
    {
        const torch::NoGradGuard noGradients;
        const auto size = static_cast<std::size_t>(network.GetShape().GetSize());
        auto rows = torch::empty_like(
            batch.observations.slice(0, 0, static_cast<int64_t>(problems)).contiguous());
        for (std::size_t i = 0; i < problems; ++i)
        {
            const auto& observations = m_rollout->Get(first + i).observations;
            std::copy_n(observations.data() + samples * size,
                        size,
                        rows.data_ptr<float>() + i * size);
        }
        const auto of = network.Evaluate(rows).values.contiguous();
        std::copy_n(of.data_ptr<float>(), problems, reached.data());
    }
    const auto known = values.contiguous();
    std::vector<float> targets(problems * samples);
    std::vector<float> advantages(problems * samples);
    for (std::size_t i = 0; i < problems; ++i)
    {
        const Experience& e = m_rollout->Get(first + i);
        const float* v = known.data_ptr<float>() + i * samples;
        std::vector<float> all(v, v + samples);
        all.push_back(reached[i]);
        Estimate(Scale(e.rewards),
                 e.ends,
                 all,
                 {targets.data() + i * samples, samples},
                 {advantages.data() + i * samples, samples});
    }
    if (m_normalizeAdvantage)
    {
        Normalize(advantages);
    }
    batch.targets = torch::tensor(targets);
    batch.advantages = torch::tensor(advantages);
}

void
GradientLearner::EstimateAdvantages(PolicyNetwork& network,
                                    TrainingBatch& batch,
                                    std::size_t first) const
{
    const torch::NoGradGuard noGradients;
    std::vector<torch::Tensor> values;
    for (const auto& output : Forward(network, batch))
    {
        values.push_back(output.values);
    }
    ComputeAdvantages(network, batch, torch::cat(values), first);
}

LossTerms
GradientLearner::ComputeLoss(const TrainingBatch& batch, const PolicyOutput& output) const
{
    const auto logs = MaskedLogSoftmax(output.logits, batch.masks);
    const auto chosen = logs.gather(1, batch.actions.unsqueeze(1)).squeeze(1);
    const auto entropy = Entropy(logs).mean();
    const auto policy = -(chosen * batch.advantages).mean() - m_entropyWeight * entropy;
    const auto value = (output.values - batch.targets).square().mean();
    return {policy + m_valueWeight * value,
            {{"policy_loss", policy}, {"value_loss", value}, {"entropy", entropy}}};
}

GradientLearner::LossFunction
GradientLearner::GetLoss() const
{
    return [this](const TrainingBatch& batch, const PolicyOutput& output)
    { return ComputeLoss(batch, output); };
}

std::vector<torch::Tensor>
GradientLearner::DifferentiateShard(PolicyNetwork& network,
                                    const LossFunction& loss,
                                    const TrainingBatch& part,
                                    std::optional<PolicyOutput> output,
                                    double weight,
                                    std::map<std::string, double>& figures) const
{
    const torch::AutoGradMode gradientsOn(true);
    auto terms = loss(part, output ? std::move(*output) : network.Evaluate(part.observations));
    if (!terms.total.defined() || terms.total.numel() != 1 || !terms.total.requires_grad())
    {
        throw OdcnError(
            "the loss must be one number that depends on the parameters of the network");
    }
    figures["loss"] = weight * terms.total.item<double>();
    for (const auto& [name, value] : terms.figures)
    {
        figures[name] = weight * value.detach().item<double>();
    }
    return torch::autograd::grad({terms.total * weight},
                                 network.parameters(),
                                 {},
                                 c10::nullopt,
                                 false,
                                 true);
}

std::vector<at::Tensor>
GradientLearner::Differentiate(PolicyNetwork& network,
                               const TrainingBatch& batch,
                               const LossFunction& loss,
                               std::vector<PolicyOutput> outputs)
{
    const std::size_t shards = GetShards(batch.GetN());
    const int64_t n = batch.GetN();
    std::vector<std::vector<torch::Tensor>> gradients(shards);
    std::vector<std::map<std::string, double>> figures(shards);
    std::vector<uint8_t> defined(network.parameters().size());
    Ranks& ranks = GetBatchRanks(network);
    ranks.Share(
        shards,
        GetBatchThreads(network),
        [&](std::size_t s, std::size_t)
        {
            const auto part = batch.Slice(static_cast<int64_t>(n * s / shards),
                                          static_cast<int64_t>(n * (s + 1) / shards));
            auto output =
                outputs.empty() ? std::nullopt : std::optional(std::exchange(outputs[s], {}));
            const double weight = static_cast<double>(part.GetN()) / static_cast<double>(n);
            gradients[s] =
                DifferentiateShard(network, loss, part, std::move(output), weight, figures[s]);
        },
        [&](Parcel& parcel, std::size_t s)
        {
            for (std::size_t i = 0; i < defined.size(); ++i)
            {
                uint8_t one = !parcel.IsRead() && gradients[s][i].defined();
                parcel.Pass(one);
                defined[i] |= one;
            }
            PassFigures(parcel, figures[s]);
        });
    std::map<std::string, double> shown;
    for (const auto& shard : figures)
    {
        for (const auto& [name, value] : shard)
        {
            shown[name] += value;
        }
    }
    auto sum = SumShards(ranks, gradients, defined);
    const double total = shown["loss"];
    if (!std::isfinite(total))
    {
        throw OdcnError("training diverged after " + std::to_string(GetUpdates()) +
                        " updates, the loss is not finite: lower LearningRate or set ClipGradient; "
                        "the last whole epoch is kept");
    }
    shown.erase("loss");
    const std::lock_guard lock(m_lock);
    for (const auto& [name, value] : shown)
    {
        m_figures[name] = value;
    }
    return sum;
}

std::vector<at::Tensor>
GradientLearner::SumShards(Ranks& ranks,
                           std::vector<std::vector<at::Tensor>>& gradients,
                           const std::vector<uint8_t>& defined) const
{
    if (ranks.IsAlone())
    {
        auto sum = std::move(gradients.front());
        for (std::size_t s = 1; s < gradients.size(); ++s)
        {
            for (std::size_t i = 0; i < sum.size(); ++i)
            {
                if (gradients[s][i].defined())
                {
                    sum[i] = sum[i].defined() ? sum[i] + gradients[s][i] : gradients[s][i];
                }
            }
        }
        return sum;
    }
    const auto parameters = m_network->parameters();
    const auto [begin, end] = ranks.GetShare(gradients.size());
    std::vector<float> own;
    for (std::size_t s = begin; s < end; ++s)
    {
        Flatten(gradients[s], parameters, own);
    }
    std::size_t length = 0;
    for (const auto& parameter : parameters)
    {
        length += static_cast<std::size_t>(parameter.numel());
    }
    return Unflatten(ranks.SumInOrder(own, gradients.size(), length), parameters, defined);
}

void
GradientLearner::PassGradient(Parcel& parcel, std::vector<at::Tensor>& gradient) const
{
    std::vector<uint8_t> defined;
    std::vector<float> flat;
    if (!parcel.IsRead())
    {
        for (const auto& tensor : gradient)
        {
            defined.push_back(tensor.defined());
        }
        Flatten(gradient, m_network->parameters(), flat);
    }
    parcel.PassList(defined);
    parcel.PassList(flat);
    gradient = Unflatten(flat, m_network->parameters(), defined);
}

void
GradientLearner::Step(const std::vector<at::Tensor>& gradient, double learningRate)
{
    const std::lock_guard lock(m_lock);
    auto parameters = m_network->parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i)
    {
        parameters[i].mutable_grad() = gradient[i];
    }
    const double most =
        m_clipGradient > 0.0 ? m_clipGradient : std::numeric_limits<double>::infinity();
    const double norm = torch::nn::utils::clip_grad_norm_(parameters, most);
    if (!std::isfinite(norm))
    {
        throw OdcnError("training diverged after " + std::to_string(GetUpdates()) +
                        " updates, the gradient is not finite: lower LearningRate or set "
                        "ClipGradient; the last whole epoch is kept");
    }
    for (auto& group : m_optimizer->param_groups())
    {
        group.options().set_lr(learningRate);
    }
    m_optimizer->step();
    CountUpdate();
}

} // namespace ns3::odcn
