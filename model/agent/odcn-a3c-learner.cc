// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-a3c-learner.h"

#include "odcn-policy-network.h"

#include "ns3/odcn-parallel.h"

#include <algorithm>
#include <mutex>

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
    static TypeId tid =
        AddA2cAttributes(AddAttributes(TypeId("ns3::odcn::A3cLearner")
                                           .SetParent<GradientLearner>()
                                           .SetGroupName("Odcn")
                                           .AddConstructor<A3cLearner>(),
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
A3cLearner::Work(std::size_t i)
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
    const uint64_t made = m_rollout->CollectOne(i, InferenceOf(copy), exploration, GetNeeded());
    {
        const std::lock_guard lock(m_lock);
        Count(made);
    }
    auto batch = Gather(i, 1);
    Learn(copy, batch, i);
    Drop(i, 1);
}

bool
A3cLearner::Advance()
{
    const auto threads = static_cast<uint32_t>(std::min<std::size_t>(m_threads, m_copies.size()));
    if (threads == 1)
    {
        Work(m_next);
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
                        Work(i);
                    }
                });
    return true;
}

} // namespace ns3::odcn
