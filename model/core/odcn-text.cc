// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-text.h"

#include "odcn-error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <system_error>
#if ODCN_HAVE_ZLIB
#include <zlib.h>
#endif

namespace ns3::odcn
{

#if ODCN_HAVE_ZLIB
namespace
{

/// Stream buffer that decompresses a gzip file.
class GzipBuffer : public std::streambuf
{
  public:
    /// @param path path of the file
    explicit GzipBuffer(const std::string& path)
        : m_path(path),
          m_file(gzopen(path.c_str(), "rb"))
    {
    }

    ~GzipBuffer() override
    {
        gzclose(m_file);
    }

    GzipBuffer(const GzipBuffer&) = delete;
    GzipBuffer& operator=(const GzipBuffer&) = delete;

  protected:
    int_type underflow() override
    {
        const int count = gzread(m_file, m_data.data(), static_cast<unsigned>(m_data.size()));
        int error = Z_OK;
        const char* message = gzerror(m_file, &error);
        // gzread() does not report a truncated file.
        if (count < 0 || (error != Z_OK && error != Z_STREAM_END))
        {
            throw OdcnError(m_path + ": damaged: " + message);
        }
        setg(m_data.data(), m_data.data(), m_data.data() + count);
        return count == 0 ? traits_type::eof() : traits_type::to_int_type(m_data[0]);
    }

  private:
    std::string m_path;             //!< path, for error messages
    gzFile m_file;                  //!< the open file
    std::array<char, 65536> m_data; //!< uncompressed data
};

} // namespace
#endif

void
SplitText(std::string_view text, char separator, std::vector<std::string_view>& fields)
{
    fields.clear();
    std::size_t begin = 0;
    for (std::size_t end = text.find(separator); end != std::string_view::npos;
         end = text.find(separator, begin))
    {
        fields.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    fields.push_back(text.substr(begin));
}

std::vector<std::string>
SplitAtCommas(std::string_view text)
{
    std::vector<std::string> items(1);
    int depth = 0;
    for (const char c : text)
    {
        depth += (c == '{') - (c == '}');
        if (c == ',' && depth == 0)
        {
            items.emplace_back();
        }
        else
        {
            items.back() += c;
        }
    }
    return items;
}

std::string
JoinWords(const std::vector<std::string>& words)
{
    std::string joined;
    for (std::size_t i = 0; i < words.size(); ++i)
    {
        joined += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i];
    }
    return joined;
}

std::string
FindSimilar(std::string_view word, const std::vector<std::string>& known)
{
    const auto equal = [](char a, char b)
    {
        return std::tolower(static_cast<unsigned char>(a)) ==
               std::tolower(static_cast<unsigned char>(b));
    };
    std::string nearest;
    std::size_t least = SIZE_MAX;
    for (const auto& other : known)
    {
        // [i][j]: steps from the first i letters of one word to the first j of the other.
        std::vector<std::vector<std::size_t>> steps(word.size() + 1,
                                                    std::vector<std::size_t>(other.size() + 1));
        for (std::size_t i = 0; i <= word.size(); ++i)
        {
            for (std::size_t j = 0; j <= other.size(); ++j)
            {
                if (i == 0 || j == 0)
                {
                    steps[i][j] = i + j;
                    continue;
                }
                steps[i][j] = std::min({steps[i - 1][j] + 1,
                                        steps[i][j - 1] + 1,
                                        steps[i - 1][j - 1] + !equal(word[i - 1], other[j - 1])});
                if (i > 1 && j > 1 && equal(word[i - 1], other[j - 2]) &&
                    equal(word[i - 2], other[j - 1]))
                {
                    steps[i][j] = std::min(steps[i][j], steps[i - 2][j - 2] + 1);
                }
            }
        }
        if (3 * steps.back().back() <= other.size() && steps.back().back() < least)
        {
            least = steps.back().back();
            nearest = other;
        }
    }
    return nearest;
}

std::string
AskWhether(const std::string& similar)
{
    return similar.empty() ? "" : "; did you mean " + similar + "?";
}

std::vector<std::string>
ExpandBraces(const std::string& text)
{
    const std::size_t open = text.find_first_of("{}");
    if (open == std::string::npos)
    {
        return {text};
    }
    std::size_t close = open;
    for (int depth = text[open] == '{' ? 1 : 0; depth > 0;)
    {
        close = text.find_first_of("{}", close + 1);
        depth = close == std::string::npos ? 0 : depth + (text[close] == '{' ? 1 : -1);
    }
    if (close == open || close == std::string::npos)
    {
        return {};
    }
    constexpr std::size_t MOST_TEXTS = 10000;
    constexpr std::ptrdiff_t MOST_PAIRS = 64;
    const auto refuse = [&](bool tooMany)
    {
        if (tooMany)
        {
            throw OdcnError::InOption("braces",
                                      text,
                                      "at most " + std::to_string(MOST_TEXTS) + " forms and " +
                                          std::to_string(MOST_PAIRS) + " pairs");
        }
    };
    refuse(std::count(text.begin(), text.end(), '{') > MOST_PAIRS);
    std::vector<std::string> texts;
    for (const auto& item :
         SplitAtCommas(std::string_view(text).substr(open + 1, close - open - 1)))
    {
        for (const auto& rest : ExpandBraces(item + text.substr(close + 1)))
        {
            texts.push_back(text.substr(0, open) + rest);
        }
        refuse(texts.size() > MOST_TEXTS);
    }
    return texts;
}

std::optional<double>
ParseFinite(std::string_view text)
{
    double value = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value))
    {
        return std::nullopt;
    }
    return value;
}

