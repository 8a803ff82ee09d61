// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-column-reader.h"

#include "ns3/odcn-error.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// @param text a text  @return the text without leading and trailing blanks
std::string_view
Trim(std::string_view text)
{
    const auto begin = std::min(text.find_first_not_of(' '), text.size());
    const auto end = text.find_last_not_of(' ');
    return end == std::string_view::npos ? std::string_view() : text.substr(begin, end + 1 - begin);
}

} // namespace

ColumnReader::ColumnReader(const std::string& path,
                           const std::string& map,
                           std::vector<ColumnField> fields,
                           bool skipMalformed)
    : m_fields(std::move(fields)),
      m_formulas(m_fields.size()),
      m_reader(path, skipMalformed)
{
    std::vector<std::string_view> parts;
    if (!Trim(map).empty())
    {
        SplitText(map, ',', parts);
    }
    std::string names;
    for (const ColumnField& field : m_fields)
    {
        names += (names.empty() ? "" : ", ") + field.name;
    }
    for (const std::string_view part : parts)
    {
        const std::size_t equal = part.find('=');
        const std::string_view name = Trim(part.substr(0, equal));
        const auto field = std::find_if(m_fields.begin(),
                                        m_fields.end(),
                                        [name](const auto& f) { return f.name == name; });
        if (equal == std::string_view::npos || field == m_fields.end())
        {
            throw OdcnError::InOption("Columns",
                                      std::string(part),
                                      "QUANTITY=EXPRESSION with one of " + names);
        }
        Formula& formula = m_formulas[static_cast<std::size_t>(field - m_fields.begin())];
        if (!formula.empty())
        {
            throw OdcnError::InOption("Columns", std::string(part), "each quantity once");
        }
        formula = Parse(part.substr(equal + 1));
    }
    if (!m_reader.NextRow())
    {
        m_reader.Refuse("an empty file", "a header");
    }
    for (std::size_t i = 0; i < m_fields.size(); ++i)
    {
        const auto& [name, otherwise] = m_fields[i];
        bool found = !otherwise;
        for (std::size_t k = 0; k < m_reader.GetWidth(); ++k)
        {
            found = found || m_reader[k] == name;
        }
        if (m_formulas[i].empty() && found)
        {
            m_formulas[i] = {{'+', true, AddColumn(name), 0}};
        }
    }
    m_reader.TakeHeader(m_columns, "a header with a column ");
}

std::size_t
ColumnReader::AddColumn(const std::string& name)
{
    const auto found = std::find(m_columns.begin(), m_columns.end(), name);
    if (found != m_columns.end())
    {
        return static_cast<std::size_t>(found - m_columns.begin());
    }
    m_columns.push_back(name);
    return m_columns.size() - 1;
}

ColumnReader::Formula
ColumnReader::Parse(std::string_view text)
{
    Formula formula;
    char operation = '+';
    for (std::string_view rest = text;;)
    {
        // The sign of an exponent is part of its number.
        std::size_t end = rest.find_first_of("+-*/");
        while (end != std::string_view::npos && end > 1 &&
               (rest[end - 1] == 'e' || rest[end - 1] == 'E') &&
               ParseFinite(std::string(Trim(rest.substr(0, end))) + "1"))
        {
            end = rest.find_first_of("+-*/", end + 1);
        }
        const std::string_view operand = Trim(rest.substr(0, end));
        if (operand.empty())
        {
            throw OdcnError::InOption("Columns",
                                      std::string(text),
                                      "columns and numbers joined by +, -, * and /");
        }
        const auto number = ParseFinite(operand);
        formula.push_back(
            {operation, !number, number ? 0 : AddColumn(std::string(operand)), number.value_or(0)});
        if (end == std::string_view::npos)
        {
            return formula;
        }
        operation = rest[end];
        rest.remove_prefix(end + 1);
    }
}

bool
ColumnReader::Read(std::vector<double>& values) const
{
    values.assign(m_fields.size(), 0);
    if (!m_reader.CheckWidth())
    {
        return false;
    }
    for (std::size_t i = 0; i < m_fields.size(); ++i)
    {
        double sum = 0;
        double term = 0;
        bool known = !m_formulas[i].empty();
        for (const Operand& operand : m_formulas[i])
        {
            std::optional<double> value = operand.number;
            if (operand.isColumn && !m_reader.ReadIfAny(operand.column, RowReader::Range(), value))
            {
                return false;
            }
            known = known && value;
            const double x = value.value_or(0);
            switch (operand.operation)
            {
            case '*':
                term *= x;
                break;
            case '/':
                term /= x;
                break;
            default:
                sum += term;
                term = operand.operation == '-' ? -x : x;
            }
        }
        values[i] = sum + term;
        if (!known)
        {
            if (!m_fields[i].otherwise)
            {
                return m_reader.Malformed(m_reader.GetLine(), "a value of " + m_fields[i].name);
            }
            values[i] = *m_fields[i].otherwise;
        }
        else if (!std::isfinite(values[i]))
        {
            return m_reader.Malformed(m_reader.GetLine(), "a finite value of " + m_fields[i].name);
        }
    }
    return true;
}

bool
ColumnReader::Malformed(std::size_t field, double value, const std::string& expected) const
{
    std::string text;
    AppendDouble(text, value);
    return m_reader.Malformed(text, expected + " as " + m_fields[field].name);
}

} // namespace ns3::odcn
