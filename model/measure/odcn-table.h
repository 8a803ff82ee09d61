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
 * @param value a number  @param digits after the point
 * @return its text in fixed form, "-" for NaN
 */
std::string FormatFixed(double value, int digits);

/**
 * An estimate as "8.25 +- 0.14". The digits follow the interval: two of its half width, so that
 * nothing is printed that is not known. Without a finite interval the mean alone stands there, in
 * four digits; no event among many trials is "< 0.0030", the upper end.
 *
 * @param estimate what is to be shown
 * @param scale what it is multiplied by, e.g. 100 for per cent; above 0
 * @return its text, "-" when there was no observation
 */
std::string FormatEstimate(const Estimate& estimate, double scale = 1);

/**
 * @ingroup odcn
 *
 * A text table for terminals, ASCII only. A column whose cells all begin as numbers do is aligned
 * to the right, any other to the left.
 */
class Table
{
  public:
    /// @param header titles of the columns; a line feed in a title breaks it into two lines
    explicit Table(std::vector<std::string> header);

    /**
     * @param cells one a column; missing ones are empty
     * @throws OdcnError when there are more than columns
     */
    void AddRow(std::vector<std::string> cells);

    /// A line across, before the next row.
    void AddRule();

    /**
     * @param os where to print
     * @param width of the terminal; a wider table is printed as several, one below the other, each
     * with the first columns and as many others as fit. 0 for any width.
     * @param keys number of first columns that each part repeats
     */
    void Print(std::ostream& os, std::size_t width = 0, std::size_t keys = 1) const;

  private:
    /// Measures of the columns.
    struct Layout
    {
        std::vector<std::vector<std::string>> titles; //!< their lines
        std::vector<std::size_t> widths;              //!< characters
        std::vector<bool> numeric;                    //!< whether aligned to the right
    };

    /// @return how the columns are laid out
    Layout Lay() const;

    /// @param os where to print  @param layout of all columns  @param columns of this part
    /// @param keys how many of them name the row
    void PrintPart(std::ostream& os,
                   const Layout& layout,
                   const std::vector<std::size_t>& columns,
                   std::size_t keys) const;

    std::vector<std::string> m_header;            //!< titles
    std::vector<std::vector<std::string>> m_rows; //!< cells; an empty row is a rule
};

} // namespace ns3::odcn

#endif /* ODCN_TABLE_H */
