// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MAX_WEIGHT_MATCHING_H
#define ODCN_MAX_WEIGHT_MATCHING_H

#include "odcn-matching.h"

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * For each plane the matching of largest demand, as Helios and c-Through set it up in every epoch:
 * Farrington et al., SIGCOMM 2010, and Wang et al., SIGCOMM 2010. A circuit serves as much of its
 * pair's demand as Capacity allows, and the next plane sees what is left. Each matching has weight
 * 1 / planes; planes for which nothing is left have none.
 */
class MaxWeightMatching : public MatchingAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * The assignment problem by shortest augmenting paths (Jonker and Volgenant), O(racks^3).
     * @param weights valid weights by pair of racks
     * @return by sending rack: the receiver in a matching of largest total weight, or NO_RACK;
     * pairs of weight zero are not matched
     */
    static std::vector<RackId> Find(const DemandMatrix& weights);

    /**
     * Match plane by plane; what a plane serves is left out of the demand of those after it.
     * @param demand valid demand  @param planes number of planes
     * @param usable circuits that may be set up
     * @return for each plane the receiver by sending rack, or NO_RACK
     */
    std::vector<std::vector<RackId>> FindPlanes(const DemandMatrix& demand,
                                                uint32_t planes,
                                                const CircuitFilter& usable) const;

  private:
    std::vector<WeightedMatching> DoCompute(const DemandMatrix& bytes,
                                            const MatchingFabric& fabric) const override;

    double m_capacity; //!< Attribute "Capacity"
};

} // namespace ns3::odcn

#endif /* ODCN_MAX_WEIGHT_MATCHING_H */
