// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_PACKET_PLANE_H
#define ICCI_PACKET_PLANE_H

#include "icci-bulk-migration-application.h"

#include "ns3/icci-fat-tree.h"
#include "ns3/object.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/otn-controller.h"
#include "ns3/otn-lightpath.h"
#include "ns3/otn-network.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/// What became of all packets that hosts sent.
struct IcciPlaneCounts
{
    uint64_t sent{0};      //!< given to network cards
    uint64_t received{0};  //!< handed to hosts
    uint64_t inFlight{0};  //!< in queues, on fibres, on lightpaths
    OcsDropCounts dropped; //!< by cause

    /// @return packets unaccounted for (invariant: 0)
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
 * IcciPlaneHelper builds it. The networks within the centres never are the bottleneck, as in the
 * DeepHM paper: what is measured are lightpaths.
 *
 * To be used with Time::SetResolution(Time::PS). Dispose() of it after Simulator::Destroy().
 */
class IcciPacketPlane : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();
    IcciPacketPlane();

    /**
     * @param trees centres by site
     * @param control of the mesh between them
     */
    void SetUp(std::vector<Ptr<IcciFatTree>> trees, Ptr<OtnController> control);

    /// @return control of lightpaths
    const Ptr<OtnController>& GetControl() const
    {
        return m_control;
    }

    /// @return the mesh
    const Ptr<OtnNetwork>& GetNetwork() const
    {
        return m_control->GetNetwork();
    }

    /// @param centre its number  @return the centre
    const Ptr<IcciFatTree>& GetTree(uint32_t centre) const
    {
        return m_trees[centre];
    }

    /// @param place of a worker  @return its node
    Ptr<Node> GetHost(const IcciWorkerPlace& place) const
    {
        return m_trees[place.centre]->GetHost(place.host);
    }

    /// @param place of a worker  @return its address
    Ipv4Address GetAddress(const IcciWorkerPlace& place) const
    {
        return m_trees[place.centre]->GetHostAddress(place.host);
    }

    /// @param lightpath over which its centres send to each other, besides others
    void Connect(Ptr<OtnLightpath> lightpath) const;

    /// @param lightpath over which its centres no longer do
    void Disconnect(Ptr<OtnLightpath> lightpath) const;

    /// The two places of a worker that moves.
    struct Move
    {
        Ptr<BulkMigrationApplication> source; //!< at the old place
        Ptr<BulkMigrationApplication> target; //!< at the new place
    };

    /**
     * Make both places ready; Migrate() at the source begins.
     * @param from where the worker is
     * @param to where it goes
     * @param bytes D + Omega
     * @param scale share of them that is really sent
     * @param gpuSwitchTime t_GPU
     * @return the applications; their window has room for all bytes
     */
    Move AddMove(const IcciWorkerPlace& from,
                 const IcciWorkerPlace& to,
                 double bytes,
                 double scale,
                 const Time& gpuSwitchTime);

    /// @return a port that has not been used for long, for applications on any hosts
    uint16_t TakePort();

    /// @return what has become of all packets
    IcciPlaneCounts Count() const;

  protected:
    void DoDispose() override;

  private:
    std::vector<Ptr<IcciFatTree>> m_trees; //!< by number
    Ptr<OtnController> m_control;          //!< of the mesh between them
    uint32_t m_nPorts{0};                  //!< taken so far
};

} // namespace ns3::odcn

#endif /* ICCI_PACKET_PLANE_H */
