// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_AGENT_POLICY_H
#define ODCN_AGENT_POLICY_H

#include "ns3/odcn-action-scorer.h"
#include "ns3/odcn-decision-policy.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::odcn
{

class PolicyNetwork;

/**
 * @ingroup odcn
 *
 * Decides by a trained network: that of a checkpoint, a network in memory, or a TorchScript module
 * created elsewhere, e.g. in Python. The module's forward() takes a float tensor
 * [1, observation...] and returns one logit per action, or a tuple that begins with these logits.
 *
 * A file is read at the first decision, when the size of the problem is known, and again for a
 * problem of another size. A TorchScript module is code that runs with the rights of the program:
 * load only files that you trust. Checkpoints of learners contain no code.
 *
 * The network of a checkpoint decides several problems by one evaluation (DecideAll()). It is
 * always one of GetBatch() observations, also where one problem waits, or always one of one
 * observation if the network's rows depend on each other in their last bits
 * (PolicyNetwork::IsRowIndependent()). So a problem is decided alike, alone and among others.
 */
class AgentPolicy : public DecisionPolicy, public ActionScorer
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    AgentPolicy();
    ~AgentPolicy() override;

    /**
     * Decide by a network in memory instead of a file. To be called again when its parameters have
     * changed.
     * @param network made by PolicyNetwork
     */
    void SetNetwork(std::shared_ptr<PolicyNetwork> network);

    /// @return the network; null before the first decision, and for a TorchScript module
    std::shared_ptr<PolicyNetwork> GetNetwork() const;

    /**
     * Set the Attributes that the checkpoint was trained with. Networks in memory and TorchScript
     * modules specify none.
     * @param problem before its first decision
     * @throws OdcnError when the file cannot be read or is of another kind of problem
     */
    void Configure(DecisionProblem& problem) override;

    /**
     * Read the file now rather than at the first decision, so that errors are found early.
     * @param problem that determines the size
     * @throws OdcnError when there is no file, or it does not fit
     */
    void Load(const DecisionProblem& problem);

    /// @copydoc DecisionPolicy::Decide @throws OdcnError as Load(), or when a logit is not finite
    uint32_t Decide(const DecisionProblem& problem) override;

    uint32_t GetBatch() const override;
    void DecideAll(std::span<Episode> episodes) override;
    int64_t AssignStreams(int64_t stream) override;
    std::vector<float> GetScores(const DecisionProblem& problem,
                                 std::span<const float> observation) override;

    /// @return number of decisions so far, all evaluated by LibTorch
    uint64_t GetNDecisions() const
    {
        return m_nDecisions;
    }

    /// @return that of the Checkpoint, which is read now; empty for TorchScript
    /// @throws OdcnError when the file cannot be read
    std::map<std::string, std::string> GetProvenance() const override;

  protected:
    void DoDispose() override;

  private:
    /// Members that need LibTorch.
    struct Model;

    /// Discard the loaded model. @param checkpoint file of the next one
    void SetCheckpoint(std::string checkpoint);

    /// @return file of the model
    std::string GetCheckpoint() const
    {
        return m_checkpoint;
    }

    /// @return name of the model in errors
    std::string GetName() const;
    /// Read the file unless it has been read.
    void ReadModel() const;
    /// @param problem to be decided
    /// @return whether it has the size of the loaded model
    bool Fits(const DecisionProblem& problem) const;
    /// Compute the first of m_logits from the first of m_observed.
    void Infer();
    /// Compute m_logits from m_observed with the TorchScript module.
    void RunModule();
    /// @param problem to be decided
    /// @param logits of its actions
    /// @return the action
    uint32_t Choose(const DecisionProblem& problem, std::span<const float> logits);

    std::string m_checkpoint;            //!< File of the model
    std::string m_untrained;             //!< Words of an untrained network
    bool m_useMask;                      //!< Whether infeasible actions are excluded
    bool m_greedy;                       //!< Whether the largest logit is taken; otherwise sampled
    std::unique_ptr<Model> m_model;      //!< Never null
    std::vector<uint32_t> m_shape;       //!< Dimensions of an observation, as loaded
    uint32_t m_nActions{0};              //!< Number of actions, as loaded
    uint64_t m_nDecisions{0};            //!< Number of decisions so far
    int64_t m_stream{-1};                //!< For an untrained network; -1: chosen by ns-3
    Ptr<UniformRandomVariable> m_random; //!< For sampled actions
    std::vector<float> m_observed;       //!< Observations, one after the other
    std::vector<float> m_logits;         //!< Of the observations
    std::vector<float> m_probabilities;  //!< Of the actions
    std::vector<uint8_t> m_mask;         //!< Of the actions
};

} // namespace ns3::odcn

#endif /* ODCN_AGENT_POLICY_H */
