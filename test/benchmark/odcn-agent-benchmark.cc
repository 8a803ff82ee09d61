// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * How fast agents decide and learn: the networks beside LibTorch, the environment alone, and whole
 * trainings. What is compared takes turns within each round, and ratios are medians over rounds;
 * times are CPU time unless a name says "wall".
 */

#include "odcn-torch-forms.h"

#include "ns3/boolean.h"
#include "ns3/cluster-helper.h"
#include "ns3/cluster-job-generator.h"
#include "ns3/double.h"
#include "ns3/odcn-a2c-learner.h"
#include "ns3/odcn-a3c-learner.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-generator.h"
#include "ns3/odcn-network.h"
#include "ns3/odcn-object-text.h"
#include "ns3/odcn-packing-policy.h"
#include "ns3/odcn-returns.h"
#include "ns3/odcn-scheduling.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <ctime>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::odcn;

namespace
{

constexpr uint32_t RACKS = 16;
constexpr int ROUNDS = 21;
/// Each contender of a round works so long, in seconds.
constexpr double TURN = 4e-3;
/// The agents that schedule clusters.
constexpr const char* DEEPRM = "Layers=|Hidden=20|HiddenActivation=Relu|Value=None";
constexpr const char* DEEPRM_PLUS = "Value=None|FilterBias=0";
constexpr const char* A2CSCHEDULER = "Layers=Conv3-16|Hidden=|FilterBias=0";
constexpr const char* REINFORCE =
    "OdcnReinforceLearner[UseMask=true|Sequences=1|EpisodeDecisions=400]";
constexpr const char* A2C = "OdcnA2cLearner[UseMask=true|Returns=Gae|UpdateSamples=40]";

/// @return CPU seconds of this process
double
CpuSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// @return wall-clock seconds
double
WallSeconds()
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

/// @param values some  @return their median
double
Median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Contenders that take turns.
class Race
{
  public:
    /// @param name of a contender  @param body what it does
    template <typename F>
    void Run(const std::string& name, F body)
    {
        auto& repeats = m_repeats[name];
        if (repeats == 0)
        {
            body();
            const double start = CpuSeconds();
            body();
            repeats = 1 + static_cast<int>(TURN / std::max(CpuSeconds() - start, 1e-6));
        }
        const double start = CpuSeconds();
        for (int i = 0; i < repeats; ++i)
        {
            body();
        }
        m_seconds[name].push_back((CpuSeconds() - start) / repeats);
    }

    /**
     * Tell the times in microseconds, and how many times as long the others take as the first.
     * @param first name of the contender that the others are compared with
     * @param state where to
     */
    void Report(const std::string& first, benchmark::State& state) const
    {
        const auto& base = m_seconds.at(first);
        for (const auto& [name, seconds] : m_seconds)
        {
            state.counters[name + "_us"] = 1e6 * Median(seconds);
            std::vector<double> ratios;
            for (std::size_t i = 0; i < seconds.size(); ++i)
            {
                ratios.push_back(seconds[i] / base[i]);
            }
            if (name != first)
            {
                state.counters[name + "/" + first] = Median(ratios);
            }
        }
    }

