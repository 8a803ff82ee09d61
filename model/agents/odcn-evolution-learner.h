// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_EVOLUTION_LEARNER_H
#define ODCN_EVOLUTION_LEARNER_H

#include "odcn-learner.h"

#include "ns3/odcn-evolution-strategy.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3::odcn
{

class LinearPolicy;

/**
 * @ingroup odcn
 *
 * Learns by comparing whole policies: separable CMA-ES (Ros and Hansen, 2008) on the parameters
 * that decisions depend on. It maximises the mean reward of the greedy policy over long runs, so
 * that consequences a thousand decisions later count in full, without discounting, a value network
 * or gradients. Suited to policies of up to some hundred parameters.
 *
 * The policy is linear (LinearPolicy) with SetNetwork("Linear"), which starts from zeros, or from
 * SetStart(), and whose checkpoint is LinearPolicy's file; or any network of SetNetwork(), which
 * starts from the network's parameters.
 *
 * An epoch is a generation. Population candidates are sampled around the mean, in mirrored pairs,
 * and each runs Streams problems: all with the same random streams, so that candidates differ only
 * by their decisions. The next generation gets other streams. Each problem is first filled by the
 * candidate itself (WarmUpDecisions) before rewards count. The mean is evaluated and saved.
 *
 * If problems end, a run may consist of whole Episodes instead, and candidates may be compared by
 * the problem's Score, such as the share of requests refused, instead of the reward of a decision:
 * a policy that needs more decisions for the same result then has no disadvantage.
 *
 * Stream s runs on problem s modulo their number, so problems may differ, e.g. in their traffic; a
 * candidate meets all of them if Streams is a multiple of their number. Results do not depend on
 * Threads, nor on the number of problems that differ in their streams only; both limit the number
 * of simultaneous runs.
 */
class EvolutionLearner : public Learner
{
  public:
    /// How candidates are compared.
    enum Objective
    {
        REWARD, //!< largest mean reward of a decision
        SCORE,  //!< lowest score
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    EvolutionLearner();
    ~EvolutionLearner() override;

    /// @return the mean of the candidates: of a linear policy the weights, then the bias; of a
    /// network all parameters
    std::vector<float> GetParameters() const override;

    /// @return reward: mean reward of a decision over the candidates of the last generation; sigma:
    /// step size
    std::map<std::string, double> GetFigures() const override;

    /// Begin with a linear policy instead of zeros. @param policy its weights and its bias
    void SetStart(const LinearPolicy& policy);

  protected:
    void DoDispose() override;
    void DoRestart() override;
    void DoPrepare() override;
    bool RunEpoch() override;
    Evaluation DoEvaluate(int64_t stream) override;
    double GetMerit(const Evaluation& evaluation) const override;
    bool IsOver() const override;
    void BuildNetwork() override;
    void WritePolicy(Archive& archive) const override;
    void ReadPolicy(const Archive& archive, const std::string& path) override;
    void WriteState(Archive& archive, nlohmann::json& header) const override;
    void ReadState(const Archive& archive,
                   const nlohmann::json& header,
                   const std::string& path) override;
    void WriteCheckpoint(const std::string& path,
                         const std::map<std::string, std::string>& provenance) const override;
    Ptr<DecisionPolicy> MakePolicy() const override;

    double TakeScore() override
    {
        return m_score;
    }

  private:
    /// The policy of a thread: sets the parameters and returns the policy.
    using Player = std::function<DecisionPolicy&(const std::vector<float>&)>;

    /// One run of a policy on a problem.
    struct Run
    {
        const std::vector<float>* parameters{nullptr}; //!< Parameters of the policy
        std::size_t problem{0};                        //!< Index of the problem
        int64_t stream{0};                             //!< First stream of the problem
        uint64_t warmUp{0};                            //!< Decisions before rewards count
        uint64_t counted{0};                           //!< Decisions that count
        uint64_t episodes{0};                          //!< Whole episodes instead, or 0
        double reward{0};                              //!< Mean reward of a decision
        double score{0};                               //!< Score of the problem
        uint64_t decisions{0};                         //!< Number of decisions
        bool isComplete{false};                        //!< Whether it was not stopped
    };

    /// @return whether the policy is linear
    bool IsLinear() const;
    /// Read the mean from the network, unless the policy is linear.
    void TakeMean();
    /// @return a policy for a thread
    Player MakePlayer() const;
    /// Carry out runs by several threads. @param runs get the results  @param problems each used by
    /// one thread at a time  @return whether all are complete
    bool Execute(std::vector<Run>& runs, const std::vector<Ptr<DecisionProblem>>& problems);
    /// @param problem after Reset(), with its streams  @param policy with its parameters
    /// @param run gets the results  @return whether it is complete, not stopped
    bool Play(DecisionProblem& problem, DecisionPolicy& policy, Run& run) const;

    std::vector<Player> m_players; //!< One per thread
    std::vector<float> m_start;    //!< Of SetStart(); empty for zeros
    EvolutionStrategy m_search;    //!< Distribution of the candidates
    double m_reward{0};            //!< Mean reward of the last generation
    double m_score{0};             //!< Mean score of the last generation
    uint32_t m_population;         //!< Candidates per generation
    uint32_t m_streams;            //!< Streams per candidate
    uint64_t m_warmUpDecisions;    //!< Per problem, before rewards count
    uint64_t m_runDecisions;       //!< Per problem, that count
    uint64_t m_episodes;           //!< Episodes that count instead, or 0
    Objective m_objective;         //!< How candidates are compared
    double m_sigma;                //!< Initial step size
    uint64_t m_generations;        //!< Length of the training; 0 for no limit
};

} // namespace ns3::odcn

#endif /* ODCN_EVOLUTION_LEARNER_H */
