// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MLP_NETWORK_H
#define ODCN_MLP_NETWORK_H

#include "odcn-dense-network.h"

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
class OdcnMlpNetwork : public OdcnDenseNetwork
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    void DoBuild() override;
    void Describe(const float* observation, float* policy, float* value) const override;

    uint32_t m_hiddenLayers;     //!< Number of hidden layers
    uint32_t m_hiddenUnits;      //!< Outputs of each
    OdcnActivation m_activation; //!< After each
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_MLP_NETWORK_H */
