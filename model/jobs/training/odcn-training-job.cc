// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-job.h"

#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ns3::odcn
{

uint32_t
TrainingProgram::Add(Operation operation, std::span<const uint32_t> after, const std::string& name)
{
    const auto [known, isNew] = m_nameOf.try_emplace(name, static_cast<uint32_t>(m_names.size()));
    operation.name = known->second;
    if (isNew)
    {
        m_names.push_back(name);
    }
    operation.after = static_cast<uint32_t>(m_after.size());
    operation.nAfter = static_cast<uint32_t>(after.size());
    m_after.insert(m_after.end(), after.begin(), after.end());
    m_operations.push_back(operation);
    return static_cast<uint32_t>(m_operations.size() - 1);
}

TrainingJob::TrainingJob(std::string name, uint32_t ranks)
    : m_name(std::move(name)),
      m_programOf(ranks, Communicator::NONE)
{
    if (ranks == 0)
    {
        throw OdcnError("job " + m_name + ": found 0 ranks, expected 1 or more");
    }
}

uint32_t
TrainingJob::AddCommunicator(const std::string& name, std::vector<std::vector<uint32_t>> groups)
{
    Communicator added{name, std::move(groups), {}};
    added.groupOf.assign(GetNRanks(), Communicator::NONE);
    for (uint32_t group = 0; group < added.groups.size(); ++group)
    {
        for (const uint32_t rank : added.groups[group])
        {
            CheckRank(rank);
            if (added.groupOf[rank] != Communicator::NONE)
            {
                throw OdcnError("job " + m_name + ": rank " + std::to_string(rank) +
                                " is twice in the groups " + name);
            }
            added.groupOf[rank] = group;
        }
    }
    m_communicators.push_back(std::move(added));
    return static_cast<uint32_t>(m_communicators.size() - 1);
}

uint32_t
TrainingJob::AddWeights(std::vector<std::vector<double>> weights)
{
    const auto isWrong = [&](const std::vector<double>& row)
    {
        const double sum = std::accumulate(row.begin(), row.end(), 0.0);
        return row.size() != weights.front().size() || !(std::abs(sum - 1) <= 1e-9) ||
               std::any_of(row.begin(), row.end(), [](double weight) { return !(weight >= 0); });
    };
    if (weights.empty() || std::any_of(weights.begin(), weights.end(), isWrong))
    {
        throw OdcnError("job " + m_name + ": weights of all-to-alls: expected for each iteration " +
                        "as many numbers of 0 or more, whose sum is 1");
    }
    m_weights.emplace_back(static_cast<uint32_t>(m_rows.size()),
                           static_cast<uint32_t>(weights.size()));
    std::move(weights.begin(), weights.end(), std::back_inserter(m_rows));
    return static_cast<uint32_t>(m_weights.size());
}

uint64_t
TrainingJob::FindWeights(const TrainingProgram::Operation& operation, uint32_t iteration) const
{
    if (operation.weights == 0)
    {
        return 0;
    }
    if (operation.weights > m_weights.size())
    {
        throw OdcnError("job " + m_name + ": operation " + std::to_string(operation.id) +
                        ": found weights " + std::to_string(operation.weights) +
                        ", expected 1 to " + std::to_string(m_weights.size()));
    }
    const auto [first, n] = m_weights[operation.weights - 1];
    return 1 + 2 * (uint64_t{first} + iteration % n) + (operation.isBack ? 1 : 0);
}

Collective
TrainingJob::MakeCollective(const TrainingProgram::Operation& operation,
                            const std::string& name,
                            uint32_t ranks,
                            uint64_t bytes,
                            uint32_t iteration) const
{
    const uint64_t weights = FindWeights(operation, iteration);
    if (weights == 0)
    {
        return Collective::Make(name, ranks, bytes);
    }
    const std::vector<double>& row = m_rows[(weights - 1) / 2];
    if (name != "all-to-all:direct" || row.size() != ranks)
    {
        throw OdcnError("job " + m_name + ": operation " + std::to_string(operation.id) +
                        ": found weights of " + std::to_string(row.size()) + " ranks for " + name +
                        " of " + std::to_string(ranks) +
                        ", expected as many, and all-to-all:direct");
    }
    DemandMatrix parts(ranks);
    for (uint32_t from = 0; from < ranks; ++from)
    {
        for (uint32_t to = 0; to < ranks; ++to)
        {
            if (from != to)
            {
                parts.Set(from, to, row[operation.isBack ? from : to] * double(bytes));
            }
        }
    }
    return Collective::MakeAllToAll(parts);
}

void
TrainingJob::AddProgram(TrainingProgram program, std::span<const uint32_t> ranks)
{
    for (const uint32_t rank : ranks)
    {
        CheckRank(rank);
        if (m_programOf[rank] != Communicator::NONE)
        {
            throw OdcnError("job " + m_name + ": rank " + std::to_string(rank) +
                            " has two programs");
        }
    }
    for (const uint32_t rank : ranks)
    {
        m_programOf[rank] = static_cast<uint32_t>(m_programs.size());
    }
    m_programs.push_back(std::move(program));
}

void
TrainingJob::SetIterations(uint32_t iterations)
{
    if (iterations == 0)
    {
        throw OdcnError("job " + m_name + ": found 0 iterations, expected 1 or more");
    }
    m_iterations = iterations;
}

void
TrainingJob::CheckRank(uint32_t rank) const
{
    if (rank >= GetNRanks())
    {
        throw OdcnError("job " + m_name + ": found rank " + std::to_string(rank) +
                        ", expected less than " + std::to_string(GetNRanks()));
    }
}

} // namespace ns3::odcn
