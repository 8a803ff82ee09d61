// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DECISION_EXPLANATION_H
#define ODCN_DECISION_EXPLANATION_H

#include "odcn-decision-policy.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Why a policy that is an ActionScorer takes an action: what each named feature
 * of it and of the next best action does to their scores.
 *
 * The effect of a feature on an action is by how much the action's score falls if its feature gets
 * the mean over all feasible actions. In a weighted sum the effects of an action add up to its lead
 * over the mean score, but for rounding. In a network they need not: each is measured alone, by an
 * evaluation of the network.
 */
struct DecisionExplanation
{
    /// A feature of the two actions.
    struct Feature
    {
        std::string name;    //!< of DecisionProblem::GetFeatureNames()
        float value{0};      //!< of the action that is taken
        float effect{0};     //!< on its score
        float nextValue{0};  //!< of the next best action; 0 without one
        float nextEffect{0}; //!< on that score
    };

    uint32_t action{0};            //!< that is taken
    std::optional<uint32_t> next;  //!< feasible one of the next greatest score
    std::vector<float> scores;     //!< by action
    std::vector<uint8_t> feasible; //!< by action: whether it is
    std::vector<Feature> features; //!< in the order of the problem

    /// @return mean score of the feasible actions; of all if there is none
    double GetMeanScore() const;

    /**
     * @param policy decides, by Decide()
     * @param problem that waits for a decision
     * @return the decision of the policy, and why
     * @throws OdcnError when the policy is no ActionScorer, or the problem has no names of features
     */
    static DecisionExplanation Of(DecisionPolicy& policy, const DecisionProblem& problem);
};

} // namespace ns3::odcn

#endif /* ODCN_DECISION_EXPLANATION_H */
