// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_BIRKHOFF_MATCHING_H
#define ODCN_BIRKHOFF_MATCHING_H

#include "odcn-matching.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Few terms of a Birkhoff-von Neumann decomposition: the demand, made doubly stochastic, as a
 * weighted sum of perfect matchings. Each term is the matching whose smallest entry is largest,
 * with that entry as its weight. When Terms ends the decomposition early, the weights are scaled to
 * sum to 1. They do not depend on the number of planes.
 */
class BirkhoffMatching : public MatchingAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    std::vector<WeightedMatching> DoCompute(const DemandMatrix& demand,
                                            uint32_t planes) const override;

    uint32_t m_terms; //!< Attribute "Terms"
    bool m_sinkhorn;  //!< Attribute "Sinkhorn"
};

} // namespace ns3::odcn

#endif /* ODCN_BIRKHOFF_MATCHING_H */