std::optional<uint64_t>
ParseCount(std::string_view text)
{
    uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end)
    {
        return std::nullopt;
    }
    return value;
}

std::string
ExpandExponent(const std::string& text)
{
    const auto number = ParseFinite(text);
    const bool isWhole =
        number && text.front() != '-' && *number <= 0x1p53 && std::floor(*number) == *number;
    return isWhole && !ParseCount(text) ? std::to_string(static_cast<uint64_t>(*number)) : text;
}

std::optional<std::vector<std::string_view>>
ParseRepeated(std::string_view text)
{
    constexpr std::size_t MAX_ITEMS = 65535;
    std::vector<std::string_view> parts;
    SplitText(text, ',', parts);
    std::vector<std::string_view> items;
    for (std::string_view part : parts)
    {
        uint64_t times = 1;
        if (const auto star = part.find('*'); star != std::string_view::npos)
        {
            times = ParseCount(part.substr(0, star)).value_or(0);
            part.remove_prefix(star + 1);
        }
        if (part.empty() || times == 0 || times > MAX_ITEMS - items.size())
        {
            return std::nullopt;
        }
        items.insert(items.end(), times, part);
    }
    return items;
}

std::vector<uint32_t>
ParseCounts(const std::string& option, std::string_view text)
{
    std::vector<uint32_t> counts;
    if (text.empty())
    {
        return counts;
    }
    const auto items = ParseRepeated(text);
    for (std::string_view item : items.value_or(std::vector<std::string_view>{""}))
    {
        const uint64_t count = ParseCount(item).value_or(0);
        if (count < 1 || count > 65535)
        {
            throw OdcnError::InOption(option,
                                      std::string(text),
                                      "numbers from 1 to 65535, as in 8*48,8*16");
        }
        counts.push_back(static_cast<uint32_t>(count));
    }
    return counts;
}

std::optional<OdcnResources>
ParseResources(std::string_view text)
{
    constexpr double LIMIT = 1e9;
    std::array<double, OdcnResources::KINDS> amounts{};
    for (std::size_t i = 0; i < amounts.size(); ++i)
    {
        const bool last = i + 1 == amounts.size();
        const std::size_t end = last ? text.size() : text.find(':');
        if (end == std::string_view::npos)
        {
            return std::nullopt;
        }
        const auto amount = ParseFinite(text.substr(0, end));
        if (!amount || *amount < 0 || *amount > LIMIT)
        {
            return std::nullopt;
        }
        amounts[i] = *amount;
        text.remove_prefix(last ? end : end + 1);
    }
    return OdcnResources::Of(amounts[0], amounts[1], amounts[2]);
}

