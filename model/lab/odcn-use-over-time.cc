// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-use-over-time.h"

#include <algorithm>

namespace ns3::odcn
{

void
UseOverTime::Add(double begin, double end, std::size_t place, double amount)
{
    while (end > m_width * INTERVALS)
    {
        for (auto& sums : m_sums)
        {
            for (std::size_t i = 0; i < INTERVALS; ++i)
            {
                sums[i] = i < INTERVALS / 2 ? sums[2 * i] + sums[2 * i + 1] : 0;
            }
        }
        m_width *= 2;
    }
    if (place >= m_sums.size())
    {
        m_sums.resize(place + 1, std::vector<double>(INTERVALS));
    }
    for (auto i = static_cast<std::size_t>(begin / m_width);
         i < INTERVALS && static_cast<double>(i) * m_width < end;
         ++i)
    {
        const double from = std::max(begin, static_cast<double>(i) * m_width);
        const double to = std::min(end, static_cast<double>(i + 1) * m_width);
        m_sums[place][i] += amount * (to - from);
    }
}

void
UseOverTime::Put(ReportChart& chart, const std::string& facet, double scale, double until) const
{
    const std::size_t group = (m_sums.size() + PLACES - 1) / PLACES;
    for (std::size_t first = 0; first < m_sums.size(); first += group)
    {
        const std::size_t last = std::min(first + group, m_sums.size()) - 1;
        for (std::size_t i = 0; i < INTERVALS; ++i)
        {
            const double begin = static_cast<double>(i) * m_width;
            const double end = begin + m_width;
            if (end > until)
            {
                break;
            }
            double sum = 0;
            for (std::size_t place = first; place <= last; ++place)
            {
                sum += m_sums[place][i];
            }
            const auto places = static_cast<double>(last - first + 1);
            chart.rows.push_back(
                {facet,
                 begin,
                 end,
                 std::to_string(first) + (last > first ? "-" + std::to_string(last) : ""),
                 scale * sum / (end - begin) / places});
        }
    }
    chart.note = "Means over equal intervals of time" +
                 std::string(group > 1 ? ", of groups of neighbours." : ".");
}

} // namespace ns3::odcn
