// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-command-line.h"

#include "odcn-agent-library.h"
#include "odcn-attribute-text.h"
#include "odcn-data-file.h"
#include "odcn-error.h"
#include "odcn-interruption.h"
#include "odcn-output-files.h"
#include "odcn-ranks.h"
#include "odcn-safe-text.h"
#include "odcn-shared-library.h"
#include "odcn-text.h"

#include "ns3/command-line.h"
#include "ns3/global-value.h"
#include "ns3/log.h"
#include "ns3/map-scheduler.h"
#include "ns3/nstime.h"
#include "ns3/priority-queue-scheduler.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace ns3::odcn
{

namespace
{

/// Variables of the environment that change results: two of ns-3, and the folder of GetDataFile().
constexpr const char* ATTRIBUTES = "NS_ATTRIBUTE_DEFAULT";
constexpr const char* GLOBALS = "NS_GLOBAL_VALUE";
constexpr const char* DATA = "ODCN_DATA";

/// @param variable of the environment
/// @return its value; "" if it is not set
std::string
GetVariable(const char* variable)
{
    const char* value = std::getenv(variable);
    return value ? value : "";
}

/// @param word any text
/// @return it for a shell, in quotes if it needs them
std::string
Quote(const std::string& word)
{
    if (word.find_first_of(" \t\"'\\$|&;<>()*?[]{}#~`!") == std::string::npos)
    {
        return word;
    }
    std::string quoted = "'";
    for (const char c : word)
    {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
}

/// @param text a default value
/// @return it with "data/" for the folder of odcn's data
std::string
ReplaceDataFolder(std::string text)
{
    const std::string folder = GetDataFile("");
    for (std::size_t at = 0; (at = text.find(folder, at)) != std::string::npos;)
    {
        text.replace(at, folder.size(), "data/");
    }
    return text;
}

/// At the end of the program: a full disk, or no reader, is an error.
void
CheckStandardOutput()
{
    errno = 0;
    if (!std::cout.flush())
    {
        std::cerr << "error: standard output: cannot be written"
                  << (errno ? ": " + std::generic_category().message(errno) : "") << std::endl;
        std::_Exit(EXIT_FAILURE);
    }
}

/// A word of the command line: --NAME=VALUE, or --NAME. As in ns-3, one dash is as good as two.
struct Word
{
    std::string name;                 //!< name of the option
    std::optional<std::string> value; //!< its value, if there is a =

    /// @param text the word  @return its parts; an empty name when it is not an option
    static Word Of(std::string_view text)
    {
        const std::size_t dashes = std::min(text.find_first_not_of('-'), text.size());
        if (dashes != 1 && dashes != 2)
        {
            return {};
        }
        text.remove_prefix(dashes);
        const auto equals = text.find('=');
        Word word{std::string(text.substr(0, equals)), std::nullopt};
        if (equals != std::string_view::npos)
        {
            word.value = text.substr(equals + 1);
        }
        return word;
    }
};

/// Options of ns-3 that print what there is.
const std::vector<std::string> PRINTERS{"PrintGlobals",
                                        "PrintGroups",
                                        "PrintGroup",
                                        "PrintTypeIds",
                                        "PrintAttributes",
                                        "PrintVersion"};

/// @param name of a type, perhaps without its namespace
/// @return its whole name; "" if there is none
std::string
FindType(const std::string& name)
{
    TypeId tid;
    for (const char* space : {"", "ns3::odcn::", "ns3::"})
    {
        if (AgentLibrary::FindType(space + name, tid))
        {
            return tid.GetName();
        }
    }
    return "";
}

/**
 * Check a value of ns-3, which would abort the program at a malformed one.
 * @param where it stands, for errors
 * @param name name of a global value, or TYPE::ATTRIBUTE
 * @param value its value
 * @return whether there is one of that name
 * @throws OdcnError when the value is not valid
 */
bool
CheckSetting(const std::string& where, const std::string& name, const std::string& value)
{
    const auto require = [&](bool sound, const std::string& expected)
    {
        if (!sound)
        {
            throw OdcnError::InOption(where, value, expected);
        }
    };
    for (auto i = GlobalValue::Begin(); i != GlobalValue::End(); ++i)
    {
        if ((*i)->GetName() == name)
        {
            RequireValid(*(*i)->GetChecker(), where, value);
            const std::string base = name == "SimulatorImplementationType" ? "ns3::SimulatorImpl"
                                     : name == "SchedulerType"             ? "ns3::Scheduler"
                                                                           : "";
            TypeId type;
            require(base.empty() ||
                        (TypeId::LookupByNameFailSafe(value, &type) &&
                         type.IsChildOf(TypeId::LookupByName(base)) && type.HasConstructor()),
                    "a type derived from " + base);
            // The greatest seed that RngStream takes for all six of its numbers.
            constexpr uint64_t GREATEST_SEED = 4294944442;
            require(name != "RngSeed" ||
                        (ParseCount(value).value_or(0) >= 1 && *ParseCount(value) <= GREATEST_SEED),
                    "1 to " + std::to_string(GREATEST_SEED));
            return true;
        }
    }
    TypeId::AttributeInformation attribute;
    if (FindAttribute(name, attribute))
    {
        RequireValid(*attribute.checker, where, value);
        return true;
    }
    return false;
}

/**
 * Check an option of ns-3.
 * @param word a word that is not an option of the program
 * @return whether it is one of ns-3
 * @throws OdcnError when its value is not valid, and when it is TYPE::ATTRIBUTE and one of both
 * does not exist
 */
bool
CheckOfNs3(const Word& word)
{
    const auto& [name, value] = word;
    if (std::find(PRINTERS.begin(), PRINTERS.end(), name) != PRINTERS.end())
    {
        OdcnCommandLine::Check(name != "PrintAttributes" || !FindType(value.value_or("")).empty(),
                               name,
                               value.value_or(""),
                               "a type of --PrintTypeIds");
        if (AgentLibrary::IsPresent())
        {
            AgentLibrary::Open("--" + name); // it lists agents, too
        }
        return true;
    }
    if (CheckSetting("--" + name, name, value.value_or("")))
    {
        return true;
    }
    const auto colons = name.rfind("::");
    if (colons == std::string::npos)
    {
        return false;
    }
    const std::string type = name.substr(0, colons);
    TypeId tid;
    OdcnCommandLine::Check(!TypeId::LookupByNameFailSafe(type, &tid),
                           name,
                           value.value_or(""),
                           "an Attribute of --PrintAttributes=" + type);
    throw OdcnError("option --" + name + ": there is no type '" + type +
                    "' (--PrintTypeIds lists them)");
}

} // namespace

OdcnCommandLine::OdcnCommandLine(int argc, char* argv[], const std::string& usage)
    : m_argc(argc),
      m_argv(argv),
      m_usage(usage),
      m_groups{{"Options", "", {}}}
{
    [[maybe_unused]] static const int registered = std::atexit(CheckStandardOutput);
    // Events are in the same order in all schedulers; this one takes half of the time of a map.
    TypeIdValue scheduler;
    GlobalValue::GetValueByName("SchedulerType", scheduler);
    if (scheduler.Get() == MapScheduler::GetTypeId() &&
        GetVariable(GLOBALS).find("SchedulerType") == std::string::npos)
    {
        GlobalValue::Bind("SchedulerType", TypeIdValue(PriorityQueueScheduler::GetTypeId()));
    }
}

void
OdcnCommandLine::SetGroup(const std::string& title, const std::string& condition)
{
    m_groups.push_back({title, condition, {}});
}

void
OdcnCommandLine::Restrict(const std::vector<std::string>& names,
                          const std::vector<std::string>& conditions)
{
    std::string expected;
    for (const auto& condition : conditions)
    {
        const bool off = condition[0] == '!';
        expected += expected.empty() ? (off ? "only without --" : "only with --")
                                     : (off ? " or without --" : " or with --");
        expected += condition.substr(off ? 1 : 0);
    }
    m_checks.emplace_back(
        [this, names, conditions, expected]()
        {
            const bool used = std::any_of(conditions.begin(),
                                          conditions.end(),
                                          [this](const auto& c) { return Holds(c); });
            for (const auto& name : names)
            {
                Require(used, name, expected);
            }
        });
}

void
OdcnCommandLine::Require(bool used, const std::string& name, const std::string& expected) const
{
    Check(used || !IsGiven(name) || IsOff(name), name, GetText(name), expected);
}

void
OdcnCommandLine::Replace(const std::vector<std::string>& names, const std::string& expected)
{
    for (const auto& name : names)
    {
        m_gone[name] = expected;
    }
}

void
OdcnCommandLine::AddHelp(const std::string& name, const std::string& help, const std::string& usual)
{
    if (const auto& condition = m_groups.back().condition; !condition.empty() && name != condition)
    {
        Restrict({name}, {condition});
    }
    constexpr std::size_t WIDTH = 100;
    constexpr std::size_t INDENT = 24;
    std::string line = "    --" + name + ":";
    line.resize(std::max(line.size() + 1, INDENT), ' ');
    std::istringstream words(help + (usual.empty() ? "" : " [" + ReplaceDataFolder(usual) + "]"));
    auto& lines = m_groups.back().lines;
    std::string rest;
    for (std::string word; !rest.empty() || words >> rest;)
    {
        // Lists without blanks are broken after a comma.
        const std::size_t comma =
            rest.size() > WIDTH - INDENT ? rest.rfind(',', WIDTH - INDENT - 1) : std::string::npos;
        const bool broken = comma != std::string::npos;
        word = broken ? rest.substr(0, comma + 1) : rest;
        rest = broken ? rest.substr(comma + 1) : "";
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
    os << GetProgram() << " [Options]\n\n" << m_usage << "\n";
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
    os << "\nIn all programs:\n"
          "    --library: load shared libraries with types of one's own, files separated by "
          "commas\n"
          "    --version: versions of odcn, ns-3 and the compiler\n"
          "\nOf ns-3:\n"
          "    --RngRun, --RngSeed: which random numbers\n"
          "    --TYPE::ATTRIBUTE=VALUE: the default of an Attribute\n"
          "    --PrintGlobals, --PrintGroups, --PrintGroup=GROUP, --PrintTypeIds,\n"
          "    --PrintAttributes=TYPE: what there is\n";
}

void
OdcnCommandLine::CheckEnvironment()
{
    // ns-3 aborts the program at a component that it does not know when the simulation begins.
    const std::string logs = GetVariable("NS_LOG");
    std::vector<std::string_view> components;
    SplitText(logs, ':', components);
    for (const auto component : components)
    {
        const std::string name(component.substr(0, component.find('=')));
        if (name.find_first_not_of('*') != std::string::npos && name != "print-list" &&
            !LogComponent::GetComponentList()->count(name) && AgentLibrary::IsPresent())
        {
            AgentLibrary::Open("NS_LOG=" + logs);
        }
    }
    for (const auto& [variable, form] : {std::pair(GLOBALS, "NAME=VALUE;... of --PrintGlobals"),
                                         std::pair(ATTRIBUTES, "TYPE::ATTRIBUTE=VALUE;...")})
    {
        const std::string text = GetVariable(variable);
        std::vector<std::string_view> items;
        SplitText(text, ';', items);
        std::erase(items, "");
        for (const auto item : items)
        {
            const Word word = Word::Of("--" + std::string(item));
            const bool isAttribute = word.name.find("::") != std::string::npos;
            if (!word.value || isAttribute != (variable == ATTRIBUTES) ||
                !CheckSetting(variable + (": " + word.name), word.name, *word.value))
            {
                throw OdcnError::InOption(variable, std::string(item), form);
            }
            const bool twice = std::any_of(m_options.begin(),
                                           m_options.end(),
                                           [&](const auto& option) {
                                               return option.second.attribute == word.name &&
                                                      IsGiven(option.first);
                                           });
            if (isAttribute)
            {
                m_given.Add(variable + (": " + word.name), word.name, *word.value);
            }
            // ns-3 would prefer the variable.
            if (isAttribute && (twice || IsGiven(word.name)))
            {
                throw OdcnError::InOption(variable,
                                          std::string(item),
                                          "nothing that the command line sets, too");
            }
        }
    }
    const std::string folder = GetVariable(DATA);
    if (!folder.empty() && !std::filesystem::is_directory(folder))
    {
        throw OdcnError::InOption(DATA, folder, "a folder");
    }
}

void
OdcnCommandLine::Parse()
{
    const PlainLocale plain;
    OutputFiles::SetCommand(GetProgram(), GetCommand());
    for (int i = 1; i < m_argc; ++i)
    {
        const std::string word = m_argv[i];
        if (word == "-h" || word == "--help" || word == "-help" || word == "--PrintHelp" ||
            word == "-PrintHelp")
        {
            PrintHelp(std::cout);
            std::exit(0);
        }
        if (word == "--version" || word == "-version")
        {
            std::cout << GetProgram() << ": " << GetVersions() << std::endl;
            std::exit(0);
        }
    }
    for (int i = 1; i < m_argc; ++i)
    {
        if (const Word word = Word::Of(m_argv[i]); word.name == "library")
        {
            for (const auto& file : SplitList(word.value.value_or(""), "library"))
            {
                OpenSharedLibrary("--library=" + file, file);
            }
        }
    }
    CheckEnvironment();
    std::vector<std::string> rest{m_argv[0]};
    for (int i = 1; i < m_argc; ++i)
    {
        const std::string text = m_argv[i];
        const Word word = Word::Of(text);
        if (word.name.empty())
        {
            throw OdcnError::InOption("command line", text, "options of the form --NAME=VALUE");
        }
        const auto option = m_options.find(word.name);
        if (word.name == "library")
        {
            continue; // loaded before, since options may name its types
        }
        if (option == m_options.end())
        {
            const auto gone = m_gone.find(word.name);
            Check(gone == m_gone.end(),
                  word.name,
                  word.value.value_or(""),
                  gone == m_gone.end() ? "" : gone->second);
            if (!CheckOfNs3(word))
            {
                RefuseName(word.name);
            }
            if (word.name.find("::") != std::string::npos)
            {
                GivenAttributes::SetDefaultText(word.name, word.value.value_or(""));
                m_given.Add("--" + word.name, word.name, word.value.value_or(""));
                continue;
            }
            rest.push_back(word.name == "PrintAttributes"
                               ? "--PrintAttributes=" + FindType(*word.value)
                               : text);
        }
        else if (word.value)
        {
            option->second.set(*word.value);
        }
        else if (!option->second.alone.empty())
        {
            option->second.set(option->second.alone);
        }
        else
        {
            throw OdcnError::InOption("command line", text, text + "=VALUE");
        }
    }
    CommandLine().Parse(rest);
    for (const auto& check : m_checks)
    {
        check();
    }
}

void
OdcnCommandLine::RefuseName(const std::string& name) const
{
    std::vector<std::string> known{"RngRun", "RngSeed", "help", "version", "library"};
    known.insert(known.end(), PRINTERS.begin(), PRINTERS.end());
    for (const auto& [option, unused] : m_options)
    {
        known.push_back(option);
    }
    const std::string similar = FindSimilar(name, known);
    throw OdcnError("there is no option --" + name + " (--help lists all)" +
                    AskWhether((similar.empty() ? "" : "--") + similar));
}

int
OdcnCommandLine::Report(const std::exception& error)
{
    if (Ranks::GetLaunched().first > 0)
    {
        // An error of all processes is reported by rank 0; then the launcher ends the others.
        std::this_thread::sleep_for(std::chrono::seconds(5));
    }
    if (const auto* stop = dynamic_cast<const Interruption*>(&error))
    {
        std::cerr << EscapeText(stop->what()) << std::endl;
        if (Ranks::GetLaunched().second == 1) // MPI has an exit handler
        {
            // Objects with files are gone. To free a network of gigabytes would take many seconds.
            std::cout.flush();
            std::_Exit(stop->GetStatus());
        }
        return stop->GetStatus();
    }
    std::cerr << "error: " << EscapeText(error.what()) << std::endl;
    return 1;
}

void
OdcnCommandLine::CheckValue(const AttributeChecker& checker,
                            const std::string& name,
                            const std::string& text)
{
    RequireValid(checker, "--" + name, text);
}

void
OdcnCommandLine::AddValue(const std::string& name, const std::string& attribute, std::string* text)
{
    TypeId::AttributeInformation found;
    if (!FindAttribute(attribute, found))
    {
        throw OdcnError("option --" + name + ": there is no Attribute " + attribute);
    }
    const PlainLocale plain;
    const std::string type = found.checker->GetValueTypeName();
    std::string usual = found.initialValue->SerializeToString(found.checker);
    if (type == "ns3::TimeValue")
    {
        usual = FormatTime(DynamicCast<const TimeValue>(found.initialValue)->Get());
    }
    std::string help = found.help;
    help.erase(help.find_last_not_of(". ") + 1);
    if (help.size() > 1 && std::islower(static_cast<unsigned char>(help[1])))
    {
        help[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(help[0])));
    }
    usual = text ? "" : usual;
    AddHelp(name, help, usual);
    const bool isSwitch = IsSwitch(*found.checker);
    m_options[name] = {
        isSwitch ? "true" : "",
        usual,
        !isSwitch && type != "ns3::UintegerValue" && type != "ns3::DoubleValue",
        [this, name, attribute, checker = found.checker, type, text](const std::string& typed)
        {
            const std::string value = type == "ns3::UintegerValue" ? ExpandExponent(typed) : typed;
            CheckValue(*checker, name, value);
            if (text)
            {
                *text = value;
            }
            else
            {
                GivenAttributes::SetDefaultText(attribute, value);
                m_given.Add("--" + name, attribute, value);
            }
        },
        attribute};
}

std::string
OdcnCommandLine::FormatTime(Time time)
{
    const PlainLocale plain;
    PlainStream text;
    text << std::setprecision(std::numeric_limits<double>::digits10) << time.As();
    return time.IsZero() ? "0s" : text.str().substr(time.IsStrictlyPositive());
}

void
OdcnCommandLine::AddWord(const std::string& name,
                         const std::string& help,
                         std::string& value,
                         const std::vector<std::string>& words)
{
    AddValue(name, help, value);
    m_checks.emplace_back(
        [name, &value, words, optional = value.empty()]()
        {
            if (!optional || !value.empty())
            {
                CheckWord(name, value, words);
            }
        });
}

void
OdcnCommandLine::AddAction(const std::string& name,
                           const std::string& help,
                           const std::string& alone,
                           std::function<void(const std::string&)> act)
{
    AddHelp(name, help, "");
    auto given = std::make_shared<std::optional<std::string>>();
    m_options[name] = {alone, "", false, [given](const std::string& text) { *given = text; }};
    m_checks.emplace_back(
        [given, act = std::move(act)]()
        {
            if (*given)
            {
                act(**given);
            }
        });
}

std::string
OdcnCommandLine::GetProgram() const
{
    const std::string program = m_argv[0];
    return program.substr(program.rfind('/') + 1);
}

std::string
OdcnCommandLine::GetCommand() const
{
    std::string command;
    for (const char* variable : {ATTRIBUTES, GLOBALS, DATA})
    {
        if (const std::string value = GetVariable(variable); !value.empty())
        {
            command += std::string(variable) + "=" + Quote(value) + " ";
        }
    }
    command += "./ns3 run " + GetProgram() + " --";
    for (int i = 1; i < m_argc; ++i)
    {
        command += " " + Quote(m_argv[i]);
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
    Check(std::find(words.begin(), words.end(), value) != words.end(),
          name,
          value,
          JoinWords(words) + AskWhether(FindSimilar(value, words)));
}

Time
OdcnCommandLine::ParseTime(const std::string& text, const std::string& name, double most)
{
    const std::size_t begin = text.find('+') == 0 ? 1 : 0; // ns-3 writes +10ms
    const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-"), text.size());
    const auto number = ParseFinite(std::string_view(text).substr(begin, end - begin));
    const std::string unit = text.substr(end);
    const double seconds = unit == "s"    ? 1
                           : unit == "ms" ? 1e-3
                           : unit == "us" ? 1e-6
                           : unit == "ns" ? 1e-9
                           : unit == "ps" ? 1e-12
                                          : 0;
    Check(number && *number >= 0 && seconds > 0 && *number * seconds <= most,
          name,
          text,
          "a time such as 10us, from 0 to " + std::to_string(std::llround(most)) + "s");
    const PlainLocale plain;
    return Time(text);
}

DataRate
OdcnCommandLine::ParseRate(const std::string& text, const std::string& name)
{
    const PlainLocale plain;
    DataRateValue rate;
    const auto checker = MakeDataRateChecker();
    Check(IsReadable(*checker, text) && rate.DeserializeFromString(text, checker) &&
              rate.Get().GetBitRate() > 0,
          name,
          text,
          "a rate above 0 such as 10Gbps");
    return rate.Get();
}

std::vector<std::string>
OdcnCommandLine::SplitList(const std::string& list, const std::string& name)
{
    std::vector<std::string> names;
    auto items = SplitAtCommas(list);
    if (items.back().empty())
    {
        items.pop_back();
    }
    for (const auto& item : items)
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

bool
OdcnCommandLine::IsGiven(const std::string& name) const
{
    return std::any_of(m_argv + 1,
                       m_argv + std::max(1, m_argc),
                       [&name](const char* text) { return Word::Of(text).name == name; });
}

std::string
OdcnCommandLine::GetText(const std::string& name) const
{
    const auto option = m_options.find(name);
    if (option == m_options.end())
    {
        return "";
    }
    std::string value = option->second.usual;
    for (int i = 1; i < m_argc; ++i)
    {
        if (const Word word = Word::Of(m_argv[i]); word.name == name)
        {
            value = word.value.value_or(option->second.alone);
        }
    }
    return value;
}

bool
OdcnCommandLine::IsOff(const std::string& name) const
{
    const std::string text = GetText(name);
    return text.empty() ||
           (!m_options.at(name).isText && (text == "false" || ParseFinite(text) == 0.0));
}

bool
OdcnCommandLine::Holds(const std::string& condition) const
{
    if (condition[0] == '!')
    {
        const std::string name = condition.substr(1);
        return !IsGiven(name) || IsOff(name);
    }
    const Word word = Word::Of("--" + condition);
    return word.value ? GetText(word.name) == *word.value : !IsOff(word.name);
}

bool
OdcnCommandLine::ToSwitch(const std::string& text, const std::string& name)
{
    const bool yes = text == "1" || text == "true";
    Check(yes || text == "0" || text == "false", name, text, "true or false");
    return yes;
}

uint64_t
OdcnCommandLine::ToCount(const std::string& text, const std::string& name, uint64_t most)
{
    const auto count = ParseCount(ExpandExponent(text));
    Check(count && *count <= most, name, text, "a whole number from 0 to " + std::to_string(most));
    return *count;
}

double
OdcnCommandLine::ToNumber(const std::string& text, const std::string& name)
{
    const auto number = ParseFinite(text);
    Check(number.has_value(), name, text, "a number");
    return *number;
}

} // namespace ns3::odcn
