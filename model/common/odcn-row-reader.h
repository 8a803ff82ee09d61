// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_ROW_READER_H
#define ODCN_ROW_READER_H

#include "odcn-text.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * Reads a table row by row in bounded memory, and numbers from its fields. A malformed row throws
 * an error with file, line, value and expectation; a reader that skips malformed rows returns false
 * instead. All readers of traces and job files use it.
 */
class RowReader
{
  public:
    /// Separator for fields split by any number of blanks and tabs; skips empty lines.
    static constexpr char BLANKS = ' ';

    /// Valid range of a number.
    struct Range
    {
        double least{std::numeric_limits<double>::lowest()}; //!< smallest value
        double greatest{std::numeric_limits<double>::max()}; //!< largest value
        const char* expected{nullptr}; //!< description for errors; null to describe the bounds
    };

    /**
     * @param path input file, may be gzip-compressed
     * @param skipMalformed whether malformed rows return false instead of being refused
     * @param separator field separator, or BLANKS
     * @throws OdcnError when the file cannot be read
     */
    explicit RowReader(const std::string& path, bool skipMalformed = false, char separator = ',');

    /**
     * Find columns by name in the first line. From then on fields are addressed by their index in
     * @p columns, and rows must have as many fields as the first line.
     *
     * @param columns names, in any order in the file; other columns are ignored
     * @param expected error text for a missing column; its name follows
     * @param expectedOfEmpty error text for an empty file
     * @throws OdcnError when the file is empty or a column is missing
     */
    void ReadHeader(const std::vector<std::string>& columns,
                    const std::string& expected = "a header with a column ",
                    const std::string& expectedOfEmpty = "a header");

    /**
     * As ReadHeader(), after NextRow() has read the first line.
     * @param columns names  @param expected as in ReadHeader()
     */
    void TakeHeader(const std::vector<std::string>& columns, const std::string& expected);

    /**
     * Find one more column, directly after reading the header.
     * @param name name of the column
     * @return whether the file has it; it is then appended to the list of columns
     */
    bool AddColumn(const std::string& name);

    /**
     * As ReadHeader(), for a file that may lack a header: then its first line is a row.
     * @param columns names; a first line without the first name is a row
     * @param places indices of the columns without a header  @param width fields per row then
     */
    void ReadHeaderIfAny(const std::vector<std::string>& columns,
                         const std::vector<std::size_t>& places,
                         std::size_t width);

    /// @return whether there is another row; its fields are then available
    bool NextRow();

    /// @return whether the row has as many fields as the header, otherwise as Malformed()
    bool CheckWidth() const
    {
        return CheckWidth(m_width, std::to_string(m_width) + " columns");
    }

    /// @param width fields per row  @param expected description  @return as CheckWidth()
    bool CheckWidth(std::size_t width, const std::string& expected) const
    {
        return m_fields.size() == width || Malformed(GetLine(), expected);
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

    /// @param column index of a column, or of a field without a header  @return its text
    std::string_view operator[](std::size_t column) const
    {
        return m_fields[m_places.empty() ? column : m_places[column]];
    }

    /**
     * @param column as in operator[]
     * @param range valid range
     * @param [out] value the number
     * @return whether the field is valid, otherwise as Malformed()
     */
    bool Read(std::size_t column, const Range& range, double& value) const;

    /**
     * @param column as in operator[]
     * @param range valid range
     * @param [out] value the number; nullopt when the field is empty or NaN
     * @return whether the field is valid, otherwise as Malformed()
     */
    bool ReadIfAny(std::size_t column, const Range& range, std::optional<double>& value) const;

    /**
     * @param column as in operator[]
     * @param least smallest value  @param greatest largest value
     * @param expected description for errors; null to describe the bounds
     * @param [out] value the integer
     * @return whether the field is valid, otherwise as Malformed()
     */
    bool ReadCount(std::size_t column,
                   uint64_t least,
                   uint64_t greatest,
                   const char* expected,
                   uint64_t& value) const;

    /**
     * Report a malformed row.
     * @param value the invalid text  @param expected description of the valid values
     * @return false if the reader skips malformed rows
     * @throws OdcnError otherwise
     */
    bool Malformed(std::string_view value, const std::string& expected) const;

    /// Reject the file. @param value the invalid text  @param expected description of valid values
    [[noreturn]] void Refuse(std::string_view value, const std::string& expected) const
    {
        m_reader.Refuse(value, expected);
    }

  private:
    /// Split the line into fields.
    void Split();
    /// @param column as in operator[]  @return "in column NAME " or "in column NUMBER "
    std::string InColumn(std::size_t column) const;

    TextReader m_reader;                    //!< input file
    bool m_skipMalformed;                   //!< whether malformed rows return false
    char m_separator;                       //!< field separator, or BLANKS
    bool m_pending{false};                  //!< whether the first line is a row not yet returned
    std::vector<std::string> m_columns;     //!< names of the requested columns
    std::vector<std::size_t> m_places;      //!< their indices in the file; empty without a header
    std::size_t m_width{0};                 //!< fields per row
    std::vector<std::string_view> m_fields; //!< fields of the row
};

} // namespace ns3::odcn

#endif /* ODCN_ROW_READER_H */
