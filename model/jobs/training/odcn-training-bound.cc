// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-bound.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <utility>
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

/// @param time may be that of bytes that are never carried
/// @param other to add
/// @return both
Time
AddTimes(Time time, Time other)
{
    return time == Time::Max() ? time : time + other;
}

/// @param collective an uneven one
/// @param link of each rank
/// @return alpha and the bytes of the rank that sends the least
double
GetLeastSending(const Collective& collective, const Collective::Link& link)
{
    std::vector<double> sent(collective.GetNRanks());
    for (const Collective::Step& step : collective.GetSteps())
    {
        sent[step.from] += link.GetTime(step.bytes);
    }
    const double least = *std::min_element(sent.begin(), sent.end());
    return least + (least > 0 ? link.alpha : 0);
}

/// Bytes from member to member of a group, if they are not 0.
struct Part
{
    uint32_t from; //!< index in the group
    uint32_t to;   //!< index in the group
    double bytes;  //!< from one to the other
};

/**
 * @param job a job
 * @param operation a collective of it
 * @param name of the collective and its algorithm
 * @param ranks of the group
 * @param iteration its index
 * @return what they send to each other
 */
std::vector<Part>
GetParts(const TrainingJob& job,
         const Operation& operation,
         const std::string& name,
         uint32_t ranks,
         uint32_t iteration)
{
    const uint64_t bytes = operation.bytes;
    std::vector<Part> parts;
    if (name.ends_with(":ring") && !name.starts_with("all-to-all"))
    {
        // All but the largest block, without a step for each block of each rank.
        const uint64_t once = bytes - (bytes + ranks - 1) / ranks;
        const double sent = double(once) * (name.starts_with("all-reduce") ? 2 : 1);
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            parts.push_back({rank, (rank + 1) % ranks, sent});
        }
        return parts;
    }
    std::map<std::pair<uint32_t, uint32_t>, double> sums;
    const Collective collective = job.MakeCollective(operation, name, ranks, bytes, iteration);
    for (const Collective::Step& step : collective.GetSteps())
    {
        sums[{step.from, step.to}] += double(step.bytes);
    }
    for (const auto& [pair, sum] : sums)
    {
        parts.push_back({pair.first, pair.second, sum});
    }
    return parts;
}

/// Least computations of a rank before and after its operations.
class Chains
{
  public:
    /// @param program of the rank
    explicit Chains(const TrainingProgram& program)
        : m_operations(program.GetOperations()),
          m_before(m_operations.size()),
          m_after(m_operations.size())
    {
        const std::size_t n = m_operations.size();
        std::vector<uint32_t> waits(n);
        std::vector<std::vector<uint32_t>> next(n);
        std::vector<uint32_t> order;
        for (uint32_t i = 0; i < n; ++i)
        {
            waits[i] = m_operations[i].nAfter;
            for (const uint32_t before : program.GetAfter(m_operations[i]))
            {
                next[before].push_back(i);
            }
            if (waits[i] == 0)
            {
                order.push_back(i);
            }
        }
        for (std::size_t k = 0; k < order.size(); ++k)
        {
            const uint32_t i = order[k];
            for (const uint32_t later : next[i])
            {
                m_before[later] = std::max(m_before[later], m_before[i] + GetDuration(i));
                if (--waits[later] == 0)
                {
                    order.push_back(later);
                }
            }
        }
        for (std::size_t k = order.size(); k-- > 0;)
        {
            const uint32_t i = order[k];
            for (const uint32_t later : next[i])
            {
                m_after[i] = std::max(m_after[i], m_after[later] + GetDuration(later));
            }
        }
    }

    /// @param index of an operation
    /// @return computations before it
    Time GetBefore(uint32_t index) const
    {
        return m_before[index];
    }

    /// @param index of an operation
    /// @return computations after it
    Time GetAfter(uint32_t index) const
    {
        return m_after[index];
    }

  private:
    /// @param index of an operation
    /// @return its time, if it is a computation
    Time GetDuration(uint32_t index) const
    {
        const Operation& operation = m_operations[index];
        return operation.kind == Kind::COMPUTE ? operation.duration : Time(0);
    }

