// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Speed of agents: single decisions with and without LibTorch, updates of each network, the
 * problem alone, and complete trainings. Times are CPU time unless a name contains "wall".
 */

#include "odcn-benchmark-kit.h"

#include "ns3/cluster-helper.h"
#include "ns3/cluster-job-generator.h"
#include "ns3/odcn-agent-policy.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-learner.h"
#include "ns3/odcn-policy-network.h"
#include "ns3/odcn-scheduling.h"
#include "ns3/rddc-helper.h"

#include <chrono>

using namespace ns3;
using namespace ns3::odcn;
using kit::CpuSeconds;
using kit::Median;

namespace
{

constexpr uint32_t RACKS = 16;
/// The agents that schedule clusters.
constexpr const char* DEEPRM = "Cnn[layers=|hidden=20|hiddenActivation=Relu|value=none]";
constexpr const char* DEEPRM_PLUS = "Cnn[value=none|filterBias=0]";
constexpr const char* A2CSCHEDULER = "Cnn[layers=Conv3-16|hidden=|filterBias=0]";
constexpr const char* REINFORCE =
    "ReinforceLearner[UseMask=true|Sequences=1|EpisodeDecisions=400|EvaluationDecisions=0]";
constexpr const char* A2C =
    "A2cLearner[UseMask=true|Returns=Gae|UpdateSamples=40|EvaluationDecisions=0]";
/// The trainings whose speed is quoted.
constexpr const char* A2C_WINDOW =
    "A2cLearner[UseMask=true|EpsilonMin=1|LearningRate=0.0001|RewardScale=0.05";
constexpr const char* A3C_WINDOW =
    "A3cLearner[UseMask=true|EpsilonMin=1|LearningRate=0.0001|RewardScale=0.05";

/// @return wall-clock seconds
double
WallSeconds()
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

/// Decisions per second of trainings, without the first quarter of each.
class Rates
{
  public:
    /**
     * @param state receives the rates
     * @param learner ready to train
     * @param decisions of the training
     */
    void Measure(benchmark::State& state, Learner& learner, uint64_t decisions)
    {
        learner.SetAttribute("ProgressSeconds", DoubleValue(0));
        learner.AssignStreams(1);
        double wallBegin = 0;
        double cpuBegin = 0;
        uint64_t begin = 0;
        learner.SetProgress(
            [&](const TrainingProgress& progress)
            {
                if (begin == 0 && progress.decisions >= decisions / 4)
                {
                    begin = progress.decisions;
                    wallBegin = WallSeconds();
                    cpuBegin = CpuSeconds();
                }
            });
        learner.Train(decisions);
        const double seconds = WallSeconds() - wallBegin;
        const auto done = static_cast<double>(learner.GetDecisions() - begin);
        m_wall.push_back(done / seconds);
        m_cpu.push_back(done / (CpuSeconds() - cpuBegin));
        state.SetIterationTime(seconds);
    }

    /// @param state receives the rates
    void Report(benchmark::State& state) const
    {
        state.counters["decisions/s_wall"] = Median(m_wall);
        state.counters["decisions/s_CPU"] = Median(m_cpu);
    }

