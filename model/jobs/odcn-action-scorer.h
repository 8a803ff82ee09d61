// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ACTION_SCORER_H
#define ODCN_ACTION_SCORER_H

#include <span>
#include <vector>

namespace ns3::odcn
{

class DecisionProblem;

/**
 * @ingroup odcn
 *
 * Scores the actions of a decision problem: what a DecisionPolicy is, too, if it takes the action
 * with the greatest score, as weighted sums and networks do. DecisionExplanation says why.
 */
class ActionScorer
{
  public:
    virtual ~ActionScorer() = default;

    /**
     * @param problem whose kind and size the observation has
     * @param observation GetObservationSize() numbers
     * @return the score of each action
     * @throws OdcnError when this kind or size of problem cannot be scored
     */
    virtual std::vector<float> GetScores(const DecisionProblem& problem,
                                         std::span<const float> observation) = 0;
};

} // namespace ns3::odcn

#endif /* ODCN_ACTION_SCORER_H */
