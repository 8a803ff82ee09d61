// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_MATCHING_H
#define ODCN_MATCHING_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/odcn-demand-matrix.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::odcn
{

/// Circuits that are up at the same time: each rack sends to one rack at most, and receives from
/// one.
struct WeightedMatching
{
    std::vector<RackId> to; //!< by sending rack: the receiver, or NO_RACK
    double weight{0};       //!< share of the capacity of all planes, above 0
};

/// The fabric that matchings are computed for. Algorithms that only compare pairs of racks need the
/// number of planes alone.
struct MatchingFabric
{
    uint32_t planes{1};  //!< number of planes, above 0
    DataRate circuit{0}; //!< rate of a circuit of one plane; 0 if unknown
    /// Rate at which a packet network carries a rack's traffic that no circuit does, in either
    /// direction; 0 if there is none.
    DataRate packets{0};
    Time reconfiguration{}; //!< time before a matching in which circuits carry nothing
};

/// Whether a circuit may be set up on a plane; empty if all may.
using CircuitFilter = std::function<bool(uint32_t plane, RackId from, RackId to)>;

/**
 * @ingroup odcn
 *
 * Computes which circuits to set up for a demand, and for which share of time.
 *
 * A plane is one optical switch with one port to and one from each rack. The weights of a result
 * sum to 1 at most; a rest is spent in reconfiguration, in equal parts before each matching. With u
 * planes of rate r, a pair of racks
 * has u x r x (sum of the weights of the matchings that contain it). The matchings may be laid on
 * the planes in any way that gives each its share: all planes together or one after another.
 */
class MatchingAlgorithm : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param text a TypeId with Attributes in brackets, e.g. "BirkhoffMatching[Terms=8]"; the
     * namespace may be left out
     * @return the algorithm
     * @throws OdcnError when there is no such algorithm or Attribute
     */
    static Ptr<MatchingAlgorithm> Create(const std::string& text);

    /**
     * @param bytes traffic by pair of racks, in bytes; for algorithms that only compare pairs in
     * any unit
     * @param fabric the fabric
     * @return the matchings, each with at least one circuit; may be none where there is no demand
     * @throws OdcnError when the traffic or the fabric is invalid, or says less of it than the
     * algorithm needs
     */
    std::vector<WeightedMatching> Compute(const DemandMatrix& bytes,
                                          const MatchingFabric& fabric) const;

    /**
     * @param matchings a result of Compute()  @param racks number of racks
     * @return by pair of racks: share of the capacity of all planes
     */
    static DemandMatrix GetShares(const std::vector<WeightedMatching>& matchings, uint32_t racks);

    /// @param demand traffic  @param fabric the fabric  @throws OdcnError when one is invalid
    static void Check(const DemandMatrix& demand, const MatchingFabric& fabric);

  private:
    /// @param bytes valid traffic  @param fabric valid fabric  @return the matchings
    virtual std::vector<WeightedMatching> DoCompute(const DemandMatrix& bytes,
                                                    const MatchingFabric& fabric) const = 0;
};

} // namespace ns3::odcn

#endif /* ODCN_MATCHING_H */
