// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-csv-writer.h"

#include "odcn-error.h"

#include <charconv>
#include <cmath>
#include <ostream>
#include <sstream>

namespace ns3::odcn
{

namespace
{

/// Append the shortest text of a number. @param [in,out] line the line  @param value the number
template <typename T>
void
Append(std::string& line, T value)
{
    char text[32];
    const auto end = std::to_chars(text, text + sizeof(text), value);
    line.append(text, end.ptr);
}

} // namespace

CsvWriter::CsvWriter(const std::string& path,
                     const std::vector<std::string>& columns,
                     const std::string& comment)
    : m_file(path),
      m_columns(columns.size())
{
    if (columns.empty())
    {
        throw OdcnError::InFile(path, 0, "", "at least one column");
    }
    std::istringstream lines(comment);
    for (std::string line; std::getline(lines, line);)
    {
        m_file->Stream() << "# " << line << "\n";
    }
    for (const auto& name : columns)
    {
        Cell(name);
    }
    EndRow();
    m_rows = 0;
}

CsvWriter::CsvWriter(const std::vector<std::string>& columns)
    : m_columns(columns.size())
{
}

CsvWriter&
CsvWriter::Cell(double value)
{
    Separate();
    if (!std::isnan(value))
    {
        Append(m_line, value);
    }
    return *this;
}

CsvWriter&
CsvWriter::Cell(float value)
{
    Separate();
    if (!std::isnan(value))
    {
        Append(m_line, value);
    }
    return *this;
}

CsvWriter&
CsvWriter::Cell(std::string_view value)
{
    Separate();
    if (value.find_first_of(",\"\r\n") == std::string_view::npos)
    {
        m_line += value;
        return *this;
    }
    m_line += '"';
    for (char c : value)
    {
        m_line.append(c == '"' ? 2 : 1, c);
    }
    m_line += '"';
    return *this;
}

CsvWriter&
CsvWriter::Cell(const std::string& value)
{
    return Cell(std::string_view(value));
}

CsvWriter&
CsvWriter::Cell(const char* value)
{
    return Cell(std::string_view(value));
}

CsvWriter&
CsvWriter::Integer(int64_t value)
{
    Separate();
    Append(m_line, value);
    return *this;
}

CsvWriter&
CsvWriter::Unsigned(uint64_t value)
{
    Separate();
    Append(m_line, value);
    return *this;
}

void
CsvWriter::Separate()
{
    if (m_cells++ > 0)
    {
        m_line += ',';
    }
}

void
CsvWriter::CopyLine(const std::string& line)
{
    m_line = line;
    m_cells = m_columns;
    EndRow();
}

void
CsvWriter::EndRow()
{
    if (m_cells != m_columns)
    {
        throw OdcnError::InFile(GetPath(),
                                m_rows + 2,
                                std::to_string(m_cells) + " cells",
                                std::to_string(m_columns));
    }
    m_line += '\n';
    if (m_file)
    {
        m_file->Stream().write(m_line.data(), static_cast<std::streamsize>(m_line.size()));
    }
    m_line.clear();
    m_cells = 0;
    ++m_rows;
}

void
CsvWriter::Commit()
{
    if (m_cells != 0)
    {
        EndRow();
    }
    if (m_file)
    {
        m_file->Commit();
    }
}

} // namespace ns3::odcn
