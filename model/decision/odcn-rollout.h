// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ROLLOUT_H
#define ODCN_ROLLOUT_H

#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-decision-problem.h"
#include "ns3/rng-stream.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace ns3::odcn
{

/**
 * Logits of a batch; called by several threads at once.
 * First argument [n][observation size], second n, third [out] [n][actions].
 */
using Inference = std::function<void(const float*, std::size_t, float*)>;

/**
 * @ingroup odcn
 *
 * The decisions of one problem that wait to be learnt from, oldest first. Rewards come late: the
 * first rewards.size() samples are complete.
 */
struct Experience
{
    std::vector<float> observations;  //!< s_n, one after the other
    std::vector<uint8_t> masks;       //!< One row a sample; empty where masks are not used
    std::vector<uint32_t> actions;    //!< a_n
    std::vector<float> probabilities; //!< Of a_n when it was sampled; 1 where it was not sampled
    std::vector<uint8_t> ends;        //!< 1 where an episode ends after the sample
    std::vector<float> rewards;       //!< rho_n, as far as known

    /// Forget the oldest. @param n how many
    void DropFirst(std::size_t n);
};

/// How actions are chosen while experience is gathered.
struct Exploration
{
    double epsilon{1.0};              //!< Probability of sampling; the likeliest otherwise
    bool useMask{false};              //!< Whether infeasible actions are excluded
    DecisionPolicy* teacher{nullptr}; //!< Decides instead of the policy
};

/**
 * @ingroup odcn
 *
 * Steps several problems with one policy, which sees several observations at once. Problems are
 * independent, each with a random stream of its own for its actions, and are grouped alike whatever
 * the number of threads, so threads do not change results.
 */
class Rollout
{
  public:
    /**
     * @param problems of one size
     * @param threads that step them
     */
    Rollout(std::vector<Ptr<DecisionProblem>> problems, uint32_t threads);

    /**
     * Reset every problem, give it new streams and forget all experience.
     * @param stream first stream number of the problems
     * @param actions first stream number from which actions are sampled
     * @param alike whether all problems get the same streams, and so the same events
     */
    void Restart(int64_t stream, int64_t actions, bool alike = false);

    /**
     * Step each problem until it has enough complete samples.
     * @param inference logits of the policy
     * @param exploration how
     * @param samples that each needs
     * @return decisions made
     */
    uint64_t Collect(const Inference& inference, const Exploration& exploration, uint32_t samples);

    /**
     * Step one problem in the calling thread, while other threads may step others.
     * @param i problem
     * @param inference logits of the policy
     * @param exploration how, without a teacher
     * @param samples that it needs
     * @return decisions made
     */
    uint64_t CollectOne(std::size_t i,
                        const Inference& inference,
                        const Exploration& exploration,
                        uint32_t samples);

    /**
     * Step each problem until its episode ends.
     * @param inference logits of the policy
     * @param exploration how, without a teacher
     * @param most decisions after which an episode is cut short; 0 for none
     * @return decisions made
     */
    uint64_t CollectEpisodes(const Inference& inference,
                             const Exploration& exploration,
                             uint64_t most);

    /**
     * Step each problem without keeping experience; rewards of these steps are not kept either.
     * @param inference logits of the policy
     * @param exploration how
     * @param decisions of each
     * @return sum of the rewards that became known
     */
    double Run(const Inference& inference, const Exploration& exploration, uint64_t decisions);

    /// @return number of problems
    std::size_t GetN() const
    {
        return m_actors.size();
    }

    /// @param i problem  @return its experience
    Experience& Get(std::size_t i)
    {
        return m_actors[i].experience;
    }

    /// @return mean of the problems' scores
    double GetScore() const;

    /// Start the scores anew.
    void ClearScores();

  private:
    /// A problem and what belongs to it.
    struct Actor
    {
        Ptr<DecisionProblem> problem;     //!< The problem
        Experience experience;            //!< Its samples
        RngStream random{1, 0, 0};        //!< For its actions
        uint64_t steps{0};                //!< Decisions since the call began
        uint64_t unrecordedRewardsDue{0}; //!< Rewards to come for steps that Run() took
        double reward{0};                 //!< Sum of rewards known since the call began
    };

    /// Working memory for one group of actors.
    struct Scratch
    {
        std::vector<float> rows;          //!< Observations
        std::vector<float> logits;        //!< Of the policy
        std::vector<float> probabilities; //!< Of one actor
        std::vector<uint8_t> mask;        //!< Of one actor
        std::vector<Actor*> active;       //!< Those that need more
    };

    /// Whether an actor needs no more steps.
    using Enough = std::function<bool(const Actor&)>;

    /**
     * Step all problems.
     * @param inference logits of the policy
     * @param exploration how
     * @param record whether to keep experience
     * @param enough ends an actor's steps
     * @return decisions made
     */
    uint64_t StepAll(const Inference& inference,
                     const Exploration& exploration,
                     bool record,
                     const Enough& enough);

    /// Step some actors in step with each other. @param group of actors  @param others as StepAll()
    void StepGroup(std::span<Actor> group,
                   const Inference& inference,
                   const Exploration& exploration,
                   bool record,
                   const Enough& enough) const;

    /**
     * Choose the action of an actor and carry it out.
     * @param actor that decides
     * @param observation of it
     * @param logits of the policy
     * @param exploration how
     * @param record whether to keep experience
     * @param scratch working memory
     */
    void Act(Actor& actor,
             std::span<const float> observation,
             std::span<const float> logits,
             const Exploration& exploration,
             bool record,
             Scratch& scratch) const;

    std::vector<Actor> m_actors; //!< The problems
    uint32_t m_threads;          //!< That step them
};

/// @param stream number, as for RandomVariableStream::SetStream()  @return that stream
RngStream MakeRngStream(int64_t stream);

} // namespace ns3::odcn

#endif /* ODCN_ROLLOUT_H */
