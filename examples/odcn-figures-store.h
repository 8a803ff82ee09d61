// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FIGURES_STORE_H
#define ODCN_FIGURES_STORE_H

#include <map>
#include <string>
#include <vector>

/// A file of comma-separated values in memory: lines that begin with # are left out.
struct FigureTable
{
    std::vector<std::string> columns;           //!< names
    std::vector<std::vector<std::string>> rows; //!< cells, as many as columns

    /**
     * @param path the file
     * @return what it holds
     * @throws OdcnError when it cannot be read or a line has another number of cells
     */
    static FigureTable Read(const std::string& path);

    /// @param name of a column  @return its index  @throws OdcnError when there is none
    std::size_t GetColumn(const std::string& name) const;
};

/**
 * Results that need not be computed again: a file of comma-separated values, one row a result.
 *
 * A row is known by its place (what was measured) and by its options (how). A result of the same
 * place with other options replaces the earlier one. Rows are sorted by place, so a run that was
 * interrupted and continued leaves the same file as one that was not.
 */
class FigureStore
{
  public:
    /// Cells of a row.
    using Cells = std::vector<std::string>;

    /**
     * @param path the file; read if there is one
     * @param place names of the columns that tell what was measured
     * @param options names of the columns that tell how
     * @param values names of the columns of results
     * @throws OdcnError when a file is there and cannot be read, or has other columns
     */
    FigureStore(const std::string& path,
                const Cells& place,
                const Cells& options,
                const Cells& values);

    /// @param place cells  @param options cells  @return values; null when there is no such row
    const Cells* Find(const Cells& place, const Cells& options) const;

    /**
     * Keep a result.
     * @param place cells  @param options cells  @param values cells
     */
    void Put(const Cells& place, const Cells& options, const Cells& values);

    /// Write the file.
    void Save() const;

  private:
    /// What stands at a place.
    struct Row
    {
        Cells options; //!< how it was measured
        Cells values;  //!< results
    };

    std::string m_path;          //!< The file
    Cells m_columns;             //!< All its columns
    std::map<Cells, Row> m_rows; //!< By place
};

/// @param values numbers  @return each in the fewest digits that read back as the same number
std::vector<std::string> FormatCells(const std::vector<double>& values);

/// @param cells of FormatCells()  @return the numbers; NaN for an empty cell
std::vector<double> ParseCells(const std::vector<std::string>& cells);

/// @param path a file  @return its CRC-32 in eight hexadecimal digits
std::string DigestFile(const std::string& path);

#endif /* ODCN_FIGURES_STORE_H */
