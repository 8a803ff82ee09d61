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
 * The numbers of a resource-disaggregated data centre (Table 1 of the NARA paper), as Attributes.
 *
 * A server's link has n channels. What a rack sends up is what its servers send up divided by the
 * oversubscription of tier 2, spread evenly over the rack's uplinks; what a cluster sends up is
 * what its racks send up divided by that of tier 3. A quotient that is not whole is refused.
 */
class RddcTopology : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    RddcTopology();

    /**
     * @return number of elements of each kind, and channels of a link in each tier
     * @throws OdcnError when a number is out of range or does not divide
     */
    RddcSizes GetSizes() const;

    /**
     * @return the network, with the paths of all pairs of racks
     * @throws OdcnError when a number is out of range or does not divide
     */
    std::shared_ptr<const RddcNetwork> Build() const;

  private:
    uint32_t m_clusters;       //!< clusters
    uint32_t m_racks;          //!< of a cluster
    uint32_t m_servers;        //!< of a rack
    uint32_t m_channels;       //!< n
    uint32_t m_rackUplinks;    //!< of a rack
    uint32_t m_clusterUplinks; //!< of a cluster
    uint32_t m_oversub2;       //!< 1:this between tiers 1 and 2
    uint32_t m_oversub3;       //!< 1:this between tiers 2 and 3
    uint32_t m_paths;          //!< kept for each pair of racks
    bool m_spreadPaths;        //!< order of equal paths
};

} // namespace ns3::odcn

#endif /* RDDC_TOPOLOGY_H */
