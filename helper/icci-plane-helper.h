// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_PLANE_HELPER_H
#define ICCI_PLANE_HELPER_H

#include "ocs-device-helper.h"

#include "ns3/icci-manager.h"
#include "ns3/icci-packet-plane.h"
#include "ns3/otn-mesh.h"

#include <cstdint>
#include <memory>

namespace ns3::odcn
{

/// Properties of centres and mesh in packets.
struct IcciPlaneOptions
{
    uint32_t gpus{100};             //!< of a centre
    uint32_t wavelengths{5};        //!< whose joint rate network cards and switches exceed
    double bitsPerWavelength{1e11}; //!< chi, bit/s
    double oeoTime{1e-4};           //!< t_OEO, s
    double kmPerSecond{2e5};        //!< v_fiber

    /**
     * @param manager of tasks
     * @return what its Attributes say of packets
     * @throws OdcnError when its lightpaths take one direction only
     */
    static IcciPlaneOptions Of(Ptr<const IcciManager> manager);
};

/**
 * @ingroup odcn
 *
 * Builds computing centres and the mesh between them in packets. pcap and ascii traces work on any
 * network card.
 */
class IcciPlaneHelper : public OcsDeviceHelper
{
  public:
    /**
     * @param mesh sites and links
     * @param options properties
     * @return a centre at each site, with IP stacks, and control of the mesh
     * @throws OdcnError when there are too many GPUs for the addresses
     */
    static Ptr<IcciPacketPlane> Build(std::shared_ptr<const OtnMesh> mesh,
                                      const IcciPlaneOptions& options);
};

} // namespace ns3::odcn

#endif /* ICCI_PLANE_HELPER_H */
