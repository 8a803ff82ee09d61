// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-evolution-learner.h"

#include "odcn-agent-policy.h"
#include "odcn-archive.h"
#include "odcn-policy-network.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-interruption.h"
#include "ns3/odcn-linear-policy.h"
#include "ns3/odcn-ranks.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(EvolutionLearner);

namespace
{

/// The linear policy in SetNetwork().
const std::string LINEAR = "Linear";
/// Streams reserved for one problem; MAX_STREAMS problems stay below ACTION_STREAMS.
constexpr int64_t PROBLEM_STREAMS = 1LL << 8;
constexpr uint32_t MAX_STREAMS = 1024;
/// Number of decisions between two checks of RequestStop().
constexpr uint64_t STOP_INTERVAL = 1024;

/// @param network to be changed  @param values of GetPolicyParameters(), flat
void
SetPolicyParameters(PolicyNetwork& network, const std::vector<float>& values)
{
    torch::NoGradGuard noGrad;
    std::size_t at = 0;
    for (auto& parameter : network.GetPolicyParameters())
    {
        const auto n = static_cast<std::size_t>(parameter.numel());
        parameter.copy_(
            torch::tensor(at::ArrayRef<float>(values.data() + at, n)).view(parameter.sizes()));
        at += n;
    }
}

/// @param values weights, then the bias  @param policy to be changed
void
SetLinear(const std::vector<float>& values, LinearPolicy& policy)
{
    policy.SetWeights({values.data(), values.size() - 1}, values.back());
}

} // namespace

TypeId
EvolutionLearner::GetTypeId()
{
    using L = EvolutionLearner;
    static TypeId tid =
        TypeIdBuilder(
            AddLearnerAttributes(TypeIdOf<EvolutionLearner, Learner>("ns3::odcn::EvolutionLearner"),
                                 2))
            .Add(Attribute("UseMask", &L::m_useMask, true),
                 "Whether to exclude actions that are certain to fail.")
            .Add(Attribute("Population", &L::m_population, 16, 4, 65536),
                 "Number of candidates of a generation; even.")
            .Add(Attribute("Streams", &L::m_streams, 4, 1, MAX_STREAMS),
                 "Number of streams on which each candidate runs; the problems take turns.")
            .Add(Attribute("WarmUpDecisions", &L::m_warmUpDecisions, 10000),
                 "Decisions in each problem before rewards count.")
            .Add(Attribute("Decisions", &L::m_runDecisions, 60000, 1),
                 "Decisions in each problem that count.")
            .Add(Attribute("Episodes", &L::m_episodes, 0),
                 "Whole episodes of each problem that count, instead of WarmUpDecisions "
                 "and Decisions; 0 for the latter.")
            .Add(Attribute("Objective",
                           &L::m_objective,
                           Objective::REWARD,
                           {{Objective::REWARD, "Reward"}, {Objective::SCORE, "Score"}}),
                 "How candidates are compared: largest mean reward of a decision, or "
                 "lowest score of the problem.")
            .Add(Attribute("Sigma", &L::m_sigma, 1, 1e-9, 1e9),
                 "Standard deviation of each parameter in the first generation.")
            .Add(Attribute("Generations", &L::m_generations, 0),
                 "Generations after which the training ends, even before the decisions of "
                 "Train() are made; 0 for no limit.");
    return tid;
}

EvolutionLearner::EvolutionLearner() = default;
EvolutionLearner::~EvolutionLearner() = default;

void
EvolutionLearner::DoDispose()
{
    m_players.clear();
    Learner::DoDispose();
}

bool
EvolutionLearner::IsLinear() const
{
    return m_words == LINEAR;
}

void
EvolutionLearner::SetStart(const LinearPolicy& policy)
{
    m_start = policy.GetWeights();
    m_start.push_back(policy.GetBias());
    m_search.mean = m_start;
}

void
EvolutionLearner::DoRestart()
{
    m_search = EvolutionStrategy();
    m_search.mean = m_start;
    m_reward = 0;
    m_score = 0;
}

void
EvolutionLearner::BuildNetwork()
{
    if (!IsLinear())
    {
        Learner::BuildNetwork();
        return;
    }
    const std::size_t features = LinearPolicy::CountFeatures(*m_problems.front());
    if (m_search.mean.size() < features + 1)
    {
        // Those of the sum to start from are the first; the bias is the last.
        const auto end = m_search.mean.empty() ? m_search.mean.end() : m_search.mean.end() - 1;
        m_search.mean.insert(end, features + 1 - m_search.mean.size(), 0.0F);
    }
    if (m_search.mean.size() != features + 1)
    {
        throw OdcnError("the policy to start from has " + std::to_string(m_search.mean.size() - 1) +
                        " weights, the problem " + std::to_string(features) +
                        " features of an action");
    }
}

