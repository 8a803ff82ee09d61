// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-evolution-learner.h"

#include "odcn-agent-seed.h"
#include "odcn-checkpoint.h"
#include "odcn-returns.h"
#include "odcn-thread-team.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-ns3-compat.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>
#include <numeric>
#include <stdexcept>

namespace ns3
{
namespace odcn
{

NS_LOG_COMPONENT_DEFINE("OdcnEvolutionLearner");
NS_OBJECT_ENSURE_REGISTERED(OdcnEvolutionLearner);

namespace
{

/// Streams set aside for one problem, for one generation and for a whole training.
constexpr int64_t PROBLEM_STREAMS = 1LL << 8;
constexpr int64_t GENERATION_STREAMS = 1LL << 20;
constexpr int64_t ALL_STREAMS = 1LL << 40;

/// @param random a generator  @return a standard normal number
double
Normal(std::mt19937_64& random)
{
    const double u = 1.0 - OdcnUniform(random);
    const double v = OdcnUniform(random);
    return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

} // namespace

TypeId
OdcnEvolutionLearner::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::odcn::OdcnEvolutionLearner")
            .SetParent<Object>()
            .SetGroupName("Odcn")
            .AddConstructor<OdcnEvolutionLearner>()
            .AddAttribute("Population",
                          "Candidates of a generation, an even number.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&OdcnEvolutionLearner::m_population),
                          MakeUintegerChecker<uint32_t>(4, 65536))
            .AddAttribute("Streams",
                          "Problems that each candidate runs.",
                          UintegerValue(4),
                          MakeUintegerAccessor(&OdcnEvolutionLearner::m_streams),
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("WarmUpDecisions",
                          "Decisions in each problem before rewards count.",
                          UintegerValue(10000),
                          MakeUintegerAccessor(&OdcnEvolutionLearner::m_warmUpDecisions),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Decisions",
                          "Decisions in each problem that count.",
                          UintegerValue(60000),
                          MakeUintegerAccessor(&OdcnEvolutionLearner::m_decisions),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("Episodes",
                          "Whole episodes of each problem that count, in place of WarmUpDecisions "
                          "and Decisions; 0 for those.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&OdcnEvolutionLearner::m_episodes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Objective",
                          "By what candidates are compared: greatest mean reward of a decision, or "
                          "least score of the problem.",
                          CompatEnumValue<Objective>(Objective::REWARD),
                          CompatEnumAccessor<Objective>(&OdcnEvolutionLearner::m_objective),
                          MakeEnumChecker(Objective::REWARD, "Reward", Objective::SCORE, "Score"))
            .AddAttribute("Sigma",
                          "Standard deviation of each parameter in the first generation.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&OdcnEvolutionLearner::m_sigma),
                          MakeDoubleChecker<double>(1e-9, 1e9))
            .AddAttribute("UseMask",
                          "Exclude actions that are known to fail.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&OdcnEvolutionLearner::m_useMask),
                          MakeBooleanChecker())
            .AddAttribute("EvaluationGenerations",
                          "Generations from one evaluation of their mean to the next.",
                          UintegerValue(10),
                          MakeUintegerAccessor(&OdcnEvolutionLearner::m_evaluationGenerations),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("EvaluationStreams",
                          "Problems of an evaluation, each as long as one of a candidate; always "
                          "the same streams. 0 for no evaluation.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&OdcnEvolutionLearner::m_evaluationStreams),
                          MakeUintegerChecker<uint32_t>(0, 4096))
            .AddAttribute("Threads",
                          "Problems that run at once; changes no result.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&OdcnEvolutionLearner::m_threads),
                          MakeUintegerChecker<uint32_t>(1, 1024));
    return tid;
}

OdcnEvolutionLearner::OdcnEvolutionLearner() = default;
OdcnEvolutionLearner::~OdcnEvolutionLearner() = default;

void
OdcnEvolutionLearner::DoDispose()
{
    m_network = nullptr;
    m_problems.clear();
    m_players.clear();
    m_progress = nullptr;
    Object::DoDispose();
}

void
OdcnEvolutionLearner::SetNetwork(Ptr<OdcnNetwork> network)
{
    m_network = network;
}

void
OdcnEvolutionLearner::SetEnvironments(const std::vector<Ptr<OdcnDecisionProblem>>& problems)
{
    m_problems = problems;
    m_players.clear();
}

void
OdcnEvolutionLearner::SetProgress(std::function<void(const OdcnEvolutionProgress&)> progress)
{
    m_progress = std::move(progress);
}

int64_t
OdcnEvolutionLearner::AssignStreams(int64_t stream)
{
    m_stream = stream;
    return ALL_STREAMS;
}

void
OdcnEvolutionLearner::RequestStop()
{
    m_stop = true;
}

uint64_t
OdcnEvolutionLearner::GetGenerations() const
{
    return m_state.generation;
}

uint64_t
OdcnEvolutionLearner::GetDecisions() const
{
    return m_state.decisions;
}

Ptr<OdcnNetwork>
OdcnEvolutionLearner::GetNetwork() const
{
    return m_network;
}

void
OdcnEvolutionLearner::Prepare()
{
    if (!m_network || m_problems.empty())
    {
        throw OdcnError("a learner needs a network and at least one environment");
    }
    const auto& problem = *m_problems.front();
    if (!m_network->IsBuilt())
    {
        m_network->Build(problem);
    }
    m_network->RequireFit(problem);
    while (m_players.size() < std::min<std::size_t>(m_threads, m_problems.size()))
    {
        auto player = OdcnNetwork::Create(m_network->GetInstanceTypeId().GetName(),
                                          m_network->GetAttributes());
        player->Build(problem);
        m_players.push_back(player);
    }
    if (m_state.mean.empty())
    {
        const auto p = m_network->GetParameters().first(m_network->GetPolicySize());
        m_state.mean.assign(p.begin(), p.end());
        m_state.variance.assign(p.size(), 1.0F);
        m_state.stepPath.assign(p.size(), 0.0F);
        m_state.shapePath.assign(p.size(), 0.0F);
        m_state.sigma = m_sigma;
    }
}

void
OdcnEvolutionLearner::ShowMean()
{
    std::copy(m_state.mean.begin(), m_state.mean.end(), m_network->GetMutableParameters().begin());
}

void
OdcnEvolutionLearner::Play(OdcnDecisionProblem& problem, const OdcnNetwork& network, Run& run) const
{
    std::vector<float> observation(network.GetObservationSize());
    std::vector<float> logits(network.GetNActions());
    std::vector<uint8_t> mask(m_useMask ? network.GetNActions() : 0);
    std::vector<float> rewards;
    OdcnNetwork::Scratch scratch;
    const auto sum = network.GetWeightedSum();
    double reward = 0;
    const uint64_t warmUp = m_episodes ? 0 : m_warmUpDecisions;
    uint64_t episodes = 0;
    const auto goesOn = [&]()
    { return m_episodes ? episodes < m_episodes : run.decisions < warmUp + m_decisions; };
    for (run.decisions = 0; goesOn(); ++run.decisions)
    {
        if (run.decisions == warmUp)
        {
            problem.ClearScore();
            reward = 0;
        }
        uint32_t action = 0;
        if (!m_useMask || !sum || !problem.FindGreatest(*sum, action))
        {
            problem.Observe(observation.data());
            network.Infer(observation.data(), 1, logits.data(), scratch);
            if (m_useMask)
            {
                problem.Mask(mask.data());
            }
            action = OdcnArgMax(logits, mask);
        }
        problem.Act(action);
        rewards.clear();
        problem.TakeRewards(rewards);
        reward = std::accumulate(rewards.begin(), rewards.end(), reward);
        if (problem.IsDone())
        {
            ++episodes;
            problem.Reset();
        }
    }
    run.reward = reward / static_cast<double>(run.decisions - warmUp);
    run.score = problem.GetScore();
}

void
OdcnEvolutionLearner::Execute(std::vector<Run>& runs)
{
    std::mutex mutex;
    OdcnThreadTeam team(static_cast<uint32_t>(m_players.size()));
    team.Run(runs.size(),
             [&](std::size_t task, std::size_t worker)
             {
                 OdcnDecisionProblem& problem = *m_problems[worker];
                 OdcnNetwork& network = *m_players[worker];
                 std::copy_n(runs[task].parameters,
                             m_state.mean.size(),
                             network.GetMutableParameters().begin());
                 {
                     // Random variables ask ns-3's global seed: one at a time.
                     std::lock_guard lock(mutex);
                     problem.AssignStreams(runs[task].stream);
                     problem.Reset();
                 }
                 Play(problem, network, runs[task]);
             });
}

double
OdcnEvolutionLearner::Evaluate(double& score)
{
    Prepare();
    const std::vector<float> parameters(m_network->GetParameters().begin(),
                                        m_network->GetParameters().end());
    std::vector<Run> runs;
    for (uint32_t s = 0; s < std::max(1U, m_evaluationStreams); ++s)
    {
        runs.push_back({parameters.data(), m_stream + s * PROBLEM_STREAMS});
    }
    Execute(runs);
    double reward = 0;
    score = 0;
    for (const auto& run : runs)
    {
        reward += run.reward / static_cast<double>(runs.size());
        score += run.score / static_cast<double>(runs.size());
    }
    return reward;
}

OdcnEvolutionProgress
OdcnEvolutionLearner::Generation()
{
    NS_LOG_FUNCTION(this << m_state.generation);
    const std::size_t n = m_state.mean.size();
    // Streams 0 x GENERATION_STREAMS are of the evaluation.
    const auto stream =
        m_stream + static_cast<int64_t>(m_state.generation + 1) * GENERATION_STREAMS;
    std::mt19937_64 random(OdcnAgentSeed({static_cast<uint64_t>(m_stream), m_state.generation}));
    const uint32_t population = m_population / 2 * 2;
    std::vector<std::vector<float>> steps(population, std::vector<float>(n));
    std::vector<std::vector<float>> candidates(population, std::vector<float>(n));
    for (uint32_t i = 0; i < population; ++i)
    {
        for (std::size_t k = 0; k < n; ++k)
        {
            steps[i][k] = i % 2 ? -steps[i - 1][k] : static_cast<float>(Normal(random));
            candidates[i][k] = static_cast<float>(
                m_state.mean[k] +
                m_state.sigma * std::sqrt(static_cast<double>(m_state.variance[k])) * steps[i][k]);
        }
    }
    std::vector<Run> runs;
    for (const auto& candidate : candidates)
    {
        for (uint32_t s = 0; s < m_streams; ++s)
        {
            runs.push_back({candidate.data(), stream + s * PROBLEM_STREAMS});
        }
    }
    Execute(runs);
    OdcnEvolutionProgress report;
    std::vector<double> fitness(population);
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        fitness[i / m_streams] += GetFitness(runs[i].reward, runs[i].score) / m_streams;
        m_state.decisions += runs[i].decisions;
        report.reward += runs[i].reward / static_cast<double>(runs.size());
        report.score += runs[i].score / static_cast<double>(runs.size());
    }
    std::vector<uint32_t> order(population);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(),
                     order.end(),
                     [&](uint32_t a, uint32_t b) { return fitness[a] > fitness[b]; });
    std::vector<std::vector<float>> sorted;
    for (uint32_t i : order)
    {
        sorted.push_back(std::move(steps[i]));
    }
    Adapt(sorted);
    ++m_state.generation;
    report.generation = m_state.generation;
    report.decisions = m_state.decisions;
    report.sigma = m_state.sigma;
    return report;
}

void
OdcnEvolutionLearner::Adapt(const std::vector<std::vector<float>>& steps)
{
    const std::size_t n = m_state.mean.size();
    const auto dimension = static_cast<double>(n);
    const std::size_t parents = steps.size() / 2;
    std::vector<double> weights(parents);
    for (std::size_t i = 0; i < parents; ++i)
    {
        weights[i] =
            std::log(static_cast<double>(parents) + 0.5) - std::log(static_cast<double>(i) + 1.0);
    }
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    double squares = 0;
    for (double& w : weights)
    {
        w /= sum;
        squares += w * w;
    }
    // The usual constants of CMA-ES; learning rates of the separable form are (n + 2) / 3 larger.
    const double effective = 1.0 / squares;
    const double cStep = (effective + 2) / (dimension + effective + 5);
    const double damping =
        1 + cStep + 2 * std::max(0.0, std::sqrt((effective - 1) / (dimension + 1)) - 1);
    const double cPath = (4 + effective / dimension) / (dimension + 4 + 2 * effective / dimension);
    const double faster = (dimension + 2) / 3;
    double cOne = faster * 2 / ((dimension + 1.3) * (dimension + 1.3) + effective);
    double cMany = faster * 2 * (effective - 2 + 1 / effective) /
                   ((dimension + 2) * (dimension + 2) + effective);
    const double most = 0.9;
    if (cOne + cMany > most)
    {
        const double scale = most / (cOne + cMany);
        cOne *= scale;
        cMany *= scale;
    }
    const double expected =
        std::sqrt(dimension) * (1 - 1 / (4 * dimension) + 1 / (21 * dimension * dimension));

    std::vector<double> step(n, 0.0);
    for (std::size_t i = 0; i < parents; ++i)
    {
        for (std::size_t k = 0; k < n; ++k)
        {
            step[k] += weights[i] * steps[i][k];
        }
    }
    double length = 0;
    for (std::size_t k = 0; k < n; ++k)
    {
        m_state.stepPath[k] =
            static_cast<float>((1 - cStep) * m_state.stepPath[k] +
                               std::sqrt(cStep * (2 - cStep) * effective) * step[k]);
        length += static_cast<double>(m_state.stepPath[k]) * m_state.stepPath[k];
    }
    length = std::sqrt(length);
    const double begun = 1 - std::pow(1 - cStep, 2.0 * static_cast<double>(m_state.generation + 1));
    const bool steady = length / std::sqrt(begun) < (1.4 + 2 / (dimension + 1)) * expected;
    for (std::size_t k = 0; k < n; ++k)
    {
        const double deviation = std::sqrt(static_cast<double>(m_state.variance[k]));
        const double moved = steady ? deviation * step[k] : 0.0;
        m_state.mean[k] += static_cast<float>(m_state.sigma * deviation * step[k]);
        m_state.shapePath[k] =
            static_cast<float>((1 - cPath) * m_state.shapePath[k] +
                               std::sqrt(cPath * (2 - cPath) * effective) * moved);
        double spread = 0;
        for (std::size_t i = 0; i < parents; ++i)
        {
            spread += weights[i] * steps[i][k] * steps[i][k];
        }
        const double path = m_state.shapePath[k];
        m_state.variance[k] =
            static_cast<float>((1 - cOne - cMany) * m_state.variance[k] + cOne * path * path +
                               cMany * m_state.variance[k] * spread);
    }
    m_state.sigma *= std::exp(std::min(1.0, cStep / damping * (length / expected - 1)));
}

bool
OdcnEvolutionLearner::Train(uint64_t generations)
{
    Prepare();
    while (m_state.generation < generations && !m_stop)
    {
        OdcnEvolutionProgress report = Generation();
        ShowMean();
        if (m_evaluationStreams > 0 && (m_state.generation % m_evaluationGenerations == 0 ||
                                        m_state.generation == generations))
        {
            report.evaluated = true;
            report.evaluation = Evaluate(report.evaluationScore);
            const double fitness = GetFitness(report.evaluation, report.evaluationScore);
            if (fitness > m_state.bestFitness)
            {
                report.isBest = true;
                m_state.bestFitness = fitness;
                m_state.best = m_state.mean;
            }
        }
        if (m_progress)
        {
            m_progress(report);
        }
    }
    ShowMean();
    m_stop = false;
    return m_state.generation >= generations;
}

void
OdcnEvolutionLearner::SaveState(const std::string& path) const
{
    auto c = OdcnCheckpoint::Of(*m_network);
    c.arrays["mean"] = m_state.mean;
    c.arrays["variance"] = m_state.variance;
    c.arrays["step path"] = m_state.stepPath;
    c.arrays["shape path"] = m_state.shapePath;
    c.arrays["best"] = m_state.best;
    c.numbers["sigma"] = m_state.sigma;
    if (!m_state.best.empty())
    {
        c.numbers["best fitness"] = m_state.bestFitness;
    }
    c.counters["generation"] = m_state.generation;
    c.counters["decisions"] = m_state.decisions;
    c.counters["seed"] = RngSeedManager::GetSeed();
    c.counters["run"] = RngSeedManager::GetRun();
    c.Save(path);
}

void
OdcnEvolutionLearner::LoadState(const std::string& path)
{
    Prepare();
    const auto c = OdcnCheckpoint::Load(path);
    State state;
    try
    {
        state.mean = c.arrays.at("mean");
        state.variance = c.arrays.at("variance");
        state.stepPath = c.arrays.at("step path");
        state.shapePath = c.arrays.at("shape path");
        state.best = c.arrays.at("best");
        state.sigma = c.numbers.at("sigma");
        state.generation = c.counters.at("generation");
        state.decisions = c.counters.at("decisions");
        if (!state.best.empty())
        {
            state.bestFitness = c.numbers.at("best fitness");
        }
    }
    catch (const std::out_of_range&)
    {
        throw OdcnError(path + ": a checkpoint without the state of an evolution");
    }
    const std::size_t n = m_network->GetPolicySize();
    if (c.networkType != m_network->GetInstanceTypeId().GetName() ||
        c.networkAttributes != m_network->GetAttributes() || state.mean.size() != n ||
        state.variance.size() != n || state.stepPath.size() != n || state.shapePath.size() != n ||
        (!state.best.empty() && state.best.size() != n))
    {
        throw OdcnError(path + ": the training of another network");
    }
    m_state = state;
    ShowMean();
}

void
OdcnEvolutionLearner::SaveCheckpoint(const std::string& path,
                                     const std::map<std::string, std::string>& provenance) const
{
    auto c = OdcnCheckpoint::Of(*m_network);
    c.provenance = provenance;
    c.provenance["learner"] = GetInstanceTypeId().GetName();
    c.counters["decisions"] = m_state.decisions;
    c.counters["generation"] = m_state.generation;
    c.counters["seed"] = RngSeedManager::GetSeed();
    c.counters["run"] = RngSeedManager::GetRun();
    if (!m_state.best.empty())
    {
        auto& parameters = c.arrays[OdcnCheckpoint::PARAMETERS];
        std::copy(m_state.best.begin(), m_state.best.end(), parameters.begin());
        const bool reward = m_objective == Objective::REWARD;
        c.numbers[reward ? "reward" : "score"] =
            reward ? m_state.bestFitness : -m_state.bestFitness;
    }
    c.Save(path);
}

} // namespace odcn
} // namespace ns3
