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

    /// What is said beside the figures of another policy on the same replications.
    enum class Compare
    {
        NONE,       //!< nothing
        DIFFERENCE, //!< this less the other, replication by replication
        CHANGE,     //!< ratio to the other, less 1
    };

    std::string name;               //!< in files, e.g. "blocking"
    std::string title;              //!< of a column, e.g. "blocking"
    std::string unit{};             //!< in tables, e.g. "%"
    double scale{1};                //!< from the value to the unit, e.g. 100
    Kind kind{Kind::MEAN};          //!< how replications are averaged
    bool shown{true};               //!< in tables; files have all
    Compare compare{Compare::NONE}; //!< with the reference policy
    bool higherIsBetter{false};     //!< direction
    std::string per{};              //!< another figure: also tell by how much this one falls
                                    //!< below the reference's for each unit of the other
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
 * What became of the jobs (requests, tasks) that were offered: offered = accepted + blocked +
 * those not yet decided. Interrupted ones were accepted before.
 */
struct DecisionTally
{
    uint64_t offered{0};     //!< arrived
    uint64_t accepted{0};    //!< got what they asked for
    uint64_t interrupted{0}; //!< of those accepted, lost what they had
    std::vector<std::pair<std::string, uint64_t>> blocked{}; //!< got nothing, by cause

    /// @return blocked for any cause
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
