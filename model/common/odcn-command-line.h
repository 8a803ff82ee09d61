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
 * ns-3's command line, except that a value of the wrong kind (--load=nan, --jobs=many) throws an
 * OdcnError of one line, where ns-3 would print its page of help and leave, and that --help lists
 * the options in groups.
 */
class OdcnCommandLine
{
  public:
    /**
     * @param argc number of words
     * @param argv the words; to outlive this object
     * @param usage what the program does, for --help
     */
    OdcnCommandLine(int argc, char* argv[], const std::string& usage);

    /// @param title of the options that are added from now on, for --help
    void SetGroup(const std::string& title);

    /**
     * @param name of the option  @param help what it means
     * @param [in,out] value its variable, with its default
     * @throws OdcnError when a word gives it a value of another kind
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
     * A number within a range.
     * @param name of the option  @param help what it means
     * @param [in,out] value its variable, with its default
     * @param least smallest value  @param most greatest value; Parse() throws for others
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

    /// A number of at least some value. @copydetails AddRange
    template <typename T>
    void AddRange(const std::string& name, const std::string& help, T& value, T least)
    {
        AddRange(name, help, value, least, std::numeric_limits<T>::max());
    }

    /**
     * A word of a list; one that is empty by default may stay so.
     * @param name of the option  @param help what it means
     * @param [in,out] value its variable, with its default  @param words that it may be; Parse()
     * throws for others
     */
    void AddWord(const std::string& name,
                 const std::string& help,
                 std::string& value,
                 const std::vector<std::string>& words);

    /// Set the variables; with --help print the options and end the program instead.
    void Parse();

    /// @param os where to print what --help does
    void PrintHelp(std::ostream& os) const;

    /// @param name of an option  @return whether the command line sets it
    bool IsGiven(const std::string& name) const
    {
        return !Find(name).empty();
    }

    /// @return the command line as typed, in the form that ./ns3 takes
    std::string GetCommand() const;

    /**
     * A condition that a value must fulfil.
     * @param sound whether it does  @param name of the option  @param value as text
     * @param expected what would have been accepted
     * @throws OdcnError when it does not
     */
    static void Check(bool sound,
                      const std::string& name,
                      const std::string& value,
                      const std::string& expected);

    /// Likewise. @tparam T type of the value, which operator<< writes
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
     * @param name of an option that is a word  @param value its  @param words that it may be
     * @throws OdcnError when it is none of them
     */
    static void CheckWord(const std::string& name,
                          const std::string& value,
                          const std::vector<std::string>& words);

    /**
     * @param text a number of 0 or more and a unit of time  @param name of the option
     * @return the time
     * @throws OdcnError when it is something else
     */
    static Time ParseTime(const std::string& text, const std::string& name);

    /**
     * @param list names separated by commas  @param name of the option
     * @return the names
     * @throws OdcnError when one is empty or stands there twice, or there is none
     */
    static std::vector<std::string> SplitList(const std::string& list, const std::string& name);

    /**
     * @param list numbers of 0 or more separated by commas  @param name of the option
     * @return the numbers
     * @throws OdcnError when one is something else
     */
    static std::vector<double> SplitNumbers(const std::string& list, const std::string& name);

    /**
     * @param pattern name of a file; a % stands for what differs between files of one option
     * @param name in place of the %
     * @return the file's name
     */
    static std::string Expand(std::string pattern, const std::string& name);

  private:
    /// Options under one title.
    struct Group
    {
        std::string title;              //!< of the group
        std::vector<std::string> lines; //!< one or more an option
    };

    /// @param name of an option  @param help what it means  @param usual its default
    void AddHelp(const std::string& name, const std::string& help, const std::string& usual);

    /// @param name of an option  @return the values that words give it
    std::vector<std::string> Find(const std::string& name) const;

    /// @param name of an option that is true or false
    void CheckSwitch(const std::string& name) const;

    /// @param name of an option that is a whole number  @param most greatest value
    void CheckCount(const std::string& name, uint64_t most) const;

    /// @param name of an option that is a number
    void CheckNumber(const std::string& name) const;

    int m_argc;                                  //!< Number of words
    char** m_argv;                               //!< The words
    std::string m_usage;                         //!< What the program does
    std::vector<Group> m_groups;                 //!< Help on the options
    std::vector<std::function<void()>> m_checks; //!< Of values, after they are set
    CommandLine m_commandLine;                   //!< What sets variables
};

} // namespace ns3::odcn

#endif /* ODCN_COMMAND_LINE_H */
