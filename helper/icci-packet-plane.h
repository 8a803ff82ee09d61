// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_PACKET_PLANE_H
#define ICCI_PACKET_PLANE_H

#include "icci-fat-tree-helper.h"
#include "otn-controller.h"

#include "ns3/icci-bulk-migration-application.h"
#include "ns3/icci-fat-tree.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/otn-lightpath.h"
#include "ns3/otn-mesh.h"
#include "ns3/otn-network.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace odcn
{

/// What centres and mesh are like in packets.
struct IcciPlaneOptions
{
    uint32_t gpus{100};             //!< of a centre
    uint32_t wavelengths{5};        //!< that network cards and switches outrun together
    double bitsPerWavelength{1e11}; //!< chi, bit/s
    double oeoTime{1e-4};           //!< t_OEO, s
    double kmPerSecond{2e5};        //!< v_fiber
};

/// What became of all packets that hosts sent.
struct IcciPlaneCounts
{
    uint64_t sent{0};      //!< given to network cards
    uint64_t received{0};  //!< handed to hosts
    uint64_t inFlight{0};  //!< in queues, on fibres, on lightpaths
    OcsDropCounts dropped; //!< by cause

    /// @return packets that nobody knows of, 0
    int64_t GetMissing() const
    {
        return static_cast<int64_t>(sent - received - inFlight - dropped.Total());
    }
};

/// Where a worker is.
struct IcciWorkerPlace
{
    uint32_t centre{0}; //!< which centre
    uint32_t host{0};   //!< which GPU of it
};

/**
 * @ingroup odcn
 *
 * A centre of GPUs in packets at each site of a mesh, and control of the lightpaths between them.
 * The networks within the centres are enough for all that comes, as in the DeepHM paper: what is
 * measured are lightpaths.
 *
 * To be used with Time::SetResolution(Time::PS). Its end is that of the simulation
 * (Simulator::Destroy()).
 */
class IcciPacketPlane
{
  public:
    /**
     * @param mesh sites and links
     * @param options what all is like
     * @throws OdcnError when there are too many GPUs for addresses
     */
    IcciPacketPlane(std::shared_ptr<const OtnMesh> mesh, const IcciPlaneOptions& options);
    ~IcciPacketPlane();

    IcciPacketPlane(const IcciPacketPlane&) = delete;
    IcciPacketPlane& operator=(const IcciPacketPlane&) = delete;

    /// @return who sets up lightpaths
    const Ptr<OtnController>& GetControl() const
    {
        return m_control;
    }

    /// @return the mesh
    const Ptr<OtnNetwork>& GetNetwork() const
    {
        return m_network;
    }

    /// @param centre its number  @return the centre
    const Ptr<IcciFatTree>& GetTree(uint32_t centre) const
    {
        return m_trees[centre];
    }

    /// @param lightpath whose centres send to each other by it, among others
    void Connect(Ptr<OtnLightpath> lightpath) const;

    /// @param lightpath whose centres no longer do
    void Disconnect(Ptr<OtnLightpath> lightpath) const;

    /// The two places of a worker that moves.
    struct Move
    {
        Ptr<BulkMigrationApplication> source; //!< where it is
        Ptr<BulkMigrationApplication> target; //!< where it goes
    };

    /**
     * Make both places ready; Migrate() at the source begins.
     * @param from where the worker is
     * @param to where it goes
     * @param bytes D + Omega
     * @param scale share of them that is really sent
     * @param gpuSwitchTime t_GPU
     * @return the applications; all bytes may be under way
     */
    Move AddMove(const IcciWorkerPlace& from,
                 const IcciWorkerPlace& to,
                 double bytes,
                 double scale,
                 const Time& gpuSwitchTime);

    /// @param file to be written: packets of a host's network card  @param place which host
    void EnablePcap(const std::string& file, const IcciWorkerPlace& place);

    /// @return what has become of all packets
    IcciPlaneCounts Count() const;

  private:
    IcciFatTreeHelper m_helper;            //!< of the centres
    std::vector<Ptr<IcciFatTree>> m_trees; //!< by number
    Ptr<OtnNetwork> m_network;             //!< between them
    Ptr<OtnController> m_control;          //!< of that
    uint32_t m_nMoves{0};                  //!< so far
};

} // namespace odcn
} // namespace ns3

#endif /* ICCI_PACKET_PLANE_H */
