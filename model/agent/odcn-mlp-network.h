// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MLP_NETWORK_H
#define ODCN_MLP_NETWORK_H

#include "odcn-network.h"

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * The networks of the ODCN paper: one for the policy, one of the same form for the value, each
 * five fully connected layers of 128 with ELU. Reads any observation, as a flat row.
 */
class OdcnMlpNetwork : public OdcnNetwork
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void Infer(const float* observations,
               uint32_t n,
               float* logits,
               Scratch& scratch) const override;

  private:
    void DoBuild() override;
    void DoForward(const at::Tensor& observations,
                   at::Tensor& logits,
                   at::Tensor& values) const override;

    uint32_t m_hiddenLayers;     //!< Number of hidden layers
    uint32_t m_hiddenUnits;      //!< Outputs of each
    OdcnActivation m_activation; //!< After each
    OdcnDenseStack m_policy;     //!< f_theta_p
    OdcnDenseStack m_value;      //!< f_theta_v
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_MLP_NETWORK_H */