  private:
    std::map<std::string, int> m_repeats;                 //!< calls of a turn
    std::map<std::string, std::vector<double>> m_seconds; //!< of a call, by round
};

/// A network and what LibTorch needs to know of it.
struct Subject
{
    Ptr<OdcnNetwork> network;                 //!< built for RACKS
    std::vector<std::vector<int64_t>> stacks; //!< sizes of the policy's layers, of the value's
    int64_t rows;                             //!< that the policy makes of an observation
};

/// @param name mlp or scorer  @return it
Subject
Make(const std::string& name)
{
    Subject subject;
    if (name == "mlp")
    {
        subject.network = OdcnNetwork::Create("ns3::odcn::OdcnMlpNetwork");
        subject.stacks = {{32, 128, 128, 128, 128, 128, 16}, {32, 128, 128, 128, 128, 128, 1}};
        subject.rows = 1;
    }
    else
    {
        subject.network = OdcnNetwork::Create("ns3::odcn::OdcnRackScorerNetwork");
        subject.stacks = {{16, 64, 64, 1}, {9, 64, 64, 1}};
        subject.rows = RACKS;
    }
    subject.network->Build({2 * RACKS}, RACKS);
    subject.network->Randomize(1);
    return subject;
}

/// @param n how many  @return numbers in (-1, 1)
std::vector<float>
Numbers(std::size_t n)
{
    std::mt19937_64 random(5);
    std::vector<float> out(n);
    for (float& x : out)
    {
        x = static_cast<float>(random() >> 11) * 0x1p-52F - 1.0F;
    }
    return out;
}

/**
 * Logits of a batch. odcn also makes the scorer's inputs; LibTorch gets them as they are.
 * @param state its argument is the number of observations
 * @param name of the network
 */
void
Forward(benchmark::State& state, const std::string& name)
{
    const Subject subject = Make(name);
    const auto n = static_cast<uint32_t>(state.range(0));
    const auto observations = Numbers(std::size_t(n) * 2 * RACKS);
    const auto rows = Numbers(n * subject.rows * subject.stacks[0][0]);
    TorchStack torch(subject.network->GetParameters().data(), subject.stacks[0]);
    std::vector<float> logits(std::size_t(n) * RACKS);
    OdcnNetwork::Scratch scratch;
    Race race;
    for (auto _ : state)
    {
        const double start = CpuSeconds();
        race.Run("odcn",
                 [&]
                 {
                     subject.network->Infer(observations.data(), n, logits.data(), scratch);
                     benchmark::DoNotOptimize(logits.data());
                 });
        const auto run = [&](TorchForm form) {
            return [&, form]
            { benchmark::DoNotOptimize(torch.Run(form, rows.data(), n * subject.rows)); };
        };
        SetTorchThreads(1);
        race.Run("eager", run(TorchForm::EAGER));
        race.Run("preallocated", run(TorchForm::PREALLOCATED));
        race.Run("script", run(TorchForm::SCRIPT));
        state.SetIterationTime(CpuSeconds() - start);
    }
    race.Report("odcn", state);
}

/// What an update of a learner learns from.
struct Samples
{
    explicit Samples(uint32_t n)
        : observations(Numbers(std::size_t(n) * 2 * RACKS)),
          advantages(Numbers(n)),
          logits(std::size_t(n) * RACKS),
          values(n),
          dLogits(logits.size()),
          dValues(n)
    {
    }

    /// The losses of Eqs. 4 and 5 from logits and values: their derivatives.
    void Differentiate()
    {
        std::vector<float> chances(RACKS);
        const double each = 1.0 / static_cast<double>(values.size());
        for (std::size_t i = 0; i < values.size(); ++i)
        {
            OdcnSoftmax({logits.data() + i * RACKS, RACKS}, {}, chances);
            OdcnPolicyLoss(chances,
                           i % RACKS,
                           advantages[i],
                           0.01,
                           each,
                           {dLogits.data() + i * RACKS, RACKS});
            dValues[i] = static_cast<float>(2 * each * (values[i] - advantages[i]));
        }
    }

