// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_RING_SEARCH_H
#define ICCI_RING_SEARCH_H

#include "icci-forecast.h"
#include "icci-loads.h"
#include "icci-task.h"

#include "ns3/otn-mesh.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/// Weights and limits of the ring search.
struct IcciSearchWeights
{
    double distance{0};   //!< weight of a hop in CUs, for first rings
    double noise{0};      //!< half width of the uniform noise in CUs, for first rings
    double hop{0};        //!< weight of a hop relative to a percent of load, for candidates
    uint32_t maxRings{1}; //!< K, largest number of candidates
};

/**
 * @ingroup odcn
 *
 * Searches rings of centres: where a task is deployed, and where it may migrate.
 */
class IcciRingSearch
{
  public:
    /// @param mesh its shortest paths define distances
    void SetMesh(const OtnMesh& mesh);

    /**
     * @param loads present loads  @param forecast expected loads; both must outlive this object
     * @param weights weights and limits
     * @param seed random seed
     */
    void Reset(const IcciLoads& loads,
               const IcciForecast& forecast,
               const IcciSearchWeights& weights,
               uint64_t seed);

    /// @param task task to be deployed  @param cus CUs of each worker
    /// @return a ring of centres for it, its source first; empty when there is none
    std::vector<uint32_t> Grow(const IcciTask& task, uint32_t cus);

    /**
     * @param search which rings are candidates
     * @param task that may migrate
     * @param outlook period over which loads are compared
     * @return candidates, best first
     */
    std::vector<IcciCandidate> Find(IcciCandidate::Search search,
                                    const IcciTaskState& task,
                                    const IcciOutlook& outlook);

  private:
    /// @param a a centre  @param b another  @return hops between them
    uint32_t GetDistance(uint32_t a, uint32_t b) const
    {
        return m_distance[static_cast<std::size_t>(a) * m_nCentres + b];
    }

    /// @param ring centres  @return hops around it on shortest paths
    uint32_t CountShortest(const std::vector<uint32_t>& ring) const;

    /// Shorten a ring by 2-opt. @param [in,out] ring its first centre stays first
    void Improve(std::vector<uint32_t>& ring) const;

    /// Insert a centre where it adds fewest hops. @param [in,out] ring centres  @param centre new
    void Insert(std::vector<uint32_t>& ring, uint32_t centre) const;

    /// Find the candidates of SWAP. @param task that may migrate  @param outlook see Find()
    void FindSwaps(const IcciTaskState& task, const IcciOutlook& outlook);
    /// Find the candidates of NEAREST. @param task that may migrate
    void FindNearest(const IcciTaskState& task);
    /// Find the candidates of ALL. @param task that may migrate
    void FindAll(const IcciTaskState& task);
    /// Find the candidates of ANY. @param task that may migrate
    void FindAny(const IcciTaskState& task);

    /// @param task that may migrate  @return its workers in hotspots, without the source, hottest
    /// first
    std::vector<uint32_t> GetHotWorkers(const IcciTaskState& task) const;

    /**
     * @param task that may migrate
     * @param cool whether to exclude centres that would become hotspots
     * @return centres outside the ring with room for a worker (Eq. 6), in ascending order
     */
    std::vector<uint32_t> GetTargets(const IcciTaskState& task, bool cool) const;

    /**
     * Add a candidate.
     * @param ring the new ring
     * @param moves old and new centre of each moving worker
     * @param score lower is better
     */
    void Offer(std::vector<uint32_t> ring,
               std::vector<std::pair<uint32_t, uint32_t>> moves,
               double score);

    uint32_t m_nCentres{0};                  //!< number of centres
    std::vector<uint32_t> m_distance;        //!< [a][b]: hops
    const IcciLoads* m_loads{nullptr};       //!< of all centres
    const IcciForecast* m_forecast{nullptr}; //!< expected loads
    IcciSearchWeights m_weights;             //!< weights and limits
    std::mt19937_64 m_random;                //!< random numbers
    std::vector<IcciCandidate> m_candidates; //!< found so far, best first
};

} // namespace ns3::odcn

#endif /* ICCI_RING_SEARCH_H */
