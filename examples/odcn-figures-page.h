// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FIGURES_PAGE_H
#define ODCN_FIGURES_PAGE_H

/**
 * @file
 * Markdown tables of the results with the paper's numbers and the exact bound, to be inserted
 * between two marks of a page.
 */

#include "odcn-figures-measure.h"
#include "odcn-figures-store.h"

#include "ns3/odcn-run-report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The paper's numbers, read from a file.
class PaperNumbers
{
  public:
    /// @param path CSV file
    explicit PaperNumbers(const std::string& path);

    /**
     * @param place place in the paper, e.g. "Table 2"
     * @param load load of the row  @param policy its policy  @param quantity its quantity
     * @return the text of the number; empty if there is none
     */
    std::string Find(const std::string& place,
                     const std::string& load,
                     const std::string& policy,
                     const std::string& quantity) const;

  private:
    FigureTable m_table; //!< place, load, policy, quantity, value
};

/// A learning curve.
struct FigureCurve
{
    std::string recipe;            //!< training recipe
    uint64_t training{0};          //!< run number of the training
    std::vector<double> decisions; //!< number of decisions so far
    std::vector<double> lost;      //!< share of jobs lost, at these numbers of decisions
};

/// An agent trained with a reconfiguration cost.
struct FigureCost
{
    std::string recipe;   //!< training recipe
    double phi{0};        //!< reconfiguration cost
    uint64_t training{0}; //!< run number of the training
};

/**
 * Insert text between the marks of a page: the lines "<!-- odcn-figures: REGION -->" and
 * "<!-- odcn-figures: end -->". On an error the page stays unchanged.
 * @param path path of the page
 * @param region name of the region
 * @param text lines; nullopt to only check that the page has the marks
 * @throws OdcnError when the page does not have the marks
 */
void FillPage(const std::string& path,
              const std::string& region,
              const std::optional<std::string>& text);

/**
 * Describe how points were measured.
 * @param study how
 * @param packets whether they were also measured at packet level
 * @return a paragraph
 */
std::string DescribeStudy(const FigureStudy& study, bool packets);

/**
 * Figs. 5 to 7: every point, then the ratios of baselines to the agent, with those of the paper.
 * @param study measurement settings
 * @param points points of the figure
 * @param figure "Fig. 5", "Fig. 6" or "Fig. 7"
 * @param paper the paper's numbers
 * @return the text
 */
std::string WriteComparison(const FigureStudy& study,
                            const std::vector<FigurePoint>& points,
                            const std::string& figure,
                            const PaperNumbers& paper);

/**
 * Blocking against latency, and the rules that are better than an agent in both.
 * @param study measurement settings
 * @param points points of rules and agents
 * @return the text
 */
std::string WriteFront(const FigureStudy& study, const std::vector<FigurePoint>& points);

/**
 * Tables 2 to 4: utilization of cores, memory and disk, with the paper's and the bound for cores.
 * @param study measurement settings
 * @param points points of the table
 * @param table "Table 2", "Table 3" or "Table 4"
 * @param paper the paper's numbers
 * @return the text
 */
std::string WriteUtilisation(const FigureStudy& study,
                             const std::vector<FigurePoint>& points,
                             const std::string& table,
                             const PaperNumbers& paper);

/**
 * Fig. 3: blocking and reconfigurations over the reconfiguration cost.
 * @param costs reconfiguration costs of the agents
 * @param points points of the agents, one per agent
 * @return the text
 */
std::string WriteCosts(const std::vector<FigureCost>& costs,
                       const std::vector<FigurePoint>& points);

/**
 * Fig. 4: learning curves with the baselines.
 * @param curves learning curves of all trainings
 * @param baselines points of the baselines at the same load
 * @return the text
 */
std::string WriteCurves(const std::vector<FigureCurve>& curves,
                        const std::vector<FigurePoint>& baselines);

/**
 * Add the tables of a text to a report, each with the paragraph before it.
 * @param report report
 * @param title "Fig. 5"
 * @param text text of the functions above
 */
void AddTables(ns3::odcn::RunReport& report, const std::string& title, const std::string& text);

/// Add charts of blocking, reconfigurations, utilization, latency and loss over the load.
/// @param report report  @param points points of a figure
void AddCharts(ns3::odcn::RunReport& report, const std::vector<FigurePoint>& points);

/**
 * Write the points of a figure to a file for plots, one row per point.
 * @param path output file
 * @param study measurement settings
 * @param points the points
 * @param command command line that made it
 */
void WritePoints(const std::string& path,
                 const FigureStudy& study,
                 const std::vector<FigurePoint>& points,
                 const std::string& command);

#endif /* ODCN_FIGURES_PAGE_H */
