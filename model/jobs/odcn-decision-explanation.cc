// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-decision-explanation.h"

#include "odcn-action-scorer.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// @param values one for each action
/// @param feasible whether an action is
/// @return mean over the feasible ones; over all if there is none
template <typename Values>
double
MeanOfFeasible(const Values& values, const std::vector<uint8_t>& feasible)
{
    const bool isAny = std::find(feasible.begin(), feasible.end(), 1) != feasible.end();
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t a = 0; a < feasible.size(); ++a)
    {
        if (feasible[a] || !isAny)
        {
            sum += values[a];
            ++count;
        }
    }
    return sum / count;
}

/// @param problem of an observation, of blocks with one number per action, or a graph, which begins
/// with its nodes
/// @param features number of those of an action
/// @param feature index of one
/// @param action index
/// @return where its value is in an observation
std::size_t
FindValue(const DecisionProblem& problem, std::size_t features, uint32_t feature, uint32_t action)
{
    const auto* graph = problem.GetGraph();
    return graph ? graph->candidates[action] * features + feature
                 : std::size_t{feature} * problem.GetNActions() + action;
}

} // namespace

double
DecisionExplanation::GetMeanScore() const
{
    return MeanOfFeasible(scores, feasible);
}

DecisionExplanation
DecisionExplanation::Of(DecisionPolicy& policy, const DecisionProblem& problem)
{
    const std::vector<std::string> names = problem.GetFeatureNames();
    if (names.empty())
    {
        throw OdcnError(problem.GetInstanceTypeId().GetName() +
                        ": found an observation that describes no single actions, expected one "
                        "with named features to explain");
    }
    auto* scorer = dynamic_cast<ActionScorer*>(&policy);
    if (!scorer)
    {
        throw OdcnError(policy.GetInstanceTypeId().GetName() +
                        ": found a policy without scores, expected a weighted sum or a network");
    }
    DecisionExplanation why;
    why.action = policy.Decide(problem);
    std::vector<float> observation(problem.GetObservationSize());
    problem.Observe(observation.data());
    why.scores = scorer->GetScores(problem, observation);
    const uint32_t n = problem.GetNActions();
    why.feasible.resize(n);
    problem.Mask(why.feasible.data());
    for (uint32_t a = 0; a < n; ++a)
    {
        if (a != why.action && why.feasible[a] &&
            !(why.next && why.scores[*why.next] >= why.scores[a]))
        {
            why.next = a;
        }
    }
    std::vector<float> values(n);
    for (uint32_t f = 0; f < names.size(); ++f)
    {
        const auto find = [&](uint32_t action)
        { return FindValue(problem, names.size(), f, action); };
        for (uint32_t a = 0; a < n; ++a)
        {
            values[a] = observation[find(a)];
        }
        const auto mean = static_cast<float>(MeanOfFeasible(values, why.feasible));
        const auto getEffect = [&](uint32_t action)
        {
            float& value = observation[find(action)];
            const float before = std::exchange(value, mean);
            const float score = before == mean ? why.scores[action]
                                               : scorer->GetScores(problem, observation)[action];
            value = before;
            return why.scores[action] - score;
        };
        Feature& feature = why.features.emplace_back();
        feature.name = names[f];
        feature.value = values[why.action];
        feature.effect = getEffect(why.action);
        if (why.next)
        {
            feature.nextValue = values[*why.next];
            feature.nextEffect = getEffect(*why.next);
        }
    }
    return why;
}

} // namespace ns3::odcn