    const std::vector<Operation>& m_operations; //!< of the program
    std::vector<Time> m_before;                 //!< by operation
    std::vector<Time> m_after;                  //!< by operation
};

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
    uint32_t iteration = 0;
    bool isUneven = false;
    std::map<std::tuple<Collective::Operation, std::size_t, uint64_t, uint64_t>, Time> known;
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
        const uint64_t weights = job.FindWeights(operation, iteration);
        isUneven = isUneven || weights > 0;
        const auto [found, isNew] =
            known.try_emplace(std::tuple(operation.what, ranks, operation.bytes, weights));
        if (isNew)
        {
            const Collective collective = job.MakeCollective(operation,
                                                             algorithms.at(operation.what),
                                                             static_cast<uint32_t>(ranks),
                                                             operation.bytes,
                                                             iteration);
            found->second = Seconds(weights > 0 ? GetLeastSending(collective, link)
                                                : collective.GetLeastTime(link));
        }
        return found->second;
    };
    std::vector<Time> longest(job.GetPrograms().size()); // by program
    const uint32_t iterations = job.GetIterations();
    for (; iteration < (isUneven ? iterations : 1); ++iteration)
    {
        for (std::size_t p = 0; p < longest.size(); ++p)
        {
            longest[p] += GetIterationTime(job.GetPrograms()[p], communicate, communications);
        }
    }
    const Time most = longest.empty() ? Time(0) : *std::max_element(longest.begin(), longest.end());
    return most * int64_t{isUneven ? 1 : iterations};
}

void
TrainingBound::Transfer::Add(const DemandMatrix& other)
{
    for (RackId from = 0; from < bytes.GetNRacks(); ++from)
    {
        for (RackId to = 0; to < bytes.GetNRacks(); ++to)
        {
            bytes.Add(from, to, other.Get(from, to));
        }
    }
}

std::vector<TrainingBound::Transfer>
TrainingBound::GetTransfers(const TrainingJob& job,
                            const std::vector<RackId>& racks,
                            uint32_t nRacks,
                            const TrainingRun::Algorithms& algorithms)
{
    const auto& communicators = job.GetCommunicators();
    const auto sends = static_cast<uint32_t>(communicators.size());
    const uint32_t iterations = job.GetIterations();
    std::vector<Transfer> transfers;
    for (const TrainingJob::Communicator& communicator : communicators)
    {
        transfers.push_back({communicator.name, DemandMatrix(nRacks), Time::Max(), Time::Max()});
    }
    transfers.push_back({"sends", DemandMatrix(nRacks), Time::Max(), Time::Max()});
    const auto add = [&](Transfer& transfer, uint32_t from, uint32_t to, double bytes)
    {
        if (racks[from] != racks[to])
        {
            transfer.bytes.Add(racks[from], racks[to], bytes);
        }
    };
    // By program: collectives, of which there may be many of one size.
    using Key = std::tuple<uint32_t, Collective::Operation, uint64_t, uint32_t, bool>;

    struct Count
    {
        const Operation* operation{nullptr}; // one of them
        uint32_t count{0};                   // in an iteration
    };

    std::vector<std::map<Key, Count>> counts(job.GetPrograms().size());
    std::vector<std::vector<Operation>> sent(job.GetPrograms().size());
    for (std::size_t p = 0; p < job.GetPrograms().size(); ++p)
    {
        const TrainingProgram& program = job.GetPrograms()[p];
        const Chains chains(program);
        for (uint32_t i = 0; i < program.GetOperations().size(); ++i)
        {
            const Operation& operation = program.GetOperations()[i];
            const bool isCollective = operation.kind == Kind::COLLECTIVE;
            if (operation.bytes == 0 || (!isCollective && operation.kind != Kind::SEND))
            {
                continue;
            }
            Transfer& transfer = transfers[isCollective ? operation.communicator : sends];
            transfer.before = std::min(transfer.before, chains.GetBefore(i));
            transfer.after = std::min(transfer.after, chains.GetAfter(i));
            if (isCollective)
            {
                Count& count = counts[p][{operation.communicator,
                                          operation.what,
                                          operation.bytes,
                                          operation.weights,
                                          operation.isBack}];
                count.operation = &operation;
                ++count.count;
            }
            else
            {
                sent[p].push_back(operation);
            }
        }
    }
    for (uint32_t rank = 0; rank < job.GetNRanks(); ++rank)
    {
        for (const Operation& operation : sent[job.GetProgramOf(rank)])
        {
            add(transfers[sends],
                rank,
                rank + operation.peer,
                double(operation.bytes) * iterations);
        }
    }
    std::map<std::tuple<Collective::Operation, std::size_t, uint64_t, uint64_t>, std::vector<Part>>
        known;
    const auto getParts = [&](const Operation& operation,
                              std::size_t ranks,
                              uint32_t iteration) -> const std::vector<Part>&
    {
        const auto [found, isNew] =
            known.try_emplace(std::tuple(operation.what,
                                         ranks,
                                         operation.bytes,
                                         job.FindWeights(operation, iteration)));
        if (isNew)
        {
            found->second = GetParts(job,
                                     operation,
                                     algorithms.at(operation.what),
                                     static_cast<uint32_t>(ranks),
                                     iteration);
        }
        return found->second;
    };
    for (uint32_t c = 0; c < communicators.size(); ++c)
    {
        for (const std::vector<uint32_t>& group : communicators[c].groups)
        {
            if (group.size() < 2)
            {
                continue;
            }
            // All members run the same collectives.
            for (const auto& [key, like] : counts[job.GetProgramOf(group[0])])
            {
                const Operation& operation = *like.operation;
                const bool isUneven = operation.weights > 0;
                for (uint32_t i = 0; operation.communicator == c && i < (isUneven ? iterations : 1);
                     ++i)
                {
                    const double times = double(like.count) * (isUneven ? 1 : iterations);
                    for (const Part& part : getParts(operation, group.size(), i))
                    {
                        add(transfers[c], group[part.from], group[part.to], part.bytes * times);
                    }
                }
            }
        }
    }
    std::erase_if(transfers,
                  [](const Transfer& transfer) { return transfer.bytes.GetMaxLoad() == 0; });
    if (transfers.size() > 1)
    {
        Transfer all{"all", DemandMatrix(nRacks), Time::Max(), Time::Max()};
        for (const Transfer& transfer : transfers)
        {
            all.before = std::min(all.before, transfer.before);
            all.after = std::min(all.after, transfer.after);
            all.Add(transfer.bytes);
        }
        transfers.push_back(std::move(all));
    }
    return transfers;
}