    std::vector<float> observations;
    std::vector<float> advantages;
    std::vector<float> logits;
    std::vector<float> values;
    std::vector<float> dLogits;
    std::vector<float> dValues;
};

/**
 * One update: forward, losses, backward, Adam. odcn on one thread, LibTorch's autograd and Adam.
 * @param state its argument is the number of samples
 * @param name of the network
 */
void
Update(benchmark::State& state, const std::string& name)
{
    const Subject subject = Make(name);
    auto& network = *subject.network;
    const auto n = static_cast<uint32_t>(state.range(0));
    Samples s(n);
    OdcnAdam adam;
    adam.Reset(network.GetParameters().size());
    TorchAdam torchAdam(network.GetMutableParameters().data(),
                        network.GetGradient().data(),
                        subject.stacks);
    Race race;
    for (auto _ : state)
    {
        const double start = CpuSeconds();
        race.Run("odcn",
                 [&]
                 {
                     network.Forward(s.observations.data(), n, s.logits.data(), s.values.data());
                     s.Differentiate();
                     network.Backward(s.dLogits.data(), s.dValues.data());
                     adam.Step(network.GetMutableParameters().data(),
                               network.GetGradient().data(),
                               1e-4,
                               1.0);
                 });
        SetTorchThreads(1);
        race.Run("autograd",
                 [&]
                 {
                     network.OdcnNetwork::Forward(s.observations.data(),
                                                  n,
                                                  s.logits.data(),
                                                  s.values.data());
                     s.Differentiate();
                     network.OdcnNetwork::Backward(s.dLogits.data(), s.dValues.data());
                     torchAdam.Step();
                 });
        race.Run("losses", [&] { s.Differentiate(); });
        state.SetIterationTime(CpuSeconds() - start);
    }
    race.Report("odcn", state);
}

/**
 * A network of images of 20 x 224, all pixels at random, so that no columns are alike: logits of a
 * batch by odcn and by LibTorch, logits and gradient by LibTorch on one thread.
 * @param state its argument is the number of images
 * @param attributes of the network
 */
void
Images(benchmark::State& state, const std::string& attributes)
{
    const auto network = OdcnNetwork::Create("ns3::odcn::OdcnCnnNetwork[" + attributes + "]");
    network->Build({1, 20, 224}, 11);
    network->Randomize(1);
    const auto n = static_cast<uint32_t>(state.range(0));
    const auto images = Numbers(std::size_t(n) * network->GetObservationSize());
    std::vector<float> logits(std::size_t(n) * 11);
    std::vector<float> values(n);
    const auto dLogits = Numbers(logits.size());
    const auto dValues = Numbers(n);
    OdcnNetwork::Scratch scratch;
    Race race;
    for (auto _ : state)
    {
        const double start = CpuSeconds();
        race.Run("odcn", [&] { network->Infer(images.data(), n, logits.data(), scratch); });
        SetTorchThreads(1);
        race.Run("torch",
                 [&] {
                     network->OdcnNetwork::Evaluate(images.data(), n, logits.data(), values.data());
                 });
        race.Run("learn",
                 [&]
                 {
                     network->Forward(images.data(), n, logits.data(), values.data());
                     network->Backward(dLogits.data(), dValues.data());
                 });
        state.SetIterationTime(CpuSeconds() - start);
    }
    race.Report("odcn", state);
}

/// Decisions per second of trainings, without the first quarter of each.
class Rates
{
  public:
    /**
     * @param state is told the time
     * @param learner ready to train
     * @param decisions of the training
     */
    void Measure(benchmark::State& state, OdcnActorCriticLearner& learner, uint64_t decisions)
    {
        learner.SetAttribute("ProgressSeconds", DoubleValue(0));
        learner.AssignStreams(1);
        double wallBegin = 0;
        double cpuBegin = 0;
        uint64_t begin = 0;
        learner.SetProgress(
            [&](const OdcnTrainingProgress& progress)
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

    /// @param state where to
    void Report(benchmark::State& state) const
    {
        state.counters["decisions/s_wall"] = Median(m_wall);
        state.counters["decisions/s_CPU"] = Median(m_cpu);
    }

  private:
    std::vector<double> m_wall; //!< By the clock
    std::vector<double> m_cpu;  //!< Of processor time
};

/// A data centre of the paper.
struct Size
{
    uint32_t racks;   //!< racks
    uint32_t servers; //!< of a rack
    double load;      //!< mean duration of a job
};

constexpr Size SMALL{RACKS, 32, 66};
constexpr Size LARGE{64, 128, 1320};

/// @param size of it  @return a data centre, empty
Ptr<OdcnScheduling>
MakeProblem(const Size& size = SMALL)
{
    OdcnHelper helper;
    helper.SetNetworkAttribute("Racks", UintegerValue(size.racks));
    helper.SetComputeAttribute("ServersPerRack", UintegerValue(size.servers));
    auto jobs = CreateObject<OdcnJobGenerator>();
    jobs->SetAttribute(
        "Duration",
        StringValue("ns3::ExponentialRandomVariable[Mean=" + std::to_string(size.load) + "]"));
    return helper.CreateProblem(jobs, true);
}

/// The environment alone: observe, mask, act. A rule fills it first; the likeliest rack is taken.
void
Step(benchmark::State& state)
{
    auto problem = MakeProblem();
    problem->AssignStreams(1);
    problem->Reset();
    OdcnPackingPolicy rule;
    for (int i = 0; i < 330; ++i)
    {
        problem->RunJob(rule);
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
            // The fullest rack that can take it: what a trained agent mostly does.
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
 * A whole training: environments, network, losses and updates; no cloning, no evaluation. The first
 * quarter, in which the data centres fill, does not count.
 * @param state its argument is the number of threads
 * @param size of the data centres
 * @param decisions of the training
 * @param network TypeId
 * @param environments how many
 * @param samples of each in an update
 * @param alpha of Eq. 1; 0 leaves the latency out of the reward
 * @param asynchronous whether each environment is an actor of its own
 */
void
Train(benchmark::State& state,
      const Size& size,
      uint64_t decisions,
      const std::string& network,
      uint32_t environments,
      uint32_t samples,
      double alpha,
      bool asynchronous = false)
{
    Rates rates;
    for (auto _ : state)
    {
        Ptr<OdcnActorCriticLearner> learner = CreateObject<OdcnA2cLearner>();
        if (asynchronous)
        {
            learner = CreateObject<OdcnA3cLearner>();
        }
        learner->SetNetwork(OdcnNetwork::Create("ns3::odcn::" + network));
        std::vector<Ptr<OdcnDecisionProblem>> problems;
        for (uint32_t i = 0; i < environments; ++i)
        {
            problems.push_back(MakeProblem(size));
            problems.back()->SetAttribute("Alpha", DoubleValue(alpha));
        }
        learner->SetEnvironments(problems);
        learner->SetAttribute("UpdateSamples", UintegerValue(samples));
        learner->SetAttribute("UseMask", BooleanValue(true));
        learner->SetAttribute("EpsilonMin", DoubleValue(1));
        learner->SetAttribute("LearningRate", DoubleValue(1e-4));
        learner->SetAttribute("RewardScale", DoubleValue(0.05));
        learner->SetAttribute("Threads", UintegerValue(state.range(0)));
        rates.Measure(state, *learner, decisions);
    }
    rates.Report(state);
}

/// @param n how many  @return clusters of DeepRM_Plus, each with jobs of its own
std::vector<Ptr<OdcnDecisionProblem>>
MakeClusters(uint32_t n)
{
    ClusterHelper helper;
    std::vector<Ptr<OdcnDecisionProblem>> problems;
    for (uint32_t i = 0; i < n; ++i)
    {
        auto problem = helper.CreateProblem(helper.CreateJobs());
        problem->AssignStreams(100 * i);
        problem->Reset();
        problems.push_back(problem);
    }
    return problems;
}

/**
 * Clusters side by side: a network is asked for each decision, while SJF is followed, so that they
 * look as they would with a good network.
 * @param state its argument is the number of clusters
 * @param attributes of the network
 */
void
Clusters(benchmark::State& state, const std::string& attributes)
{
    const auto n = static_cast<uint32_t>(state.range(0));
    const auto problems = MakeClusters(n);
    const auto network = OdcnNetwork::Create("ns3::odcn::OdcnCnnNetwork[" + attributes + "]");
    network->Build(*problems.front());
    network->Randomize(1);
    const auto sjf = ClusterHelper::CreatePolicy("sjf");
    const std::size_t size = network->GetObservationSize();
    std::vector<float> images(n * size);
    std::vector<float> logits(n * network->GetNActions());
    OdcnNetwork::Scratch scratch;
    uint64_t decisions = 0;
    double seconds = 0;
    for (auto _ : state)
    {
        const double start = CpuSeconds();
        for (int i = 0; i < 1000; ++i, decisions += n)
        {
            for (uint32_t k = 0; k < n; ++k)
            {
                problems[k]->Observe(images.data() + k * size);
            }
            network->Infer(images.data(), n, logits.data(), scratch);
            for (const auto& problem : problems)
            {
                problem->Act(sjf->Decide(*problem));
                if (problem->IsDone())
                {
                    problem->Reset();
                }
            }
        }
        seconds += CpuSeconds() - start;
        state.SetIterationTime(CpuSeconds() - start);
    }
    state.counters["decisions/s_CPU"] = static_cast<double>(decisions) / seconds;
}

/**
 * A training of an agent of clusters without its evaluations, the first quarter not counted.
 * @param state its argument is the number of threads
 * @param learner TypeId with Attributes
 * @param environments how many
 * @param attributes of the network
 */
void
TrainClusters(benchmark::State& state,
              const std::string& learner,
              uint32_t environments,
              const std::string& attributes)
{
    Rates rates;
    for (auto _ : state)
    {
        auto ours = DynamicCast<OdcnActorCriticLearner>(
            OdcnObjectText::Parse("learner", "ns3::odcn::" + learner)
                .Create("learner", OdcnActorCriticLearner::GetTypeId()));
        ours->SetNetwork(OdcnNetwork::Create("ns3::odcn::OdcnCnnNetwork[" + attributes + "]"));
        ours->SetEnvironments(MakeClusters(environments));
        ours->SetAttribute("Threads", UintegerValue(state.range(0)));
        rates.Measure(state, *ours, 20000);
    }
    rates.Report(state);
}

} // namespace

BENCHMARK_CAPTURE(Forward, mlp, "mlp")
    ->Arg(1)
    ->Arg(16)
    ->Arg(64)
    ->Arg(256)
    ->Iterations(ROUNDS)
    ->UseManualTime();
BENCHMARK_CAPTURE(Forward, scorer, "scorer")
    ->Arg(1)
    ->Arg(16)
    ->Arg(64)
    ->Arg(256)
    ->Iterations(ROUNDS)
    ->UseManualTime();
BENCHMARK_CAPTURE(Update, mlp, "mlp")
    ->Arg(50)
    ->Arg(400)
    ->Arg(1600)
    ->Iterations(ROUNDS)
    ->UseManualTime();
BENCHMARK_CAPTURE(Update, scorer, "scorer")
    ->Arg(50)
    ->Arg(400)
    ->Arg(800)
    ->Iterations(ROUNDS)
    ->UseManualTime();
BENCHMARK_CAPTURE(Images, deeprm_plus, "Value=None")
    ->Arg(8)
    ->Arg(64)
    ->Iterations(ROUNDS)
    ->UseManualTime();
BENCHMARK_CAPTURE(Images, a2cscheduler, "Layers=Conv3-16|Hidden=")
    ->Arg(8)
    ->Arg(64)
    ->Iterations(ROUNDS)
    ->UseManualTime();
BENCHMARK_CAPTURE(Clusters, deeprm, DEEPRM)->Arg(10)->Iterations(5)->UseManualTime();
BENCHMARK_CAPTURE(Clusters, deeprm_plus, DEEPRM_PLUS)->Arg(10)->Iterations(5)->UseManualTime();
BENCHMARK_CAPTURE(Clusters, a2cscheduler, A2CSCHEDULER)->Arg(10)->Iterations(5)->UseManualTime();
BENCHMARK_CAPTURE(TrainClusters, deeprm, REINFORCE, 10, DEEPRM)
    ->Arg(1)
    ->Arg(2)
    ->Iterations(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(TrainClusters, deeprm_plus, REINFORCE, 10, DEEPRM_PLUS)
    ->Arg(1)
    ->Arg(2)
    ->Iterations(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(TrainClusters, a2cscheduler, A2C, 32, A2CSCHEDULER)
    ->Arg(1)
    ->Arg(2)
    ->Iterations(1)
    ->UseManualTime();
BENCHMARK(Step);
BENCHMARK_CAPTURE(Train, scorer, SMALL, 400000, "OdcnRackScorerNetwork", 32, 25, 100)
    ->Arg(1)
    ->Arg(2)
    ->Iterations(3)
    ->UseManualTime();
BENCHMARK_CAPTURE(Train, mlp, SMALL, 400000, "OdcnMlpNetwork", 32, 50, 100)
    ->Arg(1)
    ->Arg(2)
    ->Iterations(3)
    ->UseManualTime();
BENCHMARK_CAPTURE(Train, paper, SMALL, 400000, "OdcnMlpNetwork", 1, 50, 100)
    ->Arg(1)
    ->Arg(2)
    ->Iterations(3)
    ->UseManualTime();
BENCHMARK_CAPTURE(Train, a3c, SMALL, 400000, "OdcnMlpNetwork", 16, 50, 100, true)
    ->Arg(1)
    ->Arg(2)
    ->Arg(16)
    ->Iterations(3)
    ->UseManualTime();
BENCHMARK_CAPTURE(Train, scorer64, LARGE, 800000, "OdcnRackScorerNetwork", 8, 25, 100)
    ->Arg(2)
    ->Iterations(1)
    ->UseManualTime();
BENCHMARK_CAPTURE(Train, mlp64, LARGE, 800000, "OdcnMlpNetwork", 8, 50, 100)
    ->Arg(2)
    ->Iterations(1)
    ->UseManualTime();
BENCHMARK_MAIN();
