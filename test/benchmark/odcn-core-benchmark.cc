// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Speed of generating, observing and placing jobs, without packets. Every benchmark starts from a
 * centre in its steady state.
 */

#include "odcn-benchmark-kit.h"

using namespace ns3;
using namespace ns3::odcn;
using kit::Jobs;

namespace
{

/// @param name of a rule, without prefix and suffix  @return the rule
Ptr<DecisionPolicy>
Rule(const std::string& name)
{
    return DecisionPolicy::Create("ns3::odcn::Odcn" + name + "Policy");
}

/**
 * @param racks 16, 32 or 64, with the servers and the load of the ODCN paper for that size
 * @param reconfigurable whether the network may reconfigure
 * @param alpha of Eq. 1; 0 omits the latency
 * @param policy fills the data centre up to the steady state
 * @return the data centre
 */
Ptr<OdcnScheduling>
Busy(uint32_t racks, bool reconfigurable, double alpha, DecisionPolicy& policy)
{
    const double load = racks == 16 ? 66 : racks == 32 ? 300 : 1320;
    OdcnHelper helper = kit::Sized(racks, 2 * racks);
    helper.SetNetworkAttribute("Reconfigurable", BooleanValue(reconfigurable));
    helper.SetProblemAttribute("Alpha", DoubleValue(alpha));
    auto problem = helper.CreateProblem(Jobs(load));
    problem->Reset();
    kit::Fill(*problem, 5 * load, policy);
    return problem;
}

void
Generate(benchmark::State& state)
{
    auto jobs = Jobs(66);
    OdcnJob job;
    for (auto _ : state)
    {
        jobs->Next(job);
        benchmark::DoNotOptimize(job);
    }
    kit::ReportRate(state, "jobs/s", state.iterations());
}

/// @param rule name of the rule  @param reconfigurable whether the network may reconfigure
/// @param alpha of Eq. 1
void
Schedule(benchmark::State& state, const std::string& rule, bool reconfigurable, double alpha)
{
    auto policy = Rule(rule);
    auto problem = Busy(static_cast<uint32_t>(state.range(0)), reconfigurable, alpha, *policy);
    std::vector<float> rewards;
    uint64_t decisions = 0;
    // An iteration is a job: timing single decisions would cost more than the decisions.
    for (auto _ : state)
    {
        for (const uint64_t n = problem->GetNJobs(); problem->GetNJobs() == n; ++decisions)
        {
            problem->Act(policy->Decide(*problem));
        }
        problem->TakeRewards(rewards);
        benchmark::DoNotOptimize(rewards.data());
        rewards.clear();
    }
    kit::ReportRate(state, "VM/s", decisions);
}

/// @param computeState form of the observation
void
Observe(benchmark::State& state, const std::string& computeState)
{
    auto policy = Rule("Ccf");
    auto problem = Busy(static_cast<uint32_t>(state.range(0)), true, 0, *policy);
    problem->SetAttribute("ComputeState", StringValue(computeState));
    std::vector<float> seen(problem->GetObservationSize());
    for (auto _ : state)
    {
        state.PauseTiming();
        problem->Act(policy->Decide(*problem));
        state.ResumeTiming();
        problem->Observe(seen.data());
        benchmark::DoNotOptimize(seen.data());
    }
}

/// @param problem at a decision
void
Mask(benchmark::State& state)
{
    auto policy = Rule("Ccf");
    auto problem = Busy(static_cast<uint32_t>(state.range(0)), true, 0, *policy);
    problem->Act(policy->Decide(*problem));
    std::vector<uint8_t> mask(problem->GetNActions());
    for (auto _ : state)
    {
        problem->Mask(mask.data());
        benchmark::DoNotOptimize(mask.data());
    }
}

} // namespace

BENCHMARK(Generate);
BENCHMARK_CAPTURE(Schedule, all2all_ccf, "Ccf", false, 0)->Arg(16)->Arg(64);
BENCHMARK_CAPTURE(Schedule, odcn_ccf, "Ccf", true, 0)->Arg(16)->Arg(64);
BENCHMARK_CAPTURE(Schedule, odcn_jcb, "Jcb", true, 0)->Arg(16)->Arg(64);
BENCHMARK_CAPTURE(Schedule, best_fit, "BestFit", true, 0)->Arg(16)->Arg(64);
BENCHMARK_CAPTURE(Schedule, packing, "Packing", true, 0)->Arg(16)->Arg(64);
BENCHMARK_CAPTURE(Schedule, odcn_ccf_with_latency, "Ccf", true, 100)->Arg(16)->Arg(64);
BENCHMARK_CAPTURE(Observe, rack, "Rack")->Arg(16)->Arg(64);
BENCHMARK_CAPTURE(Observe, server, "Server")->Arg(16)->Arg(64);
BENCHMARK(Mask)->Arg(16)->Arg(64);
BENCHMARK_MAIN();