FabricLeastTimes::Times
TrainingBound::GetNetworkTimes(const std::vector<Transfer>& transfers,
                               const FabricLeastTimes& fabric)
{
    FabricLeastTimes::Times longest;
    for (const Transfer& transfer : transfers)
    {
        if (transfer.bytes.GetMaxLoad() == 0)
        {
            continue; // nothing is before or after it
        }
        const FabricLeastTimes::Times times = fabric.Get(transfer.bytes);
        const Time beside = transfer.before + transfer.after;
        longest.cut = std::max(longest.cut, AddTimes(times.cut, beside));
        longest.flow = std::max(longest.flow, AddTimes(times.flow, beside));
    }
    return longest;
}

Time
TrainingBound::GetMakespan(std::span<const Share> jobs, uint32_t endPoints)
{
    std::vector<Share> sorted(jobs.begin(), jobs.end());
    std::sort(sorted.begin(),
              sorted.end(),
              [](const Share& a, const Share& b) { return a.arrival > b.arrival; });
    Time longest;
    double work = 0; // steps of an end point
    for (const Share& job : sorted)
    {
        work += double(job.ranks) * double(job.least.GetTimeStep());
        const auto shared = static_cast<int64_t>(std::floor(work / endPoints));
        longest = std::max({longest, job.arrival + job.least, job.arrival + Time(shared)});
    }
    return longest;
}

Time
TrainingBound::GetMeanTime(std::vector<Share> jobs, uint32_t endPoints)
{
    if (jobs.empty())
    {
        return Time(0);
    }
    std::sort(jobs.begin(),
              jobs.end(),
              [](const Share& a, const Share& b) { return a.arrival < b.arrival; });
    double least = 0;    // all times in steps
    double together = 0; // of all jobs, from arrival to end on the one machine
    double now = 0;
    std::priority_queue<std::pair<double, double>,
                        std::vector<std::pair<double, double>>,
                        std::greater<>>
        left; // time on the machine, and arrival
    for (std::size_t next = 0; next < jobs.size() || !left.empty();)
    {
        if (left.empty())
        {
            now = std::max(now, double(jobs[next].arrival.GetTimeStep()));
        }
        for (; next < jobs.size() && double(jobs[next].arrival.GetTimeStep()) <= now; ++next)
        {
            const double own = double(jobs[next].least.GetTimeStep());
            least += own;
            left.emplace(own * jobs[next].ranks / endPoints,
                         double(jobs[next].arrival.GetTimeStep()));
        }
        const auto [time, arrival] = left.top();
        left.pop();
        const double until =
            next < jobs.size() ? double(jobs[next].arrival.GetTimeStep()) : INFINITY;
        if (now + time <= until)
        {
            now += time;
            together += now - arrival;
        }
        else
        {
            left.emplace(time - (until - now), arrival);
            now = until;
        }
    }
    const double n = double(jobs.size());
    return Time(static_cast<int64_t>(std::floor(std::max(least, together) / n)));
}

} // namespace ns3::odcn
