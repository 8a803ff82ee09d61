// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_COMMAND_LINE_H
#define ODCN_COMMAND_LINE_H

#include "odcn-given-attributes.h"
#include "odcn-text.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <exception>
#include <functional>
#include <iosfwd>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace ns3::odcn
{

/**
 * @ingroup odcn
 *
 * A command line of options NAME=VALUE and of those of ns-3 (RngRun, global values, defaults of
 * Attributes, Print...). Unlike ns-3's, it refuses every invalid word (--load=nan, load=90, an
 * unknown option, an Attribute of a malformed value) with an OdcnError of one line, where ns-3
 * would ignore it, print its help, or abort the program; a text may hold blanks (--output='my
 * results'); and --help lists the options in groups.
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

    /**
     * @param title title of the options added from now on, for --help
     * @param condition condition of Restrict() for these options, for instance "train"; "" for none
     */
    void SetGroup(const std::string& title, const std::string& condition = "");

    /**
     * @tparam T std::string, bool, Time, an unsigned integer or a floating-point number
     * @param name name of the option  @param help help text
     * @param [in,out] value variable of the option, with its default; must outlive this object
     */
    template <typename T>
    void AddValue(const std::string& name, const std::string& help, T& value)
    {
        const std::string usual = ToText(value);
        AddHelp(name, help, usual);
        m_options[name] = {std::is_same_v<T, bool> ? "true" : "",
                           usual,
                           std::is_same_v<T, std::string>,
                           [name, &value](const std::string& text)
                           {
                               if constexpr (std::is_same_v<T, std::string>)
                               {
                                   value = text;
                               }
                               else if constexpr (std::is_same_v<T, bool>)
                               {
                                   value = ToSwitch(text, name);
                               }
                               else if constexpr (std::is_same_v<T, Time>)
                               {
                                   value = ParseTime(text, name);
                               }
                               else if constexpr (std::is_integral_v<T>)
                               {
                                   static_assert(std::is_unsigned_v<T>);
                                   value = static_cast<T>(
                                       ToCount(text, name, std::numeric_limits<T>::max()));
                               }
                               else
                               {
                                   static_assert(std::is_floating_point_v<T>);
                                   value = static_cast<T>(ToNumber(text, name));
                               }
                           }};
    }

    /**
     * Add an option that sets the default of an Attribute, so that objects created after Parse()
     * have it. Help, default, valid values and their check are those of the Attribute. A program
     * with another default sets it by Config::SetDefault() before.
     * @param name name of the option
     * @param attribute the Attribute, e.g. "ns3::odcn::ClusterJobFile::JobsPerSet"
     * @param [out] text if not null, it gets a value that is given, and the default stays
     * @throws OdcnError when there is no such Attribute
     */
    void AddValue(const std::string& name,
                  const std::string& attribute,
                  std::string* text = nullptr);

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
        const std::string range =
            ToText(least) +
            (most == std::numeric_limits<T>::max() ? " or more" : " to " + ToText(most));
        auto& set = m_options[name].set;
        set = [set, name, range](const std::string& text)
        {
            try
            {
                set(text);
            }
            catch (const std::exception&)
            {
                Check(false,
                      name,
                      text,
                      (std::is_integral_v<T> ? "a whole number, " : "a number, ") + range);
            }
        };
        m_checks.push_back([this, name, &value, least, most, range]()
                           { Check(value >= least && value <= most, name, GetText(name), range); });
    }

    /// As above without an upper bound. @param name name  @param help text  @param [in,out] value
    /// variable @param least bound
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

    /**
     * Add an option without a variable.
     * @param name name of the option  @param help help text  @param alone value of --NAME alone
     * @param act called by Parse() with the value, if the option is given, after all are read
     */
    void AddAction(const std::string& name,
                   const std::string& help,
                   const std::string& alone,
                   std::function<void(const std::string&)> act);

    /**
     * Refuse options in runs that do not use them, also with the default as value. A value that is
     * off (0, false or an empty text) is not refused, since it says what is so.
     * @param names names of options
     * @param conditions at least one of which must hold for each of these options: "train": the
     *     option train is not off; "packets=ns3": packets has this value; "!jobFile": jobFile is
     *     not given, or off. Options that the program does not have are off.
     */
    void Restrict(const std::vector<std::string>& names,
                  const std::vector<std::string>& conditions);

    /**
     * As Restrict(), after Parse(), for a condition that options alone do not decide.
     * @param used whether the run uses the option  @param name name of an option; one that the
     *     program does not have passes  @param expected for the error: "only with ..."
     */
    void Require(bool used, const std::string& name, const std::string& expected) const;

    /**
     * Refuse options that the program had, and say what replaces them.
     * @param names names of options  @param expected for the error: what to give instead
     */
    void Replace(const std::vector<std::string>& names, const std::string& expected);

    /**
     * Set the variables; with --help, print the options and exit instead.
     * @throws OdcnError when a word of the command line is not an option with a valid value, or is
     *     one that the run would not use, see Restrict()
     */
    void Parse();

    /**
     * Print an error as programs do, "error: " and one line, to standard error; of an Interruption
     * only what it says; then the process ends at once, unless it is one of several.
     * @param error the error
     * @return the status of the program: 1, or that of the Interruption
     */
    static int Report(const std::exception& error);

    /// @param os output stream of the text of --help
    void PrintHelp(std::ostream& os) const;

    /// @param name name of an option  @return whether the command line sets it
    bool IsGiven(const std::string& name) const;

    /// @param name name of an option
    /// @return its value as text, given last or by default
    std::string GetText(const std::string& name) const;

    /// @return name of the program, without its folder
    std::string GetProgram() const;

    /// @return the command line as typed, in the form for ./ns3, after the variables of the
    /// environment that change results
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

    /// As above for T with operator<<. @param sound as above @param name as above @param value as
    /// above @param expected as above
    template <typename T>
    static void Check(bool sound,
                      const std::string& name,
                      const T& value,
                      const std::string& expected)
    {
        if (!sound)
        {
            Check(false, name, ToText(value), expected);
        }
    }

    /**
     * Check a value of an Attribute.
     * @param checker that of the Attribute
     * @param name name of the option
     * @param text the value
     * @throws OdcnError when the value is not valid
     */
    static void CheckValue(const AttributeChecker& checker,
                           const std::string& name,
                           const std::string& text);

    /**
     * @param name name of an option  @param value its value  @param words valid words
     * @throws OdcnError when the value is not one of the words
     */
    static void CheckWord(const std::string& name,
                          const std::string& value,
                          const std::vector<std::string>& words);

    /**
     * @param text a number with a unit of time, 0 or more
     * @param name name of the option
     * @param most greatest time in seconds; a Time of picoseconds holds 9.2e6 s
     * @return the time
     * @throws OdcnError when the text is malformed or out of range
     */
    static Time ParseTime(const std::string& text, const std::string& name, double most = 9e6);

    /**
     * @param text a number above 0 with a unit of data rate  @param name name of the option
     * @return the rate
     * @throws OdcnError when the text is malformed
     */
    static DataRate ParseRate(const std::string& text, const std::string& name);

    /**
     * @param list names separated by commas; one within braces separates nothing
     * @param name name of the option
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
    /// An option.
    struct Option
    {
        std::string alone;                           //!< value of --NAME alone; "" for none
        std::string usual;                           //!< default
        bool isText;                                 //!< whether 0 and false are texts as others
        std::function<void(const std::string&)> set; //!< parses a value and sets the variable
        std::string attribute{};                     //!< Attribute that it sets; "" for none
    };

    /// A group of options.
    struct Group
    {
        std::string title;              //!< title of the group
        std::string condition;          //!< of Restrict(); "" for none
        std::vector<std::string> lines; //!< help lines, one or more per option
    };

    /// @param name name of an option  @param help help text  @param usual its default
    void AddHelp(const std::string& name, const std::string& help, const std::string& usual);

    /// @param name name of no option
    /// @throws OdcnError always, with the option most like it
    [[noreturn]] void RefuseName(const std::string& name) const;

    /// Check the variables of the environment that change results.
    /// @throws OdcnError when ns-3 would ignore one, or abort the program
    void CheckEnvironment();

    /// @param name name of an option  @return whether its value is 0, false or an empty text
    bool IsOff(const std::string& name) const;

    /// @param condition condition of Restrict()  @return whether it holds
    bool Holds(const std::string& condition) const;

    /// @param time a time
    /// @return it in a unit that suits it, e.g. "10us"
    static std::string FormatTime(Time time);

    /// @param value of an option
    /// @return it as it may be given
    template <typename T>
    static std::string ToText(const T& value)
    {
        if constexpr (std::is_same_v<T, Time>)
        {
            return FormatTime(value);
        }
        else if constexpr (std::is_floating_point_v<T>)
        {
            return FormatNumber(value);
        }
        else
        {
            PlainStream text;
            text << std::boolalpha << value;
            return text.str();
        }
    }

    /// @param text a value  @param name name of the option  @return the value
    static bool ToSwitch(const std::string& text, const std::string& name);

    /// @param text a value  @param name name of the option  @param most greatest value
    /// @return the value
    static uint64_t ToCount(const std::string& text, const std::string& name, uint64_t most);

    /// @param text a value  @param name name of the option  @return the value
    static double ToNumber(const std::string& text, const std::string& name);

    int m_argc;                                  //!< number of arguments
    char** m_argv;                               //!< the arguments
    std::string m_usage;                         //!< description of the program
    std::map<std::string, Option> m_options;     //!< options by name
    std::map<std::string, std::string> m_gone;   //!< of Replace(), by name
    std::vector<Group> m_groups;                 //!< groups of options
    std::vector<std::function<void()>> m_checks; //!< checks of the values of options
    GivenAttributes m_given;                     //!< defaults of Attributes that are set
};

} // namespace ns3::odcn

#endif /* ODCN_COMMAND_LINE_H */
