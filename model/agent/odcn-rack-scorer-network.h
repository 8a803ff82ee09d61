// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RACK_SCORER_NETWORK_H
#define ODCN_RACK_SCORER_NETWORK_H

#include "odcn-dense-network.h"

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * One small network that scores a rack, applied to every rack alike; the scores are the logits.
 *
 * An observation is F blocks of one number per action (the ODCN state is F = 2: all IT features,
 * then all bandwidth features), where a negative number marks an action as infeasible. An action is
 * told by, for each of its F features x: x; whether x < 0; the mean, least and greatest x of the
 * feasible actions; x's rank among all actions, from 0 to 1; x less that least, and that greatest
 * less x. That is 8 F = 16 inputs for the ODCN state, with Inputs=Relative; with Inputs=Own it is x
 * alone, for features that say enough by themselves. "Feasible" means no feature negative; where
 * no action is, mean, least and greatest are taken over all.
 *
 * Of an observation that is a graph the candidates' node features are taken in place of the blocks;
 * links and features of the whole are not looked at.
 *
 * The value is a network of its own on the pooled state: for each feature mean, least, greatest of
 * the feasible and the fraction of negative ones, then the fraction of feasible actions (4 F + 1).
 *
 * Nothing depends on the number of actions, so parameters learnt with 16 racks serve 64.
 */
class OdcnRackScorerNetwork : public OdcnDenseNetwork
{
  public:
    /// By what an action is told.
    enum Inputs
    {
        RELATIVE, //!< its features, and how they stand among those of the others
        OWN,      //!< its features
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    std::vector<uint32_t> GetSignature() const override;

    std::optional<OdcnWeightedSum> GetWeightedSum() const override;

    void Infer(const float* observations,
               uint32_t n,
               float* logits,
               Scratch& scratch) const override;

  private:
    void DoBuild() override;

    /**
     * @param observation one observation
     * @param [out] actions [actions][8 F], or [actions][F] with Inputs=Own
     * @param [out] pooled [4 F + 1], or null when not wanted
     */
    void Describe(const float* observation, float* actions, float* pooled) const override;

    /// @param observation of a graph  @return its candidates' features in blocks
    std::vector<float> TakeBlocks(const float* observation) const;

    /// @return inputs of the scorer for each feature of an action
    uint32_t GetInputsPerFeature() const
    {
        return m_inputs == OWN ? 1 : 8;
    }

    Inputs m_inputs;             //!< By what an action is told
    std::string m_hidden;        //!< Hidden layers of the scorer
    std::string m_valueHidden;   //!< Hidden layers of the value network
    OdcnActivation m_activation; //!< After each
    uint32_t m_features{0};      //!< F
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_RACK_SCORER_NETWORK_H */
