// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_VERMILION_MATCHING_H
#define ODCN_VERMILION_MATCHING_H

#include "odcn-matching.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A short period of equal slots for direct traffic, as in Vermilion (Addanki et al.,
 * arXiv:2504.09892): with n racks, the demand, scaled so that the largest sum of a rack is (K - 1)
 * n, is rounded to integers, each pair gets one slot more, and the resulting K n-regular bipartite
 * multigraph is decomposed into K n perfect matchings. Equal ones are merged, so a weight is a
 * multiple of 1 / (K n). Weights do not depend on the number of planes, over which the slots are
 * dealt.
 *
 * Every pair gets at least (K - 1) / K of its scaled demand. Demand whose sums are at most the
 * capacity of a rack is therefore carried at (K - 1) / K directly, less what reconfiguration takes.
 *
 * The paper rounds by a flow that keeps the sums. Here entries are rounded down, then the largest
 * remainders up while their sums allow, and further slots are spread over all pairs in turn;
 * the guarantee, which rests on the additional slot of each pair, is the same.
 */
class VermilionMatching : public MatchingAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param demand traffic by pair of racks
     * @return slots by [from x racks + to]; each row and column sums to K x racks. Slots of a rack
     * to itself are idle
     * @throws OdcnError when the demand is invalid
     */
    std::vector<uint32_t> GetSlots(const DemandMatrix& demand) const;

  private:
    std::vector<WeightedMatching> DoCompute(const DemandMatrix& demand,
                                            const MatchingFabric& fabric) const override;

    uint32_t m_k; //!< Attribute "K"
};

} // namespace ns3::odcn

#endif /* ODCN_VERMILION_MATCHING_H */
