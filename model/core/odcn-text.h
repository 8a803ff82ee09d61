// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TEXT_H
#define ODCN_TEXT_H

#include "odcn-units.h"

#include <cstdint>
#include <locale>
#include <memory>
#include <optional>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::odcn
{

/**
 * @param text a text
 * @param separator character between fields
 * @param [out] fields views into @p text, one more than the number of separators
 */
void SplitText(std::string_view text, char separator, std::vector<std::string_view>& fields);

/**
 * @param text items between commas; a comma within braces separates nothing
 * @return the items, one more than such commas
 */
std::vector<std::string> SplitAtCommas(std::string_view text);

/**
 * @param words one or more
 * @return them in a sentence: "a, b or c"
 */
std::string JoinWords(const std::vector<std::string>& words);

/**
 * @param word a word that is not known, perhaps mistyped
 * @param known valid words
 * @return the valid word most like it, by inserted, left out, changed and exchanged letters,
 * without regard to case; "" if more than a third of the letters differ
 */
std::string FindSimilar(std::string_view word, const std::vector<std::string>& known);

/// @param similar a word of FindSimilar()
/// @return "; did you mean WORD?" for messages, "" without a word
std::string AskWhether(const std::string& similar);

/**
 * @param text with alternatives in braces, which may be nested: a{b,c}d stands for abd and acd
 * @return the texts it stands for, the first braces vary slowest; none when a brace has no other
 * @throws OdcnError when there are more than 10,000 texts, or 64 pairs of braces
 */
std::vector<std::string> ExpandBraces(const std::string& text);

/**
 * @param text a decimal number, with a point in every locale, without other text
 * @return the number; nullopt when the text is not a number, NaN, infinite or out of range
 */
std::optional<double> ParseFinite(std::string_view text);

/**
 * @param text decimal digits only
 * @return the number; nullopt when the text is not a number or needs more than 64 bits
 */
std::optional<uint64_t> ParseCount(std::string_view text);

/**
 * @param text a whole number, perhaps with an exponent (1e5, 2.5e6)
 * @return its decimal digits; the text itself when it is something else
 */
std::string ExpandExponent(const std::string& text);

/**
 * @param text items between commas, each of them possibly with a number of repetitions: 2*48,16 is
 * 48,48,16
 * @return the items, views into @p text; nullopt if an item is empty, a number of repetitions is
 * not a positive number, or there are more than 65535 items
 */
std::optional<std::vector<std::string_view>> ParseRepeated(std::string_view text);

/**
 * @param option name of the option or Attribute, for the error message
 * @param text as for ParseRepeated(), e.g. 8*48,8*16; empty for no numbers
 * @return the numbers, each from 1 to 65535
 * @throws OdcnError when the text is something else
 */
std::vector<uint32_t> ParseCounts(const std::string& option, std::string_view text);

/**
 * @param text cores:memory:disk in cores, GB and GB, for instance 16:122:320
 * @return the triple; nullopt unless these are three numbers from 0 to 10^9
 */
std::optional<OdcnResources> ParseResources(std::string_view text);

/**
 * Append a number with the fewest digits that read back as the same number.
 * @param [in,out] out text to append to
 * @param value finite number
 */
void AppendDouble(std::string& out, double value);

/**
 * @param value a number
 * @return the fewest digits that read back as the same number, without an exponent where they are
 * few, in every locale
 */
std::string FormatNumber(double value);

/**
 * @param number number of things
 * @param thing one of them
 * @return such as "1 run" or "3 runs"
 */
std::string FormatCount(uint64_t number, const std::string& thing);

/// A stream of text that is read again: it has no separators of thousands and a decimal point,
/// whatever the global locale.
struct PlainStream : std::ostringstream
{
    PlainStream()
    {
        imbue(std::locale::classic());
    }
};

/// While it exists, the global locale is the classic one, by which ns-3 reads and writes numbers.
class PlainLocale
{
  public:
    PlainLocale()
        : m_isOther(std::locale() != std::locale::classic())
    {
        if (m_isOther)
        {
            m_before = std::locale::global(std::locale::classic());
        }
    }

    ~PlainLocale()
    {
        if (m_isOther)
        {
            std::locale::global(m_before);
        }
    }

    PlainLocale(const PlainLocale&) = delete;
    PlainLocale& operator=(const PlainLocale&) = delete;

  private:
    bool m_isOther;       //!< whether the global locale was another one
    std::locale m_before; //!< that one
};

/**
 * Append an integer.
 * @param [in,out] out text to append to
 * @param value the integer
 */
void AppendCount(std::string& out, uint64_t value);

/**
 * Append value / 10^digits exactly, without trailing zeros.
 * @param [in,out] out text to append to
 * @param value integer, 0 or more
 * @param digits number of decimals in @p value, 0 to 18
 */
void AppendDecimal(std::string& out, int64_t value, int digits);

/**
 * Append a triple in the form of ParseResources().
 * @param [in,out] out text to append to
 * @param resources the triple
 */
void AppendResources(std::string& out, const OdcnResources& resources);

/**
 * @param path input file
 * @throw OdcnError when it is a folder or a pipe
 */
void RequireFile(const std::string& path);

/**
 * @ingroup odcn
 *
 * Reads a text file line by line in bounded memory and keeps the line number for error messages. A
 * gzip-compressed file is decompressed, if odcn was built with zlib.
 */
class TextReader
{
  public:
    /// Longest line in bytes; a file with longer lines is rejected as not a text file.
    static constexpr std::size_t MAX_LINE = std::size_t{1} << 24;

    /**
     * @param path input file
     * @throw OdcnError when it cannot be read, is a folder or a pipe, or is compressed without zlib
     * support
     */
    explicit TextReader(const std::string& path);

    /**
     * Read the next line. The last line may lack a newline; CR before LF is removed, and so is a
     * byte order mark of UTF-8 at the beginning of the file.
     * @return false at the end of the file
     * @throw OdcnError when the line is too long, the device fails, or compressed data is damaged
     */
    bool NextLine();

    /// @return the current line, valid until NextLine()
    std::string_view GetLine() const
    {
        return m_line;
    }

    /// @return number of the current line, counted from 1
    uint64_t GetLineNumber() const
    {
        return m_number;
    }

    /**
     * @param value the invalid text
     * @param expected description of the valid values
     * @throw OdcnError always, with file and line
     */
    [[noreturn]] void Refuse(std::string_view value, const std::string& expected) const;

  private:
    /// @return the next byte, or the end of the file
    int TakeByte();

    std::string m_path;                       //!< file name as given
    std::unique_ptr<std::streambuf> m_buffer; //!< the open file
    std::string m_line;                       //!< current line
    uint64_t m_number{0};                     //!< number of the current line
};

} // namespace ns3::odcn

#endif /* ODCN_TEXT_H */
