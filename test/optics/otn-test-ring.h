// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef OTN_TEST_RING_H
#define OTN_TEST_RING_H

#include "ns3/otn-mesh.h"

namespace ns3::odcn
{

/**
 * @param n number of sites, 0 to n - 1
 * @param wavelengths of each link
 * @param km length of the link from site 0
 * @param kmMore by which each link is longer than the one before
 * @return the sites in a ring
 */
inline std::shared_ptr<const OtnMesh>
MakeRing(uint32_t n, uint32_t wavelengths = 40, double km = 10, double kmMore = 0)
{
    std::vector<OtnSite> sites;
    std::vector<OtnLink> links;
    for (uint32_t i = 0; i < n; ++i)
    {
        sites.push_back({std::to_string(i), std::to_string(i)});
        links.push_back({i, (i + 1) % n, km + kmMore * i, wavelengths});
    }
    return std::make_shared<const OtnMesh>(sites, links);
}

} // namespace ns3::odcn

#endif /* OTN_TEST_RING_H */
