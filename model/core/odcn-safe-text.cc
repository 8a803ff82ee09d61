// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "odcn-safe-text.h"

#include <algorithm>
#include <cstddef>

namespace ns3::odcn
{

namespace
{

/// @param text that begins with a character
/// @return the bytes of this character of UTF-8; 0 if it is none
std::size_t
GetCharacterSize(std::string_view text)
{
    const auto byte = [text](std::size_t i)
    { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
    const unsigned first = byte(0);
    const std::size_t size = first < 0x80                     ? 1
                             : first >= 0xc2 && first <= 0xdf ? 2
                             : (first & 0xf0) == 0xe0         ? 3
                             : first >= 0xf0 && first <= 0xf4 ? 4
                                                              : 0;
    for (std::size_t i = 1; i < size; ++i)
    {
        if ((byte(i) & 0xc0) != 0x80)
        {
            return 0;
        }
    }
    // Longer than necessary, half of a UTF-16 pair, or above the last character.
    const unsigned second = byte(1);
    const bool isNone = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
    return isNone ? 0 : size;
}

/**
 * @param text any text
 * @param isUnwanted tells of a character whether it is unwanted
 * @return the text with \\xHH for the bytes of unwanted characters and those that are not UTF-8
 */
template <typename F>
std::string
Escape(std::string_view text, const F& isUnwanted)
{
    std::string escaped;
    for (std::size_t size = 0; !text.empty(); text.remove_prefix(size))
    {
        const std::size_t found = GetCharacterSize(text);
        size = std::max<std::size_t>(1, found);
        if (found > 0 && !isUnwanted(text.substr(0, size)))
        {
            escaped += text.substr(0, size);
            continue;
        }
        for (const char c : text.substr(0, size))
        {
            constexpr const char* DIGITS = "0123456789abcdef";
            const auto byte = static_cast<unsigned char>(c);
            escaped += {'\\', 'x', DIGITS[byte >> 4], DIGITS[byte & 15]};
        }
    }
    return escaped;
}

} // namespace

std::string
EscapeText(std::string_view text)
{
    const auto isControl = [](std::string_view character)
    {
        const auto first = static_cast<unsigned char>(character[0]);
        const auto last = static_cast<unsigned char>(character.back());
        return first < 0x20 || first == 0x7f || (first == 0xc2 && last < 0xa0);
    };
    return Escape(text, isControl);
}

std::string
MakeUtf8(std::string_view text)
{
    return Escape(text, [](std::string_view) { return false; });
}

std::string
EscapeXml(std::string_view text)
{
    std::string escaped;
    for (const char c : MakeUtf8(text))
    {
        escaped += c == '&'   ? "&amp;"
                   : c == '<' ? "&lt;"
                   : c == '>' ? "&gt;"
                   : c == '"' ? "&quot;"
                              : std::string(1, c);
    }
    return escaped;
}

} // namespace ns3::odcn
