// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-table.h"

#include "odcn-error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <numeric>
#include <ostream>

namespace ns3::odcn
{

namespace
{

/// Spaces between columns.
constexpr std::size_t GAP = 2;

/// Largest half width of the interval of a percentile that is shown, as a share of it.
constexpr double KNOWN_WITHIN = 0.2;

/// @param cell text  @return whether it is empty or starts like a number ("-" included)
bool
LooksNumeric(const std::string& cell)
{
    return cell.empty() || std::strchr("+-.<>0123456789", cell[0]) != nullptr;
}

/// @param text a text  @return its lines
std::vector<std::string>
SplitLines(const std::string& text)
{
    std::vector<std::string> lines(1);
    for (char c : text)
    {
        if (c == '\n')
        {
            lines.emplace_back();
        }
        else
        {
            lines.back() += c;
        }
    }
    return lines;
}

/// @param value above 0  @param significant digits  @return digits after the decimal point
int
DigitsAfterPoint(double value, int significant)
{
    const auto leading = static_cast<int>(std::floor(std::log10(value)));
    return std::clamp(significant - 1 - leading, 0, 12);
}

} // namespace

std::string
FormatFixed(double value, int digits)
{
    if (std::isnan(value))
    {
        return "-";
    }
    char text[400];
    const auto end =
        std::to_chars(text, text + sizeof(text), value, std::chars_format::fixed, digits);
    std::string number(text, end.ptr);
    // Drop the sign of a number that rounds to zero.
    if (number.find_first_not_of("-0.") == std::string::npos && number[0] == '-')
    {
        number.erase(0, 1);
    }
    return number;
}

std::string
FormatEstimate(const Estimate& estimate, double scale)
{
    const double mean = estimate.mean * scale;
    const double half = estimate.GetHalfWidth() * scale;
    if (std::isnan(mean))
    {
        return "-";
    }
    // A half width of rounding errors only (equal values) is not an interval.
    // Of one observation, it is the whole range.
    if (estimate.count == 1 || !std::isfinite(half) || half <= 1e-9 * std::abs(mean))
    {
        return FormatFixed(mean, mean == 0 ? 0 : DigitsAfterPoint(std::abs(mean), 4));
    }
    const int digits = DigitsAfterPoint(half, 2);
    if (mean == 0 && estimate.lower == 0)
    {
        return "< " + FormatFixed(half, digits);
    }
    return FormatFixed(mean, digits) + " +- " + FormatFixed(half, digits);
}

std::string
FormatPercentile(const Estimate& estimate, double scale)
{
    if (std::isinf(estimate.mean))
    {
        return INFINITE_PERCENTILE;
    }
    const bool known = estimate.GetHalfWidth() <= KNOWN_WITHIN * std::abs(estimate.mean);
    return known || std::isnan(estimate.mean) || estimate.count == 1
               ? FormatEstimate(estimate, scale)
               : UNKNOWN_PERCENTILE;
}

Table::Table(std::vector<std::string> header)
    : m_header(std::move(header))
{
}

void
Table::AddRow(std::vector<std::string> cells)
{
    if (cells.size() > m_header.size())
    {
        throw OdcnError::InOption("table row",
                                  std::to_string(cells.size()) + " cells",
                                  "at most " + std::to_string(m_header.size()));
    }
    cells.resize(m_header.size());
    m_rows.push_back(std::move(cells));
}

void
Table::AddRule()
{
    m_rows.emplace_back();
}

Table::Layout
Table::Lay() const
{
    const std::size_t columns = m_header.size();
    Layout layout;
    layout.widths.assign(columns, 0);
    layout.numeric.assign(columns, true);
    for (std::size_t c = 0; c < columns; ++c)
    {
        layout.titles.push_back(SplitLines(m_header[c]));
        for (const auto& line : layout.titles.back())
        {
            layout.widths[c] = std::max(layout.widths[c], line.size());
        }
        for (const auto& row : m_rows)
        {
            if (!row.empty())
            {
                layout.widths[c] = std::max(layout.widths[c], row[c].size());
                layout.numeric[c] = layout.numeric[c] && LooksNumeric(row[c]);
            }
        }
    }
    return layout;
}

std::string
Table::GetNote() const
{
    std::string note;
    const auto explain = [&](const std::string& mark, const std::string& meaning)
    {
        const auto isMarked = [&](const std::string& cell) { return cell.starts_with(mark); };
        if (std::any_of(m_rows.begin(),
                        m_rows.end(),
                        [&](const auto& row)
                        { return std::any_of(row.begin(), row.end(), isMarked); }))
        {
            note += (note.empty() ? "" : "\n") + mark + ": " + meaning;
        }
    };
    explain(UNKNOWN_PERCENTILE,
            "half the 95 % interval of this percentile is more than 20 % of it; files have its "
            "value.");
    explain(INFINITE_PERCENTILE,
            "this percentile reaches into flows that were not complete when the run ended; files "
            "have inf.");
    return note;
}

void
Table::Print(std::ostream& os, std::size_t width, std::size_t keys) const
{
    const Layout layout = Lay();
    std::vector<std::size_t> first(std::min(keys, m_header.size()));
    std::iota(first.begin(), first.end(), 0);
    const auto measure = [&](const std::vector<std::size_t>& columns)
    {
        std::size_t total = columns.empty() ? 0 : GAP * (columns.size() - 1);
        for (const std::size_t c : columns)
        {
            total += layout.widths[c];
        }
        return total;
    };
    std::vector<std::size_t> part = first;
    for (std::size_t c = first.size(); c < m_header.size(); ++c)
    {
        part.push_back(c);
        if (width > 0 && measure(part) > width && part.size() > first.size() + 1)
        {
            part.pop_back();
            PrintPart(os, layout, part, first.size());
            os << '\n';
            part = first;
            part.push_back(c);
        }
    }
    PrintPart(os, layout, part, first.size());
    if (const std::string note = GetNote(); !note.empty())
    {
        os << note << '\n';
    }
}

void
Table::PrintPart(std::ostream& os,
                 const Layout& layout,
                 const std::vector<std::size_t>& columns,
                 std::size_t keys) const
{
    std::size_t titleLines = 0;
    std::size_t total = columns.empty() ? 0 : GAP * (columns.size() - 1);
    for (const std::size_t c : columns)
    {
        titleLines = std::max(titleLines, layout.titles[c].size());
        total += layout.widths[c];
    }
    const auto print = [&](const auto& cellOf)
    {
        std::string line;
        for (const std::size_t c : columns)
        {
            const std::string& cell = cellOf(c);
            const std::string pad(layout.widths[c] - cell.size(), ' ');
            line += (c != columns.front() ? std::string(GAP, ' ') : "") +
                    (layout.numeric[c] ? pad + cell : cell + pad);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        os << line << '\n';
    };
    const std::string rule(total, '-');
    const std::string nothing;
    for (std::size_t l = 0; l < titleLines; ++l)
    {
        // Align titles with fewer lines to the bottom.
        print(
            [&](std::size_t c) -> const std::string&
            {
                const auto& lines = layout.titles[c];
                const std::size_t blank = titleLines - lines.size();
                return l < blank ? nothing : lines[l - blank];
            });
    }
    os << rule << '\n';
    bool ruled = false;
    for (const auto& row : m_rows)
    {
        // Omit a row without cells in this part, with the rule before it.
        if (row.empty() || (columns.size() > keys &&
                            std::all_of(columns.begin() + static_cast<std::ptrdiff_t>(keys),
                                        columns.end(),
                                        [&](std::size_t c) { return row[c].empty(); })))
        {
            ruled = ruled || row.empty();
            continue;
        }
        if (ruled)
        {
            os << rule << '\n';
            ruled = false;
        }
        print([&row](std::size_t c) -> const std::string& { return row[c]; });
    }
}

} // namespace ns3::odcn
