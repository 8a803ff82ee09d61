// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_USE_OVER_TIME_H
#define ODCN_USE_OVER_TIME_H

#include "odcn-report-chart.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ns3::odcn
{

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
     * @param begin not negative
     * @param end above @p begin, same unit
     * @param place number from 0
     * @param amount that is used meanwhile
     */
    void Add(double begin, double end, std::size_t place, double amount);

    /// @param chart a HEATMAP
    /// @param facet its facet
    /// @param scale factor
    /// @param until intervals
    /// that end later are left out
    void Put(ReportChart& chart, const std::string& facet, double scale, double until) const;

  private:
    double m_width{1.0 / 1024};              //!< of an interval
    std::vector<std::vector<double>> m_sums; //!< amount x time, by place and interval
};

} // namespace ns3::odcn

#endif /* ODCN_USE_OVER_TIME_H */
