// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CSV_WRITER_H
#define ODCN_CSV_WRITER_H

#include "odcn-atomic-file.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A CSV file with a header line, written completely or not at all (see AtomicFile).
 *
 * The same values give the same bytes on every machine and in every locale: numbers are written as
 * the shortest text that reads back as the same value. NaN, which here means "unknown", is an empty
 * cell. Text that contains a comma, a quote or a line end is quoted (RFC 4180, but lines end in a
 * line feed).
 *
 * @code
 *   CsvWriter csv("windows.csv", {"window", "scope", "latency_ns"});
 *   csv.Row(0, "inter-rack", 134.2);
 *   csv.Commit();
 * @endcode
 */
class CsvWriter
{
  public:
    /**
     * @param path target path
     * @param columns names, at least one
     * @param comment text of the first lines, each written after "# "
     * @throws OdcnError when the file cannot be written
     */
    CsvWriter(const std::string& path,
              const std::vector<std::string>& columns,
              const std::string& comment = "");

    /// Form lines for GetLine() only, without a file.
    /// @param columns names, at least one
    explicit CsvWriter(const std::vector<std::string>& columns);

    /**
     * Write one line.
     * @param cells numbers, booleans (1 and 0) or text, as many as there are columns
     * @throws OdcnError when the number of cells is wrong
     */
    template <typename... T>
    void Row(const T&... cells)
    {
        (Cell(cells), ...);
        EndRow();
    }

    /// @param value a whole number  @return this
    template <std::integral T>
    CsvWriter& Cell(T value)
    {
        if constexpr (std::signed_integral<T>)
        {
            return Integer(value);
        }
        else
        {
            return Unsigned(value);
        }
    }

    /// @param value a number  @return this
    CsvWriter& Cell(double value);

    /// @param value a number, written as its nearest double  @return this
    CsvWriter& Cell(float value);

    /// @param value text  @return this
    CsvWriter& Cell(std::string_view value);

    /// @param value text  @return this
    CsvWriter& Cell(const std::string& value);

    /// @param value text  @return this
    CsvWriter& Cell(const char* value);

    /// End a line built by Cell(). @throws OdcnError unless it has one cell per column
    void EndRow();

    /// Write a line again. @param line as GetLine() had it, of a writer with the same columns
    void CopyLine(const std::string& line);

    /// @return the open line so far
    const std::string& GetLine() const
    {
        return m_line;
    }

    /// @return number of lines written, without the header
    uint64_t GetRows() const
    {
        return m_rows;
    }

    /// @return the target path as given; empty without a file
    std::string GetPath() const
    {
        return m_file ? m_file->GetPath() : "";
    }

    /**
     * Move the complete file to its target path. To be called once, after the last line.
     * @throws OdcnError when any write failed or a line was left open
     */
    void Commit();

  private:
    /// @param value number  @return this
    CsvWriter& Integer(int64_t value);

    /// @param value number  @return this
    CsvWriter& Unsigned(uint64_t value);

    /// Write the comma before any cell but the first.
    void Separate();

    std::optional<AtomicFile> m_file; //!< output file, if any
    std::size_t m_columns;            //!< number of columns
    std::size_t m_cells{0};           //!< cells in the open line
    uint64_t m_rows{0};               //!< lines written
    std::string m_line;               //!< the open line
};

} // namespace ns3::odcn

#endif /* ODCN_CSV_WRITER_H */
