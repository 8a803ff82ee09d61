// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FIGURE_H
#define ODCN_FIGURE_H

#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A figure of merit: what an Experiment estimates, compares and prints.
 */
struct FigureOfMerit
{
    /// How replications are averaged.
    enum class Kind
    {
        MEAN,  //!< each replication counts the same
        RATIO, //!< sum of the totals over sum of the counts
        SHARE, //!< the same of counted events: 0 to 1, the totals never above the counts
    };

    /// How a figure is compared with that of another policy on the same replications.
    enum class Compare
    {
        NONE,       //!< not at all
        DIFFERENCE, //!< this minus the other, replication by replication
        CHANGE,     //!< ratio to the other, minus 1
    };

    std::string name;               //!< name in files, e.g. "blocking"
    std::string title;              //!< title of a column, e.g. "blocking"
    std::string unit{};             //!< unit in tables, e.g. "%"
    double scale{1};                //!< factor from the value to the unit, e.g. 100
    Kind kind{Kind::MEAN};          //!< how replications are averaged
    bool shown{true};               //!< whether tables show it; files have all
    Compare compare{Compare::NONE}; //!< comparison with the reference policy
    bool higherIsBetter{false};     //!< else lower is better
    std::string per{};              //!< another figure; also print this one's reduction per unit
    bool percentile{false};         //!< whether tables show it by FormatPercentile()

    /**
     * @param name in files
     * @param title of a column
     * @param kind how replications are averaged
     * @param compare comparison with the reference policy
     * @return a share, shown in percent
     */
    static FigureOfMerit Share(const std::string& name,
                               const std::string& title,
                               Kind kind = Kind::MEAN,
                               Compare compare = Compare::NONE)
    {
        return {.name = name,
                .title = title,
                .unit = "%",
                .scale = 100,
                .kind = kind,
                .compare = compare};
    }

    /// @return this figure, where higher is better
    FigureOfMerit Rising() const
    {
        FigureOfMerit rising = *this;
        rising.higherIsBetter = true;
        return rising;
    }
};

/// The value of a figure of merit in one replication.
struct FigureValue
{
    double total{0}; //!< numerator
    double count{1}; //!< denominator; 0 where the figure is not defined

    /// @return total / count, NaN where the figure is not defined
    double Get() const
    {
        return count > 0 ? total / count : std::numeric_limits<double>::quiet_NaN();
    }
};

/**
 * @ingroup odcn
 *
 * Outcomes of the jobs (requests, tasks) that were offered: offered = accepted + blocked +
 * undecided. Interrupted jobs count as accepted.
 */
struct DecisionTally
{
    uint64_t offered{0};     //!< jobs that arrived
    uint64_t accepted{0};    //!< jobs that got what they requested
    uint64_t interrupted{0}; //!< accepted jobs that lost their resources
    std::vector<std::pair<std::string, uint64_t>> blocked{}; //!< jobs refused, by cause

    /// @return jobs blocked for any cause
    uint64_t GetBlocked() const
    {
        return std::accumulate(blocked.begin(),
                               blocked.end(),
                               uint64_t{0},
                               [](uint64_t sum, const auto& cause) { return sum + cause.second; });
    }
};

} // namespace ns3::odcn

#endif /* ODCN_FIGURE_H */
