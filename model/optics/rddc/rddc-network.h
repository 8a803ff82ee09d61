// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_NETWORK_H
#define RDDC_NETWORK_H

#include "ns3/odcn-units.h"

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/// Index of a link of an RddcNetwork.
using LinkId = uint32_t;

/// Numbers of elements of an RddcNetwork, and of channels of its links.
struct RddcSizes
{
    uint32_t clusters{2};                      //!< number of clusters
    uint32_t racksPerCluster{2};               //!< racks of a cluster
    uint32_t serversPerRack{16};               //!< servers of a rack
    uint32_t rackUplinks{2};                   //!< aggregation switches of a cluster
    uint32_t cores{2};                         //!< number of core switches
    std::array<uint32_t, 3> channels{1, 1, 1}; //!< channels of a link in tiers 1, 2, 3
    uint32_t paths{16};                        //!< most paths of a pair of racks, up to 256
    bool spreadPaths{false};                   //!< order of paths of equal length, see RddcNetwork
};

/**
 * @ingroup odcn
 *
 * Servers and three tiers of circuit switches (appendix A of the NARA paper), and the paths among
 * them. Immutable, so any number of ledgers and threads may share a network.
 *
 * Each rack switch has a link to each aggregation switch of its cluster (tier 2), and each
 * aggregation switch one to each core switch (tier 3). Links are numbered in this order: server
 * links (with the number of the server), links of tier 2 by rack, links of tier 3 by aggregation
 * switch. Nodes are numbered: servers, rack switches, aggregation switches, core switches.
 *
 * All pairs of servers of two racks share one list of paths between the rack switches, shortest
 * first. Among equal lengths, those over lower switches come first. With spreadPaths those that
 * share fewest links with their predecessors come first, and different pairs of racks begin with
 * different switches, so that links are loaded evenly.
 */
class RddcNetwork
{
  public:
    /// Number of tiers of links.
    static constexpr std::size_t TIERS = 3;
    /// Largest number of paths of a pair of racks.
    static constexpr std::size_t MAX_PATHS = 256;

    /// @param sizes all above 0
    /// @throws OdcnError when there are more than MAX_PATHS paths
    explicit RddcNetwork(const RddcSizes& sizes);

    /// @return numbers of elements and channels
    const RddcSizes& GetSizes() const
    {
        return m_sizes;
    }

    /// @return total number of servers
    uint32_t GetNServers() const
    {
        return m_nServers;
    }

    /// @return total number of racks
    uint32_t GetNRacks() const
    {
        return m_nRacks;
    }

    /// @return total number of servers and switches
    uint32_t GetNNodes() const
    {
        return m_nServers + m_nRacks + m_sizes.clusters * m_sizes.rackUplinks + m_sizes.cores;
    }

    /// @return total number of links
    uint32_t GetNLinks() const
    {
        return static_cast<uint32_t>(m_ends.size());
    }

    /// @param server a server  @return its rack
    RackId GetRack(ServerId server) const
    {
        return server / m_sizes.serversPerRack;
    }

    /// @param rack a rack  @return its cluster
    uint32_t GetCluster(RackId rack) const
    {
        return rack / m_sizes.racksPerCluster;
    }

    /// @param link a link  @return its tier, from 0 for server links to 2
    std::size_t GetTier(LinkId link) const
    {
        return link < m_nServers ? 0 : link < m_firstTier3 ? 1 : 2;
    }

    /// @param link a link  @return number of its channels
    uint32_t GetChannels(LinkId link) const
    {
        return m_sizes.channels[GetTier(link)];
    }

    /// @param tier 0 to 2  @return number of channels, summed over its links
    uint64_t GetTierChannels(std::size_t tier) const;

    /// @param link a link  @return the nodes at its ends, lower first
    const std::pair<uint32_t, uint32_t>& GetEnds(LinkId link) const
    {
        return m_ends[link];
    }

    /**
     * @param a a rack  @param b a rack
     * @return number of paths between their switches; one without links if the racks are equal
     */
    std::size_t GetNPaths(RackId a, RackId b) const
    {
        return m_kinds[GetKind(a, b)].size() - 1;
    }

    /**
     * @param a a rack  @param b a rack
     * @param path index below GetNPaths(a, b)
     * @return the links between the rack switches, of tiers 2 and 3
     */
    std::span<const LinkId> GetPath(RackId a, RackId b, std::size_t path) const
    {
        const auto& kind = m_kinds[GetKind(a, b)];
        return {m_pathLinks.data() + m_first[a * m_nRacks + b] + kind[path],
                kind[path + 1] - kind[path]};
    }

    /// @param from a server
    /// @param to a server
    /// @param path index below GetNPaths() of their racks
    /// @return all links from one to the other, in order
    std::vector<LinkId> GetLinks(ServerId from, ServerId to, std::size_t path) const;

  private:
    /// @param a a rack  @param b a rack  @return 0 if equal, 1 if in the same cluster, else 2
    std::size_t GetKind(RackId a, RackId b) const
    {
        return a == b ? 0 : GetCluster(a) == GetCluster(b) ? 1 : 2;
    }

    /// @param u a node  @param v a neighbour, both switches  @return the link between them
    LinkId GetLink(uint32_t u, uint32_t v) const;

    /**
     * Find the paths between two racks and map them to all pairs of the same kind.
     * @param kind 1 for racks of the same cluster, 2 for racks of different ones
     */
    void FindPaths(std::size_t kind);

    /**
     * Find an automorphism of the network that maps rack 0 to @p a, and rack 1 (or the first rack
     * of the second cluster) to @p b.
     * @param a a rack
     * @param b another rack
     * @return the image of each node
     */
    std::vector<uint32_t> GetSymmetry(RackId a, RackId b) const;

    RddcSizes m_sizes;                                 //!< numbers of elements and channels
    uint32_t m_nServers;                               //!< total number of servers
    uint32_t m_nRacks;                                 //!< total number of racks
    LinkId m_firstTier3;                               //!< first link of tier 3
    std::vector<std::pair<uint32_t, uint32_t>> m_ends; //!< [link]: nodes at its ends
    std::array<std::vector<uint32_t>, 3> m_kinds;      //!< [kind]: first link of each path
    std::vector<uint32_t> m_first;                     //!< [a][b]: index of a pair's first link
    std::vector<LinkId> m_pathLinks;                   //!< links of all paths of all pairs
};

} // namespace ns3::odcn

#endif /* RDDC_NETWORK_H */