  private:
    std::vector<double> m_wall; //!< training decisions per second of elapsed time, by training
    std::vector<double> m_cpu;  //!< training decisions per second of processor time, by training
};

/// A data centre of the paper.
struct Size
{
    uint32_t racks;   //!< racks
    uint32_t servers; //!< servers of a rack
    double load;      //!< mean duration of a job
};

constexpr Size SMALL{RACKS, 32, 66};
constexpr Size LARGE{64, 128, 1320};

/// @param size racks, servers, load  @return an empty data centre
Ptr<OdcnScheduling>
MakeProblem(const Size& size = SMALL)
{
    OdcnHelper helper;
    helper.SetNetworkAttribute("Racks", UintegerValue(size.racks));
    helper.SetComputeAttribute("ServersPerRack", UintegerValue(size.servers));
    auto problem = helper.CreateProblem(kit::Jobs(size.load));
    problem->Reset();
    return problem;
}

/// The environment alone: observe, mask, act. A rule fills it first; the fullest rack is taken.
void
Step(benchmark::State& state)
{
    auto problem = MakeProblem();
    problem->AssignStreams(1);
    problem->Reset();
    const auto rule = DecisionPolicy::Create("ns3::odcn::OdcnPackingPolicy");
    for (int i = 0; i < 330; ++i)
    {
        problem->RunJob(*rule);
    }
    std::vector<float> seen(problem->GetObservationSize());
    std::vector<uint8_t> mask(problem->GetNActions());
    std::vector<float> rewards;
    uint64_t steps = 0;
    for (auto _ : state)
    {
        for (int i = 0; i < 1000; ++i)
        {
            problem->Observe(seen.data());
            problem->Mask(mask.data());
            // The fullest rack that can take the VM, which a trained agent usually chooses.
            uint32_t best = 0;
            for (uint32_t rack = 0; rack < RACKS; ++rack)
            {
                if (mask[rack] && (!mask[best] || seen[rack] < seen[best]))
                {
                    best = rack;
                }
            }
            problem->Act(best);
        }
        problem->TakeRewards(rewards);
        rewards.clear();
        steps += 1000;
    }
    state.counters["step_us"] =
        benchmark::Counter(1e-6 * static_cast<double>(steps),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/**
 * One decision of an agent in a data centre that a rule has filled.
 * @param state of the benchmark
 * @param network description, e.g. "Mlp[units=128]"
 * @param fast whether LibTorch is avoided
 */
void
Decide(benchmark::State& state, const std::string& network, bool fast)
{
    auto problem = MakeProblem();
    problem->AssignStreams(1);
    problem->Reset();
    const auto rule = DecisionPolicy::Create("ns3::odcn::OdcnPackingPolicy");
    for (int i = 0; i < 330; ++i)
    {
        problem->RunJob(*rule);
    }
    auto policy = CreateObject<AgentPolicy>();
    policy->SetAttribute("FastPath", BooleanValue(fast));
    policy->SetNetwork(PolicyNetwork::Create(network, ProblemShape(*problem), 1));
    for (auto _ : state)
    {
        problem->RunJob(*policy);
    }
    const auto passes = policy->GetForwardPasses();
    state.counters["decision_us"] =
        benchmark::Counter(1e-6 * static_cast<double>(passes.torch + passes.fast),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/**
 * Forward, a loss, backward and a step of Adam on one thread.
 * @param state its argument is the number of samples
 * @param network description
 * @param observation dimensions
 * @param actions number of actions
 */
void
Update(benchmark::State& state,
       const std::string& network,
       const std::vector<int64_t>& observation,
       int64_t actions)
{
    ProblemShape shape;
    shape.observation = observation;
    shape.actions = actions;
    const auto module = PolicyNetwork::Create(network, shape, 1);
    torch::optim::Adam adam(module->parameters(), torch::optim::AdamOptions(1e-4));
    std::vector<int64_t> sizes{state.range(0)};
    sizes.insert(sizes.end(), observation.begin(), observation.end());
    for (auto _ : state)
    {
        state.PauseTiming();
        const auto input = torch::rand(sizes);
        state.ResumeTiming();
        adam.zero_grad();
        const auto output = module->forward(input);
        (output.logits.square().mean() + output.values.square().mean()).backward();
        adam.step();
    }
    state.counters["sample_us"] =
        benchmark::Counter(1e-6 * static_cast<double>(state.iterations() * state.range(0)),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/**
 * A complete training: problems, network, losses and updates; no cloning, no evaluation. The first
 * quarter, in which the data centres fill, is not counted.
 * @param state its argument is the number of threads
 * @param size of the data centres
 * @param decisions of the training
 * @param words description of the learner, without the closing bracket
 * @param network description
 * @param problems number of problems
 * @param samples samples of each problem in an update
 */
void
Train(benchmark::State& state,
      const Size& size,
      uint64_t decisions,
      const std::string& words,
      const std::string& network,
      uint32_t problems,
      uint32_t samples)
{
    Rates rates;
    for (auto _ : state)
    {
        auto learner = Learner::Create(
            words + "|EvaluationDecisions=0|Threads=" + std::to_string(state.range(0)) +
            "|UpdateSamples=" + std::to_string(samples) + "]");
        std::vector<Ptr<DecisionProblem>> all;
        for (uint32_t i = 0; i < problems; ++i)
        {
            all.push_back(MakeProblem(size));
        }
        learner->SetNetwork(network);
        learner->SetProblems(all);
        rates.Measure(state, *learner, decisions);
    }
    rates.Report(state);
}

/**
 * A training of an agent of clusters, the first quarter not counted.
 * @param state its argument is the number of threads
 * @param words description of the learner
 * @param problems number of problems
 * @param network description
 */
void
TrainClusters(benchmark::State& state,
              const std::string& words,
              uint32_t problems,
              const std::string& network)
{
    Rates rates;
    for (auto _ : state)
    {
        ClusterHelper helper;
        std::vector<Ptr<DecisionProblem>> all;
        for (uint32_t i = 0; i < problems; ++i)
        {
            all.push_back(helper.CreateProblem(helper.CreateJobs()));
        }
        auto learner = Learner::Create(words);
        learner->SetAttribute("Threads", UintegerValue(state.range(0)));
        learner->SetNetwork(network);
        learner->SetProblems(all);
        rates.Measure(state, *learner, 20000);
    }
    rates.Report(state);
}

/**
 * NARA's network by PPO on 64 servers, the first quarter not counted.
 * @param state its argument is the number of threads
 */
void
TrainGraph(benchmark::State& state)
{
    Rates rates;
    for (auto _ : state)
    {
        RddcHelper helper;
        std::vector<Ptr<DecisionProblem>> all;
        for (uint32_t i = 0; i < 32; ++i)
        {
            all.push_back(helper.CreateProblem());
            all.back()->Reset();
        }
        auto learner = Learner::Create("PpoLearner[EvaluationDecisions=0]");
        learner->SetAttribute("Threads", UintegerValue(state.range(0)));
        learner->SetNetwork("GraphSage");
        learner->SetProblems(all);
        rates.Measure(state, *learner, 40000);
    }
    rates.Report(state);
}

} // namespace

BENCHMARK_CAPTURE(Decide, mlp_fast, "Mlp", true);
BENCHMARK_CAPTURE(Decide, mlp_torch, "Mlp", false);
BENCHMARK_CAPTURE(Decide, scorer_fast, "Scorer", true);
BENCHMARK_CAPTURE(Decide, scorer_torch, "Scorer", false);
BENCHMARK_CAPTURE(Decide, attention, "Attention", false);
BENCHMARK_CAPTURE(Update, mlp, "Mlp", {2 * RACKS}, RACKS)->Arg(64)->Arg(256);
BENCHMARK_CAPTURE(Update, scorer, "Scorer", {2 * RACKS}, RACKS)->Arg(64)->Arg(256);
BENCHMARK_CAPTURE(Update, attention, "Attention", {2, RACKS}, RACKS)->Arg(64)->Arg(256);
BENCHMARK_CAPTURE(Update, deeprm_plus, DEEPRM_PLUS, {1, 20, 224}, 11)->Arg(64);
BENCHMARK_CAPTURE(Update, a2cscheduler, A2CSCHEDULER, {1, 20, 224}, 11)->Arg(64);
BENCHMARK(Step);
BENCHMARK_CAPTURE(Train, mlp, SMALL, 400000, A2C_WINDOW, "Mlp", 32, 50)
    ->Arg(1)
    ->Arg(2)
    ->Iterations(3)
    ->UseManualTime();
BENCHMARK_CAPTURE(Train, scorer, SMALL, 400000, A2C_WINDOW, "Scorer", 32, 25)
    ->Arg(1)
    ->Arg(2)
    ->Iterations(3)
    ->UseManualTime();
BENCHMARK_CAPTURE(Train, paper, SMALL, 100000, A2C_WINDOW, "Mlp", 1, 50)
    ->Arg(1)
    ->Iterations(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(Train, a3c, SMALL, 200000, A3C_WINDOW, "Mlp", 16, 50)
    ->Arg(1)
    ->Arg(2)
    ->Iterations(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(Train, mlp64, LARGE, 200000, A2C_WINDOW, "Mlp", 8, 50)
    ->Arg(2)
    ->Iterations(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(Train, scorer64, LARGE, 200000, A2C_WINDOW, "Scorer", 8, 25)
    ->Arg(2)
    ->Iterations(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(TrainClusters, deeprm, REINFORCE, 10, DEEPRM)
    ->Arg(2)
    ->Iterations(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(TrainClusters, deeprm_plus, REINFORCE, 10, DEEPRM_PLUS)
    ->Arg(1)
    ->Arg(2)
    ->Iterations(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(TrainClusters, a2cscheduler, A2C, 32, A2CSCHEDULER)
    ->Arg(2)
    ->Iterations(1)
    ->UseManualTime();
BENCHMARK(TrainGraph)->Arg(1)->Arg(2)->Iterations(1)->UseManualTime();
BENCHMARK_MAIN();
