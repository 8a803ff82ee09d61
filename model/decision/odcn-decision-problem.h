// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DECISION_PROBLEM_H
#define ODCN_DECISION_PROBLEM_H

#include "odcn-graph-observation.h"

#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * A sequential decision problem: observe, mask, act, reward. What a learner may know of the
 * system it learns to run; also what every policy answers.
 *
 * An instance holds no global state and never touches the Simulator, so any number may live in
 * one process, each used by one thread at a time.
 *
 * Rewards may come late: the actions of one job are rewarded together, when its fate is known.
 * Every action is rewarded exactly once and in order, so the n-th reward taken belongs to the n-th
 * action.
 */
class OdcnDecisionProblem : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return number of actions; an action is an index below it
    virtual uint32_t GetNActions() const = 0;

    /// @return the dimensions of an observation, e.g. {2 |V|} or {channels, height, width}
    virtual std::vector<uint32_t> GetObservationShape() const = 0;

    /// @return product of GetObservationShape()
    uint32_t GetObservationSize() const;

    /**
     * @return how an observation is a graph, for networks that pass messages; null when it is none.
     * It stays as it is while the problem lives, and problems of one size share its meaning.
     */
    virtual const OdcnGraphObservation* GetGraph() const;

    /**
     * The Attributes that decide what is observed, and nothing of the system itself. They may be
     * set at any decision, also after Reset().
     * @return their names; by default none
     */
    virtual std::vector<std::string> GetFormAttributes() const;

    /**
     * Names of the numbers that describe one action, e.g. "free-cores", for people: one for each
     * block of an observation made of blocks of one number an action, or for each node feature of a
     * graph.
     * @return the names; empty where an observation describes no single actions (the default)
     */
    virtual std::vector<std::string> GetFeatureNames() const;

    /**
     * @param [out] out GetObservationSize() floats, row-major
     */
    virtual void Observe(float* out) const = 0;

    /**
     * @param [out] out GetNActions() bytes: 1 where the action is feasible as far as can be seen
     * now, 0 where it is certain to fail. All 0 is possible: then every action fails alike.
     */
    virtual void Mask(uint8_t* out) const = 0;

    /**
     * Decide. Afterwards the problem stands at the next decision, unless IsDone().
     *
     * @param action an index below GetNActions(); an infeasible one is accepted and has its
     * consequences
     */
    virtual void Act(uint32_t action) = 0;

    /**
     * Move out the rewards that became known since the last call.
     *
     * @param [in,out] out the rewards are appended, oldest action first
     */
    virtual void TakeRewards(std::vector<float>& out) = 0;

    /// @return whether the stream of decisions has ended
    virtual bool IsDone() const = 0;

    /// Back to an empty system; the random streams continue, so the next episode is another one.
    virtual void Reset() = 0;

    /**
     * @param stream first stream number to use
     * @return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream) = 0;

    /// @return what GetScore() measures, e.g. "blocking"
    virtual std::string GetScoreName() const = 0;

    /**
     * The figure of merit since the last ClearScore(), for progress lines and for keeping the best
     * checkpoint.
     * @return lower is better
     */
    virtual double GetScore() const = 0;

    /// Start GetScore() anew, at the present state of the system.
    virtual void ClearScore() = 0;
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_DECISION_PROBLEM_H */
