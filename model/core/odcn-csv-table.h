// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CSV_TABLE_H
#define ODCN_CSV_TABLE_H

#include "odcn-atomic-file.h"
#include "odcn-error.h"
#include "odcn-row-reader.h"
#include "odcn-text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3::odcn
{

/// Order of the numbers of a column, from row to row.
enum class CsvOrder
{
    ANY,
    NOT_FALLING,
    RISING
};

/// What a file may leave out.
enum class CsvNeed
{
    FIELD,  //!< nothing
    COLUMN, //!< the column
    NOTHING //!< the column, or single fields of it
};

/// Hint for files that programs read, in errors about their header.
inline constexpr const char* CONVERTER_HINT = "; odcn-convert-trace converts other files";

/**
 * @ingroup odcn
 *
 * A column of a table whose rows are of type T: its name, and how its fields are read, checked and
 * written.
 */
template <typename T>
struct CsvColumn
{
    std::string name; //!< name in the header
    /// Read a field of a row, given its column and the row above (null in the first row); refuse it
    /// if it is not valid.
    std::function<void(const RowReader& rows, std::size_t column, T& row, const T* above)> read;
    std::function<void(std::string& text, const T& row)> write; //!< append a field of a row
    bool optional{false};                                       //!< whether a file may lack it

    /**
     * A column of numbers.
     * @param name name
     * @param member the number in a row; whole numbers for an integer
     * @param range valid numbers
     * @param order order from row to row
     * @param need what a file may leave out; the number is then that of a new T
     * @return the column
     */
    template <typename M, typename Base>
    static CsvColumn Number(std::string name,
                            M Base::*member,
                            NumberRange range = {},
                            CsvOrder order = CsvOrder::ANY,
                            CsvNeed need = CsvNeed::FIELD)
    {
        const bool mayBeEmpty = need == CsvNeed::NOTHING;
        const auto read = [member, range, order, mayBeEmpty](const RowReader& rows,
                                                             std::size_t column,
                                                             T& row,
                                                             const T* above)
        {
            M& value = row.*member;
            if (mayBeEmpty && (rows[column].empty() || rows[column] == "NaN"))
            {
                value = T().*member;
                return;
            }
            if constexpr (std::is_integral_v<M>)
            {
                constexpr M MOST = std::numeric_limits<M>::max();
                value = static_cast<M>(rows.Count(column,
                                                  static_cast<uint64_t>(std::max(range.least, 0.0)),
                                                  range.greatest < static_cast<double>(MOST)
                                                      ? static_cast<M>(range.greatest)
                                                      : MOST,
                                                  range.expected));
            }
            else
            {
                value = mayBeEmpty ? *rows.NumberIfAny(column, range) : rows.Number(column, range);
            }
            if (above && order != CsvOrder::ANY &&
                (value < above->*member || (order == CsvOrder::RISING && value == above->*member)))
            {
                rows.RefuseField(column,
                                 order == CsvOrder::RISING ? "more than in the row above"
                                                           : "no less than in the row above");
            }
        };
        const auto write = [member](std::string& text, const T& row)
        {
            if constexpr (std::is_integral_v<M>)
            {
                AppendCount(text, row.*member);
            }
            else if (std::isfinite(row.*member))
            {
                AppendDouble(text, row.*member);
            }
        };
        return {std::move(name), read, write, need != CsvNeed::FIELD};
    }
};

/**
 * @ingroup odcn
 *
 * The form of a file whose rows are of type T. Its columns may stand in any order behind a header,
 * among others; without a header they are all, in this order.
 *
 * @code
 *   using Column = CsvColumn<ClusterJob>;
 *   const CsvTable<ClusterJob> table{
 *       "job", {Column::Number("duration", &ClusterJob::duration, {1, 1e6})}};
 *   CsvTableReader<ClusterJob> reader("jobs.csv", table);
 *   for (ClusterJob job; reader.Next(job);)
 *   ...
 * @endcode
 */
template <typename T>
struct CsvTable
{
    std::string item;                  //!< name of a row, if a file must have at least one
    std::vector<CsvColumn<T>> columns; //!< columns
    std::string hint{};                //!< appended to the error of another header
    char separator{','};               //!< as in RowReader
    bool header{true};                 //!< whether the first line names the columns
    bool comments{false};              //!< whether # begins a comment, and lines may be empty

    /// @param name name of a column  @return its index
    std::size_t Find(const std::string& name) const
    {
        const auto found = std::find_if(columns.begin(),
                                        columns.end(),
                                        [&name](const auto& c) { return c.name == name; });
        return static_cast<std::size_t>(found - columns.begin());
    }
};

/**
 * @ingroup odcn
 *
 * Reads the rows of a file in bounded memory.
 */
template <typename T>
class CsvTableReader
{
  public:
    /**
     * @param path input file, may be gzip-compressed  @param table form of the file
     * @throws OdcnError when the file cannot be read or lacks a column
     */
    CsvTableReader(const std::string& path, const CsvTable<T>& table)
        : m_path(path),
          m_table(table),
          m_rows(path, table.separator)
    {
        m_rows.SetComments(m_table.comments);
        std::vector<RowReader::Column> columns;
        std::vector<std::string> names;
        for (const auto& column : m_table.columns)
        {
            columns.push_back({column.name, column.optional});
            names.push_back(column.name);
        }
        if (m_table.header)
        {
            m_rows.ReadHeader(columns, m_table.hint);
        }
        else
        {
            m_rows.SetColumns(names);
        }
    }

    /**
     * @param [in,out] row gets the next row; what the file has no column for stays as it is
     * @return false at the end of the file
     * @throws OdcnError when the row is not valid, or the file has none although it must
     */
    bool Next(T& row)
    {
        if (!m_rows.NextRow())
        {
            if (m_read == 0 && !m_table.item.empty())
            {
                throw OdcnError::InFile(m_path,
                                        0,
                                        "the end of the file",
                                        "at least one " + m_table.item);
            }
            return false;
        }
        m_rows.CheckWidth();
        for (std::size_t i = 0; i < m_table.columns.size(); ++i)
        {
            if (m_rows.Has(i))
            {
                m_table.columns[i].read(m_rows, i, row, m_read > 0 ? &m_above : nullptr);
            }
        }
        m_above = row;
        ++m_read;
        return true;
    }

    /// @return the fields of the row, to refuse it
    const RowReader& GetRows() const
    {
        return m_rows;
    }

    /// @return number of rows read
    uint64_t GetNRead() const
    {
        return m_read;
    }

  private:
    std::string m_path;  //!< input file
    CsvTable<T> m_table; //!< form of the file
    RowReader m_rows;    //!< the file
    T m_above{};         //!< last row
    uint64_t m_read{0};  //!< number of rows read
};

/**
 * @ingroup odcn
 *
 * Writes a file that CsvTableReader reads back as the same rows. Commit() creates it, completely or
 * not at all.
 */
template <typename T>
class CsvTableWriter
{
  public:
    /**
     * @param path output file  @param table form of the file
     * @param columns names of the columns to write; empty for all
     * @throws OdcnError when the file cannot be written
     */
    CsvTableWriter(const std::string& path,
                   const CsvTable<T>& table,
                   const std::vector<std::string>& columns = {})
        : m_file(path),
          m_separator(table.separator)
    {
        for (const auto& column : table.columns)
        {
            if (columns.empty() ||
                std::find(columns.begin(), columns.end(), column.name) != columns.end())
            {
                m_columns.push_back(column);
            }
        }
        if (table.header)
        {
            WriteLine([](std::string& text, const auto& column) { text += column.name; });
        }
    }

    /// @param row row to append
    void Write(const T& row)
    {
        WriteLine([&row](std::string& text, const auto& column) { column.write(text, row); });
    }

    /**
     * Finish the file.
     * @throws OdcnError when any write failed
     */
    void Commit()
    {
        m_file.Commit();
    }

  private:
    /// @param append appends the text of a column
    template <typename Append>
    void WriteLine(Append append)
    {
        m_line.clear();
        for (std::size_t i = 0; i < m_columns.size(); ++i)
        {
            if (i > 0)
            {
                m_line += m_separator;
            }
            append(m_line, m_columns[i]);
        }
        m_line += '\n';
        m_file.Stream() << m_line;
    }

    AtomicFile m_file;                   //!< output file
    std::vector<CsvColumn<T>> m_columns; //!< columns to write
    char m_separator;                    //!< between fields
    std::string m_line;                  //!< line being built; reused
};

} // namespace ns3::odcn

#endif /* ODCN_CSV_TABLE_H */
