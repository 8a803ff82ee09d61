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

/// How many of each thing an RddcNetwork has, and how many channels its links.
struct RddcSizes
{
    uint32_t clusters{2};                      //!< at the top tier
    uint32_t racksPerCluster{2};               //!< racks
    uint32_t serversPerRack{16};               //!< servers
    uint32_t rackUplinks{2};                   //!< aggregation switches of a cluster
    uint32_t cores{2};                         //!< core switches
    std::array<uint32_t, 3> channels{1, 1, 1}; //!< of a link of tier 1, 2, 3
    uint32_t paths{16};                        //!< most paths kept for a pair of racks
    bool spreadPaths{false};                   //!< order of equal paths, see RddcNetwork
};

/**
 * @ingroup odcn
 *
 * Servers and three tiers of circuit switches (appendix A of the NARA paper), and the paths among
 * them. Does not change once made, so any number of ledgers and threads may share one.
 *
 * Every rack switch has a link to each aggregation switch of its cluster (tier 2), every
 * aggregation switch one to each core switch (tier 3). Links are numbered server links first (a
 * server's link has its number), then rack by rack those of tier 2, then switch by switch those of
 * tier 3; nodes likewise: servers, rack switches, aggregation switches, core switches.
 *
 * Servers of two racks share one list of paths between the rack switches, shortest first. Among
 * equal lengths, those over lower switches come first. With spreadPaths those come first that share
 * fewest links with the ones before, and different pairs of racks begin with different switches, so
 * that all links are used alike.
 */
class RddcNetwork
{
  public:
    /// How many tiers of links there are.
    static constexpr std::size_t TIERS = 3;

    /// @param sizes all above 0
    explicit RddcNetwork(const RddcSizes& sizes);

    /// @return how many of each thing
    const RddcSizes& GetSizes() const
    {
        return m_sizes;
    }

    /// @return servers in all
    uint32_t GetNServers() const
    {
        return m_nServers;
    }

    /// @return racks in all
    uint32_t GetNRacks() const
    {
        return m_nRacks;
    }

    /// @return servers and switches
    uint32_t GetNNodes() const
    {
        return m_nServers + m_nRacks + m_sizes.clusters * m_sizes.rackUplinks + m_sizes.cores;
    }

    /// @return links of all tiers
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

    /// @param link a link  @return its tier, 0 for server links, to 2
    std::size_t GetTier(LinkId link) const
    {
        return link < m_nServers ? 0 : link < m_firstTier3 ? 1 : 2;
    }

    /// @param link a link  @return how many channels it has
    uint32_t GetChannels(LinkId link) const
    {
        return m_sizes.channels[GetTier(link)];
    }

    /// @param tier 0 to 2  @return channels of all its links
    uint64_t GetTierChannels(std::size_t tier) const;

    /// @param link a link  @return the nodes at its ends, lower first
    const std::pair<uint32_t, uint32_t>& GetEnds(LinkId link) const
    {
        return m_ends[link];
    }

    /**
     * @param a a rack  @param b a rack
     * @return how many paths there are between their switches; one, of no link, if they are one
     */
    std::size_t GetNPaths(RackId a, RackId b) const
    {
        return m_kinds[GetKind(a, b)].size() - 1;
    }

    /**
     * @param a a rack  @param b a rack
     * @param path index below GetNPaths(a, b)
     * @return the links between the rack switches, those of tiers 2 and 3
     */
    std::span<const LinkId> GetPath(RackId a, RackId b, std::size_t path) const
    {
        const auto& kind = m_kinds[GetKind(a, b)];
        return {m_pathLinks.data() + m_first[a * m_nRacks + b] + kind[path],
                kind[path + 1] - kind[path]};
    }

  private:
    /// @param a a rack  @param b a rack  @return 0 if they are one, 1 in one cluster, else 2
    std::size_t GetKind(RackId a, RackId b) const
    {
        return a == b ? 0 : GetCluster(a) == GetCluster(b) ? 1 : 2;
    }

    /// @param u a node  @param v a neighbour, both switches  @return the link between them
    LinkId GetLink(uint32_t u, uint32_t v) const;

    /**
     * Find the paths between two racks and turn them into those of all pairs of their kind.
     * @param kind 1 in one cluster, 2 in different ones
     */
    void FindPaths(std::size_t kind);

    /**
     * How the network looks like itself with a given pair of racks in the place of rack 0 and rack
     * 1, or the first of the next cluster.
     * @param a a rack
     * @param b another one
     * @return for each node, the one in its place
     */
    std::vector<uint32_t> GetSymmetry(RackId a, RackId b) const;

    RddcSizes m_sizes;                                 //!< how many of each
    uint32_t m_nServers;                               //!< servers in all
    uint32_t m_nRacks;                                 //!< racks in all
    LinkId m_firstTier3;                               //!< first link of tier 3
    std::vector<std::pair<uint32_t, uint32_t>> m_ends; //!< of each link
    std::array<std::vector<uint32_t>, 3> m_kinds;      //!< where each path of a pair begins
    std::vector<uint32_t> m_first;                     //!< [a][b]: where the paths of a pair begin
    std::vector<LinkId> m_pathLinks;                   //!< of all pairs
};

} // namespace ns3::odcn

#endif /* RDDC_NETWORK_H */
