// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-bound.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

namespace ns3::odcn
{

namespace
{

using Kind = TrainingProgram::Kind;
using Operation = TrainingProgram::Operation;

/**
 * @param program of a rank
 * @param communicate tells the time of a collective or a send
 * @param communications at a time
 * @return time of an iteration
 */
Time
GetIterationTime(const TrainingProgram& program,
                 const std::function<Time(const Operation&)>& communicate,
                 uint32_t communications)
{
    const std::vector<Operation>& operations = program.GetOperations();
    const std::size_t n = operations.size();
    std::vector<Time> ends(n);
    std::vector<uint32_t> waits(n);
    std::vector<std::vector<uint32_t>> next(n);
    std::vector<uint32_t> ready;
    for (uint32_t i = 0; i < n; ++i)
    {
        waits[i] = operations[i].nAfter;
        for (const uint32_t before : program.GetAfter(operations[i]))
        {
            next[before].push_back(i);
        }
        if (waits[i] == 0)
        {
            ready.push_back(i);
        }
    }
    Time busy[2]; // by unit
    Time sent;    // communication
    Time chain;
    while (!ready.empty())
    {
        const uint32_t i = ready.back();
        ready.pop_back();
        const bool computes = operations[i].kind == Kind::COMPUTE;
        if (computes)
        {
            busy[static_cast<int>(operations[i].unit)] += operations[i].duration;
        }
        const Time own = computes ? operations[i].duration : communicate(operations[i]);
        sent += computes ? Time(0) : own;
        ends[i] += own;
        chain = std::max(chain, ends[i]);
        for (const uint32_t later : next[i])
        {
            ends[later] = std::max(ends[later], ends[i]);
            if (--waits[later] == 0)
            {
                ready.push_back(later);
            }
        }
    }
    return std::max({busy[0], busy[1], chain, sent / int64_t{communications}});
}

} // namespace

TrainingRun::Algorithms
TrainingBound::GetAlgorithms()
{
    return CreateObject<TrainingRun>()->GetAlgorithms();
}

Time
TrainingBound::GetComputeTime(const TrainingJob& job)
{
    Time longest;
    for (const TrainingProgram& program : job.GetPrograms())
    {
        longest = std::max(longest,
                           GetIterationTime(
                               program,
                               [](const Operation&) { return Time(0); },
                               1));
    }
    return longest * static_cast<int64_t>(job.GetIterations());
}

Time
TrainingBound::GetLeastTime(const TrainingJob& job,
                            const Collective::Link& link,
                            const TrainingRun::Algorithms& algorithms,
                            uint32_t communications)
{
    std::map<std::tuple<Collective::Operation, std::size_t, uint64_t>, Time> known;
    const auto communicate = [&](const Operation& operation) -> Time
    {
        if (operation.kind == Kind::RECEIVE || operation.bytes == 0)
        {
            return Time(0);
        }
        if (operation.kind == Kind::SEND)
        {
            return Seconds(link.alpha + link.GetTime(operation.bytes));
        }
        // The smallest group: a rank waits for its own one.
        std::size_t ranks = job.GetNRanks();
        for (const auto& group : job.GetCommunicators()[operation.communicator].groups)
        {
            ranks = std::min(ranks, group.size());
        }
        if (ranks < 2)
        {
            return Time(0);
        }
        const auto [found, isNew] =
            known.try_emplace(std::tuple(operation.what, ranks, operation.bytes));
        if (isNew)
        {
            found->second = Seconds(Collective::Make(algorithms.at(operation.what),
                                                     static_cast<uint32_t>(ranks),
                                                     operation.bytes)
                                        .GetLeastTime(link));
        }
        return found->second;
    };
    Time longest;
    for (const TrainingProgram& program : job.GetPrograms())
    {
        longest = std::max(longest, GetIterationTime(program, communicate, communications));
    }
    return longest * static_cast<int64_t>(job.GetIterations());
}

} // namespace ns3::odcn
