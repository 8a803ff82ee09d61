// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DECISION_PROBLEM_H
#define ODCN_DECISION_PROBLEM_H

#include "odcn-figure.h"

#include "ns3/object.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Layout of the flat observation of a problem on a graph, and the graph itself, which does not
 * change. DecisionProblem::Observe() writes these floats, one after the other:
 *
 *   nodes x nodeFeatures, row-major; links x linkFeatures, row-major; globals.
 *
 * Thus code that stores, copies or batches observations need not know about graphs.
 *
 * A link joins two nodes and has the same features in both directions; the neighbour lists
 * (compressed sparse rows) contain it at both ends. Node features are numbered from 0; the one at
 * chosenFeature is 1 at nodes that already belong to the present solution, else 0.
 */
struct GraphObservation
{
    /// Value of chosenFeature if no feature marks chosen nodes.
    static constexpr uint32_t NO_FEATURE = UINT32_MAX;

    uint32_t nodes{0};                  //!< number of nodes
    uint32_t nodeFeatures{0};           //!< floats per node
    uint32_t links{0};                  //!< number of links, each counted once
    uint32_t linkFeatures{0};           //!< floats per link
    uint32_t globals{0};                //!< floats for the whole graph
    uint32_t chosenFeature{NO_FEATURE}; //!< index of the node feature that marks chosen nodes
    std::vector<uint32_t> offsets;      //!< nodes + 1: index of the first neighbour of a node
    std::vector<uint32_t> neighbours;   //!< 2 x links: node at the other end, ascending per node
    std::vector<uint32_t> linkOf;       //!< 2 x links: the link to that neighbour
    std::vector<uint32_t> candidates;   //!< [action]: the node that it chooses

    bool operator==(const GraphObservation&) const = default; //!< @return whether all are equal

    /// @return number of floats in an observation
    uint32_t GetSize() const
    {
        return nodes * nodeFeatures + links * linkFeatures + globals;
    }

    /// @param observation an observation
    /// @return its node features, nodes x nodeFeatures
    const float* GetNodes(const float* observation) const
    {
        return observation;
    }

    /// @param observation an observation
    /// @return its link features, links x linkFeatures
    const float* GetLinks(const float* observation) const
    {
        return observation + std::size_t{nodes} * nodeFeatures;
    }

    /// @param observation an observation
    /// @return its global features, globals of them
    const float* GetGlobals(const float* observation) const
    {
        return GetLinks(observation) + std::size_t{links} * linkFeatures;
    }
};

class DecisionPolicy;
struct Episode;

/**
 * @ingroup odcn
 *
 * What became of a job (request, migration, time slot, epoch), and so of the decisions about it.
 */
struct DecisionOutcome
{
    std::size_t decisions{1};   //!< the latest decisions, whose rewards become known with it
    bool placed{true};          //!< whether it was served
    const char* cause{""};      //!< why it was not, see GetCauses() of its problem; "" if it was
    double latencyNs{NaN};      //!< mean latency of the network with it, in ns; NaN if unknown
    double reconfigurations{0}; //!< circuits that were changed for it; 0 if the problem has none

    /// Value of latencyNs if the problem does not know it.
    static constexpr double NaN = std::numeric_limits<double>::quiet_NaN();
};

/// Result of DecisionProblem::RunEpisode().
struct EpisodeRun
{
    uint64_t decisions{0}; //!< number of decisions
    double reward{0};      //!< sum of the rewards that became known
};

/**
 * @ingroup odcn
 *
 * A sequential decision problem: the interface between a system that is to be controlled and the
 * policies that decide, the learners that train them and the Experiment that measures them.
 *
 * A helper builds it. AssignStreams() chooses its random numbers and Reset() begins an episode.
 * Then either RunEpisode() lets a policy decide, or the caller proceeds step by step:
 *
 * @code
 *   problem->AssignStreams(0);
 *   problem->Reset();
 *   while (!problem->IsDone())
 *   {
 *       problem->Observe(observation.data()); // as needed
 *       problem->Mask(mask.data());           // as needed
 *       problem->Act(action);
 *       problem->TakeRewards(rewards);
 *   }
 * @endcode
 *
 * Calls out of this order, and actions that do not exist, throw an OdcnError.
 *
 * An instance holds no global state and never touches the Simulator, so any number may live in
 * one process, each used by one thread at a time.
 *
 * Rewards may be delayed: the actions of one job are rewarded together, when its outcome is known.
 * Every action is rewarded exactly once and in order, so the n-th reward taken belongs to the n-th
 * action.
 */
