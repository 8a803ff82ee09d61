// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_RING_SEARCH_H
#define ICCI_RING_SEARCH_H

#include "icci-forecast.h"
#include "icci-loads.h"
#include "icci-state.h"

#include "ns3/otn-mesh.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/// What counts when rings are searched.
struct IcciSearchWeights
{
    double distance{0};   //!< of a hop in CUs, when first rings grow
    double noise{0};      //!< half width in CUs of the uniform noise then
    double hop{0};        //!< of a hop beside a percent of load, among candidates
    uint32_t maxRings{1}; //!< K, candidates at most
};

/**
 * @ingroup odcn
 *
 * Searches rings of centres: where a task is deployed, and where it may migrate.
 */
class IcciRingSearch
{
  public:
    /// Which rings are candidates.
    enum Search
    {
        SWAP,    //!< one or two workers leave hotspots; the best by load + HopWeight x hops
        NEAREST, //!< the worker in the hottest centre moves to the nearest with room
        ALL,     //!< all workers move to where most CUs are idle
        ANY,     //!< each worker in a hotspot moves anywhere with room
    };

    /// @param mesh whose shortest paths are distances
    void SetMesh(const OtnMesh& mesh);

    /**
     * @param loads of all centres, kept by the caller  @param forecast of them, likewise kept
     * @param weights what counts
     * @param seed of what is drawn
     */
    void Reset(const IcciLoads& loads,
               const IcciForecast& forecast,
               const IcciSearchWeights& weights,
               uint64_t seed);

    /// @param task to be deployed  @param cus that each worker needs
    /// @return a ring of centres for it, its source first; empty when there is none
    std::vector<uint32_t> Grow(const IcciTask& task, uint32_t cus);

    /**
     * @param search which rings
     * @param task that may migrate
     * @param outlook over which loads are compared
     * @return candidates, best first
     */
    std::vector<IcciCandidate> Find(Search search,
                                    const IcciTaskState& task,
                                    const IcciOutlook& outlook);

  private:
    /// @param a a centre  @param b another  @return hops between them
    uint32_t GetDistance(uint32_t a, uint32_t b) const
    {
        return m_distance[static_cast<std::size_t>(a) * m_nCentres + b];
    }

    /// @param ring centres  @return hops round it on shortest paths
    uint32_t CountShortest(const std::vector<uint32_t>& ring) const;

    /// @param [in,out] ring the first stays first; shortened by 2-opt
    void Improve(std::vector<uint32_t>& ring) const;

    /// @param [in,out] ring where a centre is put where it costs fewest hops  @param centre which
    void Insert(std::vector<uint32_t>& ring, uint32_t centre) const;

    /// @param task that may migrate  @param outlook over which loads are compared
    void FindSwaps(const IcciTaskState& task, const IcciOutlook& outlook);
    /// @param task that may migrate
    void FindNearest(const IcciTaskState& task);
    /// @param task that may migrate
    void FindAll(const IcciTaskState& task);
    /// @param task that may migrate
    void FindAny(const IcciTaskState& task);

    /// @param task that may migrate  @return its workers in hotspots, hottest first; not the source
    std::vector<uint32_t> GetHotWorkers(const IcciTaskState& task) const;

    /**
     * @param task that may migrate
     * @param cool whether only centres count that do not become hotspots
     * @return centres outside the ring that have room for a worker (Eq. 6), by number
     */
    std::vector<uint32_t> GetTargets(const IcciTaskState& task, bool cool) const;

    /**
     * Note a candidate.
     * @param ring the new one
     * @param moves where workers leave, where they go
     * @param score by which it was chosen
     */
    void Offer(std::vector<uint32_t> ring,
               std::vector<std::pair<uint32_t, uint32_t>> moves,
               double score);

    uint32_t m_nCentres{0};                  //!< of the mesh
    std::vector<uint32_t> m_distance;        //!< [a][b]: hops
    const IcciLoads* m_loads{nullptr};       //!< of all centres
    const IcciForecast* m_forecast{nullptr}; //!< of them
    IcciSearchWeights m_weights;             //!< what counts
    std::mt19937_64 m_random;                //!< see Reset()
    std::vector<IcciCandidate> m_candidates; //!< found so far, best first
};

} // namespace ns3::odcn

#endif /* ICCI_RING_SEARCH_H */
