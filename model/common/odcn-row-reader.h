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
 * Reads a table row by row in bounded memory, and numbers from its fields. Whatever is wrong with a
 * row is refused with file, line, value and what was expected; a reader that skips malformed rows
 * returns false instead. All readers of traces and job files use it.
 */
class RowReader
{
  public:
    /// Separates fields by any number of blanks and tabs, and skips empty lines.
    static constexpr char BLANKS = ' ';

    /// Numbers that a field may hold.
    struct Range
    {
        double least{std::numeric_limits<double>::lowest()}; //!< smallest
        double greatest{std::numeric_limits<double>::max()}; //!< largest
        const char* expected{nullptr}; //!< in words, for errors; null for a text made of the bounds
    };

    /**
     * @param path file, may be compressed by gzip
     * @param skipMalformed whether malformed rows return false instead of being refused
     * @param separator between fields, or BLANKS
     * @throws OdcnError when the file cannot be read
     */
    explicit RowReader(const std::string& path, bool skipMalformed = false, char separator = ',');

    /**
     * Find columns by name in the first line. From then on fields are known by their places in
     * @p columns, and rows must have as many fields as that line.
     *
     * @param columns names, in any order in the file; other columns are ignored
     * @param expected what is expected of a first line that lacks a column, ahead of its name
     * @param expectedOfEmpty what is expected of an empty file
     * @throws OdcnError when the file is empty or a column is missing
     */
    void ReadHeader(const std::vector<std::string>& columns,
                    const std::string& expected = "a header with a column ",
                    const std::string& expectedOfEmpty = "a header");

    /**
     * The same once NextRow() has read the first line.
     * @param columns names  @param expected as above
     */
    void TakeHeader(const std::vector<std::string>& columns, const std::string& expected);

    /**
     * Find one more column of the header, right after it was read.
     * @param name of the column
     * @return whether the file has it; its place in the list of columns is then the next
     */
    bool AddColumn(const std::string& name);

    /**
     * The same of a file that may lack a header: then its first line is a row.
     * @param columns as above; a first line without the first of them is a row
     * @param places where the columns are then  @param width fields of a row then
     */
    void ReadHeaderIfAny(const std::vector<std::string>& columns,
                         const std::vector<std::size_t>& places,
                         std::size_t width);

    /// @return whether there is another row; its fields can be read then
    bool NextRow();

    /// @return whether the row has as many fields as the header, else as Malformed()
    bool CheckWidth() const
    {
        return CheckWidth(m_width, std::to_string(m_width) + " columns");
    }

    /// @param width fields of a row  @param expected in words  @return as CheckWidth()
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

    /// @param column a column of the header, or a field if there is none  @return its text
    std::string_view operator[](std::size_t column) const
    {
        return m_fields[m_places.empty() ? column : m_places[column]];
    }

    /**
     * @param column as of operator[]
     * @param range what is allowed
     * @param [out] value the number
     * @return whether it is one, else as Malformed()
     */
    bool Read(std::size_t column, const Range& range, double& value) const;

    /**
     * @param column as of operator[]
     * @param range what is allowed
     * @param [out] value the number; nothing when the field is empty or NaN
     * @return whether it is one of these, else as Malformed()
     */
    bool ReadIfAny(std::size_t column, const Range& range, std::optional<double>& value) const;

    /**
     * @param column as of operator[]
     * @param least smallest  @param greatest largest
     * @param expected in words, for errors; null for a text made of the bounds
     * @param [out] value the whole number
     * @return whether it is one, else as Malformed()
     */
    bool ReadCount(std::size_t column,
                   uint64_t least,
                   uint64_t greatest,
                   const char* expected,
                   uint64_t& value) const;

    /**
     * Something is wrong with the row.
     * @param value the offending text  @param expected what would be right
     * @return false, of a reader that skips malformed rows
     * @throws OdcnError otherwise
     */
    bool Malformed(std::string_view value, const std::string& expected) const;

    /// Refuse the file. @param value the offending text  @param expected what would be right
    [[noreturn]] void Refuse(std::string_view value, const std::string& expected) const
    {
        m_reader.Refuse(value, expected);
    }

  private:
    /// Split the line into fields.
    void Split();
    /// @param column as of operator[]  @return "in column NAME " or "in column NUMBER "
    std::string InColumn(std::size_t column) const;

    TextReader m_reader;                    //!< the file
    bool m_skipMalformed;                   //!< return false, do not refuse
    char m_separator;                       //!< between fields
    bool m_pending{false};                  //!< the first line is a row and was not passed on yet
    std::vector<std::string> m_columns;     //!< names of the columns asked for
    std::vector<std::size_t> m_places;      //!< where they are; empty without a header
    std::size_t m_width{0};                 //!< fields of a row
    std::vector<std::string_view> m_fields; //!< of the row
};

} // namespace ns3::odcn

#endif /* ODCN_ROW_READER_H */
