// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_SOLSTICE_MATCHING_H
#define ODCN_SOLSTICE_MATCHING_H

#include "odcn-matching.h"

#include "ns3/nstime.h"

namespace ns3::odcn
{

/// A sequence of matchings, and what is left to the packet network beside them.
struct SolsticeSchedule
{
    std::vector<WeightedMatching> matchings; //!< in order; a weight is a number of slots
    double period{0};                        //!< slots of all matchings and their reconfigurations
    DemandMatrix packets;                    //!< bytes that no circuit carries
};

/**
 * @ingroup odcn
 *
 * Few, long matchings for a hybrid of circuits and packet switches, as in Solstice (Liu et al.,
 * CoNEXT 2015). The demand is stuffed until all racks send and receive the same, then
 * served in slices: a perfect matching among the entries of at least a threshold, for as long as
 * its smallest entry lasts. The threshold is halved when there is none. It ends as soon as the
 * packet network can carry the rest in the time that has been used so far.
 *
 * All planes turn together, as one switch of the rate of all of them. Demand is rounded up to whole
 * slots. Compute() returns durations as shares of the period, of which the rest is reconfiguration.
 */
class SolsticeMatching : public MatchingAlgorithm
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param bytes traffic by pair of racks  @param fabric the fabric, with a rate of circuits
     * @return the schedule
     * @throws OdcnError when an argument is invalid, the rate of circuits is unknown, or the
     * traffic takes more than 1e12 slots
     */
    SolsticeSchedule Solve(const DemandMatrix& bytes, const MatchingFabric& fabric) const;

  private:
    std::vector<WeightedMatching> DoCompute(const DemandMatrix& bytes,
                                            const MatchingFabric& fabric) const override;

    Time m_slot; //!< Attribute "Slot"
};

} // namespace ns3::odcn

#endif /* ODCN_SOLSTICE_MATCHING_H */