void
EvolutionLearner::TakeMean()
{
    if (IsLinear())
    {
        return;
    }
    m_search.mean.clear();
    for (const auto& parameter : m_network->GetPolicyParameters())
    {
        const auto flat = parameter.detach().flatten().contiguous();
        const auto* begin = flat.data_ptr<float>();
        m_search.mean.insert(m_search.mean.end(), begin, begin + flat.numel());
    }
}

void
EvolutionLearner::DoPrepare()
{
    TakeMean();
    if (m_search.variance.size() != m_search.mean.size())
    {
        m_search = EvolutionStrategy(m_search.mean, m_sigma);
    }
    m_players.clear();
    std::generate_n(std::back_inserter(m_players), GetThreads(), [this] { return MakePlayer(); });
}

EvolutionLearner::Player
EvolutionLearner::MakePlayer() const
{
    if (IsLinear())
    {
        auto linear = CreateObject<LinearPolicy>();
        linear->SetAttribute("UseMask", BooleanValue(m_useMask));
        return [linear](const std::vector<float>& parameters) -> DecisionPolicy&
        {
            SetLinear(parameters, *linear);
            return *linear;
        };
    }
    auto agent = CreateObject<AgentPolicy>();
    agent->SetAttribute("UseMask", BooleanValue(m_useMask));
    return [agent,
            network = m_network->Copy()](const std::vector<float>& parameters) -> DecisionPolicy&
    {
        SetPolicyParameters(*network, parameters);
        agent->SetNetwork(network);
        return *agent;
    };
}

bool
EvolutionLearner::Play(DecisionProblem& problem, DecisionPolicy& policy, Run& run) const
{
    std::vector<float> rewards;
    double reward = 0;
    uint64_t episodes = 0;
    const auto goesOn = [&]()
    { return run.episodes ? episodes < run.episodes : run.decisions < run.warmUp + run.counted; };
    for (run.decisions = 0; goesOn(); ++run.decisions)
    {
        if (run.decisions % STOP_INTERVAL == 0)
        {
            Interruption::Check();
            if (IsStopping())
            {
                return false;
            }
        }
        if (run.decisions == run.warmUp)
        {
            problem.ClearScore();
            reward = 0;
        }
        problem.Act(policy.Decide(problem));
        rewards.clear();
        problem.TakeRewards(rewards);
        reward = std::accumulate(rewards.begin(), rewards.end(), reward);
        if (problem.IsDone())
        {
            ++episodes;
            problem.ResetToDecision();
            policy.Reset();
        }
    }
    run.reward = reward / static_cast<double>(std::max<uint64_t>(1, run.decisions - run.warmUp));
    run.score = problem.GetScore();
    return true;
}

bool
EvolutionLearner::Execute(std::vector<Run>& runs, const std::vector<Ptr<DecisionProblem>>& problems)
{
    std::mutex mutex;
    std::vector<std::mutex> busy(problems.size());
    const auto threads = static_cast<uint32_t>(std::min(m_players.size(), problems.size()));
    const auto play = [&](std::size_t i, std::size_t worker)
    {
        Run& run = runs[i];
        // Problems may differ, so the run decides which one, not the thread.
        std::lock_guard alone(busy[run.problem]);
        DecisionProblem& problem = *problems[run.problem];
        DecisionPolicy& policy = m_players[worker](*run.parameters);
        {
            // Random variables read ns-3's global seed, which is not thread-safe.
            std::lock_guard lock(mutex);
            problem.AssignStreams(run.stream);
            problem.ResetToDecision();
        }
        policy.Reset();
        run.isComplete = Play(problem, policy, run);
    };
    GetRanks().Share(
        runs.size(),
        threads,
        play,
        [&runs](Parcel& parcel, std::size_t i)
        { parcel.Pass(runs[i].isComplete, runs[i].reward, runs[i].score, runs[i].decisions); });
    return std::all_of(runs.begin(), runs.end(), [](const Run& run) { return run.isComplete; });
}

Evaluation
EvolutionLearner::DoEvaluate(int64_t stream)
{
    Evaluation evaluation;
    TakeMean();
    std::vector<Run> runs(m_evaluation.size());
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        runs[i].parameters = &m_search.mean;
        runs[i].problem = i;
        runs[i].stream = stream + static_cast<int64_t>(i) * PROBLEM_STREAMS;
        runs[i].warmUp = m_evaluationWarmUp;
        runs[i].counted = m_evaluationDecisions;
    }
    evaluation.isComplete = Execute(runs, m_evaluation);
    for (const Run& run : runs)
    {
        evaluation.reward += run.reward / static_cast<double>(runs.size());
        evaluation.score += run.score / static_cast<double>(runs.size());
    }
    return evaluation;
}

