// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_FIGURES_STORE_H
#define ODCN_FIGURES_STORE_H

#include <map>
#include <string>
#include <vector>

/// A CSV file in memory; lines that begin with # are ignored.
struct FigureTable
{
    std::vector<std::string> columns;           //!< column names
    std::vector<std::vector<std::string>> rows; //!< cells, one per column

    /**
     * @param path input file
     * @return its content
     * @throws OdcnError when it cannot be read or a line has a wrong number of cells
     */
    static FigureTable Read(const std::string& path);

    /// @param name name of a column  @return its index  @throws OdcnError when there is none
    std::size_t GetColumn(const std::string& name) const;
};

/**
 * A cache of results: a CSV file with one row per result.
 *
 * A row is identified by its place (what was measured) and its options (how it was measured). A
 * result with the same place and other options replaces the earlier one. Rows are sorted by place,
 * so an interrupted and resumed run produces the same file as an uninterrupted one.
 */
class FigureStore
{
  public:
    /// Cells of a row.
    using Cells = std::vector<std::string>;

    /**
     * @param path path of the file; read if it exists
     * @param place names of the columns of the place
     * @param options names of the columns of the options
     * @param values names of the columns of the results
     * @throws OdcnError when an existing file cannot be read or has other columns
     */
    FigureStore(const std::string& path,
                const Cells& place,
                const Cells& options,
                const Cells& values);

    /// @param place cells  @param options cells  @return values; null when there is no such row
    const Cells* Find(const Cells& place, const Cells& options) const;

    /**
     * Store a result.
     * @param place cells  @param options cells  @param values cells
     */
    void Put(const Cells& place, const Cells& options, const Cells& values);

    /// Write the file.
    void Save() const;

  private:
    /// The result of a place.
    struct Row
    {
        Cells options; //!< options of the measurement
        Cells values;  //!< results
    };

    std::string m_path;          //!< path of the file
    Cells m_columns;             //!< names of all columns
    std::map<Cells, Row> m_rows; //!< rows by place
};

/// @param values numbers  @return texts with the fewest digits that read back as the same numbers
std::vector<std::string> FormatCells(const std::vector<double>& values);

/// @param cells texts as from FormatCells()  @return the numbers; NaN for an empty cell
std::vector<double> ParseCells(const std::vector<std::string>& cells);

/// @param path a file  @return its CRC-32 in eight hexadecimal digits
std::string DigestFile(const std::string& path);

#endif /* ODCN_FIGURES_STORE_H */
