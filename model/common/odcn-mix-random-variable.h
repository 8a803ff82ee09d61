// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MIX_RANDOM_VARIABLE_H
#define ODCN_MIX_RANDOM_VARIABLE_H

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A few values with weights, such as the packet sizes of Internet traffic:
 * "ns3::odcn::MixRandomVariable[Mix=64:7,594:4,1500:1]". Unlike EmpiricalRandomVariable it is
 * completely defined by an Attribute.
 */
class MixRandomVariable : public RandomVariableStream
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    MixRandomVariable();

    double GetValue() override;
    uint32_t GetInteger() override;

    /**
     * @param mix VALUE:WEIGHT,VALUE:WEIGHT,...; weights are relative to each other
     * @throws OdcnError when the form is wrong, a weight is negative or none is above 0
     */
    void SetMix(std::string mix);

    /// @return what was set
    std::string GetMix() const;

    /// @return mean of the values
    double GetMean() const;

  private:
    std::string m_mix;            //!< as given
    std::vector<double> m_values; //!< values
    std::vector<double> m_upTo;   //!< probability of a value or one ahead of it
};

} // namespace ns3::odcn

#endif /* ODCN_MIX_RANDOM_VARIABLE_H */
