// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_TEXT_H
#define ODCN_TEXT_H

#include "odcn-units.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::odcn
{

/**
 * @param text any text
 * @param separator character between fields
 * @param [out] fields views into @p text; one more than there are separators
 */
void SplitText(std::string_view text, char separator, std::vector<std::string_view>& fields);

/**
 * @param text a decimal number and nothing else, with a point whatever the locale
 * @return the number; nothing when the text is no number, NaN, infinite or out of range
 */
std::optional<double> ParseFinite(std::string_view text);

/**
 * @param text digits and nothing else
 * @return the number; nothing when the text is no number or needs more than 64 bits
 */
std::optional<uint64_t> ParseCount(std::string_view text);

/**
 * @param text cores:memory:disk in cores, GB and GB, for instance 16:122:320
 * @return the triple; nothing unless there are three numbers from 0 to 10^9
 */
std::optional<OdcnResources> ParseResources(std::string_view text);

/**
 * Append a number in the fewest digits that read back as the same number.
 * @param [in,out] out text to append to
 * @param value finite number
 */
void AppendDouble(std::string& out, double value);

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
 * @param digits how many decimals it holds, 0 to 18
 */
void AppendDecimal(std::string& out, int64_t value, int digits);

/**
 * Append a triple in the form that ParseResources() reads.
 * @param [in,out] out text to append to
 * @param resources the triple
 */
void AppendResources(std::string& out, const OdcnResources& resources);

/**
 * @ingroup odcn
 *
 * Reads a text file line by line in bounded memory and knows where it is, for error messages. A
 * file that was compressed by gzip is read as what it was made of, if odcn was built with zlib.
 */
class TextReader
{
  public:
    /// A line longer than this many bytes is refused: the file is something else.
    static constexpr std::size_t MAX_LINE = std::size_t{1} << 24;

    /**
     * @param path file to read
     * @throw OdcnError when it cannot be read, is a folder, or is compressed and there is no zlib
     */
    explicit TextReader(const std::string& path);

    /**
     * Go to the next line. The last one need not end in a newline; CR before LF is removed.
     * @return false at the end of the file
     * @throw OdcnError when the line is too long, or compressed data is damaged
     */
    bool NextLine();

    /// @return the current line, valid until NextLine()
    std::string_view GetLine() const;

    /// @return number of the current line, counted from 1
    uint64_t GetLineNumber() const;

    /**
     * @param value the offending text
     * @param expected what would have been accepted
     * @throw OdcnError always, naming file and line
     */
    [[noreturn]] void Refuse(std::string_view value, const std::string& expected) const;

  private:
    std::string m_path;                       //!< file name as given
    std::unique_ptr<std::streambuf> m_buffer; //!< the open file
    std::string m_line;                       //!< current line
    uint64_t m_number{0};                     //!< its number
};

} // namespace ns3::odcn

#endif /* ODCN_TEXT_H */