double
EvolutionLearner::GetMerit(const Evaluation& evaluation) const
{
    return m_objective == Objective::REWARD ? -evaluation.reward : evaluation.score;
}

bool
EvolutionLearner::IsOver() const
{
    return Learner::IsOver() || (m_generations > 0 && GetEpochs() >= m_generations);
}

bool
EvolutionLearner::RunEpoch()
{
    if (m_population % 2 != 0)
    {
        throw OdcnError::InOption("Population", std::to_string(m_population), "an even number");
    }
    auto normal = CreateObject<NormalRandomVariable>();
    normal->SetStream(GetEpochStream() + ACTION_STREAMS);
    const auto candidates = m_search.Sample(m_population, *normal);
    std::vector<Run> runs;
    for (const auto& candidate : candidates)
    {
        for (uint32_t s = 0; s < m_streams; ++s)
        {
            Run run;
            run.parameters = &candidate;
            run.problem = s % m_problems.size();
            run.stream = GetEpochStream() + s * PROBLEM_STREAMS;
            run.warmUp = m_episodes ? 0 : m_warmUpDecisions;
            run.counted = m_runDecisions;
            run.episodes = m_episodes;
            runs.push_back(run);
        }
    }
    if (!Execute(runs, m_problems))
    {
        return false;
    }
    uint64_t decisions = 0;
    std::vector<double> cost(m_population);
    m_reward = 0;
    m_score = 0;
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        cost[i / m_streams] += GetMerit({runs[i].score, runs[i].reward}) / m_streams;
        decisions += runs[i].decisions;
        m_reward += runs[i].reward / static_cast<double>(runs.size());
        m_score += runs[i].score / static_cast<double>(runs.size());
    }
    if (!std::all_of(cost.begin(), cost.end(), [](double x) { return std::isfinite(x); }))
    {
        throw OdcnError("the training has diverged: rewards or scores are not finite");
    }
    m_search.Adapt(cost, GetEpochs() + 1);
    if (!IsLinear())
    {
        SetPolicyParameters(*m_network, m_search.mean);
    }
    Count(decisions);
    CountUpdate();
    return true;
}

std::vector<float>
EvolutionLearner::GetParameters() const
{
    return IsLinear() ? m_search.mean : Learner::GetParameters();
}

std::map<std::string, double>
EvolutionLearner::GetFigures() const
{
    return {{"reward", m_reward}, {"sigma", m_search.step}};
}

void
EvolutionLearner::WritePolicy(Archive& archive) const
{
    if (IsLinear())
    {
        archive.Add("mean", torch::tensor(m_search.mean));
        return;
    }
    Learner::WritePolicy(archive);
}

void
EvolutionLearner::ReadPolicy(const Archive& archive, const std::string& path)
{
    if (IsLinear())
    {
        m_search.mean = archive.GetFloats("mean", m_search.mean.size(), path);
        return;
    }
    Learner::ReadPolicy(archive, path);
    TakeMean();
}

void
EvolutionLearner::WriteState(Archive& archive, nlohmann::json& header) const
{
    archive.Add("variance", torch::tensor(m_search.variance));
    archive.Add("step_path", torch::tensor(m_search.stepPath));
    archive.Add("shape_path", torch::tensor(m_search.shapePath));
    header = {{"step", m_search.step}, {"reward", m_reward}, {"score", m_score}};
}

void
EvolutionLearner::ReadState(const Archive& archive,
                            const nlohmann::json& header,
                            const std::string& path)
{
    const std::size_t n = m_search.mean.size();
    m_search.variance = archive.GetFloats("variance", n, path);
    m_search.stepPath = archive.GetFloats("step_path", n, path);
    m_search.shapePath = archive.GetFloats("shape_path", n, path);
    m_search.step = header.at("step");
    m_reward = header.at("reward");
    m_score = header.at("score");
}

void
EvolutionLearner::WriteCheckpoint(const std::string& path,
                                  const std::map<std::string, std::string>& provenance) const
{
    if (!IsLinear())
    {
        Learner::WriteCheckpoint(path, provenance);
        return;
    }
    auto policy = CreateObject<LinearPolicy>();
    SetLinear(m_search.mean, *policy);
    policy->Save(path, *m_problems.front(), provenance);
}

Ptr<DecisionPolicy>
EvolutionLearner::MakePolicy() const
{
    if (!IsLinear())
    {
        return Learner::MakePolicy();
    }
    auto policy = CreateObject<LinearPolicy>();
    SetLinear(m_search.mean, *policy);
    policy->SetForm(ObservationForm::Of(*m_problems.front()));
    policy->SetAttribute("UseMask", BooleanValue(m_useMask));
    return policy;
}

} // namespace ns3::odcn
