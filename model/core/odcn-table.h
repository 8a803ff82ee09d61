// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TABLE_H
#define ODCN_TABLE_H

#include "odcn-statistics.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace ns3::odcn
{

/**
 * @param value a number  @param digits digits after the decimal point
 * @return @p value in fixed-point notation, "-" for NaN
 */
std::string FormatFixed(double value, int digits);

/**
 * Format an estimate as "8.25 +- 0.14", with two significant digits of the half width of the
 * interval. Without a finite interval only the mean is shown, with four significant digits; no
 * event among many trials is shown by the upper end of the interval, as "< 0.0030".
 *
 * @param estimate the estimate
 * @param scale factor, e.g. 100 for per cent; above 0
 * @return the text, "-" when there was no observation
 */
std::string FormatEstimate(const Estimate& estimate, double scale = 1);

/// What FormatPercentile() gives for a percentile of which too little is known.
inline constexpr const char* UNKNOWN_PERCENTILE = "> 20 %";

/// What FormatPercentile() gives for a percentile that is infinite: what has it did not end.
inline constexpr const char* INFINITE_PERCENTILE = "> drain";

/**
 * Format the estimate of a percentile as FormatEstimate() does, but as UNKNOWN_PERCENTILE where the
 * half width of its interval is more than 20 % of it: there were too few observations. One
 * observation alone has no interval, and is shown as it is. An infinite one is INFINITE_PERCENTILE.
 *
 * @param estimate the estimate
 * @param scale factor, above 0
 * @return the text, "-" when there was no observation
 */
std::string FormatPercentile(const Estimate& estimate, double scale = 1);

/**
 * @ingroup odcn
 *
 * A text table for terminals, ASCII only. Columns whose cells all look like numbers are aligned to
 * the right, other columns to the left. Lines below it say what UNKNOWN_PERCENTILE and
 * INFINITE_PERCENTILE mean, if a cell begins with them.
 */
class Table
{
  public:
    /// @param header titles of the columns; a line feed in a title breaks it into two lines
    explicit Table(std::vector<std::string> header);

    /**
     * @param cells one per column; missing cells are empty
     * @throws OdcnError when there are more cells than columns
     */
    void AddRow(std::vector<std::string> cells);

    /// Add a horizontal line before the next row.
    void AddRule();

    /// @return titles of the columns
    const std::vector<std::string>& GetHeader() const
    {
        return m_header;
    }

    /// @return cells of the rows; a row without cells is a rule
    const std::vector<std::vector<std::string>>& GetRows() const
    {
        return m_rows;
    }

    /// @return what the marks of percentiles mean that cells have; empty without any
    std::string GetNote() const;

    /**
     * @param os output stream
     * @param width width of the terminal in characters, 0 for unlimited; a wider table is split
     * into parts printed one below the other, each with the key columns and as many others as fit
     * @param keys number of leading columns that each part repeats
     */
    void Print(std::ostream& os, std::size_t width = 0, std::size_t keys = 1) const;

  private:
    /// Layout of the columns.
    struct Layout
    {
        std::vector<std::vector<std::string>> titles; //!< lines of each title
        std::vector<std::size_t> widths;              //!< width of each column, in characters
        std::vector<bool> numeric; //!< whether the column is aligned to the right
    };

    /// @return layout of all columns
    Layout Lay() const;

    /// @param os output stream  @param layout all columns  @param columns columns of this part
    /// @param keys number of leading key columns
    void PrintPart(std::ostream& os,
                   const Layout& layout,
                   const std::vector<std::size_t>& columns,
                   std::size_t keys) const;

    std::vector<std::string> m_header;            //!< column titles
    std::vector<std::vector<std::string>> m_rows; //!< cells; an empty row is a rule
};

} // namespace ns3::odcn

#endif /* ODCN_TABLE_H */
