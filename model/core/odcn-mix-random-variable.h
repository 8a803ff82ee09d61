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
 * A discrete distribution of weighted values, such as the packet sizes of Internet traffic:
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
    /// @return GetValue() without its fraction, cut to the range of the type
    uint32_t GetInteger() override;

    /**
     * @param mix VALUE:WEIGHT,VALUE:WEIGHT,...; weights are relative
     * @throws OdcnError when the text is malformed, a weight is negative or all weights are 0
     */
    void SetMix(std::string mix);

    /// @return the mix as set
    std::string GetMix() const
    {
        return m_mix;
    }

    /// @return mean of the values
    double GetMean() const;

    /// @return the largest value
    double GetLargest() const;

  private:
    std::string m_mix;            //!< mix as set
    std::vector<double> m_values; //!< the values
    std::vector<double> m_upTo;   //!< cumulative probabilities of the values
};

} // namespace ns3::odcn

#endif /* ODCN_MIX_RANDOM_VARIABLE_H */
