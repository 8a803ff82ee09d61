// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-actor-critic-learner.h"

#include "ns3/odcn-error.h"
#include "ns3/rng-seed-manager.h"

#include <stdexcept>

namespace ns3
{
namespace odcn
{

void
OdcnActorCriticLearner::SaveState(const std::string& path) const
{
    auto c = OdcnCheckpoint::Of(*m_network);
    c.arrays[OdcnCheckpoint::PARAMETERS] =
        m_boundary.best.empty() ? m_boundary.parameters : m_boundary.best;
    c.arrays["training parameters"] = m_boundary.parameters;
    c.arrays["adam first"] = m_boundary.adam.first;
    c.arrays["adam second"] = m_boundary.adam.second;
    c.counters["adam steps"] = m_boundary.adam.steps;
    c.counters["epoch"] = m_boundary.epoch;
    c.counters["decisions"] = m_boundary.decisions;
    c.counters["updates"] = m_boundary.updates;
    c.counters["cloned"] = m_boundary.cloned;
    c.counters["seed"] = RngSeedManager::GetSeed();
    c.counters["run"] = RngSeedManager::GetRun();
    if (!m_boundary.best.empty())
    {
        c.numbers["best score"] = m_boundary.bestScore;
    }
    c.Save(path);
}

void
OdcnActorCriticLearner::LoadState(const std::string& path)
{
    Prepare();
    const auto c = OdcnCheckpoint::Load(path);
    const std::size_t n = m_network->GetParameters().size();
    State state;
    try
    {
        state.parameters = c.arrays.at("training parameters");
        state.adam.first = c.arrays.at("adam first");
        state.adam.second = c.arrays.at("adam second");
        state.adam.steps = c.counters.at("adam steps");
        state.epoch = c.counters.at("epoch");
        state.decisions = c.counters.at("decisions");
        state.updates = c.counters.at("updates");
        state.cloned = c.counters.at("cloned") != 0;
        if (c.numbers.contains("best score"))
        {
            state.bestScore = c.numbers.at("best score");
            state.best = c.arrays.at(OdcnCheckpoint::PARAMETERS);
        }
    }
    catch (const std::out_of_range&)
    {
        throw OdcnError(path + ": a checkpoint without the state of a training");
    }
    if (c.networkType != m_network->GetInstanceTypeId().GetName() ||
        c.networkAttributes != m_network->GetAttributes() || state.parameters.size() != n ||
        state.adam.first.size() != n || state.adam.second.size() != n ||
        (!state.best.empty() && state.best.size() != n))
    {
        throw OdcnError(path + ": the training of another network");
    }
    m_state = m_boundary = state;
    Restore();
}

void
OdcnActorCriticLearner::SaveCheckpoint(const std::string& path,
                                       const std::map<std::string, std::string>& provenance) const
{
    auto c = OdcnCheckpoint::Of(*m_network);
    c.provenance = provenance;
    c.provenance["learner"] = GetInstanceTypeId().GetName();
    c.provenance["score name"] = m_problems.front()->GetScoreName();
    c.counters["decisions"] = m_state.decisions;
    c.counters["epoch"] = m_state.epoch;
    c.counters["seed"] = RngSeedManager::GetSeed();
    c.counters["run"] = RngSeedManager::GetRun();
    if (!m_state.best.empty())
    {
        c.arrays[OdcnCheckpoint::PARAMETERS] = m_state.best;
        c.numbers["score"] = m_state.bestScore;
    }
    c.Save(path);
}

} // namespace odcn
} // namespace ns3
