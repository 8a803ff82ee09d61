// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-command-line.h"

#include "odcn-error.h"
#include "odcn-text.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>

namespace ns3::odcn
{

OdcnCommandLine::OdcnCommandLine(int argc, char* argv[], const std::string& usage)
    : m_argc(argc),
      m_argv(argv),
      m_usage(usage),
      m_groups{{"Options", {}}}
{
    m_commandLine.Usage(usage);
}

void
OdcnCommandLine::SetGroup(const std::string& title)
{
    m_groups.push_back({title, {}});
}

void
OdcnCommandLine::AddHelp(const std::string& name, const std::string& help, const std::string& usual)
{
    constexpr std::size_t WIDTH = 100;
    constexpr std::size_t INDENT = 24;
    std::string line = "    --" + name + ":";
    line.resize(std::max(line.size() + 1, INDENT), ' ');
    std::istringstream words(help + (usual.empty() ? "" : " [" + usual + "]"));
    auto& lines = m_groups.back().lines;
    for (std::string word; words >> word;)
    {
        if (line.size() > INDENT && line.size() + word.size() > WIDTH)
        {
            lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
            line.assign(INDENT, ' ');
        }
        line += word + " ";
    }
    lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
}

void
OdcnCommandLine::PrintHelp(std::ostream& os) const
{
    const std::string program = m_argv[0];
    os << program.substr(program.rfind('/') + 1) << " [Options]\n\n" << m_usage << "\n";
    for (const auto& group : m_groups)
    {
        if (group.lines.empty())
        {
            continue;
        }
        os << "\n" << group.title << ":\n";
        for (const auto& line : group.lines)
        {
            os << line << "\n";
        }
    }
    os << "\nOf ns-3:\n"
          "    --RngRun, --RngSeed: which random numbers\n"
          "    --TYPE::ATTRIBUTE=VALUE: the default of an Attribute\n"
          "    --PrintGlobals, --PrintGroups, --PrintGroup=GROUP, --PrintTypeIds,\n"
          "    --PrintAttributes=TYPE: what there is\n";
}

void
OdcnCommandLine::Parse()
{
    for (int i = 1; i < m_argc; ++i)
    {
        const std::string word = m_argv[i];
        if (word == "--help" || word == "-help" || word == "--PrintHelp" || word == "-PrintHelp")
        {
            PrintHelp(std::cout);
            std::exit(0);
        }
    }
    m_commandLine.Parse(m_argc, m_argv);
    for (const auto& check : m_checks)
    {
        check();
    }
}

void
OdcnCommandLine::AddWord(const std::string& name,
                         const std::string& help,
                         std::string& value,
                         const std::vector<std::string>& words)
{
    AddValue(name, help, value);
    m_checks.push_back(
        [name, &value, words, optional = value.empty()]()
        {
            if (!optional || !value.empty())
            {
                CheckWord(name, value, words);
            }
        });
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

std::string
OdcnCommandLine::Expand(std::string pattern, const std::string& name)
{
    if (const auto mark = pattern.find('%'); mark != std::string::npos)
    {
        pattern.replace(mark, 1, name);
    }
    return pattern;
}

std::vector<std::string>
OdcnCommandLine::Find(const std::string& name) const
{
    // As in ns-3, options begin with one dash or two.
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

} // namespace ns3::odcn
