// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_DENSE_NETWORK_H
#define ODCN_DENSE_NETWORK_H

#include "odcn-network.h"

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * A network of two stacks of fully connected layers: one makes logits, the other a value. What
 * enters them is made from the observation by rules, without parameters.
 *
 * It decides and learns without LibTorch, whose graph remains what the results are checked against.
 */
class OdcnDenseNetwork : public OdcnNetwork
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::size_t GetPolicySize() const override;
    void Infer(const float* observations,
               uint32_t n,
               float* logits,
               Scratch& scratch) const override;
    void Evaluate(const float* observations, uint32_t n, float* logits, float* values) override;
    void Forward(const float* observations, uint32_t n, float* logits, float* values) override;
    void Backward(const float* dLogits, const float* dValues) override;

  protected:
    OdcnDenseStack m_policy; //!< one or more rows of an observation to its logits; by DoBuild()
    OdcnDenseStack m_value;  //!< one row of an observation to its value; by DoBuild()

  private:
    void DoForward(const at::Tensor& observations,
                   at::Tensor& logits,
                   at::Tensor& values) const override;

    /**
     * @param observation one observation
     * @param [out] policy [actions / m_policy's outputs][inputs of m_policy]
     * @param [out] value [inputs of m_value]; null when not wanted
     */
    virtual void Describe(const float* observation, float* policy, float* value) const = 0;

    /// @return rows of m_policy for one observation
    uint32_t GetPolicyRows() const
    {
        return GetNActions() / m_policy.GetOutputs();
    }

    OdcnDenseTape m_policyTape; //!< of the last Forward()
    OdcnDenseTape m_valueTape;  //!< likewise
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_DENSE_NETWORK_H */
