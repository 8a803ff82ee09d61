// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-row-reader.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3::odcn
{

namespace
{

/**
 * @param range range of numbers
 * @param any text for a range without bounds  @param before text before the bounds
 * @return description of the range
 */
std::string
Describe(const NumberRange& range, const std::string& any, const std::string& before)
{
    if (range.expected || range.least == NumberRange().least)
    {
        return range.expected ? range.expected : any;
    }
    std::string text = before;
    AppendDouble(text, range.least);
    text += " to ";
    AppendDouble(text, range.greatest);
    return text;
}

} // namespace

RowReader::RowReader(const std::string& path, char separator)
    : m_reader(path),
      m_separator(separator)
{
}

void
RowReader::SplitQuoted()
{
    const std::string_view line = GetLine();
    std::size_t at = 0;
    const auto isEnd = [&]() { return at == line.size() || (m_comments && line[at] == '#'); };
    if (m_comments && line[line.find_first_not_of(" \t")] == '#')
    {
        return;
    }
    for (;; ++at)
    {
        if (at == line.size() || line[at] != '"')
        {
            const std::size_t begin = at;
            while (!isEnd() && line[at] != m_separator)
            {
                ++at;
            }
            m_fields.push_back(line.substr(begin, at - begin));
        }
        else
        {
            std::string& field = m_unquoted.emplace_back();
            while (++at < line.size() && (line[at] != '"' || line.substr(at, 2) == "\"\""))
            {
                at += line[at] == '"' ? 1 : 0;
                field += line[at];
            }
            if (at++ >= line.size() || (!isEnd() && line[at] != m_separator))
            {
                Refuse(line, "quotes that end with their field, on its line");
            }
            m_fields.push_back(field);
        }
        if (isEnd())
        {
            return;
        }
    }
}

void
RowReader::Split()
{
    m_fields.clear();
    m_unquoted.clear();
    if (m_separator != BLANKS && GetLine().find('"') != std::string_view::npos)
    {
        SplitQuoted();
        return;
    }
    const std::string_view line =
        GetLine().substr(0, m_comments ? GetLine().find('#') : std::string_view::npos);
    if (m_comments && line.find_first_not_of(" \t") == std::string_view::npos)
    {
        return;
    }
    if (m_separator != BLANKS)
    {
        SplitText(line, m_separator, m_fields);
        return;
    }
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
RowReader::ReadHeader(const std::vector<Column>& columns,
                      const std::string& hint,
                      const std::vector<std::string>& order)
{
    if (!NextRow())
    {
        Refuse("an empty file", (order.empty() ? "a header" : "rows") + hint);
    }
    const auto begin = m_fields.begin();
    const bool header = std::find(begin, m_fields.end(), columns[0].name) != m_fields.end();
    m_pending = !order.empty() && !header;
    const auto names =
        m_pending ? std::vector<std::string_view>(order.begin(), order.end()) : m_fields;
    m_width = names.size();
    m_expected = std::to_string(m_width) + " columns";
    for (const auto& [name, optional] : columns)
    {
        const auto found = std::find(names.begin(), names.end(), name);
        if (std::count(names.begin(), names.end(), name) > 1)
        {
            Refuse(GetLine(), "each column once, but " + name + " stands there twice");
        }
        if (found == names.end() && !optional)
        {
            Refuse(GetLine(), "a header with a column " + name + hint);
        }
        m_names.push_back(name);
        m_places.push_back(found == names.end() ? NONE
                                                : static_cast<std::size_t>(found - names.begin()));
    }
}

void
RowReader::SetColumns(const std::vector<std::string>& names)
{
    m_names = names;
    m_width = names.size();
    m_expected = std::to_string(m_width) + " columns:";
    for (const std::string& name : names)
    {
        m_expected += " " + name;
    }
    m_places.resize(m_width);
    std::iota(m_places.begin(), m_places.end(), std::size_t{0});
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

void
RowReader::RefuseField(std::size_t column, const std::string& expected) const
{
    Refuse((*this)[column],
           "in column " + (column < m_names.size() ? m_names[column] : std::to_string(column + 1)) +
               " " + expected);
}

double
RowReader::Number(std::size_t column, const NumberRange& range) const
{
    const auto number = ParseFinite((*this)[column]);
    if (!number || *number < range.least || *number > range.greatest)
    {
        RefuseField(column, Describe(range, "a number", "a number from "));
    }
    return *number;
}

std::optional<double>
RowReader::NumberIfAny(std::size_t column, const NumberRange& range) const
{
    const std::string_view text = (*this)[column];
    if (text.empty() || text == "NaN")
    {
        return std::nullopt;
    }
    const auto number = ParseFinite(text);
    if (!number || *number < range.least || *number > range.greatest)
    {
        RefuseField(column, "nothing, or " + Describe(range, "a number", ""));
    }
    return number;
}

uint64_t
RowReader::Count(std::size_t column, uint64_t least, uint64_t greatest, const char* expected) const
{
    auto number = ParseCount((*this)[column]);
    if (!number)
    {
        // Tables of other programs may write 4 as 4.0.
        const double real = ParseFinite((*this)[column]).value_or(-1);
        constexpr double EXACT = 0x1p53;
        number = real >= 0 && real <= EXACT && real == std::floor(real)
                     ? std::optional(static_cast<uint64_t>(real))
                     : std::nullopt;
    }
    if (!number || *number < least || *number > greatest)
    {
        RefuseField(column,
                    expected ? expected
                             : "a whole number from " + std::to_string(least) + " to " +
                                   std::to_string(greatest));
    }
    return *number;
}

} // namespace ns3::odcn
