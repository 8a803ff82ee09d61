// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_PARALLEL_H
#define ODCN_PARALLEL_H

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <future>
#include <vector>

namespace ns3::odcn
{

/**
 * Run tasks on several threads with dynamic scheduling.
 * @param threads maximum number of threads, including the calling one
 * @param tasks number of tasks
 * @param body called as body(task, worker), worker from 0 to threads - 1; its exceptions are
 * rethrown
 */
template <typename F>
void
ParallelFor(uint32_t threads, std::size_t tasks, F body)
{
    std::atomic<std::size_t> next{0};
    const auto work = [&](std::size_t worker)
    {
        for (std::size_t task = next++; task < tasks; task = next++)
        {
            body(task, worker);
        }
    };
    std::vector<std::future<void>> others;
    for (std::size_t worker = 1; worker < std::min<std::size_t>(threads, tasks); ++worker)
    {
        others.push_back(std::async(std::launch::async, work, worker));
    }
    // The destructor of a future waits for its thread, even if this call throws.
    work(0);
    for (auto& other : others)
    {
        other.get();
    }
}

} // namespace ns3::odcn

#endif /* ODCN_PARALLEL_H */
