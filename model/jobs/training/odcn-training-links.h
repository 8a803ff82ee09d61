// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TRAINING_LINKS_H
#define ODCN_TRAINING_LINKS_H

#include "odcn-training-bytes.h"

#include "ns3/odcn-demand-matrix.h"
#include "ns3/odcn-fabric-design.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * The links between the racks of a design, for estimates of how long training jobs take: what each
 * link carries, on average over the periods of a schedule, and how bytes from rack to rack are
 * spread over links. Bytes from rack to rack take
 * - the circuits between the two, if packets take one circuit of a schedule;
 * - the paths with the fewest circuits, each rack sending as much to each of the next, if
 *   packets take shortest paths;
 * - the links of both racks to the network, if it is electrical.
 *
 * @ingroup odcn
 */
class TrainingLinks
{
  public:
    /// Bytes by link, which are those of links with any.
    using Loads = std::vector<std::pair<uint32_t, double>>;

    /**
     * @param design whose circuits follow a schedule or which has none
     * @param stream of random numbers of the schedule
     * @throws OdcnError when packets take other paths, or a rack cannot be reached
     */
    TrainingLinks(const FabricDesign& design, int64_t stream);

    /// @return number of racks
    uint32_t GetNRacks() const
    {
        return m_racks;
    }

    /// @return end points of a rack
    uint32_t GetPerRack() const
    {
        return m_perRack;
    }

    /// @return number of links
    uint32_t GetNLinks() const
    {
        return static_cast<uint32_t>(m_capacities.size());
    }

    /// @param link its index
    /// @return bytes that it carries in a second
    double GetCapacity(uint32_t link) const
    {
        return m_capacities[link];
    }

    /// @param from a rack
    /// @param to another rack, or the same
    /// @return links that a byte takes from one to the other
    double GetHops(uint32_t from, uint32_t to) const
    {
        return m_hops[from * m_racks + to];
    }

    /**
     * @param bytes of a job
     * @param places end point of each rank
     * @return bytes of an iteration by link, in the order of links
     */
    Loads GetLoads(const TrainingBytes& bytes, const std::vector<uint32_t>& places) const;

    /// @param loads of a job
    /// @return time in seconds that the busiest link needs for them
    double GetTime(const Loads& loads) const;

  private:
    /// Add the links of circuits. @param capacity of all circuits from rack to rack, bytes a second
    /// @param isShortest whether packets take shortest paths rather than one circuit
    void AddCircuits(const DemandMatrix& capacity, bool isShortest);
    /// Find the shares of all links in what is sent to a rack.
    /// @param to the rack
    /// @param linkOf by pair of racks: index of their link, or NONE
    void FindShortest(uint32_t to, const std::vector<uint32_t>& linkOf);

    static constexpr uint32_t NONE = UINT32_MAX; //!< no link

    uint32_t m_racks;                 //!< number of racks
    uint32_t m_perRack;               //!< end points of a rack
    std::vector<double> m_capacities; //!< by link, bytes a second
    std::vector<Loads> m_shares;      //!< by pair of racks: of a byte
    std::vector<double> m_hops;       //!< by pair of racks: sum of the shares
};

} // namespace ns3::odcn

#endif /* ODCN_TRAINING_LINKS_H */
