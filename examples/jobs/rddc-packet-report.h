// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDDC_PACKET_REPORT_H
#define RDDC_PACKET_REPORT_H

#include "ns3/ocs-drop-cause.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-report-chart.h"
#include "ns3/odcn-run-report.h"
#include "ns3/odcn-table.h"
#include "ns3/rddc-window-recorder.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// The tables and files of packets of rddc-nara-allocation, of all runs.
class RddcPacketReport
{
  public:
    /// A run.
    struct Run
    {
        std::string topology; //!< label of its topology
        std::string load;     //!< label of its load
        std::string policy;   //!< name of its policy
        std::string place;    //!< topology in tables, with the load if there are several
    };

    /// @param files output folder
    /// @param report gets a chart
    RddcPacketReport(ns3::odcn::OutputFiles& files, ns3::odcn::RunReport& report);

    /// Add a run.
    /// @param run the run
    /// @param recorder its recorder
    void Add(const Run& run, const ns3::odcn::RddcWindowRecorder& recorder);

    /// Add what became of all packets of a run.
    /// @param run the run
    /// @param counts of the fabric
    /// @param interrupted requests that lost a part
    void AddLosses(const Run& run, const ns3::odcn::PacketCounts& counts, uint64_t interrupted);

    /// Write the files and print the tables.
    /// @param report gets them too
    /// @param faults whether parts fail
    void Finish(ns3::odcn::RunReport& report, bool faults);

  private:
    /// Write a row of packets.csv.
    /// @param run the run
    /// @param tier 0 to 2
    /// @param carrier name of a carrier
    /// @param packets its packets
    void AddFigures(const Run& run,
                    std::size_t tier,
                    const std::string& carrier,
                    const ns3::odcn::PacketRecorder& packets);

    ns3::odcn::OutputFiles& m_files;   //!< output folder
    ns3::odcn::ReportChart& m_latency; //!< by topology, tier and carrier
    ns3::odcn::CsvWriter m_figures;    //!< packets.csv
    ns3::odcn::CsvWriter m_requests;   //!< packet-requests.csv
    ns3::odcn::CsvWriter m_losses;     //!< packet-losses.csv
    ns3::odcn::Table m_table;          //!< packets by tier
    ns3::odcn::Table m_fates;          //!< packets under faults
};

#endif /* RDDC_PACKET_REPORT_H */
