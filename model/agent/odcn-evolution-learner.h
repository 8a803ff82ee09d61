// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_EVOLUTION_LEARNER_H
#define ODCN_EVOLUTION_LEARNER_H

#include "odcn-network.h"

#include "ns3/object.h"
#include "ns3/odcn-decision-problem.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace odcn
{

/// How an evolution stands after a generation, as given to the progress function.
struct OdcnEvolutionProgress
{
    uint64_t generation{0}; //!< Generations finished
    uint64_t decisions{0};  //!< Decisions made by all candidates so far
    double reward{0};       //!< Mean reward of a decision, over the candidates of this generation
    double score{0};        //!< Their mean score
    double sigma{0};        //!< Step size
    bool evaluated{false};  //!< Whether the mean of the candidates was evaluated
    double evaluation{0};   //!< Then its mean reward
    double evaluationScore{0}; //!< and its score
    bool isBest{false};        //!< Whether no evaluation before was as good
};

/**
 * @ingroup odcn
 *
 * Learns by comparing whole policies: the separable CMA-ES (Ros and Hansen, 2008) on the
 * parameters that a network's logits depend on. It maximises the mean reward of the greedy policy
 * over long runs, so that what a decision costs a thousand decisions later counts in full, without
 * a discount, a value network or a gradient. Fit for networks of up to some hundred parameters.
 *
 * In each generation Population candidates are drawn around the mean, in mirrored pairs, and each
 * runs Streams problems: all the same streams of randomness, so that candidates differ by what they
 * decide and not by what they meet. The next generation gets other streams. A problem is filled
 * by the candidate itself (WarmUpDecisions) before its rewards count.
 *
 * Where a problem ends, a run may be so many whole Episodes instead, and candidates may be compared
 * by the problem's Score, such as the share of requests refused, instead of the reward of a
 * decision: then one that needs more decisions for the same end is not the worse for it.
 *
 * Results do not depend on Threads or on the number of problems given; a learner that continues
 * from SaveState() ends with the same parameters, bit for bit, as one that was not interrupted.
 */
class OdcnEvolutionLearner : public Object
{
  public:
    /// By what candidates are compared.
    enum Objective
    {
        REWARD, //!< greatest mean reward of a decision
        SCORE,  //!< least score
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    OdcnEvolutionLearner();
    ~OdcnEvolutionLearner() override;

    /// @param network what to train; built, with all parameters 0, by Prepare() if it is not
    void SetNetwork(Ptr<OdcnNetwork> network);

    /// @param problems equal but for their streams; as many as threads may run at once
    void SetEnvironments(const std::vector<Ptr<OdcnDecisionProblem>>& problems);

    /// @param progress called after each generation
    void SetProgress(std::function<void(const OdcnEvolutionProgress&)> progress);

    /**
     * @param stream first stream number to use
     * @return how many streams are set aside
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Build the network if it is not built. Train(), Evaluate() and LoadState() do so themselves.
     * @throws OdcnError when network and problems do not fit each other
     */
    void Prepare();

    /**
     * Evolve until so many generations are finished in all, those of a resumed state included.
     * @param generations the total
     * @return whether it was reached; false after RequestStop()
     */
    bool Train(uint64_t generations);

    /// Make Train() return after this generation. May be called by a signal handler.
    void RequestStop();

    /**
     * Run the network as it is, greedy, on streams that no generation uses.
     * @param [out] score its mean score
     * @return mean reward of a decision
     */
    double Evaluate(double& score);

    /**
     * Write all that is needed to resume.
     * @param path file, replaced whole
     */
    void SaveState(const std::string& path) const;

    /**
     * Continue what SaveState() wrote.
     * @param path file
     * @throws OdcnError when it is no such file or of another network
     */
    void LoadState(const std::string& path);

    /**
     * Write the network of the best evaluation (without any: the present mean) for OdcnAgentPolicy.
     * @param path file, replaced whole
     * @param provenance what people may want to know, e.g. "command"
     */
    void SaveCheckpoint(const std::string& path,
                        const std::map<std::string, std::string>& provenance) const;

    /// @return generations finished
    uint64_t GetGenerations() const;

    /// @return decisions made by candidates so far
    uint64_t GetDecisions() const;

    /// @return the network, with the mean of the candidates as its parameters
    Ptr<OdcnNetwork> GetNetwork() const;

  protected:
    void DoDispose() override;

  private:
    /// All that a resumed evolution needs; floats, as a checkpoint keeps them.
    struct State
    {
        std::vector<float> mean;      //!< Of the candidates
        std::vector<float> variance;  //!< Of each parameter, before the step size
        std::vector<float> stepPath;  //!< Evolution path of the step size
        std::vector<float> shapePath; //!< Evolution path of the variances
        double sigma{0};              //!< Step size
        uint64_t generation{0};       //!< Generations finished
        uint64_t decisions{0};        //!< Decisions made
        std::vector<float> best;      //!< Mean of the best evaluation
        double bestFitness{-std::numeric_limits<double>::infinity()}; //!< And how good it is
    };

    /// One policy on one set of streams.
    struct Run
    {
        const float* parameters; //!< Of the logits
        int64_t stream;          //!< First stream of the problem
        double reward{0};        //!< Mean of a decision
        double score{0};         //!< Of the problem
        uint64_t decisions{0};   //!< Made
    };

    /// Carry out runs, by several threads. @param runs what to run; gets the results
    void Execute(std::vector<Run>& runs);

    /**
     * Carry out one run.
     * @param problem to run, with its streams
     * @param network with its parameters
     * @param run gets the results
     */
    void Play(OdcnDecisionProblem& problem, const OdcnNetwork& network, Run& run) const;

    /// @param reward of a decision  @param score of the problem  @return what is to be greatest
    double GetFitness(double reward, double score) const
    {
        return m_objective == Objective::REWARD ? reward : -score;
    }

    /// One generation. @return what it came to
    OdcnEvolutionProgress Generation();

    /**
     * Move the mean, the step size and the variances.
     * @param steps [population][parameters] standard normal steps of the candidates, best first
     */
    void Adapt(const std::vector<std::vector<float>>& steps);

    /// Give the network the mean.
    void ShowMean();

    Ptr<OdcnNetwork> m_network;                                   //!< What is trained
    std::vector<Ptr<OdcnDecisionProblem>> m_problems;             //!< Where
    std::vector<Ptr<OdcnNetwork>> m_players;                      //!< Copies, one a thread
    std::function<void(const OdcnEvolutionProgress&)> m_progress; //!< Is told
    int64_t m_stream{0};                                          //!< First stream
    State m_state;                                                //!< Present
    std::atomic<bool> m_stop{false};                              //!< Whether to return
    uint32_t m_population;                                        //!< Candidates of a generation
    uint32_t m_streams;                                           //!< Problems each of them runs
    uint64_t m_warmUpDecisions;                                   //!< Before rewards count
    uint64_t m_decisions;                                         //!< That count, of each problem
    uint64_t m_episodes;                                          //!< That count instead, or 0
    Objective m_objective;                                        //!< What candidates differ by
    double m_sigma;                                               //!< First step size
    bool m_useMask;                                               //!< Exclude infeasible actions
    uint32_t m_evaluationGenerations; //!< From one evaluation to the next
    uint32_t m_evaluationStreams;     //!< Problems of an evaluation
    uint32_t m_threads;               //!< At once
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_EVOLUTION_LEARNER_H */
