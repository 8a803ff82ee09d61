// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-bytes.h"

#include "ns3/odcn-collective.h"

#include <tuple>

namespace ns3::odcn
{

TrainingBytes::TrainingBytes(const TrainingJob& job, const TrainingRun::Algorithms& algorithms)
    : m_sent(job.GetNRanks())
{
    using Pairs = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;
    std::map<std::tuple<Collective::Operation, std::size_t, uint64_t, uint64_t>, Pairs> known;
    const auto getPairs = [&](const TrainingProgram::Operation& operation,
                              std::size_t ranks) -> const Pairs&
    {
        const auto [found, isNew] = known.try_emplace(
            {operation.what, ranks, operation.bytes, job.FindWeights(operation, 0)});
        if (isNew)
        {
            const Collective collective = job.MakeCollective(operation,
                                                             algorithms.at(operation.what),
                                                             static_cast<uint32_t>(ranks),
                                                             operation.bytes,
                                                             0);
            for (const Collective::Step& step : collective.GetSteps())
            {
                found->second[{step.from, step.to}] += step.bytes;
            }
        }
        return found->second;
    };
    for (uint32_t rank = 0; rank < m_sent.size(); ++rank)
    {
        for (const auto& operation : job.GetPrograms()[job.GetProgramOf(rank)].GetOperations())
        {
            if (operation.kind == TrainingProgram::Kind::SEND)
            {
                m_sent[rank][rank + operation.peer] += operation.bytes;
            }
            if (operation.kind != TrainingProgram::Kind::COLLECTIVE || operation.bytes == 0)
            {
                continue;
            }
            const auto& communicator = job.GetCommunicators()[operation.communicator];
            const uint32_t index = communicator.groupOf[rank];
            if (index == TrainingJob::Communicator::NONE)
            {
                continue;
            }
            // Counted once a group, with its first rank.
            const std::vector<uint32_t>& group = communicator.groups[index];
            if (group.size() < 2 || group.front() != rank)
            {
                continue;
            }
            for (const auto& [pair, bytes] : getPairs(operation, group.size()))
            {
                m_sent[group[pair.first]][group[pair.second]] += bytes;
            }
        }
    }
}

uint64_t
TrainingBytes::GetTotal() const
{
    uint64_t total = 0;
    for (const std::map<uint32_t, uint64_t>& sent : m_sent)
    {
        for (const auto& [to, bytes] : sent)
        {
            total += bytes;
        }
    }
    return total;
}

std::vector<uint32_t>
TrainingBytes::Group(const std::vector<uint32_t>& sizes) const
{
    const uint32_t ranks = GetNRanks();
    std::vector<std::vector<std::pair<uint32_t, uint64_t>>> exchanged(ranks); // in both directions
    std::vector<uint64_t> totals(ranks, 0);                                   // of ranks left
    for (uint32_t from = 0; from < ranks; ++from)
    {
        for (const auto& [to, bytes] : m_sent[from])
        {
            exchanged[from].emplace_back(to, bytes);
            exchanged[to].emplace_back(from, bytes);
            totals[from] += bytes;
            totals[to] += bytes;
        }
    }
    std::vector<uint32_t> order;
    std::vector<bool> isTaken(ranks, false);
    for (const uint32_t size : sizes)
    {
        std::vector<uint64_t> weights(ranks, 0); // bytes exchanged with the group
        for (uint32_t i = 0; i < size && order.size() < ranks; ++i)
        {
            const std::vector<uint64_t>& merits = i == 0 ? totals : weights;
            uint32_t best = ranks;
            for (uint32_t rank = 0; rank < ranks; ++rank)
            {
                if (!isTaken[rank] && (best == ranks || merits[rank] > merits[best]))
                {
                    best = rank;
                }
            }
            isTaken[best] = true;
            order.push_back(best);
            for (const auto& [other, bytes] : exchanged[best])
            {
                weights[other] += bytes;
                totals[other] -= bytes;
            }
        }
    }
    return order;
}

std::vector<uint32_t>
TrainingBytes::Arrange(const std::vector<uint32_t>& sizes,
                       const std::vector<uint32_t>& places) const
{
    const std::vector<uint32_t> order = Group(sizes);
    std::vector<uint32_t> placeOf(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        placeOf[order[i]] = places[i];
    }
    return placeOf;
}

} // namespace ns3::odcn
