// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ROLLOUT_H
#define ODCN_ROLLOUT_H

#include "odcn-network.h"
#include "odcn-thread-team.h"

#include "ns3/odcn-decision-policy.h"
#include "ns3/odcn-decision-problem.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * What one environment went through, oldest first. Rewards come late: the first rewards.size() of
 * the samples are complete.
 */
struct OdcnExperience
{
    std::vector<float> observations; //!< s_n, one after the other
    std::vector<uint8_t> masks;      //!< One row a sample; empty where masks are not used
    std::vector<uint32_t> actions;   //!< a_n
    std::vector<float> chances;      //!< What a_n was drawn with; 1 where it was not drawn
    std::vector<uint8_t> ends;       //!< 1 where an episode ends after the sample
    std::vector<float> rewards;      //!< rho_n, as far as known

    /// Forget the oldest. @param n how many
    void DropFirst(std::size_t n);

    /// Forget all.
    void Clear();
};

/// How actions are chosen while experience is gathered.
struct OdcnExploration
{
    double epsilon{1.0};                  //!< Probability of roulette; argmax otherwise
    bool useMask{false};                  //!< Whether infeasible actions are excluded
    OdcnDecisionPolicy* teacher{nullptr}; //!< Decides instead of the network
};

/**
 * @ingroup odcn
 *
 * Runs several environments by one network. The environments are independent, each with a random
 * generator of its own, so that neither threads nor grouping change what happens.
 */
class OdcnRollout
{
  public:
    /**
     * @param problems the environments, of one size
     * @param team who steps them
     */
    OdcnRollout(std::vector<Ptr<OdcnDecisionProblem>> problems,
                std::shared_ptr<OdcnThreadTeam> team);

    /**
     * Reset every environment, give it new streams and forget all experience.
     * @param stream first stream number for the problems
     * @param seed tells the generators of the actions apart
     * @param alike whether all problems get the same streams, and so meet the same events
     * @return how many streams were used
     */
    int64_t Restart(int64_t stream, uint64_t seed, bool alike = false);

    /**
     * Step each environment until it has enough complete samples.
     * @param network who decides
     * @param exploration how
     * @param samples how many each needs
     * @return decisions made
     */
    uint64_t Collect(const OdcnNetwork& network,
                     const OdcnExploration& exploration,
                     uint32_t samples);

    /**
     * Step one environment in the calling thread, while other threads may step others.
     * @param i environment
     * @param network who decides
     * @param exploration how, without a teacher
     * @param samples how many complete samples it needs
     * @return decisions made
     */
    uint64_t CollectOne(std::size_t i,
                        const OdcnNetwork& network,
                        const OdcnExploration& exploration,
                        uint32_t samples);

    /**
     * Step each environment until its episode ends.
     * @param network who decides
     * @param exploration how, without a teacher
     * @param most decisions of an episode that is cut short; 0 for any
     * @return decisions made
     */
    uint64_t CollectEpisodes(const OdcnNetwork& network,
                             const OdcnExploration& exploration,
                             uint64_t most);

    /**
     * Step each environment without keeping experience; what later becomes known of these steps
     * is nobody's reward.
     * @param network who decides
     * @param exploration how
     * @param decisions how many in each
     */
    void Run(const OdcnNetwork& network, const OdcnExploration& exploration, uint64_t decisions);

    /// @return number of environments
    std::size_t GetN() const;

    /// @param i environment  @return its experience
    OdcnExperience& Get(std::size_t i);

    /// @return mean of the environments' scores
    double GetScore() const;

    /// Start the scores anew.
    void ClearScores();

  private:
    /// An environment and what belongs to it.
    struct Actor
    {
        Ptr<OdcnDecisionProblem> problem; //!< The environment
        OdcnExperience experience;        //!< What it went through
        std::mt19937_64 random;           //!< For its actions
        uint64_t steps{0};                //!< Decisions since the call began
        uint64_t foreign{0};              //!< Rewards to come for steps that Run() took
    };

    /// Working memory of a thread.
    struct Worker
    {
        std::vector<float> rows;      //!< Observations of the actors of a group
        std::vector<float> logits;    //!< Likewise
        std::vector<float> chances;   //!< Of one actor
        std::vector<uint8_t> mask;    //!< Of one actor
        std::vector<Actor*> active;   //!< Those of a group that need more
        OdcnNetwork::Scratch scratch; //!< For the network
    };

    /**
     * Step all environments, keeping experience.
     * @param network who decides
     * @param exploration how
     * @param enough whether an actor needs no more
     * @return decisions made
     */
    uint64_t StepAll(const OdcnNetwork& network,
                     const OdcnExploration& exploration,
                     const std::function<bool(const Actor&)>& enough);

    /// @param body called for every group of actors, by several threads
    void ForGroups(const std::function<void(std::span<Actor>, Worker&)>& body);

    /**
     * Step a group in step with each other, so that the network sees several rows at once.
     * @param group the actors
     * @param worker memory of this thread
     * @param network who decides
     * @param exploration how
     * @param record whether to keep experience
     * @param enough whether an actor needs no more
     */
    void Step(std::span<Actor> group,
              Worker& worker,
              const OdcnNetwork& network,
              const OdcnExploration& exploration,
              bool record,
              const std::function<bool(const Actor&)>& enough) const;

    std::vector<Actor> m_actors;            //!< The environments
    std::shared_ptr<OdcnThreadTeam> m_team; //!< Who steps them
    std::vector<Worker> m_workers;          //!< One a thread of the team
    std::vector<Worker> m_alone;            //!< One an environment, for CollectOne()
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_ROLLOUT_H */
