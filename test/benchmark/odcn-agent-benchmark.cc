// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Speed of agents: single decisions, updates of each network, the
 * problem alone, and complete trainings. Times are CPU time unless a name contains "wall".
 */

#include "odcn-benchmark-kit.h"

#include "ns3/cluster-helper.h"
#include "ns3/cluster-job-generator.h"
#include "ns3/odcn-agent-policy.h"
#include "ns3/odcn-learner.h"
#include "ns3/odcn-policy-network.h"
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
constexpr const char* REINFORCE = "ReinforceLearner[UseMask=true|Sequences=1|EpisodeDecisions=400]";
constexpr const char* A2C = "A2cLearner[UseMask=true|Returns=Gae|UpdateSamples=40]";

/// @return wall-clock seconds
double
WallSeconds()
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

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
    auto problem = kit::Sized(size.racks, size.servers).CreateProblem(kit::Jobs(size.load));
    problem->Reset();
    return problem;
}

/// @return a data centre of the paper that a rule has filled
Ptr<OdcnScheduling>
MakeFilledProblem()
{
    auto problem = MakeProblem();
    problem->AssignStreams(1);
    problem->Reset();
    const auto rule = DecisionPolicy::Create("ns3::odcn::OdcnPackingPolicy");
    kit::Fill(*problem, 330, *rule);
    return problem;
}

/// The environment alone: observe, mask, act. A rule fills it first; the fullest rack is taken.
void
Step(benchmark::State& state)
{
    auto problem = MakeFilledProblem();
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
    kit::ReportMicroseconds(state, "step_us", steps);
}

/**
 * One decision of an agent in a data centre that a rule has filled.
 * @param state of the benchmark
 * @param network description, e.g. "Mlp[units=128]"
 */
void
Decide(benchmark::State& state, const std::string& network)
{
    auto problem = MakeFilledProblem();
    auto policy = CreateObject<AgentPolicy>();
    policy->SetNetwork(PolicyNetwork::Create(network, ProblemShape(*problem), 1));
    for (auto _ : state)
    {
        problem->RunJob(*policy);
    }
    kit::ReportMicroseconds(state, "decision_us", policy->GetNDecisions());
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
    kit::ReportMicroseconds(state, "sample_us", state.iterations() * state.range(0));
}

/**
 * Complete trainings: problems, network, losses and updates; no cloning, no evaluation. Reports
 * decisions per second without the first quarter of each, in which the data centres fill.
 * @param state its argument is the number of threads
 * @param words description of the learner
 * @param network description
 * @param problems number of problems
 * @param make a problem
 * @param decisions of the training
 */
void
Train(benchmark::State& state,
      const std::string& words,
      const std::string& network,
      uint32_t problems,
      const std::function<Ptr<DecisionProblem>()>& make,
      uint64_t decisions)
{
    std::vector<double> wall; // decisions per second of elapsed time, by training
    std::vector<double> cpu;  // of processor time
    for (auto _ : state)
    {
        auto learner = Learner::Create(words);
        Configure(learner,
                  "ProgressSeconds=0|EvaluationDecisions=0|Threads=" +
                      std::to_string(state.range(0)));
        learner->SetNetwork(network);
        learner->SetProblems(
            ListOf<Ptr<DecisionProblem>>(problems, [&](uint32_t) { return make(); }));
        learner->AssignStreams(1);
        double wallBegin = 0;
        double cpuBegin = 0;
        uint64_t begin = 0;
        learner->SetProgress(
            [&](const TrainingProgress& progress)
            {
                if (begin == 0 && progress.decisions >= decisions / 4)
                {
                    begin = progress.decisions;
                    wallBegin = WallSeconds();
                    cpuBegin = CpuSeconds();
                }
            });
        learner->Train(decisions);
        const double seconds = WallSeconds() - wallBegin;
        const auto done = static_cast<double>(learner->GetDecisions() - begin);
        wall.push_back(done / seconds);
        cpu.push_back(done / (CpuSeconds() - cpuBegin));
        state.SetIterationTime(seconds);
    }
    state.counters["decisions/s_wall"] = Median(wall);
    state.counters["decisions/s_CPU"] = Median(cpu);
}

/// @return a cluster
Ptr<DecisionProblem>
MakeClusterProblem()
{
    static ClusterHelper helper;
    return helper.CreateProblem(helper.CreateJobs());
}

/// @return 64 servers of NARA's data centre
Ptr<DecisionProblem>
MakeRddcProblem()
{
    static RddcHelper helper;
    auto problem = helper.CreateProblem();
    problem->Reset();
    return problem;
}

/// The trainings whose speed is quoted.
const bool REGISTERED = []
{
    const std::string window = "UseMask=true|EpsilonMin=1|LearningRate=0.0001|RewardScale=0.05";
    const std::string wide = "[" + window + "|UpdateSamples=50]";
    const std::string narrow = "A2cLearner[" + window + "|UpdateSamples=25]";
    const auto small = [] { return MakeProblem(); };
    const auto large = [] { return MakeProblem(LARGE); };
    const auto add = [](const std::string& name, const auto&... arguments)
    {
        return benchmark::RegisterBenchmark(("Train" + name).c_str(),
                                            [=](benchmark::State& state)
                                            { Train(state, arguments...); })
            ->UseManualTime();
    };
    const auto once = kit::Once<1, 2>;
    const auto two = kit::Once<2>;
    add("/mlp", "A2cLearner" + wide, "Mlp", 32, small, 400000)->Apply(once)->Iterations(3);
    add("/scorer", narrow, "Scorer", 32, small, 400000)->Apply(once)->Iterations(3);
    add("/paper", "A2cLearner" + wide, "Mlp", 1, small, 100000)->Apply(kit::Once<1>);
    add("/a3c", "A3cLearner" + wide, "Mlp", 16, small, 200000)->Apply(once);
    add("/mlp64", "A2cLearner" + wide, "Mlp", 8, large, 200000)->Apply(two);
    add("/scorer64", narrow, "Scorer", 8, large, 200000)->Apply(two);
    const auto cluster = MakeClusterProblem;
    add("Clusters/deeprm", REINFORCE, DEEPRM, 10, cluster, 20000)->Apply(two);
    add("Clusters/deeprm_plus", REINFORCE, DEEPRM_PLUS, 10, cluster, 20000)->Apply(once);
    add("Clusters/a2cscheduler", A2C, A2CSCHEDULER, 32, cluster, 20000)->Apply(two);
    add("Graph", "PpoLearner", "GraphSage", 32, &MakeRddcProblem, 40000)->Apply(once);
    return true;
}();

} // namespace

BENCHMARK_CAPTURE(Decide, mlp, "Mlp");
BENCHMARK_CAPTURE(Decide, scorer, "Scorer");
BENCHMARK_CAPTURE(Decide, attention, "Attention");
BENCHMARK_CAPTURE(Update, mlp, "Mlp", {2 * RACKS}, RACKS)->Arg(64)->Arg(256);
BENCHMARK_CAPTURE(Update, scorer, "Scorer", {2 * RACKS}, RACKS)->Arg(64)->Arg(256);
BENCHMARK_CAPTURE(Update, attention, "Attention", {2, RACKS}, RACKS)->Arg(64)->Arg(256);
BENCHMARK_CAPTURE(Update, deeprm_plus, DEEPRM_PLUS, {1, 20, 224}, 11)->Arg(64);
BENCHMARK_CAPTURE(Update, a2cscheduler, A2CSCHEDULER, {1, 20, 224}, 11)->Arg(64);
BENCHMARK(Step);
BENCHMARK_MAIN();
