// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FIGURES_PAGE_H
#define ODCN_FIGURES_PAGE_H

/**
 * @file
 * Tables of the results beside the paper's numbers and the exact bound, as text that goes between
 * two marks of a page in Markdown.
 */

#include "odcn-figures-measure.h"
#include "odcn-figures-store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What the paper says, from a file.
class PaperNumbers
{
  public:
    /// @param path file of comma-separated values
    explicit PaperNumbers(const std::string& path);

    /**
     * @param place where in the paper, e.g. "Table 2"
     * @param load of the row  @param policy of the row  @param quantity of the row
     * @return the number as it stands there; empty if there is none
     */
    std::string Find(const std::string& place,
                     const std::string& load,
                     const std::string& policy,
                     const std::string& quantity) const;

  private:
    FigureTable m_table; //!< Place, load, policy, quantity, value
};

/// A learning curve.
struct FigureCurve
{
    std::string recipe;            //!< how it learns
    uint64_t training{0};          //!< run number
    std::vector<double> decisions; //!< so far
    std::vector<double> lost;      //!< share of jobs, at the same moments
};

/// An agent trained at some cost of a reconfiguration.
struct FigureCost
{
    std::string recipe;   //!< how it learns
    double phi{0};        //!< the cost
    uint64_t training{0}; //!< run number of the training
};

/**
 * Put text between the marks of a page: the lines "<!-- odcn-figures: REGION -->" and
 * "<!-- odcn-figures: end -->". The page appears whole or stays as it was.
 * @param path the page
 * @param region its name
 * @param text lines; nothing to see only whether they could be put there
 * @throws OdcnError when the page does not have the marks
 */
void FillPage(const std::string& path,
              const std::string& region,
              const std::optional<std::string>& text);

/**
 * How points were measured.
 * @param study how
 * @param packets whether in packets, too
 * @return a paragraph
 */
std::string DescribeStudy(const FigureStudy& study, bool packets);

/**
 * Figs 5 to 7: every point, then how many times fewer or less the agent has, beside the paper.
 * @param study how they were measured
 * @param points of the figure
 * @param figure "Fig. 5", "Fig. 6" or "Fig. 7"
 * @param paper what it says
 * @return text
 */
std::string WriteComparison(const FigureStudy& study,
                            const std::vector<FigurePoint>& points,
                            const std::string& figure,
                            const PaperNumbers& paper);

/**
 * Blocking against latency, and which rules are ahead of an agent in both.
 * @param study how they were measured
 * @param points of rules and agents
 * @return text
 */
std::string WriteFront(const FigureStudy& study, const std::vector<FigurePoint>& points);

/**
 * Tables 2 to 4: use of cores, memory and disk beside the paper's and the ceiling of the cores.
 * @param study how they were measured
 * @param points of the table
 * @param table "Table 2", "Table 3" or "Table 4"
 * @param paper what it says
 * @return text
 */
std::string WriteUtilisation(const FigureStudy& study,
                             const std::vector<FigurePoint>& points,
                             const std::string& table,
                             const PaperNumbers& paper);

/**
 * Fig. 3: blocking and reconfigurations over the cost of a reconfiguration.
 * @param costs of the agents
 * @param points of the agents, one each
 * @return text
 */
std::string WriteCosts(const std::vector<FigureCost>& costs,
                       const std::vector<FigurePoint>& points);

/**
 * Fig. 4: learning curves beside the baselines.
 * @param curves of all trainings
 * @param baselines at the same load
 * @return text
 */
std::string WriteCurves(const std::vector<FigureCurve>& curves,
                        const std::vector<FigurePoint>& baselines);

/**
 * The points of a figure as a file for plots, one row a point.
 * @param path the file
 * @param study how they were measured
 * @param points measured
 * @param command that made it
 */
void WritePoints(const std::string& path,
                 const FigureStudy& study,
                 const std::vector<FigurePoint>& points,
                 const std::string& command);

#endif /* ODCN_FIGURES_PAGE_H */
