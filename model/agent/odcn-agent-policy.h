// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_AGENT_POLICY_H
#define ODCN_AGENT_POLICY_H

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
 * A trained network that decides: that of a checkpoint, a network in memory, or a TorchScript
 * module that was made elsewhere, in Python for example. The module's forward() takes a float
 * tensor [1, observation...] and returns logits of as many numbers as there are actions, or a tuple
 * that begins with them.
 *
 * A file is read at the first decision, when the size of the problem is known, and again when a
 * problem of another size is met. A TorchScript module is code that runs with the rights of the
 * program: load only files that you trust. Checkpoints of learners hold no code.
 *
 * Dense networks (DenseNetwork) decide one state without LibTorch, whose overhead exceeds the work;
 * their logits then differ from LibTorch's by relative 1e-5 at most. FastPath switches this off.
 */
class AgentPolicy : public DecisionPolicy
{
  public:
    /// Evaluations of a network.
    struct ForwardPasses
    {
        uint64_t torch{0}; //!< By LibTorch
        uint64_t fast{0};  //!< Without it
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    AgentPolicy();
    ~AgentPolicy() override;

    /**
     * Decide by a network in memory instead of a file. To be called again after its parameters
     * changed.
     * @param network made by PolicyNetwork
     */
    void SetNetwork(std::shared_ptr<PolicyNetwork> network);

    /// @return the network; null before the first decision, and for a TorchScript module
    std::shared_ptr<PolicyNetwork> GetNetwork() const;

    /**
     * Give a problem the Attributes that the checkpoint was trained with. Networks in memory and
     * TorchScript modules do not say any.
     * @param problem before its first decision
     * @throws OdcnError when the file cannot be read or is of another kind of problem
     */
    void Configure(DecisionProblem& problem) override;

    /**
     * Read the file now rather than at the first decision, so that errors show early.
     * @param problem whose size counts
     * @throws OdcnError when there is none or it does not fit
     */
    void Load(const DecisionProblem& problem);

    /// @throws OdcnError as Load(), or when a logit is not finite
    uint32_t Decide(const DecisionProblem& problem) override;

    int64_t AssignStreams(int64_t stream) override;

    /// @return evaluations so far
    const ForwardPasses& GetForwardPasses() const
    {
        return m_passes;
    }

  protected:
    void DoDispose() override;

  private:
    /// What needs LibTorch.
    struct Model;

    /// Forget the loaded model. @param checkpoint file of the next one
    void SetCheckpoint(std::string checkpoint);
    /// @return file of the model
    std::string GetCheckpoint() const;
    /// @return name of the model in errors
    std::string GetName() const;
    /// Read the file unless that is done.
    void ReadModel();
    /// Set m_logits from m_observed by the TorchScript module.
    void RunModule();
    /// @param problem whose m_logits are known  @return the action
    uint32_t Choose(const DecisionProblem& problem);

    std::string m_checkpoint;            //!< File
    bool m_useMask;                      //!< Whether infeasible actions are excluded
    bool m_greedy;                       //!< Greatest logit; otherwise sampled
    bool m_fastPath;                     //!< Whether one state may be decided without LibTorch
    std::unique_ptr<Model> m_model;      //!< Never null
    std::vector<uint32_t> m_shape;       //!< Of an observation, as loaded
    uint32_t m_nActions{0};              //!< As loaded
    ForwardPasses m_passes;              //!< So far
    int64_t m_stream{-1};                //!< For m_random; -1: chosen by ns-3
    Ptr<UniformRandomVariable> m_random; //!< Null until an action is sampled
    std::vector<float> m_observed;       //!< Observation
    std::vector<float> m_logits;         //!< Of it
    std::vector<float> m_probabilities;  //!< Of the actions
    std::vector<uint8_t> m_mask;         //!< Of the actions
};

} // namespace ns3::odcn

#endif /* ODCN_AGENT_POLICY_H */
