// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_PACKET_PLANE_H
#define ICCI_PACKET_PLANE_H

#include "icci-bulk-migration-application.h"

#include "ns3/object.h"
#include "ns3/ocs-drop-cause.h"
#include "ns3/odcn-packet-network.h"
#include "ns3/otn-controller.h"
#include "ns3/otn-lightpath.h"
#include "ns3/otn-network.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3::odcn
{

/// Location of a worker.
struct IcciWorkerPlace
{
    uint32_t centre{0}; //!< index of the centre
    uint32_t host{0};   //!< index of the GPU host in the centre
};

/**
 * @ingroup odcn
 *
 * Packet model of a GPU centre at each site of a mesh, with control of the lightpaths between them.
 * IcciPlaneHelper builds it. As in the DeepHM paper, the networks within the centres are never the
 * bottleneck: lightpaths are measured.
 *
 * Requires Time::SetResolution(Time::PS). Call Dispose() after Simulator::Destroy().
 */
class IcciPacketPlane : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @param trees the centre at each site
     * @param control controller of the mesh between them
     */
    void SetUp(std::vector<Ptr<PacketNetwork>> trees, Ptr<OtnController> control);

    /// @return the controller of lightpaths
    const Ptr<OtnController>& GetControl() const
    {
        return m_control;
    }

    /// @return the mesh
    const Ptr<OtnNetwork>& GetNetwork() const
    {
        return m_control->GetNetwork();
    }

    /// @param centre its index  @return the network of the centre
    const Ptr<PacketNetwork>& GetTree(uint32_t centre) const
    {
        return m_trees[centre];
    }

    /// @param place of a worker  @return its node
    Ptr<Node> GetHost(const IcciWorkerPlace& place) const
    {
        return m_trees[place.centre]->GetServer(place.host);
    }

    /// @param place of a worker  @return its address
    Ipv4Address GetAddress(const IcciWorkerPlace& place) const
    {
        return m_trees[place.centre]->GetServerAddress(place.host);
    }

    /// @param lightpath to use, besides others, between the centres at its ends
    void Connect(Ptr<OtnLightpath> lightpath) const;

    /// @param lightpath to use no longer between the centres at its ends
    void Disconnect(Ptr<OtnLightpath> lightpath) const;

    /// The two places of a worker that moves.
    struct Move
    {
        Ptr<BulkMigrationApplication> source; //!< at the old place
        Ptr<BulkMigrationApplication> target; //!< at the new place
    };

    /**
     * Install the applications of a move; Migrate() at the source starts it.
     * @param from the old place
     * @param to the new place
     * @param bytes D + Omega
     * @param scale share of the bytes that is sent
     * @param gpuSwitchTime t_GPU
     * @return the applications; their window has room for all bytes
     */
    Move AddMove(const IcciWorkerPlace& from,
                 const IcciWorkerPlace& to,
                 double bytes,
                 double scale,
                 const Time& gpuSwitchTime);

    /// @return the least recently used TCP port of a range, for applications on any hosts
    uint16_t TakePort();

    /// @return packets by outcome
    PacketCounts Count() const;

  protected:
    void DoDispose() override;

  private:
    std::vector<Ptr<PacketNetwork>> m_trees; //!< networks by centre
    Ptr<OtnController> m_control;            //!< controller of the mesh
    uint32_t m_nPorts{0};                    //!< ports taken so far
};

} // namespace ns3::odcn

#endif /* ICCI_PACKET_PLANE_H */
