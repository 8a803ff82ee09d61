// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_HOTSPOT_MIGRATION_PACKETS_H
#define ICCI_HOTSPOT_MIGRATION_PACKETS_H

/**
 * @file
 * Packet-level migrations of icci-hotspot-migration: table and files.
 */

#include "icci-hotspot-migration.h"

#include "ns3/icci-migration-scheduler.h"
#include "ns3/icci-plane-helper.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-run-report.h"

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

/// Runs the first migrations of every policy at packet level.
class PacketReport
{
  public:
    /**
     * @param options options of the command line
     * @param manager task manager, configured as those of all policies
     * @param files output folder
     */
    PacketReport(const PacketOptions& options,
                 ns3::Ptr<const ns3::odcn::IcciManager> manager,
                 ns3::odcn::OutputFiles& files);
    ~PacketReport();

    /// Begin the runs of a policy. @param policy its name
    void Begin(const std::string& policy);

    /**
     * Run a day in the simulator, with migrations in packets until the policy has enough of them.
     * @param problem problem after Reset()  @param policy its policy  @param run run number
     */
    void RunDay(ns3::Ptr<ns3::odcn::IcciMigration> problem,
                ns3::Ptr<ns3::odcn::DecisionPolicy> policy,
                uint64_t run);

    /// Write all files.
    void Write();

    /// @param os output stream of the table  @param report gets the table too
    void Print(std::ostream& os, ns3::odcn::RunReport& report) const;

  private:
    class Traces;
    using Row = ns3::odcn::IcciPacketMigration;

    /// Packet-level results of a policy.
    struct Policy
    {
        std::string name;      //!< its name
        std::vector<Row> rows; //!< migrations
    };

    const PacketOptions& m_options;                      //!< options of the command line
    ns3::odcn::OutputFiles& m_files;                     //!< output folder
    ns3::Ptr<ns3::odcn::IcciPacketPlane> m_plane;        //!< centres and mesh
    ns3::Ptr<ns3::odcn::ManagementNetwork> m_management; //!< management network
    ns3::Ptr<ns3::Node> m_controller;                    //!< node of the schedulers
    std::unique_ptr<Traces> m_traces;                    //!< trace files; null if not requested
    std::vector<Policy> m_policies;                      //!< results, in the order of the policies
    ns3::odcn::CsvWriter m_csv;                          //!< file with one row per migration
};

#endif /* ICCI_HOTSPOT_MIGRATION_PACKETS_H */
