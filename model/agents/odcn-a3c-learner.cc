// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-a3c-learner.h"

#include "odcn-policy-network.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-parallel.h"
#include "ns3/odcn-ranks.h"

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(A3cLearner);

namespace
{

/// Time that threads work before a report or a stop is possible, s.
constexpr double TURN = 0.1;

} // namespace

TypeId
A3cLearner::GetTypeId()
{
    // Not a child of A2cLearner's TypeId: the Attributes are the same, their defaults are not.
    static TypeId tid = AddA2cAttributes(
        AddAttributes(TypeIdOf<A3cLearner, GradientLearner>("ns3::odcn::A3cLearner"),
                      {.gamma = 0.95, .learningRate = 1e-5, .threads = 1}));
    return tid;
}

void
A3cLearner::BeginEpoch()
{
    m_next = 0;
    m_copies.clear();
    for (std::size_t i = 0; i < m_rollout->GetN(); ++i)
    {
        m_copies.push_back(m_network->Copy());
    }
}

void
A3cLearner::WriteState(Archive& archive, nlohmann::json& header) const
{
    A2cLearner::WriteState(archive, header);
    header["ranks"] = GetRanks().GetSize();
}

void
A3cLearner::ReadState(const Archive& archive, const nlohmann::json& header, const std::string& path)
{
    const std::size_t ranks = header.value("ranks", std::size_t{1});
    if (ranks != GetRanks().GetSize())
    {
        throw OdcnError(path + ": the training began with " + std::to_string(ranks) +
                        " process(es), found " + std::to_string(GetRanks().GetSize()) +
                        ": the result of A3cLearner depends on their number");
    }
    A2cLearner::ReadState(archive, header, path);
}

std::vector<at::Tensor>
A3cLearner::Work(std::size_t i, uint64_t& made)
{
    auto& copy = *m_copies[i];
    Exploration exploration;
    {
        const std::lock_guard lock(m_lock);
        const torch::NoGradGuard noGradients;
        const auto shared = m_network->parameters();
        auto own = copy.parameters();
        for (std::size_t p = 0; p < own.size(); ++p)
        {
            own[p].copy_(shared[p]);
        }
        exploration = GetExploration();
    }
    made = m_rollout->CollectOne(i, InferenceOf(copy), exploration, GetNeeded());
    auto batch = Gather(i, 1);
    auto gradient = ComputeGradient(copy, batch, i);
    Drop(i, 1);
    return gradient;
}

void
A3cLearner::Update(std::size_t i)
{
    uint64_t made = 0;
    const auto gradient = Work(i, made);
    {
        const std::lock_guard lock(m_lock);
        Count(made);
    }
    Step(gradient, GetLearningRate());
}

void
A3cLearner::UpdateByRanks()
{
    Ranks& ranks = GetRanks();
    // The actor of a rank whose turn it is; none if the rank has fewer than others.
    const auto find = [&](std::size_t rank)
    {
        const auto [begin, end] = m_rollout->GetShare(rank);
        return std::pair(begin + m_next, begin + m_next < end);
    };
    std::vector<uint64_t> made(ranks.GetSize());
    std::vector<std::vector<at::Tensor>> gradients(ranks.GetSize());
    ranks.Share(
        ranks.GetSize(),
        1,
        [&](std::size_t rank, std::size_t)
        {
            if (const auto [i, works] = find(rank); works)
            {
                gradients[rank] = Work(i, made[rank]);
            }
        },
        [&](Parcel& parcel, std::size_t rank)
        {
            if (const auto [i, works] = find(rank); works)
            {
                parcel.Pass(made[rank]);
                m_rollout->PassScore(i, parcel);
                PassGradient(parcel, gradients[rank]);
            }
        });
    bool any = false;
    for (std::size_t rank = 0; rank < ranks.GetSize(); ++rank)
    {
        if (find(rank).second)
        {
            Count(made[rank]);
            Step(gradients[rank], GetLearningRate());
        }
    }
    ++m_next;
    for (std::size_t rank = 0; rank < ranks.GetSize(); ++rank)
    {
        any |= find(rank).second;
    }
    m_next = any ? m_next : 0;
}

bool
A3cLearner::Advance()
{
    if (!GetRanks().IsAlone())
    {
        UpdateByRanks();
        return true;
    }
    const auto threads =
        static_cast<uint32_t>(std::min<std::size_t>(GetThreads(), m_copies.size()));
    if (threads == 1)
    {
        Update(m_next);
        m_next = (m_next + 1) % m_copies.size();
        return true;
    }
    const double until = Seconds() + TURN;
    const auto isOver = [&]
    {
        const std::lock_guard lock(m_lock);
        return IsEpochOver();
    };
    // Each thread has its own actors: that with the thread's number, and every threads-th after it.
    ParallelFor(threads,
                threads,
                [&](std::size_t begin, std::size_t)
                {
                    for (std::size_t i = begin; !isOver() && !IsStopping() && Seconds() < until;
                         i = i + threads < m_copies.size() ? i + threads : begin)
                    {
                        Update(i);
                    }
                });
    return true;
}

} // namespace ns3::odcn
