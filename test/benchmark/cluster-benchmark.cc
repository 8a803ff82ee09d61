// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Speed of scheduling, observing and reading jobs in cluster scheduling. A step is a decision and
 * its consequences, ends of episodes and new sets of jobs included. Argument: job slots.
 */

#include "odcn-benchmark-kit.h"

#include "ns3/cluster-helper.h"
#include "ns3/odcn-policy-registry.h"

using namespace ns3;
using namespace ns3::odcn;

namespace
{

/// @param slots M  @return a cluster at load 129 %, at its first set of jobs
Ptr<ClusterScheduling>
MakeCluster(uint64_t slots)
{
    ClusterHelper helper;
    helper.SetProblemAttribute("JobSlots", UintegerValue(slots));
    auto problem = helper.CreateProblem(helper.CreateJobs());
    problem->AssignStreams(1);
    problem->Reset();
    return problem;
}

void
ClusterSteps(benchmark::State& state, const std::string& name, bool observe)
{
    auto problem = MakeCluster(static_cast<uint64_t>(state.range(0)));
    auto policy = PolicyRegistry::Find(*problem, name).Create();
    policy->AssignStreams(100);
    std::vector<float> image(problem->GetObservationSize());
    std::vector<float> rewards;
    for (auto _ : state)
    {
        if (observe)
        {
            problem->Observe(image.data());
            benchmark::DoNotOptimize(image.data());
        }
        problem->Act(policy->Decide(*problem));
        rewards.clear();
        problem->TakeRewards(rewards);
        if (problem->IsDone())
        {
            problem->Reset();
        }
    }
    kit::ReportRate(state, "steps/s", state.iterations());
}

BENCHMARK_CAPTURE(ClusterSteps, random, "random", false)->Arg(5)->Arg(10);
BENCHMARK_CAPTURE(ClusterSteps, sjf, "sjf", false)->Arg(5)->Arg(10)->Arg(40);
BENCHMARK_CAPTURE(ClusterSteps, tetris, "tetris", false)->Arg(10);
BENCHMARK_CAPTURE(ClusterSteps, easy, "easy", false)->Arg(10);
BENCHMARK_CAPTURE(ClusterSteps, sjf_with_image, "sjf", true)->Arg(5)->Arg(10)->Arg(40);

} // namespace
