// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_CSV_TABLE_H
#define ODCN_CSV_TABLE_H

#include "odcn-atomic-file.h"
#include "odcn-error.h"
#include "odcn-text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ns3::odcn
{

/// Valid range of a number.
struct NumberRange
{
    double least{std::numeric_limits<double>::lowest()}; //!< smallest value
    double greatest{std::numeric_limits<double>::max()}; //!< largest value
    const char* expected{nullptr}; //!< description for errors; null to describe the bounds
};

/**
 * @ingroup odcn
 *
 * Reads a table row by row in bounded memory, and numbers from its fields. Everything that is not
 * as expected is an error with file, line, column, value and expectation. All readers of rows use
 * it; CsvTable reads rows into structs.
 */
class RowReader
{
  public:
    /// Separator for fields split by any number of blanks and tabs; skips empty lines.
    static constexpr char BLANKS = ' ';

    /// A column.
    struct Column
    {
        std::string name;     //!< name in the header
        bool optional{false}; //!< whether a file may lack it
    };

    /**
     * @param path input file, may be gzip-compressed
     * @param separator field separator, or BLANKS
     * @throws OdcnError when the file cannot be read
     */
    explicit RowReader(const std::string& path, char separator = ',');

    /**
     * Find columns by name in the first line. From then on fields are addressed by their index in
     * @p columns, and rows must have as many fields as the first line.
     *
     * @param columns columns, in any order in the file; other columns are ignored
     * @param hint text appended to the error of a missing column
     * @param order names of all fields of a file without a header: a first line without the first
     *     column is a row; empty if there must be a header
     * @throws OdcnError when the file is empty or a column is missing
     */
    void ReadHeader(const std::vector<Column>& columns,
                    const std::string& hint = "",
                    const std::vector<std::string>& order = {});

    /// @param comments whether the rest of a line from # on is left out
    void SetComments(bool comments)
    {
        m_comments = comments;
    }

    /// Name the fields of a file without a header. @param names names
    void SetColumns(const std::vector<std::string>& names);

    /// @param column index of a column
    /// @return whether the file has it
    bool Has(std::size_t column) const
    {
        return m_places[column] != NONE;
    }

    /// @return whether there is another row; its fields are then available
    bool NextRow();

    /// @throws OdcnError unless the row has as many fields as the file has columns
    void CheckWidth() const
    {
        CheckWidth(m_width, m_expected);
    }

    /// @param width fields per row
    /// @param expected description
    /// @throws OdcnError as CheckWidth()
    void CheckWidth(std::size_t width, const std::string& expected) const
    {
        if (m_fields.size() != width)
        {
            Refuse(GetLine(), expected);
        }
    }

    /// @return the current line
    std::string_view GetLine() const
    {
        return m_reader.GetLine();
    }

    /// @return number of the current line, from 1
    uint64_t GetLineNumber() const
    {
        return m_reader.GetLineNumber();
    }

    /// @return number of fields of the row
    std::size_t GetWidth() const
    {
        return m_fields.size();
    }

    /// @param column index of a column, or of a field if there are no columns
    /// @return its text, empty if the file lacks the column
    std::string_view operator[](std::size_t column) const
    {
        const std::size_t place = m_places.empty() ? column : m_places[column];
        return place == NONE ? std::string_view() : m_fields[place];
    }

    /**
     * @param column as in operator[]
     * @param range valid range
     * @return the number
     * @throws OdcnError when the field is not a number of the range
     */
    double Number(std::size_t column, const NumberRange& range = {}) const;

    /**
     * @param column as in operator[]
     * @param range valid range
     * @return the number; nullopt when the field is empty or NaN, or the file lacks the column
     * @throws OdcnError when the field is something else
     */
    std::optional<double> NumberIfAny(std::size_t column, const NumberRange& range = {}) const;

    /**
     * @param column as in operator[]
     * @param least smallest value
     * @param greatest largest value
     * @param expected description for errors; null to describe the bounds
     * @return the integer
     * @throws OdcnError when the field is not an integer of the range
     */
    uint64_t Count(std::size_t column,
                   uint64_t least,
                   uint64_t greatest,
                   const char* expected = nullptr) const;

    /// Reject a field.
    /// @param column as in operator[]
    /// @param expected description of valid values
    [[noreturn]] void RefuseField(std::size_t column, const std::string& expected) const;

    /// Reject the file.
    /// @param value the invalid text
    /// @param expected description of valid values
    [[noreturn]] void Refuse(std::string_view value, const std::string& expected) const
    {
        m_reader.Refuse(value, expected);
    }

  private:
    /// Place of a column that the file lacks.
    static constexpr std::size_t NONE = SIZE_MAX;

    /// Split the line into fields.
    void Split();

    TextReader m_reader;                    //!< input file
    char m_separator;                       //!< field separator, or BLANKS
    bool m_comments{false};                 //!< whether # begins a comment
    bool m_pending{false};                  //!< whether the first line is a row not yet returned
    std::vector<std::string> m_names;       //!< names of the columns
    std::vector<std::size_t> m_places;      //!< indices of the columns in the file, or NONE
    std::size_t m_width{0};                 //!< fields per row
    std::string m_expected;                 //!< description of the fields of a row
    std::vector<std::string_view> m_fields; //!< fields of the row
};

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
