// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RUN_REPORT_H
#define ODCN_RUN_REPORT_H

#include "odcn-report-chart.h"

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-table.h"

#include <deque>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

class LivePage;

/**
 * @ingroup odcn
 *
 * The report of a run: `report.html`, one page without references to other files, with the record
 * of the run, tables and charts. It is the same, byte for byte, for the same run and command.
 *
 * The page is data/report/report.html with the record as JSON, which the script of the page draws.
 *
 * @code
 *   RunReport report;
 *   report.AddOptions(cmd); // --report, --live
 *   report.AddTable("Blocking", table);
 *   report.Write(files);
 * @endcode
 */
class RunReport
{
  public:
    /// @param cmd command line, which gets the options "report" and "live" (see LivePage) and is
    /// part of the record; this object must stay where it is until Parse()
    void AddOptions(OdcnCommandLine& cmd);

    /// @param command command line as typed
    void SetCommand(const std::string& command);

    /// @return whether a report or a live page are asked for; if not, nothing needs to be added
    bool IsWanted() const
    {
        return m_report || m_live;
    }

    /// @param label name of a fact, e.g. "seed"  @param text the fact; a label may occur repeatedly
    void AddFact(const std::string& label, const std::string& text);

    /// @param title title  @param table the table as printed  @param note text below it
    void AddTable(const std::string& title, const Table& table, const std::string& note = "");

    /// @param chart without rows  @return the chart, to be filled; stays valid
    ReportChart& AddChart(ReportChart chart);

    /**
     * Add a learning curve, if the file has a column "decisions" and one of the scores.
     * @param title of the policy  @param path file of a Training, FILE.csv
     */
    void AddTraining(const std::string& title, const std::string& path);

    /**
     * Write report.html, if it is asked for. Charts without rows are left out. Beside summary.csv,
     * also write plot.py, which draws it; one that a user has edited stays.
     * @param files output folder  @param name of the page, if it is not the folder's only one
     */
    void Write(OutputFiles& files, const std::string& name = "report") const;

    /// Names and summaries of files beside a report.
    using Files = std::vector<std::pair<std::string, std::string>>;

    /// @param folder name of the run in a comparison  @param files those beside the report
    /// @return the page
    /// @throws OdcnError when the data file of the page cannot be read
    std::string MakePage(const std::string& folder, const Files& files) const;

    /// @param name of the run; empty for that of the program  @param files those beside the report
    /// @return the data of the page: JSON without "<"
    std::string MakeRecord(const std::string& name = "", const Files& files = {}) const;

    /**
     * Read columns of a CSV file as CsvWriter writes it.
     * @param path the file
     * @param columns names
     * @param row called with the cells of each row, in the order of @p columns
     * @throws OdcnError when the file cannot be read or lacks a column
     */
    static void ReadCsv(const std::string& path,
                        const std::vector<std::string>& columns,
                        const std::function<void(const std::vector<std::string>&)>& row);

  private:
    /// A table of the report.
    struct Section
    {
        std::string title; //!< title
        Table table;       //!< as printed
        std::string note;  //!< text below it
    };

    bool m_report{true};                                      //!< option "report"
    std::shared_ptr<LivePage> m_live;                         //!< option "live"; null without
    std::string m_program;                                    //!< name of the program
    std::string m_command;                                    //!< command line as typed
    std::vector<std::pair<std::string, std::string>> m_facts; //!< record of the run
    std::vector<Section> m_tables;                            //!< tables
    std::deque<ReportChart> m_charts;                         //!< charts
};

} // namespace ns3::odcn

#endif /* ODCN_RUN_REPORT_H */
