// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "rddc-topology.h"

#include "ns3/odcn-attributes.h"
#include "ns3/odcn-error.h"

#include <string>

namespace ns3::odcn
{

NS_OBJECT_ENSURE_REGISTERED(RddcTopology);

namespace
{

/// Largest number of servers.
constexpr uint64_t MAX_SERVERS = 1 << 20;
/// Largest number of racks: paths are kept for all pairs.
constexpr uint64_t MAX_RACKS = 1024;
/// Largest number of channels of a link.
constexpr uint64_t MAX_CHANNELS = 1 << 20;

/**
 * @param name of an Attribute  @param value its value  @param most largest valid value
 */
void
CheckRange(const char* name, uint64_t value, uint64_t most)
{
    if (value < 1 || value > most)
    {
        throw OdcnError::InOption(name, std::to_string(value), "1 to " + std::to_string(most));
    }
}

} // namespace

TypeId
RddcTopology::GetTypeId()
{
    using T = RddcTopology;
    static TypeId tid =
        TypeIdOf<RddcTopology, Object>("ns3::odcn::RddcTopology")
            .Add(Attribute("Clusters", &T::m_clusters, 2),
                 "Number of clusters, joined by the core switches.")
            .Add(Attribute("RacksPerCluster", &T::m_racks, 2), "Racks of a cluster.")
            .Add(Attribute("ServersPerRack", &T::m_servers, 16), "Servers of a rack.")
            .Add(Attribute("Channels", &T::m_channels, 16),
                 "n, channels of a server's link (tier 1).")
            .Add(Attribute("RackUplinks", &T::m_rackUplinks, 2),
                 "Uplinks of a rack (tier 2), each to one aggregation switch of its "
                 "cluster.")
            .Add(Attribute("ClusterUplinks", &T::m_clusterUplinks, 4),
                 "Uplinks of a cluster (tier 3), from each of its aggregation switches to "
                 "each core switch.")
            .Add(Attribute("Tier2Oversubscription", &T::m_oversub2, 2),
                 "Ratio of the channels of a rack's servers to those of its "
                 "uplinks.")
            .Add(Attribute("Tier3Oversubscription", &T::m_oversub3, 4),
                 "Ratio of the channels of the uplinks of a cluster's racks to "
                 "those of the cluster's own uplinks.")
            .Add(Attribute("Paths", &T::m_paths, 16),
                 "Largest number of paths kept for each pair of racks, shortest first.")
            .Add(Attribute("SpreadPaths", &T::m_spreadPaths, false),
                 "Whether paths of equal length are ordered so that links are loaded "
                 "evenly; otherwise those over lower switches come first.");
    return tid;
}

RddcTopology::RddcTopology() = default;

RddcSizes
RddcTopology::GetSizes() const
{
    CheckRange("Clusters", m_clusters, MAX_RACKS);
    CheckRange("RacksPerCluster", m_racks, MAX_RACKS / m_clusters);
    CheckRange("ServersPerRack", m_servers, MAX_SERVERS / (uint64_t{m_clusters} * m_racks));
    CheckRange("Channels", m_channels, MAX_CHANNELS / m_servers / m_racks);
    CheckRange("RackUplinks", m_rackUplinks, 64);
    CheckRange("ClusterUplinks", m_clusterUplinks, 4096);
    if (m_clusterUplinks % m_rackUplinks != 0)
    {
        throw OdcnError::InOption("ClusterUplinks",
                                  std::to_string(m_clusterUplinks),
                                  "a multiple of the cluster's " + std::to_string(m_rackUplinks) +
                                      " aggregation switches");
    }
    // Channels of one uplink: those below, over the oversubscription and the number of uplinks.
    const auto share = [](const char* name, uint64_t below, uint32_t ratio, uint32_t uplinks)
    {
        if (ratio < 1 || below % (uint64_t{ratio} * uplinks) != 0)
        {
            throw OdcnError::InOption(name,
                                      std::to_string(ratio),
                                      "a number by which " + std::to_string(below) +
                                          " channels divide evenly over " +
                                          std::to_string(uplinks) + " uplinks");
        }
        return static_cast<uint32_t>(below / ratio / uplinks);
    };
    RddcSizes sizes;
    sizes.clusters = m_clusters;
    sizes.racksPerCluster = m_racks;
    sizes.serversPerRack = m_servers;
    sizes.rackUplinks = m_rackUplinks;
    sizes.cores = m_clusterUplinks / m_rackUplinks;
    sizes.paths = m_paths;
    sizes.spreadPaths = m_spreadPaths;
    sizes.channels[0] = m_channels;
    sizes.channels[1] =
        share("Tier2Oversubscription", uint64_t{m_servers} * m_channels, m_oversub2, m_rackUplinks);
    sizes.channels[2] = share("Tier3Oversubscription",
                              uint64_t{m_racks} * m_rackUplinks * sizes.channels[1],
                              m_oversub3,
                              m_clusterUplinks);
    return sizes;
}

std::shared_ptr<const RddcNetwork>
RddcTopology::Build() const
{
    return std::make_shared<const RddcNetwork>(GetSizes());
}

} // namespace ns3::odcn
