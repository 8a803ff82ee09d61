// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_BENCHMARK_KIT_H
#define ODCN_BENCHMARK_KIT_H

/**
 * @file
 * What several benchmarks need.
 */

#include "../core/odcn-test-kit.h"

#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-helper.h"
#include "ns3/odcn-job-generator.h"
#include "ns3/odcn-scheduling.h"

#include <benchmark/benchmark.h>
#include <ctime>

namespace ns3::odcn
{
namespace kit
{

/// @return processor seconds of all threads so far
inline double
CpuSeconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// @param values sample, not empty  @return its median
inline double
Median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// @param load mean duration of a job  @return the paper's jobs
inline Ptr<OdcnJobGenerator>
Jobs(double load)
{
    auto jobs = CreateObject<OdcnJobGenerator>();
    jobs->SetAttribute(
        "Duration",
        StringValue("ns3::ExponentialRandomVariable[Mean=" + std::to_string(load) + "]"));
    jobs->AssignStreams(1);
    return jobs;
}

/// @param racks |V|
/// @param servers of each
/// @return factory of such data centres
inline OdcnHelper
Sized(uint32_t racks, uint32_t servers)
{
    OdcnHelper helper;
    helper.SetNetworkAttribute("Racks", UintegerValue(racks));
    helper.SetComputeAttribute("ServersPerRack", UintegerValue(servers));
    return helper;
}

/// Reach the steady state.
/// @param problem empty
/// @param jobs to offer
/// @param policy to use
inline void
Fill(OdcnScheduling& problem, double jobs, DecisionPolicy& policy)
{
    for (int i = 0; i < jobs; ++i)
    {
        problem.RunJob(policy);
    }
}

/// @param state of a benchmark
/// @param name of a counter a second
/// @param units done in all
inline void
ReportRate(benchmark::State& state, const std::string& name, uint64_t units)
{
    state.counters[name] =
        benchmark::Counter(static_cast<double>(units), benchmark::Counter::kIsRate);
}

/// @param run to be timed
/// @return its processor seconds
template <typename F>
double
SecondsOf(F&& run)
{
    const double start = CpuSeconds();
    run();
    return CpuSeconds() - start;
}

/// @param state of a benchmark
/// @param name of a counter in us
/// @param units done in all
inline void
ReportMicroseconds(benchmark::State& state, const std::string& name, uint64_t units)
{
    state.counters[name] =
        benchmark::Counter(1e-6 * static_cast<double>(units),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/// Run a benchmark once for each argument. @param one the benchmark
template <int64_t... ARGUMENTS>
void
Once(benchmark::internal::Benchmark* one)
{
    (one->Arg(ARGUMENTS), ...);
    one->Iterations(1);
}

} // namespace kit
} // namespace ns3::odcn

#endif /* ODCN_BENCHMARK_KIT_H */
