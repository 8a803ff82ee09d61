// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_PLANE_HELPER_H
#define ICCI_PLANE_HELPER_H

#include "ns3/icci-manager.h"
#include "ns3/icci-packet-plane.h"
#include "ns3/ocs-device-helper.h"
#include "ns3/otn-mesh.h"

#include <cstdint>
#include <memory>

namespace ns3::odcn
{

/// Parameters of centres and mesh at packet level.
struct IcciPlaneOptions
{
    uint32_t gpus{100};             //!< hosts per centre
    uint32_t wavelengths{5};        //!< most wavelengths of a lightpath; all ports are faster
    double bitsPerWavelength{1e11}; //!< chi, bit/s
    double oeoTime{1e-4};           //!< t_OEO, s
    double kmPerSecond{2e5};        //!< v_fiber

    /**
     * @param manager task manager
     * @return the options given by its Attributes
     * @throws OdcnError when its lightpaths are unidirectional
     */
    static IcciPlaneOptions Of(Ptr<const IcciManager> manager);
};

/**
 * @ingroup odcn
 *
 * Builds computing centres and the mesh between them at packet level. pcap and ascii traces work on
 * any network card.
 */
class IcciPlaneHelper : public OcsDeviceHelper
{
  public:
    /**
     * @param mesh sites and links
     * @param options parameters
     * @return a centre with IP stacks at each site, and the controller of the mesh
     * @throws OdcnError when the addresses do not suffice for the GPUs
     */
    static Ptr<IcciPacketPlane> Build(std::shared_ptr<const OtnMesh> mesh,
                                      const IcciPlaneOptions& options);
};

} // namespace ns3::odcn

#endif /* ICCI_PLANE_HELPER_H */