void
AppendDouble(std::string& out, double value)
{
    std::array<char, 32> digits;
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    out.append(digits.data(), result.ptr);
}

std::string
FormatNumber(double value)
{
    const double size = std::abs(value);
    std::array<char, 400> digits;
    const auto form = size == 0 || (size >= 1e-9 && size < 1e15) ? std::chars_format::fixed
                                                                 : std::chars_format::general;
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value, form);
    return {digits.data(), result.ptr};
}

std::string
FormatCount(uint64_t number, const std::string& thing)
{
    return std::to_string(number) + " " + thing + (number == 1 ? "" : "s");
}

void
AppendCount(std::string& out, uint64_t value)
{
    std::array<char, 24> digits;
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    out.append(digits.data(), result.ptr);
}

void
AppendDecimal(std::string& out, int64_t value, int digits)
{
    std::array<char, 24> text;
    char* end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    const auto length = static_cast<int>(end - text.data());
    const int whole = length - digits;
    if (whole > 0)
    {
        out.append(text.data(), whole);
    }
    else
    {
        out += '0';
    }
    char* const fraction = whole > 0 ? text.data() + whole : text.data();
    while (end != fraction && end[-1] == '0')
    {
        --end;
    }
    if (end != fraction)
    {
        out += '.';
        out.append(whole < 0 ? -whole : 0, '0');
        out.append(fraction, end);
    }
}

void
AppendResources(std::string& out, const OdcnResources& resources)
{
    for (std::size_t i = 0; i < OdcnResources::KINDS; ++i)
    {
        if (i > 0)
        {
            out += ':';
        }
        AppendDecimal(out, resources.milli[i], 3);
    }
}

void
RequireFile(const std::string& path)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
    {
        throw OdcnError(path + ": cannot be read: it is a folder");
    }
    if (std::filesystem::is_fifo(path, ignored))
    {
        // Every replication and every process reads the file from its beginning.
        throw OdcnError(path + ": cannot be read: it is a pipe, and a file is read several times");
    }
}

TextReader::TextReader(const std::string& path)
    : m_path(path)
{
    RequireFile(path);
    errno = 0;
    auto file = std::make_unique<std::filebuf>();
    if (!file->open(path, std::ios::in | std::ios::binary))
    {
        throw OdcnError((path.empty() ? "''" : path) + ": cannot be read: " +
                        std::generic_category().message(errno != 0 ? errno : ENOENT));
    }
    m_buffer = std::move(file);
    // Magic number of gzip files.
    if (TakeByte() == 0x1f && TakeByte() == 0x8b)
    {
#if ODCN_HAVE_ZLIB
        m_buffer = std::make_unique<GzipBuffer>(path);
#else
        throw OdcnError(path + ": compressed by gzip, and odcn was built without zlib");
#endif
        return;
    }
    m_buffer->pubseekpos(0);
}

int
TextReader::TakeByte()
{
    try
    {
        return m_buffer->sbumpc();
    }
    catch (const std::system_error& error)
    {
        throw OdcnError(m_path + ": cannot be read: " + error.code().message());
    }
}

bool
TextReader::NextLine()
{
    m_line.clear();
    using Traits = std::streambuf::traits_type;
    int c = TakeByte();
    if (c == Traits::eof())
    {
        return false;
    }
    ++m_number;
    for (; c != Traits::eof() && c != '\n'; c = TakeByte())
    {
        m_line += Traits::to_char_type(c);
        if (m_line.size() > MAX_LINE)
        {
            Refuse(m_line, "a text file whose lines are at most 16 MiB long");
        }
    }
    if (!m_line.empty() && m_line.back() == '\r')
    {
        m_line.pop_back();
    }
    if (constexpr std::string_view MARK = "\xEF\xBB\xBF"; m_number == 1 && m_line.starts_with(MARK))
    {
        m_line.erase(0, MARK.size());
    }
    return true;
}

void
TextReader::Refuse(std::string_view value, const std::string& expected) const
{
    throw OdcnError::InFile(m_path, m_number, std::string(value), expected);
}

} // namespace ns3::odcn
