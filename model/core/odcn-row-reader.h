// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ROW_READER_H
#define ODCN_ROW_READER_H

#include "odcn-text.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
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
 *
 * Fields may be in quotes, as in RFC 4180, unless blanks separate them: such a field may have
 * separators in it, and quotes as two; but it ends on its line.
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
    /// Split a line with quotes into fields, by RFC 4180.
    /// @throws OdcnError when the quotes of a field do not end with it
    void SplitQuoted();

    TextReader m_reader;                    //!< input file
    char m_separator;                       //!< field separator, or BLANKS
    bool m_comments{false};                 //!< whether # begins a comment
    bool m_pending{false};                  //!< whether the first line is a row not yet returned
    std::vector<std::string> m_names;       //!< names of the columns
    std::vector<std::size_t> m_places;      //!< indices of the columns in the file, or NONE
    std::size_t m_width{0};                 //!< fields per row
    std::string m_expected;                 //!< description of the fields of a row
    std::vector<std::string_view> m_fields; //!< fields of the row
    std::deque<std::string> m_unquoted;     //!< those with quotes in them
};

} // namespace ns3::odcn

#endif /* ODCN_ROW_READER_H */
