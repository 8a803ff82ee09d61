// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_HOTSPOT_MIGRATION_PACKETS_H
#define ICCI_HOTSPOT_MIGRATION_PACKETS_H

/**
 * @file
 * Migrations of icci-hotspot-migration that packets carry: table and files.
 */

#include "icci-hotspot-migration.h"

#include "ns3/icci-migration-scheduler.h"
#include "ns3/icci-plane-helper.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-output-files.h"

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

/// The first migrations of every policy, in packets.
class PacketReport
{
  public:
    /**
     * @param options of the command line
     * @param manager like those of all policies
     * @param files where to write
     */
    PacketReport(const PacketOptions& options,
                 ns3::Ptr<const ns3::odcn::IcciManager> manager,
                 ns3::odcn::OutputFiles& files);
    ~PacketReport();

    /// From now on a policy decides. @param policy its name
    void Begin(const std::string& policy);

    /**
     * Run a day in the simulator; packets carry migrations until there were enough of the policy.
     * @param problem reset  @param policy decides  @param run number of its streams
     */
    void RunDay(ns3::Ptr<ns3::odcn::IcciMigration> problem,
                ns3::Ptr<ns3::odcn::DecisionPolicy> policy,
                uint64_t run);

    /// Write all files.
    void Write();

    /// @param os where to print the table
    void Print(std::ostream& os) const;

  private:
    class Traces;
    using Row = ns3::odcn::IcciPacketMigration;

    /// What packets made of the migrations of a policy.
    struct Policy
    {
        std::string name;      //!< its name
        std::vector<Row> rows; //!< migrations
    };

    const PacketOptions& m_options;                      //!< of the command line
    ns3::odcn::OutputFiles& m_files;                     //!< where to write
    ns3::Ptr<ns3::odcn::IcciPacketPlane> m_plane;        //!< centres and mesh
    ns3::Ptr<ns3::odcn::ManagementNetwork> m_management; //!< to and from it
    ns3::Ptr<ns3::Node> m_controller;                    //!< node of the schedulers
    std::unique_ptr<Traces> m_traces;                    //!< if asked for
    std::vector<Policy> m_policies;                      //!< in the order given
    ns3::odcn::CsvWriter m_csv;                          //!< a row for each migration
};

#endif /* ICCI_HOTSPOT_MIGRATION_PACKETS_H */
