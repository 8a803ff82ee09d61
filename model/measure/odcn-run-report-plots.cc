// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * Charts of a report drawn by gnuplot, with the style of the papers' figures.
 */

#include "odcn-report-parts.h"
#include "odcn-run-report.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>

namespace ns3::odcn
{

namespace
{

/// @param text any text  @return it as a string of gnuplot, without control characters
std::string
QuoteForGnuplot(const std::string& text)
{
    std::string quoted = "'";
    for (const char c : text)
    {
        quoted += std::iscntrl(static_cast<unsigned char>(c)) ? ' ' : c;
        quoted += c == '\'' ? "'" : ""; // a quote is doubled
    }
    return quoted + "'";
}

/// @param text any text  @return it as part of a file name
std::string
ToName(const std::string& text)
{
    std::string name;
    for (const char c : text)
    {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '.';
        if (plain || (!name.empty() && name.back() != '-'))
        {
            name += plain ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : '-';
        }
    }
    return name.substr(0, name.find_last_not_of('-') + 1);
}

/// @param cell a cell  @return its text
std::string
ToText(const ReportChart::Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell))
    {
        return *text;
    }
    const double value = std::get<double>(cell);
    std::string text;
    AppendDouble(text, value);
    return std::isfinite(value) ? text : "NaN";
}

/// @param list names  @param name a name  @return its index, after it was added if it is new
std::size_t
IndexOf(std::vector<std::string>& list, const std::string& name)
{
    const auto found = std::find(list.begin(), list.end(), name);
    const auto index = static_cast<std::size_t>(found - list.begin());
    if (found == list.end())
    {
        list.push_back(name);
    }
    return index;
}

/**
 * @param chart a chart  @param facet one of its facets
 * @return commands for gnuplot; empty if it does not draw this kind, or there is no finite value
 */
std::string
MakeCommands(const ReportChart& chart, const std::string& facet)
{
    using Kind = ReportChart::Kind;
    if (chart.kind == Kind::HEATMAP || chart.kind == Kind::CIRCUITS)
    {
        return "";
    }
    const bool estimates = chart.kind == Kind::ESTIMATES;
    std::vector<std::string> series; // one block of data each; classes of a timeline
    std::vector<std::string> places; // along x of estimates, bars of a timeline
    std::vector<std::string> blocks;
    bool numeric = true;
    for (const auto& row : chart.rows)
    {
        if (ToText(row[0]) == facet && estimates)
        {
            IndexOf(places, ToText(row[1]));
            numeric = numeric && ParseFinite(ToText(row[1]));
        }
    }
    const bool dots = estimates && (places.size() < 2 || !numeric);
    std::string ticks;
    bool drawn = false;
    for (const auto& row : chart.rows)
    {
        if (ToText(row[0]) != facet)
        {
            continue;
        }
        drawn = drawn || ParseFinite(ToText(row[3]));
        const std::size_t named = estimates ? 2 : chart.kind == Kind::TIMELINE ? 4 : 1;
        const std::size_t index = IndexOf(series, ToText(row[named]));
        blocks.resize(series.size());
        std::string line;
        if (chart.kind == Kind::TIMELINE)
        {
            line = std::to_string(IndexOf(places, ToText(row[1])));
        }
        else if (dots)
        {
            // Policies side by side at each place.
            const auto place = static_cast<double>(IndexOf(places, ToText(row[1])));
            AppendDouble(line, place + 0.02 * static_cast<double>(index));
        }
        for (std::size_t i = dots                           ? 3
                             : chart.kind == Kind::TIMELINE ? 2
                             : estimates                    ? 1
                                                            : 2;
             i < row.size();
             ++i)
        {
            if (i != named)
            {
                line += (line.empty() ? "" : " ") + ToText(row[i]);
            }
        }
        blocks[index] += line + "\n";
    }
    if (!drawn)
    {
        return "";
    }
    std::ostringstream os;
    os << "set title " << QuoteForGnuplot(chart.title + (facet.empty() ? "" : ", " + facet))
       << " noenhanced\nset xlabel " << QuoteForGnuplot(chart.x) << " noenhanced\nset ylabel "
       << QuoteForGnuplot(chart.y) << " noenhanced\nset key outside right top noenhanced\n";
    for (std::size_t i = 0; i < places.size() && dots; ++i)
    {
        ticks += (i ? ", " : "") + QuoteForGnuplot(places[i]) + " " + std::to_string(i);
    }
    if (dots)
    {
        os << "set xtics (" << ticks << ") noenhanced\nset xrange [-0.5:" << places.size()
           << "-0.5]\n";
    }
    os << (chart.kind == Kind::TIMELINE ? "unset ytics\n" : "");
    os << (chart.kind == Kind::CDF ? "set yrange [0:1]\n" : "");
    for (std::size_t i = 0; i < series.size(); ++i)
    {
        os << "$data" << i << " << END_OF_DATA\n" << blocks[i] << "END_OF_DATA\n";
    }
    for (std::size_t i = 0; i < series.size(); ++i)
    {
        const std::string data = "$data" + std::to_string(i);
        const std::string look = " lc rgb numbered_hue(" + std::to_string(i) + ")";
        os << (i ? ", " : "plot ");
        switch (chart.kind)
        {
        case Kind::ESTIMATES:
            os << data << " using 1:2:3:4 with " << (dots ? "yerrorbars" : "yerrorlines") << " pt "
               << i % 14 + 1 << look;
            break;
        case Kind::CURVES:
            os << data << " using 1:3:4 with filledcurves fs transparent solid 0.2" << look
               << " notitle, " << data << " using 1:2 with lines lw 2" << look;
            break;
        case Kind::TIMELINE:
            os << data << " using 2:1:($3-$2):(0) with vectors nohead lw 3" << look;
            break;
        default:
            os << data << " using 1:2 with steps lw 2" << look;
        }
        os << " title " << QuoteForGnuplot(series[i]);
    }
    os << "\n";
    return os.str();
}

} // namespace

void
RunReport::Plot(OutputFiles& files) const
{
    if (std::system("command -v gnuplot >/dev/null 2>&1") != 0)
    {
        std::cout << "No plots: there is no gnuplot (Debian: apt install gnuplot-nox).\n";
        return;
    }
    for (const auto& chart : m_charts)
    {
        std::vector<std::string> facets;
        for (const auto& row : chart.rows)
        {
            IndexOf(facets, ToText(row[0]));
        }
        for (const auto& facet : facets)
        {
            const std::string commands = MakeCommands(chart, facet);
            if (commands.empty())
            {
                continue;
            }
            const std::string name =
                "plot-" + ToName(chart.title + (facet.empty() ? "" : "-" + facet)) + ".svg";
            const std::string target = files.Temporary(name);
            FILE* gnuplot = ::popen("gnuplot 2>/dev/null", "w");
            if (!gnuplot)
            {
                throw OdcnError("gnuplot cannot be started");
            }
            const std::string script = std::string(report_parts::GNUPLOT) +
                                       "set terminal svg size 900, 480 font \"DejaVu Sans,12\" "
                                       "background \"white\"\nset output " +
                                       QuoteForGnuplot(target) + "\n" + commands + "set output\n";
            std::fwrite(script.data(), 1, script.size(), gnuplot);
            if (::pclose(gnuplot) != 0)
            {
                throw OdcnError(files.Path(name) + ": gnuplot failed");
            }
            files.Keep(name, chart.title + (facet.empty() ? "" : ", " + facet));
        }
    }
}

} // namespace ns3::odcn
