// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_RUN_REPORT_H
#define ODCN_RUN_REPORT_H

#include "ns3/odcn-command-line.h"
#include "ns3/odcn-output-files.h"
#include "ns3/odcn-statistics.h"
#include "ns3/odcn-table.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ns3::odcn
{

class LivePage;

/**
 * @ingroup odcn
 *
 * A chart of a RunReport: rows of cells, and how they are drawn. The columns depend on the kind.
 * The first one is always the facet: a page shows one facet at a time and lets the reader choose;
 * it is empty where there is only one.
 */
class ReportChart
{
  public:
    /// How a chart is drawn, with the columns of its rows.
    enum class Kind
    {
        ESTIMATES, //!< facet, x, series, value, lower, upper, bound (1 for a bound, else 0)
        CDF,       //!< facet, series, value, share of the values up to this one
        CURVES,    //!< facet, series, x, y, lower, upper
        HEATMAP,   //!< facet, begin, end, place, value
        TIMELINE,  //!< facet, bar, begin, end, class
        CIRCUITS,  //!< facet, time, rack, uplink, rack it reaches from then on (empty for none)
    };

    /// Text or a number; NaN is an empty cell.
    using Cell = std::variant<std::string, double>;

    /// Most values of a series in a distribution.
    static constexpr std::size_t QUANTILES = 200;

    /// Most points of a curve.
    static constexpr std::size_t POINTS = 200;

    Kind kind;           //!< how it is drawn
    std::string title;   //!< title
    std::string x;       //!< title of the horizontal axis, with its unit
    std::string y;       //!< title of the vertical axis or the colour, with its unit
    std::string facet{}; //!< what a facet is, e.g. "policy"
    std::string note{};  //!< one line below the chart, e.g. what was left out
    std::vector<std::vector<Cell>> rows; //!< see Kind
    bool higherIsBetter{false};          //!< of ESTIMATES: else the least value is the best

    /// @return names of the columns
    const std::vector<std::string>& GetColumns() const;

    /**
     * Add an estimate.
     * @param facetOf facet
     * @param at place on the horizontal axis
     * @param series name of the line
     * @param estimate value and interval, which is left out where one observation gives none
     * @param scale factor, e.g. 100 for per cent
     * @param bound whether it is a bound on what is possible
     */
    void AddEstimate(const std::string& facetOf,
                     const std::string& at,
                     const std::string& series,
                     const Estimate& estimate,
                     double scale = 1,
                     bool bound = false);

    /**
     * Add the distribution of values, by at most QUANTILES of them.
     * @param facetOf facet
     * @param series name of the line
     * @param values in any order
     * @param scale factor
     * @param above number of further values, unknown but above all others: the line ends below 1
     */
    void AddDistribution(const std::string& facetOf,
                         const std::string& series,
                         std::vector<double> values,
                         double scale = 1,
                         std::size_t above = 0);

    /**
     * Add a curve. One of more than POINTS points is divided into that many parts; each is drawn
     * as the mean of its points, with a band from the least to the greatest.
     * @param facetOf facet  @param series name of the line  @param points x and y, in order of x
     */
    void AddCurve(const std::string& facetOf,
                  const std::string& series,
                  const std::vector<std::pair<double, double>>& points);
};

/**
 * @ingroup odcn
 *
 * Mean use of places (racks) over time, in memory that does not grow with time: the width of the
 * intervals doubles whenever there would be more than INTERVALS of them.
 */
class UseOverTime
{
  public:
    /// Most intervals of time.
    static constexpr std::size_t INTERVALS = 96;

    /// Most places of a chart; more are drawn in groups of neighbours.
    static constexpr std::size_t PLACES = 128;

    /**
     * @param begin not negative  @param end above @p begin, same unit  @param place number from 0
     * @param amount that is used meanwhile
     */
    void Add(double begin, double end, std::size_t place, double amount);

    /// @param chart a HEATMAP  @param facet its facet  @param scale factor  @param until intervals
    /// that end later are left out
    void Put(ReportChart& chart, const std::string& facet, double scale, double until) const;

  private:
    double m_width{1.0 / 1024};              //!< of an interval
    std::vector<std::vector<double>> m_sums; //!< amount x time, by place and interval
};

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

/**
 * @ingroup odcn
 *
 * The report of a run so far, in files that a server shows to browsers while the run goes on: the
 * page of RunReport asks for progress.json every two seconds (what Progress prints, and how many
 * records there were), and for run.json when that is newer (the tables and charts that are known).
 *
 * The files are in a folder of their own, which only the user can read and which is removed with
 * this object. The server is the launcher's, `./ns3 run`, which names the folder by the environment
 * variable ODCN_LIVE; a program that was started otherwise says how to start one. It is
 * data/report/live.py, which listens on 127.0.0.1 only. When a file cannot be written, the run goes
 * on.
 *
 * A process has at most one live page. It belongs to the RunReport with the option "live";
 * Progress, Experiment and Training find it by Get() and Offer().
 */
class LivePage
{
  public:
    /**
     * @param folder existing folder of the files, removed with this object; empty for a new one
     * @throws OdcnError when it cannot be created, or there is a live page already
     */
    explicit LivePage(std::string folder = "");

    /// Removes the folder.
    ~LivePage();

    LivePage(const LivePage&) = delete;
    LivePage& operator=(const LivePage&) = delete;

    /**
     * Begin the page; without the launcher's server, print to standard error how to start one.
     * @param port value of the option "live"
     * @return the page
     * @throws OdcnError as the constructor, and when the text is not a port
     */
    static std::unique_ptr<LivePage> Open(const std::string& port);

    /// @return the page of this process, or null
    static LivePage* Get();

    /**
     * Offer newer data to the page of this process, if any. They are made unless that would take
     * more than about a hundredth of the time.
     * @param makeRecord calls RunReport::MakeRecord()
     */
    static void Offer(const std::function<std::string()>& makeRecord);

    /// @return folder of the files
    const std::string& GetFolder() const
    {
        return m_folder;
    }

    /// @param text line of a Progress
    /// @param share of the run that is done; NaN when it is unknown
    void SetProgress(const std::string& text, double share);

    /// @param record of RunReport::MakeRecord()
    void SetRecord(const std::string& record);

  private:
    /// Replace a file, so that a reader sees the old or the new one.
    /// @param name its name
    /// @param text its content
    void Write(const std::string& name, const std::string& text) const;

    /// Replace progress.json.
    void WriteProgress() const;

    std::string m_folder;  //!< of the files
    std::string m_text;    //!< progress as text
    double m_share;        //!< progress as a number; NaN when it is unknown
    uint64_t m_records{0}; //!< number of records so far
    double m_next{0};      //!< when the next offer is taken, s
    int m_process;         //!< that it belongs to; copies of the process have none
};

} // namespace ns3::odcn

#endif /* ODCN_RUN_REPORT_H */
