// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_COMMAND_LINE_H
#define ODCN_COMMAND_LINE_H

#include "ns3/command-line.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * ns-3's command line with two differences: an invalid value (--load=nan, --jobs=many) throws an
 * OdcnError of one line, where ns-3 would print its help and exit; and --help lists the options in
 * groups.
 */
class OdcnCommandLine
{
  public:
    /**
     * @param argc number of arguments
     * @param argv the arguments; must outlive this object
     * @param usage description of the program, for --help
     */
    OdcnCommandLine(int argc, char* argv[], const std::string& usage);

    /// @param title title of the options added from now on, for --help
    void SetGroup(const std::string& title);

    /**
     * @param name name of the option  @param help help text
     * @param [in,out] value variable of the option, with its default
     * @throws OdcnError when an argument gives it a value of the wrong type
     */
    template <typename T>
    void AddValue(const std::string& name, const std::string& help, T& value)
    {
        if constexpr (std::is_same_v<T, bool>)
        {
            CheckSwitch(name);
        }
        else if constexpr (std::is_integral_v<T>)
        {
            static_assert(std::is_unsigned_v<T>);
            CheckCount(name, std::numeric_limits<T>::max());
        }
        else if constexpr (std::is_floating_point_v<T>)
        {
            CheckNumber(name);
        }
        std::ostringstream usual;
        usual << std::boolalpha << value;
        AddHelp(name, help, usual.str());
        m_commandLine.AddValue(name, help, value);
    }

    /**
     * Add an option that is a number within a range.
     * @param name name of the option  @param help help text
     * @param [in,out] value variable of the option, with its default
     * @param least smallest value  @param most greatest value; Parse() throws for other values
     */
    template <typename T>
    void AddRange(const std::string& name, const std::string& help, T& value, T least, T most)
    {
        AddValue(name, help, value);
        m_checks.push_back(
            [name, &value, least, most]()
            {
                std::ostringstream range;
                range << least << " to " << most;
                Check(value >= least && value <= most,
                      name,
                      value,
                      most == std::numeric_limits<T>::max()
                          ? range.str().substr(0, range.str().find(' ')) + " or more"
                          : range.str());
            });
    }

    /// Add an option that is a number with a lower bound. @copydetails AddRange
    template <typename T>
    void AddRange(const std::string& name, const std::string& help, T& value, T least)
    {
        AddRange(name, help, value, least, std::numeric_limits<T>::max());
    }

    /**
     * Add an option that is one of a list of words, or empty if its default is empty.
     * @param name name of the option  @param help help text
     * @param [in,out] value variable of the option, with its default
     * @param words valid words; Parse() throws for others
     */
    void AddWord(const std::string& name,
                 const std::string& help,
                 std::string& value,
                 const std::vector<std::string>& words);

    /// Set the variables; with --help, print the options and exit instead.
    void Parse();

    /// @param os output stream of the text of --help
    void PrintHelp(std::ostream& os) const;

    /// @param name name of an option  @return whether the command line sets it
    bool IsGiven(const std::string& name) const
    {
        return !Find(name).empty();
    }

    /// @return the command line as typed, in the form for ./ns3
    std::string GetCommand() const;

    /**
     * Check a condition on the value of an option.
     * @param sound whether the value is valid  @param name name of the option
     * @param value the value as text  @param expected the valid values
     * @throws OdcnError when the value is not valid
     */
    static void Check(bool sound,
                      const std::string& name,
                      const std::string& value,
                      const std::string& expected);

    /// As Check() above. @tparam T type of the value, with an operator<<
    template <typename T>
    static void Check(bool sound,
                      const std::string& name,
                      const T& value,
                      const std::string& expected)
    {
        if (!sound)
        {
            std::ostringstream text;
            text << value;
            Check(false, name, text.str(), expected);
        }
    }

    /**
     * @param name name of an option  @param value its value  @param words valid words
     * @throws OdcnError when the value is not one of the words
     */
    static void CheckWord(const std::string& name,
                          const std::string& value,
                          const std::vector<std::string>& words);

    /**
     * @param text a non-negative number with a unit of time  @param name name of the option
     * @return the time
     * @throws OdcnError when the text is malformed
     */
    static Time ParseTime(const std::string& text, const std::string& name);

    /**
     * @param list names separated by commas  @param name name of the option
     * @return the names
     * @throws OdcnError when the list is empty, or a name is empty or repeated
     */
    static std::vector<std::string> SplitList(const std::string& list, const std::string& name);

    /**
     * @param list non-negative numbers separated by commas  @param name name of the option
     * @return the numbers
     * @throws OdcnError when the list is malformed
     */
    static std::vector<double> SplitNumbers(const std::string& list, const std::string& name);

    /**
     * @param pattern file name with an optional placeholder %
     * @param name replaces the %
     * @return the file name
     */
    static std::string Expand(std::string pattern, const std::string& name);

  private:
    /// A group of options.
    struct Group
    {
        std::string title;              //!< title of the group
        std::vector<std::string> lines; //!< help lines, one or more per option
    };

    /// @param name name of an option  @param help help text  @param usual its default
    void AddHelp(const std::string& name, const std::string& help, const std::string& usual);

    /// @param name name of an option  @return the values that the arguments give it
    std::vector<std::string> Find(const std::string& name) const;

    /// Check the values of a Boolean option. @param name name of the option
    void CheckSwitch(const std::string& name) const;

    /// Check the values of an integer option. @param name name of the option  @param most maximum
    void CheckCount(const std::string& name, uint64_t most) const;

    /// Check the values of a numeric option. @param name name of the option
    void CheckNumber(const std::string& name) const;

    int m_argc;                                  //!< number of arguments
    char** m_argv;                               //!< the arguments
    std::string m_usage;                         //!< description of the program
    std::vector<Group> m_groups;                 //!< help on the options
    std::vector<std::function<void()>> m_checks; //!< checks that Parse() runs on the values
    CommandLine m_commandLine;                   //!< parses the arguments
};

} // namespace ns3::odcn

#endif /* ODCN_COMMAND_LINE_H */
