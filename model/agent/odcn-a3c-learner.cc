// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-a3c-learner.h"

#include <algorithm>
#include <mutex>

namespace ns3
{
namespace odcn
{

NS_OBJECT_ENSURE_REGISTERED(OdcnA3cLearner);

namespace
{

/// Seconds that threads work at least before they come together for a report.
constexpr double LEAST_TURN = 0.02;

} // namespace

TypeId
OdcnA3cLearner::GetTypeId()
{
    // Not a child of OdcnA2cLearner's TypeId: the Attributes are the same, their defaults are not.
    static TypeId tid =
        AddRouletteAttributes(AddAttributes(TypeId("ns3::odcn::OdcnA3cLearner")
                                                .SetParent<OdcnActorCriticLearner>()
                                                .SetGroupName("Odcn")
                                                .AddConstructor<OdcnA3cLearner>(),
                                            {.gamma = 0.95, .learningRate = 1e-5, .threads = 1}));
    return tid;
}

void
OdcnA3cLearner::DoDispose()
{
    m_actors.clear();
    OdcnA2cLearner::DoDispose();
}

void
OdcnA3cLearner::BeginEpoch()
{
    m_next = 0;
    m_actors.resize(GetRollout().GetN());
    for (std::size_t i = 0; i < m_actors.size(); ++i)
    {
        auto& actor = m_actors[i];
        actor.network = MakePlayer();
        actor.batch.network = PeekPointer(actor.network);
        actor.batch.first = i;
        actor.batch.environments = 1;
    }
}

void
OdcnA3cLearner::Work(std::size_t i)
{
    auto& [network, batch] = m_actors[i];
    OdcnExploration exploration;
    {
        const std::lock_guard lock(GetLock());
        const auto shared = GetNetwork()->GetParameters();
        std::copy(shared.begin(), shared.end(), network->GetMutableParameters().begin());
        exploration = GetExploration();
    }
    const uint64_t made = GetRollout().CollectOne(i, *network, exploration, GetNeeded());
    {
        const std::lock_guard lock(GetLock());
        Count(made);
        batch.learningRate = GetLearningRate();
    }
    Gather(batch);
    Learn(batch);
    DropSamples(batch);
}

bool
OdcnA3cLearner::Advance()
{
    const std::size_t threads = std::min(GetTeam().GetSize(), m_actors.size());
    if (threads == 1)
    {
        Work(m_next);
        m_next = (m_next + 1) % m_actors.size();
        return true;
    }
    const double until = Seconds() + std::max(GetProgressSeconds(), LEAST_TURN);
    const auto turn = [&](std::size_t task, std::size_t)
    {
        for (std::size_t i = task;; i = i + threads < m_actors.size() ? i + threads : task)
        {
            {
                const std::lock_guard lock(GetLock());
                if (IsEpochOver())
                {
                    return;
                }
            }
            if (IsStopping() || Seconds() > until)
            {
                return;
            }
            Work(i);
        }
    };
    GetTeam().Run(threads, turn);
    return true;
}

} // namespace odcn
} // namespace ns3