class DecisionProblem : public Object
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
     * @return the graph structure of an observation, for networks that pass messages; null if there
     * is none. It does not change while the problem lives and is the same for problems of one size.
     */
    virtual const GraphObservation* GetGraph() const;

    /**
     * The Attributes that determine the observation and nothing of the system itself. They may be
     * set at any decision, also after Reset().
     * @return their names; by default none
     */
    virtual std::vector<std::string> GetFormAttributes() const;

    /**
     * Names of the numbers that describe one action, e.g. "free-cores": one for each block of an
     * observation made of blocks with one number per action, or for each node feature of a graph.
     * @return the names; empty if an observation does not describe single actions (the default)
     */
    virtual std::vector<std::string> GetFeatureNames() const;

    /// Least and greatest value of each number of an observation; infinite where there is no bound.
    using Bounds = std::vector<std::pair<float, float>>;

    /// A pair without bounds.
    static constexpr std::pair<float, float> UNBOUNDED{-std::numeric_limits<float>::infinity(),
                                                       std::numeric_limits<float>::infinity()};

    /// A pair of numbers that are not negative.
    static constexpr std::pair<float, float> NON_NEGATIVE{0.0F, UNBOUNDED.second};

    /// @return bounds of GetObservationSize() numbers; none unless overridden
    virtual Bounds GetObservationBounds() const;

    /**
     * @param [out] out GetObservationSize() floats, row-major
     */
    virtual void Observe(float* out) const = 0;

    /**
     * @param [out] out GetNActions() bytes: 1 if the action is feasible as far as is known now, 0
     * if it is certain to fail. All 0 is possible: then every action fails.
     */
    virtual void Mask(uint8_t* out) const = 0;

    /**
     * Take an action. Afterwards the problem waits for the next decision, unless IsDone().
     *
     * @param action an index below GetNActions(); an infeasible one is accepted and has its
     * consequences
     * @throws OdcnError before Reset(), after the end of the episode, and for an action that does
     * not exist
     */
    virtual void Act(uint32_t action) = 0;

    /**
     * Hand over the rewards that became known since the last call: those in m_rewards unless
     * overridden.
     *
     * @param [in,out] out the rewards are appended, oldest action first
     */
    virtual void TakeRewards(std::vector<float>& out);

    /**
     * A reward of one's own.
     * @param outcome what became of a job
     * @param [in,out] rewards one for each decision about it, in order: those of the problem, to be
     * changed as desired
     */
    using RewardFunction =
        std::function<void(const DecisionOutcome& outcome, std::span<float> rewards)>;

    /// @return the causes of a DecisionOutcome that was not placed; none unless overridden
    virtual std::vector<std::string> GetCauses() const;

    /**
     * Let a function look at each outcome and change its rewards, before TakeRewards(). It is kept
     * by Reset() and by copies (Branch(), BranchJob()), by which policies compare actions, so it
     * should depend on its arguments alone. Figures of merit and score are the problem's own.
     * @param reward the function, called by the thread that calls Act(); empty for the problem's
     * own rewards
     */
    void SetReward(RewardFunction reward)
    {
        m_rewardName.clear();
        m_reward = std::move(reward);
    }

    /// @return the function of SetReward(); empty without one
    const RewardFunction& GetRewardFunction() const
    {
        return m_reward;
    }

    /// Looks at an outcome and at the rewards of its decisions, after RewardFunction.
    using OutcomeObserver =
        std::function<void(const DecisionOutcome& outcome, std::span<const float> rewards)>;

    /**
     * Let a function look at each outcome and change nothing. It is kept by Reset(), but copies
     * (Branch(), BranchJob()) do not have it: it sees what becomes of this problem alone.
     * @param observer the function, called by the thread that calls Act(); empty for none
     */
    void SetObserver(OutcomeObserver observer)
    {
        m_observer.function = std::move(observer);
    }

    /**
     * Give a reward of one's own a name, for the Attribute OwnReward of all problems,
     * "problemAttributes" of recipes and the option --ownReward of trainings.
     * @param name its name; OdcnError if there is one of the same name
     * @param reward the function
     * @return true
     */
    static bool RegisterReward(const std::string& name, RewardFunction reward);

    /// @return whether the episode has ended: m_done unless overridden
    virtual bool IsDone() const;

    /// @return whether IsDone() by a limit alone, though the system goes on, so that what would
    /// follow has a value; false unless overridden
    virtual bool IsCutShort() const;

    /**
     * Return to an empty system; the random streams continue, so that the next episode differs. The
     * episode may be over at once (IsDone()), if nothing is to be decided in it. MeasureFigures()
     * and GetTally() restart, GetScore() does not.
     */
    virtual void Reset() = 0;

    /// Reset() up to the next episode in which something is to be decided, for learners.
    /// @return whether there was one in the next MAX_QUIET_EPISODES
    bool ResetToDecision();

    /// Episodes in turn without a decision after which ResetToDecision() gives up.
    static constexpr int MAX_QUIET_EPISODES = 100;

    /**
     * @return a copy in the same state that meets the same later jobs, to see what follows from an
     * action
     * @throws OdcnError unless overridden, and when the problem does not wait for a decision
     */
    virtual Ptr<DecisionProblem> Branch();

    /**
     * @return a copy in the same state that ends with the present job, to plan it without knowledge
     * of later ones
     * @throws OdcnError as Branch()
     */
    virtual Ptr<DecisionProblem> BranchJob() const;

    /**
     * @param stream first stream number to use
     * @return how many streams were used
     */
    virtual int64_t AssignStreams(int64_t stream) = 0;

    /// @return what GetScore() measures, e.g. "blocking"
    virtual std::string GetScoreName() const = 0;

    /**
     * The figure of merit since the last ClearScore(), for progress lines and for keeping the best
     * checkpoint: m_score, 0 before its first term, unless overridden.
     * @return lower is better
     */
    virtual double GetScore() const;

    /// Restart GetScore() and, unless IsMeasuredWhole(), MeasureFigures() and GetTally() at the
    /// present state of the system.
    virtual void ClearScore();

    /// @return whether figures and tally are those of an episode as a whole (a day, a set of jobs),
    /// so that no part of it can be left out as a warm-up; false unless overridden
    virtual bool IsMeasuredWhole() const;

    /// @return the figures of merit; policies are ranked by the first. The score alone
    /// unless overridden
    virtual std::vector<FigureOfMerit> GetFigures() const;

    /// @return the values of GetFigures() since the last ClearScore() or Reset(), of the episode if
    /// IsMeasuredWhole(); the score unless overridden
    virtual std::vector<FigureValue> MeasureFigures() const;

    /// @return outcomes of the jobs (requests, tasks) since the last ClearScore() or Reset(), of
    /// the episode if IsMeasuredWhole()
    virtual DecisionTally GetTally() const;

    /// @return jobs (requests, tasks) decided since Reset(); the decisions of RunEpisode() unless
    /// overridden
    virtual uint64_t GetNDecided() const;

    /**
     * Set an Attribute of the problem, or of the first of its parts that has it, before Reset().
     * @param name of the Attribute  @param value as text
     * @throws OdcnError when there is no such Attribute, or the value is out of range
     */
    void Set(const std::string& name, const std::string& value);

    /**
     * @param name of an Attribute of the problem or of one of its parts
     * @return its value as text
     * @throws OdcnError when there is no such Attribute
     */
    std::string Get(const std::string& name) const;

    /**
     * Let a policy decide.
     *
     * @param policy the policy
     * @param jobs number of further jobs to decide before returning; by default the whole episode
     * @param decided called after every decision with GetNDecided(); may be empty
     * @param rewards gets the rewards that became known; null to discard them
     * @return number of decisions and sum of rewards
     * @throws Interruption after a signal, see Interruption::Guard
     * @throws OdcnError before Reset(), after the end of the episode, and when the policy does not
     * know this kind of problem or names an action that does not exist
     */
    EpisodeRun RunEpisode(DecisionPolicy& policy,
                          uint64_t jobs = UINT64_MAX,
                          const std::function<void(uint64_t)>& decided = nullptr,
                          std::vector<float>* rewards = nullptr);

    /**
     * Let policies of one kind decide several problems in lockstep, so that one evaluation of a
     * network serves all (DecisionPolicy::DecideAll()). Problems that are done are left as they
     * are. Rewards are discarded.
     *
     * @param episodes problems and policies
     * @param jobs as for RunEpisode()
     * @param decided called after every decision of the first problem, as by RunEpisode()
     * @throws Interruption as RunEpisode()
     * @throws OdcnError as RunEpisode()
     */
    static void RunEpisodes(std::span<Episode> episodes,
                            uint64_t jobs,
                            const std::function<void(uint64_t)>& decided);

  protected:
    /// @return the components of the problem (managers), for Set() and Get(); none unless
    /// overridden
    virtual std::vector<Ptr<Object>> GetParts() const;

    /// To be called by the constructor of a problem that cannot be used before Reset(), which must
    /// call BeginEpisode(): calls before that are refused.
    void AwaitReset()
    {
        m_begun = false;
    }

    /// To be called by Reset() after AwaitReset(): from now on the problem can be used.
    void BeginEpisode()
    {
        m_begun = true;
    }

    /// @param sound whether a precondition holds  @param expected for the error  @throws OdcnError
    void Require(bool sound, const char* expected) const
    {
        if (!sound)
        {
            Refuse(expected);
        }
    }

    /// @throws OdcnError before Reset()
    void RequireBegun() const
    {
        Require(m_begun, "Reset() first");
    }

    /// @throws OdcnError unless the problem waits for a decision
    void RequireDecision() const
    {
        RequireBegun();
        Require(!IsDone(), "the episode has ended: Reset() begins the next");
    }

    /// @param action of Act()  @throws OdcnError unless it can be taken now
    void RequireAction(uint32_t action) const;

    /// @return whether SettleRewards() is of use, e.g. whether a latency is worth computing
    bool ReportsOutcomes() const
    {
        return m_reward || m_observer.function;
    }

    /// To be called when the rewards of a job have been appended to m_rewards.
    /// @param outcome of the job; the functions of SetReward() and SetObserver() see it
    void SettleRewards(const DecisionOutcome& outcome);

    std::vector<float> m_rewards; //!< known rewards not taken yet
    bool m_done{false};           //!< whether the episode has ended
    FigureValue m_score{0, 0};    //!< of GetScore()

  private:
    /// @param name of an Attribute
    /// @return the problem or its first part that has it
    /// @throws OdcnError when none has
    Ptr<const Object> FindPart(const std::string& name) const;

    /// @param expected what to do  @throws OdcnError always
    [[noreturn]] void Refuse(const std::string& expected) const;

    /// Take an action and count it.
    /// @param action the action
    /// @param [out] rewards those that became known
    void Step(uint32_t action, std::vector<float>& rewards);

    /// @param name of the Attribute OwnReward
    void SetRewardName(const std::string& name);

    /// @return the name; "" for none
    std::string GetRewardName() const;

    /// An observer that copies of a problem do not get.
    struct Observer
    {
        Observer() = default;

        /// A copy is empty.
        Observer(const Observer& /* other */)
        {
        }

        Observer& operator=(const Observer&) = delete;

        OutcomeObserver function{}; //!< may be empty
    };

    RewardFunction m_reward;  //!< of SetReward()
    Observer m_observer;      //!< of SetObserver()
    std::string m_rewardName; //!< its name; "" for none
    bool m_begun{true};       //!< whether the problem can be used, see AwaitReset()
    uint64_t m_nDecided{0};   //!< decisions of RunEpisode()
};

} // namespace ns3::odcn

#endif /* ODCN_DECISION_PROBLEM_H */
