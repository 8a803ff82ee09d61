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

/**
 * @ingroup odcn
 *
 * Learns by comparing whole policies: the separable CMA-ES (Ros and Hansen, 2008) on the parameters
 * that decisions depend on. It maximises the mean reward of the greedy policy over long runs, so
 * that the cost of a decision a thousand decisions later counts in full, without a discount, a
 * value network or a gradient. Suited to policies of up to some hundred parameters.
 *
 * The policy is linear (LinearPolicy) with SetNetwork("Linear"), which starts from zeros and whose
 * checkpoint is LinearPolicy's file; or any network of SetNetwork(), which starts from the
 * network's parameters.
 *
 * An epoch is a generation. Population candidates are drawn around the mean, in mirrored pairs, and
 * each runs Streams problems: all the same random streams, so that candidates differ by what they
 * decide alone. The next generation gets other streams. A problem is filled by the candidate itself
 * (WarmUpDecisions) before its rewards count. The policy that is evaluated and saved is the mean.
 *
 * Where a problem ends, a run may be so many whole Episodes instead, and candidates may be compared
 * by the problem's Score, such as the share of requests refused, instead of the reward of a
 * decision: a policy that needs more decisions for the same end then has no disadvantage.
 *
 * Results depend neither on Threads nor on the number of problems given, which must be equal but
 * for their streams; as many run at once as there are problems and threads.
 */
class EvolutionLearner : public Learner
{
  public:
    /// How candidates are compared.
    enum Objective
    {
        REWARD, //!< greatest mean reward of a decision
        SCORE,  //!< least score
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

  protected:
    void DoDispose() override;
    void DoPrepare() override;
    bool RunEpoch() override;
    Evaluation DoEvaluate() override;
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
    double TakeScore() override;

  private:
    /// A policy of a thread: takes parameters, returns the policy with them.
    using Player = std::function<DecisionPolicy&(const std::vector<float>&)>;

    /// One policy on one problem.
    struct Run
    {
        const std::vector<float>* parameters{nullptr}; //!< Of the policy
        int64_t stream{0};                             //!< First stream of the problem
        uint64_t warmUp{0};                            //!< Decisions before rewards count
        uint64_t counted{0};                           //!< Decisions that count
        uint64_t episodes{0};                          //!< Whole episodes instead, or 0
        double reward{0};                              //!< Mean of a decision
        double score{0};                               //!< Of the problem
        uint64_t decisions{0};                         //!< Made
    };

    /// @return whether the policy is linear
    bool IsLinear() const;
    /// Read the mean from the network, where the policy is one.
    void TakeMean();
    /// @return a policy for a thread
    Player MakePlayer() const;
    /// Carry out runs by several threads. @param runs get the results  @param problems to run on,
    /// each by one thread  @param fixed whether run i is on problem i  @return whether all are
    /// complete
    bool Execute(std::vector<Run>& runs,
                 const std::vector<Ptr<DecisionProblem>>& problems,
                 bool fixed);
    /// @param problem reset, with its streams  @param policy with its parameters  @param run gets
    /// the results  @return whether it is complete, not stopped
    bool Play(DecisionProblem& problem, DecisionPolicy& policy, Run& run) const;

    std::vector<Player> m_players; //!< One a thread
    EvolutionStrategy m_search;    //!< Distribution of the candidates
    double m_reward{0};            //!< Mean of the last generation
    double m_score{0};             //!< Mean score of the last generation
    uint32_t m_population;         //!< Candidates of a generation
    uint32_t m_streams;            //!< Problems that each of them runs
    uint64_t m_warmUpDecisions;    //!< Of each problem, before rewards count
    uint64_t m_runDecisions;       //!< Of each problem, that count
    uint64_t m_episodes;           //!< That count instead, or 0
    Objective m_objective;         //!< How candidates are compared
    double m_sigma;                //!< First step size
    uint64_t m_generations;        //!< Of the whole training; 0 for no limit
};

} // namespace ns3::odcn

#endif /* ODCN_EVOLUTION_LEARNER_H */
