// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_PACKET_DAYS_H
#define ICCI_PACKET_DAYS_H

/// @file
/// The packet level of icci-hotspot-migration.

#include "ns3/icci-migration-scheduler.h"
#include "ns3/icci-packet-plane.h"
#include "ns3/node.h"
#include "ns3/odcn-experiment.h"
#include "ns3/odcn-management-network.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-packet-traces.h"

#include <cstddef>
#include <cstdint>
#include <vector>

/// Runs the first migrations of every policy in packets.
class PacketDays
{
  public:
    /**
     * @param migrations migrations of each policy in packets
     * @param traces whether to write pcap and FlowMonitor files
     * @param manager task manager, configured as those of all policies
     * @param files output folder
     */
    PacketDays(uint32_t migrations,
               bool traces,
               ns3::Ptr<const ns3::odcn::IcciManager> manager,
               ns3::odcn::OutputFiles& files);
    ~PacketDays();

    /// Run a day in the simulator, with migrations in packets until the policy has enough of them.
    /// @param trial the policy's trial of the day
    void Run(const ns3::odcn::Experiment::Trial& trial);

    /// @return the migrations of the last day
    const std::vector<ns3::odcn::IcciPacketMigration>& Get() const
    {
        return m_day;
    }

    /// Keep the traces.
    void Commit();

  private:
    /// A worker is about to move: trace its packets if it is the first. @param from its place
    void MoveReady(const ns3::odcn::IcciWorkerPlace& from, const ns3::odcn::IcciWorkerPlace&);

    uint32_t m_migrations;                               //!< of each policy in packets
    bool m_isTraced;                                     //!< whether to write traces
    ns3::Ptr<ns3::odcn::IcciPacketPlane> m_plane;        //!< centres and mesh
    ns3::Ptr<ns3::odcn::ManagementNetwork> m_management; //!< management network
    ns3::Ptr<ns3::Node> m_controller;                    //!< node of the schedulers
    ns3::odcn::PacketTraces m_traces;                    //!< trace files, if asked for
    bool m_hasPcap{false};                               //!< whether packets of a worker are traced
    std::size_t m_done{0};                               //!< migrations of the policy in packets
    std::vector<ns3::odcn::IcciPacketMigration> m_day;   //!< those of the day
};

#endif // ICCI_PACKET_DAYS_H
