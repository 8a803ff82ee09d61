// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-figures-store.h"

#include "ns3/odcn-csv-writer.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <boost/crc.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string_view>

using namespace ns3::odcn;

FigureTable
FigureTable::Read(const std::string& path)
{
    FigureTable table;
    TextReader reader(path);
    std::vector<std::string_view> fields;
    while (reader.NextLine())
    {
        if (reader.GetLine().empty() || reader.GetLine()[0] == '#')
        {
            continue;
        }
        SplitText(reader.GetLine(), ',', fields);
        if (table.columns.empty())
        {
            table.columns.assign(fields.begin(), fields.end());
            continue;
        }
        if (fields.size() != table.columns.size())
        {
            reader.Refuse(reader.GetLine(), std::to_string(table.columns.size()) + " cells");
        }
        table.rows.emplace_back(fields.begin(), fields.end());
    }
    return table;
}

std::size_t
FigureTable::GetColumn(const std::string& name) const
{
    const auto column = std::find(columns.begin(), columns.end(), name);
    if (column == columns.end())
    {
        throw OdcnError("there is no column " + name);
    }
    return static_cast<std::size_t>(column - columns.begin());
}

FigureStore::FigureStore(const std::string& path,
                         const Cells& place,
                         const Cells& options,
                         const Cells& values)
    : m_path(path),
      m_columns(place)
{
    m_columns.insert(m_columns.end(), options.begin(), options.end());
    m_columns.insert(m_columns.end(), values.begin(), values.end());
    if (!std::filesystem::exists(path))
    {
        return;
    }
    const FigureTable table = FigureTable::Read(path);
    if (table.columns != m_columns)
    {
        throw OdcnError(path + ": has other columns; move it away to begin anew");
    }
    const auto nPlace = static_cast<std::ptrdiff_t>(place.size());
    const auto nOptions = static_cast<std::ptrdiff_t>(options.size());
    for (const auto& row : table.rows)
    {
        m_rows[Cells(row.begin(), row.begin() + nPlace)] = {
            Cells(row.begin() + nPlace, row.begin() + nPlace + nOptions),
            Cells(row.begin() + nPlace + nOptions, row.end())};
    }
}

const FigureStore::Cells*
FigureStore::Find(const Cells& place, const Cells& options) const
{
    const auto row = m_rows.find(place);
    return row != m_rows.end() && row->second.options == options ? &row->second.values : nullptr;
}

void
FigureStore::Put(const Cells& place, const Cells& options, const Cells& values)
{
    m_rows[place] = {options, values};
}

void
FigureStore::Save() const
{
    CsvWriter csv(m_path, m_columns);
    for (const auto& [where, row] : m_rows)
    {
        for (const Cells* cells : {&where, &row.options, &row.values})
        {
            for (const auto& cell : *cells)
            {
                csv.Cell(cell);
            }
        }
        csv.EndRow();
    }
    csv.Commit();
}

std::vector<std::string>
FormatCells(const std::vector<double>& values)
{
    std::vector<std::string> cells;
    for (const double value : values)
    {
        cells.emplace_back();
        if (!std::isnan(value))
        {
            AppendDouble(cells.back(), value);
        }
    }
    return cells;
}

std::vector<double>
ParseCells(const std::vector<std::string>& cells)
{
    std::vector<double> values;
    for (const auto& cell : cells)
    {
        values.push_back(ParseFinite(cell).value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    return values;
}

std::string
DigestFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
    {
        throw OdcnError(path + ": cannot be read");
    }
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    boost::crc_32_type crc;
    crc.process_bytes(bytes.data(), bytes.size());
    char text[9];
    std::snprintf(text, sizeof(text), "%08x", crc.checksum());
    return text;
}
