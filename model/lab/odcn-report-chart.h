// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_REPORT_CHART_H
#define ODCN_REPORT_CHART_H

#include "ns3/odcn-statistics.h"

#include <iosfwd>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ns3::odcn
{

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

    /// Least observations of an interval that is drawn.
    static constexpr uint64_t FEWEST_DRAWN = 5;

    /// Most points of a curve.
    static constexpr std::size_t POINTS = 200;

    Kind kind;         //!< how it is drawn
    std::string title; //!< title
    std::string x;     //!< title of the horizontal axis, with its unit
    std::string y; //!< title of the vertical axis or the colour, with its unit; of CURVES, empty
                   //!< if it is the facet
    std::string facet{};                 //!< what a facet is, e.g. "policy"
    std::string note{};                  //!< one line below the chart, e.g. what was left out
    std::vector<std::vector<Cell>> rows; //!< see Kind
    bool higherIsBetter{false};          //!< of ESTIMATES: else the least value is the best
    /// Spans of time that are marked, of HEATMAP: facet, begin, end (NaN for that of the chart),
    /// what, place (empty for all)
    std::vector<std::vector<Cell>> bands{};

    /// @return names of the columns
    const std::vector<std::string>& GetColumns() const;

    /**
     * Add an estimate.
     * @param facetOf facet
     * @param at place on the horizontal axis
     * @param series name of the line
     * @param estimate value and interval, which is left out where fewer than FEWEST_DRAWN
     * observations give it: Student's interval is then wider than what it says
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
     * @param facetOf facet
     * @param series name of the line
     * @param points x and y, in order of x
     */
    void AddCurve(const std::string& facetOf,
                  const std::string& series,
                  const std::vector<std::pair<double, double>>& points);
};

} // namespace ns3::odcn

#endif /* ODCN_REPORT_CHART_H */
