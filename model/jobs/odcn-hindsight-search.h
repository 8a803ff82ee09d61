// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_HINDSIGHT_SEARCH_H
#define ODCN_HINDSIGHT_SEARCH_H

#include "odcn-decision-policy.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Names a decision by what it is about, so that a plan made for one episode still finds its
 * decisions when an earlier action is changed and decisions are added or omitted. A DecisionProblem
 * that does not have it is planned by the index of the decision.
 */
class DecisionKey
{
  public:
    virtual ~DecisionKey() = default;

    /// @return key of the present decision; no two decisions of an episode have the same
    virtual uint64_t GetDecisionKey() const = 0;
};

/**
 * @ingroup odcn
 *
 * What could have been achieved if all random numbers of an episode had been known: searches for
 * the best actions on a twin, a second problem with the same random numbers that can be begun again
 * and again, and then decides the problem itself with what it found. The value is reachable, but
 * not online, and it is no bound: a longer search may find better actions.
 *
 * The search is simulated annealing. It begins with the actions of the policy Start. A step changes
 * one or two decisions of the current episode, either to a feasible action chosen uniformly or to
 * the action of another decision, and runs the whole episode. Start makes the decisions that did
 * not occur in the current episode and, in a quarter of the steps, all that follow the change. A
 * result worse by d is accepted with probability exp(-d / T); T falls geometrically to a hundredth.
 * The best episode found is kept.
 *
 * Only for problems that behave in the same way on the same random numbers. What is planned is the
 * episode, or a number of jobs of an endless one, of which the first ones (the warm-up) are decided
 * by Start and do not count.
 */
class HindsightSearch : public DecisionPolicy
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    HindsightSearch();

    /**
     * @param words TypeId name of a policy with its Attributes
     * @return whether it is this class: such a row knows the future and is no rule
     */
    static bool IsNamedBy(const std::string& words);

    /**
     * To be called before the first decision of each episode. Decide() begins the twin by
     * AssignStreams() and Reset() under the present run number of ns-3.
     * @param twin problem of the same kind and Attributes as the one to be decided, used by this
     * policy only
     * @param stream first stream of the problem to be decided
     * @param warmUp jobs decided by Start, after which the objective begins
     * @param jobs jobs planned after these; by default the whole episode
     */
    void SetTwin(Ptr<DecisionProblem> twin,
                 int64_t stream,
                 uint64_t warmUp = 0,
                 uint64_t jobs = UINT64_MAX);

    /**
     * Finds Start, and checks Objective.
     * @copydoc DecisionPolicy::Configure
     */
    void Configure(DecisionProblem& problem) override;

    /**
     * The first call of an episode searches.
     * @copydoc DecisionPolicy::Decide
     */
    uint32_t Decide(const DecisionProblem& problem) override;
    void Reset() override;

    /**
     * One stream for the search, and those of Start.
     * @copydoc DecisionPolicy::AssignStreams
     */
    int64_t AssignStreams(int64_t stream) override;

    /// @return objective of the episode of Start; valid after the first decision
    double GetStartObjective() const
    {
        return m_startObjective;
    }

    /// @return objective of the best episode found; valid after the first decision
    double GetBestObjective() const
    {
        return m_bestObjective;
    }

  private:
    /// Actions by the key of their decision.
    using Plan = std::map<uint64_t, uint32_t>;

    /// A term of the objective.
    struct Term
    {
        double weight{1};  //!< its weight
        std::string name;  //!< "score", "reward", or the name of a figure
        std::size_t at{0}; //!< index of the figure
    };

    /// A decision with a choice.
    struct Option
    {
        std::size_t at;                //!< index of the decision
        uint32_t action;               //!< action taken
        std::vector<uint32_t> actions; //!< feasible actions, two or more
    };

    /// An episode of the twin.
    struct Episode
    {
        double objective{0};         //!< lower is better
        std::vector<uint64_t> keys;  //!< of all decisions, in order
        Plan plan;                   //!< all its actions
        std::vector<Option> options; //!< decisions with a choice
    };

    /// @param problem whose figures the objective may name  @return the terms
    /// @throws OdcnError when Objective is malformed or names no figure
    std::vector<Term> ReadObjective(const DecisionProblem& problem) const;

    /// @param problem that waits for a decision  @param n its index  @return the key
    static uint64_t GetKey(const DecisionProblem& problem, uint64_t n);

    class Recorder;

    /// Restart the policy Start.
    void Restart();

    /// @param plan actions; other decisions are those of Start  @return the episode of the twin
    Episode RunTwin(const Plan& plan);

    /// @param episode current  @return its plan with one or two other actions
    Plan Change(const Episode& episode);

    /// Find the best plan.
    void Search();

    std::string m_startWords;            //!< see Attribute Start
    std::string m_objective;             //!< see Attribute Objective
    uint32_t m_evaluations;              //!< see Attribute Evaluations
    double m_temperature;                //!< see Attribute Temperature
    Ptr<UniformRandomVariable> m_random; //!< of the search
    Ptr<DecisionPolicy> m_start;         //!< Start
    int64_t m_startStream{0};            //!< its first stream
    std::vector<Term> m_terms;           //!< of the objective
    Ptr<DecisionProblem> m_twin;         //!< second problem
    int64_t m_twinStream{0};             //!< its first stream
    uint64_t m_warmUp{0};                //!< jobs of the twin before the objective begins
    uint64_t m_jobs{UINT64_MAX};         //!< jobs of the twin that are planned
    bool m_found{false};                 //!< whether m_plan is that of this episode
    Plan m_plan;                         //!< best found
    uint64_t m_decided{0};               //!< decisions of this episode
    double m_startObjective{0};          //!< see GetStartObjective()
    double m_bestObjective{0};           //!< see GetBestObjective()
};

} // namespace ns3::odcn

#endif /* ODCN_HINDSIGHT_SEARCH_H */
