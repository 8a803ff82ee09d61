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

#include "ns3/odcn-job-generator.h"

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

} // namespace kit
} // namespace ns3::odcn

#endif /* ODCN_BENCHMARK_KIT_H */
