// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-training-job.h"

#include "ns3/odcn-error.h"

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
