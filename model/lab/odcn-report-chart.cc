// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-report-chart.h"

#include <algorithm>
#include <limits>
#include <map>

namespace ns3::odcn
{

const std::vector<std::string>&
ReportChart::GetColumns() const
{
    static const std::map<Kind, std::vector<std::string>> columns{
        {Kind::ESTIMATES, {"facet", "x", "series", "value", "lower", "upper", "bound"}},
        {Kind::CDF, {"facet", "series", "value", "share"}},
        {Kind::CURVES, {"facet", "series", "x", "y", "lower", "upper"}},
        {Kind::HEATMAP, {"facet", "begin", "end", "place", "value"}},
        {Kind::TIMELINE, {"facet", "bar", "begin", "end", "class"}},
        {Kind::CIRCUITS, {"facet", "time", "rack", "uplink", "to"}}};
    return columns.at(kind);
}

void
ReportChart::AddEstimate(const std::string& facetOf,
                         const std::string& at,
                         const std::string& series,
                         const Estimate& estimate,
                         double scale,
                         bool bound)
{
    const double none = std::numeric_limits<double>::quiet_NaN();
    const bool isDrawn = estimate.count == 0 || estimate.count >= FEWEST_DRAWN;
    const std::string few =
        "No interval is drawn of fewer than " + std::to_string(FEWEST_DRAWN) + ".";
    if (!isDrawn && estimate.count > 1 && note.find(few) == std::string::npos)
    {
        note += (note.empty() ? "" : " ") + few;
    }
    rows.push_back({facetOf,
                    at,
                    series,
                    scale * estimate.mean,
                    isDrawn ? scale * estimate.lower : none,
                    isDrawn ? scale * estimate.upper : none,
                    bound ? 1.0 : 0.0});
}

void
ReportChart::AddDistribution(const std::string& facetOf,
                             const std::string& series,
                             std::vector<double> values,
                             double scale,
                             std::size_t above)
{
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    const std::size_t points = std::min(n, QUANTILES);
    for (std::size_t i = 1; i <= points; ++i)
    {
        const std::size_t rank = (i * n + points - 1) / points; // from 1
        rows.push_back({facetOf,
                        series,
                        scale * values[rank - 1],
                        static_cast<double>(rank) / static_cast<double>(n + above)});
    }
    if (n > points && note.empty())
    {
        note = "Each line is drawn through " + std::to_string(points) + " quantiles.";
    }
}

void
ReportChart::AddCurve(const std::string& facetOf,
                      const std::string& series,
                      const std::vector<std::pair<double, double>>& points)
{
    const std::size_t parts = std::min(points.size(), POINTS);
    for (std::size_t part = 0; part < parts; ++part)
    {
        const std::size_t from = part * points.size() / parts;
        const std::size_t to = (part + 1) * points.size() / parts;
        double x = 0;
        double y = 0;
        double least = std::numeric_limits<double>::infinity();
        double most = -least;
        for (std::size_t i = from; i < to; ++i)
        {
            x += points[i].first;
            y += points[i].second;
            least = std::min(least, points[i].second);
            most = std::max(most, points[i].second);
        }
        const auto n = static_cast<double>(to - from);
        rows.push_back({facetOf, series, x / n, y / n, least, most});
    }
    if (points.size() > parts && note.empty())
    {
        note = "Each point is the mean of a part of the curve; bands reach from the least to the "
               "greatest value of the part.";
    }
}

} // namespace ns3::odcn
