// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ROUND_ROBIN_MATCHING_H
#define ODCN_ROUND_ROBIN_MATCHING_H

#include "odcn-matching.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The baseline that ignores the demand: rack i sends to i + 1, i + 2, ... (modulo the number of
 * racks) for equal shares of time.
 */
class RoundRobinMatching : public MatchingAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    std::vector<WeightedMatching> DoCompute(const DemandMatrix& demand,
                                            uint32_t planes) const override;
};

} // namespace ns3::odcn

#endif /* ODCN_ROUND_ROBIN_MATCHING_H */
