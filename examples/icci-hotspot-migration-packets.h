// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_HOTSPOT_MIGRATION_PACKETS_H
#define ICCI_HOTSPOT_MIGRATION_PACKETS_H

/**
 * @file
 * Migrations of icci-hotspot-migration that packets carry: table and files.
 */

#include "icci-hotspot-migration-report.h"

#include "ns3/icci-packet-run.h"

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
    PacketReport(const Options& options,
                 ns3::Ptr<const ns3::odcn::IcciManager> manager,
                 ns3::odcn::OdcnOutputFiles& files);
    ~PacketReport();

    /// From now on a policy decides. @param policy its name  @param manager carries its decisions
    /// out
    void Begin(const std::string& policy, ns3::Ptr<ns3::odcn::IcciManager> manager);

    /// A day of it is over. @param run number of its streams
    void AddDay(uint64_t run);

    /// Write all files.
    void Write();

    /// @param os where to print the table
    void Print(std::ostream& os) const;

  private:
    class Traces;
    using Row = ns3::odcn::IcciPacketRun::Row;

    /// What packets made of the migrations of a policy.
    struct Policy
    {
        std::string name;      //!< its name
        std::vector<Row> rows; //!< migrations
    };

    const Options& m_options;                        //!< of the command line
    ns3::odcn::OdcnOutputFiles& m_files;             //!< where to write
    std::unique_ptr<Traces> m_traces;                //!< if asked for
    std::unique_ptr<ns3::odcn::IcciPacketRun> m_run; //!< carries them
    std::vector<Policy> m_policies;                  //!< in the order given
    ns3::odcn::OdcnCsvWriter m_csv;                  //!< a row for each migration
};

#endif /* ICCI_HOTSPOT_MIGRATION_PACKETS_H */
