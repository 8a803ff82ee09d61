// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_TOPOLOGY_H
#define RDDC_TOPOLOGY_H

#include "rddc-network.h"

#include "ns3/object.h"

#include <cstdint>
#include <memory>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * The sizes of a resource-disaggregated data centre (Table 1 of the NARA paper), as Attributes.
 *
 * A server's link has n channels. The uplinks of a rack have as many channels as its servers,
 * divided by the oversubscription of tier 2 and spread evenly over them; the uplinks of a cluster
 * have as many as those of its racks, divided by the oversubscription of tier 3. A quotient that is
 * not an integer is an error.
 */
class RddcTopology : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    RddcTopology();

    /**
     * @return numbers of elements, and of channels of a link in each tier
     * @throws OdcnError when a number is out of range or does not divide
     */
    RddcSizes GetSizes() const;

    /**
     * @return the network, with the paths of all pairs of racks
     * @throws OdcnError when a number is out of range or does not divide
     */
    std::shared_ptr<const RddcNetwork> Build() const;

  private:
    uint32_t m_clusters;       //!< number of clusters
    uint32_t m_racks;          //!< racks of a cluster
    uint32_t m_servers;        //!< servers of a rack
    uint32_t m_channels;       //!< n, channels of a server's link
    uint32_t m_rackUplinks;    //!< uplinks of a rack
    uint32_t m_clusterUplinks; //!< uplinks of a cluster
    uint32_t m_oversub2;       //!< oversubscription ratio of tier 2
    uint32_t m_oversub3;       //!< oversubscription ratio of tier 3
    uint32_t m_paths;          //!< largest number of paths of a pair of racks
    bool m_spreadPaths;        //!< order of paths of equal length
};

} // namespace ns3::odcn

#endif /* RDDC_TOPOLOGY_H */
