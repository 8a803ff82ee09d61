// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-command-line.h"

#include "ns3/odcn-error.h"
#include "ns3/odcn-text.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace odcn
{

OdcnCommandLine::OdcnCommandLine(int argc, char* argv[], const std::string& usage)
    : m_argc(argc),
      m_argv(argv)
{
    m_commandLine.Usage(usage);
}

void
OdcnCommandLine::Parse()
{
    m_commandLine.Parse(m_argc, m_argv);
}

std::string
OdcnCommandLine::GetCommand() const
{
    const std::string program = m_argv[0];
    std::string command = "./ns3 run " + program.substr(program.rfind('/') + 1) + " --";
    for (int i = 1; i < m_argc; ++i)
    {
        const std::string word = m_argv[i];
        const bool plain = word.find_first_of(" \t\"'\\$|&;<>()*?[]{}#~`!") == std::string::npos;
        command += " " + (plain ? word : "'" + word + "'");
    }
    return command;
}

void
OdcnCommandLine::Check(bool sound,
                       const std::string& name,
                       const std::string& value,
                       const std::string& expected)
{
    if (!sound)
    {
        throw OdcnError::InOption("--" + name, value, expected);
    }
}

void
OdcnCommandLine::CheckWord(const std::string& name,
                           const std::string& value,
                           const std::vector<std::string>& words)
{
    std::string expected;
    for (std::size_t i = 0; i < words.size(); ++i)
    {
        expected += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i];
    }
    Check(std::find(words.begin(), words.end(), value) != words.end(), name, value, expected);
}

Time
OdcnCommandLine::ParseTime(const std::string& text, const std::string& name)
{
    double number = 0;
    std::string unit;
    std::istringstream in(text);
    const bool read = static_cast<bool>(in >> number >> unit);
    Check(read && number >= 0 &&
              (unit == "s" || unit == "ms" || unit == "us" || unit == "ns" || unit == "ps"),
          name,
          text,
          "a time such as 10us");
    return Time(text);
}

std::vector<std::string>
OdcnCommandLine::SplitList(const std::string& list, const std::string& name)
{
    std::vector<std::string> names;
    std::istringstream text(list);
    for (std::string item; std::getline(text, item, ',');)
    {
        Check(!item.empty(), name, list, "names separated by commas, without blanks");
        Check(std::find(names.begin(), names.end(), item) == names.end(), name, item, "each once");
        names.push_back(item);
    }
    Check(!names.empty(), name, list, "a comma-separated list of names");
    return names;
}

std::vector<double>
OdcnCommandLine::SplitNumbers(const std::string& list, const std::string& name)
{
    std::vector<double> numbers;
    for (const auto& item : SplitList(list, name))
    {
        const auto number = ParseFinite(item);
        Check(number && *number >= 0, name, item, "a number, 0 or more");
        numbers.push_back(*number);
    }
    return numbers;
}

std::vector<std::string>
OdcnCommandLine::Find(const std::string& name) const
{
    // As ns-3 reads them: one dash or two.
    std::vector<std::string> values;
    for (int i = 1; i < m_argc; ++i)
    {
        const std::string word = m_argv[i];
        const std::size_t dashes = std::min<std::size_t>(2, word.find_first_not_of('-'));
        if (dashes > 0 && word.compare(dashes, name.size() + 1, name + "=") == 0)
        {
            values.push_back(word.substr(dashes + name.size() + 1));
        }
    }
    return values;
}

void
OdcnCommandLine::CheckSwitch(const std::string& name) const
{
    for (const auto& value : Find(name))
    {
        Check(value == "0" || value == "1" || value == "false" || value == "true",
              name,
              value,
              "true or false");
    }
}

void
OdcnCommandLine::CheckCount(const std::string& name, uint64_t most) const
{
    for (const auto& value : Find(name))
    {
        const auto count = ParseCount(value);
        Check(count && *count <= most,
              name,
              value,
              "a whole number from 0 to " + std::to_string(most));
    }
}

void
OdcnCommandLine::CheckNumber(const std::string& name) const
{
    for (const auto& value : Find(name))
    {
        Check(ParseFinite(value).has_value(), name, value, "a number");
    }
}

} // namespace odcn
} // namespace ns3
