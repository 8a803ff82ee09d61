// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Speed of choosing and observing servers in the disaggregated data centre, in its steady state.
 * Arguments: clusters (and racks of a cluster), 2 for 64 servers, 8 for 1,024.
 */

#include "odcn-benchmark-kit.h"

#include "ns3/odcn-policy-registry.h"
#include "ns3/rddc-helper.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/**
 * @param clusters and racks of a cluster
 * @param mask of the problem
 * @param choice policy up to the steady state
 * @return the data centre
 */
Ptr<RddcAllocation>
Busy(uint32_t clusters, const std::string& mask, const PolicyChoice& choice)
{
    RddcHelper helper;
    helper.SetTopologyAttribute("Clusters", UintegerValue(clusters));
    helper.SetTopologyAttribute("RacksPerCluster", UintegerValue(clusters));
    helper.SetProblemAttribute("Mask", StringValue(mask));
    auto problem = helper.CreateProblem();
    auto policy = choice.Create();
    choice.Configure(*problem, *policy);
    problem->AssignStreams(1);
    problem->Reset();
    policy->AssignStreams(100);
    for (uint32_t i = 0; i < 4 * helper.GetLongestHolding(); ++i)
    {
        problem->RunRequest(*policy);
    }
    return problem;
}

void
RddcChoices(benchmark::State& state, const std::string& name, const std::string& mask)
{
    const auto choice = PolicyRegistry::Find("ns3::odcn::RddcAllocation", name);
    auto problem = Busy(static_cast<uint32_t>(state.range(0)), mask, choice);
    auto policy = choice.Create();
    policy->AssignStreams(100);
    std::vector<float> rewards;
    for (auto _ : state)
    {
        problem->Act(policy->Decide(*problem));
        rewards.clear();
        problem->TakeRewards(rewards);
    }
    kit::ReportRate(state, "choices/s", state.iterations());
}

void
RddcObserve(benchmark::State& state)
{
    auto problem = Busy(static_cast<uint32_t>(state.range(0)),
                        "Useful",
                        PolicyRegistry::Find("ns3::odcn::RddcAllocation", "tetris"));
    std::vector<float> observation(problem->GetObservationSize());
    for (auto _ : state)
    {
        problem->Observe(observation.data());
        benchmark::DoNotOptimize(observation.data());
    }
}

void
RddcBuild(benchmark::State& state)
{
    for (auto _ : state)
    {
        RddcHelper helper;
        helper.SetTopologyAttribute("Clusters", UintegerValue(state.range(0)));
        helper.SetTopologyAttribute("RacksPerCluster", UintegerValue(state.range(0)));
        benchmark::DoNotOptimize(helper.GetNetwork());
    }
}

BENCHMARK_CAPTURE(RddcChoices, random, "random", "Useful")->Arg(2)->Arg(8);
BENCHMARK_CAPTURE(RddcChoices, tetris, "tetris", "Useful")->Arg(2)->Arg(8);
BENCHMARK_CAPTURE(RddcChoices, nulb, "nulb", "Useful")->Arg(2)->Arg(8);
BENCHMARK_CAPTURE(RddcChoices, nalb, "nalb", "Useful")->Arg(2)->Arg(8);
BENCHMARK_CAPTURE(RddcChoices, random_connected, "random", "Connected")->Arg(2)->Arg(8);
BENCHMARK_CAPTURE(RddcChoices, tetris_connected, "tetris", "Connected")->Arg(2)->Arg(8);
BENCHMARK_CAPTURE(RddcChoices, nalb_connected, "nalb", "Connected")->Arg(2)->Arg(8);
BENCHMARK(RddcObserve)->Arg(2)->Arg(8)->Unit(benchmark::kMicrosecond);
BENCHMARK(RddcBuild)->Arg(2)->Arg(8)->Unit(benchmark::kMillisecond);

} // namespace
