// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_PROBLEM_H
#define ODCN_TRAINING_PROBLEM_H

#include "odcn-training-fluid.h"
#include "odcn-training-links.h"
#include "odcn-training-mix.h"

#include "ns3/odcn-decision-problem.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Where the ranks of a training job go: jobs of a TrainingMix share the servers of a fabric, one
 * rank a server, and its links as in TrainingFluid.
 *
 * Jobs wait in the order of arrival. When there are servers for the first one, the decision is
 * which it gets. An action is a candidate: for each rack, a placement that begins there, and then
 * those of Rule. A placement that begins in a rack takes free servers of it, then of the rack that
 * is the fewest links away from those taken, and so on; of equals, that with the most free servers.
 * Ranks that exchange the most bytes are in one rack (TrainingBytes::Group()). A candidate is
 * infeasible if its rack has no free server, or there is nothing to wait for; taken all the same,
 * the job gets the lowest servers.
 *
 * The observation has FEATURES numbers per action, feature by feature, all from 0 to 1; an
 * infeasible action has -1 in place of each. With t the time of an iteration in an idle network, T
 * with those that run now as of TrainingFluid::Estimate(), T' likewise after the decision, n the
 * iterations left, f(x) = x / (1 + x):
 *
 * | feature | value |
 * |---|---|
 * | longer-alone | 1 - t / its time at these places without others |
 * | longer | 1 - t / T' of the job |
 * | harm | f(sum of n (T' - T) of the others / n t of the job) |
 * | slowdown-of-others | f(sum of n (T' - T) / N t of the others, N all of their iterations) |
 * | slowdown-of-all | 1 - 1 / (T' / t of the job + the same sum), see GetTotalSlowdown() |
 * | crossing | share of its bytes that leave racks |
 * | hops | links that its bytes take on average / most from rack to rack |
 * | busiest-link | share of the capacity that the busiest link carries, at most 1 |
 * | racks | racks that it uses / racks |
 * | whole-racks | racks without any job afterwards / racks |
 * | largest-free | most free servers of a rack afterwards / servers of a rack |
 * | wait | 1 for WAIT |
 * | waiting | jobs that wait behind it / 4 by f |
 * | free | free servers before the decision / servers |
 * | size | ranks / servers |
 * | length | n t of the job / mean n T of those that run, by f |
 * | communication | share of t that is not computation |
 * | first-end | least n T of those that run / n t of the job, by f |
 * | age | time that it has waited / n t, by f |
 *
 * The reward of a decision is minus the sum over jobs of the time until the next decision in which
 * the job waits or runs, as a share of its time alone; the rewards of an episode, which ends with
 * its last job, add up to minus the sum of the slowdowns, which are the times from arrival to end
 * as multiples of those alone.
 *
 * Follow() has the same decisions made for a TrainingCluster, whatever engine runs it.
 */
class TrainingProblem : public DecisionProblem
{
  public:
    /// Candidates behind those of the racks.
    enum Rule : uint32_t
    {
        PACKING,    //!< servers of the racks with the fewest free ones
        LOCALITY,   //!< those of the first rack that has enough; else of the racks with the most
        FIRST,      //!< the lowest ones
        MAX_WEIGHT, //!< those of the fullest rack that has enough; else of the racks with the most,
                    //!< with ranks that exchange the most bytes in one
        RANDOM,     //!< any
        WAIT,       //!< none until another job has come or ended
        RULES,      //!< number of these
    };

    /// Numbers in the observation of an action.
    static constexpr uint32_t FEATURES = 19;

    /// @return the TypeId
    static TypeId GetTypeId();
    TrainingProblem();

    /// @return index of the action of a rule
    /// @param rule the rule
    uint32_t GetAction(Rule rule) const
    {
        return m_racks + rule;
    }

    uint32_t GetNActions() const override;
    std::vector<uint32_t> GetObservationShape() const override;
    std::vector<std::string> GetFeatureNames() const override;
    Bounds GetObservationBounds() const override;
    void Observe(float* out) const override;
    void Mask(uint8_t* out) const override;
    void Act(uint32_t action) override;
    /// Begin an episode with other jobs. @throws OdcnError when an Attribute is invalid
    void Reset() override;
    int64_t AssignStreams(int64_t stream) override;
    std::string GetScoreName() const override;
    void ClearScore() override;

    bool IsMeasuredWhole() const override
    {
        return true;
    }

    std::vector<FigureOfMerit> GetFigures() const override;
    std::vector<FigureValue> MeasureFigures() const override;
    DecisionTally GetTally() const override;
    uint64_t GetNDecided() const override;

    /// A job that runs, for Follow().
    struct Running
    {
        std::shared_ptr<const TrainingSketch> sketch; //!< what it does
        std::vector<uint32_t> places;                 //!< end point of each rank
        uint32_t iterations;                          //!< all of them
        uint32_t left;                                //!< those that have not ended
    };

    /// A decision that another system has to make.
    struct Question
    {
        std::shared_ptr<const TrainingSketch> sketch; //!< of the job
        uint32_t iterations;                          //!< of the job
        double age;                                   //!< time that it has waited, s
        uint32_t waiting;                             //!< jobs behind it
        std::vector<Running> running;                 //!< that run now
    };

    /// @return the present decision as another system would ask for it
    /// @throws OdcnError when the problem does not wait for one of its own
    Question GetQuestion() const;

    /**
     * Let the next decision be about a job of another system, after Reset(). It has no
     * consequences here: instead of Act(), take GetPlaces() of the action.
     * @param question what is to be decided
     * @throws OdcnError before Reset(), and when there are not enough free servers
     */
    void Follow(const Question& question);

    /// @param action below GetNActions()
    /// @return server of each rank; none for WAIT, and for an infeasible action
    const std::vector<uint32_t>& GetPlaces(uint32_t action) const
    {
        return m_candidates.at(action).places;
    }

    /// @param action below GetNActions()
    /// @return estimated time of an iteration of the job with the others, in multiples of that
    /// alone
    double GetSlowdown(uint32_t action) const
    {
        return m_candidates.at(action).slowdown;
    }

    /// @param action below GetNActions()
    /// @return the same, and what others lose: the sum of what is added to their slowdowns
    double GetTotalSlowdown(uint32_t action) const
    {
        return m_candidates.at(action).slowdown + m_candidates.at(action).added;
    }

    /// @return the jobs of the episode
    const std::vector<TrainingMix::Job>& GetJobs() const
    {
        return m_jobs;
    }

    /**
     * Set the fabric, in place of Design, Racks, Servers, Uplinks and Gbps, before Reset().
     * @param design of the fabric
     */
    void SetDesign(const FabricDesign& design);

    /// @return the design of the fabric
    /// @throws OdcnError when there is none of its name, or it is not one of TrainingLinks
    FabricDesign MakeDesign() const;

    /// @return the link of a server to a network without contention, for a TrainingSketch
    Collective::Link GetLink() const;

  protected:
    std::vector<Ptr<Object>> GetParts() const override;

  private:
    /// Weight of jobs in the rewards.
    enum RewardKind : uint8_t
    {
        SLOWDOWN, //!< 1 / time alone of the job
        TIME,     //!< 1 / mean time alone of the jobs of the episode
    };

    /// A candidate.
    struct Candidate
    {
        std::vector<uint32_t> places{}; //!< server of each rank
        bool feasible{false};           //!< whether it may be taken
        double slowdown{1};             //!< see GetSlowdown()
        double added{0};                //!< to the slowdowns of others
        std::vector<float> features{};  //!< as observed
    };

    /// What a decision is about.
    struct Present
    {
        std::shared_ptr<const TrainingSketch> sketch{}; //!< of the job
        uint32_t iterations{1};                         //!< of the job
        double age{0};                                  //!< time that it has waited, s
        uint32_t waiting{0};                            //!< jobs behind it
        std::vector<TrainingFluid::Job> running{};      //!< that run now
        std::vector<uint32_t> totals{};                 //!< all of their iterations
        std::vector<double> times{};                    //!< estimated, of an iteration, s
    };

    /// Go on to the next decision, or to the end. @return reward of the time that has passed
    double GoOn();
    /// Let the time pass until a job comes or ends. @return reward of it
    double Pass();
    /// Take servers, or give them back. @param places the servers
    /// @param isUsed whether they are taken
    void SetUsed(const std::vector<uint32_t>& places, bool isUsed);
    /// Set all candidates. @param present what is to be decided, without the times
    void Propose(Present present);
    /// @param racks in which servers are taken
    /// @param ranks their number
    /// @return free servers of these racks, in their order
    std::vector<uint32_t> TakeFree(const std::vector<uint32_t>& racks, uint32_t ranks) const;
    /// @param racks in which servers are taken
    /// @param sketch of a job
    /// @return the same, with ranks that exchange the most bytes in one rack
    std::vector<uint32_t> TakeGrouped(const std::vector<uint32_t>& racks,
                                      const TrainingSketch& sketch) const;
    /// @param anchor a rack with free servers
    /// @param ranks of a job
    /// @return racks of the placement that begins there
    std::vector<uint32_t> FindNear(uint32_t anchor, uint32_t ranks) const;
    /// Set what is known of a candidate by its places.
    /// @param present what is to be decided
    /// @param [in,out] candidate the candidate
    void Describe(const Present& present, Candidate& candidate) const;

    std::string m_designName;                     //!< Design
    uint32_t m_racks;                             //!< Racks
    uint32_t m_servers;                           //!< Servers
    uint32_t m_uplinks;                           //!< Uplinks
    double m_gbps;                                //!< Gbps
    bool m_isShared;                              //!< Sharing
    RewardKind m_reward;                          //!< Reward
    Ptr<RandomVariableStream> m_load;             //!< Load
    Ptr<TrainingMix> m_mix;                       //!< draws jobs
    Ptr<UniformRandomVariable> m_any;             //!< for RANDOM
    std::optional<FabricDesign> m_design;         //!< of SetDesign()
    std::string m_linksOf;                        //!< what m_links was made of
    std::shared_ptr<const TrainingLinks> m_links; //!< of the fabric
    double m_mostHops{1};                         //!< from rack to rack
    std::vector<TrainingMix::Job> m_jobs;         //!< of the episode
    double m_meanAlone{1};                        //!< of them, s
    TrainingFluid m_fluid;                        //!< those that run
    std::vector<std::vector<uint32_t>> m_places;  //!< by job: server of each rank
    std::vector<bool> m_isUsed;                   //!< by server
    std::vector<uint32_t> m_freeOf;               //!< by rack: free servers
    uint32_t m_free{0};                           //!< free servers
    std::deque<uint32_t> m_queue;                 //!< jobs that wait
    uint32_t m_next{0};                           //!< job that comes next
    bool m_isAsked{false};                        //!< whether the first of the queue waits by WAIT
    bool m_isFollowing{false};                    //!< whether Follow() was called
    std::vector<Candidate> m_candidates;          //!< by action
    std::vector<FigureValue> m_figures;           //!< of the episode
    uint64_t m_nPlaced{0};                        //!< jobs that have started
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_PROBLEM_H */
