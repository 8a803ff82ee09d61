// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-row-reader.h"

#include <algorithm>

namespace ns3::odcn
{

namespace
{

/**
 * @param range range of numbers
 * @param any text for a range without bounds  @param before text before the bounds
 * @param [in,out] text text to append to
 */
void
AppendRange(const RowReader::Range& range, const char* any, const char* before, std::string& text)
{
    if (range.least == RowReader::Range().least)
    {
        text += any;
        return;
    }
    text += before;
    AppendDouble(text, range.least);
    text += " to ";
    AppendDouble(text, range.greatest);
}

} // namespace

RowReader::RowReader(const std::string& path, bool skipMalformed, char separator)
    : m_reader(path),
      m_skipMalformed(skipMalformed),
      m_separator(separator)
{
}

void
RowReader::Split()
{
    if (m_separator != BLANKS)
    {
        SplitText(GetLine(), m_separator, m_fields);
        return;
    }
    m_fields.clear();
    const std::string_view line = GetLine();
    for (std::size_t end = 0;;)
    {
        const std::size_t begin = line.find_first_not_of(" \t", end);
        if (begin == std::string_view::npos)
        {
            return;
        }
        end = std::min(line.find_first_of(" \t", begin), line.size());
        m_fields.push_back(line.substr(begin, end - begin));
    }
}

void
RowReader::TakeHeader(const std::vector<std::string>& columns, const std::string& expected)
{
    m_columns.clear();
    m_places.clear();
    m_width = m_fields.size();
    for (const std::string& name : columns)
    {
        if (!AddColumn(name))
        {
            Refuse(GetLine(), expected + name);
        }
    }
}

bool
RowReader::AddColumn(const std::string& name)
{
    const auto found = std::find(m_fields.begin(), m_fields.end(), name);
    if (found == m_fields.end())
    {
        return false;
    }
    m_columns.push_back(name);
    m_places.push_back(static_cast<std::size_t>(found - m_fields.begin()));
    return true;
}

void
RowReader::ReadHeader(const std::vector<std::string>& columns,
                      const std::string& expected,
                      const std::string& expectedOfEmpty)
{
    if (!NextRow())
    {
        Refuse("an empty file", expectedOfEmpty);
    }
    TakeHeader(columns, expected);
}

void
RowReader::ReadHeaderIfAny(const std::vector<std::string>& columns,
                           const std::vector<std::size_t>& places,
                           std::size_t width)
{
    m_columns = columns;
    m_places = places;
    m_width = width;
    if (!NextRow())
    {
        Refuse("an empty file", "rows");
    }
    m_pending = std::find(m_fields.begin(), m_fields.end(), columns[0]) == m_fields.end();
    if (!m_pending)
    {
        TakeHeader(columns, "a header with a column ");
    }
}

bool
RowReader::NextRow()
{
    if (m_pending)
    {
        m_pending = false;
        return true;
    }
    do
    {
        if (!m_reader.NextLine())
        {
            return false;
        }
        Split();
    } while (m_fields.empty());
    return true;
}

bool
RowReader::Malformed(std::string_view value, const std::string& expected) const
{
    if (!m_skipMalformed)
    {
        Refuse(value, expected);
    }
    return false;
}

std::string
RowReader::InColumn(std::size_t column) const
{
    return "in column " +
           (column < m_columns.size() ? m_columns[column] : std::to_string(column + 1)) + " ";
}

bool
RowReader::Read(std::size_t column, const Range& range, double& value) const
{
    const std::string_view text = (*this)[column];
    const auto number = ParseFinite(text);
    if (number && *number >= range.least && *number <= range.greatest)
    {
        value = *number;
        return true;
    }
    if (range.expected)
    {
        return Malformed(text, range.expected);
    }
    std::string expected = InColumn(column) + "a number";
    AppendRange(range, "", " from ", expected);
    return Malformed(text, expected);
}

bool
RowReader::ReadIfAny(std::size_t column, const Range& range, std::optional<double>& value) const
{
    const std::string_view text = (*this)[column];
    value.reset();
    if (text.empty() || text == "NaN")
    {
        return true;
    }
    value = ParseFinite(text);
    if (value && *value >= range.least && *value <= range.greatest)
    {
        return true;
    }
    std::string expected = InColumn(column) + "nothing, or ";
    AppendRange(range, "a number", "", expected);
    return Malformed(text, expected);
}

bool
RowReader::ReadCount(std::size_t column,
                     uint64_t least,
                     uint64_t greatest,
                     const char* expected,
                     uint64_t& value) const
{
    const std::string_view text = (*this)[column];
    const auto number = ParseCount(text);
    if (number && *number >= least && *number <= greatest)
    {
        value = *number;
        return true;
    }
    return Malformed(text,
                     expected ? expected
                              : InColumn(column) + "a whole number from " + std::to_string(least) +
                                    " to " + std::to_string(greatest));
}

} // namespace ns3::odcn
