// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ROLLOUT_H
#define ODCN_ROLLOUT_H

#include "odcn-decision-policy.h"
#include "odcn-decision-problem.h"

#include "ns3/odcn-ranks.h"
#include "ns3/rng-stream.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * Logits of a batch; called by several threads at once.
 * Arguments: observations [n][observation size], n, [out] logits [n][actions].
 */
using Inference = std::function<void(const float*, std::size_t, float*)>;

/**
 * @ingroup odcn
 *
 * Decisions of one problem that are to be learnt from, oldest first. Rewards are delayed: only the
 * first rewards.size() samples are complete.
 */
struct Experience
{
    std::vector<float> observations;  //!< s_n, one after the other
    std::vector<uint8_t> masks;       //!< One row per sample; empty if masks are not used
    std::vector<uint32_t> actions;    //!< a_n
    std::vector<float> probabilities; //!< Of a_n when it was sampled; 1 if it was not
    std::vector<uint8_t> ends;        //!< SampleEnd of each sample
    std::vector<float> rewards;       //!< rho_n, as far as known

    /// Remove the oldest samples. @param n number of samples
    void DropFirst(std::size_t n);
};

/// How actions are chosen while experience is gathered.
struct Exploration
{
    double epsilon{1.0};              //!< Probability of sampling; else the likeliest is taken
    bool useMask{false};              //!< Whether infeasible actions are excluded
    DecisionPolicy* teacher{nullptr}; //!< Decides instead of the policy
    bool ownStates{false};            //!< Whether the policy acts, and the teacher is recorded
};

/**
 * @ingroup odcn
 *
 * Steps several problems with one policy, which evaluates several observations at once. Problems
 * are independent, and each has its own random stream for its actions. Their grouping depends on
 * the number of neither threads nor ranks, so results do not depend on them either.
 *
 * Of several ranks, each steps its share of the groups and passes to the others what it gathered:
 * all ranks have the experience, rewards and scores of all problems. Only those of its share are in
 * the same state as the only rank's.
 */
class Rollout
{
  public:
    /**
     * @param problems problems of one size
     * @param threads number of threads that step them
     * @param ranks that share the problems; they outlive this object
     */
    Rollout(std::vector<Ptr<DecisionProblem>> problems,
            uint32_t threads,
            Ranks& ranks = Ranks::Alone());

    /**
     * Reset every problem, give it new streams and remove all experience.
     * @param stream first stream number of the problems
     * @param actions first stream number from which actions are sampled
     * @param alike whether all problems get the same streams, and so the same events
     */
    void Restart(int64_t stream, int64_t actions, bool alike = false);

    /**
     * Step each problem until it has enough complete samples.
     * @param inference logits of the policy
     * @param exploration how actions are chosen
     * @param samples number of samples per problem
     * @return number of decisions
     */
    uint64_t Collect(const Inference& inference, const Exploration& exploration, uint32_t samples);

    /**
     * Step one problem in the calling thread, while other threads or ranks may step others.
     * @param i index of the problem
     * @param inference logits of the policy
     * @param exploration how actions are chosen, without a teacher
     * @param samples number of samples
     * @return number of decisions
     */
    uint64_t CollectOne(std::size_t i,
                        const Inference& inference,
                        const Exploration& exploration,
                        uint32_t samples);

    /**
     * Step each problem until its episode ends.
     * @param inference logits of the policy
     * @param exploration how actions are chosen, without a teacher
     * @param most decisions after which an episode is cut off; 0 for no limit
     * @return number of decisions
     */
    uint64_t CollectEpisodes(const Inference& inference,
                             const Exploration& exploration,
                             uint64_t most);

    /**
     * Step each problem without keeping experience or the rewards of these steps.
     * @param inference logits of the policy
     * @param exploration how actions are chosen
     * @param decisions number of decisions per problem
     * @return sum of the rewards that became known
     */
    double Run(const Inference& inference, const Exploration& exploration, uint64_t decisions);

    /// @return number of problems
    std::size_t GetN() const
    {
        return m_actors.size();
    }

    /// @param i index of a problem  @return its experience
    Experience& Get(std::size_t i)
    {
        return m_actors[i].experience;
    }

    /// @param rank a rank  @return index of the first problem that it steps, and one past its last
    std::pair<std::size_t, std::size_t> GetShare(std::size_t rank) const;

    /// @return mean of the problems' scores
    double GetScore() const;

    /// @param i index of a problem
    /// @param parcel passes its score from the rank that stepped it
    void PassScore(std::size_t i, Parcel& parcel);

    /// Restart the scores.
    void ClearScores();

  private:
    /// A problem and its state.
    struct Actor
    {
        Ptr<DecisionProblem> problem;     //!< The problem
        Experience experience;            //!< Its samples
        RngStream random{1, 0, 0};        //!< Stream for its actions
        uint64_t steps{0};                //!< Decisions in the present call
        uint64_t unrecordedRewardsDue{0}; //!< Rewards still due for steps of Run()
        double reward{0};                 //!< Sum of rewards received in the present call
        bool elsewhere{false};            //!< Whether another rank stepped it last
        double score{0};                  //!< Of the problem, if it is elsewhere
        std::size_t samples{0};           //!< Number of them before the present call
        std::size_t rewards{0};           //!< Number known before the present call
    };

    /// Working memory for one group of actors.
    struct Scratch
    {
        std::vector<float> rows;          //!< Observations
        std::vector<float> logits;        //!< Of the policy
        std::vector<float> probabilities; //!< Of one actor's actions
        std::vector<uint8_t> mask;        //!< Of one actor
        std::vector<Actor*> active;       //!< Actors that need more steps
    };

    /// @return number of groups that are stepped in lockstep, independent of threads and ranks: the
    /// last bits of logits may depend on the batch size
    std::size_t GetGroups() const;

    /// Whether an actor needs no more steps.
    using Enough = std::function<bool(const Actor&)>;

    /**
     * Step all problems.
     * @param inference logits of the policy
     * @param exploration how actions are chosen
     * @param record whether to keep experience
     * @param enough whether an actor needs no more steps
     * @return number of decisions
     */
    uint64_t StepAll(const Inference& inference,
                     const Exploration& exploration,
                     bool record,
                     const Enough& enough);

    /// Pass what an actor did in the present call.
    /// @param i its index
    /// @param record as StepAll()
    /// @param parcel passes steps, reward, score, and the further experience
    void PassCall(std::size_t i, bool record, Parcel& parcel);

    /**
     * Step a group of actors in lockstep.
     * @param group the actors  @param inference as StepAll()  @param exploration as StepAll()
     * @param record as StepAll()  @param enough as StepAll()
     */
    void StepGroup(std::span<Actor> group,
                   const Inference& inference,
                   const Exploration& exploration,
                   bool record,
                   const Enough& enough) const;

    /**
     * Choose the action of an actor and carry it out.
     * @param actor the actor
     * @param observation its observation
     * @param logits of the policy
     * @param exploration how actions are chosen
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
    uint32_t m_threads;          //!< Number of threads that step them
    Ranks& m_ranks;              //!< Those that share the problems
};

/// @param stream number, as for RandomVariableStream::SetStream()  @return that stream
RngStream MakeRngStream(int64_t stream);

} // namespace ns3::odcn

#endif /* ODCN_ROLLOUT_H */
