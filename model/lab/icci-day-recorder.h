// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ICCI_DAY_RECORDER_H
#define ICCI_DAY_RECORDER_H

#include "odcn-report-chart.h"
#include "odcn-run-report.h"

#include "ns3/icci-manager.h"
#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-output-files.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Records days of computing centres: hotspots.csv (centres by hour), links.csv (links by hour),
 * tasks.csv and migrations.csv. The first day of every policy is in the report, too.
 */
class IcciDayRecorder
{
  public:
    /// @param files output folder
    /// @param report gets charts of the first day
    IcciDayRecorder(OutputFiles& files, RunReport& report);

    /// Add a day.
    /// @param policy policy
    /// @param run run number
    /// @param manager manager at its end
    void Add(const std::string& policy, uint64_t run, const IcciManager& manager);

    /// Move the complete files to their target paths.
    void Commit();

  private:
    /// Add centres and links.
    /// @param policy policy
    /// @param run run number
    /// @param manager manager
    void AddHours(const std::string& policy, uint64_t run, const IcciManager& manager);

    /// Add tasks.
    /// @param policy policy
    /// @param run run number
    /// @param manager manager
    void AddTasks(const std::string& policy, uint64_t run, const IcciManager& manager);

    OutputFiles& m_files;               //!< output folder
    CsvWriter m_centres;                //!< hotspots.csv
    CsvWriter m_links;                  //!< links.csv
    CsvWriter m_tasks;                  //!< tasks.csv
    CsvWriter m_migrations;             //!< migrations.csv
    ReportChart& m_units;               //!< free computing units
    ReportChart& m_use;                 //!< use of links
    ReportChart& m_bars;                //!< tasks over time
    std::optional<uint64_t> m_firstRun; //!< run number of the day in the charts
};

} // namespace ns3::odcn

#endif /* ICCI_DAY_RECORDER_H */
